//! Asking a run to stop by a signal.

use espalier_base::StopFlag;
use std::sync::OnceLock;

static ON_SIGNAL: OnceLock<StopFlag> = OnceLock::new();

/// A flag that Ctrl-C, SIGTERM and SIGHUP set. A second such signal ends the process at once.
/// Signals that the process was started to ignore stay ignored.
pub fn stop_on_signals() -> StopFlag {
    let flag = ON_SIGNAL.get_or_init(StopFlag::new).clone();
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        // SAFETY: both structures are plain data that `sigaction` reads or fills in, and the
        // handler only loads a pointer that was set before and stores to an atomic, which is
        // allowed at any time.
        unsafe {
            let mut current: libc::sigaction = std::mem::zeroed();
            if libc::sigaction(signal, std::ptr::null(), &mut current) == 0 && current.sa_sigaction == libc::SIG_IGN {
                continue;
            }
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = handle as extern "C" fn(libc::c_int) as usize;
            action.sa_flags = libc::SA_RESETHAND | libc::SA_RESTART;
            libc::sigemptyset(&mut action.sa_mask);
            libc::sigaction(signal, &action, std::ptr::null_mut());
        }
    }
    flag
}

extern "C" fn handle(_: libc::c_int) {
    if let Some(flag) = ON_SIGNAL.get() {
        flag.ask();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_signal_asks() {
        // SAFETY: plain calls. Whoever runs the tests may ignore the signal, as nohup does.
        unsafe { libc::signal(libc::SIGHUP, libc::SIG_DFL) };
        let flag = stop_on_signals();
        // SAFETY: raising a signal that has a handler.
        unsafe { libc::raise(libc::SIGHUP) };
        assert!(flag.is_asked());
    }
}
