//! The chain: what is asked is answered by the cheapest stage that can.
//!
//! In this order: constants; the state's own model (the *hint*), which decides one side of every
//! branch; the path condition word for word; bounds; then only the *slice* of the path condition
//! that shares variables with the question counts, and for it: the cache, known cores, recent
//! models, a repair of the hint, intervals of floats, the SAT backend briefly, cases, the SAT
//! backend, the SMT backend.
//!
//! The one invariant to keep in mind: a stage that solves a slice has a model of the slice only.
//! [`Solver::whole_model`] puts it on top of the hint, which satisfies the rest; without a hint the
//! other slices are solved too.

use crate::boxes::Boxes;
use crate::cache::{Cache, Entry, SetKey};
use crate::cases::Cases;
use crate::independence::Paths;
use crate::log::QueryLog;
use crate::models::Models;
use crate::repair::Repair;
use crate::values::{Values, values};
use crate::{
    Answer, Backend, Branch, Config, Feasible, Limits, Reason, SatBackend, SmtBackend, SolverFailure, StageStats,
    Stats, Unanswerable,
};
use espalier_base::StopFlag;
use espalier_expr::{Evaluator, Model, PathCondition, Term, Terms};
use rustc_hash::FxHashSet;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Conflicts that a brief check may take.
const BRIEF_CONFLICTS: u64 = 2000;

/// A question may cost this share of the run, and this share of the time that it could have. All in
/// counted work: what these take a machine of our own, in nanoseconds.
const SHARE: u64 = 16;
const SHARE_OF_TIME: u64 = 600;
/// What all questions together may cost beyond their shares, each at most a half of what is left: a
/// program with one hard question has nothing better to do.
const ADVANCE: u64 = 6_000_000_000;
/// What a question that only the SMT backend is asked takes of it.
const LARGE_COST: u64 = 100_000_000;
const INSTRUCTION_COST: u64 = 30;
const QUERY_COST: u64 = 1_000;
const SMT_COST: u64 = 20_000_000;
const CASE_COST: u64 = 30;

/// Estimates are rough: a question that seems to cost so many times what it may is not put to a
/// solver at all; one that seems to cost this much not before a few cases were tried, and one that
/// seems to cost that much not before all else.
const TOO_MUCH: u64 = 4;
const LEAST_WORK: u64 = 3_000_000;
const LITTLE_WORK: u64 = 60_000_000;

/// How much longer than counted a process may take.
const PROCESS_GRACE: u32 = 8;

/// Of so many constraints debug builds check that the hint satisfies them.
const CHECKED: usize = 256;

/// How many recent models are tried when the hint failed. They answer little then, but cost little.
const MODELS_TRIED: usize = 4;

/// Repairing again is cheaper than remembering the values of a larger slice.
const KEPT_REPAIRS: usize = 32;

/// What a question is worth.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Effort {
    Full,
    /// It may stay open.
    Brief,
    /// It should, unless the answer is at hand.
    Least,
}

/// Which stage answered, from cheap to expensive.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Simplified,
    Hint,
    Bounds,
    Cache,
    Models,
    Repair,
    Boxes,
    Cases,
    Sat,
    Smt,
}

/// The chain of solvers of one worker.
pub struct Solver {
    config: Config,
    stats: Stats,
    paths: Paths,
    models: Models,
    cache: Cache,
    repair: Repair,
    boxes: Boxes,
    cases: Cases,
    sat: SatBackend,
    smt: SmtBackend,
    /// What was executed so far, and what questions cost beyond their shares, in counted work.
    executed: u64,
    advanced: u64,
    /// What was tried with terms that are forgotten.
    tried_before: u64,
    effort: Effort,
    /// What a brief check may cost, and what any question may.
    brief_work: Option<u64>,
    most_work: Option<u64>,
    log: Option<QueryLog>,
    stop: StopFlag,
    deadline: Option<Instant>,
    /// When the last question was answered.
    finished: Instant,
    /// The stage that the current question got to.
    stage: Stage,
    slice: Vec<u32>,
}

impl Solver {
    /// Forgets what was only kept to be faster.
    pub fn drop_caches(&mut self) {
        self.paths = Paths::default();
        self.models = Models::default();
        self.cache = Cache::new(self.config.cache_bytes);
        self.repair = Repair::default();
        self.sat.forget();
        self.smt.end_process();
    }

    /// Forgets all terms: those that questions are about from now on are of another pool.
    pub fn forget_terms(&mut self) {
        self.drop_caches();
        self.tried_before = self.tried();
        self.boxes = Boxes::default();
        self.cases = Cases::default();
    }

    pub fn new(config: Config) -> Solver {
        Solver {
            stats: Stats::default(),
            paths: Paths::default(),
            models: Models::default(),
            cache: Cache::new(config.cache_bytes),
            repair: Repair::default(),
            boxes: Boxes::default(),
            cases: Cases::default(),
            executed: 0,
            advanced: 0,
            tried_before: 0,
            sat: SatBackend::new(config.seed),
            effort: Effort::Full,
            brief_work: None,
            most_work: None,
            smt: SmtBackend::new(config.smt_command.clone(), config.seed),
            log: config.log_queries.clone().map(QueryLog::new),
            stop: StopFlag::new(),
            deadline: None,
            finished: Instant::now(),
            stage: Stage::Simplified,
            slice: Vec::new(),
            config,
        }
    }

    /// What ends a running query, and from then on backends are not asked any more: a flag, or a
    /// time at the latest.
    pub fn stop_with(&mut self, flag: StopFlag, deadline: Option<Instant>) {
        self.stop = flag;
        self.deadline = deadline;
    }

    /// Are questions given up because of the flag or the time?
    pub fn has_to_stop(&self) -> bool {
        self.stop.is_asked() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    pub fn set_max_query_time(&mut self, limit: Option<Duration>) {
        self.config.max_query_time = limit;
    }

    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// Is `pc` and `extra` together satisfiable? `pc` is known to be satisfiable, and `hint`, if
    /// there is one, satisfies it.
    pub fn check(&mut self, terms: &mut Terms, pc: &PathCondition, extra: Term, hint: Option<&Rc<Model>>) -> Answer {
        let start = self.begin();
        if let (Some(hint), true) = (hint, self.config.stages.hint)
            && !terms.is_const(extra)
            && self.models.evaluator(hint).eval_bool(terms, extra)
        {
            self.stage = Stage::Hint;
            return self.finish(start, Answer::Sat(hint.clone()));
        }
        let answer = self.ask(terms, pc, extra, hint);
        self.finish(start, answer)
    }

    /// As `check`, for questions whose answer is not needed: what is not decided with little effort
    /// is unknown.
    pub fn check_briefly(
        &mut self,
        terms: &mut Terms,
        pc: &PathCondition,
        extra: Term,
        hint: Option<&Rc<Model>>,
    ) -> Answer {
        self.check_with(Effort::Brief, terms, pc, extra, hint)
    }

    /// As `check_briefly`, for what is asked only to have nicer inputs.
    pub fn check_cheaply(
        &mut self,
        terms: &mut Terms,
        pc: &PathCondition,
        extra: Term,
        hint: Option<&Rc<Model>>,
    ) -> Answer {
        self.check_with(Effort::Least, terms, pc, extra, hint)
    }

    fn check_with(
        &mut self,
        effort: Effort,
        terms: &mut Terms,
        pc: &PathCondition,
        extra: Term,
        hint: Option<&Rc<Model>>,
    ) -> Answer {
        self.effort = effort;
        let answer = self.check(terms, pc, extra, hint);
        self.effort = Effort::Full;
        answer
    }

    /// Sets what each brief check may cost, in counted nanoseconds. Gives what it could before.
    pub fn limit_brief_checks(&mut self, work: Option<u64>) -> Option<u64> {
        std::mem::replace(&mut self.brief_work, work)
    }

    /// Sets what any question may cost, in counted nanoseconds, and gives what that was.
    pub fn limit_work(&mut self, work: Option<u64>) -> Option<u64> {
        std::mem::replace(&mut self.most_work, work)
    }

    /// Both sides of a branch.
    pub fn branch(&mut self, terms: &mut Terms, pc: &PathCondition, cond: Term, hint: Option<&Rc<Model>>) -> Branch {
        let not_cond = terms.not(cond);
        let hint = hint.filter(|_| self.config.stages.hint);
        let (known, known_side) = match hint {
            Some(hint) => {
                let start = self.begin();
                let side = self.models.evaluator(hint).eval_bool(terms, cond);
                self.stage = if terms.is_const(cond) { Stage::Simplified } else { Stage::Hint };
                (self.finish(start, Answer::Sat(hint.clone())), side)
            }
            None => (self.check(terms, pc, cond, None), true),
        };
        // A model of either side is a model of the path condition.
        let model = known.model().cloned();
        let start = self.begin_at(self.finished);
        let asked = if known_side { not_cond } else { cond };
        let other = self.ask(terms, pc, asked, model.as_ref());
        let other = self.finish(start, other);
        let (known, other) = (Feasible::from(known), Feasible::from(other));
        if known_side { Branch::new(known, other) } else { Branch::new(other, known) }
    }

    /// The constraints of `pc` that a chain of shared variables connects with `vars`.
    pub fn connected(&mut self, terms: &Terms, pc: &PathCondition, vars: &[Term]) -> Vec<Term> {
        self.paths.connected(terms, pc, vars)
    }

    /// The values that `t` can have under `pc`, if they depend on a few bytes and are at most `most`.
    pub fn values(&mut self, terms: &Terms, pc: &PathCondition, t: Term, most: usize) -> Option<Values> {
        let slice = self.paths.connected(terms, pc, &terms.vars_of(t));
        values(terms, &slice, t, most)
    }

    /// Is this set satisfiable? Nothing is known of it.
    pub fn check_all(&mut self, terms: &mut Terms, constraints: &[Term]) -> Answer {
        let start = self.begin();
        let answer = self.solve_all(terms, constraints, None);
        self.finish(start, answer)
    }

    /// A model of a path condition.
    pub fn model(&mut self, terms: &mut Terms, pc: &PathCondition) -> Answer {
        self.check_all(terms, &pc.to_vec())
    }

    /// The least and the greatest unsigned value that `t` can have under `pc`.
    pub fn range(
        &mut self,
        terms: &mut Terms,
        pc: &PathCondition,
        t: Term,
        hint: Option<&Rc<Model>>,
    ) -> Result<(u64, u64), Reason> {
        if let Some(value) = terms.as_u64(t) {
            return Ok((value, value));
        }
        if terms.width(t) > 64 {
            return Err(Reason::Unsupported(Unanswerable::WideRange));
        }
        let model = match hint {
            Some(hint) => hint.clone(),
            None => match self.model(terms, pc) {
                Answer::Sat(model) => model,
                Answer::Unsat(_) => {
                    return Err(Reason::Failed(SolverFailure::NoSolution));
                }
                Answer::Unknown(reason) => return Err(reason),
            },
        };
        let (lo, hi) = terms.unsigned_range(t);
        let min = self.extreme(terms, pc, t, &model, lo, false)?;
        let max = self.extreme(terms, pc, t, &model, hi, true)?;
        Ok((min, max))
    }

    /// Bisects between the value that a model has and the limit that no value is beyond.
    fn extreme(
        &mut self,
        terms: &mut Terms,
        pc: &PathCondition,
        t: Term,
        model: &Rc<Model>,
        limit: u64,
        greatest: bool,
    ) -> Result<u64, Reason> {
        let width = terms.width(t);
        let mut model = model.clone();
        let mut reached = self.models.evaluator(&model).eval_u64(terms, t);
        let mut limit = limit;
        // The limit itself is tried first: it often is the answer.
        let mut middle = limit;
        while reached != limit {
            let bound = terms.constant(middle, width);
            let extra = if greatest { terms.uge(t, bound) } else { terms.ule(t, bound) };
            match self.check(terms, pc, extra, Some(&model)) {
                Answer::Sat(better) => {
                    reached = self.models.evaluator(&better).eval_u64(terms, t);
                    model = better;
                }
                Answer::Unsat(_) if greatest => limit = middle - 1,
                Answer::Unsat(_) => limit = middle + 1,
                Answer::Unknown(reason) => return Err(reason),
            }
            // Rounded towards the limit, so that it is never what has been reached.
            middle = if greatest {
                reached + (limit - reached).div_ceil(2)
            } else {
                reached - (reached - limit).div_ceil(2)
            };
        }
        Ok(reached)
    }

    fn begin(&mut self) -> Instant {
        self.begin_at(Instant::now())
    }

    fn begin_at(&mut self, start: Instant) -> Instant {
        self.stats.queries += 1;
        self.stage = Stage::Simplified;
        start
    }

    fn finish(&mut self, start: Instant, answer: Answer) -> Answer {
        let stats = &mut self.stats;
        match &answer {
            Answer::Sat(_) => stats.sat_answers += 1,
            Answer::Unsat(_) => stats.unsat_answers += 1,
            Answer::Unknown(reason) => {
                stats.unknowns += 1;
                stats.timeouts += (*reason == Reason::Timeout) as u64;
            }
        }
        let stage: &mut StageStats = match self.stage {
            Stage::Simplified => &mut stats.simplified,
            Stage::Hint => &mut stats.hint,
            Stage::Bounds => &mut stats.bounds,
            Stage::Cache => &mut stats.cache,
            Stage::Models => &mut stats.models,
            Stage::Repair => &mut stats.repair,
            Stage::Boxes => &mut stats.boxes,
            Stage::Cases => &mut stats.cases,
            Stage::Sat => &mut stats.sat,
            Stage::Smt => &mut stats.smt,
        };
        stage.answers += 1;
        self.finished = Instant::now();
        stage.nanos += (self.finished - start).as_nanos() as u64;
        answer
    }

    /// Like [`Solver::check`] for a question that the hint has not answered.
    fn ask(&mut self, terms: &mut Terms, pc: &PathCondition, extra: Term, hint: Option<&Rc<Model>>) -> Answer {
        debug_assert_eq!(terms.width(extra), 1);
        if self.stop.is_asked() {
            return Answer::Unknown(Reason::Timeout);
        }
        if let (true, Some(hint)) = (cfg!(debug_assertions), hint) {
            let evaluator = self.models.evaluator(hint);
            let wrong = pc.iter().take(CHECKED).find(|&c| !evaluator.eval_bool(terms, c));
            assert_eq!(wrong, None, "the hint does not satisfy the path condition");
        }
        if extra == terms.fals() {
            return Answer::Unsat(vec![extra]);
        }
        if extra == terms.tru() {
            return match hint {
                Some(hint) => Answer::Sat(hint.clone()),
                None => self.solve_all(terms, &pc.to_vec(), None),
            };
        }
        let negated = terms.not(extra);
        let question = self.paths.ask(terms, pc, extra);
        if question.contains(negated) {
            return Answer::Unsat(vec![negated, extra]);
        }
        if question.contains(extra) {
            return match hint {
                Some(hint) => Answer::Sat(hint.clone()),
                None => self.solve_all(terms, &pc.to_vec(), None),
            };
        }
        if self.config.stages.bounds {
            if let Some(core) = question.refute() {
                self.stage = Stage::Bounds;
                return Answer::Unsat(core);
            }
            if let (Some(hint), Some(mut core)) = (hint, question.fixed_by()) {
                self.stage = Stage::Bounds;
                // Its variables have one value each, and the hint knows it.
                if self.models.evaluator(hint).eval_bool(terms, extra) {
                    return Answer::Sat(hint.clone());
                }
                core.push(extra);
                return Answer::Unsat(core);
            }
        }
        let Some(hint) = hint else {
            return self.solve_all(terms, &pc.to_vec(), Some(extra));
        };
        let independence = self.config.stages.independence;
        let key = if independence {
            question.key()
        } else {
            SetKey::of_all(terms, &pc.to_vec()).plus(SetKey::of(terms, extra))
        };
        if self.config.stages.cache {
            self.stage = Stage::Cache;
            match self.cache.get(key) {
                Some(Entry::Sat(model)) => return Answer::Sat(self.whole_model(&model, hint)),
                Some(Entry::Unsat(core)) => return Answer::Unsat(core.to_vec()),
                None => {}
            }
            if let Some(core) = self.cache.core(extra, |c| question.contains(c)) {
                return Answer::Unsat(core.to_vec());
            }
        }
        let mut slice: Vec<Term> = if independence {
            question.slice(&mut self.slice);
            self.slice.iter().map(|&place| question.constraint(place)).collect()
        } else {
            pc.to_vec()
        };
        slice.push(extra);
        self.stats.constraints_before_slicing += pc.len() as u64 + 1;
        self.stats.constraints_after_slicing += slice.len() as u64;
        self.stats.independent += (slice.len() == 1) as u64;
        if self.config.stages.models
            && let Some(model) = self.models.search(terms, &slice, MODELS_TRIED)
        {
            self.stage = Stage::Models;
            let part = self.keep(terms, key, &slice, &model);
            return Answer::Sat(self.whole_model(&part, hint));
        }
        if self.config.stages.repair {
            let evaluator = self.models.evaluator(hint);
            if let Some(whole) = self.repair.attempt(terms, &slice, extra, evaluator) {
                self.stage = Stage::Repair;
                if slice.len() <= KEPT_REPAIRS {
                    self.keep(terms, key, &slice, &whole);
                }
                return Answer::Sat(whole);
            }
        }
        match self.ask_backends(terms, key, &slice, Some(hint)) {
            Answer::Sat(model) => Answer::Sat(self.whole_model(&model, hint)),
            other => other,
        }
    }

    /// The hint with the values of a model of the slice on top.
    fn whole_model(&mut self, model: &Model, hint: &Rc<Model>) -> Rc<Model> {
        let mut whole = Model::clone(hint);
        whole.extend(model);
        Rc::new(whole)
    }

    /// Puts what a model says of a slice into the cache.
    fn keep(&mut self, terms: &Terms, key: SetKey, slice: &[Term], model: &Model) -> Rc<Model> {
        let mut part = Model::new();
        for &constraint in slice {
            for &var in terms.vars_of(constraint).iter() {
                part.set_bv(var, model.get_bv(var, terms.width(var)));
            }
        }
        let part = Rc::new(part);
        if self.config.stages.cache {
            self.cache.insert_sat(key, &part);
        }
        part
    }

    /// A set of which nothing is known, or a satisfiable path condition with one more constraint,
    /// but without a hint: all of its slices are solved.
    fn solve_all(&mut self, terms: &mut Terms, constraints: &[Term], extra: Option<Term>) -> Answer {
        let mut all: Vec<Term> = constraints.iter().copied().filter(|&c| c != terms.tru()).collect();
        all.extend(extra);
        if all.contains(&terms.fals()) {
            return Answer::Unsat(vec![terms.fals()]);
        }
        if self.config.stages.models
            && let Some(model) = self.models.search(terms, &all, usize::MAX)
        {
            self.stage = Stage::Models;
            return Answer::Sat(model);
        }
        let mut slices: Vec<Vec<Term>> = if self.config.stages.independence {
            let components = self.paths.components(terms, &PathCondition::of(terms, &all));
            components.iter().map(|component| component.iter().map(|&i| all[i as usize]).collect()).collect()
        } else {
            vec![all.clone()]
        };
        // The slice of what was asked first: if there is no solution, that is where there is none.
        slices.sort_by_key(|slice| extra.is_some_and(|extra| !slice.contains(&extra)));
        let mut whole = Model::new();
        let mut unknown = None;
        let mut stage = Stage::Simplified;
        for slice in slices {
            match self.solve_slice(terms, &slice) {
                Answer::Sat(model) => whole.extend(&model),
                Answer::Unsat(core) => return Answer::Unsat(core),
                // Another slice may still have no solution.
                Answer::Unknown(reason) => unknown = Some(reason),
            }
            stage = stage.max(self.stage);
        }
        self.stage = stage;
        match unknown {
            Some(reason) => Answer::Unknown(reason),
            None => {
                let whole = Rc::new(whole);
                self.models.evaluator(&whole);
                Answer::Sat(whole)
            }
        }
    }

    /// Decides a slice of which nothing is known. The model has the slice's variables only.
    fn solve_slice(&mut self, terms: &mut Terms, slice: &[Term]) -> Answer {
        let key = SetKey::of_all(terms, slice);
        if self.config.stages.cache {
            self.stage = Stage::Cache;
            match self.cache.get(key) {
                Some(Entry::Sat(model)) => return Answer::Sat(model),
                Some(Entry::Unsat(core)) => return Answer::Unsat(core.to_vec()),
                None => {}
            }
            let members: FxHashSet<Term> = slice.iter().copied().collect();
            for &suspect in slice {
                if let Some(core) = self.cache.core(suspect, |c| members.contains(&c)) {
                    return Answer::Unsat(core.to_vec());
                }
            }
        }
        if self.config.stages.models
            && let Some(model) = self.models.search(terms, slice, MODELS_TRIED)
        {
            self.stage = Stage::Models;
            return Answer::Sat(self.keep(terms, key, slice, &model));
        }
        self.ask_backends(terms, key, slice, None)
    }

    fn ask_backends(&mut self, terms: &mut Terms, key: SetKey, slice: &[Term], hint: Option<&Rc<Model>>) -> Answer {
        let answer = self.decide(terms, slice, hint);
        if let (true, Answer::Sat(model)) = (cfg!(debug_assertions), &answer) {
            let mut evaluator = Evaluator::new(model.clone());
            let wrong = slice.iter().find(|&&c| !evaluator.eval_bool(terms, c));
            assert_eq!(wrong, None, "a backend's model does not satisfy its query");
        }
        if self.config.stages.cache {
            match &answer {
                Answer::Sat(model) => self.cache.insert_sat(key, model),
                Answer::Unsat(core) => self.cache.insert_unsat(key, core),
                Answer::Unknown(_) => {}
            }
        }
        answer
    }

    /// Tells of instructions that were executed: what a question may cost grows with the run.
    pub fn note_executed(&mut self, instructions: u64) {
        self.executed += INSTRUCTION_COST * instructions;
    }

    /// What was solved so far, in counted work.
    fn solved(&self) -> u64 {
        QUERY_COST * self.stats.queries + self.decided()
    }

    /// What of this the backends did, and what is tried before them.
    fn decided(&self) -> u64 {
        SatBackend::cost_of(&self.sat.counts()) + SMT_COST * self.stats.smt.answers + self.tried()
    }

    fn tried(&self) -> u64 {
        self.tried_before + CASE_COST * (self.cases.work() + self.boxes.work())
    }

    /// What one question may cost, if that is limited: a share of what was executed and solved so
    /// far, of which solving is at most one half.
    fn share(&self) -> Option<u64> {
        let time = self.config.max_query_time.filter(|_| self.config.shares_work)?;
        let least = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX) / SHARE_OF_TIME;
        let run = self.executed + self.solved().min(self.executed);
        Some(least.saturating_add(run / SHARE))
    }

    /// Asks the backends, and counts what that takes.
    fn decide(&mut self, terms: &mut Terms, slice: &[Term], hint: Option<&Rc<Model>>) -> Answer {
        let (start, smt_nanos) = (Instant::now(), self.stats.smt_nanos);
        let (share, solved) = (self.share(), self.solved());
        let advance = ADVANCE.saturating_sub(self.advanced) / 2;
        let most = share.map(|share| share.saturating_add(advance));
        let brief = self.brief_work.filter(|_| self.effort == Effort::Brief);
        let answer = self.decide_in_turn(terms, slice, hint, most.into_iter().chain(brief).chain(self.most_work).min());
        if let Some(share) = share {
            self.advanced += self.solved().saturating_sub(solved).saturating_sub(share);
        }
        self.stats.sat_nanos += start.elapsed().as_nanos() as u64 - (self.stats.smt_nanos - smt_nanos);
        let counts = self.sat.counts();
        self.stats.solver_resets = counts.resets + self.smt.restarts();
        (self.stats.variables, self.stats.clauses) = (counts.variables, counts.clauses);
        (self.stats.conflicts, self.stats.ticks) = (counts.conflicts, counts.ticks);
        self.stats.work = self.decided();
        answer
    }

    /// Asks the backends, one after the other, and before them what is quicker.
    /// All of it may cost `work`, if that is limited.
    fn decide_in_turn(
        &mut self,
        terms: &mut Terms,
        slice: &[Term],
        hint: Option<&Rc<Model>>,
        work: Option<u64>,
    ) -> Answer {
        let start = Instant::now();
        self.stage = Stage::Sat;
        let end = self.config.max_query_time.map(|limit| start + limit);
        let deadline = [end, self.deadline].into_iter().flatten().min();
        let conflicts = if self.effort == Effort::Full { self.config.sat_conflict_budget } else { BRIEF_CONFLICTS };
        let mut limits = Limits { conflicts: Some(conflicts), work, deadline, stop: self.stop.clone() };
        if limits.expired() {
            return Answer::Unknown(Reason::Timeout);
        }
        let base = hint.map(|hint| &**hint);
        if self.config.stages.boxes
            && let Some(found) = self.boxes.decide(terms, slice, base)
        {
            self.stage = Stage::Boxes;
            return found;
        }
        let mut answer = Answer::Unknown(Reason::Unsupported(Unanswerable::NoBackend));
        let most = work.unwrap_or(u64::MAX).saturating_mul(TOO_MUCH);
        let estimate = if self.config.stages.sat { self.sat.estimate(terms, slice, most) } else { 0 };
        if self.config.stages.sat {
            if self.config.use_smt && self.config.max_query_time.is_some() {
                // Leave the other backend some time.
                limits.deadline = deadline.map(|end| start + end.saturating_duration_since(start) / 2);
            }
            if self.config.stages.cases
                && estimate > LEAST_WORK
                && let Some(found) = self.cases.decide_all(terms, slice, base, estimate)
            {
                self.stage = Stage::Cases;
                return found;
            }
            let most = if self.effort == Effort::Least { LEAST_WORK } else { LITTLE_WORK };
            if estimate <= most {
                answer = self.sat.probe(terms, slice, &limits);
            }
        }
        if self.effort == Effort::Least {
            return answer;
        }
        if self.config.stages.cases
            && matches!(answer, Answer::Unknown(_))
            && let Some(found) = self.cases.decide(terms, slice, base)
        {
            self.stage = Stage::Cases;
            return found;
        }
        let is_too_large = estimate > most;
        if is_too_large {
            answer = Answer::Unknown(Reason::Budget);
            if self.effort == Effort::Brief || self.advanced >= ADVANCE {
                return answer;
            }
            self.advanced += LARGE_COST;
        }
        if self.config.stages.sat && !is_too_large {
            if estimate > LITTLE_WORK || matches!(answer, Answer::Unknown(Reason::Budget)) {
                answer = self.sat.check(terms, slice, &limits);
            }
            self.record(terms, slice, &answer, start, "sat");
        }
        limits.deadline = deadline;
        // What was too much for one is too much for the other.
        let is_over = work.is_some() && !is_too_large && matches!(answer, Answer::Unknown(Reason::Budget));
        if let Answer::Unknown(reason) = &answer
            && !is_over
            && self.config.use_smt
            && self.effort == Effort::Full
            && !limits.expired()
        {
            let first = reason.clone();
            let start = Instant::now();
            self.stage = Stage::Smt;
            self.stats.fell_over += 1;
            // Its own count of steps does not stop it everywhere.
            let end = work.map(|work| start + PROCESS_GRACE * Duration::from_nanos(work));
            limits.deadline = [deadline, end].into_iter().flatten().min();
            answer = self.smt.check(terms, slice, &limits);
            self.stats.smt_nanos += start.elapsed().as_nanos() as u64;
            self.record(terms, slice, &answer, start, "smt");
            // That the second one is missing says less than why the first one gave up.
            if let (Answer::Unknown(Reason::Failed(_)), Reason::Budget | Reason::Timeout) = (&answer, &first) {
                answer = Answer::Unknown(first);
            }
        }
        answer
    }

    fn record(&mut self, terms: &mut Terms, slice: &[Term], answer: &Answer, start: Instant, backend: &str) {
        if let Some(log) = &mut self.log {
            log.record(terms, slice, answer, start.elapsed(), backend);
        }
    }
}
