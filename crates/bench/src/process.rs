//! One run of a tool: a process group of its own, with limits on time and memory, measured by the kernel.
//!
//! Standard output and standard error share a pipe. Its end wakes the waiting loop, so that times are exact although the
//! loop only looks every few milliseconds for a tool that has closed its output.
//!
//! The peak is the largest process of the run, as `wait4` tells it. Linux counts the memory of the forking process until
//! the new program is loaded, so small tools seem to need about as much as this process.

use std::io::Read;
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

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

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum End {
    Exit(i32),
    Signal(i32),
    /// Killed, some time after the limit.
    TimeLimit,
    /// Killed, because somebody asked to stop.
    Stopped,
    NotStarted(String),
}

#[derive(Clone, Debug)]
pub(crate) struct Ended {
    pub(crate) end: End,
    pub(crate) wall: Duration,
    /// In bytes.
    pub(crate) peak_memory: u64,
}

/// What to start, and where.
pub(crate) struct Start<'a> {
    pub(crate) argv: &'a [String],
    /// The working directory.
    pub(crate) dir: &'a Path,
    /// For the tool's temporary files.
    pub(crate) temporary: &'a Path,
}

const LOOK_EVERY: Duration = Duration::from_millis(10);

/// Runs a tool to its end and passes on what it prints.
pub(crate) fn run(start: &Start<'_>, budget: Budget, stop: &dyn Fn() -> bool, hear: &mut dyn FnMut(&[u8])) -> Ended {
    let begun = Instant::now();
    let ended = |end, peak_memory| Ended { end, wall: begun.elapsed(), peak_memory };
    let (child, mut output) = match spawn(start, budget) {
        Ok(spawned) => spawned,
        Err(error) => return ended(End::NotStarted(error.to_string()), 0),
    };
    let deadline = begun + budget.kill_after();
    let mut is_open = true;
    loop {
        match is_open {
            true => is_open = listen(&mut output, LOOK_EVERY, hear),
            false => std::thread::sleep(LOOK_EVERY / 10),
        }
        if child.has_ended() {
            let wall = begun.elapsed();
            // Whatever it started and left behind must not disturb the next run.
            let (end, peak_memory) = child.kill_group();
            drain(&mut output, hear);
            return Ended { end, wall, peak_memory };
        }
        let forced = if stop() {
            End::Stopped
        } else if Instant::now() >= deadline {
            End::TimeLimit
        } else {
            continue;
        };
        let (_, peak_memory) = child.kill_group();
        drain(&mut output, hear);
        return ended(forced, peak_memory);
    }
}

fn spawn(start: &Start<'_>, budget: Budget) -> std::io::Result<(Group, std::io::PipeReader)> {
    let none = || std::io::Error::other("the command is empty");
    let (program, args) = start.argv.split_first().ok_or_else(none)?;
    let (output, input) = std::io::pipe()?;
    let parent = std::process::id() as libc::pid_t;
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let cpu_seconds = (budget.kill_after().as_secs() + 1).saturating_mul(cores);
    let mut command = Command::new(program);
    command
        .args(args)
        .current_dir(start.dir)
        .env("TMPDIR", start.temporary)
        .stdin(Stdio::null())
        .stdout(input.try_clone()?)
        .stderr(input)
        .process_group(0);
    // SAFETY: between fork and exec only system calls are made, which is allowed there, on plain data.
    unsafe {
        command.pre_exec(move || {
            let limit = |amount| libc::rlimit { rlim_cur: amount, rlim_max: amount };
            if let Some(memory) = budget.memory
                && libc::setrlimit(libc::RLIMIT_AS, &limit(memory)) != 0
            {
                return Err(std::io::Error::last_os_error());
            }
            // No dumps of crashing tools.
            libc::setrlimit(libc::RLIMIT_CORE, &limit(0));
            // If this process is killed, nobody is left to stop the tool. The kernel ends it then, and later what it
            // has started, when that has computed for longer than all cores together could.
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            libc::setrlimit(libc::RLIMIT_CPU, &limit(cpu_seconds));
            if libc::getppid() != parent {
                return Err(std::io::Error::other("the parent has ended"));
            }
            Ok(())
        });
    }
    let child = command.spawn()?;
    Ok((Group(child.id() as libc::pid_t), output))
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

    /// Ends all of the group. Tells how the leader ended and the most memory that it used.
    fn kill_group(self) -> (End, u64) {
        let mut status = 0;
        // SAFETY: the group was made for the child, which is waited for here only, after the signal. The structure is
        // plain data that `wait4` fills in.
        let (waited, usage) = unsafe {
            libc::kill(-self.0, libc::SIGKILL);
            let mut usage: libc::rusage = std::mem::zeroed();
            (libc::wait4(self.0, &mut status, 0, &mut usage), usage)
        };
        if waited != self.0 {
            return (End::NotStarted(std::io::Error::last_os_error().to_string()), 0);
        }
        let end = match libc::WIFSIGNALED(status) {
            true => End::Signal(libc::WTERMSIG(status)),
            false => End::Exit(libc::WEXITSTATUS(status)),
        };
        (end, u64::try_from(usage.ru_maxrss).unwrap_or(0) * 1024)
    }
}

/// Passes on what is there, waiting a little for it. `false` at the end of the output.
fn listen(output: &mut std::io::PipeReader, wait: Duration, hear: &mut dyn FnMut(&[u8])) -> bool {
    let mut poll = libc::pollfd { fd: output.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    // SAFETY: one valid structure.
    let ready = unsafe { libc::poll(&mut poll, 1, wait.as_millis() as libc::c_int) };
    if ready <= 0 {
        return true;
    }
    let mut buffer = [0; 64 << 10];
    match output.read(&mut buffer) {
        Ok(0) | Err(_) => false,
        Ok(length) => {
            hear(&buffer[..length]);
            true
        }
    }
}

/// What is left in the pipe. Processes that have left the group may hold it open, so there is no waiting for its end.
fn drain(output: &mut std::io::PipeReader, hear: &mut dyn FnMut(&[u8])) {
    let mut heard = true;
    while heard {
        heard = false;
        let mut note = |bytes: &[u8]| {
            heard = true;
            hear(bytes);
        };
        if !listen(output, Duration::ZERO, &mut note) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str, seconds: f64, memory: Option<u64>, stop: &dyn Fn() -> bool) -> (Ended, String) {
        let dir = tempfile::tempdir().expect("a directory");
        let argv = ["sh", "-c", script].map(str::to_owned);
        let start = Start { argv: &argv, dir: dir.path(), temporary: dir.path() };
        let mut heard = Vec::new();
        let budget = Budget { time: Duration::from_secs_f64(seconds), memory };
        let ended = run(&start, budget, stop, &mut |bytes| heard.extend_from_slice(bytes));
        (ended, String::from_utf8_lossy(&heard).into_owned())
    }

    #[test]
    fn output_and_exit_code() {
        let (ended, heard) = sh("echo out; echo err >&2; exit 7", 10.0, None, &|| false);
        assert_eq!((ended.end, heard.as_str()), (End::Exit(7), "out\nerr\n"));
        assert!(ended.peak_memory > 0);
    }

    #[test]
    fn a_signal() {
        assert_eq!(sh("kill -SEGV $$", 10.0, None, &|| false).0.end, End::Signal(libc::SIGSEGV));
    }

    #[test]
    fn a_slow_tool_is_killed_with_its_children() {
        let (ended, heard) = sh("echo $$; (sleep 1000; echo late) & sleep 1000", 0.1, None, &|| false);
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
        let (ended, _) = sh("sleep 1000", 1000.0, None, &|| begun.elapsed() > Duration::from_millis(50));
        assert_eq!(ended.end, End::Stopped);
    }

    #[test]
    fn closing_the_output_is_not_the_end() {
        assert_eq!(sh("exec >&- 2>&-; sleep 0.2; exit 3", 10.0, None, &|| false).0.end, End::Exit(3));
    }

    #[test]
    fn memory_is_limited() {
        let (_, heard) = sh("ulimit -v", 10.0, Some(512 << 20), &|| false);
        assert_eq!(heard.trim(), (512 << 10).to_string());
    }

    #[test]
    fn what_does_not_exist_is_not_started() {
        let argv = ["/no/such/tool".to_owned()];
        let here = Path::new(".");
        let budget = Budget { time: Duration::from_secs(1), memory: None };
        let ended = run(&Start { argv: &argv, dir: here, temporary: here }, budget, &|| false, &mut |_| {});
        assert!(matches!(ended.end, End::NotStarted(_)), "{ended:?}");
    }
}
