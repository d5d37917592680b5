//! Asking a run to stop: one flag that everything that takes long looks at.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// Why a run is to stop.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// Somebody asked for it, by a call or by a signal.
    Asked,
    /// Time is up.
    Time,
    /// Memory is used up.
    Memory,
}

/// Asks a run to end cleanly. Clones share the flag, and it may be set from another thread or in a
/// signal handler. Whoever stops in the middle of something because of it leaves nothing behind
/// that could be taken for a result.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicU8>);

impl StopFlag {
    pub fn new() -> StopFlag {
        StopFlag::default()
    }

    pub fn ask(&self) {
        self.raise(StopReason::Asked);
    }

    /// Asks for a reason. The first one stays.
    pub fn raise(&self, reason: StopReason) {
        let number = match reason {
            StopReason::Asked => 1,
            StopReason::Time => 2,
            StopReason::Memory => 3,
        };
        // If it was raised before, for whatever reason, it stays so.
        let _ = self.0.compare_exchange(0, number, Ordering::Relaxed, Ordering::Relaxed);
    }

    #[inline]
    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed) != 0
    }

    pub fn reason(&self) -> Option<StopReason> {
        match self.0.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(StopReason::Asked),
            2 => Some(StopReason::Time),
            _ => Some(StopReason::Memory),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_share_the_flag_and_the_first_reason_stays() {
        let flag = StopFlag::new();
        let other = flag.clone();
        assert!(!other.is_asked() && other.reason().is_none());
        flag.raise(StopReason::Time);
        flag.ask();
        assert!(other.is_asked());
        assert_eq!(other.reason(), Some(StopReason::Time));
    }
}
