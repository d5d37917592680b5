//! SARIF, of whatever tool: each result of each run is an alarm.

use crate::annotate::OWNER;
use crate::{Alarm, Origin, Place, Step};
use sarif::{Document, Finding, Location};

pub(super) fn read(document: &Document) -> Vec<Alarm> {
    let mut alarms = Vec::new();
    for (run, value) in document.runs().enumerate() {
        let tool = value.tool().unwrap_or("a tool without a name");
        for (result, finding) in value.findings().enumerate() {
            alarms.push(Alarm { tool: tool.to_owned(), origin: Origin { document: 0, run, result }, ..alarm(finding) });
        }
    }
    alarms
}

fn alarm(finding: Finding<'_>) -> Alarm {
    let locations = finding.locations();
    let flows = finding.flows(Some(OWNER)).into_iter().map(|flow| flow.into_iter().filter_map(step).collect());
    Alarm {
        rule: finding.rule_id().map(super::text::plain_rule),
        message: finding.message(),
        level: finding.level(),
        cwes: finding.cwes(),
        place: locations.iter().find_map(place),
        function: locations.into_iter().find_map(|location| location.function),
        flows: flows.filter(|flow: &Vec<Step>| !flow.is_empty()).collect(),
        ..Alarm::default()
    }
}

/// A region that ends where it begins, as clang writes single characters, is only a beginning.
fn place(location: &Location) -> Option<Place> {
    let region = location.region?;
    let start = (region.start_line, region.start_column.unwrap_or(1));
    let end_line = region.end_line.or(region.end_column.map(|_| region.start_line));
    let has_end = end_line.is_some_and(|line| (line, region.end_column.unwrap_or(u32::MAX)) > start);
    Some(Place {
        file: location.path.clone()?,
        line: region.start_line,
        column: region.start_column,
        end_line: end_line.filter(|_| has_end),
        end_column: region.end_column.filter(|_| has_end),
    })
}

fn step(location: Location) -> Option<Step> {
    Some(Step { place: place(&location)?, message: location.message.unwrap_or_default() })
}
