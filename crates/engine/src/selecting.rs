//! Going on with a part of a recorded tree: which of its unfinished leaves are taken up.
//!
//! Of such a leaf no more is known than the fork that it comes from, and where that was. What can be
//! reached from there is estimated upwards, so a leaf may be selected from which nothing is found,
//! but none is left out that leads to what is looked for. What is left out stays unfinished, and
//! nothing is proved by a run that leaves something out.

use crate::engine::Engine;
use espalier_analysis::{Reachability, Site};
use espalier_ir::FuncId;
use espalier_store::RecordId;
use espalier_tree::Slot;
use rustc_hash::FxHashSet;

/// Which unfinished paths are gone on with: those that all of this holds of.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Selection {
    /// They are below this node of the recorded tree.
    pub below: Option<RecordId>,
    /// They were open when the run stopped, and not cut by a limit that is larger now.
    pub parked: bool,
    /// Code that no path has covered may be reached.
    pub uncovered: bool,
    /// One of these places may be reached, if there are any.
    pub targets: Vec<Site>,
}

impl Selection {
    pub fn is_everything(&self) -> bool {
        *self == Selection::default()
    }
}

impl Engine {
    /// Of a tree that was resumed: explores nothing but what is selected, and what that leads to.
    /// How many unfinished paths is that?
    pub fn select(&mut self, selection: &Selection) -> u64 {
        let Some(root) = self.tree.root() else { return 0 };
        let mut leaves: Vec<Slot> = self.tree.unfinished(root).collect();
        let all: FxHashSet<Slot> = leaves.iter().copied().collect();
        if let Some(node) = selection.below {
            leaves.retain(|&leaf| {
                let mut above = std::iter::successors(Some(leaf), |&slot| self.tree.parent(slot));
                above.any(|slot| self.recorder.id(slot) == Some(node))
            });
        }
        if selection.parked {
            leaves.retain(|&leaf| !self.recorder.is_reopened(leaf));
        }
        if selection.uncovered {
            let (coverage, program) = (self.executor.coverage(), self.executor.program());
            let is_uncovered = |func: FuncId, pc: u32| {
                program.function(func).block_at(pc).is_some_and(|block| !coverage.is_known(func, block))
            };
            let reachability = self.executor.reachability(is_uncovered);
            self.retain_reaching(&mut leaves, &reachability);
        }
        if !selection.targets.is_empty() {
            let targets: FxHashSet<(FuncId, u32)> = selection.targets.iter().map(|site| (site.func, site.pc)).collect();
            let reachability = self.executor.reachability(|func, pc| targets.contains(&(func, pc)));
            self.retain_reaching(&mut leaves, &reachability);
        }
        let selected: FxHashSet<Slot> = leaves.into_iter().collect();
        self.parking.leave_out(all.difference(&selected).copied().collect());
        selected.len() as u64
    }

    /// Keeps the leaves from which something can be reached; those of which nothing is known, too.
    fn retain_reaching(&mut self, leaves: &mut Vec<Slot>, reachability: &Reachability) {
        // In the order of the records of their forks, so that none is read twice.
        leaves.sort_by_key(|&leaf| self.tree.parent(leaf).and_then(|fork| self.recorder.place(fork)));
        let mut last = None;
        leaves.retain(|&leaf| {
            let Some(fork) = self.tree.parent(leaf) else { return true };
            let known = last.filter(|&(other, _)| other == fork);
            let (_, reaches) = *last.insert(known.unwrap_or_else(|| (fork, self.fork_reaches(fork, reachability))));
            reaches
        });
    }

    fn fork_reaches(&mut self, fork: Slot, reachability: &Reachability) -> bool {
        let Ok(Some(record)) = self.recorder.record(fork) else { return true };
        let function = FuncId(record.function);
        // The record has the instruction behind the one that forked; or, if nothing was asked, the
        // one that was to come next.
        let forked = reachability.reaches_from(function, record.instruction.saturating_sub(1));
        forked || record.answers.count == 0 && reachability.reaches_from(function, record.instruction)
    }
}
