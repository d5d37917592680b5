//! Every operator's circuit agrees with evaluation: with the arguments fixed by constraints, the
//! result is the evaluated one and no other.

use crate::common::{Random, free, holds, interesting};
use espalier_expr::{ArrayByte, Bv, FloatFormat, Model, Rounding, Term, Terms};
use espalier_solver::{Answer, Backend, Limits, SatBackend};
use proptest::prelude::*;

type Make2 = fn(&mut Terms, Term, Term) -> Term;

const BINARY: &[(&str, Make2)] = &[
    ("and", Terms::and),
    ("or", Terms::or),
    ("xor", Terms::xor),
    ("add", Terms::add),
    ("sub", Terms::sub),
    ("mul", Terms::mul),
    ("udiv", Terms::udiv),
    ("urem", Terms::urem),
    ("sdiv", Terms::sdiv),
    ("srem", Terms::srem),
    ("shl", Terms::shl),
    ("lshr", Terms::lshr),
    ("ashr", Terms::ashr),
    ("eq", Terms::eq),
    ("ult", Terms::ult),
    ("ule", Terms::ule),
    ("slt", Terms::slt),
    ("sle", Terms::sle),
    ("concat", Terms::concat),
];

/// `inputs` are (term, value); checks that `result` has its evaluated value, and only that.
fn agrees(terms: &mut Terms, backend: &mut SatBackend, inputs: &[(Term, Bv)], result: Term, what: &str) {
    let mut model = Model::new();
    let mut constraints = Vec::new();
    for (term, value) in inputs {
        let var = terms.vars_of(*term)[0];
        model.set_bv(var, value.resize(terms.width(var)));
        let constant = terms.constant_bv(value);
        constraints.push(terms.eq(*term, constant));
    }
    let value = terms.eval(result, &model);
    let constant = terms.constant_bv(&value);
    let same = terms.eq(result, constant);
    constraints.push(same);
    match backend.check(terms, &constraints, &Limits::default()) {
        Answer::Sat(model) => assert!(holds(terms, &model, &constraints), "{what}: a model that is none"),
        other => panic!("{what} of {inputs:?} is {value:?}, but the circuit says {other:?}"),
    }
    let last = constraints.len() - 1;
    constraints[last] = terms.not(same);
    match backend.check(terms, &constraints, &Limits::default()) {
        Answer::Unsat(core) => assert!(core.iter().all(|c| constraints.contains(c)), "{what}: a core from elsewhere"),
        other => panic!("{what} of {inputs:?} is {value:?} only, but the circuit says {other:?}"),
    }
}

#[test]
fn small_widths_exhaustively() {
    let mut terms = Terms::new();
    let mut backend = SatBackend::new(0);
    for width in 1..=3 {
        let (x, y) = (free(&mut terms, "x", width), free(&mut terms, "y", width));
        for (name, make) in BINARY {
            let result = make(&mut terms, x, y);
            for a in 0..1 << width {
                for b in 0..1 << width {
                    let inputs = [(x, Bv::from_u64(a, width)), (y, Bv::from_u64(b, width))];
                    agrees(&mut terms, &mut backend, &inputs, result, name);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn binary_operators(width in 1u32..=65, which in 0..BINARY.len(), seed in any::<u64>()) {
        let mut terms = Terms::new();
        let mut backend = SatBackend::new(0);
        let mut random = Random(seed);
        let (name, make) = BINARY[which];
        let (x, y) = (free(&mut terms, "x", width), free(&mut terms, "y", width));
        let result = make(&mut terms, x, y);
        for _ in 0..4 {
            let inputs = [(x, interesting(&mut random, width)), (y, interesting(&mut random, width))];
            agrees(&mut terms, &mut backend, &inputs, result, name);
        }
    }

    #[test]
    fn binary_operators_with_constants(width in 1u32..=65, which in 0..BINARY.len(), seed in any::<u64>(), left in any::<bool>()) {
        let mut terms = Terms::new();
        let mut backend = SatBackend::new(0);
        let mut random = Random(seed);
        let (name, make) = BINARY[which];
        let x = free(&mut terms, "x", width);
        let constant = interesting(&mut random, width);
        let constant = terms.constant_bv(&constant);
        let result = if left { make(&mut terms, constant, x) } else { make(&mut terms, x, constant) };
        for _ in 0..3 {
            let inputs = [(x, interesting(&mut random, width))];
            agrees(&mut terms, &mut backend, &inputs, result, name);
        }
    }

    /// Operands with zero high bits take short cuts in the divider and the multiplier.
    #[test]
    fn binary_operators_of_extended(width in 2u32..=40, which in 0..BINARY.len(), seed in any::<u64>()) {
        let mut terms = Terms::new();
        let mut backend = SatBackend::new(0);
        let mut random = Random(seed);
        let (name, make) = BINARY[which];
        let narrow = 1 + random.below(width as usize - 1) as u32;
        let (x, y) = (free(&mut terms, "x", width), free(&mut terms, "y", narrow));
        let wide = if random.chance(3) { terms.sext(y, width) } else { terms.zext(y, width) };
        let result = if random.chance(3) { make(&mut terms, wide, x) } else { make(&mut terms, x, wide) };
        for _ in 0..3 {
            let inputs = [(x, interesting(&mut random, width)), (y, interesting(&mut random, narrow))];
            agrees(&mut terms, &mut backend, &inputs, result, name);
        }
    }

    #[test]
    fn other_operators(width in 1u32..=65, which in 0..6, seed in any::<u64>()) {
        let mut terms = Terms::new();
        let mut backend = SatBackend::new(0);
        let mut random = Random(seed);
        let (x, y, c) = (free(&mut terms, "x", width), free(&mut terms, "y", width), free(&mut terms, "c", 1));
        let more = width + 1 + random.below(20) as u32;
        let lo = random.below(width as usize) as u32;
        let part = 1 + random.below((width - lo) as usize) as u32;
        let (name, result) = match which {
            0 => ("not", terms.not(x)),
            1 => ("neg", terms.neg(x)),
            2 => ("ite", terms.ite(c, x, y)),
            3 => ("zext", terms.zext(x, more)),
            4 => ("sext", terms.sext(x, more)),
            _ => ("extract", terms.extract(x, lo, part)),
        };
        for _ in 0..3 {
            let mut inputs = vec![(x, interesting(&mut random, width))];
            if name == "ite" {
                inputs.extend([(y, interesting(&mut random, width)), (c, interesting(&mut random, 1))]);
            }
            agrees(&mut terms, &mut backend, &inputs, result, name);
        }
    }

    #[test]
    fn reads(len in 0usize..40, stores in 0..5, index_width in 1u32..=64, seed in any::<u64>()) {
        let mut terms = Terms::new();
        let mut backend = SatBackend::new(0);
        let mut random = Random(seed);
        let (i, j, b) = (free(&mut terms, "i", index_width), free(&mut terms, "j", index_width), free(&mut terms, "b", 8));
        let mut content = Vec::new();
        for _ in 0..len {
            content.push(if random.chance(4) { ArrayByte::Term(b) } else { ArrayByte::Concrete(random.next() as u8) });
        }
        let mut array = terms.array_base(content);
        for _ in 0..stores {
            let at = Bv::from_u64(random.below(len + 1) as u64, index_width);
            let at = terms.constant_bv(&at);
            let at = if random.chance(2) { terms.add(j, at) } else { at };
            let value = Bv::from_u64(random.next(), 8);
            let value = if random.chance(2) { b } else { terms.constant_bv(&value) };
            array = terms.array_store(array, at, value);
        }
        let result = terms.read(array, i);
        for _ in 0..4 {
            let mut index = || if random.chance(6) { random.next() } else { random.below(len + 2) as u64 };
            let (at, other) = (Bv::from_u64(index(), index_width), Bv::from_u64(index(), index_width));
            let inputs = [(i, at), (j, other), (b, interesting(&mut random, 8))];
            agrees(&mut terms, &mut backend, &inputs, result, "read");
        }
    }

}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn float_arithmetic(double in any::<bool>(), which in 0..6, seed in any::<u64>()) {
        let mut terms = Terms::new();
        let mut backend = SatBackend::new(0);
        let mut random = Random(seed);
        let width = if double { 64 } else { 32 };
        let (x, y, z) = (free(&mut terms, "x", width), free(&mut terms, "y", width), free(&mut terms, "z", width));
        let (name, result) = match which {
            0 => ("fp_add", terms.fp_add(x, y)),
            1 => ("fp_sub", terms.fp_sub(x, y)),
            2 => ("fp_mul", terms.fp_mul(x, y)),
            3 => ("fp_div", terms.fp_div(x, y)),
            4 => ("fp_fma", terms.fp_fma(x, y, z)),
            _ => ("fp_sqrt", terms.fp_sqrt(x)),
        };
        for _ in 0..4 {
            let mut inputs = vec![(x, interesting_float(&mut random, width))];
            if name != "fp_sqrt" {
                let close = Bv::from_u64(random.next() % 5, width);
                let near = inputs[0].1.add(&close);
                let other = if random.chance(4) { near } else { interesting_float(&mut random, width) };
                inputs.push((y, other));
            }
            if name == "fp_fma" {
                // Near minus the product, now and then, where the rounding of the product would
                // show.
                let product = terms.fp_mul(x, y);
                let minus = terms.fp_neg(product);
                let mut model = Model::new();
                for (term, value) in &inputs {
                    model.set_bv(terms.vars_of(*term)[0], value.clone());
                }
                let near = terms.eval(minus, &model);
                let other = if random.chance(2) { near } else { interesting_float(&mut random, width) };
                inputs.push((z, other));
            }
            agrees(&mut terms, &mut backend, &inputs, result, name);
        }
    }

    #[test]
    fn float_rounding(double in any::<bool>(), mode in 0..5usize, seed in any::<u64>()) {
        let mut terms = Terms::new();
        let mut backend = SatBackend::new(0);
        let mut random = Random(seed);
        let width = if double { 64 } else { 32 };
        let x = free(&mut terms, "x", width);
        let result = terms.fp_round(x, Rounding::ALL[mode]);
        for _ in 0..10 {
            let inputs = [(x, moderate_float(&mut random, width))];
            agrees(&mut terms, &mut backend, &inputs, result, "fp_round");
        }
    }

    #[test]
    fn float_conversions(double in any::<bool>(), which in 0..4, integer in 1u32..=130, seed in any::<u64>()) {
        let mut terms = Terms::new();
        let mut backend = SatBackend::new(0);
        let mut random = Random(seed);
        let width = if double { 64 } else { 32 };
        let format = if double { FloatFormat::F64 } else { FloatFormat::F32 };
        let other = if double { FloatFormat::F32 } else { FloatFormat::F64 };
        let (x, n) = (free(&mut terms, "x", width), free(&mut terms, "n", integer));
        let (name, result) = match which {
            0 => ("fp_to_fp", terms.fp_to_fp(x, other)),
            1 => ("fp_to_si", terms.fp_to_si(x, integer)),
            2 => ("si_to_fp", terms.si_to_fp(n, format)),
            _ => ("ui_to_fp", terms.ui_to_fp(n, format)),
        };
        for _ in 0..6 {
            let float = if random.chance(2) { moderate_float(&mut random, width) } else { interesting_float(&mut random, width) };
            let input = if which < 2 { (x, float) } else { (n, interesting(&mut random, integer)) };
            agrees(&mut terms, &mut backend, &[input], result, name);
        }
    }

    #[test]
    fn float_comparisons(double in any::<bool>(), which in 0..3, seed in any::<u64>()) {
        let mut terms = Terms::new();
        let mut backend = SatBackend::new(0);
        let mut random = Random(seed);
        let width = if double { 64 } else { 32 };
        let (x, y) = (free(&mut terms, "x", width), free(&mut terms, "y", width));
        let (name, result) = match which {
            0 => ("fp_eq", terms.fp_eq(x, y)),
            1 => ("fp_lt", terms.fp_lt(x, y)),
            _ => ("fp_le", terms.fp_le(x, y)),
        };
        for _ in 0..8 {
            let inputs = [(x, interesting_float(&mut random, width)), (y, interesting_float(&mut random, width))];
            agrees(&mut terms, &mut backend, &inputs, result, name);
        }
    }
}

pub fn interesting_float(random: &mut Random, width: u32) -> Bv {
    let double = width == 64;
    let (exponent, fraction) = if double { (11, 52) } else { (8, 23) };
    let sign = Bv::from_u64(random.next(), 1);
    let exponent = match random.below(5) {
        0 => Bv::zero(exponent),
        1 => Bv::ones(exponent),
        2 => Bv::from_u64((1 << (exponent - 1)) - 1 + random.next() % 3, exponent),
        _ => Bv::from_u64(random.next(), exponent),
    };
    let fraction = match random.below(4) {
        0 => Bv::zero(fraction),
        1 => Bv::ones(fraction),
        2 => Bv::from_u64(1 << random.below(fraction as usize), fraction),
        _ => Bv::from_u64(random.next(), fraction),
    };
    Bv::concat(&sign, &Bv::concat(&exponent, &fraction))
}

/// Of a size that rounding and conversion to an integer are about, ties included.
fn moderate_float(random: &mut Random, width: u32) -> Bv {
    let value = match random.below(4) {
        0 => random.next() as i64 as f64 / 2.0,
        1 => (random.below(40) as f64 - 20.0) / 4.0,
        2 => (random.next() as i32 as f64) / 8.0,
        _ => return interesting_float(random, width),
    };
    let bits = if width == 64 { value.to_bits() } else { (value as f32).to_bits() as u64 };
    Bv::from_u64(bits, width)
}
