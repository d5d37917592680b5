//! `espalier tree`: shows a recorded tree, while its run writes it or later.
//!
//! The directory is only read. Source lines need the program, which is loaded as the recorded
//! command did; without it, or if it has changed since, functions and instructions have numbers.

use crate::recording::{location_parser, recorded_hash, recorded_program, tree_argument, tree_location};
use crate::run::fail;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use espalier_engine::exit_code;
use espalier_report::{Places, TreeDiff, TreeView};
use espalier_store::{Compared, Location, Reader, RecordId, Records, Shape, StoreError, differences, write_exec_tree};
use std::fmt::Display;
use std::io::Write;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  espalier run --record=tree parser.c --max-time=1h
  espalier tree tree                            what became of the paths, where the rest are, hot forks
  espalier tree tree --node=1234                the path to a node, with what was chosen at each fork
  espalier tree tree --dot --depth=5 | dot -Tsvg -o tree.svg
  espalier tree tree --diff=other               paths that only one of two trees has, or that end otherwise
  espalier tree tree --klee=exec_tree.db        for tools that read KLEE's execution trees

Exit codes: 0 shown, 1 wrong usage, 2 a directory without a tree or a node that is not in it, 6 a file that cannot be written.";

/// Forks above what `--dot` shows as counts.
const DEPTH: &str = "8";

pub(crate) fn command() -> Command {
    let json = Arg::new("json").long("json").help("Print one JSON object").action(ArgAction::SetTrue);
    let dot = Arg::new("dot")
        .long("dot")
        .help("Print the upper part of the tree for Graphviz")
        .action(ArgAction::SetTrue)
        .conflicts_with_all(["json", "node", "diff", "klee"]);
    let depth = Arg::new("depth")
        .long("depth")
        .value_name("D")
        .help("With --dot: show what is below so many forks as counts")
        .default_value(DEPTH)
        .value_parser(value_parser!(u32));
    let node = Arg::new("node")
        .long("node")
        .value_name("N")
        .help("Show the path to this node")
        .value_parser(value_parser!(u64))
        .conflicts_with_all(["json", "diff", "klee"]);
    let diff = Arg::new("diff")
        .long("diff")
        .value_name("DIR")
        .help("Show what differs from the tree in another directory")
        .value_parser(location_parser())
        .conflicts_with("klee");
    let klee = Arg::new("klee")
        .long("klee")
        .value_name("FILE")
        .help("Write the tree as KLEE's exec_tree.db, with source lines for those of assembly.ll")
        .value_parser(value_parser!(PathBuf))
        .conflicts_with("json");
    Command::new("tree")
        .about("Show a recorded tree: what became of its paths, and where the unfinished ones are")
        .args([tree_argument(), json, dot, depth, node, diff, klee])
        .after_help(EXAMPLES)
        .arg_required_else_help(true)
}

pub(crate) fn tree(matches: &ArgMatches) -> i32 {
    match show(matches, tree_location(matches)) {
        Ok(text) => {
            // A reader that is gone has seen enough.
            let _ = std::io::stdout().write_all(text.as_bytes());
            exit_code::CLEAN
        }
        Err(code) => code,
    }
}

fn input_error(error: impl Display) -> i32 {
    fail(exit_code::INPUT, error)
}

fn show(matches: &ArgMatches, tree: &Location) -> Result<String, i32> {
    let reader = Reader::open(tree).map_err(input_error)?;
    let (program, no_program) = match recorded_program(tree, &reader) {
        Ok(program) => (Some(program), None),
        Err(why) => (None, Some(why)),
    };
    let places = Places { program };
    if let Some(other) = matches.get_one::<Location>("diff") {
        return diff(&reader, [tree, other], &places, matches.get_flag("json"));
    }
    let shape = Shape::read(&reader).map_err(input_error)?;
    if let Some(path) = matches.get_one::<PathBuf>("klee") {
        return klee(path, &reader, &shape, &places);
    }
    let leaves = shape.leaves();
    let view = TreeView {
        shape: &shape,
        leaves: &leaves,
        runs: &reader.runs().map_err(input_error)?,
        divergences: &reader.divergences().map_err(input_error)?,
        bytes: reader.bytes().map_err(input_error)?,
        places: &places,
        no_program: no_program.as_deref(),
    };
    let mut records = Records::new(&reader);
    let text = if matches.get_flag("json") {
        view.json(&mut records).map(|json| format!("{json}\n"))
    } else if matches.get_flag("dot") {
        view.dot(&mut records, matches.get_one("depth").copied().unwrap_or_default())
    } else if let Some(&node) = matches.get_one::<u64>("node") {
        let unknown = || input_error(format!("the tree has no node {node}: `espalier tree` shows numbers of nodes"));
        view.path(&mut records, shape.slot(RecordId(node)).ok_or_else(unknown)?)
    } else {
        view.summary(&mut records)
    };
    text.map_err(input_error)
}

fn diff(reader: &Reader, trees: [&Location; 2], places: &Places, is_json: bool) -> Result<String, i32> {
    let other = Reader::open(trees[1]).map_err(input_error)?;
    let found = compare(reader, &other).map_err(input_error)?;
    if is_json {
        return Ok(format!("{}\n", found.json(places)));
    }
    let names = trees.map(Location::to_string);
    let hashes = [reader, &other].map(recorded_hash);
    let note = if matches!(&hashes, [Ok(first), Ok(second)] if first != second) { OTHER_PROGRAM } else { "" };
    Ok(format!("{note}{}", found.text(places, [&names[0], &names[1]])))
}

const OTHER_PROGRAM: &str = "The trees are of different programs: paths are compared by what was decided on them, places are those of the first.\n";

fn compare(first: &Reader, second: &Reader) -> Result<TreeDiff, StoreError> {
    let shapes = [Shape::read_to_compare(first)?, Shape::read_to_compare(second)?];
    let compared = |shape, reader| Compared { shape, leaves: Shape::leaves(shape), records: Records::new(reader) };
    let mut found = TreeDiff::default();
    let (mut first, mut second) = (compared(&shapes[0], first), compared(&shapes[1], second));
    differences(&mut first, &mut second, &mut |different| found.add(different))?;
    Ok(found)
}

/// In what a tree differs from the one that it takes the place of.
pub(crate) fn compared(before: &Location, now: &Location) -> Result<String, String> {
    let open = |tree: &Location| Reader::open(tree).map_err(|error| error.to_string());
    let (first, second) = (open(before)?, open(now)?);
    let places = Places { program: recorded_program(before, &first).ok() };
    let found = compare(&first, &second).map_err(|error| error.to_string())?;
    Ok(found.text(&places, ["the tree before", "this one"]))
}

fn klee(path: &Path, reader: &Reader, shape: &Shape, places: &Places) -> Result<String, i32> {
    if path.exists() {
        return Err(input_error(format!("\"{}\" exists: remove it, or choose another name", path.display())));
    }
    let line = |function, instruction| places.line(function, instruction);
    write_exec_tree(path, reader, shape, &line).map_err(|error| fail(exit_code::INTERNAL, error))?;
    Ok(String::new())
}
