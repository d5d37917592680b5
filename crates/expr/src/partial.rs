//! Operators on arguments of which some are unknown.
//!
//! What all unknown values agree on is known: nothing and anything is nothing. This is all that is
//! looked for; an operator whose result only a part of the argument decides gives nothing here.

use crate::semantics::{Shape, apply_small};
use crate::{Op, Term, Terms};
use espalier_base::bits::mask;

impl Terms {
    /// The value of `term` if its arguments have these values, as far as they are known and have
    /// at most 64 bits. Variables and reads are the caller's, and have no value here.
    pub fn apply_known(&self, term: Term, values: [Option<u64>; 3]) -> Option<u64> {
        let node = self.node(term);
        if matches!(node.op, Op::Const | Op::WideConst | Op::Var | Op::Read) || node.width > 64 {
            return self.as_u64(term);
        }
        let [a, b, c] = values;
        let all = mask(node.width);
        match node.op {
            Op::And | Op::Mul if a == Some(0) || b == Some(0) => return Some(0),
            Op::Or if a == Some(all) || b == Some(all) => return Some(all),
            Op::Ite => {
                return match a {
                    Some(condition) => {
                        if condition != 0 {
                            b
                        } else {
                            c
                        }
                    }
                    None => b.filter(|_| b == c),
                };
            }
            _ => {}
        }
        let mut words = [0; 3];
        for (i, arg) in node.args().enumerate() {
            if self.width(arg) > 64 {
                return None;
            }
            words[i] = values[i]?;
        }
        let argument = node.args().next().map_or(0, |arg| self.width(arg));
        Some(apply_small(Shape { op: node.op, width: node.width, argument, number: node.number(1) }, words))
    }
}
