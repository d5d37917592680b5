//! Named normal forms: what the rest of the engine counts on.
//!
//! Terms are written `(operator argument…)`, with the names of the constructors; constants have 32
//! bits unless they say otherwise (`3:8`), and `#8` is a number that is not a term. Variables are
//! `x` and `y` of 32 bits, `b0` to `b3` of 8.

mod common;

use common::{Builder, Constants, Pool};
use espalier_expr::{ArrayByte, Evaluator, Model, Op, SymbolKind, Term};
use num_bigint::BigUint;

struct Fixture {
    pool: Pool,
    x: Term,
    y: Term,
    b: [Term; 4],
}

impl Fixture {
    fn new() -> Fixture {
        let mut pool = Pool::new(Constants::default());
        let x = pool.vars[2];
        let y = pool.scalar("y", 4);
        let b = [0, 1, 2, 3].map(|i| pool.byte("b", i));
        Fixture { pool, x, y, b }
    }

    fn parse(&mut self, text: &str) -> Term {
        let spaced = text.replace('(', " ( ").replace(')', " ) ");
        let mut words: Vec<&str> = spaced.split_whitespace().rev().collect();
        let term = self.parse_words(&mut words);
        assert!(words.is_empty(), "more than one term in {text}");
        term
    }

    /// Takes one term off the end of the words, which are in reverse.
    fn parse_words(&mut self, words: &mut Vec<&str>) -> Term {
        let word = words.pop().expect("a term");
        if word != "(" {
            return self.atom(word);
        }
        let operator = words.pop().expect("an operator");
        let (mut args, mut numbers) = (Vec::new(), Vec::new());
        while let Some(&word) = words.last() {
            if word == ")" {
                break;
            }
            match word.strip_prefix('#') {
                Some(number) => {
                    words.pop();
                    numbers.push(number.parse().expect("a number"));
                }
                None => args.push(self.parse_words(words)),
            }
        }
        assert_eq!(words.pop(), Some(")"));
        self.pool.apply(operator, &args, &numbers)
    }

    fn atom(&mut self, word: &str) -> Term {
        match word {
            "x" => return self.x,
            "y" => return self.y,
            "true" => return self.pool.terms.tru(),
            "false" => return self.pool.terms.fals(),
            _ => {}
        }
        if let Some(index) = word.strip_prefix('b') {
            return self.b[index.parse::<usize>().expect("a byte")];
        }
        if let Some(value) = word.strip_prefix("double:") {
            let bits = value.parse::<f64>().expect("a float").to_bits();
            return self.pool.terms.constant(bits, 64);
        }
        let (value, width) = word.split_once(':').unwrap_or((word, "32"));
        let value: i64 = value.parse().expect("a number");
        self.pool.terms.constant(value as u64, width.parse().expect("a width"))
    }

    fn show(&self, term: Term) -> String {
        self.pool.terms.display(term).to_string()
    }

    fn bytes_of(&mut self, term: Term) -> Vec<Term> {
        let terms = &mut self.pool.terms;
        (0..terms.width(term) / 8).map(|i| terms.extract(term, 8 * i, 8)).collect()
    }

    /// As a load does: little endian, from the lowest byte up.
    fn assemble(&mut self, bytes: &[Term]) -> Term {
        let (&first, rest) = bytes.split_first().expect("a byte");
        let terms = &mut self.pool.terms;
        rest.iter().fold(first, |low, &byte| terms.concat(byte, low))
    }
}

/// Builds terms and compares how they are shown.
#[track_caller]
fn check(cases: &[(&str, &str)]) {
    for (input, expected) in cases {
        let mut fixture = Fixture::new();
        let term = fixture.parse(input);
        assert_eq!(fixture.show(term), *expected, "{input}");
    }
}

#[test]
fn constants_move_outwards() {
    check(&[
        ("(add (add x 1) 2)", "x + 3"),
        ("(add (add x 1) (add y 2))", "(y + x) + 3"),
        ("(sub (add x 1) x)", "1"),
        ("(sub y (add x 5))", "(y + -x) + 0xfffffffb"),
        ("(mul (add x 1) 4)", "(x << 2) + 4"),
        ("(mul (add x 1) 3)", "(x * 3) + 3"),
        ("(shl (add x 1) 2)", "(x << 2) + 4"),
        ("(not (add x -1))", "-x"),
        ("(add (not x) 1)", "-x"),
        // Through an extension if the sum does not wrap around.
        ("(zext (add (zext b0 #16) 3:16) #32)", "ZExt32(b[0]) + 3"),
        ("(zext (add b0 3:8) #32)", "ZExt32((b[0] + 3))"),
    ]);
}

#[test]
fn constants_move_out_of_comparisons() {
    check(&[
        ("(eq (add x 1) 3)", "x == 2"),
        ("(eq (add x 1) (add y 3))", "y == (x + 0xfffffffe)"),
        ("(eq (mul x 3) 15)", "x == 5"),
        ("(eq (mul x 4) 6)", "false"),
        ("(eq (mul x 4) 8)", "x[29:0] == 2"),
        ("(eq (sub x y) 0)", "y == x"),
        ("(eq (add x y) y)", "x == 0"),
        ("(eq (add x y) (add y (zext b0 #32)))", "x == ZExt32(b[0])"),
        // Exact where the sum cannot wrap around.
        ("(ult (add (zext b0 #32) 3) 10)", "b[0] <u 7"),
        ("(slt (add (zext b0 #32) -3) 10)", "b[0] <u 0xd"),
        ("(ult (mul (zext b0 #32) 3) 10)", "b[0] <u 4"),
        // A bound beyond all values.
        ("(slt (add (zext b0 #16) -300:16) 32700:16)", "true"),
        ("(slt 32700:16 (add (zext b0 #16) -300:16))", "false"),
        ("(slt (add (or x -2147483648) 100) -2147483600)", "false"),
        // An interval that wraps around has one form.
        ("(ult (add x 3) 10)", "(x + 3) <u 0xa"),
        ("(uge (add x 3) 10)", "(x + 0xfffffff9) <u 0xfffffff6"),
        ("(not (uge (add x 3) 10))", "(x + 3) <u 0xa"),
    ]);
}

#[test]
fn sums_collect_their_terms() {
    check(&[
        ("(add x x)", "x << 1"),
        ("(add x (mul x 3))", "x << 2"),
        ("(sub (mul x 3) x)", "x << 1"),
        ("(sub (add x y) x)", "y"),
        ("(sub x (add x y))", "-y"),
        ("(neg (sub x y))", "y + -x"),
        ("(add (sub x y) y)", "x"),
        ("(mul x -4)", "-(x << 2)"),
    ]);
}

#[test]
fn bit_operations_fold() {
    check(&[
        ("(xor x x)", "0"),
        ("(and x x)", "x"),
        ("(and x (not x))", "0"),
        ("(or x (not x))", "0xffffffff"),
        ("(and (or x y) y)", "y"),
        ("(and (not x) (not y))", "~(y | x)"),
        ("(and x 255)", "ZExt32(x[7:0])"),
        ("(urem x 8)", "ZExt32(x[2:0])"),
        ("(udiv x 8)", "ZExt32(x[31:3])"),
        ("(ne (and x 4) 0)", "x[2:2]"),
        ("(ashr x 31)", "SExt32(x[31:31])"),
        ("(udiv (udiv b0 3:8) 5:8)", "b[0] /u 0xf"),
        ("(udiv (udiv b0 20:8) 13:8)", "0"),
        ("(and (and x 5) 6)", "ZExt32((x[2:2] ++ 0))"),
    ]);
}

#[test]
fn comparisons_have_one_form() {
    check(&[
        ("(ule x 5)", "x <u 6"),
        ("(uge x 5)", "4 <u x"),
        ("(ugt x 0)", "x != 0"),
        ("(ult x 1)", "x == 0"),
        ("(ule x -1)", "true"),
        ("(sge x 0)", "0xffffffff <s x"),
        ("(ult x -2147483648)", "0xffffffff <s x"),
        ("(not (ult x y))", "y <=u x"),
        ("(not (not (slt x y)))", "x <s y"),
    ]);
}

#[test]
fn extensions_are_stripped() {
    check(&[
        ("(ult (zext b0 #32) 10)", "b[0] <u 0xa"),
        ("(slt (zext b0 #32) 10)", "b[0] <u 0xa"),
        ("(slt (zext b0 #32) 256)", "true"),
        ("(eq (zext b0 #32) 256)", "false"),
        ("(slt (sext b0 #32) -5)", "b[0] <s 0xfb"),
        ("(eq (sext b0 #32) -5)", "b[0] == 0xfb"),
        ("(sle (sext b0 #32) (sext b1 #32))", "b[0] <=s b[1]"),
        ("(slt (zext b0 #32) (zext b1 #32))", "b[0] <u b[1]"),
        // What C's integer promotions leave behind.
        ("(extract (add (zext b0 #32) (zext b1 #32)) #0 #8)", "b[0] + b[1]"),
        ("(ne (zext (ult x y) #32) 0)", "x <u y"),
        ("(neg (zext (ult x y) #32))", "SExt32((x <u y))"),
    ]);
}

#[test]
fn slices_are_joined_and_split() {
    check(&[
        ("(concat (extract x #16 #16) (extract x #0 #16))", "x"),
        ("(extract (extract x #4 #16) #4 #8)", "x[15:8]"),
        ("(extract (concat b1 b0) #4 #8)", "b[1][3:0] ++ b[0][7:4]"),
        ("(eq (concat b1 b0) 16706:16)", "(b[1] == 0x41) & (b[0] == 0x42)"),
        ("(concat 0:24 b0)", "ZExt32(b[0])"),
    ]);
}

#[test]
fn choices_fold() {
    check(&[
        ("(ite (ult x y) x x)", "x"),
        ("(ite (ult x y) true false)", "x <u y"),
        ("(ite (ult x y) 1 0)", "ZExt32((x <u y))"),
        ("(ite (ult x y) (ite (ult x y) x y) 4)", "((x <u y) ? x : 4)"),
        ("(eq (ite (ult x y) 3 7) 3)", "x <u y"),
        ("(eq (ite (ult x y) 3 7) 7)", "y <=u x"),
        ("(eq (ite (ult x y) 3 7) 5)", "false"),
        ("(add (ite (ult x y) 3 7) 1)", "((x <u y) ? 4 : 8)"),
        ("(ite (eq x y) x y)", "y"),
        ("(ite (not (ult x y)) x y)", "((x <u y) ? y : x)"),
    ]);
}

#[test]
fn floats_that_are_integers_are_compared_as_integers() {
    check(&[
        ("(fp_lt (si_to_fp x #64) (si_to_fp y #64))", "x <s y"),
        ("(fp_lt (si_to_fp x #64) double:2.5)", "x <s 3"),
        ("(fp_le (si_to_fp x #64) double:2.5)", "x <s 3"),
        ("(fp_lt (si_to_fp x #64) double:2)", "x <s 2"),
        ("(fp_lt double:-2.5 (si_to_fp x #64))", "0xfffffffd <s x"),
        ("(fp_eq double:-2.5 (si_to_fp x #64))", "false"),
        ("(fp_le (si_to_fp x #64) double:1e300)", "true"),
        ("(fp_le (si_to_fp x #64) double:-inf)", "false"),
        ("(fp_lt (ui_to_fp x #64) double:10)", "x <u 0xa"),
        ("(fp_to_si (si_to_fp x #64) #64)", "SExt64(x)"),
        // A float has too few bits for these.
        ("(fp_lt (si_to_fp x #32) (si_to_fp y #32))", "SiToFp32(x) <. SiToFp32(y)"),
        ("(fp_lt (si_to_fp (extract x #0 #25) #32) (si_to_fp (extract y #0 #25) #32))", "x[24:0] <s y[24:0]"),
        (
            "(fp_lt (si_to_fp (extract x #0 #26) #32) (si_to_fp (extract y #0 #26) #32))",
            "SiToFp32(x[25:0]) <. SiToFp32(y[25:0])",
        ),
        // Adding -0.0 changes nothing; adding 0.0 changes -0.0.
        ("(fp_add (fp_sqrt x) -2147483648)", "FpSqrt32(x)"),
        ("(fp_add (fp_sqrt x) 0)", "FpSqrt32(x) +. 0"),
        ("(fp_mul x 1065353216)", "x *. 0x3f800000"),
        // Floats compared as doubles.
        ("(fp_le (fp_to_fp x #64) (fp_to_fp y #64))", "x <=. y"),
        ("(fp_lt (fp_to_fp x #64) double:0.5)", "x <. 0x3f000000"),
    ]);
}

#[test]
fn what_is_stored_in_bytes_is_loaded_whole() {
    for text in [
        "x",
        "(zext b0 #32)",
        "(sext b0 #32)",
        "(sext (extract y #0 #16) #32)",
        "(add x y)",
        "(add x 305419896)",
        "(add (zext b0 #32) (zext b1 #32))",
        "(mul (zext b0 #32) (zext b1 #32))",
        "(mul (zext b0 #32) (zext b0 #32))",
        "(mul (zext b0 #32) 100)",
        "(neg (zext b0 #32))",
        "(not x)",
        "(xor x 305419896)",
        "(or x 3)",
        "(shl x 3)",
        "(mul (add x 5) 4)",
        "(lshr x 3)",
        "(ashr x 3)",
        "(urem x 7)",
        "(udiv x 7)",
        "(srem x 7)",
        "(ite (ult x y) 3 7)",
        "(ite (ult x y) x y)",
        "(zext (ult x y) #32)",
        "(sext (ult x y) #32)",
        "(sub x y)",
        "(fp_add x y)",
    ] {
        let mut f = Fixture::new();
        let term = f.parse(text);
        let bytes = f.bytes_of(term);
        let loaded = f.assemble(&bytes);
        assert_eq!(loaded, term, "{text} became {}", f.show(loaded));
        // The same with the bytes swapped twice.
        let bytes: Vec<Term> = bytes.into_iter().rev().collect();
        let swapped = f.assemble(&bytes);
        let bytes: Vec<Term> = f.bytes_of(swapped).into_iter().rev().collect();
        assert_eq!(f.assemble(&bytes), term, "{text}");
    }
}

#[test]
fn bytes_put_together_by_shifts_are_concatenated() {
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]] {
        for operator in ["or", "add"] {
            let mut f = Fixture::new();
            let mut value = f.parse("0");
            for i in order {
                let shifted = f.parse(&format!("(shl (zext b{i} #32) {})", 8 * i));
                value = f.pool.apply(operator, &[value, shifted], &[]);
            }
            assert_eq!(f.show(value), "b[3] ++ (b[2] ++ (b[1] ++ b[0]))", "{order:?} {operator}");
        }
    }
}

#[test]
fn reads_resolve() {
    let mut f = Fixture::new();
    let (zero, one, two) = (f.parse("0"), f.parse("1"), f.parse("2"));
    let (seven, next) = (f.parse("7:8"), f.parse("(add x 1)"));
    let t = &mut f.pool.terms;
    let base = t.array_base(vec![ArrayByte::Concrete(7), ArrayByte::Term(f.b[0]), ArrayByte::Concrete(9)]);
    assert_eq!(t.array_len(base), 3);
    assert_eq!(t.read(base, zero), seven);
    assert_eq!(t.read(base, one), f.b[0]);
    let stored = t.array_store(base, one, f.b[2]);
    assert_eq!(t.read(stored, one), f.b[2]);
    assert_eq!(t.read(stored, zero), seven);
    let at_x = t.array_store(stored, f.x, f.b[3]);
    assert_eq!(t.read(at_x, f.x), f.b[3]);
    let past = t.read(at_x, next);
    assert_eq!(t.node(past).array(), stored, "x and x + 1 differ");
    let unknown = t.read(at_x, two);
    assert_eq!((t.op(unknown), t.node(unknown).array()), (Op::Read, at_x));
    // Storing over a store replaces it.
    assert_eq!(t.array_store(stored, one, f.b[0]), t.array_store(base, one, f.b[0]));
    assert_eq!(t.vars_of(unknown).to_vec(), [f.x, f.b[0], f.b[2], f.b[3]]);
}

#[test]
fn equalities_decide_what_else_compares_the_same() {
    check(&[
        ("(and (eq b0 97:8) (eq b0 98:8))", "false"),
        ("(and (ne b0 98:8) (eq b0 97:8))", "b[0] == 0x61"),
        ("(or (ne b0 98:8) (ne b0 97:8))", "true"),
        ("(or (ne b0 98:8) (eq b0 97:8))", "b[0] != 0x62"),
        ("(and (eq b0 97:8) (ult b0 98:8))", "b[0] == 0x61"),
        ("(and (eq b0 97:8) (ult b0 97:8))", "false"),
        ("(and (eq b0 -1:8) (slt b0 0:8))", "b[0] == 0xff"),
        // Inside of other conditions, on either side.
        ("(and (eq b0 97:8) (or (eq b0 98:8) (eq b1 b2)))", "(b[0] == 0x61) & (b[2] == b[1])"),
        ("(and (eq b0 97:8) (not (or (eq b0 98:8) (eq b1 b2))))", "(b[0] == 0x61) & (b[2] != b[1])"),
        ("(and (and (eq b0 97:8) (eq b1 b2)) (and (eq b0 98:8) (eq b2 b3)))", "false"),
        ("(or (not (and (eq b0 97:8) (eq b1 b2))) (not (and (eq b0 98:8) (eq b2 b3))))", "true"),
        // Another thing, and other constants of it, are left alone.
        ("(and (eq b0 97:8) (eq b1 98:8))", "(b[0] == 0x61) & (b[1] == 0x62)"),
        ("(and (ne b0 97:8) (ne b0 98:8))", "!((b[0] == 0x61) | (b[0] == 0x62))"),
    ]);
}

#[test]
fn flags_that_are_put_back_are_the_same() {
    check(&[
        ("(or (and x 32) (and x -33))", "x"),
        ("(or (and x -33) (and x 32))", "x"),
        ("(extract (or (and y 32) (and x -33)) #3 #1)", "x[3:3]"),
        ("(extract (or (and y 32) (and x -33)) #5 #1)", "y[5:5]"),
        ("(extract (xor (and y 32) (and x -33)) #5 #1)", "y[5:5]"),
    ]);
}

#[test]
fn conjunctions_come_apart() {
    let mut f = Fixture::new();
    let all = f.parse("(and (ult x y) (not (or (eq x y) (eq b0 b1))))");
    let mut expected = ["(ult x y)", "(ne x y)", "(ne b0 b1)"].map(|text| f.parse(text));
    let mut conjuncts = f.pool.terms.conjuncts(all);
    conjuncts.sort();
    expected.sort();
    assert_eq!(conjuncts, expected);
    let again = f.pool.terms.bool_and(&conjuncts);
    let mut evaluator = Evaluator::new(Model::new());
    let terms = &f.pool.terms;
    assert_eq!(evaluator.eval_bool(terms, all), evaluator.eval_bool(terms, again));
    let tru = f.pool.terms.tru();
    assert_eq!(f.pool.terms.conjuncts(tru), []);
}

#[test]
fn wide_integers_are_rounded_to_nearest_even() {
    let mut f = Fixture::new();
    let one = BigUint::from(1u32);
    for (width, lowest) in [(200u32, 60u32), (200, 130), (1100, 1000), (140, 0), (129, 75)] {
        // A tie, just above it, just below it, and overflow.
        for value in [
            (&one << (width - 1)) + (&one << (width - 54)),
            (&one << (width - 1)) + (&one << (width - 54)) + (&one << lowest),
            (&one << (width - 1)) + (&one << (width - 54)) - 1u32,
            (&one << width) - 1u32,
        ] {
            let digits = value.to_string();
            let term = f.pool.constant(value, width);
            let double = f.pool.apply("ui_to_fp", &[term], &[64]);
            let expected: f64 = digits.parse().expect("digits");
            assert_eq!(f.pool.terms.as_u64(double), Some(expected.to_bits()), "{digits}");
            let float = f.pool.apply("ui_to_fp", &[term], &[32]);
            let expected: f32 = digits.parse().expect("digits");
            assert_eq!(f.pool.terms.as_u64(float), Some(expected.to_bits() as u64), "{digits}");
        }
    }
}

#[test]
fn a_constant_of_any_width_is_one_term() {
    let mut f = Fixture::new();
    let wide = f.pool.constant(BigUint::from(5u32), 128);
    let sum = f.pool.apply("add", &[wide, wide], &[]);
    assert_eq!(sum, f.pool.constant(BigUint::from(10u32), 128));
    assert_eq!(f.show(sum), "0xa");
}

/// Symbols with a value of their own have it in every model, and are no constants; names of
/// different things differ.
#[test]
fn fixed_symbols_are_open_until_they_are_evaluated() {
    let mut f = Fixture::new();
    let mut fixed = |name: &str, value: u64, tells_apart: bool| {
        let kind = SymbolKind::Fixed { value, tells_apart };
        f.pool.terms.scalar_var(kind, name, 8)
    };
    let (a, b, elsewhere) = (fixed("file", 3, true), fixed("file", 4, true), fixed("other file", 4, true));
    let (time, later) = (fixed("time", 3, false), fixed("time", 4, false));
    let terms = &mut f.pool.terms;
    assert_eq!(terms.eq(a, b), terms.fals());
    assert_eq!(terms.eq(a, a), terms.tru());
    for (left, right) in [(a, elsewhere), (b, elsewhere), (time, later), (a, time)] {
        let equal = terms.eq(left, right);
        assert!(!terms.is_const(equal));
        let is_equal = terms.fixed_value(left) == terms.fixed_value(right);
        assert_eq!(terms.eval(equal, &Model::new()).to_u64(), Some(u64::from(is_equal)));
    }
    assert_eq!((terms.fixed_value(time), terms.fixed_value(f.x)), (Some(3), None));
    let sum = terms.add(time, later);
    let mut model = Model::new();
    model.set(f.x, 9);
    assert_eq!(terms.eval(sum, &model).to_u64(), Some(7));
}
