//! `espalier merge`: gives a recorded tree what others of the same program have.
//!
//! The first directory is changed, in one transaction for each of the others, which are only read.
//! Records do not say which test a path has, so that only the tests of errors are copied: those are
//! told apart by what their files say.

use crate::command;
use crate::recording::differences;
use crate::run::fail;
use clap::{Arg, ArgMatches, Command, value_parser};
use espalier_base::utc;
use espalier_engine::{Merged, Merging, exit_code};
use espalier_report::{OutputError, RunDir, grouped_plural};
use espalier_store::{Reader, Shape, Store};
use std::collections::BTreeSet;
use std::fmt::Display;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

const EXAMPLES: &str = "\
Examples:
  espalier run --record=a parser.c --max-time=1h --search=dfs
  espalier run --record=b parser.c --max-time=1h --search=random-path     perhaps on another machine
  espalier merge a b                                                      a has what b explored, too
  espalier resume a

Paths that a limit cut in other trees are unfinished in the first one, so that its own limits hold for them. With
interpolation, states that were left out are taken over only from trees in which everything was explored: others
rest on paths that are still open there. Of tests, only those of errors that the first tree does not have are copied.

Exit codes: 0 merged, 1 wrong usage, 2 a directory without a tree, or one of another program or with other options, 6 a
tree that cannot be written.";

/// How the run is called that a merge is recorded as, and the limits that it has.
const STOP: &str = "Merged";
const NO_LIMITS: &str = "{}";

pub(crate) fn command() -> Command {
    let dir = |name, value, help| {
        Arg::new(name).value_name(value).help(help).required(true).value_parser(value_parser!(PathBuf))
    };
    Command::new("merge")
        .about("Give a recorded tree what others of the same program have")
        .arg(dir("into", "DIR", "The tree that is changed"))
        .arg(dir("from", "OTHER", "Trees of the same program with the same options").num_args(1..))
        .after_help(EXAMPLES)
        .arg_required_else_help(true)
}

pub(crate) fn merge(matches: &ArgMatches) -> i32 {
    match try_merge(matches) {
        Ok(()) => exit_code::CLEAN,
        Err(code) => code,
    }
}

fn input_error(error: impl Display) -> i32 {
    fail(exit_code::INPUT, error)
}

fn output_error(error: impl Display) -> i32 {
    fail(exit_code::INTERNAL, error)
}

fn try_merge(matches: &ArgMatches) -> Result<(), i32> {
    let into: &PathBuf = matches.get_one("into").expect("it is required");
    let from: Vec<&PathBuf> = matches.get_many("from").expect("it is required").collect();
    let mut store = Store::open(into).map_err(input_error)?;
    let reader = store.reader().map_err(input_error)?;
    let mut others = Vec::new();
    for dir in from {
        let other = Reader::open(dir).map_err(input_error)?;
        let differ =
            differences(&reader, &other).map_err(|why| input_error(format!("\"{}\": {why}", dir.display())))?;
        if !differ.is_empty() {
            let why = differ.join("; ");
            return Err(input_error(format!("\"{}\" cannot be merged, its paths are others: {why}", dir.display())));
        }
        others.push((dir, other));
    }
    for (dir, other) in others {
        let named = |error: &dyn Display| input_error(format!("\"{}\": {error}", dir.display()));
        let merging = Merging::new(&reader, &other).map_err(|error| named(&error))?;
        let merged = merging.merged.clone();
        let tests = copy_tests(into, dir).map_err(output_error)?;
        if let Some(commit) = merging.commit(tests) {
            let now = || utc::format(SystemTime::now());
            store.begin_run(&now(), NO_LIMITS, &command::version()).map_err(output_error)?;
            store.commit(&commit).map_err(output_error)?;
            store.end_run(&now(), STOP).map_err(output_error)?;
        }
        say(&text(dir, &merged, tests));
    }
    let unfinished = Shape::read(&reader).map_err(input_error)?.unfinished();
    say(&match unfinished {
        0 => format!("{}: everything is finished", into.display()),
        _ => format!("{}: {} unfinished", into.display(), grouped_plural(unfinished, "path")),
    });
    Ok(())
}

fn say(line: &str) {
    // Who does not read it has the tree.
    let _ = writeln!(std::io::stdout(), "{line}");
}

fn text(dir: &Path, merged: &Merged, tests: u64) -> String {
    let Merged { records, paths, errors, learnt, divergences, left_unfinished } = *merged;
    let mut parts = vec![grouped_plural(records, "node"), format!("{} ended", grouped_plural(paths, "path"))];
    for (count, what) in [(errors, "new error"), (tests, "test"), (learnt, "batch of interpolants")] {
        if count > 0 {
            parts.push(grouped_plural(count, what));
        }
    }
    if left_unfinished > 0 {
        parts.push(format!("{} to be gone on with here", grouped_plural(left_unfinished, "cut or pruned path")));
    }
    if divergences > 0 {
        let nodes = grouped_plural(divergences, "node");
        parts.push(format!("{nodes} that contradict each other, so that nothing is proved by this tree"));
    }
    format!("{}: {}", dir.display(), parts.join(", "))
}

/// Copies the tests of errors that a directory does not have, under numbers behind its own. How
/// many were they?
fn copy_tests(into: &Path, from: &Path) -> Result<u64, OutputError> {
    let dir = RunDir::of_earlier_run(into)?;
    let mut known: BTreeSet<String> = errors(into)?.into_iter().map(|(_, error)| error).collect();
    let mut number = dir.last_test()?;
    let mut copied = 0;
    for (test, error) in errors(from)? {
        if !known.insert(error) {
            continue;
        }
        number += 1;
        copied += 1;
        for name in names(from)?.iter().filter(|name| name.split('.').next() == Some(&test)) {
            let path = from.join(name);
            let content = fs::read(&path).map_err(|source| OutputError::Read { path, source })?;
            dir.write(&format!("test{number:06}{}", &name[test.len()..]), &content)?;
        }
    }
    Ok(copied)
}

fn names(dir: &Path) -> Result<Vec<String>, OutputError> {
    let failed = |source| OutputError::Read { path: dir.to_owned(), source };
    let entries = fs::read_dir(dir).map_err(failed)?.collect::<Result<Vec<_>, _>>().map_err(failed)?;
    let mut names: Vec<String> = entries.iter().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    Ok(names)
}

/// The tests of a directory that end in an error, with what tells the error from others.
fn errors(dir: &Path) -> Result<Vec<(String, String)>, OutputError> {
    let mut errors = Vec::new();
    for name in names(dir)?.into_iter().filter(|name| name.starts_with("test") && name.ends_with(".err")) {
        let path = dir.join(&name);
        let text = fs::read_to_string(&path).map_err(|source| OutputError::Read { path, source })?;
        let is_telling = |line: &&str| ["kind:", "File:", "Line:", "column:"].iter().any(|key| line.starts_with(key));
        let error: Vec<&str> = text.lines().map(str::trim).filter(is_telling).collect();
        errors.push((name.split('.').next().unwrap_or_default().to_owned(), error.join(" ")));
    }
    Ok(errors)
}
