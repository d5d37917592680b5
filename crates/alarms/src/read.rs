//! Reports of analysers, of whatever format: what a file is shows in what it contains, not in its
//! name.
//!
//! Each reader gives alarms without number and fingerprint. What is not SARIF becomes a SARIF
//! document of one run here, so that verdicts are written the same way into all of them.

mod cppcheck;
mod gcc;
mod sarif_reader;
mod text;

use crate::Alarm;
use crate::annotate::{location_of, location_of_step};
use crate::fingerprint::Sources;
use sarif::{Document, NewFinding, NewRun};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a report cannot be read.
#[derive(Debug, Error)]
pub enum ReadError {
    #[error("{} cannot be read: {source}", path.display())]
    Io { path: PathBuf, source: std::io::Error },
    #[error("{} looks like SARIF, but {source}", path.display())]
    Sarif { path: PathBuf, source: sarif::ParseError },
    #[error("{} looks like gcc's JSON, but {problem}; write it with -fdiagnostics-format=json", path.display())]
    GccJson { path: PathBuf, problem: String },
    #[error("{} looks like cppcheck's XML, but {problem}; write it with --xml (version 2)", path.display())]
    Cppcheck { path: PathBuf, problem: String },
    #[error(
        "{}, line {line}: \"{text}\" does not begin with FILE:LINE; \
         alarms are SARIF, gcc's JSON, cppcheck's XML, warnings of a compiler, or lines FILE:LINE[:COLUMN][: RULE]",
        path.display()
    )]
    Line { path: PathBuf, line: usize, text: String },
}

/// What a report is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Format {
    Sarif,
    GccJson,
    CppcheckXml,
    /// Warnings as compilers print them.
    Warnings,
    /// `FILE:LINE[:COLUMN][: RULE or text]`
    List,
}

/// A report that was read.
#[derive(Clone, PartialEq, Debug)]
pub struct Input {
    pub path: PathBuf,
    pub format: Format,
    /// The report itself, or what was made of it.
    pub document: Document,
    /// Which of all alarms are from it.
    pub alarms: Range<usize>,
}

/// What a reader makes of a text. What it passed over is said in the warnings.
#[derive(Default)]
struct Report {
    alarms: Vec<Alarm>,
    warnings: Vec<String>,
}

/// The alarms of any number of reports.
#[derive(Clone, Default, Debug)]
pub struct Alarms {
    pub inputs: Vec<Input>,
    pub alarms: Vec<Alarm>,
    /// What the reports have that is no alarm, and what is malformed.
    pub warnings: Vec<String>,
    source_root: Option<PathBuf>,
    sources: Sources,
    /// How often each fingerprint came, without its number.
    fingerprints: BTreeMap<String, usize>,
}

impl Alarms {
    /// Relative paths in reports are below `source_root`, if there is one, and stay relative
    /// otherwise.
    pub fn new(source_root: Option<PathBuf>) -> Alarms {
        Alarms { source_root, ..Alarms::default() }
    }

    pub fn read_file(&mut self, path: &Path) -> Result<(), ReadError> {
        let bytes = std::fs::read(path).map_err(|source| ReadError::Io { path: path.to_owned(), source })?;
        self.read_text(path, &String::from_utf8_lossy(&bytes))
    }

    /// Reads a text that came from `path`, which is only named.
    pub fn read_text(&mut self, path: &Path, text: &str) -> Result<(), ReadError> {
        let text = text.trim_start_matches('\u{feff}');
        let format = format_of(text);
        if format == Format::Sarif {
            let document =
                Document::parse(text).map_err(|source| ReadError::Sarif { path: path.to_owned(), source })?;
            let alarms = sarif_reader::read(&document);
            self.add(path, format, Report { alarms, warnings: Vec::new() }, Some(document));
            return Ok(());
        }
        let report = match format {
            Format::GccJson => gcc::read(text).map_err(|problem| ReadError::GccJson { path: path.to_owned(), problem }),
            Format::CppcheckXml => {
                cppcheck::read(text).map_err(|problem| ReadError::Cppcheck { path: path.to_owned(), problem })
            }
            Format::Warnings => Ok(text::read_warnings(text)),
            Format::Sarif | Format::List => text::read_list(text).map_err(|line| ReadError::Line {
                path: path.to_owned(),
                line,
                text: text.lines().nth(line - 1).unwrap_or_default().chars().take(80).collect(),
            }),
        }?;
        self.add(path, format, report, None);
        Ok(())
    }

    fn add(&mut self, path: &Path, format: Format, report: Report, document: Option<Document>) {
        let first = self.alarms.len();
        let mut alarms = report.alarms;
        for (number, alarm) in alarms.iter_mut().enumerate() {
            alarm.index = first + number;
            alarm.origin.document = self.inputs.len();
            if document.is_none() {
                alarm.origin.result = number;
            }
            alarm.fingerprint = self.fingerprint(alarm);
        }
        let document = document.unwrap_or_else(|| document_of(&alarms));
        if let Some(root) = &self.source_root {
            alarms.iter_mut().for_each(|alarm| place_below(alarm, root));
        }
        self.warnings.extend(report.warnings.iter().map(|warning| format!("{}: {warning}", path.display())));
        self.alarms.extend(alarms);
        self.inputs.push(Input { path: path.to_owned(), format, document, alarms: first..self.alarms.len() });
    }

    fn fingerprint(&mut self, alarm: &Alarm) -> String {
        let fingerprint = self.sources.fingerprint(alarm, self.source_root.as_deref());
        let count = self.fingerprints.entry(fingerprint.clone()).or_default();
        *count += 1;
        if *count == 1 { fingerprint } else { format!("{fingerprint}:{count}") }
    }
}

fn format_of(text: &str) -> Format {
    let text = text.trim_start();
    match text.as_bytes().first() {
        Some(b'{') => Format::Sarif,
        // A compiler calls what it reads from a pipe `<stdin>`.
        Some(b'<') if text.starts_with("<?xml") || !text::has_warnings(text) => Format::CppcheckXml,
        _ if gcc::is_json(text) => Format::GccJson,
        _ if text::has_warnings(text) => Format::Warnings,
        _ => Format::List,
    }
}

fn place_below(alarm: &mut Alarm, root: &Path) {
    let steps = alarm.flows.iter_mut().flatten().map(|step| &mut step.place);
    for place in steps.chain(&mut alarm.place) {
        // An absolute path stays what it is when joined.
        place.file = root.join(&place.file).to_string_lossy().into_owned();
    }
}

/// The alarms of one report as SARIF.
fn document_of(alarms: &[Alarm]) -> Document {
    let finding = |alarm: &Alarm| NewFinding {
        rule: alarm.rule.clone(),
        cwes: alarm.cwes.clone(),
        level: alarm.level,
        message: alarm.message.clone(),
        locations: alarm.place.iter().map(|place| location_of(place, alarm.function.clone(), None)).collect(),
        flows: alarm.flows.iter().map(|flow| flow.iter().map(location_of_step).collect()).collect(),
        fingerprints: vec![("espalier/v1".to_owned(), alarm.fingerprint.clone())],
    };
    let tool = alarms.first().map_or("no tool", |alarm| &alarm.tool).to_owned();
    NewRun { tool, findings: alarms.iter().map(finding).collect() }.into_document()
}
