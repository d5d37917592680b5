//! Native confirmation of a found error: the program is compiled with the replay library and run on the test.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What the native run came to.
pub(crate) enum Confirmation {
    /// It failed too; how.
    Confirmed(String),
    /// It did not fail.
    NotConfirmed(String),
    /// There was no native run.
    NotTried(String),
}

const REPLAY: &str = include_str!("../../../runtime/replay/replay.c");
const HEADER: &str = include_str!("../../../runtime/include/klee/klee.h");
const LIMIT: Duration = Duration::from_secs(10);
const COMPILE_LIMIT: Duration = Duration::from_secs(60);

/// What a sanitizer's report ends the program with.
const REPORTED: i32 = 86;
/// The replay library's exit codes: it could not follow the test, and an error was reported.
const NOT_FOLLOWED: [i32; 3] = [96, 97, 98];
const ERROR_REPORTED: i32 = 99;

/// Compilers to try, the strictest first: Debian's gcc brings the sanitizers' libraries, clang has checks that need none.
const COMPILERS: [&[&str]; 3] = [
    &["gcc", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"],
    &["clang-19", "-fsanitize=undefined", "-fsanitize-trap=all"],
    &["clang-19"],
];

/// Runs the program natively on a test that is said to lead to an error.
pub(crate) fn confirm(files: &[PathBuf], cc_args: &[String], test: &Path) -> Confirmation {
    match try_confirm(files, cc_args, test) {
        Ok(confirmation) => confirmation,
        Err(why) => Confirmation::NotTried(why),
    }
}

fn try_confirm(files: &[PathBuf], cc_args: &[String], test: &Path) -> Result<Confirmation, String> {
    let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
    let library = dir.path().join("replay/replay.c");
    write(&library, REPLAY)?;
    write(&dir.path().join("include/klee/klee.h"), HEADER)?;
    let binary = dir.path().join("program");
    compile(files, cc_args, &library, &dir.path().join("include"), &binary)?;
    let options = format!("exitcode={REPORTED}:detect_leaks=0:detect_stack_use_after_return=1");
    let mut command = Command::new(&binary);
    command.env("KTEST_FILE", test).env("ASAN_OPTIONS", &options).env("UBSAN_OPTIONS", &options);
    let Some(status) = run(&mut command, LIMIT)? else {
        return Ok(Confirmation::NotConfirmed(format!("the native run did not end within {} s", LIMIT.as_secs())));
    };
    Ok(match (status.code(), signal(&status)) {
        (Some(REPORTED), _) => Confirmation::Confirmed("a sanitizer reports it".into()),
        (Some(ERROR_REPORTED), _) => Confirmation::Confirmed("the native run reports the error".into()),
        (Some(code), _) if NOT_FOLLOWED.contains(&code) => {
            Confirmation::NotConfirmed("the native run does not follow the test".into())
        }
        (Some(code), _) => Confirmation::NotConfirmed(format!("the native run exits with {code}")),
        (None, signal) => Confirmation::Confirmed(format!("the native run ends with signal {}", signal.unwrap_or(0))),
    })
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    made.and_then(|()| std::fs::write(path, text)).map_err(|error| format!("{}: {error}", path.display()))
}

fn compile(files: &[PathBuf], cc_args: &[String], library: &Path, include: &Path, binary: &Path) -> Result<(), String> {
    let is_bitcode = |path: &PathBuf| path.extension().is_some_and(|ext| ext == "bc" || ext == "ll");
    for compiler in COMPILERS {
        if compiler[0] == "gcc" && files.iter().any(is_bitcode) {
            continue;
        }
        let mut command = Command::new(compiler[0]);
        command.args(&compiler[1..]).args(["-O0", "-g", "-w"]).arg("-I").arg(include).args(cc_args);
        command.args(files).arg(library).arg("-o").arg(binary).arg("-lm");
        if let Ok(Some(status)) = run(&mut command, COMPILE_LIMIT)
            && status.success()
        {
            return Ok(());
        }
    }
    Err("no native compiler accepts the program".into())
}

/// Runs a command quietly; `None` if it took too long.
fn run(command: &mut Command, limit: Duration) -> Result<Option<std::process::ExitStatus>, String> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    let deadline = Instant::now() + limit;
    loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            return Ok(Some(status));
        }
        if Instant::now() >= deadline {
            let _ = child.kill();
            let _ = child.wait();
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn signal(status: &std::process::ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(status)
}
