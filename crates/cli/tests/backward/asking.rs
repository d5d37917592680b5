//! Asks the engine about places in a program, as `reach` does.

use espalier_analysis::{Site, targets};
use espalier_base::Limits;
use espalier_engine::{
    Approach, Config, End, EndedPath, Engine, EntryRule, ExecOptions, FaultKind, Line, Method, Observer, ObserverError,
    Only, Proof, TestCase, Tests, Verdict, ViolationKind, Wants, exit_code,
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

/// A program whose places are calls of `hit` and `reach_error`, and where it may fail.
pub struct Question {
    code: Program,
    /// The lines of the places, in order.
    pub lines: Vec<u32>,
    places: Vec<Place>,
}

/// What is asked about.
#[derive(Clone)]
struct Place {
    sites: Vec<Site>,
    /// The error that is wanted there, if it is not only to be reached.
    fault: Option<(u32, FaultKind)>,
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
        let place = |(line, sites)| (line, Place { sites, fault: None });
        let (lines, places) = places.into_iter().map(place).unzip();
        Ok(Question { code, lines, places })
    }

    /// Also asks whether the program fails in this way on the line.
    pub fn ask_for_error(&mut self, line: u32, kind: FaultKind) {
        let sites = targets::error_sites_at(&self.code, |loc| loc.line == line);
        self.lines.push(line);
        self.places.push(Place { sites, fault: Some((line, kind)) });
    }

    /// What is said of each place.
    pub fn ask(&self, way: Way) -> Result<Vec<Answer>, String> {
        if !way.is_single {
            return self.ask_about(&self.places, way);
        }
        let answers = self.places.chunks(1).map(|places| self.ask_about(places, way));
        Ok(answers.collect::<Result<Vec<_>, String>>()?.into_iter().flatten().collect())
    }

    fn ask_about(&self, places: &[Place], way: Way) -> Result<Vec<Answer>, String> {
        let mut code = self.code.clone();
        let sites: Vec<Vec<Site>> = places.iter().map(|place| place.sites.clone()).collect();
        targets::insert(&mut code, &sites);
        let wants = |place: &Place| match (place.fault, place.sites.first()) {
            (Some((line, kind)), Some(site)) => {
                let lines = vec![Line { file: targets::site_loc(&code, *site).file, line }];
                Wants::Error { faults: kind.into(), lines, columns: None, around: Vec::new() }
            }
            _ => Wants::Place,
        };
        let wants: Vec<Wants> = places.iter().map(wants).collect();
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
            exec: ExecOptions { forgotten: way.forgotten, wants, ..ExecOptions::default() },
            limits,
            ..Config::default()
        };
        let entry = code.function_named("main").ok_or("the program has no main function")?;
        let mut met = Met { faults: places.iter().map(|place| place.fault).collect(), tests: BTreeMap::new() };
        let engine = Engine::new(Rc::new(code), entry, config).map_err(|error| error.to_string())?;
        let outcome = engine.run(&mut met);
        if outcome.exit_code() == exit_code::INTERNAL {
            return Err(format!("an internal error: {:?} {:?}", outcome.observer_error, outcome.refuted));
        }
        let joined = outcome.backward.as_ref().map(|backward| &backward.joined);
        let answer = |target: u32| match met.tests.remove(&target) {
            Some(test) => {
                let is_joined = joined.is_some_and(|joined| joined.contains_key(&target));
                Answer::Reached { test, is_joined }
            }
            None => match Verdict::of_target(&outcome, target, None) {
                Verdict::Unreachable { proof: Proof::Complete, cut, .. } => Answer::Unreachable { cut },
                _ => Answer::Unknown,
            },
        };
        Ok((0..places.len() as u32).map(answer).collect())
    }
}

/// The tests of targets that were met.
struct Met {
    /// By target, the error that is wanted.
    faults: Vec<Option<(u32, FaultKind)>>,
    tests: BTreeMap<u32, Option<TestCase>>,
}

impl Observer for Met {
    fn path_ended(&mut self, _: &Program, path: &EndedPath<'_>) -> Result<(), ObserverError> {
        let End::Violation(violation) = path.end else { return Ok(()) };
        let failed = violation.fault.counts_as().map(|kind| (violation.loc.line, kind));
        let wanting = (0..).zip(&self.faults).filter(|(_, fault)| failed.is_some() && **fault == failed);
        let met: Vec<u32> = match violation.kind() {
            ViolationKind::Target(target) => vec![target],
            _ => wanting.map(|(target, _)| target).collect(),
        };
        for target in met {
            self.tests.entry(target).or_insert_with(|| path.test.cloned());
        }
        Ok(())
    }
}
