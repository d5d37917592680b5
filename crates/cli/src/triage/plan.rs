//! Which targets stand for which alarms.
//!
//! An alarm is asked about in one exploration, or in several if it may mean faults that are looked
//! for in different ones. Its target is all code on its lines: tools count columns differently, and
//! a target that leaves out where the fault would be is refuted for nothing. Columns only say which
//! of several errors on a line closes it, and only if some code that can fail so is at them. Where
//! an error that does not happen would say little of the alarm (`claims`), it is also asked whether
//! the place is reached. Alarms that want the same share a target.

use crate::targets::{file_named, files_with_code, lines_near};
use crate::triage::{claims, flows, statement};
use espalier_alarms as alarms;
use espalier_alarms::{Alarm, NoFault, Place};
use espalier_analysis::{Site, targets};
use espalier_engine::{Columns, FaultKind, FaultSet, FileId, Line, Loc, Program, Wants};
use espalier_frontend::Mark;
use std::collections::BTreeMap;
use std::path::Path;

/// Alarms that one exploration can answer.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Group {
    /// Memory, arithmetic and assertions, with pruning; and places.
    Main,
    /// What interpolants do not keep: leaks and uninitialised values, without pruning.
    Lasting,
    /// What takes checks that are compiled in.
    Overflow,
}

impl Group {
    pub(crate) const ALL: [Group; 3] = [Group::Main, Group::Lasting, Group::Overflow];

    fn looks_for(self, kind: FaultKind) -> bool {
        self == match kind {
            FaultKind::Leak | FaultKind::Uninit => Group::Lasting,
            FaultKind::Overflow => Group::Overflow,
            _ => Group::Main,
        }
    }

    /// For directories, and for people.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Group::Main => "errors",
            Group::Lasting => "leaks",
            Group::Overflow => "overflows",
        }
    }
}

/// What is asked about an alarm in one exploration.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Asked {
    Faults(FaultSet),
    /// Only whether its place is reached.
    Place(NoFault),
}

/// What is asked in this group about an alarm, if anything.
pub(crate) fn asked_in(group: Group, wanted: alarms::Wants) -> Option<Asked> {
    match wanted {
        alarms::Wants::Faults(faults) => {
            let kinds: FaultSet = faults.iter().filter(|&kind| group.looks_for(kind)).collect();
            (!kinds.is_empty()).then_some(Asked::Faults(kinds))
        }
        alarms::Wants::Place(why) => (group == Group::Main).then_some(Asked::Place(why)),
    }
}

/// A target of the exploration.
pub(crate) struct Target {
    pub(crate) wants: Wants,
    pub(crate) sites: Vec<Site>,
    /// Where it is in the source, to find it in a native run.
    pub(crate) mark: Option<Mark>,
    /// The flows of its alarms.
    pub(crate) flows: Vec<Vec<Line>>,
}

/// What stands for an alarm.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Aim {
    pub(crate) lines: Vec<Line>,
    /// The other lines of the same statement.
    pub(crate) around: Vec<Line>,
    /// The target that wants its error, if it is about one.
    pub(crate) error: Option<u32>,
    /// The target that is its place, if it matters whether that is reached: then why.
    pub(crate) place: Option<(u32, String)>,
}

/// The targets of one exploration.
pub(crate) struct Plan {
    pub(crate) targets: Vec<Target>,
    /// By the alarms' numbers: what stands for it, or why nothing does.
    pub(crate) aims: BTreeMap<usize, Result<Aim, String>>,
}

impl Plan {
    pub(crate) fn new<'a>(program: &Program, asked: impl Iterator<Item = (&'a Alarm, Asked)>) -> Plan {
        let mut plan = Plan { targets: Vec::new(), aims: BTreeMap::new() };
        for (alarm, asked) in asked {
            let aim = plan.aim(program, alarm, asked);
            plan.aims.insert(alarm.index, aim);
        }
        plan
    }

    fn aim(&mut self, program: &Program, alarm: &Alarm, asked: Asked) -> Result<Aim, String> {
        let place = alarm.place.as_ref().ok_or("the report names no place")?;
        let mut lines = lines_of(program, place)?;
        let is_leak = matches!(asked, Asked::Faults(faults) if faults.contains(FaultKind::Leak));
        if is_leak {
            // What is lost was allocated somewhere on the way.
            lines.extend(alarm.steps().filter_map(|step| lines_of(program, &step.place).ok()).flatten());
        }
        lines.sort_unstable();
        lines.dedup();
        let code = |loc: &Loc| lines.contains(&Line::of(loc));
        if targets::error_sites_at(program, code).is_empty() {
            let near = lines.first().map_or_else(String::new, |line| lines_near(program, line.file, line.line));
            return Err(format!("no code of the program is at {}:{}; {near}", place.file, place.line));
        }
        let around = statement::lines_around(program, &lines);
        let mark = |line: &Line| Mark { file: program.file_name(line.file).to_owned(), line: line.line, column: None };
        let mark = lines.first().map(mark);
        let target = |wants, places: &[Line]| Target {
            wants,
            sites: targets::error_sites_at(program, |loc| places.contains(&Line::of(loc))),
            mark: mark.clone(),
            flows: flows::of(program, alarm).iter().map(|flow| flow.iter().map(|step| step.line).collect()).collect(),
        };
        Ok(match asked {
            Asked::Place(why) => {
                let number = self.number_of(target(Wants::Place, &lines));
                Aim { error: None, place: Some((number, why.to_string())), lines, around }
            }
            Asked::Faults(faults) => {
                let columns = if is_leak { None } else { columns_of(program, place, &lines, faults) };
                let wants = Wants::Error { faults, lines: lines.clone(), columns, around: around.clone() };
                let places = [&lines[..], &around].concat();
                let error = Some(self.number_of(target(wants, &places)));
                let inconclusive = claims::why_inconclusive(program, alarm, faults, &lines);
                let place = inconclusive.map(|why| (self.number_of(target(Wants::Place, &lines)), why));
                Aim { error, place, lines, around }
            }
        })
    }

    fn number_of(&mut self, target: Target) -> u32 {
        let is_same = |other: &Target| (&other.wants, &other.sites) == (&target.wants, &target.sites);
        let known = self.targets.iter().position(is_same);
        match known {
            Some(number) => self.targets[number].flows.extend(target.flows),
            None => self.targets.push(target),
        }
        known.unwrap_or(self.targets.len() - 1) as u32
    }

    pub(crate) fn wants(&self) -> Vec<Wants> {
        self.targets.iter().map(|target| target.wants.clone()).collect()
    }
}

pub(crate) fn lines_of(program: &Program, place: &Place) -> Result<Vec<Line>, String> {
    let file = file_of(program, &place.file)?;
    let last = place.end_line.unwrap_or(place.line).max(place.line);
    Ok((place.line..=last).map(|line| Line { file, line }).collect())
}

/// The file of the program that a report names: by a path of this machine, or by the last parts of
/// one. What the program calls by a relative path, a report may name in full.
fn file_of(program: &Program, name: &str) -> Result<FileId, String> {
    let named = file_named(program, name);
    let wanted = Path::new(name);
    if named.is_ok() || !wanted.is_absolute() {
        return named;
    }
    let files = files_with_code(program);
    let here = |file: &FileId| std::path::absolute(program.file_name(*file)).is_ok_and(|path| path == wanted);
    if let Some(&file) = files.iter().find(|file| here(file)) {
        return Ok(file);
    }
    // A relative path that means nothing here is that of another machine, or another directory.
    let mut ends = files.iter().filter(|file| {
        let name = Path::new(program.file_name(**file));
        wanted.ends_with(name) && !name.exists()
    });
    match (ends.next(), ends.next()) {
        (Some(&file), None) => Ok(file),
        _ => named,
    }
}

/// The alarm's columns, if code that can fail so is at them.
fn columns_of(program: &Program, place: &Place, lines: &[Line], faults: FaultSet) -> Option<Columns> {
    let &[line] = lines else { return None };
    let columns = Columns { first: place.column?, end: place.end_column? };
    let there = |loc: &Loc| Line::of(loc) == line && columns.contains(loc.column);
    let can_fail = claims::has_code_for(program, faults, there);
    can_fail.then_some(columns)
}
