//! From parsed options to what the front end, the engine and the reports want to know.

use crate::{environment, kinds, recording};
use clap::ArgMatches;
use espalier_base::environment::Item;
use espalier_base::fidelity::Topic;
use espalier_base::{Limits, OptionalLimit, memory};
use espalier_engine::{
    Approach, Batch, Config, ExternalCalls, Input, Libc, Loops, Method, Only, Strategy, Tests, ViolationKind,
};
use espalier_report::{CoverageFile, PathFiles, Settings, TestCompTask};
use espalier_store::Location;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

/// Options by name. A name or type that the table does not have is a mistake that every test would
/// meet.
struct Options<'a>(&'a ArgMatches);

impl Options<'_> {
    fn value<T: Clone + Send + Sync + 'static>(&self, name: &str) -> Option<T> {
        self.0.get_one::<T>(name).cloned()
    }

    fn required<T: Clone + Send + Sync + 'static>(&self, name: &str) -> T {
        self.value(name).expect("the table has a default")
    }

    fn list<T: Clone + Send + Sync + 'static>(&self, name: &str) -> Vec<T> {
        self.0.get_many::<T>(name).map_or_else(Vec::new, |values| values.cloned().collect())
    }

    fn flag(&self, name: &str) -> bool {
        self.0.get_flag(name)
    }

    fn number(&self, name: &str) -> Option<u64> {
        self.value::<u64>(name).and_then(OptionalLimit::limit)
    }

    fn duration(&self, name: &str) -> Option<Duration> {
        self.value::<Duration>(name).and_then(OptionalLimit::limit)
    }
}

pub(crate) fn input(matches: &ArgMatches) -> Input {
    let options = Options(matches);
    let items = environment::items(matches).unwrap_or_default();
    Input {
        files: options.list("files"),
        cc_args: cc_args(&options),
        entry: options.required("entry"),
        libc: match options.required::<String>("libc").as_str() {
            "musl" => Libc::Musl,
            "own" => Libc::Own,
            _ => Libc::Auto,
        },
        environment: environment::of(matches, &items).unwrap_or_default(),
        // Witnesses have loop invariants.
        loop_variables: matches.try_get_one::<PathBuf>("witness").is_ok_and(|witness| witness.is_some()),
        every_entry: approach(&options) != Approach::Forward,
        failing_sites: None,
        klee: None,
    }
}

/// Which allocations may fail.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Failing {
    /// So many on each path.
    Most(u64),
    /// One on each path, at places that alarms are about.
    Sites,
}

impl FromStr for Failing {
    type Err = String;

    fn from_str(text: &str) -> Result<Failing, String> {
        match text {
            "sites" => Ok(Failing::Sites),
            _ => text.parse().map(Failing::Most).map_err(|_| "neither a number nor `sites`".to_owned()),
        }
    }
}

/// What `--alloc-fail` says, if it was given. Not all verbs know places.
pub(crate) fn alloc_fail(matches: &ArgMatches) -> Option<Failing> {
    let failing = matches.try_get_one::<Failing>("alloc-fail").ok().flatten().copied();
    failing.or_else(|| matches.try_get_one::<u64>("alloc-fail").ok().flatten().map(|&most| Failing::Most(most)))
}

/// What the compiler is given: the user's options, and what lets allocations fail.
fn cc_args(options: &Options<'_>) -> Vec<String> {
    let failing = alloc_fail(options.0).filter(|failing| *failing != Failing::Most(0));
    options.list("cc-arg").into_iter().chain(failing.map_or_else(Vec::new, failing_allocations)).collect()
}

/// The user's options for the compiler alone.
pub(crate) fn compiler_options(matches: &ArgMatches) -> Vec<String> {
    Options(matches).list("cc-arg")
}

/// Options for the compiler that let allocations fail.
pub(crate) fn failing_allocations(failing: Failing) -> Vec<String> {
    let how = match failing {
        Failing::Most(most) => format!("-DESPALIER_ALLOC_FAIL={most}"),
        Failing::Sites => "-DESPALIER_ALLOC_SITES".to_owned(),
    };
    vec!["-include".into(), "espalier/alloc_fail.h".into(), how]
}

pub(crate) fn config(matches: &ArgMatches) -> Config {
    let options = Options(matches);
    Config {
        search: strategy(&options),
        approach: approach(&options),
        search_backward: Strategy { names: options.list("search-backward"), ..Strategy::default() },
        seed: options.required("seed"),
        limits: limits(&options),
        emit_all_errors: options.flag("emit-all-errors"),
        exit_on_error: options.flag("exit-on-error"),
        exit_on_kinds: Vec::new(),
        tests: tests(&options),
        dump_open: options.required("dump-states-on-halt"),
        is_last: false,
        seeds: Vec::new(),
        only_seed: options.flag("only-seed"),
        replays: Vec::new(),
        interpolation: match options.required::<String>("interpolation").as_str() {
            "on" => Some(Method::WeakestPrecondition),
            "unsat-core" => Some(Method::UnsatCore),
            _ => None,
        },
        loops: match options.required::<String>("loops").as_str() {
            "prove" => Loops::Prove,
            "skip" => Loops::Skip,
            _ => Loops::Unroll,
        },
        loop_effort: options.required("loop-effort"),
        merging: None,
        keep_tree: options.value::<PathBuf>("tree").is_some(),
        keep_invariants: false,
        forced_pauses: options.number("pause-pruning"),
        verify_pruning: options.flag("verify-pruning"),
        only: only(&options),
        flows: Vec::new(),
        exec: exec(&options),
        solver: solver(&options),
    }
}

fn strategy(options: &Options<'_>) -> Strategy {
    let batch = Batch { instructions: options.required("batch-instructions"), time: options.required("batch-time") };
    Strategy {
        names: options.list("search"),
        batch: options.flag("use-batching-search").then_some(batch),
        iterative_deepening: options.flag("use-iterative-deepening-search"),
    }
}

fn approach(options: &Options<'_>) -> Approach {
    match options.required::<String>("strategy").as_str() {
        "auto" => Approach::Auto,
        "backward" => Approach::Backward,
        "mix" => Approach::Mix,
        _ => Approach::Forward,
    }
}

fn tests(options: &Options<'_>) -> Tests {
    if options.flag("write-no-tests") {
        Tests::None
    } else if options.flag("no-tests") {
        Tests::Errors
    } else if options.flag("only-covering-new") {
        Tests::CoveringNew
    } else {
        Tests::All
    }
}

/// Kinds of errors that end the run.
pub(crate) fn exit_on_kinds(matches: &ArgMatches) -> Result<Vec<ViolationKind>, String> {
    let names = Options(matches).list::<String>("exit-on-error-type");
    let kinds: Result<Vec<_>, String> = names.iter().map(|name| kinds::named(name)).collect();
    Ok(kinds?.concat())
}

/// Are there seeds or tests to replay?
pub(crate) fn has_given_inputs(matches: &ArgMatches) -> bool {
    let names = ["seed-file", "seed-dir", "replay-ktest-file", "replay-ktest-dir"];
    names.iter().any(|name| !Options(matches).list::<String>(name).is_empty())
}

/// The directory to write to, if one is named.
pub(crate) fn output_dir(matches: &ArgMatches) -> Option<PathBuf> {
    Options(matches).value("output-dir").or_else(|| record(matches))
}

/// Where to record the run, if that is asked for.
pub(crate) fn record(matches: &ArgMatches) -> Option<PathBuf> {
    Options(matches).value("record")
}

/// The server to keep the tree on, if that is asked for.
pub(crate) fn store(matches: &ArgMatches) -> Option<Location> {
    Options(matches).value::<String>("store").map(|address| Location::from(OsString::from(address)))
}

/// Do several processes share the tree, or may others join?
pub(crate) fn is_shared(matches: &ArgMatches) -> bool {
    let is_on_server = recording::resumed_tree(matches).is_some_and(|tree| tree.directory().is_none());
    jobs(matches) > 1 || store(matches).is_some() || is_on_server
}

/// After how long a worker counts as dead.
pub(crate) fn lease(matches: &ArgMatches) -> Duration {
    Options(matches).required("lease")
}

/// How many processes explore.
pub(crate) fn jobs(matches: &ArgMatches) -> usize {
    match Options(matches).required::<u64>("jobs") {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        jobs => jobs as usize,
    }
}

/// Where to write the tree.
pub(crate) fn tree(matches: &ArgMatches) -> Option<PathBuf> {
    Options(matches).value("tree")
}

/// The bounds on loops, in words.
pub(crate) fn bounds(matches: &ArgMatches) -> String {
    match (Options(matches).number("unwind"), &unwind_loops(matches)[..]) {
        (Some(rounds), []) => format!("{rounds} iterations of each loop"),
        (Some(rounds), single) => format!("{rounds} iterations of each loop ({})", single.join(", ")),
        (None, single) => format!("the bounds on loops ({})", single.join(", ")),
    }
}

/// The bounds on single loops: `FILE:LINE=N`.
pub(crate) fn unwind_loops(matches: &ArgMatches) -> Vec<String> {
    Options(matches).list("unwind-loop")
}

fn only(options: &Options<'_>) -> Only {
    match options.required::<String>("only").as_str() {
        "assert" => Only::Assert,
        "reach" => Only::Reach,
        "memory" => Only::Memory,
        _ => Only::All,
    }
}

pub(crate) fn report(matches: &ArgMatches, command: &[OsString], version: String) -> Settings {
    let options = Options(matches);
    let mut program_args = vec![program_name(&options)];
    let items = environment::items(matches).unwrap_or_default();
    program_args.extend(items.iter().flat_map(Item::spelling));
    let mut command: Vec<String> = command.iter().map(|arg| without_password(&arg.to_string_lossy())).collect();
    if let Some(program) = command.first_mut() {
        *program = "espalier".into();
    }
    let resumed_dir = recording::resumed_tree(matches).and_then(|tree| tree.directory().map(Path::to_owned));
    Settings {
        goes_on: resumed_dir.is_some(),
        output_dir: resumed_dir.or_else(|| output_dir(matches)),
        json: options.flag("json"),
        stats: options.flag("stats"),
        command,
        version: format!("Espalier {version}"),
        program_args,
        test_comp: test_comp(&options),
        coverage: coverage(matches).ok().flatten(),
        path_files: PathFiles {
            tests: !options.flag("write-no-tests"),
            smt2: options.flag("write-smt2s"),
            kquery: options.flag("write-kqueries"),
        },
        stats_interval: options
            .required::<bool>("output-stats")
            .then(|| options.required::<Duration>("stats-write-interval")),
        klee: None,
        files: Vec::new(),
        to_go_on: if options.flag("exit-on-error") { "run without --exit-on-error" } else { "use --emit-all-errors" },
    }
}

/// A word of the command line, as others may see it.
fn without_password(word: &str) -> String {
    let (option, value) = match word.split_once('=') {
        Some((option @ "--store", value)) => (format!("{option}="), value),
        _ => (String::new(), word),
    };
    match Location::from(OsString::from(value)) {
        server @ Location::Postgres(_) => format!("{option}{server}"),
        Location::Directory(_) => word.to_owned(),
    }
}

/// Where to write coverage; the text that was given, if it names no format that there is.
pub(crate) fn coverage(matches: &ArgMatches) -> Result<Option<CoverageFile>, String> {
    match Options(matches).value::<String>("coverage").as_deref() {
        None => Ok(None),
        Some("lcov") => Ok(Some(CoverageFile::InRunDir)),
        Some(given) => match given.strip_prefix("lcov:") {
            Some(file) if !file.is_empty() => Ok(Some(CoverageFile::At(file.into()))),
            _ => Err(given.to_owned()),
        },
    }
}

/// The directory for tests in Test-Comp's format, and what they are for: all branches, or only the
/// error.
fn test_comp(options: &Options<'_>) -> Option<TestCompTask> {
    let directory = options.value::<PathBuf>("testcomp")?;
    let edges = if options.required::<String>("only") == "reach" { "@CALL(reach_error)" } else { "@DECISIONEDGE" };
    Some(TestCompTask {
        directory,
        file: options.list::<PathBuf>("files").into_iter().next().unwrap_or_default(),
        entry: options.required("entry"),
        specification: format!("COVER( init(main()), FQL(COVER EDGES({edges})) )"),
        is_32_bit: options.list::<String>("cc-arg").iter().any(|arg| arg == "-m32"),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        metadata: None,
    })
}

fn limits(options: &Options<'_>) -> Limits {
    let max_memory = match options.value::<u64>("max-memory") {
        Some(given) => given.limit(),
        None => memory::available_in_total().map(|bytes| bytes / 10 * 8),
    };
    Limits {
        max_time: options.duration("max-time"),
        max_memory,
        max_depth: small(options.number("max-depth")),
        max_instructions: options.number("max-instructions"),
        max_forks: options.number("max-forks"),
        max_tests: options.number("max-tests"),
        max_solver_time: options.duration("max-solver-time"),
    }
}

fn exec(options: &Options<'_>) -> espalier_engine::ExecOptions {
    espalier_engine::ExecOptions {
        check_div_zero: options.required("check-div-zero"),
        check_overshift: options.required("check-overshift"),
        check_leaks: options.flag("check-leaks"),
        check_uninit: options.flag("check-uninit"),
        silent_assume: options.flag("silent-klee-assume"),
        as_klee: false,
        array_reads: Default::default(),
        tells_calls: Default::default(),
        profiles: false,
        merges: false,
        max_resolutions: options.number("max-resolutions").map_or(usize::MAX, |limit| limit as usize),
        max_symbolic_alloc: options.number("max-symbolic-alloc").unwrap_or(u64::MAX),
        fixed: Topic::ALL.into_iter().filter(|topic| options.flag(topic.option())).collect(),
        any_answers: false,
        max_symbolic_reach: options.number("max-symbolic-reach").unwrap_or(u64::MAX),
        forks_on_links: false,
        external_calls: match options.required::<String>("external-calls").as_str() {
            "havoc" => ExternalCalls::Havoc,
            "host" => ExternalCalls::Host,
            _ => ExternalCalls::None,
        },
        lazy_elements: options.required("lazy-elements"),
        lazy_depth: small(Some(options.required("lazy-depth"))).unwrap_or(u32::MAX),
        max_unwind: small(options.number("unwind")),
        unwind_loops: Default::default(),
        max_stack_depth: small(options.number("max-stack-depth")).unwrap_or(u32::MAX),
        wants: Vec::new(),
        show_output: options.flag("show-output"),
        predict: !options.flag("write-no-tests"),
        forgotten: None,
        program_name: program_name(options),
        args: options.list("args"),
    }
}

/// A limit that is counted in 32 bits; nothing reaches more.
fn small(limit: Option<u64>) -> Option<u32> {
    limit.map(|limit| u32::try_from(limit).unwrap_or(u32::MAX))
}

fn solver(options: &Options<'_>) -> espalier_engine::SolverConfig {
    let command: Vec<String> =
        options.required::<String>("solver-command").split_whitespace().map(String::from).collect();
    espalier_engine::SolverConfig {
        use_smt: !command.is_empty(),
        smt_command: command,
        log_queries: options.value("log-queries"),
        seed: options.required("seed"),
        ..espalier_engine::SolverConfig::default()
    }
}

/// The program's `argv[0]`: the first file without its directory and extension.
fn program_name(options: &Options<'_>) -> String {
    let first = options.list::<PathBuf>("files").into_iter().next().unwrap_or_default();
    Path::new(&first).file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::command;

    fn parse(args: &[&str]) -> ArgMatches {
        let args = ["espalier", "run", "dir/prog.c"].iter().chain(args);
        let matches = command().try_get_matches_from(args).unwrap();
        matches.subcommand().unwrap().1.clone()
    }

    #[test]
    fn every_option_is_read_under_its_name_and_type() {
        let matches = parse(&[]);
        let config = config(&matches);
        assert_eq!(config.limits.max_time, None);
        assert_eq!(config.limits.max_solver_time, Some(Duration::from_secs(30)));
        assert!(config.limits.max_memory.is_some());
        assert!(config.exec.check_div_zero && !config.exec.check_leaks);
        assert_eq!(config.solver.smt_command, ["z3", "-in", "-smt2"]);
        assert_eq!(input(&matches).entry, "main");
        assert_eq!(report(&matches, &[], "1".into()).program_args, ["prog"]);
    }

    #[test]
    fn zero_lifts_a_limit() {
        let config = config(&parse(&["--max-memory=0", "--max-solver-time=0", "--max-depth=0", "--max-resolutions=0"]));
        assert_eq!(config.limits, Limits::default());
        assert_eq!(config.exec.max_resolutions, usize::MAX);
    }

    #[test]
    fn values_arrive() {
        let config = config(&parse(&[
            "--max-time=1m",
            "--check-div-zero=false",
            "--check-overshift",
            "--solver-command=",
            "--seed=7",
            "--",
            "-x",
        ]));
        assert_eq!(config.limits.max_time, Some(Duration::from_secs(60)));
        assert!(!config.exec.check_div_zero && config.exec.check_overshift);
        assert!(!config.solver.use_smt);
        assert_eq!((config.seed, config.solver.seed), (7, 7));
        assert_eq!(config.exec.args, ["-x"]);
    }
}
