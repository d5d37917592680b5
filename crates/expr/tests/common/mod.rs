//! Random constructions. A [`Recipe`] is a list of steps, each of which applies an operator to
//! earlier results; it can be carried out by the constructors of [`Terms`], which rewrite, and by a
//! plain reference on big integers and native floats, which does not. Both have to give the same
//! values.
//!
//! A wrong bound only shows at the bound. So some constants are chosen near the value that the
//! other operand has in the first model: the reference runs on that model first and writes down
//! those constants, and all other runs read them.

#![allow(dead_code, unused_imports)] // Each test binary uses its own part.

mod pool;
mod reference;

use num_bigint::BigUint;
use num_traits::One;
pub use pool::{Pool, rebuild};
use proptest::collection::vec;
use proptest::prelude::*;
pub use reference::{Number, Reference};

/// `EXPR_CASES` multiplies the number of cases, for a longer run by hand.
pub fn factor() -> u32 {
    std::env::var("EXPR_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(1)
}

pub fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases: cases * factor(), failure_persistence: None, ..ProptestConfig::default() }
}

/// One step: an operator and which earlier results it takes. All numbers are taken modulo what
/// there is.
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
    /// Whether there may be `fmod`, which solvers can hardly do.
    pub fmod: bool,
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
        2 => any::<u64>(),
        1 => prop::sample::select(vec![0x5555_5555_5555_5555u64, 0x3333_3333_3333_3333, 0x0f0f_0f0f_0f0f_0f0f, 0x00ff_00ff_00ff_00ff]),
        1 => prop::sample::select(FLOATS.to_vec()),
    ]
}

/// Bits of floats at which something changes; also used as integers.
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

/// Float constants that rules look for.
const NUMBERS: [f64; 12] = [0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -2.5, 3.0, 16777216.0, 1e300, f64::INFINITY, f64::NAN];

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
    (widths(), vec(step(), 1..max_steps), models).prop_map(|(widths, steps, models)| Recipe {
        widths,
        steps,
        models,
        floats: false,
        fmod: true,
    })
}

pub fn float_recipe(max_steps: usize) -> impl Strategy<Value = Recipe> {
    let float_width = prop::sample::select(vec![32u32, 64]);
    let models = vec(prop::array::uniform9(interesting()), 3);
    ((float_width.clone(), float_width, width()), vec(step(), 1..max_steps), models)
        .prop_map(|((a, b, c), steps, models)| Recipe { widths: [a, b, c], steps, models, floats: true, fmod: true })
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
    fn read(
        &mut self,
        bytes: &[Result<u8, Self::Value>],
        stores: &[(Self::Value, Self::Value)],
        index: &Self::Value,
    ) -> Self::Value;
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
    let kinds = if recipe.floats { 111 } else { 75 };
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
            let constant_first = step.c.is_multiple_of(8);
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
            let lo = builder.apply("extract", std::slice::from_ref(&a), &[0, cut]);
            let hi_source = if step.c.is_multiple_of(4) { operand(builder, step.b, width) } else { a };
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
            let op = if step.c.is_multiple_of(2) { "or" } else { "add" };
            builder.apply(op, &[shifted, b], &[])
        }
        59..=63 => {
            let index_width = [3, 8, 32, 64][step.c as usize % 4];
            let len = if step.seed.is_multiple_of(7) { 40 } else { step.seed as usize % 7 };
            let mut bytes = Vec::new();
            for i in 0..len {
                bytes.push(match (step.seed as usize % 64 + i * i) % 3 {
                    0 => Err(operand(builder, step.b.wrapping_add(i as u8), 8)),
                    _ => Ok((step.seed as u8).wrapping_mul(31).wrapping_add((7 * i) as u8)),
                });
            }
            let mut stores = Vec::new();
            for i in 0..step.a % 4 {
                let index = if (step.b ^ i).is_multiple_of(2) {
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
        72..=74 => nested_choices(builder, step, values, width),
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
        n => float_step(builder, recipe, n - 11, step, values),
    }
}

/// An operand changed by one or two simple operations with constants, compared with a constant near
/// it.
fn compare_derived<B: Builder>(builder: &mut B, step: &Step, values: &[B::Value], width: u32) -> B::Value {
    let mut value = pick(values, step.a);
    value = resize(builder, value, width, false);
    if step.b & 1 == 0 {
        let extra = 1 + step.seed as u32 % 9;
        value = builder.apply(if step.b & 2 == 0 { "zext" } else { "sext" }, &[value], &[width + extra]);
    }
    let mut choice = step.c;
    for round in 0..3 {
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
    let width = builder.width(&value);
    let bound = match step.width % 4 {
        0 => builder.constant(seeded(step.seed.rotate_left(13), width), width),
        _ => builder.near(&value, step.width as i64 % 5 - 2),
    };
    let args = if step.seed & 1 == 0 { [value, bound] } else { [bound, value] };
    builder.apply(COMPARE[(step.seed >> 1) as usize % 10], &args, &[])
}

/// Choices in choices, between few values and by few conditions.
fn nested_choices<B: Builder>(builder: &mut B, step: &Step, values: &[B::Value], width: u32) -> B::Value {
    let first = pick(values, step.a);
    let first = resize(builder, first, 1, false);
    let second = pick(values, step.b);
    let second = resize(builder, second, 1, false);
    let negated = builder.apply("not", std::slice::from_ref(&first), &[]);
    let conditions = [first, second, negated];
    let mut leaves: Vec<B::Value> = [step.c, step.a, step.b]
        .iter()
        .map(|&selector| {
            let value = pick(values, selector);
            resize(builder, value, width, false)
        })
        .collect();
    if width == 1 {
        leaves.extend(conditions.iter().cloned());
    }
    let mut seed = step.seed ^ (step.c as u64) << 20 ^ (step.a as u64) << 40;
    let mut next = |count: usize| {
        seed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
        seed as usize % count
    };
    let mut result = leaves[next(leaves.len())].clone();
    for _ in 0..2 + step.width % 3 {
        let condition = conditions[next(3)].clone();
        let leaf = leaves[next(leaves.len())].clone();
        let args = if next(2) == 0 { [condition, leaf, result] } else { [condition, result, leaf] };
        result = builder.apply("ite", &args, &[]);
    }
    result
}

/// Integers that just fit into a float, or just do not.
fn to_edge_of_precision<B: Builder>(builder: &mut B, value: B::Value, step: &Step) -> B::Value {
    let width = [8, 23, 24, 25, 26, 32, 52, 53, 54, 55, 64][step.c as usize % 11];
    resize(builder, value, width, step.b.is_multiple_of(2))
}

fn float_step<B: Builder>(builder: &mut B, recipe: &Recipe, n: u8, step: &Step, values: &[B::Value]) -> B::Value {
    let format = if step.width.is_multiple_of(2) { 32 } else { 64 };
    let operand = |builder: &mut B, selector: u8| {
        if selector.is_multiple_of(10) {
            return builder.constant(seeded(step.seed, format), format);
        }
        if selector % 10 == 5 {
            let number = NUMBERS[step.seed as usize % NUMBERS.len()];
            let bits = if format == 32 { (number as f32).to_bits() as u64 } else { number.to_bits() };
            return builder.constant(BigUint::from(bits), format);
        }
        let value = pick(values, selector);
        let from = builder.width(&value);
        // Small integers as floats are more telling than their bits.
        match selector % 3 {
            0 if from != format => {
                let value = to_edge_of_precision(builder, value, step);
                builder.apply("si_to_fp", &[value], &[format])
            }
            _ => resize(builder, value, format, false),
        }
    };
    match n {
        64..=75 => {
            let (a, b) = (operand(builder, step.a), operand(builder, step.b));
            let op = match FLOAT_BINARY[n as usize % 6] {
                "fp_rem" if !recipe.fmod => "fp_sub",
                op => op,
            };
            builder.apply(op, &[a, b], &[])
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
            let a = if step.c.is_multiple_of(2) { to_edge_of_precision(builder, a, step) } else { a };
            builder.apply(if n.is_multiple_of(2) { "si_to_fp" } else { "ui_to_fp" }, &[a], &[format])
        }
    }
}

fn modulus(width: u32) -> BigUint {
    BigUint::one() << width
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
    let mut first = Reference::new(recipe.models[0], Constants::default());
    let mut all = vec![run(&mut first, recipe)];
    let constants = first.constants.to_read();
    for &vars in &recipe.models[1..] {
        all.push(run(&mut Reference::new(vars, constants.clone()), recipe));
    }
    (all, constants)
}
