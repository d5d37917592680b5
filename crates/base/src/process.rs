//! A child process that cannot get out of hand: a process group of its own, with limits on time and
//! memory, measured by the kernel. Everything that Espalier starts and waits for is started here:
//! the tools that it is compared with, native compilers, and the programs under test.
//!
//! The end of the child's output wakes the waiting loop, so that times are exact although the loop
//! only looks every few milliseconds for a child that has closed its output.
//!
//! The peak is the largest process of the run, as `wait4` tells it. Linux counts the memory of the
//! forking process until the new program is loaded, so small programs seem to need about as much as
//! this process.

use crate::memory;
use std::io::{PipeReader, Read};
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What a process may use before it is ended.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Limits {
    /// When it is killed, with all that it has started; `Duration::MAX` is never.
    pub time: Duration,
    /// In bytes; beyond it, the process gets no more. Sanitizers reserve more than any machine has.
    pub address_space: Option<u64>,
    /// In bytes; beyond it, the process is killed.
    pub resident: Option<u64>,
}

impl Limits {
    pub fn time(time: Duration) -> Limits {
        Limits { time, address_space: None, resident: None }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    Exit(i32),
    Signal(i32),
    /// Killed, because its time was up.
    TimeLimit,
    /// Killed, because more memory was resident than it may use.
    MemoryLimit,
    /// Killed, because somebody asked to stop.
    Stopped,
    NotStarted(String),
}

#[derive(Clone, Debug)]
pub struct Ended {
    pub end: End,
    pub wall: Duration,
    pub usage: Usage,
}

/// What a process and those that it waited for took of the machine.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Usage {
    /// By the processor, for the program and for the system.
    pub cpu: Duration,
    /// In bytes.
    pub peak_memory: u64,
}

/// Where something was printed.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Stream {
    Output,
    Error,
}

/// Whether the two output streams share a pipe, which keeps the order of what is printed, or have
/// one each.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Pipes {
    /// Everything comes from [`Stream::Output`].
    Joined,
    Separate,
}

const LOOK_EVERY: Duration = Duration::from_millis(10);

/// Runs a command to its end, without input, and passes on what it prints.
pub fn run(
    command: &mut Command,
    pipes: Pipes,
    limits: &Limits,
    stop: &dyn Fn() -> bool,
    hear: &mut dyn FnMut(Stream, &[u8]),
) -> Ended {
    let begun = Instant::now();
    let ended = |end, usage| Ended { end, wall: begun.elapsed(), usage };
    let (child, mut listener) = match spawn(command, pipes, limits) {
        Ok(spawned) => spawned,
        Err(error) => return ended(End::NotStarted(error.to_string()), Usage::default()),
    };
    let deadline = begun.checked_add(limits.time);
    loop {
        if listener.is_open() {
            listener.listen(LOOK_EVERY, hear);
        } else {
            std::thread::sleep(LOOK_EVERY / 10);
        }
        if child.has_ended() {
            let wall = begun.elapsed();
            // Whatever it started and left behind must not disturb the next run.
            let (end, usage) = child.kill_group();
            listener.drain(hear);
            return Ended { end, wall, usage };
        }
        let forced = if stop() {
            End::Stopped
        } else if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            End::TimeLimit
        } else if limits.resident.is_some_and(|limit| child.resident().is_some_and(|resident| resident > limit)) {
            End::MemoryLimit
        } else {
            continue;
        };
        let (_, usage) = child.kill_group();
        listener.drain(hear);
        return ended(forced, usage);
    }
}

/// A run with what was printed.
#[derive(Clone, Debug)]
pub struct Finished {
    pub end: End,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

/// Runs a command to its end and keeps the last `keep` bytes of each of its streams.
pub fn capture(command: &mut Command, input: Stdio, limits: &Limits, keep: usize, stop: &dyn Fn() -> bool) -> Finished {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut hear = |stream, bytes: &[u8]| {
        let kept = if stream == Stream::Output { &mut stdout } else { &mut stderr };
        kept.extend_from_slice(bytes);
        // Rarely, so that a long output is not moved for each of its parts.
        if kept.len() > keep.saturating_mul(2) {
            kept.drain(..kept.len() - keep);
        }
    };
    let ended = run(command.stdin(input), Pipes::Separate, limits, stop, &mut hear);
    for kept in [&mut stdout, &mut stderr] {
        kept.drain(..kept.len().saturating_sub(keep));
    }
    Finished { end: ended.end, stdout, stderr }
}

/// Has a command begin with no signal ignored or blocked, whatever this process was started with
/// (`nohup`, a job in the background).
pub fn with_default_signals(command: &mut Command) -> &mut Command {
    // SAFETY: between fork and exec only system calls are made, which is allowed there, on plain
    // data.
    unsafe {
        command.pre_exec(|| {
            for signal in 1..libc::SIGRTMIN() {
                // Two of them cannot be ignored, and are refused.
                libc::signal(signal, libc::SIG_DFL);
            }
            let mut none: libc::sigset_t = std::mem::zeroed();
            libc::sigemptyset(&mut none);
            libc::sigprocmask(libc::SIG_SETMASK, &none, std::ptr::null_mut());
            Ok(())
        })
    }
}

/// Has this process go on when a file would become larger than the system allows: writing fails, as
/// on a full disk.
pub fn survive_limits_of_files() {
    // SAFETY: nothing else sets what this signal does.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
}

fn spawn(command: &mut Command, pipes: Pipes, limits: &Limits) -> std::io::Result<(Group, Listener)> {
    let (output, input) = std::io::pipe()?;
    let mut readers = vec![(Stream::Output, output)];
    match pipes {
        Pipes::Joined => command.stderr(input.try_clone()?),
        Pipes::Separate => {
            let (errors, to_errors) = std::io::pipe()?;
            readers.push((Stream::Error, errors));
            command.stderr(to_errors)
        }
    };
    command.stdout(input).process_group(0);
    with_default_signals(command);
    let parent = std::process::id() as libc::pid_t;
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let cpu_seconds = limits.time.as_secs().saturating_add(1).saturating_mul(cores);
    let address_space = limits.address_space;
    // SAFETY: between fork and exec only system calls are made, which is allowed there, on plain
    // data.
    unsafe {
        command.pre_exec(move || {
            let limit = |amount| libc::rlimit { rlim_cur: amount, rlim_max: amount };
            if let Some(memory) = address_space
                && libc::setrlimit(libc::RLIMIT_AS, &limit(memory)) != 0
            {
                return Err(std::io::Error::last_os_error());
            }
            // No dumps of crashing programs.
            libc::setrlimit(libc::RLIMIT_CORE, &limit(0));
            // If this process is killed, nobody is left to stop the child. The kernel ends it then,
            // and later what it has started, when that has computed for longer than all cores
            // together could.
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            libc::setrlimit(libc::RLIMIT_CPU, &limit(cpu_seconds));
            if libc::getppid() != parent {
                return Err(std::io::Error::other("the parent has ended"));
            }
            Ok(())
        });
    }
    let child = command.spawn();
    // The command holds our ends of the pipes that it writes to: without them, the child's are the
    // last.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    Ok((Group(child?.id() as libc::pid_t), Listener(readers)))
}

/// A child that leads a process group.
struct Group(libc::pid_t);

impl Group {
    /// Has the leader ended? It stays as it is, so that its number still means its group.
    fn has_ended(&self) -> bool {
        let flags = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
        // SAFETY: the structure is plain data that `waitid` fills in; the child is ours.
        unsafe {
            let mut info: libc::siginfo_t = std::mem::zeroed();
            libc::waitid(libc::P_PID, self.0 as libc::id_t, &mut info, flags) == 0 && info.si_pid() == self.0
        }
    }

    fn resident(&self) -> Option<u64> {
        memory::resident_of(&self.0.to_string())
    }

    /// Ends all of the group. Tells how the leader ended and what it took.
    fn kill_group(self) -> (End, Usage) {
        let mut status = 0;
        // SAFETY: the group was made for the child, which is waited for here only, after the
        // signal. The structure is plain data that `wait4` fills in.
        let (waited, usage) = unsafe {
            libc::kill(-self.0, libc::SIGKILL);
            let mut usage: libc::rusage = std::mem::zeroed();
            (libc::wait4(self.0, &mut status, 0, &mut usage), usage)
        };
        if waited != self.0 {
            return (End::NotStarted(std::io::Error::last_os_error().to_string()), Usage::default());
        }
        let end = match libc::WIFSIGNALED(status) {
            true => End::Signal(libc::WTERMSIG(status)),
            false => End::Exit(libc::WEXITSTATUS(status)),
        };
        let time = |time: libc::timeval| {
            let (seconds, micros) = (u64::try_from(time.tv_sec), u64::try_from(time.tv_usec));
            Duration::from_secs(seconds.unwrap_or(0)) + Duration::from_micros(micros.unwrap_or(0))
        };
        let cpu = time(usage.ru_utime) + time(usage.ru_stime);
        (end, Usage { cpu, peak_memory: u64::try_from(usage.ru_maxrss).unwrap_or(0) * 1024 })
    }
}

/// The reading ends of the pipes that are still open.
struct Listener(Vec<(Stream, PipeReader)>);

impl Listener {
    fn is_open(&self) -> bool {
        !self.0.is_empty()
    }

    /// Passes on what is there, waiting a little for it. Tells whether there was something.
    fn listen(&mut self, wait: Duration, hear: &mut dyn FnMut(Stream, &[u8])) -> bool {
        let poll_for = |(_, reader): &(Stream, PipeReader)| libc::pollfd {
            fd: reader.as_raw_fd(),
            events: libc::POLLIN,
            revents: 0,
        };
        let mut polls: Vec<libc::pollfd> = self.0.iter().map(poll_for).collect();
        // SAFETY: so many valid structures.
        let ready =
            unsafe { libc::poll(polls.as_mut_ptr(), polls.len() as libc::nfds_t, wait.as_millis() as libc::c_int) };
        if ready <= 0 {
            return false;
        }
        let mut buffer = [0; 64 << 10];
        let mut heard = false;
        let mut polls = polls.iter();
        self.0.retain_mut(|(stream, reader)| {
            if polls.next().is_none_or(|poll| poll.revents == 0) {
                return true;
            }
            match reader.read(&mut buffer) {
                Ok(0) | Err(_) => false,
                Ok(length) => {
                    heard = true;
                    hear(*stream, &buffer[..length]);
                    true
                }
            }
        });
        heard
    }

    /// What is left in the pipes. Processes that have left the group may hold them open, so there
    /// is no waiting for their end.
    fn drain(&mut self, hear: &mut dyn FnMut(Stream, &[u8])) {
        while self.is_open() && self.listen(Duration::ZERO, hear) {}
    }
}

/// "signal 11 (SIGSEGV)".
pub fn signal_name(signal: i32) -> String {
    let name = match signal {
        libc::SIGABRT => "SIGABRT",
        libc::SIGBUS => "SIGBUS",
        libc::SIGFPE => "SIGFPE",
        libc::SIGILL => "SIGILL",
        libc::SIGKILL => "SIGKILL",
        libc::SIGSEGV => "SIGSEGV",
        libc::SIGTERM => "SIGTERM",
        libc::SIGTRAP => "SIGTRAP",
        _ => return format!("signal {signal}"),
    };
    format!("signal {signal} ({name})")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(text: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", text]);
        command
    }

    fn sh(text: &str, limits: Limits, stop: &dyn Fn() -> bool) -> (Ended, String) {
        let mut heard = Vec::new();
        let mut hear = |_, bytes: &[u8]| heard.extend_from_slice(bytes);
        let ended = run(&mut script(text), Pipes::Joined, &limits, stop, &mut hear);
        (ended, String::from_utf8_lossy(&heard).into_owned())
    }

    const LONG: Limits = Limits { time: Duration::from_secs(1000), address_space: None, resident: None };

    #[test]
    fn output_and_exit_code() {
        let (ended, heard) = sh("echo out; echo err >&2; exit 7", LONG, &|| false);
        assert_eq!((ended.end, heard.as_str()), (End::Exit(7), "out\nerr\n"));
        assert!(ended.usage.peak_memory > 0);
    }

    #[test]
    fn separate_streams() {
        let finished = capture(&mut script("echo out; echo err >&2; echo more"), Stdio::null(), &LONG, 100, &|| false);
        assert_eq!(finished.end, End::Exit(0));
        assert_eq!((&finished.stdout[..], &finished.stderr[..]), (&b"out\nmore\n"[..], &b"err\n"[..]));
    }

    #[test]
    fn only_the_end_of_a_long_output_is_kept() {
        let finished = capture(&mut script("seq 1 200000; echo last"), Stdio::null(), &LONG, 11, &|| false);
        assert_eq!(String::from_utf8_lossy(&finished.stdout), "00000\nlast\n");
    }

    #[test]
    fn a_signal() {
        assert_eq!(sh("kill -SEGV $$", LONG, &|| false).0.end, End::Signal(libc::SIGSEGV));
    }

    #[test]
    fn signals_that_this_process_ignores_are_not_ignored() {
        let mut kill = script("kill -WINCH $$; kill -USR2 $$; echo alive");
        // SAFETY: a plain call, before what `capture` adds.
        unsafe {
            kill.pre_exec(|| {
                libc::signal(libc::SIGUSR2, libc::SIG_IGN);
                Ok(())
            })
        };
        let finished = capture(&mut kill, Stdio::null(), &LONG, 100, &|| false);
        assert_eq!(finished.end, End::Signal(libc::SIGUSR2), "{finished:?}");
    }

    #[test]
    fn a_slow_child_is_killed_with_its_children() {
        let limits = Limits::time(Duration::from_millis(500));
        let (ended, heard) = sh("echo $$; (sleep 1000; echo late) & sleep 1000", limits, &|| false);
        assert_eq!(ended.end, End::TimeLimit);
        assert!(ended.wall < Duration::from_secs(10), "{:?}", ended.wall);
        let group: libc::pid_t = heard.trim().parse().expect("a number");
        // Those that were killed are gone when they have been waited for, by whoever adopted them.
        let gone = (0..500).any(|_| {
            std::thread::sleep(Duration::from_millis(10));
            // SAFETY: signal 0 only asks whether the group exists.
            unsafe { libc::kill(-group, 0) != 0 }
        });
        assert!(gone || is_all_zombies(group), "somebody is left in the group {group}");
    }

    /// Where nobody adopts orphans, they stay as zombies.
    fn is_all_zombies(group: libc::pid_t) -> bool {
        let stats = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let stats = stats.filter_map(|entry| std::fs::read_to_string(entry.path().join("stat")).ok());
        let mut members = stats.filter_map(|stat| {
            let (_, rest) = stat.rsplit_once(") ")?;
            let fields: Vec<&str> = rest.split(' ').collect();
            (fields.get(2)?.parse() == Ok(group)).then(|| fields[0] == "Z")
        });
        members.all(|is_zombie| is_zombie)
    }

    #[test]
    fn asking_to_stop_stops() {
        let begun = Instant::now();
        let (ended, _) = sh("sleep 1000", LONG, &|| begun.elapsed() > Duration::from_millis(50));
        assert_eq!(ended.end, End::Stopped);
    }

    #[test]
    fn closing_the_output_is_not_the_end() {
        assert_eq!(sh("exec >&- 2>&-; sleep 0.2; exit 3", LONG, &|| false).0.end, End::Exit(3));
    }

    #[test]
    fn the_address_space_is_limited() {
        let (_, heard) = sh("ulimit -v", Limits { address_space: Some(512 << 20), ..LONG }, &|| false);
        assert_eq!(heard.trim(), (512 << 10).to_string());
    }

    #[test]
    fn a_child_that_uses_too_much_memory_is_killed() {
        // Keeps doubling a text.
        let text = "x=0123456789abcdef; while :; do x=$x$x; done";
        let (ended, _) = sh(text, Limits { resident: Some(64 << 20), ..LONG }, &|| false);
        assert_eq!(ended.end, End::MemoryLimit);
    }

    #[test]
    fn what_does_not_exist_is_not_started() {
        let finished = capture(&mut Command::new("/no/such/tool"), Stdio::null(), &LONG, 100, &|| false);
        assert!(matches!(finished.end, End::NotStarted(_)), "{finished:?}");
    }
}
