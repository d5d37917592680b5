//! Compiling a program with the replay library, and running it on a test.
//!
//! What a native run notices depends on how the program was compiled. Debian's gcc brings the
//! sanitizers' run-time libraries, clang has checks that need none, and a build without checks
//! shows the behaviour that undefined behaviour happens to have.

use crate::outcome::{self, Outcome};
use crate::surroundings::{Surroundings, is_executable};
use espalier_base::control::ERROR_FUNCTIONS;
use espalier_base::expected::FileNode;
use espalier_base::old_c;
use espalier_base::process::{self, End, Finished, Limits, Pipes, Stream};
use espalier_frontend::{Input, data_model_args};
use ktest::KTest;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;
use thiserror::Error;

const LIBRARY: &str = include_str!("../../../runtime/replay/replay.c");
const HEADERS: [(&str, &str); 2] = [
    ("klee/klee.h", include_str!("../../../runtime/include/klee/klee.h")),
    ("espalier/alloc_fail.h", include_str!("../../../runtime/include/espalier/alloc_fail.h")),
];

const COMPILE_LIMIT: Duration = Duration::from_secs(60);
/// What is kept of each of a program's output streams: a sanitizer's report comes last.
const KEPT_OUTPUT: usize = 1 << 20;
/// What is kept of their beginnings, which is more than is ever predicted.
const KEPT_START: usize = 256 << 10;
/// Lines of a compiler's complaints that are shown.
const SHOWN_DIAGNOSTICS: usize = 12;

/// What a build looks for at run time.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Checks {
    /// Memory errors, leaks and undefined behaviour, each with a report.
    Sanitizers,
    /// Undefined behaviour, by a trap without a report.
    Traps,
    /// Nothing: as Espalier compiles it.
    None,
    /// Calls of the program's own functions that stand for an error, whatever their bodies do.
    ErrorFunctions,
}

impl Checks {
    /// Compilers with their flags, in the order in which they are tried.
    fn compilers(self) -> Vec<(OsString, &'static [&'static str])> {
        const SANITIZERS: &[&str] =
            &["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"];
        const TRAPS: &[&str] = &["-fsanitize=undefined", "-fsanitize-trap=all"];
        let clang = espalier_frontend::clang().ok();
        let with_clang = |flags| clang.clone().map(|clang| (clang, flags));
        let with_gcc = |flags| Some((OsString::from("gcc"), flags));
        let compilers = match self {
            Checks::Sanitizers => vec![with_gcc(SANITIZERS), with_clang(SANITIZERS)],
            Checks::Traps => vec![with_clang(TRAPS)],
            Checks::None | Checks::ErrorFunctions => vec![with_clang(&[]), with_gcc(&[])],
        };
        compilers.into_iter().flatten().collect()
    }
}

/// Why there is no native build.
#[derive(Clone, Debug, Error)]
pub enum BuildError {
    #[error("no native compiler was found; `espalier doctor` says how to install one")]
    NoCompiler,
    #[error("a function that is run by itself has no native caller")]
    NoCaller,
    #[error(
        "the files have no `main`, so nothing calls the function natively; add one that does, with the test's values"
    )]
    NoMain,
    #[error("an executable is run as it is; give one that was built with sanitizers to replay with them")]
    Executable,
    #[error("bitcode cannot be compiled with sanitizers; give the C sources to replay with them")]
    Bitcode,
    #[error("{compiler} does not compile the program natively:\n{diagnostics}")]
    Refused { compiler: String, diagnostics: String },
    #[error("{compiler} took more than {} s to compile the program", COMPILE_LIMIT.as_secs())]
    TooSlow { compiler: String },
    #[error("temporary files: {0}; check the space and rights in the directory for temporary files (TMPDIR)")]
    Temporary(String),
    #[error("{0}")]
    Marks(String),
    #[error("the program defines no function that stands for an error")]
    NoErrorFunction,
}

/// A program that was compiled with the replay library.
#[derive(Debug)]
pub struct Build {
    /// Where it is, until this is dropped, unless it was built elsewhere.
    dir: Option<TempDir>,
    binary: PathBuf,
    /// Variables that the program needs beside those of the test.
    variables: Variables,
    pub checks: Checks,
    pub name: BuildName,
}

/// How a build was made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BuildName {
    /// Elsewhere: it was given as it is.
    Executable,
    Compiled {
        compiler: String,
        checks: Checks,
    },
}

/// Which variables a program is given beside those of the test. One that lists its variables shows
/// them.
#[derive(Copy, Clone, Debug)]
struct Variables {
    /// What the replay library reads.
    test: bool,
    /// What the sanitizers' libraries read.
    sanitizers: bool,
}

/// What a native run did.
#[derive(Clone, Debug)]
pub struct Observed {
    pub outcome: Outcome,
    /// What was printed, or the first part of it.
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// What was in the run's directory in the end, if it had one of its own, or why that cannot be
    /// read.
    pub files: Option<Result<Vec<FileNode>, String>>,
}

impl From<Outcome> for Observed {
    fn from(outcome: Outcome) -> Observed {
        Observed { outcome, stdout: Vec::new(), stderr: Vec::new(), files: None }
    }
}

/// How to run a build on a test.
#[derive(Clone, Debug)]
pub struct Run<'a> {
    pub test: &'a Path,
    /// Arguments for the program, instead of those that the test has.
    pub args: Option<&'a [String]>,
    pub limits: Limits,
    /// Look for leaks too; needs sanitizers.
    pub leaks: bool,
    /// End at the place with this mark.
    pub mark: Option<usize>,
    /// Run it in a fresh directory, even if the test has no files.
    pub in_fresh_directory: bool,
}

impl<'a> Run<'a> {
    pub fn new(test: &'a Path, limits: Limits) -> Run<'a> {
        Run { test, args: None, limits, leaks: false, mark: None, in_fresh_directory: false }
    }
}

impl Build {
    /// Compiles with the first compiler that can.
    pub fn new(input: &Input, checks: Checks) -> Result<Build, BuildError> {
        if input.entry != "main" {
            return Err(BuildError::NoCaller);
        }
        if checks == Checks::ErrorFunctions {
            return Build::with_marked_error_functions(input);
        }
        if let [file] = &input.files[..]
            && is_executable(file)
        {
            return Build::executable(file, checks);
        }
        let is_bitcode = |path: &PathBuf| path.extension().is_some_and(|ext| ext == "bc" || ext == "ll");
        let has_bitcode = input.files.iter().any(is_bitcode);
        if has_bitcode && checks != Checks::None {
            return Err(BuildError::Bitcode);
        }
        if has_bitcode && input.failing_sites.is_some() {
            let modules = espalier_frontend::with_failing_allocations(input);
            let modules = modules.map_err(|error| BuildError::Marks(error.to_string()))?;
            return Build::of_bitcode(&modules, &Input { failing_sites: None, ..input.clone() });
        }
        // The first compiler's complaint is the one to tell of: it is the one that should have
        // worked.
        let mut first_error = None;
        for (compiler, flags) in checks.compilers() {
            if has_bitcode && compiler == "gcc" {
                continue;
            }
            match Build::in_its_dialect(&compiler, flags, input, checks) {
                Err(BuildError::NoCompiler) => {}
                Err(error @ BuildError::Temporary(_)) => return Err(error),
                Err(error) => first_error = first_error.or(Some(error)),
                Ok(build) => return Ok(build),
            }
        }
        Err(first_error.unwrap_or(BuildError::NoCompiler))
    }

    /// Compiles modules in bitcode, without checks.
    pub fn of_bitcode(modules: &[Vec<u8>], input: &Input) -> Result<Build, BuildError> {
        let dir = tempfile::tempdir().map_err(temporary)?;
        let mut files = Vec::new();
        for (number, bitcode) in modules.iter().enumerate() {
            let path = dir.path().join(format!("module{number}.bc"));
            write(&path, bitcode)?;
            files.push(path);
        }
        Build::new(&Input { files, ..input.clone() }, Checks::None)
    }

    fn with_marked_error_functions(input: &Input) -> Result<Build, BuildError> {
        let marked = espalier_frontend::with_marked_functions(input, &ERROR_FUNCTIONS);
        let modules = marked.map_err(|error| BuildError::Marks(error.to_string()))?;
        let mut build = Build::of_bitcode(&modules.ok_or(BuildError::NoErrorFunction)?, input)?;
        build.mark_as(Checks::ErrorFunctions);
        Ok(build)
    }

    /// What it was made for is more than the compiler was told.
    fn mark_as(&mut self, as_built: Checks) {
        self.checks = as_built;
        if let BuildName::Compiled { checks, .. } = &mut self.name {
            *checks = as_built;
        }
    }

    /// A program that was built elsewhere, as it is.
    fn executable(file: &Path, checks: Checks) -> Result<Build, BuildError> {
        if checks != Checks::None {
            return Err(BuildError::Executable);
        }
        let binary = std::path::absolute(file).map_err(temporary)?;
        let content = std::fs::read(&binary).map_err(temporary)?;
        let has = |text: &[u8]| content.windows(text.len()).any(|window| window == text);
        let variables =
            Variables { test: has(b"KTEST_FILE"), sanitizers: has(b"__asan_init") || has(b"__ubsan_handle") };
        Ok(Build { dir: None, binary, variables, checks, name: BuildName::Executable })
    }

    /// Compiles as the front end does: what is no C of today may be old C.
    fn in_its_dialect(compiler: &OsStr, flags: &[&str], input: &Input, checks: Checks) -> Result<Build, BuildError> {
        let refused = match Build::by(compiler, flags, input, checks) {
            Err(error @ BuildError::Refused { .. }) if old_c::is_dialect_open(&input.cc_args) => error,
            result => return result,
        };
        let mut others = old_c::DIALECTS.iter();
        others
            .find_map(|dialect| Build::by(compiler, &[flags, &[*dialect]].concat(), input, checks).ok())
            .ok_or(refused)
    }

    fn by(compiler: &OsStr, flags: &[&str], input: &Input, checks: Checks) -> Result<Build, BuildError> {
        let dir = tempfile::Builder::new().prefix("espalier-native-").tempdir().map_err(temporary)?;
        let library = dir.path().join("replay/replay.c");
        write(&library, LIBRARY.as_bytes())?;
        for (name, content) in HEADERS {
            write(&dir.path().join("include").join(name), content.as_bytes())?;
        }
        let binary = dir.path().join("program");
        let mut command = Command::new(compiler);
        // What it says is looked at.
        command.env("LC_ALL", "C");
        if compiler != "gcc" {
            command.args(old_c::as_warnings());
        }
        command.args(flags).args(["-O0", "-g", "-w"]).arg("-I").arg(dir.path().join("include"));
        command.args(data_model_args(&input.cc_args)).args(&input.cc_args);
        command.args(&input.files).arg(&library).arg("-o").arg(&binary).arg("-lm");
        let finished =
            process::capture(&mut command, Stdio::null(), &Limits::time(COMPILE_LIMIT), KEPT_OUTPUT, &|| false);
        let name = Path::new(compiler).file_name().unwrap_or(compiler).to_string_lossy().into_owned();
        match finished.end {
            End::Exit(0) => {
                let variables = Variables { test: true, sanitizers: checks == Checks::Sanitizers };
                let name = BuildName::Compiled { compiler: name, checks };
                Ok(Build { dir: Some(dir), binary, variables, checks, name })
            }
            End::NotStarted(_) => Err(BuildError::NoCompiler),
            End::TimeLimit => Err(BuildError::TooSlow { compiler: name }),
            _ if String::from_utf8_lossy(&finished.stderr).contains("undefined reference to `main'") => {
                Err(BuildError::NoMain)
            }
            _ => {
                let mut diagnostics = diagnostics(&finished);
                if input.cc_args.iter().any(|arg| arg == "-m32") {
                    diagnostics +=
                        "\n32-bit programs need 32-bit libraries: `espalier doctor` says how to install them";
                }
                Err(BuildError::Refused { compiler: name, diagnostics })
            }
        }
    }

    pub(crate) fn is_from_elsewhere(&self) -> bool {
        self.dir.is_none()
    }

    /// Runs the program on a test, in the current directory, until it ends or `stop` says so.
    pub fn run(&self, run: &Run<'_>, stop: &dyn Fn() -> bool) -> Outcome {
        self.observe(run, stop).outcome
    }

    /// The same, with what it printed and the files that it left.
    pub fn observe(&self, run: &Run<'_>, stop: &dyn Fn() -> bool) -> Observed {
        let test = match KTest::read_file(run.test) {
            Ok(test) => test,
            Err(error) => return Outcome::Unreadable(error.to_string()).into(),
        };
        let surroundings = match run.args {
            Some(_) => Ok(None),
            None => Surroundings::of(&self.binary, &test, run.in_fresh_directory),
        };
        let surroundings = match surroundings {
            Ok(surroundings) => surroundings,
            Err(why) => return Outcome::NotStarted(why).into(),
        };
        let program = surroundings.as_ref().and_then(Surroundings::program).unwrap_or(&self.binary);
        let mut command = Command::new(program);
        let mut args = test.args.iter().map(|arg| OsStr::from_bytes(arg));
        if let Some(name) = args.next() {
            command.arg0(name);
        }
        let (mut input, mut file) = (Stdio::null(), std::path::absolute(run.test).unwrap_or(run.test.to_owned()));
        match (run.args, &surroundings) {
            (Some(given), _) => {
                command.args(given);
            }
            (None, None) => {
                command.args(args);
            }
            (None, Some(surroundings)) => {
                let rest = surroundings.rest_of(&test);
                let applied = surroundings.apply(&mut command).map_err(|error| error.to_string());
                match (rest, applied) {
                    (Ok(rest), Ok(pipe)) => (input, file) = (pipe, rest),
                    (Err(why), _) | (_, Err(why)) => return Outcome::NotStarted(why).into(),
                }
            }
        }
        let options = format!(
            "exitcode={}:detect_leaks={}:detect_stack_use_after_return=1:allocator_may_return_null=1",
            outcome::REPORTED,
            u8::from(run.leaks)
        );
        if self.variables.test {
            command.env("KTEST_FILE", &file);
        }
        if self.variables.sanitizers {
            command.env("ASAN_OPTIONS", &options).env("UBSAN_OPTIONS", &options);
        }
        match run.mark {
            Some(mark) => command.env("ESPALIER_MARK", mark.to_string()),
            None => command.env_remove("ESPALIER_MARK"),
        };
        let (mut stdout, mut stderr) = (Kept::default(), Kept::default());
        let mut hear = |stream, bytes: &[u8]| match stream {
            Stream::Output => stdout.add(bytes),
            Stream::Error => stderr.add(bytes),
        };
        let ended = process::run(command.stdin(input), Pipes::Separate, &run.limits, stop, &mut hear);
        let outcome = Outcome::of(&ended.end, &stderr.end);
        let files = surroundings.map(|surroundings| surroundings.files());
        Observed { outcome, stdout: stdout.start, stderr: stderr.start, files }
    }
}

/// The first and the last part of what is printed.
#[derive(Default)]
struct Kept {
    start: Vec<u8>,
    end: Vec<u8>,
}

impl Kept {
    fn add(&mut self, bytes: &[u8]) {
        self.start.extend_from_slice(&bytes[..bytes.len().min(KEPT_START.saturating_sub(self.start.len()))]);
        self.end.extend_from_slice(bytes);
        // Rarely, so that a long output is not moved for each of its parts.
        if self.end.len() > 2 * KEPT_OUTPUT {
            self.end.drain(..self.end.len() - KEPT_OUTPUT);
        }
    }
}

fn temporary(error: std::io::Error) -> BuildError {
    BuildError::Temporary(error.to_string())
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), BuildError> {
    let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    made.and_then(|()| std::fs::write(path, bytes)).map_err(temporary)
}

fn diagnostics(finished: &Finished) -> String {
    let text = String::from_utf8_lossy(&finished.stderr);
    let mut lines: Vec<&str> = text.lines().take(SHOWN_DIAGNOSTICS).collect();
    if text.lines().count() > SHOWN_DIAGNOSTICS {
        lines.push("...");
    }
    lines.join("\n")
}
