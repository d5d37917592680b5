//! Work that may crash is first done in a child process.
//!
//! LLVM's readers trust their input: damaged bitcode can make them abort, loop or read wild
//! addresses. So files that we did not compile ourselves are read, linked and lowered once in a
//! forked child; only if that survives is the work done again here. The child says through a pipe
//! which file it is at.

use std::ffi::{CStr, c_char};
use std::io::Read;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::{Duration, Instant};

/// Where the child writes what it is at; -1 in any other process.
static STAGE_FD: AtomicI32 = AtomicI32::new(-1);

/// Why the child did not survive.
#[derive(Debug)]
pub struct Crash {
    /// The last stage it reported.
    pub stage: String,
    pub how: String,
}

/// Says what is being done, for the message if it crashes.
pub fn stage(what: &str) {
    write_line('S', what);
}

fn write_line(tag: char, text: &str) {
    let fd = STAGE_FD.load(Ordering::Relaxed);
    if fd >= 0 {
        let line = format!("{tag}{}\n", text.replace('\n', " "));
        // SAFETY: writes the line's bytes to our own pipe; a short write loses the end of a
        // message.
        let _ = unsafe { libc::write(fd, line.as_ptr().cast(), line.len()) };
    }
}

/// LLVM calls this before it ends the process.
pub extern "C" fn fatal_error(reason: *const c_char) {
    let reason = match reason.is_null() {
        true => "no reason given".into(),
        // SAFETY: LLVM passes text, or null.
        false => unsafe { CStr::from_ptr(reason) }.to_string_lossy(),
    };
    if STAGE_FD.load(Ordering::Relaxed) >= 0 {
        write_line('F', &reason);
        // SAFETY: ends the child without running anything of the parent's.
        unsafe { libc::_exit(3) };
    }
    eprintln!("espalier: internal error in LLVM: {reason}");
}

/// Does `work` survive in a child process, within the time limit?
pub fn survives(limit: Duration, work: impl FnOnce()) -> std::io::Result<Result<(), Crash>> {
    let (reader, writer) = pipe()?;
    // SAFETY: the child only runs `work` and exits; callers hold the lock that keeps other threads
    // of ours out of LLVM.
    let pid = unsafe { libc::fork() };
    if pid < 0 {
        return Err(std::io::Error::last_os_error());
    }
    if pid == 0 {
        drop(reader);
        run_child(&writer, work);
    }
    drop(writer);
    let (output, timed_out) = read_until(reader, Instant::now() + limit)?;
    if timed_out {
        // SAFETY: our own child, which has not been waited for.
        unsafe { libc::kill(pid, libc::SIGKILL) };
    }
    let status = wait(pid)?;
    let last = |tag: char| output.lines().filter_map(|line| line.strip_prefix(tag)).next_back().map(str::to_owned);
    let stage = last('S').unwrap_or_default();
    let how = if timed_out {
        format!("reading it takes longer than {} s", limit.as_secs())
    } else if let Some(reason) = last('F') {
        format!("LLVM gives up on it: {reason}")
    } else if libc::WIFSIGNALED(status) {
        format!("it crashes LLVM's reader (signal {})", libc::WTERMSIG(status))
    } else if libc::WEXITSTATUS(status) != 0 {
        "its content contradicts itself".to_owned()
    } else {
        return Ok(Ok(()));
    };
    Ok(Err(Crash { stage, how }))
}

fn run_child(writer: &OwnedFd, work: impl FnOnce()) -> ! {
    STAGE_FD.store(writer.as_raw_fd(), Ordering::Relaxed);
    // SAFETY: plain system calls on the child's own descriptors and limits.
    unsafe {
        let null = libc::open(c"/dev/null".as_ptr(), libc::O_RDWR);
        if null >= 0 {
            libc::dup2(null, 1);
            libc::dup2(null, 2);
        }
        let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        libc::setrlimit(libc::RLIMIT_CORE, &none);
        // Half of the machine's memory on top of what is mapped already.
        let pages = u64::try_from(libc::sysconf(libc::_SC_PHYS_PAGES)).unwrap_or(0);
        let page = u64::try_from(libc::sysconf(libc::_SC_PAGESIZE)).unwrap_or(0);
        if let (Some(mapped), 1..) = (mapped_pages(), pages) {
            let bytes = (mapped + pages / 2).saturating_mul(page);
            let limit = libc::rlimit { rlim_cur: bytes, rlim_max: bytes };
            libc::setrlimit(libc::RLIMIT_AS, &limit);
        }
    }
    std::panic::set_hook(Box::new(|_| {}));
    let outcome = std::panic::catch_unwind(AssertUnwindSafe(work));
    // SAFETY: ends the child without running exit handlers or flushing buffers that belong to the
    // parent.
    unsafe { libc::_exit(if outcome.is_ok() { 0 } else { 4 }) }
}

/// Until it is dropped, nothing written to the standard error stream is shown.
pub struct Silence {
    saved: RawFd,
}

/// Keeps LLVM from printing. Only for the time of reading a file that somebody else wrote.
pub fn silence_stderr() -> Option<Silence> {
    // SAFETY: plain system calls; what was opened here is closed here or by `Silence`.
    unsafe {
        let null = libc::open(c"/dev/null".as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC);
        if null < 0 {
            return None;
        }
        let saved = libc::fcntl(2, libc::F_DUPFD_CLOEXEC, 3);
        let replaced = saved >= 0 && libc::dup2(null, 2) >= 0;
        libc::close(null);
        if !replaced && saved >= 0 {
            libc::close(saved);
        }
        replaced.then_some(Silence { saved })
    }
}

impl Drop for Silence {
    fn drop(&mut self) {
        // SAFETY: gives the stream back and closes our copy of it.
        unsafe {
            libc::dup2(self.saved, 2);
            libc::close(self.saved);
        }
    }
}

/// How many pages of address space this process has mapped.
fn mapped_pages() -> Option<u64> {
    std::fs::read_to_string("/proc/self/statm").ok()?.split(' ').next()?.parse().ok()
}

fn pipe() -> std::io::Result<(OwnedFd, OwnedFd)> {
    let mut fds: [RawFd; 2] = [-1; 2];
    // SAFETY: two slots for two descriptors, which are ours if the call succeeds.
    unsafe {
        if libc::pipe2(fds.as_mut_ptr(), libc::O_CLOEXEC) != 0 {
            return Err(std::io::Error::last_os_error());
        }
        Ok((OwnedFd::from_raw_fd(fds[0]), OwnedFd::from_raw_fd(fds[1])))
    }
}

/// Everything written until the other end is closed or the time is up; and whether it was.
fn read_until(reader: OwnedFd, deadline: Instant) -> std::io::Result<(String, bool)> {
    let mut file = std::fs::File::from(reader);
    let mut output = Vec::new();
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let mut poll = libc::pollfd { fd: file.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        // SAFETY: one valid entry.
        let ready = unsafe { libc::poll(&mut poll, 1, i32::try_from(left.as_millis()).unwrap_or(i32::MAX)) };
        if ready < 0 {
            let error = std::io::Error::last_os_error();
            if error.kind() == std::io::ErrorKind::Interrupted {
                continue;
            }
            return Err(error);
        }
        if ready == 0 {
            return Ok((String::from_utf8_lossy(&output).into_owned(), true));
        }
        let mut chunk = [0; 4096];
        match file.read(&mut chunk)? {
            0 => return Ok((String::from_utf8_lossy(&output).into_owned(), false)),
            count => output.extend_from_slice(&chunk[..count]),
        }
    }
}

fn wait(pid: libc::pid_t) -> std::io::Result<i32> {
    let mut status = 0;
    loop {
        // SAFETY: our own child.
        if unsafe { libc::waitpid(pid, &mut status, 0) } == pid {
            return Ok(status);
        }
        let error = std::io::Error::last_os_error();
        if error.kind() != std::io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crashes_and_hangs_are_reported() {
        let limit = Duration::from_secs(20);
        assert!(survives(limit, || ()).unwrap().is_ok());
        let crash = survives(limit, || {
            stage("a.bc");
            std::process::abort();
        });
        let crash = crash.unwrap().unwrap_err();
        assert_eq!(crash.stage, "a.bc");
        assert!(crash.how.contains("signal 6"), "{}", crash.how);
        let hang = survives(Duration::from_millis(100), || std::thread::sleep(Duration::from_secs(60)));
        assert!(hang.unwrap().unwrap_err().how.contains("longer than"));
        assert!(survives(limit, || panic!("not shown")).unwrap().is_err());
    }
}
