//! Model-based tests: every searcher against a plain set of open states, over random sequences of
//! forks, ends and picks.

use espalier_base::Rng;
use espalier_search::{Metrics, NAMES, StateId, by_name};
use grown::Grown;
use proptest::prelude::*;
use std::collections::BTreeSet;

mod grown;

/// Nothing is known of states but where they are in the tree.
struct Placed(Grown);

impl Metrics for Placed {
    fn random_leaf(&self, rng: &mut Rng) -> Option<StateId> {
        self.0.random_leaf(rng)
    }
}

#[derive(Clone, Debug)]
enum Action {
    /// The picked state forks into this many more.
    Fork(usize),
    /// The picked state ends.
    End,
    /// The picked state ran for its share.
    Run,
    /// Some open state ends, whichever the number selects.
    EndOther(usize),
}

fn actions() -> impl Strategy<Value = Vec<Action>> {
    let action = prop_oneof![
        3 => (1usize..5).prop_map(Action::Fork),
        2 => Just(Action::End),
        2 => Just(Action::Run),
        2 => any::<usize>().prop_map(Action::EndOther),
    ];
    prop::collection::vec(action, 1..200)
}

/// Applies the actions to a searcher and to the set of open states, and returns what was picked.
fn run(name: &str, seed: u64, actions: &[Action]) -> Vec<StateId> {
    let mut searcher = by_name(name, seed).unwrap();
    let mut open = BTreeSet::from([StateId(0)]);
    let mut unused = vec![];
    let mut next = 1;
    let mut picks = vec![];
    let mut placed = Placed(Grown::new(&[StateId(0)]));
    searcher.add(&placed, None, &[StateId(0)]);
    for action in actions {
        let Some(picked) = searcher.pick(&placed) else { break };
        assert!(open.contains(&picked), "{name} picked {picked}, which is not open");
        picks.push(picked);
        let ended = match *action {
            Action::Fork(count) => {
                let children: Vec<StateId> = (0..count)
                    .map(|_| {
                        unused.pop().unwrap_or_else(|| {
                            next += 1;
                            StateId(next - 1)
                        })
                    })
                    .collect();
                placed.0.fork(picked, &children);
                searcher.add(&placed, Some(picked), &children);
                open.extend(children);
                None
            }
            Action::End => Some(picked),
            Action::Run => {
                searcher.update(&placed, picked);
                None
            }
            Action::EndOther(index) => open.iter().nth(index % open.len()).copied(),
        };
        if let Some(state) = ended {
            searcher.remove(state);
            placed.0.remove(state);
            open.remove(&state);
            unused.push(state);
        }
        assert_eq!(searcher.len(), open.len(), "{name}");
        assert_eq!(searcher.is_empty(), open.is_empty(), "{name}");
    }
    while let Some(picked) = searcher.pick(&placed) {
        assert!(open.remove(&picked), "{name} picked {picked}, which is not open");
        searcher.remove(picked);
        placed.0.remove(picked);
    }
    assert!(open.is_empty(), "{name} lost {open:?}");
    picks
}

proptest! {
    #[test]
    fn only_open_states_are_picked_and_none_is_lost(actions in actions(), seed in any::<u64>()) {
        for name in NAMES {
            run(name, seed, &actions);
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_picks(actions in actions(), seed in any::<u64>()) {
        for name in NAMES {
            prop_assert_eq!(run(name, seed, &actions), run(name, seed, &actions));
        }
    }

    #[test]
    fn fair_searchers_come_back_to_every_state(forks in prop::collection::vec(any::<usize>(), 0..12), seed in any::<u64>()) {
        for name in ["bfs", "random-path", "random-state"] {
            let mut searcher = by_name(name, seed).unwrap();
            let mut placed = Placed(Grown::new(&[StateId(0)]));
            searcher.add(&placed, None, &[StateId(0)]);
            for (i, fork) in forks.iter().enumerate() {
                let (parent, child) = (StateId((fork % (i + 1)) as u32), StateId(i as u32 + 1));
                placed.0.fork(parent, &[child]);
                searcher.add(&placed, Some(parent), &[child]);
            }
            let mut missing: BTreeSet<u32> = (0..=forks.len() as u32).collect();
            // A leaf under 12 forks is missed 2^19 times in a row with a probability of e^-128.
            for _ in 0..1 << 19 {
                let picked = searcher.pick(&placed).unwrap();
                searcher.update(&placed, picked);
                missing.remove(&picked.0);
                if missing.is_empty() {
                    break;
                }
            }
            prop_assert!(missing.is_empty(), "{} never picked {:?}", name, missing);
        }
    }
}

#[test]
fn random_state_is_uniform() {
    let mut searcher = by_name("random-state", 5).unwrap();
    let roots: Vec<StateId> = (0..8).map(StateId).collect();
    let placed = Placed(Grown::new(&roots));
    searcher.add(&placed, None, &roots);
    let mut counts = [0u32; 8];
    for _ in 0..80_000 {
        counts[searcher.pick(&placed).unwrap().index()] += 1;
    }
    assert!(counts.iter().all(|&count| (9_500..10_500).contains(&count)), "{counts:?}");
}

#[test]
fn different_seeds_give_different_walks() {
    let picks = |seed| {
        let mut searcher = by_name("random-path", seed).unwrap();
        let roots: Vec<StateId> = (0..64).map(StateId).collect();
        let placed = Placed(Grown::new(&roots));
        searcher.add(&placed, None, &roots);
        (0..16).map(|_| searcher.pick(&placed).unwrap().0).collect::<Vec<_>>()
    };
    assert_ne!(picks(1), picks(Rng::new(1).next_u64()));
}
