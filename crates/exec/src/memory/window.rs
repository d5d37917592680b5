//! Concrete bytes that the interpreter's loop found lately, so that it finds them again without a look-up.
//!
//! A window is the part of one object that is kept together (a page, or all of a small object), under its addresses. It points into the state's memory: it is valid as long as
//! nothing but the windows changes that. Each slot of the address space has one place for a window, and windows do not reach across slots, so a store that moves an object's bytes
//! (because another state shares them) replaces the only window that could have pointed to them.

use super::{Layout, Memory};

/// Places for windows; slots that are equal modulo this share one.
const PLACES: usize = 8;

#[derive(Copy, Clone)]
struct Window {
    address: u64,
    len: u64,
    bytes: *mut u8,
    /// Are the bytes the state's own, so that they can be written to?
    is_own: bool,
}

impl Window {
    const NONE: Window = Window { address: 0, len: 0, bytes: std::ptr::null_mut(), is_own: false };

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
    is_empty: bool,
}

impl Windows {
    pub(crate) fn new(layout: Layout) -> Windows {
        Windows { places: [Window::NONE; PLACES], slot_bits: layout.slot_bits, is_empty: true }
    }

    #[inline(always)]
    pub(crate) fn forget(&mut self) {
        if !self.is_empty {
            self.places = [Window::NONE; PLACES];
            self.is_empty = true;
        }
    }

    #[inline(always)]
    fn place(&self, address: u64) -> usize {
        (address >> self.slot_bits) as usize % PLACES
    }

    /// The number in `1 <= len <= 8` bytes at `address`, if a window shows them.
    #[inline(always)]
    pub(crate) fn read(&self, address: u64, len: u64) -> Option<u64> {
        let bytes = self.places[self.place(address)].find(address, len)?;
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
        let Some(bytes) = window.find(address, len).filter(|_| window.is_own) else { return false };
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

    fn keep(&mut self, window: Window) {
        let last = window.address + (window.len - 1);
        if window.address >> self.slot_bits == last >> self.slot_bits {
            let place = self.place(window.address);
            self.places[place] = window;
            self.is_empty = false;
        }
    }

    /// Looks the bytes up, if they are plain memory, and keeps what is around them.
    #[inline(never)]
    pub(crate) fn load(&mut self, memory: &Memory, address: u64, len: u64) -> Option<u64> {
        let object = memory.object(address)?;
        let offset = address.wrapping_sub(object.base);
        if offset > object.size || len > object.size - offset || object.size_term.is_some() {
            return None;
        }
        if let Some((start, bytes)) = object.contents.plain_window(offset as usize)
            && !bytes.is_empty()
        {
            let address = object.base + start as u64;
            self.keep(Window { address, len: bytes.len() as u64, bytes: bytes.as_ptr().cast_mut(), is_own: false });
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
        if keep && let Some((start, bytes)) = object.contents.plain_window_mut(offset as usize) {
            let address = object.base + start as u64;
            self.keep(Window { address, len: bytes.len() as u64, bytes: bytes.as_mut_ptr(), is_own: true });
        }
        true
    }
}
