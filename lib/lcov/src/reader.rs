//! Reading. A file may have several records of one source (`lcov -a` writes one for each test name): they are added up.

use crate::{Branch, Function, MergeError, Record, Tracefile};
use std::collections::BTreeMap;
use thiserror::Error;

/// Why a text is not a tracefile.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {problem}")]
pub struct ParseError {
    pub line: usize,
    problem: Problem,
}

#[derive(Clone, PartialEq, Eq, Debug, Error)]
enum Problem {
    #[error("\"{0}\" is not part of a tracefile")]
    Unknown(String),
    #[error("\"{0}\" stands outside of a record (SF: to end_of_record)")]
    Outside(String),
    #[error("a record begins before the one of {0} ended")]
    Nested(String),
    #[error("the record of {0} does not end (end_of_record is missing)")]
    Unfinished(String),
    #[error("\"{text}\" should be {form}")]
    Malformed { text: String, form: &'static str },
    #[error("the function `{0}` is called but was not declared (FN:)")]
    Undeclared(String),
    #[error(transparent)]
    Conflict(#[from] MergeError),
}

/// A record that is being read.
struct Open {
    file: String,
    record: Record,
    /// Functions by their number in this record (`FNL`), with their lines.
    numbered: BTreeMap<u32, u32>,
}

impl Tracefile {
    pub fn parse(text: &str) -> Result<Tracefile, ParseError> {
        let mut tracefile = Tracefile::default();
        let mut open: Option<Open> = None;
        let mut lines = 0;
        for (text, line) in text.lines().zip(1..) {
            lines = line;
            tracefile.read(text.trim_end(), &mut open).map_err(|problem| ParseError { line, problem })?;
        }
        match open {
            None => Ok(tracefile),
            Some(open) => Err(ParseError { line: lines, problem: Problem::Unfinished(open.file) }),
        }
    }

    fn read(&mut self, text: &str, open: &mut Option<Open>) -> Result<(), Problem> {
        if text.is_empty() || text.starts_with('#') {
            return Ok(());
        }
        if text == "end_of_record" {
            let Some(Open { file, record, .. }) = open.take() else { return Err(Problem::Outside(text.into())) };
            let mut whole = Tracefile::default();
            whole.files.insert(file, record);
            return Ok(self.merge(&whole)?);
        }
        let (kind, rest) = text.split_once(':').ok_or_else(|| Problem::Unknown(text.into()))?;
        match kind {
            "TN" => return Ok(()),
            "SF" => {
                if let Some(open) = open {
                    return Err(Problem::Nested(open.file.clone()));
                }
                *open = Some(Open { file: rest.into(), record: Record::default(), numbered: BTreeMap::new() });
                return Ok(());
            }
            _ => {}
        }
        let Some(open) = open else { return Err(Problem::Outside(text.into())) };
        let malformed = |form| move || Problem::Malformed { text: text.into(), form };
        match kind {
            // Totals are computed; versions say nothing about execution.
            "FNF" | "FNH" | "BRF" | "BRH" | "LF" | "LH" | "VER" => Ok(()),
            "DA" => {
                let (line, count) = numbers(rest).ok_or_else(malformed("DA:<line>,<count>[,<checksum>]"))?;
                let known = open.record.lines.entry(line).or_default();
                *known = known.saturating_add(count);
                Ok(())
            }
            "FN" => open.function(rest).ok_or_else(malformed("FN:<line>[,<last line>],<name>")),
            "FNDA" => {
                let (calls, name) = rest.split_once(',').ok_or_else(malformed("FNDA:<calls>,<name>"))?;
                let calls: u64 = calls.parse().map_err(|_| malformed("FNDA:<calls>,<name>")())?;
                let function =
                    open.record.functions.get_mut(name).ok_or_else(|| Problem::Undeclared(name.to_owned()))?;
                function.calls = function.calls.saturating_add(calls);
                Ok(())
            }
            "FNL" => {
                let (number, line) = numbers(rest).ok_or_else(malformed("FNL:<number>,<line>[,<last line>]"))?;
                let line = u32::try_from(line).map_err(|_| malformed("FNL:<number>,<line>[,<last line>]")())?;
                open.numbered.insert(number, line);
                Ok(())
            }
            "FNA" => open.numbered_function(rest).ok_or_else(malformed("FNA:<number of an FNL>,<calls>,<name>")),
            "BRDA" => open.branch(rest).ok_or_else(malformed("BRDA:<line>,<block>,<branch>,<count or ->")),
            _ => Err(Problem::Unknown(text.into())),
        }
    }
}

/// The first two fields.
fn numbers(text: &str) -> Option<(u32, u64)> {
    let mut fields = text.split(',');
    Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
}

impl Open {
    fn function(&mut self, text: &str) -> Option<()> {
        let (line, name) = text.split_once(',')?;
        let line = line.parse().ok()?;
        // A name never begins with a digit, so a number that follows is the function's last line.
        let name = match name.split_once(',') {
            Some((last, name)) if last.parse::<u32>().is_ok() => name,
            _ => name,
        };
        self.record.functions.entry(name.to_owned()).or_insert(Function { line, calls: 0 });
        Some(())
    }

    fn numbered_function(&mut self, text: &str) -> Option<()> {
        let mut fields = text.splitn(3, ',');
        let line = *self.numbered.get(&fields.next()?.parse().ok()?)?;
        let calls: u64 = fields.next()?.parse().ok()?;
        let function = self.record.functions.entry(fields.next()?.to_owned()).or_insert(Function { line, calls: 0 });
        function.calls = function.calls.saturating_add(calls);
        Some(())
    }

    fn branch(&mut self, text: &str) -> Option<()> {
        let mut fields = text.split(',');
        let mut number = || fields.next()?.parse::<u32>().ok();
        let branch = Branch { line: number()?, block: number()?, branch: number()? };
        let taken = match fields.next()? {
            "-" => None,
            taken => Some(taken.parse::<u64>().ok()?),
        };
        let known = self.record.branches.entry(branch).or_default();
        *known = match (*known, taken) {
            (Some(here), Some(there)) => Some(here.saturating_add(there)),
            (here, there) => here.or(there),
        };
        fields.next().is_none().then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn error(text: &str) -> String {
        Tracefile::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (text, expected) in [
            ("hello", "line 1: \"hello\" is not part of a tracefile"),
            ("TN:\nDA:1,2\n", "line 2: \"DA:1,2\" stands outside of a record (SF: to end_of_record)"),
            ("end_of_record", "line 1: \"end_of_record\" stands outside of a record (SF: to end_of_record)"),
            ("SF:a.c\nSF:b.c\n", "line 2: a record begins before the one of a.c ended"),
            ("SF:a.c\nDA:1,2\n", "line 2: the record of a.c does not end (end_of_record is missing)"),
            ("SF:a.c\nDA:1\n", "line 2: \"DA:1\" should be DA:<line>,<count>[,<checksum>]"),
            ("SF:a.c\nDA:-1,3\n", "line 2: \"DA:-1,3\" should be DA:<line>,<count>[,<checksum>]"),
            ("SF:a.c\nFN:x\n", "line 2: \"FN:x\" should be FN:<line>[,<last line>],<name>"),
            ("SF:a.c\nFNDA:1,f\n", "line 2: the function `f` is called but was not declared (FN:)"),
            ("SF:a.c\nFNA:0,1,f\n", "line 2: \"FNA:0,1,f\" should be FNA:<number of an FNL>,<calls>,<name>"),
            ("SF:a.c\nBRDA:1,0,0,+\n", "line 2: \"BRDA:1,0,0,+\" should be BRDA:<line>,<block>,<branch>,<count or ->"),
            ("SF:a.c\nXY:1\n", "line 2: \"XY:1\" is not part of a tracefile"),
        ] {
            assert_eq!(error(text), expected);
        }
    }

    #[test]
    fn both_forms_of_functions_are_read() {
        let old = "SF:a.c\nFN:3,f\nFN:9,12,g\nFNDA:5,f\nFNDA:0,g\nend_of_record\n";
        let new = "SF:a.c\nFNL:0,3\nFNA:0,5,f\nFNL:1,9,12\nFNA:1,0,g\nend_of_record\n";
        assert_eq!(Tracefile::parse(old), Tracefile::parse(new));
    }

    #[test]
    fn records_of_one_file_add_up() {
        let text = "TN:a\nSF:a.c\nDA:1,2,checksum\nBRDA:1,0,0,-\nend_of_record\n";
        let twice = Tracefile::parse(&format!("{text}{}", text.replace('-', "4"))).unwrap();
        assert_eq!(twice.files["a.c"].lines[&1], 4);
        assert_eq!(twice.files["a.c"].branches[&Branch { line: 1, block: 0, branch: 0 }], Some(4));
    }
}
