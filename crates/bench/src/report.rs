//! What people read: tables by program, duels, totals, and what they must not overlook.

use crate::answer::Kind;
use crate::comparison::{Comparison, Duel, Tally, TargetRow, ToolColumn};
use crate::set::Layout;
use crate::table::{Cell, Colour, Row, Table, escape};
use crate::{medians, plot};
use espalier_base::format_size;
use std::fmt::Write;

/// All that is to be said about a comparison.
pub(crate) struct Report {
    pub(crate) tables: Vec<Table>,
    pub(crate) notes: Vec<Note>,
}

/// A list under a heading.
pub(crate) struct Note {
    pub(crate) title: String,
    pub(crate) is_alarm: bool,
    pub(crate) lines: Vec<String>,
}

impl Note {
    pub(crate) fn line(text: String) -> Note {
        Note { title: text, is_alarm: false, lines: Vec::new() }
    }
}

/// So many lines of a list of errors are printed; the results file has them all.
const SHOWN: usize = 20;

impl Report {
    pub(crate) fn new(comparison: &Comparison, wrong: &[String], layout: Layout) -> Report {
        let mut tables = match layout {
            Layout::Medians => vec![medians::table(comparison)],
            Layout::Programs if comparison.tools.len() > 1 => vec![by_program(comparison), duels(comparison)],
            Layout::Programs => vec![by_program(comparison)],
        };
        tables.push(totals(comparison));
        let mut notes = Vec::new();
        if !wrong.is_empty() {
            notes.push(Note { title: format!("WRONG VERDICTS: {}", wrong.len()), is_alarm: true, lines: wrong.into() });
        }
        let conflicts = comparison.conflicts();
        if !conflicts.is_empty() {
            let title = format!("CONFLICTS, of which the truth is not known: {}", conflicts.len());
            notes.push(Note { title, is_alarm: true, lines: conflicts });
        }
        notes.extend(errors(comparison));
        Report { tables, notes }
    }

    pub(crate) fn text(&self, colour: Colour) -> String {
        let mut text = String::new();
        for table in &self.tables {
            let _ = writeln!(text, "{}", table.text(colour));
        }
        for note in &self.notes {
            let title = if note.is_alarm { colour.alarm(&note.title) } else { note.title.clone() };
            let _ = writeln!(text, "{title}");
            for line in &note.lines {
                let _ = writeln!(text, "  {}", if note.is_alarm { colour.alarm(line) } else { line.clone() });
            }
        }
        text
    }

    /// A page by itself.
    pub(crate) fn html(&self, comparison: &Comparison, title: &str) -> String {
        let title = escape(title);
        let mut html = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
        );
        let (alarms, others): (Vec<&Note>, Vec<&Note>) = self.notes.iter().partition(|note| note.is_alarm);
        alarms.into_iter().for_each(|note| html.push_str(&note_html(note)));
        for table in &self.tables {
            html.push_str(&table.html());
        }
        let _ = write!(html, "<h2>Solved targets over time</h2>\n<figure>{}</figure>\n", plot::cactus(comparison));
        if comparison.tools.len() > 1 {
            let _ = write!(html, "<h2>Target by target</h2>\n<figure>{}</figure>\n", plot::scatter(comparison));
        }
        others.into_iter().for_each(|note| html.push_str(&note_html(note)));
        html + "</body>\n</html>\n"
    }
}

fn note_html(note: &Note) -> String {
    let class = if note.is_alarm { " class=\"alarm\"" } else { "" };
    let lines: String = note.lines.iter().map(|line| format!("<li>{}</li>\n", escape(line))).collect();
    format!("<p{class}>{}</p>\n<ul{class}>\n{lines}</ul>\n", escape(&note.title))
}

const STYLE: &str = "\
:root { color-scheme: light dark; }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.2rem 0.6rem; text-align: right; white-space: nowrap; }
th:first-child, td:first-child, .words { text-align: left; }
thead th, .total td { border-bottom: 1px solid #8888; }
.total td { border-top: 1px solid #8888; font-weight: 600; }
.above th { text-align: center; border-left: 1px solid #8888; }
.group td { font-weight: 600; padding-top: 0.6rem; }
.alarm { color: #d11; font-weight: 700; }
figure { margin: 0; max-width: 50rem; }
svg { width: 100%; height: auto; font-size: 12px; }
svg text { fill: currentColor; }
.grid { stroke: #8884; }
.frame { fill: none; stroke: #888; }
.diagonal { stroke: #888; stroke-dasharray: 4 4; }
.steps, .mark { fill: none; stroke-width: 2; }
";

fn seconds(seconds: f64) -> String {
    format!("{seconds:.2}s")
}

/// For each program, what each tool made of it.
fn by_program(comparison: &Comparison) -> Table {
    let tools = 0..comparison.tools.len();
    let has_wrong = tools.clone().any(|tool| Tally::of(&comparison.rows, tool).wrong > 0);
    let mut of_tool = vec!["time", "U", "R", "TO", "E"];
    if has_wrong {
        of_tool.push("WRONG");
    }
    let mut above = vec![(String::new(), 2)];
    above.extend(comparison.tools.iter().map(|tool| (tool.name.clone(), of_tool.len())));
    let mut heads = vec![Cell::new("program"), Cell::new("targets")];
    heads.extend(tools.clone().flat_map(|_| of_tool.iter().map(Cell::new)));

    let line = |name: &str, rows: &[TargetRow], is_total: bool| {
        let mut cells = vec![Cell::new(name), Cell::new(rows.len())];
        for tool in tools.clone() {
            let tally = Tally::of(rows, tool);
            if tally.runs == 0 {
                cells.extend(of_tool.iter().map(|_| Cell::new("-")));
                continue;
            }
            cells.push(Cell::new(seconds(tally.seconds)));
            cells.extend([tally.unreachable, tally.reachable, tally.timeouts, tally.others()].map(Cell::new));
            if has_wrong {
                cells.push(Cell::alarm(tally.wrong));
            }
        }
        Row { cells, is_total }
    };
    let mut rows = Vec::new();
    for group in comparison.rows.chunk_by(|one, other| one.group == other.group) {
        rows.push(Row { cells: vec![Cell::new(&group[0].group)], is_total: false });
        for program in group.chunk_by(|one, other| one.program == other.program) {
            rows.push(line(&format!("  {}", program[0].program), program, false));
        }
        let total = format!("{} in all", group[0].group);
        rows.push(line(&total, group, true));
    }
    Table { title: "Programs".into(), above, heads, rows }
}

/// The first tool against each other.
fn duels(comparison: &Comparison) -> Table {
    let marked = |tool: usize| match (&comparison.tools[tool].name, Tally::of(&comparison.rows, tool).wrong) {
        (name, 0) => Cell::new(name),
        (name, wrong) => Cell { is_alarm: true, ..Cell::new(format!("{name} ({wrong} WRONG)")) },
    };
    let heads = ["against", "targets", "wins", "losses", "solved by both", "speed-up", "median", "geometric mean"];
    let times = |ratio: f64| Cell::new(format!("{ratio:.2}x"));
    let line = |other: usize| {
        let duel = Duel::new(&comparison.rows, 0, other);
        let mut cells = vec![marked(other)];
        match duel.targets {
            0 => cells.extend((0..4).map(|_| Cell::new("-"))),
            _ => cells.extend([duel.targets, duel.wins, duel.losses, duel.both_solved].map(Cell::new)),
        }
        match duel.speed_up {
            Some(speed_up) => cells.extend([speed_up.total, speed_up.median, speed_up.geometric_mean].map(times)),
            None => cells.extend((0..3).map(|_| Cell::new("-"))),
        }
        Row { cells, is_total: false }
    };
    Table {
        title: format!("{} against the others", marked(0).text),
        above: Vec::new(),
        heads: heads.map(Cell::new).to_vec(),
        rows: (1..comparison.tools.len()).map(line).collect(),
    }
}

fn totals(comparison: &Comparison) -> Table {
    let heads = ["tool", "targets", "solved", "U", "R", "unknown", "TO", "memory", "errors", "WRONG", "time", "peak"];
    let line = |(tool, column): (usize, &ToolColumn)| {
        let tally = Tally::of(&comparison.rows, tool);
        let mut cells = vec![Cell::new(&column.name)];
        if tally.runs == 0 {
            cells.extend((1..heads.len()).map(|_| Cell::new("-")));
        } else {
            let counts = [tally.runs, tally.solved(), tally.unreachable, tally.reachable, tally.unknown];
            cells.extend(counts.map(Cell::new));
            cells.extend([tally.timeouts, tally.out_of_memory, tally.errors].map(Cell::new));
            cells.push(Cell::alarm(tally.wrong));
            cells.push(Cell::new(seconds(tally.seconds)));
            cells.push(Cell::new(format_size(tally.peak_memory)));
        }
        let version = match column.is_installed {
            true => column.version.as_deref().unwrap_or(""),
            false => "not installed",
        };
        cells.push(Cell::words(version));
        Row { cells, is_total: false }
    };
    Table {
        title: "Totals".into(),
        above: Vec::new(),
        heads: heads.map(Cell::new).into_iter().chain([Cell::words("version")]).collect(),
        rows: comparison.tools.iter().enumerate().map(line).collect(),
    }
}

fn errors(comparison: &Comparison) -> Option<Note> {
    let mut lines = Vec::new();
    for row in &comparison.rows {
        for (tool, result) in comparison.tools.iter().zip(&row.results) {
            if let Some(result) = result.as_ref().filter(|result| result.kind == Kind::Error) {
                lines.push(format!("{}: {}: {}", row.name, tool.name, result.reason.as_deref().unwrap_or("no reason")));
            }
        }
    }
    let count = lines.len();
    if count > SHOWN {
        lines.truncate(SHOWN);
        lines.push(format!("and {} more", count - SHOWN));
    }
    let title = format!("Errors: {count}; the results file has the ends of their output");
    (count > 0).then_some(Note { title, is_alarm: false, lines })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::Truth;
    use crate::comparison::tests::{comparison, result, row};

    fn report() -> (Comparison, Report) {
        let rows = vec![
            row("a.c:1", Some(Truth::Reachable), vec![result(Kind::Reachable, 1.0), result(Kind::Unreachable, 2.0)]),
            row("a.c:2", None, vec![result(Kind::Unreachable, 1.0), result(Kind::Unreachable, 4.0)]),
            row("b.c:1", None, vec![result(Kind::Timeout, 60.0), None]),
        ];
        let comparison = comparison(rows);
        let report = Report::new(&comparison, &comparison.wrong(), Layout::Programs);
        (comparison, report)
    }

    #[test]
    fn the_text_says_it_all() {
        let (_, report) = report();
        let text = report.text(Colour::Plain);
        let has = |words: &str| text.lines().any(|line| line.split_whitespace().eq(words.split_whitespace()));
        assert!(has("a.c 2 | 2.00s 1 1 0 0 0 | 6.00s 1 0 0 0 1!"), "{text}");
        assert!(has("b.c 1 | 60.00s 0 0 1 0 0 | - - - - - -"), "{text}");
        assert!(has("two (1 WRONG) 2 2 0 1 4.00x 4.00x 4.00x"), "{text}");
        assert!(text.contains("WRONG VERDICTS: 1\n  a.c:1: two says unreachable, but it is reachable\n"), "{text}");
    }

    #[test]
    fn the_page_is_whole() {
        let (comparison, report) = report();
        let html = report.html(&comparison, "set <1>");
        assert!(html.contains("<title>set &lt;1&gt;</title>"));
        assert_eq!(html.matches("<svg").count(), 2);
        assert!(html.contains("<p class=\"alarm\">WRONG VERDICTS: 1</p>"));
        assert!(!html.contains("<script") && !html.contains("http"), "it needs nothing from elsewhere");
    }
}
