//! What a run came to, in plain English: what was found, what is missing and which option would
//! help, where the tests are.

use crate::approximation_text::approximation_text;
use crate::cut_text;
use crate::loop_text;
use crate::place::{self, Place};
use crate::plural::grouped_plural;
use crate::progress::rate;
use crate::stats::percent;
use crate::style::Style;
use espalier_base::{format_count, format_duration, format_size};
use espalier_engine::{ApproximationGroup, CutGroup, CutKind, Outcome, ParkingCounts, Stop};
use espalier_ir::Program;
use std::fmt::Write;

/// Lines of a list that are shown; JSON and the run directory have them all.
const SHOWN: usize = 20;
const SHOWN_OPEN: usize = 3;

/// An error that was reported.
pub(crate) struct Found {
    pub(crate) kind: &'static str,
    pub(crate) place: Option<Place>,
    pub(crate) test: String,
}

pub(crate) struct Summary<'a> {
    pub(crate) program: &'a Program,
    pub(crate) outcome: &'a Outcome,
    pub(crate) found: &'a [Found],
    pub(crate) tests: u64,
    /// Where the tests are, in words.
    pub(crate) directory: &'a str,
    /// What to do for a run that goes on after its first error.
    pub(crate) to_go_on: &'a str,
    /// Whether to tell what differs from run to run: time, memory, speed.
    pub(crate) with_times: bool,
}

impl Summary<'_> {
    pub(crate) fn render(&self, style: Style) -> String {
        let mut text = String::new();
        self.verdict(&mut text, style);
        self.paths(&mut text);
        self.backward(&mut text);
        self.loops(&mut text);
        self.missing(&mut text, style);
        self.tests(&mut text);
        self.work(&mut text);
        text
    }

    fn verdict(&self, text: &mut String, style: Style) {
        let outcome = self.outcome;
        let explored = format_count(outcome.paths.ended() - outcome.paths.infeasible);
        let verdict = if outcome.targets > 0 {
            let cut = outcome.backward.as_ref().map_or(0, |backward| backward.cuts.len() as u64);
            let (met, all) = (outcome.targets - outcome.open_targets - cut, outcome.targets);
            style.bold(format!("Reached {} of {}.", format_count(met), grouped_plural(all, "target")))
        } else if outcome.paths.errors > 0 {
            let count = outcome.distinct_errors;
            style.error(format!("Found {}.", grouped_plural(count, "error")))
        } else if outcome.is_complete() {
            let all = if explored == "1" { "the only path".to_owned() } else { format!("all {explored} paths") };
            let how = if outcome.paths.pruned > 0 { "explored or pruned" } else { "explored to the end" };
            style.good(format!("No errors: {all} {how}."))
        } else {
            style.warning("No errors found, but not everything was explored.".to_owned())
        };
        let _ = writeln!(text, "{verdict}");
        for Found { kind, place, test } in self.found.iter().take(SHOWN) {
            let _ = writeln!(text, "  {kind} at {} ({test})", place::show(place.as_ref()));
        }
        if self.found.len() > SHOWN {
            let _ = writeln!(text, "  ... and {} more", self.found.len() - SHOWN);
        }
    }

    fn paths(&self, text: &mut String) {
        let paths = self.outcome.paths;
        let counts = [
            (paths.errors, "ended in an error"),
            (paths.met, "reached a target"),
            (paths.infeasible, "ruled out by assumptions"),
            (paths.silent, "ended silently"),
            (paths.limited, "cut by a limit"),
            (paths.unsupported, "unsupported"),
            (paths.solver_unknown, "undecided by the solver"),
            (paths.other_errors, "ended in an error that was not asked about"),
            (paths.pruned, "pruned"),
            (self.outcome.open_states, "still open"),
        ];
        let _ = write!(text, "Paths: {} completed", format_count(paths.completed));
        for (count, what) in counts.into_iter().filter(|&(count, _)| count > 0) {
            let _ = write!(text, ", {} {what}", format_count(count));
        }
        text.push_str(".\n");
    }

    /// What came of exploring functions from their entries.
    fn backward(&self, text: &mut String) {
        let Some(backward) = self.outcome.backward.as_ref().filter(|backward| backward.functions > 0) else { return };
        let functions = grouped_plural(backward.functions, "function");
        let finished = format_count(backward.finished);
        let paths = grouped_plural(backward.paths, "path");
        let guided = grouped_plural(backward.guided, "call");
        let _ = writeln!(
            text,
            "Backward: {functions} explored from the entry ({finished} to the end), {paths} to targets, {guided} guided."
        );
    }

    fn loops(&self, text: &mut String) {
        if let Some(closed) = loop_text::closed(self.program, &self.outcome.loops) {
            let _ = writeln!(text, "{closed}");
        }
    }

    fn missing(&self, text: &mut String, style: Style) {
        let mut lines: Vec<String> = Vec::new();
        lines.extend(self.open());
        if !self.outcome.is_complete() && self.outcome.paths.errors == 0 {
            lines.extend(self.outcome.loops.iter().filter_map(|report| loop_text::open(self.program, report)));
        }
        lines.extend(self.parked());
        lines.extend(self.outcome.cuts.iter().map(|group| self.cut(group)));
        let endangering = |group: &&ApproximationGroup| group.approximation.direction.endangers_proofs();
        lines.extend(self.outcome.approximations.iter().filter(endangering).map(|group| {
            let verb = if group.paths == 1 { "is" } else { "are" };
            format!(
                "{} {verb} inexact: {}.",
                grouped_plural(group.paths, "path"),
                approximation_text(&group.approximation)
            )
        }));
        lines.extend((self.outcome.replays > 0).then(|| {
            let tests = grouped_plural(self.outcome.replays as u64, "test");
            format!("Only the inputs of {tests} were looked at (--replay-ktest-file, --replay-ktest-dir).")
        }));
        if lines.is_empty() {
            return;
        }
        let _ = writeln!(text, "{}", style.warning("Not explored:"));
        for line in lines.iter().take(SHOWN) {
            let _ = writeln!(text, "  {line}");
        }
        if lines.len() > SHOWN {
            let _ = writeln!(text, "  ... and {} more reasons", lines.len() - SHOWN);
        }
    }

    /// Open paths that there was no room for.
    fn parked(&self) -> Option<String> {
        let ParkingCounts { parked, taken_up, left, diverged, .. } = self.outcome.parking;
        if left == 0 {
            return None;
        }
        let are = if left == 1 { "is" } else { "are" };
        let mut text = format!(
            "{} of them {are} parked: memory was short (--max-memory; {} parked in all, {} taken up again)",
            format_count(left),
            format_count(parked),
            format_count(taken_up)
        );
        if diverged > 0 {
            let _ = write!(text, "; {} were explored anew", grouped_plural(diverged, "subtree"));
        }
        text.push('.');
        Some(text)
    }

    fn open(&self) -> Option<String> {
        let stop = self.outcome.stop.filter(|stop| *stop != Stop::AllTargets)?;
        let why = match stop {
            Stop::MaxTime => "time was up",
            Stop::MaxMemory => "memory ran out",
            Stop::MaxInstructions => "the instructions were used up",
            Stop::Interrupted => "it was interrupted",
            Stop::MaxTests => "the tests were enough",
            Stop::FirstError => "the first error ended the run",
            Stop::ErrorOfKind => "an error of the kind looked for ended the run",
            Stop::SeedsFollowed => "the seeds had been followed",
            Stop::AllTargets => "every target was reached",
            Stop::Selected => "what was selected (--node, --parked, --uncovered, --target) had been explored",
            Stop::Observer => "the output could not be written",
        };
        let mut text = match self.outcome.open_states {
            0 => format!("The run ended because {why}"),
            1 => format!("1 path was open when {why}"),
            states => format!("{} paths were open when {why}", format_count(states)),
        };
        let places: Vec<String> = self
            .outcome
            .open
            .iter()
            .take(SHOWN_OPEN)
            .map(|group| {
                let place = place::show(Place::new(self.program, group.loc).as_ref());
                format!("{} at {place}", format_count(group.states))
            })
            .collect();
        if !places.is_empty() {
            let more = if self.outcome.open.len() > SHOWN_OPEN { ", ..." } else { "" };
            let _ = write!(text, " ({}{more})", places.join(", "));
        }
        match stop {
            Stop::FirstError => {
                let _ = write!(text, "; {} to go on.", self.to_go_on);
            }
            Stop::ErrorOfKind | Stop::SeedsFollowed => {
                let _ = write!(text, "; leave --{} out to go on.", option(stop).unwrap_or_default());
            }
            Stop::Observer => {
                let error = self.outcome.observer_error.as_deref().unwrap_or_default();
                let _ = write!(text, ": {error}.");
            }
            _ => match option(stop) {
                Some(option) => {
                    let _ = write!(text, "; raise --{option} to go on.");
                }
                None => text.push('.'),
            },
        }
        Some(text)
    }

    fn cut(&self, group: &CutGroup) -> String {
        let place = place::show(Place::new(self.program, group.loc).as_ref());
        let what = match group.kind {
            CutKind::Limit => "cut",
            CutKind::Unsupported => "not supported",
            CutKind::SolverUnknown => "undecided",
        };
        let mut text =
            format!("{} {what} at {place}: {}", grouped_plural(group.paths, "path"), cut_text::text(&group.reason));
        match (cut_text::option(&group.reason), group.kind) {
            (Some(option), CutKind::Limit | CutKind::SolverUnknown) => {
                let _ = write!(text, "; raise --{option} to follow them.");
            }
            (None, CutKind::SolverUnknown) => {
                text.push_str("; try a larger --max-solver-time or another --solver-command.");
            }
            (_, CutKind::Unsupported) | (None, CutKind::Limit) => text.push('.'),
        }
        text
    }

    fn tests(&self, text: &mut String) {
        let _ = write!(text, "Tests: {} in {}", format_count(self.tests), self.directory);
        if self.outcome.missing_tests > 0 {
            let missing = grouped_plural(self.outcome.missing_tests, "path");
            let _ = write!(text, "; the solver found none for {missing}");
        }
        text.push_str(".\n");
    }

    fn work(&self, text: &mut String) {
        let outcome = self.outcome;
        let coverage = outcome.coverage;
        let _ = write!(text, "Work: {}", grouped_plural(outcome.instructions, "instruction"));
        let _ = write!(text, ", {}", grouped_plural(outcome.forks, "fork"));
        if outcome.recalled > 0 {
            let _ = write!(text, "; {} from the tree before", grouped_plural(outcome.recalled, "answer"));
        }
        text.push_str(".\n");
        let parts: Vec<String> = [
            (coverage.covered_instructions, coverage.total_instructions, "the program's instructions"),
            (coverage.covered_lines, coverage.total_lines, "its lines"),
            (coverage.covered_branches, coverage.total_branches, "its branches"),
            (coverage.covered_blocks, coverage.total_blocks, "its blocks"),
        ]
        .into_iter()
        .filter_map(|(covered, total, what)| Some(format!("{}% of {what}", (100 * covered).checked_div(total)?)))
        .collect();
        if !parts.is_empty() {
            let _ = writeln!(text, "Covered: {}.", parts.join(", "));
        }
        if !self.with_times {
            return;
        }
        let seconds = outcome.elapsed.as_secs_f64().max(1e-9);
        let _ = write!(
            text,
            "Time: {}, {}% of it in the solver; {} instructions/s",
            format_duration(outcome.elapsed),
            percent(outcome.solver_time, outcome.elapsed),
            rate(outcome.instructions as f64 / seconds),
        );
        if let Some(peak) = outcome.peak_memory {
            let _ = write!(text, "; {} of memory", format_size(peak));
        }
        text.push_str(".\n");
    }
}

/// The option whose value ended the run.
fn option(stop: Stop) -> Option<&'static str> {
    match stop {
        Stop::MaxTime => Some("max-time"),
        Stop::MaxMemory => Some("max-memory"),
        Stop::MaxInstructions => Some("max-instructions"),
        Stop::MaxTests => Some("max-tests"),
        Stop::FirstError => Some("exit-on-error"),
        Stop::ErrorOfKind => Some("exit-on-error-type"),
        Stop::SeedsFollowed => Some("only-seed"),
        Stop::AllTargets | Stop::Selected | Stop::Interrupted | Stop::Observer => None,
    }
}

/// "1 path", "1,234 paths".
#[cfg(test)]
mod tests {
    use super::*;
    use crate::error_file::tests::{at, program};
    use espalier_engine::Reason;
    use espalier_engine::{Approximation, Cause, CutReason, Direction, Unsupported};
    use espalier_engine::{CoverageCounts, OpenGroup, PathCounts};
    use std::time::Duration;

    fn outcome() -> Outcome {
        Outcome {
            paths: PathCounts { completed: 3, ..PathCounts::default() },
            targets: 0,
            open_targets: 0,
            reached_targets: Default::default(),
            passed_targets: Vec::new(),
            close_targets: Vec::new(),
            backward: None,
            loops: Vec::new(),
            distinct_errors: 0,
            has_certain_error: false,
            cuts: vec![],
            approximations: vec![],
            stop: None,
            open: vec![],
            parking: ParkingCounts::default(),
            open_states: 0,
            observer_error: None,
            missing_tests: 0,
            instructions: 12345,
            forks: 2,
            coverage: CoverageCounts {
                covered_blocks: 1,
                total_blocks: 2,
                covered_instructions: 9,
                total_instructions: 10,
                conditional: Default::default(),
                covered_lines: 3,
                total_lines: 4,
                covered_branches: 2,
                total_branches: 3,
            },
            files: Default::default(),
            profile: Vec::new(),
            exec: Default::default(),
            refuted: vec![],
            prune: None,
            replays: 0,
            invariants: Vec::new(),
            tree: None,
            solver: Default::default(),
            solver_time: Duration::from_millis(30),
            recalled: 0,
            elapsed: Duration::from_millis(100),
            peak_memory: Some(20 << 20),
        }
    }

    fn check(outcome: &Outcome, found: &[Found], expected: &str) {
        let program = program("a.c");
        let summary = Summary {
            program: &program,
            outcome,
            found,
            tests: 3,
            directory: "out",
            to_go_on: "run without --exit-on-error",
            with_times: false,
        };
        assert_eq!(summary.render(Style::Plain), expected);
    }

    #[test]
    fn a_complete_run() {
        check(
            &outcome(),
            &[],
            "No errors: all 3 paths explored to the end.\n\
             Paths: 3 completed.\n\
             Tests: 3 in out.\n\
             Work: 12,345 instructions, 2 forks.\n\
             Covered: 90% of the program's instructions, 75% of its lines, 66% of its branches, 50% of its blocks.\n",
        );
        let program = program("a.c");
        let outcome = outcome();
        let summary = Summary {
            program: &program,
            outcome: &outcome,
            found: &[],
            tests: 3,
            directory: "out",
            to_go_on: "run without --exit-on-error",
            with_times: true,
        };
        let time = "Time: 100ms, 30% of it in the solver; 123.5 k instructions/s; 20.0 MiB of memory.\n";
        assert!(summary.render(Style::Plain).ends_with(time));
    }

    #[test]
    fn what_is_missing_comes_with_the_option_that_helps() {
        let mut outcome = outcome();
        outcome.paths.limited = 2;
        outcome.paths.approximate = 1;
        outcome.stop = Some(Stop::MaxTime);
        outcome.open = vec![OpenGroup { loc: at(4, 2), states: 1000 }, OpenGroup { loc: at(5, 2), states: 1 }];
        outcome.open_states = 1001;
        let cut = |kind, reason, paths| CutGroup { kind, reason, loc: at(3, 1), paths };
        let assembly = Unsupported::Construct("inline assembly `cpuid`".into());
        outcome.cuts = vec![
            cut(CutKind::Limit, CutReason::MaxDepth(5), 2),
            cut(CutKind::Unsupported, CutReason::Unsupported(assembly), 1),
            cut(CutKind::SolverUnknown, CutReason::Solver(Reason::Timeout), 1),
        ];
        outcome.approximations = vec![{
            let (direction, cause) = (Direction::Under, Cause::Library("forking was switched off".into()));
            ApproximationGroup { approximation: Approximation { direction, cause }, paths: 1 }
        }];
        assert_eq!(outcome.exit_code(), 5);
        check(
            &outcome,
            &[],
            "No errors found, but not everything was explored.\n\
             Paths: 3 completed, 2 cut by a limit, 1,001 still open.\n\
             Not explored:\n  \
               1,001 paths were open when time was up (1,000 at a.c:4:2, 1 at a.c:5:2); raise --max-time to go on.\n  \
               2 paths cut at a.c:3:1: the path forks more than 5 times (--max-depth); raise --max-depth to follow them.\n  \
               1 path not supported at a.c:3:1: inline assembly `cpuid`.\n  \
               1 path undecided at a.c:3:1: the solver ran out of time; try a larger --max-solver-time or another --solver-command.\n  \
               1 path is inexact: forking was switched off.\n\
             Tests: 3 in out.\n\
             Work: 12,345 instructions, 2 forks.\n\
             Covered: 90% of the program's instructions, 75% of its lines, 66% of its branches, 50% of its blocks.\n",
        );
    }

    #[test]
    fn errors_come_first() {
        let mut outcome = outcome();
        outcome.paths.errors = 4;
        outcome.distinct_errors = 1;
        assert_eq!(outcome.exit_code(), 10);
        let found = [Found { kind: "ptr", place: Place::new(&program("a.c"), at(3, 5)), test: "test000002".into() }];
        check(
            &outcome,
            &found,
            "Found 1 error.\n  \
               ptr at a.c:3:5 (test000002)\n\
             Paths: 3 completed, 4 ended in an error.\n\
             Tests: 3 in out.\n\
             Work: 12,345 instructions, 2 forks.\n\
             Covered: 90% of the program's instructions, 75% of its lines, 66% of its branches, 50% of its blocks.\n",
        );
    }
}
