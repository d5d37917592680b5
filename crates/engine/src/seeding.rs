//! Following given inputs before the searcher chooses.
//!
//! The open states split the inputs among them: at most one of them has a path condition that a
//! seed satisfies. That one is run first, and at each fork the alternative that the seed satisfies.
//! What the other alternatives are is left to the searcher, so that seeds decide where a run begins
//! and nothing else. KLEE carries seeds along with states and asks the solver at every branch;
//! evaluating the path condition does the same without it.

use espalier_exec::{GivenInputs, State};
use espalier_expr::{Model, Term, Terms};
use espalier_search::StateId;
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use std::rc::Rc;

/// The seeds that are left, and the state on the path of the first one.
pub(crate) struct Seeding {
    seeds: VecDeque<GivenInputs>,
    follower: Follower,
    current: Option<StateId>,
    /// If one state is guided, and no other: the instructions that are left to it.
    left: Option<u64>,
}

impl Seeding {
    pub(crate) fn new(seeds: Vec<GivenInputs>) -> Option<Seeding> {
        let mut seeds = VecDeque::from(seeds);
        let follower = Follower::new(seeds.pop_front()?);
        Some(Seeding { seeds, follower, current: None, left: None })
    }

    /// Has one state go where these inputs lead, for so many instructions.
    pub(crate) fn guide(state: StateId, inputs: Rc<Model>, instructions: u64) -> Seeding {
        let follower = Follower { source: Source::Known(inputs), ..Follower::new(GivenInputs::default()) };
        Seeding { seeds: VecDeque::new(), follower, current: Some(state), left: Some(instructions) }
    }

    /// Is it one that was guided?
    pub(crate) fn is_guide(&self) -> bool {
        self.left.is_some()
    }

    /// The state on the path executed so many instructions.
    pub(crate) fn executed(&mut self, instructions: u64) {
        if let Some(left) = &mut self.left {
            *left = left.saturating_sub(instructions);
            if *left == 0 {
                self.current = None;
            }
        }
    }

    /// The state on the seed's path.
    pub(crate) fn current(&self) -> Option<StateId> {
        self.current
    }

    /// Finds the state on the path of the first seed that has one among `open`; `false` when no
    /// seed is left.
    pub(crate) fn advance<'a>(
        &mut self,
        terms: &Terms,
        open: impl Fn() -> Box<dyn Iterator<Item = (StateId, &'a State)> + 'a>,
    ) -> bool {
        if self.is_guide() {
            return false;
        }
        loop {
            self.current = open().find(|(_, state)| self.follower.leads_to(terms, state)).map(|(id, _)| id);
            if self.current.is_some() {
                return true;
            }
            match self.seeds.pop_front() {
                Some(seed) => self.follower = Follower::new(seed),
                None => return false,
            }
        }
    }

    /// The state on the path forked into these: goes on with the alternative that the seed takes.
    pub(crate) fn forked<'a>(&mut self, terms: &Terms, alternatives: impl Iterator<Item = (StateId, &'a State)>) {
        let mut alternatives = alternatives;
        self.current = alternatives.find(|(_, state)| self.follower.leads_to(terms, state)).map(|(id, _)| id);
    }

    /// The state is over.
    pub(crate) fn ended(&mut self, id: StateId) {
        if self.current == Some(id) {
            self.current = None;
        }
    }
}

/// Where inputs come from.
enum Source {
    Given(GivenInputs),
    Known(Rc<Model>),
}

/// One seed, as values for the variables that it was asked about.
struct Follower {
    source: Source,
    model: Model,
    known: FxHashSet<Term>,
    /// Constraints that the seed satisfies: paths share most of theirs.
    holding: FxHashSet<Term>,
}

impl Follower {
    fn new(seed: GivenInputs) -> Follower {
        Follower {
            source: Source::Given(seed),
            model: Model::new(),
            known: FxHashSet::default(),
            holding: FxHashSet::default(),
        }
    }

    /// Does the seed satisfy the path condition?
    fn leads_to(&mut self, terms: &Terms, state: &State) -> bool {
        state.path_condition().iter().all(|condition| self.satisfies(terms, condition))
    }

    fn satisfies(&mut self, terms: &Terms, condition: Term) -> bool {
        if self.holding.contains(&condition) {
            return true;
        }
        for &var in terms.vars_of(condition).iter() {
            if self.known.insert(var) {
                let value = match &self.source {
                    Source::Given(seed) => seed.value(terms, var),
                    Source::Known(inputs) => terms.eval(var, inputs),
                };
                self.model.set_bv(var, value);
            }
        }
        let holds = terms.eval(condition, &self.model).to_u64() == Some(1);
        if holds {
            self.holding.insert(condition);
        }
        holds
    }
}
