//! A random choice by weight in logarithmic time: a complete binary tree over the numbers of
//! states, each inner node the sum of its two children.
//!
//! A Fenwick tree would take half the memory, but it adds and subtracts differences: with floating
//! point numbers of very different size (2^-30 beside 1) the errors stay in the sums for ever. Here
//! a sum is always computed anew from its two parts, when something is chosen: most states come and
//! go between two choices.

/// Weights of the numbers 0, 1, 2 …; those that were never set weigh nothing.
pub(crate) struct SumTree {
    /// A power of two; the leaves are `sums[leaves..]`, the root is `sums[1]`.
    leaves: usize,
    sums: Vec<f64>,
    /// Parents of leaves that changed since sums were last computed; some more than once.
    stale: Vec<usize>,
}

impl SumTree {
    pub(crate) fn new() -> SumTree {
        SumTree { leaves: 1, sums: vec![0.0; 2], stale: Vec::new() }
    }

    pub(crate) fn get(&self, index: usize) -> f64 {
        if index < self.leaves { self.sums[self.leaves + index] } else { 0.0 }
    }

    pub(crate) fn set(&mut self, index: usize, weight: f64) {
        if index >= self.leaves {
            self.grow(index + 1);
        }
        let leaf = self.leaves + index;
        self.sums[leaf] = weight;
        if self.stale.len() == self.leaves {
            self.add_up_stale();
        }
        self.stale.push(leaf / 2);
    }

    /// Weighs everything that has a weight anew.
    pub(crate) fn reweigh(&mut self, mut weight: impl FnMut(usize) -> f64) {
        for index in 0..self.leaves {
            let leaf = &mut self.sums[self.leaves + index];
            if *leaf > 0.0 {
                *leaf = weight(index);
            }
        }
        self.add_up();
    }

    /// The number whose share of the whole weight `point` falls into, for a point from 0 up to, but
    /// not including, 1. `None` if nothing has a weight.
    pub(crate) fn choose(&mut self, point: f64) -> Option<usize> {
        self.add_up_stale();
        if self.sums[1] <= 0.0 {
            return None;
        }
        let mut rest = point * self.sums[1];
        let mut node = 1;
        while node < self.leaves {
            let (left, right) = (self.sums[2 * node], self.sums[2 * node + 1]);
            // Rounding must not lead to a side that weighs nothing.
            if right <= 0.0 || left > 0.0 && rest < left {
                node *= 2;
            } else {
                rest -= left;
                node = 2 * node + 1;
            }
        }
        Some(node - self.leaves)
    }

    fn grow(&mut self, leaves: usize) {
        let leaves = leaves.next_power_of_two();
        let mut sums = vec![0.0; 2 * leaves];
        sums[leaves..leaves + self.leaves].copy_from_slice(&self.sums[self.leaves..]);
        (self.leaves, self.sums) = (leaves, sums);
        self.add_up();
    }

    /// Computes the sums that changed, those of one level after the other.
    fn add_up_stale(&mut self) {
        self.stale.sort_unstable();
        while self.stale.first().is_some_and(|&node| node > 0) {
            self.stale.dedup();
            for node in &mut self.stale {
                self.sums[*node] = self.sums[2 * *node] + self.sums[2 * *node + 1];
                *node /= 2;
            }
        }
        self.stale.clear();
    }

    fn add_up(&mut self) {
        self.stale.clear();
        for node in (1..self.leaves).rev() {
            self.sums[node] = self.sums[2 * node] + self.sums[2 * node + 1];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use espalier_base::Rng;

    /// What a walk over a plain list would choose.
    fn choose_slowly(weights: &[f64], point: f64) -> Option<usize> {
        let mut rest = point * weights.iter().sum::<f64>();
        for (index, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
            if rest < weight {
                return Some(index);
            }
            rest -= weight;
        }
        weights.iter().rposition(|&weight| weight > 0.0)
    }

    #[test]
    fn it_chooses_as_a_plain_list_does() {
        let mut rng = Rng::new(11);
        let mut tree = SumTree::new();
        let mut list = vec![0.0; 100];
        for _ in 0..20_000 {
            let index = rng.below(100);
            // Whole numbers add up exactly in any order, so both must agree to the last bit.
            let weight = rng.below(8) as f64;
            tree.set(index, weight);
            list[index] = weight;
            assert_eq!(tree.get(index), weight);
            // Sometimes after one change, sometimes after more of them than there are numbers.
            if rng.below(if list[0] < 4.0 { 2 } else { 300 }) == 0 {
                let point = rng.unit();
                assert_eq!(tree.choose(point), choose_slowly(&list, point));
            }
        }
        tree.reweigh(|index| (index + 1) as f64);
        list.iter_mut().enumerate().filter(|(_, w)| **w > 0.0).for_each(|(index, w)| *w = (index + 1) as f64);
        for _ in 0..1000 {
            let point = rng.unit();
            assert_eq!(tree.choose(point), choose_slowly(&list, point));
        }
    }

    #[test]
    fn what_weighs_nothing_is_never_chosen() {
        let mut tree = SumTree::new();
        assert_eq!(tree.choose(0.5), None);
        tree.set(5, f64::MIN_POSITIVE);
        tree.set(900, 1e-300);
        tree.set(31, 1e300);
        for point in [0.0, 0.3, 0.999_999_999_999_999_9] {
            assert_eq!(tree.choose(point), Some(if point == 0.0 { 5 } else { 31 }));
        }
        tree.set(31, 0.0);
        tree.set(900, 0.0);
        assert_eq!(tree.choose(0.999_999_999_999_999_9), Some(5));
        tree.set(5, 0.0);
        assert_eq!(tree.choose(0.0), None);
    }
}
