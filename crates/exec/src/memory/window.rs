//! Concrete bytes that the loop of plain instructions found lately, so that it finds them again
//! without a look-up.
//!
//! A window is the part of one object that is kept together (a page, or all of a small object),
//! under its addresses; of objects that also have symbolic bytes only the object itself is kept. It
//! points into the state's memory: it is valid as long as nothing but the windows changes that, and
//! the memory tells what else does ([`Changes`]). Each slot of the address space has one place for
//! a window, and windows do not reach across slots, so a store that moves an object's bytes
//! (because another state shares them) replaces the only window that could have pointed to them.
//!
//! Pages of large objects that had a window lately are known for longer, until anything but the
//! windows changes the memory: loops that go through several pages at once, or through columns,
//! take them up again without a way through the object's tree.

use super::object::{Byte, Contents, PAGE};
use super::{Layout, Memory, Object, UsedSlots, may_be_highest};
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
    /// How many changes there were, and the slots of the last ones. Objects in them changed or went
    /// away.
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
        self.shared();
        Changes::default()
    }
}

impl Changes {
    #[inline(always)]
    pub(super) fn at(&mut self, slot: u64) {
        self.last[self.count as usize % REMEMBERED] = slot;
        self.count += 1;
    }

    /// What was the memory's own may be shared from now on.
    pub(super) fn shared(&self) {
        self.copies.set(self.copies.get() + 1);
    }

    pub(super) fn anywhere(&mut self) {
        self.count += REMEMBERED as u64 + 1;
    }
}

/// Places for windows; slots that are equal modulo this share one.
const PLACES: usize = 64;

/// Numbers in memory are read as this many bytes, of which fewer may count.
const NUMBER: u64 = 8;

/// What reading and writing need to know of a window.
#[derive(Copy, Clone)]
struct Window {
    address: u64,
    /// As many offsets have a whole number behind them that may be read.
    readable: u32,
    /// The same for writing: 0 if the bytes are not the state's own.
    writable: u32,
    /// The same for reading what may not be a part of an address: 0 if there may be one in the
    /// window.
    without_addresses: u32,
    bytes: *mut u8,
}

impl Window {
    const NONE: Window =
        Window { address: 0, readable: 0, writable: 0, without_addresses: 0, bytes: std::ptr::null_mut() };
}

/// The rest: needed for bytes near the end of a window, and to look for others of the same object.
#[derive(Copy, Clone)]
struct Kept {
    /// The object, which is in this slot alone.
    slot: u64,
    object: *const Object,
    len: u64,
    /// It is valid until windows are forgotten so many times.
    round: u64,
    /// If the bytes are the state's own: how often windows were disowned before.
    own_round: u64,
    /// How often numbers were read that may not be parts of addresses, before it was known that
    /// none is in the window.
    looks: u32,
    /// Is it known that there are no addresses in the window?
    has_numbers_only: bool,
}

/// A page of a large object.
#[derive(Copy, Clone)]
struct KnownPage {
    address: u64,
    bytes: *mut u8,
    len: u64,
    object: *const Object,
    own_round: u64,
    /// It is valid in this one.
    epoch: u64,
    /// Is it known to have no addresses?
    has_numbers_only: bool,
}

impl KnownPage {
    const NONE: KnownPage = KnownPage {
        address: 0,
        bytes: std::ptr::null_mut(),
        len: 0,
        object: std::ptr::null(),
        own_round: SHARED,
        epoch: 0,
        has_numbers_only: false,
    };
}

/// Places for known pages; few in tests, so that some share one.
const PAGES: usize = if cfg!(test) { 4 } else { 512 };

/// After so many looks at numbers in a window it is worth to go through all of it.
const MANY_LOOKS: u32 = if cfg!(test) { 2 } else { 8 };

impl Kept {
    const NONE: Kept = Kept {
        slot: 0,
        object: std::ptr::null(),
        len: 0,
        round: 0,
        own_round: SHARED,
        looks: 0,
        has_numbers_only: false,
    };
}

/// The round of windows that never are the state's own.
const SHARED: u64 = 0;

pub(crate) struct Windows {
    places: [Window; PLACES],
    kept: [Kept; PLACES],
    pages: Box<[KnownPage; PAGES]>,
    slot_bits: u32,
    /// The bytes of an address.
    word: u64,
    /// How often all pages were forgotten, and one more.
    epoch: u64,
    /// How often windows were forgotten, and one more.
    round: u64,
    /// The same for disowning them, when what they show came to be shared.
    own_round: u64,
    /// Of the memory that the windows show: what is known of its changes.
    lineage: u64,
    copies: u64,
    count: u64,
}

impl Windows {
    pub(crate) fn new(layout: Layout) -> Windows {
        Windows {
            places: [Window::NONE; PLACES],
            kept: [Kept::NONE; PLACES],
            pages: Box::new([KnownPage::NONE; PAGES]),
            epoch: 1,
            slot_bits: layout.slot_bits,
            word: layout.word(),
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
        self.epoch += 1;
        if self.lineage != changes.lineage || changes.count - self.count > REMEMBERED as u64 {
            self.round += 1;
            self.places = [Window::NONE; PLACES];
        } else {
            for count in self.count..changes.count {
                let slot = changes.last[count as usize % REMEMBERED];
                let place = slot as usize % PLACES;
                if self.kept[place].slot == slot {
                    self.forget(place);
                }
            }
        }
        if self.copies != changes.copies.get() {
            self.own_round += 1;
            self.places.iter_mut().for_each(|window| window.writable = 0);
        }
        (self.lineage, self.copies, self.count) = (changes.lineage, changes.copies.get(), changes.count);
    }

    fn forget(&mut self, place: usize) {
        self.places[place] = Window::NONE;
        self.kept[place].round = 0;
    }

    #[inline(always)]
    fn place(&self, address: u64) -> usize {
        (address >> self.slot_bits) as usize % PLACES
    }

    /// The number in eight bytes at `address`, if a window shows them.
    #[inline(always)]
    pub(crate) fn read(&self, address: u64) -> Option<u64> {
        let window = &self.places[self.place(address)];
        let offset = address.wrapping_sub(window.address);
        // SAFETY: windows are forgotten before memory changes otherwise, and the bytes are inside
        // of one.
        (offset < u64::from(window.readable))
            .then(|| u64::from_le(unsafe { window.bytes.add(offset as usize).cast::<u64>().read_unaligned() }))
    }

    /// The same, if besides no address is in the window.
    #[inline(always)]
    pub(crate) fn read_number(&self, address: u64) -> Option<u64> {
        let window = &self.places[self.place(address)];
        let offset = address.wrapping_sub(window.address);
        // SAFETY: as for `read`; there are no more bytes without addresses than bytes.
        (offset < u64::from(window.without_addresses))
            .then(|| u64::from_le(unsafe { window.bytes.add(offset as usize).cast::<u64>().read_unaligned() }))
    }

    /// Writes a number of `1 <= len <= 8` bytes, if a window shows eight there and they are the
    /// state's own.
    #[inline(always)]
    pub(crate) fn write(&mut self, memory: &Memory, address: u64, number: u64, len: u64) -> bool {
        let place = self.place(address);
        let window = &mut self.places[place];
        let offset = address.wrapping_sub(window.address);
        if offset >= u64::from(window.writable) {
            return false;
        }
        let word = memory.layout.word();
        if window.without_addresses == 0 && (offset | len) & (word - 1) != 0 {
            let first = offset & !(word - 1);
            // SAFETY: as above; windows begin where words do.
            let before = unsafe { window.bytes.add(first as usize).cast::<u64>().read_unaligned() };
            let before = if word == 8 { before } else { before & 0xffff_ffff };
            if offset - first + len > word || memory.may_be_address(before) {
                return false;
            }
        }
        let bytes_of_number = number.to_le_bytes();
        // SAFETY: as for `read`; no other state has these bytes, and nobody else holds a reference
        // to them.
        unsafe {
            let bytes = window.bytes.add(offset as usize);
            match len {
                8 => bytes.cast::<[u8; 8]>().write(bytes_of_number),
                4 => bytes.cast::<[u8; 4]>().write((number as u32).to_le_bytes()),
                1 => *bytes = number as u8,
                _ => std::ptr::copy_nonoverlapping(bytes_of_number.as_ptr(), bytes, len as usize),
            }
        }
        if window.without_addresses > 0 {
            let end = (offset & 7) + len;
            // SAFETY: as above; eight bytes from the offset on are in the window.
            let highest = || unsafe { *window.bytes.add((offset | 7) as usize) };
            let may_be_made = match word {
                8 if end < 8 => may_be_highest(highest()),
                8 if end == 8 => may_be_highest((number >> (8 * (len - 1))) as u8),
                _ => true,
            };
            if may_be_made {
                self.look_for_address(&memory.used_slots(), address, len);
            }
        }
        true
    }

    /// Something was written to a window: is there an address now?
    #[cold]
    #[inline(never)]
    fn look_for_address(&mut self, addresses: &UsedSlots, address: u64, len: u64) {
        let (place, page) = (self.place(address), self.page_place(address));
        let window = &mut self.places[place];
        let offset = address.wrapping_sub(window.address) as usize;
        // SAFETY: as for `read`; the window has so many bytes.
        let bytes = unsafe { std::slice::from_raw_parts(window.bytes, self.kept[place].len as usize) };
        if has_address(addresses, bytes, offset, len as usize) {
            window.without_addresses = 0;
            self.kept[place].has_numbers_only = false;
            self.pages[page].has_numbers_only = false;
        }
    }

    #[inline(always)]
    fn page_place(&self, address: u64) -> usize {
        (address / PAGE as u64 + 37 * (address >> self.slot_bits)) as usize % PAGES
    }

    /// Shows `len` bytes at an address again if they are in a known page: where they are.
    #[inline(always)]
    fn take_up_page(&mut self, address: u64, len: u64) -> Option<*mut u8> {
        let page = self.pages[self.page_place(address)];
        let offset = address.wrapping_sub(page.address);
        if page.epoch != self.epoch || offset >= page.len || len > page.len - offset {
            return None;
        }
        self.show(page.object, page.address, page.bytes, page.len, page.own_round, page.has_numbers_only);
        // SAFETY: the offset is inside of the page.
        Some(unsafe { page.bytes.add(offset as usize) })
    }

    fn show(
        &mut self,
        object: *const Object,
        address: u64,
        bytes: *mut u8,
        len: u64,
        own_round: u64,
        has_numbers_only: bool,
    ) {
        let (place, slot) = (self.place(address), address >> self.slot_bits);
        let readable = u32::try_from((len + 1).saturating_sub(NUMBER)).unwrap_or(u32::MAX);
        let writable = if own_round == self.own_round { readable } else { 0 };
        let without_addresses = if has_numbers_only { readable } else { 0 };
        self.places[place] = Window { address, readable, writable, without_addresses, bytes };
        self.kept[place] = Kept { slot, object, len, round: self.round, own_round, looks: 0, has_numbers_only };
    }

    /// Keeps what is around some bytes of an object.
    fn keep(&mut self, object: &Object, start: usize, bytes: *mut u8, len: usize, own_round: u64) {
        let last = object.base + object.size.saturating_sub(1);
        let slot = object.base >> self.slot_bits;
        if slot == last >> self.slot_bits {
            let (address, len) = (object.base + start as u64, len as u64);
            self.show(object, address, bytes, len, own_round, (1..self.word).contains(&len));
            if object.size > PAGE as u64 && address.is_multiple_of(PAGE as u64) && len > 0 {
                let page =
                    KnownPage { address, bytes, len, object, own_round, epoch: self.epoch, has_numbers_only: false };
                self.pages[self.page_place(address)] = page;
            }
        }
    }

    /// What is kept of the object at an address, and where the window has the `len` bytes there, if
    /// it shows all of them.
    #[inline(always)]
    fn known(&self, address: u64, len: u64) -> Option<(&Kept, Option<*mut u8>)> {
        let place = self.place(address);
        let kept = &self.kept[place];
        if kept.round != self.round || kept.slot != address >> self.slot_bits {
            return None;
        }
        let window = &self.places[place];
        let offset = address.wrapping_sub(window.address);
        let is_inside = offset < kept.len && len <= kept.len - offset;
        // SAFETY: the offset is inside of the window.
        Some((kept, is_inside.then(|| unsafe { window.bytes.add(offset as usize) })))
    }

    /// The number in `1 <= len <= 8` bytes at `address`, if they are plain memory. Keeps what is
    /// around them.
    #[inline(never)]
    pub(crate) fn load(&mut self, memory: &Memory, address: u64, len: u64) -> Option<u64> {
        self.find(memory, address, len)
    }

    #[inline(always)]
    fn find(&mut self, memory: &Memory, address: u64, len: u64) -> Option<u64> {
        let known = self.known(address, len).map(|(kept, bytes)| (kept.object, bytes));
        let shown = known.and_then(|(_, bytes)| bytes).or_else(|| self.take_up_page(address, len));
        if let Some(bytes) = shown {
            // SAFETY: as for `read`.
            return Some(number_of(unsafe { std::slice::from_raw_parts(bytes, len as usize) }));
        }
        let is_known = known.is_some();
        let object: &Object = match known {
            // SAFETY: windows are forgotten before the object goes away, and as long as the memory
            // is borrowed, it stays.
            Some((object, _)) => unsafe { &*object },
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
                return Some(number_of(number));
            }
            None if !is_known => self.keep(object, 0, std::ptr::null_mut(), 0, SHARED),
            None => {}
        }
        object.contents.read_number(offset as usize, len as usize)
    }

    /// The same for bytes that may not be a part of an address. After many looks at a window all of
    /// it is searched for addresses.
    #[inline(never)]
    pub(crate) fn load_number(&mut self, memory: &Memory, address: u64, len: u64) -> Option<u64> {
        if let Some((kept, Some(bytes))) = self.known(address, len)
            && kept.has_numbers_only
        {
            // SAFETY: as for `read`.
            return Some(number_of(unsafe { std::slice::from_raw_parts(bytes, len as usize) }));
        }
        let number = self.find(memory, address, len)?;
        let Some((kept, shown)) = self.known(address, len) else {
            return is_number(memory, memory.object(address)?, address, len).then_some(number);
        };
        if shown.is_none() {
            // SAFETY: as for `find`.
            return is_number(memory, unsafe { &*kept.object }, address, len).then_some(number);
        }
        if kept.has_numbers_only {
            return Some(number);
        }
        let place = self.place(address);
        let (window, kept) = (&mut self.places[place], &mut self.kept[place]);
        let offset = address.wrapping_sub(window.address) as usize;
        // SAFETY: as for `read`; the window has so many bytes.
        let bytes = unsafe { std::slice::from_raw_parts(window.bytes, kept.len as usize) };
        if has_address(&memory.used_slots(), bytes, offset, len as usize) {
            return None;
        }
        kept.looks = kept.looks.wrapping_add(1);
        if kept.looks.is_multiple_of(MANY_LOOKS)
            && bytes.chunks_exact(self.word as usize).all(|bytes| !memory.may_be_address(number_of(bytes)))
        {
            kept.has_numbers_only = true;
            window.without_addresses = window.readable;
            let address = window.address;
            let page = &mut self.pages[self.page_place(address)];
            page.has_numbers_only |= page.address == address;
        }
        Some(number)
    }

    /// Writes a number of `1 <= len <= 8` bytes, if the memory there can be written to and is no
    /// address of which they are a part. With `keep`, keeps what is around them.
    #[inline(never)]
    pub(crate) fn store(&mut self, memory: &mut Memory, address: u64, number: u64, len: u64, keep: bool) -> bool {
        let number = number.to_le_bytes();
        let addresses = memory.used_slots();
        if !matches!(self.known(address, len), Some((_, Some(_)))) {
            self.take_up_page(address, len);
        }
        if let Some((kept, Some(bytes))) = self.known(address, len)
            && kept.own_round == self.own_round
        {
            let place = self.place(address);
            let (window, window_len, len) = (self.places[place], kept.len as usize, len as usize);
            let offset = address.wrapping_sub(window.address) as usize;
            // SAFETY: as for `write`; the window has so many bytes.
            let shown = || unsafe { std::slice::from_raw_parts(window.bytes, window_len) };
            if !kept.has_numbers_only && tears_address(&addresses, shown(), offset, len) {
                return false;
            }
            // SAFETY: as for `write`.
            unsafe { std::ptr::copy_nonoverlapping(number.as_ptr(), bytes, len) };
            if window_len as u64 >= self.word {
                self.look_for_address(&addresses, address, len as u64);
            }
            return true;
        }
        self.forget(self.place(address));
        let Some(object) = memory.object_behind_window(address) else { return false };
        let offset = address.wrapping_sub(object.base);
        let is_inside = offset <= object.size && len <= object.size - offset;
        let slot = object.base >> self.slot_bits;
        if object.size > PAGE as u64 {
            let place = self.page_place(address);
            let page = &mut self.pages[place];
            // What was known of the object's pages is about one that this is a copy of; or two
            // pages change.
            let is_copy = page.epoch != self.epoch || !std::ptr::eq(page.object, object);
            self.epoch += u64::from(is_copy || offset % PAGE as u64 + len > PAGE as u64);
            page.epoch = 0;
        }
        let (offset, len) = (offset as usize, len as usize);
        let is_writable = is_inside && object.size_term.is_none() && !object.read_only;
        let number = &number[..len];
        let window = is_writable.then(|| write_number(&addresses, &mut object.contents, offset, number)).flatten();
        let Some((start, bytes, len)) = window else {
            // It may be a copy, and the window on what it was copied from is in another place if
            // the object has several slots.
            memory.changes.at(slot);
            return false;
        };
        if keep {
            self.keep(object, start, bytes, len, self.own_round);
        }
        true
    }
}

/// Can none of the words of an object that `len` bytes at an address are in be an address?
fn is_number(memory: &Memory, object: &Object, address: u64, len: u64) -> bool {
    let word = memory.layout.word() as usize;
    let offset = address.wrapping_sub(object.base) as usize;
    let mut words = (offset - offset % word..offset + len as usize).step_by(word);
    words.all(|at| {
        at + word > object.contents.size()
            || match object.contents.read_number(at, word) {
                Some(number) => !memory.may_be_address(number),
                None => object.contents.any_uninit(at, word),
            }
    })
}

/// Writes a number unless it would tear an address apart: the bytes around it that are kept
/// together, none if they are not plain.
#[inline(always)]
fn write_number(
    addresses: &UsedSlots,
    contents: &mut Contents,
    offset: usize,
    number: &[u8],
) -> Option<(usize, *mut u8, usize)> {
    if let Some((start, bytes)) = contents.plain_window_mut(offset)
        && offset - start + number.len() <= bytes.len()
    {
        if tears_address(addresses, bytes, offset - start, number.len()) {
            return None;
        }
        bytes[offset - start..][..number.len()].copy_from_slice(number);
        return Some((start, bytes.as_mut_ptr(), bytes.len()));
    }
    if may_tear_address(addresses, contents, offset, number.len()) {
        return None;
    }
    contents.write_bytes(offset, number);
    let window = contents.plain_window_mut(offset);
    Some(window.map_or((0, std::ptr::null_mut(), 0), |(start, bytes)| (start, bytes.as_mut_ptr(), bytes.len())))
}

/// Could an address be in a window of which `len` bytes are a part only?
#[inline(always)]
fn tears_address(addresses: &UsedSlots, window: &[u8], offset: usize, len: usize) -> bool {
    !(offset | len).is_multiple_of(addresses.layout.word() as usize) && has_address(addresses, window, offset, len)
}

/// The same in an object whose bytes are not all concrete.
fn may_tear_address(addresses: &UsedSlots, contents: &Contents, offset: usize, len: usize) -> bool {
    let word = addresses.layout.word() as usize;
    if (offset | len).is_multiple_of(word) {
        return false;
    }
    let words = (offset - offset % word..offset + len).step_by(word);
    words.filter(|at| at + word <= contents.size()).any(|at| {
        match (contents.read_number(at, word), contents.byte(at)) {
            (Some(number), _) => addresses.contain(number),
            (None, Byte::Backed) => true,
            (None, Byte::Symbolic(term, index)) => {
                (1..word).all(|k| contents.byte(at + k) == Byte::Symbolic(term, index + k as u32))
            }
            (None, Byte::Concrete(_) | Byte::Torn(_) | Byte::Uninit) => false,
        }
    })
}

/// Could one of the words that `len` bytes of a window are in be an address? Windows begin where
/// words do.
#[inline(always)]
fn has_address(addresses: &UsedSlots, window: &[u8], offset: usize, len: usize) -> bool {
    let word = addresses.layout.word() as usize;
    let first = offset & !(word - 1);
    match window.get(first..first + 8) {
        Some(bytes) if word == 8 && offset + len <= first + 8 => addresses.contain(number_of(bytes)),
        _ => {
            let words = window[first..].chunks_exact(word).take((offset - first + len).div_ceil(word));
            words.into_iter().any(|bytes| addresses.contain(number_of(bytes)))
        }
    }
}

/// The number in at most eight bytes.
#[inline(always)]
fn number_of(bytes: &[u8]) -> u64 {
    match *bytes {
        [byte] => byte as u64,
        [a, b, c, d] => u32::from_le_bytes([a, b, c, d]) as u64,
        [a, b, c, d, e, f, g, h] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => {
            let mut all = [0; 8];
            all[..bytes.len()].copy_from_slice(bytes);
            u64::from_le_bytes(all)
        }
    }
}
