//! A directory with a program in it, and the binary run there as a user would.

use super::process::{self, Finished};
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

const LIMIT: Duration = Duration::from_secs(120);

/// Never ends: each turn of the loop forks off a path that exits.
pub const ENDLESS: &str = r#"#include <klee/klee.h>
int main(void) {
  for (;;) {
    char c;
    klee_make_symbolic(&c, sizeof c, "c");
    if (c == 'q')
      return 0;
  }
}
"#;

pub struct Project {
    dir: TempDir,
}

impl Project {
    /// A directory with `prog.c`.
    pub fn new(source: &str) -> Project {
        let project = Project { dir: tempfile::tempdir().expect("a directory") };
        project.write("prog.c", source.as_bytes());
        project
    }

    pub fn write(&self, name: &str, content: &[u8]) {
        fs::write(self.path(name), content).expect("a file");
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn read(&self, name: &str) -> String {
        let path = self.path(name);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Names in a directory, sorted.
    pub fn list(&self, name: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(name)).expect("a directory");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// The command, with words separated by spaces.
    pub fn command(&self, args: &str) -> Command {
        let mut command = super::espalier();
        command.args(args.split_whitespace()).current_dir(self.dir.path());
        command
    }

    pub fn run(&self, args: &str) -> Finished {
        process::run(&mut self.command(args), LIMIT)
    }
}
