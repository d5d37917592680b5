//! Constraint solving for one worker.
//!
//! [`Solver`] is a chain: simplification, the state's own model, bounds, independence slicing, a
//! cache, recent models, repair of the state's model, intervals of floats, cases, and only then a
//! backend. Two backends implement [`Backend`] independently of each other: a bit-blaster on CaDiCaL ([`SatBackend`]),
//! for nearly everything, and any SMT-LIB 2 solver as a process ([`SmtBackend`]), for what the
//! first one does not know or does not finish.
//!
//! What callers can rely on:
//! * a model returned with [`Answer::Sat`] satisfies *all* constraints of the query, not just the
//!   slice that was solved;
//! * a core returned with [`Answer::Unsat`] is a subset of the query's constraints that has no
//!   solution;
//! * not knowing is an answer ([`Answer::Unknown`]), never a panic or a hang;
//! * the same sequence of queries gives the same answers and models, as long as no time limit
//!   strikes.

mod blast;
mod bounds;
mod boxes;
mod cache;
mod cases;
mod chain;
mod digest;
mod float_range;
mod independence;
mod log;
mod models;
mod reason;
mod repair;
mod sat;
mod smt;
mod values;

use espalier_base::StopFlag;
use espalier_expr::{Model, Term, Terms};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, Instant};

pub use chain::Solver;
pub use reason::{Reason, SmtProblem, SolverFailure, Unanswerable};
pub use sat::SatBackend;
pub use smt::SmtBackend;
pub use values::{Case, Values};

/// What a query came to.
#[derive(Clone, Debug)]
pub enum Answer {
    /// Satisfied by this model.
    Sat(Rc<Model>),
    /// Unsatisfiable, already for these of the query's constraints (not necessarily a minimal set).
    Unsat(Vec<Term>),
    Unknown(Reason),
}

impl Answer {
    pub fn is_sat(&self) -> bool {
        matches!(self, Answer::Sat(_))
    }

    pub fn is_unsat(&self) -> bool {
        matches!(self, Answer::Unsat(_))
    }

    pub fn model(&self) -> Option<&Rc<Model>> {
        match self {
            Answer::Sat(model) => Some(model),
            _ => None,
        }
    }
}

/// One side of a branch.
#[derive(Clone, Debug)]
pub enum Feasible {
    /// It can be taken, for instance with these inputs.
    Yes(Rc<Model>),
    /// It cannot, already because of these constraints (the condition, negated or not, among them).
    No(Vec<Term>),
    Unknown(Reason),
}

impl Feasible {
    pub fn is_yes(&self) -> bool {
        matches!(self, Feasible::Yes(_))
    }

    pub fn is_no(&self) -> bool {
        matches!(self, Feasible::No(_))
    }
}

impl From<Answer> for Feasible {
    fn from(answer: Answer) -> Feasible {
        match answer {
            Answer::Sat(model) => Feasible::Yes(model),
            Answer::Unsat(core) => Feasible::No(core),
            Answer::Unknown(reason) => Feasible::Unknown(reason),
        }
    }
}

/// Both sides of a branch.
#[derive(Clone, Debug)]
pub enum Branch {
    /// The condition always holds; `core` shows why its negation, which is part of it, does not.
    True { model: Rc<Model>, core: Vec<Term> },
    /// The condition never holds; `core` shows why, the condition included.
    False { model: Rc<Model>, core: Vec<Term> },
    /// Either side can be taken.
    Both { if_true: Rc<Model>, if_false: Rc<Model> },
    /// At least one side is unknown.
    Unknown { if_true: Feasible, if_false: Feasible, reason: Reason },
}

impl Branch {
    /// From what is known of either side. Both infeasible contradicts that the path condition is
    /// satisfiable.
    pub fn new(if_true: Feasible, if_false: Feasible) -> Branch {
        match (if_true, if_false) {
            (Feasible::Yes(if_true), Feasible::Yes(if_false)) => Branch::Both { if_true, if_false },
            (Feasible::Yes(model), Feasible::No(core)) => Branch::True { model, core },
            (Feasible::No(core), Feasible::Yes(model)) => Branch::False { model, core },
            (if_true, if_false) => {
                let reason = match (&if_true, &if_false) {
                    (Feasible::Unknown(reason), _) | (_, Feasible::Unknown(reason)) => reason.clone(),
                    _ => Reason::Failed(SolverFailure::NoSolution),
                };
                Branch::Unknown { if_true, if_false, reason }
            }
        }
    }

    /// What is known of the side on which the condition is `side`.
    pub fn feasible(&self, side: bool) -> Feasible {
        match self {
            Branch::True { model, .. } if side => Feasible::Yes(model.clone()),
            Branch::True { core, .. } => Feasible::No(core.clone()),
            Branch::False { model, .. } if !side => Feasible::Yes(model.clone()),
            Branch::False { core, .. } => Feasible::No(core.clone()),
            Branch::Both { if_true, if_false } => Feasible::Yes(if side { if_true } else { if_false }.clone()),
            Branch::Unknown { if_true, if_false, .. } => if side { if_true } else { if_false }.clone(),
        }
    }

    /// The true side, then the false side.
    pub fn into_sides(self) -> (Feasible, Feasible) {
        match self {
            Branch::True { model, core } => (Feasible::Yes(model), Feasible::No(core)),
            Branch::False { model, core } => (Feasible::No(core), Feasible::Yes(model)),
            Branch::Both { if_true, if_false } => (Feasible::Yes(if_true), Feasible::Yes(if_false)),
            Branch::Unknown { if_true, if_false, .. } => (if_true, if_false),
        }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Config {
    /// Wall-clock limit of one query.
    pub max_query_time: Option<Duration>,
    /// The SMT-LIB 2 solver and its arguments; it must read commands from its standard input.
    pub smt_command: Vec<String>,
    /// Conflicts the SAT solver may spend on one query before the SMT solver is asked.
    pub sat_conflict_budget: u64,
    /// What the query cache may hold.
    pub cache_bytes: usize,
    /// Whether the SMT solver may be used at all.
    pub use_smt: bool,
    /// Whether a question gets no more than a share of the work of the whole run, and a little of
    /// `max_query_time`.
    pub shares_work: bool,
    /// Append every query that reached a backend to this file, as SMT-LIB.
    pub log_queries: Option<PathBuf>,
    pub seed: u64,
    /// Stages of the chain that may answer; all of them unless one is being measured or tested.
    pub stages: Stages,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            max_query_time: None,
            smt_command: ["z3", "-in", "-smt2"].map(String::from).to_vec(),
            sat_conflict_budget: 200_000,
            cache_bytes: 64 << 20,
            use_smt: true,
            shares_work: false,
            log_queries: None,
            seed: 0,
            stages: Stages::default(),
        }
    }
}

/// Which optional stages of the chain are on.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Stages {
    pub hint: bool,
    pub bounds: bool,
    pub independence: bool,
    pub cache: bool,
    pub models: bool,
    pub repair: bool,
    pub boxes: bool,
    pub cases: bool,
    pub sat: bool,
}

impl Default for Stages {
    fn default() -> Stages {
        Stages {
            hint: true,
            bounds: true,
            independence: true,
            cache: true,
            models: true,
            repair: true,
            boxes: true,
            cases: true,
            sat: true,
        }
    }
}

/// Answers given by one stage, and the time that the queries it answered took from end to end.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct StageStats {
    pub answers: u64,
    pub nanos: u64,
}

#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Stats {
    /// Satisfiability questions asked through the public interface; a branch counts as two.
    pub queries: u64,
    /// Constants, and constraints that the path condition has word for word.
    pub simplified: StageStats,
    /// The state's own model.
    pub hint: StageStats,
    /// Bounds and values that the path condition gives to the terms of the query.
    pub bounds: StageStats,
    /// The same slice, or one with the same core, was decided before.
    pub cache: StageStats,
    /// A model of an earlier query.
    pub models: StageStats,
    /// The state's model with a few values changed.
    pub repair: StageStats,
    /// Intervals of floats.
    pub boxes: StageStats,
    /// All values of a few bytes.
    pub cases: StageStats,
    pub sat: StageStats,
    pub smt: StageStats,
    /// Time inside the backends, with what is tried right before the first of them.
    pub sat_nanos: u64,
    pub smt_nanos: u64,
    /// Queries the SAT backend gave up and the SMT backend took over.
    pub fell_over: u64,
    pub sat_answers: u64,
    pub unsat_answers: u64,
    pub unknowns: u64,
    pub timeouts: u64,
    /// SAT solvers thrown away because too much in them was dead, and SMT processes restarted.
    pub solver_resets: u64,
    /// Made since the start, over all SAT solvers.
    pub variables: u64,
    pub clauses: u64,
    pub conflicts: u64,
    /// CaDiCaL's deterministic measure of time.
    pub ticks: u64,
    /// What deciding took, counted, in nanoseconds of a machine of our own.
    pub work: u64,
    /// Questions past the cache that share no variable with the path condition.
    pub independent: u64,
    /// Constraints in the path conditions asked about past the cache, and in the slices of them
    /// that were left.
    pub constraints_before_slicing: u64,
    pub constraints_after_slicing: u64,
}

impl Stats {
    /// Adds those of another solver.
    pub fn add(&mut self, other: &Stats) {
        let stages = [
            (&mut self.simplified, other.simplified),
            (&mut self.hint, other.hint),
            (&mut self.bounds, other.bounds),
            (&mut self.cache, other.cache),
            (&mut self.models, other.models),
            (&mut self.repair, other.repair),
            (&mut self.boxes, other.boxes),
            (&mut self.cases, other.cases),
            (&mut self.sat, other.sat),
            (&mut self.smt, other.smt),
        ];
        for (ours, theirs) in stages {
            ours.answers += theirs.answers;
            ours.nanos += theirs.nanos;
        }
        let counts = [
            (&mut self.queries, other.queries),
            (&mut self.sat_nanos, other.sat_nanos),
            (&mut self.smt_nanos, other.smt_nanos),
            (&mut self.fell_over, other.fell_over),
            (&mut self.sat_answers, other.sat_answers),
            (&mut self.unsat_answers, other.unsat_answers),
            (&mut self.unknowns, other.unknowns),
            (&mut self.timeouts, other.timeouts),
            (&mut self.solver_resets, other.solver_resets),
            (&mut self.variables, other.variables),
            (&mut self.clauses, other.clauses),
            (&mut self.conflicts, other.conflicts),
            (&mut self.ticks, other.ticks),
            (&mut self.work, other.work),
            (&mut self.independent, other.independent),
            (&mut self.constraints_before_slicing, other.constraints_before_slicing),
            (&mut self.constraints_after_slicing, other.constraints_after_slicing),
        ];
        counts.into_iter().for_each(|(ours, theirs)| *ours += theirs);
    }
}

/// What one call of a backend may spend.
#[derive(Clone, Default, Debug)]
pub struct Limits {
    pub conflicts: Option<u64>,
    /// Counted work, in what it takes a machine of our own in nanoseconds.
    pub work: Option<u64>,
    pub deadline: Option<Instant>,
    pub stop: StopFlag,
}

impl Limits {
    /// Whether time is up or somebody asked to stop.
    pub fn expired(&self) -> bool {
        self.stop.is_asked() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// Something that decides a conjunction.
pub trait Backend {
    /// Is the conjunction of the width-1 terms `constraints` satisfiable? A model has values for at
    /// least those of their variables that matter. Asking with the same constraints in the same
    /// order, and a new one last, is what incremental backends are made for.
    fn check(&mut self, terms: &mut Terms, constraints: &[Term], limits: &Limits) -> Answer;

    fn name(&self) -> &str;
}
