//! What the tool prints, word for word: each `tests/snapshots/NAME.txt` is a session with `NAME.c`,
//! there called `prog.c`. Times, rates, sizes and the directory are replaced by words.
//! `ESPALIER_BLESS=1` writes the sessions anew, to be read as a change like any other.

mod support;

use regex::Regex;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Duration;
use support::process::{self, End};
use support::project::Project;
use support::{espalier, root};

const LIMIT: Duration = Duration::from_secs(120);

struct Normaliser(Vec<(Regex, &'static str)>);

impl Normaliser {
    fn new(directory: &Path) -> Normaliser {
        let directory = regex::escape(directory.to_str().expect("a directory with a plain name"));
        let rules = [
            (directory.as_str(), "DIR"),
            (r"\b\d+(\.\d+)?( [kM])? instructions/s", "RATE instructions/s"),
            (r#""(\w*seconds)":[0-9.e-]+"#, r#""$1":TIME"#),
            (r#""(\w*bytes)":\d+"#, r#""$1":SIZE"#),
            (r"\b\d+(\.\d+)? [KMG]iB\b", "SIZE"),
            (r"\b(\d+m)?\d+(\.\d+)?(ns|µs|us|ms|s)\b", "TIME"),
            (r"\b\d+(\.\d+)?% of it in the solver", "SHARE of it in the solver"),
        ];
        Normaliser(rules.map(|(rule, word)| (Regex::new(rule).expect("a valid rule"), word)).into())
    }

    fn apply(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, (rule, word)| rule.replace_all(&text, *word).into_owned())
    }
}

/// Plays the session: each command with what it prints.
fn session(expected: &str, program: &str) -> String {
    let project = Project::new(program);
    let normaliser = Normaliser::new(&project.path("").canonicalize().expect("a directory"));
    let mut text = String::new();
    for command in expected.lines().filter_map(|line| line.strip_prefix("$ espalier ")) {
        let mut process = espalier();
        process.args(command.split_whitespace()).current_dir(project.path(""));
        let finished = process::run(&mut process, LIMIT);
        let End::Exit(code) = finished.end else { panic!("{command}: {finished:?}") };
        let printed = normaliser.apply(&format!("{}{}", finished.stdout, finished.stderr));
        write!(text, "$ espalier {command}\n{printed}(exit code {code})\n\n").expect("writing to a string");
    }
    text
}

#[test]
fn the_tool_prints_what_it_printed_before() {
    let folder = root().join("tests/snapshots");
    let entries = fs::read_dir(&folder).expect("the snapshots");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|ext| ext == "txt"));
    files.sort();
    assert!(files.len() >= 5, "{files:?}");
    let mut different = Vec::new();
    for file in files {
        let expected = fs::read_to_string(&file).expect("a session");
        let actual = session(&expected, &fs::read_to_string(file.with_extension("c")).expect("its program"));
        if std::env::var_os("ESPALIER_BLESS").is_some() {
            fs::write(&file, &actual).expect("a session");
        } else if actual != expected {
            different.push(format!("{}:\n{}", file.display(), first_difference(&expected, &actual)));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

fn first_difference(expected: &str, actual: &str) -> String {
    let lines = expected.lines().zip(actual.lines()).enumerate();
    match lines.into_iter().find(|(_, (old, new))| old != new) {
        Some((index, (old, new))) => format!("line {}:\n- {old}\n+ {new}", index + 1),
        None => "one of them goes on where the other ends".to_owned(),
    }
}
