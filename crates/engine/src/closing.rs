//! Closing loops: where a path stops at a loop head again, [`espalier_loops`] may show that nothing
//! that is looked for is reachable from there. Then the node is finished as if something learnt
//! spoke for it; nothing is learnt from it.

use crate::engine::Engine;
use crate::metrics::work;
use espalier_exec::{Executor, ViolationKind};
use espalier_loops::Question;
use espalier_search::StateId;

impl Engine {
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
        let question = Question { is_asked: &|executor, violation| asks_for(executor, violation.kind()), work };
        trials.closes(&mut self.executor, &question, &open.state)
    }
}
