//! Places that are asked about, several at once: each is open until a path reaches it.
//!
//! A path that comes to an open target ends there, as an alternative of its own with a test, and
//! goes on beside it: other targets may lie behind. If an error is wanted of the target ([`Wants`]),
//! the path just goes on, and the error closes it. Its marks stand before all code that could fail
//! there, so what can reach the error can reach a mark, or is behind one in the same block, which
//! counts as relevant as a whole. What is met protects nothing any more, so from time to time it is
//! computed anew what can still reach an open target.

use crate::interpreter::fork::{Alternatives, Flow};
use crate::interpreter::machine::{Interpreter, Machine};
use crate::paths::choice::Choice;
use crate::paths::end::Violation;
use crate::paths::state::State;
use crate::paths::wants::{Fit, Wants};
use crate::{Executor, Fault};
use espalier_base::FaultKind;
use espalier_ir::{Inst, Loc, Program};

pub(crate) struct Targets {
    wants: Vec<Wants>,
    is_open: Vec<bool>,
    /// Was a path seen to come by? What pruning leaves out may come by and fail nowhere.
    is_passed: Vec<bool>,
    /// Was an error seen that may be what is wanted, on other inputs?
    is_close: Vec<bool>,
    open: usize,
    /// Met since relevance was last computed.
    met: usize,
}

impl Targets {
    pub(crate) fn of(program: &Program, wants: &[Wants]) -> Targets {
        let code = program.functions.iter().flat_map(|function| &function.code);
        let count =
            code.filter_map(|inst| if let Inst::Target { index } = inst { Some(*index as usize + 1) } else { None });
        let count = count.max().unwrap_or(0).max(wants.len());
        let mut wants = wants.to_vec();
        wants.resize(count, Wants::Place);
        Targets {
            wants,
            is_open: vec![true; count],
            is_passed: vec![false; count],
            is_close: vec![false; count],
            open: count,
            met: 0,
        }
    }

    pub(crate) fn is_open(&self, index: u32) -> bool {
        self.is_open.get(index as usize) == Some(&true)
    }

    fn wants_error(&self, index: u32) -> bool {
        matches!(self.wants.get(index as usize), Some(Wants::Error { .. }))
    }

    /// The open targets that a violation answers to like this.
    fn that_fit(&self, violation: &Violation, fit: Fit) -> impl Iterator<Item = u32> {
        let open = (0..).zip(&self.wants).filter(|&(index, _)| self.is_open(index));
        open.filter(move |(_, wants)| wants.fit(violation) == fit).map(|(index, _)| index)
    }
}

impl<M: Machine> Interpreter<'_, M> {
    pub(crate) fn reach_target(&mut self, state: &mut State, index: u32) -> Flow {
        if !M::FORKS {
            return Flow::Next;
        }
        if self.targets.wants_error(index) {
            self.targets.is_passed[index as usize] |= M::IS_RUN;
            return Flow::Next;
        }
        let is_open = self.targets.is_open(index);
        if !self.ask_outside(state, is_open) {
            return Flow::Next;
        }
        let mut out = Alternatives::default();
        let mut there = self.split(state);
        there.choices.push(Choice::Target(index));
        let end = self.violation(&there, Fault::Target(index));
        out.ended(there, end);
        let mut beside = self.split(state);
        beside.choices.push(Choice::Passed(index));
        out.goes_on(beside);
        out.settle(self, state)
    }
}

impl Executor {
    /// From now on, only targets are looked for.
    pub fn look_for_targets(&mut self) {
        self.look_for(|_| false);
    }

    pub fn is_open_target(&self, index: u32) -> bool {
        self.targets.is_open(index)
    }

    pub fn all_targets(&self) -> usize {
        self.targets.is_open.len()
    }

    /// Is an error wanted of a target, and not only that it is reached?
    pub fn wants_errors(&self) -> bool {
        self.targets.wants.iter().any(|wants| *wants != Wants::Place)
    }

    /// The open targets that want this error.
    pub fn targets_that_want(&self, violation: &Violation) -> Vec<u32> {
        self.targets.that_fit(violation, Fit::Wanted).collect()
    }

    /// The open targets that may want this error, on other inputs.
    pub fn targets_close_to(&self, violation: &Violation) -> Vec<u32> {
        self.targets.that_fit(violation, Fit::Close).collect()
    }

    /// The open targets that want one of these faults on the line.
    pub(crate) fn targets_that_want_one_of(&self, loc: &Loc, kinds: &[FaultKind]) -> Vec<u32> {
        let wanting = (0..).zip(&self.targets.wants).filter(|(_, wants)| wants.asks_for(kinds, loc));
        wanting.map(|(target, _)| target).filter(|&target| self.is_open_target(target)).collect()
    }

    /// Is what is wanted of a target something that shows, if at all, while the function runs that
    /// it is in, whatever its caller did?
    pub fn shows_at_once(&self, target: u32) -> bool {
        match self.targets.wants.get(target as usize) {
            // What is lost shows in the end; and whether the caller wrote what it passed, nobody
            // knows who begins with the function.
            Some(Wants::Error { faults, .. }) => {
                !faults.contains(FaultKind::Leak) && !faults.contains(FaultKind::Uninit)
            }
            _ => true,
        }
    }

    /// Is that so of all targets?
    pub fn all_show_at_once(&self) -> bool {
        (0..self.all_targets() as u32).all(|target| self.shows_at_once(target))
    }

    /// Notes an error that may be what open targets want, on other inputs. Is it?
    pub fn note_close_error(&mut self, violation: &Violation) -> bool {
        let close = self.targets_close_to(violation);
        close.iter().for_each(|&target| self.targets.is_close[target as usize] = true);
        !close.is_empty()
    }

    /// Notes an error that is not told of, because its path has another one: nobody may say of the
    /// targets that want it that it cannot happen.
    pub(crate) fn note_hidden_error(&mut self, violation: &Violation) {
        for target in self.targets_that_want(violation) {
            self.targets.is_close[target as usize] = true;
        }
        self.note_close_error(violation);
    }

    /// The targets of which nobody may say that their error cannot happen.
    pub fn close_targets(&self) -> Vec<u32> {
        numbers_of(&self.targets.is_close)
    }

    /// The targets that want an error, and whose place a path was seen to come to. Of others this
    /// says nothing.
    pub fn passed_targets(&self) -> Vec<u32> {
        numbers_of(&self.targets.is_passed)
    }

    /// How many targets no path has reached.
    pub fn open_targets(&self) -> usize {
        self.targets.open
    }

    /// The targets that paths reached.
    pub fn met_targets(&self) -> Vec<u32> {
        (0..).zip(&self.targets.is_open).filter(|(_, is_open)| !**is_open).map(|(target, _)| target).collect()
    }

    /// A path reached a target: it is not looked for any more.
    pub fn close_target(&mut self, index: u32) {
        if !self.targets.is_open(index) {
            return;
        }
        self.targets.is_open[index as usize] = false;
        self.targets.open -= 1;
        self.targets.met += 1;
        if self.targets.met > self.targets.open / 16 && self.relevance.is_some() {
            self.targets.met = 0;
            self.look_for_targets();
        }
    }
}

fn numbers_of(targets: &[bool]) -> Vec<u32> {
    (0..).zip(targets).filter(|(_, is_one)| **is_one).map(|(target, _)| target).collect()
}
