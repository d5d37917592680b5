//! Programs in `tests/c/backward`, each of which would get a wrong answer if some rule of proofs
//! from functions' entries were forgotten.
//!
//! They say what is true: `hit(); // reachable`, `hit(); // unreachable`; and `hit(); //
//! unreachable, cut` if the search backwards has to prove it. Of what may fail they say the same
//! with the fault: `*p = 1; // null: unreachable`. Their first lines may be `// cc: -g0` and
//! `// libc: musl`.

use super::asking::{Answer, Question, Way};
use super::support;
use espalier_engine::{Approach, EntryRule, FaultKind};
use espalier_frontend::Libc;
use std::path::{Path, PathBuf};

const CUT: &str = "unreachable, cut";
const FAULTS: [(&str, FaultKind); 4] = [
    ("null", FaultKind::Null),
    ("bounds", FaultKind::OutOfBounds),
    ("freed", FaultKind::UseAfterFree),
    ("div", FaultKind::DivByZero),
];

pub fn programs() -> Vec<PathBuf> {
    let entries =
        std::fs::read_dir(support::root().join("tests/c/backward")).expect("the repository has the directory");
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths
}

/// Nothing that is said of the program is wrong.
pub fn check(path: &Path) -> Result<(), String> {
    let hard = Hard::load(path)?;
    hard.are_cut()?;
    for (approach, is_pruned) in [(Approach::Forward, false), (Approach::Backward, true), (Approach::Mix, false)] {
        let way = Way::new(approach, is_pruned);
        hard.hold(way)?;
        hard.hold(way.single())?;
    }
    Ok(())
}

/// Without this rule, something that is said of some program is wrong.
pub fn notices(rule: EntryRule) -> Result<(), String> {
    let way = Way { forgotten: Some(rule), ..Way::new(Approach::Backward, false).single() };
    for path in programs() {
        if Hard::load(&path)?.hold(way).is_err() {
            return Ok(());
        }
    }
    Err("no program gets a wrong answer".into())
}

struct Hard {
    question: Question,
    /// By place: can it be reached?
    truths: Vec<bool>,
    /// The places that a cut has to prove unreachable.
    cut: Vec<usize>,
}

impl Hard {
    fn load(path: &Path) -> Result<Hard, String> {
        let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
        let option = |start: &str| text.lines().find_map(|line| line.strip_prefix(start)).unwrap_or_default();
        let cc_args: Vec<&str> = option("// cc: ").split_whitespace().collect();
        let libc = if option("// libc: ") == "musl" { Libc::Musl } else { Libc::Own };
        let mut question = Question::load(path, &cc_args, libc)?;
        let places = text.lines().filter_map(|line| Some(line.split_once("hit(); // ")?.1.to_owned()));
        let mut said: Vec<String> = places.collect();
        if said.len() != question.lines.len() {
            return Err(format!("it says what is true of {} places, of {:?}", said.len(), question.lines));
        }
        for (name, kind) in FAULTS {
            for (line, text) in (1..).zip(text.lines()) {
                let Some((_, truth)) = text.split_once(&format!("// {name}: ")) else { continue };
                question.ask_for_error(line, kind);
                said.push(truth.to_owned());
            }
        }
        let truth = |text: &String| match text.as_str() {
            "reachable" => Ok(true),
            "unreachable" | CUT => Ok(false),
            other => Err(format!("is that true or not: {other}")),
        };
        let truths = said.iter().map(truth).collect::<Result<Vec<bool>, String>>()?;
        let cut = (0..said.len()).filter(|&number| said[number] == CUT).collect();
        match truths.is_empty() {
            false => Ok(Hard { question, truths, cut }),
            true => Err("it says nothing".into()),
        }
    }

    fn are_cut(&self) -> Result<(), String> {
        if self.cut.is_empty() {
            return Ok(());
        }
        let answers = self.question.ask(Way::new(Approach::Backward, false).single())?;
        let is_missing = |number: &&usize| !matches!(answers[**number], Answer::Unreachable { cut: Some(_) });
        let missing: Vec<u32> = self.cut.iter().filter(is_missing).map(|&number| self.question.lines[number]).collect();
        match missing.is_empty() {
            true => Ok(()),
            false => Err(format!("not proved by a cut: lines {missing:?}")),
        }
    }

    fn hold(&self, way: Way) -> Result<(), String> {
        for (number, (answer, &truth)) in self.question.ask(way)?.iter().zip(&self.truths).enumerate() {
            let line = self.question.lines[number];
            match answer {
                Answer::Unreachable { cut } if truth => {
                    return Err(format!("line {line} is called unreachable, {way:?}, cut by {cut:?}"));
                }
                Answer::Reached { .. } if !truth => return Err(format!("line {line} is called reachable, {way:?}")),
                _ => {}
            }
        }
        Ok(())
    }
}
