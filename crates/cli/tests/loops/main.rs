//! Proofs of loops by invariants: a wrong one would show here. Generated programs, whose reachable
//! states an interpreter lists that knows nothing of the engine, and the programs of
//! `tests/c/loops`, which say what is reachable in them. What `check` leaves unknown is counted,
//! as is what it only proves by an invariant.
//!
//! `ESPALIER_LOOPS_COUNT` sets how many programs are generated, `ESPALIER_LOOPS_SEED` the first
//! seed.

mod language;
#[path = "../support/mod.rs"]
mod support;
mod writer;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Duration;
use support::count_from_env;
use support::events::Run;
use support::suite;

const LIMIT: Duration = Duration::from_secs(120);
/// What may be spent on a generated program, and on one of ours.
const GENERATED: [&str; 2] = ["--max-instructions=15000", "--max-time=5s"];
const OURS: [&str; 2] = ["--max-instructions=300000", "--max-time=10s"];

/// Of a hundred questions, at least so many are answered; of a hundred generated programs, so many
/// by an invariant, and so many by nothing else.
const LEAST_ANSWERED: [usize; 2] = [70, 93];
const LEAST_BY_INVARIANT: [usize; 2] = [8, 24];
const LEAST_BY_NOTHING_ELSE: [usize; 2] = [1, 2];
/// Shares of fewer programs say nothing.
const ENOUGH: usize = 50;

enum Case {
    Generated(usize),
    /// A file, and whether it is built with `-DSAFE`.
    Ours(PathBuf, bool),
}

/// How many questions there were, and how they were answered.
#[derive(Copy, Clone, Default)]
struct Counts {
    asked: usize,
    reached: usize,
    proved: usize,
    by_invariant: usize,
    by_nothing_else: usize,
}

fn main() -> ExitCode {
    let first = count_from_env("ESPALIER_LOOPS_SEED", 0);
    let count = count_from_env("ESPALIER_LOOPS_COUNT", 60);
    let mut cases: Vec<(String, Case)> = Vec::new();
    for path in support::c_files("tests/c/loops") {
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        cases.extend([false, true].map(|is_safe| {
            let twin = if is_safe { "safe" } else { "error" };
            (format!("{name} {twin}"), Case::Ours(path.clone(), is_safe))
        }));
    }
    cases.extend((first..first + count).map(|seed| (format!("generated {seed}"), Case::Generated(seed))));
    let counts = Mutex::new([Counts::default(); 2]);
    let code = suite::run("loops", &cases, |_, case| {
        let mut own = Counts::default();
        let checked = check(case, &mut own);
        let index = usize::from(matches!(case, Case::Ours(..)));
        counts.lock().expect("no case panics")[index] += own;
        checked.into()
    });
    let counts = counts.into_inner().expect("no case panics");
    let is_enough = ["generated", "ours"].iter().enumerate().map(|(index, kind)| {
        let Counts { asked, reached, proved, by_invariant, by_nothing_else } = counts[index];
        println!(
            "{kind}: {asked} questions, {reached} reached, {proved} proved, {by_invariant} of these by an \
             invariant, {by_nothing_else} by nothing else"
        );
        let floors = [
            ("answered", reached + proved, LEAST_ANSWERED[index]),
            ("proved by an invariant", by_invariant, LEAST_BY_INVARIANT[index]),
            ("proved by nothing else", by_nothing_else, LEAST_BY_NOTHING_ELSE[index]),
        ];
        let few = floors.iter().filter(|&&(_, found, least)| asked >= ENOUGH && found * 100 < asked * least);
        few.map(|(what, found, least)| {
            println!("FAILED {kind}: {found} of {asked} are {what}, less than {least} of a hundred");
        })
        .count()
            == 0
    });
    if is_enough.filter(|is_enough| !is_enough).count() == 0 { code } else { ExitCode::FAILURE }
}

fn check(case: &Case, counts: &mut Counts) -> Result<(), String> {
    let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
    match case {
        Case::Generated(seed) => {
            let known = writer::program(*seed as u64);
            let file = dir.path().join("prog.c");
            std::fs::write(&file, &known.text).map_err(|error| error.to_string())?;
            let question = Question { file: &file, define: "-UNONE", budget: GENERATED };
            question.check(dir.path(), known.is_reachable, counts).map_err(|error| format!("{error}\n{}", known.text))
        }
        Case::Ours(file, is_safe) => {
            let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
            let (start, define) =
                if *is_safe { ("// expect with -DSAFE: ", "-DSAFE") } else { ("// expect: ", "-UNONE") };
            let is_reachable = match text.lines().find_map(|line| line.strip_prefix(start)) {
                Some("reachable") => true,
                Some("unreachable") => false,
                other => return Err(format!("it does not say what to expect: {other:?}")),
            };
            Question { file, define, budget: OURS }.check(dir.path(), is_reachable, counts)
        }
    }
}

struct Question<'a> {
    file: &'a Path,
    define: &'a str,
    budget: [&'a str; 2],
}

/// An answer of `check`.
struct Answer {
    verdict: String,
    detail: String,
    /// Was some state shown to lead to nothing by an invariant?
    has_invariants: bool,
}

impl Question<'_> {
    fn check(&self, dir: &Path, is_reachable: bool, counts: &mut Counts) -> Result<(), String> {
        counts.asked += 1;
        let answer = self.ask(dir, "--loops=prove")?;
        match (answer.verdict.as_str(), is_reachable) {
            ("unknown", _) => {}
            ("reachable", true) if answer.detail.starts_with("confirmed natively") => counts.reached += 1,
            ("unreachable", false) => {
                counts.proved += 1;
                if answer.has_invariants {
                    counts.by_invariant += 1;
                    let other = self.ask(dir, "--loops=unroll")?;
                    if other.verdict == "reachable" || other.has_invariants {
                        return Err(format!("without invariants it is {}: {}", other.verdict, other.detail));
                    }
                    counts.by_nothing_else += usize::from(other.verdict == "unknown");
                }
            }
            (verdict, _) => {
                let truth = if is_reachable { "reachable" } else { "unreachable" };
                return Err(format!("check says {verdict}, {}, but the error is {truth}", answer.detail));
            }
        }
        Ok(())
    }

    fn ask(&self, dir: &Path, loops: &str) -> Result<Answer, String> {
        let out = tempfile::tempdir_in(dir).map_err(|error| error.to_string())?;
        let define = format!("--cc-arg={}", self.define);
        let file = self.file.display().to_string();
        let options = ["--cc-arg=-fwrapv", "--cc-arg=-w", &define, "--only=reach", "--no-tests", loops];
        let args: Vec<String> =
            options.into_iter().chain(self.budget).chain([file.as_str()]).map(String::from).collect();
        let run = Run::start_verb("check", out.path(), &args, LIMIT)?;
        let failures = &run.finished()?["interpolation"]["failures"];
        let has_invariants = failures["a loop that an invariant speaks for"].as_u64().is_some_and(|count| count > 0);
        let event = run.of("verdict").next().ok_or_else(|| format!("no verdict\n      {}", run.stderr))?;
        let text = |key: &str| event[key].as_str().unwrap_or_default().to_string();
        Ok(Answer { verdict: text("verdict"), detail: text("detail"), has_invariants })
    }
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.asked += other.asked;
        self.reached += other.reached;
        self.proved += other.proved;
        self.by_invariant += other.by_invariant;
        self.by_nothing_else += other.by_nothing_else;
    }
}
