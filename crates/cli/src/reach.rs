//! `espalier reach`: can these places be reached? For each, a test that leads there, or a proof
//! that none does.

use crate::native::MarkedBuild;
use crate::run::{Closing, Finished, explore_loaded, fail, load, require_consistent};
use crate::targets::{self, Target, Wanted};
use crate::{command, environment, settings};
use clap::ArgMatches;
use espalier_engine::{
    Config, Confirmation, Found, Input, Loaded, Only, Tests, Unknown, Verdict, ViolationKind, exit_code,
};
use espalier_frontend::Mark;
use espalier_report::{About, Confirm, Question};
use std::cell::OnceCell;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Asks about the targets of the command line and gives the exit code.
pub(crate) fn reach(matches: &ArgMatches, command_line: &[OsString]) -> i32 {
    match try_reach(matches, command_line) {
        Ok(code) | Err(code) => code,
    }
}

fn try_reach(matches: &ArgMatches, command_line: &[OsString]) -> Result<i32, i32> {
    let mut config = settings::config(matches);
    config.only = Only::Targets;
    config.tests = Tests::Errors;
    config.exit_on_error = false;
    config.exec.any_answers = true;
    require_consistent(matches, &config)?;
    let (wanted, input) = request(matches).map_err(|error| fail(exit_code::USAGE, error))?;
    let loaded = load(matches, &input, &mut config)?;
    let targets = targets::find(&loaded.program, &wanted).map_err(|error| fail(exit_code::INPUT, error))?;
    let run = Run {
        matches,
        command_line,
        config,
        question: Question {
            about: About::Place,
            bounds: settings::bounds(matches),
            environment: environment::scope(matches, &loaded.program, loaded.entry, loaded.has_environment),
        },
        native: Rc::new(Native::new(&input, &targets)),
    };
    let answers = match matches.get_flag("one-at-a-time") {
        false => run.together(loaded, &targets)?,
        true => run.one_at_a_time(&loaded, &targets)?,
    };
    let is_json = matches.get_flag("json");
    let width = targets.iter().map(|target| target.name.len()).max().unwrap_or(0);
    for (target, answer) in targets.iter().zip(&answers) {
        let line = answer.line(&run.question, &target.name, (!is_json).then_some(width));
        writeln!(std::io::stdout(), "{line}").map_err(|_| exit_code::INTERNAL)?;
    }
    let worst = answers.iter().map(|answer| answer.verdict.exit_code()).max_by_key(|code| match *code {
        exit_code::INTERNAL => 3,
        exit_code::FOUND => 2,
        exit_code::INCOMPLETE => 1,
        _ => 0,
    });
    Ok(worst.unwrap_or(exit_code::CLEAN))
}

/// The program that is asked about.
pub(crate) fn input(matches: &ArgMatches) -> Result<Input, String> {
    request(matches).map(|(_, input)| input)
}

/// What is asked about, and of which program. Without `--target` the first file names the place.
fn request(matches: &ArgMatches) -> Result<(Wanted, Input), String> {
    let input = settings::input(matches);
    let named: Vec<String> = matches.get_many("target").map_or_else(Vec::new, |names| names.cloned().collect());
    match matches.get_one::<String>("targets").map(String::as_str) {
        Some("blocks") => return Ok((Wanted::Blocks, input)),
        Some(_) => return Ok((Wanted::Errors, input)),
        None if !named.is_empty() => return Ok((Wanted::Named(named), input)),
        None => {}
    }
    let (place, files) = input.files.split_first().ok_or("a target is missing")?;
    let place = place.to_str().ok_or("the target is not text")?;
    let file = targets::file_of(place)
        .ok_or(format!("`{place}` is not a place: write FILE:LINE, or use --target or --targets"))?;
    let files = if files.is_empty() { vec![PathBuf::from(file)] } else { files.to_vec() };
    Ok((Wanted::Named(vec![place.to_owned()]), Input { files, ..input }))
}

struct Run<'a> {
    matches: &'a ArgMatches,
    command_line: &'a [OsString],
    config: Config,
    question: Question,
    native: Rc<Native>,
}

impl Run<'_> {
    /// One exploration for all targets.
    fn together(&self, mut loaded: Loaded, targets: &[Target]) -> Result<Vec<Answer>, i32> {
        let sites: Vec<_> = targets.iter().map(|target| target.sites.clone()).collect();
        espalier_analysis::targets::insert(&mut loaded.program, &sites);
        let report = settings::report(self.matches, self.command_line, command::version());
        let names = targets.iter().map(|target| target.name.clone()).collect();
        let closing = cut_short(self.question.clone(), names, self.matches.get_flag("json"));
        let confirm = self.confirm(targets);
        let finished = explore_loaded(self.matches, loaded, self.config.clone(), report, Some(confirm), closing)?;
        Ok(targets.iter().zip(0..).map(|(target, index)| self.answer(target, index, &finished)).collect())
    }

    /// One exploration for each target, each in a directory of its own.
    fn one_at_a_time(&self, loaded: &Loaded, targets: &[Target]) -> Result<Vec<Answer>, i32> {
        let mut answers = Vec::new();
        for (target, number) in targets.iter().zip(1..) {
            let program = loaded.program.clone();
            let mut copy = Loaded { program, warnings: Vec::new(), klee: None, ..*loaded };
            espalier_analysis::targets::insert(&mut copy.program, std::slice::from_ref(&target.sites));
            let mut report = settings::report(self.matches, self.command_line, command::version());
            report.output_dir = report.output_dir.map(|dir| dir.join(format!("target-{number}")));
            let closing = cut_short(self.question.clone(), vec![target.name.clone()], self.matches.get_flag("json"));
            let confirm = self.confirm(std::slice::from_ref(target));
            let finished = explore_loaded(self.matches, copy, self.config.clone(), report, Some(confirm), closing)?;
            answers.push(self.answer(target, 0, &finished));
            if finished.outcome.stop == Some(espalier_engine::Stop::Interrupted) {
                break;
            }
        }
        Ok(answers)
    }

    fn confirm(&self, targets: &[Target]) -> Confirm {
        let (native, targets) = (Rc::clone(&self.native), targets.to_vec());
        Box::new(move |test, kind| match kind {
            ViolationKind::Target(index) => {
                targets.get(index as usize).is_some_and(|target| native.confirm(test, target).is_confirmed())
            }
            _ => false,
        })
    }

    fn answer(&self, target: &Target, index: u32, finished: &Finished) -> Answer {
        if finished.outcome.failure().is_some() {
            return Answer { verdict: Verdict::new(&finished.outcome, None), test: None, chain: None };
        }
        let reached = finished.reached.iter().filter(|reached| reached.target == index);
        let reached = reached.min_by_key(|reached| reached.doubt.is_some());
        if let (None, Some(&is_certain)) = (reached, finished.outcome.reached_targets.get(&index)) {
            let before = "an earlier run came there, and its test is in the directory".to_owned();
            let verdict = match is_certain {
                true => Verdict::Reachable(Confirmation::NotTried(before)),
                false => Verdict::Unknown(Unknown::Incomplete),
            };
            return Answer { verdict, test: None, chain: None };
        }
        let test = reached.map(|reached| reached.test.clone()).filter(|test| test.exists());
        let found = reached.map(|reached| Found {
            confirmation: test.as_ref().map_or(Confirmation::NoTest, |test| self.native.confirm(test, target)),
            doubt: reached.doubt.clone(),
        });
        let joined = finished.outcome.backward.as_ref().and_then(|backward| backward.joined.get(&index));
        let chain = joined.map(|functions| functions.join(" -> "));
        Answer { verdict: Verdict::of_target(&finished.outcome, index, found), test, chain }
    }
}

/// What is said of the targets if the run has to be ended by force: what was found could not be
/// confirmed.
fn cut_short(question: Question, names: Vec<String>, is_json: bool) -> Closing {
    Box::new(move |_, reached| {
        let width = names.iter().map(String::len).max().unwrap_or(0);
        let mut is_found = false;
        for (name, index) in names.iter().zip(0..) {
            let answer = match reached.iter().find(|reached| reached.target == index && reached.doubt.is_none()) {
                Some(reached) => {
                    is_found = true;
                    let verdict = Verdict::Reachable(Confirmation::EndedByForce);
                    Answer { verdict, test: Some(reached.test.clone()), chain: None }
                }
                None => Answer {
                    verdict: Verdict::Unknown(Unknown::EndedByForce { has_found: false }),
                    test: None,
                    chain: None,
                },
            };
            // If nobody reads it, the exit code has to do.
            let _ = writeln!(std::io::stdout(), "{}", answer.line(&question, name, (!is_json).then_some(width)));
        }
        if is_found { exit_code::FOUND } else { exit_code::INCOMPLETE }
    })
}

/// The native build, made when the first target is reached.
struct Native {
    input: Input,
    marks: Vec<Mark>,
    build: OnceCell<MarkedBuild>,
}

impl Native {
    fn new(input: &Input, targets: &[Target]) -> Native {
        let mut marks: Vec<Mark> = targets.iter().filter_map(|target| target.mark.clone()).collect();
        marks.dedup();
        Native { input: input.clone(), marks, build: OnceCell::new() }
    }

    fn confirm(&self, test: &Path, target: &Target) -> Confirmation {
        let Some(number) = target.mark.as_ref().and_then(|mark| self.marks.iter().position(|other| other == mark))
        else {
            return Confirmation::NotTried("it has no place in the source".into());
        };
        self.build.get_or_init(|| MarkedBuild::new(&self.input, &self.marks)).confirm(test, number)
    }
}

/// What is said of a target.
struct Answer {
    verdict: Verdict,
    /// A test that leads there.
    test: Option<PathBuf>,
    /// The functions that lead there, if the path was found from the other end.
    chain: Option<String>,
}

impl Answer {
    /// A line for people, with the target's name in a column of this width; without it, an event.
    fn line(&self, question: &Question, name: &str, width: Option<usize>) -> String {
        let test = self.test.as_ref().map(|test| test.display().to_string());
        let Some(width) = width else {
            return question.target_event(name, &self.verdict, test).to_json();
        };
        let (word, detail) = (question.word(&self.verdict), question.detail(&self.verdict));
        let test = test.map(|test| format!("{test}; ")).unwrap_or_default();
        let chain = self.chain.as_ref().map(|chain| format!("; joined: {chain}")).unwrap_or_default();
        format!("{name:width$}  {word} ({test}{detail}{chain})")
    }
}
