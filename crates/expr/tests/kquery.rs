//! What is printed as KQuery means what evaluation says, read back by a small interpreter of the
//! language that knows nothing of the printer.

mod common;

use common::{Constants, Pool, VARS, recipe, reference, run};
use espalier_expr::{ArrayNode, Model, Op, SymbolShape, Term, Terms, kquery};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, ToPrimitive, Zero};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// A number of some width.
#[derive(Clone, Debug)]
struct Value {
    bits: BigUint,
    width: u32,
}

impl Value {
    fn new(bits: BigUint, width: u32) -> Value {
        Value { bits: bits % (BigUint::one() << width), width }
    }

    fn truth(value: bool) -> Value {
        Value::new(BigUint::from(value as u8), 1)
    }

    fn signed(&self) -> BigInt {
        let value = BigInt::from(self.bits.clone());
        if self.bits.bit(self.width as u64 - 1) { value - (BigInt::one() << self.width) } else { value }
    }

    fn of_signed(value: BigInt, width: u32) -> Value {
        let modulus = BigInt::one() << width;
        let value = ((value % &modulus) + &modulus) % &modulus;
        Value::new(value.to_biguint().expect("not negative"), width)
    }
}

/// An array with all its updates carried out, those out of bounds too; what is not there is 0.
type Bytes = Rc<BTreeMap<usize, u8>>;
type Inputs = HashMap<(String, usize), Vec<u8>>;

struct Reader<'a> {
    tokens: Vec<&'a str>,
    next: usize,
    inputs: &'a Inputs,
    arrays: HashMap<&'a str, Bytes>,
    labels: HashMap<&'a str, Value>,
    versions: HashMap<&'a str, Bytes>,
}

fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '(' | ')' | '[' | ']' | '=' | '@' | ',' | ':' => 1,
            c if c.is_whitespace() => 1,
            _ => rest.find(|c: char| "()[]=@,:".contains(c) || c.is_whitespace()).unwrap_or(rest.len()),
        };
        if !first.is_whitespace() {
            tokens.push(&rest[..length]);
        }
        rest = &rest[length..];
    }
    tokens
}

impl<'a> Reader<'a> {
    fn take(&mut self) -> &'a str {
        self.next += 1;
        self.tokens[self.next - 1]
    }

    fn peek(&self, ahead: usize) -> &'a str {
        self.tokens.get(self.next + ahead).copied().unwrap_or_default()
    }

    fn expect(&mut self, token: &str) {
        let found = self.take();
        assert_eq!(found, token, "at token {}", self.next);
    }

    fn width(&mut self) -> u32 {
        self.take().strip_prefix('w').expect("a width").parse().expect("a width")
    }

    /// The truth values of the constraints.
    fn query(&mut self) -> Vec<bool> {
        while self.peek(0) == "array" {
            self.declaration();
        }
        ["(", "query", "["].iter().for_each(|token| self.expect(token));
        let mut values = Vec::new();
        while self.peek(0) != "]" {
            let value = self.expression();
            assert_eq!(value.width, 1);
            values.push(value.bits.is_one());
        }
        ["]", "false", ")"].iter().for_each(|token| self.expect(token));
        assert_eq!(self.next, self.tokens.len());
        values
    }

    fn declaration(&mut self) {
        self.expect("array");
        let name = self.take();
        self.expect("[");
        let size: usize = self.take().parse().expect("a size");
        ["]", ":", "w32", "->", "w8", "="].iter().for_each(|token| self.expect(token));
        let bytes: Vec<u8> = if self.peek(0) == "symbolic" {
            self.take();
            // The rest of the name is a number, or what KQuery's names cannot have.
            self.inputs[&(name[..1].to_owned(), size)].clone()
        } else {
            self.expect("[");
            let bytes = (0..size).map(|_| self.take().parse().expect("a byte")).collect();
            self.expect("]");
            bytes
        };
        assert_eq!(bytes.len(), size, "{name}");
        assert!(self.arrays.insert(name, Rc::new(bytes.into_iter().enumerate().collect())).is_none(), "{name} twice");
    }

    fn expression(&mut self) -> Value {
        if self.peek(1) == ":" {
            let label = self.take();
            self.expect(":");
            let value = self.expression();
            assert!(self.labels.insert(label, value.clone()).is_none(), "{label} twice");
            return value;
        }
        match self.take() {
            "true" => Value::truth(true),
            "false" => Value::truth(false),
            "(" => {
                let value = self.operation();
                self.expect(")");
                value
            }
            label => self.labels.get(label).unwrap_or_else(|| panic!("unknown label {label}")).clone(),
        }
    }

    fn index(&mut self) -> usize {
        let value = match self.peek(0).parse::<u64>() {
            Ok(number) => {
                self.take();
                BigUint::from(number)
            }
            Err(_) => {
                let value = self.expression();
                assert_eq!(value.width, 32);
                value.bits
            }
        };
        value.to_usize().unwrap_or(usize::MAX)
    }

    fn version(&mut self) -> Bytes {
        if self.peek(1) == ":" {
            let label = self.take();
            self.expect(":");
            let bytes = self.version();
            assert!(self.versions.insert(label, bytes.clone()).is_none(), "{label} twice");
            return bytes;
        }
        if self.peek(0) != "[" {
            let name = self.take();
            return self.versions.get(name).or_else(|| self.arrays.get(name)).expect("an array").clone();
        }
        self.expect("[");
        let mut updates = Vec::new();
        loop {
            let index = self.index();
            self.expect("=");
            let value = self.expression();
            assert_eq!(value.width, 8);
            updates.push((index, value.bits.to_u8().expect("a byte")));
            match self.take() {
                "," => {}
                "]" => break,
                other => panic!("{other} after an update"),
            }
        }
        self.expect("@");
        let mut bytes = BTreeMap::clone(&self.version());
        // The latest stands first.
        for (index, value) in updates.into_iter().rev() {
            bytes.insert(index, value);
        }
        Rc::new(bytes)
    }

    fn operation(&mut self) -> Value {
        let name = self.take();
        if name.starts_with('w') {
            self.next -= 1;
            let width = self.width();
            return Value::new(self.take().parse().expect("a number"), width);
        }
        if matches!(name, "Eq" | "Ult" | "Ule" | "Slt" | "Sle") {
            let (a, b) = (self.expression(), self.expression());
            assert_eq!(a.width, b.width, "{name}");
            return Value::truth(match name {
                "Eq" => a.bits == b.bits,
                "Ult" => a.bits < b.bits,
                "Ule" => a.bits <= b.bits,
                "Slt" => a.signed() < b.signed(),
                _ => a.signed() <= b.signed(),
            });
        }
        let width = self.width();
        match name {
            "Read" | "ReadLSB" => {
                let index = self.index();
                let bytes = self.version();
                let part: Vec<u8> =
                    (0..width as usize / 8).map(|k| bytes.get(&(index + k)).copied().unwrap_or(0)).collect();
                Value::new(BigUint::from_bytes_le(&part), width)
            }
            "Extract" => {
                let low: u32 = self.take().parse().expect("a number");
                Value::new(self.expression().bits >> low, width)
            }
            "ZExt" => Value::new(self.expression().bits, width),
            "SExt" => Value::of_signed(self.expression().signed(), width),
            "Not" => {
                let value = self.expression();
                Value::new((BigUint::one() << width) - 1u8 - value.bits, width)
            }
            "Neg" => Value::of_signed(-BigInt::from(self.expression().bits), width),
            "Select" => {
                let (condition, a, b) = (self.expression(), self.expression(), self.expression());
                if condition.bits.is_zero() { b } else { a }
            }
            "Concat" => {
                let (a, b) = (self.expression(), self.expression());
                assert_eq!(a.width + b.width, width);
                Value::new((a.bits << b.width) | b.bits, width)
            }
            _ => {
                let (a, b) = (self.expression(), self.expression());
                assert_eq!((a.width, b.width), (width, width), "{name}");
                arithmetic(name, a, b)
            }
        }
    }
}

/// Division by zero as in SMT-LIB, and shifts by too much give what shifting on and on does.
fn arithmetic(name: &str, a: Value, b: Value) -> Value {
    let width = a.width;
    let ones = (BigUint::one() << width) - 1u8;
    let distance = b.bits.to_u32().unwrap_or(u32::MAX).min(width);
    match name {
        "And" => Value::new(a.bits & b.bits, width),
        "Or" => Value::new(a.bits | b.bits, width),
        "Xor" => Value::new(a.bits ^ b.bits, width),
        "Add" => Value::new(a.bits + b.bits, width),
        "Mul" => Value::new(a.bits * b.bits, width),
        "UDiv" if b.bits.is_zero() => Value::new(ones, width),
        "UDiv" => Value::new(a.bits / b.bits, width),
        "URem" | "SRem" if b.bits.is_zero() => a,
        "URem" => Value::new(a.bits % b.bits, width),
        "SDiv" if b.bits.is_zero() => {
            Value::new(if a.signed() < BigInt::zero() { BigUint::one() } else { ones }, width)
        }
        "SDiv" => Value::of_signed(a.signed() / b.signed(), width),
        "SRem" => Value::of_signed(a.signed() % b.signed(), width),
        "Shl" => Value::new(a.bits << distance, width),
        "LShr" => Value::new(a.bits >> distance, width),
        "AShr" => Value::of_signed(a.signed() >> distance, width),
        _ => panic!("unknown operator {name}"),
    }
}

/// The bytes of the inputs in a model, by the first letter of the name and the size.
fn inputs(pool: &Pool, model: &Model) -> Inputs {
    let mut inputs = Inputs::new();
    for &var in &pool.vars {
        let node = pool.terms.node(var);
        let info = pool.terms.symbol_info(node.symbol());
        let bytes = inputs
            .entry((info.name[..1].to_owned(), info.size as usize))
            .or_insert_with(|| vec![0; info.size as usize]);
        let mut value = model.get_bv(var, pool.terms.width(var)).to_big().to_bytes_le();
        match info.shape {
            SymbolShape::Bytes => bytes[node.number(1) as usize] = value[0],
            SymbolShape::Scalar => {
                value.resize(info.size as usize, 0);
                *bytes = value;
            }
        }
    }
    inputs
}

fn read_back(text: &str, inputs: &Inputs) -> Vec<bool> {
    let mut reader = Reader {
        tokens: tokens(text),
        next: 0,
        inputs,
        arrays: HashMap::new(),
        labels: HashMap::new(),
        versions: HashMap::new(),
    };
    reader.query()
}

/// Do all indices fit into KQuery's 32 bits? Indices of objects do, in bounds as they are, but
/// random ones need not.
fn has_short_indices(terms: &Terms, constraint: Term) -> bool {
    terms.postorder(&[constraint]).into_iter().filter(|&term| terms.op(term) == Op::Read).all(|read| {
        let mut indices = vec![terms.node(read).arg(1)];
        let mut array = terms.node(read).array();
        while let &ArrayNode::Store { array: below, index, .. } = terms.array_node(array) {
            indices.push(index);
            array = below;
        }
        indices.into_iter().all(|index| terms.width(index) <= 32)
    })
}

#[test]
fn printed_terms_agree_with_evaluation() {
    let strategy = recipe(24);
    let mut runner = TestRunner::deterministic();
    let mut printed = 0;
    for _ in 0..400 * common::factor() as usize {
        let recipe = strategy.new_tree(&mut runner).expect("a recipe").current();
        let mut pool = Pool::new(reference(&recipe).1);
        let built = run(&mut pool, &recipe);
        let constraints: Vec<Term> = built[VARS..]
            .iter()
            .map(|&term| {
                let width = pool.terms.width(term);
                let middle = pool.terms.eval(term, &pool.model(&recipe.models[0]));
                let middle = pool.terms.constant_bv(&middle);
                if width == 1 { term } else { pool.terms.ule(term, middle) }
            })
            .collect();
        let constraints: Vec<Term> =
            constraints.into_iter().filter(|&constraint| has_short_indices(&pool.terms, constraint)).collect();
        let text = kquery(&pool.terms, &constraints).expect("no floats");
        for values in &recipe.models {
            let model = pool.model(values);
            let expected: Vec<bool> =
                constraints.iter().map(|&constraint| pool.terms.eval(constraint, &model).to_u64() == Some(1)).collect();
            assert_eq!(read_back(&text, &inputs(&pool, &model)), expected, "{text}");
        }
        printed += text.len();
    }
    assert!(printed > 100_000, "the terms are too simple");
}

#[test]
fn floats_are_refused_by_name() {
    let mut pool = Pool::new(Constants::default());
    let (x, y) = (pool.vars[2], pool.terms.constant(0x3f80_0000, 32));
    let less = pool.terms.fp_lt(x, y);
    assert_eq!(kquery(&pool.terms, &[less]), Err(Op::FpLt));
}

#[test]
fn a_path_condition_reads_as_klee_writes_it() {
    let mut pool = Pool::new(Constants::default());
    let x = pool.vars[2];
    let name = pool.terms.symbol_info(pool.terms.node(x).symbol()).name.clone();
    let (zero, ten) = (pool.terms.constant(0, 32), pool.terms.constant(10, 32));
    let square = pool.terms.mul(x, x);
    let is_zero = pool.terms.eq(x, zero);
    let (not_zero, small, large) = (pool.terms.not(is_zero), pool.terms.slt(square, ten), pool.terms.ult(zero, square));
    let text = kquery(&pool.terms, &[not_zero, small, large]).expect("no floats");
    let expected = format!(
        "array {name}[4] : w32 -> w8 = symbolic\n\
         (query [(Eq false (Eq (ReadLSB w32 0 {name}) (w32 0)))\n        \
         (Slt N0:(Mul w32 (ReadLSB w32 0 {name}) (ReadLSB w32 0 {name})) (w32 10))\n        \
         (Eq false (Eq N0 (w32 0)))]\n       \
         false)\n"
    );
    assert_eq!(text, expected);
}
