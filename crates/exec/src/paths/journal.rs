//! What a path asked since its last fork, and what came out: enough to execute that part of it
//! again without the solver.
//!
//! All that decides how a path goes on, apart from the program and its options, comes through the
//! functions in this file: questions to the solver, and which targets are open. Each answer is
//! appended to the *journal* of the part of the path between two forks: two bits, and a number
//! where a value or a range was asked for. Whoever has the journal of a part gives it as a *script*
//! when the same part is executed again: the answers are taken from there, in front of all caches,
//! and nothing is asked.
//!
//! Answers that were given in another place than they are taken in would lead to paths that do not
//! exist. So the journal also has a *trace*: a hash of the questions, by content, and of where they
//! were asked. If the part that is executed again has another one, uses more answers or fewer, then
//! it is not the same part (see [`Mismatch`]).

use crate::Executor;
use crate::paths::answers::Asked;
use crate::paths::state::State;
use espalier_expr::{Evaluator, Model, Term};
use espalier_solver::{Answer, Branch, Feasible, Reason, SolverFailure};
use std::rc::Rc;

/// Can a condition hold?
#[derive(Clone, Debug)]
pub(crate) enum Side {
    /// Yes, for instance with these inputs, if some are known.
    Yes(Option<Rc<Model>>),
    No,
    Unknown(Reason),
}

impl From<Feasible> for Side {
    fn from(side: Feasible) -> Side {
        match side {
            Feasible::Yes(model) => Side::Yes(Some(model)),
            Feasible::No(_) => Side::No,
            Feasible::Unknown(reason) => Side::Unknown(reason),
        }
    }
}

impl Side {
    fn code(&self) -> u64 {
        match self {
            Side::No => 0,
            Side::Yes(_) => 1,
            Side::Unknown(_) => 2,
        }
    }

    fn of_code(code: u64) -> Side {
        match code {
            0 => Side::No,
            1 => Side::Yes(None),
            _ => Side::Unknown(AS_RECORDED),
        }
    }
}

/// Why something is unknown that was unknown the first time: that was told then.
const AS_RECORDED: Reason = Reason::Failed(SolverFailure::NoSolution);

/// Answers of two bits.
const NO: u8 = 0;
const YES: u8 = 1;
const BOTH: u8 = 2;
/// More about it is among the numbers.
const OTHER: u8 = 3;

/// What was asked on a part of a path, and what came out.
#[derive(Clone, Default, Debug)]
pub struct Journal {
    /// How many answers there are, and their bits, four answers a byte, lowest first.
    count: u32,
    bits: Vec<u8>,
    numbers: Vec<u8>,
    trace: u64,
    /// Where something was asked last: a function, and the instruction behind.
    place: (u32, u32),
    /// Was a question given up because the run has to stop? Then the answers are good for nothing.
    is_hurried: bool,
    /// What the solver did for it, counted, in nanoseconds of a machine of our own.
    work: u64,
}

impl Journal {
    pub fn count(&self) -> u32 {
        self.count
    }

    pub fn bits(&self) -> &[u8] {
        &self.bits
    }

    pub fn numbers(&self) -> &[u8] {
        &self.numbers
    }

    /// See the head of this file.
    pub fn trace(&self) -> u32 {
        (self.trace ^ self.trace >> 32) as u32
    }

    /// Where something was asked last, as function and the instruction behind: where the path
    /// forks, if it does.
    pub fn place(&self) -> (u32, u32) {
        self.place
    }

    pub fn is_hurried(&self) -> bool {
        self.is_hurried
    }

    /// What the solver did for it, counted, in nanoseconds of a machine of our own.
    pub fn work(&self) -> u64 {
        self.work
    }

    fn clear(&mut self) {
        self.bits.clear();
        self.numbers.clear();
        (self.count, self.trace, self.place, self.is_hurried, self.work) = (0, 0, (0, 0), false, 0);
    }

    fn answer(&mut self, bits: u8) {
        let shift = self.count % 4 * 2;
        if shift == 0 {
            self.bits.push(0);
        }
        if let Some(last) = self.bits.last_mut() {
            *last |= bits << shift;
        }
        self.count += 1;
    }

    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.numbers.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.numbers.push(number as u8);
    }

    fn asked(&mut self, state: &State, what: u64) {
        self.place = (state.top.func.0, state.top.pc);
        let place = u64::from(self.place.0) << 32 | u64::from(self.place.1);
        let what = what ^ place.rotate_left(17);
        self.trace = (self.trace.rotate_left(23) ^ what).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

/// A journal that is followed.
#[derive(Default, Debug)]
pub struct Script {
    answers: Journal,
    next: u32,
    next_number: usize,
    /// Was more asked than it has answers for?
    is_short: bool,
}

impl Script {
    /// Of what a journal had, which is the whole of a part that ended with a fork or the path.
    pub fn new(count: u32, bits: &[u8], numbers: &[u8]) -> Script {
        let count = count.min(4 * bits.len() as u32);
        let answers = Journal { count, bits: bits.to_vec(), numbers: numbers.to_vec(), ..Journal::default() };
        Script { answers, ..Script::default() }
    }

    fn answer(&mut self) -> Option<u8> {
        if self.next == self.answers.count {
            self.is_short = true;
            return None;
        }
        let at = self.next;
        self.next += 1;
        Some(self.answers.bits[at as usize / 4] >> (at % 4 * 2) & 3)
    }

    fn number(&mut self) -> u64 {
        let mut number = 0;
        let mut shift = 0;
        while let Some(&byte) = self.answers.numbers.get(self.next_number) {
            self.next_number += 1;
            number |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
            shift += 7;
            if byte < 0x80 {
                return number;
            }
        }
        self.is_short = true;
        0
    }
}

/// How a part of a path that is executed again is another one.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Mismatch {
    /// More was asked than the first time.
    AnswersShort,
    /// Less was asked.
    AnswersLeft,
    /// Something else was asked, or elsewhere.
    Questions,
}

impl Executor {
    /// Has the next part of a path follow a script.
    pub fn follow_script(&mut self, script: Script) {
        self.script = Some(script);
    }

    /// The part that followed a script is over, with this trace the first time.
    pub fn finish_script(&mut self, trace: u32) -> Result<(), Mismatch> {
        match self.script.take() {
            Some(script) if script.is_short => Err(Mismatch::AnswersShort),
            Some(script) if script.next < script.answers.count => Err(Mismatch::AnswersLeft),
            Some(_) if self.journal.trace() != trace => Err(Mismatch::Questions),
            _ => Ok(()),
        }
    }

    /// Puts the script aside, for what is no part of the path.
    pub fn take_script(&mut self) -> Option<Script> {
        self.script.take()
    }

    pub fn put_script(&mut self, script: Option<Script>) {
        self.script = script;
    }

    /// Goes on without the script.
    pub fn leave_script(&mut self) {
        self.script = None;
    }

    /// What was asked on the part of a path that has just come to a fork or its end.
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// A part of a path begins or goes on.
    pub(crate) fn open_journal(&mut self, state: &mut State) {
        self.is_journaled = true;
        match state.journal.take() {
            Some(journal) => self.journal = *journal,
            None => self.journal.clear(),
        }
        self.work_before = self.solver.stats().work;
    }

    /// It is left off, to go on later if there is a state.
    pub(crate) fn close_journal(&mut self, goes_on: Option<&mut State>) {
        self.is_journaled = false;
        self.journal.work += self.solver.stats().work.saturating_sub(self.work_before);
        if let Some(state) = goes_on.filter(|_| self.journal.count > 0) {
            state.journal = Some(Box::new(std::mem::take(&mut self.journal)));
        }
    }

    /// Notes a question, and gives the answer that it had the first time, if it is a part that is
    /// executed again.
    fn asked_before(&mut self, state: &State, term: Term) -> Option<u8> {
        if !self.is_journaled {
            return None;
        }
        self.journal.asked(state, self.terms.structural_hash(term).to_bits() as u64);
        self.script.as_mut()?.answer()
    }

    fn note(&mut self, bits: u8) {
        if self.is_journaled {
            self.journal.answer(bits);
        }
    }

    fn note_number(&mut self, number: u64) {
        if self.is_journaled {
            self.journal.number(number);
        }
    }

    fn note_unknown(&mut self, reason: &Reason) {
        self.journal.is_hurried |= *reason == Reason::Timeout && self.solver.has_to_stop();
    }

    fn next_number(&mut self) -> u64 {
        self.script.as_mut().map_or(0, Script::number)
    }

    /// Are the sides on which `condition` holds, and does not hold, feasible?
    pub(crate) fn sides(&mut self, state: &State, condition: Term) -> (Side, Side) {
        let known = self.asked_before(state, condition);
        let known = known.or_else(|| self.recall(state, condition, Asked::Sides));
        let sides = match known {
            None => {
                let branch = self.solver.branch(&mut self.terms, &state.path, condition, state.model.as_ref());
                if let Branch::Unknown { reason, .. } = &branch {
                    self.note_unknown(reason);
                }
                let (if_true, if_false) = branch.into_sides();
                (Side::from(if_true), Side::from(if_false))
            }
            Some(YES) => (Side::Yes(None), Side::No),
            Some(NO) => (Side::No, Side::Yes(None)),
            Some(BOTH) => {
                // The state's own inputs are on one of the sides.
                let model = state.model.as_ref().filter(|_| self.script.is_none());
                let holds = model.map(|model| Evaluator::new(model.clone()).eval_bool(&self.terms, condition));
                let on = |side| Side::Yes(model.filter(|_| holds == Some(side)).cloned());
                (on(true), on(false))
            }
            Some(_) => {
                let code = self.next_number();
                (Side::of_code(code / 3), Side::of_code(code % 3))
            }
        };
        let answer = match &sides {
            (Side::Yes(_), Side::No) => YES,
            (Side::No, Side::Yes(_)) => NO,
            (Side::Yes(_), Side::Yes(_)) => BOTH,
            (if_true, if_false) => {
                self.note(OTHER);
                self.note_number(if_true.code() * 3 + if_false.code());
                return sides;
            }
        };
        self.note(answer);
        self.remember(state, condition, Asked::Sides, answer);
        sides
    }

    /// Is there an input of the path on which `condition` holds?
    pub(crate) fn can_hold(&mut self, state: &State, condition: Term) -> Side {
        let known = self.asked_before(state, condition);
        let known = known.or_else(|| self.recall(state, condition, Asked::CanHold));
        let side = match known {
            None => {
                let answer = self.solver.check(&mut self.terms, &state.path, condition, state.model.as_ref());
                if let Answer::Unknown(reason) = &answer {
                    self.note_unknown(reason);
                }
                Side::from(Feasible::from(answer))
            }
            Some(NO) => Side::No,
            Some(YES) => Side::Yes(None),
            Some(_) => Side::Unknown(AS_RECORDED),
        };
        let answer = match side {
            Side::No => NO,
            Side::Yes(_) => YES,
            Side::Unknown(_) => OTHER,
        };
        self.note(answer);
        if answer != OTHER {
            self.remember(state, condition, Asked::CanHold, answer);
        }
        side
    }

    /// The least and the greatest number that a term can be on this path.
    pub(crate) fn range_of(&mut self, state: &State, term: Term) -> Result<(u64, u64), Reason> {
        let range = match self.asked_before(state, term) {
            None => self.solver.range(&mut self.terms, &state.path, term, state.model.as_ref()),
            Some(YES) => Ok((self.next_number(), self.next_number())),
            Some(_) => Err(AS_RECORDED),
        };
        match &range {
            Ok((low, high)) => {
                self.note(YES);
                self.note_number(*low);
                self.note_number(*high);
            }
            Err(reason) => {
                self.note_unknown(reason);
                self.note(OTHER);
            }
        }
        range
    }

    /// A number that a term can be on this path.
    pub(crate) fn some_value(&mut self, state: &State, term: Term) -> Result<u64, Reason> {
        let value = match self.asked_before(state, term) {
            None => self.evaluated(state, term),
            Some(YES) => Ok(self.next_number()),
            Some(_) => Err(AS_RECORDED),
        };
        match &value {
            Ok(value) => {
                self.note(YES);
                self.note_number(*value);
            }
            Err(reason) => {
                self.note_unknown(reason);
                self.note(OTHER);
            }
        }
        value
    }

    /// Something that changes while a program is explored, and that paths depend on.
    pub(crate) fn ask_outside(&mut self, state: &State, now: bool) -> bool {
        let mut known = None;
        if self.is_journaled {
            self.journal.asked(state, 0);
            known = self.script.as_mut().and_then(Script::answer);
        }
        let is_so = known.map_or(now, |answer| answer == YES);
        self.note(if is_so { YES } else { NO });
        is_so
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_gives_what_the_journal_was_given() {
        let mut journal = Journal::default();
        let answers: Vec<u8> = (0..37).map(|place| place * 7 % 4).collect();
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX];
        answers.iter().for_each(|&answer| journal.answer(answer));
        numbers.iter().for_each(|&number| journal.number(number));
        let mut script = Script::new(journal.count(), journal.bits(), journal.numbers());
        assert_eq!(answers.iter().map(|_| script.answer().unwrap()).collect::<Vec<u8>>(), answers);
        assert_eq!(numbers.map(|_| script.number()), numbers);
        assert!(!script.is_short);
        assert_eq!(script.answer(), None);
        assert!(script.is_short);
    }

    #[test]
    fn damaged_scripts_are_short_and_do_no_harm() {
        let mut script = Script::new(1000, &[0xff], &[0xff; 20]);
        for _ in 0..4 {
            assert_eq!(script.answer(), Some(OTHER));
        }
        assert_eq!(script.answer(), None);
        script.number();
        assert!(script.is_short);
    }
}
