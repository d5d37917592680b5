//! Recorded trees on the command line: `--record`, and `espalier resume`.
//!
//! A tree belongs to a program and to the options that decide which paths there are: both are
//! written down with it, and a run that goes on with it must have the same. The command that began
//! it is written down too, so that `resume` needs no more than the directory.

use crate::run::fail;
use crate::targets::{self, Wanted};
use crate::{command, compiler_flags, reach, settings};
use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use espalier_base::environment::Item;
use espalier_base::utc;
use espalier_engine::{
    Config, EarlierLimits, Engine, ExecOptions, FuncId, Job, Program, Recalled, RecalledCounts, Restored, Selection,
    exit_code, recall, stop_on_signals,
};
use espalier_store::{Location, Reader, RecordId, Store, StoreError, keep_program, kept_program};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, SystemTime};
use xxhash_rust::xxh3::xxh3_128;

/// Runs that take longer are recorded, unless they are told where from the beginning.
const RECORDED_FROM: Duration = Duration::from_secs(60);

/// The hidden option by which `resume` tells the verb which tree to go on with.
const RESUMED: &str = "resumed-tree";
const FORCED: &str = "resumed-by-force";
/// And which part of it.
const BELOW: &str = "resumed-node";
const PARKED: &str = "resumed-parked";
const UNCOVERED: &str = "resumed-uncovered";
const TARGET: &str = "resumed-target";

/// An option of `resume`, which the verb knows by a hidden name.
struct OwnOption {
    name: &'static str,
    hidden: &'static str,
    has_value: bool,
}

const OWN_OPTIONS: [OwnOption; 5] = [
    OwnOption { name: "force", hidden: FORCED, has_value: false },
    OwnOption { name: "node", hidden: BELOW, has_value: true },
    OwnOption { name: "parked", hidden: PARKED, has_value: false },
    OwnOption { name: "uncovered", hidden: UNCOVERED, has_value: false },
    OwnOption { name: "target", hidden: TARGET, has_value: true },
];

const EXAMPLES: &str = "\
Examples:
  espalier run --record=tree parser.c --max-time=1h     record the tree from the beginning
  espalier resume tree                                  go on where that run stopped, or was killed
  espalier resume espalier-last --max-time=10m          runs of over a minute are recorded by themselves
  espalier resume tree --search=bfs --max-depth=200     another order; what the depth had cut goes on
  espalier resume tree --node=321                       what is unfinished below a node that `espalier tree` shows
  espalier resume tree --uncovered --parked             where something new may be covered; not what limits had cut
  espalier resume tree --target=parser.c:120            from where a line may be reached, or a function, or a label

What is not selected stays unfinished: nothing is proved by such a run. Several options select what all of them do.
From where something may be reached is estimated generously, because call stacks are not recorded.

Options that follow the directory are those of the verb that began the tree, and replace what it was given.

Exit codes: those of the verb that began the tree.";

/// `espalier resume`.
pub(crate) fn command() -> Command {
    let force = Arg::new("force")
        .long("force")
        .help("Explore all of it anew if the program or its options have changed; what is asked again as it was is answered from the recorded tree")
        .action(ArgAction::SetTrue);
    let node = Arg::new("node")
        .long("node")
        .value_name("N")
        .help("Explore nothing but what is below this node, as `espalier tree` numbers them")
        .value_parser(value_parser!(u64));
    let parked = Arg::new("parked")
        .long("parked")
        .help("Explore nothing but paths that were open when the run stopped, not what larger limits go on from")
        .action(ArgAction::SetTrue);
    let uncovered = Arg::new("uncovered")
        .long("uncovered")
        .help("Explore nothing but paths from which code may be reached that no path has covered")
        .action(ArgAction::SetTrue);
    let target = Arg::new("target")
        .long("target")
        .value_name("PLACE")
        .help("Explore nothing but paths from which FILE:LINE[:COLUMN], FILE:LABEL or FUNCTION may be reached; may be given several times, for any of them")
        .action(ArgAction::Append);
    let options = Arg::new("options")
        .value_name("OPTION")
        .help("Options of the verb that began the tree: --max-time, --search ...")
        .num_args(0..)
        .allow_hyphen_values(true)
        .trailing_var_arg(true)
        .value_parser(value_parser!(OsString));
    Command::new("resume")
        .about("Go on with a recorded run, from where it stopped or was killed")
        .args([force, node, parked, uncovered, target, tree_argument(), options])
        .after_help(EXAMPLES)
        .arg_required_else_help(true)
}

const TREE: &str = "dir";

/// The tree that a verb is about.
pub(crate) fn tree_argument() -> Arg {
    Arg::new(TREE)
        .value_name("DIR")
        .help("The directory of a run, or of --record; or the address of --store")
        .required(true)
        .value_parser(location_parser())
}

/// The value of that argument.
pub(crate) fn tree_location(matches: &ArgMatches) -> &Location {
    matches.get_one(TREE).expect("it is required")
}

/// A directory, or the address of a server.
pub(crate) fn location_parser() -> impl TypedValueParser<Value = Location> {
    OsStringValueParser::new().map(Location::from)
}

/// The hidden options of verbs that can be resumed.
pub(crate) fn hidden_options() -> [Arg; 6] {
    let hidden = |name: &'static str| Arg::new(name).long(name).hide(true);
    [
        hidden(RESUMED).value_parser(location_parser()),
        hidden(FORCED).action(ArgAction::SetTrue),
        hidden(BELOW).value_parser(value_parser!(u64)),
        hidden(PARKED).action(ArgAction::SetTrue),
        hidden(UNCOVERED).action(ArgAction::SetTrue),
        hidden(TARGET).action(ArgAction::Append),
    ]
}

/// The command line of the run that goes on with a tree.
pub(crate) fn resumed_command(matches: &ArgMatches) -> Result<Vec<OsString>, i32> {
    let tree = tree_location(matches);
    let input = |error: String| fail(exit_code::INPUT, error);
    let reader = Reader::open(tree).map_err(|error| input(error.to_string()))?;
    let absolute = match tree.directory() {
        Some(dir) => std::path::absolute(dir).map(PathBuf::into_os_string),
        None => Ok(tree.to_argument()),
    };
    let absolute = absolute.map_err(|error| input(format!("{tree}: {error}")))?;
    let begun: Begun = meta(&reader, BEGUN).map_err(input)?;
    std::env::set_current_dir(&begun.directory)
        .map_err(|error| input(format!("the run was begun in \"{}\": {error}", begun.directory.display())))?;
    let (own, more) = own_options(matches).map_err(|error| fail(exit_code::USAGE, error))?;
    let is_target = |word: &OsString| word.to_str().is_some_and(|word| word.starts_with(&format!("--{TARGET}=")));
    if begun.command.get(1).is_some_and(|verb| verb == "reach") && own.iter().any(is_target) {
        let why = "the tree is that of `espalier reach`, whose --target says what is asked, and that cannot change: \
                   select with --node, --parked or --uncovered, or record another tree";
        return Err(fail(exit_code::USAGE, why));
    }
    let mut command: Vec<OsString> = begun.command.into_iter().map(OsString::from).collect();
    let end = command.iter().position(|word| word == "--").unwrap_or(command.len());
    let mut resumed = OsString::from(format!("--{RESUMED}="));
    resumed.push(&absolute);
    command.splice(end..end, more.into_iter().chain([resumed]).chain(own));
    Ok(command)
}

/// Those of the options that are about resuming, wherever they are, under their hidden names; and
/// the others.
fn own_options(matches: &ArgMatches) -> Result<(Vec<OsString>, Vec<OsString>), String> {
    let hidden = |option: &OwnOption, value: Option<&str>| {
        let value = value.map(|value| format!("={value}")).unwrap_or_default();
        OsString::from(format!("--{}{value}", option.hidden))
    };
    let mut own = Vec::new();
    for option in &OWN_OPTIONS {
        let is_given = matches.value_source(option.name) == Some(ValueSource::CommandLine);
        let values = matches.get_raw(option.name).filter(|_| is_given).into_iter().flatten();
        own.extend(values.map(|value| hidden(option, value.to_str().filter(|_| option.has_value))));
    }
    let mut others = Vec::new();
    let mut options = matches.get_many::<OsString>("options").into_iter().flatten();
    while let Some(word) = options.next() {
        let text = word.to_str().and_then(|word| word.strip_prefix("--")).unwrap_or_default();
        let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
        let Some(option) = OWN_OPTIONS.iter().find(|option| option.name == name) else {
            others.push(word.clone());
            continue;
        };
        own.push(match (option.has_value, value) {
            (true, None) => {
                let value = options.next().and_then(|value| value.to_str());
                hidden(option, Some(value.ok_or_else(|| format!("--{name} needs a value"))?))
            }
            (false, Some(_)) => return Err(format!("--{name} takes no value")),
            _ => hidden(option, value),
        });
    }
    Ok((own, others))
}

/// Which tree the run goes on with.
pub(crate) fn resumed_tree(matches: &ArgMatches) -> Option<Location> {
    matches.try_get_one::<Location>(RESUMED).ok().flatten().cloned()
}

const BEGUN: &str = "begun";
const PROGRAM: &str = "program";
const PATHS: &str = "paths";
/// What workers are to do.
const JOB: &str = "job";

/// Options that say which errors are looked for. A run with others explores the same program, so
/// what was answered before is of use; but not which paths are finished.
const PROPERTY: [&str; 5] = ["--check-div-zero", "--check-overshift", "--check-leaks", "--check-uninit", ONLY];
/// Checks for overflows are compiled in: then the program is another one, too.
const ONLY: &str = "--only";

/// A command as somebody would give it.
fn without_hidden(command_line: &[String]) -> Vec<String> {
    let is_hidden = |word: &str| {
        let option = word.split_once('=').map_or(word, |(option, _)| option);
        let is_own = |name: &str| name == RESUMED || OWN_OPTIONS.iter().any(|option| option.hidden == name);
        option.strip_prefix("--").is_some_and(is_own)
    };
    let end = command_line.iter().position(|word| word == "--").unwrap_or(command_line.len());
    let (options, rest) = command_line.split_at(end);
    options.iter().filter(|word| !is_hidden(word)).chain(rest).cloned().collect()
}

/// How a tree was begun.
#[derive(Serialize, Deserialize)]
struct Begun {
    command: Vec<String>,
    directory: PathBuf,
}

/// The limits of a run that a later one may go beyond.
#[derive(Serialize, Deserialize, Default)]
struct RunLimits {
    max_depth: Option<u32>,
    max_forks: Option<u64>,
    max_unwind: Option<u32>,
}

fn meta<T: for<'a> Deserialize<'a>>(reader: &Reader, key: &str) -> Result<T, String> {
    let text = reader.meta(key).map_err(|error| error.to_string())?.unwrap_or_default();
    serde_json::from_slice(&text).map_err(|error| format!("what is recorded of the run cannot be read: {error}"))
}

/// The options that decide which paths a program has, by name.
fn path_options(config: &Config) -> BTreeMap<String, String> {
    let ExecOptions {
        check_div_zero,
        check_overshift,
        check_leaks,
        check_uninit,
        silent_assume,
        as_klee,
        merges,
        array_reads: _,
        tells_calls: _,
        profiles: _,
        max_resolutions,
        max_symbolic_alloc,
        fixed,
        any_answers,
        max_symbolic_reach,
        forks_on_links: _,
        external_calls,
        lazy_elements,
        lazy_depth,
        max_unwind: _,
        unwind_loops,
        max_stack_depth,
        wants,
        show_output: _,
        predict: _,
        forgotten: _,
        program_name,
        args,
    } = &config.exec;
    let mut single_loops: Vec<String> =
        unwind_loops.iter().map(|(place, rounds)| format!("{place:?}={rounds}")).collect();
    single_loops.sort();
    let options = [
        ("--check-div-zero", check_div_zero.to_string()),
        ("--check-overshift", check_overshift.to_string()),
        ("--check-leaks", check_leaks.to_string()),
        ("--check-uninit", check_uninit.to_string()),
        ("--silent-klee-assume", silent_assume.to_string()),
        ("KLEE's conventions", format!("{as_klee:?} {merges:?}")),
        ("--max-resolutions", max_resolutions.to_string()),
        ("--max-symbolic-alloc", max_symbolic_alloc.to_string()),
        ("--max-symbolic-reach", max_symbolic_reach.to_string()),
        ("--max-stack-depth", max_stack_depth.to_string()),
        ("--external-calls", format!("{external_calls:?}")),
        ("--lazy-elements", lazy_elements.to_string()),
        ("--lazy-depth", lazy_depth.to_string()),
        ("--unwind-loop", single_loops.join(",")),
        ("--interpolation", config.interpolation.is_some().to_string()),
        (ONLY, format!("{:?}", config.only)),
        ("what targets want", format!("{wants:?}")),
        ("what is fixed", format!("{fixed:?}")),
        ("whether any answer of a system counts", any_answers.to_string()),
        ("the program's name", program_name.clone()),
        ("the program's arguments", format!("{args:?}")),
    ];
    options.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// What names a program, the way in which all its paths are explored, and by which rules it is
/// asked about.
pub(crate) fn code_hash(program: &Program, config: &Config, items: &[Item], rules: &[&String]) -> String {
    let text = format!("{program}{:?}{items:?}{:?}{rules:?}", path_options(config), config.exec.max_unwind);
    format!("{:032x}", xxh3_128(text.as_bytes()))
}

fn program_hash(program: &Program) -> String {
    format!("{:032x}", xxh3_128(program.to_string().as_bytes()))
}

/// The program of a recorded tree, if it was kept or still is what was recorded; else why not.
pub(crate) fn recorded_program(tree: &Location, reader: &Reader) -> Result<Program, String> {
    if let Some(Job { program, .. }) = kept_job(tree, reader)? {
        return Ok(program);
    }
    let begun: Begun = meta(reader, BEGUN)?;
    let here = std::env::current_dir().map_err(|error| error.to_string())?;
    std::env::set_current_dir(&begun.directory)
        .map_err(|error| format!("the run was begun in \"{}\": {error}", begun.directory.display()))?;
    let program = load_again(begun.command);
    std::env::set_current_dir(&here).map_err(|error| format!("\"{}\": {error}", here.display()))?;
    let program = program?;
    if meta::<String>(reader, PROGRAM)? != program_hash(&program) {
        return Err("the program has changed since it was recorded".to_owned());
    }
    Ok(program)
}

/// What names the program that a tree is of.
pub(crate) fn recorded_hash(reader: &Reader) -> Result<String, String> {
    meta(reader, PROGRAM)
}

/// What a tree was recorded with, if that was kept by this version.
fn kept_job(tree: &Location, reader: &Reader) -> Result<Option<Job>, String> {
    let kept = match reader.meta(JOB).map_err(|error| error.to_string())? {
        Some(job) => Some(job),
        None => tree.directory().and_then(kept_program),
    };
    let job = kept.and_then(|job| Job::decode(&job));
    let hash = meta::<String>(reader, PROGRAM)?;
    Ok(job.filter(|job| program_hash(&job.program) == hash))
}

/// What workers on a tree are to do.
pub(crate) fn job(reader: &Reader) -> Result<Vec<u8>, String> {
    let job = reader.meta(JOB).map_err(|error| error.to_string())?;
    job.ok_or_else(|| "nobody shares this tree: begin with `espalier run --jobs=N`".to_owned())
}

fn load_again(command: Vec<String>) -> Result<Program, String> {
    let words = compiler_flags::as_options(command.into_iter().map(OsString::from).collect());
    let matches = command::command().args_override_self(true).try_get_matches_from(words);
    let unknown = || "the command that recorded it is not known to this version".to_owned();
    let matches = matches.map_err(|_| unknown())?;
    let input = match matches.subcommand() {
        Some(("reach", matches)) => reach::input(matches)?,
        Some(("run" | "check", matches)) => settings::input(matches),
        _ => return Err(unknown()),
    };
    let loaded = espalier_engine::load(&input);
    loaded.map(|loaded| loaded.program).map_err(|error| format!("the program cannot be loaded again: {error}"))
}

/// Which part of a tree is gone on with, as it was given.
#[derive(Default)]
struct Selected {
    below: Option<u64>,
    parked: bool,
    uncovered: bool,
    targets: Vec<String>,
}

impl Selected {
    fn new(matches: &ArgMatches) -> Selected {
        let is_set = |name| matches.try_get_one::<bool>(name).ok().flatten() == Some(&true);
        let targets = matches.try_get_many::<String>(TARGET).ok().flatten();
        Selected {
            below: matches.try_get_one::<u64>(BELOW).ok().flatten().copied(),
            parked: is_set(PARKED),
            uncovered: is_set(UNCOVERED),
            targets: targets.into_iter().flatten().cloned().collect(),
        }
    }

    fn selection(&self, program: &Program) -> Result<Selection, String> {
        let targets = match &self.targets[..] {
            [] => Vec::new(),
            names => targets::find(program, &Wanted::Named(names.to_vec()))?,
        };
        Ok(Selection {
            below: self.below.map(RecordId),
            parked: self.parked,
            uncovered: self.uncovered,
            targets: targets.into_iter().flat_map(|target| target.sites).collect(),
        })
    }

    /// What is said if there is no such part.
    fn nothing(&self) -> String {
        let below = self.below.map(|node| format!("is below node {node}"));
        let parked = self.parked.then(|| "was open when the run stopped".to_owned());
        let uncovered = self.uncovered.then(|| "may reach code that is not covered yet".to_owned());
        let targets = (!self.targets.is_empty()).then(|| format!("may reach {}", self.targets.join(" or ")));
        let all: Vec<String> = [below, parked, uncovered, targets].into_iter().flatten().collect();
        format!("nothing unfinished {}: `espalier tree` shows where something is", all.join(" and "))
    }
}

/// A run that may be recorded, or goes on with a tree.
pub(crate) struct Recording {
    begun: Begun,
    paths: BTreeMap<String, String>,
    limits: RunLimits,
    resumed: Option<(Location, bool)>,
    /// The server that has the tree, if it is not to be in the run's directory.
    server: Option<Location>,
    selected: Selected,
    /// Was it asked for?
    is_asked_for: bool,
    /// Can it be recorded at all?
    is_possible: bool,
    /// What its workers are to do, if there are several.
    job: Option<Vec<u8>>,
    /// What is kept with the tree, so that it can be executed again.
    entry: FuncId,
    config: Config,
}

/// How a run begins.
pub(crate) enum Start {
    /// With nothing.
    Anew,
    /// With a tree that it goes on with.
    Resumed(Restored),
    /// With what a tree answered that it cannot go on with, because of these changes.
    Recalled {
        changes: Vec<String>,
        /// None, if that tree cannot be executed again.
        recalled: Option<RecalledCounts>,
        /// Where it is now.
        before: Location,
    },
}

impl Recording {
    pub(crate) fn new(matches: &ArgMatches, entry: FuncId, config: &Config, command_line: &[String]) -> Recording {
        let is_forced = matches.try_get_one::<bool>(FORCED).ok().flatten() == Some(&true);
        Recording {
            begun: Begun {
                command: without_hidden(command_line),
                directory: std::env::current_dir().unwrap_or_default(),
            },
            paths: path_options(config),
            limits: RunLimits {
                max_depth: config.limits.max_depth,
                max_forks: config.limits.max_forks,
                max_unwind: config.exec.max_unwind,
            },
            resumed: resumed_tree(matches).map(|tree| (tree, is_forced)),
            server: settings::store(matches),
            selected: Selected::new(matches),
            is_asked_for: settings::record(matches).is_some(),
            is_possible: config.replays.is_empty() && config.seeds.is_empty(),
            job: None,
            entry,
            config: config.clone(),
        }
    }

    /// Several workers are to share the tree.
    pub(crate) fn share(&mut self, job: &Job) {
        self.job = Some(job.encode());
        self.is_asked_for = true;
    }

    /// Has the engine record the run in its directory, or go on with the tree that is there.
    pub(crate) fn begin(self, engine: &mut Engine, program: &Rc<Program>, dir: &Path) -> Result<Start, String> {
        if let Some((tree, is_forced)) = &self.resumed {
            return self.go_on(engine, program, tree, *is_forced);
        }
        if !self.is_possible {
            return match self.is_asked_for {
                true => Err("runs with seeds or replays cannot be recorded".to_owned()),
                false => Ok(Start::Anew),
            };
        }
        if self.is_asked_for {
            let store = self.create(program, &self.location(dir)).map_err(|error| error.to_string())?;
            engine.record(store).map_err(|error| error.to_string())?;
            return Ok(Start::Anew);
        }
        let (program, tree) = (program.clone(), self.location(dir));
        let create = move || match self.create(&program, &tree) {
            Ok(store) => Some(store),
            Err(error) => {
                let _ = writeln!(std::io::stderr(), "warning: the run is not recorded: {error}");
                None
            }
        };
        engine.record_later(RECORDED_FROM, Box::new(create));
        Ok(Start::Anew)
    }

    /// Where the tree is, of a run with this directory.
    pub(crate) fn location(&self, dir: &Path) -> Location {
        let resumed = self.resumed.as_ref().map(|(tree, _)| tree);
        resumed.or(self.server.as_ref()).cloned().unwrap_or_else(|| dir.into())
    }

    fn create(&self, program: &Program, tree: &Location) -> Result<Store, StoreError> {
        let json = |value: serde_json::Result<String>| value.unwrap_or_default().into_bytes();
        let meta: [(&str, Vec<u8>); 3] = [
            (BEGUN, json(serde_json::to_string(&self.begun))),
            (PROGRAM, json(serde_json::to_string(&program_hash(program)))),
            (PATHS, json(serde_json::to_string(&self.paths))),
        ];
        let mut store = Store::create(tree, &meta.each_ref().map(|(key, value)| (*key, &value[..])))?;
        self.begin_run(&mut store)?;
        if let (None, Some(dir)) = (&self.job, tree.directory()) {
            keep_program(dir, &Job::encode_parts(program, self.entry, &self.config))?;
        }
        Ok(store)
    }

    fn begin_run(&self, store: &mut Store) -> Result<(), StoreError> {
        let limits = serde_json::to_string(&self.limits).unwrap_or_default();
        store.begin_run(&utc::format(SystemTime::now()), &limits, &command::version())?;
        self.job.iter().try_for_each(|job| store.set_meta(JOB, job))
    }

    fn go_on(&self, engine: &mut Engine, program: &Program, tree: &Location, is_forced: bool) -> Result<Start, String> {
        let selection = self.selected.selection(program)?;
        let mut store = Store::open(tree).map_err(|error| error.to_string())?;
        let reader = store.reader().map_err(|error| error.to_string())?;
        let changed = self.changes(&reader, program)?;
        if !changed.is_empty() {
            if !is_forced && !changed.are_about_errors() {
                let all = changed.all.join("; ");
                return Err(format!(
                    "{all}: there may be other paths than those that are recorded. Undo this, or explore all of it anew \
                     with --force, which asks nothing again that is as it was"
                ));
            }
            if !selection.is_everything() {
                return Err(format!("{}: all is explored anew, and nothing can be selected", changed.all.join("; ")));
            }
            let recalled = self.recall(engine, tree, &reader)?;
            drop((reader, store));
            let before = Store::set_aside(tree).map_err(|error| error.to_string())?;
            let store = self.create(program, tree).map_err(|error| error.to_string())?;
            engine.record(store).map_err(|error| error.to_string())?;
            return Ok(Start::Recalled { changes: changed.all, recalled, before });
        }
        let mut before = FxHashMap::default();
        for run in reader.runs().map_err(|error| error.to_string())? {
            // If they cannot be read, what was cut by them is tried again.
            if let Ok(RunLimits { max_depth, max_forks, max_unwind }) = serde_json::from_str(&run.options) {
                before.insert(run.id, EarlierLimits { max_depth, max_forks, max_unwind });
            }
        }
        drop(reader);
        self.begin_run(&mut store).map_err(|error| error.to_string())?;
        let mut restored = engine.resume(store, before).map_err(|error| error.to_string())?;
        if !selection.is_everything() {
            let selected = engine.select(&selection);
            if selected == 0 {
                return Err(self.selected.nothing());
            }
            restored.selected = Some(selected);
        }
        Ok(Start::Resumed(restored))
    }

    /// Has the engine know what a tree answered that it cannot go on with. Workers have engines of
    /// their own, which do not.
    fn recall(&self, engine: &mut Engine, tree: &Location, reader: &Reader) -> Result<Option<RecalledCounts>, String> {
        let Some(job) = kept_job(tree, reader)?.filter(|_| self.job.is_none()) else { return Ok(None) };
        let _ = writeln!(std::io::stderr(), "Executing the recorded tree again, for its answers ...");
        let recalled = recall(job, reader, &self.config.limits, stop_on_signals());
        let Recalled { answers, counts } = recalled.map_err(|error| error.to_string())?;
        engine.know(answers);
        Ok(Some(counts))
    }

    /// What is not as it was when the tree was begun.
    fn changes(&self, reader: &Reader, program: &Program) -> Result<Changes, String> {
        let mut changes = Changes::default();
        if meta::<String>(reader, PROGRAM)? != program_hash(program) {
            changes.all.push("the program has changed".to_owned());
            changes.is_other_program = true;
        }
        let before: BTreeMap<String, String> = meta(reader, PATHS)?;
        for (name, was, is) in other_values(&before, &self.paths) {
            changes.all.push(format!("{name} was {was}, and is {is}"));
            changes.is_for_other_paths |= !PROPERTY.contains(&name);
            changes.looks_elsewhere |= name == ONLY;
        }
        Ok(changes)
    }
}

/// What is not as it was when a tree was begun.
#[derive(Default)]
struct Changes {
    /// In words.
    all: Vec<String>,
    is_other_program: bool,
    /// Are there options that are not about errors?
    is_for_other_paths: bool,
    /// Are other errors asked for, whose checks may be compiled in?
    looks_elsewhere: bool,
}

impl Changes {
    fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Is the program the same, and looked at for other errors?
    fn are_about_errors(&self) -> bool {
        !self.is_for_other_paths && (!self.is_other_program || self.looks_elsewhere)
    }
}

/// Options that have other values, with both.
fn other_values<'a>(
    one: &'a BTreeMap<String, String>,
    other: &'a BTreeMap<String, String>,
) -> impl Iterator<Item = (&'a str, &'a str, &'a str)> {
    let values = other.iter().map(|(name, value)| (&name[..], one.get(name).map_or("", String::as_str), &value[..]));
    values.filter(|(_, one, other)| one != other)
}

/// In what the program, or the options that decide on its paths, of two trees differ.
pub(crate) fn differences(one: &Reader, other: &Reader) -> Result<Vec<String>, String> {
    let mut differences = Vec::new();
    if recorded_hash(one)? != recorded_hash(other)? {
        differences.push("it is of another program".to_owned());
    }
    let [own, others]: [BTreeMap<String, String>; 2] = [meta(one, PATHS)?, meta(other, PATHS)?];
    differences.extend(other_values(&own, &others).map(|(name, own, other)| format!("{name} is {other}, not {own}")));
    Ok(differences)
}
