//! Places that are asked about, several at once: each is open until a path reaches it.
//!
//! A path that comes to an open target ends there, as an alternative of its own with a test, and
//! goes on beside it: other targets may lie behind. What is met protects nothing any more, so from
//! time to time it is computed anew what can still reach an open target.

use crate::interpreter::fork::{Alternatives, Flow};
use crate::interpreter::machine::{Interpreter, Machine};
use crate::paths::choice::Choice;
use crate::paths::state::State;
use crate::{Executor, Fault};
use espalier_ir::{Inst, Program};

pub(crate) struct Targets {
    is_open: Vec<bool>,
    open: usize,
    /// Met since relevance was last computed.
    met: usize,
}

impl Targets {
    pub(crate) fn of(program: &Program) -> Targets {
        let code = program.functions.iter().flat_map(|function| &function.code);
        let count =
            code.filter_map(|inst| if let Inst::Target { index } = inst { Some(*index as usize + 1) } else { None });
        let count = count.max().unwrap_or(0);
        Targets { is_open: vec![true; count], open: count, met: 0 }
    }

    pub(crate) fn is_open(&self, index: u32) -> bool {
        self.is_open.get(index as usize) == Some(&true)
    }
}

impl<M: Machine> Interpreter<'_, M> {
    pub(crate) fn reach_target(&mut self, state: &mut State, index: u32) -> Flow {
        if !M::FORKS {
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
