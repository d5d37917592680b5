//! What a run on a test is predicted to do: how it ends, what it prints, and which files there are
//! in the end. It is in a file beside the test, so that `.ktest` files stay KLEE's:
//!
//! ```text
//! espalier-expected 1
//! end: exit 7
//! stdout: "one line\n"
//! stdout: 2 unknown bytes
//! stdout: unknown from here on: an address is printed
//! stderr: "\xff"
//! files: recorded
//! file: 644 "A"
//! content: "text"
//! directory: 755 "d"
//! link: 777 "d/l"
//! target: "../A"
//! inexact: the clock is fixed
//! ```
//!
//! Texts are bytes, with C's escapes for what is not printable. What is not known is said so, and
//! never guessed.

use serde::{Deserialize, Serialize};
use std::fmt::{self, Write as _};

/// How the file's name ends, in the place of `ktest`.
pub const EXTENSION: &str = "expected";

const HEADER: &str = "espalier-expected 1";

/// What is predicted for one test. As it is in files, places and reasons are texts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Expected<Reason = String, Place = String> {
    pub end: ExpectedEnd<Place>,
    pub stdout: Printed<Reason>,
    pub stderr: Printed<Reason>,
    pub files: Files<Reason>,
    /// Why a real run may do something else; empty if it must do this.
    pub inexact: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ExpectedEnd<Place = String> {
    /// The status as the program gave it, if it is known.
    Exit(Option<i32>),
    /// By a signal that the program sent itself.
    Signal(i32),
    /// By an error of this kind at this place.
    Error { kind: String, place: Place },
    /// The path was cut short.
    Cut,
    /// The test leads to a place, and the path went on from there.
    Place,
}

/// What is written to a stream or into a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Printed<Reason = String>(pub Vec<Part<Reason>>);

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Part<Reason = String> {
    Bytes(Vec<u8>),
    /// So many bytes of which nothing is known.
    UnknownBytes(usize),
    /// Nothing is known from here on, for this reason. Always the last part.
    Unknown(Reason),
}

/// What is in the working directory in the end.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Files<Reason = String> {
    /// The program has none: it was run without a model of files.
    None,
    /// Nobody looked: only a program that exits has its files recorded.
    NotRecorded,
    /// All of them, in the order of their names.
    Recorded(Vec<FileNode<Reason>>),
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FileNode<Reason = String> {
    /// From the working directory on.
    pub path: Vec<u8>,
    /// The bits of the permissions; those of links mean nothing.
    pub mode: u32,
    pub kind: FileKind<Reason>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum FileKind<Reason = String> {
    File(Printed<Reason>),
    Directory,
    /// A symbolic link with its target.
    Link(Printed<Reason>),
    /// A pipe or a device.
    Other,
}

impl<Reason> Default for Printed<Reason> {
    fn default() -> Self {
        Printed(Vec::new())
    }
}

impl<Reason> Printed<Reason> {
    pub fn push_byte(&mut self, byte: u8) {
        self.push(&[byte]);
    }

    pub fn push(&mut self, bytes: &[u8]) {
        match self.0.last_mut() {
            Some(Part::Unknown(_)) => {}
            Some(Part::Bytes(last)) => last.extend_from_slice(bytes),
            _ if bytes.is_empty() => {}
            _ => self.0.push(Part::Bytes(bytes.to_vec())),
        }
    }

    pub fn push_unknown_byte(&mut self) {
        match self.0.last_mut() {
            Some(Part::Unknown(_)) => {}
            Some(Part::UnknownBytes(count)) => *count += 1,
            _ => self.0.push(Part::UnknownBytes(1)),
        }
    }

    /// From here on, nothing is known. What comes later changes nothing.
    pub fn end_of_knowledge(&mut self, reason: Reason) {
        if !matches!(self.0.last(), Some(Part::Unknown(_))) {
            self.0.push(Part::Unknown(reason));
        }
    }

    pub fn append(&mut self, other: Printed<Reason>) {
        for part in other.0 {
            match part {
                Part::Bytes(bytes) => self.push(&bytes),
                Part::UnknownBytes(count) => (0..count).for_each(|_| self.push_unknown_byte()),
                Part::Unknown(reason) => self.end_of_knowledge(reason),
            }
        }
    }

    /// How many bytes come before nothing is known any more.
    pub fn known_length(&self) -> usize {
        let length = |part: &Part<Reason>| match part {
            Part::Bytes(bytes) => bytes.len(),
            Part::UnknownBytes(count) => *count,
            Part::Unknown(_) => 0,
        };
        self.0.iter().map(length).sum()
    }

    /// Why it is not known to its end.
    pub fn unknown_end(&self) -> Option<&Reason> {
        match self.0.last() {
            Some(Part::Unknown(reason)) => Some(reason),
            _ => None,
        }
    }

    fn worded(&self, word: &dyn Fn(&Reason) -> String) -> Printed {
        let part = |part: &Part<Reason>| match part {
            Part::Bytes(bytes) => Part::Bytes(bytes.clone()),
            Part::UnknownBytes(count) => Part::UnknownBytes(*count),
            Part::Unknown(reason) => Part::Unknown(word(reason)),
        };
        Printed(self.0.iter().map(part).collect())
    }
}

impl Printed {
    fn write(&self, text: &mut String, key: &str) {
        for part in &self.0 {
            match part {
                Part::Bytes(bytes) => {
                    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
                        let _ = writeln!(text, "{key}: \"{}\"", line.escape_ascii());
                    }
                }
                Part::UnknownBytes(count) => {
                    let _ = writeln!(text, "{key}: {count} unknown bytes");
                }
                Part::Unknown(reason) => {
                    let _ = writeln!(text, "{key}: {UNKNOWN_END}{}", one_line(reason));
                }
            }
        }
    }

    fn read(&mut self, value: &str) -> Result<(), String> {
        if self.unknown_end().is_some() {
            return Err("something follows what is unknown".to_owned());
        }
        if let Some(reason) = value.strip_prefix(UNKNOWN_END) {
            self.end_of_knowledge(reason.to_owned());
        } else if let Some(count) = value.strip_suffix(" unknown bytes") {
            self.0.push(Part::UnknownBytes(number(count)?));
        } else {
            self.push(&whole_text(value)?);
        }
        Ok(())
    }
}

const UNKNOWN_END: &str = "unknown from here on: ";

impl<Reason, Place> Expected<Reason, Place> {
    /// The same with texts for reasons and places.
    pub fn worded(&self, word: &dyn Fn(&Reason) -> String, place: impl Fn(&Place) -> String) -> Expected {
        let node = |node: &FileNode<Reason>| {
            let kind = match &node.kind {
                FileKind::File(content) => FileKind::File(content.worded(word)),
                FileKind::Directory => FileKind::Directory,
                FileKind::Link(target) => FileKind::Link(target.worded(word)),
                FileKind::Other => FileKind::Other,
            };
            FileNode { path: node.path.clone(), mode: node.mode, kind }
        };
        Expected {
            end: match &self.end {
                ExpectedEnd::Exit(status) => ExpectedEnd::Exit(*status),
                ExpectedEnd::Signal(signal) => ExpectedEnd::Signal(*signal),
                ExpectedEnd::Error { kind, place: at } => ExpectedEnd::Error { kind: kind.clone(), place: place(at) },
                ExpectedEnd::Cut => ExpectedEnd::Cut,
                ExpectedEnd::Place => ExpectedEnd::Place,
            },
            stdout: self.stdout.worded(word),
            stderr: self.stderr.worded(word),
            files: match &self.files {
                Files::None => Files::None,
                Files::NotRecorded => Files::NotRecorded,
                Files::Recorded(nodes) => Files::Recorded(nodes.iter().map(node).collect()),
            },
            inexact: self.inexact.clone(),
        }
    }
}

impl Expected {
    /// The text of the file.
    pub fn to_text(&self) -> String {
        let mut text = format!("{HEADER}\nend: {}\n", self.end);
        self.stdout.write(&mut text, "stdout");
        self.stderr.write(&mut text, "stderr");
        match &self.files {
            Files::None => {}
            Files::NotRecorded => text += "files: not recorded\n",
            Files::Recorded(nodes) => {
                text += "files: recorded\n";
                nodes.iter().for_each(|node| node.write(&mut text));
            }
        }
        for reason in &self.inexact {
            let _ = writeln!(text, "inexact: {}", one_line(reason));
        }
        text
    }

    /// What a file says, or which line of it cannot be read.
    pub fn parse(text: &str) -> Result<Expected, String> {
        let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
        let header = lines.next().map(|(_, line)| line).unwrap_or_default();
        if header != HEADER {
            return Err(format!("it begins with \"{}\" and not with \"{HEADER}\"", header.escape_default()));
        }
        let mut end = None;
        let mut expected = Expected {
            end: ExpectedEnd::Cut,
            stdout: Printed::default(),
            stderr: Printed::default(),
            files: Files::None,
            inexact: Vec::new(),
        };
        for (number, line) in lines {
            let wrong = |why: String| format!("line {number}: {why}");
            let (key, value) = line.split_once(": ").ok_or_else(|| wrong("no \"KEY: VALUE\"".to_owned()))?;
            match key {
                "end" => end = Some(ExpectedEnd::parse(value).map_err(wrong)?),
                "stdout" => expected.stdout.read(value).map_err(wrong)?,
                "stderr" => expected.stderr.read(value).map_err(wrong)?,
                "inexact" => expected.inexact.push(value.to_owned()),
                "files" => {
                    expected.files = match value {
                        "recorded" => Files::Recorded(Vec::new()),
                        "not recorded" => Files::NotRecorded,
                        _ => return Err(wrong(format!("\"{value}\" is not known of files"))),
                    }
                }
                _ => {
                    let Files::Recorded(nodes) = &mut expected.files else {
                        return Err(wrong(format!("\"{key}\" is not known here")));
                    };
                    FileNode::read(nodes, key, value).map_err(wrong)?;
                }
            }
        }
        expected.end = end.ok_or("it does not say how the run ends")?;
        Ok(expected)
    }
}

impl fmt::Display for ExpectedEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExpectedEnd::Exit(Some(status)) => write!(f, "exit {status}"),
            ExpectedEnd::Exit(None) => f.write_str("exit unknown"),
            ExpectedEnd::Signal(signal) => write!(f, "signal {signal}"),
            ExpectedEnd::Error { kind, place } => write!(f, "error {kind} at {}", one_line(place)),
            ExpectedEnd::Cut => f.write_str("cut"),
            ExpectedEnd::Place => f.write_str("place"),
        }
    }
}

impl ExpectedEnd {
    fn parse(text: &str) -> Result<ExpectedEnd, String> {
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        match (word, rest) {
            ("exit", "unknown") => Ok(ExpectedEnd::Exit(None)),
            ("exit", status) => Ok(ExpectedEnd::Exit(Some(number(status)?))),
            ("signal", signal) => Ok(ExpectedEnd::Signal(number(signal)?)),
            ("error", rest) => {
                let (kind, place) = rest.split_once(" at ").ok_or("an error has a kind and a place")?;
                Ok(ExpectedEnd::Error { kind: kind.to_owned(), place: place.to_owned() })
            }
            ("cut", "") => Ok(ExpectedEnd::Cut),
            ("place", "") => Ok(ExpectedEnd::Place),
            _ => Err(format!("\"{text}\" is no end that is known here")),
        }
    }
}

impl FileNode {
    fn write(&self, text: &mut String) {
        let (mode, path) = (self.mode, self.path.escape_ascii());
        let _ = match &self.kind {
            FileKind::File(_) => writeln!(text, "file: {mode:o} \"{path}\""),
            FileKind::Directory => writeln!(text, "directory: {mode:o} \"{path}\""),
            FileKind::Other => writeln!(text, "other: {mode:o} \"{path}\""),
            FileKind::Link(_) => writeln!(text, "link: {mode:o} \"{path}\""),
        };
        match &self.kind {
            FileKind::File(content) => content.write(text, "content"),
            FileKind::Link(target) => target.write(text, "target"),
            FileKind::Directory | FileKind::Other => {}
        }
    }

    fn read(nodes: &mut Vec<FileNode>, key: &str, value: &str) -> Result<(), String> {
        let kind = match (key, nodes.last_mut().map(|node| &mut node.kind)) {
            ("content", Some(FileKind::File(content))) => return content.read(value),
            ("target", Some(FileKind::Link(target))) => return target.read(value),
            ("file", _) => FileKind::File(Printed::default()),
            ("link", _) => FileKind::Link(Printed::default()),
            ("directory", _) => FileKind::Directory,
            ("other", _) => FileKind::Other,
            _ => return Err(format!("\"{key}\" is not known here")),
        };
        let (mode, path) = value.split_once(' ').ok_or("permissions and a name are expected")?;
        let mode = u32::from_str_radix(mode, 8).map_err(|_| format!("\"{mode}\" are no permissions"))?;
        nodes.push(FileNode { path: whole_text(path)?, mode, kind });
        Ok(())
    }
}

fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("\"{text}\" is no number"))
}

/// The bytes of a text in quotes.
fn whole_text(value: &str) -> Result<Vec<u8>, String> {
    let inside = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).filter(|_| value.len() > 1);
    unescape(inside.ok_or("a text in quotes is expected")?).ok_or_else(|| "an escape that is not known".to_owned())
}

fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let escaped = match byte {
            b'\\' => rest.next()?,
            b'"' => return None,
            _ => {
                bytes.push(byte);
                continue;
            }
        };
        bytes.push(match escaped {
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'\\' | b'\'' | b'"' => escaped,
            b'x' => {
                let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
                (digit(rest.next())? << 4 | digit(rest.next())?) as u8
            }
            _ => return None,
        });
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    fn bytes(text: &[u8]) -> Printed {
        let mut printed = Printed::default();
        printed.push(text);
        printed
    }

    fn exit(status: i32) -> Expected {
        Expected {
            end: ExpectedEnd::Exit(Some(status)),
            stdout: Printed::default(),
            stderr: Printed::default(),
            files: Files::None,
            inexact: Vec::new(),
        }
    }

    #[test]
    fn the_file_is_readable() {
        let mut stdout = bytes(b"one\ntwo \"2\"\\\xff");
        stdout.push_unknown_byte();
        stdout.push_unknown_byte();
        stdout.push_byte(b'!');
        stdout.end_of_knowledge("an address\nis printed".into());
        stdout.push(b"lost");
        let node = |path: &str, kind| FileNode { path: path.into(), mode: 0o644, kind };
        let nodes = vec![
            node("A", FileKind::File(bytes(b"x\0"))),
            node("d", FileKind::Directory),
            node("d/l", FileKind::Link(bytes(b"../A"))),
            node("p", FileKind::Other),
        ];
        let expected =
            Expected { stdout, files: Files::Recorded(nodes), inexact: vec!["the clock is fixed".into()], ..exit(-1) };
        let text = "espalier-expected 1
end: exit -1
stdout: \"one\\n\"
stdout: \"two \\\"2\\\"\\\\\\xff\"
stdout: 2 unknown bytes
stdout: \"!\"
stdout: unknown from here on: an address is printed
files: recorded
file: 644 \"A\"
content: \"x\\x00\"
directory: 644 \"d\"
link: 644 \"d/l\"
target: \"../A\"
other: 644 \"p\"
inexact: the clock is fixed
";
        assert_eq!(expected.to_text(), text);
        let read = Expected::parse(text).unwrap();
        assert_eq!(read.to_text(), text);
        assert_eq!(
            (read.stdout.known_length(), read.stdout.unknown_end().map(String::as_str)),
            (16, Some("an address is printed"))
        );
        assert_eq!((read.end, read.files), (expected.end, expected.files));
    }

    #[test]
    fn every_end_comes_back() {
        for end in [
            ExpectedEnd::Exit(None),
            ExpectedEnd::Exit(Some(255)),
            ExpectedEnd::Signal(15),
            ExpectedEnd::Error { kind: "ptr".into(), place: "a at b.c:3:1".into() },
            ExpectedEnd::Cut,
            ExpectedEnd::Place,
        ] {
            let expected = Expected { end, files: Files::NotRecorded, ..exit(0) };
            assert_eq!(Expected::parse(&expected.to_text()), Ok(expected));
        }
    }

    #[test]
    fn any_bytes_come_back() {
        let mut rng = Rng::new(7);
        for _ in 0..500 {
            let mut printed = Printed::default();
            for _ in 0..rng.below(6) {
                match rng.below(4) {
                    0 => printed.push_unknown_byte(),
                    1 if rng.below(4) == 0 => printed.end_of_knowledge("it is: \"so\"".into()),
                    _ => (0..rng.below(40)).for_each(|_| printed.push_byte(rng.below(256) as u8)),
                }
            }
            let node =
                FileNode { path: vec![rng.below(256) as u8; 3], mode: 0o7755, kind: FileKind::File(printed.clone()) };
            let expected =
                Expected { stdout: printed.clone(), stderr: printed, files: Files::Recorded(vec![node]), ..exit(3) };
            let text = expected.to_text();
            assert!(text.is_ascii() && !text.contains('\0'));
            assert_eq!(Expected::parse(&text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, part) in [
            ("", "it begins with \"\""),
            ("espalier-expected 2\nend: exit 0\n", "it begins with \"espalier-expected 2\""),
            ("espalier-expected 1\nstdout: \"x\"\n", "how the run ends"),
            ("espalier-expected 1\nend: exit x\n", "line 2: \"x\" is no number"),
            ("espalier-expected 1\nend: bang\n", "line 2: \"bang\" is no end"),
            ("espalier-expected 1\nend: exit 0\nstdout: x\n", "line 3: a text in quotes"),
            ("espalier-expected 1\nend: exit 0\nstdout: \"\\q\"\n", "line 3: an escape"),
            ("espalier-expected 1\nend: exit 0\nstdout: \"\\x4\"\n", "line 3: an escape"),
            ("espalier-expected 1\nend: exit 0\nstdout: \"\n", "line 3: a text in quotes"),
            ("espalier-expected 1\nend: exit 0\nstdout: unknown from here on: x\nstdout: \"y\"\n", "line 4: something"),
            ("espalier-expected 1\nend: exit 0\nfile: 644 \"A\"\n", "line 3: \"file\" is not known here"),
            ("espalier-expected 1\nend: exit 0\nfiles: recorded\ncontent: \"A\"\n", "line 4: \"content\""),
            ("espalier-expected 1\nend: exit 0\nfiles: recorded\nfile: 9 \"A\"\n", "line 4: \"9\" are no permissions"),
            ("espalier-expected 1\nend: exit 0\nmore\n", "line 3: no \"KEY: VALUE\""),
        ] {
            let error = Expected::parse(text).unwrap_err();
            assert!(error.contains(part), "{text:?}: {error}");
        }
    }
}
