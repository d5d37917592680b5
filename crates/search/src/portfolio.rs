//! Depth first, breadth first and a random path on one tree, for runs that are after a proof or an
//! error, whichever there is.
//!
//! Depth first proves: it finishes subtrees, and what prunes is learnt from finished subtrees. But
//! it never returns from an endless loop, and an error right behind the loop is not found. Breadth
//! first finds what is shallow, and a random path some of what is deep, but neither finishes
//! anything for long. So each of them is a *leg* with a share of the work, which is counted
//! ([`Metrics::work`]) and not timed, so that a run can be repeated:
//!
//! - Depth first alone has a head start, unless it forks and forks and nothing ends: small programs
//!   are done before others would help.
//! - Then it has 15/16 of the work: what the others open has to be finished too, far from what was
//!   learnt last, so that a proof takes at most 4/3 of what it takes depth first.
//! - Its *progress* is looked at in windows of 2,000 states that it forks. If fewer than one in
//!   fifty ended and none was met before, it is likely to be in an endless loop, and its share is
//!   halved, to 1/8 at least.
//! - When it comes back to a state that is older than the window, a subtree above is finished: the
//!   share is restored. What the others had in excess until then they give back: for a while, depth
//!   first has nearly all.
//! - States are heavy. If depth first has forked more than a quarter of those that there is room
//!   for, it stands still until the others have ended some.
//!
//! With targets there is a fourth leg, which goes by turns to the nearest one and to the one that is
//! in focus ([`Portfolio::directed`], [`Focused`]). It
//! begins sooner and takes more, because a target that can be reached is what a proof would be
//! about to miss. When what is near has changed, for instance because paths to targets became
//! known, it is alone for a while.
//!
//! And before all others there can be a *sprint*: this leg and a random path in turns, of which
//! nothing is learnt. Learning can cost many times what execution does, and helps only those who
//! finish what they explore. How long the sprint is depends on how far the nearest target is: behind
//! much code it is less likely that all is explored. A program of a few lines is finished sooner if
//! learning begins with its first path; there is no sprint then.
//!
//! All legs know all open states, and any of them may run any state: what is open is counted in the
//! tree, so a proof does not depend on who finished what. Legs change after a stint, and not after
//! each turn, because what is in the caches of solver and processor serves neighbours.

use crate::shallowest::Shallowest;
use crate::{Batch, Dfs, Focused, Metrics, Needs, RandomPath, Searcher, StateId, Turn};
use std::time::Duration;

const DEPTH_FIRST: usize = 0;
const BREADTH_FIRST: usize = 1;
const RANDOM_PATH: usize = 2;
/// If there are targets.
const NEAREST: usize = 3;
const LEGS: usize = 4;

type Shares = [u32; LEGS];

/// What the sprint may take, for the square of how many instructions the shortest way to a target
/// has: on a long way each path takes longer, and there are more of them. What it leaves open has
/// to be finished without what could have been learnt above, so a short one is not worth it.
const SPRINT_FOR_A_STEP: Duration = Duration::from_micros(25);
const SHORTEST_SPRINT: Duration = Duration::from_millis(100);
const LONGEST_SPRINT: Duration = Duration::from_secs(1);
/// What depth first does alone, in the beginning: so much work, or so many forks of which next to
/// nothing ends.
const HEAD_START: Duration = Duration::from_secs(1);
const HEAD_START_WITH_TARGETS: Duration = Duration::from_millis(250);
const FIRST_WINDOW: u64 = 16_000;
/// What the leg that goes to targets does alone when what is near has changed.
const BURST: Duration = Duration::from_millis(250);
/// What a leg does before another one is asked.
const STINT: Duration = Duration::from_millis(1);
/// Instructions of a turn that is not breadth first.
const TURN: u64 = 10_000;

/// Of 64 parts.
const WHOLE: u32 = 64;
const FIRST_SHARE: u32 = 60;
const FIRST_SHARE_WITH_TARGETS: u32 = 40;
const LEAST_SHARE: u32 = 8;
/// The share of depth first while the others give back what they had in excess.
const REPAID_SHARE: u32 = 62;

/// States that are forked depth first, until it is looked whether that leads anywhere.
const WINDOW: u64 = 2_000;
/// One in so many has to end.
const PROGRESS: u64 = 50;
/// The part of the room for states that depth first may take.
const LEASH: u64 = 4;

pub struct Portfolio {
    depth_first: Dfs,
    breadth_first: Shallowest,
    random_path: RandomPath,
    nearest: Option<Focused>,
    /// What the sprint takes, and whether it is over: then the legs have their shares.
    sprint: Duration,
    has_sprinted: bool,
    /// Who picked last.
    leg: usize,
    /// What each has done since the head start, and since the shares were last changed.
    done: [Duration; LEGS],
    lately: [Duration; LEGS],
    stint: Duration,
    /// What the leg that goes to targets may still do alone, because what is near has changed, and
    /// what it has done so.
    burst: Duration,
    bursts: Duration,
    /// When it was last looked.
    work: Duration,
    /// How often the share of depth first was halved, and whether the others give back.
    halvings: u32,
    repays: bool,
    window: Window,
    /// When each open state came, with who forked it.
    origins: Vec<Origin>,
    now: u64,
    /// Open states that were forked depth first.
    held: u64,
    is_standing_still: bool,
    /// Did it ever get nowhere for a whole window, or hold too many?
    has_stalled: bool,
}

/// What depth first did of late.
#[derive(Default)]
struct Window {
    began: u64,
    /// What it would have run next then.
    first: Option<StateId>,
    forked: u64,
    ended: u64,
    repeated: u64,
}

#[derive(Copy, Clone, Default)]
struct Origin {
    came: u64,
    is_held: bool,
}

impl Portfolio {
    pub fn new(seed: u64) -> Portfolio {
        Portfolio {
            depth_first: Dfs::new(),
            breadth_first: Shallowest::new(),
            random_path: RandomPath::new(seed),
            nearest: None,
            sprint: Duration::ZERO,
            has_sprinted: true,
            leg: DEPTH_FIRST,
            done: [Duration::ZERO; LEGS],
            lately: [Duration::ZERO; LEGS],
            stint: Duration::ZERO,
            burst: Duration::ZERO,
            bursts: Duration::ZERO,
            work: Duration::ZERO,
            halvings: 0,
            repays: false,
            window: Window::default(),
            origins: Vec::new(),
            now: 0,
            held: 0,
            is_standing_still: false,
            has_stalled: false,
        }
    }

    /// With a leg that goes to targets.
    pub fn directed(seed: u64) -> Portfolio {
        Portfolio { nearest: Some(Focused::new()), has_sprinted: false, ..Portfolio::new(seed) }
    }

    fn first_share(&self) -> u32 {
        if self.nearest.is_some() { FIRST_SHARE_WITH_TARGETS } else { FIRST_SHARE }
    }

    /// Is this the head start of depth first?
    fn is_ahead(&self) -> bool {
        let head_start = if self.nearest.is_some() { HEAD_START_WITH_TARGETS } else { HEAD_START };
        self.work <= self.sprint + head_start && !self.has_stalled
    }

    /// The first state is there: how long is the sprint?
    fn measure_the_way(&mut self, metrics: &dyn Metrics, first: StateId) {
        let steps = metrics.distance_to_target(first).unwrap_or(0);
        let steps = u32::try_from(steps).unwrap_or(u32::MAX);
        let sprint = SPRINT_FOR_A_STEP.saturating_mul(steps.saturating_mul(steps)).min(LONGEST_SPRINT);
        self.sprint = if sprint < SHORTEST_SPRINT { Duration::ZERO } else { sprint };
    }

    /// Picks in the sprint, and ends it when it is over.
    fn sprint(&mut self, metrics: &dyn Metrics) -> Option<StateId> {
        let has_room = (self.len() as u64) < metrics.room() / LEASH;
        if self.work >= self.sprint || !has_room {
            self.sprint = self.sprint.min(self.work);
            self.has_sprinted = true;
            return None;
        }
        self.leg = if self.leg == NEAREST { RANDOM_PATH } else { NEAREST };
        self.pick_by_leg(metrics)
    }

    fn shares(&self) -> Shares {
        let depth_first = match self.halvings {
            0 if self.repays => REPAID_SHARE,
            halvings => (self.first_share() >> halvings.min(8)).max(LEAST_SHARE),
        };
        let others = WHOLE - depth_first;
        let random_path = (others / 4).max(1);
        match self.nearest {
            None => [depth_first, others - random_path, random_path, 0],
            Some(_) => [depth_first, (others / 12).max(1), random_path, others * 2 / 3],
        }
    }

    /// What was done since the last look was done by the leg that picked.
    fn charge(&mut self, work: Duration) {
        let done = work.saturating_sub(std::mem::replace(&mut self.work, work));
        if self.burst > Duration::ZERO && self.leg == NEAREST {
            self.burst = self.burst.saturating_sub(done);
            self.bursts += done;
        } else if self.has_sprinted && !self.is_ahead() {
            self.stint += done;
            self.done[self.leg] += done;
            self.lately[self.leg] += done;
        }
        let others: Duration = self.done[BREADTH_FIRST..].iter().sum();
        let first_share = self.first_share();
        if self.repays && others * first_share <= self.done[DEPTH_FIRST] * (WHOLE - first_share) {
            self.repays = false;
            self.shares_changed();
        }
    }

    fn shares_changed(&mut self) {
        self.lately = [Duration::ZERO; LEGS];
    }

    /// The leg that is furthest behind its share.
    fn next_leg(&self) -> usize {
        let shares = self.shares();
        let first = if self.is_standing_still { BREADTH_FIRST } else { DEPTH_FIRST };
        let legs = (first..LEGS).filter(|&leg| shares[leg] > 0);
        legs.min_by_key(|&leg| self.lately[leg] * WHOLE / shares[leg]).unwrap_or(DEPTH_FIRST)
    }

    fn pick_by_leg(&mut self, metrics: &dyn Metrics) -> Option<StateId> {
        match self.leg {
            DEPTH_FIRST => self.depth_first.pick(metrics),
            BREADTH_FIRST => self.breadth_first.pick(metrics),
            RANDOM_PATH => self.random_path.pick(metrics),
            _ => self.nearest.as_mut().and_then(|nearest| nearest.pick(metrics)),
        }
    }

    /// Looks whether depth first got somewhere.
    fn review(&mut self, metrics: &dyn Metrics) {
        let next = self.depth_first.pick(metrics);
        let is_older = |state: StateId| self.origins[state.index()].came <= self.window.began;
        if next.is_some_and(|next| self.window.first != Some(next) && is_older(next)) {
            if std::mem::take(&mut self.halvings) > 0 {
                self.repays = true;
                self.shares_changed();
            }
            self.begin_window(metrics);
        } else if self.window.forked >= if self.is_ahead() { FIRST_WINDOW } else { WINDOW } {
            let repeated = metrics.repeats() > self.window.repeated;
            if self.window.ended * PROGRESS < self.window.forked && !repeated {
                self.halvings += 1;
                self.has_stalled = true;
                self.shares_changed();
            }
            self.begin_window(metrics);
        }
    }

    fn begin_window(&mut self, metrics: &dyn Metrics) {
        let first = self.depth_first.pick(metrics);
        self.window = Window { began: self.now, first, repeated: metrics.repeats(), ..Window::default() };
    }

    fn enter(&mut self, state: StateId, is_held: bool) {
        if self.origins.len() <= state.index() {
            self.origins.resize(state.index() + 1, Origin::default());
        }
        self.now += 1;
        self.origins[state.index()] = Origin { came: self.now, is_held };
        self.held += u64::from(is_held);
    }
}

impl Searcher for Portfolio {
    fn pick(&mut self, metrics: &dyn Metrics) -> Option<StateId> {
        self.charge(metrics.work());
        if !self.has_sprinted
            && let Some(state) = self.sprint(metrics)
        {
            return Some(state);
        }
        if self.leg == DEPTH_FIRST {
            self.review(metrics);
        }
        let leash = metrics.room() / LEASH;
        let most = if self.is_standing_still { leash / 2 } else { leash };
        self.is_standing_still = self.held > most;
        self.has_stalled |= self.is_standing_still;
        let may_stay = self.stint < STINT && !(self.is_standing_still && self.leg == DEPTH_FIRST);
        if self.burst > Duration::ZERO {
            self.leg = NEAREST;
        } else if self.is_ahead() {
            self.leg = DEPTH_FIRST;
        } else if !may_stay {
            self.leg = self.next_leg();
            self.stint = Duration::ZERO;
        }
        self.pick_by_leg(metrics)
    }

    fn add(&mut self, metrics: &dyn Metrics, parent: Option<StateId>, children: &[StateId]) {
        if let (None, false, 0, Some(&first)) = (parent, self.has_sprinted, self.len(), children.first()) {
            self.measure_the_way(metrics, first);
        }
        let is_held = self.leg == DEPTH_FIRST && parent.is_some();
        children.iter().for_each(|&child| self.enter(child, is_held));
        if is_held {
            self.window.forked += children.len() as u64;
        }
        self.depth_first.add(metrics, parent, children);
        self.breadth_first.add(metrics, parent, children);
        self.random_path.add(metrics, parent, children);
        self.nearest.iter_mut().for_each(|nearest| nearest.add(metrics, parent, children));
    }

    fn remove(&mut self, state: StateId) {
        if self.leg == DEPTH_FIRST {
            self.window.ended += 1;
        }
        self.held -= u64::from(self.origins[state.index()].is_held);
        self.depth_first.remove(state);
        self.breadth_first.remove(state);
        self.random_path.remove(state);
        self.nearest.iter_mut().for_each(|nearest| nearest.remove(state));
    }

    fn update(&mut self, metrics: &dyn Metrics, state: StateId) {
        self.breadth_first.update(metrics, state);
        self.nearest.iter_mut().for_each(|nearest| nearest.update(metrics, state));
    }

    fn distances_changed(&mut self, metrics: &dyn Metrics) {
        let Some(nearest) = &mut self.nearest else { return };
        nearest.distances_changed(metrics);
        // A part of all work.
        let may_burst = (self.work / 4).saturating_sub(self.bursts);
        self.burst = BURST.min(may_burst);
    }

    fn focus_changed(&mut self, metrics: &dyn Metrics) {
        self.nearest.iter_mut().for_each(|nearest| nearest.focus_changed(metrics));
    }

    fn picked_for_focus(&self) -> bool {
        self.leg == NEAREST && self.nearest.as_ref().is_some_and(Searcher::picked_for_focus)
    }

    fn wants_learning(&self) -> bool {
        self.has_sprinted
    }

    fn needs(&self) -> Needs {
        let nearest = self.nearest.as_ref().map(Searcher::needs).unwrap_or_default();
        self.random_path.needs().and(nearest)
    }

    fn len(&self) -> usize {
        self.depth_first.len()
    }

    fn turn(&self) -> Turn {
        match self.leg {
            BREADTH_FIRST => self.breadth_first.turn(),
            NEAREST => Turn::ToTheFork,
            _ if !self.has_sprinted => self.random_path.turn(),
            // A few instructions can be much work for the solver.
            _ => Turn::Batch(Batch { instructions: TURN, time: STINT }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use espalier_base::Rng;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    const COST: Duration = Duration::from_micros(10);

    /// A program's tree: the depth of each open state, and what was done.
    #[derive(Default)]
    struct World {
        open: BTreeMap<StateId, u32>,
        work: Duration,
        repeats: u64,
        room: u64,
        /// How far every state is from the target.
        way: Option<u64>,
    }

    impl Metrics for World {
        fn depth(&self, state: StateId) -> u32 {
            self.open[&state]
        }

        fn work(&self) -> Duration {
            self.work
        }

        fn repeats(&self) -> u64 {
            self.repeats
        }

        fn room(&self) -> u64 {
            self.room
        }

        fn distance_to_target(&self, _: StateId) -> Option<u64> {
            self.way
        }

        fn random_leaf(&self, rng: &mut Rng) -> Option<StateId> {
            let index = rng.below(self.open.len().max(1));
            self.open.keys().nth(index).copied()
        }
    }

    struct Run {
        world: World,
        searcher: Portfolio,
        next: u32,
    }

    impl Run {
        fn new(room: u64) -> Run {
            let world = World { open: BTreeMap::from([(StateId(0), 0)]), room, ..World::default() };
            let mut searcher = Portfolio::new(7);
            searcher.add(&world, None, &[StateId(0)]);
            Run { world, searcher, next: 1 }
        }

        fn directed(room: u64, way: Option<u64>) -> Run {
            let mut run = Run::new(room);
            run.world.way = way;
            run.searcher = Portfolio::directed(7);
            run.searcher.add(&run.world, None, &[StateId(0)]);
            run
        }

        /// Lets a state have its turn, which `forks` or ends it.
        fn turn(&mut self, forks: impl FnOnce(u32) -> bool) -> Option<StateId> {
            let state = self.searcher.pick(&self.world)?;
            let depth = self.world.open[&state];
            self.world.work += COST;
            if forks(depth) {
                let child = StateId(self.next);
                self.next += 1;
                self.world.open.insert(child, depth + 1);
                self.world.open.insert(state, depth + 1);
                self.searcher.add(&self.world, Some(state), &[child]);
                self.searcher.update(&self.world, state);
            } else {
                self.searcher.remove(state);
                self.world.open.remove(&state);
            }
            Some(state)
        }

        /// Turns until depth first was given so many.
        fn go_down(&mut self, turns: u32) {
            for _ in 0..turns {
                while self.turn(|_| true).is_some() && self.searcher.leg != DEPTH_FIRST {}
            }
        }

        fn part_of_depth_first(&self) -> f64 {
            let [depth_first, ..] = self.searcher.done;
            depth_first.as_secs_f64() / self.searcher.done.iter().sum::<Duration>().as_secs_f64()
        }
    }

    #[test]
    fn depth_first_is_alone_in_the_beginning_and_has_most_then() {
        let mut run = Run::new(u64::MAX);
        // Every second state ends, so depth first gets somewhere.
        let mut forks = false;
        while run.world.work < HEAD_START {
            forks = !forks;
            run.turn(|_| forks);
            assert_eq!(run.searcher.leg, DEPTH_FIRST);
        }
        assert_eq!(run.searcher.done, [Duration::ZERO; LEGS]);
        for turn in 0..200_000 {
            run.turn(|_| turn % 2 == 0);
        }
        let done = run.searcher.done.map(|done| done.as_secs_f64());
        assert!((run.part_of_depth_first() - 0.94).abs() < 0.02, "{done:?}");
        assert!((done[BREADTH_FIRST] / done[RANDOM_PATH] - 3.0).abs() < 0.5, "{done:?}");
    }

    /// The work of the sprint, and the legs that had turns in it.
    fn sprint(mut run: Run) -> (Duration, [u32; LEGS]) {
        let mut turns = [0; LEGS];
        let mut forks = false;
        loop {
            forks = !forks;
            run.turn(|_| forks);
            if run.searcher.wants_learning() {
                assert_eq!(run.searcher.leg, DEPTH_FIRST);
                assert!(run.searcher.is_ahead());
                return (run.world.work - COST, turns);
            }
            turns[run.searcher.leg] += 1;
        }
    }

    #[test]
    fn the_sprint_is_as_long_as_the_way_is_far() {
        assert_eq!(sprint(Run::directed(u64::MAX, None)), (Duration::ZERO, [0; LEGS]));
        assert_eq!(sprint(Run::directed(u64::MAX, Some(50))), (Duration::ZERO, [0; LEGS]));
        let (work, turns) = sprint(Run::directed(u64::MAX, Some(100)));
        assert_eq!((work, turns), (Duration::from_millis(250), [0, 0, 12_500, 12_500]));
        let (work, _) = sprint(Run::directed(u64::MAX, Some(u64::MAX)));
        assert_eq!(work, LONGEST_SPRINT);
    }

    #[test]
    fn the_sprint_ends_when_there_is_no_room() {
        let mut run = Run::directed(400, Some(1_000));
        while run.turn(|_| true).is_some() && !run.searcher.wants_learning() {}
        assert!(run.searcher.len() <= 101 && run.world.work < LONGEST_SPRINT / 100);
    }

    #[test]
    fn an_endless_path_halves_the_share_and_coming_back_restores_it() {
        let mut run = Run::new(u64::MAX);
        let mut shares = Vec::new();
        for window in [FIRST_WINDOW, WINDOW, WINDOW, WINDOW, WINDOW] {
            shares.push(run.searcher.shares()[DEPTH_FIRST]);
            run.go_down(window as u32 + 1);
        }
        assert_eq!(shares, [60, 30, 15, 8, 8]);
        assert!(run.part_of_depth_first() < 0.25);
        // Everything ends from now on: the states of the last window first.
        run.go_down(1_000);
        let mut turns = 0;
        while run.searcher.halvings > 0 {
            run.turn(|_| false);
            turns += 1;
        }
        assert!(turns > 1_000, "{turns}");
        assert_eq!(run.searcher.shares()[DEPTH_FIRST], REPAID_SHARE);
        let mut forks = false;
        while run.searcher.repays {
            forks = !forks;
            run.turn(|_| forks);
        }
        assert!((run.part_of_depth_first() - 0.94).abs() < 0.02);
    }

    #[test]
    fn a_repeated_state_is_progress() {
        let mut run = Run::new(u64::MAX);
        for _ in 0..3 {
            run.world.repeats += 1;
            run.go_down(WINDOW as u32);
        }
        assert_eq!(run.searcher.shares()[DEPTH_FIRST], FIRST_SHARE);
    }

    #[test]
    fn depth_first_stands_still_when_it_holds_too_many() {
        let mut run = Run::new(4_000);
        for _ in 0..10_000 {
            run.turn(|_| true);
            assert!(run.searcher.held <= 4_000 / LEASH + 1, "{}", run.searcher.held);
        }
        // Others end what it holds, and it goes on.
        while run.searcher.held > 400 {
            run.turn(|_| false);
        }
        run.go_down(1);
        assert!(!run.searcher.is_standing_still);
    }

    #[test]
    fn breadth_first_is_not_kept_busy_by_what_is_deep() {
        let mut run = Run::new(u64::MAX);
        run.searcher.has_stalled = true;
        run.go_down(500);
        let shallow: Vec<u32> = (0..2_000)
            .filter_map(|_| {
                let before = run.world.open.clone();
                let state = run.turn(|_| true)?;
                (run.searcher.leg == BREADTH_FIRST).then(|| before[&state] - before.values().min().unwrap())
            })
            .collect();
        assert!(shallow.len() > 100 && shallow.iter().all(|&above| above == 0), "{shallow:?}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        /// Whatever the tree: everything is explored, and each leg gets its least share.
        #[test]
        fn everything_is_explored_and_nobody_starves(seed in 0_u64..1_000_000, bias in 1_usize..9, room in 50_u64..5_000) {
            let mut run = Run::new(room);
            run.searcher.has_stalled = true;
            let mut rng = Rng::new(seed);
            for _ in 0..2_000 {
                if run.turn(|_| rng.below(10) < bias).is_none() {
                    break;
                }
            }
            let [depth_first, breadth_first, random_path, nearest] = run.searcher.done;
            let all = depth_first + breadth_first + random_path + nearest;
            prop_assert!(breadth_first * 64 + 64 * STINT >= all * 2, "{:?}", run.searcher.done);
            prop_assert!(random_path * 64 + 64 * STINT >= all, "{:?}", run.searcher.done);
            let is_free = run.searcher.held * LEASH * 2 < room;
            prop_assert!(!is_free || !run.searcher.is_standing_still);
            while run.turn(|_| false).is_some() {}
            prop_assert!(run.world.open.is_empty() && run.searcher.is_empty());
            prop_assert_eq!(run.searcher.held, 0);
        }
    }
}
