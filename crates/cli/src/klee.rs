//! `espalier klee`: KLEE's command line, output and exit codes, on this engine. A link to the
//! executable under the name `klee` is all that scripts made for KLEE need.
//!
//! The arguments are translated to those of `espalier run`, so that there is one table of options
//! and one meaning for each. KLEE takes one or two dashes, the values of switches behind `=` only,
//! and everything after the program's file as the program's own.

use crate::run::{explore_loaded, fail_as, inconsistency};
use crate::{command, environment, settings};
use clap::{ArgMatches, Command};
use espalier_base::environment::{Item, parse};
use espalier_base::{klee, nearest_names, options, options::Value};
use espalier_engine::{Config, Stop};
use espalier_report::{Klee, RunDir, RunDirNames};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// KLEE's exit codes: 0 whatever was found, 1 if it could not run or was to end at an error.
const OK: i32 = 0;
const FAILED: i32 = 1;

/// Was the program started under KLEE's name?
pub(crate) fn is_called_klee(program: &OsStr) -> bool {
    Path::new(program).file_name() == Some(OsStr::new("klee"))
}

pub(crate) fn command() -> Command {
    command::run()
        .name("klee")
        .about("Explore a program with KLEE's command line, output and exit codes")
        .override_usage("espalier klee [OPTIONS] FILE [ARG]...")
        .mut_arg("loops", |arg| arg.default_value("unroll"))
        .mut_arg("dump-states-on-halt", |arg| arg.default_value("true"))
        .mut_arg("show-output", |arg| arg.hide(true))
        .after_help(EXAMPLES)
}

const EXAMPLES: &str = "\
Examples:
  espalier klee --max-time=10min --only-output-states-covering-new prog.bc
  espalier klee -search=dfs -exit-on-error-type=Ptr prog.bc --verbose input.txt
  ln -s $(which espalier) ~/bin/klee        for scripts that call klee

All options may have one dash or two. KLEE's other options are accepted, with a warning.
Exit codes: 0, 1 if the program cannot be run or --exit-on-error met an error.";

/// Runs with the arguments after `klee` and gives the exit code.
pub(crate) fn klee(args: &[OsString], command_line: &[OsString]) -> i32 {
    let request = match translate(args) {
        Ok(request) => request,
        Err(error) => return fail(error),
    };
    let matches = match command().try_get_matches_from(request.arguments()) {
        Ok(matches) => matches,
        Err(error) if error.use_stderr() => return fail(clap_error(&error)),
        Err(help) => {
            // If even this cannot be printed, the exit code is all there is left to say.
            let _ = help.print();
            return OK;
        }
    };
    match run(&request, &matches, command_line) {
        Ok(code) | Err(code) => code,
    }
}

fn run(request: &Request, matches: &ArgMatches, command_line: &[OsString]) -> Result<i32, i32> {
    let mut config = settings::config(matches);
    config.exec.show_output = true;
    config.exec.program_name = request.file.to_string_lossy().into_owned();
    if let Some(why) = inconsistency(matches, &config) {
        return Err(fail(why.into()));
    }
    let mut input = settings::input(matches);
    let items = request.items(matches).map_err(fail)?;
    input.environment = environment::of(matches, &items).map_err(fail)?;
    if request.has_posix {
        input.environment.get_or_insert_default();
    }
    let mut loaded = espalier_engine::load(&input)
        .map_err(|error| fail(format!("error loading program '{}': {error}", request.file.display())))?;
    config.give(&loaded, &items);
    loaded.warnings.splice(0..0, request.warnings.iter().cloned());
    let directory = match settings::output_dir(matches) {
        Some(path) => path,
        None => {
            let parent = request.file.parent().unwrap_or(Path::new(""));
            let made = RunDir::next_in(parent, RunDirNames::KLEE);
            made.map_err(|error| fail(error.to_string()))?.path().to_owned()
        }
    };
    if let Some(name) = request.query_log {
        config.solver.log_queries = Some(directory.join(name));
    }
    let program_args = items.iter().filter(|item| **item != Item::Terminal).flat_map(Item::spelling);
    let report = report_settings(matches, command_line, &config, program_args, directory);
    config.is_last = true;
    let finished = explore_loaded(matches, loaded, config, report, None, Box::new(|_, _| OK)).map_err(|_| FAILED)?;
    let outcome = finished.outcome;
    let failed = outcome.stop == Some(Stop::FirstError) || outcome.observer_error.is_some();
    Ok(if failed { FAILED } else { OK })
}

fn report_settings(
    matches: &ArgMatches,
    command_line: &[OsString],
    config: &Config,
    program_args: impl Iterator<Item = String>,
    directory: PathBuf,
) -> espalier_report::Settings {
    let mut report = settings::report(matches, &[], command::version());
    report.command = command_line.iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
    report.output_dir = Some(directory);
    report.program_args = std::iter::once(config.exec.program_name.clone()).chain(program_args).collect();
    report.klee = Some(Klee { emits_all_errors: config.emit_all_errors, dumps_states: config.dump_open });
    report
}

fn fail(error: String) -> i32 {
    fail_as("KLEE: ERROR", FAILED, error)
}

/// The message without clap's frame around it.
fn clap_error(error: &clap::Error) -> String {
    let text = error.to_string();
    let end = text.find("\n\nUsage:").or_else(|| text.find("\n\nFor more information")).unwrap_or(text.len());
    text[..end].trim_start_matches("error: ").trim_end().to_owned()
}

/// What KLEE's arguments ask for.
#[derive(Default, Debug)]
struct Request {
    /// For our own command line.
    options: Vec<OsString>,
    file: PathBuf,
    libraries: Vec<PathBuf>,
    program_args: Vec<OsString>,
    /// Are the program's arguments about symbolic ones and files, as KLEE's model of POSIX reads
    /// them?
    has_posix: bool,
    /// The file of the run directory to write queries to.
    query_log: Option<&'static str>,
    warnings: Vec<String>,
}

impl Request {
    /// What the program is given: its arguments, and the rest as `espalier run` has it.
    fn items(&self, matches: &ArgMatches) -> Result<Vec<Item>, String> {
        let given = environment::items(matches)?;
        if !self.has_posix {
            return Ok(given);
        }
        let args: Vec<String> = self.program_args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
        let rest = given.into_iter().filter(|item| !matches!(item, Item::Argument(_)));
        Ok(parse(&args)?.into_iter().chain(rest).chain([Item::Terminal]).collect())
    }

    fn arguments(&self) -> Vec<OsString> {
        let mut arguments = vec![OsString::from("klee")];
        arguments.extend(self.options.iter().cloned());
        if !self.file.as_os_str().is_empty() {
            arguments.push(self.file.clone().into());
        }
        arguments.extend(self.libraries.iter().map(|path| path.clone().into()));
        if !self.program_args.is_empty() {
            arguments.push("--".into());
            arguments.extend(self.program_args.iter().cloned());
        }
        arguments
    }
}

fn translate(args: &[OsString]) -> Result<Request, String> {
    let mut request = Request::default();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let text = arg.to_str().unwrap_or_default();
        let Some(option) = text.strip_prefix('-').filter(|rest| !rest.is_empty()) else {
            request.file = arg.into();
            break;
        };
        let option = option.strip_prefix('-').unwrap_or(option);
        if option.is_empty() {
            request.file = args.next().map(PathBuf::from).unwrap_or_default();
            break;
        }
        let (name, value) = match option.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (option, None),
        };
        request.option(name, value, || args.next().map(|next| next.to_string_lossy().into_owned()))?;
    }
    request.program_args = args.cloned().collect();
    let asks_for_help = request.options.iter().any(|option| option == "--help" || option == "--version");
    match request.file.as_os_str().is_empty() && !asks_for_help {
        true => Err("no input file: klee [options] <input bytecode> <program arguments>...".into()),
        false => Ok(request),
    }
}

impl Request {
    /// One option with the value behind `=`; `next` is the next argument, for those that have their
    /// value there.
    fn option(
        &mut self,
        name: &str,
        value: Option<String>,
        mut next: impl FnMut() -> Option<String>,
    ) -> Result<(), String> {
        let mut required =
            |value: Option<String>| value.or_else(&mut next).ok_or_else(|| format!("--{name} needs a value"));
        match name {
            "help" | "help-list" | "h" => self.options.push("--help".into()),
            "version" => self.options.push("--version".into()),
            "link-llvm-lib" => self.libraries.push(required(value)?.into()),
            "use-query-log" => {
                let log = required(value)?;
                if log != "solver:smt2" {
                    self.warnings.push(format!("--use-query-log={log} is taken as solver:smt2, the only log there is"));
                }
                self.query_log = Some("solver-queries.smt2");
            }
            "external-calls" => match required(value)?.as_str() {
                "none" => self.options.push("--external-calls=none".into()),
                "concrete" | "all" => self.options.push("--external-calls=host".into()),
                other => return Err(format!("--external-calls={other}: it can be none, concrete or all")),
            },
            "posix-runtime" => self.has_posix = truth(name, value.as_deref())?,
            "libc" => match required(value)?.as_str() {
                "none" | "klee" => self.options.push("--libc=own".into()),
                "uclibc" | "musl" => self.options.push("--libc=musl".into()),
                other => return Err(format!("--libc={other}: it can be none, klee or uclibc (musl, here)")),
            },
            "replay-path" => {
                return Err("--replay-path is not supported: replay the path's test with --replay-ktest-file".into());
            }
            _ => match (options::find(name), klee::find(name)) {
                (Some(option), _) => match option.value {
                    Value::Flag if truth(name, value.as_deref())? => {
                        self.options.push(format!("--{}", option.name).into())
                    }
                    Value::Flag => {}
                    Value::Bool => {
                        self.options.push(format!("--{}={}", option.name, truth(name, value.as_deref())?).into())
                    }
                    _ => self.options.push(format!("--{}={}", option.name, required(value)?).into()),
                },
                (None, Some(option)) => {
                    if option.takes == klee::Takes::Value {
                        required(value)?;
                    } else if !truth(name, value.as_deref())? {
                        return Ok(());
                    }
                    let warning = format!("--{name} has no effect: {}", option.why.text());
                    if !self.warnings.contains(&warning) {
                        self.warnings.push(warning);
                    }
                }
                (None, None) => return Err(unknown(name)),
            },
        }
        Ok(())
    }
}

/// A switch's value, as LLVM reads it.
fn truth(name: &str, value: Option<&str>) -> Result<bool, String> {
    match value {
        None | Some("" | "true" | "TRUE" | "True" | "1") => Ok(true),
        Some("false" | "FALSE" | "False" | "0") => Ok(false),
        Some(value) => Err(format!("--{name}={value}: \"{value}\" is not true or false")),
    }
}

fn unknown(name: &str) -> String {
    let own = options::OPTIONS.iter().flat_map(|option| std::iter::once(&option.name).chain(option.aliases));
    let known = own.copied().chain(klee::OPTIONS.iter().map(|option| option.name));
    format!("unknown option --{name}; did you mean --{}?", nearest_names(name, known)[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(args: &str) -> Result<Request, String> {
        translate(&args.split(' ').map(OsString::from).collect::<Vec<_>>())
    }

    #[track_caller]
    fn check(args: &str, expected: &str) {
        let arguments: Vec<String> =
            parse(args).unwrap().arguments().into_iter().skip(1).map(|arg| arg.into_string().unwrap()).collect();
        assert_eq!(arguments.join(" "), expected);
    }

    #[test]
    fn one_dash_or_two_and_values_in_either_place() {
        check("-max-time=10min a.bc", "--max-time=10min a.bc");
        check("--max-time 10min -max-depth 3 a.bc", "--max-time=10min --max-depth=3 a.bc");
        check("--entry-point=f -rng-initial-seed=7 a.bc", "--entry=f --seed=7 a.bc");
    }

    #[test]
    fn switches_are_on_unless_they_are_off() {
        check("-emit-all-errors --check-div-zero=0 a.bc", "--emit-all-errors --check-div-zero=false a.bc");
        check("-emit-all-errors=false -check-overshift a.bc", "--check-overshift=true a.bc");
        assert!(parse("-emit-all-errors=maybe a.bc").unwrap_err().contains("is not true or false"));
    }

    #[test]
    fn what_follows_the_file_is_the_programs() {
        check("-emit-all-errors a.bc --max-time=3 -x", "--emit-all-errors a.bc -- --max-time=3 -x");
        check("--link-llvm-lib=b.bc a.bc x", "a.bc b.bc -- x");
        assert!(parse("--emit-all-errors").unwrap_err().contains("no input file"));
    }

    #[test]
    fn what_means_nothing_here_is_said_once() {
        let request = parse("--use-cex-cache --solver-backend stp --use-cex-cache --watchdog=false a.bc").unwrap();
        assert_eq!(request.file, Path::new("a.bc"));
        assert!(request.options.is_empty());
        assert_eq!(
            request.warnings,
            [
                "--use-cex-cache has no effect: it is about how KLEE works inside",
                "--solver-backend has no effect: it is about how KLEE works inside"
            ]
        );
    }

    #[test]
    fn a_typo_is_answered_with_the_nearest_name() {
        assert_eq!(parse("--max-tme=3 a.bc").unwrap_err(), "unknown option --max-tme; did you mean --max-time?");
        let error = parse("--use-cex-cahce a.bc").unwrap_err();
        assert_eq!(error, "unknown option --use-cex-cahce; did you mean --use-cex-cache?");
    }

    #[test]
    fn the_command_is_consistent() {
        command().debug_assert();
    }
}
