//! Compiling old C as gcc does: declarations and types that are missing are `int`, integers and
//! pointers are converted into each other, and what is no C of today may be C of 1989. All of it
//! with warnings.

use super::{Compiled, FLAGS, collect, file_argument};
use espalier_base::AS_WRITTEN;
use espalier_base::old_c::{self, DIALECTS, LOOK, WARNINGS};
use std::ffi::OsString;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Warnings that are shown.
const SHOWN: usize = 10;

/// How files are compiled.
pub struct Compiler<'a> {
    pub clang: &'a OsString,
    /// Options for the headers, and those of the user.
    pub given: &'a [OsString],
    /// Those of the user.
    pub args: &'a [String],
}

impl Compiler<'_> {
    /// Compiles a file that did not compile; `None` if it is no old C either.
    pub fn compile(&self, file: &Path, output: &Path) -> Option<Compiled> {
        if old_c::is_strict(self.args) {
            return None;
        }
        let others = DIALECTS.iter().copied().filter(|_| old_c::is_dialect_open(self.args)).map(Some);
        std::iter::once(None).chain(others).find_map(|dialect| self.compile_in(dialect, file, output))
    }

    fn compile_in(&self, dialect: Option<&str>, file: &Path, output: &Path) -> Option<Compiled> {
        let mut options: Vec<OsString> = vec!["-Wno-everything".into()];
        options.extend(WARNINGS.iter().map(|warning| format!("-W{warning}").into()));
        options.extend(old_c::as_warnings().map(OsString::from));
        options.extend(dialect.map(OsString::from));
        options.extend(self.given.iter().cloned());
        let mut look = Command::new(self.clang);
        look.args(&options).args(LOOK).arg(file_argument(file)).stdin(Stdio::null()).stdout(Stdio::null());
        let seen = String::from_utf8_lossy(&look.output().ok()?.stderr).into_owned();

        let mut command = Command::new(self.clang);
        command.args(FLAGS).args(AS_WRITTEN).args(&options);
        let declarations = old_c::declarations(&seen);
        if !declarations.is_empty() {
            let header = output.with_extension("h");
            fs::write(&header, declarations).ok()?;
            command.arg("-include").arg(header);
        }
        command.arg(file_argument(file)).arg("-o").arg(output);
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().ok()?;
        let compiled = collect(file, output, child).ok()?;
        Some(Compiled { diagnostics: warnings(&seen, dialect), ..compiled })
    }
}

/// The first warnings, one a line.
fn warnings(seen: &str, dialect: Option<&str>) -> String {
    let lines: Vec<&str> = seen.lines().filter(|line| line.contains(": warning: ")).collect();
    let dialect = dialect.map_or_else(String::new, |dialect| format!(", compiled with {dialect}"));
    let mut text = format!("this is old C{dialect}{}\n", if lines.is_empty() { "" } else { ":" });
    for line in lines.iter().take(SHOWN) {
        let _ = writeln!(text, "{line}");
    }
    if lines.len() > SHOWN {
        let _ = writeln!(text, "{} more warnings of these kinds", lines.len() - SHOWN);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_warnings_are_shown() {
        let seen = "a.c:1:1: warning: one\n  a line of the file\n".repeat(12);
        let text = warnings(&seen, None);
        assert_eq!(text.lines().count(), 1 + SHOWN + 1);
        assert!(text.ends_with("\n2 more warnings of these kinds\n"));
    }
}
