//! `espalier build`: runs a project's own build and gives the bitcode of each program that it
//! makes.

use crate::run::fail;
use clap::builder::OsStringValueParser;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use espalier_base::format_size;
use espalier_build::{Delivered, Kind, Report, Settings};
use espalier_engine::exit_code;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  espalier build -- make                            then: espalier run prog.bc
  espalier build -- sh -c './configure && make'     compilers are asked for by configure, so it belongs to the build
  espalier build -- sh -c 'cmake -B out && cmake --build out'
  espalier build --output-dir bc --libraries -- make -j4 all
  espalier build -- cc a.c b.c -o prog              without a build system
  ESPALIER_BUILD_CC=gcc espalier build -- make      objects by gcc; bitcode is clang's

What is built before is not built again: start from a clean tree (`make clean`). Programs that include <klee/klee.h>
find it, and are linked with a library that replays tests: KTEST_FILE=test000001.ktest ./prog

Exit codes: 0 there is bitcode of every program, 2 the command failed, or no bitcode was made.";

pub(crate) const STORE: &str = ".espalier-build";
/// How many sources without bitcode are listed for a program.
const SHOWN: usize = 10;

pub(crate) fn command() -> Command {
    let output_dir = Arg::new("output-dir")
        .long("output-dir")
        .value_name("DIR")
        .help("Put the bitcode there [default: beside each program, as PROG.bc]")
        .value_parser(value_parser!(PathBuf));
    let libraries = Arg::new("libraries")
        .long("libraries")
        .help("Give bitcode of static and shared libraries, too, as LIB.bc")
        .action(ArgAction::SetTrue);
    let store = Arg::new("store")
        .long("store")
        .value_name("DIR")
        .help("Keep the bitcode of single sources there, from one build to the next")
        .default_value(STORE)
        .value_parser(value_parser!(PathBuf));
    let command = Arg::new("command")
        .value_name("COMMAND")
        .help("The build, with its arguments")
        .required(true)
        .last(true)
        .num_args(1..)
        .value_parser(OsStringValueParser::new());
    Command::new("build")
        .about("Run a project's build (make, cmake ...) and get the bitcode of every program that it makes")
        .args([output_dir, libraries, store, command])
        .after_help(EXAMPLES)
        .arg_required_else_help(true)
}

/// Builds and gives the exit code.
pub(crate) fn build(matches: &ArgMatches) -> i32 {
    let settings = match settings(matches) {
        Ok(settings) => settings,
        Err(error) => return fail(exit_code::INPUT, error),
    };
    let report = match espalier_build::build(&settings) {
        Ok(report) => report,
        Err(error) => return fail(exit_code::INPUT, error),
    };
    if std::io::stdout().write_all(told(&report).as_bytes()).is_err() {
        return exit_code::INTERNAL;
    }
    for error in &report.errors {
        fail(exit_code::INPUT, error);
    }
    if let Some(failure) = &report.failure {
        let what = if report.delivered.is_empty() { "" } else { "; the bitcode is of what was linked before" };
        let why = format!("the build failed: {failure}{what}\nIf it needs gcc as its compiler: ESPALIER_BUILD_CC=gcc");
        return fail(exit_code::INPUT, why);
    }
    if report.delivered.is_empty() && report.errors.is_empty() {
        return fail(exit_code::INPUT, nothing(&report, settings.libraries));
    }
    if report.errors.is_empty() { exit_code::CLEAN } else { exit_code::INPUT }
}

fn settings(matches: &ArgMatches) -> Result<Settings, String> {
    let path = |name: &str| matches.get_one::<PathBuf>(name).cloned();
    Ok(Settings {
        command: matches.get_many::<OsString>("command").into_iter().flatten().cloned().collect(),
        store: path("store").unwrap_or_else(|| STORE.into()),
        output_dir: path("output-dir"),
        libraries: matches.get_flag("libraries"),
        clang: espalier_frontend::clang().map_err(|error| error.to_string())?,
        executable: std::env::current_exe().map_err(|error| format!("Espalier does not know its own path: {error}"))?,
    })
}

/// The report for people.
fn told(report: &Report) -> String {
    let mut text = String::new();
    let (programs, libraries): (Vec<_>, Vec<_>) = report.delivered.iter().partition(|made| made.kind == Kind::Program);
    for (made, one, many) in [(&programs, "program", "programs"), (&libraries, "library", "libraries")] {
        if !made.is_empty() {
            let _ = writeln!(text, "Bitcode of {} {}:", made.len(), if made.len() == 1 { one } else { many });
        }
        made.iter().for_each(|made| text += &lines(made));
    }
    if !report.bare.is_empty() {
        text += "Without any bitcode:\n";
        report.bare.iter().for_each(|path| text += &format!("  {}\n", short(path)));
    }
    if !report.failed.is_empty() {
        text += "C sources that clang made no bitcode of:\n";
        report.failed.iter().take(SHOWN).for_each(|(path, why)| text += &format!("  {}: {why}\n", short(path)));
        text += &more(report.failed.len(), 2);
    }
    if let Some(first) = programs.first() {
        let _ = writeln!(text, "Go on with: espalier run {}", short(&first.bitcode));
    } else if !libraries.is_empty() {
        let _ = writeln!(text, "Go on with: espalier run --entry FUNCTION {}", short(&libraries[0].bitcode));
    }
    text
}

/// "  src/prog.bc  (12 modules, 340 KiB)", and what it lacks.
fn lines(made: &Delivered) -> String {
    let modules = if made.modules == 1 { "module" } else { "modules" };
    let mut text = format!("  {}  ({} {modules}, {})\n", short(&made.bitcode), made.modules, format_size(made.size));
    if !made.lacks.is_empty() {
        text += "    lacks what is only native code; calls of it are undefined:\n";
        made.lacks.iter().take(SHOWN).for_each(|(path, lack)| {
            let _ = writeln!(text, "      {} ({})", short(path), lack.words());
        });
        text += &more(made.lacks.len(), 6);
    }
    if !made.overridden.is_empty() {
        let _ = writeln!(text, "    the program's own is taken, not its library's: {}", made.overridden.join(", "));
    }
    text
}

fn more(count: usize, indent: usize) -> String {
    match count.saturating_sub(SHOWN) {
        0 => String::new(),
        left => format!("{}and {left} more\n", " ".repeat(indent)),
    }
}

/// The path as seen from here.
fn short(path: &Path) -> String {
    let here = std::env::current_dir().and_then(|here| here.canonicalize()).unwrap_or_default();
    path.strip_prefix(&here).unwrap_or(path).display().to_string()
}

/// Why there may be nothing.
fn nothing(report: &Report, libraries: bool) -> String {
    if let [first, ..] = &report.vanished[..] {
        return format!("no bitcode was made: what was linked is gone or was renamed, such as {}", short(first));
    }
    match report.compiled {
        0 => "no bitcode was made: the build compiled nothing, or not by a compiler from PATH or CC; start from a clean tree (`make clean`), \
              and configure it (`./configure`, `cmake`) within `espalier build`, so that its compiler is ours"
            .into(),
        _ if libraries => "no bitcode was made: the build linked neither a program nor a library".into(),
        _ => "no bitcode was made: the build compiled sources, but linked no program; for libraries there is --libraries".into(),
    }
}
