//! Re-exploring what was pruned (`--verify-pruning`): an error found there that the run did not
//! report means that pruning is wrong.

use espalier_exec::{End, Executor, State, Step, Violation};
use std::time::Instant;

/// Instructions that may be spent on one pruned state: what is infinite cannot be explored whole.
const BUDGET: u64 = 50_000;

/// Explores everything below a state, without pruning, up to a budget, and gives every error to
/// `visit`.
pub(crate) fn explore(
    executor: &mut Executor,
    state: State,
    deadline: Instant,
    mut visit: impl FnMut(&Executor, &Violation),
) {
    let limit = executor.stats.instructions + BUDGET;
    let mut open = vec![Box::new(state)];
    while let Some(mut state) = open.pop() {
        let left = limit.saturating_sub(executor.stats.instructions);
        if left == 0 || Instant::now() > deadline {
            return;
        }
        let step = executor.run(&mut state, left);
        if executor.was_cut_short() {
            return;
        }
        match step {
            Step::Budget | Step::Join | Step::Entered => open.push(state),
            Step::End(End::Violation(violation)) => visit(executor, &violation),
            Step::End(_) => {}
            Step::Fork(children) => {
                open.push(state);
                for child in children {
                    match child.end {
                        None => open.push(child.state),
                        Some(End::Violation(violation)) => visit(executor, &violation),
                        Some(_) => {}
                    }
                }
            }
        }
    }
}
