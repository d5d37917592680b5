//! Where instructions were executed and the solver's time went, for `run.istats`.

use crate::Executor;
use espalier_ir::{Callee, FuncId, Inst, Loc};
use rustc_hash::FxHashMap;

/// The solver's time by the instruction that asked, in nanoseconds.
#[derive(Default)]
pub(crate) struct SolverTimes {
    nanos: FxHashMap<(FuncId, u32), u64>,
}

/// One function that was entered, with what its instructions cost.
#[derive(Clone, Debug)]
pub struct FunctionProfile {
    pub function: FuncId,
    pub instructions: Vec<InstructionProfile>,
}

#[derive(Copy, Clone, Debug)]
pub struct InstructionProfile {
    /// Its number in the program, from 1 on.
    pub number: u64,
    pub loc: Loc,
    /// How often it was executed, at most: a path may stop within a block.
    pub count: u64,
    pub solver_nanos: u64,
    /// The function that it calls, if it is a call of one.
    pub callee: Option<FuncId>,
}

impl Executor {
    /// Time that the solver has spent so far.
    pub(crate) fn solver_nanos(&self) -> u64 {
        let stats = self.solver.stats();
        let stages = [&stats.simplified, &stats.hint, &stats.bounds, &stats.cache, &stats.models];
        let searches = [&stats.repair, &stats.boxes, &stats.cases, &stats.sat, &stats.smt];
        stages.into_iter().chain(searches).map(|stage| stage.nanos).sum()
    }

    pub(crate) fn note_solver_time(&mut self, place: (FuncId, u32), nanos: u64) {
        *self.solver_times.nanos.entry(place).or_default() += nanos;
    }

    /// The functions of the user's that were entered, in the order of the program.
    pub fn profile(&self) -> Vec<FunctionProfile> {
        let program = self.program();
        let mut first = 1;
        let mut profiles = Vec::new();
        for (index, function) in program.functions.iter().enumerate() {
            let id = FuncId::new(index);
            let start = first;
            first += function.code.len() as u64;
            if function.is_runtime || function.is_declaration() {
                continue;
            }
            let counts = self.coverage().instruction_counts(id);
            if counts.iter().all(|&count| count == 0) {
                continue;
            }
            let instruction = |(pc, &count): (usize, &u64)| InstructionProfile {
                number: start + pc as u64,
                loc: function.locs[pc],
                count,
                solver_nanos: self.solver_times.nanos.get(&(id, pc as u32)).copied().unwrap_or(0),
                callee: match function.code[pc] {
                    Inst::Call { call } => match function.call(call).callee {
                        Callee::Direct(callee) => Some(callee),
                        Callee::Indirect(_) => None,
                    },
                    _ => None,
                },
            };
            let instructions = counts.iter().enumerate().map(instruction).collect();
            profiles.push(FunctionProfile { function: id, instructions });
        }
        profiles
    }
}
