//! cppcheck's XML, version 2: an element `error` for each alarm, with a `location` for each place.
//!
//! The first location is where the error is. Those behind it lead there, backwards: they are the
//! flow.

use super::Report;
use crate::{Alarm, Place, Step};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use sarif::Level;
use std::collections::BTreeMap;

struct Cppcheck<'a> {
    text: &'a str,
    report: Report,
    /// The alarm whose element is open, and its locations.
    open: Option<(Alarm, Vec<Step>)>,
    about_itself: usize,
}

pub(super) fn read(text: &str) -> Result<Report, String> {
    let mut reader = Reader::from_str(text);
    let mut cppcheck = Cppcheck { text, report: Report::default(), open: None, about_itself: 0 };
    let mut depth = 0_usize;
    loop {
        let event = reader.read_event().map_err(|error| cppcheck.at(reader.error_position(), &error.to_string()))?;
        let position = reader.buffer_position();
        match event {
            Event::Start(element) => {
                cppcheck.start(&element, depth, position)?;
                depth += 1;
            }
            Event::Empty(element) => {
                cppcheck.start(&element, depth, position)?;
                cppcheck.end(element.name().as_ref());
            }
            Event::End(element) => {
                depth = depth.saturating_sub(1);
                cppcheck.end(element.name().as_ref());
            }
            Event::Eof if depth > 0 => return Err("it ends too early".to_owned()),
            Event::Eof => break,
            _ => {}
        }
    }
    if cppcheck.about_itself > 0 {
        let count = cppcheck.about_itself;
        cppcheck.report.warnings.push(format!("{count} messages of cppcheck about itself are no alarms"));
    }
    Ok(cppcheck.report)
}

fn attributes(element: &BytesStart<'_>) -> Result<BTreeMap<String, String>, String> {
    let mut found = BTreeMap::new();
    for attribute in element.attributes() {
        let attribute = attribute.map_err(|error| error.to_string())?;
        let value = attribute.unescape_value().map_err(|error| error.to_string())?;
        found.insert(String::from_utf8_lossy(attribute.key.as_ref()).into_owned(), value.into_owned());
    }
    Ok(found)
}

impl Cppcheck<'_> {
    fn at(&self, position: u64, problem: &str) -> String {
        let before = usize::try_from(position).ok().and_then(|position| self.text.as_bytes().get(..position));
        let line = 1 + before.unwrap_or_default().iter().filter(|&&byte| byte == b'\n').count();
        format!("line {line}: {problem}")
    }

    fn start(&mut self, element: &BytesStart<'_>, depth: usize, position: u64) -> Result<(), String> {
        let attributes = attributes(element).map_err(|problem| self.at(position, &problem))?;
        let attribute = |name: &str| attributes.get(name).cloned();
        let number = |name: &str| attributes.get(name)?.parse().ok().filter(|&number: &u32| number > 0);
        match element.name().as_ref() {
            b"results" if depth == 0 => match attributes.get("version").map(String::as_str) {
                Some("2" | "3") => {}
                version => return Err(format!("it is of version {}", version.unwrap_or("1"))),
            },
            _ if depth == 0 => {
                let name = String::from_utf8_lossy(element.name().as_ref()).into_owned();
                return Err(self.at(position, &format!("its first element is <{name}> and not <results>")));
            }
            b"error" => {
                let alarm = Alarm {
                    tool: "cppcheck".to_owned(),
                    rule: attribute("id"),
                    message: attribute("msg").or_else(|| attribute("verbose")).unwrap_or_default(),
                    level: level(attributes.get("severity").map_or("", String::as_str)),
                    cwes: number("cwe").into_iter().collect(),
                    ..Alarm::default()
                };
                self.open = Some((alarm, Vec::new()));
            }
            b"location" => {
                let place = attribute("file").zip(number("line")).map(|(file, line)| Place {
                    file,
                    line,
                    column: number("column"),
                    ..Place::default()
                });
                let step = place.map(|place| Step { place, message: attribute("info").unwrap_or_default() });
                self.open.iter_mut().for_each(|(_, locations)| locations.extend(step.clone()));
            }
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, name: &[u8]) {
        if name != b"error" {
            return;
        }
        let Some((mut alarm, mut steps)) = self.open.take() else { return };
        if alarm.level == Level::None {
            self.about_itself += 1;
            return;
        }
        alarm.place = steps.first().map(|step| step.place.clone());
        if steps.len() > 1 {
            steps.reverse();
            alarm.flows = vec![steps];
        }
        self.report.alarms.push(alarm);
    }
}

/// What is only information is about cppcheck's own work: headers it did not find, configurations
/// it left out.
fn level(severity: &str) -> Level {
    match severity {
        "error" => Level::Error,
        "style" | "performance" | "portability" => Level::Note,
        "information" | "debug" | "internal" => Level::None,
        _ => Level::Warning,
    }
}
