//! States that there is no room for: kept as inputs that follow their path, and run again from the start when there is room.
//!
//! An input follows one path, and the open states split the inputs among them. So an input of a state and the number of forks behind it say which state it was. Taking it up again costs
//! the instructions of its path, and no questions to the solver beyond those that the forks ask anyway. Many are taken up together: paths that begin alike are run once, and tickets
//! that are not to be taken up yet are sorted by the forks that were met on the way, so that those of one subtree stay together for the next time.

use crate::state::State;
use crate::{Executor, Step};
use espalier_expr::Model;
use espalier_ir::Loc;
use espalier_solver::Reason;

/// How often whoever takes states up again is asked whether to go on.
const BUDGET: u64 = 1 << 20;

/// What is left of a state.
#[derive(Clone, Debug)]
pub struct Ticket {
    /// A model of its path, packed.
    inputs: Box<[u8]>,
    depth: u32,
    /// Where the state was.
    pub loc: Loc,
}

/// What became of tickets.
#[derive(Default)]
pub struct TakenUp {
    /// The states that they stand for, or states before those on the same paths, from which they are the only way on.
    pub states: Vec<Box<State>>,
    /// Tickets that were not taken up yet; each group is of one part of the tree, and the last is nearest to the states.
    pub later: Vec<Vec<Ticket>>,
    /// Those that were not found again, because the solver gave up where it had not before.
    pub lost: Vec<Ticket>,
}

/// A state on the way, with the tickets whose paths it is on.
struct OnTheWay {
    state: Box<State>,
    tickets: Vec<Ticket>,
    /// The tickets satisfy so many of its path's conditions.
    checked: usize,
}

impl Executor {
    /// What stands for a state, so that it can be dropped.
    pub fn ticket(&mut self, state: &State) -> Result<Ticket, Reason> {
        let inputs = self.model_of(state)?.pack();
        Ok(Ticket { inputs, depth: state.depth(), loc: self.state_location(state) })
    }

    /// Takes up at most about `most` of the tickets, from the program's first state on. When `stop` says so, no more than those that were found by then. What the program prints on
    /// the way was printed before.
    pub fn take_up(
        &mut self,
        start: Box<State>,
        tickets: Vec<Ticket>,
        most: usize,
        stop: impl Fn() -> bool,
    ) -> TakenUp {
        let mut out = TakenUp::default();
        let mut waiting = tickets.len();
        let mut work = vec![OnTheWay { state: start, tickets, checked: 0 }];
        while let Some(OnTheWay { mut state, tickets, checked }) = work.pop() {
            if stop() {
                out.later.push(tickets);
                continue;
            }
            if tickets.iter().any(|ticket| ticket.depth <= state.depth()) {
                waiting -= tickets.len();
                out.states.push(state);
                continue;
            }
            match self.run(&mut state, BUDGET) {
                Step::Budget | Step::Join => work.push(OnTheWay { state, tickets, checked }),
                Step::End(_) => {
                    waiting -= tickets.len();
                    out.lost.extend(tickets);
                }
                Step::Fork(children) => {
                    let open = children.into_iter().filter(|child| child.end.is_none()).map(|child| child.state);
                    let mut sides: Vec<OnTheWay> = std::iter::once(state)
                        .chain(open)
                        .map(|state| OnTheWay { state, tickets: Vec::new(), checked })
                        .collect();
                    for ticket in tickets {
                        let model = Model::unpack(&ticket.inputs);
                        match sides.iter_mut().find(|side| self.is_followed(side, &model)) {
                            Some(side) => side.tickets.push(ticket),
                            None => {
                                waiting -= 1;
                                out.lost.push(ticket);
                            }
                        }
                    }
                    sides.retain(|side| !side.tickets.is_empty());
                    while waiting > most && sides.len() > 1 {
                        let side = sides.remove(0);
                        waiting -= side.tickets.len();
                        out.later.push(side.tickets);
                    }
                    work.extend(sides.into_iter().map(|side| OnTheWay { checked: side.state.path.len(), ..side }));
                }
            }
        }
        self.take_output();
        out
    }

    /// Does the model satisfy what is new in the path condition?
    fn is_followed(&self, side: &OnTheWay, model: &Model) -> bool {
        side.state
            .path
            .since(side.checked)
            .iter()
            .all(|&condition| self.terms.eval(condition, model).to_u64() == Some(1))
    }
}
