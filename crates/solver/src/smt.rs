//! The SMT backend: any SMT-LIB 2 solver, as a process.
//!
//! It takes what the SAT backend does not: float arithmetic it has no circuit for, large arrays,
//! multiplications that exceed its budget. Each query is put from scratch, after `(reset)`, as
//! plain assertions. Measured with Z3 4.8 on float queries, that is 2 to 4 times faster than
//! `(push)` or assumptions, which make it use its incremental core. A core is therefore a second
//! question, asked with assumptions after a plain `unsat`, for about as long as the first one took;
//! without an answer to it, all constraints are the core. (So the size of a core from here can
//! depend on the clock.)
//!
//! A model is believed only after evaluating the constraints under it.

mod process;
mod sexpr;

use crate::{Answer, Backend, Limits, Reason, SmtProblem, SolverFailure, Unanswerable};
use espalier_expr::{Evaluator, Model, SmtPrinter, Term, Terms};
use process::{Process, Trouble};
use sexpr::Sexpr;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// After so many failures without an answer in between, the solver is not tried again.
const MAX_FAILURES: u32 = 3;

/// A query whose text is longer than this is beyond any solver.
const MAX_QUERY: usize = 8 << 20;

/// What a step of Z3's costs, as it counts them, and to write and read a byte of the query, in
/// nanoseconds.
const STEP_COST: u64 = 200;
const BYTE_COST: u64 = 100;

/// How long past its limit a solver that watches the limit itself may take.
const GRACE: Duration = Duration::from_millis(100);

/// How long a core may take at least.
const CORE_TIME: Duration = Duration::from_millis(200);

/// An SMT-LIB 2 solver in a process of its own.
pub struct SmtBackend {
    command: Vec<String>,
    seed: u64,
    process: Option<Process>,
    started: u64,
    failures: u32,
    last_failure: Option<SolverFailure>,
}

impl SmtBackend {
    pub fn new(command: Vec<String>, seed: u64) -> SmtBackend {
        SmtBackend { command, seed, process: None, started: 0, failures: 0, last_failure: None }
    }

    /// Ends the process, with all that it holds; the next question starts another one.
    pub fn end_process(&mut self) {
        self.process = None;
    }

    /// How often a process had to be started again.
    pub fn restarts(&self) -> u64 {
        self.started.saturating_sub(1)
    }

    fn program(&self) -> &str {
        self.command.first().map_or("", String::as_str)
    }

    fn ask(&mut self, commands: &str, limits: &Limits) -> Result<String, Trouble> {
        if self.process.is_none() {
            let process = Process::start(&self.command)
                .map_err(|error| Trouble::Failed(SmtProblem::NotStarted(error.to_string())))?;
            self.process = Some(process);
            self.started += 1;
        }
        let Some(process) = &mut self.process else {
            return Err(Trouble::Failed(SmtProblem::NotRunning));
        };
        process.ask(commands, limits, GRACE).inspect_err(|_| self.process = None)
    }

    /// Options and declarations that come before a query.
    fn preamble(&self, limits: &Limits, cores: bool) -> String {
        let mut text = String::from("(reset)\n(set-option :print-success false)\n(set-option :produce-models true)\n");
        if cores {
            text.push_str("(set-option :produce-unsat-assumptions true)\n");
        }
        // Solvers that know their own limit survive it.
        let program = self.program().rsplit('/').next().unwrap_or_default();
        let (limit, none, seeds): (&str, &str, &[&str]) = match () {
            () if program.contains("z3") => ("timeout", "4294967295", &["smt.random_seed", "sat.random_seed"]),
            () if program.contains("cvc5") => ("tlimit-per", "0", &["seed"]),
            () if program.contains("bitwuzla") => ("time-limit-per", "0", &["seed"]),
            () => ("", "", &[]),
        };
        if !limit.is_empty() {
            // No limit has to be said, too: Z3 keeps the last one over a reset.
            let left = limits.deadline.map(|deadline| {
                let left = deadline.saturating_duration_since(Instant::now());
                left.as_millis().clamp(1, 1 << 31).to_string()
            });
            let left = left.as_deref().unwrap_or(none);
            text.push_str(&format!("(set-option :{limit} {left})\n"));
        }
        if let Some(work) = limits.work
            && program.contains("z3")
        {
            text.push_str(&format!("(set-option :rlimit {})\n", (work / STEP_COST).clamp(1, 1 << 31)));
        }
        if self.seed != 0 {
            for seed in seeds {
                text.push_str(&format!("(set-option :{seed} {})\n", self.seed % 1_000_000_000));
            }
        }
        text.push_str("(set-logic ALL)\n");
        text
    }

    fn query(&mut self, terms: &Terms, constraints: &[Term], limits: &Limits) -> Result<Answer, Trouble> {
        let start = Instant::now();
        let mut printer = SmtPrinter::new();
        let longest = limits.work.and_then(|work| usize::try_from(work / BYTE_COST).ok());
        printer.limit_to(longest.map_or(MAX_QUERY, |longest| longest.min(MAX_QUERY)));
        let mut names: Vec<String> = Vec::with_capacity(constraints.len());
        for &constraint in constraints {
            names.push(printer.define_bool(terms, constraint));
            if printer.is_full() {
                return Ok(Answer::Unknown(Reason::Budget));
            }
            if limits.expired() {
                return Err(Trouble::Timeout);
            }
        }
        let mut vars: Vec<Term> = constraints.iter().flat_map(|&c| terms.vars_of(c).to_vec()).collect();
        vars.sort_unstable();
        vars.dedup();
        let var_names: Vec<String> = vars.iter().map(|&var| printer.define(terms, var)).collect();
        let definitions = printer.take_output();
        let mut text = self.preamble(limits, false);
        text.push_str(&definitions);
        for name in &names {
            text.push_str(&format!("(assert {name})\n"));
        }
        text.push_str("(check-sat)");
        let verdict = self.ask(&text, limits)?;
        match status(&verdict) {
            Some("sat") if vars.is_empty() => Ok(Answer::Sat(Rc::new(Model::new()))),
            Some("sat") => {
                let answer = self.ask(&format!("(get-value ({}))", var_names.join(" ")), limits)?;
                let model = Rc::new(read_model(terms, &vars, &answer).ok_or_else(|| nonsense(&answer))?);
                let mut evaluator = Evaluator::new(model.clone());
                if !constraints.iter().all(|&c| evaluator.eval_bool(terms, c)) {
                    return Err(Trouble::Failed(SmtProblem::WrongModel));
                }
                Ok(Answer::Sat(model))
            }
            Some("unsat") => {
                let time = (2 * start.elapsed()).max(CORE_TIME);
                Ok(Answer::Unsat(self.core(constraints, &names, &definitions, limits, time)))
            }
            Some(_) if limits.expired() => Err(Trouble::Timeout),
            // It gave up by itself, at its own limit or for another reason.
            Some(_) if limits.deadline.is_some_and(|end| Instant::now() + GRACE >= end) => Err(Trouble::Timeout),
            Some(_) => {
                let program = self.program().to_owned();
                Ok(Answer::Unknown(Reason::Unsupported(Unanswerable::GivenUp { program })))
            }
            None => Err(nonsense(&verdict)),
        }
    }

    /// The constraints that a second run needs; all of them if that does not work out.
    fn core(
        &mut self,
        constraints: &[Term],
        names: &[String],
        definitions: &str,
        limits: &Limits,
        time: Duration,
    ) -> Vec<Term> {
        let all = || constraints.to_vec();
        if constraints.len() < 2 {
            return all();
        }
        let end = Instant::now() + time;
        let limits =
            Limits { deadline: Some(limits.deadline.map_or(end, |deadline| deadline.min(end))), ..limits.clone() };
        let mut text = self.preamble(&limits, true);
        text.push_str(definitions);
        for (i, name) in names.iter().enumerate() {
            text.push_str(&format!("(declare-const assume!{i} Bool)\n(assert (=> assume!{i} {name}))\n"));
        }
        let assumed: Vec<String> = (0..names.len()).map(|i| format!("assume!{i}")).collect();
        text.push_str(&format!("(check-sat-assuming ({}))", assumed.join(" ")));
        match self.ask(&text, &limits) {
            Ok(verdict) if status(&verdict) == Some("unsat") => {}
            _ => return all(),
        }
        let Ok(answer) = self.ask("(get-unsat-assumptions)", &limits) else {
            return all();
        };
        let core = sexpr::parse(&answer).and_then(|parsed| {
            let members = parsed.last()?.list()?.iter();
            members.map(|m| m.atom()?.strip_prefix("assume!")?.parse::<usize>().ok()).collect::<Option<Vec<_>>>()
        });
        match core {
            Some(mut members) if members.iter().all(|&i| i < constraints.len()) && !members.is_empty() => {
                members.sort_unstable();
                members.dedup();
                members.into_iter().map(|i| constraints[i]).collect()
            }
            _ => all(),
        }
    }
}

impl Backend for SmtBackend {
    fn check(&mut self, terms: &mut Terms, constraints: &[Term], limits: &Limits) -> Answer {
        if self.failures >= MAX_FAILURES
            && let Some(failure) = &self.last_failure
        {
            return Answer::Unknown(Reason::Failed(failure.clone()));
        }
        match self.query(terms, constraints, limits) {
            Ok(answer) => {
                self.failures = 0;
                answer
            }
            Err(Trouble::Timeout) => Answer::Unknown(Reason::Timeout),
            Err(Trouble::Failed(problem)) => {
                self.process = None;
                self.failures += 1;
                let failure = SolverFailure::Smt { command: self.command.join(" "), problem };
                self.last_failure = Some(failure.clone());
                Answer::Unknown(Reason::Failed(failure))
            }
        }
    }

    fn name(&self) -> &str {
        self.program()
    }
}

/// The verdict in what was printed; warnings may come before it.
fn status(text: &str) -> Option<&str> {
    text.lines().map(str::trim).find(|line| matches!(*line, "sat" | "unsat" | "unknown" | "timeout"))
}

fn read_model(terms: &Terms, vars: &[Term], text: &str) -> Option<Model> {
    let parsed = sexpr::parse(text)?;
    let pairs = parsed.iter().rev().find_map(Sexpr::list)?;
    if pairs.len() != vars.len() {
        return None;
    }
    let mut model = Model::new();
    for (&var, pair) in vars.iter().zip(pairs) {
        let [_, value] = pair.list()? else {
            return None;
        };
        model.set_bv(var, value.bit_vector(terms.width(var))?);
    }
    Some(model)
}

fn nonsense(text: &str) -> Trouble {
    let line = text.lines().next().map(|line| line.chars().take(200).collect());
    Trouble::Failed(SmtProblem::Nonsense { line })
}
