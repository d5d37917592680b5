//! What a triage prints and writes: a line for each alarm, sorted by verdict, and totals; events;
//! SARIF with the verdicts in it.

use crate::run::fail;
use crate::triage::judge::place;
use crate::triage::{Explored, warn};
use clap::ArgMatches;
use espalier_alarms::{Alarm, Alarms, Scope, Shown, Verdict, Word, annotate};
use espalier_engine::exit_code;
use espalier_report::{Event, fault_text, grouped_plural};
use std::io::Write;
use std::path::PathBuf;

/// Errors that were met and no alarm is about, each as `FILE:LINE  what (test)`.
pub(super) fn found_on_the_way(explored: &Explored) -> Vec<String> {
    let finished = explored.finished.iter();
    let lines = finished.flat_map(|finished| {
        let others = finished.errors.iter().filter(|error| error.targets.is_empty());
        others.map(|error| {
            let test = error.test.as_ref().map_or_else(String::new, |test| format!(" ({})", test.display()));
            let message = fault_text(&finished.program, &error.violation.fault);
            let doubt = if error.doubt.is_some() { " (in doubt)" } else { "" };
            format!("{}  {message}{doubt}{test}", place(&finished.program, error))
        })
    });
    lines.collect()
}

/// Prints and writes all that was found out, and gives the exit code.
pub(super) fn write(
    matches: &ArgMatches,
    alarms: &Alarms,
    verdicts: &[Option<Verdict>],
    on_the_way: &[String],
) -> Result<i32, i32> {
    for (option, shown) in [("sarif", Shown::All), ("sarif-open", Shown::Open)] {
        let Some(path) = matches.get_one::<PathBuf>(option) else { continue };
        let (document, warnings) = annotate(alarms, verdicts, shown).into_one(shown);
        warn(&warnings);
        std::fs::write(path, document.to_text())
            .map_err(|error| fail(exit_code::INTERNAL, format!("--{option}={}: {error}", path.display())))?;
    }
    let judged: Vec<(&Alarm, &Verdict)> =
        alarms.alarms.iter().zip(verdicts).filter_map(|(alarm, verdict)| Some((alarm, verdict.as_ref()?))).collect();
    let totals = Totals::of(judged.iter().map(|(_, verdict)| *verdict));
    let text = match matches.get_flag("json") {
        true => events(&judged, &totals, on_the_way),
        false => table(judged, &totals, on_the_way),
    };
    write!(std::io::stdout(), "{text}").map_err(|_| exit_code::INTERNAL)?;
    let fail_on = matches.get_one::<String>("fail-on").map(String::as_str);
    Ok(totals.exit_code(fail_on))
}

/// How many alarms have which verdict.
#[derive(Default)]
struct Totals {
    confirmed: u64,
    possible: u64,
    open: u64,
    not_confirmable: u64,
    refuted: u64,
    /// Of those that are refuted.
    bounded: u64,
}

impl Totals {
    fn of<'a>(verdicts: impl Iterator<Item = &'a Verdict>) -> Totals {
        let mut totals = Totals::default();
        for verdict in verdicts {
            *match verdict.word {
                Word::Confirmed => &mut totals.confirmed,
                Word::Possible => &mut totals.possible,
                Word::Open => &mut totals.open,
                Word::NotConfirmable => &mut totals.not_confirmable,
                Word::Refuted => &mut totals.refuted,
            } += 1;
            let is_bounded = verdict.word == Word::Refuted && verdict.scope != Some(Scope::Complete);
            totals.bounded += u64::from(is_bounded);
        }
        totals
    }

    fn all(&self) -> u64 {
        self.confirmed + self.possible + self.open + self.not_confirmable + self.refuted
    }

    fn exit_code(&self, fail_on: Option<&str>) -> i32 {
        let is_open = self.possible + self.open > 0;
        let fails = match fail_on {
            Some("never") => return exit_code::CLEAN,
            Some("confirmed") => return if self.confirmed > 0 { exit_code::FOUND } else { exit_code::CLEAN },
            Some("possible") => self.possible > 0,
            Some("open") => is_open,
            _ => is_open || self.bounded > 0,
        };
        match (self.confirmed > 0, fails) {
            (true, _) => exit_code::FOUND,
            (false, true) => exit_code::INCOMPLETE,
            (false, false) => exit_code::CLEAN,
        }
    }

    fn text(&self) -> String {
        let bounded = if self.bounded > 0 { format!(" ({} within bounds)", self.bounded) } else { String::new() };
        let parts = [
            (self.confirmed, "confirmed".to_owned()),
            (self.possible, "possible".to_owned()),
            (self.open, "open".to_owned()),
            (self.not_confirmable, "not confirmable".to_owned()),
            (self.refuted, format!("refuted{bounded}")),
        ];
        let parts: Vec<String> =
            parts.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
        format!("{}: {}", grouped_plural(self.all(), "alarm"), parts.join(", "))
    }
}

fn table(mut judged: Vec<(&Alarm, &Verdict)>, totals: &Totals, on_the_way: &[String]) -> String {
    judged.sort_by_key(|(alarm, verdict)| (verdict.word, verdict.is_complete_refutation(), alarm.index));
    let rows: Vec<[String; 3]> = judged.iter().map(|(alarm, verdict)| row(alarm, verdict)).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let (first, second) = (width(0), width(1));
    let mut text = String::new();
    for group in groups(&judged) {
        for (at, &number) in group.iter().enumerate() {
            let [word, place, says] = &rows[number];
            text += format!("{word:first$}  {place:second$}  {says}").trim_end();
            text += "\n";
            let is_last_like_this =
                group.get(at + 1).is_none_or(|&next| explanation(judged[next].1) != explanation(judged[number].1));
            if is_last_like_this {
                text += &explanation(judged[number].1);
            }
        }
        let test = group.first().and_then(|&number| judged[number].1.test.as_ref());
        text += &test.map_or_else(String::new, |test| format!("    test: {test}\n"));
    }
    if !on_the_way.is_empty() {
        text += "Errors found on the way, which no alarm is about:\n";
        on_the_way.iter().for_each(|line| text += &format!("    {line}\n"));
    }
    text + &totals.text() + "\n"
}

/// Alarms that one test shows or one proof refutes stand together, each group where its first would
/// stand.
fn groups(judged: &[(&Alarm, &Verdict)]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let belongs = |one: &Verdict, other: &Verdict| {
        let is_alike = one.word == other.word && one.scope == other.scope && one.test == other.test;
        is_alike && (one.test.is_some() || one.word == Word::Refuted && one.how == other.how)
    };
    for (number, (_, verdict)) in judged.iter().enumerate() {
        match groups.iter_mut().find(|group| belongs(judged[group[0]].1, verdict)) {
            Some(group) => group.push(number),
            None => groups.push(vec![number]),
        }
    }
    groups
}

/// What is said below an alarm, without its test.
fn explanation(verdict: &Verdict) -> String {
    let mut text = format!("    {}\n", verdict.how);
    if let Some(precondition) = &verdict.precondition {
        let function = verdict.function.as_deref().unwrap_or("the function");
        text += &format!("    from {function} if {precondition}\n");
    }
    text
}

/// Verdict, place, and what the alarm says.
fn row(alarm: &Alarm, verdict: &Verdict) -> [String; 3] {
    let word = match (verdict.word, verdict.scope) {
        (Word::NotConfirmable, _) => "not confirmable".to_owned(),
        (Word::Refuted, Some(Scope::Bounded)) => "refuted within bounds".to_owned(),
        (word, _) => word.to_string(),
    };
    let place = alarm.place.as_ref().map_or_else(|| "nowhere".to_owned(), ToString::to_string);
    let rule = alarm.rule.clone().unwrap_or_default();
    let message = alarm.message.lines().next().unwrap_or_default();
    let says = if rule.is_empty() || message == rule { message.to_owned() } else { format!("{rule}: {message}") };
    [word, place, if says.is_empty() { rule } else { says }]
}

fn events(judged: &[(&Alarm, &Verdict)], totals: &Totals, on_the_way: &[String]) -> String {
    let mut text = String::new();
    for (alarm, verdict) in judged {
        let event = Event::Alarm {
            index: alarm.index,
            tool: &alarm.tool,
            rule: alarm.rule.as_deref(),
            message: &alarm.message,
            place: alarm.place.as_ref().map(ToString::to_string),
            verdict: verdict.word.name(),
            how: &verdict.how,
            scope: verdict.scope.map(|scope| if scope == Scope::Complete { "complete" } else { "bounded" }),
            test: verdict.test.as_deref(),
            function: verdict.function.as_deref(),
            precondition: verdict.precondition.as_deref(),
        };
        text += &(event.to_json() + "\n");
    }
    let Totals { confirmed, possible, open, not_confirmable, refuted, bounded } = *totals;
    let finished = Event::TriageFinished {
        alarms: totals.all(),
        confirmed,
        possible,
        open,
        not_confirmable,
        refuted,
        refuted_within_bounds: bounded,
        found_on_the_way: on_the_way,
    };
    text + &finished.to_json() + "\n"
}
