//! What says which way a segment of a path goes when it is run again on leaves: the inputs that it
//! was taken with, or a list of decisions.
//!
//! A list needs no inputs, so it can describe what no input does: a path that is infeasible, or the
//! beginning of one that nobody has taken yet. Only what is open where the segment begins is in the
//! list: what follows from registers and memory that held plain numbers there is computed.

use crate::interpreter::machine::Interpreter;
use crate::learning::segment::Segment;
use espalier_expr::Term;
use std::vec::IntoIter;

/// What was open, in the order in which a segment comes to it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Decision {
    /// A condition holds, or not.
    Side(bool),
    /// The case of a switch, counted among its edges.
    Case(usize),
    /// The number that a pointer, a size, an argument is.
    Number(u64),
}

pub(crate) trait Guide: Sized {
    /// The number that a term is.
    fn number(interpreter: &mut Interpreter<'_, Segment<Self>>, term: Term) -> Option<u64>;

    /// Does a condition hold?
    fn holds(interpreter: &mut Interpreter<'_, Segment<Self>>, condition: Term) -> Option<bool>;

    /// Which of these conditions holds?
    fn case(interpreter: &mut Interpreter<'_, Segment<Self>>, conditions: &[Term]) -> Option<usize>;
}

/// The inputs that the path was taken with, which the segment knows.
#[derive(Clone, Default)]
pub(crate) struct Inputs {
    /// The decisions that they led to, if these are wanted.
    pub made: Option<Vec<Decision>>,
}

impl Inputs {
    fn note(interpreter: &mut Interpreter<'_, Segment<Inputs>>, about: &[Term], decision: Decision) {
        if interpreter.machine.guide.made.is_some() && interpreter.is_open(about) {
            interpreter.machine.guide.made.as_mut().into_iter().for_each(|made| made.push(decision));
        }
    }
}

impl Guide for Inputs {
    fn number(interpreter: &mut Interpreter<'_, Segment<Inputs>>, term: Term) -> Option<u64> {
        let number = interpreter.known_value(term)?;
        Inputs::note(interpreter, &[term], Decision::Number(number));
        Some(number)
    }

    fn holds(interpreter: &mut Interpreter<'_, Segment<Inputs>>, condition: Term) -> Option<bool> {
        let holds = interpreter.known_value(condition)? == 1;
        Inputs::note(interpreter, &[condition], Decision::Side(holds));
        Some(holds)
    }

    fn case(interpreter: &mut Interpreter<'_, Segment<Inputs>>, conditions: &[Term]) -> Option<usize> {
        let case = conditions.iter().position(|&condition| interpreter.known_value(condition) == Some(1))?;
        Inputs::note(interpreter, conditions, Decision::Case(case));
        Some(case)
    }
}

/// A list.
pub(crate) struct Decisions {
    left: IntoIter<Decision>,
}

impl Decisions {
    pub fn new(list: Vec<Decision>) -> Decisions {
        Decisions { left: list.into_iter() }
    }

    pub fn are_over(&self) -> bool {
        self.left.len() == 0
    }
}

impl Guide for Decisions {
    fn number(interpreter: &mut Interpreter<'_, Segment<Decisions>>, term: Term) -> Option<u64> {
        if !interpreter.is_open(&[term]) {
            return interpreter.known_value(term);
        }
        match interpreter.machine.guide.left.next()? {
            Decision::Number(number) => Some(number),
            Decision::Side(_) | Decision::Case(_) => None,
        }
    }

    fn holds(interpreter: &mut Interpreter<'_, Segment<Decisions>>, condition: Term) -> Option<bool> {
        if !interpreter.is_open(&[condition]) {
            return interpreter.known_value(condition).map(|value| value == 1);
        }
        match interpreter.machine.guide.left.next()? {
            Decision::Side(holds) => Some(holds),
            Decision::Number(_) | Decision::Case(_) => None,
        }
    }

    fn case(interpreter: &mut Interpreter<'_, Segment<Decisions>>, conditions: &[Term]) -> Option<usize> {
        if !interpreter.is_open(conditions) {
            return conditions.iter().position(|&condition| interpreter.known_value(condition) == Some(1));
        }
        match interpreter.machine.guide.left.next()? {
            Decision::Case(case) => Some(case).filter(|&case| case < conditions.len()),
            Decision::Side(_) | Decision::Number(_) => None,
        }
    }
}
