//! Compares tools: each is asked about each target of a set of programs, within limits, and tables
//! say who solved what.
//!
//! [`bench`] reads the set, does the runs that were not done before, keeps each result as soon as
//! it is known, and gives a [`Finished`] to print. What goes wrong in a run is a result; only what
//! concerns the whole is an error.

mod answer;
mod comparison;
mod error;
mod invocation;
mod plot;
mod preset;
mod process;
mod program;
mod progress;
mod report;
mod schedule;
mod set;
mod store;
mod table;

pub use error::BenchError;
pub use plot::coverage_over_time;
pub use table::Colour;

use comparison::{Comparison, TargetRow, ToolColumn, wrong_answer};
use espalier_base::format_duration;
use invocation::Installed;
use process::Budget;
use program::Program;
use progress::Display;
use regex::Regex;
use report::{Note, Report};
use schedule::{Job, Question, Until};
use set::{Set, Tool};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use store::Store;

/// What is to be compared, and how.
#[derive(Debug, Default)]
pub struct Request {
    /// The set file.
    pub set: PathBuf,
    /// Where results are kept; by default next to the set.
    pub results: Option<PathBuf>,
    /// Forget earlier results.
    pub fresh: bool,
    /// Write a page with tables and plots.
    pub html: Option<PathBuf>,
    /// Leave out what is easy.
    pub hard: Option<Hard>,
    /// Begin no run after this time.
    pub slice: Option<Duration>,
    /// Only these tools, unless there are none.
    pub only_tools: Vec<String>,
    /// Only targets whose name or group this pattern matches.
    pub matching: Option<String>,
}

/// Targets that this tool solves within this time are not compared.
#[derive(Debug)]
pub struct Hard {
    pub tool: String,
    pub within: Duration,
}

/// A comparison that came to an end, perhaps early.
pub struct Finished {
    comparison: Comparison,
    report: Report,
    /// How many answers are known to be wrong.
    pub wrong: usize,
    /// It was stopped before all was done.
    pub is_interrupted: bool,
}

impl Finished {
    pub fn text(&self, colour: Colour) -> String {
        self.report.text(colour)
    }

    fn write_html(&self, path: &Path, set: &Path) -> Result<(), BenchError> {
        let title = set.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let page = self.report.html(&self.comparison, &format!("Comparison: {title}"));
        std::fs::write(path, page).map_err(|error| BenchError::unwritable(path, &error))
    }
}

/// Compares. `stop` is asked often and ends the runs when it says so.
pub fn bench(request: &Request, stop: &(dyn Fn() -> bool + Sync)) -> Result<Finished, BenchError> {
    let set = Set::read(&request.set)?;
    let tools = wanted_tools(&set, &request.only_tools)?;
    let programs = program::all(&set)?;
    let questions = wanted_questions(&programs, request.matching.as_deref())?;
    let filter = request.hard.as_ref().map(|hard| filter_tool(&set, hard)).transpose()?;
    let results = request.results.clone().unwrap_or_else(|| request.set.with_extension("results.jsonl"));
    let installed: Vec<Option<Installed<'_>>> = tools.iter().map(|tool| invocation::install(&set, tool)).collect();
    let mut session = Session {
        set: &set,
        store: Store::open(&results, request.fresh)?,
        until: Until { stop, deadline: request.slice.map(|slice| Instant::now() + slice) },
        display: Display::new(),
        wrong: Vec::new(),
        notes: Vec::new(),
    };
    for program in programs.iter().filter(|program| program.targets.is_empty()) {
        session.display.say(&format!("warning: {} has no call of reach_error, so nothing is asked", program.name));
    }
    let outcome = session.compare(&tools, &installed, &questions, filter.as_ref());
    session.display.finish();
    let comparison = outcome?;
    for wrong in comparison.wrong() {
        if !session.wrong.contains(&wrong) {
            session.wrong.push(wrong);
        }
    }
    let mut report = Report::new(&comparison, &session.wrong);
    report.notes.extend(session.notes);
    let finished = Finished { comparison, report, wrong: session.wrong.len(), is_interrupted: stop() };
    if let Some(path) = &request.html {
        finished.write_html(path, &request.set)?;
    }
    Ok(finished)
}

fn wanted_tools<'a>(set: &'a Set, only: &[String]) -> Result<Vec<&'a Tool>, BenchError> {
    for name in only {
        tool_named(set, name)?;
    }
    Ok(set.tools.iter().filter(|tool| only.is_empty() || only.contains(&tool.name)).collect())
}

fn tool_named<'a>(set: &'a Set, name: &str) -> Result<&'a Tool, BenchError> {
    set.tools.iter().find(|tool| tool.name == name).ok_or_else(|| {
        let known: Vec<&str> = set.tools.iter().map(|tool| tool.name.as_str()).collect();
        BenchError::Usage(format!("the set has no tool `{name}`; it has {}", known.join(", ")))
    })
}

fn wanted_questions<'a>(programs: &'a [Program], pattern: Option<&str>) -> Result<Vec<Question<'a>>, BenchError> {
    let pattern = pattern.map(Regex::new).transpose();
    let pattern =
        pattern.map_err(|error| BenchError::Usage(format!("--match is not a regular expression: {error}")))?;
    let all =
        programs.iter().flat_map(|program| program.targets.iter().map(move |target| Question { program, target }));
    let all: Vec<Question<'_>> = all.collect();
    if all.is_empty() {
        return Err(BenchError::Input("no program of the set has a call of reach_error, so nothing is asked".into()));
    }
    let Some(pattern) = pattern else { return Ok(all) };
    let is_wanted =
        |question: &Question<'_>| pattern.is_match(&question.name()) || pattern.is_match(&question.program.group);
    let wanted: Vec<Question<'_>> = all.into_iter().filter(is_wanted).collect();
    match wanted.is_empty() {
        true => Err(BenchError::Usage(format!("--match={pattern} leaves no target"))),
        false => Ok(wanted),
    }
}

/// The tool that tells easy targets from hard ones, and its time.
fn filter_tool<'a>(set: &'a Set, hard: &Hard) -> Result<(Installed<'a>, Budget), BenchError> {
    let tool = tool_named(set, &hard.tool)?;
    let installed = invocation::install(set, tool).ok_or_else(|| {
        BenchError::Input(format!("`{}` is not installed, so it cannot find the hard targets", tool.name))
    })?;
    Ok((installed, Budget { time: hard.within, ..set.budget }))
}

struct Session<'a> {
    set: &'a Set,
    store: Store,
    until: Until<'a>,
    display: Display,
    /// Wrong answers in words, each once.
    wrong: Vec<String>,
    notes: Vec<Note>,
}

impl Session<'_> {
    fn compare(
        &mut self,
        tools: &[&Tool],
        installed: &[Option<Installed<'_>>],
        questions: &[Question<'_>],
        filter: Option<&(Installed<'_>, Budget)>,
    ) -> Result<Comparison, BenchError> {
        let hard = match filter {
            Some((tool, budget)) => self.hard_ones(questions, tool, *budget)?,
            None => questions.to_vec(),
        };
        let mut jobs = Vec::new();
        for index in schedule::in_order(&hard) {
            for installed in installed.iter().flatten() {
                jobs.push(Job { installed, question: hard[index], budget: self.set.budget });
            }
        }
        schedule::run(self.set, &jobs, &mut self.store, &self.until, &mut self.display)?;
        let rows: Vec<TargetRow> = hard.iter().map(|question| self.row(*question, installed)).collect();
        self.note_left_out(&rows, installed);
        let column = |(tool, installed): (&&Tool, &Option<Installed<'_>>)| ToolColumn {
            name: tool.name.clone(),
            is_installed: installed.is_some(),
            version: installed.as_ref().and_then(|installed| installed.version.clone()),
        };
        let tools = tools.iter().zip(installed).map(column).collect();
        Ok(Comparison { tools, rows, limit: self.set.budget.time.as_secs_f64() })
    }

    fn row(&self, question: Question<'_>, installed: &[Option<Installed<'_>>]) -> TargetRow {
        let budget = self.set.budget;
        let result = |installed: &Option<Installed<'_>>| {
            let job = Job { installed: installed.as_ref()?, question, budget };
            self.store.get(&job.key()).cloned()
        };
        TargetRow {
            group: question.program.group.clone(),
            program: question.program.name.clone(),
            name: question.name(),
            truth: question.target.truth,
            results: installed.iter().map(result).collect(),
        }
    }

    /// The targets that a tool does not solve within its time.
    fn hard_ones<'q>(
        &mut self,
        questions: &[Question<'q>],
        tool: &Installed<'_>,
        budget: Budget,
    ) -> Result<Vec<Question<'q>>, BenchError> {
        let order = schedule::in_order(questions);
        let job = |question: Question<'q>| Job { installed: tool, question, budget };
        let jobs: Vec<Job<'_>> = order.into_iter().map(|index| job(questions[index])).collect();
        schedule::run(self.set, &jobs, &mut self.store, &self.until, &mut self.display)?;
        let (mut hard, mut reachable, mut unreachable, mut unclear) = (Vec::new(), 0, 0, 0);
        for question in questions {
            let Some(result) = self.store.get(&job(*question).key()) else {
                unclear += 1;
                continue;
            };
            let wrong = wrong_answer(&question.name(), &tool.tool.name, result.kind, question.target.truth);
            if let Some(wrong) = wrong {
                self.wrong.push(wrong);
                hard.push(*question);
                continue;
            }
            match result.kind.verdict() {
                Some(answer::Truth::Reachable) => reachable += 1,
                Some(answer::Truth::Unreachable) => unreachable += 1,
                None => hard.push(*question),
            }
        }
        let time = format_duration(budget.time);
        self.notes.push(Note::line(format!(
            "Hard targets: {}. Left out: {} that {} solves within {time} ({unreachable} U, {reachable} R)",
            hard.len(),
            reachable + unreachable,
            tool.tool.name
        )));
        if unclear > 0 {
            self.notes.push(Note::line(format!(
                "Left out: {unclear} targets of which it is not known yet whether they are hard"
            )));
        }
        Ok(hard)
    }

    fn note_left_out(&mut self, rows: &[TargetRow], installed: &[Option<Installed<'_>>]) {
        let missing = |row: &&TargetRow| {
            row.results.iter().zip(installed).any(|(result, tool)| tool.is_some() && result.is_none())
        };
        let targets = rows.iter().filter(missing).count();
        if targets > 0 {
            let runs: usize = rows.iter().map(|row| row.results.iter().filter(|result| result.is_none()).count()).sum();
            let runs = runs - rows.len() * installed.iter().filter(|tool| tool.is_none()).count();
            self.notes.push(Note::line(format!(
                "Left out for now: {runs} runs, so that {targets} of {} targets are not compared in full; run again to go on",
                rows.len()
            )));
        }
    }
}
