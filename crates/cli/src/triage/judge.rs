//! What is said of an alarm, from what its exploration found.
//!
//! Confirmed is what an executed path shows, refuted what a proof excludes, and whatever was cut,
//! left out, assumed or not looked for makes a refutation one within bounds, or none.

use crate::triage::explore::Explored;
use crate::triage::plan::{Aim, Asked, Group, Plan};
use crate::triage::{behind, claims, flows};
use espalier_alarms::{self as alarms, Alarm, NoFault, Place, Scope, Step, Verdict, Word};
use espalier_engine::{Confirmation, FaultKind, FaultSet, Line, Outcome, Program, Proof, Stop, Violation, Wants};
use espalier_report::{FoundError, approximation_text, chain_cut_text, cut_text, fault_text};

/// What verdicts rest on, beside the explorations.
pub(crate) struct Grounds {
    /// Which environments were looked at, if not all.
    pub(crate) environment: Option<String>,
    /// The bounds on loops, in words.
    pub(crate) bounds: String,
    /// The paths on which allocations fail, in words; `None` if they never do.
    pub(crate) failing_allocations: Option<String>,
    /// Without a `main`: the function that paths begin with.
    pub(crate) begins_with: Option<String>,
}

impl Grounds {
    /// The verdict on an alarm in one exploration.
    pub(crate) fn judge(&self, group: Group, alarm: &Alarm, asked: Asked, explored: &Explored) -> Verdict {
        let aim = match explored.plan.aims.get(&alarm.index) {
            Some(Ok(aim)) => aim,
            Some(Err(why)) => return Verdict::new(Word::Open, why.clone()),
            None => return Verdict::new(Word::Open, "it was not asked about"),
        };
        let Some(finished) = &explored.finished else { return Verdict::new(Word::Open, "nothing was explored") };
        let (outcome, program) = (&finished.outcome, &*finished.program);
        if outcome.failure().is_some() {
            return Verdict::new(Word::Open, "something went wrong inside of Espalier; see above");
        }
        let shows = |error: &&FoundError| aim.error.is_some_and(|target| error.targets.contains(&target));
        if let Some(error) = finished.errors.iter().filter(shows).min_by_key(|error| error.doubt.is_some()) {
            return match &self.begins_with {
                None => self.confirmed(program, error, explored),
                Some(function) => possible(program, error, function),
            };
        }
        if let Some((place, why)) = &aim.place
            && outcome.reached_targets.contains_key(place)
        {
            return place_reached(asked, (*place, why), explored);
        }
        let refuted = match &self.begins_with {
            None => self.refuted(group, alarm, aim, explored),
            Some(function) => Err(why_not_possible(program, outcome, function)),
        };
        refuted.unwrap_or_else(|why| {
            let is_passed = aim.error.is_some_and(|target| outcome.passed_targets.contains(&target));
            let reached = if is_passed { "its place is reached; " } else { "" };
            let steps = flows::progress_text(program, outcome, alarm).filter(|_| !is_passed);
            let steps = steps.map_or_else(String::new, |steps| format!("; {steps}"));
            Verdict::new(Word::Open, format!("{reached}{why}{steps}"))
        })
    }

    /// What a path shows.
    fn confirmed(&self, program: &Program, error: &FoundError, explored: &Explored) -> Verdict {
        let FoundError { violation, test, doubt, .. } = error;
        let message = fault_text(program, &violation.fault);
        let confirmation = match test {
            Some(test) => explored.native.confirm_error(test, violation.kind(), doubt.is_some()),
            None => Confirmation::NoTest,
        };
        let native = confirmation_text(&confirmation);
        let (word, how) = match doubt.as_ref().filter(|_| !confirmation.is_confirmed()) {
            None if confirmation.is_confirmed() => (Word::Confirmed, format!("{message}; {native}")),
            None => (Word::Confirmed, format!("{message}; by symbolic execution alone: {native}")),
            Some(doubt) => {
                let doubt = approximation_text(doubt);
                (
                    Word::Open,
                    format!("a path fails there that may be none of the program's ({doubt}): {message}; {native}"),
                )
            }
        };
        Verdict {
            test: test.as_ref().map(|test| test.display().to_string()),
            function: violation.stack.iter().find(|frame| !frame.is_runtime).map(|frame| frame.function.clone()),
            path: steps(program, violation, &message),
            ..Verdict::new(word, how)
        }
    }

    /// The proof that the alarm is none; why there is no such proof, else.
    fn refuted(&self, group: Group, alarm: &Alarm, aim: &Aim, explored: &Explored) -> Result<Verdict, String> {
        let finished = explored.finished.as_ref().ok_or("nothing was explored")?;
        let (outcome, program) = (&finished.outcome, &*finished.program);
        let target = aim.place.as_ref().map(|(place, _)| *place).or(aim.error);
        let cuts = outcome.backward.as_ref().map(|backward| &backward.cuts);
        let cut = target.and_then(|target| cuts?.get(&target));
        let proof = match cut {
            Some(_) => Proof::Complete,
            None => outcome.proof().ok_or_else(|| why_open(program, outcome))?,
        };
        let faults = faults_of(aim, &explored.plan);
        if aim.error.is_some_and(|target| outcome.close_targets.contains(&target)) {
            return Err(close_errors(program, &finished.errors, aim));
        }
        if self.failing_allocations.is_none() && faults.contains(FaultKind::Null) && alarms::involves_allocation(alarm)
        {
            return Err("no path fails there as long as allocations succeed; --alloc-fail=sites lets them fail".into());
        }
        let mut only_if = Vec::new();
        if proof == Proof::WithinBounds {
            only_if.push(format!("within {}", self.bounds));
        }
        match cut {
            // It is about all states in which the functions are called.
            Some(cut) => {
                only_if.extend(cut.conditions.iter().map(|given| format!("if {}", approximation_text(given))));
                let errors = (cut.other_errors > 0).then(|| cut.functions.join("(), "));
                only_if.extend(errors.map(|names| format!("if no path goes on after another error in {names}()")));
            }
            None => {
                only_if.extend(self.environment.iter().map(|environment| format!("for {environment}")));
                only_if.extend(outcome.conditions().map(|given| format!("if {}", approximation_text(given))));
            }
        }
        if claims::allocates(program) {
            only_if.push(match &self.failing_allocations {
                None => "as long as allocations succeed".to_owned(),
                Some(failing) => failing.clone(),
            });
        }
        // What is lost is found out when the program ends: that is behind every error.
        let places = (!faults.contains(FaultKind::Leak)).then_some(&aim.lines[..]);
        let passed = behind::that_lead_on(program, &finished.errors, places);
        let passed_over: Vec<String> = passed.into_iter().map(|error| place(program, error)).collect();
        if !passed_over.is_empty() {
            only_if.push(format!("if no path goes on after the error at {}", passed_over.join(", ")));
        }
        if aim.place.is_none() && group == Group::Main && faults.contains(FaultKind::OutOfBounds) {
            only_if.push("as far as whole objects go: an array inside of one is not told apart".to_owned());
        }
        let what = if aim.place.is_none() { "no path fails so there" } else { "no path comes there" };
        let (scope, how) = match only_if.is_empty() {
            true => match cut {
                None => (Scope::Complete, format!("{what}: a complete proof")),
                Some(cut) => {
                    (Scope::Complete, format!("{what}: a complete proof ({})", chain_cut_text(&cut.functions)))
                }
            },
            false => (Scope::Bounded, format!("{what}, {}", only_if.join(", "))),
        };
        let how = match flows::missing_text(program, outcome, alarm, &aim.lines) {
            Some(missing) => format!("{how}; {missing}"),
            None => how,
        };
        Ok(Verdict { scope: Some(scope), ..Verdict::new(Word::Refuted, how) })
    }
}

/// What a path from a function that is run by itself shows.
fn possible(program: &Program, error: &FoundError, function: &str) -> Verdict {
    let message = fault_text(program, &error.violation.fault);
    let how = match &error.doubt {
        Some(doubt) => {
            format!("{message}, from {function} on what is made up for its parameters ({})", approximation_text(doubt))
        }
        None => format!("{message}, from {function} by itself; nothing is known of its callers"),
    };
    Verdict {
        function: Some(function.to_owned()),
        precondition: error.precondition.clone(),
        test: error.test.as_ref().map(|test| test.display().to_string()),
        ..Verdict::new(Word::Possible, how)
    }
}

fn why_not_possible(program: &Program, outcome: &Outcome, function: &str) -> String {
    match outcome.proof() {
        None => format!("from {function}: {}", why_open(program, outcome)),
        Some(_) => {
            format!("no path from {function} by itself fails there; that is no proof without a program that calls it")
        }
    }
}

/// The faults that are asked about.
fn faults_of(aim: &Aim, plan: &Plan) -> FaultSet {
    let target = aim.error.and_then(|target| plan.targets.get(target as usize));
    match target.map(|target| &target.wants) {
        Some(Wants::Error { faults, .. }) => *faults,
        _ => FaultSet::default(),
    }
}

/// An alarm that no execution confirms, or that none was seen to confirm, at a place that one comes
/// to.
fn place_reached(asked: Asked, (place, why): (u32, &str), explored: &Explored) -> Verdict {
    let reached = explored.finished.iter().flat_map(|finished| &finished.reached);
    let reached = reached.filter(|reached| reached.target == place).min_by_key(|reached| reached.doubt.is_some());
    let test = reached.map(|reached| reached.test.clone()).filter(|test| test.exists());
    let native = test.as_ref().map(|test| confirmation_text(&explored.native.confirm_place(test, place)));
    let native = native.map_or_else(String::new, |native| format!(" ({native})"));
    let word = match asked {
        Asked::Place(NoFault::NotConfirmable) => Word::NotConfirmable,
        Asked::Place(NoFault::Unknown) | Asked::Faults(_) => Word::Open,
    };
    let test = test.map(|test| test.display().to_string());
    Verdict { test, ..Verdict::new(word, format!("its place is reached{native}; {why}")) }
}

/// Verdicts of the same alarm in several explorations, put together.
pub(crate) fn together(verdicts: Vec<Verdict>) -> Verdict {
    let rank = |verdict: &Verdict| match (verdict.word, verdict.scope) {
        (Word::Refuted, Some(Scope::Complete)) => 5,
        (word, _) => word as u8,
    };
    let first = verdicts.into_iter().min_by_key(rank);
    first.unwrap_or_else(|| Verdict::new(Word::Open, "it was not asked about"))
}

fn confirmation_text(confirmation: &Confirmation) -> String {
    match confirmation {
        Confirmation::Confirmed(how) => format!("confirmed natively: {how}"),
        Confirmation::NotConfirmed(why) => format!("NOT shown natively: {why}"),
        Confirmation::NotTried(why) => format!("not run natively: {why}"),
        Confirmation::NoTest => "there is no test: the solver found no input".into(),
        Confirmation::EndedByForce => "the run was ended by force".into(),
    }
}

fn close_errors(program: &Program, errors: &[FoundError], aim: &Aim) -> String {
    let is_near = |line: &Line| aim.lines.contains(line) || aim.around.contains(line);
    let there = errors.iter().filter(|error| is_near(&Line::of(&error.violation.loc)));
    let mut texts: Vec<String> = there
        .map(|error| {
            let column = error.violation.loc.column;
            format!("{} ({}, column {column})", fault_text(program, &error.violation.fault), place(program, error))
        })
        .collect();
    texts.sort();
    texts.dedup();
    match texts.is_empty() {
        true => "the line fails on a path that also fails elsewhere, and one test shows one error".to_owned(),
        false => format!("something like it fails there: {}", texts.join("; ")),
    }
}

/// Why nothing is proved: what costs most first.
fn why_open(program: &Program, outcome: &Outcome) -> String {
    let stop = match outcome.stop {
        Some(Stop::MaxTime) => Some("the time was up (--max-time)".to_owned()),
        Some(Stop::MaxMemory) => Some("the memory was used up (--max-memory)".to_owned()),
        Some(Stop::MaxInstructions) => Some("so many instructions were executed (--max-instructions)".to_owned()),
        Some(Stop::Interrupted) => Some("the run was interrupted".to_owned()),
        Some(stop) => Some(format!("the run was stopped ({stop:?})")),
        None => None,
    };
    if let Some(stop) = stop {
        return format!("not everything was explored: {stop}, with {} paths unfinished", outcome.open_states);
    }
    if let Some(cut) = outcome.cuts.first() {
        let line = match cut.loc.is_known() {
            true => format!(" at {}:{}", program.file_name(cut.loc.file), cut.loc.line),
            false => String::new(),
        };
        return format!("{} paths were cut short{line}: {}", cut.paths, cut_text(&cut.reason));
    }
    let inexact = outcome.approximations.iter().find(|group| group.approximation.direction.endangers_proofs());
    match inexact {
        Some(group) => {
            format!("no path fails there, but paths are inexact: {}", approximation_text(&group.approximation))
        }
        None => "not everything was explored".to_owned(),
    }
}

/// `FILE:LINE` of an error.
pub(crate) fn place(program: &Program, error: &FoundError) -> String {
    let loc = error.violation.loc;
    match loc.is_known() {
        true => format!("{}:{}", program.file_name(loc.file), loc.line),
        false => "an unknown place".to_owned(),
    }
}

/// The calls that lead to an error, outermost first, and the error.
fn steps(program: &Program, violation: &Violation, message: &str) -> Vec<Step> {
    let frames = violation.stack.iter().filter(|frame| !frame.is_runtime && frame.loc.is_known());
    let calls = frames
        .skip(1)
        .map(|frame| Step { place: place_of(program, frame.loc), message: format!("called in {}", frame.function) });
    let mut steps: Vec<Step> = calls.collect();
    steps.reverse();
    steps.push(Step { place: place_of(program, violation.loc), message: message.to_owned() });
    steps
}

fn place_of(program: &Program, loc: espalier_engine::Loc) -> Place {
    let file = if loc.is_known() { program.file_name(loc.file).to_owned() } else { String::new() };
    let column = (loc.column != 0).then_some(loc.column);
    Place { file, line: loc.line, column, ..Place::default() }
}
