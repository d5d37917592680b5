//! Assignments of variables.
//!
//! Every open path keeps one, and a fork makes one that differs from it in a few variables. So a
//! model is kept small, eight bytes for each variable with a value below 2^32, and one with many
//! variables shares what it has in common with those that it was made of.

use crate::{Bv, Term};
use espalier_base::bits::mask;
use espalier_base::persist::Radix;
use num_bigint::BigUint;
use num_traits::ToPrimitive;

/// An assignment of variables. A variable that is not set is 0.
#[derive(Clone, Default)]
pub struct Model {
    small: Small,
    /// Values of 2^32 and more.
    large: Radix<BigUint>,
}

/// Models with more variables than this share pages.
const FEW: usize = 64;

/// Variables of a page.
const PAGE: u32 = 8;

/// Values below 2^32.
#[derive(Clone)]
enum Small {
    /// In the order of variables: the variable in the high half, its value in the low half.
    Few(Vec<u64>),
    Many {
        pages: Radix<Page>,
        len: usize,
    },
}

/// The values of the variables next to each other.
#[derive(Copy, Clone, Default)]
struct Page {
    is_set: u8,
    values: [u32; PAGE as usize],
}

impl Default for Small {
    fn default() -> Small {
        Small::Few(Vec::new())
    }
}

fn entry(var: Term, value: u32) -> u64 {
    u64::from(var.raw()) << 32 | u64::from(value)
}

/// Where the variable is, or would be, among the entries.
#[inline]
fn position(entries: &[u64], var: Term) -> Result<usize, usize> {
    entries.binary_search_by_key(&var.raw(), |entry| (entry >> 32) as u32)
}

fn page_of(var: Term) -> (u64, usize) {
    (u64::from(var.raw() / PAGE), (var.raw() % PAGE) as usize)
}

impl Small {
    #[inline]
    fn get(&self, var: Term) -> Option<u32> {
        match self {
            Small::Few(entries) => position(entries, var).ok().map(|index| entries[index] as u32),
            Small::Many { pages, .. } => {
                let (page, index) = page_of(var);
                let page = pages.get(page)?;
                (page.is_set >> index & 1 == 1).then_some(page.values[index])
            }
        }
    }

    fn set(&mut self, var: Term, value: u32) {
        match self {
            Small::Few(entries) => {
                match position(entries, var) {
                    Ok(index) => entries[index] = entry(var, value),
                    Err(index) => entries.insert(index, entry(var, value)),
                }
                if entries.len() > FEW {
                    self.share();
                }
            }
            Small::Many { pages, len } => {
                let (number, index) = page_of(var);
                let mut page = pages.get(number).copied().unwrap_or_default();
                if page.is_set >> index & 1 == 1 && page.values[index] == value {
                    return;
                }
                *len += usize::from(page.is_set >> index & 1 == 0);
                page.is_set |= 1 << index;
                page.values[index] = value;
                pages.insert(number, page);
            }
        }
    }

    fn unset(&mut self, var: Term) {
        match self {
            Small::Few(entries) => {
                if let Ok(index) = position(entries, var) {
                    entries.remove(index);
                }
            }
            Small::Many { pages, len } => {
                let (number, index) = page_of(var);
                if let Some(page) = pages.get(number).copied().filter(|page| page.is_set >> index & 1 == 1) {
                    pages.insert(number, Page { is_set: page.is_set & !(1 << index), ..page });
                    *len -= 1;
                }
            }
        }
    }

    /// Puts many entries into pages.
    fn share(&mut self) {
        let entries = self.entries();
        *self = Small::Many { pages: Radix::default(), len: 0 };
        for (var, value) in entries {
            self.set(var, value);
        }
    }

    /// In the order of variables.
    fn entries(&self) -> Vec<(Term, u32)> {
        match self {
            Small::Few(entries) => entries
                .iter()
                .filter_map(|entry| Some((Term::from_raw((entry >> 32) as u32)?, *entry as u32)))
                .collect(),
            Small::Many { pages, len } => {
                let mut entries = Vec::with_capacity(*len);
                pages.for_each(|number, page| {
                    for index in (0..PAGE).filter(|index| page.is_set >> index & 1 == 1) {
                        let var = Term::from_raw(number as u32 * PAGE + index);
                        entries.extend(var.map(|var| (var, page.values[index as usize])));
                    }
                });
                entries
            }
        }
    }

    fn len(&self) -> usize {
        match self {
            Small::Few(entries) => entries.len(),
            Small::Many { len, .. } => *len,
        }
    }
}

impl Model {
    pub fn new() -> Model {
        Model::default()
    }

    fn large(&self, var: Term) -> Option<&BigUint> {
        self.large.get(u64::from(var.raw()))
    }

    /// The value of a variable if it is set and below 2^64.
    pub fn get(&self, var: Term) -> Option<u64> {
        match self.small.get(var) {
            Some(value) => Some(u64::from(value)),
            None => self.large(var)?.to_u64(),
        }
    }

    /// The value of a variable of `width` bits; 0 if it is not set.
    pub fn get_bv(&self, var: Term, width: u32) -> Bv {
        match self.small.get(var) {
            Some(value) => Bv::from_u64(u64::from(value), width),
            None => self.large(var).map_or_else(|| Bv::zero(width), |value| Bv::from_big(value.clone(), width)),
        }
    }

    /// The value of a variable of at most 64 bits; 0 if it is not set.
    pub(crate) fn word(&self, var: Term, width: u32) -> u64 {
        match self.small.get(var) {
            Some(value) => u64::from(value) & mask(width),
            None if self.large.count() == 0 => 0,
            None => self.get_bv(var, width).to_u64().unwrap_or(0),
        }
    }

    /// Sets a variable of any width (a narrower one keeps the low bits).
    pub fn set(&mut self, var: Term, value: u64) {
        match u32::try_from(value) {
            Ok(value) => {
                self.large.remove(u64::from(var.raw()));
                self.small.set(var, value);
            }
            Err(_) => self.set_large(var, value.into()),
        }
    }

    pub fn set_bv(&mut self, var: Term, value: Bv) {
        match value.fits_u64() {
            Some(word) => self.set(var, word),
            None => self.set_large(var, value.to_big()),
        }
    }

    fn set_large(&mut self, var: Term, value: BigUint) {
        self.small.unset(var);
        self.large.insert(u64::from(var.raw()), value);
    }

    /// Takes back what was set, so that the variable is 0.
    pub fn unset(&mut self, var: Term) {
        self.large.remove(u64::from(var.raw()));
        self.small.unset(var);
    }

    /// The variables that are set, in term order.
    pub fn iter(&self) -> impl Iterator<Item = (Term, BigUint)> {
        let small = self.small.entries().into_iter().map(|(var, value)| (var, BigUint::from(value)));
        let mut all: Vec<(Term, BigUint)> = small.collect();
        if self.large.count() > 0 {
            self.large.for_each(|var, value| all.extend(Term::from_raw(var as u32).map(|var| (var, value.clone()))));
            all.sort_unstable_by_key(|&(var, _)| var);
        }
        all.into_iter()
    }

    /// Takes over every variable that `other` sets.
    pub fn extend(&mut self, other: &Model) {
        for (var, value) in other.small.entries() {
            self.set(var, u64::from(value));
        }
        other.large.for_each(|var, value| {
            if let Some(var) = Term::from_raw(var as u32) {
                self.set_large(var, value.clone());
            }
        });
    }

    pub fn len(&self) -> usize {
        self.small.len() + self.large.count()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl PartialEq for Model {
    fn eq(&self, other: &Model) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl Eq for Model {}

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use espalier_base::Rng;
    use std::collections::BTreeMap;

    /// Random changes of copies that share their pages agree with ordered maps, with few variables
    /// and with many.
    #[test]
    fn agrees_with_ordered_maps() {
        let mut rng = Rng::new(3);
        for vars in [10, 60, 70, 500] {
            let mut copies: Vec<(Model, BTreeMap<Term, u64>)> = vec![Default::default()];
            for _ in 0..4000 {
                let which = rng.below(copies.len());
                if rng.below(30) == 0 && copies.len() < 6 {
                    let copy = copies[which].clone();
                    copies.push(copy);
                }
                let var = Term::from_raw(1 + 5 * rng.below(vars) as u32).expect("it is not 0");
                let value = (rng.below(1 << 30) as u64) << rng.below(20);
                let other = copies[rng.below(copies.len())].clone();
                let (model, map) = &mut copies[which];
                match rng.below(40) {
                    0 => {
                        model.extend(&other.0);
                        map.extend(other.1);
                    }
                    1..6 => {
                        model.unset(var);
                        map.remove(&var);
                    }
                    _ => {
                        model.set(var, value);
                        map.insert(var, value);
                    }
                }
                assert_eq!(model.get(var), map.get(&var).copied());
                assert_eq!(model.len(), map.len());
            }
            for (model, map) in &copies {
                let all: Vec<(Term, u64)> =
                    model.iter().filter_map(|(var, value)| Some((var, value.to_u64()?))).collect();
                assert_eq!(all, map.iter().map(|(&var, &value)| (var, value)).collect::<Vec<_>>());
            }
        }
    }
}
