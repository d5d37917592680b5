//! What was chosen at a fork, in terms that mean the same in every run of a program.
//!
//! Alternatives are found with models, so which of them comes first differs between runs; which
//! side of a branch, which edge of a switch, which value or object an alternative stands for does
//! not. The choices that a state made at its last fork are its *label*: a string of bytes that no
//! other alternative of that fork has. Labels from the root of the execution tree on say which path
//! it is.

use crate::Child;
use crate::paths::state::State;
use espalier_ir::EdgeId;
use smallvec::SmallVec;

/// One choice of an alternative.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// The condition does not hold.
    No,
    /// It does.
    Yes,
    /// A switch takes this edge.
    Case(EdgeId),
    /// A value is this number.
    Value(u64),
    /// A pointer points into the object that begins here.
    Object(u64),
    /// It points into none.
    Nowhere,
    /// What is left when enough values or objects were tried.
    Rest,
    /// The path ends at a target.
    Target(u32),
    /// It goes on beside it.
    Passed(u32),
    /// The program's handler deals with an error.
    Handler,
    /// The run begins with several paths, and this is one.
    Root(u32),
}

impl Choice {
    fn code(self) -> (u8, Option<u64>) {
        match self {
            Choice::No => (0, None),
            Choice::Yes => (1, None),
            Choice::Case(edge) => (2, Some(u64::from(edge.0))),
            Choice::Value(value) => (3, Some(value)),
            Choice::Object(base) => (4, Some(base)),
            Choice::Nowhere => (5, None),
            Choice::Rest => (6, None),
            Choice::Target(target) => (7, Some(u64::from(target))),
            Choice::Passed(target) => (8, Some(u64::from(target))),
            Choice::Handler => (9, None),
            Choice::Root(root) => (10, Some(u64::from(root))),
        }
    }
}

/// The choices that a label is made of; None if it is no label.
pub fn read_label(mut label: &[u8]) -> Option<Vec<Choice>> {
    let mut choices = Vec::new();
    while let Some((&kind, rest)) = label.split_first() {
        label = rest;
        let mut number = || {
            let end = label.iter().position(|byte| byte & 0x80 == 0)?;
            let (number, rest) = label.split_at(end + 1);
            label = rest;
            (end < 10).then(|| number.iter().rev().fold(0, |number, byte| number << 7 | u64::from(byte & 0x7f)))
        };
        let mut small = || u32::try_from(number()?).ok();
        choices.push(match kind {
            0 => Choice::No,
            1 => Choice::Yes,
            2 => Choice::Case(EdgeId(small()?)),
            3 => Choice::Value(number()?),
            4 => Choice::Object(number()?),
            5 => Choice::Nowhere,
            6 => Choice::Rest,
            7 => Choice::Target(small()?),
            8 => Choice::Passed(small()?),
            9 => Choice::Handler,
            10 => Choice::Root(small()?),
            _ => return None,
        });
    }
    Some(choices)
}

/// Choices in a row, encoded: a byte for the kind, and the number, if it has one, in groups of
/// seven bits.
#[derive(Clone, Default, Debug)]
pub struct Choices {
    bytes: SmallVec<[u8; 16]>,
}

impl Choices {
    pub fn push(&mut self, choice: Choice) {
        let (kind, number) = choice.code();
        self.bytes.push(kind);
        let Some(mut number) = number else { return };
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    /// Where the next choice goes.
    pub(crate) fn mark(&self) -> usize {
        self.bytes.len()
    }

    /// Puts one choice in the place of all that were made since the mark.
    pub(crate) fn replace_since(&mut self, mark: usize, choice: Choice) {
        self.bytes.truncate(mark);
        self.push(choice);
    }

    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// Does every alternative of a fork have a label of its own?
pub(crate) fn labels_differ(state: &State, others: &[Child]) -> bool {
    let mut labels: Vec<&[u8]> = others.iter().map(|child| child.state.label()).collect();
    labels.push(state.label());
    labels.sort_unstable();
    labels.windows(2).all(|pair| pair[0] != pair[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(choices: &[Choice]) -> Vec<u8> {
        let mut all = Choices::default();
        choices.iter().for_each(|&choice| all.push(choice));
        all.as_bytes().to_vec()
    }

    #[test]
    fn different_choices_have_different_labels() {
        let numbers = [0, 1, 2, 127, 128, 300, u64::from(u32::MAX), u64::MAX];
        let mut kinds = vec![Choice::No, Choice::Yes, Choice::Nowhere, Choice::Rest, Choice::Handler];
        for number in numbers {
            kinds.extend([Choice::Value(number), Choice::Object(number)]);
            if let Ok(number) = u32::try_from(number) {
                kinds.extend([Choice::Case(EdgeId(number)), Choice::Root(number)]);
                kinds.extend([Choice::Target(number), Choice::Passed(number)]);
            }
        }
        for &choice in &kinds {
            assert_eq!(read_label(&label(&[choice, Choice::Yes])), Some(vec![choice, Choice::Yes]));
        }
        let mut labels: Vec<Vec<u8>> = kinds.iter().map(|&choice| label(&[choice])).collect();
        labels.extend(kinds.iter().flat_map(|&a| kinds.iter().map(move |&b| label(&[a, b]))));
        let count = labels.len();
        labels.sort();
        labels.dedup();
        assert_eq!(labels.len(), count);
    }

    #[test]
    fn damaged_labels_are_not_read() {
        assert_eq!((read_label(&[3, 0x80]), read_label(&[99])), (None, None));
    }

    #[test]
    fn what_was_tried_before_is_replaced_by_what_it_came_to() {
        let mut choices = Choices::default();
        choices.push(Choice::Yes);
        let mark = choices.mark();
        choices.push(Choice::No);
        choices.push(Choice::No);
        choices.replace_since(mark, Choice::Value(1000));
        assert_eq!(choices.as_bytes(), label(&[Choice::Yes, Choice::Value(1000)]));
    }
}
