//! The program that alarms are about, and what it is given.
//!
//! A whole program that looks at its arguments or reads input is run in the model of the
//! environment, with a few symbolic arguments and some symbolic input, unless the user says what it
//! is to be given. What is given here is said in every verdict that rests on it.

use crate::settings::Failing;
use crate::triage::closure::Closure;
use crate::triage::plan::Group;
use crate::triage::{failing, library};
use crate::{environment, settings};
use clap::ArgMatches;
use espalier_alarms::Alarm;
use espalier_base::environment::Item;
use espalier_engine::{Environment, Input, InputError, Loaded};
use espalier_frontend::SourceLine;
use espalier_ir::{Callee, Inst, Program};
use std::path::{Path, PathBuf};

const ARGUMENTS: Item = Item::SymbolicArguments { min: 0, max: 2, length: 8 };
const INPUT: Item = Item::SymbolicInput(32);

/// Functions by which programs read their input.
const READERS: [&str; 20] = [
    "fgetc",
    "fgets",
    "fopen",
    "fread",
    "fscanf",
    "getc",
    "getc_unlocked",
    "getchar",
    "getchar_unlocked",
    "getdelim",
    "getline",
    "gets",
    "open",
    "read",
    "readv",
    "scanf",
    "vfscanf",
    "vscanf",
    "pread",
    "fgetc_unlocked",
];

/// What a program may start with: a file of it, and not a list of alarms.
const EXTENSIONS: [&str; 4] = ["c", "i", "bc", "ll"];

pub(crate) fn is_of_program(path: &Path) -> bool {
    path.extension().and_then(|extension| extension.to_str()).is_some_and(|extension| EXTENSIONS.contains(&extension))
}

/// Where the program comes from.
pub(crate) enum Origin {
    Files(Vec<PathBuf>),
    /// Files of a project, each with its own command.
    Project(Closure),
}

/// Which allocations fail.
enum Failures {
    None,
    /// So many on a path.
    Most(u64),
    /// One on a path, on one of these lines.
    At(Vec<SourceLine>),
}

/// A program, and what it is given.
pub(crate) struct Subject {
    origin: Origin,
    input: Input,
    pub(crate) items: Vec<Item>,
    failing: Failures,
    /// If there is no `main`: the functions that there are.
    uncalled: Option<Vec<String>>,
    /// What was assumed without being asked.
    pub(crate) notes: Vec<String>,
}

impl Subject {
    /// The program, loaded as the main exploration wants it. `about_failing` are the alarms about
    /// allocations that may fail.
    pub(crate) fn load(
        matches: &ArgMatches,
        origin: Origin,
        alarms: &[Alarm],
        about_failing: &[&Alarm],
    ) -> Result<(Subject, Loaded), String> {
        let given = settings::alloc_fail(matches);
        let (mut subject, loaded) = Subject::load_as_given(matches, origin, given)?;
        let sites = match given {
            Some(Failing::Most(_)) => Vec::new(),
            Some(Failing::Sites) => failing::sites(&loaded.program, &alarms.iter().collect::<Vec<_>>()),
            None => failing::sites(&loaded.program, about_failing),
        };
        if sites.is_empty() {
            return Ok((subject, loaded));
        }
        subject.failing = Failures::At(sites);
        let loaded = subject.load_for(Group::Main)?;
        Ok((subject, loaded))
    }

    fn load_as_given(
        matches: &ArgMatches,
        origin: Origin,
        given: Option<Failing>,
    ) -> Result<(Subject, Loaded), String> {
        let input = Input { cc_args: settings::compiler_options(matches), ..settings::input(matches) };
        let items = environment::items(matches)?;
        let failing = Failures::None;
        let mut subject = Subject { origin, input, items, failing, uncalled: None, notes: Vec::new() };
        match given {
            None | Some(Failing::Most(0) | Failing::Sites) => {}
            Some(Failing::Most(_)) if !subject.is_all_sources() => {
                let text =
                    "allocations fail only in C sources, and bitcode was given: none fails here; --alloc-fail=sites";
                subject.notes.push(text.into());
            }
            Some(Failing::Most(most)) => subject.failing = Failures::Most(most),
        }
        let loaded = match espalier_engine::load(&subject.input_of(Group::Main)?) {
            Err(InputError::NoEntry { defined, .. }) if subject.input.entry == "main" => {
                subject.uncalled = Some(defined);
                subject.load_for(Group::Main)?
            }
            other => other.map_err(|error| error.to_string())?,
        };
        if subject.uncalled.is_some() {
            return Ok((subject, loaded));
        }
        let is_given = !subject.items.is_empty() || subject.input.environment.is_some();
        if is_given || subject.input.entry != "main" {
            return Ok((subject, loaded));
        }
        let wanted = wanted_items(&loaded);
        if wanted.is_empty() {
            return Ok((subject, loaded));
        }
        let needs_files = wanted.iter().find_map(Item::needs_files);
        subject.input.environment = Some(Environment { mounts: Vec::new(), needs_files });
        match subject.load_for(Group::Main) {
            Ok(loaded) => {
                subject.items = wanted;
                Ok((subject, loaded))
            }
            Err(error) => {
                subject.input.environment = None;
                let text = format!("the program reads arguments or input, which it does not get here: {error}");
                subject.notes.push(text);
                Ok((subject, loaded))
            }
        }
    }

    pub(crate) fn load_for(&self, group: Group) -> Result<Loaded, String> {
        let input = self.input_of(group)?;
        let loaded = match &self.uncalled {
            None => espalier_engine::load(&input),
            Some(defined) => library::load(&input, defined),
        };
        loaded.map_err(|error| error.to_string())
    }

    /// Is there no `main`, so that functions are run by themselves?
    pub(crate) fn is_library(&self) -> bool {
        self.uncalled.is_some()
    }

    /// What is compiled for a group.
    pub(crate) fn input_of(&self, group: Group) -> Result<Input, String> {
        let mut more = Vec::new();
        if group == Group::Overflow {
            let flags = ["-fsanitize=signed-integer-overflow", "-fno-sanitize-recover=all"];
            more.extend(flags.map(String::from));
        }
        let mut input = self.input.clone();
        match &self.failing {
            Failures::None => {}
            Failures::Most(most) => more.extend(settings::failing_allocations(Failing::Most(*most))),
            Failures::At(sites) => {
                input.failing_sites = Some(sites.clone());
                // For native runs of sources. In bitcode calls are changed.
                if matches!(self.origin, Origin::Files(_)) {
                    more.extend(settings::failing_allocations(Failing::Sites));
                }
            }
        }
        match &self.origin {
            Origin::Files(files) => {
                input.files.clone_from(files);
                input.cc_args.extend(more);
            }
            Origin::Project(closure) => input.files = closure.compile(&more)?,
        }
        Ok(input)
    }

    /// Can checks be compiled into all of it?
    pub(crate) fn is_all_sources(&self) -> bool {
        match &self.origin {
            Origin::Files(files) => {
                files.iter().all(|path| path.extension().is_some_and(|extension| extension == "c" || extension == "i"))
            }
            Origin::Project(_) => true,
        }
    }

    /// The paths on which allocations fail, in words; `None` if they never do.
    pub(crate) fn failing_allocations(&self) -> Option<String> {
        match &self.failing {
            Failures::None => None,
            Failures::Most(1) => Some("if at most one allocation fails on a path".to_owned()),
            Failures::Most(most) => Some(format!("if at most {most} allocations fail on a path")),
            Failures::At(sites) => Some(failing::condition(sites)),
        }
    }

    /// Do paths begin with a function that is run by itself, and not with the program?
    pub(crate) fn is_by_itself(&self) -> bool {
        self.is_library() || self.input.entry != "main"
    }

    /// The program's name: its first file without directory and extension.
    pub(crate) fn name(&self) -> String {
        match &self.origin {
            Origin::Files(files) => {
                let first = files.first().and_then(|path| path.file_stem());
                first.map_or_else(String::new, |name| name.to_string_lossy().into_owned())
            }
            Origin::Project(closure) => closure.name(),
        }
    }

    /// `argv`, for the tests.
    pub(crate) fn program_args(&self) -> Vec<String> {
        std::iter::once(self.name()).chain(self.items.iter().flat_map(Item::spelling)).collect()
    }
}

/// What the program should be given, because it looks at it.
fn wanted_items(loaded: &Loaded) -> Vec<Item> {
    let reads_arguments = environment::reads_arguments(loaded.program.function(loaded.entry));
    let mut items = Vec::new();
    items.extend(reads_arguments.then_some(ARGUMENTS));
    items.extend(reads_input(&loaded.program).then_some(INPUT));
    items
}

fn reads_input(program: &Program) -> bool {
    let users = program.functions.iter().filter(|function| !function.is_declaration() && !function.is_runtime);
    users.flat_map(|function| function.code.iter().map(move |inst| (function, inst))).any(|(function, inst)| {
        matches!(inst, Inst::Call { call } if matches!(function.call(*call).callee,
            Callee::Direct(callee) if READERS.contains(&program.function(callee).name.as_str())))
    })
}
