//! What a path prints and which files it leaves, kept for its tests: symbolic bytes and numbers are
//! kept as terms, and get their values from the model that a test is made of. Nothing is kept if no
//! tests are written.
//!
//! The list is shared among paths that forked. A program's own C library decides when buffers are
//! written; the built-in one has none, so what natively waits in a buffer of standard output is
//! told apart here ([`Channel::Buffered`]).

use crate::Executor;
use crate::interpreter::access::Place;
use crate::interpreter::machine::{Interpreter, Machine};
use crate::memory::object::Byte;
use crate::models::shims::Conversion;
use crate::paths::approximation::UncheckedOutput;
use crate::paths::end::{End, ExitStatus, ViolationKind};
use crate::paths::state::State;
use espalier_base::expected::{self, Expected, ExpectedEnd, FileKind, Files};
use espalier_base::persist::List;
use espalier_expr::{Evaluator, Model, Term};
use espalier_ir::Loc;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// What is kept of each stream, and of each file.
const MOST: usize = 64 << 10;
/// How much the native C library keeps back before it writes to a pipe.
const NATIVE_BUFFER: usize = 4096;

/// Why it cannot be told what is printed from somewhere on. How this is said to people is in
/// `report::expected_text`.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Unpredictable {
    /// No more than this many bytes are kept.
    TooLong {
        kept: usize,
    },
    /// It depends on memory or a value that is no input.
    NoInput,
    /// It is written past a buffer that is not empty.
    PastBuffer,
    /// A buffer is left unwritten.
    UnwrittenBuffer,
    UnknownStringEnd,
    SymbolicFormat,
    SymbolicWidth,
    Address,
    Unchecked(UncheckedOutput),
    /// The path is one that others were merged with.
    Merged,
}

const TOO_LONG: Unpredictable = Unpredictable::TooLong { kept: MOST };

/// What a run on a test is predicted to do, before it is put into words.
pub type ExpectedRun = Expected<Unpredictable, Loc>;
type Printed = expected::Printed<Unpredictable>;
type FileNode = expected::FileNode<Unpredictable>;

/// Where something is written to.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Channel {
    Output,
    Error,
    /// Standard output through its stream, which waits natively until there is more.
    Buffered,
}

impl Channel {
    /// As `runtime/` numbers them.
    pub fn numbered(number: u64) -> Option<Channel> {
        match number {
            1 => Some(Channel::Output),
            2 => Some(Channel::Error),
            9 => Some(Channel::Buffered),
            _ => None,
        }
    }
}

/// One thing that a path did which can be seen from outside.
#[derive(Debug)]
pub(crate) enum Piece {
    Bytes(Channel, Vec<u8>),
    Block(Channel, Box<[Byte]>),
    /// A conversion of a format whose value depends on the input.
    Converted(Channel, Box<Conversion>),
    /// From here on nobody knows.
    Unknown(Channel, Unpredictable),
    /// The buffer of standard output is written.
    Flush,
    /// It is not known any more when it is.
    Unsettled,
    /// The program ends without writing it.
    Discard,
    /// The program ends by this signal.
    Killed(i32),
    /// Files follow: all that there are in the working directory.
    Files,
    File(Box<File>),
    /// One of them cannot be read.
    NoFiles,
}

/// A file in the end.
#[derive(Debug)]
pub(crate) struct File {
    /// How many directories it is in, all of which came before.
    pub depth: usize,
    pub mode: u32,
    pub name: Vec<Byte>,
    pub content: Vec<Byte>,
    /// Is there more than was kept?
    pub is_cut: bool,
}

/// What a path did so far.
#[derive(Clone, Default)]
pub(crate) struct Record {
    pieces: List<Piece>,
    /// Bytes kept of standard output and error. What is full gets no more.
    kept: [usize; 2],
}

impl Record {
    pub fn push(&mut self, piece: Piece) {
        self.pieces.push(piece);
    }

    /// It is not known any more what the path did.
    pub fn forget(&mut self) {
        *self = Record::default();
        for channel in [Channel::Output, Channel::Error] {
            self.pieces.push(Piece::Unknown(channel, Unpredictable::Merged));
        }
        self.pieces.push(Piece::NoFiles);
    }

    fn kept(&mut self, channel: Channel) -> &mut usize {
        &mut self.kept[usize::from(channel == Channel::Error)]
    }

    fn room(&mut self, channel: Channel) -> usize {
        MOST.saturating_sub(*self.kept(channel))
    }

    pub fn push_bytes(&mut self, channel: Channel, bytes: &[u8]) {
        let taken = bytes.len().min(self.room(channel));
        let (bytes, rest) = bytes.split_at(taken);
        *self.kept(channel) += taken;
        match self.pieces.last_mut() {
            _ if bytes.is_empty() => {}
            Some(Piece::Bytes(last, text)) if *last == channel => text.extend_from_slice(bytes),
            _ => self.push(Piece::Bytes(channel, bytes.to_vec())),
        }
        if !rest.is_empty() {
            self.push_unknown(channel, TOO_LONG);
        }
    }

    pub fn push_converted(&mut self, channel: Channel, conversion: Conversion) {
        if self.room(channel) > 0 {
            *self.kept(channel) += conversion.most_bytes();
            self.push(Piece::Converted(channel, Box::new(conversion)));
        } else {
            self.push_unknown(channel, TOO_LONG);
        }
    }

    /// Nothing more is kept of this stream.
    pub fn push_unknown(&mut self, channel: Channel, reason: Unpredictable) {
        if *self.kept(channel) != usize::MAX {
            *self.kept(channel) = usize::MAX;
            self.push(Piece::Unknown(channel, reason));
        }
    }
}

/// The streams while the pieces are gone through.
#[derive(Default)]
struct Streams {
    stdout: Printed,
    stderr: Printed,
    /// What waits in the buffer of standard output.
    waiting: Printed,
    is_unsettled: bool,
}

impl Streams {
    /// Adds to a stream what `add` appends.
    fn add(&mut self, channel: Channel, add: impl FnOnce(&mut Printed)) {
        match channel {
            Channel::Error => add(&mut self.stderr),
            Channel::Buffered => add(&mut self.waiting),
            Channel::Output if self.waiting.0.is_empty() => add(&mut self.stdout),
            Channel::Output => self.stdout.end_of_knowledge(Unpredictable::PastBuffer),
        }
    }

    fn flush(&mut self) {
        self.stdout.append(std::mem::take(&mut self.waiting));
    }

    fn discard(&mut self) {
        let waiting = std::mem::take(&mut self.waiting);
        let is_dropped =
            !self.is_unsettled && waiting.unknown_end().is_none() && waiting.known_length() < NATIVE_BUFFER;
        if !waiting.0.is_empty() && !is_dropped {
            self.stdout.end_of_knowledge(Unpredictable::UnwrittenBuffer);
        }
    }
}

impl<M: Machine> Interpreter<'_, M> {
    /// Is what paths do kept for tests?
    pub(crate) fn records(&self) -> bool {
        self.options.predict && M::IS_PATH
    }

    /// Keeps what is written from a place in memory.
    pub(crate) fn record_block(&mut self, state: &mut State, channel: Channel, place: Place, count: usize) {
        let taken = count.min(state.record.room(channel));
        let bytes = self.read_block(state, place, taken);
        let is_plain = bytes.iter().all(|byte| matches!(byte, Byte::Concrete(_)));
        if is_plain {
            let plain: Vec<u8> = bytes.iter().filter_map(Byte::as_concrete).collect();
            state.record.push_bytes(channel, &plain);
        } else {
            *state.record.kept(channel) += taken;
            state.record.push(Piece::Block(channel, bytes.into()));
        }
        if taken < count {
            state.record.push_unknown(channel, TOO_LONG);
        }
    }

    /// Keeps a file as it is: a name and the first bytes of the content, if they are where they are
    /// said to be.
    pub(crate) fn record_file(
        &mut self,
        state: &mut State,
        mut file: File,
        name: (u64, u64),
        content: (u64, u64),
    ) -> bool {
        let mut read = |state: &mut State, (address, size): (u64, u64)| {
            if size == 0 {
                return Some(Vec::new());
            }
            let object = state.memory.object(address)?;
            let (base, offset) = (object.base, address.wrapping_sub(object.base));
            let fits = offset.checked_add(size).is_some_and(|end| end <= object.size);
            let place = Place::new(base, crate::Value::concrete(offset));
            fits.then(|| self.read_block(state, place, size as usize))
        };
        let kept = content.1.min(MOST as u64);
        let (Some(name), Some(bytes)) = (read(state, name), read(state, (content.0, kept))) else { return false };
        (file.name, file.content, file.is_cut) = (name, bytes, kept < content.1);
        state.record.push(Piece::File(Box::new(file)));
        true
    }
}

impl Executor {
    /// What a run on the inputs of the model does, if it follows this path.
    pub(crate) fn expected(&mut self, state: &State, end: &End, model: &Rc<Model>) -> ExpectedRun {
        let mut values = Values { executor: self, evaluator: Evaluator::new(model.clone()) };
        let mut streams = Streams::default();
        let mut killed = None;
        let mut files: Option<Vec<FileNode>> = None;
        let mut parents: Vec<Vec<u8>> = Vec::new();
        let mut is_recorded = true;
        let mut pieces: Vec<&Piece> = state.record.pieces.iter().collect();
        pieces.reverse();
        for piece in pieces {
            match piece {
                Piece::Bytes(channel, bytes) => streams.add(*channel, |printed| printed.push(bytes)),
                Piece::Block(channel, bytes) => streams.add(*channel, |printed| values.append(printed, bytes)),
                Piece::Converted(channel, conversion) => {
                    streams.add(*channel, |printed| values.convert(printed, conversion));
                }
                Piece::Unknown(channel, reason) => streams.add(*channel, |printed| printed.end_of_knowledge(*reason)),
                Piece::Flush => streams.flush(),
                Piece::Unsettled => streams.is_unsettled = true,
                Piece::Discard => streams.discard(),
                Piece::Killed(signal) => killed = Some(*signal),
                Piece::Files => files = Some(Vec::new()),
                Piece::NoFiles => is_recorded = false,
                Piece::File(file) => match (&mut files, values.file(file, &mut parents)) {
                    (Some(files), Some(node)) => files.push(node),
                    _ => is_recorded = false,
                },
            }
        }
        streams.flush();
        let end = match (end, killed) {
            (End::Exit(_), Some(signal)) => ExpectedEnd::Signal(signal),
            (End::Exit(ExitStatus::Concrete(status)), None) => ExpectedEnd::Exit(Some(*status)),
            (End::Exit(ExitStatus::Symbolic(term)), None) => {
                ExpectedEnd::Exit(values.number(*term).map(|status| status as u32 as i32))
            }
            (End::Violation(violation), _) if matches!(violation.kind(), ViolationKind::Target(_)) => {
                ExpectedEnd::Place
            }
            (End::Violation(violation), _) => {
                ExpectedEnd::Error { kind: violation.kind().name().to_owned(), place: violation.loc }
            }
            _ => ExpectedEnd::Cut,
        };
        let files = match files {
            Some(mut nodes) if is_recorded => {
                nodes.sort_by(|a, b| a.path.cmp(&b.path));
                Files::Recorded(nodes)
            }
            None if self.program().function_named("__espalier_begin_files").is_none() => Files::None,
            _ => Files::NotRecorded,
        };
        // Why it is inexact is said when it is written down.
        Expected { end, stdout: streams.stdout, stderr: streams.stderr, files, inexact: Vec::new() }
    }
}

/// What terms come to under a model.
struct Values<'a> {
    executor: &'a mut Executor,
    evaluator: Evaluator,
}

impl Values<'_> {
    /// A number of at most 64 bits, unless it depends on something that is no input.
    fn number(&mut self, term: Term) -> Option<u64> {
        let is_known = !self.executor.depends_on_unknown(term) && self.executor.terms.width(term) <= 64;
        is_known.then(|| self.evaluator.eval_u64(&self.executor.terms, term))
    }

    fn byte(&mut self, byte: Byte) -> Option<u8> {
        match byte {
            Byte::Concrete(value) => Some(value),
            Byte::Symbolic(term, index) => {
                let term = self.executor.terms.extract(term, 8 * index, 8);
                self.number(term).map(|value| value as u8)
            }
            Byte::Backed | Byte::Torn(_) | Byte::Uninit => None,
        }
    }

    fn append(&mut self, printed: &mut Printed, bytes: &[Byte]) {
        for &byte in bytes {
            match self.byte(byte) {
                Some(value) => printed.push_byte(value),
                None => printed.push_unknown_byte(),
            }
        }
    }

    fn convert(&mut self, printed: &mut Printed, conversion: &Conversion) {
        match conversion {
            Conversion::Value { value, .. } => match self.number(*value) {
                Some(bits) => printed.push(&conversion.text(bits)),
                None => printed.end_of_knowledge(Unpredictable::NoInput),
            },
            Conversion::String { bytes, precision, .. } => {
                let mut text = Vec::new();
                for &byte in bytes.iter().take(precision.unwrap_or(usize::MAX)) {
                    match self.byte(byte) {
                        Some(0) => return printed.push(&conversion.padded(text)),
                        Some(value) => text.push(value),
                        None => return printed.end_of_knowledge(Unpredictable::NoInput),
                    }
                }
                if *precision == Some(text.len()) {
                    printed.push(&conversion.padded(text));
                } else {
                    printed.end_of_knowledge(Unpredictable::UnknownStringEnd);
                }
            }
        }
    }

    /// A file with its path. `parents` are the directories that the last one was in.
    fn file(&mut self, file: &File, parents: &mut Vec<Vec<u8>>) -> Option<FileNode> {
        const TYPE: u32 = 0o170000;
        let name: Option<Vec<u8>> = file.name.iter().map(|&byte| self.byte(byte)).collect();
        parents.truncate(file.depth);
        parents.push(name?);
        let mut content = Printed::default();
        self.append(&mut content, &file.content);
        if file.is_cut {
            content.end_of_knowledge(TOO_LONG);
        }
        let kind = match file.mode & TYPE {
            0o100000 => FileKind::File(content),
            0o040000 => FileKind::Directory,
            0o120000 => FileKind::Link(content),
            _ => FileKind::Other,
        };
        Some(FileNode { path: parents.join(&b'/'), mode: file.mode & !TYPE, kind })
    }
}
