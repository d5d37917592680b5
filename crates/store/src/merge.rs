//! What one recorded tree has and another of the same program lacks, as records of the latter.
//!
//! Both are walked in step by the labels of their forks. Where the first has no record and the
//! second has one, what the second recorded below is written again, under ids of the first. Where
//! the first was cut and the second went on, that takes the place of the cut. Nothing else that the
//! first recorded is changed. What cannot be true of one program, such as a path that ends
//! in two ways, is told as a divergence, and the first stays as it is.
//!
//! Ends that whoever asks does not want to take over are left out: their nodes are unfinished then.

use crate::shape_diff::{Compared, Side};
use crate::{
    BatchWriter, Divergence, End, Outcome, OutcomeParts, Record, RecordId, RecordParts, Slot, Status, StoreError,
    Verdict, WayRef,
};
use rustc_hash::FxHashMap;

/// What whoever knows the program has to say.
pub struct MergeRules<'a> {
    /// Is an end of the second tree taken over?
    pub takes: &'a dyn Fn(Verdict) -> bool,
    /// Is an end of the first tree given up if the second went on?
    pub gives_up: &'a dyn Fn(Verdict) -> bool,
    /// Does an end only say that the path was not followed further?
    pub says_nothing: &'a dyn Fn(Verdict) -> bool,
    /// Is this the label of a way that only some runs have?
    pub is_optional: &'a dyn Fn(&[u8]) -> bool,
}

/// What was appended to the first tree.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Appended {
    pub records: u64,
    pub ended: FxHashMap<Verdict, u64>,
    pub forks: u64,
    /// On the way from the nodes before.
    pub instructions: u64,
    /// Ends that were not taken over.
    pub left_unfinished: u64,
    /// Ends of the first tree that were given up.
    pub given_up: FxHashMap<Verdict, u64>,
    pub divergences: Vec<Divergence>,
}

/// Writes what is missing in the first tree.
pub fn append_missing(
    first: &mut Compared<'_>,
    second: &mut Compared<'_>,
    writer: &mut BatchWriter,
    rules: &MergeRules<'_>,
) -> Result<Appended, StoreError> {
    let mut appended = Appended::default();
    let mut pairs = vec![(Slot::ROOT, Slot::ROOT)];
    while let Some((one, other)) = pairs.pop() {
        if first.shape.hash(one).is_some() && first.shape.hash(one) == second.shape.hash(other) {
            continue;
        }
        match (first.shape.node(one).status, second.shape.node(other).status) {
            (_, Status::Unfinished) => {}
            (Status::Unfinished, _) => {
                append(second, (first.shape.node(one).id, other), false, writer, rules, &mut appended)?;
            }
            (Status::Ended(_), Status::Ended(end)) if (rules.says_nothing)(end) => {}
            (Status::Ended(end), _) if (rules.gives_up)(end) => {
                if append(second, (first.shape.node(one).id, other), true, writer, rules, &mut appended)? {
                    *appended.given_up.entry(end).or_default() += 1;
                }
            }
            (Status::Ended(end), _) | (_, Status::Ended(end)) if (rules.says_nothing)(end) => {}
            (Status::Ended(one), Status::Ended(other)) if one == other => {}
            _ => match compare(first, second, one, other, rules)? {
                Pair::Same { below } => pairs.extend(below),
                Pair::Incomparable => {}
                Pair::Diverged(divergence) => appended.divergences.push(divergence),
            },
        }
    }
    Ok(appended)
}

/// Two nodes that have records.
enum Pair {
    /// They are one fork, and these are behind it.
    Same {
        below: Vec<(Slot, Slot)>,
    },
    Incomparable,
    Diverged(Divergence),
}

fn compare(
    first: &mut Compared<'_>,
    second: &mut Compared<'_>,
    one: Slot,
    other: Slot,
    rules: &MergeRules<'_>,
) -> Result<Pair, StoreError> {
    let records = (first.records.of(first.shape, one)?, second.records.of(second.shape, other)?);
    // What cannot be read any more is not compared.
    let (Some(record), Some(with)) = records else { return Ok(Pair::Incomparable) };
    let ways = (first.ways(Side::Node(one))?, second.ways(Side::Node(other))?);
    let is_optional = |ways: &[(Vec<u8>, Side)]| ways.iter().any(|(label, _)| (rules.is_optional)(label));
    let identity = |record: &Record| (record.function, record.instruction, record.instructions, record.trace);
    let is_same = identity(&record) == identity(&with)
        && !matches!((&record.outcome, &with.outcome), (Outcome::End(_), _) | (_, Outcome::End(_)))
        && ways.0.iter().map(|(label, _)| label).eq(ways.1.iter().map(|(label, _)| label));
    if !is_same && (is_optional(&ways.0) || is_optional(&ways.1)) {
        return Ok(Pair::Incomparable);
    }
    if !is_same {
        let (node, expected, got) = (first.shape.node(one).id, told(&record), told(&with));
        return Ok(Pair::Diverged(Divergence { run: 0, node, what: "merged".to_owned(), expected, got }));
    }
    let below = ways.0.into_iter().zip(ways.1).filter_map(|((_, one), (_, other))| match (one, other) {
        (Side::Node(one), Side::Node(other)) => Some((one, other)),
        // Ways that ended at once have no nodes to append to.
        _ => None,
    });
    Ok(Pair::Same { below: below.collect() })
}

fn told(record: &Record) -> String {
    let what = match &record.outcome {
        Outcome::Fork { ways, .. } => {
            format!("{:?}", ways.iter().map(|way| &way.label[..]).collect::<Vec<&[u8]>>())
        }
        Outcome::End(End { verdict, .. }) => format!("{verdict:?}"),
        Outcome::Mark { .. } => "goes on".to_owned(),
    };
    let Record { function, instruction, instructions, .. } = record;
    format!("{what} in function {function} at {instruction} after {instructions} instructions")
}

/// Writes what is recorded from a node of the second tree on, as what is below a node of the first,
/// which may have been recorded before. Was there anything?
fn append(
    second: &mut Compared<'_>,
    (id, from): (RecordId, Slot),
    is_again: bool,
    writer: &mut BatchWriter,
    rules: &MergeRules<'_>,
    appended: &mut Appended,
) -> Result<bool, StoreError> {
    let before = appended.records;
    let mut open = vec![(id, from)];
    while let Some((id, slot)) = open.pop() {
        let Some(record) = second.records.of(second.shape, slot)? else { continue };
        let mut children = second.shape.children(slot);
        match &record.outcome {
            Outcome::End(end) if !(rules.takes)(end.verdict) => {
                appended.left_unfinished += 1;
                continue;
            }
            Outcome::End(end) => {
                appended.count(*end);
                push(writer, &record, (id, is_again && slot == from), OutcomeParts::End(End { test: None, ..*end }));
            }
            Outcome::Fork { ways, .. } => {
                let refs = ways
                    .iter()
                    .map(|way| WayRef { label: &way.label, end: way.end.map(|end| End { test: None, ..end }) });
                let refs: Vec<WayRef<'_>> = refs.collect();
                let count = refs.iter().filter(|way| way.end.is_none()).count();
                let first_child = writer.next_ids(count);
                push(writer, &record, (id, is_again && slot == from), OutcomeParts::Fork { first_child, ways: &refs });
                refs.iter().filter_map(|way| way.end).for_each(|end| appended.count(end));
                appended.forks += (count as u64).saturating_sub(1);
                open.extend((first_child.0..).map(RecordId).zip(children));
            }
            Outcome::Mark { .. } => {
                let child = writer.next_ids(1);
                push(writer, &record, (id, is_again && slot == from), OutcomeParts::Mark { child });
                open.extend(children.next().map(|slot| (child, slot)));
            }
        }
        let forked = second.shape.node(slot).parent.map_or(0, |parent| second.shape.node(parent).instructions);
        appended.instructions += record.instructions.saturating_sub(forked);
        appended.records += 1;
    }
    Ok(appended.records > before)
}

impl Appended {
    fn count(&mut self, end: End) {
        *self.ended.entry(end.verdict).or_default() += 1;
    }
}

fn push(writer: &mut BatchWriter, record: &Record, (id, again): (RecordId, bool), outcome: OutcomeParts<'_>) {
    writer.push(&RecordParts {
        id,
        function: record.function,
        instruction: record.instruction,
        instructions: record.instructions,
        trace: record.trace,
        work: record.work,
        answers: record.answers.view(),
        outcome,
        again,
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::tests::{CUT, EXIT, branch, end, push as push_record};
    use crate::shape_diff::tests::{compare, stored};
    use crate::{Commit, Reader, Records, Shape, Store, Why};

    const RULES: MergeRules<'_> = MergeRules {
        takes: &|verdict| !matches!(verdict, Verdict::Cut(Why::Depth)),
        gives_up: &|verdict| verdict == CUT.verdict,
        says_nothing: &|verdict| matches!(verdict, Verdict::Cut(_)),
        is_optional: &|label| label == [9],
    };

    /// What the first tree lacks, and the tree that it becomes.
    fn merged(first: &Reader, second: &Reader) -> (Appended, tempfile::TempDir, Reader) {
        let shapes = [first, second].map(|reader| Shape::read_to_compare(reader).unwrap());
        let [mut one, mut other] = [(&shapes[0], first), (&shapes[1], second)].map(|(shape, reader)| Compared {
            shape,
            leaves: shape.leaves(),
            records: Records::new(reader),
        });
        let mut batches = Vec::new();
        first.scan(&mut |_, batch| batches.push(batch)).unwrap();
        let (seq, next) = batches.last().map_or((1, 1), |batch| (batch.seq + 1, batch.next_id));
        let mut writer = BatchWriter::new(seq, 0, next);
        let appended = append_missing(&mut one, &mut other, &mut writer, &RULES).unwrap();
        let dir = tempfile::tempdir().unwrap();
        let mut store = Store::create(dir.path(), &[]).unwrap();
        store.begin_run("now", "", "").unwrap();
        batches.extend(writer.seal());
        store.commit(&Commit { batches, ..Commit::default() }).unwrap();
        let reader = store.reader().unwrap();
        (appended, dir, reader)
    }

    #[test]
    fn each_has_what_the_other_lacks() {
        // The first knows the left side, the second the right one.
        let first = stored(|writer| {
            let child = branch(writer, 0, 10, None, false);
            let below = branch(writer, child, 20, Some(EXIT), false);
            end(writer, below, 25, EXIT);
        });
        let second = stored(|writer| {
            let child = branch(writer, 0, 10, None, false);
            let below = branch(writer, child + 1, 30, None, false);
            end(writer, below + 1, 36, EXIT);
            end(writer, below, 35, CUT);
        });
        let whole = stored(|writer| {
            let child = branch(writer, 0, 10, None, false);
            let right = branch(writer, child + 1, 30, None, false);
            let left = branch(writer, child, 20, Some(EXIT), false);
            end(writer, left, 25, EXIT);
            end(writer, right + 1, 36, EXIT);
        });
        let (appended, _dir, reader) = merged(&first.1, &second.1);
        assert_eq!(compare(&reader, &whole.1), []);
        assert_eq!((appended.records, appended.forks, appended.left_unfinished), (2, 1, 1));
        assert_eq!(appended.ended, FxHashMap::from_iter([(Verdict::Exit, 1)]));
        assert_eq!(appended.instructions, 20 + 6);
        // Cuts are gone on with.
        let (appended, _dir, reader) = merged(&second.1, &first.1);
        assert_eq!((appended.records, appended.given_up), (2, FxHashMap::default()));
        let cut = stored(|writer| {
            let child = branch(writer, 0, 10, None, false);
            end(writer, child + 1, 10, CUT);
            end(writer, child, 10, CUT);
        });
        let (appended, _dir2, reader_of_cut) = merged(&cut.1, &reader);
        assert_eq!(appended.given_up, FxHashMap::from_iter([(CUT.verdict, 2)]));
        assert_eq!(compare(&reader_of_cut, &whole.1), []);
        let (appended, _dir, reader) = merged(&whole.1, &whole.1);
        assert_eq!((appended, compare(&reader, &whole.1)), (Appended::default(), Vec::new()));
    }

    #[test]
    fn what_contradicts_is_told_and_nothing_is_appended() {
        let tree = |at, ends: Option<End>| {
            stored(move |writer| {
                let child = branch(writer, 0, 10, None, false);
                match ends {
                    Some(ends) => end(writer, child, at, ends),
                    None => drop(branch(writer, child, at, None, false)),
                }
            })
        };
        let error = End { verdict: Verdict::Error, test: None };
        let exit = tree(20, Some(EXIT));
        for (other, divergences) in
            [(tree(20, Some(error)), 1), (tree(20, None), 1), (tree(20, Some(CUT)), 0), (tree(20, Some(EXIT)), 0)]
        {
            let (appended, _dir, reader) = merged(&exit.1, &other.1);
            assert_eq!((appended.records, appended.divergences.len()), (0, divergences));
            assert_eq!(compare(&reader, &exit.1), []);
        }
        let elsewhere = stored(|writer| {
            let child = branch(writer, 0, 10, None, false);
            let below = branch(writer, child, 21, None, false);
            end(writer, below, 25, EXIT);
        });
        let (appended, ..) = merged(&tree(20, None).1, &elsewhere.1);
        assert_eq!((appended.records, appended.divergences.len()), (0, 1));
        let optional = stored(|writer| {
            let first_child = writer.next_ids(2);
            let ways = [WayRef { label: &[9], end: None }, WayRef { label: &[8], end: None }];
            push_record(writer, 0, 5, OutcomeParts::Fork { first_child, ways: &ways }, false);
        });
        assert_eq!(merged(&exit.1, &optional.1).0, Appended::default());
    }
}
