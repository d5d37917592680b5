//! An error with its source line, call stack, input and a hint, as a compiler would show it.

use crate::approximation_text::approximation_text;
use crate::error_file::call;
use crate::fault_text::fault_text;
use crate::hint::hint;
use crate::inputs;
use crate::place::Place;
use crate::style::Style;
use espalier_engine::{TestCase, Violation};
use espalier_ir::Program;
use rustc_hash::FxHashMap;
use std::fmt::Write;
use std::fs;

/// Frames and inputs that are shown; error files have them all.
const SHOWN_FRAMES: usize = 12;
const SHOWN_INPUTS: usize = 16;

/// Lines of source files, each file read once.
#[derive(Default)]
pub(crate) struct Sources {
    files: FxHashMap<String, Option<Vec<String>>>,
}

impl Sources {
    /// A line, counted from 1, or `None` if the file is not there or has fewer.
    fn line(&mut self, file: &str, number: u32) -> Option<&str> {
        let lines = self.files.entry(file.to_owned()).or_insert_with(|| {
            let text = fs::read(file).ok()?;
            Some(String::from_utf8_lossy(&text).lines().map(str::to_owned).collect())
        });
        lines.as_ref()?.get(number.checked_sub(1)? as usize).map(String::as_str)
    }
}

/// What is shown of an error.
pub(crate) struct Shown<'a> {
    pub(crate) program: &'a Program,
    pub(crate) violation: &'a Violation,
    pub(crate) test: Option<&'a TestCase>,
    /// Why there is no test.
    pub(crate) no_test: Option<&'a str>,
    /// The test's file.
    pub(crate) file: &'a str,
}

pub(crate) fn render(shown: &Shown<'_>, sources: &mut Sources, style: Style) -> String {
    let Violation { fault, loc, .. } = shown.violation;
    let (kind, message) = (fault.kind(), fault_text(shown.program, fault));
    let mut text = format!("{}: {}\n", style.error(format_args!("error[{kind}]")), style.bold(message));
    let place = Place::new(shown.program, *loc);
    let gutter = place.as_ref().map_or(1, |place| place.line.to_string().len());
    if let Some(place) = &place {
        source(&mut text, place, gutter, sources, style);
    }
    let mut entries = Entries { text: &mut text, gutter, style };
    let of_test = shown.test.map(|test| &test.stack).filter(|stack| !stack.is_empty());
    let frames = of_test.unwrap_or(&shown.violation.stack).iter().filter(|frame| !frame.is_runtime);
    entries.list(
        "stack",
        frames.enumerate().map(|(depth, frame)| {
            let at = Place::new(shown.program, frame.loc).map(|place| format!(" at {place}"));
            format!("#{depth} in {}{}", call(frame), at.unwrap_or_default())
        }),
        SHOWN_FRAMES,
    );
    match shown.test {
        Some(test) => {
            let objects = test.objects.iter().map(|(name, bytes)| format!("{name} = {}", inputs::show(bytes)));
            entries.list("input", objects, SHOWN_INPUTS);
            entries.list("test", [shown.file.to_owned()], 1);
            let reasons = test.approximations.iter().map(approximation_text);
            let notes = reasons.map(|reason| format!("the test may not show this: {reason}"));
            entries.list("note", notes, SHOWN_INPUTS);
        }
        None => {
            let why = shown.no_test.unwrap_or("not asked for");
            entries.list("test", [format!("none: {why}")], 1);
        }
    }
    entries.list("hint", hint(fault).map(str::to_owned), 1);
    text.push('\n');
    text
}

/// The line with a caret under the column.
fn source(text: &mut String, place: &Place, gutter: usize, sources: &mut Sources, style: Style) {
    let _ = writeln!(text, "{:gutter$}{} {place}", "", style.frame("-->"));
    let Some(line) = sources.line(&place.file, place.line) else { return };
    let bar = style.frame("|");
    let number = style.frame(place.line);
    let _ = writeln!(text, "{:gutter$} {bar}\n{number} {bar} {}", "", line.trim_end());
    if place.column != 0 {
        // Columns count bytes. What stands before the caret is copied as white space, so that tabs
        // keep their width.
        let before = line.as_bytes().get(..place.column as usize - 1).unwrap_or(line.as_bytes());
        let before = String::from_utf8_lossy(before);
        let indent: String = before.chars().map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        let _ = writeln!(text, "{:gutter$} {bar} {indent}{}", "", style.error("^"));
    }
}

struct Entries<'a> {
    text: &'a mut String,
    gutter: usize,
    style: Style,
}

impl Entries<'_> {
    /// `= label: first`, then the others below it.
    fn list(&mut self, label: &str, items: impl IntoIterator<Item = String>, limit: usize) {
        let gutter = self.gutter;
        let mut more = 0;
        for (i, item) in items.into_iter().enumerate() {
            if i >= limit {
                more += 1;
            } else if i == 0 {
                let (sign, label) = (self.style.frame("="), self.style.bold(format!("{label}:")));
                let _ = writeln!(self.text, "{:gutter$} {sign} {label} {item}", "");
            } else {
                let _ = writeln!(self.text, "{:indent$}{item}", "", indent = gutter + 5 + label.len());
            }
        }
        if more > 0 {
            let _ = writeln!(self.text, "{:indent$}... and {more} more", "", indent = gutter + 5 + label.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error_file::tests::{program, violation};
    use espalier_engine::{Approximation, Cause, Direction};

    fn check(source: Option<&str>, test: Option<TestCase>, expected: &str) {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a.c");
        if let Some(source) = source {
            fs::write(&file, source).unwrap();
        }
        let file = file.to_str().unwrap();
        let program = program(file);
        let shown = Shown {
            program: &program,
            violation: &violation(),
            test: test.as_ref(),
            no_test: Some("the solver ran out of time"),
            file: "out/test000001.ktest",
        };
        let text = render(&shown, &mut Sources::default(), Style::Plain);
        assert_eq!(text.replace(file, "a.c"), expected);
    }

    #[test]
    fn with_source_and_input() {
        let test = TestCase {
            objects: vec![("i".into(), vec![10, 0, 0, 0]), ("c".into(), vec![b'x'])],
            places: vec![],
            stack: vec![],
            approximations: vec![Approximation {
                direction: Direction::Over,
                cause: Cause::Library("it depends on uninitialised memory".into()),
            }],
            expected: None,
        };
        check(
            Some("void f(int i) {\n\tint buf[10];\n\tif (buf[i] = 1) {}\n}\n"),
            Some(test),
            "error[ptr]: out of bounds: write of 4 bytes, 0 bytes past `buf` (40 bytes, heap, allocated at a.c:1)\n \
             --> a.c:3:5\n  \
               |\n\
             3 | \tif (buf[i] = 1) {}\n  \
               | \t   ^\n  \
               = stack: #0 in f(i=symbolic, 7) at a.c:3:5\n           \
                        #1 in main() at a.c:9:3\n           \
                        #2 in start()\n  \
               = input: i = 10 (0x0000000a)\n           \
                        c = 120 'x'\n  \
               = test: out/test000001.ktest\n  \
               = note: the test may not show this: it depends on uninitialised memory\n  \
               = hint: right behind the end: is it `<=` where `<` is meant, or a string without room for its terminator?\n\n",
        );
    }

    #[test]
    fn without_source_and_input() {
        check(
            None,
            None,
            "error[ptr]: out of bounds: write of 4 bytes, 0 bytes past `buf` (40 bytes, heap, allocated at a.c:1)\n \
             --> a.c:3:5\n  \
               = stack: #0 in f(i=symbolic, 7) at a.c:3:5\n           \
                        #1 in main() at a.c:9:3\n           \
                        #2 in start()\n  \
               = test: none: the solver ran out of time\n  \
               = hint: right behind the end: is it `<=` where `<` is meant, or a string without room for its terminator?\n\n",
        );
    }
}
