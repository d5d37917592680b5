//! Tables, as text with aligned columns and as HTML.

use std::fmt::Write;

/// A table with a heading for each column, and optionally one above some columns.
pub(crate) struct Table {
    pub(crate) title: String,
    /// Text over this many columns each; none if empty.
    pub(crate) above: Vec<(String, usize)>,
    pub(crate) heads: Vec<Cell>,
    pub(crate) rows: Vec<Row>,
}

pub(crate) struct Row {
    pub(crate) cells: Vec<Cell>,
    pub(crate) is_total: bool,
}

/// The first cell of a row is aligned to the left, the others to the right unless they are words.
#[derive(Clone)]
pub(crate) struct Cell {
    pub(crate) text: String,
    pub(crate) is_alarm: bool,
    pub(crate) is_words: bool,
}

impl Cell {
    pub(crate) fn new(text: impl ToString) -> Cell {
        Cell { text: text.to_string(), is_alarm: false, is_words: false }
    }

    pub(crate) fn words(text: impl ToString) -> Cell {
        Cell { is_words: true, ..Cell::new(text) }
    }

    fn class(&self) -> &'static str {
        match (self.is_alarm, self.is_words) {
            (true, _) => " class=\"alarm\"",
            (false, true) => " class=\"words\"",
            (false, false) => "",
        }
    }

    /// A count that should be zero.
    pub(crate) fn alarm(count: usize) -> Cell {
        match count {
            0 => Cell::new(0),
            _ => Cell { is_alarm: true, ..Cell::new(format!("{count}!")) },
        }
    }
}

/// Whether text carries terminal escapes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Colour {
    Plain,
    Terminal,
}

impl Colour {
    pub(crate) fn alarm(self, text: &str) -> String {
        self.with("1;31", text)
    }

    pub(crate) fn bold(self, text: &str) -> String {
        self.with("1", text)
    }

    fn with(self, code: &str, text: &str) -> String {
        match self {
            Colour::Plain => text.to_owned(),
            Colour::Terminal => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }
}

const GAP: usize = 2;
/// Between the columns of one tool and those of the next.
const BAR: &str = " |";

impl Table {
    pub(crate) fn text(&self, colour: Colour) -> String {
        let widths = self.widths();
        let mut text = format!("{}\n", colour.bold(&self.title));
        if !self.above.is_empty() {
            let cells = self.above.iter().scan(0, |column, (name, span)| {
                let width: usize = widths[*column..*column + span].iter().map(|width| width + GAP).sum();
                *column += span;
                Some(format!("{name:^width$}"))
            });
            let line = cells.collect::<Vec<_>>().join(BAR);
            let _ = writeln!(text, "{}", line.trim_end());
        }
        let head = self.line(&self.heads, &widths, Colour::Plain);
        let _ = writeln!(text, "{}", colour.bold(&head));
        for row in &self.rows {
            if row.is_total {
                let _ = writeln!(text, "{}", "-".repeat(head.len()));
            }
            let _ = writeln!(text, "{}", self.line(&row.cells, &widths, colour));
        }
        text
    }

    fn widths(&self) -> Vec<usize> {
        let mut widths: Vec<usize> = self.heads.iter().map(|head| head.text.chars().count()).collect();
        for row in self.rows.iter().filter(|row| row.cells.len() == self.heads.len()) {
            for (width, cell) in widths.iter_mut().zip(&row.cells) {
                *width = (*width).max(cell.text.chars().count());
            }
        }
        let mut column = 0;
        for (name, span) in &self.above {
            let width: usize = widths[column..column + span].iter().map(|width| width + GAP).sum();
            if let Some(first) = widths.get_mut(column) {
                *first += (name.chars().count() + GAP).saturating_sub(width);
            }
            column += span;
        }
        widths
    }

    fn line(&self, cells: &[Cell], widths: &[usize], colour: Colour) -> String {
        let mut starts = Vec::new();
        let mut column = 0;
        for (_, span) in &self.above {
            starts.push(column);
            column += span;
        }
        let mut line = String::new();
        for (index, (cell, &width)) in cells.iter().zip(widths).enumerate() {
            if index > 0 && starts.contains(&index) {
                line.push_str(BAR);
            }
            let space = " ".repeat(width.saturating_sub(cell.text.chars().count()));
            let text = if cell.is_alarm { colour.alarm(&cell.text) } else { cell.text.clone() };
            let _ = match index == 0 || cell.is_words {
                true if index == 0 => write!(line, "{text}{space}{}", " ".repeat(GAP)),
                true => write!(line, "{}{text}{space}", " ".repeat(GAP)),
                false => write!(line, "{}{space}{text}", " ".repeat(GAP)),
            };
        }
        line.trim_end().to_owned()
    }

    pub(crate) fn html(&self) -> String {
        let mut html = format!("<h2>{}</h2>\n<div class=\"wide\"><table>\n<thead>\n", escape(&self.title));
        if !self.above.is_empty() {
            let cells = self.above.iter().map(|(name, span)| format!("<th colspan=\"{span}\">{}</th>", escape(name)));
            let _ = writeln!(html, "<tr class=\"above\">{}</tr>", cells.collect::<String>());
        }
        let heads = self.heads.iter().map(|head| format!("<th{}>{}</th>", head.class(), escape(&head.text)));
        let _ = writeln!(html, "<tr>{}</tr>\n</thead>\n<tbody>", heads.collect::<String>());
        for row in &self.rows {
            let columns = self.heads.len();
            let cell = |cell: &Cell| {
                let class = cell.class();
                let span = if row.cells.len() == 1 { format!(" colspan=\"{columns}\"") } else { String::new() };
                format!("<td{class}{span}>{}</td>", escape(&cell.text))
            };
            let class = match (row.is_total, row.cells.len() == 1) {
                (true, _) => " class=\"total\"",
                (false, true) => " class=\"group\"",
                (false, false) => "",
            };
            let _ = writeln!(html, "<tr{class}>{}</tr>", row.cells.iter().map(cell).collect::<String>());
        }
        html + "</tbody>\n</table></div>\n"
    }
}

/// Text as HTML.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let row = |name: &str, time: &str, wrong| Row {
            cells: vec![Cell::new(name), Cell::new(time), Cell::alarm(wrong)],
            is_total: name == "total",
        };
        Table {
            title: "Title".into(),
            above: vec![(String::new(), 1), ("a long name".into(), 2)],
            heads: ["program", "time", "W"].map(Cell::new).to_vec(),
            rows: vec![row("a<b>.c", "1.00", 0), row("total", "10.00", 2)],
        }
    }

    #[test]
    fn columns_are_aligned() {
        let expected = "Title\n          | a long name\n\
                        program   |     time   W\n\
                        a<b>.c    |     1.00   0\n\
                        ------------------------\n\
                        total     |    10.00  2!\n";
        assert_eq!(table().text(Colour::Plain), expected);
        assert!(table().text(Colour::Terminal).contains("\x1b[1;31m2!\x1b[0m"));
    }

    #[test]
    fn html_is_escaped() {
        let html = table().html();
        assert!(html.contains("<td>a&lt;b&gt;.c</td>") && html.contains("<td class=\"alarm\">2!</td>"), "{html}");
    }
}
