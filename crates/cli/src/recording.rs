//! Recorded trees on the command line: `--record`, and `espalier resume`.
//!
//! A tree belongs to a program and to the options that decide which paths there are: both are
//! written down with it, and a run that goes on with it must have the same. The command that began
//! it is written down too, so that `resume` needs no more than the directory.

use crate::run::fail;
use crate::{command, compiler_flags, reach, settings};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use espalier_base::utc;
use espalier_engine::{Config, EarlierLimits, Engine, ExecOptions, Job, Program, Restored, exit_code};
use espalier_store::{Reader, RecordId, Store, StoreError};
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
const SELECTED: &str = "resumed-node";

const EXAMPLES: &str = "\
Examples:
  espalier run --record=tree parser.c --max-time=1h     record the tree from the beginning
  espalier resume tree                                  go on where that run stopped, or was killed
  espalier resume espalier-last --max-time=10m          runs of over a minute are recorded by themselves
  espalier resume tree --search=bfs --max-depth=200     another order; what the depth had cut goes on
  espalier resume tree --node=321                       what is unfinished below a node that `espalier tree` shows

Options that follow the directory are those of the verb that began the tree, and replace what it was given.

Exit codes: those of the verb that began the tree.";

/// `espalier resume`.
pub(crate) fn command() -> Command {
    let dir = Arg::new("dir")
        .value_name("DIR")
        .help("The directory of a run, or of --record")
        .required(true)
        .value_parser(value_parser!(PathBuf));
    let force = Arg::new("force")
        .long("force")
        .help("Begin anew if the program or its options have changed")
        .action(ArgAction::SetTrue);
    let node = Arg::new("node")
        .long("node")
        .value_name("N")
        .help("Explore nothing but what is below this node, as `espalier tree` numbers them")
        .value_parser(value_parser!(u64));
    let options = Arg::new("options")
        .value_name("OPTION")
        .help("Options of the verb that began the tree: --max-time, --search ...")
        .num_args(0..)
        .allow_hyphen_values(true)
        .trailing_var_arg(true)
        .value_parser(value_parser!(OsString));
    Command::new("resume")
        .about("Go on with a recorded run, from where it stopped or was killed")
        .args([force, node, dir, options])
        .after_help(EXAMPLES)
        .arg_required_else_help(true)
}

/// The hidden options of verbs that can be resumed.
pub(crate) fn hidden_options() -> [Arg; 3] {
    let resumed = Arg::new(RESUMED).long(RESUMED).hide(true).value_parser(value_parser!(PathBuf));
    let selected = Arg::new(SELECTED).long(SELECTED).hide(true).value_parser(value_parser!(u64));
    [resumed, selected, Arg::new(FORCED).long(FORCED).hide(true).action(ArgAction::SetTrue)]
}

/// The command line of the run that goes on with a tree.
pub(crate) fn resumed_command(matches: &ArgMatches) -> Result<Vec<OsString>, i32> {
    let dir: &PathBuf = matches.get_one("dir").expect("it is required");
    let input = |error: String| fail(exit_code::INPUT, error);
    let reader = Reader::open(dir).map_err(|error| input(error.to_string()))?;
    let absolute = std::path::absolute(dir).map_err(|error| input(format!("{}: {error}", dir.display())))?;
    let begun: Begun = meta(&reader, BEGUN).map_err(input)?;
    std::env::set_current_dir(&begun.directory)
        .map_err(|error| input(format!("the run was begun in \"{}\": {error}", begun.directory.display())))?;
    let (own, more) = own_options(matches);
    let mut command: Vec<OsString> = begun.command.into_iter().map(OsString::from).collect();
    let end = command.iter().position(|word| word == "--").unwrap_or(command.len());
    let mut resumed = OsString::from(format!("--{RESUMED}="));
    resumed.push(&absolute);
    command.splice(end..end, more.into_iter().chain([resumed]).chain(own));
    Ok(command)
}

/// Those of the options that are about resuming, wherever they are, under their hidden names; and
/// the others.
fn own_options(matches: &ArgMatches) -> (Vec<OsString>, Vec<OsString>) {
    let forced = || OsString::from(format!("--{FORCED}"));
    let selected = |node: &str| OsString::from(format!("--{SELECTED}={node}"));
    let mut own: Vec<OsString> = matches.get_flag("force").then(forced).into_iter().collect();
    own.extend(matches.get_one::<u64>("node").map(|node| selected(&node.to_string())));
    let mut others = Vec::new();
    let mut options = matches.get_many::<OsString>("options").into_iter().flatten();
    while let Some(option) = options.next() {
        match option.to_str() {
            Some("--force") => own.push(forced()),
            Some("--node") => own.extend(options.next().and_then(|node| node.to_str()).map(selected)),
            Some(text) if text.starts_with("--node=") => own.push(selected(&text["--node=".len()..])),
            _ => others.push(option.clone()),
        }
    }
    (own, others)
}

/// Which tree the run goes on with.
pub(crate) fn resumed_tree(matches: &ArgMatches) -> Option<PathBuf> {
    matches.try_get_one::<PathBuf>(RESUMED).ok().flatten().cloned()
}

const BEGUN: &str = "begun";
const PROGRAM: &str = "program";
const PATHS: &str = "paths";
/// What workers are to do.
const JOB: &str = "job";

/// A command as somebody would give it.
fn without_hidden(command_line: &[String]) -> Vec<String> {
    let is_hidden = |word: &str| {
        let option = word.split_once('=').map_or(word, |(option, _)| option);
        option.strip_prefix("--").is_some_and(|name| [RESUMED, FORCED, SELECTED].contains(&name))
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
        max_resolutions,
        max_symbolic_alloc,
        fixed,
        max_symbolic_reach,
        forks_on_links: _,
        external_calls,
        lazy_elements,
        lazy_depth,
        max_unwind: _,
        unwind_loops,
        max_stack_depth,
        show_output: _,
        predict: _,
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
        ("--max-resolutions", max_resolutions.to_string()),
        ("--max-symbolic-alloc", max_symbolic_alloc.to_string()),
        ("--max-symbolic-reach", max_symbolic_reach.to_string()),
        ("--max-stack-depth", max_stack_depth.to_string()),
        ("--external-calls", format!("{external_calls:?}")),
        ("--lazy-elements", lazy_elements.to_string()),
        ("--lazy-depth", lazy_depth.to_string()),
        ("--unwind-loop", single_loops.join(",")),
        ("--interpolation", config.interpolation.is_some().to_string()),
        ("--only", format!("{:?}", config.only)),
        ("what is fixed", format!("{fixed:?}")),
        ("the program's name", program_name.clone()),
        ("the program's arguments", format!("{args:?}")),
    ];
    options.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn program_hash(program: &Program) -> String {
    format!("{:032x}", xxh3_128(program.to_string().as_bytes()))
}

/// The program of a recorded tree, if it still is what was recorded; else why not.
pub(crate) fn recorded_program(reader: &Reader) -> Result<Program, String> {
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

/// A run that may be recorded, or goes on with a tree.
pub(crate) struct Recording {
    begun: Begun,
    paths: BTreeMap<String, String>,
    limits: RunLimits,
    resumed: Option<(PathBuf, bool)>,
    /// The node below which it goes on, if not everywhere.
    selected: Option<u64>,
    /// Was it asked for?
    is_asked_for: bool,
    /// Can it be recorded at all?
    is_possible: bool,
    /// What its workers are to do, if there are several.
    job: Option<Vec<u8>>,
}

impl Recording {
    pub(crate) fn new(matches: &ArgMatches, config: &Config, command_line: &[String]) -> Recording {
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
            resumed: resumed_tree(matches).map(|dir| (dir, is_forced)),
            selected: matches.try_get_one::<u64>(SELECTED).ok().flatten().copied(),
            is_asked_for: settings::record(matches).is_some(),
            is_possible: config.replays.is_empty() && config.seeds.is_empty(),
            job: None,
        }
    }

    /// Several workers are to share the tree.
    pub(crate) fn share(&mut self, job: &Job) {
        self.job = Some(job.encode());
        self.is_asked_for = true;
    }

    /// Has the engine record the run in its directory, or go on with the tree that is there.
    pub(crate) fn begin(
        self,
        engine: &mut Engine,
        program: &Rc<Program>,
        dir: &Path,
    ) -> Result<Option<Restored>, String> {
        if let Some((tree, is_forced)) = &self.resumed {
            return self.go_on(engine, program, tree, *is_forced);
        }
        if !self.is_possible {
            return match self.is_asked_for {
                true => Err("runs with seeds or replays cannot be recorded".to_owned()),
                false => Ok(None),
            };
        }
        if self.is_asked_for {
            let store = self.create(program, dir).map_err(|error| error.to_string())?;
            engine.record(store).map_err(|error| error.to_string())?;
            return Ok(None);
        }
        let (program, dir) = (program.clone(), dir.to_owned());
        let create = move || match self.create(&program, &dir) {
            Ok(store) => Some(store),
            Err(error) => {
                let _ = writeln!(std::io::stderr(), "warning: the run is not recorded: {error}");
                None
            }
        };
        engine.record_later(RECORDED_FROM, Box::new(create));
        Ok(None)
    }

    fn create(&self, program: &Program, dir: &Path) -> Result<Store, StoreError> {
        let json = |value: serde_json::Result<String>| value.unwrap_or_default().into_bytes();
        let meta: [(&str, Vec<u8>); 3] = [
            (BEGUN, json(serde_json::to_string(&self.begun))),
            (PROGRAM, json(serde_json::to_string(&program_hash(program)))),
            (PATHS, json(serde_json::to_string(&self.paths))),
        ];
        let mut store = Store::create(dir, &meta.each_ref().map(|(key, value)| (*key, &value[..])))?;
        self.begin_run(&mut store)?;
        Ok(store)
    }

    fn begin_run(&self, store: &mut Store) -> Result<(), StoreError> {
        let limits = serde_json::to_string(&self.limits).unwrap_or_default();
        store.begin_run(&utc::format(SystemTime::now()), &limits, &command::version())?;
        self.job.iter().try_for_each(|job| store.set_meta(JOB, job))
    }

    fn go_on(
        &self,
        engine: &mut Engine,
        program: &Program,
        dir: &Path,
        is_forced: bool,
    ) -> Result<Option<Restored>, String> {
        let mut store = Store::open(dir).map_err(|error| error.to_string())?;
        let reader = store.reader().map_err(|error| error.to_string())?;
        let changed = self.changes(&reader, program)?;
        if !changed.is_empty() {
            if !is_forced {
                let all = changed.join("; ");
                return Err(format!(
                    "{all}: there may be other paths than those that are recorded. Undo this, or begin anew with --force"
                ));
            }
            drop((reader, store));
            Store::set_aside(dir).map_err(|error| error.to_string())?;
            let store = self.create(program, dir).map_err(|error| error.to_string())?;
            engine.record(store).map_err(|error| error.to_string())?;
            return Ok(None);
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
        let restored = engine.resume(store, before).map_err(|error| error.to_string())?;
        if let Some(node) = self.selected
            && engine.select_below(RecordId(node)) == 0
        {
            return Err(format!("nothing below node {node} is unfinished: `espalier tree` shows where something is"));
        }
        Ok(Some(restored))
    }

    /// What is not as it was when the tree was begun.
    fn changes(&self, reader: &Reader, program: &Program) -> Result<Vec<String>, String> {
        let mut changes = Vec::new();
        if meta::<String>(reader, PROGRAM)? != program_hash(program) {
            changes.push("the program has changed".to_owned());
        }
        let before: BTreeMap<String, String> = meta(reader, PATHS)?;
        for (name, value) in &self.paths {
            let was = before.get(name).map_or("", String::as_str);
            if was != value {
                changes.push(format!("{name} was {was}, and is {value}"));
            }
        }
        Ok(changes)
    }
}
