//! One run of a tool: what it may use, where it works, and the time that it gets to end by itself.

use espalier_base::process::{self, Limits, Pipes};
pub(crate) use espalier_base::process::{End, Ended, Usage, signal_name};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// What a run may use.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(crate) struct Budget {
    pub(crate) time: Duration,
    /// Address space, in bytes.
    pub(crate) memory: Option<u64>,
}

impl Budget {
    /// How long a tool may take to end by itself when its time is up.
    fn kill_after(self) -> Duration {
        self.time.mul_f64(1.2) + Duration::from_secs(2)
    }
}

/// What to start, and where.
pub(crate) struct Start<'a> {
    pub(crate) argv: &'a [String],
    /// The working directory.
    pub(crate) dir: &'a Path,
    /// For the tool's temporary files.
    pub(crate) temporary: &'a Path,
}

/// Runs a tool to its end and passes on what it prints.
pub(crate) fn run(start: &Start<'_>, budget: Budget, stop: &dyn Fn() -> bool, hear: &mut dyn FnMut(&[u8])) -> Ended {
    let Some((program, args)) = start.argv.split_first() else {
        let end = End::NotStarted("the command is empty".into());
        return Ended { end, wall: Duration::ZERO, usage: Usage::default() };
    };
    let mut command = Command::new(program);
    command.args(args).current_dir(start.dir).env("TMPDIR", start.temporary).stdin(Stdio::null());
    let limits = Limits { time: budget.kill_after(), address_space: budget.memory, resident: None };
    process::run(&mut command, Pipes::Joined, &limits, stop, &mut |_, bytes| hear(bytes))
}
