//! The programs of a set and the places in them that are asked about.
//!
//! Calls are found in the text, not by a compiler, so that no tool's idea of C decides what is asked. Comments, strings
//! and preprocessor lines are skipped, and what follows a type is a declaration. Calls made by a macro are not found.

use crate::answer::Truth;
use crate::error::BenchError;
use crate::set::{Asked, Group, Set};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

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
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Target {
    /// `None`: the program as a whole.
    pub(crate) line: Option<usize>,
    pub(crate) truth: Option<Truth>,
}

impl Program {
    /// `FILE:LINE`, or `FILE` for the program as a whole.
    pub(crate) fn target_name(&self, target: &Target) -> String {
        match target.line {
            Some(line) => format!("{}:{line}", self.name),
            None => self.name.clone(),
        }
    }
}

/// All programs of a set, group by group and sorted by name.
pub(crate) fn all(set: &Set) -> Result<Vec<Program>, BenchError> {
    let files = set.groups.iter().flat_map(|group| group.files.iter().map(move |file| (group, file)));
    files.map(|(group, file)| read(set, group, file)).collect()
}

fn read(set: &Set, group: &Group, path: &Path) -> Result<Program, BenchError> {
    let bytes = std::fs::read(path).map_err(|error| BenchError::unreadable(path, &error))?;
    let name = path.strip_prefix(&set.dir).unwrap_or(path);
    let name = name.to_str().ok_or_else(|| BenchError::Input(format!("the name of {} is not text", path.display())))?;
    let text = String::from_utf8_lossy(&bytes);
    let targets = match group.asked {
        Asked::Errors => error_calls(&text),
        Asked::Whole => truth_of_whole(&text).map(|truth| vec![Target { line: None, truth }]),
    };
    Ok(Program {
        group: group.name.clone(),
        name: name.to_owned(),
        path: path.to_path_buf(),
        size: bytes.len() as u64,
        hash: hash(&bytes),
        targets: targets.map_err(|(line, message)| BenchError::Input(format!("{name}:{line}: {message}")))?,
    })
}

/// A short fingerprint.
pub(crate) fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

const MARK: &str = "// expect:";

type Misread = (usize, String);

/// The lines that call `reach_error`, with what is expected of them. A program with a single call may say it on a line of
/// its own instead.
fn error_calls(text: &str) -> Result<Vec<Target>, Misread> {
    let mut targets = Vec::new();
    for line in lines_with_calls(text) {
        let source = text.lines().nth(line - 1).unwrap_or_default();
        targets.push(Target { line: Some(line), truth: expectation(source, line)? });
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

fn lines_with_calls(text: &str) -> Vec<usize> {
    let code = without_comments(text);
    let mut lines = Vec::new();
    let (mut line, mut before) = (1, Before::Other);
    let mut rest = code.as_str();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            _ if is_word(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        if is_word(first) {
            let is_call = token == "reach_error" && before == Before::Other && has_no_arguments(after);
            if is_call && lines.last() != Some(&line) {
                lines.push(line);
            }
            before = if matches!(token, "else" | "do" | "return") { Before::Other } else { Before::Word };
        } else if first == '\n' {
            line += 1;
        } else if !first.is_whitespace() {
            before = if first == '*' && before == Before::Word { Before::Word } else { Before::Other };
        }
        rest = after;
    }
    lines
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn has_no_arguments(after: &str) -> bool {
    let inside = after.trim_start().strip_prefix('(');
    inside.is_some_and(|inside| inside.trim_start().starts_with(')'))
}

/// The text with the same lines, but without comments, literals and preprocessor lines.
fn without_comments(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut starts_line = true;
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('/', Some('/')) => skip_line(&mut chars, &mut code),
            ('#', _) if starts_line => skip_line(&mut chars, &mut code),
            ('/', Some('*')) => {
                chars.next();
                let mut last = ' ';
                for c in chars.by_ref() {
                    if c == '\n' {
                        code.push('\n');
                    }
                    if (last, c) == ('*', '/') {
                        break;
                    }
                    last = c;
                }
                code.push(' ');
            }
            ('"' | '\'', _) => {
                code.push('0');
                while let Some(inside) = chars.next_if(|&inside| inside != '\n') {
                    if inside == '\\' {
                        chars.next_if(|&escaped| escaped != '\n');
                    } else if inside == c {
                        break;
                    }
                }
            }
            _ => code.push(c),
        }
        starts_line = c == '\n' || (starts_line && c.is_whitespace());
    }
    code
}

/// Skips to the end of the line, or of the lines that it goes on in.
fn skip_line(chars: &mut std::iter::Peekable<std::str::Chars<'_>>, code: &mut String) {
    while let Some(c) = chars.next_if(|&c| c != '\n') {
        if c == '\\' && chars.next_if_eq(&'\n').is_some() {
            code.push('\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(text: &str) -> Vec<(usize, Option<Truth>)> {
        let targets = error_calls(text).expect("targets");
        targets.into_iter().map(|target| (target.line.expect("a line"), target.truth)).collect()
    }

    #[test]
    fn calls_are_found_and_declarations_are_not() {
        let text = "extern void reach_error(void);\n\
                    void reach_error() {}\n\
                    int main(void) {\n\
                    if (x) reach_error(); // expect: reachable\n\
                    else reach_error ( ); // expect: unreachable\n\
                    { reach_error(); } reach_error();\n\
                    // reach_error();\n\
                    /* reach_error();\n\
                    reach_error(); */ puts(\"reach_error();\");\n\
                    reach_error\n();\n\
                    return 0;\n}\n";
        let (reachable, unreachable) = (Some(Truth::Reachable), Some(Truth::Unreachable));
        assert_eq!(calls(text), [(4, reachable), (5, unreachable), (6, None), (10, None)]);
    }

    #[test]
    fn macros_are_skipped_with_all_their_lines() {
        assert_eq!(calls("#define E \\\n reach_error()\n;reach_error();\n"), [(3, None)]);
    }

    #[test]
    fn a_single_call_may_be_described_on_a_line_of_its_own() {
        assert_eq!(calls("// expect: reachable\nint main() { reach_error(); }\n"), [(2, Some(Truth::Reachable))]);
        assert_eq!(calls("// expect: reachable\n{ reach_error();\nreach_error(); }\n"), [(2, None), (3, None)]);
    }

    #[test]
    fn an_expectation_must_make_sense() {
        let (line, message) = error_calls("{\nreach_error(); // expect: maybe\n").expect_err("it is wrong");
        assert_eq!((line, message.as_str()), (2, "`maybe` cannot be expected: write reachable or unreachable"));
    }

    #[test]
    fn no_text_makes_it_panic() {
        for text in ["", "\"", "'\\", "/*", "/**/", "#", "reach_error", "reach_error(", "é reach_error()"] {
            let _ = error_calls(text);
        }
    }
}
