//! `espalier bench`: tools against each other on a set of programs.

use crate::run::fail;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use espalier_base::parse_duration;
use espalier_bench::{BenchError, Colour, Hard, Request};
use espalier_engine::{exit_code, stop_on_signals};
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;

const EXAMPLES: &str = "\
A set file:
  [limits]
  time = \"60s\"                    # of each run
  memory = \"4GiB\"
  cores = 2                       # runs at once
  [[tools]]
  preset = \"espalier\"             # or espalier-off, espalier-unsat-core, espalier-directed, klee, cbmc
  [[tools]]
  name = \"mine\"
  command = [\"mine\", \"--line={line}\", \"--seconds={time}\", \"{file}\"]
  reachable = \"^FOUND\"            # patterns for lines of its output
  unreachable = \"^SAFE\"
  exit = { unknown = [2] }        # exit codes, for what no pattern says
  version = [\"mine\", \"--version\"]
  args = [\"--seed={seed}\"]       # more words for the command
  groups = [\"locks\"]            # only asked about these
  [[tasks]]
  name = \"locks\"
  files = \"locks/*.c\"             # or a list
  targets = \"errors\"              # each call of reach_error(), with its truth in a comment: // expect: unreachable
                                  # or \"whole\": can any error be reached?
  In commands {file}, {target} (FILE:LINE:COLUMN), {line}, {column}, {time} (seconds), {memory} (MiB), {dir} (empty, for
  this run), {name} (of the file) and {seed} are filled in; the word {args} stands for `args` of the tasks.
  `whole_command` is used instead of `command` for targets = \"whole\". More keys of tasks: target = \"FILE:LABEL\", a place as
  the tools call it, expect = \"reachable\", time = \"5m\", args = [...] and group = \"NAME\", to be shown under.
  Before all this, table = \"medians\" asks for a table of medians over runs, seeds = 41 for so many of what has {seed}.

Examples:
  espalier bench set.toml                   run what was not run before, and compare
  espalier bench set.toml --html=report.html
  espalier bench set.toml --filter-solved-by=klee --within=5m
                                            only what KLEE does not solve in 5 minutes
  espalier bench set.toml --slice=10m       a part, for continuous integration

Results are kept next to the set, as they come in: an interrupted comparison goes on where it was.
After changing a tool without changing its version, start over with --fresh.

Exit codes: 0 compared, 10 an answer is wrong, 5 interrupted.";

pub(crate) fn command() -> Command {
    let path = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help).value_parser(value_parser!(PathBuf))
    };
    let time = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name("TIME").help(help).value_parser(parse_duration)
    };
    let text = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    Command::new("bench")
        .about("Compare tools on a set of programs: who solves what, and how fast")
        .arg(
            Arg::new("set")
                .value_name("SET.toml")
                .help("Tools, programs and limits")
                .required(true)
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(path("results", "FILE", "Keep results in FILE [default: SET.results.jsonl]"))
        .arg(Arg::new("fresh").long("fresh").help("Forget earlier results").action(ArgAction::SetTrue))
        .arg(path("html", "FILE", "Write a page with the tables and plots"))
        .arg(text("only-tools", "NAMES", "Only these tools of the set").value_delimiter(','))
        .arg(text("match", "REGEX", "Only targets whose FILE:LINE or group matches"))
        .arg(
            text("filter-solved-by", "TOOL", "Leave out the targets that TOOL solves in the time of --within")
                .requires("within"),
        )
        .arg(time("within", "The time for --filter-solved-by").requires("filter-solved-by"))
        .arg(time("slice", "Begin no run after this time in all"))
        .arg(
            text("seeds", "N", "Run what depends on chance with the seeds 1 to N [default: as the set says]")
                .value_parser(value_parser!(u32).range(1..)),
        )
        .after_help(EXAMPLES)
        .arg_required_else_help(true)
}

/// Compares and gives the exit code.
pub(crate) fn bench(matches: &ArgMatches) -> i32 {
    let stop = stop_on_signals();
    let finished = match espalier_bench::bench(&request(matches), &|| stop.is_asked()) {
        Ok(finished) => finished,
        Err(error) => return fail(code(&error), error),
    };
    let mut stdout = std::io::stdout();
    if stdout.write_all(finished.text(colour(&stdout)).as_bytes()).is_err() {
        return exit_code::INTERNAL;
    }
    match (finished.wrong, finished.is_interrupted) {
        (1.., _) => exit_code::FOUND,
        (0, true) => exit_code::INCOMPLETE,
        (0, false) => exit_code::CLEAN,
    }
}

fn request(matches: &ArgMatches) -> Request {
    let path = |name: &str| matches.get_one::<PathBuf>(name).cloned();
    let text = |name: &str| matches.get_one::<String>(name).cloned();
    let time = |name: &str| matches.get_one::<Duration>(name).copied();
    let names = matches.get_many::<String>("only-tools");
    Request {
        set: path("set").unwrap_or_default(),
        results: path("results"),
        fresh: matches.get_flag("fresh"),
        html: path("html"),
        hard: text("filter-solved-by").zip(time("within")).map(|(tool, within)| Hard { tool, within }),
        slice: time("slice"),
        only_tools: names.map_or_else(Vec::new, |names| names.cloned().collect()),
        matching: text("match"),
        seeds: matches.get_one("seeds").copied(),
    }
}

fn code(error: &BenchError) -> i32 {
    match error {
        BenchError::Usage(_) => exit_code::USAGE,
        BenchError::Input(_) => exit_code::INPUT,
        BenchError::Output(_) => exit_code::INTERNAL,
    }
}

/// Colour on a terminal that has not been asked to do without.
fn colour(stream: &impl IsTerminal) -> Colour {
    let is_plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if stream.is_terminal() && !is_plain { Colour::Terminal } else { Colour::Plain }
}
