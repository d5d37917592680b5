//! The encoding of a record.
//!
//! ```text
//! head            kind, and which parts follow
//! id              difference to the batch's base
//! function, instruction, instructions
//! trace           4 bytes
//! work            1 byte, logarithmic
//! answers         their count       if the head says so
//! numbers         their length      if the head says so
//! of a branch     difference of the first child to the base, ends of the ways that have ended
//! of other forks  difference of the first child to the base, count of ways
//! of an end       verdict (+ 0x80 if there is a test), target, test
//! of a mark       difference of the child to the base
//! bits of the answers, bytes of the numbers
//! for each way    2 * length of its label (+ 1 if it ended), end, label
//! ```
//! The labels of a branch, `[1]` and `[0]`, are implied. All differences are to the base and not to
//! the record before, which takes a byte more sometimes, so that a record can be read without those
//! before it. A [`RecordView`] borrows its parts: opening a tree decodes all of its records.

use crate::bytes::{Bytes, Small};
use crate::{Answers, End, Flaw, Outcome, Record, RecordId, Verdict, Way, Why};

const KIND: u8 = 0b11;
const FORK: u8 = 0;
const BRANCH: u8 = 1;
const END: u8 = 2;
const MARK: u8 = 3;

/// Of a branch: the label of the first way is `[0]`.
const NO_FIRST: u8 = 1 << 2;
/// Of a branch: the first way has ended. The next bit says so of the second.
const ENDED: u8 = 1 << 3;
const ANSWERS: u8 = 1 << 5;
const NUMBERS: u8 = 1 << 6;

/// The verdict's byte: there is a test.
const TEST: u8 = 0x80;
const CUT: u8 = 16;

const WHYS: [Why; 8] =
    [Why::Depth, Why::Forks, Why::Unwind, Why::Values, Why::StackDepth, Why::ForkingOff, Why::Crash, Why::Other];

/// Work in a byte: numbers below 8 as they are, others rounded down to three significant bits.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct WorkByte(u8);

impl WorkByte {
    const LARGEST: u8 = 251;

    pub fn new(work: u64) -> WorkByte {
        if work < 4 {
            return WorkByte(work as u8);
        }
        let exponent = work.ilog2();
        WorkByte((exponent - 1) as u8 * 4 + (work >> (exponent - 2) & 3) as u8)
    }

    pub fn work(self) -> u64 {
        match self.0 {
            small @ 0..4 => u64::from(small),
            byte => u64::from(4 + byte % 4) << (byte / 4 - 1),
        }
    }
}

/// What is kept of this amount of work: at most it, and more than four fifths of it.
pub fn round_work(work: u64) -> u64 {
    WorkByte::new(work).work()
}

/// A record to be written, of borrowed parts.
#[derive(Copy, Clone, Debug)]
pub struct RecordParts<'a> {
    pub id: RecordId,
    pub function: u32,
    pub instruction: u32,
    pub instructions: u64,
    pub trace: u32,
    pub work: u64,
    pub answers: AnswersView<'a>,
    pub outcome: OutcomeParts<'a>,
    /// The node was recorded before.
    pub again: bool,
}

#[derive(Copy, Clone, Debug)]
pub enum OutcomeParts<'a> {
    Fork { first_child: RecordId, ways: &'a [WayRef<'a>] },
    End(End),
    Mark { child: RecordId },
}

/// A way to be written, or one that was read.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct WayRef<'a> {
    pub label: &'a [u8],
    pub end: Option<End>,
}

fn flag(on: bool, bit: u8) -> u8 {
    if on { bit } else { 0 }
}

/// The head of a fork that is a branch, whose labels need not be written.
fn branch(ways: &[WayRef<'_>]) -> Option<u8> {
    let [first, second] = ways else { return None };
    let order = match (first.label, second.label) {
        ([1], [0]) => 0,
        ([0], [1]) => NO_FIRST,
        _ => return None,
    };
    Some(BRANCH | order | flag(first.end.is_some(), ENDED) | flag(second.end.is_some(), ENDED << 1))
}

pub(crate) fn encode(out: &mut Vec<u8>, base: RecordId, record: &RecordParts<'_>) {
    let answers = record.answers;
    assert_eq!(answers.bits.len(), answers.count.div_ceil(4) as usize, "an answer has 2 bits");
    let mut head = match record.outcome {
        OutcomeParts::Fork { ways, .. } => branch(ways).unwrap_or(FORK),
        OutcomeParts::End(_) => END,
        OutcomeParts::Mark { .. } => MARK,
    };
    let kind = head & KIND;
    head |= flag(answers.count > 0, ANSWERS) | flag(!answers.numbers.is_empty(), NUMBERS);
    let mut small = Small::new();
    small.byte(head);
    small.near(record.id.0, base.0);
    small.number(record.function.into());
    small.number(record.instruction.into());
    small.number(record.instructions);
    small.four(record.trace.to_le_bytes());
    small.byte(WorkByte::new(record.work).0);
    if answers.count > 0 {
        small.number(answers.count.into());
    }
    if !answers.numbers.is_empty() {
        small.number(answers.numbers.len() as u64);
    }
    let mut listed: &[WayRef<'_>] = &[];
    match record.outcome {
        OutcomeParts::Fork { first_child, ways } => {
            small.near(first_child.0, base.0);
            if kind == BRANCH {
                ways.iter().filter_map(|way| way.end).for_each(|end| put_end(&mut small, end));
            } else {
                small.number(ways.len() as u64);
                listed = ways;
            }
        }
        OutcomeParts::End(end) => put_end(&mut small, end),
        OutcomeParts::Mark { child } => small.near(child.0, base.0),
    }
    out.extend_from_slice(small.written());
    if answers.count > 0 {
        out.extend_from_slice(answers.bits);
    }
    if !answers.numbers.is_empty() {
        out.extend_from_slice(answers.numbers);
    }
    for way in listed {
        let mut small = Small::new();
        small.number((way.label.len() as u64) << 1 | u64::from(way.end.is_some()));
        way.end.into_iter().for_each(|end| put_end(&mut small, end));
        out.extend_from_slice(small.written());
        out.extend_from_slice(way.label);
    }
}

#[inline]
fn put_end(out: &mut Small, end: End) {
    let verdict = match end.verdict {
        Verdict::Exit => 0,
        Verdict::Error => 1,
        Verdict::Target(_) => 2,
        Verdict::Infeasible => 3,
        Verdict::Silent => 4,
        Verdict::Unsupported => 5,
        Verdict::Unknown => 6,
        Verdict::Covered => 7,
        Verdict::Irrelevant => 8,
        Verdict::Cut(why) => CUT + why as u8,
    };
    out.byte(verdict | flag(end.test.is_some(), TEST));
    if let Verdict::Target(target) = end.verdict {
        out.number(target.into());
    }
    if let Some(test) = end.test {
        out.number(test);
    }
}

#[inline]
fn end(bytes: &mut Bytes<'_>) -> Result<End, Flaw> {
    let byte = bytes.byte()?;
    let verdict = match byte & !TEST {
        0 => Verdict::Exit,
        1 => Verdict::Error,
        2 => Verdict::Target(bytes.small()?),
        3 => Verdict::Infeasible,
        4 => Verdict::Silent,
        5 => Verdict::Unsupported,
        6 => Verdict::Unknown,
        7 => Verdict::Covered,
        8 => Verdict::Irrelevant,
        cut => {
            let why = cut.checked_sub(CUT).and_then(|why| WHYS.get(usize::from(why)));
            Verdict::Cut(*why.ok_or(Flaw::Kind)?)
        }
    };
    let test = if byte & TEST != 0 { Some(bytes.number()?) } else { None };
    Ok(End { verdict, test })
}

/// A record that was read, of borrowed parts.
#[derive(Copy, Clone, Debug)]
pub struct RecordView<'a> {
    pub id: RecordId,
    pub function: u32,
    pub instruction: u32,
    pub instructions: u64,
    pub trace: u32,
    pub work: WorkByte,
    pub answers: AnswersView<'a>,
    pub outcome: OutcomeView<'a>,
}

/// See [`Answers`].
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct AnswersView<'a> {
    pub count: u32,
    pub bits: &'a [u8],
    pub numbers: &'a [u8],
}

impl Answers {
    pub fn view(&self) -> AnswersView<'_> {
        AnswersView { count: self.count, bits: &self.bits, numbers: &self.numbers }
    }
}

#[derive(Copy, Clone, Debug)]
pub enum OutcomeView<'a> {
    Fork { first_child: RecordId, ways: Ways<'a> },
    End(End),
    Mark { child: RecordId },
}

/// The ways of a fork that was read.
#[derive(Copy, Clone, Debug)]
pub struct Ways<'a> {
    /// Of the record.
    head: u8,
    left: u64,
    bytes: Bytes<'a>,
}

impl<'a> Ways<'a> {
    #[inline]
    fn way(&mut self) -> Result<WayRef<'a>, Flaw> {
        let second = self.left == 1;
        self.left -= 1;
        if self.head & KIND == BRANCH {
            let no = (self.head & NO_FIRST != 0) != second;
            let ended = self.head & (ENDED << u8::from(second)) != 0;
            Ok(WayRef { label: if no { &[0] } else { &[1] }, end: self.end_if(ended)? })
        } else {
            let length = self.bytes.number()?;
            let end = self.end_if(length & 1 != 0)?;
            Ok(WayRef { label: self.bytes.take(length >> 1)?, end })
        }
    }

    #[inline]
    fn end_if(&mut self, ended: bool) -> Result<Option<End>, Flaw> {
        if ended { end(&mut self.bytes).map(Some) } else { Ok(None) }
    }

    /// What comes after them, if they can be read.
    fn behind(mut self) -> Result<Bytes<'a>, Flaw> {
        while self.left > 0 {
            self.way()?;
        }
        Ok(self.bytes)
    }
}

impl<'a> Iterator for Ways<'a> {
    type Item = WayRef<'a>;

    /// They were all read once, so there is no error.
    #[inline]
    fn next(&mut self) -> Option<WayRef<'a>> {
        if self.left == 0 { None } else { self.way().ok() }
    }
}

/// The next record, after which `bytes` is behind it.
#[inline]
pub(crate) fn decode<'a>(bytes: &mut Bytes<'a>, base: RecordId) -> Result<RecordView<'a>, Flaw> {
    let head = bytes.byte()?;
    let known = KIND | ANSWERS | NUMBERS | if head & KIND == BRANCH { NO_FIRST | ENDED | ENDED << 1 } else { 0 };
    if head & !known != 0 {
        return Err(Flaw::Kind);
    }
    let id = RecordId(bytes.near(base.0)?);
    let function = bytes.small()?;
    let instruction = bytes.small()?;
    let instructions = bytes.number()?;
    let (trace, rest) = bytes.0.split_first_chunk::<4>().ok_or(Flaw::TooShort)?;
    bytes.0 = rest;
    let work = WorkByte(bytes.byte()?);
    if work.0 > WorkByte::LARGEST {
        return Err(Flaw::Number);
    }
    let count = if head & ANSWERS != 0 { bytes.small()? } else { 0 };
    let length = if head & NUMBERS != 0 { bytes.number()? } else { 0 };
    let mut outcome = match head & KIND {
        END => OutcomeView::End(end(bytes)?),
        MARK => OutcomeView::Mark { child: RecordId(bytes.near(base.0)?) },
        kind => {
            let first_child = RecordId(bytes.near(base.0)?);
            let left = if kind == BRANCH { 2 } else { bytes.number()? };
            let ways = Ways { head, left, bytes: *bytes };
            if head & (ENDED | ENDED << 1) != 0 {
                *bytes = ways.behind()?;
            }
            OutcomeView::Fork { first_child, ways }
        }
    };
    let bits = bytes.take(count.div_ceil(4).into())?;
    let answers = AnswersView { count, bits, numbers: bytes.take(length)? };
    if let OutcomeView::Fork { ways, .. } = &mut outcome
        && head & KIND == FORK
    {
        ways.bytes = *bytes;
        *bytes = ways.behind()?;
    }
    let trace = u32::from_le_bytes(*trace);
    Ok(RecordView { id, function, instruction, instructions, trace, work, answers, outcome })
}

impl RecordView<'_> {
    pub fn to_record(&self) -> Record {
        Record {
            id: self.id,
            function: self.function,
            instruction: self.instruction,
            instructions: self.instructions,
            trace: self.trace,
            work: self.work.work(),
            answers: Answers {
                count: self.answers.count,
                bits: self.answers.bits.into(),
                numbers: self.answers.numbers.into(),
            },
            outcome: match self.outcome {
                OutcomeView::Fork { first_child, ways } => Outcome::Fork {
                    first_child,
                    ways: ways.map(|way| Way { label: way.label.into(), end: way.end }).collect(),
                },
                OutcomeView::End(end) => Outcome::End(end),
                OutcomeView::Mark { child } => Outcome::Mark { child },
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_rounded_down_by_less_than_a_fifth_and_keeps_its_order() {
        let works = (0..64).flat_map(|bit| (0..8u64).map(move |eighth| (1u64 << bit) + ((1u64 << bit) / 8) * eighth));
        let mut last = 0;
        for work in (0..8).chain(works).chain([u64::MAX]) {
            let kept = round_work(work);
            assert!(kept <= work && kept > work / 5 * 4 || work == 0, "{work} became {kept}");
            assert_eq!(round_work(kept), kept);
            if work >= last {
                assert!(WorkByte::new(work).0 >= WorkByte::new(last).0);
                last = work;
            }
        }
        assert_eq!(WorkByte::new(u64::MAX).0, WorkByte::LARGEST);
        assert!((0..8).all(|work| round_work(work) == work));
    }

    #[test]
    fn the_byte_of_each_reason_is_its_place() {
        for (place, why) in WHYS.iter().enumerate() {
            assert_eq!(*why as usize, place);
        }
    }
}
