//! `espalier triage`: which alarms of other analysers are real? For each, an input that shows it, a
//! proof that it cannot happen, or why neither is known.
//!
//! Alarms become targets of the program that want an error (`plan`), explored in at most three runs
//! (`explore`): most with pruning, leaks and uninitialised values without, overflows with checks
//! that are compiled in. `judge` says what follows from a run, `claims` where it follows less than
//! one might think. `output` prints, and writes SARIF.

mod behind;
mod claims;
mod closure;
mod explore;
mod failing;
mod flows;
mod judge;
mod library;
mod output;
mod plan;
mod statement;
mod subject;

use crate::build::STORE;
use crate::run::{fail, require_consistent};
use crate::{environment, recording, settings};
use clap::ArgMatches;
use closure::Closure;
use espalier_alarms::{self as alarms, Alarm, Alarms, Baseline, Database, Rules, UserRule, Verdict, Word};
use espalier_engine::{Loaded, exit_code};
use espalier_ir::FuncId;
use explore::{Explored, Explorer, Run};
use judge::Grounds;
use plan::{Asked, Group};
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use subject::{Origin, Subject};

/// Triages and gives the exit code.
pub(crate) fn triage(matches: &ArgMatches, command_line: &[OsString]) -> i32 {
    match try_triage(matches, command_line) {
        Ok(code) | Err(code) => code,
    }
}

fn try_triage(matches: &ArgMatches, command_line: &[OsString]) -> Result<i32, i32> {
    let deadline = explore::deadline(matches);
    require_consistent(matches, &settings::config(matches))?;
    let usage = |error: String| fail(exit_code::USAGE, error);
    let bad_input = |error: String| fail(exit_code::INPUT, error);
    let rules = rules(matches).map_err(usage)?;
    let (files, reports) = files(matches);
    if reports.is_empty() {
        return Err(usage("a report with alarms is missing".into()));
    }
    let database = matches.get_one::<PathBuf>("compile-commands");
    if files.is_empty() == database.is_none() {
        let why = "name the program's C sources or bitcode behind the reports, or a compilation database with -p";
        return Err(usage(format!("which program is it? {why}")));
    }
    let alarms = read(matches, &reports).map_err(bad_input)?;
    let baseline = baseline(matches).map_err(bad_input)?;
    warn(&alarms.warnings);
    let origin = match database {
        None => Origin::Files(files),
        Some(path) => {
            let program = matches.get_one::<String>("program").map(String::as_str);
            let database = Database::read(path).map_err(|error| bad_input(error.to_string()))?;
            let store = matches.get_one::<PathBuf>("bitcode-dir").cloned().unwrap_or_else(|| STORE.into());
            let closure = Closure::find(&database, &alarms.alarms, program, &store).map_err(bad_input)?;
            warn(&closure.warnings);
            Origin::Project(closure)
        }
    };
    let wanted: Vec<alarms::Wants> = alarms.alarms.iter().map(|alarm| rules.wanted(alarm)).collect();
    let with_wants = alarms.alarms.iter().zip(&wanted);
    let about_failing = with_wants.filter(|(alarm, wanted)| is_about_failing(alarm, **wanted)).map(|(alarm, _)| alarm);
    let about_failing: Vec<&Alarm> = about_failing.collect();
    let (subject, loaded) = Subject::load(matches, origin, &alarms.alarms, &about_failing).map_err(bad_input)?;
    warn(&subject.notes);
    let rules_given: Vec<&String> = matches.get_many("rule").into_iter().flatten().collect();
    let code_hash = recording::code_hash(&loaded.program, &settings::config(matches), &subject.items, &rules_given);
    let mut verdicts: Vec<Option<Verdict>> =
        alarms.alarms.iter().map(|alarm| known(baseline.as_ref()?, &alarm.fingerprint, &code_hash)).collect();
    let open: Vec<usize> = (0..alarms.alarms.len()).filter(|&number| verdicts[number].is_none()).collect();
    let mut grounds = Grounds {
        environment: environment::scope_of(&subject.items, &loaded.program, loaded.entry, loaded.has_environment),
        bounds: settings::bounds(matches),
        failing_allocations: subject.failing_allocations(),
        begins_with: None,
    };
    let explorer = Explorer { matches, command_line, subject: &subject, deadline };
    let mut on_the_way = Vec::new();
    let mut parts: Vec<Vec<Verdict>> = vec![Vec::new(); alarms.alarms.len()];
    let mut groups: Vec<(Group, Vec<(usize, Asked)>)> = Vec::new();
    for group in Group::ALL {
        let asked = open.iter().filter_map(|&number| Some((number, plan::asked_in(group, wanted[number])?)));
        let asked: Vec<(usize, Asked)> = asked.collect();
        groups.extend((!asked.is_empty()).then_some((group, asked)));
    }
    let mut is_interrupted = false;
    for (done, (group, asked)) in (0..).zip(&groups) {
        let loaded = match program_of(*group, &subject, &loaded) {
            Ok(loaded) => loaded,
            Err(why) => {
                asked.iter().for_each(|(number, _)| parts[*number].push(Verdict::new(Word::Open, why.clone())));
                continue;
            }
        };
        let asked: Vec<_> = asked.iter().map(|&(number, asked)| (&alarms.alarms[number], asked)).collect();
        let entries = entries(&subject, &loaded, &asked);
        for (tried, &entry) in (0..).zip(&entries) {
            if is_interrupted {
                break;
            }
            let begins_with = subject.is_by_itself().then(|| loaded.program.function(entry).name.clone());
            grounds.begins_with = begins_with;
            let runs_left = (groups.len() as u32 - done - 1) + entries.len() as u32 - tried;
            let loaded = Loaded { program: loaded.program.clone(), entry, warnings: Vec::new(), klee: None, ..loaded };
            let run = Run { group: *group, begins_with: grounds.begins_with.as_deref(), runs_left };
            let explored = explorer.explore(run, loaded, &asked)?;
            for &(alarm, asked) in &asked {
                parts[alarm.index].push(grounds.judge(*group, alarm, asked, &explored));
            }
            is_interrupted = explored.is_interrupted();
            on_the_way.extend(output::found_on_the_way(&explored));
        }
    }
    for &number in &open {
        let mut verdict = judge::together(std::mem::take(&mut parts[number]));
        verdict.code_hash = Some(code_hash.clone());
        verdicts[number] = Some(verdict);
    }
    on_the_way.sort();
    on_the_way.dedup();
    output::write(matches, &alarms, &verdicts, &on_the_way)
}

/// Tells of what is no error. If nobody reads it, nothing is lost.
fn warn(warnings: &[String]) {
    for warning in warnings {
        let _ = writeln!(std::io::stderr(), "warning: {warning}");
    }
}

/// Where paths begin: at the program's start, or in functions that nobody calls.
fn entries(subject: &Subject, loaded: &Loaded, asked: &[(&Alarm, Asked)]) -> Vec<FuncId> {
    if !subject.is_library() {
        return vec![loaded.entry];
    }
    let alarms: Vec<&Alarm> = asked.iter().map(|(alarm, _)| *alarm).collect();
    library::roots(&loaded.program, &alarms)
}

/// The program as a group wants it.
fn program_of(group: Group, subject: &Subject, loaded: &Loaded) -> Result<Loaded, String> {
    match group {
        Group::Main | Group::Lasting => {
            Ok(Loaded { program: loaded.program.clone(), warnings: Vec::new(), klee: None, ..*loaded })
        }
        Group::Overflow if !subject.is_all_sources() => {
            Err("overflows take checks that are compiled in: give the C sources, not bitcode".into())
        }
        Group::Overflow => subject.load_for(group),
    }
}

/// Is the alarm about what happens if an allocation fails?
fn is_about_failing(alarm: &Alarm, wanted: alarms::Wants) -> bool {
    let is_null = matches!(wanted, alarms::Wants::Faults(faults) if faults.contains(espalier_engine::FaultKind::Null));
    is_null && alarms::involves_allocation(alarm)
}

fn rules(matches: &ArgMatches) -> Result<Rules, String> {
    let given = matches.get_many::<String>("rule").into_iter().flatten();
    let rules: Result<Vec<UserRule>, _> = given.map(|rule| rule.parse()).collect();
    Ok(Rules::new(rules.map_err(|error| format!("--rule {error}"))?))
}

/// Files of the program, and reports.
fn files(matches: &ArgMatches) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let files = matches.get_many::<PathBuf>("files").into_iter().flatten().cloned();
    files.partition(|path| subject::is_of_program(path))
}

fn read(matches: &ArgMatches, reports: &[PathBuf]) -> Result<Alarms, String> {
    let mut alarms = Alarms::new(matches.get_one::<PathBuf>("source-root").cloned());
    for report in reports {
        alarms.read_file(report).map_err(|error| error.to_string())?;
    }
    Ok(alarms)
}

fn baseline(matches: &ArgMatches) -> Result<Option<Baseline>, String> {
    let Some(path) = matches.get_one::<PathBuf>("baseline") else { return Ok(None) };
    let of = |path: &Path| -> Result<Baseline, String> {
        let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
        let document = sarif::Document::parse(&text).map_err(|error| error.to_string())?;
        Ok(Baseline::of(&document))
    };
    of(path).map(Some).map_err(|error| format!("--baseline={}: {error}", path.display()))
}

/// What an earlier run found out, if it still holds: of the same program, explored in the same way.
fn known(baseline: &Baseline, fingerprint: &str, code_hash: &str) -> Option<Verdict> {
    let verdict = baseline.verdict(fingerprint)?;
    let is_certain = matches!(verdict.word, Word::Confirmed | Word::Refuted);
    (is_certain && verdict.code_hash.as_deref() == Some(code_hash)).then(|| verdict.clone())
}
