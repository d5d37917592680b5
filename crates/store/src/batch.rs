//! Batches: records one behind the other, about 64 KiB of them, which are written and checked as
//! one.

use crate::bytes::{Bytes, Small};
use crate::record::{RecordParts, RecordView, decode, encode};
use crate::{Damaged, Flaw, Place, Record, RecordId};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// A batch that has reached this size is full.
const FULL: usize = 64 << 10;
/// Room for the record that fills it.
const ROOM: usize = FULL + 512;

/// Records, and what has to be known about them without reading them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Batch {
    pub seq: u64,
    pub worker: u16,
    /// The ids in it are differences to this one.
    pub base: RecordId,
    /// The worker's first counter that was not allotted when the batch was sealed.
    pub next_id: u64,
    pub records: u32,
    /// Ids in it that were recorded before.
    pub revised: Vec<RecordId>,
    pub data: Vec<u8>,
}

impl Batch {
    /// The record at this offset, which is that of a [`Place`].
    pub fn record_at(&self, offset: u32) -> Result<Record, Damaged> {
        self.view(offset).map(|view| view.to_record())
    }

    /// The same without copying anything.
    pub fn view_at(&self, place: Place) -> Result<RecordView<'_>, Damaged> {
        self.view(place.offset())
    }

    fn view(&self, offset: u32) -> Result<RecordView<'_>, Damaged> {
        let damaged = |flaw| Damaged { batch: self.seq, offset, flaw };
        let data = self.data.get(offset as usize..).ok_or(damaged(Flaw::Offset))?;
        decode(&mut Bytes(data), self.base).map_err(damaged)
    }

    /// All records in the order they were written. Nothing comes after an error.
    pub fn records(&self) -> impl Iterator<Item = Result<(Place, Record), Damaged>> {
        self.views().map(|view| view.map(|(place, view)| (place, view.to_record())))
    }

    /// The same without copying anything.
    pub fn views(&self) -> impl Iterator<Item = Result<(Place, RecordView<'_>), Damaged>> {
        let mut bytes = Bytes(&self.data);
        std::iter::from_fn(move || {
            if bytes.0.is_empty() {
                return None;
            }
            let offset = self.data.len() - bytes.0.len();
            let view = if offset < Place::OFFSETS { decode(&mut bytes, self.base) } else { Err(Flaw::Offset) };
            let offset = offset as u32;
            Some(match view {
                Ok(view) => Ok((Place::new(self.seq, offset), view)),
                Err(flaw) => {
                    bytes = Bytes(&[]);
                    Err(Damaged { batch: self.seq, offset, flaw })
                }
            })
        })
    }

    /// Over everything that is kept of it.
    pub(crate) fn checksum(&self, run: u64, revised: &[u8]) -> u64 {
        let columns = [self.seq, run, self.worker.into(), self.base.0, self.next_id, self.records.into()];
        let seed = columns.iter().fold(0, |seed, column| xxh3_64_with_seed(&column.to_le_bytes(), seed));
        xxh3_64_with_seed(&self.data, xxh3_64_with_seed(revised, seed))
    }

    pub(crate) fn encode_revised(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for id in &self.revised {
            let mut small = Small::new();
            small.near(id.0, self.base.0);
            out.extend_from_slice(small.written());
        }
        out
    }

    pub(crate) fn decode_revised(base: RecordId, encoded: &[u8]) -> Result<Vec<RecordId>, Flaw> {
        let mut bytes = Bytes(encoded);
        let mut revised = Vec::new();
        while !bytes.0.is_empty() {
            revised.push(RecordId(bytes.near(base.0)?));
        }
        Ok(revised)
    }
}

/// The checksum of bytes that are kept as they are.
pub(crate) fn checksum(data: &[u8]) -> u64 {
    xxh3_64(data)
}

/// Packs the records of one worker, and allots its ids.
#[derive(Debug)]
pub struct BatchWriter {
    worker: u16,
    next: u64,
    current: Batch,
    sealed: Vec<Batch>,
}

impl BatchWriter {
    /// The first batch gets this number, and the first id this counter, which is
    /// [`Batch::next_id`] of the worker's last batch. The first batch of all has number 1, so that
    /// no place is 0; the first counter of worker 0 is 1, because 0 is the root.
    pub fn new(first_seq: u64, worker: u16, next: u64) -> BatchWriter {
        BatchWriter { worker, next, current: empty(first_seq, worker, next), sealed: Vec::new() }
    }

    /// The first of this many consecutive ids.
    pub fn next_ids(&mut self, count: usize) -> RecordId {
        let first = RecordId::new(self.worker, self.next);
        self.next += count as u64;
        first
    }

    /// Writes a record.
    pub fn push(&mut self, record: &RecordParts<'_>) -> Place {
        let batch = &mut self.current;
        let place = Place::new(batch.seq, batch.data.len() as u32);
        encode(&mut batch.data, batch.base, record);
        batch.records += 1;
        if record.again {
            batch.revised.push(record.id);
        }
        if batch.data.len() >= FULL {
            self.seal_current();
        }
        place
    }

    /// Bytes of records that no [`BatchWriter::seal`] has taken.
    pub fn waiting(&self) -> usize {
        self.sealed.iter().map(|batch| batch.data.len()).sum::<usize>() + self.current.data.len()
    }

    /// The number of the last batch that is sealed; 0 if there is none.
    pub fn last_seq(&self) -> u64 {
        self.current.seq - 1
    }

    /// Batches that are written from now on have these numbers. All that was written is sealed.
    pub fn number_from(&mut self, seq: u64) {
        debug_assert_eq!(self.current.records, 0, "a batch has one number");
        self.current.seq = seq;
    }

    /// Batches that were taken before are to be taken again.
    pub fn put_back(&mut self, batches: Vec<Batch>) {
        self.sealed.splice(0..0, batches);
    }

    /// Everything that was written since the last time.
    pub fn seal(&mut self) -> Vec<Batch> {
        if self.current.records > 0 {
            self.seal_current();
        }
        std::mem::take(&mut self.sealed)
    }

    #[cold]
    fn seal_current(&mut self) {
        let next = empty(self.current.seq + 1, self.worker, self.next);
        let mut batch = std::mem::replace(&mut self.current, next);
        batch.next_id = self.next;
        self.sealed.push(batch);
    }
}

fn empty(seq: u64, worker: u16, next: u64) -> Batch {
    Batch {
        seq,
        worker,
        base: RecordId::new(worker, next),
        next_id: next,
        records: 0,
        revised: Vec::new(),
        data: Vec::with_capacity(ROOM),
    }
}
