//! Concrete bytes that the interpreter's loop found lately, so that it finds them again without a look-up.
//!
//! A window is the part of one object that is kept together (a page, or all of a small object), under its addresses; of objects that also have symbolic bytes only the object
//! itself is kept. It points into the state's memory: it is valid as long as nothing but the windows changes that. Each slot of the address space has one place for a window, and
//! windows do not reach across slots, so a store that moves an object's bytes (because another state shares them) replaces the only window that could have pointed to them.

use super::{Layout, Memory, Object};

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
    /// Are the bytes the state's own, so that they can be written to?
    is_own: bool,
    /// It is valid until windows are forgotten so many times.
    round: u32,
}

impl Window {
    const NONE: Window = Window {
        slot: 0,
        object: std::ptr::null(),
        address: 0,
        len: 0,
        bytes: std::ptr::null_mut(),
        is_own: false,
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
}

impl Windows {
    pub(crate) fn new(layout: Layout) -> Windows {
        Windows { places: [Window::NONE; PLACES], slot_bits: layout.slot_bits, round: 1 }
    }

    #[inline(always)]
    pub(crate) fn forget(&mut self) {
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            (self.places, self.round) = ([Window::NONE; PLACES], 1);
        }
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
        let is_valid = window.is_own && window.round == self.round;
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
    fn keep(&mut self, object: &Object, start: usize, bytes: *mut u8, len: usize, is_own: bool) {
        let last = object.base + object.size.saturating_sub(1);
        let slot = object.base >> self.slot_bits;
        if slot == last >> self.slot_bits {
            let place = self.place(object.base);
            let (address, len, round) = (object.base + start as u64, len as u64, self.round);
            self.places[place] = Window { slot, object, address, len, bytes, is_own, round };
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
            Some((start, bytes)) => self.keep(object, start, bytes.as_ptr().cast_mut(), bytes.len(), false),
            None if !is_known => self.keep(object, 0, std::ptr::null_mut(), 0, false),
            None => {}
        }
        object.contents.read_number(offset as usize, len as usize)
    }

    /// Looks the bytes up and writes a number to them, if the memory there can be written to; with `keep`, keeps what is around them.
    #[inline(never)]
    pub(crate) fn store(&mut self, memory: &mut Memory, address: u64, number: u64, len: u64, keep: bool) -> bool {
        let place = self.place(address);
        self.places[place] = Window::NONE;
        let Some(object) = memory.object_mut(address) else { return false };
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
            self.keep(object, start, bytes, len, true);
        }
        true
    }
}
