//! The table of what we answer for (`espalier_base::fidelity`) against the machine's own library:
//! the cases in `tests/fidelity` log the results, `errno` and the memory of calls, and both logs
//! must be the same. An exact entry without cases is a failure.

mod support;

use espalier_base::fidelity::{Entry, Fidelity, Provider, entries};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use support::events::Run;
use support::process::{self, End, Finished};
use support::root;

const LIMIT: Duration = Duration::from_secs(120);

/// The lines of each section of a log, by its name: that of an entry, and of a part of its cases.
type Log = BTreeMap<String, Vec<String>>;

/// The C files of a folder.
fn files(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join(folder)).expect("a folder of ours");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    assert!(files.len() >= 10, "{folder} has too few");
    files
}

fn sections(text: &str) -> Log {
    let mut log = Log::new();
    let mut section = None;
    for line in text.lines() {
        match line.strip_prefix("== ") {
            Some(name) => {
                let before = log.insert(name.to_owned(), Vec::new());
                assert!(before.is_none(), "{name} is there twice");
                section = Some(name.to_owned());
            }
            None => {
                let name = section.as_ref().expect("a section");
                log.entry(name.clone()).or_default().push(line.to_owned());
            }
        }
    }
    log
}

fn natively(dir: &Path, file: &Path) -> Finished {
    let binary = dir.join("native");
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=gnu17", "-O0", "-fno-builtin", "-w", "-DNATIVE", "-o"]).arg(&binary).arg(file);
    if let Some(assembly) = assembly_of(file) {
        let object = dir.join("assembly.o");
        let mut clang = Command::new("clang-19");
        compile(clang.args(["-w", "-c", "-o"]).arg(&object).arg(assembly));
        gcc.arg(object);
    }
    compile(gcc.arg("-lm"));
    let mut command = Command::new(&binary);
    process::run(command.env_clear(), LIMIT)
}

/// What the cases of a file need besides C: LLVM's assembly of the same name.
fn assembly_of(file: &Path) -> Option<PathBuf> {
    let assembly = file.with_extension("ll");
    assembly.is_file().then_some(assembly)
}

fn compile(compiler: &mut Command) {
    let compiled = process::run(compiler, LIMIT);
    assert_eq!(compiled.end, End::Exit(0), "{compiler:?}: {}", compiled.stderr);
}

/// The engine's run of a file.
fn run(dir: &Path, file: &Path, library: &[&str]) -> Result<Run, String> {
    let mut args: Vec<String> = ["--show-output", "--max-time=60s", "--max-memory=4GiB"].map(str::to_owned).into();
    args.extend(library.iter().map(|&option| option.to_owned()));
    let inputs = [Some(file.to_owned()), assembly_of(file)];
    args.extend(inputs.into_iter().flatten().map(|input| input.to_string_lossy().into_owned()));
    Run::start(dir, &args, LIMIT)
}

/// What the engine logs. The only path must be exact.
fn here(dir: &Path, file: &Path, library: &[&str]) -> Result<Log, String> {
    let run = run(dir, file, library)?;
    let finished = run.finished()?;
    if finished["paths"]["completed"] != 1 || finished["open_states"] != 0 {
        return Err(format!("not one path to the end: {finished}\n{}", run.stderr));
    }
    let source = fs::read_to_string(file).map_err(|error| error.to_string())?;
    let reasons = run.of("test").flat_map(|test| test["approximations"].as_array().expect("a list"));
    // Whether that is true of another library is what is tested.
    let inexact: Vec<_> = reasons.filter(|reason| *reason != "the C library is musl").collect();
    if !inexact.is_empty() && !source.starts_with("/* Inexact: ") {
        return Err(format!("the path is not exact: {inexact:?}"));
    }
    Ok(sections(&run.output()))
}

/// What differs, in a few lines.
fn differences(native: &Log, here: &Log) -> Vec<String> {
    let mut all = Vec::new();
    for (name, expected) in native {
        let Some(actual) = here.get(name) else {
            all.push(format!("{name}: not logged"));
            continue;
        };
        let different = expected.iter().zip(actual).enumerate().filter(|(_, (expected, actual))| expected != actual);
        let shown: Vec<String> = different
            .take(3)
            .map(|(line, (expected, actual))| format!("  case {line}\n    native{expected}\n    here  {actual}"))
            .collect();
        if !shown.is_empty() || expected.len() != actual.len() {
            all.push(format!("{name}: {} cases, {} here\n{}", expected.len(), actual.len(), shown.join("\n")));
        }
    }
    all
}

const OWN: &[&str] = &["--libc=own"];

/// Files whose functions are the engine's or our own with musl too. Where C leaves something open,
/// musl's functions answer otherwise than glibc's.
const WITH_MUSL: &[&str] = &["builtins.c", "ctype.c", "fortify.c", "heap.c", "jump.c", "math.c"];

#[test]
fn answers_are_the_same_with_musl() {
    for name in WITH_MUSL {
        let file = root().join("tests/fidelity").join(name);
        let dir = tempfile::tempdir().expect("a directory");
        let mut native = sections(&natively(dir.path(), &file).stdout);
        let log = here(dir.path(), &file, &["--libc=musl", "-DMUSL"]).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(log.len() >= 5, "{name} says too little");
        native.retain(|section, _| log.contains_key(section));
        let different = differences(&native, &log);
        assert!(different.is_empty(), "{name}: {}", different.join("\n"));
    }
}

#[test]
fn answers_are_those_of_the_machine() {
    let mut wrong = Vec::new();
    for file in files("tests/fidelity") {
        let dir = tempfile::tempdir().expect("a directory");
        let native = natively(dir.path(), &file);
        assert_eq!(native.end, End::Exit(0), "{}: {}", file.display(), native.stderr);
        let different = match here(dir.path(), &file, OWN) {
            Ok(log) => differences(&sections(&native.stdout), &log),
            Err(reason) => vec![reason],
        };
        wrong.extend(different.into_iter().map(|text| format!("{}: {text}", file.display())));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Each program in `ends` is about the entry with its name: it must print and end here as it does
/// natively.
#[test]
fn programs_end_as_on_the_machine() {
    for file in files("tests/fidelity/ends") {
        let dir = tempfile::tempdir().expect("a directory");
        let native = natively(dir.path(), &file);
        let run = run(dir.path(), &file, OWN).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        assert_eq!(run.output(), native.stdout, "{}", file.display());
        let test = run.of("test").next().unwrap_or_else(|| panic!("{}: no path ended", file.display()));
        match native.end {
            End::Exit(code) => {
                let status = test["exit_status"].as_i64().map(|status| status & 0xff);
                assert_eq!(status, Some(code.into()), "{}: {test}", file.display());
            }
            _ => assert_eq!(test["end"], "error", "{}: {test}", file.display()),
        }
    }
}

/// Entries that say that they do not know: the path ends at a call.
const UNANSWERED: &str = "sqrtl isnanl __isnanl isinfl __isinfl finitel __finitel __signbitl __fpclassifyl ldexpl scalbnl sinl cosl tanl asinl acosl atanl sinhl coshl tanhl expl exp2l exp10l \
                          expm1l logl log2l log10l log1pl cbrtl powl atan2l hypotl";

#[test]
fn what_is_not_answered_ends_the_path() {
    let names: Vec<&str> = UNANSWERED.split_whitespace().collect();
    let mut source = "int klee_choose(unsigned long);\nint main(void) {\n    switch (klee_choose(N)) {\n".to_owned();
    let mut declarations = format!("#define N {}\n", names.len());
    for (index, name) in names.iter().enumerate() {
        let second = match *name {
            "powl" | "atan2l" | "hypotl" => "long double",
            _ => "int",
        };
        writeln!(declarations, "int {name}(long double, {second});").expect("a string");
        writeln!(source, "    case {index}: return {name}(0.5L, 1);").expect("a string");
    }
    source.push_str("    }\n    return 0;\n}\n");
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("calls.c");
    fs::write(&file, declarations + &source).expect("a file");
    let run = run(dir.path(), &file, OWN).expect("a run");
    let paths = &run.finished().expect("an end")["paths"];
    assert_eq!((&paths["unsupported"], &paths["completed"]), (&names.len().into(), &0.into()), "{paths}");
}

/// Intrinsics that do nothing, or stand for nothing that could be compared: marks for debuggers and
/// optimisers, and those for which the machine's compiler has no code.
const WITHOUT_CASES: &str = "dbg.declare dbg.value dbg.label dbg.assign lifetime.start lifetime.end experimental.noalias.scope.decl pseudoprobe codeview.annotation fake.use ubsantrap \
                             memcpy.element.unordered.atomic memmove.element.unordered.atomic memset.element.unordered.atomic ssa.copy load.relative minimumnum maximumnum allow.runtime.check \
                             allow.ubsan.check";

/// System calls that the library makes for itself, without a function that a program could call.
const INTERNAL: &str = "FUTEX SET_TID_ADDRESS";

/// The function that makes a system call, where it has another name.
fn function_of(call: &str) -> String {
    match call {
        "RT_SIGPROCMASK" => "sigprocmask",
        "RT_SIGACTION" => "sigaction",
        "RT_SIGPENDING" => "sigpending",
        "NEWFSTATAT" => "fstatat",
        "GETDENTS64" => "readdir",
        "FADVISE64" => "posix_fadvise",
        "FACCESSAT2" => "faccessat",
        "EXIT" => "_exit",
        "EXIT_GROUP" => "exit",
        "TKILL" => "raise",
        "TGKILL" => "SYS_tgkill",
        "RENAMEAT2" => "SYS_renameat2",
        other => return other.to_lowercase(),
    }
    .to_owned()
}

/// The words of all programs below a folder.
fn words(folder: &Path, all: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder of ours") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            words(&path, all);
        } else if path.extension().is_some_and(|extension| extension == "c") {
            let text = fs::read_to_string(&path).expect("a program of ours");
            let is_part = |character: char| character.is_alphanumeric() || character == '_';
            all.extend(text.split(|character| !is_part(character)).map(str::to_owned));
        }
    }
}

/// The table's entries that claim to be exact have cases above, or are used by a program that is
/// compared with its native run.
#[test]
fn every_exact_entry_has_cases() {
    let mut cases = BTreeSet::new();
    for file in files("tests/fidelity") {
        let dir = tempfile::tempdir().expect("a directory");
        let log = sections(&natively(dir.path(), &file).stdout);
        let has_lines = log.into_iter().filter(|(_, lines)| !lines.is_empty());
        cases.extend(has_lines.filter_map(|(name, _)| name.split(' ').next().map(str::to_owned)));
    }
    for file in files("tests/fidelity/ends") {
        cases.extend(file.file_stem().map(|name| name.to_string_lossy().into_owned()));
    }
    let (mut interface, mut calls) = (BTreeSet::new(), BTreeSet::new());
    words(&root().join("tests/c"), &mut interface);
    words(&root().join("tests/posix"), &mut calls);
    let is_listed = |list: &str, name: &str| list.split_whitespace().any(|other| other == name);
    let has_cases = |entry: &Entry| match entry.provider {
        Provider::Engine | Provider::Library => {
            cases.contains(entry.name)
                || is_listed(UNANSWERED, entry.name)
                || is_ours(entry.name) && interface.contains(entry.name)
        }
        Provider::Intrinsic => {
            cases.contains(&format!("llvm_{}", entry.name.replace('.', "_")))
                || cases.contains(entry.name)
                || is_listed(WITHOUT_CASES, entry.name)
        }
        Provider::SystemCall => calls.contains(&function_of(entry.name)) || is_listed(INTERNAL, entry.name),
    };
    let exact = entries().filter(|entry| matches!(entry.fidelity, Fidelity::Exact | Fidelity::ExactIf(_)));
    let missing: Vec<&str> = exact.filter(|entry| !has_cases(entry)).map(|entry| entry.name).collect();
    assert!(missing.is_empty(), "without cases: {}", missing.join(" "));
}

/// Has it no native counterpart?
fn is_ours(name: &str) -> bool {
    ["klee_", "__VERIFIER_", "reach_error", "__assert_rtn"].iter().any(|prefix| name.starts_with(prefix))
}
