//! Numbers of addresses, where states begin at a function's entry.
//!
//! A symbol for a pointer that a caller passes can be any number, but objects and functions have the
//! addresses here that they have in no real run. So where a path compares a symbol with an address,
//! what else it says of the symbol's number decides what is not to be decided: `p >> 48 == 0` would
//! leave out that `p` leads to a global. What is not null may be any address; everything else that
//! is known of numbers, and addresses together, prove nothing.

use crate::Executor;
use crate::entry::{EntryRule, FromEntry};
use crate::interpreter::machine::Interpreter;
use crate::paths::fault::FIRST_PAGE;
use crate::paths::state::State;
use espalier_expr::{Op, Term};

impl Interpreter<'_, FromEntry> {
    /// A condition is about to be decided.
    pub(crate) fn watch_numbers(&mut self, state: &State, condition: Term) {
        let is_about_address = self.may_mention_address(condition)
            || !self.is_null_test(condition) && self.is_connected_with_address(state, condition);
        // Where objects are made up, pointers are compared with their addresses.
        let is_watched = !matches!(self.options.forgotten, Some(EntryRule::Numbers | EntryRule::MadeUp));
        self.machine.is_partial |= is_about_address && is_watched;
    }
}

impl Executor {
    /// Does the path compare what is in a term with an address? Only calls of functions that were
    /// passed do, and remain exact.
    fn is_connected_with_address(&mut self, state: &State, condition: Term) -> bool {
        let mut about_addresses = state.path.iter().filter(|&part| self.may_mention_address(part));
        if about_addresses.next().is_none() {
            return false;
        }
        drop(about_addresses);
        let vars = self.terms.vars_of(condition);
        let connected = self.solver.connected(&self.terms, &state.path, &vars);
        connected.into_iter().any(|part| self.may_mention_address(part))
    }

    /// Does the path know nothing of a symbol but whether it is null, and which function it is?
    pub(crate) fn may_be_any_function(&mut self, state: &State, symbol: Term) -> bool {
        let connected = self.solver.connected(&self.terms, &state.path, &[symbol]);
        connected.into_iter().all(|part| self.is_null_test(part) || self.is_equality_of_symbol(part))
    }

    /// Does the condition only say whether a symbol is null?
    fn is_null_test(&self, condition: Term) -> bool {
        let test = self.without_not(condition);
        let node = self.terms.node(test);
        let numbers: &[u64] = match node.op {
            Op::Eq => &[0],
            Op::Ult | Op::Ule => &[FIRST_PAGE - 1, FIRST_PAGE],
            _ => return false,
        };
        let mut sides = [(node.arg(0), node.arg(1)), (node.arg(1), node.arg(0))].into_iter();
        sides.any(|(symbol, number)| {
            self.terms.op(symbol) == Op::Var
                && self.terms.as_u64(number).is_some_and(|number| numbers.contains(&number))
        })
    }

    /// Is it said of one symbol alone that it is a number, or not?
    fn is_equality_of_symbol(&self, condition: Term) -> bool {
        let test = self.without_not(condition);
        let node = self.terms.node(test);
        if node.op != Op::Eq {
            return false;
        }
        let mut others = [node.arg(0), node.arg(1)].into_iter().filter(|&side| self.terms.op(side) != Op::Var);
        matches!((others.next(), others.next()), (Some(side), None) if self.terms.is_const(side))
    }

    fn without_not(&self, condition: Term) -> Term {
        match self.terms.node(condition) {
            node if node.op == Op::Not => self.without_not(node.arg(0)),
            _ => condition,
        }
    }
}
