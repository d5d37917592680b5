//! Byte arrays: the contents of an object that is read or written at an index that is not constant.
//!
//! An array is a *base*, one value a byte, under a chain of stores. Arrays are interned like terms, and like them an array's
//! parts are always older than the array. Only bytes exist: a wider access is that many reads, and the executor has already
//! decided that it is in bounds. A read out of bounds is 0, so that evaluation is total.

use crate::facts::Facts;
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

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ArrayNode {
    Base(Rc<[ArrayByte]>),
    /// `array` with the byte at `index` replaced by `value` (of width 8).
    Store {
        array: ArrayId,
        index: Term,
        value: Term,
    },
}

impl ArrayNode {
    /// Bytes of memory held, for memory limits.
    pub fn bytes(&self) -> usize {
        size_of::<ArrayNode>()
            + match self {
                ArrayNode::Base(bytes) => size_of_val::<[ArrayByte]>(bytes),
                ArrayNode::Store { .. } => 0,
            }
    }
}

/// What is known of an array without walking it.
#[derive(Copy, Clone)]
pub(crate) struct ArrayFacts {
    pub(crate) len: u32,
    /// What holds of every byte that a read may give, a read out of bounds included.
    pub(crate) byte: Facts,
}

/// How many stores a read looks through when it is built. Longer chains stay as they are: building stays cheap.
const READ_DEPTH: usize = 64;

impl Terms {
    /// An array of these bytes; each term has width 8.
    pub fn array_base(&mut self, mut bytes: Vec<ArrayByte>) -> ArrayId {
        let mut byte_facts = Facts::constant(0);
        for byte in &mut bytes {
            if let ArrayByte::Term(term) = *byte {
                assert_eq!(self.width(term), 8, "an array byte of another width");
                if let Some(value) = self.as_u64(term) {
                    *byte = ArrayByte::Concrete(value as u8);
                }
            }
            byte_facts = byte_facts.join(match *byte {
                ArrayByte::Concrete(value) => Facts::constant(value as u64),
                ArrayByte::Term(term) => *self.facts(term),
            });
        }
        let len = u32::try_from(bytes.len()).expect("an array of more than 2^32 bytes");
        self.intern_array(ArrayNode::Base(bytes.into()), ArrayFacts { len, byte: byte_facts })
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
        let below = self.array_facts[array.index()];
        let facts = ArrayFacts { byte: below.byte.join(*self.facts(value)), ..below };
        self.intern_array(ArrayNode::Store { array, index, value }, facts)
    }

    /// The length in bytes.
    pub fn array_len(&self, array: ArrayId) -> u32 {
        self.array_facts[array.index()].len
    }

    pub fn array_node(&self, array: ArrayId) -> &ArrayNode {
        &self.arrays[array.index()]
    }

    /// The byte of `array` at `index`; 0 if that is out of bounds.
    pub fn read(&mut self, array: ArrayId, index: Term) -> Term {
        assert!(self.width(index) <= 64, "an array index of more than 64 bits");
        let mut array = array;
        for _ in 0..READ_DEPTH {
            match &self.arrays[array.index()] {
                ArrayNode::Base(bytes) => {
                    let Some(position) = self.as_u64(index) else {
                        break;
                    };
                    return match usize::try_from(position).ok().and_then(|i| bytes.get(i)) {
                        Some(&ArrayByte::Concrete(value)) => self.constant(value as u64, 8),
                        Some(&ArrayByte::Term(term)) => term,
                        None => self.constant(0, 8),
                    };
                }
                &ArrayNode::Store { array: below, index: stored, value } => {
                    if stored == index {
                        return value;
                    }
                    if !self.differ(stored, index) {
                        break;
                    }
                    array = below;
                }
            }
        }
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
