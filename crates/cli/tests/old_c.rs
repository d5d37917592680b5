//! Old C: what gcc compiles with a warning compiles here with a warning, and does the same. The
//! programs in `tests/c/old` say in comments what else is expected:
//!
//! - `// gcc: …`, options that gcc needs;
//! - `// unsupported: text`: the two sides of a call do not agree, and the path ends with this
//!   reason;
//! - `// check: word`, the verdict of `check`.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use support::events::Run;
use support::process::{self, End};

const LIMIT: Duration = Duration::from_secs(120);

fn programs() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(support::root().join("tests/c/old")).expect("the repository has the directory");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

fn expectation<'a>(source: &'a str, key: &str) -> Option<&'a str> {
    let comment = |line: &'a str| line.strip_prefix("// ").or_else(|| line.strip_prefix("/* ")?.strip_suffix(" */"));
    source.lines().find_map(|line| comment(line)?.strip_prefix(key)?.strip_prefix(": "))
}

/// Compiles with gcc, and tells what the program prints.
fn natively(dir: &Path, path: &Path, options: Option<&str>) -> String {
    let binary = dir.join("native");
    let mut gcc = Command::new("gcc");
    gcc.args(options.iter().flat_map(|options| options.split_whitespace())).arg(path).arg("-lm").arg("-o").arg(&binary);
    let compiled = process::run(&mut gcc, LIMIT);
    assert_eq!(compiled.end, End::Exit(0), "{}: gcc: {}", path.display(), compiled.stderr);
    let finished = process::run(&mut Command::new(binary), LIMIT);
    assert_eq!(finished.end, End::Exit(0), "{}", path.display());
    finished.stdout
}

#[test]
fn old_programs_do_what_they_do_natively() {
    for path in programs() {
        let dir = tempfile::tempdir().expect("a directory");
        let source = std::fs::read_to_string(&path).expect("a source");
        let args = ["--show-output".to_owned(), path.display().to_string()];
        if let Some(word) = expectation(&source, "check") {
            let run = Run::start_verb("check", dir.path(), &args[1..], LIMIT).expect("a run");
            let verdict = run.of("verdict").next().expect("a verdict");
            assert_eq!(verdict["verdict"], word, "{}: {verdict}", path.display());
            continue;
        }
        let run = Run::start(dir.path(), &args, LIMIT).expect("a run");
        let finished = run.finished().expect("an end");
        if let Some(reason) = expectation(&source, "unsupported") {
            let cut = run.of("cut").next().expect("a path that was cut").to_string();
            assert!(cut.contains(reason) && run.exit_code == 5, "{}: {cut}", path.display());
            continue;
        }
        assert_eq!(run.exit_code, 0, "{}: {finished}", path.display());
        assert_eq!(run.output(), natively(dir.path(), &path, expectation(&source, "gcc")), "{}", path.display());
    }
}

#[test]
fn what_is_old_is_said() {
    let dir = tempfile::tempdir().expect("a directory");
    let warnings = |name: &str, more: &[&str]| {
        let path = support::root().join("tests/c/old").join(name).display().to_string();
        let args: Vec<String> = more.iter().map(|arg| arg.to_string()).chain([path]).collect();
        let out = tempfile::tempdir_in(dir.path()).expect("a directory");
        let run = Run::start(out.path(), &args, LIMIT).expect("a run");
        (run.of("warning").map(|event| event["text"].to_string()).collect::<String>() + &run.stderr, run.exit_code)
    };
    let (text, code) = warnings("implicit.c", &[]);
    assert!(code == 0 && text.contains("implicit int") && text.contains("more warnings of these kinds"), "{text}");
    let (text, code) = warnings("dialect.c", &[]);
    assert!(code == 0 && text.contains("old C, compiled with -std=gnu89"), "{text}");
    // Whoever chooses a dialect, or wants no warnings, gets what that says.
    let (text, code) = warnings("dialect.c", &["--cc-arg=-std=gnu11"]);
    assert!(code == 2 && text.contains("does not compile"), "{text}");
    let (text, code) = warnings("implicit.c", &["--cc-arg=-Werror"]);
    assert!(code == 2 && text.contains("does not compile"), "{text}");
}
