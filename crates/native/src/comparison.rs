//! What a native run did beside what was predicted: exit status, what it printed, and the files
//! that it left.
//!
//! A path that ended by an exit is compared whole. One that ended in an error is compared as far as
//! both go: natively the error may show earlier, may not stop the program, and loses what was in
//! the buffers of streams.

use crate::build::{Checks, Observed};
use crate::outcome::{LIBRARY, Outcome};
use espalier_base::expected::{Expected, ExpectedEnd, FileKind, FileNode, Files, Part, Printed};
use std::cmp::Ordering;

/// How many bytes of a difference are shown.
const SHOWN: usize = 32;

/// Something that was predicted otherwise. How this is said to people is in `report::native_text`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    pub what: Compared,
    /// The first byte that differs, where that makes sense.
    pub at: Option<usize>,
    /// What was predicted there, and what there is.
    pub predicted: Seen,
    pub native: Seen,
}

/// What is compared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Compared {
    ExitStatus,
    Output,
    Error,
    /// With its path, as it can be printed.
    File(String),
}

/// What was predicted of it, or what there is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Seen {
    Status(i32),
    /// The first of the bytes from there on; none are the end.
    Bytes {
        first: Vec<u8>,
        is_cut: bool,
    },
    /// Any bytes.
    More,
    NoFile,
    File,
    Directory,
    Link,
    /// A pipe or a device.
    OtherFile,
    Permissions(u32),
}

/// What was not compared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LeftOut {
    /// It depends on more than the input.
    ExitStatus,
    /// What comes after so many bytes, in the prediction's words.
    Rest {
        what: Compared,
        from: usize,
        reason: String,
    },
    UnreadableFiles(String),
    /// The run has no directory of its own.
    SharedDirectory,
    /// Nobody recorded them.
    UnrecordedFiles,
}

/// What a comparison came to.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Comparison {
    pub differences: Vec<Difference>,
    pub left_out: Vec<LeftOut>,
}

/// Compares the exit status alone: all there is for tests without a file that says more.
pub(crate) fn status(predicted: Option<i32>, outcome: &Outcome) -> Comparison {
    let mut comparison = Comparison::default();
    if let (Some(predicted), Outcome::Exit(native)) = (predicted, outcome)
        && predicted & 0xff != *native
    {
        comparison.differences.push(Difference {
            what: Compared::ExitStatus,
            at: None,
            predicted: Seen::Status(predicted & 0xff),
            native: Seen::Status(*native),
        });
    }
    comparison
}

/// Compares everything with a run that ended as predicted.
pub(crate) fn compare(expected: &Expected, observed: &Observed, checks: Checks) -> Comparison {
    let whole = match expected.end {
        ExpectedEnd::Exit(_) => true,
        ExpectedEnd::Signal(_) | ExpectedEnd::Error { .. } => false,
        ExpectedEnd::Cut | ExpectedEnd::Place => return Comparison::default(),
    };
    let mut comparison = match expected.end {
        ExpectedEnd::Exit(status) => self::status(status, &observed.outcome),
        _ => Comparison::default(),
    };
    if expected.end == ExpectedEnd::Exit(None) {
        comparison.left_out.push(LeftOut::ExitStatus);
    }
    comparison.stream(&Compared::Output, &expected.stdout, &observed.stdout, whole);
    // Sanitizers write there too.
    if checks != Checks::Sanitizers {
        let stderr = without_messages(&observed.stderr);
        comparison.stream(&Compared::Error, &expected.stderr, &stderr, whole);
    }
    match (&expected.files, &observed.files) {
        (Files::Recorded(predicted), Some(Ok(native))) => comparison.files(predicted, native),
        (Files::Recorded(_), Some(Err(why))) => comparison.left_out.push(LeftOut::UnreadableFiles(why.clone())),
        (Files::Recorded(_), None) => comparison.left_out.push(LeftOut::SharedDirectory),
        (Files::NotRecorded, _) if whole => comparison.left_out.push(LeftOut::UnrecordedFiles),
        (Files::NotRecorded | Files::None, _) => {}
    }
    comparison
}

impl Comparison {
    fn stream(&mut self, what: &Compared, predicted: &Printed, native: &[u8], whole: bool) {
        if let Some(difference) = bytes(what, predicted, native, whole) {
            self.differences.push(difference);
        } else if let Some(reason) = predicted.unknown_end() {
            let (what, from) = (what.clone(), predicted.known_length());
            self.left_out.push(LeftOut::Rest { what, from, reason: reason.clone() });
        }
    }

    fn files(&mut self, predicted: &[FileNode], native: &[FileNode]) {
        let (mut predicted, mut native) = (predicted.iter().peekable(), native.iter().peekable());
        loop {
            let order = match (predicted.peek(), native.peek()) {
                (Some(predicted), Some(native)) => predicted.path.cmp(&native.path),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => return,
            };
            let here = if order.is_gt() { None } else { predicted.next() };
            let there = if order.is_lt() { None } else { native.next() };
            let Some(path) = here.or(there).map(|node| node.path.escape_ascii().to_string()) else { return };
            self.file(&Compared::File(path), here, there);
        }
    }

    fn file(&mut self, what: &Compared, predicted: Option<&FileNode>, native: Option<&FileNode>) {
        let (Some(predicted), Some(native)) = (predicted, native) else {
            self.differ(what, kind(predicted), kind(native));
            return;
        };
        match (&predicted.kind, &native.kind) {
            (FileKind::File(content), FileKind::File(native)) => self.stream(what, content, &known(native), true),
            (FileKind::Link(target), FileKind::Link(native)) => self.stream(what, target, &known(native), true),
            (FileKind::Directory, FileKind::Directory) | (FileKind::Other, FileKind::Other) => {}
            _ => return self.differ(what, kind(Some(predicted)), kind(Some(native))),
        }
        if !matches!(native.kind, FileKind::Link(_)) && predicted.mode != native.mode {
            self.differ(what, Seen::Permissions(predicted.mode), Seen::Permissions(native.mode));
        }
    }

    fn differ(&mut self, what: &Compared, predicted: Seen, native: Seen) {
        self.differences.push(Difference { what: what.clone(), at: None, predicted, native });
    }
}

fn kind(node: Option<&FileNode>) -> Seen {
    match node.map(|node| &node.kind) {
        None => Seen::NoFile,
        Some(FileKind::File(_)) => Seen::File,
        Some(FileKind::Directory) => Seen::Directory,
        Some(FileKind::Link(_)) => Seen::Link,
        Some(FileKind::Other) => Seen::OtherFile,
    }
}

/// The bytes of a native file, all of which are known.
fn known(printed: &Printed) -> Vec<u8> {
    let parts = printed.0.iter();
    parts.flat_map(|part| if let Part::Bytes(bytes) = part { bytes.as_slice() } else { &[] }).copied().collect()
}

/// The first difference between what was predicted and what there is.
fn bytes(what: &Compared, predicted: &Printed, native: &[u8], whole: bool) -> Option<Difference> {
    let differ = |at: usize, predicted: Seen, native: &[u8]| {
        Some(Difference { what: what.clone(), at: Some(at), predicted, native: shown(&native[at..]) })
    };
    let mut at = 0;
    for (index, part) in predicted.0.iter().enumerate() {
        let rest = &native[at..];
        let length = match part {
            Part::Unknown(_) => return None,
            Part::UnknownBytes(count) => *count,
            Part::Bytes(bytes) => {
                if let Some(first) = bytes.iter().zip(rest).position(|(predicted, native)| predicted != native) {
                    return differ(at + first, shown(&bytes[first..]), native);
                }
                bytes.len()
            }
        };
        if length > rest.len() {
            if !whole {
                return None;
            }
            let missing = match &predicted.0[index] {
                Part::Bytes(bytes) => shown(&bytes[rest.len()..]),
                _ => Seen::More,
            };
            return differ(native.len(), missing, native);
        }
        at += length;
    }
    if whole && at < native.len() { differ(at, shown(&[]), native) } else { None }
}

fn shown(bytes: &[u8]) -> Seen {
    Seen::Bytes { first: bytes[..bytes.len().min(SHOWN)].to_vec(), is_cut: bytes.len() > SHOWN }
}

/// Standard error without what the replay library wrote.
fn without_messages(stderr: &[u8]) -> Vec<u8> {
    let mut left = Vec::with_capacity(stderr.len());
    let mut rest = stderr;
    while let Some(start) = rest.windows(LIBRARY.len()).position(|window| window == LIBRARY.as_bytes()) {
        left.extend_from_slice(&rest[..start]);
        let end = rest[start..].iter().position(|&byte| byte == b'\n').map_or(rest.len(), |end| start + end + 1);
        rest = &rest[end..];
    }
    left.extend_from_slice(rest);
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(text: &str) -> Printed {
        let mut printed = Printed::default();
        printed.push(text.as_bytes());
        printed
    }

    fn difference(predicted: &Printed, native: &str, whole: bool) -> Option<(usize, Seen, Seen)> {
        let Difference { at, predicted, native, .. } = bytes(&Compared::Output, predicted, native.as_bytes(), whole)?;
        Some((at?, predicted, native))
    }

    #[test]
    fn the_first_byte_that_differs_is_shown() {
        let predicted = printed("one\ntwo\n");
        assert_eq!(difference(&predicted, "one\ntwo\n", true), None);
        let expected = (5, shown(b"wo\n"), shown(b"oo\n"));
        assert_eq!(difference(&predicted, "one\ntoo\n", true), Some(expected));
        let expected = (3, shown(b"\ntwo\n"), shown(b""));
        assert_eq!(difference(&predicted, "one", true), Some(expected));
        let expected = (8, shown(b""), shown(b"three"));
        assert_eq!(difference(&predicted, "one\ntwo\nthree", true), Some(expected));
        let long = Seen::Bytes { first: vec![b'y'; SHOWN], is_cut: true };
        assert_eq!(difference(&printed("x"), &"y".repeat(100), true), Some((0, shown(b"x"), long)));
    }

    #[test]
    fn what_ends_early_is_compared_as_far_as_it_goes() {
        let predicted = printed("one two");
        for native in ["", "one", "one two", "one two three"] {
            assert_eq!(difference(&predicted, native, false), None);
        }
        assert!(difference(&predicted, "two", false).is_some());
    }

    #[test]
    fn what_is_unknown_is_passed_over() {
        let mut predicted = printed("at ");
        predicted.push_unknown_byte();
        predicted.push(b"!");
        assert_eq!(difference(&predicted, "at 7!", true), None);
        assert!(difference(&predicted, "at 77!", true).is_some());
        assert!(difference(&predicted, "at ", true).is_some());
        predicted.end_of_knowledge("an address".into());
        assert_eq!(difference(&predicted, "at 7!0x7f", true), None);
        assert!(difference(&predicted, "at 7", true).is_some());
    }

    #[test]
    fn files_are_compared_by_name() {
        let node = |path: &str, mode, kind| FileNode { path: path.into(), mode, kind };
        let predicted = [
            node("A", 0o644, FileKind::File(printed("a"))),
            node("B", 0o644, FileKind::File(printed("b"))),
            node("d", 0o755, FileKind::Directory),
            node("l", 0o777, FileKind::Link(printed("A"))),
        ];
        let mut comparison = Comparison::default();
        comparison.files(&predicted, &predicted);
        assert_eq!(comparison, Comparison::default());
        let native = [
            node("A", 0o600, FileKind::File(printed("x"))),
            node("C", 0o644, FileKind::File(printed("c"))),
            node("d", 0o755, FileKind::File(printed(""))),
            node("l", 0o700, FileKind::Link(printed("A"))),
        ];
        comparison.files(&predicted, &native);
        let difference =
            |path: &str, at, predicted, native| Difference { what: Compared::File(path.into()), at, predicted, native };
        let expected = [
            difference("A", Some(0), shown(b"a"), shown(b"x")),
            difference("A", None, Seen::Permissions(0o644), Seen::Permissions(0o600)),
            difference("B", None, Seen::File, Seen::NoFile),
            difference("C", None, Seen::NoFile, Seen::File),
            difference("d", None, Seen::Directory, Seen::File),
        ];
        assert_eq!(comparison.differences, expected);
    }

    #[test]
    fn messages_of_the_library_are_no_output() {
        let stderr = b"one\nespalier-replay: warning: x\ntwo espalier-replay: y\nthree";
        assert_eq!(without_messages(stderr), b"one\ntwo three");
        assert_eq!(without_messages(b"espalier-replay: cut"), b"");
    }
}
