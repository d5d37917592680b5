//! Searchers by name, and put together as a command line asks for them.

use crate::{
    Batch, Batching, Bfs, Dfs, Directed, Focused, Generational, Interleaved, IterativeDeepening, Nurs, Order,
    Portfolio, RandomPath, RandomState, RecentCoverage, Searcher, Weight, Within,
};
use espalier_base::nearest_names;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The names that [`by_name`] knows.
pub const NAMES: &[&str] = espalier_base::options::SEARCHERS;

#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown searcher \"{name}\"; did you mean \"{nearest}\"? (known: {list})", list = NAMES.join(", "))]
pub struct UnknownSearcher {
    name: String,
    nearest: &'static str,
}

impl UnknownSearcher {
    fn new(name: &str) -> UnknownSearcher {
        let mut nearest = nearest_names(name, NAMES.iter().copied());
        nearest.sort_by_key(|known| !known.contains(name));
        UnknownSearcher { name: name.to_owned(), nearest: nearest[0] }
    }
}

/// The searcher of that name; `seed` decides the choices of the random ones.
pub fn by_name(name: &str, seed: u64) -> Result<Box<dyn Searcher>, UnknownSearcher> {
    let nurs = |weight| Box::new(Nurs::new(weight, seed));
    let in_turns = |within| {
        let nearest: Box<dyn Searcher> = Box::new(Directed::new(within, Order::Rounded));
        Box::new(Interleaved::new(vec![nearest, Box::new(RandomPath::new(seed))]))
    };
    Ok(match name {
        "sdse" => Box::new(Directed::new(Within::Program, Order::Exact)),
        "sdse:aged" => Box::new(Directed::new(Within::Program, Order::Aged)),
        "sdse:focus" => Box::new(Focused::new()),
        "sdse:rr" => in_turns(Within::Program),
        "sdse:pr" => nurs(Weight::DistanceToTarget(Within::Program)),
        "sdse:intra" => Box::new(Directed::new(Within::Function, Order::Exact)),
        "sdse:intra-rr" => in_turns(Within::Function),
        "sdse:intra-pr" => nurs(Weight::DistanceToTarget(Within::Function)),
        "dfs" => Box::new(Dfs::new()),
        "dfs:newest" => Box::new(Dfs::newest_first()),
        "bfs" => Box::new(Bfs::new()),
        "bfs:parent-first" => Box::new(Bfs::parent_first()),
        "random-path" => Box::new(RandomPath::new(seed)),
        "random-state" => Box::new(RandomState::new(seed)),
        "nurs:covnew" => nurs(Weight::CoverageNew),
        "nurs:md2u" => nurs(Weight::DistanceToUncovered),
        "nurs:depth" => nurs(Weight::Depth),
        "nurs:rp" => nurs(Weight::RandomPath),
        "nurs:icnt" => nurs(Weight::InstructionCount),
        "nurs:cpicnt" => nurs(Weight::CallPathInstructionCount),
        "nurs:qc" => nurs(Weight::QueryCost),
        "generational" => Box::new(Generational::new(seed)),
        "recent-coverage" => Box::new(RecentCoverage::new(seed)),
        "hybrid" => Box::new(Interleaved::hybrid(seed)),
        "portfolio" => Box::new(Portfolio::new(seed)),
        "portfolio:directed" => Box::new(Portfolio::directed(seed)),
        _ => return Err(UnknownSearcher::new(name)),
    })
}

/// Which searchers to use, and how.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Strategy {
    /// Names that [`by_name`] knows; several take turns.
    pub names: Vec<String>,
    /// How long a picked state runs, if not as the searcher would have it.
    pub batch: Option<Batch>,
    /// States whose turns take long wait until the others are done.
    pub iterative_deepening: bool,
}

impl Strategy {
    /// One searcher, as it is.
    pub fn named(name: &str) -> Strategy {
        Strategy { names: vec![name.to_owned()], batch: None, iterative_deepening: false }
    }

    pub fn build(&self, seed: u64) -> Result<Box<dyn Searcher>, UnknownSearcher> {
        let mut searchers = Vec::new();
        for (name, offset) in self.names.iter().zip(0..) {
            // Each has its own numbers, so that two of a kind do not pick the same.
            searchers.push(by_name(name, seed.wrapping_add(offset))?);
        }
        let mut searcher = match searchers.len() {
            0 => Box::new(RandomPath::new(seed)),
            1 => searchers.remove(0),
            _ => Box::new(Interleaved::new(searchers)),
        };
        if let Some(batch) = self.batch {
            searcher = Box::new(Batching::new(searcher, batch));
        }
        if self.iterative_deepening {
            searcher = Box::new(IterativeDeepening::new(searcher));
        }
        Ok(searcher)
    }
}

impl Default for Strategy {
    /// KLEE's: a random path, and what leads to new code, in turn.
    fn default() -> Strategy {
        let names = ["random-path", "nurs:covnew"].map(str::to_owned).to_vec();
        Strategy { names, batch: None, iterative_deepening: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{StateId, Turn, Unmeasured};
    use espalier_base::options;
    use std::time::Duration;

    #[test]
    fn every_name_has_a_searcher() {
        for name in NAMES {
            assert!(by_name(name, 1).is_ok(), "{name}");
        }
        let option = options::find("search").unwrap();
        assert_eq!(option.default, Some(Strategy::default().names.join(",").as_str()));
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_nearest_and_all_others() {
        let message = |name| by_name(name, 0).err().unwrap().to_string();
        assert!(message("nurs:covnw").starts_with("unknown searcher \"nurs:covnw\"; did you mean \"nurs:covnew\"?"));
        assert!(message("random-paht").contains("did you mean \"random-path\"?"));
        assert!(message("md2u").contains("\"nurs:md2u\"?"));
        assert!(message("").contains("known: dfs, dfs:newest, bfs, "));
    }

    #[test]
    fn a_strategy_is_put_together_as_asked() {
        let batch = Batch { instructions: 7, time: Duration::ZERO };
        let strategy = Strategy { names: vec!["dfs".into()], batch: Some(batch), iterative_deepening: true };
        assert_eq!(strategy.build(0).unwrap().turn(), Turn::Batch(batch));
        let strategy = Strategy { names: vec!["bfs".into(), "dfs".into()], ..Strategy::default() };
        let mut searcher = strategy.build(0).unwrap();
        searcher.add(&Unmeasured, None, &[StateId(0)]);
        searcher.add(&Unmeasured, Some(StateId(0)), &[StateId(1)]);
        searcher.update(&Unmeasured, StateId(0));
        assert_eq!([0, 1].map(|_| searcher.pick(&Unmeasured).unwrap().0), [1, 0], "bfs, then dfs");
        assert!(Strategy { names: vec!["dfs".into(), "ddfs".into()], ..Strategy::default() }.build(0).is_err());
    }
}
