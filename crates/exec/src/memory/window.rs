//! Concrete bytes that the loop of plain instructions found lately, so that it finds them again without a look-up.
//!
//! A window is the part of one object that is kept together (a page, or all of a small object), under its addresses; of objects that also have symbolic bytes only the object
//! itself is kept. It points into the state's memory: it is valid as long as nothing but the windows changes that, and the memory tells what else does ([`Changes`]). Each slot of the address space has one place for a window, and
//! windows do not reach across slots, so a store that moves an object's bytes (because another state shares them) replaces the only window that could have pointed to them.

use super::{Layout, Memory, Object};
use std::cell::Cell;

thread_local! {
    static LINEAGES: Cell<u64> = const { Cell::new(0) };
}

/// How many changes are remembered one by one.
const REMEMBERED: usize = 4;

/// What happened to a memory, for windows to be kept up to date.
pub(super) struct Changes {
    /// No two memories ever have the same.
    lineage: u64,
    /// How often it was copied: what was its own is shared since then.
    copies: Cell<u64>,
    /// How many changes there were, and the slots of the last ones. Objects in them changed or went away.
    count: u64,
    last: [u64; REMEMBERED],
}

impl Default for Changes {
    fn default() -> Changes {
        let lineage = LINEAGES.get() + 1;
        LINEAGES.set(lineage);
        Changes { lineage, copies: Cell::new(0), count: 0, last: [0; REMEMBERED] }
    }
}

impl Clone for Changes {
    fn clone(&self) -> Changes {
        self.copies.set(self.copies.get() + 1);
        Changes::default()
    }
}

impl Changes {
    #[inline(always)]
    pub(super) fn at(&mut self, slot: u64) {
        self.last[self.count as usize % REMEMBERED] = slot;
        self.count += 1;
    }

    pub(super) fn anywhere(&mut self) {
        self.count += REMEMBERED as u64 + 1;
    }
}

/// Places for windows; slots that are equal modulo this share one.
const PLACES: usize = 32;

#[derive(Copy, Clone)]
struct Window {
    /// The object, which is in this slot alone.
    slot: u64,
    object: *const Object,
    address: u64,
    len: u64,
    bytes: *mut u8,
    /// If the bytes are the state's own, so that they can be written to: how often windows were disowned before.
    own_round: u32,
    /// It is valid until windows are forgotten so many times.
    round: u32,
}

/// The round of windows that never are the state's own.
const SHARED: u32 = 0;

impl Window {
    const NONE: Window = Window {
        slot: 0,
        object: std::ptr::null(),
        address: 0,
        len: 0,
        bytes: std::ptr::null_mut(),
        own_round: SHARED,
        round: 0,
    };

    /// Where `len` bytes at `address` are, if they are in the window.
    #[inline(always)]
    fn find(&self, address: u64, len: u64) -> Option<*mut u8> {
        let offset = address.wrapping_sub(self.address);
        if offset >= self.len || len > self.len - offset {
            return None;
        }
        // SAFETY: the offset is inside of the window.
        Some(unsafe { self.bytes.add(offset as usize) })
    }
}

pub(crate) struct Windows {
    places: [Window; PLACES],
    slot_bits: u32,
    /// How often windows were forgotten, and one more.
    round: u32,
    /// The same for disowning them, when what they show came to be shared.
    own_round: u32,
    /// Of the memory that the windows show: what is known of its changes.
    lineage: u64,
    copies: u64,
    count: u64,
}

impl Windows {
    pub(crate) fn new(layout: Layout) -> Windows {
        Windows {
            places: [Window::NONE; PLACES],
            slot_bits: layout.slot_bits,
            round: 1,
            own_round: SHARED + 1,
            lineage: 0,
            copies: 0,
            count: 0,
        }
    }

    /// Forgets windows that show another memory, or what has changed in it.
    #[inline(always)]
    pub(crate) fn follow(&mut self, memory: &Memory) {
        let changes = &memory.changes;
        if self.lineage == changes.lineage && self.copies == changes.copies.get() && self.count == changes.count {
            return;
        }
        self.catch_up(changes);
    }

    fn catch_up(&mut self, changes: &Changes) {
        if self.lineage != changes.lineage || changes.count - self.count > REMEMBERED as u64 {
            self.round += 1;
        } else {
            for count in self.count..changes.count {
                let slot = changes.last[count as usize % REMEMBERED];
                let place = &mut self.places[slot as usize % PLACES];
                if place.slot == slot {
                    *place = Window::NONE;
                }
            }
        }
        if self.copies != changes.copies.get() {
            self.own_round += 1;
        }
        if self.round == u32::MAX || self.own_round == u32::MAX {
            (self.places, self.round, self.own_round) = ([Window::NONE; PLACES], 1, SHARED + 1);
        }
        (self.lineage, self.copies, self.count) = (changes.lineage, changes.copies.get(), changes.count);
    }

    #[inline(always)]
    fn place(&self, address: u64) -> usize {
        (address >> self.slot_bits) as usize % PLACES
    }

    /// The number in `1 <= len <= 8` bytes at `address`, if a window shows them.
    #[inline(always)]
    pub(crate) fn read(&self, address: u64, len: u64) -> Option<u64> {
        let window = &self.places[self.place(address)];
        let bytes = window.find(address, len).filter(|_| window.round == self.round)?;
        // SAFETY: windows are forgotten before memory changes otherwise, and the bytes are inside of one.
        unsafe {
            Some(match len {
                1 => *bytes as u64,
                2 => u16::from_le(bytes.cast::<u16>().read_unaligned()) as u64,
                4 => u32::from_le(bytes.cast::<u32>().read_unaligned()) as u64,
                8 => u64::from_le(bytes.cast::<u64>().read_unaligned()),
                _ => (0..len as usize).fold(0, |number, k| number | (*bytes.add(k) as u64) << (8 * k)),
            })
        }
    }

    /// Writes a number of `1 <= len <= 8` bytes, if a window shows them and they are the state's own.
    #[inline(always)]
    pub(crate) fn write(&mut self, address: u64, number: u64, len: u64) -> bool {
        let window = &self.places[self.place(address)];
        let is_valid = window.own_round == self.own_round && window.round == self.round;
        let Some(bytes) = window.find(address, len).filter(|_| is_valid) else { return false };
        let number = number.to_le_bytes();
        // SAFETY: as for `read`; no other state has these bytes, and nobody else holds a reference to them.
        unsafe {
            match len {
                1 => *bytes = number[0],
                4 => bytes.cast::<[u8; 4]>().write([number[0], number[1], number[2], number[3]]),
                8 => bytes.cast::<[u8; 8]>().write(number),
                _ => std::ptr::copy_nonoverlapping(number.as_ptr(), bytes, len as usize),
            }
        }
        true
    }

    /// Keeps what is around some bytes of an object.
    fn keep(&mut self, object: &Object, start: usize, bytes: *mut u8, len: usize, own_round: u32) {
        let last = object.base + object.size.saturating_sub(1);
        let slot = object.base >> self.slot_bits;
        if slot == last >> self.slot_bits {
            let place = self.place(object.base);
            let (address, len, round) = (object.base + start as u64, len as u64, self.round);
            self.places[place] = Window { slot, object, address, len, bytes, own_round, round };
        }
    }

    /// The object of an address, if it was found lately.
    #[inline(always)]
    fn object(&self, address: u64) -> Option<&Object> {
        let window = &self.places[self.place(address)];
        let is_known = window.round == self.round && window.slot == address >> self.slot_bits;
        // SAFETY: windows are forgotten before the object goes away.
        is_known.then(|| unsafe { &*window.object })
    }

    /// Looks the bytes up, if they are plain memory, and keeps what is around them.
    #[inline(never)]
    pub(crate) fn load(&mut self, memory: &Memory, address: u64, len: u64) -> Option<u64> {
        let known = self.object(address);
        let is_known = known.is_some();
        let object: &Object = match known {
            // SAFETY: as long as the memory is borrowed, the object stays.
            Some(object) => unsafe { &*std::ptr::from_ref(object) },
            None => memory.object(address)?,
        };
        let offset = address.wrapping_sub(object.base);
        if offset > object.size || len > object.size - offset || object.size_term.is_some() {
            return None;
        }
        match object.contents.plain_window(offset as usize) {
            Some((start, bytes)) => {
                self.keep(object, start, bytes.as_ptr().cast_mut(), bytes.len(), SHARED);
                let number = bytes.get(offset as usize - start..)?.get(..len as usize)?;
                let mut all = [0; 8];
                all[..len as usize].copy_from_slice(number);
                return Some(u64::from_le_bytes(all));
            }
            None if !is_known => self.keep(object, 0, std::ptr::null_mut(), 0, SHARED),
            None => {}
        }
        object.contents.read_number(offset as usize, len as usize)
    }

    /// Looks the bytes up and writes a number to them, if the memory there can be written to; with `keep`, keeps what is around them.
    #[inline(never)]
    pub(crate) fn store(&mut self, memory: &mut Memory, address: u64, number: u64, len: u64, keep: bool) -> bool {
        let place = self.place(address);
        self.places[place] = Window::NONE;
        let Some(object) = memory.object_behind_window(address) else { return false };
        let offset = address.wrapping_sub(object.base);
        let is_inside = offset <= object.size && len <= object.size - offset;
        if !is_inside || object.size_term.is_some() || object.read_only {
            return false;
        }
        object.contents.write_bytes(offset as usize, &number.to_le_bytes()[..len as usize]);
        if keep {
            let (start, bytes, len) = match object.contents.plain_window_mut(offset as usize) {
                Some((start, bytes)) => (start, bytes.as_mut_ptr(), bytes.len()),
                None => (0, std::ptr::null_mut(), 0),
            };
            self.keep(object, start, bytes, len, self.own_round);
        }
        true
    }
}
