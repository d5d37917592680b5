//! Why there is no answer. How this is said to people is in `report::solver_text`.

use espalier_expr::Op;
use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Reason {
    /// The query's time limit, the run's deadline, or an interrupt.
    Timeout,
    /// The deterministic budget (conflicts, circuit size) was used up.
    Budget,
    /// No backend can answer this.
    Unsupported(Unanswerable),
    /// A solver crashed, talks nonsense or is not installed.
    Failed(SolverFailure),
}

/// What is not asked of a solver, or not answered by it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Unanswerable {
    /// The bit-blaster does not have this operator.
    Operator(Op),
    /// The value of a term of more than 64 bits.
    WideValue,
    /// The range of one.
    WideRange,
    /// All backends are switched off.
    NoBackend,
    /// The SMT solver does not know.
    GivenUp { program: String },
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum SolverFailure {
    /// A path condition that had a solution has none.
    NoSolution,
    /// CaDiCaL's words for it.
    CaDiCaL(String),
    Smt {
        command: String,
        problem: SmtProblem,
    },
}

/// What is wrong with the process of an SMT solver.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum SmtProblem {
    /// The system's words for it.
    NotStarted(String),
    NotRunning,
    /// Its model does not satisfy the query.
    WrongModel,
    /// An answer that is none: its first line.
    Nonsense {
        line: Option<String>,
    },
    LongAnswer {
        limit: usize,
    },
    /// With the status, if it ended and did not only close its output.
    Ended {
        status: Option<String>,
        last_words: Option<String>,
    },
}
