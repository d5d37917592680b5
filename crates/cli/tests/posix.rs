//! Whole programs with musl and the model of the environment. The programs in `tests/posix` must
//! print what they print natively in an empty directory; those in `tests/posix/symbolic` must have
//! the number of paths that their authors derived by hand, and each test must end natively as
//! predicted.

mod support;

use espalier_base::environment::{Item, parse};
use serde_json::Value;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use support::events::Run;
use support::root;

const LIMIT: Duration = Duration::from_secs(60);

fn programs(folder: &str) -> Vec<PathBuf> {
    let libc = root().join("target/libc/libc.a");
    assert!(libc.is_file(), "{} is missing: run `make libc`", libc.display());
    let entries = fs::read_dir(root().join(folder)).expect("the programs");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|ext| ext == "c"));
    files.sort();
    files
}

/// What a comment at the beginning of a program says.
fn says(source: &str, what: &str) -> Option<String> {
    let prefix = format!("// {what}: ");
    source.lines().take(3).find_map(|line| line.strip_prefix(&prefix)).map(str::to_owned)
}

/// Words as a shell reads them, with double quotes only.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let (word, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').expect("a closing quote"),
            None => rest.split_once(' ').unwrap_or((rest, "")),
        };
        words.push(word.to_owned());
        rest = after.trim_start();
    }
    words
}

fn run(dir: &Path, program: &Path, options: &[String], args: &[String]) -> Run {
    let mut all = vec![program.to_str().expect("a plain name").to_owned(), "--libc=musl".to_owned()];
    all.extend(["--search=dfs".to_owned(), "--show-output".to_owned(), "-D_GNU_SOURCE".to_owned()]);
    all.extend(options.iter().cloned());
    all.push("--".to_owned());
    all.extend(args.iter().cloned());
    Run::start(dir, &all, LIMIT).unwrap_or_else(|error| panic!("{}: {error}", program.display()))
}

/// What the native build prints to standard output, and its exit code.
fn natively(dir: &Path, program: &Path, args: &[String], env: &[String], input: &str) -> (String, i32) {
    let binary = dir.join("native");
    let compiled = Command::new("clang-19")
        .args(["-D_GNU_SOURCE", "-w", "-O1", "-o"])
        .arg(&binary)
        .arg(program)
        .arg("-lm")
        .status();
    assert!(compiled.expect("clang").success(), "{}", program.display());
    let work = dir.join("empty");
    fs::create_dir(&work).expect("a directory");
    let file = dir.join("input");
    fs::write(&file, input).expect("a file");
    // Through a pipe, as the model's standard input is.
    let mut cat = Command::new("cat").arg(&file).stdout(Stdio::piped()).spawn().expect("cat");
    let mut command = Command::new(&binary);
    command.arg0_of(program).args(args).env_clear().current_dir(&work);
    command.envs(env.iter().filter_map(|variable| variable.split_once('=')));
    let pipe = cat.stdout.take().expect("its output");
    // Then all of it is in the pipe, and its end is known.
    cat.wait().expect("cat");
    let output = command.stdin(pipe).output().expect("the native run");
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code().unwrap_or(-1))
}

trait Arg0 {
    fn arg0_of(&mut self, program: &Path) -> &mut Self;
}

impl Arg0 for Command {
    fn arg0_of(&mut self, program: &Path) -> &mut Self {
        std::os::unix::process::CommandExt::arg0(self, program.file_stem().unwrap_or(&OsString::new()))
    }
}

fn printed(run: &Run) -> String {
    let outputs = run.events.iter().filter(|event| event["event"] == "output");
    outputs.map(|event| event["text"].as_str().unwrap_or_default()).collect()
}

fn last(run: &Run) -> &Value {
    run.events.last().unwrap_or_else(|| panic!("{}", run.stderr))
}

#[test]
fn programs_print_what_they_print_natively() {
    let programs = programs("tests/posix");
    assert!(programs.len() >= 25);
    let mut different = Vec::new();
    for program in programs {
        let source = fs::read_to_string(&program).expect("a program");
        let dir = tempfile::tempdir().expect("a directory");
        let args = words(&says(&source, "args").unwrap_or_default());
        let input = says(&source, "stdin").unwrap_or_default().replace("\\n", "\n");
        let env = words(&says(&source, "env").unwrap_or_default());
        let (expected, code) = natively(dir.path(), &program, &args, &env, &input);
        let mut options = vec![format!("--stdin={}", dir.path().join("input").display())];
        options.extend(env.iter().map(|variable| format!("--env={variable}")));
        let run = run(dir.path(), &program, &options, &args);
        let status = run.events.iter().find(|event| event["event"] == "test").map(|test| test["exit_status"].clone());
        let (actual, completed) = (printed(&run), &last(&run)["paths"]["completed"]);
        if actual != expected || status != Some(code.into()) || *completed != 1 {
            let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
            different.push(format!(
                "{name}: exit {status:?} instead of {code}\n--- native\n{expected}--- model\n{actual}{:?}\n{}",
                last(&run)["cuts"],
                run.stderr
            ));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

#[test]
fn symbolic_environments_have_the_paths_that_were_derived_by_hand() {
    let programs = programs("tests/posix/symbolic");
    assert!(programs.len() >= 8);
    for program in programs {
        let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let source = fs::read_to_string(&program).expect("a program");
        let options = words(&says(&source, "options").expect("options"));
        let paths: u64 = says(&source, "paths").and_then(|paths| paths.parse().ok()).expect("a number of paths");
        let dir = tempfile::tempdir().expect("a directory");
        let run = run(dir.path(), &program, &options, &[]);
        let end = last(&run);
        let ended = |how: &str| end["paths"][how].as_u64().unwrap_or(0);
        assert_eq!((&end["is_complete"], ended("completed") + ended("errors")), (&true.into(), paths), "{name}: {end}");
        let items = parse(&options).expect("options of the environment");
        if items.iter().any(|item| matches!(item, Item::Failures(_) | Item::ShortReads)) {
            continue;
        }
        let mut replay = support::espalier();
        replay.arg("replay").arg(dir.path().join("out")).arg(&program).arg("--sanitize=never");
        let output = replay.output().expect("a replay");
        let text = String::from_utf8_lossy(&output.stdout);
        let expected =
            if paths == 1 { "1 test: 1 agrees.".to_owned() } else { format!("{paths} tests: {paths} agree.") };
        assert!(text.contains(&expected), "{name}: {text}{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// KLEE has as many for GNU echo with a C library that writes lines to a terminal, once options are
/// over: each argument of length n ends in one of n + 1 places, or has its last newline there.
#[test]
fn echo_has_as_many_paths_as_klee_finds() {
    let source = "#include <stdio.h>
int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        fputs(argv[i], stdout);
        putchar(i + 1 < argc ? ' ' : '\\n');
    }
}
";
    for (options, paths) in [("--sym-arg 2", 6), ("--sym-arg 2 --sym-arg 2", 36), ("--sym-arg 4 --sym-arg 4", 225)] {
        let dir = tempfile::tempdir().expect("a directory");
        let program = dir.path().join("echo.c");
        fs::write(&program, source).expect("a file");
        let mut options = words(options);
        options.push("--terminal".to_owned());
        let run = run(dir.path(), &program, &options, &[]);
        assert_eq!(last(&run)["paths"]["completed"], paths, "{}", last(&run));
    }
}
