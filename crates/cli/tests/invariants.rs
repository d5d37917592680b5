//! The invariants in correctness witnesses, and those that `espalier invariants` prints, hold: each is put into its program as an assertion at
//! the head of its loop, and the program is explored without pruning. Their negations do not: the
//! same with those fails, so the assertions are where they should be.
//!
//! `ESPALIER_INVARIANT_COUNT` sets how many random programs, `ESPALIER_INVARIANT_SEED` the first
//! seed.

mod support;

use serde_yaml_ng::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use support::corpus;
use support::events::Run;
use support::suite::{self, Verdict};
use support::{count_from_env, generator};

const LIMIT: Duration = Duration::from_secs(60);

/// What a proof may take, and the paths of a program with invariants in it.
const PROOF: &str = "--max-instructions=1000000";
const WHOLE: &str = "--max-instructions=1000000";

/// What is looked for in loops takes no longer.
const PATIENCE: &str = "--max-time=5s";

/// Of the programs about loops, one in so many is taken.
const LOOPS: usize = 8;

/// Of the invariants that are printed, so many are denied.
const DENIED: usize = 2;

/// What asserts. Errors of the program's own only end it.
const PRELUDE: &str = "\
extern void reach_error(void); extern void exit(int);
static void espalier_require(int holds) { if (!holds) reach_error(); }
static void espalier_own_error(void) { exit(0); }
#define reach_error espalier_own_error
";

/// A program, and how it is proved safe.
struct Case {
    source: Source,
    options: Vec<String>,
    /// Is it explored up to a limit, and no further?
    is_endless: bool,
}

enum Source {
    File(PathBuf),
    Random(u64),
}

/// An invariant of the witness.
struct Invariant {
    line: usize,
    column: usize,
    condition: String,
}

fn main() -> ExitCode {
    let first = count_from_env("ESPALIER_INVARIANT_SEED", 0);
    let count = count_from_env("ESPALIER_INVARIANT_COUNT", 30);
    let mut cases = Vec::new();
    for (name, program) in corpus::programs() {
        // What is compiled for 32 bits or checks more than `check` does is another program.
        if program.exit == 0 && program.options.is_empty() {
            cases.push((name, Case { source: Source::File(program.path), options: Vec::new(), is_endless: false }));
        }
    }
    // A part of them, each time another one.
    for path in support::c_files("tests/c/loops").into_iter().skip(first % LOOPS).step_by(LOOPS) {
        let options = vec!["--only=reach".to_owned(), "-DSAFE".to_owned()];
        cases.push((path.display().to_string(), Case { source: Source::File(path), options, is_endless: true }));
    }
    for path in support::c_files("tests/c/reach") {
        let options = vec!["--only=reach".to_owned(), "-DSAFE".to_owned()];
        cases.push((path.display().to_string(), Case { source: Source::File(path), options, is_endless: false }));
    }
    cases.extend((first..first + count).map(|seed| {
        let options = vec!["--only=memory".to_owned()];
        (format!("random {seed}"), Case { source: Source::Random(seed as u64), options, is_endless: false })
    }));
    suite::run("invariants", &cases, |_, case| check(case).unwrap_or_else(Verdict::Failed))
}

fn check(case: &Case) -> Result<Verdict, String> {
    let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
    let dir = dir.path();
    let program = match &case.source {
        Source::File(path) => std::fs::read_to_string(path).map_err(|error| error.to_string())?,
        Source::Random(seed) => generator::program(*seed),
    };
    let mut invariants = printed(dir, &program, &case.options)?;
    invariants.retain(|invariant| insertion(&program, invariant).is_some());
    let mut denied: Vec<usize> = (0..invariants.len().min(DENIED)).collect();
    if run(dir, "proof", "check", &program, &[&case.options[..], &[PROOF.into()]].concat())? == 0 {
        let witness = std::fs::read_to_string(dir.join("proof/witness.yml")).map_err(|error| error.to_string())?;
        let told = read(&witness)?.into_iter().filter(|invariant| insertion(&program, invariant).is_some());
        let first = invariants.len();
        invariants.extend(told);
        denied.extend(first..invariants.len());
    }
    if invariants.is_empty() {
        return Ok(Verdict::NoCase("no loop with an invariant"));
    }
    let options = [&case.options[..], &[WHOLE.into(), "--interpolation=off".into()]].concat();
    let asserted = assert_all(&program, &invariants, "");
    let code = run(dir, "asserted", "run", &asserted, &options)?;
    let mut is_whole = code == 0;
    if !matches!(code, 0 | 5) {
        return Err(format!("exit code {code} with the invariants\n{asserted}"));
    }
    for number in denied {
        let denied = assert_all(&program, std::slice::from_ref(&invariants[number]), "!");
        let code = run(dir, &format!("denied{number}"), "run", &denied, &options)?;
        is_whole &= code == 10;
        if !matches!(code, 10 | 5) {
            return Err(format!("exit code {code} with what is never true\n{denied}"));
        }
    }
    Ok(if is_whole || case.is_endless {
        Verdict::Passed
    } else {
        Verdict::Skipped("too many paths to explore whole".into())
    })
}

/// What `espalier invariants` says in C, if it is proved.
fn printed(dir: &Path, program: &str, options: &[String]) -> Result<Vec<Invariant>, String> {
    let dir = dir.join("printed");
    std::fs::create_dir(&dir).map_err(|error| error.to_string())?;
    std::fs::write(dir.join("prog.c"), program).map_err(|error| error.to_string())?;
    let args = [options, &["prog.c".into(), PATIENCE.into()]].concat();
    let run = Run::start_verb("invariants", &dir, &args, LIMIT)?;
    let mut invariants = Vec::new();
    for event in run.of("loop").filter(|_| run.exit_code == 0) {
        let number = |key: &str| event[key].as_u64().ok_or(format!("no {key}")).map(|n| n as usize);
        let (line, column) = (number("line")?, number("column")?);
        let told = event["invariants"].as_array().ok_or("no invariants")?;
        let conditions = told.iter().filter_map(|told| told["c"].as_str());
        invariants.extend(conditions.map(|c| Invariant { line, column, condition: c.to_owned() }));
    }
    if !matches!(run.exit_code, 0 | 5) {
        return Err(format!("espalier invariants ends with {}", run.exit_code));
    }
    Ok(invariants)
}

/// The exit code of a run on a program, in a directory of its own.
fn run(dir: &Path, name: &str, verb: &str, program: &str, options: &[String]) -> Result<i32, String> {
    let dir = dir.join(name);
    std::fs::create_dir(&dir).map_err(|error| error.to_string())?;
    std::fs::write(dir.join("prog.c"), program).map_err(|error| error.to_string())?;
    let mut args = options.to_vec();
    args.push("prog.c".into());
    if verb == "check" {
        args.push("--witness=witness.yml".into());
    } else {
        // Only the assertions that were put in count.
        args.retain(|arg| !arg.starts_with("--only"));
        args.extend(["--only=reach".into(), "--no-tests".into(), "--exit-on-error".into()]);
    }
    Ok(Run::start_verb(verb, &dir, &args, LIMIT)?.exit_code)
}

fn read(witness: &str) -> Result<Vec<Invariant>, String> {
    let entries: Value = serde_yaml_ng::from_str(witness).map_err(|error| error.to_string())?;
    let content = entries[0]["content"].as_sequence().ok_or("no content")?;
    let mut invariants = Vec::new();
    for item in content {
        let invariant = &item["invariant"];
        let number = |key: &str| invariant["location"][key].as_u64().ok_or(format!("no {key}")).map(|n| n as usize);
        let condition = invariant["value"].as_str().ok_or("no value")?.to_owned();
        invariants.push(Invariant { line: number("line")?, column: number("column")?, condition });
    }
    Ok(invariants)
}

/// Where something is to be put so that it is evaluated whenever the loop's head is reached, and
/// what is to follow it there. `None` for a loop that a macro makes.
fn insertion(program: &str, invariant: &Invariant) -> Option<(usize, &'static str)> {
    let line: usize = program.split_inclusive('\n').take(invariant.line - 1).map(str::len).sum();
    let start = line + invariant.column - 1;
    let text = program.get(start..)?;
    let keyword = |word: &str| text.starts_with(word) && !text[word.len()..].starts_with(|c: char| c.is_alphanumeric());
    if keyword("while") {
        return Some((start + text.find('(')? + 1, ", "));
    }
    if keyword("do") {
        return Some((start + text.find('{')? + 1, "; "));
    }
    if !keyword("for") {
        return None;
    }
    let condition = text.find(';')? + 1;
    let is_empty = text[condition..].trim_start().starts_with(';');
    Some((start + condition, if is_empty { ", 1 " } else { ", " }))
}

/// The program with an assertion at the head of each loop, `before` which the condition is put.
fn assert_all(program: &str, invariants: &[Invariant], before: &str) -> String {
    let mut places: BTreeMap<usize, (&str, Vec<String>)> = BTreeMap::new();
    for invariant in invariants {
        let Some((at, after)) = insertion(program, invariant) else { continue };
        places.entry(at).or_insert((after, Vec::new())).1.push(format!("({})", invariant.condition));
    }
    let mut text = program.to_owned();
    for (at, (after, conditions)) in places.into_iter().rev() {
        text.insert_str(at, &format!(" espalier_require({before}({})){after}", conditions.join(" && ")));
    }
    format!("{PRELUDE}{text}")
}
