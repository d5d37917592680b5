//! The programs of a set and the places in them that are asked about.
//!
//! Calls are found in the text, not by a compiler, so that no tool's idea of C decides what is
//! asked. Comments, strings and preprocessor lines are skipped, and what follows a type is a
//! declaration. Calls made by a macro are not found.

use crate::answer::Truth;
use crate::error::BenchError;
use crate::set::{Asked, Set, Tasks};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) group: String,
    /// Its path as seen from the set.
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) size: u64,
    /// Of its content.
    pub(crate) hash: String,
    pub(crate) targets: Vec<Target>,
    /// Of each run, if it is not the set's.
    pub(crate) time: Option<Duration>,
    /// For `{args}` in commands.
    pub(crate) args: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Target {
    pub(crate) aim: Aim,
    pub(crate) truth: Option<Truth>,
}

/// What of a program is asked about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Aim {
    Whole,
    Call(Place),
    /// A place as the tools call it.
    Named(String),
}

/// Where a call begins. A line alone would mean all of its code, and so the condition before the
/// call too.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    pub(crate) line: usize,
    /// In bytes, from 1, as compilers count.
    pub(crate) column: usize,
}

impl Program {
    /// `FILE:LINE`, or `FILE` for the program as a whole and where the set names the place.
    pub(crate) fn target_name(&self, target: &Target) -> String {
        match target.aim {
            Aim::Call(place) => format!("{}:{}", self.name, place.line),
            Aim::Whole | Aim::Named(_) => self.name.clone(),
        }
    }
}

/// All programs of a set, group by group and sorted by name.
pub(crate) fn all(set: &Set) -> Result<Vec<Program>, BenchError> {
    let files = set.tasks.iter().flat_map(|tasks| tasks.files.iter().map(move |file| (tasks, file)));
    files.map(|(tasks, file)| read(set, tasks, file)).collect()
}

fn read(set: &Set, tasks: &Tasks, path: &Path) -> Result<Program, BenchError> {
    let bytes = std::fs::read(path).map_err(|error| BenchError::unreadable(path, &error))?;
    let name = path.strip_prefix(&set.dir).unwrap_or(path);
    let name = name.to_str().ok_or_else(|| BenchError::Input(format!("the name of {} is not text", path.display())))?;
    let text = String::from_utf8_lossy(&bytes);
    let single = |aim: Aim| truth_of_whole(&text).map(|truth| vec![Target { aim, truth: truth.or(tasks.truth) }]);
    let targets = match &tasks.asked {
        Asked::Errors => error_calls(&text),
        Asked::Whole => single(Aim::Whole),
        Asked::Named(place) => single(Aim::Named(place.clone())),
    };
    Ok(Program {
        group: tasks.group.clone(),
        name: name.to_owned(),
        path: path.to_path_buf(),
        size: bytes.len() as u64,
        hash: hash(&bytes),
        targets: targets.map_err(|(line, message)| BenchError::Input(format!("{name}:{line}: {message}")))?,
        time: tasks.time,
        args: tasks.args.clone(),
    })
}

/// A short fingerprint.
pub(crate) fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

const MARK: &str = "// expect:";

type Misread = (usize, String);

/// The lines that call `reach_error`, with what is expected of them. A program with a single call
/// may say it on a line of its own instead.
fn error_calls(text: &str) -> Result<Vec<Target>, Misread> {
    let mut targets = Vec::new();
    let places = calls(text);
    if let Some(two) = places.windows(2).find(|two| two[0].line == two[1].line) {
        return Err((two[0].line, "several calls of reach_error: write each on a line of its own".into()));
    }
    for place in places {
        let source = text.lines().nth(place.line - 1).unwrap_or_default();
        targets.push(Target { aim: Aim::Call(place), truth: expectation(source, place.line)? });
    }
    if let [Target { truth: truth @ None, .. }] = &mut targets[..] {
        *truth = truth_of_whole(text)?;
    }
    Ok(targets)
}

fn truth_of_whole(text: &str) -> Result<Option<Truth>, Misread> {
    match text.lines().zip(1..).find(|(line, _)| line.trim_start().starts_with(MARK)) {
        Some((line, number)) => expectation(line, number),
        None => Ok(None),
    }
}

fn expectation(source: &str, line: usize) -> Result<Option<Truth>, Misread> {
    let Some((_, word)) = source.split_once(MARK) else { return Ok(None) };
    match word.trim() {
        "reachable" => Ok(Some(Truth::Reachable)),
        "unreachable" => Ok(Some(Truth::Unreachable)),
        other => Err((line, format!("`{other}` cannot be expected: write reachable or unreachable"))),
    }
}

/// What came before a call decides whether it is one.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Before {
    /// A type or another name: a declaration follows.
    Word,
    Other,
}

fn calls(text: &str) -> Vec<Place> {
    let code = without_comments(text);
    let mut places = Vec::new();
    let mut before = Before::Other;
    for (line, number) in code.lines().zip(1..) {
        let mut rest = line;
        while let Some(first) = rest.chars().next() {
            let length = match is_word(first) {
                true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
                false => first.len_utf8(),
            };
            let (token, after) = rest.split_at(length);
            if is_word(first) {
                if token == "reach_error" && before == Before::Other && has_no_arguments(after) {
                    places.push(Place { line: number, column: line.len() - rest.len() + 1 });
                }
                before = if matches!(token, "else" | "do" | "return") { Before::Other } else { Before::Word };
            } else if !first.is_whitespace() {
                before = if first == '*' && before == Before::Word { Before::Word } else { Before::Other };
            }
            rest = after;
        }
    }
    places
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn has_no_arguments(after: &str) -> bool {
    let inside = after.trim_start().strip_prefix('(');
    inside.is_some_and(|inside| inside.trim_start().starts_with(')'))
}

/// The text with spaces for comments, literals and preprocessor lines, so that the rest keeps its
/// place.
fn without_comments(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    let mut starts_line = true;
    while let Some(first) = rest.chars().next() {
        let skipped = match first {
            '/' if rest.starts_with("//") => line_end(rest),
            '#' if starts_line => line_end(rest),
            '/' if rest.starts_with("/*") => rest[2..].find("*/").map_or(rest.len(), |end| end + 4),
            '"' | '\'' => literal_end(rest, first),
            _ => 0,
        };
        let (blank, after) = rest.split_at(if skipped == 0 { first.len_utf8() } else { skipped });
        match skipped {
            0 => code.push(first),
            // A literal is something, and a comment is nothing.
            _ if matches!(first, '"' | '\'') => code.extend(std::iter::once('0').chain((1..skipped).map(|_| ' '))),
            _ => code.extend(blank.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' })),
        }
        starts_line = first == '\n' || (starts_line && first.is_whitespace());
        rest = after;
    }
    code
}

/// The length of a line, or of the lines that it goes on in.
fn line_end(text: &str) -> usize {
    let ends = text.match_indices('\n').map(|(end, _)| end);
    ends.into_iter().find(|end| !text[..*end].ends_with('\\')).unwrap_or(text.len())
}

/// The length of a string or character.
fn literal_end(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' => return at,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(usize, usize, Option<Truth>)> {
        let targets = error_calls(text).expect("targets");
        let target = |target: Target| match target.aim {
            Aim::Call(place) => (place.line, place.column, target.truth),
            aim => panic!("{aim:?} is no call"),
        };
        targets.into_iter().map(target).collect()
    }

    #[test]
    fn calls_are_found_and_declarations_are_not() {
        let text = "extern void reach_error(void);\n\
                    void reach_error() {}\n\
                    int main(void) {\n\
                    if (x) reach_error(); // expect: reachable\n\
                    else reach_error ( ); // expect: unreachable\n\
                    /* é */ { reach_error(); }\n\
                    // reach_error();\n\
                    /* reach_error();\n\
                    reach_error(); */ puts(\"reach_error();\");\n\
                    \treach_error ();\n\
                    return 0;\n}\n";
        let (reachable, unreachable) = (Some(Truth::Reachable), Some(Truth::Unreachable));
        assert_eq!(found(text), [(4, 8, reachable), (5, 6, unreachable), (6, 12, None), (10, 2, None)]);
    }

    #[test]
    fn macros_are_skipped_with_all_their_lines() {
        assert_eq!(found("#define E \\\n reach_error()\n;reach_error();\n"), [(3, 2, None)]);
    }

    #[test]
    fn a_single_call_may_be_described_on_a_line_of_its_own() {
        assert_eq!(found("// expect: reachable\nint main() { reach_error(); }\n"), [(2, 14, Some(Truth::Reachable))]);
        assert_eq!(found("// expect: reachable\n{ reach_error();\nreach_error(); }\n"), [(2, 3, None), (3, 1, None)]);
    }

    #[test]
    fn an_expectation_must_make_sense() {
        let (line, message) = error_calls("{\nreach_error(); // expect: maybe\n").expect_err("it is wrong");
        assert_eq!((line, message.as_str()), (2, "`maybe` cannot be expected: write reachable or unreachable"));
    }

    #[test]
    fn two_calls_on_a_line_cannot_be_told_apart() {
        let (line, message) = error_calls("\n{ reach_error(); reach_error(); }").expect_err("it is wrong");
        assert!(line == 2 && message.contains("a line of its own"), "{message}");
    }

    #[test]
    fn no_text_makes_it_panic() {
        for text in ["", "\"", "'\\", "/*", "/**/", "#", "reach_error", "reach_error(", "é reach_error()"] {
            let _ = error_calls(text);
        }
    }
}
