//! `espalier coverage`: tracefiles of several runs, put together; and how the coverage of runs
//! grew.

use crate::run::fail;
use clap::{Arg, ArgMatches, Command, value_parser};
use espalier_engine::exit_code;
use espalier_report::{Moment, moments};
use lcov::{Share, Totals, Tracefile};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  espalier run --coverage=lcov:a.info --search=dfs parser.c
  espalier run --coverage=lcov:b.info --seed=1 parser.c
  espalier coverage merge a.info b.info -o all.info
  genhtml --branch-coverage -o html all.info

Exit codes: 0 merged, 1 wrong usage, 2 a file that cannot be read, is no tracefile or does not fit the others, 6 a file that cannot be written.";

const OVER_TIME_EXAMPLES: &str = "\
Examples:
  espalier coverage over-time espalier-out-0                        a table
  espalier coverage over-time out-dfs out-hybrid --svg=curves.svg   two searchers in one picture";

pub(crate) fn command() -> Command {
    let files = Arg::new("files")
        .value_name("FILE.info")
        .help("Tracefiles of lcov, from --coverage=lcov or from other tools")
        .required(true)
        .num_args(1..)
        .value_parser(value_parser!(PathBuf));
    let output = Arg::new("output")
        .short('o')
        .long("output")
        .value_name("FILE.info")
        .help("Write the sum there; without it, only the table is printed")
        .value_parser(value_parser!(PathBuf));
    let merge = Command::new("merge")
        .about("Add up tracefiles of lcov, and print what they cover of each file and in all")
        .args([files, output])
        .after_help(EXAMPLES)
        .arg_required_else_help(true);
    let runs = Arg::new("runs")
        .value_name("RUN")
        .help("Directories that `espalier run` wrote, with run.stats in them")
        .required(true)
        .num_args(1..)
        .value_parser(value_parser!(PathBuf));
    let file = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name("FILE").help(help).value_parser(value_parser!(PathBuf))
    };
    let over_time = Command::new("over-time")
        .about("Show how the coverage of runs grew: as CSV, or as a picture")
        .args([runs, file("csv", "Write the table there instead of printing it"), file("svg", "Draw the curves there")])
        .after_help(OVER_TIME_EXAMPLES)
        .arg_required_else_help(true);
    Command::new("coverage")
        .about("Put the coverage of several runs together, or show how it grew")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(merge)
        .subcommand(over_time)
}

pub(crate) fn coverage(matches: &ArgMatches) -> i32 {
    match matches.subcommand() {
        Some(("merge", matches)) => merge(matches).err().unwrap_or(exit_code::CLEAN),
        Some(("over-time", matches)) => over_time(matches).err().unwrap_or(exit_code::CLEAN),
        _ => unreachable!("the command requires a verb"),
    }
}

fn over_time(matches: &ArgMatches) -> Result<(), i32> {
    let mut csv = String::from(
        "run,seconds,instructions,paths,errors,covered_blocks,total_blocks,covered_instructions,total_instructions\n",
    );
    let mut curves = Vec::new();
    for path in matches.get_many::<PathBuf>("runs").into_iter().flatten() {
        let moments = moments(path).map_err(|error| fail(exit_code::INPUT, error))?;
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        for m in &moments {
            let _ = writeln!(
                csv,
                "{},{:.3},{},{},{},{},{},{},{}",
                name.replace([',', '"', '\n'], "_"),
                m.seconds,
                m.instructions,
                m.paths,
                m.errors,
                m.covered_blocks,
                m.total_blocks,
                m.covered_instructions,
                m.total_instructions
            );
        }
        let share = |m: &Moment| 100.0 * m.covered_blocks as f64 / m.total_blocks.max(1) as f64;
        curves.push((name, moments.iter().map(|m| (m.seconds, share(m))).collect()));
    }
    let write = |path: &PathBuf, text: &str| {
        let written = std::fs::write(path, text);
        written.map_err(|error| fail(exit_code::INTERNAL, format!("cannot write {}: {error}", path.display())))
    };
    let (table, picture) = (matches.get_one::<PathBuf>("csv"), matches.get_one::<PathBuf>("svg"));
    if let Some(path) = picture {
        write(path, &espalier_bench::coverage_over_time(&curves))?;
    }
    match table {
        Some(path) => write(path, &csv)?,
        // A reader that is gone has seen enough.
        None if picture.is_none() => drop(std::io::stdout().write_all(csv.as_bytes())),
        None => {}
    }
    Ok(())
}

fn merge(matches: &ArgMatches) -> Result<(), i32> {
    let mut sum = Tracefile::default();
    for path in matches.get_many::<PathBuf>("files").into_iter().flatten() {
        let told = read(path).and_then(|tracefile| sum.merge(&tracefile).map_err(|error| error.to_string()));
        told.map_err(|error| fail(exit_code::INPUT, format!("{}: {error}", path.display())))?;
    }
    if let Some(path) = matches.get_one::<PathBuf>("output") {
        let written = std::fs::write(path, sum.to_string());
        written.map_err(|error| fail(exit_code::INTERNAL, format!("cannot write {}: {error}", path.display())))?;
    }
    // A reader that is gone has seen enough.
    let _ = std::io::stdout().write_all(table(&sum).as_bytes());
    Ok(())
}

fn read(path: &Path) -> Result<Tracefile, String> {
    let text = std::fs::read(path).map_err(|error| error.to_string())?;
    Tracefile::parse(&String::from_utf8_lossy(&text)).map_err(|error| error.to_string())
}

/// What is covered of each file and in all.
fn table(tracefile: &Tracefile) -> String {
    let rows = tracefile.files.iter().map(|(file, record)| (shorten(file), record.totals()));
    let rows: Vec<(String, Totals)> = rows.chain([("all".to_owned(), tracefile.totals())]).collect();
    let widest = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    let _ = writeln!(text, "{:<widest$} {:>22} {:>22} {:>22}", "", "lines", "functions", "branches");
    for (name, Totals { lines, functions, branches }) in rows {
        let _ = writeln!(text, "{name:<widest$} {:>22} {:>22} {:>22}", cell(lines), cell(functions), cell(branches));
    }
    text
}

fn cell(share: Share) -> String {
    share.percent().map_or_else(|| "-".to_owned(), |percent| format!("{share} ({percent:.1}%)"))
}

/// A path below the current directory, or as it is.
fn shorten(file: &str) -> String {
    let here = std::env::current_dir().ok().and_then(|here| here.canonicalize().ok());
    let below = here.and_then(|here| Some(Path::new(file).strip_prefix(here).ok()?.to_string_lossy().into_owned()));
    below.unwrap_or_else(|| file.to_owned())
}
