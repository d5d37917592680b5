//! The ways on which a tool thinks that a program comes to an alarm.
//!
//! They draw the search and require nothing: tools leave steps out, and join what no path goes
//! through in one. Afterwards they say how far the search came, by the lines that were covered. A
//! step that was not is one that no explored path went through; pruned paths might have.

use crate::triage::plan;
use espalier_alarms::Alarm;
use espalier_engine::{Line, Outcome, Program};
use std::collections::BTreeMap;

/// Steps beyond this many are not looked at: those nearest to the alarm count.
const MOST_STEPS: usize = 64;

/// A step with code.
pub(crate) struct Step {
    pub(crate) line: Line,
    message: String,
}

/// How far explored paths came along a flow.
struct Progress<'s> {
    reached: usize,
    steps: usize,
    missing: Option<&'s Step>,
}

/// The flows of an alarm, without steps that have no code.
pub(crate) fn of(program: &Program, alarm: &Alarm) -> Vec<Vec<Step>> {
    let mut with_code = BTreeMap::new();
    let flows = alarm.flows.iter().map(|flow| {
        let steps = &flow[flow.len().saturating_sub(MOST_STEPS)..];
        let steps = steps.iter().filter_map(|step| {
            let line = *plan::lines_of(program, &step.place).ok()?.first()?;
            let lines = with_code
                .entry(line.file)
                .or_insert_with(|| espalier_analysis::targets::lines_with_code(program, line.file));
            let message = step.message.lines().next().unwrap_or_default().trim().to_owned();
            lines.contains(&line.line).then_some(Step { line, message })
        });
        steps.collect::<Vec<Step>>()
    });
    flows.filter(|steps| !steps.is_empty()).collect()
}

/// How many steps were reached of the flow on which paths came farthest, and the first that none
/// came to.
pub(crate) fn progress_text(program: &Program, outcome: &Outcome, alarm: &Alarm) -> Option<String> {
    let flows = of(program, alarm);
    let Progress { reached, steps, missing } =
        flows.iter().map(|flow| progress(outcome, flow)).max_by_key(|progress| progress.reached)?;
    Some(match missing {
        None => format!("all {steps} steps of its flow were reached"),
        Some(step) => format!("{reached} of {steps} steps were reached; never {}", text(program, step)),
    })
}

/// The first step of a flow that no explored path came to, if that is before the alarm's own place.
pub(crate) fn missing_text(program: &Program, outcome: &Outcome, alarm: &Alarm, lines: &[Line]) -> Option<String> {
    let flows = of(program, alarm);
    let missing = flows.iter().find_map(|flow| progress(outcome, flow).missing)?;
    (!lines.contains(&missing.line)).then(|| format!("no explored path comes to {}", text(program, missing)))
}

fn progress<'s>(outcome: &Outcome, flow: &'s [Step]) -> Progress<'s> {
    let is_reached = |step: &&Step| {
        let lines = outcome.files.get(&step.line.file).map(|file| &file.lines);
        lines.and_then(|lines| lines.get(&step.line.line)).is_some_and(|&count| count > 0)
    };
    let reached = flow.iter().filter(is_reached).count();
    Progress { reached, steps: flow.len(), missing: flow.iter().find(|step| !is_reached(step)) }
}

fn text(program: &Program, step: &Step) -> String {
    let place = format!("{}:{}", program.file_name(step.line.file), step.line.line);
    match step.message.is_empty() {
        true => place,
        false => format!("`{}` ({place})", step.message),
    }
}
