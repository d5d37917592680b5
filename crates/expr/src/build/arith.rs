//! Sums, products, divisions and shifts.

use crate::{Bv, Op, Term, Terms};

impl Terms {
    pub fn neg(&mut self, a: Term) -> Term {
        let node = *self.node(a);
        let width = node.width;
        if width == 1 {
            return a;
        }
        match node.op {
            Op::Const | Op::WideConst => {
                if let Some(folded) = self.fold(Op::Neg, width, 0, &[a]) {
                    return folded;
                }
            }
            Op::Neg => return node.arg(0),
            Op::Not => return self.add_constant(node.arg(0), &Bv::one(width)),
            Op::Add => {
                if let Some((x, c)) = self.with_constant(a, Op::Add) {
                    let x = self.neg(x);
                    return self.add_constant(x, &c.neg());
                }
                // -(x - y) is y - x; not further down a chain of differences, which may be long.
                let (x, y) = (node.arg(0), node.arg(1));
                for (x, y) in [(x, y), (y, x)] {
                    if let (Some(y), true) = (self.under(y, Op::Neg), self.op(x) != Op::Add) {
                        let x = self.neg(x);
                        return self.add(y, x);
                    }
                }
            }
            Op::Mul => {
                if let Some((x, c)) = self.with_constant(a, Op::Mul) {
                    return self.mul_constant(x, &c.neg());
                }
            }
            Op::ZExt if self.width(node.arg(0)) == 1 => return self.sext(node.arg(0), width),
            Op::SExt if self.width(node.arg(0)) == 1 => return self.zext(node.arg(0), width),
            Op::Ite => {
                if let Some(lifted) = self.lift_unary(Op::Neg, width, 0, a) {
                    return lifted;
                }
            }
            _ => {}
        }
        self.node_of(Op::Neg, width, &[a])
    }

    /// `a - b`, which is `a + -b`.
    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        self.common_width(Op::Add, a, b);
        if a == b {
            return self.zero(self.width(a));
        }
        let b = self.neg(b);
        self.add(a, b)
    }

    pub fn add(&mut self, a: Term, b: Term) -> Term {
        let width = self.common_width(Op::Add, a, b);
        if width == 1 {
            return self.xor(a, b);
        }
        let (a, b) = self.ordered(a, b);
        let (x, y) = (*self.node(a), *self.node(b));
        if let Some(c) = self.as_bv(b) {
            // The way that most sums take: an index or a pointer plus a constant.
            if matches!(x.op, Op::Var | Op::Extract | Op::Concat | Op::ZExt | Op::SExt | Op::Shl) && !c.is_zero() {
                return self.node_of(Op::Add, width, &[a, b]);
            }
            return self.add_constant(a, &c);
        }
        for (node, this, other) in [(&x, a, b), (&y, b, a)] {
            match node.op {
                Op::Add => {
                    if let Some((x, c)) = self.with_constant(this, Op::Add) {
                        let sum = self.add(x, other);
                        return self.add_constant(sum, &c);
                    }
                }
                // ~x is -x - 1.
                Op::Not => {
                    let negated = self.neg(node.arg(0));
                    let sum = self.add(negated, other);
                    return self.add_constant(sum, &Bv::ones(width));
                }
                _ => {}
            }
        }
        if let Some(sum) = self.add_alike(a, b) {
            return sum;
        }
        if (x.op == Op::Add || y.op == Op::Add || x.op == Op::Neg || y.op == Op::Neg)
            && let Some(sum) = self.add_into_sum(a, b)
        {
            return sum;
        }
        if x.op == Op::Ite
            && y.op == Op::Ite
            && let Some(lifted) = self.lift_binary(Op::Add, width, a, b)
        {
            return lifted;
        }
        if width <= 64
            && self.facts(a).possible(width) & self.facts(b).possible(width) == 0
            && let Some(joined) = self.join_disjoint(a, b)
        {
            return joined;
        }
        self.node_of(Op::Add, width, &[a, b])
    }

    /// `a + c`.
    pub(super) fn add_constant(&mut self, a: Term, c: &Bv) -> Term {
        if c.is_zero() {
            return a;
        }
        let width = c.width();
        if width == 1 {
            return self.not(a);
        }
        let node = *self.node(a);
        match node.op {
            Op::Add => {
                if let Some((x, d)) = self.with_constant(a, Op::Add) {
                    return self.add_constant(x, &c.add(&d));
                }
            }
            Op::Not => {
                let negated = self.neg(node.arg(0));
                return self.add_constant(negated, &c.sub(&Bv::one(width)));
            }
            _ => {}
        }
        let constant = self.constant_bv(c);
        if let Some(folded) = self.fold(Op::Add, width, 0, &[a, constant]) {
            return folded;
        }
        if let Some(lifted) = self.lift_binary(Op::Add, width, a, constant) {
            return lifted;
        }
        self.node_of(Op::Add, width, &[a, constant])
    }

    /// A term as a constant times another term.
    fn multiple(&self, a: Term) -> (Term, Bv) {
        let width = self.width(a);
        let (negative, a) = match self.under(a, Op::Neg) {
            Some(x) => (true, x),
            None => (false, a),
        };
        let node = self.node(a);
        let (base, factor) = match node.op {
            Op::Mul | Op::Shl => match self.as_bv(node.arg(1)) {
                Some(c) if node.op == Op::Mul => (node.arg(0), c),
                Some(c) => (node.arg(0), Bv::one(width).shl(&c)),
                None => (a, Bv::one(width)),
            },
            _ => (a, Bv::one(width)),
        };
        (base, if negative { factor.neg() } else { factor })
    }

    /// `a + b` if both are multiples of the same term.
    fn add_alike(&mut self, a: Term, b: Term) -> Option<Term> {
        let plain = |op: Op| !matches!(op, Op::Neg | Op::Mul | Op::Shl);
        if a != b && plain(self.op(a)) && plain(self.op(b)) {
            return None;
        }
        let ((x, c), (y, d)) = (self.multiple(a), self.multiple(b));
        (x == y).then(|| self.mul_constant(x, &c.add(&d)))
    }

    /// `a + b` if a summand of one is a multiple of the same term as the other or a summand of it.
    /// Only the topmost summands are looked at.
    fn add_into_sum(&mut self, a: Term, b: Term) -> Option<Term> {
        let summands = |term: Term| {
            let node = self.node(term);
            (node.op == Op::Add).then(|| [node.arg(0), node.arg(1)])
        };
        match (summands(a), summands(b)) {
            (Some([p, q]), Some([r, s])) => {
                for (x, x_rest) in [(p, q), (q, p)] {
                    for (y, y_rest) in [(r, s), (s, r)] {
                        if let Some(sum) = self.add_alike(x, y) {
                            let rest = self.add(x_rest, y_rest);
                            return Some(self.add(rest, sum));
                        }
                    }
                }
            }
            (Some([p, q]), None) | (None, Some([p, q])) => {
                let other = if self.op(a) == Op::Add { b } else { a };
                for (x, rest) in [(p, q), (q, p)] {
                    if let Some(sum) = self.add_alike(x, other) {
                        return Some(self.add(rest, sum));
                    }
                }
            }
            (None, None) => {}
        }
        // x - (x + q) is -q, and (x + p) - (x + q) is p - q.
        for (minuend, subtrahend) in [(a, b), (b, a)] {
            let Some([r, s]) = self.under(subtrahend, Op::Neg).and_then(|sum| {
                let node = self.node(sum);
                (node.op == Op::Add).then(|| [node.arg(0), node.arg(1)])
            }) else {
                continue;
            };
            for (x, rest) in [(r, s), (s, r)] {
                if x == minuend {
                    return Some(self.neg(rest));
                }
                let node = *self.node(minuend);
                if node.op == Op::Add {
                    for (y, y_rest) in [(node.arg(0), node.arg(1)), (node.arg(1), node.arg(0))] {
                        if x == y {
                            return Some(self.sub(y_rest, rest));
                        }
                    }
                }
            }
        }
        None
    }

    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        let width = self.common_width(Op::Mul, a, b);
        if width == 1 {
            return self.and(a, b);
        }
        let (a, b) = self.ordered(a, b);
        if let Some(c) = self.as_bv(b) {
            return self.mul_constant(a, &c);
        }
        for (this, other) in [(a, b), (b, a)] {
            let node = *self.node(this);
            match node.op {
                Op::Mul => {
                    if let Some((x, c)) = self.with_constant(this, Op::Mul) {
                        let product = self.mul(x, other);
                        return self.mul_constant(product, &c);
                    }
                }
                Op::Shl => {
                    if let Some((x, c)) = self.with_constant(this, Op::Shl) {
                        let product = self.mul(x, other);
                        return self.shl_constant(product, &c);
                    }
                }
                Op::Neg => {
                    let product = self.mul(node.arg(0), other);
                    return self.neg(product);
                }
                Op::ZExt | Op::SExt if self.width(node.arg(0)) == 1 => {
                    let zero = self.zero(width);
                    let value = if node.op == Op::ZExt { other } else { self.neg(other) };
                    return self.ite(node.arg(0), value, zero);
                }
                _ => {}
            }
        }
        if let Some(lifted) = self.lift_binary(Op::Mul, width, a, b) {
            return lifted;
        }
        self.node_of(Op::Mul, width, &[a, b])
    }

    /// `a * c`.
    pub(super) fn mul_constant(&mut self, a: Term, c: &Bv) -> Term {
        let width = c.width();
        if c.is_zero() {
            return self.zero(width);
        }
        if c.is_one() {
            return a;
        }
        if c.is_ones() {
            return self.neg(a);
        }
        let constant = self.constant_bv(c);
        if let Some(folded) = self.fold(Op::Mul, width, 0, &[a, constant]) {
            return folded;
        }
        let node = *self.node(a);
        match node.op {
            Op::Mul => {
                if let Some((x, d)) = self.with_constant(a, Op::Mul) {
                    return self.mul_constant(x, &c.mul(&d));
                }
            }
            Op::Shl => {
                if let Some((x, k)) = self.with_constant(a, Op::Shl) {
                    return self.mul_constant(x, &c.shl(&k));
                }
            }
            Op::Neg => return self.mul_constant(node.arg(0), &c.neg()),
            Op::Add => {
                if let Some((x, d)) = self.with_constant(a, Op::Add) {
                    let product = self.mul_constant(x, c);
                    return self.add_constant(product, &c.mul(&d));
                }
            }
            Op::Not => {
                let product = self.mul_constant(node.arg(0), &c.neg());
                return self.add_constant(product, &c.neg());
            }
            Op::ZExt | Op::SExt if self.width(node.arg(0)) == 1 => {
                let zero = self.zero(width);
                let value = if node.op == Op::ZExt { constant } else { self.constant_bv(&c.neg()) };
                return self.ite(node.arg(0), value, zero);
            }
            _ => {}
        }
        if let Some(lifted) = self.lift_binary(Op::Mul, width, a, constant) {
            return lifted;
        }
        if let Some(k) = c.power_of_two() {
            return self.shl_constant(a, &Bv::from_u64(k as u64, width));
        }
        if let Some(k) = c.neg().power_of_two() {
            let shifted = self.shl_constant(a, &Bv::from_u64(k as u64, width));
            return self.neg(shifted);
        }
        self.node_of(Op::Mul, width, &[a, constant])
    }

    pub fn udiv(&mut self, a: Term, b: Term) -> Term {
        let width = self.common_width(Op::UDiv, a, b);
        if let Some(folded) = self.fold(Op::UDiv, width, 0, &[a, b]) {
            return folded;
        }
        if width == 1 {
            let not_b = self.not(b);
            return self.or(a, not_b);
        }
        if let Some(c) = self.as_bv(b) {
            if c.is_zero() {
                return self.constant_bv(&Bv::ones(width));
            }
            if let Some(k) = c.power_of_two() {
                return self.lshr_constant(a, k);
            }
            // (x / d) / c is x / (c * d), or 0 if that does not fit.
            if let Some((x, d)) = self.with_constant(a, Op::UDiv) {
                let product = c.zext(2 * width).mul(&d.zext(2 * width));
                if product.bit_length() > width {
                    return self.zero(width);
                }
                let product = self.constant_bv(&product.extract(0, width));
                return self.udiv(x, product);
            }
        }
        if self.is_below(a, b) {
            return self.zero(width);
        }
        if let Some(lifted) = self.lift_binary(Op::UDiv, width, a, b) {
            return lifted;
        }
        self.node_of(Op::UDiv, width, &[a, b])
    }

    pub fn urem(&mut self, a: Term, b: Term) -> Term {
        let width = self.common_width(Op::URem, a, b);
        if let Some(folded) = self.fold(Op::URem, width, 0, &[a, b]) {
            return folded;
        }
        if a == b {
            return self.zero(width);
        }
        if width == 1 {
            let not_b = self.not(b);
            return self.and(a, not_b);
        }
        if let Some(c) = self.as_bv(b) {
            if c.is_zero() {
                return a;
            }
            if c.power_of_two().is_some() {
                return self.and_constant(a, &c.sub(&Bv::one(width)));
            }
        }
        if self.is_below(a, b) {
            return a;
        }
        if let Some(lifted) = self.lift_binary(Op::URem, width, a, b) {
            return lifted;
        }
        self.node_of(Op::URem, width, &[a, b])
    }

    /// Whether the facts say that `a` is less than `b`, unsigned.
    pub(super) fn is_below(&self, a: Term, b: Term) -> bool {
        self.facts(a).hi < self.facts(b).lo
    }

    fn are_non_negative(&self, a: Term, b: Term) -> bool {
        self.known_sign(a) == Some(false) && self.known_sign(b) == Some(false)
    }

    pub fn sdiv(&mut self, a: Term, b: Term) -> Term {
        let width = self.common_width(Op::SDiv, a, b);
        if let Some(folded) = self.fold(Op::SDiv, width, 0, &[a, b]) {
            return folded;
        }
        if width == 1 || self.are_non_negative(a, b) {
            return self.udiv(a, b);
        }
        if let Some(c) = self.as_bv(b) {
            if c.is_zero() {
                let (one, minus_one) = (self.constant_bv(&Bv::one(width)), self.constant_bv(&Bv::ones(width)));
                let negative = self.slt(a, b);
                return self.ite(negative, one, minus_one);
            }
            if c.is_one() {
                return a;
            }
            if c.is_ones() {
                return self.neg(a);
            }
        }
        if let Some(lifted) = self.lift_binary(Op::SDiv, width, a, b) {
            return lifted;
        }
        self.node_of(Op::SDiv, width, &[a, b])
    }

    pub fn srem(&mut self, a: Term, b: Term) -> Term {
        let width = self.common_width(Op::SRem, a, b);
        if let Some(folded) = self.fold(Op::SRem, width, 0, &[a, b]) {
            return folded;
        }
        if width == 1 || a == b || self.are_non_negative(a, b) {
            return self.urem(a, b);
        }
        if let Some(c) = self.as_bv(b) {
            if c.is_zero() {
                return a;
            }
            if c.is_one() || c.is_ones() {
                return self.zero(width);
            }
        }
        if let Some(lifted) = self.lift_binary(Op::SRem, width, a, b) {
            return lifted;
        }
        self.node_of(Op::SRem, width, &[a, b])
    }

    pub fn shl(&mut self, a: Term, b: Term) -> Term {
        let width = self.common_width(Op::Shl, a, b);
        if let Some(amount) = self.as_bv(b) {
            return self.shl_constant(a, &amount);
        }
        if let Some(simple) = self.shift_by_term(Op::Shl, a, b) {
            return simple;
        }
        self.node_of(Op::Shl, width, &[a, b])
    }

    /// What the two logical shifts by a term that is not a constant have in common.
    fn shift_by_term(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        if width == 1 {
            let not_b = self.not(b);
            return Some(self.and(a, not_b));
        }
        if self.is_zero(a) || self.facts(b).lo >= width as u64 {
            return Some(self.zero(width));
        }
        self.lift_binary(op, width, a, b)
    }

    /// `a << amount`.
    fn shl_constant(&mut self, a: Term, amount: &Bv) -> Term {
        let width = amount.width();
        if amount.is_zero() {
            return a;
        }
        let Some(k) = amount.fits_u64().and_then(|k| u32::try_from(k).ok()).filter(|&k| k < width) else {
            return self.zero(width);
        };
        let constant = self.constant_bv(amount);
        if let Some(folded) = self.fold(Op::Shl, width, 0, &[a, constant]) {
            return folded;
        }
        let node = *self.node(a);
        match node.op {
            Op::Shl => {
                if let Some((x, first)) = self.with_constant(a, Op::Shl) {
                    // Neither amount reaches the width, so their sum is exact in one more bit.
                    let sum = first.zext(width + 1).add(&amount.zext(width + 1));
                    return match sum.extract(width, 1).is_zero() {
                        true => self.shl_constant(x, &sum.extract(0, width)),
                        false => self.zero(width),
                    };
                }
            }
            Op::Mul => {
                if let Some((x, c)) = self.with_constant(a, Op::Mul) {
                    return self.mul_constant(x, &c.shl(amount));
                }
            }
            Op::Add => {
                if let Some((x, c)) = self.with_constant(a, Op::Add) {
                    let shifted = self.shl_constant(x, amount);
                    return self.add_constant(shifted, &c.shl(amount));
                }
            }
            Op::Neg => {
                let shifted = self.shl_constant(node.arg(0), amount);
                return self.neg(shifted);
            }
            Op::Not => {
                let shifted = self.shl_constant(node.arg(0), amount);
                let negated = self.neg(shifted);
                return self.add_constant(negated, &Bv::one(width).shl(amount).neg());
            }
            Op::ZExt | Op::Concat => {
                let kept = self.extract(a, 0, width - k);
                let zeros = self.zero(k);
                return self.concat(kept, zeros);
            }
            Op::Ite => {
                if let Some(lifted) = self.lift_binary(Op::Shl, width, a, constant) {
                    return lifted;
                }
            }
            _ => {}
        }
        self.node_of(Op::Shl, width, &[a, constant])
    }

    /// Shifts right, filling with zeros.
    pub fn lshr(&mut self, a: Term, b: Term) -> Term {
        let width = self.common_width(Op::LShr, a, b);
        if let Some(amount) = self.as_bv(b) {
            return match amount.fits_u64() {
                Some(k) if k < width as u64 => self.lshr_constant(a, k as u32),
                _ => self.zero(width),
            };
        }
        if let Some(simple) = self.shift_by_term(Op::LShr, a, b) {
            return simple;
        }
        self.node_of(Op::LShr, width, &[a, b])
    }

    /// `a >> k`, for `k` less than the width.
    fn lshr_constant(&mut self, a: Term, k: u32) -> Term {
        let width = self.width(a);
        let kept = self.extract(a, k, width - k);
        self.zext(kept, width)
    }

    /// Shifts right, filling with the sign.
    pub fn ashr(&mut self, a: Term, b: Term) -> Term {
        let width = self.common_width(Op::AShr, a, b);
        if width == 1 {
            return a;
        }
        if self.known_sign(a) == Some(false) {
            return self.lshr(a, b);
        }
        let amount = match self.as_bv(b) {
            Some(amount) => amount.fits_u64(),
            None if self.facts(b).lo >= width as u64 => None,
            None => {
                if let Some(lifted) = self.lift_binary(Op::AShr, width, a, b) {
                    return lifted;
                }
                return self.node_of(Op::AShr, width, &[a, b]);
            }
        };
        let k = amount.map_or(width - 1, |k| k.min(width as u64 - 1) as u32);
        let kept = self.extract(a, k, width - k);
        self.sext(kept, width)
    }
}
