//! Cutting a document down to what whoever shows it takes.

use crate::Document;
use serde_json::Value;
use std::fmt;

/// How much is shown.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    pub runs: usize,
    /// Of each run.
    pub findings: usize,
    /// Of all code flows of each result together.
    pub steps: usize,
}

impl Limits {
    /// What GitHub's code scanning shows. A file with more runs is refused there.
    pub const GITHUB: Limits = Limits { runs: 20, findings: 5000, steps: 1000 };
}

/// Something that was left out. Numbers of runs and results are those before anything was.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Cut {
    Runs { left_out: usize, limit: usize },
    Findings { run: usize, left_out: usize, limit: usize },
    Steps { run: usize, finding: usize, left_out: usize, limit: usize },
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cut::Runs { left_out, limit } => write!(f, "the last {left_out} runs are left out: {limit} are shown"),
            Cut::Findings { run, left_out, limit } => {
                write!(f, "run {run}: {left_out} results are left out: {limit} of a run are shown")
            }
            Cut::Steps { run, finding, left_out, limit } => {
                write!(f, "run {run}, result {finding}: the first {left_out} steps of its code flows are left out: ")?;
                write!(f, "{limit} of a result are shown")
            }
        }
    }
}

impl Document {
    /// Leaves out what is beyond the limits: the last runs, of each run the results of the highest
    /// `rank`, and those steps of flows that are farthest from their end.
    pub fn limit(&mut self, limits: Limits, rank: impl Fn(usize, usize) -> u32) -> Vec<Cut> {
        let mut cuts = Vec::new();
        let Some(runs) = self.runs_mut() else { return cuts };
        if let Some(left_out) = runs.len().checked_sub(limits.runs).filter(|&left_out| left_out > 0) {
            runs.truncate(limits.runs);
            cuts.push(Cut::Runs { left_out, limit: limits.runs });
        }
        for (run, value) in runs.iter_mut().enumerate() {
            let Some(findings) = value.get_mut("results").and_then(Value::as_array_mut) else { continue };
            for (number, finding) in findings.iter_mut().enumerate() {
                let left_out = cut_flows(finding, limits.steps);
                if left_out > 0 {
                    cuts.push(Cut::Steps { run, finding: number, left_out, limit: limits.steps });
                }
            }
            if let Some(left_out) = findings.len().checked_sub(limits.findings).filter(|&left_out| left_out > 0) {
                keep_best(findings, limits.findings, |number| rank(run, number));
                cuts.push(Cut::Findings { run, left_out, limit: limits.findings });
            }
        }
        cuts
    }
}

/// Keeps so many items, in their order: those of the lowest ranks, and among equals the first.
fn keep_best(items: &mut Vec<Value>, count: usize, rank: impl Fn(usize) -> u32) {
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by_key(|&number| rank(number));
    let mut is_kept = vec![false; items.len()];
    order.into_iter().take(count).for_each(|number| is_kept[number] = true);
    let mut kept = is_kept.into_iter();
    items.retain(|_| kept.next().unwrap_or(false));
}

/// The last flow is cut last: annotations are behind what the tool wrote.
fn cut_flows(finding: &mut Value, steps: usize) -> usize {
    let Some(flows) = finding.get_mut("codeFlows").and_then(Value::as_array_mut) else { return 0 };
    let (mut room, mut left_out) = (steps, 0);
    for flow in flows.iter_mut().rev() {
        let Some(threads) = flow.get_mut("threadFlows").and_then(Value::as_array_mut) else { continue };
        for thread in threads.iter_mut().rev() {
            let Some(locations) = thread.get_mut("locations").and_then(Value::as_array_mut) else { continue };
            let beyond = locations.len().saturating_sub(room);
            locations.drain(..beyond);
            room -= locations.len();
            left_out += beyond;
        }
        if left_out > 0 {
            threads.retain(|thread| !is_empty_list(thread, "locations"));
        }
    }
    if left_out > 0 {
        flows.retain(|flow| !is_empty_list(flow, "threadFlows"));
    }
    left_out
}

fn is_empty_list(value: &Value, key: &str) -> bool {
    value.get(key).and_then(Value::as_array).is_some_and(Vec::is_empty)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_least_valuable_is_left_out_and_said() {
        let flow = |steps: &[u32]| json!({"threadFlows": [{"locations": steps}]});
        let finding = json!({"codeFlows": [flow(&[1, 2]), flow(&[3, 4]), flow(&[5])]});
        let first = json!({"results": [10, 11, 12, 13]});
        let all = json!({"runs": [first, {"results": [finding]}, {}, {}]});
        let mut document = Document::from_value(all).unwrap();
        let limits = Limits { runs: 2, findings: 2, steps: 2 };
        let cuts = document.limit(limits, |_, number| [5, 1, 5, 5][number]);
        assert_eq!(
            cuts,
            [
                Cut::Runs { left_out: 2, limit: 2 },
                Cut::Findings { run: 0, left_out: 2, limit: 2 },
                Cut::Steps { run: 1, finding: 0, left_out: 3, limit: 2 }
            ]
        );
        let left = json!({"codeFlows": [flow(&[4]), flow(&[5])]});
        assert_eq!(*document.value(), json!({"runs": [{"results": [10, 11]}, {"results": [left]}]}));
        assert_eq!(document.limit(limits, |_, _| 0), []);
    }
}
