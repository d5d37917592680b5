//! What a pick costs with many open states: `cargo bench -p espalier-search`.
//!
//! Each round picks a state, lets it fork into one more, ends another and updates it, so that the
//! number of open states stays the same and weights change.

use espalier_base::Rng;
use espalier_search::{Metrics, NAMES, StateId, by_name};
use grown::Grown;
use std::time::{Duration, Instant};

#[path = "../tests/grown/mod.rs"]
mod grown;

const OPEN: u32 = 100_000;
const ROUNDS: u32 = 200_000;

/// Answers that differ from state to state and cost nothing, and the tree.
struct Made(Grown);

fn scattered(state: StateId) -> u64 {
    (u64::from(state.0) * 0x9e37_79b9) >> 7 & 0xfff
}

impl Metrics for Made {
    fn depth(&self, state: StateId) -> u32 {
        scattered(state) as u32 % 60
    }

    fn since_new_code(&self, state: StateId) -> Option<u64> {
        Some(scattered(state))
    }

    fn distance_to_uncovered(&self, state: StateId) -> Option<u64> {
        Some(scattered(state))
    }

    fn executed_here(&self, state: StateId) -> u64 {
        scattered(state)
    }

    fn executed_on_call_path(&self, state: StateId) -> u64 {
        scattered(state)
    }

    fn query_cost(&self, state: StateId) -> Duration {
        Duration::from_millis(scattered(state))
    }

    fn random_leaf(&self, rng: &mut Rng) -> Option<StateId> {
        self.0.random_leaf(rng)
    }
}

fn main() {
    // `cargo test --benches` must not take long.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    println!("{:<16} {:>10} {:>10}", "searcher", "pick", "round");
    for name in NAMES {
        let mut searcher = by_name(name, 1).expect("a known name");
        let mut rng = Rng::new(2);
        let mut made = Made(Grown::new(&[StateId(0)]));
        searcher.add(&made, None, &[StateId(0)]);
        for child in 1..OPEN {
            let parent = StateId(rng.below(child as usize) as u32);
            made.0.fork(parent, &[StateId(child)]);
            searcher.add(&made, Some(parent), &[StateId(child)]);
        }
        let start = Instant::now();
        for _ in 0..ROUNDS {
            std::hint::black_box(searcher.pick(&made));
        }
        let pick = start.elapsed() / ROUNDS;
        let mut free = StateId(OPEN);
        let start = Instant::now();
        for _ in 0..ROUNDS {
            let Some(state) = searcher.pick(&made) else { break };
            made.0.fork(state, &[free]);
            searcher.add(&made, Some(state), &[free]);
            // Any state but the one that has just come.
            let ended = StateId((free.0 + 1 + rng.below(OPEN as usize) as u32) % (OPEN + 1));
            searcher.remove(ended);
            made.0.remove(ended);
            free = ended;
            if state != ended {
                searcher.update(&made, state);
            }
        }
        let round = start.elapsed() / ROUNDS;
        println!("{name:<16} {:>8}ns {:>8}ns", pick.as_nanos(), round.as_nanos());
    }
}
