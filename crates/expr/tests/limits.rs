//! Large and deep terms: nothing recurses over depth, nothing grows with the square of the size.

mod common;

use common::{Constants, Pool};
use espalier_expr::{ArrayByte, Model, SmtLib, SymbolKind, Terms};
use std::rc::Rc;

#[test]
fn variables_of_large_terms_are_shared() {
    let mut t = Terms::new();
    let bytes = t.byte_vars(SymbolKind::Input, "buf", 5000);
    let mut sum = t.constant(0, 8);
    let mut sums = Vec::new();
    for &byte in &bytes {
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
    assert!(Rc::ptr_eq(&t.vars_of(sum), &t.vars_of(more)));
}

#[test]
fn deep_terms_are_built_evaluated_and_printed() {
    let mut pool = Pool::new(Constants::default());
    let (x, y) = (pool.vars[2], pool.scalar("y", 4));
    let t = &mut pool.terms;
    let mut term = x;
    let mut condition = t.ult(x, y);
    for i in 0..100_000 {
        let c = t.constant(2 * i + 3, 32);
        let product = t.mul(term, y);
        term = t.xor(product, c);
        let test = t.slt(term, y);
        condition = if i % 2 == 0 { t.or(condition, test) } else { t.and(condition, test) };
    }
    let not = t.not(condition);
    let choice = t.ite(not, term, x);
    let mut model = Model::new();
    model.set(x, 3);
    model.set(y, 5);
    assert_eq!(t.eval(choice, &model).width(), 32);
    assert_eq!(t.vars_of(choice).to_vec(), [x, y]);
    assert!(t.postorder(&[choice]).len() > 300_000);
    assert!(t.display(choice).to_string().len() < 100_000);
    assert!(!t.conjuncts(not).is_empty());
    let mut printer = SmtLib::new(t);
    printer.define(choice);
    assert!(printer.take_output().lines().count() > 300_000);
}

#[test]
fn long_chains_of_differences_and_stores() {
    let mut pool = Pool::new(Constants::default());
    let (x, y) = (pool.vars[2], pool.scalar("y", 4));
    let t = &mut pool.terms;
    let mut difference = x;
    let mut array = t.array_base(vec![ArrayByte::Concrete(1); 4]);
    for i in 0..50_000 {
        let c = t.constant(2 * i + 5, 32);
        let other = t.xor(y, c);
        difference = t.sub(difference, other);
        difference = t.neg(difference);
        let low = t.trunc(difference, 8);
        array = t.array_store(array, difference, low);
    }
    let read = t.read(array, y);
    assert_eq!(t.eval(read, &Model::new()).width(), 8);
    assert_eq!(t.vars_of(read).len(), 2);
    SmtLib::new(t).define(read);
}

#[test]
fn long_concatenations_stay_flat() {
    let mut t = Terms::new();
    let bytes = t.byte_vars(SymbolKind::Input, "buf", 4096);
    let mut all = bytes[0];
    for &byte in &bytes[1..] {
        all = t.concat(byte, all);
    }
    assert_eq!(t.width(all), 8 * 4096);
    let middle = t.extract(all, 8 * 2000, 8);
    assert_eq!(middle, bytes[2000]);
    let half = t.extract(all, 4, 8 * 4000);
    assert_eq!(t.width(half), 8 * 4000);
    let zero = t.xor(all, all);
    let equal = t.eq(all, zero);
    assert_eq!(t.conjuncts(equal).len(), 4096);
    assert_eq!(t.vars_of(equal).len(), 4096);
}
