//! Numbers that are fixed here and others in each real run, which programs are told and seldom look
//! at: times of files, numbers of inodes.
//!
//! The model of the environment hands them out as variables that know their value
//! (`SymbolKind::Fixed`). They are stored, copied and computed with like inputs. Where a path has
//! to decide on one, the value takes its place, and the path notes what it rests on; so nothing
//! forks, and a program that only asks for a file's status stays exact. What is printed of them is
//! not predicted.
//!
//! Unknown values in their place would make every proof hold for all of them, but a date is some
//! forty decisions and divisions on a time.

use crate::Executor;
use crate::interpreter::fork::Flow;
use crate::interpreter::machine::{Interpreter, Machine};
use crate::interpreter::value::Value;
use crate::models::shims::Arguments;
use crate::paths::state::State;
use espalier_base::fidelity::Topic;
use espalier_expr::{Model, Op, SymbolKind, Term};
use rustc_hash::FxHashMap;

/// They are words of the machine.
const BYTES: u32 = 8;

impl<M: Machine> Interpreter<'_, M> {
    /// `unsigned long __espalier_fixed(unsigned long value, const char *topic, const char *what,
    /// unsigned long of)`. The same of the same is the same number; with `tells_apart`, another
    /// value for it is another number in every run.
    pub(crate) fn hand_out_fixed(&mut self, state: &mut State, args: &Arguments, tells_apart: bool) -> Flow {
        let given = args.value(0);
        let (topic, what) = (self.text_argument(state, args, 1), self.text_argument(state, args, 2));
        let topic = topic.as_deref().and_then(Topic::named).unwrap_or(Topic::Status);
        let named = what.zip(args.value(3).as_concrete());
        let handed_out = match (given.as_concrete(), named) {
            // Another state may have another one.
            _ if !M::FORKS => given,
            (Some(value), Some((what, of))) => {
                let number = self.fixed_number(topic, &format!("{what} {of}"), value, tells_apart);
                Value::of(&self.terms, number)
            }
            // It depends on the input which file it is about.
            _ => {
                self.note_fixed(state, topic);
                given
            }
        };
        self.set_result(state, args, handed_out, 8 * BYTES);
        Flow::Next
    }

    /// `unsigned long __espalier_unfixed(unsigned long value)`: what was handed out comes back, and
    /// is used as it was. What was made of it is not.
    pub(crate) fn take_back_fixed(&mut self, state: &mut State, args: &Arguments) -> Flow {
        let width = args.width(0);
        let var = args.value(0).as_term().filter(|&term| self.terms.op(term) == Op::Var);
        let value = var.and_then(|var| self.terms.fixed_value(var));
        self.set_result(state, args, value.map_or(args.value(0), Value::concrete), width);
        Flow::Next
    }

    /// What the path decides on, with values for what is fixed; it says so if there is any.
    pub(crate) fn looked_at(&mut self, state: &mut State, term: Term) -> Term {
        if !M::FORKS {
            return term;
        }
        let Some((plain, topics)) = self.with_fixed_values(term) else { return term };
        topics.into_iter().for_each(|topic| self.note_fixed(state, topic));
        plain
    }
}

impl Executor {
    /// The variable that stands for a value.
    pub(crate) fn fixed_number(&mut self, topic: Topic, what: &str, value: u64, tells_apart: bool) -> Term {
        let kind = SymbolKind::Fixed { value, tells_apart };
        let name = format!("{} {what}", topic.word());
        self.has_unknowns = true;
        self.terms.scalar_var(kind, &name, BYTES)
    }

    /// Looks at states with values for what is fixed.
    pub fn with_fixed_leaves<T>(&mut self, look: impl FnOnce(&mut Executor) -> T) -> T {
        self.has_fixed_leaves = true;
        let result = look(self);
        self.has_fixed_leaves = false;
        result
    }

    /// The term with values for what is fixed, and what that is about; `None` if there is nothing.
    pub(crate) fn with_fixed_values(&mut self, term: Term) -> Option<(Term, Vec<Topic>)> {
        if !self.terms.has_fixed() {
            return None;
        }
        let vars = self.terms.vars_of(term);
        let mut values = FxHashMap::default();
        let mut topics = Vec::new();
        for &var in vars.iter() {
            let Some(value) = self.terms.fixed_value(var) else { continue };
            let constant = self.terms.constant(value, 8 * BYTES);
            values.insert(var, constant);
            let name = &self.terms.symbol_info(self.terms.node(var).symbol()).name;
            topics.extend(name.split(' ').next().and_then(Topic::named));
        }
        if values.is_empty() {
            return None;
        }
        let plain = if values.len() == vars.len() {
            let value = self.terms.eval(term, &Model::new());
            self.terms.constant_bv(&value)
        } else {
            self.terms.substitute(term, &values)
        };
        topics.sort_unstable();
        topics.dedup();
        Some((plain, topics))
    }
}
