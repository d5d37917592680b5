//! Observes a run: numbers and writes the tests, prints errors as they are found, and sums up at
//! the end.

use crate::approximation_text::approximation_text;
use crate::background::Background;
use crate::console::Console;
use crate::coverage::{self, CoverageFile};
use crate::cut_text;
use crate::error_file;
use crate::expected_text::expected_text;
use crate::fault_text::message_text;
use crate::info::Info;
use crate::istats;
use crate::json::{self, Event};
use crate::klee::{self, Klee, Told};
use crate::last_words::{LastWords, SharedTold};
use crate::path_condition;
use crate::place::Place;
use crate::plural::grouped_plural;
use crate::progress::Display;
use crate::run_stats::RunStats;
use crate::rundir::{Log, OutputError, RunDir, RunDirNames};
use crate::snippet::{self, Shown, Sources};
use crate::solver_text::solver_text;
use crate::stats;
use crate::style::Style;
use crate::summary::{Found, Summary};
use crate::testcomp::{TestCompTask, TestSuite};
use espalier_base::{expected, format_count};
use espalier_engine::{
    Approximation, Cut, CutKind, End, EndedPath, Message, Observer, ObserverError, Outcome, Progress, RecalledCounts,
    Restored, Stop, TestCase, Violation, ViolationKind, doubt, path_condition_in_c,
};
use espalier_ir::{Loc, Program};
use ktest::{KTest, Object};
use rustc_hash::FxHashSet;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// What a C library keeps back before it writes to a pipe or file.
const OUTPUT_BUFFER: usize = 4096;

const BETWEEN_PROGRESS_EVENTS: Duration = Duration::from_secs(1);

/// How a run is reported.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where to write; the next `espalier-out-N` if not given.
    pub output_dir: Option<PathBuf>,
    /// Is the directory that of an earlier run, which this one goes on with?
    pub goes_on: bool,
    pub json: bool,
    /// Print where the time went.
    pub stats: bool,
    /// The command line, for the record.
    pub command: Vec<String>,
    /// "Espalier 0.1.0 (LLVM 19.1.7)".
    pub version: String,
    /// `argv` of the program under test, for the tests.
    pub program_args: Vec<String>,
    /// What to do for a run that goes on after its first error: "run without --exit-on-error".
    pub to_go_on: &'static str,
    /// Also write tests in Test-Comp's format.
    pub test_comp: Option<TestCompTask>,
    /// Where to write coverage, if anywhere.
    pub coverage: Option<CoverageFile>,
    pub path_files: PathFiles,
    /// How often a row is added to `run.stats`; without it there is none.
    pub stats_interval: Option<Duration>,
    /// Speak as KLEE does.
    pub klee: Option<Klee>,
    /// Files for the run's directory, with their names.
    pub files: Vec<(&'static str, Vec<u8>)>,
}

/// Which files a path gets.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct PathFiles {
    /// Tests, and files about errors and paths that were cut.
    pub tests: bool,
    /// The path condition as SMT-LIB 2.
    pub smt2: bool,
    /// The path condition in KQuery.
    pub kquery: bool,
}

/// A place that was asked about, and a path that comes there.
pub struct Reached {
    pub target: u32,
    pub test: PathBuf,
    /// Why the program may not be able to follow the path.
    pub doubt: Option<Approximation>,
}

/// An error that was found.
pub struct FoundError {
    pub violation: Violation,
    /// The file of its test, if it has one.
    pub test: Option<PathBuf>,
    /// Why the program may not be able to follow the path.
    pub doubt: Option<Approximation>,
    /// What the path requires of its inputs, in C.
    pub precondition: Option<String>,
    /// The targets that want it.
    pub targets: Vec<u32>,
}

/// Runs the program natively on a test: does it come to the error or the place?
pub type Confirm = Box<dyn Fn(&Path, ViolationKind) -> bool>;

/// Writes down what a run finds.
pub struct Reporter {
    dir: RunDir,
    /// Writes tests of paths that just ended: nobody waits for them.
    background: Background,
    /// What people read.
    text: Console,
    /// What other tools read.
    events: Option<Console>,
    messages: Log,
    warnings: Log,
    info: Info,
    klee: Option<Klee>,
    path_files: PathFiles,
    run_stats: Option<RunStats>,
    /// What went wrong with `run.stats` and was not told yet.
    stats_error: Option<OutputError>,
    program_args: Vec<Vec<u8>>,
    with_stats: bool,
    to_go_on: &'static str,
    progress: Display,
    last_progress_event: Duration,
    sources: Sources,
    told: SharedTold,
    first_error: Option<(Violation, TestCase, String)>,
    errors: Vec<FoundError>,
    confirm: Option<Confirm>,
    /// The error or place that was told of last.
    last_found: Option<(Violation, TestCase, String)>,
    /// The latest error file, for KLEE's last words.
    last_error: String,
    /// What the program printed and nobody has seen.
    buffered: Vec<u8>,
    /// Places that could not be gone past and were told of, in KLEE's words.
    told_cuts: FxHashSet<(Loc, String)>,
    test_suite: Option<TestSuite>,
    coverage: Option<CoverageFile>,
    /// Numbers given to ended paths.
    numbers: u64,
}

impl Reporter {
    /// Sets up the run directory.
    pub fn new(settings: Settings) -> Result<Reporter, OutputError> {
        let dir = match &settings.output_dir {
            Some(path) if settings.goes_on => RunDir::of_earlier_run(path)?,
            Some(path) => RunDir::named(path)?,
            None => RunDir::next_in(Path::new(""), RunDirNames::ESPALIER)?,
        };
        if let Some(CoverageFile::At(path)) = &settings.coverage {
            // A place that cannot be written to is found out before the run, not after it.
            write_file(path, b"")?;
        }
        let klee = settings.klee;
        let started = SystemTime::now();
        let info = Info { command: settings.command, version: settings.version, started, is_klee: klee.is_some() };
        dir.write("info", info.render(None).as_bytes())?;
        for (name, content) in &settings.files {
            dir.write(name, content)?;
        }
        let numbers = if settings.goes_on { dir.last_test()? } else { 0 };
        let mut reporter = Reporter {
            messages: dir.log("messages.txt")?,
            warnings: dir.log("warnings.txt")?,
            run_stats: settings.stats_interval.map(|interval| RunStats::create(dir.path(), interval)).transpose()?,
            stats_error: None,
            klee,
            path_files: settings.path_files,
            dir,
            background: Background::default(),
            text: if settings.json || klee.is_some() { Console::stderr() } else { Console::stdout() },
            events: settings.json.then(Console::stdout),
            info,
            program_args: settings.program_args.into_iter().map(String::into_bytes).collect(),
            with_stats: settings.stats,
            to_go_on: settings.to_go_on,
            progress: Display::default(),
            last_progress_event: Duration::ZERO,
            sources: Sources::default(),
            told: SharedTold::default(),
            first_error: None,
            errors: Vec::new(),
            confirm: None,
            last_found: None,
            coverage: settings.coverage,
            last_error: String::new(),
            buffered: Vec::new(),
            told_cuts: FxHashSet::default(),
            test_suite: settings.test_comp.as_ref().map(TestSuite::new).transpose()?,
            numbers,
        };
        let started = Event::RunStarted {
            version: &reporter.info.version,
            command: &reporter.info.command,
            output_dir: reporter.dir.path().display().to_string(),
        };
        let line = started.to_line();
        reporter.print_event(&line)?;
        if klee.is_some() {
            let path = std::path::absolute(reporter.dir.path()).unwrap_or_else(|_| reporter.dir.path().to_owned());
            reporter.say(&format!("output directory is \"{}\"", path.display()))?;
        }
        Ok(reporter)
    }

    /// Says something in KLEE's voice.
    fn say(&mut self, text: &str) -> Result<(), OutputError> {
        let line = format!("KLEE: {text}\n");
        self.messages.append(&line)?;
        self.print_text(&line)
    }

    /// Tells KLEE's users of something that is neither an error nor a warning.
    pub fn note(&mut self, text: &str) -> Result<(), OutputError> {
        self.say(text)
    }

    /// Tells the user of something that is not an error of the program.
    pub fn warn(&mut self, text: &str) -> Result<(), OutputError> {
        if self.events.is_some() {
            self.print_event(&Event::Warning { text }.to_line())?;
        }
        if let Some(klee) = self.klee {
            return self.warn_as_klee(klee, &format!("KLEE: WARNING: {text}\n"));
        }
        self.warnings.append(&format!("{text}\n"))?;
        let style = Style::for_stream(&io::stderr());
        let line = format!("{}: {text}\n", style.warning("warning"));
        self.progress.suspend(|| Console::stderr().write(line.as_bytes()))
    }

    /// The same in KLEE's words for what is told once.
    fn warn_once(&mut self, text: &str) -> Result<(), OutputError> {
        match self.klee {
            Some(klee) => self.warn_as_klee(klee, &format!("KLEE: WARNING ONCE: {text}\n")),
            None => self.warn(text),
        }
    }

    fn warn_as_klee(&mut self, klee: Klee, line: &str) -> Result<(), OutputError> {
        self.warnings.append(line)?;
        if klee.warns_to_file_only { Ok(()) } else { self.print_text(line) }
    }

    /// Where everything is written.
    pub fn directory(&self) -> &Path {
        self.dir.path()
    }

    /// The run goes on with a tree that was recorded, in which these errors were found.
    pub fn goes_on(
        &mut self,
        program: &Program,
        restored: &Restored,
        errors: &[(ViolationKind, Loc)],
    ) -> Result<(), OutputError> {
        let before = errors.iter().map(|&(kind, loc)| Found {
            kind: kind.name(),
            place: Place::new(program, loc),
            test: "found before".to_owned(),
        });
        self.told.lock().found.extend(before);
        let Restored { records, unfinished, damaged, reopened, learnt, selected } = *restored;
        if self.events.is_some() {
            let event = Event::Resumed { nodes: records, unfinished, reopened, selected, damaged, learnt };
            self.print_event(&event.to_line())?;
        }
        let mut line = format!(
            "Resumed: {} recorded, {} unfinished",
            grouped_plural(records, "node"),
            grouped_plural(unfinished, "path")
        );
        if reopened > 0 {
            let _ = write!(line, " ({} had been cut by limits)", format_count(reopened));
        }
        if let Some(selected) = selected {
            let _ = write!(line, ", {} selected", format_count(selected));
        }
        if learnt > 0 {
            let _ = write!(line, ", {}", grouped_plural(learnt, "interpolant"));
        }
        self.print_text(&format!("{line}\n"))?;
        if damaged > 0 {
            let batches = grouped_plural(damaged, "batch of records");
            self.warn(&format!("{batches} damaged: what was in it is explored again, and counted twice"))?;
        }
        Ok(())
    }

    /// The run cannot go on with a tree that was recorded, because of these changes. That one is
    /// elsewhere now, and what it answered is known, if it could be executed again.
    pub fn explores_anew(
        &mut self,
        changes: &[String],
        recalled: Option<RecalledCounts>,
        before: &str,
    ) -> Result<(), OutputError> {
        let RecalledCounts { answers, nodes, diverged, is_partial } = recalled.unwrap_or_default();
        if self.events.is_some() {
            let event = Event::Recalled { changes, before, nodes, answers, diverged, is_partial };
            self.print_event(&event.to_line())?;
        }
        let changes = changes.join("; ");
        let known = match recalled {
            Some(_) => format!("{} known, of {}", grouped_plural(answers, "answer"), grouped_plural(nodes, "node")),
            None => "nothing of it is used".to_owned(),
        };
        self.print_text(&format!("Explored anew: {changes}. The tree before: {before}, {known}.\n"))?;
        if is_partial {
            self.warn("the tree before was not executed to its end: there was no time or memory left for that")?;
        }
        if diverged > 0 {
            let nodes = grouped_plural(diverged, "node");
            self.warn(&format!("{nodes} of the tree before did not come out as recorded, and are not used"))?;
        }
        Ok(())
    }

    /// What can be doubted is confirmed natively as soon as it is found.
    pub fn confirm_with(&mut self, confirm: Confirm) {
        self.confirm = Some(confirm);
    }

    /// The file of the first error's test, if there is one.
    pub fn error_test(&self) -> Option<PathBuf> {
        let (_, _, name) = self.first_error.as_ref()?;
        self.test_file(name)
    }

    fn test_file(&self, name: &str) -> Option<PathBuf> {
        let path = self.dir.path().join(format!("{name}.ktest"));
        path.exists().then_some(path)
    }

    /// The first error that has a test, and the test; one that is confirmed or beyond doubt, if
    /// there is any.
    pub fn first_error(&self) -> Option<(&Violation, &TestCase)> {
        self.first_error.as_ref().map(|(violation, test, _)| (violation, test))
    }

    /// All errors that were told of, as they came.
    pub fn take_errors(&mut self) -> Vec<FoundError> {
        std::mem::take(&mut self.errors)
    }

    /// The targets that were reached, with their tests, and why the program may not come there.
    pub fn reached(&self) -> Vec<Reached> {
        self.told.lock().reached_in(&self.dir)
    }

    /// For another thread that may have to sum up while this one is busy.
    pub fn last_words(&self) -> LastWords {
        LastWords {
            dir: self.dir.clone(),
            told: self.told.clone(),
            waiting: self.background.waiting(),
            is_json: self.events.is_some(),
            klee: self.klee,
            info: self.info.clone(),
            to_go_on: self.to_go_on,
        }
    }

    /// Sums up the run.
    pub fn finish(mut self, program: &Program, outcome: &Outcome) -> Result<(), OutputError> {
        self.progress.finish();
        let written = self.background.finish();
        let stats = match (self.run_stats.take(), self.stats_error.take()) {
            (_, Some(error)) => Err(error),
            (Some(stats), None) => stats.finish(outcome),
            (None, None) => Ok(()),
        };
        if self.klee.is_some() {
            return self.finish_as_klee(program, outcome).and(stats).and(written);
        }
        let directory = self.dir.path().display().to_string();
        let told = self.told.clone();
        let told_so_far = told.lock();
        let tests = told_so_far.tests;
        let mut summary = Summary {
            program,
            outcome,
            found: &told_so_far.found,
            tests,
            directory: &directory,
            to_go_on: self.to_go_on,
            with_times: true,
        };
        let mut text = summary.render(self.text.style);
        if self.with_stats {
            text += &stats::render(outcome);
        }
        summary.directory = "this directory";
        summary.with_times = false;
        let message = summary.render(Style::Plain);
        // What can still be told is told, even if the disk is full.
        let printed = self.text.write(text.as_bytes());
        let finished = json::finished(program, outcome, tests).to_line();
        let sent = self.print_event(&finished);
        self.messages.append(&message)?;
        self.write_coverage(program, outcome)?;
        self.dir.write("info", self.info.render(Some((outcome, tests))).as_bytes())?;
        printed.and(sent).and(stats).and(written)
    }

    fn finish_as_klee(mut self, program: &Program, outcome: &Outcome) -> Result<(), OutputError> {
        if self.klee.is_some_and(|klee| klee.profiles) {
            let text = istats::text(program, outcome, &self.info.command);
            self.dir.write("run.istats", text.as_bytes())?;
        }
        for group in outcome.cuts.iter().filter(|group| group.kind == CutKind::Limit) {
            let (paths, reason) = (grouped_plural(group.paths, "path"), cut_text::text(&group.reason));
            self.warn(&format!("{paths} cut short: {reason}"))?;
        }
        for group in &outcome.approximations {
            let (paths, reason) = (group.paths, approximation_text(&group.approximation));
            self.warn(&format!("{paths} paths stand for more or fewer inputs than they should: {reason}"))?;
        }
        if outcome.missing_tests > 0 {
            self.warn(&format!("unable to get symbolic solution, losing {} test cases", outcome.missing_tests))?;
        }
        let tests = self.told.lock().tests;
        self.dir.write("info", self.info.render(Some((outcome, tests))).as_bytes())?;
        if outcome.stop == Some(Stop::FirstError) {
            let text = format!("ERROR: EXITING ON ERROR:\n{}", self.last_error);
            self.say(&text)?;
            return self.print_buffered(0);
        }
        let text = klee::closing(outcome, tests);
        self.print_text(&text)?;
        self.print_buffered(0)
    }

    /// Prints what the program printed, if it is more than so much.
    fn print_buffered(&mut self, most: usize) -> Result<(), OutputError> {
        if self.buffered.len() <= most {
            return Ok(());
        }
        let bytes = std::mem::take(&mut self.buffered);
        self.progress.suspend(|| Console::stdout().write(&bytes))
    }

    fn write_coverage(&self, program: &Program, outcome: &Outcome) -> Result<(), OutputError> {
        let Some(file) = &self.coverage else { return Ok(()) };
        let text = coverage::tracefile(program, outcome).to_string();
        match file {
            CoverageFile::InRunDir => self.dir.write("coverage.info", text.as_bytes()),
            CoverageFile::At(path) => write_file(path, text.as_bytes()),
        }
    }

    fn print_text(&mut self, text: &str) -> Result<(), OutputError> {
        self.progress.suspend(|| self.text.write(text.as_bytes()))
    }

    fn print_event(&mut self, line: &str) -> Result<(), OutputError> {
        match &mut self.events {
            Some(events) => self.progress.suspend(|| events.write(line.as_bytes())),
            None => Ok(()),
        }
    }

    fn next_name(&mut self) -> String {
        self.numbers += 1;
        format!("test{:06}", self.numbers)
    }

    fn write_test(
        &mut self,
        program: &Program,
        name: &str,
        path: &EndedPath<'_>,
        test: &TestCase,
    ) -> Result<(), ObserverError> {
        if !self.path_files.tests {
            return Ok(());
        }
        let objects = test.objects.iter().map(|(name, bytes)| Object::new(name.as_str(), bytes.as_slice())).collect();
        let ktest = KTest { args: self.program_args.clone(), objects, ..KTest::default() };
        // The test comes last: what is beside it is there then.
        let expected =
            expected_text(program, test).map(|text| (format!("{name}.{}", expected::EXTENSION), text.into_bytes()));
        for (file, content) in expected.into_iter().chain([(format!("{name}.ktest"), ktest.to_bytes()?)]) {
            match path.end {
                End::Exit(_) if self.events.is_none() => self.background.write(&self.dir, file, content)?,
                _ => self.dir.write(&file, &content)?,
            }
        }
        self.told.lock().tests += 1;
        if self.path_files.smt2 {
            self.dir.write(
                &format!("{name}.smt2"),
                path_condition::smtlib(path.terms, &path.condition.to_vec()).as_bytes(),
            )?;
        }
        // KLEE writes it for errors in any case.
        if self.path_files.kquery || self.klee.is_some() && matches!(path.end, End::Violation(_)) {
            let text = path_condition::kquery_text(path.terms, &path.condition.to_vec());
            self.dir.write(&format!("{name}.kquery"), text.as_bytes())?;
        }
        if let Some(suite) = &mut self.test_suite {
            suite.add(name, test, matches!(path.end, End::Violation(_)))?;
        }
        if self.events.is_some() {
            self.print_event(&json::test(name, path.end, test, path.depth, path.instructions).to_line())?;
        }
        Ok(())
    }

    fn exit(&mut self, program: &Program, path: &EndedPath<'_>) -> Result<(), ObserverError> {
        match path.test {
            Some(test) => {
                let name = self.next_name();
                self.write_test(program, &name, path, test)
            }
            None => Ok(()),
        }
    }

    fn reach(&mut self, program: &Program, path: &EndedPath<'_>, violation: &Violation) -> Result<(), ObserverError> {
        let ViolationKind::Target(target) = violation.kind() else { return Ok(()) };
        if path.is_known_error && path.test.is_none() {
            return Ok(());
        }
        let name = self.next_name();
        if let Some(test) = path.test {
            self.write_test(program, &name, path, test)?;
        }
        self.last_found = path.test.map(|test| (violation.clone(), test.clone(), name.clone()));
        if self.events.is_some() {
            let no_test = path.no_test.as_ref().map(solver_text);
            let event = json::reached(program, &name, violation, path.test, no_test.as_deref());
            self.print_event(&event.to_line())?;
        }
        let doubt = doubt(path.approximations).cloned();
        self.told.lock().reached.push((target, name, doubt));
        Ok(())
    }

    fn error(&mut self, program: &Program, path: &EndedPath<'_>, violation: &Violation) -> Result<(), ObserverError> {
        if path.is_known_error && path.test.is_none() {
            return Ok(());
        }
        let name = self.next_name();
        if let Some(test) = path.test {
            self.write_test(program, &name, path, test)?;
        }
        self.last_found = path.test.map(|test| (violation.clone(), test.clone(), name.clone()));
        let known = self.first_error.as_ref().map(|(_, test, _)| test);
        if let Some(test) = path.test
            && known.is_none_or(|known| known.is_doubtful() && !test.is_doubtful())
        {
            self.first_error = Some((violation.clone(), test.clone(), name.clone()));
        }
        let kind = self.klee.map_or_else(|| violation.kind().name().to_owned(), |_| klee::kind(&violation.fault));
        let error_file = format!("{name}.{kind}.err");
        let klee_message = self.klee.map(|_| klee::error(program, &violation.fault));
        let text = error_file::error(program, violation, klee_message.as_deref(), path.test);
        if self.path_files.tests {
            self.dir.write(&error_file, text.as_bytes())?;
        }
        self.last_error = text;
        let doubt = doubt(path.approximations).cloned();
        let reached = path.targets.iter().map(|&target| (target, name.clone(), doubt.clone()));
        self.told.lock().reached.extend(reached);
        self.errors.push(FoundError {
            violation: violation.clone(),
            test: self.test_file(&name),
            doubt,
            precondition: path_condition_in_c(path.terms, path.condition.iter()),
            targets: path.targets.to_vec(),
        });
        self.told.lock().found.push(Found {
            kind: violation.kind().name(),
            place: Place::new(program, violation.loc),
            test: name.clone(),
        });
        let no_test = path.no_test.as_ref().map(solver_text);
        let no_test = no_test.as_deref();
        if self.events.is_some() {
            let event = json::error(program, &name, error_file, violation, path.test, no_test);
            self.print_event(&event.to_line())?;
        }
        if let (Some(klee), Some(message)) = (self.klee, klee_message) {
            let place = Place::new(program, violation.loc);
            self.say(&format!("ERROR: {}", klee::located(place.as_ref(), &message)))?;
            if !klee.emits_all_errors {
                self.say("NOTE: now ignoring this error at this location")?;
            }
            return Ok(());
        }
        let file = format!("{name}.ktest");
        let mut shown = Shown { program, violation, test: path.test, no_test, file: &file };
        let message = snippet::render(&shown, &mut self.sources, Style::Plain);
        self.messages.append(&message)?;
        let file = self.dir.path().join(&file).display().to_string();
        shown.file = &file;
        let text = snippet::render(&shown, &mut self.sources, self.text.style);
        Ok(self.print_text(&text)?)
    }

    fn cut(&mut self, program: &Program, path: &EndedPath<'_>, kind: CutKind, cut: &Cut) -> Result<(), ObserverError> {
        if self.klee.is_some() {
            return self.cut_as_klee(program, path, kind, cut);
        }
        if path.test.is_none() && path.no_test.is_none() {
            return Ok(());
        }
        let name = self.next_name();
        if let Some(test) = path.test {
            self.write_test(program, &name, path, test)?;
        }
        self.dir.write(&format!("{name}.early"), error_file::early(program, cut).as_bytes())?;
        if self.events.is_some() {
            let no_test = path.no_test.as_ref().map(solver_text);
            self.print_event(&json::cut(program, &name, kind, cut, no_test.as_deref()).to_line())?;
        }
        Ok(())
    }
}

/// Writes a file that the user named.
fn write_file(path: &Path, content: &[u8]) -> Result<(), OutputError> {
    std::fs::write(path, content).map_err(|source| OutputError::Write { path: path.to_owned(), source })
}

impl Reporter {
    /// For KLEE, whatever cannot be followed is an error, told of once a place, and a limit is an
    /// early end.
    fn cut_as_klee(
        &mut self,
        program: &Program,
        path: &EndedPath<'_>,
        kind: CutKind,
        cut: &Cut,
    ) -> Result<(), ObserverError> {
        let (message, suffix) = klee::cut(kind, cut);
        let is_error = suffix != "early";
        let is_new = is_error && self.told_cuts.insert((cut.loc, message.clone()));
        if is_new {
            let place = Place::new(program, cut.loc);
            self.say(&format!("ERROR: {}", klee::located(place.as_ref(), &message)))?;
            self.say("NOTE: now ignoring this error at this location")?;
        }
        if let Some(test) = path.test.filter(|_| is_new || !is_error) {
            let name = self.next_name();
            self.write_test(program, &name, path, test)?;
            let text = match is_error {
                true => error_file::klee_cut(program, &message, cut),
                false => error_file::early(program, cut),
            };
            self.dir.write(&format!("{name}.{suffix}"), text.as_bytes())?;
        }
        Ok(())
    }
}

impl Observer for Reporter {
    fn path_ended(&mut self, program: &Program, path: &EndedPath<'_>) -> Result<(), ObserverError> {
        self.last_found = None;
        if let Some(error) = self.stats_error.take() {
            return Err(error.into());
        }
        match path.end {
            End::Exit(_) => self.exit(program, path),
            End::Violation(violation) if matches!(violation.kind(), ViolationKind::Target(_)) => {
                self.reach(program, path, violation)
            }
            End::Violation(violation) => self.error(program, path, violation),
            end => match CutKind::of(end) {
                Some((kind, cut)) => self.cut(program, path, kind, cut),
                None => Ok(()),
            },
        }
    }

    fn confirms(&mut self) -> bool {
        let Some((violation, test, name)) = self.last_found.take() else { return false };
        let file = self.test_file(&name);
        let is_confirmed =
            self.confirm.as_ref().zip(file).is_some_and(|(confirm, file)| confirm(&file, violation.kind()));
        match violation.kind() {
            _ if !is_confirmed => {}
            ViolationKind::Target(_) => self.told.lock().confirm(&name),
            _ => {
                self.told.lock().confirm(&name);
                self.errors.iter_mut().next_back().into_iter().for_each(|error| error.doubt = None);
                self.first_error = Some((violation, test, name));
            }
        }
        is_confirmed
    }

    fn output(&mut self, bytes: &[u8]) -> Result<(), ObserverError> {
        if self.klee.is_some_and(|klee| klee.buffers_output) {
            self.buffered.extend_from_slice(bytes);
            return Ok(self.print_buffered(OUTPUT_BUFFER)?);
        }
        let printed = if self.events.is_some() {
            self.print_event(&Event::Output { text: String::from_utf8_lossy(bytes).into_owned() }.to_line())
        } else {
            self.progress.suspend(|| Console::stdout().write(bytes))
        };
        Ok(printed?)
    }

    fn message(&mut self, program: &Program, message: &Message) -> Result<(), ObserverError> {
        if let Some(klee) = self.klee {
            match klee::message(program, message) {
                Told::Line(text) => self.print_text(&format!("{text}\n"))?,
                Told::MergeLog(text) if klee.logs_merges => self.print_text(&format!("{text}\n"))?,
                Told::MergeLog(_) => {}
                Told::Warning(text) => self.warn(&text)?,
                Told::WarningOnce(text) => self.warn_once(&text)?,
            }
            return Ok(());
        }
        let text = message_text(program, message);
        match message {
            // Of interest to who wonders why KLEE is slow.
            Message::LargeObject { .. } | Message::LargeArrayRead { .. } | Message::LargeArrayWritten { .. } => Ok(()),
            Message::ArrayReads { .. } | Message::ExternalCall { .. } => Ok(()),
            Message::OpenMerge { .. } | Message::CloseMerge { .. } => Ok(()),
            Message::Warning { .. } => Ok(self.warn(&format!("warning: {text}"))?),
            _ => Ok(self.warn(&text)?),
        }
    }

    fn stopping(&mut self, stop: Stop, open: u64) -> Result<(), ObserverError> {
        let Some(klee) = self.klee.filter(|_| stop != Stop::FirstError) else { return Ok(()) };
        if stop == Stop::MaxMemory {
            let used = espalier_base::memory::resident().unwrap_or(0) >> 20;
            self.warn(&format!("killing {open} states (over memory cap: {used}MB)"))?;
        }
        if let Some(text) = klee::stop(stop) {
            self.say(text)?;
        }
        if klee.dumps_states && open > 0 {
            self.say("halting execution, dumping remaining states")?;
        }
        Ok(())
    }

    fn tick(&mut self, progress: &Progress) {
        if let Some(stats) = &mut self.run_stats
            && let Err(error) = stats.tick(progress)
        {
            self.run_stats = None;
            self.stats_error = Some(error);
        }
        if self.klee.is_none() {
            self.progress.tick(progress);
        }
        let since = progress.elapsed.saturating_sub(self.last_progress_event);
        if self.events.is_some() && since >= BETWEEN_PROGRESS_EVENTS {
            self.last_progress_event = progress.elapsed;
            // A reader that is gone is no error, and any other failure comes back with the next
            // event that matters.
            let _ = self.print_event(&json::progress(progress).to_line());
        }
    }
}
