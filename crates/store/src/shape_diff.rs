//! What two recorded trees of one program do not have in common.
//!
//! Both are walked in step by the labels of their forks, and only where the hashes of subtrees
//! differ: trees that are the same but for a few paths are compared as fast as they are read. Where
//! one is unfinished and the other went on, the paths of the other are only there.

use crate::shape::{Leaves, Records, Shape, Slot, Status};
use crate::{Outcome, StoreError, Verdict};

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Differs {
    OnlyFirst,
    OnlySecond,
    /// The path is in both, and ends so in the first and so in the second.
    Ends(Verdict, Verdict),
}

/// Paths that differ in one place.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Different {
    pub what: Differs,
    pub function: u32,
    pub instruction: u32,
    pub paths: u64,
}

/// A tree to be compared, read by [`Shape::read_to_compare`].
pub struct Compared<'a> {
    pub shape: &'a Shape,
    pub leaves: Leaves,
    pub records: Records<'a>,
}

/// An alternative of a fork.
#[derive(Copy, Clone)]
pub(crate) enum Side {
    Ended(Verdict),
    Node(Slot),
}

impl Compared<'_> {
    fn status(&self, side: Side) -> Status {
        match side {
            Side::Ended(verdict) => Status::Ended(verdict),
            Side::Node(slot) => self.shape.node(slot).status,
        }
    }

    fn finished(&self, side: Side) -> u64 {
        match side {
            Side::Ended(_) => 1,
            Side::Node(slot) => u64::from(self.leaves.finished[slot.index()]),
        }
    }

    fn hash(&self, side: Side) -> Option<u64> {
        match side {
            Side::Ended(_) => None,
            Side::Node(slot) => self.shape.hash(slot),
        }
    }

    fn site(&self, side: Side) -> Option<(u32, u32)> {
        match side {
            Side::Ended(_) => None,
            Side::Node(slot) => self.shape.site(slot).map(|site| (site.function, site.instruction)),
        }
    }

    /// The alternatives of a fork with their labels, by label.
    pub(crate) fn ways(&mut self, side: Side) -> Result<Vec<(Vec<u8>, Side)>, StoreError> {
        let Side::Node(slot) = side else { return Ok(Vec::new()) };
        let mut children = self.shape.children(slot);
        let Some(record) = self.records.of(self.shape, slot)? else { return Ok(Vec::new()) };
        let mut sides: Vec<(Vec<u8>, Side)> = match record.outcome {
            Outcome::Fork { ways, .. } => {
                let side = |end: Option<crate::End>, children: &mut dyn Iterator<Item = Slot>| match end {
                    Some(end) => Some(Side::Ended(end.verdict)),
                    None => children.next().map(Side::Node),
                };
                ways.into_iter().filter_map(|way| Some((way.label.to_vec(), side(way.end, &mut children)?))).collect()
            }
            Outcome::Mark { .. } => children.map(|child| (Vec::new(), Side::Node(child))).collect(),
            Outcome::End(_) => Vec::new(),
        };
        sides.sort_by(|(first, _), (second, _)| first.cmp(second));
        Ok(sides)
    }
}

/// Tells of all differences; those in one place may be told one by one.
pub fn differences(
    first: &mut Compared<'_>,
    second: &mut Compared<'_>,
    each: &mut dyn FnMut(Different),
) -> Result<(), StoreError> {
    let root = Side::Node(Slot::ROOT);
    let mut pairs = vec![(root, root, (0, 0))];
    while let Some((one, other, fork)) = pairs.pop() {
        if let (Some(one), Some(other)) = (first.hash(one), second.hash(other))
            && one == other
        {
            continue;
        }
        let (one_site, other_site) = (first.site(one), second.site(other));
        let mut tell = |what, (function, instruction), paths| {
            if paths > 0 {
                each(Different { what, function, instruction, paths });
            }
        };
        match (first.status(one), second.status(other)) {
            (Status::Ended(ends), Status::Ended(other)) => {
                if ends != other {
                    tell(Differs::Ends(ends, other), one_site.or(other_site).unwrap_or(fork), 1);
                }
            }
            (Status::Forked, Status::Forked) | (Status::Goes, Status::Goes) => {
                let here = one_site.unwrap_or(fork);
                let mut others = second.ways(other)?.into_iter().peekable();
                for (label, one) in first.ways(one)? {
                    while let Some((_, alone)) = others.next_if(|(other, _)| *other < label) {
                        tell(Differs::OnlySecond, here, second.finished(alone));
                    }
                    match others.next_if(|(other, _)| *other == label) {
                        Some((_, other)) => pairs.push((one, other, here)),
                        None => tell(Differs::OnlyFirst, here, first.finished(one)),
                    }
                }
                for (_, alone) in others {
                    tell(Differs::OnlySecond, here, second.finished(alone));
                }
            }
            _ => {
                tell(Differs::OnlyFirst, one_site.unwrap_or(fork), first.finished(one));
                tell(Differs::OnlySecond, one_site.or(other_site).unwrap_or(fork), second.finished(other));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::shape::tests::{CUT, EXIT, branch, end};
    use crate::{BatchWriter, Commit, Reader, Store};

    pub(crate) fn stored(write: impl FnOnce(&mut BatchWriter)) -> (tempfile::TempDir, Reader) {
        let dir = tempfile::tempdir().unwrap();
        let mut writer = BatchWriter::new(1, 0, 1);
        write(&mut writer);
        let mut store = Store::create(dir.path(), &[]).unwrap();
        store.begin_run("now", "", "").unwrap();
        store.commit(&Commit { batches: writer.seal(), ..Commit::default() }).unwrap();
        let reader = store.reader().unwrap();
        (dir, reader)
    }

    pub(crate) fn compare(first: &Reader, second: &Reader) -> Vec<(Differs, u32, u64)> {
        let shapes = [first, second].map(|reader| Shape::read_to_compare(reader).unwrap());
        let [mut one, mut other] = [(&shapes[0], first), (&shapes[1], second)].map(|(shape, reader)| Compared {
            shape,
            leaves: shape.leaves(),
            records: Records::new(reader),
        });
        let mut found = Vec::new();
        let mut each = |different: Different| found.push((different.what, different.instruction, different.paths));
        differences(&mut one, &mut other, &mut each).unwrap();
        found
    }

    #[test]
    fn trees_that_were_explored_in_another_order_are_the_same() {
        let first = stored(|writer| {
            let child = branch(writer, 0, 10, None, false);
            end(writer, child, 12, EXIT);
            branch(writer, child + 1, 20, Some(CUT), false);
        });
        let second = stored(|writer| {
            let child = branch(writer, 0, 10, None, false);
            let below = branch(writer, child + 1, 20, None, false);
            end(writer, below + 1, 20, CUT);
            end(writer, child, 12, EXIT);
        });
        assert_eq!(compare(&first.1, &second.1), []);
    }

    #[test]
    fn paths_of_one_tree_and_other_ends_are_told() {
        let first = stored(|writer| {
            let child = branch(writer, 0, 10, None, false);
            end(writer, child, 12, EXIT);
            let below = branch(writer, child + 1, 20, None, false);
            end(writer, below, 21, EXIT);
            end(writer, below + 1, 22, EXIT);
        });
        let second = stored(|writer| {
            let child = branch(writer, 0, 10, None, false);
            end(writer, child, 12, CUT);
        });
        let ends = Differs::Ends(EXIT.verdict, CUT.verdict);
        let mut found = compare(&first.1, &second.1);
        found.sort_by_key(|(_, instruction, _)| *instruction);
        assert_eq!(found, [(ends, 12, 1), (Differs::OnlyFirst, 20, 2)]);
        assert!(compare(&second.1, &first.1).contains(&(Differs::OnlySecond, 20, 2)));
    }
}
