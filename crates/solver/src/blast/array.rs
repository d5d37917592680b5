//! Reads of byte arrays as multiplexers.
//!
//! A base array is a binary tree over the index bits. Bits of the index that are constant select a
//! half outright, so a table of a thousand words indexed by a zero-extended byte has 256 leaves;
//! equal halves collapse and equal subtrees are shared by the gate cache, which makes the tree a
//! reduced decision diagram of the table. What is not in a page of the base is one leaf, however
//! large it is.
//!
//! Stores are multiplexers on top: the newest store whose index is equal decides. Partial results
//! are kept by (array, index), so reading at the same index below a growing chain of stores costs
//! one multiplexer a store. Lemmas on demand, which would spare comparisons that do not matter, are
//! left to the SMT backend.

use super::{Bits, Blaster, Lit, Refusal};
use espalier_expr::{ARRAY_PAGE, ArrayBase, ArrayByte, ArrayId, ArrayNode, Node, Term, Terms};

/// Reads that can reach more leaves than this are left to a solver with a theory of arrays.
const MAX_LEAVES: usize = 1 << 16;

impl Blaster {
    /// A read's literals, or none after pushing what it needs first.
    pub(super) fn read(
        &mut self,
        terms: &Terms,
        node: &Node,
        missing: &mut Vec<Term>,
    ) -> Result<Option<Bits>, Refusal> {
        let index_term = node.arg(1);
        // Down to the base, or to an array that was read at this index before.
        let mut stores: Vec<(ArrayId, Term, Term)> = Vec::new();
        let mut array = node.array();
        let before = missing.len();
        let below = loop {
            if let Some(&byte) = self.reads.get(&(array, index_term)) {
                break Below::Known(byte);
            }
            match terms.array_node(array) {
                ArrayNode::Base(base) => break Below::Base(base),
                &ArrayNode::Store { array: below, index, value } => {
                    missing.extend([index, value].into_iter().filter(|&t| !self.knows(t)));
                    stores.push((array, index, value));
                    array = below;
                }
            }
        };
        let index = self.argument(terms, node, 1);
        if let Below::Base(base) = below {
            Tree { terms, index: &index, base, leaves: 0 }.collect(self, missing)?;
        }
        if missing.len() > before {
            return Ok(None);
        }
        let mut byte = match below {
            Below::Known(byte) => byte,
            Below::Base(base) => {
                let byte = Tree { terms, index: &index, base, leaves: 0 }.build(self);
                self.reads.insert((array, index_term), byte);
                byte
            }
        };
        for &(array, at, value) in stores.iter().rev() {
            let at = self.bits(terms, at).expect("translated above").to_vec();
            let value = self.bits(terms, value).expect("translated above").to_vec();
            let hit = self.gates.eq_bits(&at, &index);
            byte = std::array::from_fn(|i| self.gates.mux(hit, value[i], byte[i]));
            self.reads.insert((array, index_term), byte);
        }
        Ok(Some(byte.to_vec()))
    }
}

/// What is under the stores that were gone past.
enum Below<'a> {
    /// An array that was read at this index before.
    Known([Lit; 8]),
    Base(&'a ArrayBase),
}

struct Tree<'a> {
    terms: &'a Terms,
    index: &'a [Lit],
    base: &'a ArrayBase,
    leaves: usize,
}

impl Tree<'_> {
    /// How many index bits tell the base's bytes apart.
    fn levels(&self) -> usize {
        let needed = u64::BITS - self.base.len().saturating_sub(1).leading_zeros();
        self.index.len().min(needed as usize)
    }

    /// The byte that all of the `2^level` bytes at `at` are, where that is plain to see.
    fn leaf(&self, level: usize, at: u64) -> Option<ArrayByte> {
        let size = 1 << level;
        match level {
            0 => Some(self.terms.array_byte(self.base, at)),
            _ if at >= self.base.len() => Some(self.base.rest()),
            _ if size >= ARRAY_PAGE as u64 => self.base.is_rest(at, at.saturating_add(size)).then(|| self.base.rest()),
            _ => {
                let first = self.terms.array_byte(self.base, at);
                let is_same = (at + 1..at + size).all(|at| self.terms.array_byte(self.base, at) == first);
                is_same.then_some(first)
            }
        }
    }

    /// Pushes the terms of all bytes that the index can reach and that are not translated yet.
    fn collect(&mut self, blaster: &Blaster, missing: &mut Vec<Term>) -> Result<(), Refusal> {
        if let ArrayByte::Term(term) = self.base.rest()
            && !blaster.knows(term)
        {
            missing.push(term);
        }
        self.collect_from(blaster, self.levels(), 0, missing)
    }

    fn collect_from(
        &mut self,
        blaster: &Blaster,
        level: usize,
        at: u64,
        missing: &mut Vec<Term>,
    ) -> Result<(), Refusal> {
        if let Some(leaf) = self.leaf(level, at) {
            self.leaves += 1;
            if self.leaves > MAX_LEAVES {
                return Err(Refusal::TooLarge);
            }
            if let ArrayByte::Term(term) = leaf
                && !blaster.knows(term)
            {
                missing.push(term);
            }
            return Ok(());
        }
        let below = level - 1;
        if self.index[below] != Lit::TRUE {
            self.collect_from(blaster, below, at, missing)?;
        }
        if self.index[below] != Lit::FALSE {
            self.collect_from(blaster, below, at + (1 << below), missing)?;
        }
        Ok(())
    }

    fn build(&self, blaster: &mut Blaster) -> [Lit; 8] {
        let levels = self.levels();
        let byte = self.build_from(blaster, levels, 0);
        // Out of bounds is the rest.
        let rest = self.bits(blaster, self.base.rest());
        let beyond = blaster.gates.or_all(&self.index[levels..]);
        std::array::from_fn(|i| blaster.gates.mux(beyond, rest[i], byte[i]))
    }

    fn bits(&self, blaster: &Blaster, byte: ArrayByte) -> [Lit; 8] {
        match byte {
            ArrayByte::Concrete(value) => std::array::from_fn(|i| Lit::constant(value >> i & 1 == 1)),
            ArrayByte::Term(term) => {
                let bits = blaster.bits(self.terms, term).expect("collected before");
                std::array::from_fn(|i| bits[i])
            }
        }
    }

    fn build_from(&self, blaster: &mut Blaster, level: usize, at: u64) -> [Lit; 8] {
        if let Some(leaf) = self.leaf(level, at) {
            return self.bits(blaster, leaf);
        }
        let below = level - 1;
        let select = self.index[below];
        match select.as_const() {
            Some(false) => self.build_from(blaster, below, at),
            Some(true) => self.build_from(blaster, below, at + (1 << below)),
            None => {
                let zero = self.build_from(blaster, below, at);
                let one = self.build_from(blaster, below, at + (1 << below));
                std::array::from_fn(|i| blaster.gates.mux(select, one[i], zero[i]))
            }
        }
    }
}
