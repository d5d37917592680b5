//! The bit-blaster: terms to circuits.
//!
//! Each term is translated once into one literal a bit; the result is kept for as long as the SAT
//! solver that the clauses go to. Translation is iterative, children first, since a term can be a
//! hundred thousand deep. A read asks for the bytes it can really reach only when its index is
//! known, so a term's children are not fixed: [`Blaster::translate`] says what is missing, and is
//! called again when that is there.
//!
//! Everything is exact: a definition constrains nothing but its own fresh variables, so clauses
//! stay valid whatever is assumed later.

mod arith;
mod array;
mod float;
mod float_ops;
mod gates;

use crate::Limits;
use arith::Bits;
use espalier_expr::{ArrayId, ArrayNode, Node, Op, Rounding, Term, Terms};
use gates::Gates;
pub use gates::Lit;
use rustc_hash::{FxHashMap, FxHashSet};

/// Why a term was not translated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The operator is not known here.
    Operator(Op),
    /// The circuit would be larger than this backend is meant for.
    TooLarge,
    /// Time is up.
    Late,
}

#[derive(Copy, Clone)]
struct Place {
    start: u32,
    variables: u32,
}

/// The circuits made so far.
pub struct Blaster {
    gates: Gates,
    /// All translated terms' literals, one term after another.
    bits: Vec<Lit>,
    /// Where in `bits` a term's literals start, and how many variables were made for it.
    at: FxHashMap<Term, Place>,
    /// Quotient and remainder of dividend and divisor, one after another.
    divisions: FxHashMap<Box<[Lit]>, (Bits, Bits)>,
    /// Bytes of arrays with stores at an index.
    reads: FxHashMap<(ArrayId, Term), [Lit; 8]>,
}

impl Blaster {
    pub fn new(max_variables: u32) -> Blaster {
        Blaster {
            gates: Gates::new(max_variables),
            bits: Vec::new(),
            at: FxHashMap::default(),
            divisions: FxHashMap::default(),
            reads: FxHashMap::default(),
        }
    }

    /// How many SAT variables exist; they are numbered from 1.
    pub fn variables(&self) -> u32 {
        self.gates.variables()
    }

    /// From now on there may be so many variables in all.
    pub fn limit_to(&mut self, variables: u32) {
        self.gates.limit_to(variables);
    }

    /// Hands over the clauses made since the last time.
    pub fn drain_clauses(&mut self, sink: impl FnMut(&[Lit])) {
        self.gates.drain_clauses(sink);
    }

    /// The literals of a term, lowest bit first, if it has been translated.
    pub fn bits(&self, terms: &Terms, term: Term) -> Option<&[Lit]> {
        let start = self.at.get(&term)?.start as usize;
        Some(&self.bits[start..start + terms.width(term) as usize])
    }

    pub fn knows(&self, term: Term) -> bool {
        self.at.contains_key(&term)
    }

    /// The literal of a width-1 term, translating what is new in it.
    pub fn literal(&mut self, terms: &Terms, constraint: Term, limits: &Limits) -> Result<Lit, Refusal> {
        debug_assert_eq!(terms.width(constraint), 1);
        self.add(terms, constraint, limits)?;
        Ok(self.bits[self.at[&constraint].start as usize])
    }

    /// About how many variables belong to the circuits of these terms: a gate that several terms
    /// share counts for the first of them.
    pub fn live_variables(&self, terms: &Terms, roots: &[Term]) -> u32 {
        let mut seen: FxHashSet<Term> = roots.iter().copied().collect();
        let mut stack: Vec<Term> = seen.iter().copied().collect();
        let mut variables = 0;
        while let Some(term) = stack.pop() {
            let Some(place) = self.at.get(&term) else {
                continue;
            };
            variables += place.variables;
            let node = terms.node(term);
            stack.extend(node.args().filter(|&arg| seen.insert(arg)));
            if node.op == Op::Read {
                stack.extend(terms.vars_of(term).iter().filter(|&&var| seen.insert(var)));
            }
        }
        variables
    }

    /// About how many variables translating these would take, as far as it matters that it is no
    /// more than `most`.
    pub fn estimate(&self, terms: &Terms, roots: &[Term], most: u64) -> u64 {
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut stack: Vec<Term> = roots.iter().copied().filter(|&root| !self.knows(root)).collect();
        let mut variables = 0;
        while let Some(term) = stack.pop() {
            if variables > most {
                break;
            }
            if !seen.insert(term) {
                continue;
            }
            let node = terms.node(term);
            let width = node.width as u64;
            stack.extend(node.args().filter(|&arg| !self.knows(arg)));
            let is_constant = node.args().any(|arg| terms.is_const(arg));
            variables += match node.op {
                Op::Const | Op::WideConst | Op::Extract | Op::Concat | Op::ZExt | Op::SExt | Op::Not => 0,
                Op::Add | Op::Neg => 2 * width,
                Op::Mul if is_constant => width * width / 4,
                Op::Mul | Op::UDiv | Op::URem | Op::SDiv | Op::SRem => 2 * width * width,
                Op::Shl | Op::LShr | Op::AShr if !is_constant => 6 * width,
                Op::FpMul | Op::FpDiv | Op::FpSqrt | Op::FpFma => 3 * width * width,
                Op::FpAdd | Op::FpSub | Op::FpToFp | Op::FpToSi | Op::FpRound | Op::SiToFp | Op::UiToFp => 40 * width,
                Op::Read => {
                    let mut variables = 0;
                    let mut array = node.array();
                    while let &ArrayNode::Store { array: below, index, value } = terms.array_node(array) {
                        if self.reads.contains_key(&(array, node.arg(1))) {
                            break;
                        }
                        stack.extend([index, value].into_iter().filter(|&part| !self.knows(part)));
                        // A comparison of indices, of which most bits are known, and a byte.
                        variables += 24;
                        array = below;
                    }
                    let (lo, hi) = terms.unsigned_range(node.arg(1));
                    variables + 4 * terms.array_len(array).min((hi - lo).saturating_add(1))
                }
                _ => width.max(node.args().map(|arg| terms.width(arg) as u64).max().unwrap_or(0)),
            };
        }
        variables
    }

    fn add(&mut self, terms: &Terms, root: Term, limits: &Limits) -> Result<(), Refusal> {
        if self.knows(root) {
            return Ok(());
        }
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.knows(term) {
                stack.pop();
                continue;
            }
            let below = stack.len();
            let before = self.gates.variables();
            if let Some(bits) = self.translate(terms, term, &mut stack)? {
                debug_assert_eq!(stack.len(), below);
                debug_assert_eq!(bits.len(), terms.width(term) as usize);
                let start = u32::try_from(self.bits.len()).map_err(|_| Refusal::TooLarge)?;
                self.bits.extend(bits);
                self.at.insert(term, Place { start, variables: self.gates.variables() - before });
                stack.pop();
                // A term can be a few thousand gates.
                if limits.stop.is_asked() || self.at.len().is_multiple_of(64) && limits.expired() {
                    return Err(Refusal::Late);
                }
            }
            if self.gates.overflowed() {
                return Err(Refusal::TooLarge);
            }
        }
        Ok(())
    }

    /// The literals of a term, or none after pushing the terms that have to be translated before
    /// it.
    fn translate(&mut self, terms: &Terms, term: Term, missing: &mut Vec<Term>) -> Result<Option<Bits>, Refusal> {
        let node = *terms.node(term);
        let before = missing.len();
        missing.extend(node.args().filter(|arg| !self.knows(*arg)));
        if missing.len() > before {
            return Ok(None);
        }
        let width = node.width as usize;
        let bits = match node.op {
            Op::Const | Op::WideConst => {
                let value = terms.as_bv(term).expect("a constant has a value");
                (0..node.width).map(|i| Lit::constant(value.bit(i))).collect()
            }
            Op::Var => (0..width).map(|_| self.gates.fresh()).collect(),
            Op::Read => return self.read(terms, &node, missing),
            Op::FpEq | Op::FpLt | Op::FpLe => {
                let (a, b) = (self.argument(terms, &node, 0), self.argument(terms, &node, 1));
                vec![self.gates.float_compare(node.op, &a, &b)]
            }
            Op::FpAdd | Op::FpSub | Op::FpMul | Op::FpDiv => {
                let (a, b) = (self.argument(terms, &node, 0), self.argument(terms, &node, 1));
                self.gates.float_binary(node.op, &a, &b)
            }
            Op::FpFma => {
                let [a, b, c] = [0, 1, 2].map(|i| self.argument(terms, &node, i));
                self.gates.float_fma(&a, &b, &c)
            }
            Op::FpRem => return Err(Refusal::Operator(node.op)),
            Op::FpSqrt | Op::FpRound | Op::FpToFp | Op::FpToSi | Op::SiToFp | Op::UiToFp => {
                let a = self.argument(terms, &node, 0);
                match node.op {
                    Op::FpSqrt => self.gates.float_sqrt(&a),
                    Op::FpRound => self.gates.float_round(&a, Rounding::from_number(node.number(1))),
                    Op::FpToFp => self.gates.float_to_float(&a, width),
                    Op::FpToSi => self.gates.float_to_signed(&a, width),
                    op => self.gates.float_from_integer(&a, op == Op::SiToFp, width),
                }
            }
            Op::Ite => {
                let [c, a, b] = [0, 1, 2].map(|i| self.argument(terms, &node, i));
                self.gates.mux_bits(c[0], &a, &b)
            }
            Op::Not | Op::Neg | Op::Extract | Op::ZExt | Op::SExt => {
                let a = self.argument(terms, &node, 0);
                match node.op {
                    Op::Not => self.gates.not_bits(&a),
                    Op::Neg => self.gates.neg(&a),
                    Op::Extract => a[node.number(1) as usize..][..width].to_vec(),
                    Op::ZExt => resize(a, width, Lit::FALSE),
                    _ => {
                        let sign = a[a.len() - 1];
                        resize(a, width, sign)
                    }
                }
            }
            _ => {
                let (a, b) = (self.argument(terms, &node, 0), self.argument(terms, &node, 1));
                let quadratic = matches!(node.op, Op::Mul | Op::UDiv | Op::URem | Op::SDiv | Op::SRem);
                if quadratic && !self.gates.has_room(3 * real_bits(&a) * real_bits(&b)) {
                    return Err(Refusal::TooLarge);
                }
                self.binary(node.op, a, b)
            }
        };
        Ok(Some(bits))
    }

    fn argument(&self, terms: &Terms, node: &Node, index: usize) -> Bits {
        self.bits(terms, node.arg(index)).expect("arguments are translated first").to_vec()
    }

    fn binary(&mut self, op: Op, a: Bits, b: Bits) -> Bits {
        let gates = &mut self.gates;
        match op {
            Op::And => gates.zip_bits(&a, &b, Gates::and),
            Op::Or => gates.zip_bits(&a, &b, Gates::or),
            Op::Xor => gates.zip_bits(&a, &b, Gates::xor),
            Op::Add => gates.add(&a, &b, Lit::FALSE),
            Op::Mul => gates.mul(&a, &b),
            Op::UDiv => self.division(a, b, false).0,
            Op::URem => self.division(a, b, false).1,
            Op::SDiv => self.division(a, b, true).0,
            Op::SRem => self.division(a, b, true).1,
            Op::Shl => gates.shl(&a, &b),
            Op::LShr => gates.lshr(&a, &b),
            Op::AShr => gates.ashr(&a, &b),
            Op::Eq => vec![gates.eq_bits(&a, &b)],
            Op::Ult => vec![gates.less(&a, &b, false)],
            Op::Ule => vec![gates.less(&a, &b, true)],
            Op::Slt => vec![gates.less_signed(&a, &b, false)],
            Op::Sle => vec![gates.less_signed(&a, &b, true)],
            Op::Concat => {
                let mut bits = b;
                bits.extend(a);
                bits
            }
            _ => unreachable!("{op:?} is not a binary operator"),
        }
    }

    /// A quotient and its remainder are one circuit, and C programs ask for both.
    fn division(&mut self, a: Bits, b: Bits, signed: bool) -> (Bits, Bits) {
        let mut key = a.clone();
        key.extend(&b);
        key.push(Lit::constant(signed));
        let key = key.into_boxed_slice();
        if let Some(found) = self.divisions.get(&key) {
            return found.clone();
        }
        let result = if signed { self.gates.divide_signed(&a, &b) } else { self.gates.divide(&a, &b) };
        self.divisions.insert(key, result.clone());
        result
    }
}

/// How many bits are not known to be zero.
fn real_bits(bits: &[Lit]) -> usize {
    bits.iter().filter(|&&l| l != Lit::FALSE).count()
}

fn resize(mut bits: Bits, width: usize, fill: Lit) -> Bits {
    bits.resize(width, fill);
    bits
}
