//! The contents of one memory object: concrete bytes, a symbolic overlay, what is not initialised
//! yet, and, after a write at a symbolic offset, a backing array.
//!
//! A byte is in exactly one of five conditions, in this order of precedence:
//! 1. *uninitialised*: its bit in the page's `uninit` mask is set;
//! 2. *symbolic*: its overlay entry names byte `index` of a term;
//! 3. *backed*: its overlay entry is [`SymByte::BACKED`], its value is the backing array's at that
//!    offset, or a part of the cell there;
//! 4. *torn*: its overlay entry is [`SymByte::TORN`], its number is that of a byte of an address of
//!    which others were overwritten;
//! 5. *concrete* otherwise.
//!
//! Objects of up to [`PAGE`] bytes are one page; larger ones are paged, and a page that was never
//! written is absent: all of its bytes are what the object's *blank* is. So a large allocation
//! costs nothing until it is used, filling or backing all of an object costs nothing either, and a
//! write after a fork copies one page.

use crate::memory::cells::Cells;
use espalier_base::persist::Radix;
use espalier_expr::{ARRAY_PAGE, ArrayId, Term};
use smallvec::SmallVec;
use std::iter::repeat;
use std::rc::Rc;

/// Bytes in a page of a large object: as in arrays, which are made of them.
pub const PAGE: usize = ARRAY_PAGE;

/// An overlay entry: byte `index` (0 is the least significant) of a term.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct SymByte {
    raw: u32,
    index: u32,
}

impl SymByte {
    pub const CONCRETE: SymByte = SymByte { raw: 0, index: 0 };
    pub const BACKED: SymByte = SymByte { raw: u32::MAX, index: 0 };
    pub const TORN: SymByte = SymByte { raw: u32::MAX - 1, index: 0 };

    pub fn of(term: Term, index: u32) -> SymByte {
        SymByte { raw: term.raw(), index }
    }
}

/// One byte, as read.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Byte {
    Concrete(u8),
    /// Byte `.1` of term `.0`.
    Symbolic(Term, u32),
    Backed,
    /// What is left of an address: a number that differs from run to run.
    Torn(u8),
    Uninit,
}

impl Byte {
    pub fn as_concrete(&self) -> Option<u8> {
        match self {
            Byte::Concrete(value) => Some(*value),
            _ => None,
        }
    }
}

/// Bytes that are next to each other.
pub enum Run<'a> {
    Numbers(&'a [u8]),
    /// So many that are the same.
    Same(Byte, usize),
}

/// A set of byte positions of a page.
type Mask = SmallVec<[u64; 1]>;

#[derive(Debug)]
pub struct Page {
    bytes: SmallVec<[u8; 16]>,
    overlay: Option<Box<[SymByte]>>,
    uninit: Option<Mask>,
}

// `SmallVec` would copy itself byte by byte.
impl Clone for Page {
    fn clone(&self) -> Page {
        Page {
            bytes: SmallVec::from_slice(&self.bytes),
            overlay: self.overlay.clone(),
            uninit: self.uninit.as_ref().map(|mask| SmallVec::from_slice(mask)),
        }
    }
}

fn full_mask(len: usize) -> Mask {
    SmallVec::from_elem(u64::MAX, len.div_ceil(64).max(1))
}

impl Page {
    fn filled(len: usize, byte: Byte) -> Page {
        let (value, entry) = match byte {
            Byte::Concrete(value) => (value, SymByte::CONCRETE),
            Byte::Symbolic(term, index) => (0, SymByte::of(term, index)),
            Byte::Backed => (0, SymByte::BACKED),
            Byte::Torn(value) => (value, SymByte::TORN),
            Byte::Uninit => (0, SymByte::CONCRETE),
        };
        Page {
            bytes: SmallVec::from_elem(value, len),
            overlay: (entry != SymByte::CONCRETE).then(|| vec![entry; len].into()),
            uninit: (byte == Byte::Uninit && len > 0).then(|| full_mask(len)),
        }
    }

    /// The bytes as numbers, if they are that.
    pub fn plain_bytes(&self) -> Option<&[u8]> {
        self.is_plain().then_some(&self.bytes[..])
    }

    pub fn bytes(&self) -> impl Iterator<Item = Byte> + '_ {
        (0..self.bytes.len()).map(|at| self.byte(at))
    }

    /// Visits the first `len` bytes.
    fn for_each_run<'a>(&'a self, len: usize, visit: &mut impl FnMut(Run<'a>)) {
        match self.plain_bytes() {
            Some(bytes) => visit(Run::Numbers(&bytes[..len])),
            None => self.bytes().take(len).for_each(|byte| visit(Run::Same(byte, 1))),
        }
    }

    fn uninitialised(&self) -> usize {
        let len = self.bytes.len();
        self.uninit.as_ref().map_or(0, |_| (0..len).filter(|&at| self.any_uninit(at, 1)).count())
    }

    /// Only concrete, initialised bytes?
    #[inline(always)]
    fn is_plain(&self) -> bool {
        self.overlay.is_none() && self.uninit.is_none()
    }

    fn any_uninit(&self, at: usize, len: usize) -> bool {
        let Some(mask) = &self.uninit else { return false };
        if at / 64 == (at + len - 1) / 64 && len < 64 {
            return mask[at / 64] >> (at % 64) & ((1 << len) - 1) != 0;
        }
        (at..at + len).any(|i| mask[i / 64] >> (i % 64) & 1 != 0)
    }

    fn set_initialised(&mut self, at: usize, len: usize) {
        let page_len = self.bytes.len();
        let Some(mask) = &mut self.uninit else { return };
        if len == page_len {
            self.uninit = None;
            return;
        }
        if at / 64 == (at + len - 1) / 64 && len < 64 {
            mask[at / 64] &= !(((1 << len) - 1) << (at % 64));
        } else {
            for i in at..at + len {
                mask[i / 64] &= !(1 << (i % 64));
            }
        }
        // A page whose last byte is written is often complete: then its reads get cheaper.
        if at + len == page_len {
            let complete = mask.iter().enumerate().all(|(word, &bits)| {
                let valid = page_len - word * 64;
                bits & if valid >= 64 { u64::MAX } else { (1 << valid) - 1 } == 0
            });
            if complete {
                self.uninit = None;
            }
        }
    }

    /// The number stored in `len <= 8` bytes, if all of them are concrete.
    #[inline(always)]
    fn read_number(&self, at: usize, len: usize) -> Option<u64> {
        if !self.is_plain() && !self.is_concrete(at, len) {
            return None;
        }
        let bytes = &self.bytes[at..at + len];
        Some(match len {
            1 => bytes[0] as u64,
            2 => u16::from_le_bytes([bytes[0], bytes[1]]) as u64,
            4 => u32::from_le_bytes(bytes.try_into().ok()?) as u64,
            8 => u64::from_le_bytes(bytes.try_into().ok()?),
            _ => {
                let mut all = [0; 8];
                all[..len].copy_from_slice(bytes);
                u64::from_le_bytes(all)
            }
        })
    }

    #[inline(never)]
    fn is_concrete(&self, at: usize, len: usize) -> bool {
        !self.any_uninit(at, len)
            && self.overlay.as_ref().is_none_or(|overlay| overlay[at..at + len].iter().all(|&b| b == SymByte::CONCRETE))
    }

    #[inline(always)]
    fn write_bytes(&mut self, at: usize, bytes: &[u8]) {
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
        if !self.is_plain() {
            self.mark_concrete(at, bytes.len());
        }
    }

    #[inline(never)]
    fn mark_concrete(&mut self, at: usize, len: usize) {
        if let Some(overlay) = &mut self.overlay {
            overlay[at..at + len].fill(SymByte::CONCRETE);
        }
        self.set_initialised(at, len);
    }

    fn byte(&self, at: usize) -> Byte {
        if self.any_uninit(at, 1) {
            return Byte::Uninit;
        }
        match self.overlay.as_ref().map_or(SymByte::CONCRETE, |overlay| overlay[at]) {
            SymByte::CONCRETE => Byte::Concrete(self.bytes[at]),
            SymByte::BACKED => Byte::Backed,
            SymByte::TORN => Byte::Torn(self.bytes[at]),
            SymByte { raw, index } => match Term::from_raw(raw) {
                Some(term) => Byte::Symbolic(term, index),
                None => Byte::Concrete(self.bytes[at]),
            },
        }
    }

    fn set_byte(&mut self, at: usize, byte: Byte) {
        let entry = match byte {
            Byte::Concrete(value) => {
                self.bytes[at] = value;
                SymByte::CONCRETE
            }
            Byte::Symbolic(term, index) => SymByte::of(term, index),
            Byte::Backed => SymByte::BACKED,
            Byte::Torn(value) => {
                self.bytes[at] = value;
                SymByte::TORN
            }
            Byte::Uninit => {
                let len = self.bytes.len();
                let mask = self.uninit.get_or_insert_with(|| SmallVec::from_elem(0, len.div_ceil(64).max(1)));
                mask[at / 64] |= 1 << (at % 64);
                return;
            }
        };
        if entry != SymByte::CONCRETE && self.overlay.is_none() {
            self.overlay = Some(vec![SymByte::CONCRETE; self.bytes.len()].into());
        }
        if let Some(overlay) = &mut self.overlay {
            overlay[at] = entry;
        }
        if self.uninit.is_some() {
            self.set_initialised(at, 1);
        }
    }
}

/// The first byte that differs, and how many there are from it to the last one.
fn difference(a: impl Iterator<Item = Byte>, b: impl Iterator<Item = Byte>) -> Option<(usize, usize)> {
    let mut differing = a.zip(b).enumerate().filter(|(_, (a, b))| a != b).map(|(at, _)| at);
    let first = differing.next()?;
    Some((first, differing.last().unwrap_or(first) + 1 - first))
}

#[derive(Clone)]
enum Store {
    Small(Page),
    /// All bytes of absent pages are `blank`.
    Paged {
        pages: Radix<Rc<Page>>,
        len: usize,
        blank: Byte,
    },
}

impl Store {
    fn filled(len: usize, byte: Byte) -> Store {
        match len <= PAGE {
            true => Store::Small(Page::filled(len, byte)),
            false => Store::Paged { pages: Radix::default(), len, blank: byte },
        }
    }
}

/// The bytes of one object.
#[derive(Clone)]
pub struct Contents {
    store: Store,
    /// The array that backed bytes are read from.
    pub backing: Option<ArrayId>,
    /// The cells that they are read from, if there is no such array.
    cells: Option<Rc<Cells>>,
}

impl Contents {
    pub fn new(len: u64, initialised: bool) -> Contents {
        let len = usize::try_from(len).expect("object sizes are limited by the address layout");
        Contents {
            store: Store::filled(len, if initialised { Byte::Concrete(0) } else { Byte::Uninit }),
            backing: None,
            cells: None,
        }
    }

    /// Makes every byte the same.
    pub fn fill(&mut self, byte: Byte) {
        *self = Contents { store: Store::filled(self.size(), byte), backing: None, cells: None };
    }

    /// Has every byte read from an array.
    pub fn back_with(&mut self, array: ArrayId) {
        self.fill(Byte::Backed);
        self.backing = Some(array);
    }

    /// Has every byte read from cells.
    pub fn back_with_cells(&mut self, cells: Rc<Cells>) {
        self.fill(Byte::Backed);
        self.cells = Some(cells);
    }

    pub fn cells(&self) -> Option<&Rc<Cells>> {
        self.cells.as_ref()
    }

    /// May bytes be backed, so that they mean nothing without the rest of the object?
    pub fn is_backed(&self) -> bool {
        self.backing.is_some() || self.cells.is_some()
    }

    /// What bytes in absent pages are.
    pub fn blank(&self) -> Byte {
        match self.store {
            Store::Small(_) => Byte::Concrete(0),
            Store::Paged { blank, .. } => blank,
        }
    }

    /// Visits the pages that are there, from number `first` to number `last`, in order.
    pub fn for_each_page(&self, first: usize, last: usize, mut visit: impl FnMut(usize, &Rc<Page>)) {
        if let Store::Paged { pages, .. } = &self.store {
            pages.for_each_in(first as u64, last as u64, |number, page| visit(number as usize, page));
        }
    }

    /// Visits ranges of bytes outside of which two objects of the same size are the same.
    pub fn for_each_difference(&self, other: &Contents, mut visit: impl FnMut(usize, usize)) {
        match (&self.store, &other.store) {
            _ if self.backing != other.backing || self.cells != other.cells => visit(0, self.size()),
            (Store::Small(page), Store::Small(others)) => {
                if let Some((first, len)) = difference(page.bytes(), others.bytes()) {
                    visit(first, len);
                }
            }
            (Store::Paged { pages, blank, .. }, Store::Paged { pages: others, blank: other_blank, .. })
                if blank == other_blank =>
            {
                pages.for_each_difference(others, |number, found| {
                    let found = match found {
                        [Some(one), Some(other)] => difference(one.bytes(), other.bytes()),
                        [Some(one), None] | [None, Some(one)] => difference(one.bytes(), repeat(*blank)),
                        [None, None] => None,
                    };
                    if let Some((first, len)) = found {
                        visit(number as usize * PAGE + first, len);
                    }
                });
            }
            _ => visit(0, self.size()),
        }
    }

    /// Visits all bytes in order, many at a time where they are alike.
    pub fn for_each_run<'a>(&'a self, mut visit: impl FnMut(Run<'a>)) {
        match &self.store {
            Store::Small(page) => page.for_each_run(page.bytes.len(), &mut visit),
            Store::Paged { pages, len, blank } => {
                let mut at = 0;
                pages.for_each_in(0, u64::MAX, |number, page| {
                    let first = number as usize * PAGE;
                    visit(Run::Same(*blank, first - at));
                    at = (first + PAGE).min(*len);
                    page.for_each_run(at - first, &mut visit);
                });
                visit(Run::Same(*blank, len - at));
            }
        }
    }

    /// Was one of these bytes never written, while the others are numbers?
    pub fn is_partly_unwritten(&self, offset: usize, len: usize) -> bool {
        let mut bytes = (offset..offset + len).map(|at| self.byte(at));
        let is_number = |byte: Byte| matches!(byte, Byte::Uninit | Byte::Concrete(_));
        bytes.clone().all(is_number) && bytes.any(|byte| byte == Byte::Uninit)
    }

    /// The page of a small object.
    pub fn only_page(&self) -> Option<&Page> {
        match &self.store {
            Store::Small(page) => Some(page),
            Store::Paged { .. } => None,
        }
    }

    /// How many bytes of the pages from `first` to `last` are in pages that are there.
    pub fn written(&self, first: usize, last: usize) -> usize {
        match &self.store {
            Store::Small(page) => page.bytes.len(),
            Store::Paged { pages, .. } if pages.count() <= last - first => pages.count() * PAGE,
            Store::Paged { .. } => {
                let mut count = 0;
                self.for_each_page(first, last, |_, _| count += PAGE);
                count
            }
        }
    }

    /// The pages from `first` to `last` that have uninitialised bytes, those that are there.
    pub fn uninitialised_pages(&self, first: usize, last: usize) -> Vec<usize> {
        let mut found = Vec::new();
        self.for_each_page(first, last, |number, page| {
            if page.uninitialised() > 0 {
                found.push(number);
            }
        });
        found
    }

    /// A page of a large object to be shared: `None` if it is absent.
    pub fn page(&self, number: usize) -> Option<&Rc<Page>> {
        match &self.store {
            Store::Small(_) => None,
            Store::Paged { pages, .. } => pages.get(number as u64),
        }
    }

    /// Shares a whole page with another large object, or lets it be absent.
    pub fn set_page(&mut self, number: usize, page: Option<Rc<Page>>) {
        if let Store::Paged { pages, .. } = &mut self.store {
            match page {
                Some(page) => pages.insert(number as u64, page),
                None => drop(pages.remove(number as u64)),
            }
        }
    }

    /// A page for [`Contents::set_page`] whose bytes are all the same.
    pub fn filled_page(byte: Byte) -> Rc<Page> {
        Rc::new(Page::filled(PAGE, byte))
    }

    pub fn size(&self) -> usize {
        match &self.store {
            Store::Small(page) => page.bytes.len(),
            Store::Paged { len, .. } => *len,
        }
    }

    /// The number in `len <= 8` bytes at `at`, if they are concrete and in one page.
    #[inline(always)]
    pub fn read_number(&self, at: usize, len: usize) -> Option<u64> {
        match &self.store {
            Store::Small(page) => page.read_number(at, len),
            Store::Paged { pages, .. } => {
                let within = at % PAGE;
                if within + len > PAGE {
                    return None;
                }
                pages.get((at / PAGE) as u64)?.read_number(within, len)
            }
        }
    }

    /// Does something hold of a word of `len` bytes at one of the offsets from `first` up to `end`,
    /// every `step`? It is given as a number where it is one. Pages that are absent are left out.
    pub fn any_word(
        &self,
        len: usize,
        (first, end, step): (usize, usize, usize),
        mut holds: impl FnMut(usize, Option<u64>) -> bool,
    ) -> bool {
        match &self.store {
            Store::Small(_) => (first..end).step_by(step).any(|at| holds(at, self.read_number(at, len))),
            Store::Paged { .. } if end <= first => false,
            Store::Paged { .. } => {
                let mut is_found = false;
                self.for_each_page(first / PAGE, (end - 1) / PAGE, |number, page| {
                    let skipped = (number * PAGE).saturating_sub(first).next_multiple_of(step);
                    let mut places = (first + skipped..end.min((number + 1) * PAGE)).step_by(step);
                    is_found = is_found
                        || places.any(|at| {
                            let within = at % PAGE;
                            holds(at, if within + len > PAGE { None } else { page.read_number(within, len) })
                        });
                });
                is_found
            }
        }
    }

    /// Is any of the bytes from `first` up to `end` left of an address?
    pub fn any_torn(&self, first: usize, end: usize) -> bool {
        let is_torn = |page: &Page, start: usize| {
            let range = first.saturating_sub(start)..(end - start).min(page.bytes.len());
            page.overlay.as_ref().is_some_and(|overlay| overlay[range].contains(&SymByte::TORN))
        };
        match &self.store {
            _ if end <= first => false,
            Store::Small(page) => is_torn(page, 0),
            Store::Paged { .. } => {
                let mut is_found = false;
                self.for_each_page(first / PAGE, (end - 1) / PAGE, |number, page| {
                    is_found = is_found || is_torn(page, number * PAGE);
                });
                is_found
            }
        }
    }

    /// Is any of these bytes uninitialised?
    pub fn any_uninit(&self, at: usize, len: usize) -> bool {
        (at..at + len).any(|at| self.byte(at) == Byte::Uninit)
    }

    /// The bytes around `at` that are kept together with it, and where they begin, if all of them
    /// are concrete.
    pub fn plain_window(&self, at: usize) -> Option<(usize, &[u8])> {
        let (start, page) = match &self.store {
            Store::Small(page) => (0, page),
            Store::Paged { pages, .. } => (at / PAGE * PAGE, &**pages.get((at / PAGE) as u64)?),
        };
        page.is_plain().then(|| (start, &page.bytes[..]))
    }

    /// The same, to be written to.
    pub fn plain_window_mut(&mut self, at: usize) -> Option<(usize, &mut [u8])> {
        let start = if matches!(self.store, Store::Small(_)) { 0 } else { at / PAGE * PAGE };
        let page = self.page_mut(at);
        page.is_plain().then(|| (start, &mut page.bytes[..]))
    }

    /// Writes concrete bytes.
    #[inline(always)]
    pub fn write_bytes(&mut self, at: usize, bytes: &[u8]) {
        match &mut self.store {
            Store::Small(page) => page.write_bytes(at, bytes),
            Store::Paged { .. } => self.write_paged(at, bytes),
        }
    }

    fn write_paged(&mut self, mut at: usize, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let within = at % PAGE;
            let here = bytes.len().min(PAGE - within);
            self.page_mut(at).write_bytes(within, &bytes[..here]);
            at += here;
            bytes = &bytes[here..];
        }
    }

    fn page_mut(&mut self, at: usize) -> &mut Page {
        match &mut self.store {
            Store::Small(page) => page,
            Store::Paged { pages, len, blank } => {
                let number = (at / PAGE) as u64;
                if pages.get(number).is_none() {
                    let page_len = PAGE.min(*len - number as usize * PAGE);
                    pages.insert(number, Rc::new(Page::filled(page_len, *blank)));
                }
                Rc::make_mut(pages.get_mut(number).expect("the page was just made"))
            }
        }
    }

    pub fn byte(&self, at: usize) -> Byte {
        match &self.store {
            Store::Small(page) => page.byte(at),
            Store::Paged { pages, blank, .. } => match pages.get((at / PAGE) as u64) {
                Some(page) => page.byte(at % PAGE),
                None => *blank,
            },
        }
    }

    pub fn set_byte(&mut self, at: usize, byte: Byte) {
        let within = if matches!(self.store, Store::Small(_)) { at } else { at % PAGE };
        self.page_mut(at).set_byte(within, byte);
    }

    /// `len` concrete, initialised bytes at `at`, if they are that.
    pub fn concrete_bytes(&self, at: usize, len: usize) -> Option<Vec<u8>> {
        let mut out = Vec::with_capacity(len);
        let mut position = at;
        while out.len() < len {
            match &self.store {
                Store::Small(page) => {
                    if len > 0 && !page.is_plain() && !page.is_concrete(at, len) {
                        return None;
                    }
                    out.extend_from_slice(&page.bytes[at..at + len]);
                }
                Store::Paged { pages, blank, .. } => {
                    let within = position % PAGE;
                    let here = (len - out.len()).min(PAGE - within);
                    match pages.get((position / PAGE) as u64) {
                        Some(page) if page.is_plain() || page.is_concrete(within, here) => {
                            out.extend_from_slice(&page.bytes[within..within + here]);
                        }
                        Some(_) => return None,
                        None => match *blank {
                            Byte::Concrete(value) => out.resize(out.len() + here, value),
                            _ => return None,
                        },
                    }
                    position += here;
                }
            }
        }
        Some(out)
    }
}
