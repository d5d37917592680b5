//! Why the solver has no answer, in plain English.

use espalier_engine::{Reason, SmtProblem, SolverFailure, Unanswerable};

pub fn solver_text(reason: &Reason) -> String {
    match reason {
        Reason::Timeout => "the solver ran out of time".into(),
        Reason::Budget => "the solver's budget was used up".into(),
        Reason::Unsupported(what) => format!("not supported by the solver: {}", unanswerable(what)),
        Reason::Failed(failure) => format!("the solver failed: {}", failed(failure)),
    }
}

fn unanswerable(what: &Unanswerable) -> String {
    match what {
        Unanswerable::Operator(operator) => format!("{operator:?} in the bit-blaster"),
        Unanswerable::WideValue => "a value of more than 64 bits".into(),
        Unanswerable::WideRange => "the range of a term of more than 64 bits".into(),
        Unanswerable::NoBackend => "no backend is enabled".into(),
        Unanswerable::GivenUp { program } => format!("{program} says unknown"),
    }
}

fn failed(failure: &SolverFailure) -> String {
    match failure {
        SolverFailure::NoSolution => "the path condition has no solution".into(),
        SolverFailure::CaDiCaL(error) => format!("CaDiCaL: {error}"),
        SolverFailure::Smt { command, problem } => format!("the SMT solver `{command}`: {}", smt_problem(problem)),
    }
}

fn smt_problem(problem: &SmtProblem) -> String {
    match problem {
        SmtProblem::NotStarted(error) => format!(
            "it cannot be started ({error}); install it (Debian: apt install z3) or name another SMT-LIB 2 solver"
        ),
        SmtProblem::NotRunning => "it is not running".into(),
        SmtProblem::WrongModel => "its model does not satisfy the query".into(),
        SmtProblem::Nonsense { line } => format!("it answered: {}", line.as_deref().unwrap_or("nothing")),
        SmtProblem::LongAnswer { limit } => format!("its answer has more than {limit} bytes"),
        SmtProblem::Ended { status, last_words } => {
            let ended = match status {
                Some(status) => format!("it ended ({status})"),
                None => "it closed its output".into(),
            };
            last_words.iter().fold(ended, |ended, words| format!("{ended}, saying: {words}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_solver_says_what_to_install() {
        let problem = SmtProblem::NotStarted("No such file or directory (os error 2)".into());
        let reason = Reason::Failed(SolverFailure::Smt { command: "z3 -in".into(), problem });
        assert_eq!(
            solver_text(&reason),
            "the solver failed: the SMT solver `z3 -in`: it cannot be started (No such file or directory (os error \
             2)); install it (Debian: apt install z3) or name another SMT-LIB 2 solver"
        );
    }

    #[test]
    fn a_dead_solver_has_its_last_words() {
        let ended = |status: Option<&str>, words: Option<&str>| {
            smt_problem(&SmtProblem::Ended { status: status.map(String::from), last_words: words.map(String::from) })
        };
        assert_eq!(ended(Some("exit status: 3"), Some("no memory")), "it ended (exit status: 3), saying: no memory");
        assert_eq!(ended(None, None), "it closed its output");
    }
}
