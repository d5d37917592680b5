//! The lines that a statement goes over.
//!
//! Tools give an alarm the line where an expression begins, or where its operator stands; compilers
//! give an instruction another one of the same statement. An error there may be the alarm's, so it
//! must not be refuted then.

use espalier_engine::{Line, Program};
use std::fs;

/// Statements go over no more lines than this, before a line and behind it.
const MOST: usize = 20;

/// The other lines of the statements that these lines belong to, as far as the sources can be read.
pub(crate) fn lines_around(program: &Program, lines: &[Line]) -> Vec<Line> {
    let mut around = Vec::new();
    for line in lines {
        let Ok(bytes) = fs::read(program.file_name(line.file)) else { continue };
        let text = String::from_utf8_lossy(&bytes);
        let texts: Vec<&str> = text.lines().collect();
        let found = of_statement(&texts, line.line as usize).into_iter();
        around.extend(found.map(|number| Line { line: number as u32, ..*line }).filter(|other| !lines.contains(other)));
    }
    around.sort_unstable();
    around.dedup();
    around
}

/// The numbers of the lines of a statement that has this one, which count from 1.
fn of_statement(texts: &[&str], line: usize) -> Vec<usize> {
    let ends = |number: usize| texts.get(number - 1).is_none_or(|text| ends_statement(text));
    let mut first = line;
    while first > 1 && line - first < MOST && !ends(first - 1) {
        first -= 1;
    }
    let mut last = line;
    while last - line < MOST && !ends(last) {
        last += 1;
    }
    (first..=last).collect()
}

/// Does a statement end with this line, or is there none?
fn ends_statement(text: &str) -> bool {
    let code = text.split("//").next().unwrap_or_default().trim();
    let begins_with =
        |word: &&str| code.strip_prefix(*word).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()));
    let is_head =
        ["if", "while", "for", "switch", "} else if", "else if"].iter().any(begins_with) && code.ends_with(')');
    if is_head || code == "else" || code == "do" {
        return true;
    }
    code.is_empty()
        || code.starts_with('#')
        || code.ends_with(';')
        || code.ends_with(['{', '}', ':'])
        || code.ends_with("*/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_goes_from_end_to_end() {
        let texts = ["int f(int *p) {", "  int x = *p", "    + p[1] // more", "    + p[2];", "  return x;", "}"];
        assert_eq!(of_statement(&texts, 3), [2, 3, 4]);
        assert_eq!(of_statement(&texts, 2), [2, 3, 4]);
        assert_eq!(of_statement(&texts, 5), [5]);
        assert_eq!(of_statement(&texts, 1), [1]);
        assert_eq!(of_statement(&texts, 9), [9]);
        let texts = ["  if (p &&", "      q)", "    x = 1;", "  if (r)", "    x = 2;"];
        assert_eq!(of_statement(&texts, 5), [5]);
        assert_eq!(of_statement(&texts, 3), [1, 2, 3], "it is not parsed, and too much does no harm");
    }
}
