//! Interpolation does not change what is found: every program, ours and random ones, has the same
//! errors with it as without it, generated systems have the reachable labels that an exhaustive
//! search over their states finds, and the examples of the TracerX paper have trees of the size
//! that it gives.
//!
//! `ESPALIER_PRUNE_COUNT` sets how many random programs, `ESPALIER_PRUNE_SEED` the first seed.

mod support;
#[allow(dead_code, reason = "the benches use all of it")]
#[path = "../benches/systems/mod.rs"]
mod systems;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use support::corpus::{self, Program};
use support::events::Run;
use support::suite::{self, Verdict};
use support::{count_from_env, generator};
use systems::{Eca, Fig4, ShortestPath};

const LIMIT: Duration = Duration::from_secs(120);
/// What may be spent on exploring a random program whole.
const WHOLE: &str = "--max-instructions=1000000";
/// Ways to prune that must find the same.
const WAYS: [[&str; 2]; 6] = [
    ["--interpolation=on", "--search=dfs"],
    ["--interpolation=on", "--search=bfs"],
    ["--interpolation=on", "--search=random-path"],
    ["--interpolation=unsat-core", "--search=dfs"],
    ["--interpolation=on", "--search=hybrid"],
    ["--interpolation=on", "--search=portfolio"],
];
/// What is looked for: with one kind of error, much of a program is irrelevant, and more is pruned.
const ONLY: [&str; 3] = ["--only=all", "--only=assert", "--only=memory"];

enum Case {
    Corpus(Program),
    Random(usize),
    System(usize),
    /// A program in `tests/c/reach` that says whether its error can be reached.
    Trap(PathBuf),
    /// Which blocks of a random program can be reached.
    Blocks(usize),
    /// A program in `tests/c/endless`, with an error that depth first alone never comes to.
    Endless(PathBuf),
    /// Fig. 4 of the TracerX paper: the tree grows linearly.
    Linear(usize, Fig4),
    /// Independent locks, in an endless loop or not: the tree grows linearly.
    Locks(usize, bool),
    /// Fig. 1: a node for each pair of graph nodes, not for each way.
    ShortestPath(usize, ShortestPath),
}

fn main() -> ExitCode {
    let first = count_from_env("ESPALIER_PRUNE_SEED", 0);
    let count = count_from_env("ESPALIER_PRUNE_COUNT", 240);
    let mut cases: Vec<(String, Case)> = Vec::new();
    cases.extend(corpus::programs().into_iter().map(|(name, program)| (name, Case::Corpus(program))));
    let named = |make: fn(PathBuf) -> Case| move |path: PathBuf| (path.display().to_string(), make(path));
    cases.extend(programs_in("tests/c/reach").into_iter().map(named(Case::Trap)));
    cases.extend(programs_in("tests/c/endless").into_iter().map(named(Case::Endless)));
    cases.extend((first..first + count).map(|seed| (format!("random {seed}"), Case::Random(seed))));
    cases.extend((first..first + count / 5).map(|seed| (format!("system {seed}"), Case::System(seed))));
    cases.extend((first..first + count / 5).map(|seed| (format!("blocks {seed}"), Case::Blocks(seed))));
    for spelling in Fig4::ALL {
        cases.extend([5, 20, 100, 400].map(|n| (format!("fig4 {n} {spelling:?}"), Case::Linear(n, spelling))));
    }
    for is_endless in [false, true] {
        cases.extend([5, 40].map(|n| (format!("locks {n} endless {is_endless}"), Case::Locks(n, is_endless))));
    }
    for spelling in ShortestPath::ALL {
        cases.extend([4, 10, 25].map(|n| (format!("shortest path {n} {spelling:?}"), Case::ShortestPath(n, spelling))));
    }
    suite::run("prune", &cases, |_, case| check(case).unwrap_or_else(Verdict::Failed))
}

fn check(case: &Case) -> Result<Verdict, String> {
    let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
    let dir = dir.path();
    match case {
        Case::Corpus(program) => corpus_program(dir, program),
        Case::Random(seed) => random_program(dir, *seed),
        Case::Trap(path) => trap(dir, path),
        Case::Endless(path) => endless(dir, path),
        Case::System(seed) => system(dir, *seed),
        Case::Blocks(seed) => blocks(dir, *seed),
        Case::Linear(n, spelling) => {
            // 23.01 nodes for each N in the paper, which counts blocks; here a node is an
            // alternative of a fork, where two meet again, or a loop head.
            let nodes = proof(dir, &systems::fig4(*n, *spelling))?;
            if nodes <= 5 * *n as u64 + 3 { Ok(Verdict::Passed) } else { Err(format!("{nodes} nodes for N = {n}")) }
        }
        Case::Locks(n, is_endless) => {
            let nodes = proof(dir, &systems::locks(*n, *is_endless))?;
            if nodes <= 4 * *n as u64 + 10 { Ok(Verdict::Passed) } else { Err(format!("{nodes} nodes for {n} locks")) }
        }
        Case::ShortestPath(n, spelling) => {
            let nodes = proof(dir, &systems::shortest_path(*n, 1, *spelling).0)?;
            let most = 5 * (n * n) as u64 / 2;
            if nodes <= most { Ok(Verdict::Passed) } else { Err(format!("{nodes} nodes for {n} graph nodes")) }
        }
    }
}

struct Found {
    /// Kinds and lines of the errors.
    errors: BTreeSet<(String, u64)>,
    exit_code: i32,
    nodes: u64,
}

fn explore(dir: &Path, options: &[&str], program: &str) -> Result<Found, String> {
    let dir = tempfile::tempdir_in(dir).map_err(|error| error.to_string())?;
    let mut args: Vec<String> = options.iter().map(|option| option.to_string()).collect();
    args.extend(["--no-tests".into(), program.into()]);
    let run = Run::start(dir.path(), &args, LIMIT)?;
    let nodes = run.finished()?["interpolation"]["nodes"].as_u64().unwrap_or_default();
    let errors = run.of("error").map(|error| {
        (error["kind"].as_str().unwrap_or_default().to_string(), error["line"].as_u64().unwrap_or_default())
    });
    Ok(Found { errors: errors.collect(), exit_code: run.exit_code, nodes })
}

fn write(dir: &Path, text: &str) -> Result<(), String> {
    std::fs::write(dir.join("prog.c"), text).map_err(|error| error.to_string())
}

fn same(whole: &Found, pruned: &Found, options: &[&str]) -> Result<Verdict, String> {
    if (&whole.errors, whole.exit_code) == (&pruned.errors, pruned.exit_code) {
        return Ok(Verdict::Passed);
    }
    Err(format!(
        "without pruning {:?} and exit code {}, with {options:?} {:?} and {}",
        whole.errors, whole.exit_code, pruned.errors, pruned.exit_code
    ))
}

fn corpus_program(dir: &Path, program: &Program) -> Result<Verdict, String> {
    let unsuitable = ["--check-leaks", "--check-uninit", "--max-depth", "--search"];
    if program.options.iter().any(|option| unsuitable.iter().any(|start| option.starts_with(start))) {
        return Ok(Verdict::NoCase("with an option that interpolation does not go with"));
    }
    let path = program.path.display().to_string();
    let mut options: Vec<&str> = program.options.iter().map(String::as_str).collect();
    let whole = explore(dir, &options, &path)?;
    let name = program.path.file_name().map_or(0, |name| name.len());
    options.splice(0..0, WAYS[name % WAYS.len()]);
    options.push("--verify-pruning");
    same(&whole, &explore(dir, &options, &path)?, &options)
}

/// In `tests/c/reach`, a wrong idea of what makes two states the same would show.
fn programs_in(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(support::root().join(folder)).expect("the repository has the directory");
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths
}

/// The program says whether its error is reachable, and often also with `-DSAFE`.
fn trap(dir: &Path, path: &Path) -> Result<Verdict, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let expectation = |start: &str| text.lines().find_map(|line| line.strip_prefix(start));
    for (start, define) in [("// expect: ", "-UNONE"), ("// expect with -DSAFE: ", "-DSAFE")] {
        let expected = match expectation(start) {
            Some("reachable") => 10,
            Some("unreachable") => 0,
            None if define == "-DSAFE" => continue,
            other => return Err(format!("it does not say what to expect: {other:?}")),
        };
        for [interpolation, search] in WAYS {
            let options = [interpolation, search, define, "--only=reach", "--verify-pruning"];
            let found = explore(dir, &options, &path.display().to_string())?;
            if found.exit_code != expected {
                return Err(format!("exit code {} with {options:?}, expected {expected}", found.exit_code));
            }
        }
    }
    Ok(Verdict::Passed)
}

/// The error is found within few instructions, by the searcher that is the default here.
fn endless(dir: &Path, path: &Path) -> Result<Verdict, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let mut options = vec!["--interpolation=on", "--exit-on-error", "--max-instructions=2000000"];
    options.extend(text.lines().filter_map(|line| line.strip_prefix("// options: ")));
    match explore(dir, &options, &path.display().to_string())?.exit_code {
        10 => Ok(Verdict::Passed),
        code => Err(format!("exit code {code}")),
    }
}

fn random_program(dir: &Path, seed: usize) -> Result<Verdict, String> {
    write(dir, &generator::program(seed as u64))?;
    let only = ONLY[seed / WAYS.len() % ONLY.len()];
    let whole = explore(dir, &["--interpolation=off", only, WHOLE], "../prog.c")?;
    if whole.exit_code == 5 {
        return Ok(Verdict::Skipped("too many paths to explore whole".into()));
    }
    let [interpolation, search] = WAYS[seed % WAYS.len()];
    let mut options = vec![interpolation, search, only, "--verify-pruning"];
    // Pauses at any place lose nothing.
    let pauses = format!("--pause-pruning={seed}");
    options.extend((seed / 2 % 2 == 1).then_some(pauses.as_str()));
    same(&whole, &explore(dir, &options, "../prog.c")?, &options)
}

/// An event-condition-action system, with a bound on its rounds or without.
fn system(dir: &Path, seed: usize) -> Result<Verdict, String> {
    let (labels, rounds) = (6, [Some(3), Some(5), Some(40), None][seed % 4]);
    let (variables, target) = (2 + seed % 3, seed % labels);
    let options = Eca { variables, inputs: 3, rules: 12, most_states: None, labels, rounds, target };
    write(dir, &systems::eca(&options, seed as u64))?;
    let expected = systems::eca_reachable(&options, seed as u64)[options.target];
    let [interpolation, search] = WAYS[seed / 4 % WAYS.len()];
    let found = explore(dir, &[interpolation, search, "--only=reach"], "../prog.c")?;
    match (found.exit_code, expected) {
        (10, true) | (0, false) => Ok(Verdict::Passed),
        (code, expected) => Err(format!("exit code {code}, but the label is reachable: {expected}")),
    }
}

/// Every block as a target of its own: the same ones are reachable with pruning as without, and
/// natively too.
fn blocks(dir: &Path, seed: usize) -> Result<Verdict, String> {
    write(dir, &generator::program(seed as u64))?;
    let verdicts = |options: &[&str]| -> Result<Vec<(String, String)>, String> {
        let dir = tempfile::tempdir_in(dir).map_err(|error| error.to_string())?;
        let args: Vec<String> =
            [&["--targets=blocks", WHOLE, "../prog.c"], options].concat().into_iter().map(String::from).collect();
        let run = Run::start_verb("reach", dir.path(), &args, LIMIT)?;
        run.finished()?;
        let text = |event: &serde_json::Value, key: &str| event[key].as_str().unwrap_or_default().to_string();
        if let Some(wrong) = run.of("target").find(|event| text(event, "detail").starts_with("NOT confirmed")) {
            return Err(format!("{} is not reached natively: {}", wrong["target"], wrong["detail"]));
        }
        Ok(run.of("target").map(|event| (text(event, "target"), text(event, "verdict"))).collect())
    };
    let whole = verdicts(&["--interpolation=off"])?;
    if whole.iter().any(|(_, verdict)| verdict == "unknown") {
        return Ok(Verdict::Skipped("too many paths to explore whole".into()));
    }
    let [interpolation, search] = WAYS[seed % WAYS.len()];
    let pruned = verdicts(&[interpolation, search, "--verify-pruning"])?;
    match whole.iter().zip(&pruned).find(|(whole, pruned)| whole != pruned) {
        None if whole.len() == pruned.len() => Ok(Verdict::Passed),
        different => Err(format!("without pruning and with {interpolation} {search}: {different:?}")),
    }
}

/// The nodes of the tree of a proof. With others beside depth first there may be a third more.
fn proof(dir: &Path, text: &str) -> Result<u64, String> {
    write(dir, text)?;
    let [depth_first, portfolio] = ["--search=dfs", "--search=portfolio"].map(|search| {
        let found = explore(dir, &["--interpolation=on", "--only=reach", search], "../prog.c")?;
        if found.exit_code == 0 { Ok(found.nodes) } else { Err(format!("exit code {} with {search}", found.exit_code)) }
    });
    match (depth_first?, portfolio?) {
        (nodes, more) if 3 * more > 4 * nodes => Err(format!("{nodes} nodes depth first, {more} with others")),
        (nodes, _) => Ok(nodes),
    }
}
