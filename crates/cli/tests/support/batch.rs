//! Many programs in one C file, which takes one run of each compiler, and what they do natively on
//! all their inputs.

use super::process::{self, End};
use espalier_engine::TestCase;
use regex::Regex;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const PRELUDE: &str = include_str!("batch/prelude.c");
const DRIVER: &str = include_str!("batch/driver.c");
const LIMIT: Duration = Duration::from_secs(120);

/// What a claim is about.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// A place that a path passes.
    Place,
    /// A call of `reach_error`.
    Reach,
    Assertion,
    /// An access outside of an array, or by a null pointer.
    Memory,
    Division,
}

/// A program that is a function of a C file.
#[derive(Clone)]
pub struct Program {
    pub name: String,
    /// Its functions and variables.
    pub text: String,
    /// By number.
    pub claims: Vec<Claim>,
}

/// Programs in one file.
pub struct Batch {
    pub file: PathBuf,
    pub programs: Vec<Program>,
}

impl Batch {
    pub fn write(dir: &Path, programs: Vec<Program>) -> Result<Batch, String> {
        let mut text = PRELUDE.to_owned();
        let mut calls = String::new();
        for program in &programs {
            text.push_str(&program.text);
            let _ = write!(calls, "{}(); ", program.name);
        }
        let _ = write!(text, "#ifndef NATIVE\nint main(void) {{ {calls}return 0; }}\n#endif\n");
        let file = dir.join("programs.c");
        std::fs::write(&file, text).map_err(|error| error.to_string())?;
        Ok(Batch { file, programs })
    }

    /// Where each claim is: program, claim, by line.
    pub fn lines(&self) -> BTreeMap<u32, (usize, usize)> {
        let mut lines = BTreeMap::new();
        let mut before = PRELUDE.lines().count() as u32;
        for (index, program) in self.programs.iter().enumerate() {
            lines.extend(program.lines(before).map(|(line, claim)| (line, (index, claim))));
            before += program.text.lines().count() as u32;
        }
        lines
    }

    /// What the native build prints, with another main function if one is given.
    pub fn run(&self, driver: &str) -> Result<String, String> {
        let (source, executable) = (self.file.with_extension("native.c"), self.file.with_extension("native"));
        let table: String = self.programs.iter().map(|program| format!("{}, ", program.name)).collect();
        let text = std::fs::read_to_string(&self.file).map_err(|error| error.to_string())?;
        let table = format!("static void (*const PROGRAMS[])(void) = {{{table}}};");
        std::fs::write(&source, format!("{text}{table}\n{driver}")).map_err(|error| error.to_string())?;
        let mut gcc = Command::new("gcc");
        gcc.args(["-O0", "-fwrapv", "-w", "-DNATIVE", "-o"]).arg(&executable).arg(&source).arg("-lm");
        let compiled = process::run(&mut gcc, LIMIT);
        if compiled.end != End::Exit(0) {
            return Err(format!("gcc: {}", compiled.tail()));
        }
        let finished = process::run(&mut Command::new(&executable), LIMIT);
        match finished.end {
            End::Exit(0) => Ok(finished.stdout),
            end => Err(format!("the native run ended with {end:?}")),
        }
    }

    /// Runs every program on all its inputs.
    pub fn truths(&self) -> Result<Vec<Truth>, String> {
        let mut truths: Vec<Truth> = Vec::new();
        for line in self.run(DRIVER)?.lines() {
            if line == "=" {
                truths.push(Truth::default());
            } else {
                let run = truths.last_mut().and_then(|truth| truth.add(line));
                run.ok_or_else(|| format!("the native run printed {line}"))?;
            }
        }
        if truths.len() == self.programs.len() { Ok(truths) } else { Err("the native run is not whole".into()) }
    }
}

/// What one program does on each of its inputs.
#[derive(Default)]
pub struct Truth {
    runs: BTreeMap<Vec<i32>, Native>,
}

/// One native run.
struct Native {
    /// A bit for each claim that was passed.
    hits: u32,
    ended: Option<usize>,
}

impl Native {
    fn reaches(&self, claim: usize) -> bool {
        self.hits >> claim & 1 == 1 || self.ended == Some(claim)
    }
}

impl Truth {
    fn add(&mut self, line: &str) -> Option<()> {
        let (inputs, came) = line.split_once(": ")?;
        let (hits, ended) = came.split_once(' ')?;
        let inputs: Result<Vec<i32>, _> = inputs.split_whitespace().map(str::parse).collect();
        let run = Native { hits: hits.parse().ok()?, ended: usize::try_from(ended.parse::<i32>().ok()?).ok() };
        self.runs.insert(inputs.ok()?, run);
        Some(())
    }

    /// Does an input lead there?
    pub fn reaches(&self, claim: usize) -> bool {
        self.runs.values().any(|run| run.reaches(claim))
    }

    /// Do these inputs, whatever follows them?
    pub fn reaches_on(&self, inputs: &[i32], claim: usize) -> bool {
        let mut runs = self.runs.range(inputs.to_vec()..).take_while(|(with, _)| with.starts_with(inputs)).peekable();
        runs.peek().is_some() && runs.all(|(_, run)| run.reaches(claim))
    }
}

impl Program {
    /// Where each claim is, by line, if so many lines come before.
    pub fn lines(&self, before: u32) -> impl Iterator<Item = (u32, usize)> {
        let claim = Regex::new(r"\b(?:HIT|ERR|ASSERT|AT|DIVISOR|POINTEE)\((\d+)[,)]").expect("an expression");
        (before + 1..).zip(self.text.lines()).filter_map(move |(line, text)| {
            claim.captures(text).and_then(|found| found[1].parse().ok()).map(|number| (line, number))
        })
    }

    /// The same in the file that [`single`] writes.
    pub fn own_lines(&self) -> BTreeMap<u32, usize> {
        self.lines(PRELUDE.lines().count() as u32).collect()
    }
}

/// One program by itself, as a user would have it.
pub fn single(dir: &Path, program: &Program) -> Result<PathBuf, String> {
    let file = dir.join("prog.c");
    let text = format!("{PRELUDE}{}int main(void) {{ {}(); return 0; }}\n", program.text, program.name);
    std::fs::write(&file, text).map_err(|error| error.to_string())?;
    Ok(file)
}

/// The inputs of a test in the order in which the program asks for them.
pub fn inputs(test: &TestCase) -> Vec<i32> {
    let number = |bytes: &Vec<u8>| match bytes[..] {
        [a, b, c, d] => i32::from_le_bytes([a, b, c, d]),
        [byte] => i32::from(byte),
        _ => i32::MIN,
    };
    test.objects.iter().map(|(_, bytes)| number(bytes)).collect()
}

/// What an error is called when a claim is an error.
pub fn kind(claim: Claim) -> Option<&'static str> {
    match claim {
        Claim::Place => None,
        Claim::Reach => Some("reach_error"),
        Claim::Assertion => Some("assert"),
        Claim::Memory => Some("ptr"),
        Claim::Division => Some("div"),
    }
}
