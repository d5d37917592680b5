//! The search backwards: what it says of places in generated programs, whose truth is known from
//! native runs on all their inputs, and in those of `tests/c/backward`, which say what is true.
//! A function that is said to cut all chains of calls to a place is also called natively in a
//! thousand random states, and none may come there.
//!
//! It must not pass by saying little: a third of the places that cannot be reached have to be
//! decided by a cut. And it has to notice what it is there for: each rule that a proof rests on is
//! left out in turn, and some program must then get a wrong answer.
//!
//! `ESPALIER_BACKWARD_COUNT` sets how many programs, `ESPALIER_BACKWARD_SEED` the first seed.

mod asking;
mod hard;
#[path = "../support/mod.rs"]
mod support;
mod writer;

use asking::{Answer, Question, Way};
use espalier_engine::{Approach, EntryRule};
use espalier_frontend::Libc;
use std::collections::BTreeMap;
use std::ops::{AddAssign, Range};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use support::batch::{self, Batch, Program, Truth};
use support::count_from_env;
use support::suite::{self, Verdict};
use writer::Chain;

/// Programs of a file.
const BATCH: usize = 10;
const PROBES: &str = include_str!("probes.c");

/// The rules that a proof from functions' entries rests on.
const RULES: [EntryRule; 11] = [
    EntryRule::Globals,
    EntryRule::Partial,
    EntryRule::MadeUp,
    EntryRule::Places,
    EntryRule::Roots,
    EntryRule::Callees,
    EntryRule::Aliases,
    EntryRule::Escapes,
    EntryRule::Nulls,
    EntryRule::Doubts,
    EntryRule::Numbers,
];

enum Case {
    Generated(Range<usize>),
    /// A program in `tests/c/backward`.
    Hard(PathBuf),
    /// Some program of that directory gets a wrong answer without this rule.
    Without(EntryRule),
}

fn main() -> ExitCode {
    let first = count_from_env("ESPALIER_BACKWARD_SEED", 0);
    let end = first + count_from_env("ESPALIER_BACKWARD_COUNT", 60);
    let mut cases: Vec<(String, Case)> = (first..end)
        .step_by(BATCH)
        .map(|start| start..end.min(start + BATCH))
        .map(|seeds| (format!("programs {} to {}", seeds.start, seeds.end - 1), Case::Generated(seeds)))
        .collect();
    cases.extend(hard::programs().into_iter().map(|path| (path.display().to_string(), Case::Hard(path))));
    cases.extend(RULES.map(|rule| (format!("without {rule:?}"), Case::Without(rule))));
    let counts = Mutex::new(Counts::default());
    let code = suite::run("backward", &cases, |_, case| match case {
        Case::Generated(seeds) => match generated(seeds.clone()) {
            Ok((found, wrong)) => {
                *counts.lock().expect("no case panics") += found;
                if wrong.is_empty() { Verdict::Passed } else { Verdict::Failed(wrong.join("\n      ")) }
            }
            Err(error) => Verdict::Failed(error),
        },
        Case::Hard(path) => hard::check(path).into(),
        Case::Without(rule) => hard::notices(*rule).into(),
    });
    let counts = counts.into_inner().expect("no case panics");
    println!("backward: {counts:?}");
    if counts.is_little() {
        println!("FAILED: a third of the unreachable places are to be cut, a third of all decided backwards");
        return ExitCode::FAILURE;
    }
    code
}

/// How many places got which answer, with the strategy `backward`.
#[derive(Copy, Clone, Default, Debug)]
struct Counts {
    reachable: usize,
    unreachable: usize,
    reached: usize,
    /// By states that were guided along a partial path.
    joined: usize,
    proved: usize,
    cut: usize,
    /// Functions of cuts that were called natively.
    probed: usize,
}

impl Counts {
    fn is_little(&self) -> bool {
        let all = self.reachable + self.unreachable;
        3 * self.cut < self.unreachable || 3 * (self.cut + self.joined) < all
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.reachable += other.reachable;
        self.unreachable += other.unreachable;
        self.reached += other.reached;
        self.joined += other.joined;
        self.proved += other.proved;
        self.cut += other.cut;
        self.probed += other.probed;
    }
}

/// What came of some programs, and what is wrong.
fn generated(seeds: Range<usize>) -> Result<(Counts, Vec<String>), String> {
    let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
    let chains: Vec<Chain> = seeds.clone().map(|seed| writer::chain(seed as u64, &format!("p{seed}"))).collect();
    let (probes, probed): (Vec<_>, Vec<_>) = chains.iter().map(|chain| (&*chain.probes, &*chain.probed)).unzip();
    let batch = Batch::write(dir.path(), chains.iter().map(|chain| chain.program.clone()).collect())?;
    let truths = batch.truths()?;
    let hits = hits(&batch, &probes.concat(), &probed.concat())?;
    let (mut counts, mut wrong) = (Counts::default(), Vec::new());
    for (seed, (program, truth)) in seeds.zip(batch.programs.iter().zip(&truths)) {
        let subject = Subject::new(dir.path(), program, truth, &hits)?;
        let other = if seed % 4 == 0 { Approach::Auto } else { Approach::Mix };
        let ways = [Way::new(Approach::Backward, seed % 2 == 0).single(), Way::new(other, seed % 3 > 0)];
        for way in ways {
            match subject.check(way) {
                Ok(found) if way.approach == Approach::Backward => counts += found,
                Ok(_) => {}
                Err(error) => wrong.push(format!("seed {seed}: {error} ({way:?})\n{}", program.text)),
            }
        }
    }
    Ok((counts, wrong))
}

/// By function, the claims that random states come to in it, as bits.
fn hits(batch: &Batch, probes: &str, probed: &str) -> Result<BTreeMap<String, u32>, String> {
    let table =
        format!("static const struct probe {{ const char *name; void (*run)(void); }} probes[] = {{{probed}}};\n");
    let output = batch.run(&format!("static int any(void);\n{probes}{table}{PROBES}"))?;
    let parse = |line: &str| {
        let (name, bits) = line.split_once(' ')?;
        Some((name.to_owned(), bits.parse().ok()?))
    };
    output.lines().map(|line| parse(line).ok_or_else(|| format!("the probes printed {line}"))).collect()
}

/// A program, and what is true of it.
struct Subject<'a> {
    question: Question,
    /// By place, the number of its claim.
    claims: Vec<usize>,
    truth: &'a Truth,
    hits: &'a BTreeMap<String, u32>,
}

impl Subject<'_> {
    fn new<'a>(
        dir: &Path,
        program: &Program,
        truth: &'a Truth,
        hits: &'a BTreeMap<String, u32>,
    ) -> Result<Subject<'a>, String> {
        let question = Question::load(&batch::single(dir, program)?, &[], Libc::Own)?;
        let lines = program.own_lines();
        let claim = |line: &u32| lines.get(line).copied().ok_or_else(|| format!("line {line} is no claim"));
        let claims = question.lines.iter().map(claim).collect::<Result<Vec<usize>, String>>()?;
        Ok(Subject { question, claims, truth, hits })
    }

    fn check(&self, way: Way) -> Result<Counts, String> {
        let mut counts = Counts::default();
        for (answer, &claim) in self.question.ask(way)?.iter().zip(&self.claims) {
            let is_reached = self.truth.reaches(claim);
            *(if is_reached { &mut counts.reachable } else { &mut counts.unreachable }) += 1;
            match answer {
                Answer::Unknown => {}
                Answer::Reached { test, is_joined } => {
                    self.confirm(claim, test.as_ref())?;
                    counts.reached += 1;
                    counts.joined += usize::from(*is_joined);
                }
                Answer::Unreachable { .. } if is_reached => {
                    return Err(format!("claim {claim} is called unreachable, but is reached natively"));
                }
                Answer::Unreachable { cut } => {
                    counts.proved += 1;
                    counts.cut += usize::from(cut.is_some());
                    counts.probed += self.probe(claim, cut.as_deref().unwrap_or_default())?;
                }
            }
        }
        Ok(counts)
    }

    /// The test leads there natively, if it is certain.
    fn confirm(&self, claim: usize, test: Option<&espalier_engine::TestCase>) -> Result<(), String> {
        let Some(test) = test.filter(|test| test.approximations.is_empty()) else { return Ok(()) };
        let inputs = batch::inputs(test);
        match self.truth.reaches_on(&inputs, claim) {
            true => Ok(()),
            false => Err(format!("claim {claim} is not reached natively on {inputs:?}")),
        }
    }

    /// No random state leads from these functions to the claim.
    fn probe(&self, claim: usize, functions: &[String]) -> Result<usize, String> {
        let known = functions.iter().filter_map(|name| Some((name, *self.hits.get(name)?)));
        let known: Vec<(&String, u32)> = known.collect();
        match known.iter().find(|(_, hits)| hits >> claim & 1 == 1) {
            Some((name, _)) => Err(format!("{name}() is closed for claim {claim}, but comes there natively")),
            None => Ok(known.len()),
        }
    }
}
