//! The texts of `testNNNNNN.KIND.err` and `testNNNNNN.early`, laid out as KLEE lays out its own,
//! which scripts parse.

use crate::approximation_text::approximation_text;
use crate::cut_text;
use crate::fault_text::fault_text;
use crate::inputs;
use crate::place::Place;
use espalier_engine::{Cut, StackEntry, TestCase, Violation};
use espalier_ir::{Loc, Program};
use std::fmt::Write;

/// The text of an error file. KLEE's name for the error takes the place of ours, which then is part
/// of what else is known.
pub(crate) fn error(program: &Program, violation: &Violation, klee: Option<&str>, test: Option<&TestCase>) -> String {
    let Violation { fault, loc, stack } = violation;
    let message = fault_text(program, fault);
    let mut text = head("Error", klee.unwrap_or(&message), program, *loc, stack);
    let _ = writeln!(text, "Info:\n\tkind: {}", fault.kind());
    if klee.is_some() {
        let _ = writeln!(text, "\tmessage: {message}");
    }
    if loc.column != 0 {
        let _ = writeln!(text, "\tcolumn: {}", loc.column);
    }
    if let Some(test) = test {
        for (name, bytes) in &test.objects {
            let _ = writeln!(text, "\tinput: {name} = {}", inputs::show(bytes));
        }
        for reason in test.approximations.iter().map(approximation_text) {
            let _ = writeln!(text, "\tnote: the test may not show this: {reason}");
        }
    }
    text
}

/// The text of a file about a path that was cut short.
pub(crate) fn early(program: &Program, cut: &Cut) -> String {
    head("Cut short", &cut_text::text(&cut.reason), program, cut.loc, &cut.stack)
}

/// The same where KLEE takes it for an error.
pub(crate) fn klee_cut(program: &Program, message: &str, cut: &Cut) -> String {
    head("Error", message, program, cut.loc, &cut.stack)
}

/// "f(x=1, y=symbolic)".
pub(crate) fn call(entry: &StackEntry) -> String {
    let args: Vec<String> = entry
        .args
        .iter()
        .map(|(name, value)| if name.is_empty() { value.clone() } else { format!("{name}={value}") })
        .collect();
    format!("{}({})", entry.function, args.join(", "))
}

fn head(label: &str, message: &str, program: &Program, loc: Loc, stack: &[StackEntry]) -> String {
    let mut text = format!("{label}: {message}\n");
    if let Some(place) = Place::new(program, loc) {
        let _ = writeln!(text, "File: {}\nLine: {}", place.file, place.line);
    }
    if !stack.is_empty() {
        text += "Stack:\n";
    }
    for (depth, entry) in stack.iter().enumerate() {
        let _ = write!(text, "\t#{depth} in {}", call(entry));
        if let Some(place) = Place::new(program, entry.loc) {
            let _ = write!(text, " at {}", place.without_column());
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use espalier_engine::{AccessMode, AccessProblem, CutReason, Fault, MemoryObject, Origin, Outside, Unsupported};
    use espalier_ir::{FileId, Target};

    pub(crate) fn program(file: &str) -> Program {
        Program {
            target: Target { triple: "x86_64-unknown-linux-gnu".into(), pointer_width: 64 },
            functions: vec![],
            globals: vec![],
            files: vec![file.into()],
            constructors: vec![],
            destructors: vec![],
            unsupported: vec![],
            function_names: Default::default(),
            global_names: Default::default(),
            assigned_names: [(at(1, 9), "buf".to_owned())].into_iter().collect(),
            pointees: Vec::new(),
            packs_addresses: false,
            left_out: Vec::new(),
        }
    }

    pub(crate) fn at(line: u32, column: u32) -> Loc {
        Loc { file: FileId(0), line, column }
    }

    pub(crate) fn violation() -> Violation {
        let frame = |function: &str, loc, args: &[(&str, &str)]| StackEntry {
            function: function.into(),
            loc,
            args: args.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect(),
            is_runtime: false,
        };
        Violation {
            fault: Fault::Access {
                mode: AccessMode::Write,
                bytes: 4,
                problem: AccessProblem::OutOfBounds {
                    object: MemoryObject { origin: Origin::Heap(at(1, 9)), size: 40 },
                    place: Outside::Past(0),
                },
                is_symbolic: false,
            },
            loc: at(3, 5),
            stack: vec![
                frame("f", at(3, 5), &[("i", "symbolic"), ("", "7")]),
                frame("main", at(9, 3), &[]),
                frame("start", Loc::UNKNOWN, &[]),
            ],
        }
    }

    #[test]
    fn an_error_reads_as_klee_writes_it() {
        let test = TestCase {
            objects: vec![("i".into(), vec![10, 0, 0, 0])],
            places: vec![],
            stack: vec![],
            approximations: vec![],
            expected: None,
        };
        let text = error(&program("a.c"), &violation(), None, Some(&test));
        let expected = "Error: out of bounds: write of 4 bytes, 0 bytes past `buf` (40 bytes, heap, allocated at a.c:1)\n\
                        File: a.c\n\
                        Line: 3\n\
                        Stack:\n\
                        \t#0 in f(i=symbolic, 7) at a.c:3\n\
                        \t#1 in main() at a.c:9\n\
                        \t#2 in start()\n\
                        Info:\n\
                        \tkind: ptr\n\
                        \tcolumn: 5\n\
                        \tinput: i = 10 (0x0000000a)\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_cut_path_says_why() {
        let cut = Cut {
            reason: CutReason::Unsupported(Unsupported::Construct("inline assembly `cpuid`".into())),
            loc: at(7, 0),
            stack: vec![],
        };
        assert_eq!(early(&program("a.c"), &cut), "Cut short: inline assembly `cpuid`\nFile: a.c\nLine: 7\n");
    }
}
