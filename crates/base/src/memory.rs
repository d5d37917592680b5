//! How much memory this process uses and how much the machine has, from Linux's `/proc` and the
//! control group.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

/// The process that works for this one, 0 if there is none.
static CHILD: AtomicU32 = AtomicU32::new(0);

/// Has a child process (an SMT solver) counted together with this one; at most one is, the latest.
pub fn count_child(process: u32) {
    CHILD.store(process, Ordering::Relaxed);
}

/// The child that was counted has ended.
pub fn forget_child(process: u32) {
    // It may be another one that is counted now.
    let _ = CHILD.compare_exchange(process, 0, Ordering::Relaxed, Ordering::Relaxed);
}

/// Ends the child that is counted, because this process ends without winding up.
pub fn kill_child() {
    if let Ok(process @ 2..) = i32::try_from(CHILD.load(Ordering::Relaxed)) {
        // SAFETY: `kill` has no memory effects. The child is the leader of its group and was not
        // waited for.
        unsafe { libc::kill(-process, libc::SIGKILL) };
    }
}

/// Resident memory in bytes, that of the child that is counted included, or `None` where the system
/// does not tell.
pub fn resident() -> Option<u64> {
    let own = resident_of("self")?;
    let child = match CHILD.load(Ordering::Relaxed) {
        0 => None,
        process => resident_of(&process.to_string()),
    };
    Some(own + child.unwrap_or(0))
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

/// What this process could use: the machine's memory or the least limit of its control groups,
/// whichever is less.
pub fn available_in_total() -> Option<u64> {
    let machine = field(&fs::read_to_string("/proc/meminfo").ok()?, "MemTotal:")?;
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    Some(group_limit(Path::new("/sys/fs/cgroup"), &groups).map_or(machine, |limit| limit.min(machine)))
}

/// The least limit on memory of the control groups that a process is in, and of those that these
/// are in: `groups` is its `/proc/PID/cgroup`, `root` where control groups are mounted. In a
/// container, the root is often the process's own group.
fn group_limit(root: &Path, groups: &str) -> Option<u64> {
    let mut limits = Vec::new();
    for line in groups.lines() {
        // `0::/a/b` for version 2, `4:memory,cpu:/a/b` for version 1.
        let mut parts = line.splitn(3, ':');
        let (Some(_), Some(controllers), Some(path)) = (parts.next(), parts.next(), parts.next()) else { continue };
        let (hierarchy, file) = match controllers {
            "" => (root.to_owned(), "memory.max"),
            _ if controllers.split(',').any(|name| name == "memory") => (root.join("memory"), "memory.limit_in_bytes"),
            _ => continue,
        };
        let group = hierarchy.join(path.trim_start_matches('/'));
        let own = group.ancestors().take_while(|above| above.starts_with(&hierarchy));
        let limit = |group: &Path| fs::read_to_string(group.join(file)).ok()?.trim().parse::<u64>().ok();
        limits.extend(own.filter_map(limit));
    }
    limits.into_iter().min()
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
    fn the_least_limit_of_the_groups_counts() {
        let root = std::env::temp_dir().join(format!("espalier-groups-{}", std::process::id()));
        let write = |file: &str, text: &str| {
            let file = root.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        };
        write("memory.max", "max\n");
        write("a/memory.max", "3000\n");
        write("a/b/memory.max", "4000\n");
        write("memory/memory.limit_in_bytes", "9223372036854771712\n");
        write("memory/c/memory.limit_in_bytes", "2000\n");
        let limit = |groups: &str| group_limit(&root, groups);
        assert_eq!(limit("0::/a/b\n"), Some(3000));
        assert_eq!(limit("0::/\n"), None);
        assert_eq!(limit("5:cpu:/c\n4:memory,cpuset:/c\n0::/a\n"), Some(2000));
        // The group is not visible from inside of a container: its root is.
        assert_eq!(limit("4:memory:/docker/1\n"), Some(9223372036854771712));
        assert_eq!(limit(""), None);
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn this_process_has_a_plausible_size() {
        let (now, peak) = (resident().unwrap(), peak().unwrap());
        assert!(now > 256 * 1024 && peak > 256 * 1024, "{now} {peak}");
        assert!(available_in_total().unwrap() > now);
    }
}
