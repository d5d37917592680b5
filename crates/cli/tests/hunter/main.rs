//! The hunter: generated programs with small inputs, whose truth is known from native runs on all
//! of them, against the verdicts of `check` and `reach` under three searches and three kinds of
//! interpolation. A proof of what is reached natively is wrong, and so is a test that does not lead
//! where it should. What is unknown is counted, and must be little.
//!
//! `ESPALIER_HUNTER_COUNT` sets how many programs, `ESPALIER_HUNTER_SEED` the first seed.

mod scenes;
#[path = "../support/mod.rs"]
mod support;
mod verdicts;
mod writer;

use espalier_frontend::{Input, Libc};
use std::path::Path;
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Mutex;
use std::time::Duration;
use support::batch::{self, Batch, Claim};
use support::count_from_env;
use support::events::Run;
use support::suite::{self, Verdict};
use verdicts::{Counts, Subject, WAYS};

/// Programs of a file.
const BATCH: usize = 25;
/// Every so many programs, one also goes through the binary.
const SAMPLE: usize = 50;
const LIMIT: Duration = Duration::from_secs(120);
/// Of a hundred claims, so many may be unknown.
const MOST_UNKNOWN: usize = 3;

fn main() -> ExitCode {
    let first = count_from_env("ESPALIER_HUNTER_SEED", 0);
    let end = first + count_from_env("ESPALIER_HUNTER_COUNT", 300);
    let batches = (first..end).step_by(BATCH).map(|start| start..end.min(start + BATCH));
    let cases: Vec<_> =
        batches.map(|seeds| (format!("programs {} to {}", seeds.start, seeds.end - 1), seeds)).collect();
    let counts = Mutex::new(Counts::default());
    let code = suite::run("hunter", &cases, |_, seeds| match hunt(seeds.clone()) {
        Ok((found, wrong)) => {
            *counts.lock().expect("no case panics") += found;
            if wrong.is_empty() { Verdict::Passed } else { Verdict::Failed(wrong.join("\n      ")) }
        }
        Err(error) => Verdict::Failed(error),
    });
    let Counts { proved, reached, unknown } = counts.into_inner().expect("no case panics");
    println!("hunter: {proved} claims proved unreachable, {reached} reached, {unknown} unknown");
    if unknown * 100 > (proved + reached + unknown) * MOST_UNKNOWN {
        println!("FAILED: more than {MOST_UNKNOWN} of a hundred claims are unknown");
        return ExitCode::FAILURE;
    }
    code
}

/// What came of some programs, and what is wrong.
fn hunt(seeds: std::ops::Range<usize>) -> Result<(Counts, Vec<String>), String> {
    let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
    let programs = seeds.clone().map(|seed| writer::program(seed as u64, &format!("p{seed}")));
    let batch = Batch::write(dir.path(), programs.collect())?;
    let truths = batch.truths()?;
    let input = Input {
        files: vec![batch.file.clone()],
        cc_args: vec!["-fwrapv".into(), "-w".into()],
        libc: Libc::Own,
        ..Input::default()
    };
    let code = Rc::new(espalier_frontend::load(&input).map_err(|error| error.to_string())?.program);
    let lines = batch.lines();
    let (mut counts, mut wrong) = (Counts::default(), Vec::new());
    for (index, seed) in seeds.enumerate() {
        let (program, truth) = (&batch.programs[index], &truths[index]);
        let own = lines.iter().filter(|(_, (program, _))| *program == index);
        let subject =
            Subject { program, truth, code: &code, lines: own.map(|(line, (_, claim))| (*line, *claim)).collect() };
        // Each way with each question in turn.
        let way = |number: usize| (seed + number * (1 + seed / WAYS)) % WAYS;
        let mut tell = |way: usize, result: Result<Counts, String>| match result {
            Ok(found) => counts += found,
            Err(error) => wrong.push(format!("seed {seed}: {error} ({})\n{}", verdicts::describe(way), program.text)),
        };
        for number in 0..2 {
            tell(way(number), subject.check(way(number), seed / WAYS + number));
            tell(way(number + 2), subject.reach(way(number + 2)));
        }
        if seed.is_multiple_of(SAMPLE) {
            tell(0, through_the_binary(dir.path(), &subject));
        }
    }
    Ok((counts, wrong))
}

/// The verdict of `check` as users get it.
fn through_the_binary(dir: &Path, subject: &Subject<'_>) -> Result<Counts, String> {
    let file = batch::single(dir, subject.program)?;
    let args = ["--cc-arg=-fwrapv", "--cc-arg=-w", "--only=reach"].map(String::from).into_iter();
    let args: Vec<String> = args.chain([file.display().to_string()]).collect();
    let out = tempfile::tempdir_in(dir).map_err(|error| error.to_string())?;
    let run = Run::start_verb("check", out.path(), &args, LIMIT)?;
    let verdict = run.of("verdict").next().and_then(|event| event["verdict"].as_str());
    let detail = run.of("verdict").next().and_then(|event| event["detail"].as_str());
    let claims = subject.program.claims.iter().enumerate();
    let mut reach = claims.filter(|(_, claim)| **claim == Claim::Reach);
    let truth = reach.any(|(number, _)| subject.truth.reaches(number));
    match verdict {
        Some("unreachable") if !truth => Ok(Counts { proved: 1, ..Counts::default() }),
        Some("reachable") if truth && detail.is_some_and(|detail| detail.starts_with("confirmed")) => {
            Ok(Counts { reached: 1, ..Counts::default() })
        }
        Some("unknown") => Ok(Counts { unknown: 1, ..Counts::default() }),
        other => Err(format!("check says {other:?}, {detail:?}; natively reached: {truth}")),
    }
}
