//! Evaluation under an assignment of the variables. With cached models this decides most branches
//! without a solver, so it is the hottest code that is not the interpreter.
//!
//! [`Evaluator`] keeps the values it has computed: the constraints of a path share most of their
//! subterms with those of its parent, so an evaluator is meant to live as long as its model. The
//! memo is a table of pages of 256 words, indexed by term id: nearly a dense vector (terms that are
//! built together are evaluated together), but its size follows what was evaluated and not the
//! pool. With a hash map instead, a set of 100 nodes took 1.4 times as long, and 1.7 times with a
//! fresh memo. There is no recursion: terms may be hundreds of thousands of levels deep.

use crate::array::{ArrayByte, ArrayNode};
use crate::semantics::{Shape, apply_small, apply_wide};
use crate::{ArrayId, Bv, Model, Node, Op, Term, Terms};
use smallvec::SmallVec;
use std::rc::Rc;

impl Terms {
    /// The value of `term` under `model`. To evaluate more than one term under the same model, use
    /// an [`Evaluator`].
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

    /// The value of a term of at most 64 bits, if it is known. (Of a wider one that is not a
    /// constant: its memo word.)
    #[inline]
    fn known(&self, terms: &Terms, term: Term) -> Option<u64> {
        terms.as_u64(term).or_else(|| self.memo.get(term))
    }

    /// The memo word of the term on top of the stack, or `None` after pushing what has to be
    /// evaluated first.
    fn step(&mut self, terms: &Terms, model: &Model, term: Term, array: Option<ArrayId>) -> Option<u64> {
        let node = terms.node(term);
        match node.op {
            Op::Const | Op::WideConst => unreachable!("constants are not memoised"),
            Op::Var => Some(self.variable(terms, model, term, node.width)),
            Op::Read => self.read(terms, node, array.unwrap_or(node.array())),
            Op::Ite => self.ite(terms, node),
            _ => self.operator(terms, node),
        }
    }

    fn variable(&mut self, terms: &Terms, model: &Model, term: Term, width: u32) -> u64 {
        if width > 64 {
            let value = model.get_bv(term, width);
            return self.keep_wide(value);
        }
        match model.word(term, width) {
            0 => terms.fixed_value(term).unwrap_or(0),
            word => word,
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
