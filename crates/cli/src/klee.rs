//! `espalier klee`: KLEE's command line, output and exit codes, on this engine. A link to the
//! executable under the name `klee` is all that scripts made for KLEE need.
//!
//! The arguments are translated to those of `espalier run`, so that there is one table of options
//! and one meaning for each. KLEE takes one or two dashes, the values of switches behind `=` only,
//! and everything after the program's file as the program's own.

use crate::run::{explore_loaded, fail_as, inconsistency};
use crate::{command, environment, given, settings};
use clap::{ArgMatches, Command};
use espalier_base::environment::{Item, parse};
use espalier_base::{klee, nearest_names, options, options::Value};
use espalier_engine::{ArrayReads, Config, ExternalCalls, InputError, Loaded, Outcome, PathMerging, Stop, TellsCalls};
use espalier_frontend::{Klee as KleeInput, KleeModule};
use espalier_report::{Klee, Reporter, RunDir, RunDirNames, TestCompTask};
use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{IsTerminal, Read, Write};
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
    let given = match Given::of(&request) {
        Ok(given) => given,
        Err(error) => return fail(error),
    };
    let matches = match command().try_get_matches_from(request.arguments(&given.path(&request))) {
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

/// The program, if it comes from standard input.
struct Given {
    file: Option<tempfile::NamedTempFile>,
}

impl Given {
    /// Reads the program from standard input if no file is named, or if it is called `-`.
    fn of(request: &Request) -> Result<Given, String> {
        if !request.reads_standard_input() {
            return Ok(Given { file: None });
        }
        if std::io::stdin().is_terminal() {
            return Err("no input file: klee [options] <input bytecode> <program arguments>...".into());
        }
        let failed = |error: std::io::Error| format!("error loading program '-': {error}");
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).map_err(failed)?;
        if bytes.is_empty() {
            // A module without anything in it, which nothing is said of but this.
            tell_other_target("");
            return Err("Entry function 'main' not found in module.".into());
        }
        let mut file = tempfile::Builder::new().suffix(".ll").tempfile().map_err(failed)?;
        file.write_all(&bytes).map_err(failed)?;
        Ok(Given { file: Some(file) })
    }

    fn path(&self, request: &Request) -> PathBuf {
        self.file.as_ref().map_or_else(|| request.file.clone(), |file| file.path().to_owned())
    }
}

/// What this machine is, as compilers call it.
const HOST: &str = "x86_64-pc-linux-gnu";

/// Is code for this target code for this machine, whoever made it?
fn is_host(triple: &str) -> bool {
    let parts = |triple: &str| {
        let mut parts = triple.split('-').map(str::to_owned).collect::<Vec<String>>();
        parts.retain(|part| !matches!(part.as_str(), "pc" | "unknown" | "redhat" | "suse"));
        parts
    };
    parts(triple) == parts(HOST)
}

fn tell_other_target(triple: &str) {
    let _ = writeln!(
        std::io::stderr(),
        "KLEE: WARNING: Module and host target triples do not match: '{triple}' != '{HOST}'\n\
         This may cause unexpected crashes or assertion violations."
    );
}

fn run(request: &Request, matches: &ArgMatches, command_line: &[OsString]) -> Result<i32, i32> {
    let mut config = settings::config(matches);
    config.exec.show_output = true;
    config.exec.as_klee = true;
    config.merging = request.merging();
    config.exec.merges = config.merging.is_some();
    config.exec.external_calls = request.external_calls.unwrap_or(config.exec.external_calls);
    config.exec.array_reads = request.array_reads;
    config.exec.profiles = !request.drops_profile;
    config.exec.tells_calls = request.tells_calls();
    for name in &mut config.search.names {
        match name.as_str() {
            "dfs" => *name = "dfs:newest".to_owned(),
            "bfs" => *name = "bfs:parent-first".to_owned(),
            _ => {}
        }
    }
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
    input.klee = Some(KleeInput {
        keeps_text: !request.drops_source,
        keeps_bitcode: request.keeps_module,
        aliases: request.aliases.clone(),
        tells_escaping: request.prints_escaping,
    });
    let mut loaded = espalier_engine::load(&input).map_err(|error| request.cannot_load(error))?;
    config.give(&loaded, &items);
    loaded.warnings.splice(0..0, request.warnings.iter().cloned());
    if let Some(KleeModule { triple, .. }) = loaded.klee.as_ref().filter(|module| !is_host(&module.triple)) {
        tell_other_target(triple);
    }
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
    // Variables are those of whoever runs this, and not part of a test.
    let is_of_test = |item: &&Item| !matches!(item, Item::Terminal | Item::AsKlee | Item::Variable(_));
    let program_args = items.iter().filter(is_of_test).flat_map(Item::spelling);
    let mut report = report_settings(matches, command_line, &config, program_args, directory);
    request.complete(&mut report, &mut loaded, &input.entry);
    if given::has_nothing_to_replay(matches).map_err(fail)? {
        let reporter = Reporter::new(report).map_err(|error| fail(error.to_string()))?;
        let finished = reporter.finish(&loaded.program, &Outcome::default());
        return finished.map(|()| OK).map_err(|error| fail(error.to_string()));
    }
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
    report.klee =
        Some(Klee { emits_all_errors: config.emit_all_errors, dumps_states: config.dump_open, ..Klee::default() });
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
    /// The C library that is asked for.
    libc: Option<Library>,
    external_calls: Option<ExternalCalls>,
    external_warnings: Option<TellsCalls>,
    array_reads: ArrayReads,
    prints_escaping: bool,
    /// Functions in the place of others.
    aliases: Vec<String>,
    /// Is `assembly.ll` not wanted, and is `final.bc`?
    drops_source: bool,
    keeps_module: bool,
    /// Is `run.istats` not wanted?
    drops_profile: bool,
    merges: bool,
    merges_incompletely: bool,
    logs_merges: bool,
    warns_to_file_only: bool,
    /// Tests in Test-Comp's format, and what their metadata are to say.
    writes_xml: bool,
    xml_file: Option<String>,
    xml_hash: Option<String>,
    /// The variables of the environment are in this file, and not those of this process.
    environment_file: Option<PathBuf>,
    /// The file of the run directory to write queries to.
    query_log: Option<&'static str>,
    warnings: Vec<String>,
}

/// A C library, as KLEE names it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Library {
    None,
    Klee,
    /// Here it is musl.
    Uclibc,
}

impl Request {
    fn reads_standard_input(&self) -> bool {
        self.file.as_os_str().is_empty() && !self.asks_for_help() || self.file == Path::new("-")
    }

    fn asks_for_help(&self) -> bool {
        self.options.iter().any(|option| option == "--help" || option == "--version")
    }

    /// With a C library, no call leaves the program.
    fn tells_calls(&self) -> TellsCalls {
        let has_library = self.has_posix || matches!(self.libc, Some(Library::Klee | Library::Uclibc));
        self.external_warnings.filter(|_| !has_library).unwrap_or(match has_library {
            true => TellsCalls::None,
            false => TellsCalls::Once,
        })
    }

    fn merging(&self) -> Option<PathMerging> {
        let how = if self.merges_incompletely { PathMerging::Incomplete } else { PathMerging::Complete };
        self.merges.then_some(how)
    }

    /// Says why the program cannot be loaded.
    fn cannot_load(&self, error: InputError) -> i32 {
        match error {
            InputError::NoEntry { entry, .. } => fail(format!("Entry function '{entry}' not found in module.")),
            InputError::FunctionAlias { reason, notes } => {
                for note in notes {
                    let kind = if note.is_warning { "WARNING: " } else { "" };
                    let _ = writeln!(std::io::stderr(), "KLEE: {kind}{}", note.text);
                }
                fail(reason)
            }
            error => fail(format!("error loading program '{}': {error}", self.file.display())),
        }
    }

    /// Adds what only KLEE's users ask for.
    fn complete(&self, report: &mut espalier_report::Settings, loaded: &mut Loaded, entry: &str) {
        if let Some(klee) = &mut report.klee {
            (klee.logs_merges, klee.warns_to_file_only) = (self.logs_merges, self.warns_to_file_only);
            klee.profiles = !self.drops_profile;
            // As the C library does it that KLEE calls.
            klee.buffers_output = !std::io::stdout().is_terminal();
        }
        if let Some(module) = &mut loaded.klee {
            let text = module.text.take().map(|text| ("assembly.ll", text.into_bytes()));
            let bitcode = module.bitcode.take().map(|bitcode| ("final.bc", bitcode));
            report.files.extend(text.into_iter().chain(bitcode));
        }
        if self.writes_xml {
            report.test_comp = Some(TestCompTask {
                directory: report.output_dir.clone().unwrap_or_default(),
                file: self.file.clone(),
                entry: entry.to_owned(),
                specification: "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )".to_owned(),
                is_32_bit: loaded.program.target.pointer_width == 32,
                version: env!("CARGO_PKG_VERSION").to_owned(),
                metadata: Some((self.xml_file.clone(), self.xml_hash.clone())),
            });
        }
    }

    /// The variables that the program finds in its environment: a C library's own look at them.
    fn variables(&self) -> Result<Vec<Item>, String> {
        let texts: Vec<String> = match &self.environment_file {
            Some(path) => {
                let text =
                    fs::read_to_string(path).map_err(|error| format!("--env-file: {}: {error}", path.display()))?;
                text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect()
            }
            None => {
                let variables = std::env::vars_os().map(|(name, value)| (name.into_string(), value.into_string()));
                let mut texts: Vec<String> =
                    variables.filter_map(|(name, value)| Some(format!("{}={}", name.ok()?, value.ok()?))).collect();
                texts.sort();
                texts
            }
        };
        Ok(texts.into_iter().map(Item::Variable).collect())
    }

    /// What the program is given: its arguments, and the rest as `espalier run` has it.
    fn items(&self, matches: &ArgMatches) -> Result<Vec<Item>, String> {
        let given = environment::items(matches)?;
        if !self.has_posix {
            return Ok(given);
        }
        let args: Vec<String> = self.program_args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
        let rest = given.into_iter().filter(|item| !matches!(item, Item::Argument(_)));
        let variables = if self.libc == Some(Library::None) { Vec::new() } else { self.variables()? };
        let items: Vec<Item> =
            parse(&args)?.into_iter().chain(variables).chain(rest).chain([Item::Terminal, Item::AsKlee]).collect();
        match items.iter().filter(|item| matches!(item, Item::SymbolicFiles { .. })).count() {
            0 | 1 => Ok(items),
            _ => Err("Multiple --sym-files are not allowed.".to_owned()),
        }
    }

    /// For our own command line, with the program in this file.
    fn arguments(&self, file: &Path) -> Vec<OsString> {
        let mut arguments = vec![OsString::from("klee")];
        arguments.extend(self.options.iter().cloned());
        let libc = match self.libc {
            Some(Library::Uclibc) => Some("--libc=musl"),
            // The model of the environment is made for a C library that knows of files.
            Some(Library::Klee) if self.has_posix => Some("--libc=musl"),
            Some(Library::Klee | Library::None) if !self.has_posix => Some("--libc=own"),
            _ => None,
        };
        arguments.extend(libc.map(OsString::from));
        if !file.as_os_str().is_empty() {
            arguments.push(file.into());
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
    let mut args: VecDeque<OsString> = args.iter().cloned().collect();
    while let Some(arg) = args.pop_front() {
        let text = arg.to_str().unwrap_or_default();
        if let Some(words) = text.strip_prefix('@').and_then(words_of_file) {
            words.into_iter().rev().for_each(|word| args.push_front(word.into()));
            continue;
        }
        let Some(option) = text.strip_prefix('-').filter(|rest| !rest.is_empty()) else {
            request.file = arg.into();
            break;
        };
        let option = option.strip_prefix('-').unwrap_or(option);
        if option.is_empty() {
            request.file = args.pop_front().map(PathBuf::from).unwrap_or_default();
            break;
        }
        let (name, value) = match option.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (option, None),
        };
        request.option(name, value, || args.pop_front().map(|next| next.to_string_lossy().into_owned()))?;
    }
    request.program_args = args.into();
    Ok(request)
}

/// The words in a file that is named in the place of arguments. Quotes keep them together.
fn words_of_file(path: &str) -> Option<Vec<String>> {
    let text = fs::read_to_string(path).ok()?;
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in text.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Some(words)
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
            "external-calls" => {
                self.external_calls = Some(match required(value)?.as_str() {
                    "none" => ExternalCalls::None,
                    "concrete" => ExternalCalls::Host,
                    "all" => ExternalCalls::HostOnSome,
                    "over-approx" => ExternalCalls::HostOrHavoc,
                    other => {
                        return Err(format!("--external-calls={other}: it can be none, concrete, over-approx or all"));
                    }
                });
            }
            "external-call-warnings" => {
                self.external_warnings = Some(match required(value)?.as_str() {
                    "none" => TellsCalls::None,
                    "once-per-function" => TellsCalls::Once,
                    "all" => TellsCalls::All,
                    other => {
                        return Err(format!("--{name}={other}: it can be none, once-per-function or all"));
                    }
                });
            }
            "suppress-external-warnings" if truth(name, value.as_deref())? => {
                self.external_warnings = Some(TellsCalls::None);
            }
            "all-external-warnings" if truth(name, value.as_deref())? => self.external_warnings = Some(TellsCalls::All),
            "suppress-external-warnings" | "all-external-warnings" => {}
            "optimize-array" => {
                self.array_reads = match required(value)?.as_str() {
                    "all" => ArrayReads::Both,
                    "index" => ArrayReads::ByIndex,
                    "value" => ArrayReads::ByValue,
                    other => return Err(format!("--{name}={other}: it can be all, index or value")),
                };
            }
            "debug-print-escaping-functions" => self.prints_escaping = truth(name, value.as_deref())?,
            "posix-runtime" => self.has_posix = truth(name, value.as_deref())?,
            "libc" => {
                self.libc = Some(match required(value)?.as_str() {
                    "none" => Library::None,
                    "klee" => Library::Klee,
                    "uclibc" | "musl" => Library::Uclibc,
                    other => return Err(format!("--libc={other}: it can be none, klee or uclibc (musl, here)")),
                });
            }
            "function-alias" => self.aliases.push(required(value)?),
            "output-source" => self.drops_source = !truth(name, value.as_deref())?,
            "output-istats" => self.drops_profile = !truth(name, value.as_deref())?,
            "output-module" => self.keeps_module = truth(name, value.as_deref())?,
            "use-merge" => self.merges = truth(name, value.as_deref())?,
            "use-incomplete-merge" => self.merges_incompletely = truth(name, value.as_deref())?,
            "debug-log-merge" | "debug-log-incomplete-merge" => self.logs_merges |= truth(name, value.as_deref())?,
            "warnings-only-to-file" => self.warns_to_file_only = truth(name, value.as_deref())?,
            "write-xml-tests" => self.writes_xml = truth(name, value.as_deref())?,
            "xml-metadata-programfile" => self.xml_file = Some(required(value)?),
            "xml-metadata-programhash" => self.xml_hash = Some(required(value)?),
            "env-file" => self.environment_file = Some(required(value)?.into()),
            "only-replay-seeds" => {
                if truth(name, value.as_deref())? {
                    self.options.push("--only-seed".into());
                }
            }
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
                (None, None) => self.warnings.push(unknown(name)),
            },
        }
        Ok(())
    }
}

/// KLEE's options that mean something here alone.
const HERE: &[&str] = &[
    "all-external-warnings",
    "debug-print-escaping-functions",
    "external-call-warnings",
    "optimize-array",
    "suppress-external-warnings",
    "debug-log-incomplete-merge",
    "debug-log-merge",
    "env-file",
    "function-alias",
    "link-llvm-lib",
    "only-replay-seeds",
    "output-istats",
    "output-module",
    "output-source",
    "posix-runtime",
    "use-incomplete-merge",
    "use-merge",
    "use-query-log",
    "warnings-only-to-file",
    "write-xml-tests",
    "xml-metadata-programfile",
    "xml-metadata-programhash",
];

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
    let known = known.chain(HERE.iter().copied());
    format!("unknown option --{name} is ignored; did you mean --{}?", nearest_names(name, known)[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(args: &str) -> Result<Request, String> {
        translate(&args.split(' ').map(OsString::from).collect::<Vec<_>>())
    }

    #[track_caller]
    fn check(args: &str, expected: &str) {
        let request = parse(args).unwrap();
        let arguments: Vec<String> =
            request.arguments(&request.file).into_iter().skip(1).map(|arg| arg.into_string().unwrap()).collect();
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
        assert!(parse("--emit-all-errors").unwrap().reads_standard_input());
        assert!(!parse("--help").unwrap().reads_standard_input());
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
    fn a_typo_is_answered_with_the_nearest_name_and_stops_nothing() {
        let request = parse("--max-tme=3 --use-cex-cahce --use-merg a.bc").unwrap();
        assert_eq!((request.file.to_str(), request.options.len()), (Some("a.bc"), 0));
        assert_eq!(
            request.warnings,
            [
                "unknown option --max-tme is ignored; did you mean --max-time?",
                "unknown option --use-cex-cahce is ignored; did you mean --use-cex-cache?",
                "unknown option --use-merg is ignored; did you mean --use-merge?"
            ]
        );
    }

    #[test]
    fn words_come_from_a_file() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        write!(file, "--max-depth=3\n  \"a b.bc\" -x").unwrap();
        check(
            &format!("-emit-all-errors @{} -y", file.path().display()),
            "--emit-all-errors --max-depth=3 a b.bc -- -x -y",
        );
    }

    #[test]
    fn the_command_is_consistent() {
        command().debug_assert();
    }
}
