//! Where allocations fail (`--alloc-fail=sites`): at calls in an alarm's flow, or in the function
//! that it is in, one on a path at most. If all allocations could, each would double the paths. An
//! alarm without such a call is about one that is made elsewhere: then it may be any.

use crate::triage::plan;
use espalier_alarms::Alarm;
use espalier_analysis::targets;
use espalier_engine::{Line, Program};
use espalier_frontend::{SourceLine, allocation_that_may_fail};
use espalier_ir::{Callee, FuncId, Inst};
use std::collections::BTreeSet;

/// So many places are named in a verdict.
const NAMED: usize = 3;

/// The lines with allocations that have to do with these alarms.
pub(crate) fn sites(program: &Program, alarms: &[&Alarm]) -> Vec<SourceLine> {
    let all = allocations(program);
    let mut sites = BTreeSet::new();
    for alarm in alarms {
        let lines_of = |place| plan::lines_of(program, place).unwrap_or_default();
        let place: Vec<Line> = alarm.place.iter().flat_map(lines_of).collect();
        let flow: Vec<Line> = alarm.steps().flat_map(|step| lines_of(&step.place)).collect();
        let of_place = targets::error_sites_at(program, |loc| place.contains(&Line::of(loc)));
        let functions: BTreeSet<FuncId> = of_place.iter().map(|site| site.func).collect();
        let near = all.iter().filter(|(func, line)| functions.contains(func) || flow.contains(line));
        let near: Vec<Line> = near.map(|(_, line)| *line).collect();
        match near.is_empty() {
            true => sites.extend(all.iter().map(|(_, line)| *line)),
            false => sites.extend(near),
        }
    }
    let named = |line: Line| SourceLine { file: program.file_name(line.file).to_owned(), line: line.line };
    sites.into_iter().map(named).collect()
}

/// The allocations of the user's code, with the functions that they are in.
fn allocations(program: &Program) -> Vec<(FuncId, Line)> {
    let mut found = Vec::new();
    let users = program.functions.iter().zip(0..).filter(|(function, _)| !function.is_runtime);
    for (function, index) in users {
        for (inst, loc) in function.code.iter().zip(&function.locs) {
            if let Inst::Call { call } = inst
                && let Callee::Direct(callee) = function.call(*call).callee
                && allocation_that_may_fail(&program.function(callee).name).is_some()
                && loc.is_known()
            {
                found.push((FuncId(index), Line::of(loc)));
            }
        }
    }
    found
}

/// What a refutation is said to rest on.
pub(crate) fn condition(sites: &[SourceLine]) -> String {
    let names: Vec<String> = sites.iter().take(NAMED).map(|site| format!("{}:{}", site.file, site.line)).collect();
    let more = match sites.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more lines"),
    };
    match names.is_empty() {
        true => "as long as allocations succeed".to_owned(),
        false => format!("if no allocation fails but one on a path, at {}{more}", names.join(", ")),
    }
}
