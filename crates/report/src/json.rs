//! Events for other tools: one JSON object a line, each with the version of this schema.
//!
//! Version 1. Fields may be added within a version; they are never renamed or removed. Places are
//! `file`, `line` and `column`, absent where the compiler recorded none.

use crate::approximation_text::approximation_text;
use crate::cut_text;
use crate::fault_text::fault_text;
use crate::loop_text;
use crate::no_interpolant_text::no_interpolant_text;
use crate::place::Place;
use crate::stats::{Stage, stages};
use espalier_engine::{
    Cut, CutKind, Described, End, ExitStatus, Outcome, Progress, StackEntry, Stop, TestCase, Violation,
};
use espalier_ir::{Loc, Program};
use serde::Serialize;
use serde_json::Value;
use std::time::Duration;

const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Versioned<'a, T> {
    schema: u32,
    #[serde(flatten)]
    content: &'a T,
}

impl<T: Serialize> Versioned<'_, T> {
    fn of(content: &T) -> Versioned<'_, T> {
        Versioned { schema: SCHEMA, content }
    }

    /// With its fields in alphabetical order.
    fn sorted(&self) -> Value {
        let mut value = serde_json::to_value(self).expect("all keys are strings");
        // Without this the order would depend on whether some other crate wants that of insertion.
        value.sort_all_objects();
        value
    }
}

/// Something that is no event, with the version of the schema; its fields in alphabetical order.
pub fn document(content: &impl Serialize) -> Value {
    Versioned::of(content).sorted()
}

/// What happened: the events of all verbs.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event<'a> {
    RunStarted {
        version: &'a str,
        command: &'a [String],
        output_dir: String,
    },
    /// The run goes on with a recorded tree.
    Resumed {
        nodes: u64,
        unfinished: u64,
        reopened: u64,
        /// If not all are gone on with.
        #[serde(skip_serializing_if = "Option::is_none")]
        selected: Option<u64>,
        damaged: u64,
        learnt: u64,
    },
    /// All is explored anew, because of these changes, with the answers of a recorded tree, which is
    /// elsewhere now.
    Recalled {
        changes: &'a [String],
        before: &'a str,
        nodes: u64,
        answers: u64,
        diverged: u64,
        is_partial: bool,
    },
    Warning {
        text: &'a str,
    },
    /// The program printed this (`--show-output`).
    Output {
        text: String,
    },
    /// A test was written.
    Test {
        name: &'a str,
        file: String,
        end: &'static str,
        /// Of a path that exits with a known status.
        exit_status: Option<i32>,
        depth: u32,
        instructions: u64,
        /// Why the program may not follow the test.
        approximations: Vec<String>,
    },
    /// A place that was asked about was reached.
    Reached {
        /// The test's name.
        name: &'a str,
        #[serde(flatten)]
        place: JsonPlace,
        inputs: Vec<Input<'a>>,
        no_test: Option<&'a str>,
    },
    Error {
        /// The test's name; its file exists unless `no_test` says why not.
        name: &'a str,
        kind: &'static str,
        message: String,
        #[serde(flatten)]
        place: JsonPlace,
        stack: Vec<Frame<'a>>,
        inputs: Vec<Input<'a>>,
        error_file: String,
        no_test: Option<&'a str>,
    },
    /// A path was cut short.
    Cut {
        name: &'a str,
        kind: &'static str,
        reason: String,
        #[serde(flatten)]
        place: JsonPlace,
        no_test: Option<&'a str>,
    },
    Progress {
        elapsed_seconds: f64,
        seconds_left: Option<f64>,
        open: u64,
        ended: u64,
        errors: u64,
        instructions: u64,
        covered_instructions: u64,
        total_instructions: u64,
        memory_bytes: u64,
        solver_seconds: f64,
    },
    RunFinished(Box<Finished>),
    /// What `check` says.
    Verdict {
        verdict: &'static str,
        detail: String,
        /// In SV-COMP's words.
        svcomp: &'a str,
    },
    /// What `reach` says of a place that was asked about.
    Target {
        target: &'a str,
        verdict: &'static str,
        detail: String,
        test: Option<String>,
    },
    /// What `invariants` says of a loop.
    Loop {
        #[serde(flatten)]
        place: JsonPlace,
        function: &'a str,
        invariants: Vec<JsonInvariant<'a>>,
    },
    /// What `invariants` comes to: does what it said hold on all paths? If not, why.
    LoopsDescribed {
        is_whole: bool,
        reasons: Vec<String>,
    },
    /// What `triage` says of an alarm.
    Alarm {
        /// Among all alarms that were read.
        index: usize,
        tool: &'a str,
        rule: Option<&'a str>,
        message: &'a str,
        place: Option<String>,
        verdict: &'static str,
        how: &'a str,
        /// Of a refutation.
        scope: Option<&'static str>,
        test: Option<&'a str>,
        function: Option<&'a str>,
        precondition: Option<&'a str>,
    },
    TriageFinished {
        alarms: u64,
        confirmed: u64,
        possible: u64,
        open: u64,
        not_confirmable: u64,
        refuted: u64,
        /// Of those that are refuted.
        refuted_within_bounds: u64,
        found_on_the_way: &'a [String],
    },
    /// What became of a test that was run natively.
    Replay {
        test: String,
        verdict: &'static str,
        reason: Option<String>,
        predicted: Predicted<'a>,
        native: Option<NativeRun<'a>>,
        differences: Vec<Difference>,
        not_compared: Vec<String>,
    },
    ReplayFinished {
        tests: usize,
        agree: usize,
        differ: usize,
        not_replayed: usize,
    },
    /// Something that Espalier makes use of was tried.
    Doctor {
        name: &'a str,
        needed: bool,
        ok: bool,
        detail: &'a str,
        /// What is not possible without it.
        loss: Option<&'a str>,
        packages: Vec<&'a str>,
        install: Option<String>,
    },
}

impl Event<'_> {
    /// One line, without its end.
    pub fn to_json(&self) -> String {
        let line = Versioned::of(self);
        let text = match self.is_sorted() {
            true => serde_json::to_string(&line.sorted()),
            false => serde_json::to_string(&line),
        };
        text.expect("all keys are strings")
    }

    pub(crate) fn to_line(&self) -> String {
        self.to_json() + "\n"
    }

    /// Events of an exploration have their fields in the order above, others in that of the
    /// alphabet: so it always was, and somebody may compare lines.
    fn is_sorted(&self) -> bool {
        match self {
            Event::RunStarted { .. }
            | Event::Resumed { .. }
            | Event::Recalled { .. }
            | Event::Warning { .. }
            | Event::Output { .. }
            | Event::Test { .. }
            | Event::Reached { .. }
            | Event::Error { .. }
            | Event::Cut { .. }
            | Event::Progress { .. }
            | Event::RunFinished(_) => false,
            Event::Verdict { .. }
            | Event::Loop { .. }
            | Event::LoopsDescribed { .. }
            | Event::Target { .. }
            | Event::Alarm { .. }
            | Event::TriageFinished { .. }
            | Event::Replay { .. }
            | Event::ReplayFinished { .. }
            | Event::Doctor { .. } => true,
        }
    }
}

/// A condition in words, and as a C expression where it can be said in C.
#[derive(Serialize)]
pub struct JsonInvariant<'a> {
    text: &'a str,
    c: Option<&'a str>,
}

/// The loops of a program, one event each, and one at the end.
pub fn described_loops<'a>(program: &'a Program, described: &'a Described) -> Vec<Event<'a>> {
    let mut events: Vec<Event<'_>> = described
        .loops
        .iter()
        .map(|described| Event::Loop {
            place: JsonPlace::new(program, described.loc),
            function: &program.function(described.func).name,
            invariants: described
                .conditions
                .iter()
                .map(|told| JsonInvariant { text: &told.text, c: told.in_c.as_deref() })
                .collect(),
        })
        .collect();
    let reasons = loop_text::reasons(program, described);
    events.push(Event::LoopsDescribed { is_whole: described.is_whole(), reasons });
    events
}

/// What a test was said to do.
#[derive(Serialize)]
#[serde(tag = "end", rename_all = "kebab-case")]
pub enum Predicted<'a> {
    Exit { exit_status: Option<i32> },
    Signal { signal: i32 },
    Error { kind: &'a str, message: &'a str, file: Option<&'a str>, line: Option<u32>, notes: &'a [String] },
    Cut { reason: &'a str },
    Place,
    Function,
}

/// What a native run did.
#[derive(Serialize)]
pub struct NativeRun<'a> {
    pub end: &'static str,
    pub exit_status: Option<i32>,
    pub signal: Option<i32>,
    pub text: String,
    pub details: &'a [String],
    pub build: Option<String>,
}

/// Something that a native run did otherwise than predicted.
#[derive(Serialize)]
pub struct Difference {
    pub what: String,
    pub at: Option<usize>,
    pub predicted: String,
    pub native: String,
}

#[derive(Serialize, Default)]
pub struct JsonPlace {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
}

impl JsonPlace {
    fn new(program: &Program, loc: Loc) -> JsonPlace {
        Place::new(program, loc).map_or_else(JsonPlace::default, |place| JsonPlace {
            file: Some(place.file),
            line: Some(place.line),
            column: (place.column != 0).then_some(place.column),
        })
    }
}

#[derive(Serialize)]
pub struct Frame<'a> {
    function: &'a str,
    args: Vec<Argument<'a>>,
    #[serde(flatten)]
    place: JsonPlace,
    is_runtime: bool,
}

#[derive(Serialize)]
struct Argument<'a> {
    name: &'a str,
    value: &'a str,
}

#[derive(Serialize)]
pub struct Input<'a> {
    name: &'a str,
    size: usize,
    /// Two digits a byte.
    hex: String,
}

#[derive(Serialize)]
struct Cuts {
    kind: &'static str,
    reason: String,
    #[serde(flatten)]
    place: JsonPlace,
    paths: u64,
}

#[derive(Serialize)]
struct Open {
    #[serde(flatten)]
    place: JsonPlace,
    states: u64,
}

#[derive(Serialize)]
struct Approximation {
    /// `under` endangers proofs, `over` errors, `both` both; `given` is a condition that was asked
    /// for.
    direction: &'static str,
    reason: String,
    paths: u64,
}

/// What interpolation did.
#[derive(Serialize)]
struct Interpolation {
    nodes: u64,
    interpolants: u64,
    clauses: u64,
    evicted: u64,
    checks: u64,
    subsumed: u64,
    rejected_by_needs: u64,
    rejected_by_value: u64,
    rejected_by_model: u64,
    rejected_by_solver: u64,
    repeated: u64,
    irrelevant: u64,
    /// Interpolation was given up in the course of the run.
    gave_up: bool,
    /// How often it paused, because it cost more than it saved.
    pauses: u64,
    /// In units of about an instruction.
    spent_work: u64,
    saved_work: u64,
    check_seconds: f64,
    learn_seconds: f64,
    /// Nodes without an interpolant, by reason.
    failures: std::collections::BTreeMap<&'static str, u64>,
}

#[derive(Serialize)]
struct Paths {
    completed: u64,
    errors: u64,
    infeasible: u64,
    silent: u64,
    limited: u64,
    unsupported: u64,
    solver_unknown: u64,
    approximate: u64,
    /// Not explored, because something that was learnt speaks for them.
    pruned: u64,
    /// Ended in an error that was not asked about.
    other_errors: u64,
}

#[derive(Serialize)]
struct CoverageJson {
    covered_blocks: u64,
    total_blocks: u64,
    covered_instructions: u64,
    total_instructions: u64,
    covered_lines: u64,
    total_lines: u64,
    covered_branches: u64,
    total_branches: u64,
}

#[derive(Serialize)]
struct StageJson {
    stage: &'static str,
    answers: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct SolverJson {
    queries: u64,
    seconds: f64,
    stages: Vec<StageJson>,
    backend_seconds: f64,
    unknowns: u64,
    timeouts: u64,
}

/// The totals of a run.
#[derive(Serialize)]
pub struct Finished {
    exit_code: i32,
    is_complete: bool,
    /// Why the run ended before every path did.
    stop: Option<&'static str>,
    distinct_errors: u64,
    paths: Paths,
    interpolation: Option<Interpolation>,
    open_states: u64,
    /// Of these, those that memory had no room for, and how often that was so.
    parked_left: u64,
    parked: u64,
    taken_up: u64,
    /// Nodes that came out otherwise when they were executed again, how often all terms were
    /// dropped, and the instructions that were executed again.
    diverged: u64,
    epochs: u64,
    executed_again: u64,
    /// Questions that an earlier tree answered.
    recalled: u64,
    open: Vec<Open>,
    cuts: Vec<Cuts>,
    approximations: Vec<Approximation>,
    tests: u64,
    missing_tests: u64,
    output_error: Option<String>,
    instructions: u64,
    /// All that was done, counted in units of about an instruction.
    work: u64,
    forks: u64,
    fork_seconds: f64,
    symbolic_branches: u64,
    symbolic_accesses: u64,
    coverage: CoverageJson,
    solver: SolverJson,
    elapsed_seconds: f64,
    peak_memory_bytes: Option<u64>,
}

pub(crate) fn test<'a>(name: &'a str, end: &End, test: &'a TestCase, depth: u32, instructions: u64) -> Event<'a> {
    Event::Test {
        name,
        file: format!("{name}.ktest"),
        end: end_name(end),
        exit_status: match end {
            End::Exit(ExitStatus::Concrete(status)) => Some(*status),
            _ => None,
        },
        depth,
        instructions,
        approximations: test.approximations.iter().map(approximation_text).collect(),
    }
}

pub(crate) fn reached<'a>(
    program: &Program,
    name: &'a str,
    violation: &'a Violation,
    test: Option<&'a TestCase>,
    no_test: Option<&'a str>,
) -> Event<'a> {
    Event::Reached {
        name,
        place: JsonPlace::new(program, violation.loc),
        inputs: test.map_or_else(Vec::new, |test| test.objects.iter().map(input).collect()),
        no_test,
    }
}

pub(crate) fn error<'a>(
    program: &Program,
    name: &'a str,
    error_file: String,
    violation: &'a Violation,
    test: Option<&'a TestCase>,
    no_test: Option<&'a str>,
) -> Event<'a> {
    Event::Error {
        name,
        kind: violation.kind().name(),
        message: fault_text(program, &violation.fault),
        place: JsonPlace::new(program, violation.loc),
        stack: violation.stack.iter().map(|entry| frame(program, entry)).collect(),
        inputs: test.map_or_else(Vec::new, |test| test.objects.iter().map(input).collect()),
        error_file,
        no_test,
    }
}

pub(crate) fn cut<'a>(
    program: &Program,
    name: &'a str,
    kind: CutKind,
    cut: &'a Cut,
    no_test: Option<&'a str>,
) -> Event<'a> {
    Event::Cut {
        name,
        kind: cut_name(kind),
        reason: cut_text::text(&cut.reason),
        place: JsonPlace::new(program, cut.loc),
        no_test,
    }
}

pub(crate) fn progress(progress: &Progress) -> Event<'static> {
    Event::Progress {
        elapsed_seconds: progress.elapsed.as_secs_f64(),
        seconds_left: progress.time_left.map(|left| left.as_secs_f64()),
        open: progress.open,
        ended: progress.paths.ended(),
        errors: progress.errors,
        instructions: progress.instructions,
        covered_instructions: progress.covered_instructions,
        total_instructions: progress.total_instructions,
        memory_bytes: progress.memory,
        solver_seconds: progress.solver_time.as_secs_f64(),
    }
}

fn interpolation(stats: &espalier_engine::PruneStats) -> Interpolation {
    let table = &stats.table;
    let seconds = |nanos| Duration::from_nanos(nanos).as_secs_f64();
    Interpolation {
        nodes: stats.nodes,
        interpolants: table.entries,
        clauses: table.clauses,
        evicted: table.evicted,
        checks: table.checks,
        subsumed: table.subsumed,
        rejected_by_needs: table.rejected_by_needs,
        rejected_by_value: table.rejected_by_value,
        rejected_by_model: table.rejected_by_model,
        rejected_by_solver: table.rejected_by_solver,
        repeated: stats.repeated,
        irrelevant: stats.irrelevant,
        gave_up: stats.gave_up,
        pauses: stats.pauses,
        spent_work: stats.spent_work,
        saved_work: stats.saved_work,
        check_seconds: seconds(stats.check_nanos),
        learn_seconds: seconds(stats.learn_nanos),
        failures: stats.failures.iter().map(|(reason, nodes)| (no_interpolant_text(*reason), *nodes)).collect(),
    }
}

pub(crate) fn finished(program: &Program, outcome: &Outcome, tests: u64) -> Event<'static> {
    let paths = outcome.paths;
    let coverage = outcome.coverage;
    let solver = &outcome.solver;
    let nanos = |nanos| Duration::from_nanos(nanos).as_secs_f64();
    Event::RunFinished(Box::new(Finished {
        exit_code: outcome.exit_code(),
        is_complete: outcome.is_complete(),
        stop: outcome.stop.map(stop_name),
        distinct_errors: outcome.distinct_errors,
        paths: Paths {
            completed: paths.completed,
            errors: paths.errors,
            infeasible: paths.infeasible,
            silent: paths.silent,
            limited: paths.limited,
            unsupported: paths.unsupported,
            solver_unknown: paths.solver_unknown,
            approximate: paths.approximate,
            pruned: paths.pruned,
            other_errors: paths.other_errors,
        },
        interpolation: outcome.prune.as_ref().map(interpolation),
        open_states: outcome.open_states,
        parked_left: outcome.parking.left,
        parked: outcome.parking.parked,
        taken_up: outcome.parking.taken_up,
        diverged: outcome.parking.diverged,
        epochs: outcome.parking.epochs,
        executed_again: outcome.parking.executed_again,
        recalled: outcome.recalled,
        open: outcome
            .open
            .iter()
            .map(|group| Open { place: JsonPlace::new(program, group.loc), states: group.states })
            .collect(),
        cuts: outcome
            .cuts
            .iter()
            .map(|group| Cuts {
                kind: cut_name(group.kind),
                reason: cut_text::text(&group.reason),
                place: JsonPlace::new(program, group.loc),
                paths: group.paths,
            })
            .collect(),
        approximations: outcome
            .approximations
            .iter()
            .map(|group| Approximation {
                direction: group.approximation.direction.word(),
                reason: approximation_text(&group.approximation),
                paths: group.paths,
            })
            .collect(),
        tests,
        missing_tests: outcome.missing_tests,
        output_error: outcome.observer_error.clone(),
        instructions: outcome.instructions,
        work: outcome.work(),
        forks: outcome.forks,
        fork_seconds: nanos(outcome.exec.fork_nanos),
        symbolic_branches: outcome.exec.symbolic_branches,
        symbolic_accesses: outcome.exec.symbolic_accesses,
        coverage: CoverageJson {
            covered_blocks: coverage.covered_blocks,
            total_blocks: coverage.total_blocks,
            covered_instructions: coverage.covered_instructions,
            total_instructions: coverage.total_instructions,
            covered_lines: coverage.covered_lines,
            total_lines: coverage.total_lines,
            covered_branches: coverage.covered_branches,
            total_branches: coverage.total_branches,
        },
        solver: SolverJson {
            queries: solver.queries,
            seconds: outcome.solver_time.as_secs_f64(),
            stages: stages(solver)
                .into_iter()
                .map(|Stage { name, answers, time, .. }| StageJson {
                    stage: name,
                    answers,
                    seconds: time.as_secs_f64(),
                })
                .collect(),
            backend_seconds: nanos(solver.sat_nanos + solver.smt_nanos),
            unknowns: solver.unknowns,
            timeouts: solver.timeouts,
        },
        elapsed_seconds: outcome.elapsed.as_secs_f64(),
        peak_memory_bytes: outcome.peak_memory,
    }))
}

fn frame<'a>(program: &Program, entry: &'a StackEntry) -> Frame<'a> {
    Frame {
        function: &entry.function,
        args: entry.args.iter().map(|(name, value)| Argument { name, value }).collect(),
        place: JsonPlace::new(program, entry.loc),
        is_runtime: entry.is_runtime,
    }
}

fn input((name, bytes): &(String, Vec<u8>)) -> Input<'_> {
    let hex = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    Input { name, size: bytes.len(), hex }
}

fn end_name(end: &End) -> &'static str {
    match end {
        End::Exit(_) => "exit",
        End::Violation(_) => "error",
        End::Infeasible => "infeasible",
        End::Silent => "silent",
        End::Limit(_) => cut_name(CutKind::Limit),
        End::Unsupported(_) => cut_name(CutKind::Unsupported),
        End::SolverUnknown(_) => cut_name(CutKind::SolverUnknown),
    }
}

fn cut_name(kind: CutKind) -> &'static str {
    match kind {
        CutKind::Limit => "limit",
        CutKind::Unsupported => "unsupported",
        CutKind::SolverUnknown => "solver-unknown",
    }
}

fn stop_name(stop: Stop) -> &'static str {
    match stop {
        Stop::MaxTime => "max-time",
        Stop::MaxMemory => "max-memory",
        Stop::MaxInstructions => "max-instructions",
        Stop::Interrupted => "interrupted",
        Stop::MaxTests => "max-tests",
        Stop::FirstError => "exit-on-error",
        Stop::ErrorOfKind => "exit-on-error-type",
        Stop::SeedsFollowed => "only-seed",
        Stop::AllTargets => "all-targets",
        Stop::Selected => "selected",
        Stop::Observer => "output-failed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error_file::tests::{program, violation};

    #[test]
    fn an_event_is_one_line_with_its_version() {
        let line = Event::Warning { text: "two\nlines" }.to_line();
        assert_eq!(line, "{\"schema\":1,\"event\":\"warning\",\"text\":\"two\\nlines\"}\n");
    }

    #[test]
    fn events_of_other_verbs_have_sorted_fields() {
        let line = Event::Verdict { verdict: "safe", detail: "why".into(), svcomp: "true" }.to_json();
        let sorted = r#"{"detail":"why","event":"verdict","schema":1,"svcomp":"true","verdict":"safe"}"#;
        assert_eq!(line, sorted);
        let replay = Event::Replay {
            test: "a.ktest".into(),
            verdict: "agrees",
            reason: None,
            predicted: Predicted::Exit { exit_status: None },
            native: None,
            differences: vec![],
            not_compared: vec![],
        };
        let sorted = r#"{"differences":[],"event":"replay","native":null,"not_compared":[],"predicted":{"end":"exit","exit_status":null},"reason":null,"schema":1,"test":"a.ktest","verdict":"agrees"}"#;
        assert_eq!(replay.to_json(), sorted);
    }

    #[test]
    fn an_error_has_place_stack_and_inputs() {
        let test = TestCase {
            objects: vec![("i".into(), vec![10, 255])],
            places: vec![],
            stack: vec![],
            approximations: vec![],
            expected: None,
        };
        let violation = violation();
        let program = program("a.c");
        let event = error(&program, "test000001", "test000001.ptr.err".into(), &violation, Some(&test), None);
        let json: serde_json::Value = serde_json::from_str(&event.to_line()).unwrap();
        assert_eq!(json["event"], "error");
        assert_eq!((&json["file"], &json["line"], &json["column"]), (&"a.c".into(), &3.into(), &5.into()));
        assert_eq!(json["stack"][1]["function"], "main");
        assert_eq!(json["stack"][2].get("line"), None);
        assert_eq!(json["inputs"][0], serde_json::json!({ "name": "i", "size": 2, "hex": "0aff" }));
        assert_eq!(json["no_test"], serde_json::Value::Null);
    }
}
