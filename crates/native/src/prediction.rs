//! What symbolic execution says that a test leads to: it is in the files beside the test, laid out
//! as KLEE lays out its own, so that tests of KLEE's can be replayed too.

use espalier_base::expected::{EXTENSION, Expected, ExpectedEnd};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// All that is said of a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Predicted {
    pub prediction: Prediction,
    /// What the run prints and the like; tests of KLEE's have none.
    pub expected: Option<Expected>,
}

impl From<Prediction> for Predicted {
    fn from(prediction: Prediction) -> Predicted {
        Predicted { prediction, expected: None }
    }
}

/// How the run on a test ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Prediction {
    /// By an exit, with this status if it is known.
    Exit {
        status: Option<i32>,
    },
    /// By a signal that the program sends itself.
    Signal(i32),
    Error(PredictedError),
    /// Nobody knows: the path was cut short, for this reason if it is said.
    Cut {
        reason: Option<String>,
    },
    /// Nobody knows: the test leads to a place that was asked about, and the path went on from
    /// there.
    Place,
    /// The test is one of a function that was run by itself, with its parameters as inputs.
    Function,
}

/// An error as its file describes it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PredictedError {
    /// The middle of the file's name: `ptr`, `assert` ...
    pub kind: String,
    pub message: String,
    pub file: Option<String>,
    pub line: Option<u32>,
    /// Why the test may not show the error.
    pub notes: Vec<String>,
    /// The program may not be able to follow the path: another failure says nothing of this one.
    pub is_in_doubt: bool,
}

impl PredictedError {
    /// An error of which nothing but the kind is known.
    pub fn of_kind(kind: &str) -> PredictedError {
        PredictedError { kind: kind.to_owned(), ..PredictedError::default() }
    }

    /// The same, on a path that the program may not be able to follow.
    pub fn in_doubt(self, is_in_doubt: bool) -> PredictedError {
        PredictedError { is_in_doubt, ..self }
    }

    fn parse(kind: &str, text: &str) -> PredictedError {
        let mut error = PredictedError::of_kind(kind);
        for line in text.lines() {
            let trimmed = line.trim_start();
            // What a program prints into its error is further down, and indented.
            match line.split_once(": ") {
                Some(("Error", message)) if error.message.is_empty() => error.message = message.to_owned(),
                Some(("File", file)) if error.file.is_none() => error.file = Some(file.to_owned()),
                Some(("Line", number)) if error.line.is_none() => error.line = number.trim().parse().ok(),
                _ => {}
            }
            if let Some(note) = trimmed.strip_prefix("note: the test may not show this: ") {
                error.notes.push(note.to_owned());
            }
        }
        error
    }
}

impl From<&ExpectedEnd> for Prediction {
    fn from(end: &ExpectedEnd) -> Prediction {
        match end {
            ExpectedEnd::Exit(status) => Prediction::Exit { status: *status },
            ExpectedEnd::Signal(signal) => Prediction::Signal(*signal),
            ExpectedEnd::Error { kind, .. } => Prediction::Error(PredictedError::of_kind(kind)),
            ExpectedEnd::Cut => Prediction::Cut { reason: None },
            ExpectedEnd::Place => Prediction::Place,
        }
    }
}

/// Looks up what is predicted for tests. Remembers what is in their directories, which may hold
/// very many.
#[derive(Default)]
pub struct Predictions {
    directories: RefCell<BTreeMap<PathBuf, Rc<Directory>>>,
}

struct Directory {
    names: BTreeSet<String>,
    /// What all of its tests have in common, whatever is beside them.
    common: Option<Prediction>,
}

impl Directory {
    fn read(path: &Path) -> io::Result<Directory> {
        let mut names = BTreeSet::new();
        for entry in fs::read_dir(path)? {
            // A name that is not text is not one of ours.
            names.extend(entry?.file_name().into_string());
        }
        let info = fs::read(path.join("info")).unwrap_or_default();
        Ok(Directory { names, common: common(&String::from_utf8_lossy(&info)) })
    }
}

/// What the command that made a directory says about all tests in it. It is the first line of
/// `info`.
fn common(info: &str) -> Option<Prediction> {
    let mut words = info.lines().next()?.split(' ');
    if words.next() != Some("espalier") {
        return None;
    }
    let verb = words.next();
    while let Some(word) = words.next().filter(|word| *word != "--") {
        let (option, value) = word.split_once('=').map_or((word, None), |(option, value)| (option, Some(value)));
        if ["--entry", "--entry-point"].contains(&option) && value.or_else(|| words.next()) != Some("main") {
            return Some(Prediction::Function);
        }
    }
    (verb == Some("reach")).then_some(Prediction::Place)
}

impl Predictions {
    /// What the files beside a test say. Without any, it ends by an exit.
    pub fn of(&self, test: &Path) -> io::Result<Predicted> {
        let parent = test.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let directory = self.directory(parent)?;
        if let Some(common) = &directory.common {
            return Ok(common.clone().into());
        }
        let (mut prediction, mut expected) = (None, None);
        let stem = test.file_stem().and_then(|stem| stem.to_str());
        let Some(prefix) = stem.map(|stem| format!("{stem}.")) else {
            return Ok(Prediction::Exit { status: None }.into());
        };
        let neighbours = directory.names.range(prefix.clone()..).take_while(|name| name.starts_with(&prefix));
        for name in neighbours {
            let rest = &name[prefix.len()..];
            let read = || fs::read(parent.join(name)).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
            if let Some(kind) = rest.strip_suffix(".err") {
                prediction = prediction.or(Some(Prediction::Error(PredictedError::parse(kind, &read()?))));
            } else if rest == "early" {
                let text = read()?;
                let first = text.lines().next().unwrap_or_default();
                let reason = first.split_once(": ").map_or(first, |(_, reason)| reason).to_owned();
                prediction = prediction.or(Some(Prediction::Cut { reason: Some(reason) }));
            } else if rest == EXTENSION {
                let parsed = Expected::parse(&read()?);
                expected = Some(parsed.map_err(|why| io::Error::other(format!("{name}: {why}")))?);
            }
        }
        let prediction = prediction.unwrap_or_else(|| match &expected {
            None => Prediction::Exit { status: None },
            Some(expected) => Prediction::from(&expected.end),
        });
        Ok(Predicted { prediction, expected })
    }

    fn directory(&self, path: &Path) -> io::Result<Rc<Directory>> {
        if let Some(known) = self.directories.borrow().get(path) {
            return Ok(known.clone());
        }
        let directory = Rc::new(Directory::read(path)?);
        self.directories.borrow_mut().insert(path.to_owned(), directory.clone());
        Ok(directory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_beside_a_test_tell() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
        write("test000001.ktest", "");
        write("test000002.ktest", "");
        write(
            "test000002.ptr.err",
            "Error: out of bounds: read: of 4 bytes\nFile: dir/a.c\nLine: 3\nStack:\n\t#0 in f() at a.c:9\nInfo:\n\
             \tnote: the test may not show this: addresses\n",
        );
        write("test000003.early", "Cut short: inline assembly `cpuid`\nFile: a.c\n");
        let predictions = Predictions::default();
        let of = |name: &str| predictions.of(&dir.path().join(name)).unwrap();
        assert_eq!(of("test000001.ktest"), Prediction::Exit { status: None }.into());
        let Prediction::Error(error) = of("test000002.ktest").prediction else { panic!() };
        assert_eq!((error.kind.as_str(), error.message.as_str()), ("ptr", "out of bounds: read: of 4 bytes"));
        assert_eq!((error.file.as_deref(), error.line), (Some("dir/a.c"), Some(3)));
        assert_eq!(error.notes, ["addresses"]);
        assert_eq!(of("test000003.ktest"), Prediction::Cut { reason: Some("inline assembly `cpuid`".into()) }.into());
        assert!(predictions.of(&dir.path().join("absent/test.ktest")).is_err());
    }

    #[test]
    fn what_is_expected_says_how_a_test_ends() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
        for (number, end) in
            ["exit 7", "signal 15", "error ptr at a.c:3", "error ptr at a.c:3", "cut", "bang"].iter().enumerate()
        {
            write(&format!("test{number}.expected"), &format!("espalier-expected 1\nend: {end}\n"));
        }
        write("test3.ptr.err", "Error: out of bounds\nFile: a.c\nLine: 3\n");
        let predictions = Predictions::default();
        let of = |name: &str| predictions.of(&dir.path().join(name)).map(|predicted| predicted.prediction);
        assert_eq!(of("test0.ktest").unwrap(), Prediction::Exit { status: Some(7) });
        assert_eq!(of("test1.ktest").unwrap(), Prediction::Signal(15));
        let error = PredictedError::of_kind("ptr");
        assert_eq!(of("test2.ktest").unwrap(), Prediction::Error(error.clone()));
        let (message, file) = ("out of bounds".into(), Some("a.c".into()));
        let error = PredictedError { message, file, line: Some(3), ..error };
        assert_eq!(of("test3.ktest").unwrap(), Prediction::Error(error));
        assert!(matches!(of("test4.ktest").unwrap(), Prediction::Cut { .. }));
        assert!(of("test5.ktest").unwrap_err().to_string().starts_with("test5.expected: line 2: "));
    }

    #[test]
    fn the_command_of_a_run_tells_about_all_its_tests() {
        assert_eq!(common("espalier run --seed 3 a.c\nEspalier 0.1.0\n"), None);
        assert_eq!(common("espalier reach a.c:3\n"), Some(Prediction::Place));
        assert_eq!(common("espalier run --entry=f a.c\n"), Some(Prediction::Function));
        assert_eq!(common("espalier run a.c --entry f -- x\n"), Some(Prediction::Function));
        assert_eq!(common("espalier run --entry main --entry-point=main a.c -- --entry=f\n"), None);
        assert_eq!(common("klee --entry-point=f a.bc\n"), None);
        assert_eq!(common(""), None);
    }

    #[test]
    fn klee_names_no_line_for_some_errors() {
        let error = PredictedError::parse("user", "Error: my error\nFile: /src/a.c\nLine: ?\nassembly.ll line: 7\n");
        assert_eq!((error.file.as_deref(), error.line), (Some("/src/a.c"), None));
    }
}
