//! From a path to the inputs that follow it.

use crate::Executor;
use crate::models::printed::ExpectedRun;
use crate::paths::approximation::{Approximation, doubt};
use crate::paths::end::{End, StackEntry};
use crate::paths::state::State;
use espalier_expr::{Model, Symbol, SymbolKind, SymbolShape, Term};
use espalier_ir::Loc;
use espalier_solver::{Answer, Reason};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// So many unknown values are asked to be zero, one by one.
const MOST_UNKNOWNS: usize = 32;

/// Concrete inputs, in the order in which the program asks for them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TestCase {
    /// Name and bytes of each input object.
    pub objects: Vec<(String, Vec<u8>)>,
    /// Where the program asks for each.
    pub places: Vec<Loc>,
    /// The call stack in the end, with the arguments that these inputs lead to, if it was asked
    /// for.
    pub stack: Vec<StackEntry>,
    /// Why the program may behave otherwise on these inputs; empty if it must follow the path.
    pub approximations: Vec<Approximation>,
    /// What a run on these inputs does, if that was kept.
    pub expected: Option<Box<ExpectedRun>>,
}

impl TestCase {
    /// May it be that no run of the program follows the path?
    pub fn is_doubtful(&self) -> bool {
        doubt(&self.approximations).is_some()
    }
}

impl Executor {
    /// Inputs that follow the state's path, which ended so; preferences (`klee_prefer_cex`) are met
    /// one after the other where they can be.
    pub fn test_case(&mut self, state: &State, end: &End) -> Result<TestCase, Reason> {
        let mut model = self.model_of(state)?;
        let mut path = state.path.clone();
        let is_error = matches!(end, End::Violation(_));
        let likely = if is_error { self.likely_unknowns(state) } else { Vec::new() };
        let mut preferences: Vec<Term> = state.preferences.iter().copied().collect();
        preferences.reverse();
        for preference in preferences.into_iter().chain(likely) {
            if let Answer::Sat(better) = self.solver.check_cheaply(&mut self.terms, &path, preference, Some(&model)) {
                model = better;
                path.push(&self.terms, preference);
            }
        }
        let inputs = state.inputs.to_vec();
        let objects = inputs.iter().map(|input| self.input_object(input.symbol, &model)).collect();
        let places = inputs.iter().map(|input| input.loc).collect();
        let stack = if is_error { self.stack_under(state, &model) } else { Vec::new() };
        let expected = self.options.predict.then(|| Box::new(self.expected(state, end, &model)));
        Ok(TestCase { objects, places, stack, approximations: state.approximations().to_vec(), expected })
    }

    /// What nobody knows is most often zero in a native run, which is to show what was found: all
    /// of it, or a part.
    fn likely_unknowns(&mut self, state: &State) -> Vec<Term> {
        let mut zeros = Vec::new();
        for constraint in state.path_condition().iter() {
            for &var in self.terms.vars_of(constraint).iter() {
                let kind = self.terms.symbol_info(self.terms.node(var).symbol()).kind;
                if matches!(kind, SymbolKind::Unknown | SymbolKind::SharedUnknown) && !zeros.contains(&var) {
                    zeros.push(var);
                }
            }
        }
        zeros.truncate(MOST_UNKNOWNS);
        let is_zero: Vec<Term> = zeros
            .into_iter()
            .map(|var| {
                let zero = self.terms.constant(0, self.terms.width(var));
                self.terms.eq(var, zero)
            })
            .collect();
        let all = is_zero.iter().fold(self.terms.tru(), |all, &one| self.terms.and(all, one));
        std::iter::once(all).chain(is_zero).collect()
    }

    /// The name of an input, and its bytes.
    pub(crate) fn input_object(&mut self, symbol: Symbol, model: &Rc<Model>) -> (String, Vec<u8>) {
        let info = self.terms.symbol_info(symbol);
        let (name, shape, size) = (info.name.to_string(), info.shape, info.size);
        let bytes = match shape {
            SymbolShape::Bytes => (0..size)
                .map(|byte| {
                    let var = self.terms.var(symbol, byte);
                    model.get(var).unwrap_or(0) as u8
                })
                .collect(),
            SymbolShape::Scalar => {
                let var = self.terms.var(symbol, 0);
                let mut bytes = model.get_bv(var, 8 * size).to_big().to_bytes_le();
                bytes.resize(size as usize, 0);
                bytes
            }
        };
        (name, bytes)
    }
}
