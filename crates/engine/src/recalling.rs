//! What an earlier tree answered, for an exploration that cannot go on with it: one that looks for
//! other errors, or of a program that has changed.
//!
//! The whole recorded tree is executed again, by the program and the options that it was recorded
//! with, and without the solver: finished paths too, to their ends. What was asked on the way is
//! collected with its answers (`espalier_exec::Answers`), which hold of the conditions themselves.
//! Nothing else is taken over: no path counts as explored, and nothing as found.

use crate::engine::Engine;
use crate::outcome::Stop;
use crate::parking::Diverged;
use crate::recording;
use crate::sharing::{Job, WorkerError};
use espalier_base::{Limits, StopFlag};
use espalier_exec::{Answers, State, Step};
use espalier_store::{Batch, Outcome, Place, Reader, Record, RecordId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What came of it.
pub struct Recalled {
    pub answers: Answers,
    pub counts: RecalledCounts,
}

#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct RecalledCounts {
    pub answers: u64,
    /// Nodes of the earlier tree that were executed again.
    pub nodes: u64,
    /// Nodes that were not what they had been, so that nothing below them was recalled.
    pub diverged: u64,
    /// Was it left off before everything was executed?
    pub is_partial: bool,
}

/// Answers may take this part of the memory.
const PART_OF_MEMORY: u64 = 4;

/// Executes a recorded tree again, within the limits of another run.
pub fn recall(job: Job, reader: &Reader, limits: &Limits, stop: StopFlag) -> Result<Recalled, WorkerError> {
    let Job { program, entry, mut config } = job;
    config.limits = limits.clone();
    let mut engine = Engine::new(Rc::new(program), entry, config)?;
    engine.stop_with(stop);
    engine.start_watch();
    let most = limits.max_memory.map(|bytes| bytes / PART_OF_MEMORY);
    engine.executor.set_answers(Answers::collecting(most));
    let mut counts = RecalledCounts::default();
    let mut records = LastRecords::read(reader)?;
    let start = engine.executor.initial_state(entry).map_err(crate::Error::Load)?;
    let mut work = vec![(Box::new(start), RecordId(0))];
    while let Some((state, id)) = work.pop() {
        if engine.is_time_up() || engine.has_no_room_to_recall() {
            counts.is_partial = true;
            break;
        }
        // One without a record is unfinished: nothing was asked there that is known.
        let Some(record) = records.get(reader, id)? else { continue };
        counts.nodes += 1;
        let executed = match &record.outcome {
            Outcome::Fork { .. } => engine.execute_fork(state, &record),
            Outcome::End(_) => engine.execute_to_end(state, &record).map(|()| Vec::new()),
            Outcome::Mark { .. } => Ok(Vec::new()),
        };
        engine.executor.answers_mut().into_iter().for_each(|answers| answers.settle(executed.is_ok()));
        let alternatives = match executed {
            Ok(alternatives) => alternatives,
            Err(Diverged::Stopped) => {
                counts.is_partial = true;
                break;
            }
            Err(Diverged::Mismatch { .. }) => {
                counts.diverged += 1;
                continue;
            }
        };
        let Outcome::Fork { first_child, ways } = &record.outcome else { continue };
        let open = ways.iter().filter(|way| way.end.is_none());
        let children: FxHashMap<&[u8], RecordId> =
            open.zip(first_child.0..).map(|(way, id)| (&way.label[..], RecordId(id))).collect();
        let known = alternatives.into_iter().filter_map(|state| {
            let child = *children.get(state.label())?;
            Some((state, child))
        });
        work.extend(known);
    }
    let answers = engine.executor.take_answers();
    counts.answers = answers.len() as u64;
    Ok(Recalled { answers, counts })
}

impl Engine {
    /// Has questions be answered by what an earlier tree answered, where they can be.
    pub fn know(&mut self, answers: Answers) {
        self.executor.set_answers(answers);
    }

    fn has_no_room_to_recall(&mut self) -> bool {
        let is_full = self.executor.answers().is_some_and(Answers::is_full);
        is_full || self.require_memory() == Err(Stop::MaxMemory)
    }

    /// Executes the last part of a path again, if something was asked on it.
    fn execute_to_end(&mut self, mut state: Box<State>, record: &Record) -> Result<(), Diverged> {
        if record.answers.count == 0 {
            return Ok(());
        }
        self.executor.follow_script(recording::script(record));
        while state.instructions() < record.instructions {
            match self.rerun_towards(&mut state, record)? {
                Step::Fork(_) => {
                    self.executor.leave_script();
                    return Err(Diverged::mismatch("end", "an end", "a fork"));
                }
                Step::End(_) => break,
                Step::Budget | Step::Join | Step::Entered => {}
            }
        }
        self.finish_script(record)
    }
}

/// Where the records of a tree are: the last one of each node, which is the one that counts.
struct LastRecords {
    places: FxHashMap<u16, Vec<u64>>,
    /// The batch that was read last.
    batch: Option<Batch>,
}

impl LastRecords {
    fn read(reader: &Reader) -> Result<LastRecords, WorkerError> {
        let mut places: FxHashMap<u16, Vec<u64>> = FxHashMap::default();
        reader.scan(&mut |_, batch| {
            for (place, record) in batch.views().map_while(Result::ok) {
                let of_worker = places.entry(record.id.worker()).or_default();
                let counter = record.id.counter() as usize;
                if of_worker.len() <= counter {
                    of_worker.resize(counter + 1, 0);
                }
                of_worker[counter] = place.0;
            }
        })?;
        Ok(LastRecords { places, batch: None })
    }

    fn get(&mut self, reader: &Reader, id: RecordId) -> Result<Option<Record>, WorkerError> {
        let place = self.places.get(&id.worker()).and_then(|places| places.get(id.counter() as usize));
        let Some(place) = place.copied().filter(|&place| place != 0).map(Place) else { return Ok(None) };
        if self.batch.as_ref().is_none_or(|batch| batch.seq != place.batch()) {
            self.batch = reader.batch(place.batch())?;
        }
        // What is damaged is as if it were not there.
        Ok(self.batch.as_ref().and_then(|batch| batch.record_at(place.offset()).ok()))
    }
}
