//! How much memory this process uses and how much the machine has, from Linux's `/proc` and the control group.

use std::fs;

/// Resident memory in bytes, or `None` where the system does not tell.
pub fn resident() -> Option<u64> {
    resident_of("self")
}

/// As `resident`, of the process with this number.
pub(crate) fn resident_of(process: &str) -> Option<u64> {
    let statm = fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
    let pages: u64 = statm.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(pages * PAGE)
}

/// Gives memory that is free inside of this process back to the system.
pub fn give_back() {
    // SAFETY: mimalloc frees pages that nothing uses, of this thread and of those that ended.
    unsafe { libmimalloc_sys::mi_collect(true) };
}

/// The most memory that was ever resident, in bytes.
pub fn peak() -> Option<u64> {
    field(&fs::read_to_string("/proc/self/status").ok()?, "VmHWM:")
}

/// What this process could use: the machine's memory or the control group's limit, whichever is less.
pub fn available_in_total() -> Option<u64> {
    let machine = field(&fs::read_to_string("/proc/meminfo").ok()?, "MemTotal:")?;
    let group = fs::read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|text| text.trim().parse().ok());
    Some(group.map_or(machine, |limit: u64| limit.min(machine)))
}

/// `statm` counts in pages, which are 4 KiB on every machine that the front end compiles for.
const PAGE: u64 = 4096;

/// The value, in bytes, of a line such as `VmHWM:     1234 kB`.
fn field(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = line.split_ascii_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_in_bytes() {
        assert_eq!(field("VmPeak:  9 kB\nVmHWM:\t   123 kB\n", "VmHWM:"), Some(123 * 1024));
        assert_eq!(field("VmPeak:  9 kB\n", "VmHWM:"), None);
    }

    #[test]
    fn this_process_has_a_plausible_size() {
        let (now, peak) = (resident().unwrap(), peak().unwrap());
        assert!(now > 256 * 1024 && peak > 256 * 1024, "{now} {peak}");
        assert!(available_in_total().unwrap() > now);
    }
}
