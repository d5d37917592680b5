//! Closing loops: where a path stops at a loop head again, [`espalier_loops`] may show that nothing
//! that is looked for is reachable from there. Then the node is finished as if something learnt
//! spoke for it; nothing is learnt from it. If it cannot, it may have come to an error in a state
//! that stands for many. That is a *lead*: the program itself is run on inputs that may lead there,
//! in no time because rounds are skipped, and what is found so is an error like any other.

use crate::engine::Engine;
use crate::metrics::work;
use crate::observer::Observer;
use crate::outcome::Stop;
use espalier_exec::{End, Executor, GivenInputs, Others, State, Step, ViolationKind};
use espalier_loops::{Question, Tried};
use espalier_search::StateId;

/// What a question costs besides what its decision does, in nanoseconds: trials ask many that are
/// decided at once.
const QUESTION: u64 = 100_000;

/// Instructions of a run that follows a lead, and more in this part of what the whole run has
/// executed; rounds that are skipped do not count.
const LEAD: u64 = 20_000;
const LEAD_SHARE: u64 = 16;

/// What a lead does not say, it is tried on so many random numbers for.
const RANDOM_TRIES: u64 = 4;

/// What was done so far, trials included.
pub(crate) fn work_with_questions(executor: &Executor) -> u64 {
    work(executor) + QUESTION * executor.solver.stats().queries
}

impl Engine {
    /// A path stopped at a loop head: if it has not forked for long, rounds are skipped.
    pub(crate) fn skip_rounds(&mut self, id: StateId) {
        let Some(trials) = self.trials.as_mut().filter(|_| self.seeding.is_none()) else { return };
        let state = &mut *self.states.open_mut(id).state;
        if self.executor.is_at_loop_head(state) && self.executor.is_in_long_loop(state) {
            trials.skip(&mut self.executor, state, u64::MAX);
        }
    }

    /// The same where a path is executed again, which forked or ended at `last`.
    pub(crate) fn skip_rounds_again(&mut self, state: &mut State, last: u64) {
        let Some(trials) = &mut self.trials else { return };
        if self.executor.is_at_loop_head(state) && self.executor.is_in_long_loop(state) {
            let script = self.executor.take_script();
            trials.skip(&mut self.executor, state, last.saturating_sub(state.instructions()));
            self.executor.put_script(script);
        }
        self.executor.note_look_up(state);
    }

    /// Is it shown that nothing that is looked for is reachable from a state, which is new?
    pub(crate) fn closes_loop(&mut self, id: StateId) -> bool {
        let Some(trials) = &mut self.trials else { return false };
        let open = self.states.open(id);
        if open.life.is_some() || self.seeding.is_some() || !self.executor.is_at_loop_head(&open.state) {
            return false;
        }
        let only = self.config.only;
        let asks_for = move |executor: &Executor, kind: ViolationKind| {
            only.asks_for(kind) || only == crate::Only::Targets && executor.wants_errors()
        };
        let question = Question {
            is_asked: &|executor, violation| asks_for(executor, violation.kind()),
            work: work_with_questions,
        };
        match trials.try_at(&mut self.executor, &question, &open.state) {
            Tried::Closed => true,
            Tried::Open(lead) => {
                if lead.is_some() && lead != self.last_lead {
                    self.lead = lead;
                }
                false
            }
        }
    }

    /// Runs the program on inputs that may lead to what is looked for, if there are any.
    pub(crate) fn follow_lead(&mut self, observer: &mut dyn Observer) -> Result<(), Stop> {
        let Some(lead) = self.lead.take() else { return Ok(()) };
        self.last_lead = Some(lead.clone());
        let others = (0..RANDOM_TRIES).map(Others::Random);
        for others in std::iter::once(Others::Repeated).chain(others) {
            if let Some((state, end)) = self.run_on(lead.clone().with_others(others))? {
                self.end(&state, end, observer)?;
                return Ok(());
            }
        }
        Ok(())
    }

    /// Runs the program on these inputs, until it ends or has gone too far.
    fn run_on(&mut self, inputs: GivenInputs) -> Result<Option<(State, End)>, Stop> {
        let Ok(mut state) = self.executor.initial_state(self.entry) else { return Ok(None) };
        self.executor.give(&mut state, inputs);
        let allowed = LEAD + self.executor.stats.instructions / LEAD_SHARE;
        let mut left = allowed.min(self.instructions_left()?);
        while left > 0 {
            self.require_time()?;
            let before = self.executor.stats.instructions;
            let step = self.executor.run(&mut state, left.min(self.clock.budget()));
            left = left.saturating_sub(self.executor.stats.instructions - before);
            if self.executor.was_cut_short() {
                return Ok(None);
            }
            match step {
                Step::Budget | Step::Entered => {}
                Step::Join => {
                    if let Some(trials) = &mut self.trials
                        && self.executor.is_at_loop_head(&state)
                        && self.executor.is_in_long_loop(&state)
                    {
                        trials.skip(&mut self.executor, &mut state, u64::MAX);
                    }
                    self.executor.note_look_up(&mut state);
                }
                // What the inputs do not decide, memory that is used up, goes on as it usually does.
                Step::Fork(children) => {
                    let wanted = children.into_iter().find_map(|child| {
                        let end = child.end.filter(|end| self.is_wanted(end))?;
                        Some((*child.state, end))
                    });
                    if wanted.is_some() {
                        return Ok(wanted);
                    }
                }
                Step::End(end) => return Ok(Some((state, end)).filter(|(_, end)| self.is_wanted(end))),
            }
        }
        Ok(None)
    }

    fn is_wanted(&self, end: &End) -> bool {
        matches!(end, End::Violation(violation) if self.asks_for(violation.kind()))
    }
}
