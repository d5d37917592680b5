//! What a pick costs with many open states: `cargo bench -p espalier-search`.
//!
//! Each round picks a state, lets it fork into one more, ends another and updates it, so that the number of open states stays the same and weights change.

use espalier_base::Rng;
use espalier_search::{Metrics, NAMES, StateId, by_name};
use std::time::{Duration, Instant};

const OPEN: u32 = 100_000;
const ROUNDS: u32 = 200_000;

/// Answers that differ from state to state and cost nothing.
struct Made;

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
        searcher.add(&Made, None, &[StateId(0)]);
        for child in 1..OPEN {
            let parent = StateId(rng.below(child as usize) as u32);
            searcher.add(&Made, Some(parent), &[StateId(child)]);
        }
        let start = Instant::now();
        for _ in 0..ROUNDS {
            std::hint::black_box(searcher.pick(&Made));
        }
        let pick = start.elapsed() / ROUNDS;
        let mut free = StateId(OPEN);
        let start = Instant::now();
        for _ in 0..ROUNDS {
            let Some(state) = searcher.pick(&Made) else { break };
            searcher.add(&Made, Some(state), &[free]);
            // Any state but the one that has just come.
            let ended = StateId((free.0 + 1 + rng.below(OPEN as usize) as u32) % (OPEN + 1));
            searcher.remove(ended);
            free = ended;
            if state != ended {
                searcher.update(&Made, state);
            }
        }
        let round = start.elapsed() / ROUNDS;
        println!("{name:<16} {:>8}ns {:>8}ns", pick.as_nanos(), round.as_nanos());
    }
}
