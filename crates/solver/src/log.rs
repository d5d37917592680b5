//! The query log: every query that reached a backend, as SMT-LIB, with the answer and the time it
//! took.
//!
//! One file that any SMT-LIB solver can run, so that the choice of backends can be measured again
//! on real programs. Each query is a `(push)`-`(pop)` scope of its own, with the answer as
//! `:status`.

use crate::Answer;
use espalier_expr::{SmtPrinter, Term, Terms};
use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::time::Duration;

pub struct QueryLog {
    path: PathBuf,
    file: Option<BufWriter<File>>,
    queries: u64,
    failed: bool,
}

impl QueryLog {
    pub fn new(path: PathBuf) -> QueryLog {
        QueryLog { path, file: None, queries: 0, failed: false }
    }

    /// Appends a query. A log that cannot be written is given up, with one warning: the run matters
    /// more.
    pub fn record(&mut self, terms: &Terms, constraints: &[Term], answer: &Answer, time: Duration, backend: &str) {
        if self.failed {
            return;
        }
        if let Err(error) = self.write(terms, constraints, answer, time, backend) {
            eprintln!("warning: cannot write the query log {}: {error}", self.path.display());
            self.failed = true;
        }
    }

    fn write(
        &mut self,
        terms: &Terms,
        constraints: &[Term],
        answer: &Answer,
        time: Duration,
        backend: &str,
    ) -> std::io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            None => {
                let file = OpenOptions::new().create(true).append(true).open(&self.path)?;
                self.file.insert(BufWriter::new(file))
            }
        };
        let status = match answer {
            Answer::Sat(_) => "sat",
            Answer::Unsat(_) => "unsat",
            Answer::Unknown(_) => "unknown",
        };
        self.queries += 1;
        writeln!(file, "; query {} {backend} {status} {} us", self.queries, time.as_micros())?;
        let mut printer = SmtPrinter::new();
        let names: Vec<String> = constraints.iter().map(|&c| printer.define_bool(terms, c)).collect();
        writeln!(file, "(push 1)\n{}", printer.take_output().trim_end())?;
        for name in names {
            writeln!(file, "(assert {name})")?;
        }
        if status != "unknown" {
            writeln!(file, "(set-info :status {status})")?;
        }
        writeln!(file, "(check-sat)\n(pop 1)")?;
        file.flush()
    }
}
