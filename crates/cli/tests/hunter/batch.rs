//! Many programs in one C file, which takes one run of each compiler, and what they do natively on
//! all their inputs.

use super::support::process::{self, End};
use super::writer::{self, Claim, Program};
use regex::Regex;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const PRELUDE: &str = include_str!("prelude.c");
const DRIVER: &str = include_str!("driver.c");
const LIMIT: Duration = Duration::from_secs(120);

/// Programs of seeds in a row.
pub struct Batch {
    pub file: PathBuf,
    pub programs: Vec<Program>,
}

impl Batch {
    pub fn write(dir: &Path, seeds: impl Iterator<Item = u64>) -> Result<Batch, String> {
        let programs: Vec<Program> = seeds.map(|seed| writer::program(seed, &format!("p{seed}"))).collect();
        let mut text = PRELUDE.to_owned();
        let (mut table, mut calls) = (String::new(), String::new());
        for program in &programs {
            text.push_str(&program.text);
            let _ = write!(table, "{}, ", program.name);
            let _ = write!(calls, "{}(); ", program.name);
        }
        let _ = write!(text, "#ifdef NATIVE\nstatic void (*const PROGRAMS[])(void) = {{{table}}};\n{DRIVER}");
        let _ = write!(text, "#else\nint main(void) {{ {calls}return 0; }}\n#endif\n");
        let file = dir.join("programs.c");
        std::fs::write(&file, text).map_err(|error| error.to_string())?;
        Ok(Batch { file, programs })
    }

    /// Where each claim is: program, claim, by line.
    pub fn lines(&self) -> BTreeMap<u32, (usize, usize)> {
        let claim = Regex::new(r"\b(?:HIT|ERR|ASSERT|AT|DIVISOR|POINTEE)\((\d+)[,)]").expect("an expression");
        let mut lines = BTreeMap::new();
        let mut line = PRELUDE.lines().count() as u32;
        for (index, program) in self.programs.iter().enumerate() {
            for text in program.text.lines() {
                line += 1;
                if let Some(number) = claim.captures(text).and_then(|found| found[1].parse().ok()) {
                    lines.insert(line, (index, number));
                }
            }
        }
        lines
    }

    /// Runs every program on all its inputs.
    pub fn truths(&self) -> Result<Vec<Truth>, String> {
        let executable = self.file.with_extension("native");
        let mut gcc = Command::new("gcc");
        gcc.args(["-O0", "-fwrapv", "-w", "-DNATIVE", "-o"]).arg(&executable).arg(&self.file).arg("-lm");
        let compiled = process::run(&mut gcc, LIMIT);
        if compiled.end != End::Exit(0) {
            return Err(format!("gcc: {}", compiled.tail()));
        }
        let finished = process::run(&mut Command::new(&executable), LIMIT);
        if finished.end != End::Exit(0) {
            return Err(format!("the native run ended with {:?}", finished.end));
        }
        let mut truths: Vec<Truth> = Vec::new();
        for line in finished.stdout.lines() {
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

/// One program by itself, as a user would have it.
pub fn single(dir: &Path, program: &Program) -> Result<PathBuf, String> {
    let file = dir.join("prog.c");
    let text = format!("{PRELUDE}{}int main(void) {{ {}(); return 0; }}\n", program.text, program.name);
    std::fs::write(&file, text).map_err(|error| error.to_string())?;
    Ok(file)
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
