//! Which of many targets is worked for next, so that none starves.
//!
//! Whoever goes to the nearest target goes there for ever if it cannot be reached: those behind it
//! are never the nearest. So a part of the work is for one target at a time, its *focus*. The work
//! is counted; when the focus has had its slice, the open target for which least was spent is next,
//! of several the one nearest to the program's start. When all have had theirs, the slice doubles:
//! what is cheap is met first, and what is expensive has as much as all rounds before together.

/// How far a target is for which no way is known.
const NOWHERE: u64 = u64::MAX;

struct Entry {
    spent: u64,
    /// From the program's start.
    distance: u64,
}

pub struct Rota {
    /// By target.
    entries: Vec<Entry>,
    focus: Option<u32>,
    /// What the focus has had of its slice.
    used: u64,
    slice: u64,
    /// What each target has when the round is over.
    level: u64,
}

impl Rota {
    /// `distances` are those of the targets from the program's start; `slice` is that of the first
    /// round.
    pub fn new(distances: impl IntoIterator<Item = Option<u64>>, slice: u64) -> Rota {
        let entry = |distance: Option<u64>| Entry { spent: 0, distance: distance.unwrap_or(NOWHERE) };
        let entries = distances.into_iter().map(entry).collect();
        Rota { entries, focus: None, used: 0, slice, level: slice }
    }

    pub fn focus(&self) -> Option<u32> {
        self.focus
    }

    /// So much was done for the focus.
    pub fn charge(&mut self, work: u64) {
        let Some(entry) = self.focus.and_then(|focus| self.entries.get_mut(focus as usize)) else { return };
        entry.spent = entry.spent.saturating_add(work);
        self.used = self.used.saturating_add(work);
    }

    /// There is nothing to be done for the focus now: another one has its turn.
    pub fn pass(&mut self) {
        self.charge(self.slice.saturating_sub(self.used));
    }

    /// Has the focus had its slice, or is it met?
    pub fn is_over(&self, is_open: impl Fn(u32) -> bool) -> bool {
        self.focus.is_none_or(|focus| self.used >= self.slice || !is_open(focus))
    }

    /// Goes on to the next open target. Is there one?
    pub fn advance(&mut self, is_open: impl Fn(u32) -> bool) -> Option<u32> {
        let open = (0..).zip(&self.entries).filter(|(target, _)| is_open(*target));
        let next = open.min_by_key(|(target, entry)| (entry.spent, entry.distance, *target));
        self.used = 0;
        self.focus = next.map(|(target, entry)| {
            while entry.spent >= self.level {
                self.slice = self.slice.saturating_mul(2);
                self.level = self.level.saturating_add(self.slice);
            }
            target
        });
        self.focus
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The focus of each of so many turns, each of which takes so much of its slice.
    fn foci(rota: &mut Rota, turns: usize, work: u64) -> Vec<u32> {
        let mut foci = Vec::new();
        for _ in 0..turns {
            if rota.is_over(|_| true) {
                rota.advance(|_| true);
            }
            foci.extend(rota.focus());
            rota.charge(work);
        }
        foci
    }

    #[test]
    fn near_targets_go_first_and_then_each_has_twice_as_much() {
        let mut rota = Rota::new([Some(9), None, Some(3), Some(3)], 10);
        assert_eq!(foci(&mut rota, 4, 10), [2, 3, 0, 1]);
        assert_eq!(foci(&mut rota, 8, 10), [2, 2, 3, 3, 0, 0, 1, 1]);
    }

    #[test]
    fn a_target_that_is_met_or_cannot_be_worked_for_makes_room() {
        let mut rota = Rota::new([Some(1), Some(2), Some(3)], 100);
        assert_eq!(rota.advance(|_| true), Some(0));
        assert!(!rota.is_over(|_| true) && rota.is_over(|target| target != 0));
        assert_eq!(rota.advance(|target| target != 0), Some(1));
        rota.pass();
        assert!(rota.is_over(|_| true));
        assert_eq!(rota.advance(|target| target != 0), Some(2));
        assert_eq!(rota.advance(|_| false), None);
        rota.charge(5);
        assert!(rota.is_over(|_| true));
    }

    proptest! {
        /// However long single turns take: what was spent for the least served target is at least
        /// the slice of the round before, and no target waits for more than a round.
        #[test]
        fn nobody_starves(targets in 1_u32..40, works in prop::collection::vec(1_u64..500, 400..800)) {
            let mut rota = Rota::new((0..targets).map(|target| Some(u64::from(target % 3))), 64);
            let mut last = vec![0; targets as usize];
            let mut turn = 0;
            for work in works {
                if rota.is_over(|_| true) {
                    let focus = rota.advance(|_| true).expect("one is open");
                    turn += 1;
                    last[focus as usize] = turn;
                    let least = rota.entries.iter().map(|entry| entry.spent).min().unwrap_or(0);
                    prop_assert_eq!(rota.entries[focus as usize].spent, least);
                    let before = rota.level - rota.slice;
                    prop_assert!(least >= before && least < rota.level);
                }
                rota.charge(work);
            }
            // A turn that took much too long may let a target wait for some rounds.
            let rounds = 500 / 64 + 2;
            let waits = last.iter().map(|&last| turn - last).max().unwrap_or(0);
            prop_assert!(turn < u64::from(targets) || waits <= u64::from(targets) * rounds);
        }
    }
}
