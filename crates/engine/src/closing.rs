//! Closing loops: where a path stops at a loop head again, [`espalier_loops`] may show that nothing
//! that is looked for is reachable from there. Then the node is finished as if something learnt
//! spoke for it; nothing is learnt from it.

use crate::engine::Engine;
use crate::metrics::work;
use espalier_exec::{Executor, ViolationKind};
use espalier_loops::Question;
use espalier_search::StateId;

/// What a question costs besides what its decision does, in nanoseconds: trials ask many that are
/// decided at once.
const QUESTION: u64 = 100_000;

/// What was done so far, trials included.
fn work_with_questions(executor: &Executor) -> u64 {
    work(executor) + QUESTION * executor.solver.stats().queries
}

impl Engine {
    /// A path stopped at a loop head: if it has not forked for long, rounds are skipped.
    pub(crate) fn skip_rounds(&mut self, id: StateId) {
        let Some(trials) = self.trials.as_mut().filter(|_| self.seeding.is_none()) else { return };
        let state = &mut *self.states.open_mut(id).state;
        if self.executor.is_at_loop_head(state) && self.executor.is_in_long_loop(state) {
            trials.skip(&mut self.executor, state, u64::MAX);
        }
    }

    /// Is it shown that nothing that is looked for is reachable from a state, which is new?
    pub(crate) fn closes_loop(&mut self, id: StateId) -> bool {
        let Some(trials) = &mut self.trials else { return false };
        let open = self.states.open(id);
        if open.life.is_some() || self.seeding.is_some() || !self.executor.is_at_loop_head(&open.state) {
            return false;
        }
        let only = self.config.only;
        let asks_for = move |executor: &Executor, kind: ViolationKind| {
            only.asks_for(kind) || only == crate::Only::Targets && executor.wants_errors()
        };
        let question = Question {
            is_asked: &|executor, violation| asks_for(executor, violation.kind()),
            work: work_with_questions,
        };
        trials.closes(&mut self.executor, &question, &open.state)
    }
}
