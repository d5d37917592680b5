//! Tests that a run begins with (`--seed-file`) or is made to follow (`--replay-ktest-file`).

use clap::ArgMatches;
use espalier_engine::{Config, GivenInputs, Replay};
use ktest::KTest;
use std::path::{Path, PathBuf};

/// Adds the seeds and replays that the options name.
pub(crate) fn read(matches: &ArgMatches, config: &mut Config) -> Result<(), String> {
    for path in files(matches, "seed-file", "seed-dir")? {
        config.seeds.push(inputs(&open(&path)?));
    }
    for path in files(matches, "replay-ktest-file", "replay-ktest-dir")? {
        let test = open(&path)?;
        let own = test.args.iter().skip(1).map(|arg| String::from_utf8_lossy(arg).into_owned()).collect();
        let args = if config.exec.args.is_empty() { own } else { config.exec.args.clone() };
        config.replays.push(Replay { inputs: inputs(&test), args });
    }
    match (config.seeds.is_empty(), config.replays.is_empty()) {
        (true, _) if config.only_seed => Err("--only-seed needs --seed-file or --seed-dir".into()),
        (false, false) => Err("seeds guide the search, and a replay leaves nothing to search: give one of them".into()),
        _ => Ok(()),
    }
}

/// Are tests to be replayed, but there are none in the directories that are named? KLEE replays all
/// that there are then, and is done.
pub(crate) fn has_nothing_to_replay(matches: &ArgMatches) -> Result<bool, String> {
    let list = |name| matches.get_many::<String>(name).into_iter().flatten();
    if list("replay-ktest-file").next().is_some() {
        return Ok(false);
    }
    let mut is_asked_for = false;
    for directory in list("replay-ktest-dir") {
        is_asked_for = true;
        if !tests_in(directory)?.is_empty() {
            return Ok(false);
        }
    }
    Ok(is_asked_for)
}

fn tests_in(directory: &str) -> Result<Vec<PathBuf>, String> {
    let failed = |error: std::io::Error| format!("cannot read the directory \"{directory}\": {error}");
    let mut tests = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == "ktest") {
            tests.push(path);
        }
    }
    tests.sort();
    Ok(tests)
}

/// The tests that are named one by one, and those in the directories.
fn files(matches: &ArgMatches, files: &str, directories: &str) -> Result<Vec<PathBuf>, String> {
    let list = |name| matches.get_many::<String>(name).into_iter().flatten();
    let mut paths: Vec<PathBuf> = list(files).map(PathBuf::from).collect();
    for directory in list(directories) {
        let tests = tests_in(directory)?;
        if tests.is_empty() {
            return Err(format!("there are no .ktest files in \"{directory}\""));
        }
        paths.extend(tests);
    }
    Ok(paths)
}

fn open(path: &Path) -> Result<KTest, String> {
    KTest::read_file(path).map_err(|error| format!("cannot read the test \"{}\": {error}", path.display()))
}

fn inputs(test: &KTest) -> GivenInputs {
    GivenInputs::new(test.objects.iter().map(|object| (object.name_lossy().into_owned(), object.bytes.clone())))
}
