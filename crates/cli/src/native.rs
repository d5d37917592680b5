//! Native confirmation of what was found: the program is compiled with the replay library and run on the test. For an error it has to fail too; for a place, calls that are
//! inserted there have to be executed.

use espalier_frontend::{Input, Mark};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

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
/// A marked place was reached.
const REACHED: i32 = 95;

/// Compilers to try, the strictest first: Debian's gcc brings the sanitizers' libraries, clang has checks that need none.
const COMPILERS: [&[&str]; 3] = [
    &["gcc", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"],
    &["clang-19", "-fsanitize=undefined", "-fsanitize-trap=all"],
    &["clang-19"],
];

/// Runs the program natively on a test that is said to lead to an error. Compilers differ in what they check and fold away, so each gets its chance.
pub(crate) fn confirm(files: &[PathBuf], cc_args: &[String], test: &Path) -> Confirmation {
    let mut last = Confirmation::NotTried("no native compiler accepts the program".into());
    for compiler in COMPILERS {
        match try_confirm(files, cc_args, compiler, test) {
            Ok(Confirmation::Confirmed(how)) => return Confirmation::Confirmed(how),
            Ok(other) => last = other,
            Err(_) => {}
        }
    }
    last
}

fn try_confirm(files: &[PathBuf], cc_args: &[String], compiler: &[&str], test: &Path) -> Result<Confirmation, String> {
    let build = Build::new(files, cc_args, compiler)?;
    let Some(status) = build.run(test, |_| ())? else {
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

/// A native build that tells when it comes to certain places, for any number of tests.
pub(crate) struct MarkedBuild {
    build: Result<Build, String>,
}

impl MarkedBuild {
    pub(crate) fn new(input: &Input, marks: &[Mark]) -> MarkedBuild {
        let modules = espalier_frontend::with_marks(input, marks).map_err(|error| error.to_string());
        MarkedBuild { build: modules.and_then(|modules| Build::of_modules(&modules, &input.cc_args)) }
    }

    /// Does the test lead to the place with this mark?
    pub(crate) fn confirm(&self, test: &Path, mark: usize) -> Confirmation {
        let ran = self.build.as_ref().map_err(String::clone).and_then(|build| {
            build.run(test, |command| {
                command.env("ESPALIER_MARK", mark.to_string());
            })
        });
        match ran {
            Ok(None) => Confirmation::NotConfirmed(format!("the native run did not end within {} s", LIMIT.as_secs())),
            Ok(Some(status)) if status.code() == Some(REACHED) => {
                Confirmation::Confirmed("the native run comes there".into())
            }
            Ok(Some(_)) => Confirmation::NotConfirmed("the native run does not come there".into()),
            Err(why) => Confirmation::NotTried(why),
        }
    }
}

/// A program that was compiled with the replay library.
struct Build {
    /// Where it is, until this is dropped.
    _dir: TempDir,
    binary: PathBuf,
}

impl Build {
    fn new(files: &[PathBuf], cc_args: &[String], compiler: &[&str]) -> Result<Build, String> {
        let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
        let library = dir.path().join("replay/replay.c");
        write(&library, REPLAY.as_bytes())?;
        write(&dir.path().join("include/klee/klee.h"), HEADER.as_bytes())?;
        let binary = dir.path().join("program");
        compile(compiler, files, cc_args, &library, &dir.path().join("include"), &binary)?;
        Ok(Build { _dir: dir, binary })
    }

    fn of_modules(modules: &[Vec<u8>], cc_args: &[String]) -> Result<Build, String> {
        let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
        let mut files = Vec::new();
        for (number, bitcode) in modules.iter().enumerate() {
            let path = dir.path().join(format!("module{number}.bc"));
            write(&path, bitcode)?;
            files.push(path);
        }
        Build::new(&files, cc_args, &["clang-19"])
    }

    /// Runs the program on a test; `None` if it took too long.
    fn run(&self, test: &Path, prepare: impl FnOnce(&mut Command)) -> Result<Option<ExitStatus>, String> {
        let options = format!("exitcode={REPORTED}:detect_leaks=0:detect_stack_use_after_return=1");
        let mut command = Command::new(&self.binary);
        command.env("KTEST_FILE", test).env("ASAN_OPTIONS", &options).env("UBSAN_OPTIONS", &options);
        prepare(&mut command);
        run(&mut command, LIMIT)
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    made.and_then(|()| std::fs::write(path, bytes)).map_err(|error| format!("{}: {error}", path.display()))
}

fn compile(
    compiler: &[&str],
    files: &[PathBuf],
    cc_args: &[String],
    library: &Path,
    include: &Path,
    binary: &Path,
) -> Result<(), String> {
    let is_bitcode = |path: &PathBuf| path.extension().is_some_and(|ext| ext == "bc" || ext == "ll");
    let (&name, flags) = compiler.split_first().ok_or("no compiler")?;
    if name == "gcc" && files.iter().any(is_bitcode) {
        return Err("gcc does not read bitcode".into());
    }
    let mut command = Command::new(name);
    command.args(flags).args(["-O0", "-g", "-w"]).arg("-I").arg(include).args(cc_args);
    command.args(files).arg(library).arg("-o").arg(binary).arg("-lm");
    match run(&mut command, COMPILE_LIMIT) {
        Ok(Some(status)) if status.success() => Ok(()),
        _ => Err(format!("{name} does not accept the program")),
    }
}

/// Runs a command quietly; `None` if it took too long.
fn run(command: &mut Command, limit: Duration) -> Result<Option<ExitStatus>, String> {
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

fn signal(status: &ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(status)
}
