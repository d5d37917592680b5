//! The program that alarms are about, and what it is given.
//!
//! A whole program that looks at its arguments or reads input is run in the model of the
//! environment, with a few symbolic arguments and some symbolic input, unless the user says what it
//! is to be given. What is given here is said in every verdict that rests on it.

use crate::triage::plan::Group;
use crate::{environment, settings};
use clap::ArgMatches;
use espalier_base::environment::Item;
use espalier_engine::{Environment, Input, Loaded};
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

/// A program, and what it is given.
pub(crate) struct Subject {
    input: Input,
    pub(crate) items: Vec<Item>,
    /// What was assumed without being asked.
    pub(crate) notes: Vec<String>,
}

impl Subject {
    /// The program, loaded as the main exploration wants it.
    pub(crate) fn load(matches: &ArgMatches, files: Vec<PathBuf>) -> Result<(Subject, Loaded), String> {
        let input = Input { files, ..settings::input(matches) };
        let items = environment::items(matches)?;
        let mut subject = Subject { input, items, notes: Vec::new() };
        let loaded = espalier_engine::load(&subject.input_of(Group::Main)).map_err(|error| error.to_string())?;
        let is_given = !subject.items.is_empty() || subject.input.environment.is_some();
        if is_given || subject.input.entry != "main" {
            return Ok((subject, loaded));
        }
        let wanted = wanted_items(&loaded);
        if wanted.is_empty() {
            return Ok((subject, loaded));
        }
        let needs_files = wanted.iter().find_map(Item::needs_files);
        let environment = Some(Environment { mounts: Vec::new(), needs_files });
        let richer =
            Subject { input: Input { environment, ..subject.input.clone() }, items: wanted, notes: Vec::new() };
        match espalier_engine::load(&richer.input_of(Group::Main)) {
            Ok(loaded) => Ok((richer, loaded)),
            Err(error) => {
                let text = format!("the program reads arguments or input, which it does not get here: {error}");
                subject.notes.push(text);
                Ok((subject, loaded))
            }
        }
    }

    /// What is compiled for a group.
    pub(crate) fn input_of(&self, group: Group) -> Input {
        let mut input = self.input.clone();
        if group == Group::Overflow {
            let flags = ["-fsanitize=signed-integer-overflow", "-fno-sanitize-recover=all"];
            input.cc_args.extend(flags.map(String::from));
        }
        input
    }

    /// Is there a source, in which checks can be compiled?
    pub(crate) fn has_sources(&self) -> bool {
        let is_source = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "c" || extension == "i");
        self.input.files.iter().any(is_source)
    }

    /// The program's name: its first file without directory and extension.
    pub(crate) fn name(&self) -> String {
        let first = self.input.files.first().and_then(|path| path.file_stem());
        first.map_or_else(String::new, |name| name.to_string_lossy().into_owned())
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
