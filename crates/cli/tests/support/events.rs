//! Runs of the binary, through its JSON events.

use super::process::{self, End};
use serde_json::Value;
use std::path::Path;
use std::time::Duration;

/// One run with `--json`.
#[derive(Debug)]
pub struct Run {
    pub exit_code: i32,
    pub events: Vec<Value>,
    pub stderr: String,
}

impl Run {
    /// Runs `espalier run --json` in `dir` with its output in `dir/out`. Anything but an orderly
    /// exit is an error.
    pub fn start(dir: &Path, args: &[String], limit: Duration) -> Result<Run, String> {
        Run::start_verb("run", dir, args, limit)
    }

    /// As `start`, with another verb.
    pub fn start_verb(verb: &str, dir: &Path, args: &[String], limit: Duration) -> Result<Run, String> {
        let mut command = super::espalier();
        command.arg(verb).arg("--json").arg("--output-dir").arg(dir.join("out")).args(args).current_dir(dir);
        let finished = process::run(&mut command, limit);
        let exit_code = match finished.end {
            End::Exit(code) => code,
            end => return Err(format!("{end:?}\n      {}", finished.tail())),
        };
        if exit_code == 6 || exit_code == 101 {
            return Err(format!("exit code {exit_code}\n      {}", finished.tail()));
        }
        let mut events = Vec::new();
        for line in finished.stdout.lines() {
            events.push(serde_json::from_str(line).map_err(|error| format!("not JSON: {line}: {error}"))?);
        }
        Ok(Run { exit_code, events, stderr: finished.stderr })
    }

    pub fn of(&self, event: &str) -> impl Iterator<Item = &Value> {
        self.events.iter().filter(move |value| value["event"] == event)
    }

    pub fn finished(&self) -> Result<&Value, String> {
        self.of("run-finished")
            .next()
            .ok_or_else(|| format!("the run did not finish\n      {}", self.stderr.trim_end()))
    }

    /// What the program printed.
    pub fn output(&self) -> String {
        self.of("output").filter_map(|event| event["text"].as_str()).collect()
    }
}
