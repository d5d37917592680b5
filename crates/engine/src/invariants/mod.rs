//! What holds at the heads of a program's loops: for a correctness witness, and for people.
//!
//! For a witness, the program is proved again, with a node at each visit of a head. Doing so at first
//! would make errors slower to find. For people ([`describe_loops`]), each loop that a path comes to
//! is generalised at once ([`espalier_loops::describe`]), whatever errors are behind it.

mod describe;
mod plain;

pub use describe::{Described, LoopDescription, Told, describe_loops};

use crate::{Config, EndedPath, Engine, LoopInvariant, Observer, ObserverError, exit_code, stop_on_signals};
use espalier_ir::{FuncId, Program};
use std::rc::Rc;
use std::time::Duration;

/// Invariants may take as long as the proof, within these limits.
const LEAST_PATIENCE: Duration = Duration::from_secs(5);
const LEAST_FOR_LOOPS: Duration = Duration::from_secs(1);
const MOST_PATIENCE: Duration = Duration::from_secs(60);

/// The invariants of a program whose proof took `elapsed`; none if finding them takes too long.
pub fn loop_invariants(
    program: Rc<Program>,
    entry: FuncId,
    mut config: Config,
    elapsed: Duration,
) -> Vec<LoopInvariant> {
    let limit = elapsed.clamp(LEAST_PATIENCE, MOST_PATIENCE);
    config.keep_invariants = true;
    config.limits.max_time = Some(config.limits.max_time.map_or(limit, |time| time.saturating_sub(elapsed).min(limit)));
    let mut brief = config.clone();
    brief.limits.max_time = brief.limits.max_time.map(|time| time.min(elapsed.max(LEAST_FOR_LOOPS)));
    let shown = by_loops(program.clone(), entry, brief);
    let Ok(mut engine) = Engine::new(program, entry, config) else { return shown };
    engine.stop_with(stop_on_signals());
    let outcome = engine.run(&mut Silent);
    let mut found = if outcome.exit_code() == exit_code::CLEAN { outcome.invariants } else { Vec::new() };
    let more = shown.into_iter().filter(|one| found.iter().all(|known| (known.func, known.loc) != (one.func, one.loc)));
    let more: Vec<LoopInvariant> = more.collect();
    found.extend(more);
    found.sort_by_key(|one| (one.func, one.loc));
    found
}

/// What is shown of loops themselves, if every visit of their heads was seen.
fn by_loops(program: Rc<Program>, entry: FuncId, config: Config) -> Vec<LoopInvariant> {
    let Ok(described) = describe_loops(program, entry, config, stop_on_signals()) else { return Vec::new() };
    let loops = if described.is_whole() { described.loops } else { Vec::new() };
    let said = loops.into_iter().filter_map(|LoopDescription { func, loc, conditions }| {
        let in_c: Vec<String> = conditions.into_iter().filter_map(|told| told.in_c).collect();
        (!in_c.is_empty()).then(|| LoopInvariant { func, loc, condition: in_c.join(" && ") })
    });
    said.collect()
}

/// For a run whose paths are known already.
struct Silent;

impl Observer for Silent {
    fn path_ended(&mut self, _: &Program, _: &EndedPath<'_>) -> Result<(), ObserverError> {
        Ok(())
    }
}
