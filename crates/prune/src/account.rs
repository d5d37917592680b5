//! What pruning costs against what it saves, in counted work: where it does not pay it pauses.
//!
//! Every interpolant carries its *worth*: the work that was done below its node, or would have been
//! without other interpolants. A state that it speaks for saves that much. Where paths meet again
//! and again, worth doubles from level to level; where they do not, it stays tiny, however often
//! look-ups succeed.
//!
//! Learning and looking up may cost what they saved, an eighth of all other work, a little of what
//! the open states will cost at least, and a trial. When the account is overdrawn, nothing is learnt
//! or looked up until other work has caught up: so a run takes at most 9/8 of what it would take
//! without pruning, and the trial, as far as the estimates are fair. Fingerprints, which find states that were met before, have an account of their
//! own. Work is counted, not timed, so that a run can be repeated.

use espalier_exec::Executor;

/// What is spent in any case: about a tenth of a second.
const TRIAL: u64 = 600_000;

/// What may be spent of other work, and of what is to come: as much for each open state as paths
/// took so far. A long first path tells nothing before its end, which is the dearest to learn from,
/// and a pause loses all that is above.
const SHARE: u64 = 8;
const SHARE_TO_COME: u64 = 32;

/// What one question to the solver may cost of what is left.
const QUESTION: u64 = 16;

/// No subtree counts more.
const MOST_WORTH: u64 = 1 << 48;

/// What things cost, in instructions.
const FORK: u64 = 40;
const NODE: u64 = 200;
const COVERED_NODE: u64 = 40;
const LOOK_UP: u64 = 30;
const COMPARISON: u64 = 8;
const REPLAYED_INSTRUCTION: u64 = 6;
const PART: u64 = 3;
/// So many nanoseconds of the solver's counted work cost one.
const NANOS: u64 = 30;
const FINGERPRINT: u64 = 100;
const FINGERPRINTED_BYTES: u64 = 4;

/// What may be spent on fingerprints in any case, and which part of other work then.
const FINGERPRINT_TRIAL: u64 = 300_000;
const FINGERPRINT_SHARE: u64 = 20;
/// How many alternatives of forks a state that was met before saves.
const REPEAT: u64 = 16;

/// The same for looking at the other sides of decisions.
const SPECULATION_TRIAL: u64 = 150_000;
const SPECULATION_SHARE: u64 = 16;

#[derive(Clone, Default, Debug)]
pub struct Account {
    /// Learning and looking up, and what of this the solver did, in its own measure.
    spent: u64,
    solved: u64,
    speculated: u64,
    saved: u64,
    fingerprints: u64,
    is_paused: bool,
    /// Does somebody else want nothing to be learnt for now?
    is_held: bool,
    pauses: u64,
    /// Paths that ended, and states that are open.
    ended: u64,
    open: u64,
    /// For tests: pauses come and go by chance, as this says.
    forced: Option<u64>,
}

/// What execution costs, with what the solver does for it.
pub fn work(instructions: u64, forks: u64, solved: u64) -> u64 {
    instructions + FORK * forks + solved / NANOS
}

/// How much was done when something began that is to be charged.
pub struct Mark {
    replayed: u64,
    parts: u64,
    solved: u64,
    bytes: u64,
}

impl Mark {
    /// The work since then.
    pub fn work(&self, executor: &Executor) -> u64 {
        let now = Account::mark(executor);
        REPLAYED_INSTRUCTION * (now.replayed - self.replayed)
            + PART * (now.parts - self.parts)
            + (now.solved - self.solved) / NANOS
    }
}

impl Account {
    pub fn new(forced: Option<u64>) -> Account {
        Account { forced, ..Account::default() }
    }

    pub fn mark(executor: &Executor) -> Mark {
        Mark {
            replayed: executor.replayed_instructions(),
            parts: executor.terms.parts_visited(),
            solved: executor.solver.stats().work,
            bytes: executor.fingerprinted_bytes(),
        }
    }

    /// Charges what was done since, for a node that was learnt from. Of this `speculated` was
    /// speculation, which has a budget of its own.
    pub fn charge_learning(&mut self, executor: &Executor, since: &Mark, speculated: u64) {
        self.charge(executor, since, NODE);
        self.spent = self.spent.saturating_sub(speculated);
        self.speculated += speculated;
    }

    /// Charges what was done since, for a node that something else speaks for.
    pub fn charge_covered(&mut self, executor: &Executor, since: &Mark) {
        self.charge(executor, since, COVERED_NODE);
    }

    pub fn charge_look_up(&mut self, executor: &Executor, since: &Mark, compared: u64) {
        self.charge(executor, since, LOOK_UP + COMPARISON * compared);
    }

    fn charge(&mut self, executor: &Executor, since: &Mark, base: u64) {
        self.solved += executor.solver.stats().work - since.solved;
        self.spent += base + since.work(executor);
    }

    /// What may be spent on speculation, all in all: it is tried, and a part of what else was done
    /// and of what was saved.
    pub fn for_speculation(&self, executor: &Executor) -> u64 {
        let deserved = self.other_work(executor) / SPECULATION_SHARE + self.saved / SPECULATION_SHARE;
        deserved.saturating_add(SPECULATION_TRIAL)
    }

    pub fn charge_fingerprint(&mut self, executor: &Executor, since: &Mark) {
        let now = Account::mark(executor);
        let bytes = (now.bytes - since.bytes) / FINGERPRINTED_BYTES;
        self.fingerprints += FINGERPRINT + bytes + PART * (now.parts - since.parts);
    }

    /// May another state be compared with those that were met? `repeated` of them were met before,
    /// each of which saves the work of many others.
    pub fn can_afford_a_fingerprint(&self, executor: &Executor, repeated: u64) -> bool {
        let work = self.other_work(executor);
        let saved = (work / (executor.stats.forks + 1)).saturating_mul(REPEAT).saturating_mul(repeated);
        self.fingerprints <= (FINGERPRINT_TRIAL + work / FINGERPRINT_SHARE).saturating_add(saved)
    }

    /// A state need not be explored, by something that has this worth.
    pub fn save(&mut self, executor: &Executor, worth: u64) {
        // What the solver had to do for an instruction so far, it would have had to do again.
        let instructions = executor.stats.instructions.max(1);
        let solving = worth.saturating_mul(self.other_solving(executor) / NANOS / instructions);
        self.saved = self.saved.saturating_add(worth).saturating_add(solving).min(MOST_WORTH);
    }

    fn other_solving(&self, executor: &Executor) -> u64 {
        executor.solver.stats().work.saturating_sub(self.solved)
    }

    fn other_work(&self, executor: &Executor) -> u64 {
        work(executor.stats.instructions, executor.stats.forks, self.other_solving(executor))
    }

    /// The worth of a node of which so many instructions were run, which forked or not, and below
    /// which there is so much.
    pub fn worth(instructions: u64, forked: bool, below: u64) -> u64 {
        below.saturating_add(instructions).saturating_add(FORK * u64::from(forked)).min(MOST_WORTH)
    }

    /// A path ended.
    pub fn note_end(&mut self) {
        self.ended += 1;
    }

    pub fn note_open(&mut self, states: u64) {
        self.open = states;
    }

    /// Looks whether to pause, or to go on, and how much a question to the solver may cost then.
    pub fn settle(&mut self, executor: &mut Executor) {
        let was_paused = self.is_paused;
        match &mut self.forced {
            Some(chance) => {
                *chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                self.is_paused ^= (*chance >> 60) == 0;
            }
            None => {
                let work = self.other_work(executor);
                let to_come = (work / (self.ended + 1)).saturating_mul(self.open);
                let allowed = self.saved.saturating_add(work / SHARE + to_come / SHARE_TO_COME);
                let overdraft = if self.is_paused { 0 } else { TRIAL };
                let allowed = allowed.saturating_add(overdraft);
                self.is_paused = self.spent > allowed;
                let left = allowed.saturating_sub(self.spent);
                executor.solver.limit_brief_checks(Some((left / QUESTION).saturating_mul(NANOS)));
            }
        }
        self.pauses += u64::from(self.is_paused && !was_paused);
    }

    /// Pauses until this is called again, whatever pruning would save.
    pub fn hold(&mut self, is_held: bool) {
        self.is_held = is_held;
    }

    pub fn is_paused(&self) -> bool {
        self.is_paused || self.is_held
    }

    pub fn pauses(&self) -> u64 {
        self.pauses
    }

    /// With speculation and fingerprints.
    pub fn spent(&self) -> u64 {
        self.spent + self.speculated + self.fingerprints
    }

    /// What of this the solver did, in its own measure.
    pub fn solved(&self) -> u64 {
        self.solved
    }

    pub fn saved(&self) -> u64 {
        self.saved
    }
}
