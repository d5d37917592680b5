//! Native runs that root starts. The user of the model of the environment has no special rights,
//! and a test may well be about `rm -r /`: so the program gets another user, and, if it needs no
//! shared libraries, a root directory of its own that looks as the model's does.

use std::ffi::CString;
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The model's user and group.
const USER: u32 = 1000;

/// Character devices with their numbers.
const DEVICES: [(&str, u32, u32); 6] =
    [("null", 1, 3), ("zero", 1, 5), ("full", 1, 7), ("random", 1, 8), ("urandom", 1, 9), ("tty", 5, 0)];

/// How a program is run without root's rights.
pub struct Confinement {
    /// What to start.
    pub program: PathBuf,
    /// The directory that becomes the root, if one does.
    root: Option<CString>,
}

impl Confinement {
    /// Prepares to run a program in `home`, which has the later root directory in it, and in that
    /// the working directory. None, if this process is not root or may not do what it takes.
    pub fn of(program: &Path, home: &Path, root: &Path, work: &Path) -> io::Result<Option<Confinement>> {
        if !may_confine() {
            return Ok(None);
        }
        fs::set_permissions(home, Permissions::from_mode(0o755))?;
        chown(work, Some(USER), Some(USER))?;
        for entry in fs::read_dir(work)? {
            chown(entry?.path(), Some(USER), Some(USER))?;
        }
        if !is_static(&fs::read(program)?) {
            let copy = home.join("program");
            link_or_copy(program, &copy)?;
            return Ok(Some(Confinement { program: copy, root: None }));
        }
        for (name, mode) in [("tmp", 0o777), ("dev", 0o755)] {
            fs::create_dir(root.join(name))?;
            fs::set_permissions(root.join(name), Permissions::from_mode(mode))?;
        }
        for (name, major, minor) in DEVICES {
            make_device(&root.join("dev").join(name), libc::makedev(major, minor))?;
        }
        // Where few look for files that they do not know.
        link_or_copy(program, &root.join("dev/.program"))?;
        Ok(Some(Confinement { program: PathBuf::from("/dev/.program"), root: Some(c_path(root)?) }))
    }

    /// Does the program see its own root directory only?
    pub fn has_root(&self) -> bool {
        self.root.is_some()
    }

    pub fn apply(&self, command: &mut Command) {
        let root = self.root.clone();
        // SAFETY: between fork and exec only system calls are made, on memory that was allocated
        // before.
        unsafe {
            command.pre_exec(move || {
                let fails = |result: libc::c_int| if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) };
                if let Some(root) = &root {
                    fails(libc::chroot(root.as_ptr()))?;
                    fails(libc::chdir(c"/work".as_ptr()))?;
                }
                for stream in 0..=2 {
                    fails(libc::fchown(stream, USER, USER))?;
                }
                fails(libc::setgroups(0, std::ptr::null()))?;
                fails(libc::setgid(USER))?;
                fails(libc::setuid(USER))
            });
        }
    }
}

/// Is this process root, with the rights to change owners, users and the root directory?
fn may_confine() -> bool {
    const NEEDED: u64 = 1 << 0 | 1 << 6 | 1 << 7 | 1 << 18;
    // SAFETY: it only asks.
    let is_root = unsafe { libc::geteuid() } == 0;
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let rights = status.lines().find_map(|line| line.strip_prefix("CapEff:"));
    let rights = rights.and_then(|text| u64::from_str_radix(text.trim(), 16).ok()).unwrap_or(0);
    is_root && rights & NEEDED == NEEDED
}

/// Puts a program where others may run it.
fn link_or_copy(from: &Path, to: &Path) -> io::Result<()> {
    let is_for_all = fs::metadata(from)?.permissions().mode() & 0o005 == 0o005;
    if is_for_all && fs::hard_link(from, to).is_ok() {
        return Ok(());
    }
    fs::copy(from, to)?;
    fs::set_permissions(to, Permissions::from_mode(0o755))
}

/// A container may not be allowed to: then there is no such device.
fn make_device(path: &Path, number: libc::dev_t) -> io::Result<()> {
    let name = c_path(path)?;
    // SAFETY: a text that ends, and plain numbers.
    if unsafe { libc::mknod(name.as_ptr(), libc::S_IFCHR | 0o666, number) } == 0 {
        fs::set_permissions(path, Permissions::from_mode(0o666))?;
    }
    Ok(())
}

fn c_path(path: &Path) -> io::Result<CString> {
    Ok(CString::new(path.as_os_str().as_bytes())?)
}

/// Has an ELF file for 64 bits no interpreter, which would load shared libraries?
fn is_static(content: &[u8]) -> bool {
    const INTERPRETER: usize = 3;
    let number = |at: usize, size: usize| {
        let bytes = content.get(at..at.checked_add(size)?)?;
        Some(bytes.iter().rev().fold(0usize, |number, &byte| number << 8 | usize::from(byte)))
    };
    if content.get(4) != Some(&2) {
        return false;
    }
    let (Some(start), Some(size), Some(count)) = (number(32, 8), number(54, 2), number(56, 2)) else { return false };
    (0..count).all(|index| {
        let kind = start.checked_add(index * size).and_then(|at| number(at, 4));
        kind.is_some_and(|kind| kind != INTERPRETER)
    })
}
