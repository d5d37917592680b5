//! Random terms and small helpers for all tests.

use espalier_expr::{ArrayByte, Bv, Evaluator, Model, SymbolKind, Term, Terms};
use std::rc::Rc;

/// A generator of random numbers (SplitMix64): the tests' choices follow from their seed alone.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    pub fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// A variable of `8 * size` bits.
pub fn scalar(terms: &mut Terms, name: &str, size: u32) -> Term {
    terms.scalar_var(SymbolKind::Input, name, size)
}

/// A term of `width` free bits.
pub fn free(terms: &mut Terms, name: &str, width: u32) -> Term {
    let var = scalar(terms, &format!("{name}{width}"), width.div_ceil(8));
    terms.extract(var, 0, width)
}

/// The bytes of one input.
pub fn bytes(terms: &mut Terms, name: &str, count: u32) -> Vec<Term> {
    terms.byte_vars(SymbolKind::Input, name, count)
}

pub fn holds(terms: &Terms, model: &Rc<Model>, constraints: &[Term]) -> bool {
    let mut evaluator = Evaluator::new(model.clone());
    constraints.iter().all(|&c| evaluator.eval_bool(terms, c))
}

/// Numbers that find mistakes.
pub fn interesting(random: &mut Random, width: u32) -> Bv {
    let one = Bv::one(width);
    match random.below(8) {
        0 => Bv::zero(width),
        1 => one,
        2 => Bv::ones(width),
        3 => Bv::signed_min(width),
        4 => Bv::signed_max(width),
        5 => Bv::from_u64(random.next() % 17, width),
        _ => {
            let mut value = Bv::from_u64(random.next(), width.min(64));
            while value.width() < width {
                let more = (width - value.width()).min(64);
                value = Bv::concat(&Bv::from_u64(random.next(), more), &value);
            }
            value
        }
    }
}

/// Makes random terms over given variables, of all operators that are not floats.
pub struct Generator {
    pub random: Random,
    pub vars: Vec<Term>,
    /// Leave out multiplication and division of two symbolic operands.
    pub cheap: bool,
}

impl Generator {
    /// A random term of `width` bits and at most `depth` levels.
    pub fn term(&mut self, terms: &mut Terms, width: u32, depth: u32) -> Term {
        if depth == 0 || self.random.chance(6) {
            return self.leaf(terms, width);
        }
        let below = depth - 1;
        if width == 1 && !self.random.chance(4) {
            let inner = self.random.pick(&[1, 3, 8, 8, 8, 16]);
            let (a, b) = (self.term(terms, inner, below), self.term(terms, inner, below));
            return match self.random.below(5) {
                0 => terms.eq(a, b),
                1 => terms.ult(a, b),
                2 => terms.ule(a, b),
                3 => terms.slt(a, b),
                _ => terms.sle(a, b),
            };
        }
        match self.random.below(20) {
            0 => {
                let a = self.term(terms, width, below);
                terms.not(a)
            }
            1 => {
                let a = self.term(terms, width, below);
                terms.neg(a)
            }
            2 => {
                let c = self.term(terms, 1, below);
                let (a, b) = (self.term(terms, width, below), self.term(terms, width, below));
                terms.ite(c, a, b)
            }
            3 => {
                let lo = self.random.below(4) as u32;
                let more = self.random.below(4) as u32;
                let a = self.term(terms, lo + width + more, below);
                terms.extract(a, lo, width)
            }
            4 if width > 1 => {
                let lo = 1 + self.random.below(width as usize - 1) as u32;
                let (a, b) = (self.term(terms, width - lo, below), self.term(terms, lo, below));
                terms.concat(a, b)
            }
            5 | 6 if width > 1 => {
                let inner = 1 + self.random.below(width as usize - 1) as u32;
                let a = self.term(terms, inner, below);
                if self.random.chance(2) { terms.zext(a, width) } else { terms.sext(a, width) }
            }
            7 if width == 8 => self.read(terms, below),
            kind => {
                let a = self.term(terms, width, below);
                let b =
                    if self.cheap && kind >= 14 { self.constant(terms, width) } else { self.term(terms, width, below) };
                match kind {
                    8 => terms.and(a, b),
                    9 => terms.or(a, b),
                    10 => terms.xor(a, b),
                    11 | 12 => terms.add(a, b),
                    13 => terms.sub(a, b),
                    14 => terms.mul(a, b),
                    15 => terms.udiv(a, b),
                    16 => terms.urem(a, b),
                    17 => terms.sdiv(a, b),
                    18 => terms.srem(a, b),
                    4 => terms.shl(a, b),
                    5 => terms.lshr(a, b),
                    _ => terms.ashr(a, b),
                }
            }
        }
    }

    fn constant(&mut self, terms: &mut Terms, width: u32) -> Term {
        let value = interesting(&mut self.random, width);
        terms.constant_bv(&value)
    }

    fn leaf(&mut self, terms: &mut Terms, width: u32) -> Term {
        if self.random.chance(4) {
            return self.constant(terms, width);
        }
        let var = self.random.pick(&self.vars);
        match terms.width(var) {
            w if w > width => {
                let lo = self.random.below((w - width) as usize + 1) as u32;
                terms.extract(var, lo, width)
            }
            w if w < width && self.random.chance(2) => terms.sext(var, width),
            _ => terms.zext(var, width),
        }
    }

    fn read(&mut self, terms: &mut Terms, depth: u32) -> Term {
        let len = 1 + self.random.below(12);
        let mut content = Vec::new();
        for _ in 0..len {
            content.push(if self.random.chance(3) {
                ArrayByte::Term(self.leaf(terms, 8))
            } else {
                ArrayByte::Concrete(self.random.next() as u8)
            });
        }
        let mut array = terms.array_base(content);
        let index_width = self.random.pick(&[3, 4, 8]);
        for _ in 0..self.random.below(3) {
            let index = self.index(terms, len, index_width, depth);
            let value = self.term(terms, 8, depth.min(1));
            array = terms.array_store(array, index, value);
        }
        let index = self.index(terms, len, index_width, depth);
        terms.read(array, index)
    }

    /// An index, mostly in bounds.
    fn index(&mut self, terms: &mut Terms, len: usize, width: u32, depth: u32) -> Term {
        let index = self.term(terms, width, depth.min(2));
        if self.random.chance(8) || len >= 1 << width {
            return index;
        }
        let limit = terms.constant(len as u64, width);
        terms.urem(index, limit)
    }
}
