//! Running a command within a time limit.

use std::io::Read;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum End {
    Exit(i32),
    Signal(i32),
    Timeout,
}

#[derive(Debug)]
pub struct Finished {
    pub end: End,
    pub stdout: String,
    pub stderr: String,
}

impl Finished {
    /// The end of what it printed, for messages.
    pub fn tail(&self) -> String {
        let lines: Vec<&str> = self.stderr.lines().chain(self.stdout.lines()).collect();
        lines[lines.len().saturating_sub(12)..].join("\n      ")
    }
}

/// Runs a command to its end, or kills it and its children when time is up.
pub fn run(command: &mut Command, limit: Duration) -> Finished {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let mut child = command.spawn().unwrap_or_else(|error| panic!("{:?}: {error}", command.get_program()));
    let stdout = collect(child.stdout.take());
    let stderr = collect(child.stderr.take());
    let deadline = Instant::now() + limit;
    let mut pause = Duration::from_millis(1);
    let end = loop {
        if let Some(status) = child.try_wait().expect("a child of ours") {
            break status.code().map_or_else(|| End::Signal(status.signal().unwrap_or(0)), End::Exit);
        }
        if Instant::now() >= deadline {
            // SAFETY: the group was made for this child, which has not been waited for.
            unsafe { libc::kill(-(child.id() as i32), libc::SIGKILL) };
            child.wait().expect("a child of ours");
            break End::Timeout;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    };
    let text = |reader: std::thread::JoinHandle<Vec<u8>>| {
        String::from_utf8_lossy(&reader.join().expect("a reader")).into_owned()
    };
    Finished { end, stdout: text(stdout), stderr: text(stderr) }
}

fn collect(stream: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<Vec<u8>> {
    let mut stream = stream.expect("piped");
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was read before an error is all there is.
        let _ = stream.read_to_end(&mut bytes);
        bytes
    })
}
