//! Reading and writing at an offset that is not a number: the contents of objects as arrays
//! (`Terms::read`, `Terms::array_store`).
//!
//! A read takes the part of the object that its offset can be in; a write moves the whole object
//! into an array, its *backing*. Arrays are made of the pages that were written, so an object of 4
//! GiB of which little was written takes little. Where much of it was, the offset's range under the
//! path condition is asked for, and if that is too large as well, the path is cut
//! (`--max-symbolic-reach`).
//!
//! Uninitialised bytes become unknown values that stay what they are, up to [`MOST_UNKNOWNS`] of
//! them at a time. Beyond that, every read gets an unknown value of its own: more behaviours than a
//! byte that is read twice has, never fewer.

use crate::interpreter::access::{Mode, Place};
use crate::interpreter::machine::{Interpreter, Machine};
use crate::interpreter::value::signed;
use crate::learning::NoInterpolant;
use crate::learning::arrays::{has_to_be_cells, note_width};
use crate::memory::object::{Byte, Contents, PAGE};
use crate::paths::cut::CutReason;
use crate::paths::state::State;
use crate::{End, Executor};
use espalier_expr::{ArrayByte, ArrayId, ArrayPage, Op, SymbolShape, Term};

/// Uninitialised bytes that are given values of their own.
const MOST_UNKNOWNS: usize = 1 << 16;

/// Reads that reach no more than this take exactly what is in reach, others whole pages.
const FEW: usize = 4096;

/// Written bytes in reach for which it is worth to ask for the offset's range.
const MANY: usize = 1 << 18;

/// A byte that is written over a backing becomes a store, which takes so many times as much as a
/// byte of a page.
const STORE: usize = 64;

impl<M: Machine> Interpreter<'_, M> {
    /// The range of an offset, if it is worth to know it; or the end of the path, if the access is
    /// too costly.
    pub(crate) fn reach(
        &mut self,
        state: &State,
        base: u64,
        offset: Term,
        mode: Mode,
    ) -> Result<Option<(u64, u64)>, End> {
        // Another state that a replay speaks for may have another range.
        let Some(object) = state.memory.object(base).filter(|_| M::FORKS) else { return Ok(None) };
        let pages = |low: u64, high: u64| {
            let last = (object.contents.size().max(1) - 1) / PAGE;
            ((low / PAGE as u64) as usize, ((high / PAGE as u64) as usize).min(last))
        };
        let cost = |(first, last): (usize, usize)| match (mode, object.contents.backing) {
            (Mode::Read, None) => object.contents.written(first, last),
            // The whole object takes part.
            (_, backing) => {
                let each = if backing.is_some() { STORE } else { 1 };
                each * object.contents.written(0, usize::MAX / PAGE)
            }
        };
        let (low, high) = self.terms.unsigned_range(offset);
        let mut range = None;
        let mut cost_of_all = cost(pages(low, high));
        if cost_of_all > MANY && mode == Mode::Read && object.contents.backing.is_none() {
            range = self.range_of(state, offset).ok();
            cost_of_all = range.map_or(cost_of_all, |(low, high)| cost(pages(low, high)));
        }
        if cost_of_all as u64 <= self.options.max_symbolic_reach {
            return Ok(range);
        }
        Err(self.limit(state, CutReason::SymbolicReach(self.options.max_symbolic_reach)))
    }

    pub(crate) fn read_symbolic(&mut self, state: &mut State, place: Place, offset: Term, len: usize) -> Term {
        let base = place.base;
        note_width(state, base, len as u32);
        if has_to_be_cells(state, base) {
            return self.unknown_bytes(state, len as u32);
        }
        let Some(object) = state.memory.object(base) else { return self.terms.constant(0, 8 * len.min(8) as u32) };
        let width = self.pointer_width();
        let size = object.contents.size();
        let (source, start) = if object.contents.backing.is_some() {
            (Source::Array(self.flush(state, base)), 0)
        } else {
            // Only the part of the object that the offset can be in takes part.
            let (low, high) = place.range.unwrap_or_else(|| self.terms.unsigned_range(offset));
            let low = (low as usize).min(size - len);
            let high = (high.min((size - len) as u64) as usize).max(low);
            let end = high + len;
            if end - low <= FEW {
                self.initialise(state, base, low, end - low);
                (Source::Array(self.snapshot(state, base, low, end - low)), low)
            } else {
                let (first, last) = (low / PAGE, (end - 1) / PAGE);
                self.initialise_pages(state, base, first, last);
                (Source::Pages { base, first, last }, first * PAGE)
            }
        };
        let start = self.terms.constant(start as u64, width);
        let index = self.terms.sub(offset, start);
        let mut result = None;
        let mut known = None;
        for k in 0..len as u64 {
            if self.is_stopped() {
                break;
            }
            let step = self.terms.constant(k, width);
            let at = self.terms.add(index, step);
            let array = known.unwrap_or_else(|| self.array_of(state, source));
            // With an unknown rest, every byte is read from an array of its own.
            let has_unknown_rest = matches!(self.terms.array_base_of(array).rest(), ArrayByte::Term(_));
            known = (!has_unknown_rest).then_some(array);
            let byte = self.terms.read(array, at);
            result = Some(result.map_or(byte, |low| self.terms.concat(byte, low)));
        }
        let read = result.unwrap_or_else(|| self.terms.constant(0, 8));
        self.terms.zext(read, 8 * len as u32)
    }

    fn array_of(&mut self, state: &mut State, source: Source) -> ArrayId {
        match source {
            Source::Array(array) => self.with_fresh_rest(state, array),
            Source::Pages { base, first, last } => self.snapshot_pages(state, base, first, last),
        }
    }

    /// An array whose rest is unknown, with another unknown in its place; any other array as it is.
    pub(crate) fn with_fresh_rest(&mut self, state: &mut State, array: ArrayId) -> ArrayId {
        match self.terms.array_base_of(array).rest() {
            ArrayByte::Concrete(_) => array,
            ArrayByte::Term(term) if !self.depends_on_unknown(term) => array,
            ArrayByte::Term(_) => {
                let rest = self.unknown_byte(state);
                self.terms.array_with_rest(array, ArrayByte::Term(rest))
            }
        }
    }

    /// Gives uninitialised bytes of the pages from `first` to `last` values, but for those in
    /// absent pages if these are many.
    fn initialise_pages(&mut self, state: &mut State, base: u64, first: usize, last: usize) {
        let Some(object) = state.memory.object(base) else { return };
        let size = object.contents.size();
        let range = |first: usize, last: usize| (first * PAGE, ((last + 1) * PAGE).min(size) - first * PAGE);
        let all = range(first, last);
        let is_replayed = !M::FORKS && !object.read_only;
        if is_replayed && all.1 > MOST_UNKNOWNS && M::refuses(self, NoInterpolant::LargeRead) {
            return;
        }
        if is_replayed || all.1 <= FEW {
            return self.initialise(state, base, all.0, all.1);
        }
        let absent = all.1.saturating_sub(object.contents.written(first, last));
        let pages = if object.contents.blank() != Byte::Uninit || absent > MOST_UNKNOWNS {
            object.contents.uninitialised_pages(first, last)
        } else {
            (first..=last).collect()
        };
        for page in pages {
            let (at, len) = range(page, page);
            self.initialise(state, base, at, len);
        }
    }

    /// An array of the bytes `at .. at + len` as they are now. None of them is uninitialised.
    fn snapshot(&mut self, state: &mut State, base: u64, at: usize, len: usize) -> ArrayId {
        let bytes = self.bytes_at(state, base, at, len);
        let bytes = self.array_bytes(state, base, at, bytes.into_iter());
        self.terms.array_base(bytes)
    }

    /// An array of the pages from `first` to `last`, in which only absent bytes may be
    /// uninitialised.
    fn snapshot_pages(&mut self, state: &mut State, base: u64, first: usize, last: usize) -> ArrayId {
        let Some(contents) = state.memory.object(base).map(|object| object.contents.clone()) else {
            return self.terms.array_base(Vec::new());
        };
        if contents.only_page().is_some() {
            return self.snapshot(state, base, 0, contents.size());
        }
        let rest = match contents.blank() {
            Byte::Concrete(value) | Byte::Torn(value) => ArrayByte::Concrete(value),
            Byte::Symbolic(term, index) => ArrayByte::Term(self.terms.extract(term, 8 * index, 8)),
            Byte::Uninit | Byte::Backed => ArrayByte::Term(self.unknown_byte(state)),
        };
        let mut found = Vec::new();
        contents.for_each_page(first, last, |number, page| found.push((number, page.clone())));
        let mut pages: Vec<(u64, ArrayPage)> = Vec::with_capacity(found.len());
        for (number, page) in found {
            let array_page = match page.plain_bytes() {
                Some(bytes) => self.terms.concrete_array_page(bytes),
                None => {
                    let bytes = self.array_bytes(state, base, number * PAGE, page.bytes());
                    self.terms.array_page(&bytes)
                }
            };
            pages.push(((number - first) as u64, array_page));
        }
        let len = ((last + 1) * PAGE).min(contents.size()) - first * PAGE;
        self.terms.array_of_pages(len as u64, rest, pages)
    }

    fn array_bytes(
        &mut self,
        state: &mut State,
        base: u64,
        at: usize,
        bytes: impl Iterator<Item = Byte>,
    ) -> Vec<ArrayByte> {
        let term = |(k, byte)| match byte {
            Byte::Concrete(value) => ArrayByte::Concrete(value),
            other => ArrayByte::Term(self.assemble(state, base, at + k, &[other])),
        };
        bytes.enumerate().map(term).collect()
    }

    /// Moves the whole object into its backing array and gives that.
    pub(crate) fn flush(&mut self, state: &mut State, base: u64) -> ArrayId {
        let Some(contents) = state.memory.object(base).map(|object| object.contents.clone()) else {
            return self.terms.array_base(Vec::new());
        };
        let last = (contents.size().max(1) - 1) / PAGE;
        self.initialise_pages(state, base, 0, last);
        let array = match contents.backing {
            None => self.snapshot_pages(state, base, 0, last),
            Some(array) => self.store_pages(state, base, array),
        };
        if let Some(object) = state.memory.object_mut(base) {
            object.contents.back_with(array);
        }
        array
    }

    /// The backing with what was written over it.
    fn store_pages(&mut self, state: &mut State, base: u64, mut array: ArrayId) -> ArrayId {
        let mut written: Vec<(usize, Byte)> = Vec::new();
        if let Some(object) = state.memory.object(base) {
            let mut add = |first: usize, bytes: &mut dyn Iterator<Item = Byte>| {
                written.extend(bytes.enumerate().map(|(k, byte)| (first + k, byte)));
            };
            let contents: &Contents = &object.contents;
            contents.only_page().into_iter().for_each(|page| add(0, &mut page.bytes()));
            contents.for_each_page(0, usize::MAX / PAGE, |number, page| add(number * PAGE, &mut page.bytes()));
        }
        let width = self.pointer_width();
        for (at, byte) in written {
            if byte == Byte::Backed {
                continue;
            }
            if self.is_stopped() {
                break;
            }
            let index = self.terms.constant(at as u64, width);
            let value = self.assemble(state, base, at, &[byte]);
            array = self.terms.array_store(array, index, value);
        }
        array
    }
}

impl Executor {
    /// `(n, r)`: an offset that is in bounds of an object is `r` modulo `n`, as that of a member of
    /// a structure in an array is.
    pub(crate) fn stride(&self, offset: Term) -> (u64, u64) {
        let (stride, start) = self.linear(offset);
        if stride == 0 { (1, 0) } else { (stride, start.rem_euclid(i128::from(stride)) as u64) }
    }

    /// The common divisor of what varies in a sum, and what does not, if nothing in it wraps
    /// around.
    fn linear(&self, term: Term) -> (u64, i128) {
        let node = self.terms.node(term);
        match (node.op, self.terms.as_u64(term)) {
            (_, Some(number)) => (0, i128::from(signed(number, self.terms.width(term)))),
            (Op::Add, _) => node.args().fold((0, 0), |(stride, start), arg| {
                let (other, more) = self.linear(arg);
                (gcd(stride, other), start + more)
            }),
            (Op::Mul | Op::Shl, _) => {
                let (factor, of) = match (self.terms.as_u64(node.arg(0)), self.terms.as_u64(node.arg(1))) {
                    (_, Some(by)) if node.op == Op::Shl && by < 32 => (1 << by, node.arg(0)),
                    (_, Some(factor)) if node.op == Op::Mul => (factor, node.arg(0)),
                    (Some(factor), _) if node.op == Op::Mul => (factor, node.arg(1)),
                    _ => return (1, 0),
                };
                let of = self.terms.node(of);
                let is_narrow = matches!(of.op, Op::SExt | Op::ZExt)
                    && self.terms.width(of.arg(0)) + 64 - factor.leading_zeros() < self.terms.width(term);
                // Powers of two divide what wraps around too.
                (if is_narrow { factor } else { 1 << factor.trailing_zeros().min(31) }, 0)
            }
            (Op::Concat, _) if self.terms.as_u64(node.arg(1)) == Some(0) => {
                (1 << self.terms.width(node.arg(1)).min(31), 0)
            }
            _ => (1, 0),
        }
    }

    /// A byte that can be anything.
    pub(crate) fn unknown_byte(&mut self, state: &mut State) -> Term {
        let symbol = self.unknown_symbol(state, 1, SymbolShape::Scalar);
        self.terms.var(symbol, 0)
    }
}

/// Where the bytes of a read come from.
#[derive(Copy, Clone)]
enum Source {
    Array(ArrayId),
    Pages { base: u64, first: usize, last: usize },
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
