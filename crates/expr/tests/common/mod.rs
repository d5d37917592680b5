//! Random constructions. A [`Recipe`] is a list of steps, each of which applies an operator to earlier results; it can be
//! carried out by the constructors of [`Terms`], which rewrite, and by a plain reference on big integers and native floats,
//! which does not. Both have to give the same values.
//!
//! A wrong bound only shows at the bound. So some constants are chosen near the value that the other operand has in the first
//! model: the reference runs on that model first and writes down those constants, and all other runs read them.

#![allow(dead_code)] // Each test binary uses its own part.

use espalier_expr::{
    ArrayByte, Bv, FloatFormat, Model, Op, Rounding, SymbolInfo, SymbolShape, Term, Terms,
};
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One, ToPrimitive, Zero};
use proptest::collection::vec;
use proptest::prelude::*;

/// `EXPR_CASES` multiplies the number of cases, for a longer run by hand.
pub fn config(cases: u32) -> ProptestConfig {
    let factor = std::env::var("EXPR_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    ProptestConfig { cases: cases * factor, failure_persistence: None, ..ProptestConfig::default() }
}

/// One step: an operator and which earlier results it takes. All numbers are taken modulo what there is.
#[derive(Clone, Debug)]
pub struct Step {
    pub op: u8,
    pub a: u8,
    pub b: u8,
    pub c: u8,
    /// Which of the recipe's widths the result has.
    pub width: u8,
    /// A constant's value, an extract's low bit, an array's contents.
    pub seed: u64,
}

#[derive(Clone, Debug)]
pub struct Recipe {
    pub widths: [u32; 3],
    pub steps: Vec<Step>,
    /// Values of the variables, one row a model.
    pub models: Vec<[u64; VARS]>,
    pub floats: bool,
}

/// Variables: scalars of 8, 16, 32, 64, 128 bits, and four bytes of a byte-wise symbol.
pub const VARS: usize = 9;
const SCALARS: [u32; 5] = [1, 2, 4, 8, 16];

/// Numbers at which rewrites change their mind.
pub fn interesting() -> impl Strategy<Value = u64> {
    prop_oneof![
        3 => Just(0u64),
        3 => Just(1),
        3 => Just(u64::MAX),
        2 => Just(1 << 63 | 1 << 31 | 1 << 15 | 1 << 7),
        2 => (0u32..64).prop_map(|k| 1 << k),
        2 => (0u32..64).prop_map(|k| (1 << k) - 1),
        2 => (0u32..64).prop_map(|k| u64::MAX << k),
        1 => (0u32..64).prop_map(|k| (u64::MAX >> k) << (k / 2)),
        3 => 0u64..40,
        1 => any::<u64>(),
        1 => prop::sample::select(FLOATS.to_vec()),
    ]
}

const FLOATS: [u64; 12] = [
    0x3f80_0000,
    0xbf80_0000,
    0x7f80_0000,
    0xff80_0001,
    0x0000_0001,
    0x7f7f_ffff,
    0x4f00_0000,
    0x3ff0_0000_0000_0000,
    0xfff0_0000_0000_0000,
    0x7ff4_0000_0000_0000,
    0x43e0_0000_0000_0000,
    0x0010_0000_0000_0000,
];

fn width() -> impl Strategy<Value = u32> {
    prop_oneof![2 => Just(1u32), 3 => Just(8), 2 => Just(16), 4 => Just(32), 3 => Just(64), 1 => Just(128), 1 => Just(65), 6 => 1u32..=65]
}

/// Half of the time all operators have the same width, which lets more rewrites meet.
fn widths() -> impl Strategy<Value = [u32; 3]> {
    prop_oneof![
        [width(), width(), width()],
        prop::sample::select(vec![1u32, 8, 8, 16, 32, 32, 64, 128]).prop_map(|width| [width; 3]),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    (any::<u8>(), any::<u8>(), any::<u8>(), any::<u8>(), any::<u8>(), interesting())
        .prop_map(|(op, a, b, c, width, seed)| Step { op, a, b, c, width, seed })
}

pub fn recipe(max_steps: usize) -> impl Strategy<Value = Recipe> {
    let models = vec(prop::array::uniform9(interesting()), 4);
    (widths(), vec(step(), 1..max_steps), models)
        .prop_map(|(widths, steps, models)| Recipe { widths, steps, models, floats: false })
}

pub fn float_recipe(max_steps: usize) -> impl Strategy<Value = Recipe> {
    let float_width = prop::sample::select(vec![32u32, 64]);
    let models = vec(prop::array::uniform9(interesting()), 3);
    ((float_width.clone(), float_width, width()), vec(step(), 1..max_steps), models)
        .prop_map(|((a, b, c), steps, models)| Recipe { widths: [a, b, c], steps, models, floats: true })
}

/// What a recipe is carried out on.
pub trait Builder {
    type Value: Clone;
    fn width(&self, a: &Self::Value) -> u32;
    fn constant(&mut self, value: BigUint, width: u32) -> Self::Value;
    /// A constant that is `delta` from the value in the first model.
    fn near(&mut self, value: &Self::Value, delta: i64) -> Self::Value;
    fn variable(&mut self, index: usize) -> Self::Value;
    /// Operators by name; `numbers` are the arguments that are not values.
    fn apply(&mut self, op: &str, args: &[Self::Value], numbers: &[u32]) -> Self::Value;
    fn read(&mut self, bytes: &[Result<u8, Self::Value>], stores: &[(Self::Value, Self::Value)], index: &Self::Value) -> Self::Value;
}

const BINARY: [&str; 14] =
    ["and", "or", "xor", "add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "concat"];
const COMPARE: [&str; 10] = ["eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge"];
const FLOAT_BINARY: [&str; 6] = ["fp_add", "fp_sub", "fp_mul", "fp_div", "fp_rem", "fp_copysign"];
const FLOAT_UNARY: [&str; 3] = ["fp_sqrt", "fp_neg", "fp_abs"];
const FLOAT_COMPARE: [&str; 3] = ["fp_eq", "fp_lt", "fp_le"];

/// Carries out a recipe; gives all intermediate results.
pub fn run<B: Builder>(builder: &mut B, recipe: &Recipe) -> Vec<B::Value> {
    let mut values: Vec<B::Value> = (0..VARS).map(|i| builder.variable(i)).collect();
    for step in &recipe.steps {
        let value = run_step(builder, recipe, step, &values);
        values.push(value);
    }
    values
}

/// An earlier result, with a bias towards the latest ones.
fn pick<V: Clone>(values: &[V], selector: u8) -> V {
    let reach = if selector & 1 == 0 { 5 } else { values.len() };
    values[values.len() - 1 - (selector as usize >> 1) % reach.min(values.len())].clone()
}

fn resize<B: Builder>(builder: &mut B, a: B::Value, width: u32, signed: bool) -> B::Value {
    match builder.width(&a) {
        from if from == width => a,
        _ if signed => builder.apply("sext_or_trunc", &[a], &[width]),
        _ => builder.apply("zext_or_trunc", &[a], &[width]),
    }
}

/// A constant whose low bits follow the seed; wide ones have it in their high bits too.
fn seeded(seed: u64, width: u32) -> BigUint {
    let wide = BigUint::from(seed) | BigUint::from(seed) << 64u32;
    wide & ((BigUint::one() << width) - 1u32)
}

fn run_step<B: Builder>(builder: &mut B, recipe: &Recipe, step: &Step, values: &[B::Value]) -> B::Value {
    let width = recipe.widths[step.width as usize % 3];
    let signed = step.seed & 4 != 0;
    let operand = |builder: &mut B, selector: u8, width: u32| {
        let value = pick(values, selector);
        resize(builder, value, width, signed)
    };
    // A third of the second operands are constants, half of those near the first.
    let second = |builder: &mut B, first: &B::Value| {
        let width = builder.width(first);
        match step.b % 6 {
            0 => builder.constant(seeded(step.seed, width), width),
            3 => builder.near(first, step.c as i64 % 5 - 2),
            _ => {
                let value = pick(values, step.b);
                resize(builder, value, width, signed)
            }
        }
    };
    let kinds = if recipe.floats { 108 } else { 72 };
    match step.op % kinds {
        0..=2 => builder.constant(seeded(step.seed, width), width),
        3..=5 => {
            let a = operand(builder, step.a, width);
            builder.apply("not", &[a], &[])
        }
        6..=7 => {
            let a = operand(builder, step.a, width);
            builder.apply("neg", &[a], &[])
        }
        n @ 8..=34 => {
            let op = BINARY[(n as usize - 8) / 2 % 14];
            let a = operand(builder, step.a, width);
            let b = second(builder, &a);
            let constant_first = step.c % 8 == 0;
            let args = if constant_first { [b, a] } else { [a, b] };
            builder.apply(op, &args, &[])
        }
        35..=36 => {
            let a = operand(builder, step.a, width);
            let b = operand(builder, step.b, recipe.widths[0]);
            builder.apply("concat", &[a, b], &[])
        }
        n @ 37..=46 => {
            let a = operand(builder, step.a, width);
            let b = second(builder, &a);
            builder.apply(COMPARE[n as usize - 37], &[a, b], &[])
        }
        47..=49 => {
            let condition = operand(builder, step.c, 1);
            let a = operand(builder, step.a, width);
            let b = second(builder, &a);
            builder.apply("ite", &[condition, a, b], &[])
        }
        50 => {
            // A choice between constants.
            let condition = operand(builder, step.c, 1);
            let a = builder.constant(seeded(step.seed, width), width);
            let b = builder.constant(seeded(step.seed.rotate_left(step.a as u32), width), width);
            builder.apply("ite", &[condition, a, b], &[])
        }
        51..=54 => {
            let a = pick(values, step.a);
            let from = builder.width(&a);
            let lo = step.c as u32 % from;
            let kept = (step.seed % (from - lo) as u64) as u32 + 1;
            builder.apply("extract", &[a], &[lo, kept])
        }
        55 => {
            let a = pick(values, step.a);
            let to = builder.width(&a) + width;
            builder.apply("zext", &[a], &[to])
        }
        56 => {
            let a = pick(values, step.a);
            let to = builder.width(&a) + width;
            builder.apply("sext", &[a], &[to])
        }
        57 => {
            // Cut into pieces and put together again, with or without a change.
            let a = operand(builder, step.a, width);
            if width < 2 {
                return a;
            }
            let cut = 1 + (step.seed % (width - 1) as u64) as u32;
            let lo = builder.apply("extract", &[a.clone()], &[0, cut]);
            let hi_source = if step.c % 4 == 0 { operand(builder, step.b, width) } else { a };
            let hi = builder.apply("extract", &[hi_source], &[cut, width - cut]);
            builder.apply("concat", &[hi, lo], &[])
        }
        58 => {
            // Bytes put together by shifts.
            let a = operand(builder, step.a, 8.min(width));
            let b = operand(builder, step.b, 8.min(width));
            let a = resize(builder, a, width, false);
            let b = resize(builder, b, width, false);
            let amount = builder.constant(BigUint::from(8 * (step.seed % 4)), width);
            let shifted = builder.apply("shl", &[a, amount], &[]);
            let op = if step.c % 2 == 0 { "or" } else { "add" };
            builder.apply(op, &[shifted, b], &[])
        }
        59..=63 => {
            let index_width = [3, 8, 32, 64][step.c as usize % 4];
            let len = if step.seed % 7 == 0 { 40 } else { step.seed as usize % 7 };
            let mut bytes = Vec::new();
            for i in 0..len {
                bytes.push(match (step.seed as usize % 64 + i * i) % 3 {
                    0 => Err(operand(builder, step.b.wrapping_add(i as u8), 8)),
                    _ => Ok((step.seed as u8).wrapping_mul(31).wrapping_add((7 * i) as u8)),
                });
            }
            let mut stores = Vec::new();
            for i in 0..step.a % 4 {
                let index = if (step.b ^ i) % 2 == 0 {
                    builder.constant(BigUint::from((step.seed % 64 + i as u64) % 8), index_width)
                } else {
                    operand(builder, step.c.wrapping_add(i), index_width)
                };
                let value = operand(builder, step.b.wrapping_add(i), 8);
                stores.push((index, value));
            }
            let index = operand(builder, step.b.wrapping_mul(3), index_width);
            builder.read(&bytes, &stores, &index)
        }
        64..=69 => compare_derived(builder, step, values, width),
        70..=71 => {
            // Two bounds on the same value.
            let a = operand(builder, step.a, width);
            let k = builder.near(&a, step.c as i64 % 3 - 1);
            let l = builder.near(&a, step.b as i64 % 3 - 1);
            let first = builder.apply(COMPARE[step.seed as usize % 10], &[a.clone(), k], &[]);
            let second = builder.apply(COMPARE[step.width as usize % 10], &[a, l], &[]);
            let op = ["and", "or", "xor"][step.op as usize % 3];
            builder.apply(op, &[first, second], &[])
        }
        n => float_step(builder, n - 8, step, values),
    }
}

/// An operand changed by one or two simple operations with constants, compared with a constant near it.
fn compare_derived<B: Builder>(builder: &mut B, step: &Step, values: &[B::Value], width: u32) -> B::Value {
    let mut value = pick(values, step.a);
    value = resize(builder, value, width, false);
    if step.b & 1 == 0 {
        let extra = 1 + step.seed as u32 % 9;
        value = builder.apply(if step.b & 2 == 0 { "zext" } else { "sext" }, &[value], &[width + extra]);
    }
    let mut choice = step.c;
    for round in 0..2 {
        let width = builder.width(&value);
        let small = step.seed.rotate_left(7 * round) % 16;
        let constant = builder.constant(BigUint::from(small) % modulus(width), width);
        let large = builder.constant(seeded(step.seed.rotate_right(round), width), width);
        let args = [value.clone(), if choice & 1 == 0 { constant } else { large }];
        value = match (choice >> 1) % 16 {
            0 | 1 => builder.apply("add", &args, &[]),
            2 => builder.apply("sub", &args, &[]),
            3 => builder.apply("mul", &args, &[]),
            4 => builder.apply("xor", &args, &[]),
            5 => builder.apply("shl", &args, &[]),
            6 => builder.apply("udiv", &args, &[]),
            7 => builder.apply("urem", &args, &[]),
            8 => builder.apply("and", &args, &[]),
            9 => builder.apply("or", &args, &[]),
            10 => builder.apply("not", &args[..1], &[]),
            11 => builder.apply("neg", &args[..1], &[]),
            12 => builder.apply("concat", &args, &[]),
            13 => builder.apply("concat", &[args[1].clone(), args[0].clone()], &[]),
            14 => builder.apply("sdiv", &args, &[]),
            _ => value,
        };
        choice = choice.rotate_left(3) ^ step.b;
    }
    let bound = builder.near(&value, step.width as i64 % 5 - 2);
    let args = if step.seed & 1 == 0 { [value, bound] } else { [bound, value] };
    builder.apply(COMPARE[(step.seed >> 1) as usize % 10], &args, &[])
}

fn float_step<B: Builder>(builder: &mut B, n: u8, step: &Step, values: &[B::Value]) -> B::Value {
    let format = if step.width % 2 == 0 { 32 } else { 64 };
    let operand = |builder: &mut B, selector: u8| {
        if selector % 5 == 0 {
            return builder.constant(seeded(step.seed, format), format);
        }
        let value = pick(values, selector);
        let from = builder.width(&value);
        // Small integers as floats are more telling than their bits.
        match selector % 3 {
            0 if from != format => builder.apply("si_to_fp", &[value], &[format]),
            _ => resize(builder, value, format, false),
        }
    };
    match n {
        64..=75 => {
            let (a, b) = (operand(builder, step.a), operand(builder, step.b));
            builder.apply(FLOAT_BINARY[n as usize % 6], &[a, b], &[])
        }
        76 => {
            let (a, b, c) = (operand(builder, step.a), operand(builder, step.b), operand(builder, step.c));
            builder.apply("fp_fma", &[a, b, c], &[])
        }
        77..=79 => {
            let a = operand(builder, step.a);
            builder.apply(FLOAT_UNARY[n as usize - 77], &[a], &[])
        }
        80..=82 => {
            let a = operand(builder, step.a);
            builder.apply("fp_round", &[a], &[step.c as u32 % 5])
        }
        83..=88 => {
            let (a, b) = (operand(builder, step.a), operand(builder, step.b));
            builder.apply(FLOAT_COMPARE[n as usize % 3], &[a, b], &[])
        }
        89..=90 => {
            let a = operand(builder, step.a);
            builder.apply(if n == 89 { "fp_is_nan" } else { "fp_is_inf" }, &[a], &[])
        }
        91..=92 => {
            let a = operand(builder, step.a);
            builder.apply("fp_to_fp", &[a], &[96 - format])
        }
        93..=95 => {
            let a = operand(builder, step.a);
            let width = [8, 16, 32, 64, 1, 33, 65, 128][step.c as usize % 8];
            builder.apply("fp_to_si", &[a], &[width])
        }
        _ => {
            let a = pick(values, step.a);
            builder.apply(if n % 2 == 0 { "si_to_fp" } else { "ui_to_fp" }, &[a], &[format])
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// The constructors.

pub struct Pool {
    pub terms: Terms,
    pub vars: Vec<Term>,
    constants: Constants,
}

/// The constants that were chosen near a value, in order.
#[derive(Clone, Default)]
pub struct Constants {
    written: Vec<BigUint>,
    /// How many have been read; `None` while they are written.
    read: Option<usize>,
}

impl Constants {
    fn next(&mut self, make: impl FnOnce() -> BigUint) -> BigUint {
        match &mut self.read {
            Some(position) => {
                *position += 1;
                self.written[*position - 1].clone()
            }
            None => {
                self.written.push(make());
                self.written[self.written.len() - 1].clone()
            }
        }
    }

    pub fn to_read(&self) -> Constants {
        Constants { written: self.written.clone(), read: Some(0) }
    }
}

/// The values of a recipe in each of its models, and its constants.
pub fn reference(recipe: &Recipe) -> (Vec<Vec<Number>>, Constants) {
    let mut first = Reference { vars: recipe.models[0], constants: Constants::default() };
    let mut all = vec![run(&mut first, recipe)];
    for &vars in &recipe.models[1..] {
        all.push(run(&mut Reference { vars, constants: first.constants.to_read() }, recipe));
    }
    (all, first.constants.to_read())
}

impl Pool {
    pub fn new(constants: Constants) -> Pool {
        let mut terms = Terms::new();
        let mut vars = Vec::new();
        for size in SCALARS {
            let symbol = terms.symbol(SymbolInfo { name: "x".into(), occurrence: 0, size, shape: SymbolShape::Scalar });
            vars.push(terms.var(symbol, 0));
        }
        let info = SymbolInfo { name: "b|ytes\\".into(), occurrence: 1, size: 4, shape: SymbolShape::Bytes };
        let symbol = terms.symbol(info);
        vars.extend((0..4).map(|i| terms.var(symbol, i)));
        Pool { terms, vars, constants }
    }

    pub fn model(&self, values: &[u64; VARS]) -> Model {
        let mut model = Model::new();
        for (&var, &value) in self.vars.iter().zip(values) {
            let width = self.terms.width(var);
            model.set_bv(var, Bv::from_big(seeded(value, width), width));
        }
        model
    }
}

fn format(width: u32) -> FloatFormat {
    FloatFormat::from_width(width).expect("a float's width")
}

impl Builder for Pool {
    type Value = Term;

    fn width(&self, a: &Term) -> u32 {
        self.terms.width(*a)
    }

    fn constant(&mut self, value: BigUint, width: u32) -> Term {
        self.terms.constant_bv(&Bv::from_big(value, width))
    }

    fn near(&mut self, value: &Term, _delta: i64) -> Term {
        let constant = self.constants.next(|| unreachable!("the reference comes first"));
        let width = self.width(value);
        self.constant(constant, width)
    }

    fn variable(&mut self, index: usize) -> Term {
        self.vars[index]
    }

    fn apply(&mut self, op: &str, args: &[Term], numbers: &[u32]) -> Term {
        let t = &mut self.terms;
        let (a, b, c) = (args[0], *args.get(1).unwrap_or(&args[0]), *args.get(2).unwrap_or(&args[0]));
        match op {
            "not" => t.not(a),
            "neg" => t.neg(a),
            "and" => t.and(a, b),
            "or" => t.or(a, b),
            "xor" => t.xor(a, b),
            "add" => t.add(a, b),
            "sub" => t.sub(a, b),
            "mul" => t.mul(a, b),
            "udiv" => t.udiv(a, b),
            "sdiv" => t.sdiv(a, b),
            "urem" => t.urem(a, b),
            "srem" => t.srem(a, b),
            "shl" => t.shl(a, b),
            "lshr" => t.lshr(a, b),
            "ashr" => t.ashr(a, b),
            "eq" => t.eq(a, b),
            "ne" => t.ne(a, b),
            "ult" => t.ult(a, b),
            "ule" => t.ule(a, b),
            "ugt" => t.ugt(a, b),
            "uge" => t.uge(a, b),
            "slt" => t.slt(a, b),
            "sle" => t.sle(a, b),
            "sgt" => t.sgt(a, b),
            "sge" => t.sge(a, b),
            "ite" => t.ite(a, b, c),
            "concat" => t.concat(a, b),
            "extract" => t.extract(a, numbers[0], numbers[1]),
            "zext" => t.zext(a, numbers[0]),
            "sext" => t.sext(a, numbers[0]),
            "zext_or_trunc" => t.zext_or_trunc(a, numbers[0]),
            "sext_or_trunc" => t.sext_or_trunc(a, numbers[0]),
            "fp_add" => t.fp_add(a, b),
            "fp_sub" => t.fp_sub(a, b),
            "fp_mul" => t.fp_mul(a, b),
            "fp_div" => t.fp_div(a, b),
            "fp_rem" => t.fp_rem(a, b),
            "fp_copysign" => t.fp_copysign(a, b),
            "fp_fma" => t.fp_fma(a, b, c),
            "fp_sqrt" => t.fp_sqrt(a),
            "fp_neg" => t.fp_neg(a),
            "fp_abs" => t.fp_abs(a),
            "fp_round" => t.fp_round(a, Rounding::from_number(numbers[0])),
            "fp_eq" => t.fp_eq(a, b),
            "fp_lt" => t.fp_lt(a, b),
            "fp_le" => t.fp_le(a, b),
            "fp_is_nan" => t.fp_is_nan(a),
            "fp_is_inf" => t.fp_is_inf(a),
            "fp_to_fp" => t.fp_to_fp(a, format(numbers[0])),
            "fp_to_si" => t.fp_to_si(a, numbers[0]),
            "si_to_fp" => t.si_to_fp(a, format(numbers[0])),
            "ui_to_fp" => t.ui_to_fp(a, format(numbers[0])),
            _ => panic!("no operator {op}"),
        }
    }

    fn read(&mut self, bytes: &[Result<u8, Term>], stores: &[(Term, Term)], index: &Term) -> Term {
        let bytes = bytes
            .iter()
            .map(|byte| match *byte {
                Ok(value) => ArrayByte::Concrete(value),
                Err(term) => ArrayByte::Term(term),
            })
            .collect();
        let mut array = self.terms.array_base(bytes);
        for &(index, value) in stores {
            array = self.terms.array_store(array, index, value);
        }
        self.terms.read(array, *index)
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// The reference.

/// A value and its width.
pub type Number = (BigUint, u32);

pub struct Reference {
    pub vars: [u64; VARS],
    constants: Constants,
}

fn modulus(width: u32) -> BigUint {
    BigUint::one() << width
}

fn signed((value, width): &Number) -> BigInt {
    let value_signed = BigInt::from(value.clone());
    if value.bit(*width as u64 - 1) { value_signed - BigInt::from(modulus(*width)) } else { value_signed }
}

fn unsigned(value: BigInt, width: u32) -> Number {
    let modulus = BigInt::from(modulus(width));
    let reduced = ((value % &modulus) + &modulus) % &modulus;
    (reduced.to_biguint().expect("it is not negative"), width)
}

fn truth(value: bool) -> Number {
    (BigUint::from(value as u32), 1)
}

fn f32_of(a: &Number) -> f32 {
    f32::from_bits(a.0.to_u32().expect("32 bits"))
}

fn f64_of(a: &Number) -> f64 {
    match a.1 {
        32 => f32_of(a) as f64,
        _ => f64::from_bits(a.0.to_u64().expect("64 bits")),
    }
}

fn from_f32(value: f32) -> Number {
    (BigUint::from(if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() }), 32)
}

fn from_f64(value: f64) -> Number {
    (BigUint::from(if value.is_nan() { 0x7ff8_0000_0000_0000 } else { value.to_bits() }), 64)
}

fn float_binary(op: &str, a: &Number, b: &Number) -> Number {
    macro_rules! apply {
        ($a:expr, $b:expr) => {
            match op {
                "fp_add" => $a + $b,
                "fp_sub" => $a - $b,
                "fp_mul" => $a * $b,
                "fp_div" => $a / $b,
                _ => $a % $b,
            }
        };
    }
    if a.1 == 32 { from_f32(apply!(f32_of(a), f32_of(b))) } else { from_f64(apply!(f64_of(a), f64_of(b))) }
}

/// Rounds an integer to a float by its decimal digits: the standard library's parser rounds correctly.
fn integer_to_float(value: &BigInt, width: u32) -> Number {
    let digits = value.to_string();
    if width == 32 {
        from_f32(digits.parse().expect("digits"))
    } else {
        from_f64(digits.parse().expect("digits"))
    }
}

fn float_to_integer(a: &Number, width: u32) -> Number {
    let limit = BigInt::from(modulus(width - 1));
    let minimum = (modulus(width - 1), width);
    let value = f64_of(a);
    if !value.is_finite() {
        return minimum;
    }
    // The decimal expansion of an integral float is exact.
    let digits = format!("{:.0}", value.trunc());
    let integer: BigInt = digits.parse().expect("digits");
    if integer >= limit || integer < -limit { minimum } else { unsigned(integer, width) }
}

impl Builder for Reference {
    type Value = Number;

    fn width(&self, a: &Number) -> u32 {
        a.1
    }

    fn constant(&mut self, value: BigUint, width: u32) -> Number {
        (value % modulus(width), width)
    }

    fn near(&mut self, value: &Number, delta: i64) -> Number {
        let width = value.1;
        let near = unsigned(BigInt::from(value.0.clone()) + delta, width).0;
        (self.constants.next(|| near), width)
    }

    fn variable(&mut self, index: usize) -> Number {
        let width = if index < SCALARS.len() { 8 * SCALARS[index] } else { 8 };
        (seeded(self.vars[index], width), width)
    }

    fn apply(&mut self, op: &str, args: &[Number], numbers: &[u32]) -> Number {
        let a = &args[0];
        let b = args.get(1).unwrap_or(a);
        let width = a.1;
        let shift = b.0.to_u64().filter(|&k| k < width as u64);
        match op {
            "not" => (modulus(width) - 1u32 - &a.0, width),
            "neg" => unsigned(-BigInt::from(a.0.clone()), width),
            "and" => (&a.0 & &b.0, width),
            "or" => (&a.0 | &b.0, width),
            "xor" => (&a.0 ^ &b.0, width),
            "add" => ((&a.0 + &b.0) % modulus(width), width),
            "sub" => ((&a.0 + modulus(width) - &b.0) % modulus(width), width),
            "mul" => ((&a.0 * &b.0) % modulus(width), width),
            "udiv" if b.0.is_zero() => (modulus(width) - 1u32, width),
            "udiv" => (&a.0 / &b.0, width),
            "urem" | "srem" if b.0.is_zero() => a.clone(),
            "urem" => (&a.0 % &b.0, width),
            "sdiv" if b.0.is_zero() => {
                unsigned(if signed(a).sign() == Sign::Minus { BigInt::one() } else { -BigInt::one() }, width)
            }
            "sdiv" => unsigned(signed(a) / signed(b), width),
            "srem" => unsigned(signed(a) % signed(b), width),
            "shl" => (shift.map_or(BigUint::zero(), |k| (&a.0 << k) % modulus(width)), width),
            "lshr" => (shift.map_or(BigUint::zero(), |k| &a.0 >> k), width),
            "ashr" => unsigned(signed(a) >> shift.unwrap_or(width as u64), width),
            "eq" => truth(a == b),
            "ne" => truth(a != b),
            "ult" => truth(a.0 < b.0),
            "ule" => truth(a.0 <= b.0),
            "ugt" => truth(a.0 > b.0),
            "uge" => truth(a.0 >= b.0),
            "slt" => truth(signed(a) < signed(b)),
            "sle" => truth(signed(a) <= signed(b)),
            "sgt" => truth(signed(a) > signed(b)),
            "sge" => truth(signed(a) >= signed(b)),
            "ite" => if a.0.is_zero() { &args[2] } else { b }.clone(),
            "concat" => (&a.0 << b.1 | &b.0, a.1 + b.1),
            "extract" => ((&a.0 >> numbers[0]) % modulus(numbers[1]), numbers[1]),
            "zext" => (a.0.clone(), numbers[0]),
            "zext_or_trunc" => (&a.0 % modulus(numbers[0]), numbers[0]),
            "sext" | "sext_or_trunc" => unsigned(signed(a), numbers[0]),
            "fp_add" | "fp_sub" | "fp_mul" | "fp_div" | "fp_rem" => float_binary(op, a, b),
            "fp_fma" if width == 32 => from_f32(f32_of(a).mul_add(f32_of(b), f32_of(&args[2]))),
            "fp_fma" => from_f64(f64_of(a).mul_add(f64_of(b), f64_of(&args[2]))),
            "fp_sqrt" if width == 32 => from_f32(f32_of(a).sqrt()),
            "fp_sqrt" => from_f64(f64_of(a).sqrt()),
            // Bit operations: a NaN keeps its bits.
            "fp_neg" => (&a.0 ^ modulus(width - 1), width),
            "fp_abs" => (&a.0 % modulus(width - 1), width),
            "fp_copysign" => (&a.0 % modulus(width - 1) | &b.0 >> (width - 1) << (width - 1), width),
            "fp_round" => {
                // Every f32 is an f64, and rounding to integral is exact in either.
                let value = f64_of(a);
                let rounded = match numbers[0] {
                    0 => value.round_ties_even(),
                    1 => value.round(),
                    2 => value.floor(),
                    3 => value.ceil(),
                    _ => value.trunc(),
                };
                if width == 32 { from_f32(rounded as f32) } else { from_f64(rounded) }
            }
            "fp_eq" => truth(f64_of(a) == f64_of(b)),
            "fp_lt" => truth(f64_of(a) < f64_of(b)),
            "fp_le" => truth(f64_of(a) <= f64_of(b)),
            "fp_is_nan" => truth(f64_of(a).is_nan()),
            "fp_is_inf" => truth(f64_of(a).is_infinite()),
            "fp_to_fp" if numbers[0] == width => a.clone(),
            "fp_to_fp" if numbers[0] == 32 => from_f32(f64_of(a) as f32),
            "fp_to_fp" => from_f64(f64_of(a)),
            "fp_to_si" => float_to_integer(a, numbers[0]),
            "si_to_fp" => integer_to_float(&signed(a), numbers[0]),
            "ui_to_fp" => integer_to_float(&BigInt::from(a.0.clone()), numbers[0]),
            _ => panic!("no operator {op}"),
        }
    }

    fn read(&mut self, bytes: &[Result<u8, Number>], stores: &[(Number, Number)], index: &Number) -> Number {
        if let Some((_, value)) = stores.iter().rev().find(|(stored, _)| stored == index) {
            return value.clone();
        }
        match index.0.to_usize().and_then(|i| bytes.get(i)) {
            Some(Ok(value)) => (BigUint::from(*value), 8),
            Some(Err(value)) => value.clone(),
            None => (BigUint::zero(), 8),
        }
    }
}

/// Builds a node again from its arguments by the constructor of its operator.
pub fn rebuild(t: &mut Terms, term: Term) -> Term {
    let node = *t.node(term);
    let a = || node.arg(0);
    let b = || node.arg(1);
    let fmt = |width| format(width);
    match node.op {
        Op::Const | Op::WideConst | Op::Var => term,
        Op::Not => t.not(a()),
        Op::Neg => t.neg(a()),
        Op::And => t.and(a(), b()),
        Op::Or => t.or(a(), b()),
        Op::Xor => t.xor(a(), b()),
        Op::Add => t.add(a(), b()),
        Op::Mul => t.mul(a(), b()),
        Op::UDiv => t.udiv(a(), b()),
        Op::SDiv => t.sdiv(a(), b()),
        Op::URem => t.urem(a(), b()),
        Op::SRem => t.srem(a(), b()),
        Op::Shl => t.shl(a(), b()),
        Op::LShr => t.lshr(a(), b()),
        Op::AShr => t.ashr(a(), b()),
        Op::Eq => t.eq(a(), b()),
        Op::Ult => t.ult(a(), b()),
        Op::Ule => t.ule(a(), b()),
        Op::Slt => t.slt(a(), b()),
        Op::Sle => t.sle(a(), b()),
        Op::Ite => t.ite(a(), b(), node.arg(2)),
        Op::Extract => t.extract(a(), node.number(1), node.width),
        Op::Concat => t.concat(a(), b()),
        Op::ZExt => t.zext(a(), node.width),
        Op::SExt => t.sext(a(), node.width),
        Op::Read => t.read(node.array(), b()),
        Op::FpAdd => t.fp_add(a(), b()),
        Op::FpSub => t.fp_sub(a(), b()),
        Op::FpMul => t.fp_mul(a(), b()),
        Op::FpDiv => t.fp_div(a(), b()),
        Op::FpRem => t.fp_rem(a(), b()),
        Op::FpFma => t.fp_fma(a(), b(), node.arg(2)),
        Op::FpSqrt => t.fp_sqrt(a()),
        Op::FpRound => t.fp_round(a(), Rounding::from_number(node.number(1))),
        Op::FpEq => t.fp_eq(a(), b()),
        Op::FpLt => t.fp_lt(a(), b()),
        Op::FpLe => t.fp_le(a(), b()),
        Op::FpToFp => t.fp_to_fp(a(), fmt(node.width)),
        Op::FpToSi => t.fp_to_si(a(), node.width),
        Op::SiToFp => t.si_to_fp(a(), fmt(node.width)),
        Op::UiToFp => t.ui_to_fp(a(), fmt(node.width)),
    }
}
