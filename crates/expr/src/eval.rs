//! Evaluation under an assignment of the variables. With cached models this decides most branches without a solver, so it
//! is the hottest code that is not the interpreter.
//!
//! [`Evaluator`] keeps the values it has computed: the constraints of a path share most of their subterms with those of its
//! parent, so an evaluator is meant to live as long as its model. The memo is a table of pages of 256 words, indexed by term
//! id: nearly a dense vector (terms that are built together are evaluated together), but its size follows what was evaluated
//! and not the pool. With a hash map instead, a set of 100 nodes took 1.4 times as long, and 1.7 times with a fresh memo.
//! There is no recursion: terms may be hundreds of thousands of levels deep.

use crate::array::{ArrayByte, ArrayNode};
use crate::bv::mask;
use crate::semantics::{Shape, apply_small, apply_wide};
use crate::{ArrayId, Bv, Node, Op, Term, Terms};
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::rc::Rc;

/// An assignment of variables. A variable that is not set is 0.
///
/// Every path keeps one, so it is kept small: eight bytes for each variable with a value below 2^32, in the order of variables.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Model {
    /// The variable in the high half, its value in the low half.
    small: Vec<u64>,
    #[allow(clippy::box_collection, reason = "rarely there, and a word is less than a map")]
    large: Option<Box<BTreeMap<Term, BigUint>>>,
}

impl Model {
    pub fn new() -> Model {
        Model::default()
    }

    /// Where the variable is, or would be, among the small ones.
    #[inline]
    fn position(&self, var: Term) -> Result<usize, usize> {
        self.small.binary_search_by_key(&var.raw(), |entry| (entry >> 32) as u32)
    }

    fn large(&self, var: Term) -> Option<&BigUint> {
        self.large.as_ref()?.get(&var)
    }

    /// The value of a variable if it is set and below 2^64.
    pub fn get(&self, var: Term) -> Option<u64> {
        match self.position(var) {
            Ok(index) => Some(self.small[index] & u32::MAX as u64),
            Err(_) => self.large(var)?.to_u64(),
        }
    }

    /// The value of a variable of `width` bits; 0 if it is not set.
    pub fn get_bv(&self, var: Term, width: u32) -> Bv {
        match self.position(var) {
            Ok(index) => Bv::from_u64(self.small[index] & u32::MAX as u64, width),
            Err(_) => self.large(var).map_or_else(|| Bv::zero(width), |value| Bv::from_big(value.clone(), width)),
        }
    }

    /// Sets a variable of any width (a narrower one keeps the low bits).
    pub fn set(&mut self, var: Term, value: u64) {
        let Ok(word) = u32::try_from(value) else {
            return self.set_large(var, value.into());
        };
        self.unset_large(var);
        let entry = (var.raw() as u64) << 32 | word as u64;
        match self.position(var) {
            Ok(index) => self.small[index] = entry,
            Err(index) => self.small.insert(index, entry),
        }
    }

    pub fn set_bv(&mut self, var: Term, value: Bv) {
        match value.fits_u64() {
            Some(word) => self.set(var, word),
            None => self.set_large(var, value.to_big()),
        }
    }

    fn set_large(&mut self, var: Term, value: BigUint) {
        if let Ok(index) = self.position(var) {
            self.small.remove(index);
        }
        self.large.get_or_insert_default().insert(var, value);
    }

    fn unset_large(&mut self, var: Term) {
        if let Some(large) = &mut self.large {
            large.remove(&var);
            if large.is_empty() {
                self.large = None;
            }
        }
    }

    /// Takes back what was set, so that the variable is 0.
    pub fn unset(&mut self, var: Term) {
        self.unset_large(var);
        if let Ok(index) = self.position(var) {
            self.small.remove(index);
        }
    }

    /// The variables that are set, in term order.
    pub fn iter(&self) -> impl Iterator<Item = (Term, BigUint)> {
        let small = self.small.iter().filter_map(|entry| {
            let var = Term::from_raw((entry >> 32) as u32)?;
            Some((var, BigUint::from(entry & u32::MAX as u64)))
        });
        let large = self.large.iter().flat_map(|large| large.iter().map(|(&var, value)| (var, value.clone())));
        let mut all: Vec<_> = small.chain(large).collect();
        all.sort_unstable_by_key(|&(var, _)| var);
        all.into_iter()
    }

    /// Takes over every variable that `other` sets.
    pub fn extend(&mut self, other: &Model) {
        for (var, value) in other.iter() {
            match value.to_u64() {
                Some(word) => self.set(var, word),
                None => self.set_large(var, value),
            }
        }
    }

    /// The model in few bytes, for many that are not needed soon: for each variable, how far it is from the one before, and its value, as bytes behind their number.
    pub fn pack(&self) -> Box<[u8]> {
        let mut out = Vec::new();
        let number = |out: &mut Vec<u8>, mut number: u32| {
            while number >= 0x80 {
                out.push(number as u8 | 0x80);
                number >>= 7;
            }
            out.push(number as u8);
        };
        let mut last = 0;
        for (var, value) in self.iter() {
            number(&mut out, var.raw() - last);
            last = var.raw();
            let bytes = value.to_bytes_le();
            number(&mut out, bytes.len() as u32);
            out.extend(bytes);
        }
        out.into()
    }

    /// What was packed.
    pub fn unpack(bytes: &[u8]) -> Model {
        let mut rest = bytes.iter().copied();
        let number = |rest: &mut dyn Iterator<Item = u8>| {
            let (mut number, mut shift) = (0u32, 0);
            for byte in rest {
                number |= (byte as u32 & 0x7f) << shift;
                shift += 7;
                if byte & 0x80 == 0 {
                    return Some(number);
                }
            }
            None
        };
        let mut model = Model::new();
        let mut last = 0;
        while let Some(step) = number(&mut rest) {
            last += step;
            let len = number(&mut rest).unwrap_or(0) as usize;
            let Some(var) = Term::from_raw(last) else { break };
            if len <= 4 {
                let value = (0..len).fold(0, |value, k| value | (rest.next().unwrap_or(0) as u64) << (8 * k));
                model.small.push((last as u64) << 32 | value);
            } else {
                let bytes: Vec<u8> = rest.by_ref().take(len).collect();
                model.set_large(var, BigUint::from_bytes_le(&bytes));
            }
        }
        model
    }

    pub fn len(&self) -> usize {
        self.small.len() + self.large.as_ref().map_or(0, |large| large.len())
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl Terms {
    /// The value of `term` under `model`. To evaluate more than one term under the same model, use an [`Evaluator`].
    pub fn eval(&self, term: Term, model: &Model) -> Bv {
        let mut machine = self.scratch.borrow_mut();
        machine.memo.clear();
        machine.eval(self, model, term)
    }
}

const PAGE: usize = 256;

struct Page {
    generation: u32,
    known: [u64; PAGE / 64],
    values: [u64; PAGE],
}

/// Values by term id. A value of more than 64 bits is an index into `wide`.
#[derive(Default)]
struct Memo {
    pages: Vec<Option<Box<Page>>>,
    /// Pages of an older generation are empty.
    generation: u32,
    wide: Vec<Bv>,
    /// How many pages there are.
    filled: usize,
}

/// A memo that is cleared with more pages than this gives their memory back.
const MOST_IDLE_PAGES: usize = 4096;

impl Memo {
    fn get(&self, term: Term) -> Option<u64> {
        let index = term.index();
        let page = self.pages.get(index / PAGE)?.as_ref()?;
        let slot = index % PAGE;
        (page.known[slot / 64] >> (slot % 64) & 1 == 1 && page.generation == self.generation).then(|| page.values[slot])
    }

    fn set(&mut self, term: Term, value: u64) {
        let index = term.index();
        if self.pages.len() <= index / PAGE {
            self.pages.resize_with(index / PAGE + 1, || None);
        }
        let generation = self.generation;
        let page = self.pages[index / PAGE].get_or_insert_with(|| {
            self.filled += 1;
            Box::new(Page { generation, known: [0; PAGE / 64], values: [0; PAGE] })
        });
        if page.generation != generation {
            page.generation = generation;
            page.known = [0; PAGE / 64];
        }
        let slot = index % PAGE;
        page.known[slot / 64] |= 1 << (slot % 64);
        page.values[slot] = value;
    }

    fn clear(&mut self) {
        self.wide.clear();
        match self.generation.checked_add(1) {
            Some(next) if self.filled <= MOST_IDLE_PAGES => self.generation = next,
            _ => *self = Memo::default(),
        }
    }
}

/// A term that is being evaluated.
struct Frame {
    term: Term,
    /// For a read: how far down its chain of stores the search has come.
    array: Option<ArrayId>,
}

/// Evaluates terms under one model and remembers what it has computed.
pub struct Evaluator {
    model: Rc<Model>,
    machine: Machine,
}

/// An evaluator without its model, which is the same at every call.
#[derive(Default)]
pub(crate) struct Machine {
    memo: Memo,
    stack: Vec<Frame>,
}

impl Evaluator {
    /// Takes a `Model` or an `Rc<Model>`.
    pub fn new(model: impl Into<Rc<Model>>) -> Evaluator {
        Evaluator { model: model.into(), machine: Machine::default() }
    }

    pub fn model(&self) -> &Rc<Model> {
        &self.model
    }

    /// Goes over to another model. Keeps the memory of the memo, not its values.
    pub fn set_model(&mut self, model: impl Into<Rc<Model>>) {
        self.model = model.into();
        self.machine.memo.clear();
    }

    pub fn eval(&mut self, terms: &Terms, term: Term) -> Bv {
        self.machine.eval(terms, &self.model, term)
    }

    /// The value of a term of at most 64 bits.
    pub fn eval_u64(&mut self, terms: &Terms, term: Term) -> u64 {
        assert!(terms.width(term) <= 64, "{term:?} has more than 64 bits");
        match terms.as_u64(term) {
            Some(value) => value,
            None => self.machine.run(terms, &self.model, term),
        }
    }

    /// Whether a term of width 1 is true.
    pub fn eval_bool(&mut self, terms: &Terms, term: Term) -> bool {
        debug_assert_eq!(terms.width(term), 1);
        self.eval_u64(terms, term) != 0
    }
}

impl Machine {
    fn eval(&mut self, terms: &Terms, model: &Model, term: Term) -> Bv {
        if let Some(value) = terms.as_bv(term) {
            return value;
        }
        let width = terms.width(term);
        let value = self.run(terms, model, term);
        if width <= 64 { Bv::from_u64(value, width) } else { self.memo.wide[value as usize].clone() }
    }

    /// The memo word of `root`, which is not a constant.
    fn run(&mut self, terms: &Terms, model: &Model, root: Term) -> u64 {
        if let Some(value) = self.memo.get(root) {
            return value;
        }
        debug_assert!(self.stack.is_empty());
        self.need(root);
        while let Some(frame) = self.stack.last() {
            let (term, array) = (frame.term, frame.array);
            // It may have been needed twice, and come up in between.
            if self.memo.get(term).is_some() {
                self.stack.pop();
            } else if let Some(value) = self.step(terms, model, term, array) {
                self.memo.set(term, value);
                self.stack.pop();
            }
        }
        self.memo.get(root).expect("the root has been evaluated")
    }

    fn need(&mut self, term: Term) {
        self.stack.push(Frame { term, array: None });
    }

    /// The value of a term of at most 64 bits, if it is known. (Of a wider one that is not a constant: its memo word.)
    #[inline]
    fn known(&self, terms: &Terms, term: Term) -> Option<u64> {
        terms.as_u64(term).or_else(|| self.memo.get(term))
    }

    /// The memo word of the term on top of the stack, or `None` after pushing what has to be evaluated first.
    fn step(&mut self, terms: &Terms, model: &Model, term: Term, array: Option<ArrayId>) -> Option<u64> {
        let node = terms.node(term);
        match node.op {
            Op::Const | Op::WideConst => unreachable!("constants are not memoised"),
            Op::Var => Some(self.variable(model, term, node.width)),
            Op::Read => self.read(terms, node, array.unwrap_or(node.array())),
            Op::Ite => self.ite(terms, node),
            _ => self.operator(terms, node),
        }
    }

    fn variable(&mut self, model: &Model, term: Term, width: u32) -> u64 {
        if width > 64 {
            let value = model.get_bv(term, width);
            return self.keep_wide(value);
        }
        match model.position(term) {
            Ok(index) => model.small[index] & u32::MAX as u64 & mask(width),
            Err(_) if model.large.is_none() => 0,
            Err(_) => model.get_bv(term, width).to_u64().unwrap_or(0),
        }
    }

    fn keep_wide(&mut self, value: Bv) -> u64 {
        self.memo.wide.push(value);
        self.memo.wide.len() as u64 - 1
    }

    /// Only the side that is chosen is evaluated.
    fn ite(&mut self, terms: &Terms, node: &Node) -> Option<u64> {
        let Some(condition) = self.known(terms, node.arg(0)) else {
            self.need(node.arg(0));
            return None;
        };
        let chosen = if condition != 0 { node.arg(1) } else { node.arg(2) };
        if let Some(value) = self.known(terms, chosen) {
            return Some(value);
        }
        if let Some(wide) = terms.as_bv(chosen) {
            return Some(self.keep_wide(wide));
        }
        self.need(chosen);
        None
    }

    fn operator(&mut self, terms: &Terms, node: &Node) -> Option<u64> {
        let mut values = [0; 3];
        let mut small = node.width <= 64;
        let mut complete = true;
        let mut argument = 0;
        for (i, arg) in node.args().enumerate() {
            let width = terms.width(arg);
            if i == 0 {
                argument = width;
            }
            small &= width <= 64;
            match self.known(terms, arg) {
                Some(value) => values[i] = value,
                None if terms.op(arg) == Op::WideConst => {}
                None => {
                    self.need(arg);
                    complete = false;
                }
            }
        }
        if !complete {
            return None;
        }
        let shape = Shape { op: node.op, width: node.width, argument, number: node.number(1) };
        if small {
            return Some(apply_small(shape, values));
        }
        let args: SmallVec<[Bv; 3]> = node
            .args()
            .zip(values)
            .map(|(arg, value)| match terms.width(arg) {
                width @ ..=64 => Bv::from_u64(value, width),
                _ => terms.as_bv(arg).unwrap_or_else(|| self.memo.wide[value as usize].clone()),
            })
            .collect();
        let result = apply_wide(shape, &args);
        Some(match result.to_u64() {
            Some(value) => value,
            None => self.keep_wide(result),
        })
    }

    /// Goes down the stores from `array` to the first one with the index that is read.
    fn read(&mut self, terms: &Terms, node: &Node, mut array: ArrayId) -> Option<u64> {
        let Some(index) = self.known(terms, node.arg(1)) else {
            self.need(node.arg(1));
            return None;
        };
        let needed = loop {
            let found = match terms.array_node(array) {
                ArrayNode::Base(base) => match terms.array_byte(base, index) {
                    ArrayByte::Concrete(value) => return Some(value as u64),
                    ArrayByte::Term(term) => term,
                },
                &ArrayNode::Store { array: below, index: stored, value } => match self.known(terms, stored) {
                    None => break stored,
                    Some(position) if position == index => value,
                    Some(_) => {
                        array = below;
                        continue;
                    }
                },
            };
            match self.known(terms, found) {
                Some(value) => return Some(value),
                None => break found,
            }
        };
        // The next time, go on from here.
        self.stack.last_mut().expect("the read's frame").array = Some(array);
        self.need(needed);
        None
    }
}
