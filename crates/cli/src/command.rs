//! The command line, built from the table of options.

use crate::{bench, build, coverage, doctor, klee, ktest_files, manual, merge, recording, replay, tree, workers};
use clap::builder::{BoolishValueParser, NonEmptyStringValueParser, PossibleValuesParser, StyledStr};
use clap::{Arg, ArgAction, Command, value_parser};
use espalier_base::options::{self, OPTIONS, OptionSpec, Value};
use espalier_base::{parse_duration, parse_size};
use std::fmt::Write;
use std::path::PathBuf;

const ABOUT: &str =
    "Symbolic execution of C programs: finds the inputs that make them fail, and tests for all the rest";

const EXAMPLES: &str = "\
Examples:
  espalier run maze.c                          explore every path, report errors, write a test per path
  espalier run parser.c util.c -Iinclude -DNDEBUG --max-time 10m
                                               several files, compiler flags, a time limit
  espalier run prog.bc -- -v input.txt         bitcode; arguments for the program after --
  espalier run echo.bc --sym-args 0 2 4 --sym-stdin 8
                                               a whole program: symbolic arguments and input
  espalier run --json prog.c | jq .            events for other tools

Exit codes:
  0  nothing found, everything explored        1  wrong usage
  10 an error was found                        2  input or compile error
  5  nothing found, but not everything explored
  6  internal error";

/// The whole command line.
pub(crate) fn command() -> Command {
    Command::new("espalier")
        .about(ABOUT)
        .version(version())
        .after_help("Run `espalier run --help` for the options, with examples.")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .infer_long_args(false)
        .subcommand(run())
        .subcommand(check())
        .subcommand(reach())
        .subcommand(invariants())
        .subcommand(triage())
        .subcommand(recording::command())
        .subcommand(tree::command())
        .subcommand(merge::command())
        .subcommand(workers::command())
        .subcommand(build::command())
        .subcommand(klee::command())
        .subcommand(replay::command())
        .subcommand(ktest_files::command())
        .subcommand(coverage::command())
        .subcommand(bench::command())
        .subcommand(doctor::command())
        .subcommand(manual::completions_command())
        .subcommand(manual::manual_command())
}

/// "0.1.0 (LLVM 19.1.4)".
pub(crate) fn version() -> String {
    let (major, minor, patch) = espalier_frontend::llvm_version();
    format!("{} (LLVM {major}.{minor}.{patch})", env!("CARGO_PKG_VERSION"))
}

const CHECK_EXAMPLES: &str = "\
Examples:
  espalier check parser.c                   is any error reachable?
  espalier check --only=reach task.c        is a call of reach_error reachable?
  espalier check --unwind=20 server.c       within 20 rounds of every loop
  espalier check --max-time=5m -I include a.c b.c

Exit codes: 0 proved safe, 10 reachable (with a test), 5 unknown or only within a bound.";

pub(crate) fn run() -> Command {
    exploring("C source (.c), LLVM bitcode (.bc) or assembly (.ll); several are linked together", PROVING)
}

/// A verb that explores: all options, and files with this help. `search` is its searcher if it
/// prunes.
fn exploring(files_help: &'static str, search: &'static str) -> Command {
    let files = Arg::new("files")
        .value_name("FILE")
        .help(files_help)
        .required(true)
        .num_args(1..)
        .value_parser(value_parser!(PathBuf));
    let args = Arg::new("args").value_name("ARG").help("Arguments for the program").last(true).num_args(0..);
    Command::new("run")
        .about("Explore a program's paths: report its errors and write a test for each path")
        .arg(files)
        .arg(args)
        .args(OPTIONS.iter().map(argument))
        .args(recording::hidden_options())
        .mut_arg("record", |arg| arg.conflicts_with("output-dir"))
        .mut_arg("search", |arg| {
            arg.default_value_ifs(["on", "unsat-core"].map(|method| ("interpolation", method, search)))
        })
        .after_help(EXAMPLES)
        .arg_required_else_help(true)
}

fn check() -> Command {
    let property = Arg::new("prop")
        .long("prop")
        .value_name("FILE.prp")
        .help("Check the property in this file: unreach-call, valid-memsafety or no-overflow")
        .value_parser(value_parser!(PathBuf))
        .help_heading(SV_COMP);
    let data_model = Arg::new("data-model")
        .long("data-model")
        .value_name("MODEL")
        .help("Sizes of types: ILP32 (as -m32) or LP64 (as -m64)")
        .value_parser(PossibleValuesParser::new(["ILP32", "LP64"]))
        .help_heading(SV_COMP);
    let svcomp = Arg::new("svcomp")
        .long("svcomp")
        .help("End with the verdict in SV-COMP's words: true, false(unreach-call), unknown ...")
        .action(ArgAction::SetTrue)
        .help_heading(SV_COMP);
    let witness = Arg::new("witness")
        .long("witness")
        .value_name("FILE")
        .help("Write a witness (format 2.0) for the verdict")
        .value_parser(value_parser!(PathBuf))
        .help_heading(SV_COMP);
    proving(run())
        .args([property, data_model, svcomp, witness])
        .name("check")
        .about("Prove that no error is reachable, or find one: one verdict")
        .after_help(CHECK_EXAMPLES)
}

const INVARIANTS_EXAMPLES: &str = "\
Examples:
  espalier invariants counter.c             what holds whenever a loop comes round
  espalier invariants --json counter.c      the same as C expressions, one loop a line

Exit codes: 0 what is printed is proved, 5 not everything was followed.";

fn invariants() -> Command {
    run()
        .name("invariants")
        .about("Say what holds at a program's loops, however often they are gone round")
        .mut_arg("max-time", |arg| arg.default_value("1m"))
        .after_help(INVARIANTS_EXAMPLES)
}

/// The searcher of runs that prune.
const PROVING: &str = "portfolio";

/// The same if there are targets.
const DIRECTED: &str = "portfolio:directed";

/// The defaults of a verb that is after a proof.
fn proving(verb: Command) -> Command {
    verb.mut_arg("search", |arg| arg.default_value(PROVING))
        .mut_arg("interpolation", |arg| arg.default_value("on"))
        .mut_arg("loops", |arg| arg.default_value("prove"))
        .mut_arg("no-tests", |arg| arg.hide(true))
}

fn reach() -> Command {
    let target = Arg::new("target")
        .long("target")
        .value_name("PLACE")
        .help("Ask about a place: FILE:LINE[:COLUMN], FILE:LABEL or FUNCTION; may be given several times")
        .action(ArgAction::Append)
        .help_heading(TARGETS);
    let targets = Arg::new("targets")
        .long("targets")
        .value_name("KIND")
        .help("Ask about many places at once: `all` calls that are errors, or all basic `blocks`")
        .value_parser(PossibleValuesParser::new(["all", "blocks"]))
        .conflicts_with("target")
        .help_heading(TARGETS);
    let separately = Arg::new("one-at-a-time")
        .long("one-at-a-time")
        .help("Explore the program once for each target, instead of once for all")
        .action(ArgAction::SetTrue)
        .help_heading(TARGETS);
    let files = "The place to ask about, FILE:LINE[:COLUMN], unless --target or --targets is given; then the program's files [default: FILE]";
    proving(exploring(files, DIRECTED))
        .name("reach")
        .about("Can a place be reached? A test that leads there, or a proof that none does")
        .mut_arg("only", |arg| arg.hide(true))
        .mut_arg("search", |arg| arg.default_value(DIRECTED))
        .mut_arg("strategy", |arg| arg.default_value("auto"))
        .args([target, targets, separately])
        .after_help(REACH_EXAMPLES)
}

fn triage() -> Command {
    let path = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help).value_parser(value_parser!(PathBuf)).help_heading(ALARMS)
    };
    let rule = Arg::new("rule")
        .long("rule")
        .value_name("NAME=FAULT")
        .help("Alarms of this rule are about this fault, as in --rule=my.NullChecker=null; `*` stands for any text")
        .action(ArgAction::Append)
        .help_heading(ALARMS);
    let fail_on = Arg::new("fail-on")
        .long("fail-on")
        .value_name("VERDICT")
        .help("Exit with 0 unless an alarm has this verdict, or is worse")
        .value_parser(PossibleValuesParser::new(["confirmed", "possible", "open", "never"]))
        .help_heading(ALARMS);
    let files = "Reports of other analysers (SARIF, gcc's JSON, cppcheck's XML, warnings, or lines FILE:LINE[: RULE]), and the program: C sources or bitcode";
    proving(exploring(files, DIRECTED))
        .name("triage")
        .about("Which alarms of other analysers are real? An input that shows it, or a proof that it cannot be")
        .mut_arg("only", |arg| arg.hide(true))
        .mut_arg("search", |arg| arg.default_value("portfolio:directed"))
        .mut_arg("strategy", |arg| arg.default_value("auto"))
        .mut_arg("external-calls", |arg| arg.default_value("havoc"))
        .mut_arg("alloc-fail", |arg| {
            arg.value_name("N|sites").value_parser(value_parser!(crate::settings::Failing)).long_help(
                "Let up to N allocations fail on each path, or one at the sites that are in alarms' functions and flows \
                [default: sites, if an alarm is about an allocation that may fail]",
            )
        })
        .args([
            Arg::new("compile-commands")
                .short('p')
                .value_name("compile_commands.json")
                .help("The program's sources, as its build compiles them; only what the alarms need is compiled")
                .value_parser(value_parser!(PathBuf))
                .help_heading(ALARMS),
            Arg::new("program")
                .long("program")
                .value_name("NAME")
                .help("With -p: the file with the `main` that is meant, if the project has several programs")
                .requires("compile-commands")
                .help_heading(ALARMS),
            Arg::new("bitcode-dir")
                .long("bitcode-dir")
                .value_name("DIR")
                .help("With -p: keep bitcode there, so that only what changed is compiled the next time")
                .default_value(crate::build::STORE)
                .value_parser(value_parser!(PathBuf))
                .help_heading(ALARMS),
            rule,
            path("source-root", "DIR", "Relative paths in reports are below this directory"),
            path("sarif", "FILE", "Write the reports with their verdicts here, as SARIF"),
            path(
                "sarif-open",
                "FILE",
                "Write them without those that are refuted completely: what code scanning should get",
            ),
            path("baseline", "FILE", "Take over what an earlier --sarif says, as long as the program is the same"),
            fail_on,
        ])
        .after_help(TRIAGE_EXAMPLES)
}

const ALARMS: &str = "Alarms";

const TRIAGE_EXAMPLES: &str = "\
Examples:
  clang --analyze --analyzer-output sarif -o a.sarif a.c; espalier triage a.sarif a.c
                                            which of clang's alarms are real?
  espalier triage cppcheck.xml prog.bc --max-time=5m --sarif-open=open.sarif
                                            what is left for people to look at
  espalier triage a.sarif -p build          the program as build/compile_commands.json says
  espalier triage list.txt a.c --rule='my.*=out-of-bounds'
                                            lines such as a.c:12: my.Checker

Exit codes: 10 an alarm is confirmed, 5 some stay open or are refuted within bounds only,
0 all are refuted or cannot be confirmed by any execution.";

const TARGETS: &str = "Targets";
const SV_COMP: &str = "SV-COMP";

const REACH_EXAMPLES: &str = "\
Examples:
  espalier reach parser.c:123               can line 123 be reached?
  espalier reach main.c:40 main.c util.c    the program has several files
  espalier reach --target=parse_header --target=parser.c:fail parser.c
                                            a function, and a label
  espalier reach --targets=all task.c       every assertion and error call, each by itself
  espalier reach --targets=blocks lib.c     which blocks are dead code?

Exit codes: 10 something was reached, 0 everything is proved unreachable, 5 otherwise.";

/// An option of the table, for a verb that does not explore.
pub(crate) fn table_option(name: &str) -> Arg {
    argument(options::find(name).expect("the table has it")).help_heading(None)
}

/// The argument that the table describes.
fn argument(option: &OptionSpec) -> Arg {
    let arg = Arg::new(option.name)
        .long(option.name)
        .visible_aliases(option.aliases.iter().copied())
        .help(option.help)
        .long_help(long_help(option))
        .help_heading(option.group.heading());
    let arg = match option.value {
        Value::Flag => return arg.action(ArgAction::SetTrue),
        Value::Bool => arg
            .value_name("BOOL")
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("true")
            .value_parser(BoolishValueParser::new()),
        Value::Number => arg.value_name("N").value_parser(value_parser!(u64)),
        Value::Duration => arg.value_name("TIME").value_parser(parse_duration),
        Value::Size => arg.value_name("SIZE").value_parser(parse_size),
        Value::Choice(words) => arg.value_name("NAME").value_parser(PossibleValuesParser::new(words)),
        Value::ChoiceList(words) => arg
            .value_name("NAME")
            .action(ArgAction::Append)
            .value_delimiter(',')
            .value_parser(PossibleValuesParser::new(words)),
        Value::Text(name) => arg.value_name(name),
        Value::TextList(name) => arg
            .value_name(name)
            .action(ArgAction::Append)
            .allow_hyphen_values(true)
            .value_parser(NonEmptyStringValueParser::new()),
        Value::Numbers(names) => {
            arg.value_names(names).num_args(names.len()).action(ArgAction::Append).value_parser(value_parser!(u64))
        }
        Value::Path(name) => arg.value_name(name).value_parser(value_parser!(PathBuf)),
    };
    match option.default {
        Some(default) => arg.default_value(default),
        None => arg,
    }
}

fn long_help(option: &OptionSpec) -> StyledStr {
    let mut text = StyledStr::new();
    let _ = write!(text, "{}\n\nExample: {}", option.help, option.example);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_is_consistent() {
        command().debug_assert();
    }

    #[test]
    fn every_example_is_accepted() {
        for option in OPTIONS {
            let words: Vec<&str> = match option.value {
                Value::Numbers(_) => option.example.split(' ').collect(),
                _ => vec![option.example],
            };
            let parsed = command().try_get_matches_from(["espalier", "run", "a.c"].iter().chain(&words));
            assert!(parsed.is_ok(), "{}: {}", option.example, parsed.unwrap_err());
        }
    }

    #[test]
    fn a_typo_is_answered_with_the_nearest_name() {
        let error = command().try_get_matches_from(["espalier", "run", "a.c", "--max-tim=3"]).unwrap_err();
        assert!(error.to_string().contains("'--max-time'"), "{error}");
    }

    #[test]
    fn a_bad_value_says_what_is_expected() {
        let error =
            |arg: &str| command().try_get_matches_from(["espalier", "run", "a.c", arg]).unwrap_err().to_string();
        assert!(error("--max-time=10x").contains("unknown unit \"x\""));
        assert!(error("--search=astar").contains("random-path"));
    }
}
