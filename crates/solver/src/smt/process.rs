//! A solver as a child process that can never hang us.
//!
//! Reading and writing happen on threads of their own: a child that does not read its input, prints
//! for ever or says nothing is noticed by the clock and killed, together with what it has started
//! (it leads a process group of its own). Every batch of commands ends with an `(echo)` of a
//! number, and the answer is all that comes before that number: unexpected warnings cannot shift
//! the answers of later questions.

use crate::{Limits, SmtProblem};
use espalier_base::memory;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// An answer longer than this is nonsense.
const MAX_ANSWER: usize = 64 << 20;

/// How often a waiting reader looks at the clock and at the interrupt flag.
const POLL: Duration = Duration::from_millis(20);

pub enum Trouble {
    /// Time was up, or somebody asked to stop.
    Timeout,
    /// It ended, or talks nonsense.
    Failed(SmtProblem),
}

pub struct Process {
    child: Child,
    commands: Sender<String>,
    output: Receiver<Vec<u8>>,
    complaints: Arc<Mutex<String>>,
    echoes: u64,
}

impl Process {
    pub fn start(command: &[String]) -> std::io::Result<Process> {
        let (program, arguments) = command.split_first().ok_or(std::io::ErrorKind::InvalidInput)?;
        let mut builder = Command::new(program);
        builder.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut builder, 0);
        let mut child = builder.spawn()?;
        memory::count_child(child.id());
        let (commands, to_write) = mpsc::channel::<String>();
        // Bounded: what nobody asked for must not fill the memory.
        let (to_read, output) = mpsc::sync_channel(16);
        if let Some(mut stdin) = child.stdin.take() {
            thread::spawn(move || {
                while let Ok(text) = to_write.recv() {
                    if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                        break;
                    }
                }
            });
        }
        if let Some(mut stdout) = child.stdout.take() {
            thread::spawn(move || {
                let mut buffer = [0; 1 << 14];
                while let Ok(count @ 1..) = stdout.read(&mut buffer) {
                    if to_read.send(buffer[..count].to_vec()).is_err() {
                        break;
                    }
                }
            });
        }
        let complaints = Arc::new(Mutex::new(String::new()));
        if let Some(mut stderr) = child.stderr.take() {
            let complaints = complaints.clone();
            thread::spawn(move || {
                let mut buffer = [0; 1 << 10];
                while let Ok(count @ 1..) = stderr.read(&mut buffer) {
                    if let Ok(mut text) = complaints.lock()
                        && text.len() < 4096
                    {
                        text.push_str(&String::from_utf8_lossy(&buffer[..count]));
                    }
                }
            });
        }
        Ok(Process { child, commands, output, complaints, echoes: 0 })
    }

    /// Sends commands and waits for all they print. A little later than the deadline is in time: a
    /// solver that watches its own limit is better left alive.
    pub fn ask(&mut self, commands: &str, limits: &Limits, grace: Duration) -> Result<String, Trouble> {
        self.echoes += 1;
        let echo = format!("espalier-{}-", self.echoes);
        // A failure to send shows as the end of the output.
        let _ = self.commands.send(format!("{commands}\n(echo \"{echo}\")\n"));
        let deadline = limits.deadline.map(|deadline| deadline + grace);
        let mut answer: Vec<u8> = Vec::new();
        loop {
            let wait = match deadline {
                Some(deadline) => POLL.min(deadline.saturating_duration_since(Instant::now())),
                None => POLL,
            };
            match self.output.recv_timeout(wait) {
                Ok(chunk) => {
                    let from = answer.len().saturating_sub(echo.len());
                    answer.extend(chunk);
                    if let Some(at) = find(&answer[from..], echo.as_bytes()) {
                        answer.truncate(from + at);
                        let text = String::from_utf8_lossy(&answer);
                        // The echo may be printed with or without its quotes.
                        return Ok(text.trim().trim_end_matches('"').trim().to_string());
                    }
                    if answer.len() > MAX_ANSWER {
                        return Err(Trouble::Failed(SmtProblem::LongAnswer { limit: MAX_ANSWER }));
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Trouble::Failed(self.obituary(&answer)));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            if limits.stop.is_asked() || deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Err(Trouble::Timeout);
            }
        }
    }

    /// Why it ended, as far as can be told.
    fn obituary(&mut self, answer: &[u8]) -> SmtProblem {
        // Its output is closed; give it a moment to end, and its last words to arrive.
        let status = (0..20).find_map(|_| {
            thread::sleep(Duration::from_millis(5));
            self.child.try_wait().ok().flatten()
        });
        let complaints = self.complaints.lock().map(|text| text.clone()).unwrap_or_default();
        let said = [complaints.as_str(), &String::from_utf8_lossy(answer)].join("\n");
        let line = said.lines().map(str::trim).find(|line| !line.is_empty());
        SmtProblem::Ended {
            status: status.map(|status| status.to_string()),
            last_words: line.map(|line| line.chars().take(200).collect()),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        memory::forget_child(self.child.id());
        kill_group(&self.child);
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Kills what the child has started, too: the command may be a script around the solver.
#[cfg(unix)]
fn kill_group(child: &Child) {
    unsafe extern "C" {
        fn kill(pid: i32, signal: i32) -> i32;
    }
    const SIGKILL: i32 = 9;
    if let Ok(pid) = i32::try_from(child.id())
        && pid > 1
    {
        // SAFETY: `kill` has no memory effects. The child has not been waited for yet, so its id,
        // which is also that of its group, has not been given to anybody else.
        unsafe { kill(-pid, SIGKILL) };
    }
}

#[cfg(not(unix))]
fn kill_group(_child: &Child) {}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}
