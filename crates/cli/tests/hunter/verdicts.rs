//! What the engine says of a program, held against what the program does natively.

use super::support::batch::{self, Claim, Program, Truth, kind};
use espalier_analysis::{Site, targets};
use espalier_base::Limits;
use espalier_engine::{
    Config, End, EndedPath, Engine, Method, Observer, ObserverError, Only, Outcome, Stop, Strategy, TestCase, Tests,
    ViolationKind, exit_code,
};
use espalier_ir::Program as Code;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Duration;

const SEARCHES: [&str; 3] = ["dfs", "bfs", "random-path"];
const METHODS: [Option<Method>; 3] = [None, Some(Method::WeakestPrecondition), Some(Method::UnsatCore)];
const ONLY: [Only; 4] = [Only::All, Only::Reach, Only::Assert, Only::Memory];

/// The searches and kinds of interpolation, each with each.
pub const WAYS: usize = SEARCHES.len() * METHODS.len();

/// How many claims got which answer.
#[derive(Copy, Clone, Default, Debug)]
pub struct Counts {
    pub proved: usize,
    pub reached: usize,
    pub unknown: usize,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.proved += other.proved;
        self.reached += other.reached;
        self.unknown += other.unknown;
    }
}

/// A program in the code of its batch.
pub struct Subject<'a> {
    pub program: &'a Program,
    pub truth: &'a Truth,
    pub code: &'a Rc<Code>,
    /// Its claims by line.
    pub lines: BTreeMap<u32, usize>,
}

impl Subject<'_> {
    /// As `check` does: all errors of some kinds, or the first one.
    pub fn check(&self, way: usize, turn: usize) -> Result<Counts, String> {
        let (only, first) = (ONLY[turn % ONLY.len()], turn.is_multiple_of(3));
        let config = Config { only, exit_on_error: first, ..config(way) };
        let asked = |claim: &Claim| match claim {
            Claim::Place => false,
            Claim::Reach => matches!(only, Only::All | Only::Reach),
            Claim::Assertion => matches!(only, Only::All | Only::Assert),
            Claim::Memory => matches!(only, Only::All | Only::Memory),
            Claim::Division => only == Only::All,
        };
        let claims = self.program.claims.iter().enumerate().filter(|(_, claim)| asked(claim));
        let claims: Vec<usize> = claims.map(|(number, _)| number).collect();
        let (found, outcome) = self.explore(self.code.clone(), config)?;
        let mut reached = BTreeSet::new();
        for error in &found {
            let claim = self.lines.get(&error.line).copied();
            let claim = claim.filter(|&claim| kind(self.program.claims[claim]) == Some(error.kind.name()));
            let claim = claim.ok_or_else(|| format!("{} at line {} is no claim", error.kind.name(), error.line))?;
            reached.insert((claim, self.is_confirmed(error, claim)?));
        }
        // After the first error nothing is known of the other claims.
        let is_asked = outcome.stop != Some(Stop::FirstError);
        self.count(&claims, &reached, &outcome, is_asked).map_err(|error| format!("{error}, {only:?}"))
    }

    /// As `reach` does: all claims that are places in the code are targets.
    pub fn reach(&self, way: usize) -> Result<Counts, String> {
        let mut code = Code::clone(self.code);
        let mut sites: BTreeMap<usize, Vec<Site>> = BTreeMap::new();
        for site in targets::call_sites(&code, |name| matches!(name, "hit" | "reach_error" | "__assert_fail")) {
            if let Some(&claim) = self.lines.get(&targets::site_loc(&code, site).line) {
                sites.entry(claim).or_default().push(site);
            }
        }
        let (claims, sites): (Vec<usize>, Vec<Vec<Site>>) = sites.into_iter().unzip();
        if claims.is_empty() {
            return Ok(Counts::default());
        }
        targets::insert(&mut code, &sites);
        let config = Config { only: Only::Targets, exit_on_error: false, ..config(way) };
        let (found, outcome) = self.explore(Rc::new(code), config)?;
        let mut reached = BTreeSet::new();
        for met in &found {
            let ViolationKind::Target(index) = met.kind else { return Err(format!("{:?} is no target", met.kind)) };
            let claim = claims[index as usize];
            reached.insert((claim, self.is_confirmed(met, claim)?));
        }
        self.count(&claims, &reached, &outcome, true).map_err(|error| format!("{error}, targets"))
    }

    fn explore(&self, code: Rc<Code>, config: Config) -> Result<(Vec<Found>, Outcome), String> {
        let entry = code.function_named(&self.program.name).ok_or("the program is not in its batch")?;
        let mut errors = Errors::default();
        let engine = Engine::new(code, entry, config).map_err(|error| error.to_string())?;
        let outcome = engine.run(&mut errors);
        if outcome.exit_code() == exit_code::INTERNAL {
            return Err(format!("an internal error: {:?} {:?}", outcome.observer_error, outcome.refuted));
        }
        Ok((errors.0, outcome))
    }

    /// Does the input lead there natively? One of an inexact path need not, which makes the claim
    /// unknown.
    fn is_confirmed(&self, found: &Found, claim: usize) -> Result<bool, String> {
        let Some(test) = &found.test else { return Ok(false) };
        let inputs = batch::inputs(test);
        match self.truth.reaches_on(&inputs, claim) {
            true => Ok(true),
            false if !test.approximations.is_empty() => Ok(false),
            false => Err(format!("claim {claim} is not reached natively on {inputs:?}")),
        }
    }

    fn count(
        &self,
        claims: &[usize],
        reached: &BTreeSet<(usize, bool)>,
        outcome: &Outcome,
        is_asked: bool,
    ) -> Result<Counts, String> {
        let mut counts = Counts::default();
        for &claim in claims {
            if reached.contains(&(claim, true)) {
                counts.reached += 1;
            } else if reached.contains(&(claim, false)) {
                counts.unknown += 1;
            } else if !outcome.is_complete() {
                counts.unknown += usize::from(is_asked);
            } else if self.truth.reaches(claim) {
                return Err(format!("claim {claim} is called unreachable, but is reached natively"));
            } else {
                counts.proved += 1;
            }
        }
        Ok(counts)
    }
}

/// The words of a way, for messages.
pub fn describe(way: usize) -> String {
    format!("{} {:?}", SEARCHES[way % 3], METHODS[way / 3 % 3])
}

fn config(way: usize) -> Config {
    let limits = Limits {
        max_instructions: Some(1_000_000),
        max_solver_time: Some(Duration::from_secs(5)),
        ..Limits::default()
    };
    Config {
        search: Strategy::named(SEARCHES[way % 3]),
        interpolation: METHODS[way / 3 % 3],
        tests: Tests::Errors,
        limits,
        ..Config::default()
    }
}

struct Found {
    kind: ViolationKind,
    line: u32,
    test: Option<TestCase>,
}

#[derive(Default)]
struct Errors(Vec<Found>);

impl Observer for Errors {
    fn path_ended(&mut self, _: &Code, path: &EndedPath<'_>) -> Result<(), ObserverError> {
        if let End::Violation(violation) = path.end
            && !path.is_known_error
        {
            let found = Found { kind: violation.kind(), line: violation.loc.line, test: path.test.cloned() };
            self.0.push(found);
        }
        Ok(())
    }
}
