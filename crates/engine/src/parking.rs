//! Holding `--max-memory`: caches go first, then what pruning learnt, then states are parked and
//! taken up again when there is room.
//!
//! A parked state is a leaf of the execution tree and nothing else. The labels on the way to it say
//! which path it is: the program is run again from the start, at each fork the alternatives with
//! those labels are gone on with, and the solver is asked what it was asked before. Many are taken
//! up together, and what their paths have in common is run once.
//!
//! Which states are parked is left to chance, so that no searcher is favoured: none of them can say
//! which states it would pick last.

use crate::engine::Engine;
use crate::outcome::Stop;
use crate::states::Open;
use espalier_base::{Rng, memory};
use espalier_exec::{Child, State, Step, passed_target};
use espalier_ir::Loc;
use espalier_search::StateId;
use espalier_tree::{Leaf, Slot, Tree};
use std::collections::BTreeMap;

/// Room is made when this part of the limit is used, in percent.
const FULL: u64 = 96;
/// Halves of the open states that are parked at a time: more than any number of states has.
const MOST_ROUNDS: usize = 64;
/// Instructions that are executed again before it is asked whether the run has to stop.
const BUDGET: u64 = 1 << 20;
/// States that are taken up again at a time: as many as there should be room for, if each takes so
/// many bytes, within these bounds.
const STATE_SIZE: u64 = 16 << 10;
const FEWEST: u64 = 64;
const MOST: u64 = 1 << 14;

/// What became of states that there was no room for.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct ParkingCounts {
    /// Parked, each time counted.
    pub parked: u64,
    pub taken_up: u64,
    /// Parked when the run ended.
    pub left: u64,
    /// Those that were not found again; their paths were not explored.
    pub lost: u64,
}

/// The parked states.
pub(crate) struct Parking {
    limit: Option<u64>,
    /// Where the states of parked leaves were.
    places: BTreeMap<Slot, Loc>,
    counts: ParkingCounts,
    /// Memory after caches were last dropped: doing so again helps little before there is much
    /// more.
    after_dropping: u64,
    rng: Rng,
}

impl Parking {
    pub(crate) fn new(limit: Option<u64>, seed: u64) -> Parking {
        Parking {
            limit,
            places: BTreeMap::new(),
            counts: ParkingCounts::default(),
            after_dropping: 0,
            rng: Rng::new(seed),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    pub(crate) fn places(&self) -> impl Iterator<Item = Loc> {
        self.places.values().copied()
    }

    pub(crate) fn counts(&self) -> ParkingCounts {
        ParkingCounts { left: self.len() as u64, ..self.counts }
    }

    /// How many states would fit into all of the memory, if each took what is reckoned with here.
    pub(crate) fn room_for_states(&self) -> u64 {
        self.limit.map_or(u64::MAX, |limit| limit / STATE_SIZE)
    }

    fn is_above(&self, percent: u64, memory: u64) -> bool {
        self.limit.is_some_and(|limit| memory >= limit / 100 * percent)
    }
}

impl Engine {
    /// Makes room if memory is nearly used up. Fails if there is no way to.
    pub(crate) fn make_room(&mut self) -> Result<(), Stop> {
        let mut memory = self.clock.memory();
        if !self.parking.is_above(FULL, memory) {
            return Ok(());
        }
        if memory > self.parking.after_dropping + self.parking.after_dropping / 8 {
            self.executor.solver.drop_caches();
            memory = self.measure();
            self.parking.after_dropping = memory;
        }
        if self.parking.is_above(FULL, memory) && self.pruning.is_some() {
            self.give_up_pruning();
            memory = self.measure();
        }
        for _ in 0..MOST_ROUNDS {
            if !self.parking.is_above(FULL, memory) || self.states.len() <= 1 || !self.config.replays.is_empty() {
                break;
            }
            self.park_half();
            memory = self.measure();
        }
        if self.parking.is_above(100, memory) { Err(Stop::MaxMemory) } else { Ok(()) }
    }

    fn measure(&mut self) -> u64 {
        memory::give_back();
        self.clock.measure_memory()
    }

    /// Parks every other state, by chance.
    fn park_half(&mut self) {
        let open: Vec<StateId> = self.states.numbered().map(|(id, _)| id).collect();
        for id in open {
            if self.states.len() <= 1 {
                break;
            }
            let is_seeded = self.seeding.as_ref().is_some_and(|seeding| seeding.current() == Some(id));
            if is_seeded || self.parking.rng.below(2) == 0 {
                continue;
            }
            let loc = self.executor.state_location(self.states.get(id));
            let Open { slot, .. } = self.drop_state(id);
            self.parking.places.insert(slot, loc);
            self.parking.counts.parked += 1;
        }
    }

    /// Takes parked states up again, if there is room. Is there something to run now?
    pub(crate) fn take_up_parked(&mut self) -> Result<bool, Stop> {
        if self.parking.places.is_empty() {
            return Ok(false);
        }
        if self.parking.is_above(FULL, self.clock.memory()) {
            self.executor.solver.drop_caches();
            let memory = self.measure();
            if self.parking.is_above(FULL, memory) {
                return Err(Stop::MaxMemory);
            }
        }
        let room = self.parking.limit.unwrap_or(u64::MAX).saturating_sub(self.clock.memory());
        let most = (room / STATE_SIZE).clamp(FEWEST, MOST) as usize;
        self.take_up_some(most);
        self.require_time()?;
        Ok(!self.parking.places.is_empty() || self.states.len() > 0)
    }

    /// Takes up at most so many.
    fn take_up_some(&mut self, most: usize) {
        // The program was loaded before, so this works; if it did not, all would stay parked.
        let (Some(root), Ok(start)) = (self.tree.root(), self.executor.initial_state(self.entry)) else { return };
        let leaves = self.neighbours_to_take_up(root, most);
        let (found, is_whole) = self.execute_again(Box::new(start), root, &Wanted::new(&self.tree, &leaves));
        self.executor.take_output();
        for (leaf, _) in &found {
            self.parking.places.remove(leaf);
        }
        self.parking.counts.taken_up += found.len() as u64;
        self.take_up(found);
        for leaf in leaves {
            if is_whole && let Some(loc) = self.parking.places.remove(&leaf) {
                // The solver gave up where it had not before.
                self.parking.counts.lost += 1;
                self.groups.open.add(loc);
                self.tree.close(leaf, |_| {});
            }
        }
    }

    /// Parked leaves that are near to each other, so that their paths have much in common: from one
    /// on by chance, in the order of the tree.
    fn neighbours_to_take_up(&mut self, root: Slot, most: usize) -> Vec<Slot> {
        let is_parked = |leaf: &Slot| self.tree.leaf(*leaf) == Some(Leaf::Parked);
        let mut parked: Vec<Slot> = self.tree.unfinished(root).filter(is_parked).collect();
        let count = parked.len().min(most);
        let first = self.parking.rng.below(parked.len() - count + 1);
        parked.drain(first..first + count).collect()
    }

    /// Executes the paths to wanted leaves again, from the program's first state on; what they have
    /// in common once. Gives the leaves with their states, and whether that is all of those that
    /// can be found: the run may have to stop before. What else a fork leads to is finished, or
    /// open elsewhere.
    #[allow(clippy::vec_box)] // They are moved from box to box, never copied.
    fn execute_again(&mut self, start: Box<State>, root: Slot, wanted: &Wanted) -> (Vec<(Slot, Box<State>)>, bool) {
        let mut found = Vec::new();
        let mut work = vec![(start, root)];
        while let Some((mut state, node)) = work.pop() {
            let node = self.next_choice(node);
            if self.tree.leaf(node).is_some() {
                found.push((node, state));
                continue;
            }
            if self.is_time_up() {
                return (found, false);
            }
            let step = self.executor.run(&mut state, BUDGET);
            if self.executor.was_cut_short() {
                return (found, false);
            }
            match step {
                Step::Budget | Step::Join => work.push((state, node)),
                Step::End(_) => {}
                // Another fork than the first time: a side that the solver could not decide, then
                // or now.
                Step::Fork(_) if !self.tree.forked_at(node, state.instructions()) => {}
                Step::Fork(children) => {
                    for state in std::iter::once(state).chain(children.into_iter().map(Child::into_state)) {
                        let child = self.tree.child(node, state.label()).filter(|&child| wanted.contains(child));
                        work.extend(child.map(|child| (state, child)));
                    }
                }
            }
        }
        (found, true)
    }

    /// The first node from here on that the path leaves by a choice: not at joins, nor at targets
    /// that nobody looks for any more.
    fn next_choice(&self, mut node: Slot) -> Slot {
        loop {
            let passed = || {
                let child = self.tree.children(node).next()?;
                let target = passed_target(&self.tree.label(child))?;
                (!self.executor.is_open_target(target)).then_some(child)
            };
            match self.tree.behind_join(node).or_else(passed) {
                Some(behind) => node = behind,
                None => return node,
            }
        }
    }
}

/// Leaves, and the nodes on the way to them.
struct Wanted {
    /// By slot.
    is_wanted: Vec<bool>,
}

impl Wanted {
    fn new(tree: &Tree, leaves: &[Slot]) -> Wanted {
        let mut is_wanted: Vec<bool> = Vec::new();
        for &leaf in leaves {
            let mut node = Some(leaf);
            while let Some(slot) = node.filter(|slot| is_wanted.get(slot.index()) != Some(&true)) {
                if is_wanted.len() <= slot.index() {
                    is_wanted.resize(slot.index() + 1, false);
                }
                is_wanted[slot.index()] = true;
                node = tree.parent(slot);
            }
        }
        Wanted { is_wanted }
    }

    fn contains(&self, node: Slot) -> bool {
        self.is_wanted.get(node.index()) == Some(&true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::view;
    use crate::metrics::View;
    use crate::observer::{EndedPath, Observer, ObserverError};
    use crate::{Config, Strategy, Tests};
    use espalier_analysis::{Site, targets};
    use espalier_exec::End;
    use espalier_ir::Program;
    use std::rc::Rc;

    /// Forks of every kind: branches, switches, objects, values, checks.
    const FORKS: &str = r#"#include <klee/klee.h>
#include <stdlib.h>
int a[2], b[3], c;
int *table[3] = {a, b, &c};
static int add(int x) { return x + 1; }
static int twice(int x) { return 2 * x; }
int main(void) {
  unsigned char in[6];
  int v = 0;
  klee_make_symbolic(in, sizeof in, "in");
  switch (in[0]) {
  case 1: v = 1; break;
  case 2:
  case 3: v = 2; break;
  case 200: v = 3; break;
  default: v = 4;
  }
  table[in[1] % 3][in[2] & 3] = v;
  if (100 / (in[3] & 3) > 40)
    v++;
  int (*functions[2])(int) = {add, twice};
  v = functions[in[4] & 1](v);
  char *made = malloc(1 + (in[5] & 1));
  made[0] = v;
  if (in[0] > 100)
    v += made[0];
  free(made);
  if (v > 1000)
    v = 0;
  return v;
}
"#;

    /// How each path ended, its depth and length.
    #[derive(Default)]
    struct Paths(Vec<(String, u32, u64)>);

    impl Observer for Paths {
        fn path_ended(&mut self, _: &Program, path: &EndedPath<'_>) -> Result<(), ObserverError> {
            let end = match path.end {
                End::Violation(violation) => format!("{:?}", violation.kind()),
                End::Exit(_) => "exit".to_owned(),
                other => panic!("{other:?}"),
            };
            self.0.push((end, path.depth, path.instructions));
            Ok(())
        }
    }

    fn engine_of(source: &str, search: &str) -> Engine {
        engine_with_targets(source, search, |_| Vec::new())
    }

    fn engine_with_targets(source: &str, search: &str, places: impl FnOnce(&Program) -> Vec<Site>) -> Engine {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("prog.c");
        std::fs::write(&file, source).unwrap();
        let input = espalier_frontend::Input { files: vec![file], ..Default::default() };
        let mut loaded = espalier_frontend::load(&input).unwrap();
        let sites: Vec<Vec<Site>> = places(&loaded.program).into_iter().map(|site| vec![site]).collect();
        targets::insert(&mut loaded.program, &sites);
        let config = Config { search: Strategy::named(search), tests: Tests::None, ..Config::default() };
        Engine::new(Rc::new(loaded.program), loaded.entry, config).unwrap()
    }

    /// All paths, if half of the states are parked after each turn until nothing is left, and at
    /// most `most` are taken up at once.
    fn explore(engine: &mut Engine, parks: bool, most: usize) -> Vec<(String, u32, u64)> {
        let mut paths = Paths::default();
        loop {
            match engine.searcher.pick(view!(engine)) {
                Some(id) => {
                    engine.take_turn(id, &mut paths).unwrap();
                    if parks {
                        engine.park_half();
                    }
                }
                None if engine.parking.len() == 0 => break,
                None => engine.take_up_some(most),
            }
        }
        assert!(engine.tree.is_empty());
        paths.0.sort();
        paths.0
    }

    #[test]
    fn no_path_is_lost_and_none_comes_twice() {
        let expected = explore(&mut engine_of(FORKS, "bfs"), false, 0);
        assert!(expected.len() > 100, "{}", expected.len());
        for (search, most) in [("bfs", 2), ("random-path", 1), ("dfs", 50)] {
            let mut engine = engine_of(FORKS, search);
            let found = explore(&mut engine, true, most);
            assert_eq!(found, expected, "{search}");
            let ParkingCounts { parked, taken_up, left, lost } = engine.parking.counts();
            assert!(parked > 20, "{parked}");
            assert_eq!((taken_up, left, lost), (parked, 0, 0));
        }
    }

    /// Paths fork at targets that are open, and not when they are executed again and the target was
    /// met. One is never met.
    #[test]
    fn targets_that_are_met_do_not_mislead() {
        let explore = |search, parks, most| {
            let mut engine = engine_with_targets(FORKS, search, targets::block_sites);
            let mut paths = explore(&mut engine, parks, most);
            paths.retain(|(end, ..)| !end.starts_with("Target"));
            let mut paths: Vec<(String, u64)> = paths.into_iter().map(|(end, _, length)| (end, length)).collect();
            paths.sort();
            (paths, engine.parking.counts())
        };
        let (expected, _) = explore("bfs", false, 0);
        for search in ["bfs", "random-path"] {
            let (found, ParkingCounts { parked, taken_up, lost, .. }) = explore(search, true, 3);
            assert_eq!(found, expected, "{search}");
            assert!(parked > 20, "{parked}");
            assert_eq!((taken_up, lost), (parked, 0));
        }
    }

    /// Without the check, the first fork of the second execution is another one, with alternatives
    /// of the same labels.
    #[test]
    fn a_path_that_forks_elsewhere_is_reported_as_lost() {
        let source =
            "#include <klee/klee.h>\nint main(void) { unsigned x = klee_int(\"x\"), y = klee_int(\"y\"), r = 0;
            unsigned z = 7 / x; if (y & 1) r++; if (y & 2) r++; if (y & 4) r++; return r + z % 2; }";
        let mut engine = engine_of(source, "bfs");
        let mut paths = Paths::default();
        while engine.states.len() < 5 {
            let id = engine.searcher.pick(view!(engine)).unwrap();
            engine.take_turn(id, &mut paths).unwrap();
        }
        while engine.states.len() > 1 {
            engine.park_half();
        }
        engine.executor.options.check_div_zero = false;
        let parked = engine.parking.len() as u64;
        engine.take_up_some(100);
        assert_eq!(engine.parking.counts(), ParkingCounts { parked, taken_up: 0, left: 0, lost: parked });
        assert_eq!(engine.groups.open_groups().iter().map(|group| group.states).sum::<u64>(), parked);
    }
}
