//! Labels of nodes. Most are of one choice and fit into four bytes; longer ones are kept in a table
//! whose places are used again, so that forks do not allocate.

use crate::Label;

/// Set in the number of a label that is in the table; the rest is its place there. Otherwise its
/// bytes are the lower ones, and their number is above them.
const IN_TABLE: u32 = 1 << 31;
const MOST_IN_PLACE: usize = 3;

#[derive(Default)]
pub(crate) struct Labels {
    long: Vec<Label>,
    free: Vec<u32>,
}

/// The label as a number, if it is short.
fn in_place(label: &[u8]) -> Option<u32> {
    let mut bytes = [0; 4];
    bytes.get_mut(..label.len()).filter(|_| label.len() <= MOST_IN_PLACE)?.copy_from_slice(label);
    bytes[MOST_IN_PLACE] = label.len() as u8;
    Some(u32::from_le_bytes(bytes))
}

impl Labels {
    pub(crate) fn store(&mut self, label: &[u8]) -> u32 {
        if let Some(short) = in_place(label) {
            return short;
        }
        let place = match self.free.pop() {
            Some(place) => {
                let long = &mut self.long[place as usize];
                long.clear();
                long.extend_from_slice(label);
                place
            }
            None => {
                self.long.push(Label::from_slice(label));
                self.long.len() as u32 - 1
            }
        };
        assert!(place < IN_TABLE, "fewer than 2^31 long labels");
        place | IN_TABLE
    }

    pub(crate) fn free(&mut self, number: u32) {
        if number & IN_TABLE != 0 {
            self.free.push(number & !IN_TABLE);
        }
    }

    pub(crate) fn get(&self, number: u32) -> Label {
        if number & IN_TABLE != 0 {
            return self.long[(number & !IN_TABLE) as usize].clone();
        }
        let bytes = number.to_le_bytes();
        Label::from_slice(&bytes[..bytes[MOST_IN_PLACE] as usize])
    }

    /// Is this the label of the number?
    pub(crate) fn is(&self, number: u32, label: &[u8]) -> bool {
        match in_place(label) {
            Some(short) => short == number,
            None => number & IN_TABLE != 0 && self.long[(number & !IN_TABLE) as usize][..] == *label,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_come_back_as_they_were() {
        let mut labels = Labels::default();
        let given: Vec<Vec<u8>> = (0..40).map(|length| (0..length).map(|byte| 255 - byte).collect()).collect();
        let stored: Vec<u32> = given.iter().map(|label| labels.store(label)).collect();
        for (number, label) in stored.iter().zip(&given) {
            assert_eq!(labels.get(*number)[..], label[..]);
            assert_eq!(given.iter().filter(|other| labels.is(*number, other)).count(), 1);
        }
        stored.iter().for_each(|&number| labels.free(number));
        let places = labels.long.len();
        given.iter().rev().for_each(|label| {
            assert!({
                let number = labels.store(label);
                labels.is(number, label)
            })
        });
        assert_eq!(labels.long.len(), places);
    }

    #[test]
    fn zeros_count() {
        let mut labels = Labels::default();
        let numbers = [&[][..], &[0], &[0, 0], &[0, 0, 0], &[0, 0, 0, 0]].map(|label| labels.store(label));
        assert!((0..5).all(|a| (0..a).all(|b| numbers[a] != numbers[b])));
    }
}
