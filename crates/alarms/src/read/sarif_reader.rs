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

fn place(location: &Location) -> Option<Place> {
    let region = location.region?;
    Some(Place {
        file: location.path.clone()?,
        line: region.start_line,
        column: region.start_column,
        end_line: region.end_line,
        end_column: region.end_column,
    })
}

fn step(location: Location) -> Option<Step> {
    Some(Step { place: place(&location)?, message: location.message.unwrap_or_default() })
}
