//! The explorations of a triage: one for each group of alarms, on the program that it takes.

use crate::native::{ErrorBuilds, MarkedBuild};
use crate::run::{Closing, Finished, explore_loaded, fail};
use crate::triage::plan::{Asked, Group, Plan};
use crate::triage::subject::Subject;
use crate::{command, settings};
use clap::ArgMatches;
use espalier_alarms::Alarm;
use espalier_analysis::targets;
use espalier_base::OptionalLimit;
use espalier_engine::{
    Approach, Confirmation, ExternalCalls, Input, Loaded, Only, Outcome, Stop, Tests, ViolationKind, Wants, exit_code,
};
use espalier_frontend::Mark;
use espalier_report::Confirm;
use std::cell::OnceCell;
use std::ffi::OsString;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// A group of alarms, and what came of asking about them.
pub(crate) struct Explored {
    pub(crate) plan: Plan,
    /// Nothing, if none of the alarms is anywhere in the program.
    pub(crate) finished: Option<Finished>,
    pub(crate) native: Rc<Native>,
}

impl Explored {
    pub(crate) fn outcome(&self) -> Option<&Outcome> {
        self.finished.as_ref().map(|finished| &finished.outcome)
    }

    pub(crate) fn is_interrupted(&self) -> bool {
        self.outcome().is_some_and(|outcome| outcome.stop == Some(Stop::Interrupted))
    }
}

/// One exploration of several.
#[derive(Copy, Clone)]
pub(crate) struct Run<'a> {
    pub(crate) group: Group,
    /// Without a `main`: the function that it begins with.
    pub(crate) begins_with: Option<&'a str>,
    /// So many share the time that is left, with this one.
    pub(crate) runs_left: u32,
}

/// What all explorations share.
pub(crate) struct Explorer<'a> {
    pub(crate) matches: &'a ArgMatches,
    pub(crate) command_line: &'a [OsString],
    pub(crate) subject: &'a Subject,
    pub(crate) deadline: Option<Instant>,
}

impl Explorer<'_> {
    /// Asks about alarms of one group.
    pub(crate) fn explore(&self, run: Run<'_>, mut loaded: Loaded, asked: &[(&Alarm, Asked)]) -> Result<Explored, i32> {
        let Run { group, begins_with, runs_left } = run;
        let plan = Plan::new(&loaded.program, asked.iter().copied());
        let marks: Vec<Option<Mark>> = plan.targets.iter().map(|target| target.mark.clone()).collect();
        let input = self.subject.input_of(group).map_err(|error| fail(exit_code::INPUT, error))?;
        let native = Rc::new(Native::new(&input, marks));
        if plan.targets.is_empty() {
            return Ok(Explored { plan, finished: None, native });
        }
        let sites: Vec<_> = plan.targets.iter().map(|target| target.sites.clone()).collect();
        targets::insert(&mut loaded.program, &sites);
        let mut config = settings::config(self.matches);
        config.only = Only::Targets;
        // What lasts does not show in one function, and one that is run by itself has no callers.
        if group == Group::Lasting || begins_with.is_some() {
            config.approach = Approach::Forward;
        }
        config.tests = Tests::Errors;
        config.exit_on_error = false;
        config.emit_all_errors = false;
        config.exec.check_div_zero = true;
        config.exec.check_overshift = true;
        config.exec.wants = plan.wants();
        config.flows = plan.targets.iter().map(|target| target.flows.clone()).collect();
        config.exec.program_name = self.subject.name();
        config.give(&loaded, &self.subject.items);
        if group == Group::Lasting {
            let wants = |kind| config.exec.wants.iter().any(|wants| wants_fault(wants, kind));
            let (leaks, uninit) = (wants(espalier_engine::FaultKind::Leak), wants(espalier_engine::FaultKind::Uninit));
            config.interpolation = None;
            (config.exec.check_leaks, config.exec.check_uninit) = (leaks, uninit);
            if uninit && config.exec.external_calls == ExternalCalls::Havoc {
                // What it makes unknown could not be told from what was never written.
                config.exec.external_calls = ExternalCalls::None;
            }
        }
        let left = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        config.limits.max_time = left.map(|left| (left / runs_left.max(1)).max(Duration::from_millis(100)));
        let mut report = settings::report(self.matches, self.command_line, command::version());
        report.output_dir = report.output_dir.map(|dir| match begins_with {
            None => dir.join(group.name()),
            Some(function) => dir.join(format!("{}-{function}", group.name())),
        });
        report.program_args = self.subject.program_args();
        let confirm = native.as_confirm();
        let closing = cut_short(asked.len());
        let finished = explore_loaded(self.matches, loaded, config, report, Some(confirm), closing)?;
        Ok(Explored { plan, finished: Some(finished), native })
    }
}

fn wants_fault(wants: &Wants, kind: espalier_engine::FaultKind) -> bool {
    matches!(wants, Wants::Error { faults, .. } if faults.contains(kind))
}

/// Until when the explorations of a triage may go on.
pub(crate) fn deadline(matches: &ArgMatches) -> Option<Instant> {
    let limit = matches.get_one::<Duration>("max-time").copied().and_then(OptionalLimit::limit);
    limit.map(|limit| Instant::now() + limit)
}

/// What is said if a run has to be ended by force: nothing is known of the alarms then.
fn cut_short(alarms: usize) -> Closing {
    Box::new(move |_, _| {
        let text = format!("the run did not stop when it should, and was ended by force: {alarms} alarms stay open");
        fail(exit_code::INCOMPLETE, text)
    })
}

/// The native builds of one exploration, each made when it is first needed.
pub(crate) struct Native {
    input: Input,
    errors: ErrorBuilds,
    /// By target.
    marks: Vec<Option<Mark>>,
    marked: OnceCell<MarkedBuild>,
}

impl Native {
    fn new(input: &Input, marks: Vec<Option<Mark>>) -> Native {
        Native { input: input.clone(), errors: ErrorBuilds::new(input), marks, marked: OnceCell::new() }
    }

    pub(crate) fn confirm_error(&self, test: &Path, kind: ViolationKind, is_in_doubt: bool) -> Confirmation {
        self.errors.confirm(test, kind.name(), is_in_doubt)
    }

    /// Does the test lead to the place of this target?
    pub(crate) fn confirm_place(&self, test: &Path, target: u32) -> Confirmation {
        let mut marks: Vec<Mark> = Vec::new();
        for mark in self.marks.iter().flatten() {
            if !marks.contains(mark) {
                marks.push(mark.clone());
            }
        }
        let wanted = self.marks.get(target as usize).and_then(Option::as_ref);
        let Some(number) = wanted.and_then(|wanted| marks.iter().position(|mark| mark == wanted)) else {
            return Confirmation::NotTried("it has no place in the source".into());
        };
        self.marked.get_or_init(|| MarkedBuild::new(&self.input, &marks)).confirm(test, number)
    }

    /// For what is in doubt while it is explored.
    fn as_confirm(self: &Rc<Native>) -> Confirm {
        let native = Rc::clone(self);
        Box::new(move |test, kind| match kind {
            ViolationKind::Target(target) => native.confirm_place(test, target).is_confirmed(),
            _ => native.confirm_error(test, kind, true).is_confirmed(),
        })
    }
}
