//! Programs computed twice: natively, and lowered and interpreted. Each passes what it computes to
//! `out`; both must agree.

mod support;

use espalier_frontend::{Loaded, load};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

const OUT: &str = "#include <stdio.h>\nvoid out(long long x) { printf(\"%lld\\n\", x); }\n";

/// What the native program prints.
fn native(program: &Path, folder: &Path) -> Vec<i64> {
    let (helper, object, binary) = (folder.join("out.c"), folder.join("program.o"), folder.join("program"));
    std::fs::write(&helper, OUT).expect("the temporary folder is writable");
    support::clang(&["-c", "-O0", "-w", "-fno-builtin"], program, &object);
    let object = object.to_str().expect("a path of ours");
    support::clang(&["-w", object, "-lm"], &helper, &binary);
    let output = Command::new(&binary).output().expect("the program runs");
    assert!(output.status.success(), "{} fails natively", program.display());
    String::from_utf8_lossy(&output.stdout).lines().map(|line| line.parse().expect("a number")).collect()
}

fn check(name: &str, variants: &[&[&str]]) {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name);
    let folder = support::folder();
    let expected = native(&program, folder.path());
    assert!(expected.len() > 10, "{name} says too little");
    for args in variants {
        let mut args = args.to_vec();
        // The native program's libm is linked; here it is instructions.
        args.push("-fno-math-errno");
        let mut loaded =
            load(&support::input(&program, &args)).unwrap_or_else(|error| panic!("{name} {args:?}: {error}"));
        compare(&format!("{name} {args:?}"), &loaded, &expected);
        assert_eq!(support::round_trip::difference(&loaded.program), None, "{name} {args:?}");
        let before: usize = loaded.program.functions.iter().map(|function| function.regs.len()).sum();
        espalier_analysis::compact_registers(&mut loaded.program);
        let after: usize = loaded.program.functions.iter().map(|function| function.regs.len()).sum();
        assert!(after < before, "{name} {args:?} has {before} registers, {after} when compacted");
        compare(&format!("{name} {args:?} with few registers"), &loaded, &expected);
    }
}

fn compare(what: &str, loaded: &Loaded, expected: &[i64]) {
    let (result, actual) = support::interpreter::run(&loaded.program, loaded.entry);
    assert_eq!(result, [0], "{what}");
    if actual != expected {
        let first = actual.iter().zip(expected).position(|(a, e)| a != e).unwrap_or(actual.len().min(expected.len()));
        let mut text = String::new();
        for i in first.saturating_sub(5)..first + 5 {
            let _ = writeln!(text, "{i}: native {:?}, interpreted {:?}", expected.get(i), actual.get(i));
        }
        panic!("{what} differs from output {first} on:\n{text}");
    }
}

const LEVELS: &[&[&str]] = &[&[], &["-O1"], &["-O2"]];

#[test]
fn control() {
    check("control.c", LEVELS);
}

#[test]
fn integers() {
    check("integers.c", LEVELS);
}

#[test]
fn memory() {
    check("memory.c", LEVELS);
}

#[test]
fn calls() {
    check("calls.c", LEVELS);
    // The program computes the same with 32 bits.
    check("calls.c", &[&["-m32"], &["-m32", "-O2"]]);
}

#[test]
fn wide_arguments() {
    check("wide_arguments.c", &[&[]]);
}

#[test]
fn floats() {
    check("floats.c", LEVELS);
}

#[test]
fn vectors() {
    check(
        "vectors.c",
        &[
            &[],
            &["-O1"],
            &["-O2"],
            &["-O2", "-mavx2"],
            &["-O3", "-mavx512f", "-mavx512vl", "-mprefer-vector-width=512"],
        ],
    );
}
