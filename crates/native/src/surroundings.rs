//! What a test says about the environment, made real for one native run: a fresh directory with the
//! test's files, arguments, variables, and standard input.

use crate::confinement::Confinement;
use espalier_base::environment::{self, Given};
use espalier_base::expected::{FileKind, FileNode, Printed};
use ktest::KTest;
use std::ffi::OsStr;
use std::fs::{File, Permissions};
use std::io::{Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// The directory that may become the root one, and the working directory in it.
const ROOT: &str = "root";
const WORK: &str = "work";
const DEVICES: &str = "dev";
/// The test without what was used up.
const REST: &str = ".rest.ktest";
/// That of the model.
const UMASK: libc::mode_t = 0o022;
/// What is read of a file, which is more than is ever predicted.
const KEPT_FILE: u64 = 256 << 10;

/// The surroundings of one run. The directory is deleted with it.
pub struct Surroundings {
    directory: TempDir,
    given: Given,
    confinement: Option<Confinement>,
}

impl Surroundings {
    /// Those of a test; none, if it is about its objects and plain arguments only and needs no
    /// directory of its own.
    pub fn of(program: &Path, test: &KTest, is_needed: bool) -> Result<Option<Surroundings>, String> {
        let args: Vec<String> = test.args.iter().skip(1).map(|arg| String::from_utf8_lossy(arg).into_owned()).collect();
        let items = environment::parse(&args)?;
        if !is_needed && items.iter().all(|item| matches!(item, environment::Item::Argument(_))) {
            return Ok(None);
        }
        let objects: Vec<(String, &[u8])> =
            test.objects.iter().map(|object| (object.name_lossy().into_owned(), &*object.bytes)).collect();
        let given = environment::give(&items, objects.iter().map(|(name, bytes)| (name.as_str(), *bytes)))?;
        if let Some(what) = given.not_replayed {
            return Err(format!("{what} cannot be repeated natively"));
        }
        let directory = tempfile::Builder::new().prefix("espalier-replay-").tempdir().map_err(|e| e.to_string())?;
        let root = directory.path().join(ROOT);
        let work = root.join(WORK);
        std::fs::create_dir_all(&work).map_err(|error| error.to_string())?;
        for (directory, mode) in [(&root, 0o755), (&work, 0o755)] {
            std::fs::set_permissions(directory, Permissions::from_mode(mode)).map_err(|error| error.to_string())?;
        }
        for (name, bytes) in &given.files {
            let path = work.join(name);
            let written = std::fs::write(&path, bytes)
                .and_then(|()| std::fs::set_permissions(&path, Permissions::from_mode(0o644)));
            written.map_err(|error| format!("{name}: {error}"))?;
        }
        let confinement =
            Confinement::of(program, directory.path(), &root, &work).map_err(|error| error.to_string())?;
        Ok(Some(Surroundings { directory, given, confinement }))
    }

    /// What to start, if it is not the program itself.
    pub fn program(&self) -> Option<&Path> {
        self.confinement.as_ref().map(|confinement| confinement.program.as_path())
    }

    /// The test without the objects that are used up, for the program's own calls of
    /// `klee_make_symbolic`.
    pub fn rest_of(&self, test: &KTest) -> Result<PathBuf, String> {
        let rest = KTest { objects: test.objects[self.given.objects..].to_vec(), ..test.clone() };
        let has_root = self.confinement.as_ref().is_some_and(Confinement::has_root);
        let home = self.directory.path();
        let home = if has_root { home.join(ROOT).join(DEVICES) } else { home.to_owned() };
        rest.write_file(home.join(REST)).map_err(|error| error.to_string())?;
        Ok(if has_root { Path::new("/").join(DEVICES).join(REST) } else { home.join(REST) })
    }

    /// Has the command run there, and gives its standard input.
    pub fn apply(&self, command: &mut Command) -> std::io::Result<Stdio> {
        command.current_dir(self.directory.path().join(ROOT).join(WORK)).env_clear();
        command.args(self.given.args.iter().map(|arg| OsStr::from_bytes(arg)));
        // SAFETY: between fork and exec only this system call is made, which is allowed there.
        unsafe {
            command.pre_exec(|| {
                libc::umask(UMASK);
                Ok(())
            });
        }
        if let Some(confinement) = &self.confinement {
            confinement.apply(command);
        }
        for (name, value) in &self.given.variables {
            command.env(name, OsStr::from_bytes(value));
        }
        full_pipe(&self.given.input)
    }

    /// What is in the directory now, in the order of names.
    pub fn files(&self) -> Result<Vec<FileNode>, String> {
        let mut nodes = Vec::new();
        add_files(&self.directory.path().join(ROOT).join(WORK), b"", &mut nodes).map_err(|error| error.to_string())?;
        nodes.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(nodes)
    }
}

fn add_files(directory: &Path, prefix: &[u8], nodes: &mut Vec<FileNode>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        let (path, status) = (entry.path(), entry.metadata()?);
        let name = [prefix, entry.file_name().as_bytes()].concat();
        let mut content = Printed::default();
        let kind = if status.is_dir() {
            add_files(&path, &[&name, b"/".as_slice()].concat(), nodes)?;
            FileKind::Directory
        } else if status.is_symlink() {
            content.push(std::fs::read_link(&path)?.as_os_str().as_bytes());
            FileKind::Link(content)
        } else if status.is_file() {
            let mut bytes = Vec::new();
            File::open(&path)?.take(KEPT_FILE).read_to_end(&mut bytes)?;
            content.push(&bytes);
            FileKind::File(content)
        } else {
            FileKind::Other
        };
        nodes.push(FileNode { path: name, mode: status.permissions().mode() & 0o7777, kind });
    }
    Ok(())
}

/// The reading end of a pipe that holds these bytes.
fn full_pipe(bytes: &[u8]) -> std::io::Result<Stdio> {
    let (reader, mut writer) = std::io::pipe()?;
    // SAFETY: an open descriptor; a failure only means that the pipe stays as it is.
    unsafe { libc::fcntl(writer.as_raw_fd(), libc::F_SETPIPE_SZ, bytes.len().max(4096) as libc::c_int) };
    writer.write_all(bytes)?;
    Ok(reader.into())
}

/// Is the file an executable that was built elsewhere?
pub fn is_executable(path: &Path) -> bool {
    let Ok(mut file) = File::open(path) else { return false };
    let mut start = [0; 4];
    let is_elf = file.read_exact(&mut start).is_ok() && start == *b"\x7fELF";
    is_elf && file.metadata().is_ok_and(|status| status.permissions().mode() & 0o111 != 0)
}
