//! Putting terms in the place of variables.

use crate::array::ArrayNode;
use crate::float::{FloatFormat, Rounding};
use crate::{ArrayId, Op, Term, Terms};
use rustc_hash::FxHashMap;

impl Terms {
    /// `term` with every variable that `values` has replaced by its value there, which must have the variable's width. The result is in
    /// normal form like any other term.
    pub fn substitute(&mut self, term: Term, values: &FxHashMap<Term, Term>) -> Term {
        let touched = |terms: &Terms, term: Term| terms.vars_of(term).iter().any(|var| values.contains_key(var));
        if !touched(self, term) {
            return term;
        }
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        let mut arrays: FxHashMap<ArrayId, ArrayId> = FxHashMap::default();
        for part in self.postorder(&[term]) {
            let new = match self.op(part) {
                Op::Const | Op::WideConst => part,
                Op::Var => values.get(&part).copied().unwrap_or(part),
                _ if !touched(self, part) => part,
                Op::Read => {
                    let node = *self.node(part);
                    let array = self.substitute_array(node.array(), &done, &mut arrays);
                    let index = node.args().next().map_or(part, |index| done[&index]);
                    self.read(array, index)
                }
                _ => self.rebuild(part, &done),
            };
            debug_assert_eq!(self.width(new), self.width(part), "a value of another width than its variable");
            done.insert(part, new);
        }
        done[&term]
    }

    /// The array with its parts replaced; all of the terms in it are `done`.
    fn substitute_array(
        &mut self,
        array: ArrayId,
        done: &FxHashMap<Term, Term>,
        arrays: &mut FxHashMap<ArrayId, ArrayId>,
    ) -> ArrayId {
        // The chain of stores down to what is known already, newest first.
        let mut chain = Vec::new();
        let mut below = array;
        let mut result = loop {
            if let Some(&known) = arrays.get(&below) {
                break known;
            }
            match self.array_node(below).clone() {
                ArrayNode::Store { array, index, value } => {
                    chain.push((below, index, value));
                    below = array;
                }
                ArrayNode::Base(base) => {
                    let base = self.map_base(&base, |term| done[&term]);
                    arrays.insert(below, base);
                    break base;
                }
            }
        };
        for (old, index, value) in chain.into_iter().rev() {
            result = self.array_store(result, done[&index], done[&value]);
            arrays.insert(old, result);
        }
        result
    }

    /// The operator of `term` on the terms that its arguments have become.
    fn rebuild(&mut self, term: Term, done: &FxHashMap<Term, Term>) -> Term {
        let node = *self.node(term);
        let arg = |index: usize| done[&node.arg(index)];
        match node.op {
            Op::Const | Op::WideConst | Op::Var | Op::Read => unreachable!("not an operator on terms"),
            Op::Not => self.not(arg(0)),
            Op::Neg => self.neg(arg(0)),
            Op::And => self.and(arg(0), arg(1)),
            Op::Or => self.or(arg(0), arg(1)),
            Op::Xor => self.xor(arg(0), arg(1)),
            Op::Add => self.add(arg(0), arg(1)),
            Op::Mul => self.mul(arg(0), arg(1)),
            Op::UDiv => self.udiv(arg(0), arg(1)),
            Op::SDiv => self.sdiv(arg(0), arg(1)),
            Op::URem => self.urem(arg(0), arg(1)),
            Op::SRem => self.srem(arg(0), arg(1)),
            Op::Shl => self.shl(arg(0), arg(1)),
            Op::LShr => self.lshr(arg(0), arg(1)),
            Op::AShr => self.ashr(arg(0), arg(1)),
            Op::Eq => self.eq(arg(0), arg(1)),
            Op::Ult => self.ult(arg(0), arg(1)),
            Op::Ule => self.ule(arg(0), arg(1)),
            Op::Slt => self.slt(arg(0), arg(1)),
            Op::Sle => self.sle(arg(0), arg(1)),
            Op::Ite => self.ite(arg(0), arg(1), arg(2)),
            Op::Extract => self.extract(arg(0), node.number(1), node.width),
            Op::Concat => self.concat(arg(0), arg(1)),
            Op::ZExt => self.zext(arg(0), node.width),
            Op::SExt => self.sext(arg(0), node.width),
            Op::FpAdd => self.fp_add(arg(0), arg(1)),
            Op::FpSub => self.fp_sub(arg(0), arg(1)),
            Op::FpMul => self.fp_mul(arg(0), arg(1)),
            Op::FpDiv => self.fp_div(arg(0), arg(1)),
            Op::FpRem => self.fp_rem(arg(0), arg(1)),
            Op::FpFma => self.fp_fma(arg(0), arg(1), arg(2)),
            Op::FpSqrt => self.fp_sqrt(arg(0)),
            Op::FpRound => self.fp_round(arg(0), Rounding::from_number(node.number(1))),
            Op::FpEq => self.fp_eq(arg(0), arg(1)),
            Op::FpLt => self.fp_lt(arg(0), arg(1)),
            Op::FpLe => self.fp_le(arg(0), arg(1)),
            Op::FpToFp => self.fp_to_fp(arg(0), FloatFormat::of(node.width)),
            Op::FpToSi => self.fp_to_si(arg(0), node.width),
            Op::SiToFp => self.si_to_fp(arg(0), FloatFormat::of(node.width)),
            Op::UiToFp => self.ui_to_fp(arg(0), FloatFormat::of(node.width)),
        }
    }
}
