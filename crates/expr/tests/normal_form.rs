//! Named normal forms: what the rest of the engine counts on.

use espalier_expr::{ArrayByte, Evaluator, Model, Op, SymbolInfo, SymbolShape, Term, Terms};

struct Fixture {
    t: Terms,
    /// 32-bit variables.
    x: Term,
    y: Term,
    /// 8-bit variables.
    b: [Term; 8],
}

fn fixture() -> Fixture {
    let mut t = Terms::new();
    let mut scalar = |name: &str, size| {
        let symbol = t.symbol(SymbolInfo { name: name.into(), occurrence: 0, size, shape: SymbolShape::Scalar });
        t.var(symbol, 0)
    };
    let (x, y) = (scalar("x", 4), scalar("y", 4));
    let bytes = t.symbol(SymbolInfo { name: "b".into(), occurrence: 0, size: 8, shape: SymbolShape::Bytes });
    let b = [0, 1, 2, 3, 4, 5, 6, 7].map(|i| t.var(bytes, i));
    Fixture { t, x, y, b }
}

impl Fixture {
    fn k(&mut self, value: i64) -> Term {
        self.t.constant(value as u64, 32)
    }

    fn show(&self, term: Term) -> String {
        self.t.display(term).to_string()
    }

    fn bytes_of(&mut self, term: Term) -> Vec<Term> {
        (0..self.t.width(term) / 8).map(|i| self.t.extract(term, 8 * i, 8)).collect()
    }

    /// As a load does: little endian, from the lowest byte up.
    fn assemble(&mut self, bytes: &[Term]) -> Term {
        let (&first, rest) = bytes.split_first().expect("a byte");
        rest.iter().fold(first, |low, &byte| self.t.concat(byte, low))
    }
}

/// Builds a term of a fresh fixture and compares how it is shown.
#[track_caller]
fn check(build: impl FnOnce(&mut Fixture) -> Term, expected: &str) {
    let mut f = fixture();
    let term = build(&mut f);
    assert_eq!(f.show(term), expected);
}

fn add(f: &mut Fixture, a: Term, c: i64) -> Term {
    let c = f.k(c);
    f.t.add(a, c)
}

fn mul(f: &mut Fixture, a: Term, c: i64) -> Term {
    let c = f.k(c);
    f.t.mul(a, c)
}

#[test]
fn constants_move_outwards() {
    check(|f| { let a = add(f, f.x, 1); add(f, a, 2) }, "x + 3");
    check(|f| { let a = add(f, f.x, 1); let b = add(f, f.y, 2); f.t.add(a, b) }, "(x + y) + 3");
    check(|f| { let a = add(f, f.x, 1); f.t.sub(a, f.x) }, "1");
    check(|f| { let a = add(f, f.x, 5); f.t.sub(f.y, a) }, "(y + -x) + 0xfffffffb");
    check(|f| { let a = add(f, f.x, 1); mul(f, a, 4) }, "(x << 2) + 4");
    check(|f| { let a = add(f, f.x, 1); mul(f, a, 3) }, "(x * 3) + 3");
    check(|f| { let a = add(f, f.x, 1); let two = f.k(2); f.t.shl(a, two) }, "(x << 2) + 4");
    check(|f| { let a = add(f, f.x, -1); f.t.not(a) }, "-x");
    check(|f| { let a = f.t.not(f.x); add(f, a, 1) }, "-x");
}

#[test]
fn constants_move_out_of_comparisons() {
    check(|f| { let a = add(f, f.x, 1); let c = f.k(3); f.t.eq(a, c) }, "x == 2");
    check(|f| { let a = add(f, f.x, 1); let b = add(f, f.y, 3); f.t.eq(a, b) }, "x == (y + 2)");
    check(|f| { let a = mul(f, f.x, 3); let c = f.k(15); f.t.eq(a, c) }, "x == 5");
    check(|f| { let a = mul(f, f.x, 4); let c = f.k(6); f.t.eq(a, c) }, "false");
    check(|f| { let a = f.t.sub(f.x, f.y); let c = f.k(0); f.t.eq(a, c) }, "x == y");
    // Exact where the sum cannot wrap around.
    check(
        |f| { let a = f.t.zext(f.b[0], 32); let a = add(f, a, 3); let c = f.k(10); f.t.ult(a, c) },
        "b[0] <u 7",
    );
    check(
        |f| { let a = f.t.zext(f.b[0], 32); let a = add(f, a, -3); let c = f.k(10); f.t.slt(a, c) },
        "b[0] <u 0xd",
    );
    // An interval that wraps around has one form.
    check(|f| { let a = add(f, f.x, 3); let c = f.k(10); f.t.ult(a, c) }, "(x + 3) <u 0xa");
    check(|f| { let a = add(f, f.x, 3); let c = f.k(10); f.t.uge(a, c) }, "(x + 0xfffffff9) <u 0xfffffff6");
    check(
        |f| { let a = add(f, f.x, 3); let c = f.k(10); let ge = f.t.uge(a, c); f.t.not(ge) },
        "(x + 3) <u 0xa",
    );
}

#[test]
fn sums_collect_their_terms() {
    check(|f| f.t.add(f.x, f.x), "x << 1");
    check(|f| { let a = mul(f, f.x, 3); f.t.add(f.x, a) }, "x << 2");
    check(|f| { let a = mul(f, f.x, 3); f.t.sub(a, f.x) }, "x << 1");
    check(|f| { let s = f.t.add(f.x, f.y); f.t.sub(s, f.x) }, "y");
    check(|f| { let s = f.t.add(f.x, f.y); f.t.sub(f.x, s) }, "-y");
    check(|f| { let d = f.t.sub(f.x, f.y); f.t.neg(d) }, "y + -x");
    check(|f| { let d = f.t.sub(f.x, f.y); f.t.add(d, f.y) }, "x");
    check(|f| mul(f, f.x, -4), "-(x << 2)");
}

#[test]
fn bit_operations_fold() {
    check(|f| f.t.xor(f.x, f.x), "0");
    check(|f| f.t.and(f.x, f.x), "x");
    check(|f| { let n = f.t.not(f.x); f.t.and(f.x, n) }, "0");
    check(|f| { let n = f.t.not(f.x); f.t.or(f.x, n) }, "0xffffffff");
    check(|f| { let o = f.t.or(f.x, f.y); f.t.and(o, f.y) }, "y");
    check(|f| { let (n, m) = (f.t.not(f.x), f.t.not(f.y)); f.t.and(n, m) }, "~(x | y)");
    check(|f| { let c = f.k(0xff); f.t.and(f.x, c) }, "ZExt32(x[7:0])");
    check(|f| { let c = f.k(8); f.t.urem(f.x, c) }, "ZExt32(x[2:0])");
    check(|f| { let c = f.k(8); f.t.udiv(f.x, c) }, "ZExt32(x[31:3])");
    check(|f| { let c = f.k(4); let a = f.t.and(f.x, c); let z = f.k(0); f.t.ne(a, z) }, "x[2:2]");
    check(|f| { let c = f.k(31); f.t.ashr(f.x, c) }, "SExt32(x[31:31])");
}

#[test]
fn comparisons_have_one_form() {
    check(|f| { let c = f.k(5); f.t.ule(f.x, c) }, "x <u 6");
    check(|f| { let c = f.k(5); f.t.uge(f.x, c) }, "4 <u x");
    check(|f| { let c = f.k(0); f.t.ugt(f.x, c) }, "x != 0");
    check(|f| { let c = f.k(1); f.t.ult(f.x, c) }, "x == 0");
    check(|f| { let c = f.k(-1); f.t.ule(f.x, c) }, "true");
    check(|f| { let c = f.k(0); f.t.sge(f.x, c) }, "0xffffffff <s x");
    check(|f| { let c = f.k(i32::MIN as i64); f.t.ult(f.x, c) }, "0xffffffff <s x");
    check(|f| { let c = f.t.ult(f.x, f.y); f.t.not(c) }, "y <=u x");
    check(|f| { let c = f.t.slt(f.x, f.y); let n = f.t.not(c); f.t.not(n) }, "x <s y");
}

#[test]
fn extensions_are_stripped() {
    check(|f| { let a = f.t.zext(f.b[0], 32); let c = f.k(10); f.t.ult(a, c) }, "b[0] <u 0xa");
    check(|f| { let a = f.t.zext(f.b[0], 32); let c = f.k(10); f.t.slt(a, c) }, "b[0] <u 0xa");
    check(|f| { let a = f.t.zext(f.b[0], 32); let c = f.k(256); f.t.slt(a, c) }, "true");
    check(|f| { let a = f.t.zext(f.b[0], 32); let c = f.k(256); f.t.eq(a, c) }, "false");
    check(|f| { let a = f.t.sext(f.b[0], 32); let c = f.k(-5); f.t.slt(a, c) }, "b[0] <s 0xfb");
    check(|f| { let a = f.t.sext(f.b[0], 32); let c = f.k(-5); f.t.eq(a, c) }, "b[0] == 0xfb");
    check(
        |f| { let (a, b) = (f.t.sext(f.b[0], 32), f.t.sext(f.b[1], 32)); f.t.sle(a, b) },
        "b[0] <=s b[1]",
    );
    check(
        |f| { let (a, b) = (f.t.zext(f.b[0], 32), f.t.zext(f.b[1], 32)); f.t.slt(a, b) },
        "b[0] <u b[1]",
    );
    // What C's integer promotions leave behind.
    check(
        |f| { let (a, b) = (f.t.zext(f.b[0], 32), f.t.zext(f.b[1], 32)); let s = f.t.add(a, b); f.t.trunc(s, 8) },
        "b[0] + b[1]",
    );
    check(|f| { let c = f.t.ult(f.x, f.y); let z = f.t.zext(c, 32); let k = f.k(0); f.t.ne(z, k) }, "x <u y");
    check(|f| { let c = f.t.ult(f.x, f.y); let z = f.t.zext(c, 32); f.t.neg(z) }, "SExt32((x <u y))");
}

#[test]
fn what_is_stored_in_bytes_is_loaded_whole() {
    let mut f = fixture();
    let c = f.k(0x1234_5678);
    let (zx, sx) = (f.t.zext(f.b[0], 32), f.t.sext(f.b[0], 32));
    let zy = f.t.zext(f.b[1], 32);
    let low = f.t.trunc(f.y, 16);
    let condition = f.t.ult(f.x, f.y);
    let three = f.k(3);
    let seven = f.k(7);
    let scaled = mul(&mut f, zx, 100);
    let terms = [
        f.x,
        zx,
        sx,
        f.t.sext(low, 32),
        f.t.add(f.x, f.y),
        f.t.add(f.x, c),
        f.t.add(zx, zy),
        f.t.mul(zx, zy),
        f.t.mul(zx, zx),
        scaled,
        f.t.neg(zx),
        f.t.not(f.x),
        f.t.xor(f.x, c),
        f.t.or(f.x, three),
        f.t.shl(f.x, three),
        f.t.lshr(f.x, three),
        f.t.ashr(f.x, three),
        f.t.urem(f.x, seven),
        f.t.udiv(f.x, seven),
        f.t.srem(f.x, seven),
        f.t.ite(condition, three, seven),
        f.t.ite(condition, f.x, f.y),
        f.t.zext(condition, 32),
        f.t.sext(condition, 32),
        f.t.sub(f.x, f.y),
    ];
    for term in terms {
        let bytes = f.bytes_of(term);
        let loaded = f.assemble(&bytes);
        assert_eq!(loaded, term, "{} became {}", f.show(term), f.show(loaded));
    }
}

#[test]
fn bytes_put_together_by_shifts_are_concatenated() {
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]] {
        for plus in [false, true] {
            let mut f = fixture();
            let mut value = f.k(0);
            for i in order {
                let wide = f.t.zext(f.b[i], 32);
                let amount = f.k(8 * i as i64);
                let shifted = f.t.shl(wide, amount);
                value = if plus { f.t.add(value, shifted) } else { f.t.or(value, shifted) };
            }
            assert_eq!(f.show(value), "b[3] ++ (b[2] ++ (b[1] ++ b[0]))", "{order:?} {plus}");
        }
    }
}

#[test]
fn slices_are_joined_and_split() {
    check(|f| { let (h, l) = (f.t.extract(f.x, 16, 16), f.t.extract(f.x, 0, 16)); f.t.concat(h, l) }, "x");
    check(|f| { let e = f.t.extract(f.x, 4, 16); f.t.extract(e, 4, 8) }, "x[15:8]");
    check(|f| { let c = f.t.concat(f.b[1], f.b[0]); f.t.extract(c, 4, 8) }, "b[1][3:0] ++ b[0][7:4]");
    check(|f| { let c = f.t.concat(f.b[1], f.b[0]); let k = f.t.constant(0x4142, 16); f.t.eq(c, k) }, "(b[1] == 0x41) & (b[0] == 0x42)");
    check(|f| { let z = f.t.constant(0, 24); f.t.concat(z, f.b[0]) }, "ZExt32(b[0])");
    // The same bytes the other way round.
    check(
        |f| {
            let bytes = f.bytes_of(f.x);
            let swapped: Vec<Term> = bytes.into_iter().rev().collect();
            let swapped = f.assemble(&swapped);
            let bytes: Vec<Term> = f.bytes_of(swapped).into_iter().rev().collect();
            f.assemble(&bytes)
        },
        "x",
    );
}

#[test]
fn choices_fold() {
    let condition = |f: &mut Fixture| f.t.ult(f.x, f.y);
    check(|f| { let c = condition(f); f.t.ite(c, f.x, f.x) }, "x");
    check(|f| { let c = condition(f); let (p, q) = (f.t.tru(), f.t.fals()); f.t.ite(c, p, q) }, "x <u y");
    check(|f| { let c = condition(f); let (p, q) = (f.k(1), f.k(0)); f.t.ite(c, p, q) }, "ZExt32((x <u y))");
    check(|f| { let c = condition(f); let i = f.t.ite(c, f.x, f.y); let k = f.k(4); f.t.ite(c, i, k) }, "((x <u y) ? x : 4)");
    for (k, expected) in [(3, "x <u y"), (7, "y <=u x"), (5, "false")] {
        check(
            |f| {
                let c = condition(f);
                let (p, q, k) = (f.k(3), f.k(7), f.k(k));
                let i = f.t.ite(c, p, q);
                f.t.eq(i, k)
            },
            expected,
        );
    }
    check(|f| { let c = condition(f); let (p, q) = (f.k(3), f.k(7)); let i = f.t.ite(c, p, q); add(f, i, 1) }, "((x <u y) ? 4 : 8)");
    check(|f| { let e = f.t.eq(f.x, f.y); f.t.ite(e, f.x, f.y) }, "y");
    check(|f| { let c = condition(f); let n = f.t.not(c); f.t.ite(n, f.x, f.y) }, "((x <u y) ? y : x)");
}

#[test]
fn reads_resolve() {
    let mut f = fixture();
    let bytes = vec![ArrayByte::Concrete(7), ArrayByte::Term(f.b[0]), ArrayByte::Concrete(9)];
    let base = f.t.array_base(bytes);
    let (zero, one, two) = (f.k(0), f.k(1), f.k(2));
    assert_eq!(f.t.array_len(base), 3);
    let seven = f.t.constant(7, 8);
    assert_eq!(f.t.read(base, zero), seven);
    assert_eq!(f.t.read(base, one), f.b[0]);
    let stored = f.t.array_store(base, one, f.b[2]);
    assert_eq!(f.t.read(stored, one), f.b[2]);
    assert_eq!(f.t.read(stored, zero), seven);
    let at_x = f.t.array_store(stored, f.x, f.b[3]);
    assert_eq!(f.t.read(at_x, f.x), f.b[3]);
    let next = f.t.add(f.x, one);
    let past = f.t.read(at_x, next);
    assert_eq!(f.t.node(past).array(), stored, "x and x + 1 differ");
    let unknown = f.t.read(at_x, two);
    assert_eq!((f.t.op(unknown), f.t.node(unknown).array()), (Op::Read, at_x));
    // Storing over a store replaces it.
    assert_eq!(f.t.array_store(stored, one, f.b[0]), f.t.array_store(base, one, f.b[0]));
    let vars = f.t.vars_of(unknown);
    assert_eq!(vars.to_vec(), [f.x, f.b[0], f.b[2], f.b[3]]);
}

#[test]
fn conjunctions_come_apart() {
    let mut f = fixture();
    let (p, q) = (f.t.ult(f.x, f.y), f.t.eq(f.x, f.y));
    let r = f.t.eq(f.b[0], f.b[1]);
    let either = f.t.or(q, r);
    let neither = f.t.not(either);
    let all = f.t.and(p, neither);
    let (not_q, not_r) = (f.t.not(q), f.t.not(r));
    let mut conjuncts = f.t.conjuncts(all);
    conjuncts.sort();
    let mut expected = vec![p, not_q, not_r];
    expected.sort();
    assert_eq!(conjuncts, expected);
    let again = f.t.bool_and(&conjuncts);
    let mut evaluator = Evaluator::new(Model::new());
    assert_eq!(evaluator.eval_bool(&f.t, all), evaluator.eval_bool(&f.t, again));
    assert_eq!(f.t.conjuncts(f.t.tru()), []);
}

#[test]
fn variables_of_large_terms_are_shared() {
    let mut t = Terms::new();
    let symbol = t.symbol(SymbolInfo { name: "buf".into(), occurrence: 0, size: 5000, shape: SymbolShape::Bytes });
    let mut sum = t.constant(0, 8);
    let mut sums = Vec::new();
    for i in 0..5000 {
        let byte = t.var(symbol, i);
        let rotated = t.xor(sum, byte);
        sum = t.add(rotated, byte);
        sums.push(sum);
    }
    assert_eq!(t.vars_of(sum).len(), 5000);
    assert_eq!(t.vars_of(sums[20]).len(), 21);
    assert_eq!(t.vars_of(sums[1000]).len(), 1001);
    // The sets of the partial sums are not kept.
    assert!(t.bytes() < 16 << 20, "{}", t.bytes());
    // A term without new variables shares the set.
    let three = t.constant(3, 8);
    let more = t.mul(sum, three);
    assert!(std::rc::Rc::ptr_eq(&t.vars_of(sum), &t.vars_of(more)));
}

#[test]
fn nothing_recurses_over_depth() {
    let mut f = fixture();
    let mut term = f.x;
    let mut condition = f.t.ult(f.x, f.y);
    for i in 0..200_000 {
        let c = f.k(2 * i + 3);
        let product = f.t.mul(term, f.y);
        term = f.t.xor(product, c);
        let test = f.t.slt(term, f.y);
        condition = if i % 2 == 0 { f.t.or(condition, test) } else { f.t.and(condition, test) };
    }
    let not = f.t.not(condition);
    let choice = f.t.ite(not, term, f.x);
    let mut model = Model::new();
    model.set(f.x, 3);
    model.set(f.y, 5);
    let value = f.t.eval(choice, &model);
    assert_eq!(value, f.t.eval(choice, &model));
    assert_eq!(f.t.vars_of(choice).to_vec(), [f.x, f.y]);
    assert!(f.t.postorder(&[choice]).len() > 600_000);
    assert!(f.show(choice).len() < 100_000);
    assert!(f.t.conjuncts(not).len() >= 1);
    let mut printer = espalier_expr::SmtLib::new(&f.t);
    printer.define(choice);
    assert!(printer.take_output().len() > 1_000_000);
}

#[test]
fn chains_of_differences_and_stores_do_not_recurse() {
    let mut f = fixture();
    let mut difference = f.x;
    let mut array = f.t.array_base(vec![ArrayByte::Concrete(1); 4]);
    for i in 0..100_000 {
        let scaled = f.k(2 * i + 5);
        let other = f.t.xor(f.y, scaled);
        difference = f.t.sub(difference, other);
        difference = f.t.neg(difference);
        let low = f.t.trunc(difference, 8);
        array = f.t.array_store(array, difference, low);
    }
    let read = f.t.read(array, f.y);
    let value = f.t.eval(read, &Model::new());
    assert_eq!(value.width(), 8);
    assert_eq!(f.t.vars_of(read).len(), 2);
    let mut printer = espalier_expr::SmtLib::new(&f.t);
    printer.define(read);
}

#[test]
fn floats_that_are_integers_are_compared_as_integers() {
    use espalier_expr::FloatFormat::{F32, F64};
    let number = |f: &mut Fixture, value: f64| f.t.constant(value.to_bits(), 64);
    check(|f| { let (a, b) = (f.t.si_to_fp(f.x, F64), f.t.si_to_fp(f.y, F64)); f.t.fp_lt(a, b) }, "x <s y");
    check(|f| { let a = f.t.si_to_fp(f.x, F64); let c = number(f, 2.5); f.t.fp_lt(a, c) }, "x <s 3");
    check(|f| { let a = f.t.si_to_fp(f.x, F64); let c = number(f, 2.5); f.t.fp_le(a, c) }, "x <s 3");
    check(|f| { let a = f.t.si_to_fp(f.x, F64); let c = number(f, 2.0); f.t.fp_lt(a, c) }, "x <s 2");
    check(|f| { let a = f.t.si_to_fp(f.x, F64); let c = number(f, -2.5); f.t.fp_lt(c, a) }, "0xfffffffd <s x");
    check(|f| { let a = f.t.si_to_fp(f.x, F64); let c = number(f, -2.5); f.t.fp_eq(c, a) }, "false");
    check(|f| { let a = f.t.si_to_fp(f.x, F64); let c = number(f, 1e300); f.t.fp_le(a, c) }, "true");
    check(|f| { let a = f.t.si_to_fp(f.x, F64); let c = number(f, f64::NEG_INFINITY); f.t.fp_le(a, c) }, "false");
    check(|f| { let a = f.t.ui_to_fp(f.x, F64); let c = number(f, 10.0); f.t.fp_lt(a, c) }, "x <u 0xa");
    check(|f| { let a = f.t.si_to_fp(f.x, F64); f.t.fp_to_si(a, 64) }, "SExt64(x)");
    // A float has too few bits for these.
    check(|f| { let (a, b) = (f.t.si_to_fp(f.x, F32), f.t.si_to_fp(f.y, F32)); f.t.fp_lt(a, b) }, "SiToFp32(x) <. SiToFp32(y)");
    // Floats compared as doubles.
    check(|f| { let (a, b) = (f.t.fp_to_fp(f.x, F64), f.t.fp_to_fp(f.y, F64)); f.t.fp_le(a, b) }, "x <=. y");
    check(|f| { let a = f.t.fp_to_fp(f.x, F64); let c = number(f, 0.5); f.t.fp_lt(a, c) }, "x <. 0x3f000000");
}
