//! Answers of an earlier exploration, by what was asked.
//!
//! Whether a condition can hold on a path follows from the condition and the path condition, and
//! from nothing else: not from the program, nor from what else is checked. So whoever executes a
//! recorded tree again may collect its answers under a hash of the two, and another exploration,
//! for other errors or of a changed program, need not ask what was answered there. The hash is that
//! of the solver's own caches: a key of 128 bits.
//!
//! What was collected in a part of a path counts when that part turned out to be the one that is
//! recorded; until then it is set aside.

use crate::Executor;
use crate::paths::state::State;
use espalier_expr::Term;
use rustc_hash::FxHashMap;

/// What was asked about a condition.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Asked {
    /// Which of its sides are feasible.
    Sides,
    /// Whether it can hold.
    CanHold,
}

/// Bytes that an answer takes, about.
const ENTRY: u64 = 40;

#[derive(Default, Debug)]
pub struct Answers {
    known: FxHashMap<u128, u8>,
    /// Of the part of a path that is being executed.
    set_aside: Vec<(u128, u8)>,
    is_collecting: bool,
    /// So many are kept.
    most: usize,
    used: u64,
}

impl Answers {
    /// None yet. They may take so many bytes.
    pub fn collecting(most_bytes: Option<u64>) -> Answers {
        let most = most_bytes.map_or(usize::MAX, |bytes| (bytes / ENTRY) as usize);
        Answers { is_collecting: true, most, ..Answers::default() }
    }

    pub fn len(&self) -> usize {
        self.known.len()
    }

    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Is there room for more?
    pub fn is_full(&self) -> bool {
        self.known.len() >= self.most
    }

    /// How many questions were answered.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// The part of a path is what it was, or is not: what was asked on it counts, or does not.
    pub fn settle(&mut self, is_as_recorded: bool) {
        let settled = self.set_aside.drain(..);
        if is_as_recorded {
            self.known.extend(settled);
        }
    }
}

impl Executor {
    /// Has questions be answered by these, where they can be; or has them collect answers.
    pub fn set_answers(&mut self, answers: Answers) {
        self.answers = Some(Box::new(answers));
    }

    pub fn answers(&self) -> Option<&Answers> {
        self.answers.as_deref()
    }

    pub fn answers_mut(&mut self) -> Option<&mut Answers> {
        self.answers.as_deref_mut()
    }

    /// They are collected.
    pub fn take_answers(&mut self) -> Answers {
        let answers = self.answers.take().map(|answers| *answers).unwrap_or_default();
        Answers { is_collecting: false, ..answers }
    }

    fn key(&self, state: &State, condition: Term, asked: Asked) -> u128 {
        let path = state.path.prefix().to_bits() ^ (asked as u128);
        let condition = self.terms.structural_hash(condition).to_bits();
        path.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835) ^ condition.rotate_left(64)
    }

    /// What was answered when the same was asked on the same path.
    pub(crate) fn recall(&mut self, state: &State, condition: Term, asked: Asked) -> Option<u8> {
        if !self.is_journaled || self.answers.as_ref().is_none_or(|answers| answers.is_collecting) {
            return None;
        }
        let key = self.key(state, condition, asked);
        let answers = self.answers.as_mut()?;
        let answer = answers.known.get(&key).copied()?;
        answers.used += 1;
        Some(answer)
    }

    /// Remembers an answer that was recorded, if answers are collected.
    pub(crate) fn remember(&mut self, state: &State, condition: Term, asked: Asked, answer: u8) {
        if self.is_journaled && self.answers.as_ref().is_some_and(|answers| answers.is_collecting) {
            let key = self.key(state, condition, asked);
            self.answers.iter_mut().for_each(|answers| answers.set_aside.push((key, answer)));
        }
    }
}
