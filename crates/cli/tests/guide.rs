//! The guide is true: its programs are written, its commands run in order, and what they print is
//! what the guide shows, where `…` stands for anything.

mod support;

use std::path::Path;
use std::process::Command;
use std::time::Duration;
use support::{espalier, process, root};

const LIMIT: Duration = Duration::from_secs(120);

/// A fenced block: what stands behind its first fence, and its lines.
struct Block<'a> {
    info: &'a str,
    lines: Vec<&'a str>,
}

fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for line in text.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(info), None) => open = Some(Block { info, lines: Vec::new() }),
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some(block)) => block.lines.push(line),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block without an end");
    blocks
}

/// Does the text match, with `…` for any text within a line and, on a line of its own, for any
/// lines?
fn matches(expected: &[&str], actual: &[&str]) -> bool {
    match expected {
        [] => actual.is_empty(),
        ["…", rest @ ..] => (0..=actual.len()).any(|skipped| matches(rest, &actual[skipped..])),
        [first, rest @ ..] => actual.split_first().is_some_and(|(line, left)| fits(first, line) && matches(rest, left)),
    }
}

fn fits(pattern: &str, line: &str) -> bool {
    match pattern.split_once('…') {
        None => pattern == line,
        Some((start, rest)) => line
            .strip_prefix(start)
            .is_some_and(|left| (0..=left.len()).any(|at| left.is_char_boundary(at) && fits(rest, &left[at..]))),
    }
}

fn run(dir: &Path, command: &str) -> String {
    let mut words = command.split_whitespace();
    let mut program = match words.next() {
        Some("espalier") => espalier(),
        Some(analyser @ "clang-19") => Command::new(analyser),
        other => panic!("{command}: {other:?} is not run here"),
    };
    let finished = process::run(program.args(words).current_dir(dir), LIMIT);
    format!("{}{}", finished.stdout, finished.stderr)
}

#[test]
fn the_guide_is_true() {
    let text = std::fs::read_to_string(root().join("docs/guide.md")).expect("the guide");
    let dir = tempfile::tempdir().expect("a directory");
    let mut commands = 0;
    for Block { info, lines } in blocks(&text) {
        if let Some(file) = info.strip_prefix("c ") {
            std::fs::write(dir.path().join(file), lines.join("\n") + "\n").expect("a file");
            continue;
        }
        if info == "sh" {
            // What others do with it.
            continue;
        }
        assert_eq!(info, "console");
        let (command, expected) = lines.split_first().expect("a command");
        let output = run(dir.path(), command.strip_prefix("$ ").expect("a command after `$ `"));
        let actual: Vec<&str> = output.lines().collect();
        assert!(matches(expected, &actual), "{command} prints\n{output}\ninstead of\n{}", expected.join("\n"));
        commands += 1;
    }
    assert!(commands >= 8, "{commands} commands");
}

#[test]
fn patterns() {
    assert!(matches(&["a", "…", "z…9"], &["a", "b", "c", "z 1 9"]));
    assert!(matches(&["…"], &[]));
    assert!(!matches(&["a", "…", "z"], &["a", "b", "y"]));
    assert!(!matches(&["a"], &["a", "b"]));
    assert!(!matches(&["a…c"], &["a b"]));
}
