//! What is written is read again, and merging adds: in any order, with totals that fit.

use lcov::{Branch, Function, Record, Tracefile};
use proptest::prelude::*;

fn record() -> impl Strategy<Value = Record> {
    let lines = prop::collection::btree_map(1u32..50, 0u64..5, 0..20);
    let functions = prop::collection::btree_map("[f-i]", 0u64..5, 0..4);
    let branch = (1u32..50, 0u32..3, 0u32..3).prop_map(|(line, block, branch)| Branch { line, block, branch });
    let branches = prop::collection::btree_map(branch, prop::option::of(0u64..5), 0..20);
    (lines, functions, branches).prop_map(|(lines, functions, branches)| Record {
        lines,
        // The line follows from the name, as it does in one version of a source.
        functions: functions
            .into_iter()
            .map(|(name, calls)| {
                let line = u32::from(name.as_bytes()[0]);
                (name, Function { line, calls })
            })
            .collect(),
        branches,
    })
}

fn tracefile() -> impl Strategy<Value = Tracefile> {
    prop::collection::btree_map("[a-c]\\.c", record(), 0..3).prop_map(|files| Tracefile { files })
}

fn merged(a: &Tracefile, b: &Tracefile) -> Tracefile {
    let mut sum = a.clone();
    sum.merge(b).unwrap();
    sum
}

proptest! {
    #[test]
    fn what_is_written_is_read(tracefile in tracefile()) {
        prop_assert_eq!(Tracefile::parse(&tracefile.to_string()).unwrap(), tracefile);
    }

    #[test]
    fn the_order_of_merging_does_not_matter(a in tracefile(), b in tracefile(), c in tracefile()) {
        prop_assert_eq!(merged(&a, &b), merged(&b, &a));
        prop_assert_eq!(merged(&merged(&a, &b), &c), merged(&a, &merged(&b, &c)));
        prop_assert_eq!(merged(&a, &Tracefile::default()), a);
    }

    #[test]
    fn totals_of_a_sum_are_at_least_those_of_its_parts(a in tracefile(), b in tracefile()) {
        let (sum, a, b) = (merged(&a, &b).totals(), a.totals(), b.totals());
        for (sum, a, b) in [(sum.lines, a.lines, b.lines), (sum.functions, a.functions, b.functions), (sum.branches, a.branches, b.branches)] {
            prop_assert!(sum.found >= a.found.max(b.found) && sum.found <= a.found + b.found);
            prop_assert!(sum.hit >= a.hit.max(b.hit) && sum.hit <= a.hit + b.hit && sum.hit <= sum.found);
        }
    }

    #[test]
    fn no_text_makes_it_panic(text in "(SF:|DA:|FN:|FNDA:|FNL:|FNA:|BRDA:|TN:|end_of_record|[0-9,a-]|\n){0,60}") {
        let _ = Tracefile::parse(&text);
    }
}

#[test]
fn different_sources_are_not_merged() {
    let file = |line| Tracefile::parse(&format!("SF:a.c\nFN:{line},f\nend_of_record\n")).unwrap();
    let error = file(3).merge(&file(5)).unwrap_err().to_string();
    let expected = "they were made from different versions of a.c: the function `f` is at line 3 in one and at line 5 in the other";
    assert_eq!(error, expected);
}
