//! How the paths of a program end. Besides what the report says,
//!
//! - each path's test is run as a program without unknown inputs, and must end the same way;
//! - with interpolation, the errors are those that are found without it, and nothing that was
//!   pruned is refuted.

use super::Case;
use espalier_engine::{
    Config, EndedPath, Engine, Fate, Method, Observer, ObserverError, Only, Outcome, Program, Replay, Strategy,
};
use espalier_exec::{End, ExitStatus, GivenInputs};
use espalier_expr::Terms;
use espalier_ir::{Param, parse};
use espalier_report::{fault_text, no_interpolant_text, requirements_text};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Instructions of a run.
const MOST: u64 = 5_000;

/// How paths end, with the tests that lead there.
#[derive(Default)]
struct Ends {
    with_conditions: bool,
    lines: Vec<String>,
    /// The end without what depends on the input, and the inputs.
    tests: Vec<(String, GivenInputs)>,
    errors: BTreeSet<String>,
}

impl Observer for Ends {
    fn path_ended(&mut self, program: &Program, path: &EndedPath<'_>) -> Result<(), ObserverError> {
        let (what, line) = describe(program, path.end, path.terms);
        if matches!(path.end, End::Violation(_)) {
            self.errors.insert(what.clone());
        }
        if let Some(test) = path.test.filter(|test| test.approximations.is_empty()) {
            self.tests.push((what, GivenInputs::new(test.objects.clone())));
        }
        let conditions: Vec<String> =
            path.condition.to_vec().into_iter().map(|term| path.terms.display(term).to_string()).collect();
        let conditions = match self.with_conditions {
            true if !conditions.is_empty() => format!(" if {}", conditions.join(" and ")),
            _ => String::new(),
        };
        self.lines.push(format!("{line}{conditions}"));
        Ok(())
    }
}

/// What an end is, and what it is with all that depends on the input.
fn describe(program: &Program, end: &End, terms: &Terms) -> (String, String) {
    let same = |text: String| (text.clone(), text);
    match end {
        End::Exit(ExitStatus::Concrete(status)) => ("exit".to_owned(), format!("exit {status}")),
        End::Exit(ExitStatus::Symbolic(status)) => ("exit".to_owned(), format!("exit {}", terms.display(*status))),
        End::Violation(violation) => {
            let what = format!("error {} in line {}", violation.kind(), violation.loc.line);
            let line = format!("{what}: {}", fault_text(program, &violation.fault));
            (what, line)
        }
        End::Infeasible => same("assumed away".to_owned()),
        End::Silent => same("silent".to_owned()),
        End::Limit(cut) | End::Unsupported(cut) | End::SolverUnknown(cut) => same(format!("cut: {:?}", cut.reason)),
    }
}

fn run(case: &Case, config: Config) -> Result<(Ends, Outcome), String> {
    let mut ends = Ends { with_conditions: case.has("--conditions"), ..Ends::default() };
    let engine = Engine::new(Rc::new(case.program.clone()), case.entry, config).map_err(|error| error.to_string())?;
    let outcome = engine.run(&mut ends);
    Ok((ends, outcome))
}

fn config(case: &Case) -> Config {
    let mut config = Config { search: Strategy::named("dfs"), emit_all_errors: true, ..Config::default() };
    config.limits.max_instructions = Some(MOST);
    config.exec.check_uninit = case.has("--check-uninit");
    config.only = if case.looks_for_reach() { Only::Reach } else { Only::All };
    config
}

pub fn report(case: Case) -> Result<Vec<String>, String> {
    let method = match (case.has("--interpolation"), case.has("--unsat-core")) {
        (_, true) => Some(Method::UnsatCore),
        (true, false) => Some(Method::WeakestPrecondition),
        (false, false) => None,
    };
    let plain = config(&case);
    let (without, whole) = run(&case, plain.clone())?;
    let is_finite = whole.stop.is_none();
    let (ends, outcome) = match method {
        None => (without, whole),
        Some(_) => {
            let verify_pruning = is_finite;
            let (ends, outcome) =
                run(&case, Config { interpolation: method, keep_tree: true, verify_pruning, ..plain.clone() })?;
            // What only interpolation ends can have no more errors without it.
            if without.errors != ends.errors && (is_finite || !without.errors.is_subset(&ends.errors)) {
                return Err(format!(
                    "without interpolation the errors are {:?}, not {:?}",
                    without.errors, ends.errors
                ));
            }
            if !outcome.refuted.is_empty() {
                return Err(format!("what was pruned is refuted: {:?}", outcome.refuted));
            }
            (ends, outcome)
        }
    };
    follow(&case, &plain, &ends)?;
    let mut lines = ends.lines;
    lines.extend(method.map(|_| pruned(&outcome)));
    if case.has("--tree") {
        lines.extend(outcome.tree.iter().flatten().map(node));
    }
    if !outcome.is_complete() {
        lines.push("incomplete".to_owned());
    }
    Ok(lines)
}

/// Runs the program on each test: it must end as the path did.
fn follow(case: &Case, config: &Config, ends: &Ends) -> Result<(), String> {
    for (what, inputs) in &ends.tests {
        let called = called_with(case, inputs)?;
        let replay = Replay { inputs: inputs.clone(), args: Vec::new() };
        let (again, _) = run(called.as_ref().unwrap_or(case), Config { replays: vec![replay], ..config.clone() })?;
        let found: Vec<&String> = again.tests.iter().map(|(what, _)| what).collect();
        if found != [what] {
            return Err(format!("on {inputs:?} the program comes to {found:?}, not to `{what}`"));
        }
    }
    Ok(())
}

/// For an entry with parameters: the program with a `main` that calls it with what is given for
/// them.
fn called_with(case: &Case, inputs: &GivenInputs) -> Result<Option<Case>, String> {
    let function = case.program.function(case.entry);
    if function.name == "main" || function.params.is_empty() {
        return Ok(None);
    }
    let argument = |param: &Param| {
        let bytes = inputs.get(&param.name, 0).unwrap_or_default();
        let digits: String = bytes.iter().rev().map(|byte| format!("{byte:02x}")).collect();
        format!("i{} 0x{digits}", param.width)
    };
    let arguments: Vec<String> = function.params.iter().map(argument).collect();
    let call = format!("call i32 @{}({})", function.name, arguments.join(", "));
    let text = format!("{}\nfn @main() -> i32\nbb0:\n  %0 = {call}\n  return %0\n", case.program);
    let program = parse(&text).map_err(|error| format!("{error} in:\n{text}"))?;
    let entry = program.function_named("main").ok_or("no main")?;
    Ok(Some(Case { program, entry, options: case.options.clone() }))
}

fn pruned(outcome: &Outcome) -> String {
    let stats = outcome.prune.clone().unwrap_or_default();
    let by_interpolant = outcome.paths.pruned - stats.repeated - stats.irrelevant;
    let mut text = format!("pruned: {by_interpolant} by interpolants");
    for (count, what) in [(stats.repeated, "met before"), (stats.irrelevant, "irrelevant"), (stats.postponed, "waited")]
    {
        if count > 0 {
            text += &format!(", {count} {what}");
        }
    }
    text
}

/// A node of the tree, by the line that it begins behind.
fn node(record: &espalier_engine::Record) -> String {
    let fate = match record.fate {
        Fate::Inner => "inner".to_owned(),
        Fate::Ended => "ended".to_owned(),
        Fate::Cut => "cut".to_owned(),
        Fate::PrunedBy(by) => format!("pruned by {by}"),
        Fate::Repeated => "met before".to_owned(),
        Fate::Irrelevant => "irrelevant".to_owned(),
    };
    let learnt = match (&record.interpolant, record.no_interpolant) {
        (Some(clauses), _) if clauses.is_empty() => "true".to_owned(),
        (Some(clauses), _) => requirements_text(clauses, " and "),
        (None, Some(reason)) => format!("no interpolant: {}", no_interpolant_text(reason)),
        (None, None) => "nothing".to_owned(),
    };
    format!("node {} in line {}, {fate}: {learnt}", record.id, record.loc.line)
}
