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
mod medians;
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
use std::collections::BTreeSet;
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
    /// How many seeds, if not as many as the set says.
    pub seeds: Option<u32>,
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
    let mut set = Set::read(&request.set)?;
    set.seeds = request.seeds.unwrap_or(set.seeds);
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
    let mut report = Report::new(&comparison, &session.wrong, set.layout);
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
        // Each seed for all targets before the next, so that a part of the runs is a fair one.
        let order = schedule::in_order(&hard);
        let jobs: Vec<Job<'_>> = (1..=self.set.seeds)
            .flat_map(|seed| order.iter().map(move |&index| (seed, index)))
            .flat_map(|(seed, index)| self.jobs(hard[index], installed, seed).into_iter().flatten())
            .collect();
        schedule::run(self.set, &jobs, &mut self.store, &self.until, &mut self.display)?;
        let seeds = |question| (1..=self.set.seeds).map(move |seed| (question, seed));
        let rows = hard.iter().flat_map(seeds).filter_map(|(question, seed)| self.row(*question, installed, seed));
        let rows: Vec<TargetRow> = rows.collect();
        self.note_left_out(&jobs);
        let limit = hard.iter().map(|question| self.budget(*question).time.as_secs_f64()).fold(0.0, f64::max);
        let column = |(tool, installed): (&&Tool, &Option<Installed<'_>>)| ToolColumn {
            name: tool.name.clone(),
            is_installed: installed.is_some(),
            version: installed.as_ref().and_then(|installed| installed.version.clone()),
        };
        let tools = tools.iter().zip(installed).map(column).collect();
        Ok(Comparison { tools, rows, limit })
    }

    fn budget(&self, question: Question<'_>) -> Budget {
        Budget { time: question.program.time.unwrap_or(self.set.budget.time), ..self.set.budget }
    }

    /// What each tool is to be asked about a target with a seed. Without a choice, only the first
    /// seed counts.
    fn jobs<'q>(
        &self,
        question: Question<'q>,
        installed: &'q [Option<Installed<'q>>],
        seed: u32,
    ) -> Vec<Option<Job<'q>>> {
        let budget = self.budget(question);
        let is_asked =
            |tool: &Tool| tool.is_asked_about(&question.program.group) && (seed == 1 || tool.depends_on_chance());
        let job = |installed: &'q Option<Installed<'q>>| {
            let installed = installed.as_ref().filter(|installed| is_asked(installed.tool))?;
            Some(Job { installed, question, budget, seed })
        };
        installed.iter().map(job).collect()
    }

    /// `None` if no tool is asked about the target with this seed.
    fn row<'q>(&self, question: Question<'q>, installed: &'q [Option<Installed<'q>>], seed: u32) -> Option<TargetRow> {
        let jobs = self.jobs(question, installed, seed);
        if seed > 1 && jobs.iter().all(Option::is_none) {
            return None;
        }
        Some(TargetRow {
            group: question.program.group.clone(),
            program: question.program.name.clone(),
            name: question.name(),
            truth: question.target.truth,
            results: jobs.iter().map(|job| self.store.get(&job.as_ref()?.key()).cloned()).collect(),
        })
    }

    /// The targets that a tool does not solve within its time.
    fn hard_ones<'q>(
        &mut self,
        questions: &[Question<'q>],
        tool: &Installed<'_>,
        budget: Budget,
    ) -> Result<Vec<Question<'q>>, BenchError> {
        let order = schedule::in_order(questions);
        let job = |question: Question<'q>| Job { installed: tool, question, budget, seed: 1 };
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

    fn note_left_out(&mut self, jobs: &[Job<'_>]) {
        let target = |job: &Job<'_>| (job.question.program.group.clone(), job.question.name());
        let missing: Vec<&Job<'_>> = jobs.iter().filter(|job| self.store.get(&job.key()).is_none()).collect();
        if !missing.is_empty() {
            let targets: BTreeSet<_> = missing.iter().copied().map(target).collect();
            let all: BTreeSet<_> = jobs.iter().map(target).collect();
            self.notes.push(Note::line(format!(
                "Left out for now: {} runs, so that {} of {} targets are not compared in full; run again to go on",
                missing.len(),
                targets.len(),
                all.len()
            )));
        }
    }
}
