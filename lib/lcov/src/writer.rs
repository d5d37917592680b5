//! Writing, in the order in which lcov itself writes.

use crate::{Branch, Function, Record, Tracefile};
use std::fmt;

impl fmt::Display for Tracefile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (file, record) in &self.files {
            writeln!(f, "TN:\nSF:{file}\n{record}end_of_record")?;
        }
        Ok(())
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut functions: Vec<(&String, &Function)> = self.functions.iter().collect();
        functions.sort_by_key(|(name, function)| (function.line, *name));
        for (name, function) in &functions {
            writeln!(f, "FN:{},{name}", function.line)?;
        }
        for (name, function) in &functions {
            writeln!(f, "FNDA:{},{name}", function.calls)?;
        }
        let totals = self.totals();
        writeln!(f, "FNF:{}\nFNH:{}", totals.functions.found, totals.functions.hit)?;
        for (Branch { line, block, branch }, taken) in &self.branches {
            match taken {
                Some(taken) => writeln!(f, "BRDA:{line},{block},{branch},{taken}")?,
                None => writeln!(f, "BRDA:{line},{block},{branch},-")?,
            }
        }
        writeln!(f, "BRF:{}\nBRH:{}", totals.branches.found, totals.branches.hit)?;
        for (line, count) in &self.lines {
            writeln!(f, "DA:{line},{count}")?;
        }
        writeln!(f, "LF:{}\nLH:{}", totals.lines.found, totals.lines.hit)
    }
}
