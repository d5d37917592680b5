//! Which open path to run next.
//!
//! A [`Searcher`] orders states that it knows by number only: what it wants to know of a state it
//! asks of [`Metrics`], so that strategies can be tested without an executor and the executor's
//! types can change freely. Every decision depends on the calls made, the answers and the seed
//! alone, never on time, addresses or the iteration order of a hash map.
//!
//! ```
//! use espalier_search::{StateId, Unmeasured, by_name};
//!
//! let mut searcher = by_name("dfs", 0)?;
//! searcher.add(&Unmeasured, None, &[StateId(0)]);
//! searcher.add(&Unmeasured, Some(StateId(0)), &[StateId(1), StateId(2)]);
//! assert_eq!(searcher.pick(&Unmeasured), Some(StateId(0)));
//! searcher.remove(StateId(0));
//! assert_eq!(searcher.pick(&Unmeasured), Some(StateId(1)));
//! # Ok::<(), espalier_search::UnknownSearcher>(())
//! ```

#![forbid(unsafe_code)]

mod coverage;
mod directed;
mod focused;
mod generational;
mod interleaved;
mod list;
mod names;
mod nurs;
mod ordered;
mod portfolio;
mod random_path;
mod random_state;
mod rota;
mod shallowest;
mod sum_tree;
mod wrappers;

use espalier_base::Rng;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

pub use coverage::RecentCoverage;
pub use directed::{Directed, Order, Within};
pub use focused::Focused;
pub use generational::Generational;
pub use interleaved::Interleaved;
pub use names::{NAMES, Strategy, UnknownSearcher, by_name};
pub use nurs::{Nurs, Weight};
pub use ordered::{Bfs, Dfs};
pub use portfolio::Portfolio;
pub use random_path::RandomPath;
pub use random_state::RandomState;
pub use rota::Rota;
pub use wrappers::{Batching, IterativeDeepening};

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
    fn pick(&mut self, metrics: &dyn Metrics) -> Option<StateId>;

    /// `children` were forked from `parent`, which goes on as one more alternative; without a
    /// parent they are roots.
    fn add(&mut self, metrics: &dyn Metrics, parent: Option<StateId>, children: &[StateId]);

    /// A state ended.
    fn remove(&mut self, state: StateId);

    /// A picked state had its turn and is still open.
    fn update(&mut self, metrics: &dyn Metrics, state: StateId);

    /// A picked state entered this many blocks of code that no path had entered before.
    fn covered_new(&mut self, _: StateId, _blocks: u64) {}

    /// [`Metrics::distance_to_uncovered`] and distances to targets have new answers, for all states.
    fn distances_changed(&mut self, _: &dyn Metrics) {}

    /// [`Metrics::distance_to_focus`] has new answers, and only that.
    fn focus_changed(&mut self, _: &dyn Metrics) {}

    /// Was the last pick made for the target in focus? Its turn is charged to that then.
    fn picked_for_focus(&self) -> bool {
        false
    }

    /// Should anything be learnt of what the last pick comes to? If not, its turn is cheaper.
    fn wants_learning(&self) -> bool {
        true
    }

    /// What has to be kept up for the metrics that it asks for.
    fn needs(&self) -> Needs {
        Needs::default()
    }

    /// Should a picked state that had its turn wait until all others ended or wait too? Then it is
    /// removed, and added again without a parent.
    fn sets_aside(&self, _: &dyn Metrics, _: StateId) -> bool {
        false
    }

    /// The states that were set aside are about to be added again.
    fn goes_deeper(&mut self) {}

    /// How many states are open.
    fn len(&self) -> usize;

    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How long a picked state runs before the next pick.
    fn turn(&self) -> Turn;
}

/// What can be asked about a state. The answers are those of a state that nothing was measured of,
/// unless somebody knows better.
pub trait Metrics {
    /// Forks on the path.
    fn depth(&self, _: StateId) -> u32 {
        0
    }

    /// Instructions that the path has executed since it last entered code that no path had entered;
    /// `None` if it never did.
    fn since_new_code(&self, _: StateId) -> Option<u64> {
        None
    }

    /// Instructions on the shortest way to code that no path has entered; `None` if no way leads
    /// there. See [`Needs::distances`].
    fn distance_to_uncovered(&self, _: StateId) -> Option<u64> {
        None
    }

    /// Instructions on the shortest way to a place that is looked for; `None` if no way leads there.
    /// See [`Needs::targets`].
    fn distance_to_target(&self, _: StateId) -> Option<u64> {
        None
    }

    /// The same for the running function by itself: to a place in it, to a call from which one can
    /// be reached, or else to what it returns to. See [`Needs::targets_in_function`].
    fn distance_to_target_in_function(&self, _: StateId) -> Option<u64> {
        None
    }

    /// Is one of several targets in focus? See [`Needs::focus`].
    fn has_focus(&self) -> bool {
        false
    }

    /// Instructions on the shortest way to the target in focus.
    fn distance_to_focus(&self, _: StateId) -> Option<u64> {
        None
    }

    /// How often the paths executed the instruction that the state is at.
    fn executed_here(&self, _: StateId) -> u64 {
        0
    }

    /// Instructions that the paths executed under the state's call stack. See
    /// [`Needs::call_paths`].
    fn executed_on_call_path(&self, _: StateId) -> u64 {
        0
    }

    /// What the solver's work for this path would take on a machine of a fixed speed.
    fn query_cost(&self, _: StateId) -> Duration {
        Duration::ZERO
    }

    /// What the state's last turn would take there.
    fn turn_cost(&self, _: StateId) -> Duration {
        Duration::ZERO
    }

    /// What all work of the run so far would take there.
    fn work(&self) -> Duration {
        Duration::ZERO
    }

    /// How many states were left out because they were met before.
    fn repeats(&self) -> u64 {
        0
    }

    /// How many open states there is room for, by an estimate of what one takes.
    fn room(&self) -> u64 {
        u64::MAX
    }

    /// The state at which a random walk through the execution tree ends, from the root down, if any
    /// is open: at each fork, every alternative with open states is as likely as the others. See
    /// [`Needs::walks`].
    fn random_leaf(&self, _: &mut Rng) -> Option<StateId> {
        None
    }
}

/// Knows nothing of any state, and of no execution tree.
pub struct Unmeasured;

impl Metrics for Unmeasured {}

/// Metrics that are not for free.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Needs {
    /// [`Metrics::distance_to_uncovered`].
    pub distances: bool,
    /// [`Metrics::distance_to_target`].
    pub targets: bool,
    /// [`Metrics::distance_to_target_in_function`].
    pub targets_in_function: bool,
    /// [`Metrics::distance_to_focus`]: targets are in focus one after the other ([`Rota`]).
    pub focus: bool,
    /// [`Metrics::executed_on_call_path`].
    pub call_paths: bool,
    /// [`Metrics::random_leaf`].
    pub walks: bool,
}

impl Needs {
    fn and(self, other: Needs) -> Needs {
        Needs {
            distances: self.distances || other.distances,
            targets: self.targets || other.targets,
            targets_in_function: self.targets_in_function || other.targets_in_function,
            focus: self.focus || other.focus,
            call_paths: self.call_paths || other.call_paths,
            walks: self.walks || other.walks,
        }
    }
}

/// How long a picked state runs before the next pick. Longer turns switch states less often, which
/// the solver's incremental context rewards.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Turn {
    /// Until it ends.
    ToTheEnd,
    /// Until the engine's share of instructions is used up; forks do not interrupt it. If it ends
    /// sooner, those that it forked go on, the youngest first: what is in the caches of solver and
    /// processor serves them too.
    Share,
    /// Until it forks or ends, or the share is used up.
    ToTheFork,
    /// Until it ends, or this is used up; forks do not interrupt it.
    Batch(Batch),
}

impl Turn {
    /// The same, if it is sure to be over some time.
    fn bounded(self) -> Turn {
        match self {
            Turn::ToTheEnd => Turn::Share,
            turn => turn,
        }
    }
}

/// What a turn may use; 0 stands for any amount.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Batch {
    pub instructions: u64,
    /// As [`Metrics::turn_cost`] has it.
    pub time: Duration,
}
