//! Verdicts, written into what was read.
//!
//! SARIF stays the document that it was; of other formats a document was made when they were read.
//! Only a complete refutation is a suppression: tools that dismiss alarms look at whether there are
//! suppressions, not at their status. And since GitHub takes no notice of suppressions at all,
//! there is a second form, without what was refuted, which is cut to what is shown there.

use crate::verdict::{FINGERPRINT, Verdict, Word};
use crate::{Alarm, Alarms, Origin, Place, Step};
use sarif::{Annotation, Document, Level, Limits, Location, Region};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Under this name verdicts stand in property bags.
pub(crate) const OWNER: &str = "espalier";

/// Which alarms an output has.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Shown {
    All,
    /// Those that are not completely refuted, as many as GitHub shows.
    Open,
}

/// What is to be written.
#[derive(Clone, PartialEq, Debug)]
pub struct Annotated {
    /// One for each input, in their order.
    pub documents: Vec<Document>,
    /// What was left out, and what could not be annotated.
    pub warnings: Vec<String>,
}

impl Annotated {
    /// All in one: the first document with the runs of the others behind its own. For
    /// `Shown::Open`, again no more runs than are shown.
    pub fn into_one(self, shown: Shown) -> (Document, Vec<String>) {
        let mut warnings = self.warnings;
        let mut documents = self.documents.into_iter();
        let mut whole = documents.next().unwrap_or_else(Document::empty);
        documents.for_each(|document| whole.append(document));
        if shown == Shown::Open {
            // Findings were cut to the limit before, by their verdicts.
            warnings.extend(whole.limit(Limits::GITHUB, |_, _| 0).iter().map(ToString::to_string));
        }
        (whole, warnings)
    }
}

/// Writes the verdicts into copies of the inputs. `verdicts` has one for each alarm, by its index;
/// an alarm without one stays as it was read.
pub fn annotate(alarms: &Alarms, verdicts: &[Option<Verdict>], shown: Shown) -> Annotated {
    let mut documents: Vec<Document> = alarms.inputs.iter().map(|input| input.document.clone()).collect();
    let mut warnings = Vec::new();
    let mut by_origin = BTreeMap::new();
    for (alarm, verdict) in alarms.alarms.iter().zip(verdicts) {
        let Some(verdict) = verdict else { continue };
        let origin = alarm.origin;
        by_origin.insert(origin, verdict);
        let Some(document) = documents.get_mut(origin.document) else { continue };
        let (annotation, left_out) = annotation(alarm, verdict);
        let path = alarms.inputs[origin.document].path.display();
        let result = || format!("result {} of run {}", origin.result, origin.run);
        match document.annotate(origin.run, origin.result, OWNER, annotation) {
            Ok(()) if left_out > 0 => warnings
                .push(format!("{path}: the first {left_out} steps of the executed path of {} are left out", result())),
            Ok(()) => {}
            Err(misfit) => warnings.push(format!("{path}: {} gets no verdict written to it: {misfit}", result())),
        }
    }
    if shown == Shown::Open {
        for (number, document) in documents.iter_mut().enumerate() {
            let path = alarms.inputs[number].path.display();
            warnings.extend(leave_open(document, number, &by_origin).iter().map(|cut| format!("{path}: {cut}")));
        }
    }
    Annotated { documents, warnings }
}

/// Leaves out what is refuted, then what is beyond the limits.
fn leave_open(document: &mut Document, number: usize, by_origin: &BTreeMap<Origin, &Verdict>) -> Vec<sarif::Cut> {
    let mut ranks: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
    document.retain(|run, result| {
        let verdict = by_origin.get(&Origin { document: number, run, result });
        let stays = !verdict.is_some_and(|verdict| verdict.is_complete_refutation());
        if stays {
            let word = verdict.map_or(Word::Open, |verdict| verdict.word);
            ranks.entry(run).or_default().push(word as u32);
        }
        stays
    });
    let rank = |run: usize, result: usize| ranks.get(&run).and_then(|of_run| of_run.get(result)).copied();
    document.limit(Limits::GITHUB, |run, result| rank(run, result).unwrap_or_default())
}

/// What is added to a result, and how many steps of the path do not fit.
fn annotation(alarm: &Alarm, verdict: &Verdict) -> (Annotation, usize) {
    let mut properties: Map<String, Value> = match json!(verdict) {
        Value::Object(properties) => properties,
        _ => Map::new(),
    };
    properties.insert(FINGERPRINT.to_owned(), json!(alarm.fingerprint));
    let is_confirmed = verdict.word == Word::Confirmed;
    let path: &[Step] = if is_confirmed { &verdict.path } else { &[] };
    let left_out = path.len().saturating_sub(Limits::GITHUB.steps);
    let annotation = Annotation {
        properties,
        level: is_confirmed.then_some(Level::Error),
        flow: path[left_out..].iter().map(location_of_step).collect(),
        flow_message: "the path that was executed".to_owned(),
        suppression: verdict.is_complete_refutation().then(|| format!("Espalier refuted it: {}", verdict.how)),
    };
    (annotation, left_out)
}

pub(crate) fn location_of_step(step: &Step) -> Location {
    location_of(&step.place, None, Some(step.message.clone()).filter(|message| !message.is_empty()))
}

pub(crate) fn location_of(place: &Place, function: Option<String>, message: Option<String>) -> Location {
    Location {
        path: Some(place.file.clone()),
        region: Some(Region {
            start_line: place.line,
            start_column: place.column,
            end_line: place.end_line,
            end_column: place.end_column,
        }),
        function,
        message,
    }
}
