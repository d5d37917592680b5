//! A half of the address space, with the objects in it. All keys are slots, counted from the
//! region's first.
//!
//! The objects are in a tree that states share. Between two forks a path writes to a few of them,
//! and often it ends before it forks again: copying the way to each of them in the tree would take
//! longer than copying the objects. So while others share the tree, what changed is kept in a short
//! list beside it.

use super::{Object, Origin};
use espalier_base::persist::{List, Radix};
use espalier_ir::Loc;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

/// What is remembered of an object that no longer exists.
#[derive(Clone, Debug)]
pub struct Tomb {
    slot: u64,
    pub base: u64,
    pub size: u64,
    pub origin: Origin,
    /// Where it was freed; unknown for stack objects.
    pub freed: Loc,
}

/// At least so many dead objects are remembered in detail, and fewer than twice as many.
const TOMBS: usize = 4096;

/// How many changes are kept beside the tree.
const RECENT: usize = 16;

#[derive(Clone, Default)]
pub(super) struct Region {
    /// Objects under their first slots, where `recent` does not say otherwise.
    objects: Radix<Rc<Object>>,
    /// No slot is there twice.
    recent: Vec<(u64, Option<Rc<Object>>)>,
    /// The further slots of large objects, with the first one.
    parts: Radix<u64>,
    /// The latest dead, and those before them.
    tombs: List<Tomb>,
    older_tombs: List<Tomb>,
    tomb_count: usize,
    next_slot: u64,
    /// Slots of dead objects, once fresh ones have run out.
    free: Option<Rc<FreeSlots>>,
}

/// Slots to be used again.
#[derive(Clone, Default)]
struct FreeSlots {
    /// Single ones, oldest first.
    single: VecDeque<u64>,
    /// Ranges: how many from this one on. None of them touches another.
    ranges: BTreeMap<u64, u64>,
}

impl FreeSlots {
    fn add(&mut self, first: u64, count: u64) {
        match count {
            1 => self.single.push_back(first),
            _ => self.add_range(first, count),
        }
    }

    fn add_range(&mut self, mut first: u64, mut count: u64) {
        if let Some((&before, &len)) = self.ranges.range(..first).next_back()
            && before + len == first
        {
            (first, count) = (before, count + len);
        }
        if let Some(behind) = self.ranges.remove(&(first + count)) {
            count += behind;
        }
        self.ranges.insert(first, count);
    }

    fn take(&mut self, count: u64) -> Option<u64> {
        if count == 1
            && let Some(slot) = self.single.pop_front()
        {
            return Some(slot);
        }
        self.take_range(count).or_else(|| {
            // Single ones may be next to each other.
            std::mem::take(&mut self.single).into_iter().for_each(|slot| self.add_range(slot, 1));
            self.take_range(count)
        })
    }

    fn take_range(&mut self, count: u64) -> Option<u64> {
        let (&first, &len) = self.ranges.iter().find(|&(_, &len)| len >= count)?;
        self.ranges.remove(&first);
        if len > count {
            self.ranges.insert(first + count, len - count);
        }
        Some(first)
    }
}

impl Region {
    pub(super) fn next_slot(&self) -> u64 {
        self.next_slot
    }

    /// So many slots that were never used, if there are as many below `limit`.
    pub(super) fn fresh_slots(&mut self, count: u64, limit: u64) -> Option<u64> {
        let first = self.next_slot;
        self.next_slot = first.checked_add(count).filter(|&end| end <= limit)?;
        Some(first)
    }

    /// Slots below this one count as used.
    pub(super) fn skip_to(&mut self, slot: u64) {
        self.next_slot = self.next_slot.max(slot);
    }

    /// So many slots of objects that are dead.
    pub(super) fn used_slots(&mut self, count: u64) -> Option<u64> {
        if self.free.is_none() {
            self.free = Some(Rc::new(self.gaps()));
        }
        Rc::make_mut(self.free.as_mut()?).take(count)
    }

    /// The slots that were used and are not any more.
    fn gaps(&self) -> FreeSlots {
        let mut gaps = FreeSlots::default();
        let mut behind = 0;
        self.for_each(|first, _| {
            if behind < first {
                gaps.add(behind, first - behind);
            }
            behind = first + self.slots_from(first);
        });
        if behind < self.next_slot {
            gaps.add(behind, self.next_slot - behind);
        }
        gaps
    }

    /// How many slots an object has that begins in this one.
    fn slots_from(&self, first: u64) -> u64 {
        let mut slots = 1;
        while self.parts.count() > 0 && self.parts.get(first + slots) == Some(&first) {
            slots += 1;
        }
        slots
    }

    #[inline(always)]
    fn recent(&self, first: u64) -> Option<usize> {
        self.recent.iter().position(|&(slot, _)| slot == first)
    }

    /// The object whose first slot this is.
    #[inline(always)]
    fn beginning_in(&self, first: u64) -> Option<&Rc<Object>> {
        match self.recent(first) {
            Some(index) => self.recent[index].1.as_ref(),
            None => self.objects.get(first),
        }
    }

    #[inline(always)]
    pub(super) fn object(&self, slot: u64) -> Option<&Rc<Object>> {
        match self.beginning_in(slot) {
            Some(object) => Some(object),
            None => self.beginning_in(*self.parts.get(slot)?),
        }
    }

    /// The first slot of the object that has this one.
    #[inline(always)]
    fn first_slot(&self, slot: u64) -> Option<u64> {
        let is_first = self.parts.count() == 0 || self.beginning_in(slot).is_some();
        if is_first { Some(slot) } else { self.parts.get(slot).copied() }
    }

    /// An object to be changed; it is copied if others have it.
    #[inline(always)]
    pub(super) fn object_mut(&mut self, slot: u64) -> Option<&mut Object> {
        let first = self.first_slot(slot)?;
        if let Some(index) = self.recent(first) {
            return self.recent[index].1.as_mut().map(Rc::make_mut);
        }
        if !self.changes_list() {
            return self.objects.get_mut(first).map(Rc::make_mut);
        }
        let object = self.objects.get(first)?.clone();
        self.recent.push((first, Some(object)));
        self.recent.last_mut().and_then(|(_, object)| object.as_mut()).map(Rc::make_mut)
    }

    /// Are changes to be kept beside the tree? There is room for one then.
    #[inline(always)]
    fn changes_list(&mut self) -> bool {
        if !self.objects.is_shared() {
            return false;
        }
        if self.recent.len() < RECENT {
            if self.recent.len() == self.recent.capacity() {
                self.recent.reserve_exact(RECENT / 2);
            }
            return true;
        }
        for (slot, object) in std::mem::take(&mut self.recent) {
            match object {
                Some(object) => self.objects.insert(slot, object),
                None => drop(self.objects.remove(slot)),
            }
        }
        false
    }

    /// Adds an object that has `slots` slots from `first` on.
    pub(super) fn add(&mut self, first: u64, slots: u64, object: Object) {
        for slot in first + 1..first + slots {
            self.parts.insert(slot, first);
        }
        self.set(first, Rc::new(object));
    }

    fn set(&mut self, first: u64, object: Rc<Object>) {
        if let Some(index) = self.recent(first) {
            self.recent[index].1 = Some(object);
        } else if self.changes_list() {
            self.recent.push((first, Some(object)));
        } else {
            self.objects.insert(first, object);
        }
    }

    fn take(&mut self, first: u64) -> Option<Rc<Object>> {
        if let Some(index) = self.recent(first) {
            if self.objects.get(first).is_none() {
                return self.recent.swap_remove(index).1;
            }
            return self.recent[index].1.take();
        }
        if !self.changes_list() {
            return self.objects.remove(first);
        }
        let object = self.objects.get(first)?.clone();
        self.recent.push((first, None));
        Some(object)
    }

    /// Ends the life of the object that has this slot.
    pub(super) fn kill(&mut self, slot: u64, freed: Loc) {
        let Some(first) = self.first_slot(slot) else { return };
        let Some(object) = self.take(first) else { return };
        let slots = self.slots_from(first);
        for slot in first + 1..first + slots {
            self.parts.remove(slot);
        }
        let Object { base, size, origin, .. } = *object;
        self.tombs.push(Tomb { slot: first, base, size, origin, freed });
        self.tomb_count += 1;
        if self.tomb_count == TOMBS {
            self.older_tombs = std::mem::take(&mut self.tombs);
            self.tomb_count = 0;
        }
        if let Some(free) = &mut self.free {
            Rc::make_mut(free).add(first, slots);
        }
    }

    /// The last object that died in this slot, as long as it is remembered.
    pub(super) fn tomb(&self, slot: u64) -> Option<&Tomb> {
        self.tombs.iter().chain(self.older_tombs.iter()).find(|tomb| tomb.slot == slot)
    }

    /// Puts something else in the place of the objects for which `change` gives it.
    pub(super) fn replace_objects(&mut self, change: impl Fn(&Object) -> Option<Object>) {
        let mut changed = Vec::new();
        self.for_each(|slot, object| changed.extend(change(object).map(|object| (slot, object))));
        for (slot, object) in changed {
            self.set(slot, Rc::new(object));
        }
    }

    /// Visits what two regions may have differently: objects that are not the same, one of which
    /// may be missing.
    pub(super) fn for_each_difference<'a>(
        &'a self,
        other: &'a Region,
        mut visit: impl FnMut([Option<&'a Rc<Object>>; 2]),
    ) {
        let mut slots: Vec<u64> =
            [self, other].into_iter().flat_map(|region| &region.recent).map(|&(slot, _)| slot).collect();
        self.objects.for_each_difference(&other.objects, |slot, _| slots.push(slot));
        slots.sort_unstable();
        slots.dedup();
        for slot in slots {
            let objects = [self, other].map(|region| region.beginning_in(slot));
            let is_same = match objects {
                [Some(a), Some(b)] => Rc::ptr_eq(a, b),
                [None, None] => true,
                _ => false,
            };
            if !is_same {
                visit(objects);
            }
        }
    }

    /// Visits the objects in the order of their slots.
    pub(super) fn for_each<'a>(&'a self, mut visit: impl FnMut(u64, &'a Rc<Object>)) {
        let mut recent: Vec<&(u64, Option<Rc<Object>>)> = self.recent.iter().collect();
        recent.sort_by_key(|(slot, _)| *slot);
        let mut recent = recent.into_iter().peekable();
        let mut tell = |slot, object: Option<&'a Rc<Object>>| object.into_iter().for_each(|object| visit(slot, object));
        self.objects.for_each(|slot, object| {
            while let Some((earlier, object)) = recent.next_if(|(earlier, _)| *earlier < slot) {
                tell(*earlier, object.as_ref());
            }
            match recent.next_if(|(same, _)| *same == slot) {
                Some((_, newer)) => tell(slot, newer.as_ref()),
                None => tell(slot, Some(object)),
            }
        });
        recent.for_each(|(slot, object)| tell(*slot, object.as_ref()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::object::{Byte, Contents};
    use espalier_base::Rng;

    fn object(base: u64) -> Object {
        Object {
            base,
            size: 1,
            size_term: None,
            origin: Origin::Caller,
            read_only: false,
            is_scalar: false,
            contents: Contents::new(1, true),
        }
    }

    fn byte(object: &Object) -> u8 {
        match object.contents.byte(0) {
            Byte::Concrete(byte) => byte,
            other => panic!("{other:?}"),
        }
    }

    /// Thousands of random operations on copies that come and go, so that trees are shared and not,
    /// agree with ordered maps. Some objects have three slots.
    #[test]
    fn agrees_with_ordered_maps() {
        let mut rng = Rng::new(7);
        let mut random = |bound: u64| rng.below(bound as usize) as u64;
        let mut copies: Vec<(Region, BTreeMap<u64, u8>)> = vec![Default::default()];
        for step in 0..40_000 {
            let which = random(copies.len() as u64) as usize;
            match random(60) {
                0 if copies.len() < 8 => {
                    let copy = copies[which].clone();
                    copies.push(copy);
                }
                1 if copies.len() > 1 => drop(copies.swap_remove(which)),
                _ => {}
            }
            let which = random(copies.len() as u64) as usize;
            let (region, map) = &mut copies[which];
            let slot = 3 * random(200);
            let slots = if slot % 10 == 0 { 3 } else { 1 };
            let inside = slot + random(slots);
            match random(4) {
                0 => {
                    region.kill(inside, Loc::UNKNOWN);
                    if map.remove(&slot).is_some() {
                        assert_eq!(region.tomb(slot).map(|tomb| tomb.base), Some(slot));
                    }
                }
                1 if !map.contains_key(&slot) => {
                    region.add(slot, slots, object(slot));
                    map.insert(slot, 0);
                }
                _ => {
                    let value = step as u8;
                    let found = region.object_mut(inside).map(|object| object.contents.write_bytes(0, &[value]));
                    assert_eq!(found.is_some(), map.get_mut(&slot).map(|old| *old = value).is_some());
                }
            }
            assert_eq!(region.object(inside).map(|object| byte(object)), map.get(&slot).copied());
            if step % 50 == 0 {
                for (region, map) in &copies {
                    let mut seen = Vec::new();
                    region.for_each(|slot, object| seen.push((slot, byte(object))));
                    assert_eq!(seen, map.iter().map(|(&slot, &value)| (slot, value)).collect::<Vec<_>>());
                }
            }
        }
    }

    #[test]
    fn remembers_the_latest_dead() {
        let mut region = Region::default();
        for slot in 0..5 * TOMBS as u64 {
            region.add(slot, 1, object(slot));
            region.kill(slot, Loc::UNKNOWN);
            assert!(region.tomb_count < TOMBS && region.tombs.iter().count() == region.tomb_count);
            assert!(region.older_tombs.iter().count() <= TOMBS);
            let oldest = slot.saturating_sub(TOMBS as u64 - 1);
            assert!(slot % 1000 > 0 || region.tomb(oldest).is_some_and(|tomb| tomb.base == oldest));
        }
    }

    /// Slots that were given out are given out again only after they came back, and nothing is
    /// lost.
    #[test]
    fn free_slots_are_used_again() {
        let mut free = FreeSlots::default();
        free.add(10, 1);
        free.add(20, 5);
        free.add(11, 1);
        free.add(25, 3);
        assert_eq!(free.take(9), None);
        assert_eq!(free.take(8), Some(20), "ranges next to each other are one");
        assert_eq!(free.take(2), Some(10), "so are single slots, where a range is needed");
        assert_eq!((free.take(1), free.take(2)), (None, None));
        free.add(20, 8);
        assert_eq!((free.take(1), free.take(7), free.take(1)), (Some(20), Some(21), None));
    }
}
