//! A PostgreSQL server for tests: Debian's, in a temporary directory, on a Unix socket.
//!
//! A shell starts it, and stops it and removes everything when its standard input ends. That is
//! when the [`Server`] is dropped, and also when the process ends in whatever way, so that a server
//! can be in a `static`. PostgreSQL does not run as root: if the test does, the server is nobody's.

#![forbid(unsafe_code)]

use std::io::{Error, ErrorKind, Result};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Where Debian has a directory for each version.
const VERSIONS: &str = "/usr/lib/postgresql";

/// It takes a second, but the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server that runs. Everybody may be every user, but who is `guarded` needs a password.
#[derive(Debug)]
pub struct Server {
    shell: Child,
    dir: PathBuf,
}

impl Server {
    pub fn start() -> Result<Server> {
        let programs = programs()?;
        let dir = tempfile::Builder::new().prefix("pgserver").tempdir()?;
        let mut command = Command::new("sh");
        if std::fs::metadata("/proc/self")?.uid() == 0 {
            succeeded("chown", Command::new("chown").arg("nobody").arg(dir.path()).status()?)?;
            command = Command::new("setpriv");
            command.args(["--reuid=nobody", "--regid=nogroup", "--clear-groups", "sh"]);
        }
        command.args(["-c", include_str!("server.sh"), "server.sh"]).arg(programs).arg(dir.path());
        let shell = command.current_dir(dir.path()).stdin(Stdio::piped()).spawn()?;
        let mut server = Server { shell, dir: dir.keep() };
        server.wait()?;
        Ok(server)
    }

    /// The address of a database. There is one called `postgres`.
    pub fn address(&self, user: &str, database: &str) -> String {
        let host = self.dir.display().to_string().replace('/', "%2F");
        format!("postgres://{user}@{host}/{database}")
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Until the server accepts connections, which it writes down.
    fn wait(&mut self) -> Result<()> {
        let begun = Instant::now();
        loop {
            let status = std::fs::read_to_string(self.dir.join("data/postmaster.pid"));
            if status.is_ok_and(|status| status.lines().any(|line| line.trim() == "ready")) {
                return Ok(());
            }
            let has_ended = self.shell.try_wait()?.is_some();
            if has_ended || begun.elapsed() > PATIENCE {
                let log = std::fs::read_to_string(self.dir.join("log")).unwrap_or_default();
                return Err(Error::other(format!("the server does not start:\n{log}")));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.shell.stdin.take());
        // Nothing can be done about a shell that fails, nor about a directory that stays.
        let _ = self.shell.wait();
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}

/// Those of the newest version.
fn programs() -> Result<PathBuf> {
    let versions = std::fs::read_dir(VERSIONS).into_iter().flatten().flatten();
    let found = versions.filter_map(|version| {
        let number: u32 = version.file_name().to_str()?.parse().ok()?;
        let programs = version.path().join("bin");
        ["initdb", "postgres"].iter().all(|name| programs.join(name).exists()).then_some((number, programs))
    });
    let missing = || Error::new(ErrorKind::NotFound, "PostgreSQL is not installed: run scripts/setup.sh");
    found.max().map(|(_, programs)| programs).ok_or_else(missing)
}

fn succeeded(program: &str, status: ExitStatus) -> Result<()> {
    if status.success() { Ok(()) } else { Err(Error::other(format!("{program} failed"))) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::UnixStream;

    #[test]
    fn nothing_is_left_of_a_server() {
        let server = Server::start().unwrap();
        let dir = server.dir().to_owned();
        UnixStream::connect(dir.join(".s.PGSQL.5432")).unwrap();
        let panicked = std::thread::spawn(move || {
            let _server = server;
            panic!("for the test");
        });
        assert!(panicked.join().is_err());
        assert!(!dir.exists());
    }
}
