//! Byte arrays: the contents of an object that is read or written at an index that is not constant.
//!
//! An array is a *base*, one value a byte, under a chain of stores. Arrays are interned like terms,
//! and like them an array's parts are always older than the array. Only bytes exist: a wider access
//! is that many reads, and the executor has already decided that it is in bounds.
//!
//! A base is sparse: pages, which are interned too, and a byte that fills the rest. So the contents
//! of an object of 4 GiB of which little was written take little, and what an object has in common
//! with itself before a write is there once. A read out of bounds gives the byte of the rest, so
//! that evaluation is total.

use crate::facts::Facts;
use crate::structural_hash::{Kind, Mixer, StructuralHash};
use crate::{Op, Term, Terms};
use std::rc::Rc;

/// An array of a [`Terms`] pool.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ArrayId(pub(crate) u32);

impl ArrayId {
    pub fn index(self) -> usize {
        self.0 as usize
    }

    pub fn from_index(index: usize) -> ArrayId {
        ArrayId(u32::try_from(index).expect("more than 2^32 arrays"))
    }
}

/// One byte of a base array.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum ArrayByte {
    Concrete(u8),
    /// A term of width 8 that is not a constant (constants are turned into `Concrete`).
    Term(Term),
}

/// Bytes in a page of a base array; the last one may have fewer.
pub const ARRAY_PAGE: usize = 256;

/// A page of a [`Terms`] pool.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct ArrayPage(u32);

#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum PageBytes {
    Concrete(Rc<[u8]>),
    /// With at least one term.
    Mixed(Rc<[ArrayByte]>),
}

impl PageBytes {
    fn get(&self, at: usize) -> Option<ArrayByte> {
        match self {
            PageBytes::Concrete(bytes) => bytes.get(at).map(|&byte| ArrayByte::Concrete(byte)),
            PageBytes::Mixed(bytes) => bytes.get(at).copied(),
        }
    }

    fn is_filled_with(&self, rest: ArrayByte) -> bool {
        match (self, rest) {
            (PageBytes::Concrete(bytes), ArrayByte::Concrete(rest)) => bytes.iter().all(|&byte| byte == rest),
            (PageBytes::Concrete(_), ArrayByte::Term(_)) => false,
            (PageBytes::Mixed(bytes), rest) => bytes.iter().all(|&byte| byte == rest),
        }
    }

    /// Bytes of memory held.
    fn size(&self) -> usize {
        match self {
            PageBytes::Concrete(bytes) => bytes.len(),
            PageBytes::Mixed(bytes) => size_of_val::<[ArrayByte]>(bytes),
        }
    }
}

/// A page and what holds of its bytes.
pub(crate) struct PageNode {
    bytes: PageBytes,
    facts: Facts,
    hash: StructuralHash,
    /// That of its highest term.
    height: u32,
}

/// What an array is before anything is stored to it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ArrayBase {
    len: u64,
    rest: ArrayByte,
    /// Those that are not filled with `rest`, by their numbers, in order.
    pages: Box<[(u64, ArrayPage)]>,
}

impl ArrayBase {
    /// What every byte is that is in no page.
    pub fn rest(&self) -> ArrayByte {
        self.rest
    }

    pub fn len(&self) -> u64 {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The page with this number.
    fn page(&self, number: u64) -> Option<ArrayPage> {
        // In an array without gaps a page is where its number says.
        match self.pages.get(usize::try_from(number).ok()?) {
            Some(&(there, page)) if there == number => Some(page),
            _ => self.pages.binary_search_by_key(&number, |&(there, _)| there).ok().map(|at| self.pages[at].1),
        }
    }

    /// Is everything in this range of bytes the rest, for all that the pages say? Ranges within a
    /// page count as the page.
    pub fn is_rest(&self, from: u64, to: u64) -> bool {
        let page = ARRAY_PAGE as u64;
        let next = self.pages.partition_point(|&(number, _)| number < from / page);
        self.pages.get(next).is_none_or(|&(number, _)| number >= to.div_ceil(page))
    }

    /// How many bytes are in pages, about.
    pub fn written(&self) -> u64 {
        (self.pages.len() * ARRAY_PAGE) as u64
    }

    /// The pages with their numbers, in order.
    pub(crate) fn pages(&self) -> impl Iterator<Item = (u64, ArrayPage)> + '_ {
        self.pages.iter().copied()
    }

    /// A position that is in no page.
    pub fn position_in_rest(&self) -> Option<u64> {
        let dense = self.pages.iter().zip(0..).take_while(|((number, _), at)| number == at).count();
        Some((dense * ARRAY_PAGE) as u64).filter(|&at| at < self.len)
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ArrayNode {
    Base(Rc<ArrayBase>),
    /// `array` with the byte at `index` replaced by `value` (of width 8).
    Store {
        array: ArrayId,
        index: Term,
        value: Term,
    },
}

impl ArrayNode {
    /// Bytes of memory held, for memory limits; pages are counted by themselves.
    pub fn bytes(&self) -> usize {
        size_of::<ArrayNode>()
            + match self {
                ArrayNode::Base(base) => size_of::<ArrayBase>() + size_of_val::<[(u64, ArrayPage)]>(&base.pages),
                ArrayNode::Store { .. } => 0,
            }
    }
}

/// What is known of an array without walking it.
#[derive(Copy, Clone)]
pub(crate) struct ArrayFacts {
    pub(crate) len: u64,
    /// What holds of every byte that a read may give, a read out of bounds included.
    pub(crate) byte: Facts,
    /// Of what it is made of, see [`Terms::structural_hash`].
    pub(crate) hash: StructuralHash,
    /// As a term's.
    pub(crate) height: u32,
}

/// How many stores a read looks through when it is built. Longer chains stay as they are: building
/// stays cheap.
const READ_DEPTH: usize = 64;

impl Terms {
    /// An array of these bytes, and zeros behind them; each term has width 8.
    pub fn array_base(&mut self, bytes: Vec<ArrayByte>) -> ArrayId {
        let len = bytes.len() as u64;
        let pages = bytes.chunks(ARRAY_PAGE).zip(0..).map(|(page, number)| (number, self.array_page(page))).collect();
        self.array_of_pages(len, ArrayByte::Concrete(0), pages)
    }

    /// An array of `len` bytes: these pages, in the order of their numbers, and the same byte
    /// everywhere else.
    pub fn array_of_pages(&mut self, len: u64, rest: ArrayByte, mut pages: Vec<(u64, ArrayPage)>) -> ArrayId {
        let rest = self.array_byte_of(rest);
        let mut byte = self.byte_facts(rest);
        let mut height = self.byte_height(rest);
        let mut hash = Mixer::new(Kind::Base, len).hash(self.byte_hash(rest));
        pages.retain(|&(number, page)| {
            let page = &self.array_pages[page.0 as usize];
            let is_kept = !page.bytes.is_filled_with(rest);
            byte = byte.join(page.facts);
            if is_kept {
                height = height.max(page.height);
                hash = hash.number(number).hash(page.hash);
            }
            is_kept
        });
        debug_assert!(pages.is_sorted_by(|a, b| a.0 < b.0), "pages out of order");
        let base = ArrayBase { len, rest, pages: pages.into() };
        let facts = ArrayFacts { len, byte, hash: hash.finish(), height: height + 1 };
        self.intern_array(ArrayNode::Base(Rc::new(base)), facts)
    }

    /// A page of these bytes; each term has width 8.
    pub fn array_page(&mut self, bytes: &[ArrayByte]) -> ArrayPage {
        let bytes: Vec<ArrayByte> = bytes.iter().map(|&byte| self.array_byte_of(byte)).collect();
        let concrete = bytes.iter().map(|byte| match byte {
            ArrayByte::Concrete(value) => Some(*value),
            ArrayByte::Term(_) => None,
        });
        match concrete.collect::<Option<Vec<u8>>>() {
            Some(concrete) => self.intern_page(PageBytes::Concrete(concrete.into())),
            None => self.intern_page(PageBytes::Mixed(bytes.into())),
        }
    }

    /// A page of numbers.
    pub fn concrete_array_page(&mut self, bytes: &[u8]) -> ArrayPage {
        self.intern_page(PageBytes::Concrete(bytes.into()))
    }

    fn intern_page(&mut self, bytes: PageBytes) -> ArrayPage {
        if let Some(&page) = self.array_page_index.get(&bytes) {
            return page;
        }
        let (facts, hash, height) = match &bytes {
            PageBytes::Concrete(bytes) => {
                let facts = bytes.iter().map(|&byte| Facts::constant(byte as u64)).reduce(Facts::join);
                (facts, Mixer::new(Kind::Page, 0).bytes(bytes), 0)
            }
            PageBytes::Mixed(bytes) => {
                let facts = bytes.iter().map(|&byte| self.byte_facts(byte)).reduce(Facts::join);
                let start = Mixer::new(Kind::Page, 1).number(bytes.len() as u64);
                let hash = bytes.iter().fold(start, |hash, &byte| hash.hash(self.byte_hash(byte)));
                (facts, hash, bytes.iter().map(|&byte| self.byte_height(byte)).max().unwrap_or(0))
            }
        };
        let page = ArrayPage(u32::try_from(self.array_pages.len()).expect("more than 2^32 pages"));
        self.array_bytes += bytes.size() + size_of::<PageNode>();
        let facts = facts.unwrap_or(Facts::constant(0));
        self.array_pages.push(PageNode { bytes: bytes.clone(), facts, hash: hash.finish(), height });
        self.array_page_index.insert(bytes, page);
        page
    }

    pub(crate) fn page_bytes(&self, page: ArrayPage) -> &PageBytes {
        &self.array_pages[page.0 as usize].bytes
    }

    /// The byte, as a number if it is one.
    fn array_byte_of(&self, byte: ArrayByte) -> ArrayByte {
        let ArrayByte::Term(term) = byte else { return byte };
        assert_eq!(self.width(term), 8, "an array byte of another width");
        self.as_u64(term).map_or(byte, |value| ArrayByte::Concrete(value as u8))
    }

    fn byte_facts(&self, byte: ArrayByte) -> Facts {
        match byte {
            ArrayByte::Concrete(value) => Facts::constant(value as u64),
            ArrayByte::Term(term) => *self.facts(term),
        }
    }

    fn byte_hash(&self, byte: ArrayByte) -> StructuralHash {
        match byte {
            ArrayByte::Concrete(value) => StructuralHash::of_bytes(&[value]),
            ArrayByte::Term(term) => self.structural_hash(term),
        }
    }

    fn byte_height(&self, byte: ArrayByte) -> u32 {
        match byte {
            ArrayByte::Concrete(_) => 0,
            ArrayByte::Term(term) => self.node(term).height(),
        }
    }

    /// The byte of a base at a position.
    pub fn array_byte(&self, base: &ArrayBase, at: u64) -> ArrayByte {
        let page = base.page(at / ARRAY_PAGE as u64);
        let byte = page.and_then(|page| self.array_pages[page.0 as usize].bytes.get(at as usize % ARRAY_PAGE));
        byte.unwrap_or(base.rest)
    }

    /// The bytes in the pages of a base, with their positions. Elsewhere there is the rest.
    pub fn array_bytes<'a>(&'a self, base: &'a ArrayBase) -> impl Iterator<Item = (u64, ArrayByte)> + 'a {
        base.pages.iter().flat_map(|&(number, page)| {
            let bytes = &self.array_pages[page.0 as usize].bytes;
            let first = number * ARRAY_PAGE as u64;
            (0..ARRAY_PAGE).map_while(move |at| Some((first + at as u64, bytes.get(at)?)))
        })
    }

    /// The terms among the bytes of a base.
    pub fn array_terms<'a>(&'a self, base: &'a ArrayBase) -> impl Iterator<Item = Term> + 'a {
        let pages = base.pages.iter().filter_map(|&(_, page)| match &self.array_pages[page.0 as usize].bytes {
            PageBytes::Concrete(_) => None,
            PageBytes::Mixed(bytes) => Some(&bytes[..]),
        });
        std::iter::once(base.rest).chain(pages.flatten().copied()).filter_map(|byte| match byte {
            ArrayByte::Concrete(_) => None,
            ArrayByte::Term(term) => Some(term),
        })
    }

    /// The base with its terms replaced.
    pub(crate) fn map_base(&mut self, base: &ArrayBase, replace: impl Fn(Term) -> Term) -> ArrayId {
        let map = |byte: &ArrayByte| match *byte {
            ArrayByte::Concrete(value) => ArrayByte::Concrete(value),
            ArrayByte::Term(term) => ArrayByte::Term(replace(term)),
        };
        let mut pages = Vec::with_capacity(base.pages.len());
        for &(number, page) in &base.pages {
            let mapped: Option<Vec<ArrayByte>> = match &self.array_pages[page.0 as usize].bytes {
                PageBytes::Concrete(_) => None,
                PageBytes::Mixed(bytes) => Some(bytes.iter().map(map).collect()),
            };
            pages.push((number, mapped.map_or(page, |bytes| self.array_page(&bytes))));
        }
        self.array_of_pages(base.len, map(&base.rest), pages)
    }

    /// The array with another byte in the place of its base's rest.
    pub fn array_with_rest(&mut self, array: ArrayId, rest: ArrayByte) -> ArrayId {
        let mut stores = Vec::new();
        let mut below = array;
        let mut result = loop {
            match &self.arrays[below.index()] {
                &ArrayNode::Store { array, index, value } => {
                    stores.push((index, value));
                    below = array;
                }
                ArrayNode::Base(base) => {
                    let base = base.clone();
                    break self.array_of_pages(base.len, rest, base.pages.to_vec());
                }
            }
        };
        for (index, value) in stores.into_iter().rev() {
            result = self.array_store(result, index, value);
        }
        result
    }

    /// What an array is under its stores.
    pub fn array_base_of(&self, mut array: ArrayId) -> &ArrayBase {
        loop {
            match &self.arrays[array.index()] {
                ArrayNode::Store { array: below, .. } => array = *below,
                ArrayNode::Base(base) => return base,
            }
        }
    }

    /// `array` with the byte at `index` replaced by `value`.
    pub fn array_store(&mut self, array: ArrayId, index: Term, value: Term) -> ArrayId {
        assert_eq!(self.width(value), 8, "a stored byte of another width");
        assert!(self.width(index) <= 64, "an array index of more than 64 bits");
        let mut array = array;
        // A store over a store to the same index replaces it.
        if let ArrayNode::Store { array: below, index: previous, value: old } = self.arrays[array.index()]
            && previous == index
        {
            if old == value {
                return array;
            }
            array = below;
        }
        let ArrayFacts { len, byte, hash, height } = self.array_facts[array.index()];
        let [stored_at, stored] = [index, value].map(|term| self.structural_hash(term));
        let heights = [index, value].map(|term| self.node(term).height());
        let facts = ArrayFacts {
            len,
            byte: byte.join(*self.facts(value)),
            hash: Mixer::new(Kind::Store, 0).hash(hash).hash(stored_at).hash(stored).finish(),
            height: heights.into_iter().fold(height, u32::max).saturating_add(1),
        };
        self.intern_array(ArrayNode::Store { array, index, value }, facts)
    }

    /// The length in bytes.
    pub fn array_len(&self, array: ArrayId) -> u64 {
        self.array_facts[array.index()].len
    }

    pub fn array_node(&self, array: ArrayId) -> &ArrayNode {
        &self.arrays[array.index()]
    }

    /// The byte of `array` at `index`; what the rest is if that is out of bounds.
    pub fn read(&mut self, array: ArrayId, index: Term) -> Term {
        assert!(self.width(index) <= 64, "an array index of more than 64 bits");
        let mut found = array;
        let mut depth = 0;
        let array = loop {
            match &self.arrays[found.index()] {
                ArrayNode::Base(base) => {
                    let Some(position) = self.as_u64(index) else {
                        break found;
                    };
                    return match self.array_byte(base, position) {
                        ArrayByte::Concrete(value) => self.constant(value as u64, 8),
                        ArrayByte::Term(term) => term,
                    };
                }
                // Reading what this gives once more has to give the same, so nothing is gained by a
                // part of the way.
                _ if depth == READ_DEPTH => break array,
                &ArrayNode::Store { array: below, index: stored, value } => {
                    if stored == index {
                        return value;
                    }
                    if !self.differ(stored, index) {
                        break found;
                    }
                    found = below;
                    depth += 1;
                }
            }
        };
        self.intern(Op::Read, 8, [array.0, index.raw(), 0])
    }

    fn intern_array(&mut self, node: ArrayNode, facts: ArrayFacts) -> ArrayId {
        if let Some(&array) = self.array_index.get(&node) {
            return array;
        }
        let array = ArrayId::from_index(self.arrays.len());
        self.array_bytes += node.bytes();
        self.arrays.push(node.clone());
        self.array_facts.push(facts);
        self.array_index.insert(node, array);
        array
    }
}
