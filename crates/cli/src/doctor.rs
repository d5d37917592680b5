//! `espalier doctor`: does everything work here that Espalier makes use of? Each thing is tried,
//! not only looked for: programs are compiled and executed, their tests replayed, the solver asked.
//! What is missing comes with the command that installs it.

use crate::command::{self, table_option};
use crate::run::fail;
use clap::{ArgMatches, Command};
use espalier_base::process::{self, End};
use espalier_engine::{Config, End as PathEnd, EndedPath, Engine, Input, Libc, Observer, ObserverError, exit_code};
use espalier_expr::{SymbolKind, Terms};
use espalier_ir::Program;
use espalier_native::{Build, BuildError, Checks, Limits, Outcome, Run, Tool};
use espalier_report::native_text::{build_text, outcome_text};
use espalier_report::{Event, solver_text};
use espalier_solver::{Answer, Backend, SmtBackend};
use ktest::{KTest, Object};
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Fails for two inputs: by an assertion, and by an access that only a sanitizer notices natively.
/// Two others do what only sanitizers call an error.
const PROGRAM: &str = r#"
#include <assert.h>
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int x, *numbers = calloc(4, sizeof x);
    if (!numbers)
        return 1;
    klee_make_symbolic(&x, sizeof x, "x");
    if (x == 1)
        return numbers[x + 3];
    if (x != 2)
        free(numbers);
    numbers = NULL;
    if (x == 4)
        return x + 2147483647 == 0;
    assert(x != 3);
    puts("hello");
    return 0;
}
"#;

const INDEX: i32 = 1;
const LEAK: i32 = 2;
const ASSERTION: i32 = 3;
const OVERFLOW: i32 = 4;
const HARMLESS: i32 = 0;

const LIMIT: Duration = Duration::from_secs(20);
const EXAMPLES: &str = "Exit codes: 0 what is needed is there, 2 something that is needed is missing or does not work.";

pub(crate) fn command() -> Command {
    Command::new("doctor")
        .about("Try what Espalier needs on this machine, and say how to install what is missing")
        .arg(table_option("solver-command"))
        .arg(table_option("json").help("Print a JSON object a line for each thing that is tried").long_help(None))
        .after_help(EXAMPLES)
}

/// One thing that was tried.
struct Finding {
    name: &'static str,
    /// Without it, nothing works.
    is_needed: bool,
    /// What works, or what does not.
    result: Result<String, Problem>,
    /// What cannot be done without it.
    loss: &'static str,
}

struct Problem {
    what: String,
    /// Debian packages that help, or the command that does.
    packages: &'static str,
}

/// What builds the C library; in the place of packages.
const MAKE_LIBC: &str = "make libc";

/// Tries everything and gives the exit code.
pub(crate) fn doctor(matches: &ArgMatches) -> i32 {
    let findings = match examine(matches) {
        Ok(findings) => findings,
        Err(error) => {
            let why =
                format!("temporary files: {error}; check the space and rights in the directory for them (TMPDIR)");
            return fail(exit_code::INPUT, why);
        }
    };
    let is_healthy = findings.iter().all(|finding| finding.result.is_ok() || !finding.is_needed);
    let is_json = matches.get_flag("json");
    let mut text = String::new();
    for finding in &findings {
        text += &if is_json { finding.json() } else { finding.lines() };
        text.push('\n');
    }
    if !is_json {
        text = format!("Espalier {}\n{text}{}\n", command::version(), conclusion(&findings));
    }
    if std::io::stdout().write_all(text.as_bytes()).is_err() {
        return exit_code::INTERNAL;
    }
    if is_healthy { exit_code::CLEAN } else { exit_code::INPUT }
}

fn examine(matches: &ArgMatches) -> std::io::Result<Vec<Finding>> {
    let solver = matches.get_one::<String>("solver-command").cloned().unwrap_or_default();
    let place = Place::new()?;
    Ok(vec![
        Finding {
            name: "front end",
            is_needed: true,
            result: place.executes(false),
            loss: "C programs cannot be executed",
        },
        Finding {
            name: "32-bit front end",
            is_needed: false,
            result: place.executes(true),
            loss: "programs cannot be executed with -m32",
        },
        Finding {
            name: "SMT solver",
            is_needed: false,
            result: solves(&solver),
            loss: "hard queries and some of floating point stay undecided",
        },
        Finding {
            name: "native replay",
            is_needed: false,
            result: place.replays(false),
            loss: "what is found is not confirmed natively, and `espalier replay` does not work",
        },
        Finding {
            name: "sanitizers",
            is_needed: false,
            result: place.sanitizes(),
            loss: "native runs do not notice most memory errors and overflows",
        },
        Finding {
            name: "leak check",
            is_needed: false,
            result: place.sees_leaks(),
            loss: "leaks are not confirmed natively",
        },
        Finding {
            name: "32-bit replay",
            is_needed: false,
            result: place.replays(true),
            loss: "programs with -m32 are not run natively",
        },
        Finding {
            name: "whole builds",
            is_needed: false,
            result: place.links(),
            loss: "`espalier build` does not work",
        },
        Finding {
            name: "C library",
            is_needed: false,
            result: place.whole_program(),
            loss: "programs have neither files nor symbolic input, and only the functions of a small built-in library",
        },
    ])
}

impl Finding {
    fn state(&self) -> &'static str {
        match (&self.result, self.is_needed) {
            (Ok(_), _) => "ok",
            (Err(_), true) => "MISSING",
            (Err(_), false) => "missing",
        }
    }

    fn lines(&self) -> String {
        let head = format!("{:8} {:17}", self.state(), self.name);
        match &self.result {
            Ok(what) => format!("{head} {what}"),
            Err(problem) => {
                let indent = format!("\n{}", " ".repeat(27));
                let what = problem.what.replace('\n', &indent);
                let install = install(problem.packages);
                format!("{head} {what}{indent}without it, {}{indent}{install}", self.loss)
            }
        }
    }

    fn json(&self) -> String {
        let (is_ok, what, packages) = match &self.result {
            Ok(what) => (true, what, ""),
            Err(problem) => (false, &problem.what, problem.packages),
        };
        Event::Doctor {
            name: self.name,
            needed: self.is_needed,
            ok: is_ok,
            detail: what,
            loss: (!is_ok).then_some(self.loss),
            packages: packages.split_whitespace().collect(),
            install: (!is_ok).then(|| install(packages)),
        }
        .to_json()
    }
}

fn install(packages: &str) -> String {
    if packages == MAKE_LIBC {
        return format!("to build it, in Espalier's sources: {MAKE_LIBC}");
    }
    format!("to install it on Debian or Ubuntu: sudo apt-get install {packages}")
}

fn conclusion(findings: &[Finding]) -> String {
    let missing = |is_needed| findings.iter().filter(|f| f.result.is_err() && f.is_needed == is_needed).count();
    let mut text = match missing(true) {
        0 => String::from("Everything that is needed is there"),
        _ => String::from("Something that is needed is missing"),
    };
    match missing(false) {
        0 => {}
        1 => text += "; one thing that helps is missing",
        count => {
            let _ = write!(text, "; {count} things that help are missing");
        }
    }
    text + "."
}

/// A directory with the program and its tests.
struct Place {
    dir: tempfile::TempDir,
    program: PathBuf,
}

impl Place {
    fn new() -> std::io::Result<Place> {
        let dir = tempfile::Builder::new().prefix("espalier-doctor-").tempdir()?;
        let program = dir.path().join("program.c");
        std::fs::write(&program, PROGRAM)?;
        Ok(Place { dir, program })
    }

    fn input(&self, is_32_bit: bool) -> Input {
        let cc_args = if is_32_bit { vec!["-m32".into()] } else { vec![] };
        Input { files: vec![self.program.clone()], cc_args, ..Input::default() }
    }

    /// Compiles the program and explores it: the access and the assertion fail, with the right
    /// inputs.
    fn executes(&self, is_32_bit: bool) -> Result<String, Problem> {
        let packages = if is_32_bit { "libc6-dev-i386" } else { "clang-19 libc6-dev" };
        let problem = |what: String| Problem { what, packages };
        let clang = espalier_frontend::clang().map_err(|error| problem(error.to_string()))?;
        let loaded = espalier_engine::load(&self.input(is_32_bit)).map_err(|error| problem(error.to_string()))?;
        let engine = Engine::new(Rc::new(loaded.program), loaded.entry, Config::default())
            .map_err(|error| problem(error.to_string()))?;
        let mut errors = Errors::default();
        let outcome = engine.run(&mut errors);
        errors.0.sort();
        let found: Vec<i32> = errors.0;
        if found != [INDEX, ASSERTION] || !outcome.is_complete() {
            let what =
                format!("a program that fails for x = {INDEX} and x = {ASSERTION} was found to fail for {found:?}");
            return Err(problem(what));
        }
        let bits = if is_32_bit { " with -m32" } else { "" };
        Ok(format!("{}{bits} compiles C, and it is executed symbolically", version(&clang)))
    }

    /// A test of the program.
    fn test(&self, x: i32) -> Result<PathBuf, Problem> {
        let path = self.dir.path().join(format!("x{x}.ktest"));
        let objects = vec![Object::new("x", x.to_le_bytes())];
        let test = KTest { args: vec![b"program".to_vec()], objects, ..KTest::default() };
        let written = test.write_file(&path).map_err(|error| Problem { what: error.to_string(), packages: "" });
        written.map(|()| path)
    }

    fn replays(&self, is_32_bit: bool) -> Result<String, Problem> {
        let packages = if is_32_bit { "gcc-multilib" } else { "clang-19 gcc libc6-dev" };
        let build = self.build(is_32_bit, Checks::None, packages)?;
        self.expect(&build, HARMLESS, packages, |outcome| *outcome == Outcome::Exit(0))?;
        self.expect(&build, ASSERTION, packages, |outcome| matches!(outcome, Outcome::Signal(libc::SIGABRT, _)))?;
        let bits = if is_32_bit { " with -m32" } else { "" };
        Ok(format!("tests run on programs compiled by {}{bits}", build_text(&build.name)))
    }

    fn sanitizes(&self) -> Result<String, Problem> {
        let build = self.build(false, Checks::Sanitizers, SANITIZERS)?;
        let reports =
            |tool| move |outcome: &Outcome| matches!(outcome, Outcome::Sanitizer(report) if report.tool == tool);
        self.expect(&build, INDEX, SANITIZERS, reports(Tool::Address))?;
        self.expect(&build, OVERFLOW, SANITIZERS, reports(Tool::Arithmetic))?;
        Ok(format!("{} reports an access out of bounds and an overflow", build_text(&build.name)))
    }

    fn sees_leaks(&self) -> Result<String, Problem> {
        let build = self.build(false, Checks::Sanitizers, SANITIZERS)?;
        let test = self.test(LEAK)?;
        let run = Run { leaks: true, ..Run::new(&test, Limits::time(LIMIT)) };
        match build.run(&run, &|| false) {
            Outcome::Sanitizer(report) if report.tool == Tool::Leak => Ok("LeakSanitizer reports a leak".into()),
            other => {
                let what = format!(
                    "a leak is not reported: {}; LeakSanitizer does not work under a debugger or where ptrace is forbidden",
                    outcome_text(&other)
                );
                Err(Problem { what, packages: SANITIZERS })
            }
        }
    }

    /// Compiles the program in one step, as a build would, and links its bitcode.
    fn links(&self) -> Result<String, Problem> {
        let problem = |what: String| Problem { what, packages: "clang-19 llvm-19 binutils libc6-dev" };
        let program = self.dir.path().join("built");
        let words = ["cc".into(), self.program.clone().into(), "-o".into(), program.clone().into()];
        let settings = espalier_build::Settings {
            command: words.into(),
            store: self.dir.path().join("store"),
            output_dir: None,
            libraries: false,
            clang: espalier_frontend::clang().map_err(|error| problem(error.to_string()))?,
            executable: std::env::current_exe().map_err(|error| problem(error.to_string()))?,
        };
        let report = espalier_build::build(&settings).map_err(|error| problem(error.to_string()))?;
        match (report.failure, report.errors.first(), report.delivered.first()) {
            (Some(failure), ..) => Err(problem(failure)),
            (None, Some(error), _) => Err(problem(error.to_string())),
            (None, None, None) => Err(problem("a program was built, but has no bitcode".into())),
            (None, None, Some(_)) => Ok("a program is built natively and as bitcode".into()),
        }
    }

    /// Is a program linked with the C library and the model of the environment?
    fn whole_program(&self) -> Result<String, Problem> {
        let problem = |what: String| Problem { what, packages: MAKE_LIBC };
        let input = Input { libc: Libc::Musl, ..self.input(false) };
        espalier_engine::load(&input).map_err(|error| problem(error.to_string()))?;
        let path = espalier_frontend::find_libc().unwrap_or_default();
        Ok(format!("a program is linked with {}", path.display()))
    }

    fn build(&self, is_32_bit: bool, checks: Checks, packages: &'static str) -> Result<Build, Problem> {
        Build::new(&self.input(is_32_bit), checks).map_err(|error| Problem { what: brief(&error), packages })
    }

    fn expect(
        &self,
        build: &Build,
        x: i32,
        packages: &'static str,
        is_expected: impl Fn(&Outcome) -> bool,
    ) -> Result<(), Problem> {
        let outcome = build.run(&Run::new(&self.test(x)?, Limits::time(LIMIT)), &|| false);
        if is_expected(&outcome) {
            return Ok(());
        }
        let (compiler, outcome) = (build_text(&build.name), outcome_text(&outcome));
        let what = format!("a program compiled by {compiler} does not do what it should (x = {x}): {outcome}");
        Err(Problem { what, packages })
    }
}

const SANITIZERS: &str = "gcc libc6-dev";

/// Of a compiler's complaints, the first error: the program is ours, and not what is wrong.
fn brief(error: &BuildError) -> String {
    match error {
        BuildError::Refused { compiler, diagnostics } => {
            let first = diagnostics.lines().find(|line| line.contains("error") || line.contains("cannot find"));
            format!(
                "{compiler} does not compile a program: {}",
                first.or(diagnostics.lines().next()).unwrap_or_default()
            )
        }
        other => other.to_string(),
    }
}

/// The inputs of the paths that fail.
#[derive(Default)]
struct Errors(Vec<i32>);

impl Observer for Errors {
    fn path_ended(&mut self, _: &Program, path: &EndedPath<'_>) -> Result<(), ObserverError> {
        if let (PathEnd::Violation(_), Some(test)) = (path.end, path.test) {
            let bytes = test.objects.first().and_then(|(_, bytes)| bytes.as_slice().try_into().ok());
            self.0.push(bytes.map_or(-1, i32::from_le_bytes));
        }
        Ok(())
    }
}

/// Asks the solver for a factor of a number.
fn solves(command: &str) -> Result<String, Problem> {
    let problem = |what: String| Problem { what, packages: "z3" };
    let words: Vec<String> = command.split_whitespace().map(String::from).collect();
    let program = words.first().ok_or_else(|| problem("no solver is named (--solver-command)".into()))?.clone();
    let mut terms = Terms::default();
    let x = terms.scalar_var(SymbolKind::Input, "x", 4);
    let (square, wanted) = (terms.mul(x, x), terms.constant(1_522_756, 32));
    let question = terms.eq(square, wanted);
    let limits = espalier_solver::Limits { deadline: Some(Instant::now() + LIMIT), ..Default::default() };
    match SmtBackend::new(words, 0).check(&mut terms, &[question], &limits) {
        Answer::Sat(_) => Ok(format!("{} answers", version(Path::new(&program).as_os_str()))),
        Answer::Unsat(_) => Err(problem(format!("{program} says that 1522756 is not a square, which it is"))),
        Answer::Unknown(reason) => Err(problem(format!("{program}: {}", solver_text(&reason)))),
    }
}

/// "clang-19 (19.1.7)": a program and the version that it tells.
fn version(program: &std::ffi::OsStr) -> String {
    let name = Path::new(program).file_name().unwrap_or(program).to_string_lossy().into_owned();
    let mut command = std::process::Command::new(program);
    let finished =
        process::capture(command.arg("--version"), std::process::Stdio::null(), &Limits::time(LIMIT), 1 << 16, &|| {
            false
        });
    let text = String::from_utf8_lossy(&finished.stdout);
    let words = || text.split(|c: char| c.is_whitespace() || c == '(' || c == ')');
    let number = words().find(|word| word.contains('.') && word.starts_with(|c: char| c.is_ascii_digit()));
    match (finished.end, number) {
        (End::Exit(0), Some(number)) => format!("{name} ({number})"),
        _ => name,
    }
}
