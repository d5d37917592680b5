//! Which open path to run next.
//!
//! A [`Searcher`] orders states that it knows by number only: it never sees a state, so that strategies can be tested
//! without an executor and the executor's types can change freely. Every decision depends on the calls made and the seed
//! alone, never on time, addresses or the iteration order of a hash map.
//!
//! ```
//! use espalier_search::{StateId, by_name};
//!
//! let mut searcher = by_name("dfs", 0)?;
//! searcher.add(None, &[StateId(0)]);
//! searcher.add(Some(StateId(0)), &[StateId(1), StateId(2)]);
//! assert_eq!(searcher.pick(), Some(StateId(0)));
//! searcher.remove(StateId(0));
//! assert_eq!(searcher.pick(), Some(StateId(1)));
//! # Ok::<(), espalier_search::UnknownSearcher>(())
//! ```

mod coverage;
mod hybrid;
mod list;
mod ordered;
mod random_path;
mod random_state;

use std::fmt;
use thiserror::Error;

pub use coverage::RecentCoverage;
pub use hybrid::Hybrid;
pub use ordered::{Bfs, Dfs};
pub use random_path::RandomPath;
pub use random_state::RandomState;

/// An open state. Numbers may be used again once the state is removed.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct StateId(pub u32);

impl StateId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for StateId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "state{}", self.0)
    }
}

/// A strategy: what is open, and what to run next.
pub trait Searcher {
    /// The state to run next; `None` when none is open. The state stays open.
    fn pick(&mut self) -> Option<StateId>;

    /// `children` were forked from `parent`, which goes on as one more alternative; without a parent they are roots.
    fn add(&mut self, parent: Option<StateId>, children: &[StateId]);

    /// A state ended.
    fn remove(&mut self, state: StateId);

    /// A picked state had its turn and is still open.
    fn update(&mut self, state: StateId);

    /// A picked state reached code that no path had reached before.
    fn covered_new(&mut self, _: StateId) {}

    /// How many states are open.
    fn len(&self) -> usize;

    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How long a picked state runs before the next pick.
    fn turn(&self) -> Turn;
}

/// How long a picked state runs before the next pick. Longer turns switch states less often, which the solver's
/// incremental context rewards.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Turn {
    /// Until it ends.
    ToTheEnd,
    /// Until it ends, or the engine's share of instructions is used up; forks do not interrupt it.
    Share,
    /// As `Share`, but also until it forks.
    ToTheFork,
}

/// The names that [`by_name`] knows.
pub const NAMES: &[&str] = &["dfs", "bfs", "random-path", "random-state", "recent-coverage", "hybrid"];

#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown searcher \"{0}\" (known: {list})", list = NAMES.join(", "))]
pub struct UnknownSearcher(pub String);

/// The searcher of that name; `seed` decides the choices of the random ones.
pub fn by_name(name: &str, seed: u64) -> Result<Box<dyn Searcher>, UnknownSearcher> {
    match name {
        "dfs" => Ok(Box::new(Dfs::new())),
        "bfs" => Ok(Box::new(Bfs::new())),
        "random-path" => Ok(Box::new(RandomPath::new(seed))),
        "random-state" => Ok(Box::new(RandomState::new(seed))),
        "recent-coverage" => Ok(Box::new(RecentCoverage::new(seed))),
        "hybrid" => Ok(Box::new(Hybrid::new(seed))),
        _ => Err(UnknownSearcher(name.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use espalier_base::options::{self, Value};

    #[test]
    fn every_name_has_a_searcher_and_an_option() {
        for name in NAMES {
            assert!(by_name(name, 1).is_ok(), "{name}");
        }
        let option = options::find("search").unwrap();
        assert_eq!(option.value, Value::Choice(NAMES));
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let error = by_name("nurs", 0).err().unwrap();
        let text = "unknown searcher \"nurs\" (known: dfs, bfs, random-path, random-state, recent-coverage, hybrid)";
        assert_eq!(error.to_string(), text);
    }
}
