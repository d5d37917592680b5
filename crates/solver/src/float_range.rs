//! Intervals of floats, and what operators do to them, forwards and backwards.
//!
//! Rounding to nearest is monotone, so that forwards the bounds of a result are the operator on
//! bounds, rounded as the operator rounds: there is nothing to widen. Backwards, a result between
//! two floats comes from an exact result between their neighbours; what follows from that is
//! computed in `f64` and rounded outwards twice. Both zeros are the number 0, and whether there may
//! be a NaN is kept beside.

use espalier_expr::{FloatFormat, Op, Rounding};

/// The numbers from `lo` to `hi`, none if `lo` is greater, and NaN or not. An `f32` is kept as the
/// `f64` that it is.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Range {
    pub lo: f64,
    pub hi: f64,
    pub nan: bool,
}

const INFINITY: f64 = f64::INFINITY;

impl Range {
    pub const ALL: Range = Range { lo: -INFINITY, hi: INFINITY, nan: true };
    const NUMBERS: Range = Range { nan: false, ..Range::ALL };
    pub const NONE: Range = Range { lo: INFINITY, hi: -INFINITY, nan: false };

    pub fn of_bits(format: FloatFormat, bits: u64) -> Range {
        let value = from_bits(format, bits);
        if value.is_nan() { Range { nan: true, ..Range::NONE } } else { Range { lo: value, hi: value, nan: false } }
    }

    pub fn has_numbers(self) -> bool {
        self.lo <= self.hi
    }

    pub fn is_empty(self) -> bool {
        !self.has_numbers() && !self.nan
    }

    fn has(self, value: f64) -> bool {
        self.lo <= value && value <= self.hi
    }

    fn has_infinity(self) -> bool {
        self.has(INFINITY) || self.has(-INFINITY)
    }

    pub fn meet(self, other: Range) -> Range {
        let (lo, hi) = (self.lo.max(other.lo), self.hi.min(other.hi));
        let numbers = if lo <= hi { Range { lo, hi, nan: false } } else { Range::NONE };
        Range { nan: self.nan && other.nan, ..numbers }
    }

    pub fn join(self, other: Range) -> Range {
        Range { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi), nan: self.nan || other.nan }
    }

    pub fn negated(self) -> Range {
        Range { lo: -self.hi, hi: -self.lo, nan: self.nan }
    }

    pub fn magnitude(self) -> Range {
        match () {
            () if !self.has_numbers() || self.lo >= 0.0 => self,
            () if self.hi <= 0.0 => self.negated(),
            () => Range { lo: 0.0, hi: self.hi.max(-self.lo), nan: self.nan },
        }
    }

    /// The hull of numbers, of which NaNs are none.
    fn hull(corners: impl IntoIterator<Item = f64>, nan: bool) -> Range {
        let numbers = corners.into_iter().filter(|corner| !corner.is_nan());
        numbers.fold(Range { nan, ..Range::NONE }, |range, x| range.join(Range { lo: x, hi: x, nan: false }))
    }

    /// Bounds that were computed in `f64`, rounded outwards; a NaN bounds nothing.
    fn outwards(self, format: FloatFormat) -> Range {
        let lo = if self.lo.is_nan() { -INFINITY } else { floor(format, self.lo.next_down()) };
        let hi = if self.hi.is_nan() { INFINITY } else { ceil(format, self.hi.next_up()) };
        Range { lo, hi, nan: false }
    }

    /// Where the exact results are that are rounded into this.
    fn unrounded(self, format: FloatFormat) -> Range {
        Range { lo: next_down(format, self.lo), hi: next_up(format, self.hi), nan: false }
    }
}

pub fn from_bits(format: FloatFormat, bits: u64) -> f64 {
    match format {
        FloatFormat::F32 => f32::from_bits(bits as u32) as f64,
        FloatFormat::F64 => f64::from_bits(bits),
    }
}

/// The bits of a number of the format.
pub fn to_bits(format: FloatFormat, value: f64) -> u64 {
    match format {
        FloatFormat::F32 => (value as f32).to_bits() as u64,
        FloatFormat::F64 => value.to_bits(),
    }
}

pub fn next_up(format: FloatFormat, value: f64) -> f64 {
    match format {
        FloatFormat::F32 => (value as f32).next_up() as f64,
        FloatFormat::F64 => value.next_up(),
    }
}

pub fn next_down(format: FloatFormat, value: f64) -> f64 {
    -next_up(format, -value)
}

/// The greatest number of the format that is not greater.
pub fn floor(format: FloatFormat, value: f64) -> f64 {
    match format {
        FloatFormat::F64 => value,
        FloatFormat::F32 => {
            let near = value as f32 as f64;
            if near > value { next_down(format, near) } else { near }
        }
    }
}

fn ceil(format: FloatFormat, value: f64) -> f64 {
    -floor(format, -value)
}

fn apply(op: Op, format: FloatFormat, x: f64, y: f64) -> f64 {
    match format {
        FloatFormat::F32 => {
            let (x, y) = (x as f32, y as f32);
            let result = match op {
                Op::FpAdd => x + y,
                Op::FpMul => x * y,
                _ => x / y,
            };
            result as f64
        }
        FloatFormat::F64 => match op {
            Op::FpAdd => x + y,
            Op::FpMul => x * y,
            _ => x / y,
        },
    }
}

/// `FpAdd`, `FpSub`, `FpMul`, `FpDiv` or `FpRem` of any two values.
pub fn binary(op: Op, format: FloatFormat, a: Range, b: Range) -> Range {
    let nan = a.nan || b.nan;
    if !a.has_numbers() || !b.has_numbers() {
        return Range { nan, ..Range::NONE };
    }
    let corners = |op| [(a.lo, b.lo), (a.lo, b.hi), (a.hi, b.lo), (a.hi, b.hi)].map(|(x, y)| apply(op, format, x, y));
    match op {
        Op::FpSub => binary(Op::FpAdd, format, a, b.negated()),
        Op::FpAdd => {
            let opposite = a.has(INFINITY) && b.has(-INFINITY) || a.has(-INFINITY) && b.has(INFINITY);
            let (lo, hi) = (apply(op, format, a.lo, b.lo), apply(op, format, a.hi, b.hi));
            let lo = if lo.is_nan() { -INFINITY } else { lo };
            let hi = if hi.is_nan() { INFINITY } else { hi };
            Range { lo, hi, nan: nan || opposite }
        }
        Op::FpMul => {
            let undefined = a.has(0.0) && b.has_infinity() || b.has(0.0) && a.has_infinity();
            // Zero times what is next to infinity.
            let corners = corners(op).map(|corner| if corner.is_nan() { 0.0 } else { corner });
            Range::hull(corners, nan || undefined)
        }
        Op::FpDiv => {
            let undefined = a.has(0.0) && b.has(0.0) || a.has_infinity() && b.has_infinity();
            // What is next to infinity, by infinity.
            let corners = corners(op).map(|corner| if corner.is_nan() { 0.0 } else { corner });
            let numbers = if b.has(0.0) { Range::NUMBERS } else { Range::hull(corners, false) };
            Range { nan: nan || undefined, ..numbers }
        }
        // The remainder is no greater than either, and has the sign of the first.
        _ => {
            let most = a.magnitude().hi.min(b.magnitude().hi);
            let (lo, hi) = (if a.lo < 0.0 { -most } else { 0.0 }, if a.hi > 0.0 { most } else { 0.0 });
            Range { lo, hi, nan: nan || a.has_infinity() || b.has(0.0) }
        }
    }
}

/// A value times itself.
pub fn square(format: FloatFormat, a: Range) -> Range {
    let magnitude = a.magnitude();
    if !magnitude.has_numbers() {
        return a;
    }
    let [lo, hi] = [magnitude.lo, magnitude.hi].map(|x| apply(Op::FpMul, format, x, x));
    Range { lo, hi, nan: a.nan }
}

pub fn fma(format: FloatFormat, a: Range, b: Range, c: Range) -> Range {
    let nan = a.nan || b.nan || c.nan;
    if ![a, b, c].iter().all(|x| x.has_numbers()) {
        return Range { nan, ..Range::NONE };
    }
    if [a, b, c].iter().any(|x| x.has_infinity()) {
        return Range::ALL;
    }
    let corner = |x: f64, y: f64, z: f64| match format {
        FloatFormat::F32 => (x as f32).mul_add(y as f32, z as f32) as f64,
        FloatFormat::F64 => x.mul_add(y, z),
    };
    let pairs = [(a.lo, b.lo), (a.lo, b.hi), (a.hi, b.lo), (a.hi, b.hi)];
    Range::hull(pairs.into_iter().flat_map(|(x, y)| [corner(x, y, c.lo), corner(x, y, c.hi)]), nan)
}

pub fn sqrt(format: FloatFormat, a: Range) -> Range {
    let numbers = a.meet(Range { lo: 0.0, ..Range::NUMBERS });
    let root = |x: f64| match format {
        FloatFormat::F32 => (x as f32).sqrt() as f64,
        FloatFormat::F64 => x.sqrt(),
    };
    let nan = a.nan || a.has_numbers() && a.lo < 0.0;
    match numbers.has_numbers() {
        true => Range { lo: root(numbers.lo), hi: root(numbers.hi), nan },
        false => Range { nan, ..Range::NONE },
    }
}

pub fn round(rounding: Rounding, a: Range) -> Range {
    let round = |x: f64| match rounding {
        Rounding::NearestEven => x.round_ties_even(),
        Rounding::NearestAway => x.round(),
        Rounding::Down => x.floor(),
        Rounding::Up => x.ceil(),
        Rounding::Zero => x.trunc(),
    };
    if a.has_numbers() { Range { lo: round(a.lo), hi: round(a.hi), nan: a.nan } } else { a }
}

pub fn convert(to: FloatFormat, a: Range) -> Range {
    match to {
        FloatFormat::F32 if a.has_numbers() => Range { lo: a.lo as f32 as f64, hi: a.hi as f32 as f64, nan: a.nan },
        _ => a,
    }
}

/// The integers from `lo` to `hi` as floats.
pub fn of_integers(format: FloatFormat, lo: i128, hi: i128) -> Range {
    let [lo, hi] = [lo, hi].map(|x| match format {
        FloatFormat::F32 => x as f32 as f64,
        FloatFormat::F64 => x as f64,
    });
    Range { lo, hi, nan: false }
}

/// The integers that become one of these floats.
pub fn integers_of(format: FloatFormat, result: Range) -> (i128, i128) {
    let exact = result.unrounded(format);
    (exact.lo.floor() as i128, exact.hi.ceil() as i128)
}

/// Where the first operand is, if the result is in `result`, which has no NaN.
pub fn first_of(op: Op, format: FloatFormat, result: Range, a: Range, b: Range) -> Range {
    let exact = result.unrounded(format);
    let quotients =
        |x: Range, y: Range| Range::hull([x.lo / y.lo, x.lo / y.hi, x.hi / y.lo, x.hi / y.hi], false).outwards(format);
    let found = match op {
        Op::FpAdd => Range { lo: exact.lo - b.hi, hi: exact.hi - b.lo, nan: false }.outwards(format),
        Op::FpSub => Range { lo: exact.lo + b.lo, hi: exact.hi + b.hi, nan: false }.outwards(format),
        Op::FpMul if !b.has(0.0) && !b.has_infinity() => quotients(exact, b),
        Op::FpDiv if !b.has(0.0) && !b.has_infinity() => {
            let corners = [exact.lo * b.lo, exact.lo * b.hi, exact.hi * b.lo, exact.hi * b.hi];
            Range::hull(corners, false).outwards(format)
        }
        _ => Range::NUMBERS,
    };
    a.meet(found)
}

/// The same for the second operand.
pub fn second_of(op: Op, format: FloatFormat, result: Range, a: Range, b: Range) -> Range {
    match op {
        Op::FpAdd | Op::FpMul => first_of(op, format, result, b, a),
        // a - b = c is -b + a = c.
        Op::FpSub => first_of(Op::FpAdd, format, result, b.negated(), a).negated(),
        Op::FpDiv => {
            let exact = result.unrounded(format);
            if exact.has(0.0) || a.has_infinity() {
                return b.meet(Range::NUMBERS);
            }
            let corners = [a.lo / exact.lo, a.lo / exact.hi, a.hi / exact.lo, a.hi / exact.hi];
            b.meet(Range::hull(corners, false).outwards(format))
        }
        _ => b.meet(Range::NUMBERS),
    }
}

/// Where a number is whose square is in `result`.
pub fn root_of(format: FloatFormat, result: Range, a: Range) -> Range {
    let exact = result.unrounded(format);
    if exact.hi < 0.0 {
        return Range::NONE;
    }
    let most = ceil(format, exact.hi.sqrt().next_up());
    let least = if exact.lo > 0.0 { floor(format, exact.lo.sqrt().next_down()) } else { 0.0 };
    let a = a.meet(Range { lo: -most, hi: most, nan: false });
    match () {
        () if a.lo > -least => a.meet(Range { lo: least, ..Range::NUMBERS }),
        () if a.hi < least => a.meet(Range { hi: -least, ..Range::NUMBERS }),
        () => a,
    }
}

/// Where a number is whose square root is in `result`.
pub fn square_of(format: FloatFormat, result: Range, a: Range) -> Range {
    let exact = result.unrounded(format);
    let lo = if exact.lo > 0.0 { floor(format, (exact.lo * exact.lo).next_down()) } else { 0.0 };
    let hi = ceil(format, (exact.hi * exact.hi).next_up());
    a.meet(Range { lo, hi, nan: false })
}

/// Where a number is that is rounded to an integral one in `result`.
pub fn unrounded_of(format: FloatFormat, result: Range, a: Range) -> Range {
    a.meet(Range { lo: result.lo - 1.0, hi: result.hi + 1.0, nan: false }.outwards(format))
}

/// Where a number of the format `from` is that converted to `to` is in `result`.
pub fn converted_of(from: FloatFormat, to: FloatFormat, result: Range, a: Range) -> Range {
    a.meet(result.unrounded(to).outwards(from))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Random(u64);

    impl Random {
        fn below(&mut self, limit: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 20) % limit
        }

        /// Corner values, moderate ones and any bits.
        fn float(&mut self, format: FloatFormat) -> f64 {
            let corners = [0.0, -0.0, 1.0, -1.0, 0.5, 3.0, INFINITY, -INFINITY, f64::NAN, 1e30, -1e-30, 16777217.0];
            let value = match self.below(4) {
                0 => corners[self.below(corners.len() as u64) as usize],
                1 => (self.below(2000) as f64 - 1000.0) / (1.0 + self.below(16) as f64),
                2 => from_bits(format, self.below(1 << 4) | (self.below(2) << (format.width() - 1))),
                _ => {
                    let bits = self.below(1 << 43) << 21 | self.below(1 << 21);
                    from_bits(format, bits >> (64 - format.width()))
                }
            };
            convert(format, Range { lo: value, hi: value, nan: false }).lo
        }

        /// An interval with this value in it.
        fn around(&mut self, format: FloatFormat, value: f64) -> Range {
            let point = if value.is_nan() { Range { nan: true, ..Range::NONE } } else { Range::hull([value], false) };
            match self.below(3) {
                0 => point,
                1 => Range::hull([self.float(format)], self.below(2) == 0).join(point),
                _ => Range::hull([self.float(format), self.float(format)], self.below(4) == 0).join(point),
            }
        }
    }

    fn contains(range: Range, value: f64) -> bool {
        if value.is_nan() { range.nan } else { range.has(value) }
    }

    /// Whatever the operands are, the result is in the interval, and they are where they can be
    /// according to the result.
    #[test]
    fn intervals_contain_what_operators_give() {
        let mut random = Random(1);
        for turn in 0..400_000 {
            let format = if random.below(2) == 0 { FloatFormat::F32 } else { FloatFormat::F64 };
            let [x, y, z] = [0; 3].map(|_| random.float(format));
            let [a, b, c] = [x, y, z].map(|value| random.around(format, value));
            let single = |value: f64| convert(format, Range { lo: value, hi: value, nan: false }).lo;
            let ops = [Op::FpAdd, Op::FpSub, Op::FpMul, Op::FpDiv, Op::FpRem];
            let op = ops[random.below(5) as usize];
            let result = match (op, format) {
                (Op::FpSub, FloatFormat::F32) => (x as f32 - y as f32) as f64,
                (Op::FpSub, _) => x - y,
                (Op::FpRem, FloatFormat::F32) => (x as f32 % y as f32) as f64,
                (Op::FpRem, _) => x % y,
                _ => apply(op, format, x, y),
            };
            let what = format!("turn {turn}: {op:?} {format:?} of {x:e} in {a:?} and {y:e} in {b:?} is {result:e}");
            assert!(contains(binary(op, format, a, b), result), "{what}");
            let of_result = random.around(format, result).meet(binary(op, format, a, b));
            if !of_result.nan {
                assert!(contains(first_of(op, format, of_result, a, b), x), "{what} in {of_result:?}");
                assert!(contains(second_of(op, format, of_result, a, b), y), "{what} in {of_result:?}");
            }
            let squared = apply(Op::FpMul, format, x, x);
            assert!(contains(square(format, a), squared), "{what}");
            let of_square = random.around(format, squared).meet(square(format, a));
            if !of_square.nan {
                assert!(contains(root_of(format, of_square, a), x), "{what}, squared in {of_square:?}");
            }
            let root = if format == FloatFormat::F32 { (x as f32).sqrt() as f64 } else { x.sqrt() };
            let of_root = random.around(format, root).meet(sqrt(format, a));
            assert!(contains(of_root, root), "{what}");
            if !of_root.nan {
                assert!(contains(square_of(format, of_root, a), x), "{what}, root in {of_root:?}");
            }
            let fused = match format {
                FloatFormat::F32 => (x as f32).mul_add(y as f32, z as f32) as f64,
                FloatFormat::F64 => x.mul_add(y, z),
            };
            assert!(contains(fma(format, a, b, c), fused), "{what}, and {z:e} in {c:?}");
            let rounding = Rounding::ALL[random.below(5) as usize];
            let rounded = match rounding {
                Rounding::NearestEven => x.round_ties_even(),
                Rounding::NearestAway => x.round(),
                Rounding::Down => x.floor(),
                Rounding::Up => x.ceil(),
                Rounding::Zero => x.trunc(),
            };
            let of_rounded = random.around(format, rounded).meet(round(rounding, a));
            assert!(contains(of_rounded, rounded), "{what}");
            if !of_rounded.nan {
                assert!(contains(unrounded_of(format, of_rounded, a), x), "{what}, rounded to {rounded:e}");
            }
            for to in [FloatFormat::F32, FloatFormat::F64] {
                let converted = if to == FloatFormat::F32 { x as f32 as f64 } else { x };
                let of_converted = random.around(to, converted).meet(convert(to, a));
                assert!(contains(of_converted, converted), "{what}");
                if !of_converted.nan {
                    assert!(contains(converted_of(format, to, of_converted, a), x), "{what}, converted to {to:?}");
                }
            }
            let integer = random.below(1 << 43) as i128 * (random.below(3) as i128 - 1) * random.below(1 << 20) as i128;
            let as_float = if format == FloatFormat::F32 { integer as f32 as f64 } else { integer as f64 };
            assert_eq!(of_integers(format, integer, integer).lo, as_float);
            let (lo, hi) = integers_of(format, random.around(format, single(as_float)));
            assert!(lo <= integer && integer <= hi, "{what}: {integer}");
        }
    }
}
