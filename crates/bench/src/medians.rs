//! Medians over seeds: what a strategy that depends on chance does on a target.
//!
//! Times of such strategies are far from normally distributed, most often in two clusters, so that
//! means and deviations say nothing. As in "Directed symbolic execution" (Ma, Khoo, Foster, Hicks,
//! 2011), a cell has the median, the semi-interquartile range (SIQR, half of what is between the
//! quartiles) and the number of outliers, which are more than 3 SIQR beyond a quartile. A median is
//! infinite if more than half of the runs found nothing, and a SIQR if more than a quarter did.

use crate::answer::Kind;
use crate::comparison::{Comparison, TargetRow};
use crate::table::{Cell, Row, Table};
use std::fmt;

/// The times of some runs in numbers.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(crate) struct Summary {
    runs: usize,
    /// In seconds; `None` is infinite.
    median: Option<f64>,
    /// In seconds; `None` is infinite.
    siqr: Option<f64>,
    outliers: usize,
}

impl Summary {
    /// Of the time of each run, where `None` is one that found nothing. `None` if there was no run.
    pub(crate) fn of(times: &[Option<f64>]) -> Option<Summary> {
        let runs = times.len();
        if runs == 0 {
            return None;
        }
        let mut found: Vec<f64> = times.iter().copied().flatten().collect();
        found.sort_by(f64::total_cmp);
        let without = runs - found.len();
        let median = (2 * without <= runs).then(|| quantile(&found, runs, 2));
        let quartiles = (4 * without <= runs).then(|| (quantile(&found, runs, 1), quantile(&found, runs, 3)));
        let Some((lower, upper)) = quartiles else { return Some(Summary { runs, median, siqr: None, outliers: 0 }) };
        let siqr = (upper - lower) / 2.0;
        let is_far = |time: &&f64| **time < lower - 3.0 * siqr || **time > upper + 3.0 * siqr;
        // With a finite range, what found nothing is beyond all bounds.
        let outliers = found.iter().filter(is_far).count() + without;
        Some(Summary { runs, median, siqr: Some(siqr), outliers })
    }
}

/// A quarter, a half or three quarters of the way through all runs, of which those in `sorted`
/// found something; between two runs in proportion, as R does. If the later one of the two found
/// nothing, it is the earlier one.
fn quantile(sorted: &[f64], runs: usize, quarters: usize) -> f64 {
    let position = quarters * (runs - 1);
    let (index, rest) = (position / 4, position % 4);
    let earlier = sorted[index];
    let later = sorted.get(index + 1).copied().unwrap_or(earlier);
    earlier + (later - earlier) * rest as f64 / 4.0
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&number(self.median))?;
        if self.runs > 1 && self.median.is_some() {
            write!(f, " {}", number(self.siqr))?;
        }
        match self.outliers {
            0 => Ok(()),
            outliers => write!(f, "({outliers})"),
        }
    }
}

fn number(seconds: Option<f64>) -> String {
    seconds.map_or_else(|| "∞".into(), |seconds| format!("{seconds:.2}"))
}

/// A line for each target with a cell for each tool, and the sums of the medians by group.
pub(crate) fn table(comparison: &Comparison) -> Table {
    let tools = 0..comparison.tools.len();
    let mut heads = vec![Cell::new("seconds: median, SIQR (outliers)")];
    heads.extend(comparison.tools.iter().map(|tool| Cell::new(&tool.name)));
    let mut rows = Vec::new();
    for group in comparison.rows.chunk_by(|one, other| one.group == other.group) {
        rows.push(Row { cells: vec![Cell::new(&group[0].group)], is_total: false });
        let targets: Vec<&[TargetRow]> = group.chunk_by(|one, other| one.name == other.name).collect();
        for target in &targets {
            let mut cells = vec![Cell::new(format!("  {}", target[0].name))];
            cells.extend(tools.clone().map(|tool| cell(target, tool)));
            rows.push(Row { cells, is_total: false });
        }
        let mut cells = vec![Cell::new(format!("{} in all, ∞ as the limit", group[0].group))];
        cells.extend(tools.clone().map(|tool| Cell::new(total(&targets, tool))));
        rows.push(Row { cells, is_total: true });
    }
    Table { title: "Medians".into(), above: Vec::new(), heads, rows }
}

fn cell(target: &[TargetRow], tool: usize) -> Cell {
    let is_wrong = target.iter().any(|row| {
        let kind = row.results[tool].as_ref().map(|result| result.kind);
        kind.is_some_and(|kind: Kind| kind.is_wrong(row.truth))
    });
    match summary(target, tool) {
        Some(_) if is_wrong => Cell { is_alarm: true, ..Cell::new("WRONG!") },
        Some(summary) => Cell::new(summary),
        None => Cell::new("-"),
    }
}

fn summary(target: &[TargetRow], tool: usize) -> Option<Summary> {
    let runs = target.iter().filter(|row| row.results[tool].is_some());
    Summary::of(&runs.map(|row| row.solved(tool)).collect::<Vec<_>>())
}

/// The medians of all targets in a sum; a dash if some were not asked about.
fn total(targets: &[&[TargetRow]], tool: usize) -> String {
    let limit = |target: &[TargetRow]| {
        let limits = target.iter().filter_map(|row| row.results[tool].as_ref().map(|result| result.limit_seconds));
        limits.fold(0.0, f64::max)
    };
    let of_target = |target: &&[TargetRow]| Some(summary(target, tool)?.median.unwrap_or_else(|| limit(target)));
    let sum: Option<f64> = targets.iter().map(of_target).sum();
    sum.map_or_else(|| "-".into(), |sum| number(Some(sum)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::Truth;
    use crate::comparison::tests::{comparison, result, row};
    use crate::table::Colour;

    /// Runs with these times, and some that found nothing.
    fn summary_of(found: &[f64], without: usize) -> Summary {
        let times = found.iter().copied().map(Some).chain(std::iter::repeat_n(None, without));
        Summary::of(&times.collect::<Vec<_>>()).expect("there are runs")
    }

    #[test]
    fn quartiles_are_those_of_r() {
        // quantile(c(1, 2, 4, 8, 16)) and quantile(c(1, 2, 4, 8)) with R's default, type 7.
        let five = summary_of(&[16.0, 1.0, 8.0, 2.0, 4.0], 0);
        assert_eq!((five.median, five.siqr, five.outliers), (Some(4.0), Some(3.0), 0));
        let four = summary_of(&[1.0, 2.0, 4.0, 8.0], 0);
        assert_eq!((four.median, four.siqr), (Some(3.0), Some((5.0 - 1.75) / 2.0)));
    }

    #[test]
    fn infinity_by_the_papers_rules() {
        let times = |count: usize| vec![1.0; count];
        for runs in 1..=41_usize {
            for without in 0..=runs {
                let summary = summary_of(&times(runs - without), without);
                assert_eq!(summary.median.is_none(), 2 * without > runs, "{without} of {runs}");
                assert_eq!(summary.siqr.is_none(), 4 * without > runs, "{without} of {runs}");
            }
        }
        assert_eq!(Summary::of(&[]), None);
    }

    #[test]
    fn outliers_are_beyond_three_ranges() {
        // Quartiles 11 and 13, SIQR 1: 8 and 16 are just within.
        let within = summary_of(&[8.0, 11.0, 11.0, 12.0, 12.0, 12.0, 13.0, 13.0, 16.0], 0);
        assert_eq!((within.median, within.siqr, within.outliers), (Some(12.0), Some(1.0), 0));
        let beyond = summary_of(&[7.9, 11.0, 11.0, 12.0, 12.0, 12.0, 13.0, 13.0, 16.1], 0);
        assert_eq!((beyond.siqr, beyond.outliers), (Some(1.0), 2));
        // What found nothing is one too, as long as the range is finite.
        assert_eq!(summary_of(&[5.0; 9], 1).outliers, 1);
        assert_eq!(summary_of(&[5.0; 6], 3).outliers, 0);
    }

    #[test]
    fn cells_say_no_more_than_there_is() {
        assert_eq!(summary_of(&[1.0], 0).to_string(), "1.00");
        assert_eq!(summary_of(&[], 1).to_string(), "∞");
        assert_eq!(summary_of(&[1.0; 5], 0).to_string(), "1.00 0.00");
        assert_eq!(summary_of(&[1.0; 4], 1).to_string(), "1.00 0.00(1)");
        assert_eq!(summary_of(&[1.0; 3], 2).to_string(), "1.00 ∞");
        assert_eq!(summary_of(&[1.0; 2], 3).to_string(), "∞");
    }

    #[test]
    fn the_text_of_a_table() {
        let (reachable, timeout) = (Kind::Reachable, Kind::Timeout);
        // The first tool leaves nothing to chance.
        let rows = vec![
            row("a.c", None, vec![result(reachable, 0.5), result(reachable, 1.0)]),
            row("a.c", None, vec![None, result(reachable, 3.0)]),
            row("a.c", None, vec![None, result(reachable, 5.0)]),
            row("b.c", None, vec![result(timeout, 60.0), result(timeout, 60.0)]),
            row("b.c", None, vec![None, result(reachable, 2.0)]),
            row("b.c", None, vec![None, result(timeout, 60.0)]),
        ];
        let expected = "Medians\n\
                        seconds: median, SIQR (outliers)      one        two\n\
                        g\n\
                        \x20 a.c                                0.50  3.00 1.00\n\
                        \x20 b.c                                   ∞          ∞\n\
                        ----------------------------------------------------\n\
                        g in all, ∞ as the limit            60.50      63.00\n";
        assert_eq!(table(&comparison(rows)).text(Colour::Plain), expected);
    }

    #[test]
    fn a_wrong_answer_and_none_at_all() {
        let wrong = result(Kind::Unreachable, 0.1);
        let text = table(&comparison(vec![row("a.c", Some(Truth::Reachable), vec![wrong, None])])).text(Colour::Plain);
        let has = |words: &str| text.lines().any(|line| line.split_whitespace().eq(words.split_whitespace()));
        assert!(has("a.c WRONG! -") && has("g in all, ∞ as the limit 60.00 -"), "{text}");
    }
}
