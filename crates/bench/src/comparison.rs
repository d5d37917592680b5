//! The numbers: what each tool solved, and how the first tool does against each other.

use crate::answer::{Kind, Truth};
use crate::store::Measured;

/// All results, in the order of the set.
pub(crate) struct Comparison {
    pub(crate) tools: Vec<ToolColumn>,
    pub(crate) rows: Vec<TargetRow>,
    /// Seconds for each run, or for the longest.
    pub(crate) limit: f64,
}

pub(crate) struct ToolColumn {
    pub(crate) name: String,
    pub(crate) is_installed: bool,
    pub(crate) version: Option<String>,
}

/// What the tools made of a target. There is a row for each seed: those after the first have only
/// what depends on chance.
pub(crate) struct TargetRow {
    pub(crate) group: String,
    pub(crate) program: String,
    /// `FILE:LINE`, or `FILE`.
    pub(crate) name: String,
    pub(crate) truth: Option<Truth>,
    /// By tool; `None` if it was not run.
    pub(crate) results: Vec<Option<Measured>>,
}

impl TargetRow {
    /// The time to a right answer, or one that may be right.
    pub(crate) fn solved(&self, tool: usize) -> Option<f64> {
        let result = self.results[tool].as_ref()?;
        let is_solved = result.kind.verdict().is_some() && !result.kind.is_wrong(self.truth);
        is_solved.then_some(result.seconds)
    }
}

/// What a tool did on some targets.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(crate) struct Tally {
    pub(crate) runs: usize,
    pub(crate) seconds: f64,
    pub(crate) unreachable: usize,
    pub(crate) reachable: usize,
    pub(crate) unknown: usize,
    pub(crate) timeouts: usize,
    pub(crate) out_of_memory: usize,
    pub(crate) errors: usize,
    pub(crate) wrong: usize,
    pub(crate) peak_memory: u64,
}

impl Tally {
    pub(crate) fn of<'a>(rows: impl IntoIterator<Item = &'a TargetRow>, tool: usize) -> Tally {
        let mut tally = Tally::default();
        for row in rows {
            let Some(result) = &row.results[tool] else { continue };
            tally.runs += 1;
            tally.seconds += result.seconds;
            tally.peak_memory = tally.peak_memory.max(result.peak_memory_bytes);
            *match result.kind {
                kind if kind.is_wrong(row.truth) => &mut tally.wrong,
                Kind::Unreachable => &mut tally.unreachable,
                Kind::Reachable => &mut tally.reachable,
                Kind::Unknown => &mut tally.unknown,
                Kind::Timeout => &mut tally.timeouts,
                Kind::OutOfMemory => &mut tally.out_of_memory,
                Kind::Error => &mut tally.errors,
            } += 1;
        }
        tally
    }

    pub(crate) fn solved(&self) -> usize {
        self.unreachable + self.reachable
    }

    /// All that is neither an answer nor a time-out.
    pub(crate) fn others(&self) -> usize {
        self.unknown + self.out_of_memory + self.errors
    }
}

/// The first tool against another, on the targets that both were asked about.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Duel {
    pub(crate) targets: usize,
    pub(crate) wins: usize,
    pub(crate) losses: usize,
    pub(crate) both_solved: usize,
    pub(crate) speed_up: Option<SpeedUp>,
}

/// How many times as long the other tool takes, over what both solved.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct SpeedUp {
    pub(crate) total: f64,
    pub(crate) median: f64,
    pub(crate) geometric_mean: f64,
}

/// Times below this are noise, and must not be divided by.
const SHORTEST: f64 = 0.001;

impl Duel {
    pub(crate) fn new(rows: &[TargetRow], first: usize, other: usize) -> Duel {
        let mut duel = Duel { targets: 0, wins: 0, losses: 0, both_solved: 0, speed_up: None };
        let mut times = Vec::new();
        for row in rows.iter().filter(|row| row.results[first].is_some() && row.results[other].is_some()) {
            duel.targets += 1;
            match (row.solved(first), row.solved(other)) {
                (Some(mine), Some(theirs)) => {
                    duel.wins += usize::from(is_clearly_faster(mine, theirs));
                    duel.losses += usize::from(is_clearly_faster(theirs, mine));
                    times.push((mine.max(SHORTEST), theirs.max(SHORTEST)));
                }
                (Some(_), None) => duel.wins += 1,
                (None, Some(_)) => duel.losses += 1,
                (None, None) => {}
            }
        }
        duel.both_solved = times.len();
        duel.speed_up = SpeedUp::of(&times);
        duel
    }
}

/// By a tenth at least, and by more than what the machine makes of it.
fn is_clearly_faster(one: f64, other: f64) -> bool {
    one <= 0.9 * other && other - one >= 0.1
}

impl SpeedUp {
    fn of(times: &[(f64, f64)]) -> Option<SpeedUp> {
        let mut ratios: Vec<f64> = times.iter().map(|(mine, theirs)| theirs / mine).collect();
        ratios.sort_by(f64::total_cmp);
        let mine: f64 = times.iter().map(|(mine, _)| mine).sum();
        let theirs: f64 = times.iter().map(|(_, theirs)| theirs).sum();
        let logarithms: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
        Some(SpeedUp {
            total: theirs / mine,
            median: median(&ratios)?,
            geometric_mean: (logarithms / ratios.len() as f64).exp(),
        })
    }
}

fn median(sorted: &[f64]) -> Option<f64> {
    let middle = sorted.len() / 2;
    let upper = *sorted.get(middle)?;
    Some(if sorted.len().is_multiple_of(2) { (sorted[middle - 1] + upper) / 2.0 } else { upper })
}

impl Comparison {
    /// Answers that are known to be wrong, in words.
    pub(crate) fn wrong(&self) -> Vec<String> {
        let of_row = |row: &TargetRow| -> Vec<String> {
            let results = self.tools.iter().zip(&row.results);
            let wrong = |(tool, result): (&ToolColumn, &Option<Measured>)| {
                wrong_answer(&row.name, &tool.name, result.as_ref()?.kind, row.truth)
            };
            results.filter_map(wrong).collect()
        };
        self.rows.iter().flat_map(of_row).collect()
    }

    /// Targets of which the truth is not known and the tools do not agree.
    pub(crate) fn conflicts(&self) -> Vec<String> {
        let unclear = self.rows.iter().filter(|row| row.truth.is_none());
        unclear.filter_map(|row| self.conflict(row)).collect()
    }

    fn conflict(&self, row: &TargetRow) -> Option<String> {
        let saying = |kind: Kind| -> Vec<&str> {
            let with = self.tools.iter().zip(&row.results);
            let with = with.filter(|(_, result)| result.as_ref().is_some_and(|result| result.kind == kind));
            with.map(|(tool, _)| tool.name.as_str()).collect()
        };
        let (reachable, unreachable) = (saying(Kind::Reachable), saying(Kind::Unreachable));
        let is_conflict = !reachable.is_empty() && !unreachable.is_empty();
        let says = |names: &[&str]| format!("{} {}", names.join(", "), if names.len() == 1 { "says" } else { "say" });
        is_conflict.then(|| format!("{}: {} reachable, {} unreachable", row.name, says(&reachable), says(&unreachable)))
    }
}

/// A wrong answer in words; `None` if it may be right.
pub(crate) fn wrong_answer(target: &str, tool: &str, kind: Kind, truth: Option<Truth>) -> Option<String> {
    let (verdict, truth) = kind.verdict().zip(truth)?;
    (verdict != truth).then(|| format!("{target}: {tool} says {verdict}, but it is {truth}"))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn result(kind: Kind, seconds: f64) -> Option<Measured> {
        Some(Measured { kind, seconds, limit_seconds: 60.0, peak_memory_bytes: 1 << 20, reason: None, tail: None })
    }

    pub(crate) fn row(name: &str, truth: Option<Truth>, results: Vec<Option<Measured>>) -> TargetRow {
        let program = name.split(':').next().unwrap_or_default().to_owned();
        TargetRow { group: "g".into(), program, name: name.into(), truth, results }
    }

    pub(crate) fn comparison(rows: Vec<TargetRow>) -> Comparison {
        let tool = |name: &str| ToolColumn { name: name.into(), is_installed: true, version: None };
        Comparison { tools: vec![tool("one"), tool("two")], rows, limit: 60.0 }
    }

    #[test]
    fn wins_losses_and_speed_up() {
        let (u, to) = (Kind::Unreachable, Kind::Timeout);
        let rows = [
            row("a.c:1", None, vec![result(u, 1.0), result(u, 2.0)]),
            row("a.c:2", None, vec![result(u, 1.0), result(u, 8.0)]),
            row("a.c:3", None, vec![result(u, 1.0), result(u, 1.05)]),
            row("a.c:4", None, vec![result(u, 0.01), result(u, 0.04)]),
            row("a.c:5", None, vec![result(u, 3.0), result(to, 60.0)]),
            row("a.c:6", None, vec![result(to, 60.0), result(u, 3.0)]),
            row("a.c:7", None, vec![result(u, 3.0), result(u, 1.0)]),
            row("a.c:8", None, vec![result(u, 3.0), None]),
            row("a.c:9", None, vec![result(to, 60.0), result(to, 60.0)]),
        ];
        let duel = Duel::new(&rows, 0, 1);
        assert_eq!((duel.targets, duel.wins, duel.losses, duel.both_solved), (8, 3, 2, 5));
        let speed_up = duel.speed_up.expect("both solved some");
        assert!((speed_up.total - 12.09 / 6.01).abs() < 1e-9);
        assert!((speed_up.median - 2.0).abs() < 1e-9);
        let product: f64 = 2.0 * 8.0 * 1.05 * 4.0 / 3.0;
        assert!((speed_up.geometric_mean - product.powf(0.2)).abs() < 1e-9);
    }

    #[test]
    fn nothing_in_common_has_no_speed_up() {
        let rows = [row("a.c:1", None, vec![result(Kind::Timeout, 60.0), result(Kind::Reachable, 0.0)])];
        assert_eq!(Duel::new(&rows, 0, 1).speed_up, None);
        assert_eq!(median(&[1.0, 3.0]), Some(2.0));
    }

    #[test]
    fn a_wrong_answer_solves_nothing() {
        let rows =
            [row("a.c:1", Some(Truth::Reachable), vec![result(Kind::Unreachable, 0.1), result(Kind::Reachable, 9.0)])];
        let tally = Tally::of(&rows, 0);
        assert_eq!((tally.wrong, tally.solved(), tally.runs), (1, 0, 1));
        assert_eq!(Duel::new(&rows, 0, 1).losses, 1);
        let comparison = comparison(rows.into());
        assert_eq!(comparison.wrong(), ["a.c:1: one says unreachable, but it is reachable"]);
        assert!(comparison.conflicts().is_empty());
    }

    #[test]
    fn tools_that_do_not_agree_are_a_conflict() {
        let rows = vec![row("a.c:1", None, vec![result(Kind::Unreachable, 0.1), result(Kind::Reachable, 9.0)])];
        assert_eq!(comparison(rows).conflicts(), ["a.c:1: two says reachable, one says unreachable"]);
    }
}
