//! The programs in `tests/c` and what they expect, as comments in their source:
//!
//! - `// options: …` for `espalier run`;
//! - `// paths: N`, how many paths end by an exit;
//! - `// exit: N`, the exit code, if not 0 (`pass`) or 10 (`fail`);
//! - `// stdout: text`, the lines that the program prints;
//! - `// symbolic-only`: native replay would not show the same;
//! - `//~ KIND: text` at each line with an error: its kind and a part of its message.

use super::root;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

#[derive(Debug, Default)]
pub struct Program {
    pub path: PathBuf,
    pub options: Vec<String>,
    pub paths: Option<u64>,
    pub exit: i32,
    pub stdout: Option<String>,
    pub is_symbolic_only: bool,
    /// By line and kind.
    pub errors: BTreeMap<(u64, String), String>,
}

/// All programs, by name (`pass/switch_dense`).
pub fn programs() -> Vec<(String, Program)> {
    let mut programs = BTreeMap::new();
    for (kind, exit) in [("pass", 0), ("fail", 10)] {
        let dir = root().join("tests/c").join(kind);
        for entry in fs::read_dir(&dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display())) {
            let path = entry.expect("a directory entry").path();
            if path.extension().is_some_and(|extension| extension == "c") {
                let name = format!("{kind}/{}", path.file_stem().expect("a name").to_string_lossy());
                programs.insert(name, parse(path, exit));
            }
        }
    }
    programs.into_iter().collect()
}

fn parse(path: PathBuf, exit: i32) -> Program {
    let source = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut program = Program { path, exit, ..Program::default() };
    for (number, line) in (1..).zip(source.lines()) {
        if let Some((_, error)) = line.split_once("//~ ") {
            let (kind, text) = error.split_once(": ").unwrap_or((error, ""));
            program.errors.insert((number, kind.trim().to_owned()), text.trim().to_owned());
        }
        let Some(comment) = line.strip_prefix("// ") else { continue };
        let number = |text: &str| text.trim().parse().unwrap_or_else(|_| panic!("{}: {line}", program.path.display()));
        if let Some(options) = comment.strip_prefix("options:") {
            program.options.extend(options.split_whitespace().map(str::to_owned));
        } else if let Some(paths) = comment.strip_prefix("paths:") {
            program.paths = Some(number(paths));
        } else if let Some(exit) = comment.strip_prefix("exit:") {
            program.exit = number(exit) as i32;
        } else if let Some(text) = comment.strip_prefix("stdout:") {
            let stdout = program.stdout.get_or_insert_default();
            stdout.push_str(text.strip_prefix(' ').unwrap_or(text));
            stdout.push('\n');
        } else if comment.trim() == "symbolic-only" {
            program.is_symbolic_only = true;
        }
    }
    program
}

/// The compiler flags among a program's options.
pub fn cc_args(options: &[String]) -> Vec<String> {
    options.iter().filter_map(|option| option.strip_prefix("--cc-arg=")).map(str::to_owned).collect()
}
