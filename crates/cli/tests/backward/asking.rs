//! Asks the engine about places in a program, as `reach` does.

use espalier_analysis::{Site, targets};
use espalier_base::Limits;
use espalier_engine::{
    Approach, Config, End, EndedPath, Engine, EntryRule, ExecOptions, Method, Observer, ObserverError, Only, Proof,
    TestCase, Tests, Verdict, ViolationKind, exit_code,
};
use espalier_frontend::{Input, Libc};
use espalier_ir::Program;
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

/// How the places are looked for.
#[derive(Copy, Clone, Debug)]
pub struct Way {
    pub approach: Approach,
    pub interpolation: Option<Method>,
    /// Each place by a run of its own: what is found of one keeps nothing from being said of others.
    pub is_single: bool,
    pub forgotten: Option<EntryRule>,
}

impl Way {
    pub fn new(approach: Approach, is_pruned: bool) -> Way {
        let interpolation = is_pruned.then_some(Method::WeakestPrecondition);
        Way { approach, interpolation, is_single: false, forgotten: None }
    }

    pub fn single(self) -> Way {
        Way { is_single: true, ..self }
    }
}

/// What is said of a place.
pub enum Answer {
    /// With a test; is it certain?
    Reached {
        test: Option<TestCase>,
        is_joined: bool,
    },
    /// For certain, and by which functions, if chains of calls were cut.
    Unreachable {
        cut: Option<Vec<String>>,
    },
    Unknown,
}

/// A program whose places are calls of `hit` and `reach_error`.
pub struct Question {
    code: Program,
    /// The lines of the places, in order.
    pub lines: Vec<u32>,
    sites: Vec<Vec<Site>>,
}

impl Question {
    pub fn load(file: &Path, cc_args: &[&str], libc: Libc) -> Result<Question, String> {
        let cc_args = ["-fwrapv", "-w"].iter().chain(cc_args).map(|arg| arg.to_string()).collect();
        let input = Input { files: vec![file.to_owned()], cc_args, libc, every_entry: true, ..Input::default() };
        let code = espalier_frontend::load(&input).map_err(|error| error.to_string())?.program;
        let mut places: BTreeMap<u32, Vec<Site>> = BTreeMap::new();
        for site in targets::call_sites(&code, |name| matches!(name, "hit" | "reach_error")) {
            places.entry(targets::site_loc(&code, site).line).or_default().push(site);
        }
        let (lines, sites) = places.into_iter().unzip();
        Ok(Question { code, lines, sites })
    }

    /// What is said of each place.
    pub fn ask(&self, way: Way) -> Result<Vec<Answer>, String> {
        if !way.is_single {
            return self.ask_about(&self.sites, way);
        }
        let answers = self.sites.chunks(1).map(|sites| self.ask_about(sites, way));
        Ok(answers.collect::<Result<Vec<_>, String>>()?.into_iter().flatten().collect())
    }

    fn ask_about(&self, sites: &[Vec<Site>], way: Way) -> Result<Vec<Answer>, String> {
        let mut code = self.code.clone();
        targets::insert(&mut code, sites);
        let limits = Limits {
            max_instructions: Some(1_000_000),
            max_solver_time: Some(Duration::from_secs(5)),
            ..Limits::default()
        };
        let config = Config {
            approach: way.approach,
            interpolation: way.interpolation,
            only: Only::Targets,
            tests: Tests::Errors,
            exit_on_error: false,
            exec: ExecOptions { forgotten: way.forgotten, ..ExecOptions::default() },
            limits,
            ..Config::default()
        };
        let entry = code.function_named("main").ok_or("the program has no main function")?;
        let mut met = Met::default();
        let engine = Engine::new(Rc::new(code), entry, config).map_err(|error| error.to_string())?;
        let outcome = engine.run(&mut met);
        if outcome.exit_code() == exit_code::INTERNAL {
            return Err(format!("an internal error: {:?} {:?}", outcome.observer_error, outcome.refuted));
        }
        let joined = outcome.backward.as_ref().map(|backward| &backward.joined);
        let answer = |target: u32| match met.0.remove(&target) {
            Some(test) => {
                let is_joined = joined.is_some_and(|joined| joined.contains_key(&target));
                Answer::Reached { test, is_joined }
            }
            None => match Verdict::of_target(&outcome, target, None) {
                Verdict::Unreachable { proof: Proof::Complete, cut, .. } => Answer::Unreachable { cut },
                _ => Answer::Unknown,
            },
        };
        Ok((0..sites.len() as u32).map(answer).collect())
    }
}

/// The tests of targets that were met.
#[derive(Default)]
struct Met(BTreeMap<u32, Option<TestCase>>);

impl Observer for Met {
    fn path_ended(&mut self, _: &Program, path: &EndedPath<'_>) -> Result<(), ObserverError> {
        if let End::Violation(violation) = path.end
            && let ViolationKind::Target(target) = violation.kind()
        {
            self.0.entry(target).or_insert_with(|| path.test.cloned());
        }
        Ok(())
    }
}
