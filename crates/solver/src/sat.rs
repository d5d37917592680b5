//! The SAT backend: the bit-blaster on CaDiCaL, incrementally, under assumptions.
//!
//! Each constraint is one literal, and a query assumes the literals of its constraints: what a
//! failed query did not need is its core, and everything learnt stays valid for the next one.
//! CaDiCaL runs without inprocessing (`plain`, `lucky` off), for queries are many and small. With
//! `ilb` the trail of the assumptions that a query shares with the one before is kept, so
//! constraints come oldest first. With `reverse` it decides old variables first, which are the
//! inputs: then circuits propagate forwards, and those that nobody asks about never conflict. On a
//! stream of queries about a running hash this takes a tenth of the conflicts and a quarter of the
//! ticks; no other option mattered.
//!
//! A satisfiable query assigns every variable of the solver, those of constraints that nobody asks
//! about any more too, and does so again after conflicts; that is what makes one solver for
//! everything slow. So there are several solvers, each used for the queries that share constraints
//! with what it has. One that has become mostly dead weight is replaced (see
//! [`Session::is_stale`]), one that is much larger than a query is not asked, and a query that
//! needs more than a few conflicts gets a solver of its own unless it is most of one.

use crate::blast::{Blaster, Lit, Refusal};
use crate::{Answer, Backend, Limits, Reason, SolverFailure, Unanswerable};
use espalier_expr::{Bv, Model, Term, Terms};
use rustc_hash::FxHashMap;
use rustsat::solvers::{ControlSignal, Solve, SolveIncremental, SolverResult, Terminate};
use rustsat::types::{Lit as SatLit, TernaryVal};
use rustsat_cadical::{CaDiCaL, Config, Limit, Statistic};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Circuits larger than this are left to another backend.
const MAX_VARIABLES: u32 = 1_000_000;

/// How many solvers are kept.
const SESSIONS: usize = 4;

/// A solver with more variables than this is asked only if the query has a part of them that is
/// not less than one in [`LARGEST_PART`].
const LARGE: u32 = 20_000;
const LARGEST_PART: u32 = 8;

/// Conflicts of a query in a solver that others use too. Propagation alone answers most.
const FIRST_CONFLICTS: u64 = 2;

/// What one conflict costs, in nanoseconds, for each variable of the solver; what a variable costs to
/// make; and a tick of CaDiCaL's.
const CONFLICT_COST: u64 = 200;
const VARIABLE_COST: u64 = 1500;
const TICK_COST: u64 = 50;

/// A solver is replaced when the dead variables that its satisfiable queries had to assign add up
/// to this many times the variables of a query. Measured on streams of 30,000 and 60,000 queries
/// that jump about the tree, in ticks: from 128 to 1024 it makes no difference; 32 loses a tenth to
/// relearning, never replacing loses a fifth to a third.
const PATIENCE: u64 = 400;

/// What has been made since the start.
#[derive(Copy, Clone, Default, Debug)]
pub struct Counts {
    pub resets: u64,
    pub variables: u64,
    pub clauses: u64,
    pub conflicts: u64,
    /// CaDiCaL's deterministic measure of time: cache lines visited.
    pub ticks: u64,
}

/// The bit-blaster on CaDiCaL.
pub struct SatBackend {
    seed: u64,
    sessions: Vec<Session>,
    clock: u64,
    counts: Counts,
}

impl SatBackend {
    pub fn new(seed: u64) -> SatBackend {
        SatBackend { seed, sessions: Vec::new(), clock: 0, counts: Counts::default() }
    }

    /// Forgets all that was asked; what was counted goes on.
    pub fn forget(&mut self) {
        self.sessions.clear();
    }

    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// The work that was done, in nanoseconds of a machine of our own.
    pub fn cost_of(counts: &Counts) -> u64 {
        VARIABLE_COST * counts.variables + TICK_COST * counts.ticks
    }

    /// The session that has most of the constraints already; a new one if none has any.
    fn choose(&mut self, terms: &Terms, constraints: &[Term]) -> usize {
        self.clock += 1;
        let mut best: Option<(usize, usize)> = None;
        for (i, session) in self.sessions.iter().enumerate() {
            let known = constraints.iter().filter(|c| session.blaster.knows(**c)).count();
            if session.is_too_large(terms, constraints) {
                continue;
            }
            let newer =
                best.is_none_or(|(b, k)| known > k || (known == k && session.last_used > self.sessions[b].last_used));
            if newer {
                best = Some((i, known));
            }
        }
        let at = match best {
            Some((at, known)) if known > 0 || constraints.len() < 2 => at,
            _ => self.fresh(),
        };
        if self.sessions[at].is_stale() || self.sessions[at].broken {
            self.replace(at);
        }
        self.sessions[at].last_used = self.clock;
        at
    }

    /// An empty session, in place of the one that was not used for longest if need be.
    fn fresh(&mut self) -> usize {
        if self.sessions.len() < SESSIONS {
            self.sessions.push(Session::new(self.seed));
            return self.sessions.len() - 1;
        }
        let oldest = (0..self.sessions.len()).min_by_key(|&i| self.sessions[i].last_used).unwrap_or(0);
        self.replace(oldest);
        oldest
    }

    /// About how much work it would be to put a query to a solver that has most of it already, as
    /// far as it matters that it is no more than `most`.
    pub fn estimate(&mut self, terms: &Terms, constraints: &[Term], most: u64) -> u64 {
        let at = self.choose(terms, constraints);
        let variables = self.sessions[at].blaster.estimate(terms, constraints, most / VARIABLE_COST);
        VARIABLE_COST * variables
    }

    /// As [`Backend::check`], but with a few conflicts only, where other queries were asked before.
    pub fn probe(&mut self, terms: &mut Terms, constraints: &[Term], limits: &Limits) -> Answer {
        let at = self.choose(terms, constraints);
        let few = limits.conflicts.map_or(FIRST_CONFLICTS, |most| most.min(FIRST_CONFLICTS));
        let first = Limits { conflicts: Some(few), ..limits.clone() };
        let answer = self.sessions[at].check(terms, constraints, &first, &mut self.counts);
        self.clear_up(at, limits);
        answer
    }

    /// Gives a session up that is of no use any more. Giving a large one back takes time, which
    /// there is none of when the run is stopped.
    fn clear_up(&mut self, at: usize, limits: &Limits) {
        if self.sessions[at].broken && !limits.stop.is_asked() {
            self.replace(at);
        }
    }

    fn replace(&mut self, at: usize) {
        self.counts.resets += 1;
        self.sessions[at] = Session::new(self.seed);
    }
}

impl Backend for SatBackend {
    fn check(&mut self, terms: &mut Terms, constraints: &[Term], limits: &Limits) -> Answer {
        let mut at = self.choose(terms, constraints);
        if !self.sessions[at].is_mostly(terms, constraints) {
            at = self.fresh();
            self.sessions[at].last_used = self.clock;
        }
        let used = self.sessions[at].blaster.variables() > 0;
        let first = Limits { conflicts: limits.conflicts.map(|c| if used { c / 4 } else { c }), ..limits.clone() };
        let mut answer = self.sessions[at].check(terms, constraints, &first, &mut self.counts);
        if used && matches!(answer, Answer::Unknown(Reason::Budget)) {
            // It may be what else is in there that is too hard or too large.
            self.replace(at);
            self.sessions[at].last_used = self.clock;
            answer = self.sessions[at].check(terms, constraints, limits, &mut self.counts);
        }
        self.clear_up(at, limits);
        answer
    }

    fn name(&self) -> &str {
        "cadical"
    }
}

/// What the terminator looks at while CaDiCaL runs.
#[derive(Default)]
struct Watch {
    limits: RefCell<Limits>,
    calls: Cell<u32>,
    struck: Cell<bool>,
}

impl Watch {
    fn signal(&self) -> ControlSignal {
        // Reading the clock costs more than the decisions in between.
        self.calls.set(self.calls.get() + 1);
        let limits = self.limits.borrow();
        if limits.stop.is_asked() || self.calls.get().is_multiple_of(16) && limits.expired() {
            self.struck.set(true);
        }
        if self.struck.get() { ControlSignal::Terminate } else { ControlSignal::Continue }
    }
}

/// One CaDiCaL with what has been translated into it.
struct Session {
    solver: CaDiCaL<'static, 'static>,
    blaster: Blaster,
    watch: Rc<Watch>,
    last_used: u64,
    /// Dead variables assigned by satisfiable queries, added up.
    wasted: u64,
    /// Variables of a query, as counted when the session had `counted_at` variables.
    live: u32,
    counted_at: u32,
    queries: u32,
    broken: bool,
}

impl Session {
    fn new(seed: u64) -> Session {
        let mut solver = CaDiCaL::default();
        let watch = Rc::new(Watch::default());
        let options = [("lucky", 0), ("ilb", 1), ("phase", 0), ("reverse", 1), ("seed", (seed % 2_000_000_000) as i32)];
        let mut configured = solver.set_configuration(Config::Plain).is_ok();
        for (name, value) in options {
            configured &= solver.set_option(name, value).is_ok();
        }
        debug_assert!(configured, "CaDiCaL does not know one of our options");
        let watched = watch.clone();
        solver.attach_terminator(move || watched.signal());
        Session {
            solver,
            blaster: Blaster::new(MAX_VARIABLES),
            watch,
            last_used: 0,
            wasted: 0,
            live: 0,
            counted_at: 0,
            queries: 0,
            broken: false,
        }
    }

    /// Notes what a satisfiable query had to assign for nothing.
    fn account(&mut self, terms: &Terms, constraints: &[Term]) {
        let variables = self.blaster.variables();
        self.queries += 1;
        // Counting walks the query's terms: not every time.
        if variables > self.counted_at + self.counted_at / 8 || self.queries.is_multiple_of(8) {
            self.live = self.blaster.live_variables(terms, constraints);
            self.counted_at = variables;
        }
        self.wasted += variables.saturating_sub(self.live) as u64;
    }

    /// Whether the query is a small part of what a satisfiable one has to assign.
    fn is_too_large(&self, terms: &Terms, constraints: &[Term]) -> bool {
        let variables = self.blaster.variables();
        variables > LARGE && self.blaster.live_variables(terms, constraints) < variables / LARGEST_PART
    }

    /// Whether the query is at least half of what there is.
    fn is_mostly(&self, terms: &Terms, constraints: &[Term]) -> bool {
        let variables = self.blaster.variables();
        variables == 0 || self.blaster.live_variables(terms, constraints) >= variables / 2
    }

    /// Whether it has cost more than starting again would.
    fn is_stale(&self) -> bool {
        self.wasted > PATIENCE * self.live as u64 + 20_000
    }

    fn check(&mut self, terms: &Terms, constraints: &[Term], limits: &Limits, counts: &mut Counts) -> Answer {
        let variables = self.blaster.variables();
        let most = limits.work.map_or(MAX_VARIABLES, |work| u32::try_from(work / VARIABLE_COST).unwrap_or(u32::MAX));
        self.blaster.limit_to(variables.saturating_add(most).min(MAX_VARIABLES));
        let assumed = self.translate(terms, constraints, limits);
        counts.variables += (self.blaster.variables() - variables) as u64;
        match self.load(limits, counts) {
            Ok(true) => {}
            Ok(false) => return Answer::Unknown(Reason::Timeout),
            Err(error) => return self.fail(error),
        }
        let assumed = match assumed {
            Ok(assumed) => assumed,
            Err(answer) => return answer,
        };
        let literals: Vec<SatLit> = assumed.iter().map(|&(literal, _)| to_sat(literal)).collect();
        match self.solve(&literals, limits, counts) {
            Err(error) => self.fail(error),
            Ok(SolverResult::Sat) => {
                self.account(terms, constraints);
                match self.model(terms, constraints) {
                    Ok(model) => Answer::Sat(Rc::new(model)),
                    Err(error) => self.fail(error),
                }
            }
            Ok(SolverResult::Unsat) => match self.solver.core().map_err(describe) {
                // The core has the literals that cannot all hold, negated.
                Ok(core) => {
                    let failed: FxHashMap<SatLit, ()> = core.into_iter().map(|l| (!l, ())).collect();
                    let members = assumed.iter().filter(|&&(literal, _)| failed.contains_key(&to_sat(literal)));
                    Answer::Unsat(members.map(|&(_, constraint)| constraint).collect())
                }
                Err(error) => self.fail(error),
            },
            Ok(SolverResult::Interrupted) if self.watch.struck.get() => Answer::Unknown(Reason::Timeout),
            Ok(SolverResult::Interrupted) => Answer::Unknown(Reason::Budget),
        }
    }

    /// The literals to assume, each with its constraint; or the answer, if the circuits alone give
    /// it.
    fn translate(&mut self, terms: &Terms, constraints: &[Term], limits: &Limits) -> Result<Vec<(Lit, Term)>, Answer> {
        let mut assumed: Vec<(Lit, Term)> = Vec::with_capacity(constraints.len());
        let mut seen: FxHashMap<u32, (Lit, Term)> = FxHashMap::default();
        for &constraint in constraints {
            let literal = self.blaster.literal(terms, constraint, limits).map_err(|refusal| {
                // A half-built circuit of that size is of no use to anybody.
                self.broken |= refusal == Refusal::TooLarge;
                Answer::Unknown(match refusal {
                    Refusal::Operator(op) => Reason::Unsupported(Unanswerable::Operator(op)),
                    Refusal::TooLarge => Reason::Budget,
                    Refusal::Late => Reason::Timeout,
                })
            })?;
            match literal.as_const() {
                Some(true) => continue,
                Some(false) => return Err(Answer::Unsat(vec![constraint])),
                None => {}
            }
            match seen.insert(literal.variable(), (literal, constraint)) {
                None => assumed.push((literal, constraint)),
                Some((other, _)) if other == literal => {}
                Some((_, other)) => return Err(Answer::Unsat(vec![other, constraint])),
            }
        }
        Ok(assumed)
    }

    /// Gives the new clauses to CaDiCaL. If time is up before all of them are there, the session is
    /// of no use any more.
    fn load(&mut self, limits: &Limits, counts: &mut Counts) -> Result<bool, String> {
        let mut result = Ok(());
        let mut late = false;
        let mut clause: Vec<SatLit> = Vec::new();
        let solver = &mut self.solver;
        self.blaster.drain_clauses(|literals| {
            clause.clear();
            clause.extend(literals.iter().map(|&l| to_sat(l)));
            counts.clauses += 1;
            late |= counts.clauses.is_multiple_of(1024) && limits.stop.is_asked();
            if result.is_ok() && !late {
                result = solver.add_clause_ref(clause.as_slice()).map_err(describe);
            }
        });
        self.broken |= late;
        result.map(|()| !late)
    }

    fn solve(&mut self, assumptions: &[SatLit], limits: &Limits, counts: &mut Counts) -> Result<SolverResult, String> {
        *self.watch.limits.borrow_mut() = limits.clone();
        self.watch.struck.set(false);
        let by_work = limits.work.map(|work| work / (CONFLICT_COST * u64::from(self.blaster.variables()) + 1) + 16);
        let budget = [limits.conflicts, by_work].into_iter().flatten().min();
        let budget = budget.map_or(-1, |c| i32::try_from(c).unwrap_or(i32::MAX));
        self.solver.set_limit(Limit::Conflicts(budget)).map_err(describe)?;
        let conflicts = self.solver.get_statistic(Statistic::Conflicts);
        let ticks = self.solver.get_statistic(Statistic::Ticks);
        let result = self.solver.solve_assumps(assumptions).map_err(describe)?;
        counts.conflicts += self.solver.get_statistic(Statistic::Conflicts) - conflicts;
        counts.ticks += self.solver.get_statistic(Statistic::Ticks) - ticks;
        Ok(result)
    }

    fn model(&mut self, terms: &Terms, constraints: &[Term]) -> Result<Model, String> {
        let mut vars: Vec<Term> = Vec::new();
        for &constraint in constraints {
            vars.extend_from_slice(&terms.vars_of(constraint));
        }
        vars.sort_unstable();
        vars.dedup();
        let mut model = Model::new();
        for var in vars {
            // A variable that was folded away, or is out of the reach of all reads, may have any
            // value.
            let Some(bits) = self.blaster.bits(terms, var) else {
                continue;
            };
            let mut value: Option<Bv> = None;
            for chunk in bits.chunks(64) {
                let mut word = 0;
                for (i, &bit) in chunk.iter().enumerate() {
                    let set = self.solver.lit_val(to_sat(bit)).map_err(describe)? == TernaryVal::True;
                    word |= (set as u64) << i;
                }
                let word = Bv::from_u64(word, chunk.len() as u32);
                value = Some(match value {
                    None => word,
                    Some(low) => Bv::concat(&word, &low),
                });
            }
            if let Some(value) = value {
                model.set_bv(var, value);
            }
        }
        Ok(model)
    }

    /// CaDiCaL itself failed: out of memory, in practice.
    fn fail(&mut self, error: String) -> Answer {
        self.broken = true;
        Answer::Unknown(Reason::Failed(SolverFailure::CaDiCaL(error)))
    }
}

fn describe(error: impl std::fmt::Display) -> String {
    format!("{error:#}")
}

fn to_sat(literal: Lit) -> SatLit {
    debug_assert!(!literal.is_const());
    SatLit::new(literal.variable() - 1, literal.is_negative())
}
