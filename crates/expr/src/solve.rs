//! Solving equalities for variables: what `x + 3 == y` says of `x`, and `a ++ b == 0x1234` of both.

use crate::{Op, Term, Terms};
use rustc_hash::FxHashMap;

/// What an equality says of some variables. None of them occurs in a value.
#[derive(Default, Debug)]
pub struct Solution {
    pub values: FxHashMap<Term, Term>,
    /// What else must hold for the equality to be true. The variables may occur in it.
    pub rest: Vec<Term>,
}

impl Terms {
    /// An equality as values for variables that are `wanted`, if it determines any: it is true
    /// exactly if they have these values, and the rest holds.
    pub fn solve(&mut self, equality: Term, wanted: &dyn Fn(&Terms, Term) -> bool) -> Option<Solution> {
        let node = *self.node(equality);
        if node.op != Op::Eq {
            return None;
        }
        let (a, b) = (node.arg(0), node.arg(1));
        [(a, b), (b, a)].into_iter().find_map(|(side, value)| {
            let mut solution = Solution::default();
            self.isolate(side, value, wanted, &mut solution).then_some(solution)
        })
    }

    /// Solves `side == value` for variables of `side`: what is not solved becomes a part of the
    /// rest. If there are none, the solution stays as it is.
    fn isolate(
        &mut self,
        side: Term,
        value: Term,
        wanted: &dyn Fn(&Terms, Term) -> bool,
        solution: &mut Solution,
    ) -> bool {
        let node = *self.node(side);
        match node.op {
            Op::Var => {
                let is_free = wanted(self, side) && self.is_apart(side, value, solution);
                if is_free {
                    solution.values.insert(side, value);
                }
                is_free
            }
            Op::Not => {
                let value = self.not(value);
                self.isolate(node.arg(0), value, wanted, solution)
            }
            Op::Neg => {
                let value = self.neg(value);
                self.isolate(node.arg(0), value, wanted, solution)
            }
            Op::Add | Op::Xor => [(0, 1), (1, 0)].into_iter().any(|(one, other)| {
                let other = node.arg(other);
                let left = if node.op == Op::Add { self.sub(value, other) } else { self.xor(value, other) };
                self.isolate(node.arg(one), left, wanted, solution)
            }),
            Op::ZExt | Op::SExt => {
                let narrow = self.width(node.arg(0));
                let low = self.trunc(value, narrow);
                if !self.isolate(node.arg(0), low, wanted, solution) {
                    return false;
                }
                let again = if node.op == Op::ZExt { self.zext(low, node.width) } else { self.sext(low, node.width) };
                let fits = self.eq(again, value);
                self.require(solution, fits);
                true
            }
            Op::Concat => {
                let (high, low) = (node.arg(0), node.arg(1));
                let at = self.width(low);
                let (above, below) = (self.extract(value, at, node.width - at), self.trunc(value, at));
                let parts = [(high, above), (low, below)];
                let solved = parts.map(|(part, value)| self.isolate(part, value, wanted, solution));
                if solved == [false, false] {
                    return false;
                }
                for ((part, value), solved) in parts.into_iter().zip(solved) {
                    if !solved {
                        let same = self.eq(part, value);
                        self.require(solution, same);
                    }
                }
                true
            }
            _ => false,
        }
    }

    /// May a variable get this value, so that no variable that is solved for occurs in a value?
    fn is_apart(&self, var: Term, value: Term, solution: &Solution) -> bool {
        let occurring = self.vars_of(value);
        !solution.values.contains_key(&var)
            && !occurring.contains(&var)
            && solution
                .values
                .iter()
                .all(|(solved, other)| !occurring.contains(solved) && !self.vars_of(*other).contains(&var))
    }

    fn require(&self, solution: &mut Solution, condition: Term) {
        if condition != self.tru() {
            solution.rest.push(condition);
        }
    }
}
