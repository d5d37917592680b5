//! Trees that are too large for memory: parts of them are written down, and come back when the rest
//! is explored.
//!
//! A parked leaf takes some 70 bytes in memory with the nodes above it, so that millions of them
//! fill any limit. What is needed to find them again is what workers hand over to each other (see
//! `sharing::part`): their numbers, and where the records are that lead to them. So all leaves go
//! into parts, the parts into a file without a name, and one part by chance is what the tree is from
//! then on. A worker gives its parts away instead: whoever has nothing to do takes them.
//!
//! Nothing is lost if the process is killed: the records say what is unfinished.

use crate::engine::Engine;
use crate::growing::Pruning;
use crate::outcome::Stop;
use crate::sharing::part::{Part, Taken};
use espalier_store::{Held, Task};
use espalier_tree::Slot;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

/// Leaves in a part.
const PART: usize = 1 << 15;
/// What a node of the tree takes, with what is known of its record and its place, in tables that
/// have room for more.
const NODE: u64 = 100;
/// The tree is too large if it takes this part of the limit, in percent.
const TREE: u64 = 12;

/// Parts of the tree that are not in memory.
#[derive(Default)]
pub(crate) struct Shelf {
    file: Option<File>,
    parts: Vec<Shelved>,
    leaves: u64,
}

struct Shelved {
    offset: u64,
    len: usize,
    leaves: u64,
}

impl Shelf {
    /// How many unfinished leaves are there.
    pub(crate) fn leaves(&self) -> u64 {
        self.leaves
    }

    fn len(&self) -> usize {
        self.parts.len()
    }

    fn push(&mut self, bytes: &[u8], leaves: u64, make_file: impl FnOnce() -> io::Result<File>) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(make_file()?),
        };
        let offset = free_place(&self.parts, bytes.len());
        file.write_all_at(bytes, offset)?;
        self.parts.push(Shelved { offset, len: bytes.len(), leaves });
        self.leaves += leaves;
        Ok(())
    }

    fn take(&mut self, number: usize) -> io::Result<Vec<u8>> {
        let Shelved { offset, len, leaves } = self.parts.swap_remove(number);
        self.leaves -= leaves;
        let mut bytes = vec![0; len];
        match &self.file {
            Some(file) => file.read_exact_at(&mut bytes, offset)?,
            None => return Err(io::ErrorKind::NotFound.into()),
        }
        Ok(bytes)
    }
}

/// Where so many bytes are free: in the first gap that is large enough, so that the file does not
/// grow with how long a run takes.
fn free_place(parts: &[Shelved], len: usize) -> u64 {
    let mut taken: Vec<(u64, u64)> = parts.iter().map(|part| (part.offset, part.offset + part.len as u64)).collect();
    taken.sort_unstable();
    let mut free = 0;
    for (begin, end) in taken {
        if begin - free >= len as u64 {
            break;
        }
        free = end;
    }
    free
}

impl Engine {
    /// Does the tree take a good part of the memory that there is?
    pub(crate) fn has_large_tree(&self) -> bool {
        let bytes = self.tree.len() as u64 * NODE;
        self.config.limits.max_memory.is_some_and(|limit| bytes >= limit / 100 * TREE)
    }

    /// Writes down all of the tree, whose leaves are parked, and goes on with a part of it. Not if
    /// only some of them are to be explored, or nothing is recorded on a disk.
    pub(crate) fn shelve(&mut self) -> Result<(), Stop> {
        self.shelve_in_parts_of(PART)
    }

    pub(crate) fn shelve_in_parts_of(&mut self, size: usize) -> Result<(), Stop> {
        let is_selection = self.parking.is_selection();
        if is_selection || !self.recorder.is_on_disk() || self.parking.to_take_up() <= size {
            return Ok(());
        }
        let leaves: Vec<Slot> = self.own_parked().collect();
        if leaves.iter().any(|&leaf| self.recorder.node(leaf).is_none()) {
            // Nothing is recorded any more, because the run has to stop: such a leaf would be lost.
            return Ok(());
        }
        if self.membership.is_some() {
            return self.give_all_but_one(&leaves, size);
        }
        for leaves in leaves.chunks(size) {
            let part = Part::new(&self.tree, &self.recorder, &self.parking, leaves).encode();
            let recorder = &self.recorder;
            let shelved = self.parking.shelf.push(&part, leaves.len() as u64, || recorder.make_file());
            shelved.map_err(|error| self.shelf_failed(&error.to_string()))?;
        }
        drop(leaves);
        self.take_from_shelf().map(|_| ())
    }

    /// A worker keeps one part, and gives the others to whoever has nothing to do.
    fn give_all_but_one(&mut self, leaves: &[Slot], size: usize) -> Result<(), Stop> {
        let parts: Vec<Vec<u8>> = leaves
            .chunks(size)
            .map(|leaves| Part::new(&self.tree, &self.recorder, &self.parking, leaves).encode())
            .collect();
        let Some((own, others)) = parts.split_first() else { return Ok(()) };
        self.give_parts(others)?;
        self.go_on_with(own.clone())
    }

    /// Goes on with a part that was written down, if there is one.
    pub(crate) fn take_from_shelf(&mut self) -> Result<bool, Stop> {
        let count = self.parking.shelf.len();
        if count == 0 {
            return Ok(false);
        }
        let number = self.parking.below(count);
        let part = self.parking.shelf.take(number).map_err(|error| self.shelf_failed(&error.to_string()))?;
        self.go_on_with(part)?;
        Ok(true)
    }

    /// Has the tree be this part of it. All that was learnt is still known.
    fn go_on_with(&mut self, data: Vec<u8>) -> Result<(), Stop> {
        let task = Task { held: Held { task: 0, epoch: 1 }, deaths: 0, data, given: Vec::new() };
        let taken = match self.recorder.reader().map(|reader| Taken::read(reader, &task)) {
            Some(Ok(taken)) => taken,
            Some(Err(error)) => return Err(self.shelf_failed(&error.to_string())),
            None => return Err(self.shelf_failed("nothing is recorded")),
        };
        self.begin_part(taken);
        Ok(())
    }

    /// Has the tree be that of a part, in the place of what was there. What was learnt is still
    /// known, and has been written down.
    pub(crate) fn begin_part(&mut self, taken: Taken) {
        let Taken { tree, nodes, origins, others, covers_new, .. } = taken;
        let learnt = self.pruning.as_mut().map(|pruning| pruning.pruner.pack(&self.executor));
        self.replant_part(tree, nodes);
        self.take_over_learnt(learnt.into_iter().flatten().collect());
        self.pruning.iter_mut().for_each(|pruning| pruning.pruner.note_written());
        self.park_unfinished(&origins);
        self.parking.leave_to_others(others);
        covers_new.into_iter().for_each(|leaf| self.parking.note_covers_new(leaf));
    }

    /// Takes over interpolants that somebody wrote down.
    pub(crate) fn take_over_learnt(&mut self, learnt: Vec<Vec<u8>>) -> u64 {
        let Some(Pruning { pruner, .. }) = &mut self.pruning else { return 0 };
        // What cannot be read is not used; that costs time only.
        learnt.iter().map(|bytes| pruner.restore(&mut self.executor, bytes).unwrap_or(0)).sum()
    }

    fn shelf_failed(&mut self, error: &str) -> Stop {
        let text = format!("a part of the tree that there was no memory for cannot be written or read: {error}");
        self.observer_error.get_or_insert(text);
        Stop::Observer
    }
}
