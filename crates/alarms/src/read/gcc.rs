//! gcc's own JSON (`-fdiagnostics-format=json`, gcc 9 to 14): an array of diagnostics for each
//! compilation, on a line.
//!
//! Notes that belong to a warning are its children, or, where the warning was not grouped with
//! them, diagnostics behind it. The analyser's path is an array of events.

use super::Report;
use super::text::plain_rule;
use crate::{Alarm, Place, Step};
use sarif::Level;
use serde::Deserialize;

#[derive(Deserialize)]
struct Diagnostic {
    kind: String,
    message: String,
    option: Option<String>,
    metadata: Option<Metadata>,
    #[serde(default)]
    locations: Vec<Extent>,
    #[serde(default)]
    path: Vec<Event>,
    #[serde(default)]
    children: Vec<Diagnostic>,
}

#[derive(Deserialize)]
struct Metadata {
    cwe: Option<u32>,
}

#[derive(Deserialize)]
struct Extent {
    caret: Point,
    start: Option<Point>,
    finish: Option<Point>,
}

#[derive(Deserialize)]
struct Point {
    file: String,
    line: u32,
    column: Option<u32>,
}

#[derive(Deserialize)]
struct Event {
    location: Option<Point>,
    description: String,
    function: Option<String>,
}

/// Does it begin with an array, or have a line that does (with other output of a build around it)?
pub(super) fn is_json(text: &str) -> bool {
    text.trim_start().starts_with('[') || text.lines().any(is_array)
}

fn is_array(line: &str) -> bool {
    line.starts_with("[{\"") || line == "[]"
}

pub(super) fn read(text: &str) -> Result<Report, String> {
    let mut report = Report::default();
    if text.trim_start().starts_with('[') && !text.lines().next().is_some_and(is_array) {
        read_arrays(text, 1, &mut report)?;
    } else {
        for (line, number) in text.lines().zip(1..).filter(|(line, _)| is_array(line)) {
            read_arrays(line, number, &mut report)?;
        }
    }
    Ok(report)
}

fn read_arrays(text: &str, line: usize, report: &mut Report) -> Result<(), String> {
    for diagnostics in serde_json::Deserializer::from_str(text).into_iter::<Vec<Diagnostic>>() {
        let at = |error: &serde_json::Error| line + error.line() - error.line().min(1);
        for diagnostic in diagnostics.map_err(|error| format!("line {}: {error}", at(&error)))? {
            diagnostic.read(report);
        }
    }
    Ok(())
}

impl Diagnostic {
    fn read(self, report: &mut Report) {
        if self.kind == "note" {
            match report.alarms.last_mut() {
                Some(alarm) => add_notes(alarm, vec![self]),
                None => report.warnings.push(format!("a note belongs to no warning: {}", self.message)),
            }
            return;
        }
        let function = self.path.iter().rev().find_map(|event| event.function.clone());
        let mut alarm = Alarm {
            tool: "gcc".to_owned(),
            rule: self.option.as_deref().map(plain_rule),
            message: self.message,
            level: if self.kind == "warning" { Level::Warning } else { Level::Error },
            cwes: self.metadata.and_then(|metadata| metadata.cwe).into_iter().collect(),
            place: self.locations.first().and_then(Extent::place),
            function,
            ..Alarm::default()
        };
        for event in self.path {
            if let Some(place) = event.location.and_then(Point::place) {
                alarm.add_step(Step { place, message: event.description });
            }
        }
        add_notes(&mut alarm, self.children);
        report.alarms.push(alarm);
    }
}

/// Where there is no path, notes say how it comes about.
fn add_notes(alarm: &mut Alarm, notes: Vec<Diagnostic>) {
    let has_path = alarm.rule.as_deref().is_some_and(|rule| rule.starts_with("-Wanalyzer-")) && !alarm.flows.is_empty();
    if has_path {
        return;
    }
    for note in notes {
        if let Some(place) = note.locations.first().and_then(Extent::place) {
            alarm.add_step(Step { place, message: note.message });
        }
    }
}

impl Point {
    fn place(self) -> Option<Place> {
        let column = self.column.filter(|&column| column > 0);
        (self.line > 0).then_some(Place { file: self.file, line: self.line, column, ..Place::default() })
    }
}

impl Extent {
    /// From its start, which the caret need not be.
    fn place(&self) -> Option<Place> {
        let start = self.start.as_ref().filter(|start| start.file == self.caret.file).unwrap_or(&self.caret);
        let finish = self.finish.as_ref().filter(|finish| finish.file == self.caret.file);
        (start.line > 0).then(|| Place {
            file: start.file.clone(),
            line: start.line,
            column: start.column.filter(|&column| column > 0),
            end_line: finish.map(|finish| finish.line),
            end_column: finish.and_then(|finish| finish.column?.checked_add(1)),
        })
    }
}
