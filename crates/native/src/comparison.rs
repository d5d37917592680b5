//! What a native run did beside what was predicted: exit status, what it printed, and the files that it left.
//!
//! A path that ended by an exit is compared whole. One that ended in an error is compared as far as both go: natively
//! the error may show earlier, may not stop the program, and loses what was in the buffers of streams.

use crate::build::{Checks, Observed};
use crate::outcome::{LIBRARY, Outcome};
use espalier_base::expected::{Expected, ExpectedEnd, FileKind, FileNode, Files, Part, Printed};
use std::cmp::Ordering;
use std::fmt;

/// How many bytes of a difference are shown.
const SHOWN: usize = 32;

/// Something that was predicted otherwise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// "exit status", "standard output", "file A".
    pub what: String,
    /// The first byte that differs, where that makes sense.
    pub at: Option<usize>,
    /// What was predicted there, and what there is, for people.
    pub predicted: String,
    pub native: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        if let Some(at) = self.at {
            write!(f, " from byte {at} on")?;
        }
        write!(f, ": predicted {}, native {}", self.predicted, self.native)
    }
}

/// What a comparison came to.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Comparison {
    pub differences: Vec<Difference>,
    /// What was not compared, and why.
    pub left_out: Vec<String>,
}

/// Compares the exit status alone: all there is for tests without a file that says more.
pub(crate) fn status(predicted: Option<i32>, outcome: &Outcome) -> Comparison {
    let mut comparison = Comparison::default();
    if let (Some(predicted), Outcome::Exit(native)) = (predicted, outcome)
        && predicted & 0xff != *native
    {
        comparison.differences.push(Difference {
            what: "exit status".to_owned(),
            at: None,
            predicted: (predicted & 0xff).to_string(),
            native: native.to_string(),
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
        comparison.left_out.push("the exit status, which depends on more than the input".to_owned());
    }
    comparison.stream("standard output", &expected.stdout, &observed.stdout, whole);
    // Sanitizers write there too.
    if checks != Checks::Sanitizers {
        let stderr = without_messages(&observed.stderr);
        comparison.stream("standard error", &expected.stderr, &stderr, whole);
    }
    match (&expected.files, &observed.files) {
        (Files::Recorded(predicted), Some(Ok(native))) => comparison.files(predicted, native),
        (Files::Recorded(_), Some(Err(why))) => comparison.left_out.push(format!("files: {why}")),
        (Files::Recorded(_), None) => comparison.left_out.push("files: the run has no directory of its own".to_owned()),
        (Files::NotRecorded, _) if whole => comparison.left_out.push("files, which were not recorded".to_owned()),
        (Files::NotRecorded | Files::None, _) => {}
    }
    comparison
}

impl Comparison {
    fn stream(&mut self, what: &str, predicted: &Printed, native: &[u8], whole: bool) {
        if let Some(difference) = bytes(what, predicted, native, whole) {
            self.differences.push(difference);
        } else if let Some(reason) = predicted.unknown_end() {
            self.left_out.push(format!("{what} from byte {} on: {reason}", predicted.known_length()));
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
            self.file(&path, here, there);
        }
    }

    fn file(&mut self, path: &str, predicted: Option<&FileNode>, native: Option<&FileNode>) {
        let what = format!("file {path}");
        let (Some(predicted), Some(native)) = (predicted, native) else {
            self.differ(&what, kind(predicted), kind(native));
            return;
        };
        match (&predicted.kind, &native.kind) {
            (FileKind::File(content), FileKind::File(native)) => self.stream(&what, content, &known(native), true),
            (FileKind::Link(target), FileKind::Link(native)) => self.stream(&what, target, &known(native), true),
            (FileKind::Directory, FileKind::Directory) | (FileKind::Other, FileKind::Other) => {}
            _ => return self.differ(&what, kind(Some(predicted)), kind(Some(native))),
        }
        if !matches!(native.kind, FileKind::Link(_)) && predicted.mode != native.mode {
            self.differ(&what, &format!("permissions {:o}", predicted.mode), &format!("{:o}", native.mode));
        }
    }

    fn differ(&mut self, what: &str, predicted: &str, native: &str) {
        let (predicted, native) = (predicted.to_owned(), native.to_owned());
        self.differences.push(Difference { what: what.to_owned(), at: None, predicted, native });
    }
}

fn kind(node: Option<&FileNode>) -> &'static str {
    match node.map(|node| &node.kind) {
        None => "none",
        Some(FileKind::File(_)) => "a file",
        Some(FileKind::Directory) => "a directory",
        Some(FileKind::Link(_)) => "a symbolic link",
        Some(FileKind::Other) => "a pipe or device",
    }
}

/// The bytes of a native file, all of which are known.
fn known(printed: &Printed) -> Vec<u8> {
    let parts = printed.0.iter();
    parts.flat_map(|part| if let Part::Bytes(bytes) = part { bytes.as_slice() } else { &[] }).copied().collect()
}

/// The first difference between what was predicted and what there is.
fn bytes(what: &str, predicted: &Printed, native: &[u8], whole: bool) -> Option<Difference> {
    let differ = |at: usize, predicted: String, native: &[u8]| {
        Some(Difference { what: what.to_owned(), at: Some(at), predicted, native: shown(&native[at..]) })
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
                _ => "more".to_owned(),
            };
            return differ(native.len(), missing, native);
        }
        at += length;
    }
    if whole && at < native.len() { differ(at, shown(&[]), native) } else { None }
}

fn shown(bytes: &[u8]) -> String {
    match bytes.len() {
        0 => "nothing more".to_owned(),
        1..=SHOWN => format!("\"{}\"", bytes.escape_ascii()),
        _ => format!("\"{}\"...", bytes[..SHOWN].escape_ascii()),
    }
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

    fn difference(predicted: &Printed, native: &str, whole: bool) -> Option<String> {
        bytes("output", predicted, native.as_bytes(), whole).map(|difference| difference.to_string())
    }

    #[test]
    fn the_first_byte_that_differs_is_shown() {
        let predicted = printed("one\ntwo\n");
        assert_eq!(difference(&predicted, "one\ntwo\n", true), None);
        let expected = "output from byte 5 on: predicted \"wo\\n\", native \"oo\\n\"";
        assert_eq!(difference(&predicted, "one\ntoo\n", true).as_deref(), Some(expected));
        let expected = "output from byte 3 on: predicted \"\\ntwo\\n\", native nothing more";
        assert_eq!(difference(&predicted, "one", true).as_deref(), Some(expected));
        let expected = "output from byte 8 on: predicted nothing more, native \"three\"";
        assert_eq!(difference(&predicted, "one\ntwo\nthree", true).as_deref(), Some(expected));
        let long = difference(&printed("x"), &"y".repeat(100), true).unwrap_or_default();
        assert!(long.ends_with(&format!("native \"{}\"...", "y".repeat(SHOWN))), "{long}");
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
        let texts: Vec<String> = comparison.differences.iter().map(Difference::to_string).collect();
        let expected = [
            "file A from byte 0 on: predicted \"a\", native \"x\"",
            "file A: predicted permissions 644, native 600",
            "file B: predicted a file, native none",
            "file C: predicted none, native a file",
            "file d: predicted a directory, native a file",
        ];
        assert_eq!(texts, expected);
    }

    #[test]
    fn messages_of_the_library_are_no_output() {
        let stderr = b"one\nespalier-replay: warning: x\ntwo espalier-replay: y\nthree";
        assert_eq!(without_messages(stderr), b"one\ntwo three");
        assert_eq!(without_messages(b"espalier-replay: cut"), b"");
    }
}
