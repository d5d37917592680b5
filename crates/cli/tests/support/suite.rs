//! A list of cases, run in parallel and reported in order: the test binaries that use it have no
//! other harness.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Cases at a time.
const THREADS: usize = 2;

/// How a case went.
pub enum Verdict {
    Passed,
    /// Passed in one of several ways, which are counted.
    PassedAs(&'static str),
    Failed(String),
    /// Nothing that the suite is about, for this reason.
    NoCase(&'static str),
    /// It could not be told, for this reason. A suite in which this is so for more than a tenth
    /// fails.
    Skipped(String),
}

impl From<Result<(), String>> for Verdict {
    fn from(result: Result<(), String>) -> Verdict {
        result.map_or_else(Verdict::Failed, |()| Verdict::Passed)
    }
}

/// Runs the cases whose name contains one of the command line's words, or all. Prints failures and
/// the closing line.
pub fn run<T: Sync>(suite: &str, cases: &[(String, T)], check: impl Fn(&str, &T) -> Verdict + Sync) -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.iter().any(|arg| arg == "--list") {
        println!("{suite}: test");
        return ExitCode::SUCCESS;
    }
    let words: Vec<&String> = args.iter().filter(|arg| !arg.starts_with('-') && *arg != suite).collect();
    let selected: Vec<&(String, T)> =
        cases.iter().filter(|(name, _)| words.is_empty() || words.iter().any(|word| name.contains(*word))).collect();
    let start = Instant::now();
    let next = AtomicUsize::new(0);
    let verdicts = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                while let Some((name, case)) = selected.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let verdict = check(name, case);
                    verdicts.lock().expect("no case panics").insert(name, verdict);
                }
            });
        }
    });
    let verdicts = verdicts.into_inner().expect("no case panics");
    let mut failed = 0;
    let mut ways: BTreeMap<&str, usize> = BTreeMap::new();
    let mut no_case: BTreeMap<&str, usize> = BTreeMap::new();
    let mut skipped: BTreeMap<&str, usize> = BTreeMap::new();
    for (name, verdict) in &verdicts {
        match verdict {
            Verdict::Passed => {}
            Verdict::PassedAs(way) => *ways.entry(way).or_default() += 1,
            Verdict::Failed(why) => {
                failed += 1;
                println!("FAILED {name}\n      {why}");
            }
            Verdict::NoCase(why) => *no_case.entry(why).or_default() += 1,
            Verdict::Skipped(why) => *skipped.entry(why).or_default() += 1,
        }
    }
    for (way, count) in &ways {
        println!("passed {count}: {way}");
    }
    for (why, count) in &no_case {
        println!("no case {count}: {why}");
    }
    for (why, count) in &skipped {
        println!("skipped {count}: {why}");
    }
    let count = |reasons: &BTreeMap<&str, usize>| reasons.values().sum::<usize>();
    let (no_case, skipped) = (count(&no_case), count(&skipped));
    let cases = verdicts.len() - no_case;
    let is_told = 10 * skipped <= cases;
    if !is_told {
        println!("FAILED {suite}: {skipped} of {cases} cases were skipped");
    }
    if cases == 0 {
        println!("FAILED {suite}: there is no such case");
    }
    let passed = cases - failed - skipped;
    println!("{suite}: {passed} passed, {failed} failed ({:.1} s)", start.elapsed().as_secs_f64());
    let is_whole = verdicts.len() == selected.len() && cases > 0;
    if failed == 0 && is_told && is_whole { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
