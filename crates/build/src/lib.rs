//! Whole-program bitcode from any build.
//!
//! The build's command runs with a directory in front of `PATH` in which the names of compilers
//! mean Espalier, and with `CC` set. So Espalier is started where the build wants a compiler. There
//! it runs the real one and makes bitcode beside ([`wrapper`]), and notes in the object where that
//! is ([`elf`]). Linkers and archivers carry the notes into programs. At the end, the bitcode of
//! what is in a program is linked ([`products`]): exactly the sources that are in it, whatever the
//! build did to get there.
//!
//! The idea is that of wllvm and gllvm.

#![forbid(unsafe_code)]

pub mod arguments;
pub mod elf;
pub mod names;
pub mod wrapper;

mod archive;
mod entry;
mod error;
mod products;
mod store;

pub use entry::Lack;
pub use error::Error;
pub use products::{Delivered, Kind};
pub use store::Store;

use products::Linker;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use store::Event;

const HEADER: &str = include_str!("../../../runtime/include/klee/klee.h");
const REPLAY: &str = include_str!("../../../runtime/replay/replay.c");

/// A build to run.
pub struct Settings {
    pub command: Vec<OsString>,
    /// Where bitcode of single sources is kept.
    pub store: PathBuf,
    /// Where bitcode of programs goes, if not beside them.
    pub output_dir: Option<PathBuf>,
    /// Are libraries of interest, too?
    pub libraries: bool,
    /// The clang whose bitcode we can read.
    pub clang: OsString,
    /// This program.
    pub executable: PathBuf,
}

/// What a build has given.
pub struct Report {
    /// Why the command failed, if it did.
    pub failure: Option<String>,
    pub delivered: Vec<Delivered>,
    /// Programs without any bitcode.
    pub bare: Vec<PathBuf>,
    /// Sources without bitcode although they are C, with reasons.
    pub failed: Vec<(PathBuf, String)>,
    /// What kept bitcode from being linked.
    pub errors: Vec<Error>,
    /// How many sources were compiled in this build, before its programs were linked.
    pub compiled: usize,
    /// How many files were linked that are gone by now.
    pub vanished: Vec<PathBuf>,
}

/// Runs the command and collects the bitcode.
pub fn build(settings: &Settings) -> Result<Report, Error> {
    let store = Store::create(&settings.store)?;
    let mut path = names::without(&std::env::var_os("PATH").unwrap_or_default(), &store.bin());
    if let Some(outer) = std::env::var_os(wrapper::STORE) {
        // A build within a build: the outer one's names are no real compilers.
        path = names::without(&path, &Store::at(outer.into()).bin());
    }
    let clang = names::find(&settings.clang, &path)
        .ok_or_else(|| Error::NoClang(format!("{} was not found", settings.clang.to_string_lossy())))?;
    // The build's compilers run elsewhere.
    let clang = std::path::absolute(&clang).unwrap_or(clang);
    let linker = Linker {
        llvm_link: llvm_tool("llvm-link", &clang).ok_or(Error::NoLinker)?,
        llvm_nm: llvm_tool("llvm-nm", &clang),
        temporary: store.temporary(),
    };
    make_names(&store, &settings.executable, &path, &clang)?;
    make_replay_library(&store, &clang)?;
    let begin = store.now();
    let failure = run(settings, &store, &clang, &path)?;
    collect(settings, &store, begin, failure, &linker)
}

/// A tool of LLVM's, of the same version as clang: `llvm-link-19`, or the one beside clang.
pub fn llvm_tool(name: &str, clang: &Path) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let versioned = format!("{name}-19");
    names::find(OsStr::new(&versioned), &path).or_else(|| {
        let beside = clang.canonicalize().ok()?.parent()?.join(name);
        beside.is_file().then_some(beside)
    })
}

/// Makes the names of compilers: each a link to Espalier, and a script that starts it.
fn make_names(store: &Store, executable: &Path, path: &OsStr, clang: &Path) -> Result<(), Error> {
    let native = format!("{}-linux-gnu-gcc", std::env::consts::ARCH);
    let mut wanted = names::present(path);
    wanted.push(native.into());
    for name in wanted {
        let Some(tool) = names::tool(&name) else { continue };
        let (link, script) = (store.links().join(&name), store.bin().join(&name));
        let linked = match fs::read_link(&link) {
            Ok(target) if target == executable => Ok(()),
            Ok(_) => fs::remove_file(&link).and_then(|()| std::os::unix::fs::symlink(executable, &link)),
            Err(_) => std::os::unix::fs::symlink(executable, &link),
        };
        linked.map_err(|source| Error::Store { path: link.clone(), source })?;
        let text = script_text(&link, &wrapper::real(&name, tool, path, clang.as_os_str()), path);
        let written =
            fs::write(&script, text).and_then(|()| fs::set_permissions(&script, fs::Permissions::from_mode(0o755)));
        written.map_err(|source| Error::Store { path: script, source })?;
    }
    Ok(())
}

/// A shell starts several times faster than Espalier, and configure starts hundreds of compilers
/// for nothing but to see whether they fail. After the build, when its Makefiles may still name the
/// script, it is the real compiler.
fn script_text(link: &Path, real: &[OsString], path: &OsStr) -> Vec<u8> {
    let real: Vec<Vec<u8>> = real.iter().map(|word| quoted(word)).collect();
    let (real, link, path, store) = (real.join(&b' '), quoted(link.as_os_str()), quoted(path), wrapper::STORE);
    let lines: [&[&[u8]]; 7] = [
        &[b"#!/bin/sh\n# Made by `espalier build`.\n"],
        &[b"if [ -z \"$", store.as_bytes(), b"\" ]; then exec ", &real, b" \"$@\"; fi\n"],
        &[b"case \" $* \" in\n*-flto*) ;;\n"],
        &[b"*[\\ /]conftest.c\\ *) PATH=", &path, b" exec ", &real, b" \"$@\" ;;\n"],
        &[b"esac\n"],
        &[b"exec ", &link, b" \"$@\""],
        &[b"\n"],
    ];
    lines.concat().concat()
}

/// A word for the shell.
fn quoted(word: &OsStr) -> Vec<u8> {
    let mut text = vec![b'\''];
    for byte in word.as_bytes() {
        match byte {
            b'\'' => text.extend_from_slice(b"'\\''"),
            _ => text.push(*byte),
        }
    }
    text.push(b'\'');
    text
}

/// Programs that include `klee/klee.h` are built natively as well, and their tests can be run on
/// what comes out. Only such programs take anything from the library. If it cannot be made, they
/// fail to link and say so.
fn make_replay_library(store: &Store, clang: &Path) -> Result<(), Error> {
    let (source, object, library) =
        (store.replay().join("replay.c"), store.replay().join("replay.o"), store.replay_library());
    let header = store.include().join("klee/klee.h");
    if library.exists() && fs::read_to_string(&source).is_ok_and(|text| text == REPLAY) {
        return Ok(());
    }
    for (path, text) in [(&header, HEADER), (&source, REPLAY)] {
        fs::write(path, text).map_err(|error| Error::Store { path: path.clone(), source: error })?;
    }
    let mut compile = Command::new(clang);
    compile.args(["-c", "-O1", "-fPIE", "-w"]).arg(&source).arg("-o").arg(&object);
    let mut archive = Command::new("ar");
    archive.arg("rcs").arg(&library).arg(&object);
    for command in [&mut compile, &mut archive] {
        let done = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
        if !done.is_ok_and(|status| status.success()) {
            let _ = fs::remove_file(&library);
            break;
        }
    }
    Ok(())
}

/// Runs the build's command. Tells how it failed, if it did.
fn run(settings: &Settings, store: &Store, clang: &Path, path: &OsStr) -> Result<Option<String>, Error> {
    let Some((program, args)) = settings.command.split_first() else { return Ok(None) };
    let name = program.to_string_lossy().into_owned();
    let front = |first: PathBuf, rest: &OsStr| {
        let mut list = first.into_os_string();
        if !rest.is_empty() {
            list.push(":");
            list.push(rest);
        }
        list
    };
    let path = front(store.bin(), path);
    let found = names::find(program, &path).unwrap_or_else(|| program.into());
    let mut command = Command::new(found);
    command.args(args).env(wrapper::STORE, store.root()).env(wrapper::CLANG, clang).env("PATH", &path);
    let include = std::env::var_os("C_INCLUDE_PATH").unwrap_or_default();
    command.env("C_INCLUDE_PATH", front(store.include(), &include));
    for variable in ["CC", "HOSTCC", "CC_FOR_BUILD", "BUILD_CC"] {
        let given = std::env::var(variable).unwrap_or_default();
        command.env(variable, compiler_command(&store.bin(), &given));
    }
    let status = command.status().map_err(|source| Error::Command { command: name.clone(), source })?;
    Ok(failure(&name, status))
}

/// `CC` as it was given, but of our links: "gcc -m32" is "STORE/bin/gcc -m32".
fn compiler_command(bin: &Path, given: &str) -> String {
    let launchers = ["ccache", "distcc", "sccache"];
    let mut words =
        given.split_whitespace().skip_while(|word| launchers.contains(&word.rsplit('/').next().unwrap_or(word)));
    let name =
        words.next().and_then(|word| word.rsplit('/').next()).filter(|name| bin.join(name).exists()).unwrap_or("cc");
    let mut command = bin.join(name).display().to_string();
    for word in words {
        command.push(' ');
        command += word;
    }
    command
}

fn failure(name: &str, status: ExitStatus) -> Option<String> {
    match (status.code(), status.signal()) {
        (Some(0), _) => None,
        (Some(code), _) => Some(format!("`{name}` ended with exit status {code}")),
        (None, Some(signal)) => Some(format!("`{name}` was ended by signal {signal}")),
        (None, None) => Some(format!("`{name}` failed")),
    }
}

fn collect(
    settings: &Settings,
    store: &Store,
    begin: u64,
    failure: Option<String>,
    linker: &Linker,
) -> Result<Report, Error> {
    let events = store.events(0)?;
    let products = products::find(&events);
    let is_wanted = |kind| kind == Kind::Program || settings.libraries;
    let wanted: Vec<&products::Product> = products.iter().filter(|product| is_wanted(product.kind)).collect();
    let destinations = products::destinations(&wanted, settings.output_dir.as_deref());
    let mut report = Report {
        failure,
        delivered: Vec::new(),
        bare: Vec::new(),
        failed: Vec::new(),
        errors: Vec::new(),
        compiled: 0,
        vanished: Vec::new(),
    };
    for (product, to) in wanted.iter().zip(&destinations) {
        match products::deliver(product, &products, to, linker) {
            Ok(Some(delivered)) => report.delivered.push(delivered),
            Ok(None) => report.bare.push(product.path.clone()),
            Err(error) => report.errors.push(error),
        }
    }
    for event in store.events(begin)? {
        match event {
            Event::Compiled(_) => report.compiled += 1,
            Event::Failed(path, reason) => report.failed.push((path, reason)),
            Event::Linked(path) if !path.exists() && !report.vanished.contains(&path) => report.vanished.push(path),
            Event::Linked(_) | Event::Archived(_) => {}
        }
    }
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_start_what_they_should() {
        let dir = tempfile::tempdir().expect("a directory");
        let tool = |name: &str| {
            let path = dir.path().join(name);
            fs::write(&path, format!("#!/bin/sh\necho {name:?} \"$@\"\n")).expect("written");
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("allowed");
            path
        };
        let (link, real) = (tool("the link's"), tool("real"));
        let text = script_text(&link, &[real.into(), "-std=c99".into()], OsStr::new("/bin"));
        let script = dir.path().join("cc");
        fs::write(&script, text).expect("written");
        let run = |store: &str, args: &[&str]| {
            let mut command = Command::new("sh");
            let output = command.arg(&script).args(args).env(wrapper::STORE, store).output().expect("a shell");
            String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
        };
        assert_eq!(run("/store", &["-c", "a b.c"]), "the link's -c a b.c");
        assert_eq!(run("/store", &["-c", "-I.", "conftest.c"]), "real -std=c99 -c -I. conftest.c");
        assert_eq!(run("/store", &["-flto", "-c", "conftest.c"]), "the link's -flto -c conftest.c");
        assert_eq!(run("/store", &["-c", "myconftest.c"]), "the link's -c myconftest.c");
        assert_eq!(run("", &["-c", "a.c"]), "real -std=c99 -c a.c");
    }

    #[test]
    fn a_compiler_that_was_chosen_keeps_its_options() {
        let dir = tempfile::tempdir().expect("a directory");
        for name in ["cc", "gcc"] {
            fs::write(dir.path().join(name), "").expect("written");
        }
        let bin = dir.path().display();
        assert_eq!(compiler_command(dir.path(), ""), format!("{bin}/cc"));
        assert_eq!(compiler_command(dir.path(), "/usr/bin/gcc -m32 -g"), format!("{bin}/gcc -m32 -g"));
        assert_eq!(compiler_command(dir.path(), "ccache gcc"), format!("{bin}/gcc"));
        assert_eq!(compiler_command(dir.path(), "tcc"), format!("{bin}/cc"));
    }
}
