//! What is known of a term's value whatever the inputs are: an unsigned interval and known bits.
//!
//! Facts are computed once, when a term is interned, from the facts of its arguments, so they cost
//! a few nanoseconds for a new term and nothing later, and there is no depth limit to tune. They
//! are a function of the term's structure alone: a rewrite that uses them gives the same result
//! whenever it is asked. (The alternative, computing them on demand down to a fixed depth, was
//! dropped: it finds less, and needs a memo that is as large.)

use crate::{Node, Op};
use espalier_base::bits::{mask, sign_bit};
use num_bigint::BigUint;

/// Facts of a value `v` of `width` bits. Above 64 bits, the interval bounds `min(v, u64::MAX)` and
/// the known bits are those of the low 64.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Facts {
    pub(crate) lo: u64,
    pub(crate) hi: u64,
    /// Bits known to be 0. Bits at and above the width are not included.
    pub(crate) zeros: u64,
    /// Bits known to be 1.
    pub(crate) ones: u64,
}

/// The bits of a value of `width` bits that [`Facts`] knows of.
fn tracked(width: u32) -> u64 {
    mask(width.min(64))
}

impl Facts {
    pub(crate) fn constant(value: u64) -> Facts {
        // The zeros are cut to the width by `tighten`, or by whoever joins this with facts of a
        // known width.
        Facts { lo: value, hi: value, zeros: !value, ones: value }
    }

    /// Facts of a constant of more than 64 bits.
    pub(crate) fn wide_constant(value: &BigUint) -> Facts {
        let low = value.iter_u64_digits().next().unwrap_or(0);
        let saturated = if value.bits() > 64 { u64::MAX } else { low };
        Facts { lo: saturated, hi: saturated, zeros: !low, ones: low }
    }

    pub(crate) fn unknown(width: u32) -> Facts {
        Facts { lo: 0, hi: tracked(width), zeros: 0, ones: 0 }
    }

    fn range(lo: u64, hi: u64) -> Facts {
        Facts { lo, hi, zeros: 0, ones: 0 }
    }

    fn bits(zeros: u64, ones: u64) -> Facts {
        Facts { lo: 0, hi: u64::MAX, zeros, ones }
    }

    /// What holds of a value of which one or the other holds.
    pub(crate) fn join(self, other: Facts) -> Facts {
        Facts {
            lo: self.lo.min(other.lo),
            hi: self.hi.max(other.hi),
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
        }
    }

    /// What holds of a value of which both hold.
    fn meet(self, other: Facts) -> Facts {
        Facts {
            lo: self.lo.max(other.lo),
            hi: self.hi.min(other.hi),
            zeros: self.zeros | other.zeros,
            ones: self.ones | other.ones,
        }
    }

    /// Lets the interval and the known bits learn from each other.
    pub(crate) fn tighten(self, width: u32) -> Facts {
        let all = tracked(width);
        let mut facts = Facts { zeros: self.zeros & all, hi: self.hi.min(all), ..self };
        if width <= 64 {
            facts.lo = facts.lo.max(facts.ones);
            facts.hi = facts.hi.min(all & !facts.zeros);
        }
        debug_assert!(facts.lo <= facts.hi && facts.zeros & facts.ones == 0, "contradictory facts {facts:?}");
        // The bits above the highest one in which the two bounds differ are the same for all values
        // between them. A bound of u64::MAX on a wider value is none.
        if width <= 64 || facts.hi < u64::MAX {
            let varying = match facts.lo ^ facts.hi {
                0 => 0,
                difference => u64::MAX >> difference.leading_zeros(),
            };
            facts.ones |= facts.lo & !varying;
            facts.zeros |= !facts.lo & !varying & all;
        }
        facts
    }

    /// The bits that may be 1.
    pub(crate) fn possible(&self, width: u32) -> u64 {
        tracked(width) & !self.zeros
    }

    /// Whether no value has both facts.
    pub(crate) fn disjoint(&self, other: &Facts) -> bool {
        self.hi < other.lo || other.hi < self.lo || self.zeros & other.ones != 0 || self.ones & other.zeros != 0
    }

    /// How many low bits are known to be 0.
    fn trailing_zeros(&self) -> u32 {
        (!self.zeros).trailing_zeros()
    }
}

fn low_zeros(count: u32) -> Facts {
    Facts::bits(if count == 0 { 0 } else { mask(count.min(64)) }, 0)
}

fn is_comparison(op: Op) -> bool {
    matches!(op, Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle | Op::FpEq | Op::FpLt | Op::FpLe)
}

/// The facts of a node, from those of its arguments (`facts[i]` and `widths[i]` belong to argument
/// `i`). Constants and reads are the caller's.
pub(crate) fn facts_of(node: &Node, widths: [u32; 3], facts: [Facts; 3]) -> Facts {
    let width = node.width;
    let [a, b, c] = facts;
    let unknown = Facts::unknown(width);
    if is_comparison(node.op) {
        return unknown;
    }
    // A value wider than a word is only tracked through extensions, slices and choices.
    let structural = matches!(node.op, Op::ZExt | Op::Extract | Op::Concat | Op::Ite);
    if !structural && width > 64 {
        return unknown;
    }
    let all = tracked(width);
    let found = match node.op {
        Op::Not => Facts { lo: all - a.hi, hi: all - a.lo, zeros: a.ones, ones: a.zeros },
        Op::Neg => {
            let range = if a.lo > 0 { Facts::range(all - a.hi + 1, all - a.lo + 1) } else { unknown };
            range.meet(low_zeros(a.trailing_zeros()))
        }
        Op::And => Facts { lo: 0, hi: a.hi.min(b.hi), zeros: a.zeros | b.zeros, ones: a.ones & b.ones },
        Op::Or => Facts { lo: a.lo.max(b.lo), hi: all, zeros: a.zeros & b.zeros, ones: a.ones | b.ones },
        Op::Xor => Facts::bits(a.zeros & b.zeros | a.ones & b.ones, a.zeros & b.ones | a.ones & b.zeros),
        Op::Add => add(width, a, b),
        Op::Mul => {
            let range = match (a.lo.checked_mul(b.lo), a.hi.checked_mul(b.hi)) {
                (Some(lo), Some(hi)) if hi <= all => Facts::range(lo, hi),
                _ => unknown,
            };
            range.meet(low_zeros(a.trailing_zeros().saturating_add(b.trailing_zeros())))
        }
        Op::UDiv if b.lo > 0 => Facts::range(a.lo / b.hi, a.hi / b.lo),
        Op::URem if b.lo > 0 => Facts::range(0, a.hi.min(b.hi - 1)),
        Op::URem => Facts::range(0, a.hi),
        Op::Shl if b.lo == b.hi => shl(width, a, b.lo),
        Op::Shl => low_zeros(a.trailing_zeros()).meet(unknown),
        Op::LShr => lshr(width, a, b),
        Op::AShr if a.hi < sign_bit(width) => lshr(width, a, b),
        Op::Ite => b.join(c),
        Op::Extract => extract(node, widths[0], a),
        Op::Concat => concat(width, widths[1], a, b),
        Op::ZExt => a.meet(Facts::bits(all & !tracked(widths[0]), 0)),
        Op::SExt => {
            let sign = sign_bit(widths[0]);
            let above = all & !mask(widths[0]);
            if a.hi < sign {
                a.meet(Facts::bits(above, 0))
            } else if a.lo >= sign {
                Facts { lo: a.lo | above, hi: a.hi | above, zeros: a.zeros, ones: a.ones | above }
            } else {
                Facts::bits(a.zeros & !sign, a.ones & !sign)
            }
        }
        _ => unknown,
    };
    found.tighten(width)
}

fn add(width: u32, a: Facts, b: Facts) -> Facts {
    let all = mask(width) as u128;
    let (lo, hi) = (a.lo as u128 + b.lo as u128, a.hi as u128 + b.hi as u128);
    let range = if hi <= all {
        Facts::range(lo as u64, hi as u64)
    } else if lo > all {
        Facts::range((lo - all - 1) as u64, (hi - all - 1) as u64)
    } else {
        Facts::unknown(width)
    };
    // The low bits that are known of both are known of the sum.
    let known = (a.zeros | a.ones) & (b.zeros | b.ones);
    let low = match (!known).trailing_zeros() {
        0 => 0,
        count => mask(count.min(64)),
    };
    let sum = a.ones.wrapping_add(b.ones);
    range.meet(Facts::bits(!sum & low, sum & low))
}

fn shl(width: u32, a: Facts, amount: u64) -> Facts {
    if amount >= width as u64 {
        return Facts::constant(0);
    }
    let all = mask(width);
    let range =
        if a.hi <= all >> amount { Facts::range(a.lo << amount, a.hi << amount) } else { Facts::unknown(width) };
    range.meet(Facts::bits(!(!a.zeros << amount) & all, a.ones << amount & all))
}

fn lshr(width: u32, a: Facts, amount: Facts) -> Facts {
    let by = |value: u64, amount: u64| {
        if amount < width as u64 { value >> amount } else { 0 }
    };
    Facts::range(by(a.lo, amount.hi), by(a.hi, amount.lo))
}

fn extract(node: &Node, argument: u32, a: Facts) -> Facts {
    let (low, width) = (node.number(1), node.width);
    let unknown = Facts::unknown(width);
    if low >= 64 || width > 64 {
        return unknown;
    }
    let all = mask(width);
    // Above the argument's 64 tracked bits nothing is known.
    let bits = Facts::bits(a.zeros >> low & all, a.ones >> low & all);
    let bounded = argument <= 64 || a.hi < u64::MAX;
    let (lo, hi) = (a.lo >> low, a.hi >> low);
    let range = if bounded && lo & !all == hi & !all { Facts::range(lo & all, hi & all) } else { unknown };
    range.meet(bits)
}

fn concat(width: u32, low_width: u32, a: Facts, b: Facts) -> Facts {
    if low_width >= 64 {
        return Facts::bits(b.zeros, b.ones);
    }
    let bits = Facts::bits(a.zeros << low_width | b.zeros, a.ones << low_width | b.ones);
    if width > 64 {
        return bits;
    }
    Facts::range(a.lo << low_width | b.lo, a.hi << low_width | b.hi).meet(bits)
}
