//! Repairing a model: a few values of the hint changed, so that the asked constraint holds too.
//!
//! The value that the constraint should have is pushed down through its operators, inverting each
//! and keeping the other operands as they are, until it arrives at variables (the propagation of
//! Niemetz, Preiner, Biere: "Precise and Complete Propagation Based Local Search", CAV 2016, for a
//! handful of moves). If that breaks another constraint, that one is repaired next. What comes out
//! is evaluated, so no step has to be right, only cheap: this decides in microseconds what branches
//! on input bytes mostly ask (`c == 'x'`, `n < 10`), and spares the SMT solver many a float
//! comparison.

use espalier_base::bits::sign_bit;
use espalier_expr::{ArrayByte, ArrayNode, Bv, Evaluator, FloatFormat, Model, Node, Op, Term, Terms};
use std::rc::Rc;

/// How many ways are tried, and how many constraints are repaired on each.
const VARIANTS: u32 = 4;
const MOVES: usize = 4;
/// How deep a value is pushed down.
const DEPTH: u32 = 200;
/// How far an array is searched for a byte.
const SCAN: usize = 4096;

/// Reused memory.
#[derive(Default)]
pub struct Repair {
    scratch: Option<Evaluator>,
}

impl Repair {
    /// A model of everything that the evaluator's model satisfies, and of `asked`; `slice` has all
    /// constraints that `asked` can interact with.
    pub fn attempt(
        &mut self,
        terms: &Terms,
        slice: &[Term],
        asked: Term,
        evaluator: &mut Evaluator,
    ) -> Option<Rc<Model>> {
        let mut tried: Vec<Vec<(Term, Bv)>> = Vec::new();
        for variant in 0..VARIANTS {
            let Some(changes) = moves(terms, asked, evaluator, variant) else {
                continue;
            };
            if changes.is_empty() || tried.contains(&changes) {
                continue;
            }
            if let Some(model) = self.walk(terms, slice, evaluator.model(), &changes, variant) {
                return Some(model);
            }
            tried.push(changes);
        }
        None
    }

    /// Makes the changes, then repairs what they break.
    fn walk(
        &mut self,
        terms: &Terms,
        slice: &[Term],
        base: &Model,
        changes: &[(Term, Bv)],
        variant: u32,
    ) -> Option<Rc<Model>> {
        let mut model = base.clone();
        let mut changes = changes.to_vec();
        // Constraints without any of these variables still hold.
        let mut changed: Vec<Term> = Vec::new();
        for left in (0..MOVES).rev() {
            for (var, value) in changes {
                model.set_bv(var, value);
                changed.push(var);
            }
            let candidate = Rc::new(model);
            let evaluator = match &mut self.scratch {
                Some(evaluator) => {
                    evaluator.set_model(candidate.clone());
                    evaluator
                }
                None => self.scratch.insert(Evaluator::new(candidate.clone())),
            };
            let touched = |c: Term| {
                let vars = terms.vars_of(c);
                changed.iter().any(|var| vars.binary_search(var).is_ok())
            };
            let Some(&broken) = slice.iter().rev().find(|&&c| touched(c) && !evaluator.eval_bool(terms, c)) else {
                return Some(candidate);
            };
            if left == 0 {
                return None;
            }
            changes = moves(terms, broken, evaluator, variant)?;
            if changes.is_empty() {
                return None;
            }
            model = Model::clone(&candidate);
        }
        None
    }
}

/// Changes that may make `constraint` true; none if it cannot be told.
fn moves(terms: &Terms, constraint: Term, evaluator: &mut Evaluator, variant: u32) -> Option<Vec<(Term, Bv)>> {
    let mut mover = Mover { terms, evaluator, choices: variant, changes: Vec::new() };
    mover.want(constraint, Bv::from_bool(true), DEPTH).then_some(mover.changes)
}

struct Mover<'a> {
    terms: &'a Terms,
    evaluator: &'a mut Evaluator,
    /// One bit a choice, the next one lowest.
    choices: u32,
    changes: Vec<(Term, Bv)>,
}

impl Mover<'_> {
    fn value(&mut self, term: Term) -> Bv {
        self.evaluator.eval(self.terms, term)
    }

    /// Which of two arguments to move, if both can be.
    fn pick(&mut self, a: Term, b: Term) -> bool {
        match (self.terms.is_const(a), self.terms.is_const(b)) {
            (_, true) => true,
            (true, _) => false,
            _ => !self.choose(),
        }
    }

    fn choose(&mut self) -> bool {
        let bit = self.choices & 1 == 1;
        self.choices >>= 1;
        bit
    }

    /// Tries to give `term` the value `v`. False if there is no way from here.
    fn want(&mut self, term: Term, v: Bv, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else {
            return false;
        };
        if self.value(term) == v {
            return true;
        }
        let node = *self.terms.node(term);
        match node.op {
            Op::Const | Op::WideConst => false,
            Op::Var => match self.changes.iter().find(|(var, _)| *var == term) {
                Some((_, value)) => *value == v,
                None => {
                    self.changes.push((term, v));
                    true
                }
            },
            Op::Not => self.want(node.arg(0), v.not(), depth),
            Op::Neg => self.want(node.arg(0), v.neg(), depth),
            Op::Eq | Op::FpEq => {
                let (a, b) = (node.arg(0), node.arg(1));
                let (moved, other) = if self.pick(a, b) { (a, b) } else { (b, a) };
                let target = if v.is_zero() {
                    let old = self.value(moved);
                    old.xor(&Bv::one(old.width()))
                } else {
                    self.value(other)
                };
                self.want(moved, target, depth)
            }
            Op::Ult | Op::Ule | Op::Slt | Op::Sle | Op::FpLt | Op::FpLe => {
                let or_equal = matches!(node.op, Op::Ule | Op::Sle | Op::FpLe);
                let (a, b, or_equal) = match v.is_zero() {
                    true => (node.arg(1), node.arg(0), !or_equal),
                    false => (node.arg(0), node.arg(1), or_equal),
                };
                self.want_less(node.op, a, b, or_equal, depth)
            }
            Op::Ite => {
                let (c, a, b) = (node.arg(0), node.arg(1), node.arg(2));
                let holds = !self.value(c).is_zero();
                let (taken, other) = if holds { (a, b) } else { (b, a) };
                if self.value(other) == v {
                    return self.want(c, Bv::from_bool(!holds), depth);
                }
                self.want(taken, v, depth)
            }
            Op::Extract => {
                let (a, lo) = (node.arg(0), node.number(1));
                let old = self.value(a);
                let by = Bv::from_u64(lo as u64, old.width());
                let mask = Bv::ones(v.width()).zext(old.width()).shl(&by);
                let placed = v.zext(old.width()).shl(&by);
                self.want(a, old.and(&mask.not()).or(&placed), depth)
            }
            Op::Concat => {
                let (hi, lo) = (node.arg(0), node.arg(1));
                let (hi_width, lo_width) = (self.terms.width(hi), self.terms.width(lo));
                self.want(hi, v.extract(lo_width, hi_width), depth) && self.want(lo, v.extract(0, lo_width), depth)
            }
            Op::ZExt | Op::SExt => {
                let a = node.arg(0);
                let low = v.extract(0, self.terms.width(a));
                let back = if node.op == Op::ZExt { low.zext(v.width()) } else { low.sext(v.width()) };
                back == v && self.want(a, low, depth)
            }
            Op::Read => self.want_read(&node, v, depth),
            Op::FpAdd | Op::FpSub | Op::FpMul | Op::FpDiv | Op::FpSqrt | Op::FpRound => {
                self.want_float(&node, v, depth)
            }
            Op::FpToFp | Op::FpToSi | Op::SiToFp | Op::UiToFp => self.want_converted(&node, v, depth),
            // The remainder of anything smaller than the divisor is itself.
            Op::FpRem => self.want(node.arg(0), v, depth),
            Op::FpFma => false,
            _ => self.want_binary(&node, v, depth),
        }
    }

    fn want_less(&mut self, op: Op, a: Term, b: Term, or_equal: bool, depth: u32) -> bool {
        let move_a = self.pick(a, b);
        let extreme = self.choose();
        let (moved, other) = if move_a { (a, b) } else { (b, a) };
        let limit = self.value(other);
        let width = limit.width();
        if matches!(op, Op::FpLt | Op::FpLe) {
            let target = if or_equal { Some(limit) } else { next_float(&limit, !move_a) };
            return target.is_some_and(|target| self.want(moved, target, depth));
        }
        let signed = matches!(op, Op::Slt | Op::Sle);
        let (min, max) = match signed {
            true => (Bv::signed_min(width), Bv::signed_max(width)),
            false => (Bv::zero(width), Bv::ones(width)),
        };
        let end = if move_a { min } else { max };
        let target = match () {
            () if extreme => end,
            () if or_equal => limit,
            () if limit == end => return false,
            () if move_a => limit.sub(&Bv::one(width)),
            () => limit.add(&Bv::one(width)),
        };
        self.want(moved, target, depth)
    }

    fn want_binary(&mut self, node: &Node, v: Bv, depth: u32) -> bool {
        let (a, b) = (node.arg(0), node.arg(1));
        let (va, vb) = (self.value(a), self.value(b));
        let width = v.width();
        match node.op {
            Op::Add | Op::Xor => {
                let (moved, other) = if self.pick(a, b) { (a, vb) } else { (b, va) };
                let target = if node.op == Op::Add { v.sub(&other) } else { v.xor(&other) };
                self.want(moved, target, depth)
            }
            Op::And | Op::Or => {
                let conjunction = node.op == Op::And;
                let (moved, other, other_value) = if self.pick(a, b) { (a, b, vb) } else { (b, a, va) };
                let combined = if conjunction { v.and(&other_value) } else { v.or(&other_value) };
                if combined == v {
                    // Bits that the other operand decides stay as they are.
                    let old = self.value(moved);
                    let free = if conjunction { other_value.not() } else { other_value };
                    return self.want(moved, v.and(&free.not()).or(&old.and(&free)), depth);
                }
                let other_target = if conjunction { other_value.or(&v) } else { other_value.and(&v) };
                self.want(other, other_target, depth) && self.want(moved, v, depth)
            }
            Op::Mul => {
                let (moved, other) = if self.pick(a, b) { (a, vb) } else { (b, va) };
                let target = match inverse(&other) {
                    Some(inverse) => v.mul(&inverse),
                    None if other.is_zero() || !v.urem(&other).is_zero() => return false,
                    None => v.udiv(&other),
                };
                self.want(moved, target, depth)
            }
            Op::Shl => {
                let back = v.lshr(&vb);
                // What the shift throws away is kept.
                let kept = va.and(&Bv::ones(width).lshr(&vb).not());
                back.shl(&vb) == v && self.want(a, back.or(&kept), depth)
            }
            Op::LShr | Op::AShr => {
                let kept = va.and(&Bv::ones(width).shl(&vb).not());
                let back = v.shl(&vb).or(&kept);
                let forth = if node.op == Op::LShr { back.lshr(&vb) } else { back.ashr(&vb) };
                forth == v && self.want(a, back, depth)
            }
            Op::UDiv => {
                let target = v.mul(&vb);
                target.udiv(&vb) == v && self.want(a, target, depth)
            }
            Op::URem => v.ult(&vb) && self.want(a, va.sub(&va.urem(&vb)).add(&v), depth),
            Op::SDiv => {
                let target = v.mul(&vb);
                target.sdiv(&vb) == v && self.want(a, target, depth)
            }
            Op::SRem => {
                let target = va.sub(&va.srem(&vb)).add(&v);
                target.srem(&vb) == v && self.want(a, target, depth)
            }
            _ => false,
        }
    }

    /// Changes the byte that is read, or reads another one.
    fn want_read(&mut self, node: &Node, v: Bv, depth: u32) -> bool {
        let index_term = node.arg(1);
        let index = self.value(index_term);
        let mut array = node.array();
        loop {
            match self.terms.array_node(array) {
                &ArrayNode::Store { array: below, index: at, value } => {
                    if self.value(at) == index {
                        return self.want(value, v, depth);
                    }
                    array = below;
                }
                ArrayNode::Base(base) => {
                    let position = index.to_u64().unwrap_or(u64::MAX);
                    if let ArrayByte::Term(term) = self.terms.array_byte(base, position) {
                        return self.want(term, v, depth);
                    }
                    let byte = ArrayByte::Concrete(v.to_u64().unwrap_or(0) as u8);
                    let mut scanned = self.terms.array_bytes(base).take(SCAN);
                    let found = scanned.find(|&(_, there)| there == byte).map(|(at, _)| at);
                    let found = found.or_else(|| base.position_in_rest().filter(|_| base.rest() == byte));
                    return found.is_some_and(|at| {
                        let target = Bv::from_u64(at, index.width());
                        target.to_u64() == Some(at) && self.want(index_term, target, depth)
                    });
                }
            }
        }
    }

    /// Inverts float arithmetic approximately: rounding may spoil it, and then evaluation says so.
    fn want_float(&mut self, node: &Node, v: Bv, depth: u32) -> bool {
        let a = node.arg(0);
        let Some(target) = to_float(&v) else {
            return false;
        };
        if matches!(node.op, Op::FpSqrt | Op::FpRound) {
            let target = if node.op == Op::FpSqrt { target * target } else { target };
            return from_float(target, v.width()).is_some_and(|t| self.want(a, t, depth));
        }
        let b = node.arg(1);
        let (va, vb) = (to_float(&self.value(a)).unwrap_or(0.0), to_float(&self.value(b)).unwrap_or(0.0));
        let move_a = self.pick(a, b);
        let needed = match (node.op, move_a) {
            (Op::FpAdd, true) => target - vb,
            (Op::FpAdd, false) => target - va,
            (Op::FpSub, true) => target + vb,
            (Op::FpSub, false) => va - target,
            (Op::FpMul, true) => target / vb,
            (Op::FpMul, false) => target / va,
            (_, true) => target * vb,
            (_, false) => va / target,
        };
        let moved = if move_a { a } else { b };
        from_float(needed, v.width()).is_some_and(|t| self.want(moved, t, depth))
    }

    fn want_converted(&mut self, node: &Node, v: Bv, depth: u32) -> bool {
        let a = node.arg(0);
        let width = self.terms.width(a);
        let target = match node.op {
            Op::FpToFp => to_float(&v).and_then(|f| from_float(f, width)),
            Op::FpToSi => v.to_i64().and_then(|i| from_float(i as f64, width)),
            Op::SiToFp if width <= 64 => to_float(&v).map(|f| Bv::from_u64(f as i64 as u64, width)),
            Op::UiToFp if width <= 64 => to_float(&v).map(|f| Bv::from_u64(f as u64, width)),
            _ => None,
        };
        target.is_some_and(|target| self.want(a, target, depth))
    }
}

fn to_float(bits: &Bv) -> Option<f64> {
    let word = bits.to_u64()?;
    match FloatFormat::from_width(bits.width())? {
        FloatFormat::F32 => Some(f32::from_bits(word as u32) as f64),
        FloatFormat::F64 => Some(f64::from_bits(word)),
    }
}

fn from_float(value: f64, width: u32) -> Option<Bv> {
    match FloatFormat::from_width(width)? {
        FloatFormat::F32 => Some(Bv::from_u64((value as f32).to_bits() as u64, 32)),
        FloatFormat::F64 => Some(Bv::from_u64(value.to_bits(), 64)),
    }
}

/// The next float above or below, on the bits (sign and magnitude).
fn next_float(bits: &Bv, up: bool) -> Option<Bv> {
    let word = bits.to_u64()?;
    let sign = sign_bit(bits.width());
    let next = match word & !sign {
        0 if up => 1,
        0 => sign | 1,
        _ if up == (word & sign == 0) => word + 1,
        _ => word - 1,
    };
    Some(Bv::from_u64(next, bits.width()))
}

/// The multiplicative inverse of an odd number of at most 64 bits, by Newton's iteration.
fn inverse(a: &Bv) -> Option<Bv> {
    let value = a.to_u64().filter(|v| v & 1 == 1)?;
    let mut inverse = value;
    for _ in 0..5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(value.wrapping_mul(inverse)));
    }
    Some(Bv::from_u64(inverse, a.width()))
}
