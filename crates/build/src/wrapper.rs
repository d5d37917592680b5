//! Acting as the compiler in a build: the real one does what the build wants, and for every C
//! source that becomes an object, bitcode is made as well.
//!
//! A build must not notice. So the real compiler runs with the build's arguments, its messages and
//! its exit status are the only ones, and whatever goes wrong with bitcode is told to the store,
//! for the end of the build. Bitcode is made while the real compiler runs.
//!
//! What is known about a source goes into a section of the object that it became (see
//! [`crate::elf`]), and from there, by linkers and archivers that know nothing of it, into the
//! programs: a line with the source and its bitcode, or why there is none.

use crate::arguments::{self, Action, Invocation, Language, Source};
use crate::elf;
use crate::entry::{Entry, Lack};
use crate::names::{self, Tool};
use crate::store::{Event, Store};
use espalier_base::AS_WRITTEN;
use espalier_base::old_c::{self, LOOK};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

/// The store of the build that is going on: set for everything that the build starts.
pub const STORE: &str = "ESPALIER_BUILD_STORE";
/// The clang that makes bitcode.
pub const CLANG: &str = "ESPALIER_BUILD_CLANG";
/// The compiler that makes objects, if it is not that clang.
pub const CC: &str = "ESPALIER_BUILD_CC";

const NOT_FOUND: i32 = 127;

/// The code is as the source has it, as when Espalier compiles files itself. `-O1` without passes
/// keeps the bodies of functions that are `inline` only. But the C library's headers must not see
/// it: their inline functions know how its own files and locales look inside.
const BITCODE_FLAGS: [&str; 7] = ["-c", "-emit-llvm", "-g", "-O1", "-Xclang", "-disable-llvm-passes", "-U__OPTIMIZE__"];

/// What is an error is the real compiler's affair.
const WARNINGS: [&str; 3] = ["-Wno-everything", "-Wimplicit-function-declaration", "-Wno-error"];

/// Is this process to act as a compiler? Only within a build, so that a link called `cc` is no
/// accident.
pub fn is_wanted(program: &OsStr) -> bool {
    std::env::var_os(STORE).is_some() && Path::new(program).file_name().is_some_and(|name| names::tool(name).is_some())
}

/// Acts as the program of that name and gives its exit status.
pub fn run(program: &OsStr, args: &[OsString]) -> i32 {
    let name = Path::new(program).file_name().unwrap_or(program);
    let (Some(root), Some(tool)) = (std::env::var_os(STORE), names::tool(name)) else { return NOT_FOUND };
    let store = Store::at(root.into());
    let path = names::without(&std::env::var_os("PATH").unwrap_or_default(), &store.bin());
    let clang = std::env::var_os(CLANG).unwrap_or_else(|| "clang-19".into());
    let real = real(name, tool, &path, &clang);
    let wrapper = Wrapper { store, path, clang };
    match tool {
        Tool::C | Tool::Cplusplus => wrapper.compile(real, args),
        Tool::Archiver => wrapper.archive(real, args),
    }
}

/// The real program behind a name, with arguments of its own.
pub(crate) fn real(name: &OsStr, tool: Tool, path: &OsStr, clang: &OsStr) -> Vec<OsString> {
    let named = |name: &OsStr| names::find(name, path).map_or_else(|| name.to_owned(), PathBuf::into_os_string);
    if tool != Tool::C {
        return vec![named(name)];
    }
    let chosen = std::env::var(CC).unwrap_or_default();
    let mut words: Vec<OsString> = chosen.split_whitespace().map(OsString::from).collect();
    match words.first_mut() {
        Some(first) => *first = named(first),
        None => {
            words.push(clang.to_owned());
            words.extend(old_c::as_warnings().map(OsString::from));
        }
    }
    if name == "c89" || name == "c99" {
        let mut dialect = OsString::from("-std=");
        dialect.push(name);
        words.push(dialect);
    }
    words
}

struct Wrapper {
    store: Store,
    /// `PATH` without our links.
    path: OsString,
    clang: OsString,
}

impl Wrapper {
    fn command(&self, compiler: &[OsString], args: &[OsString]) -> Command {
        let mut words = compiler.iter();
        let mut command = Command::new(words.next().map_or(OsStr::new("cc"), |word| word));
        command.args(words).args(args).env("PATH", &self.path);
        // If this is a compiler of another build's, it is not to act as one: that could go on
        // forever.
        command.env_remove(STORE);
        command
    }

    /// Becomes the real compiler.
    fn become_compiler(&self, compiler: &[OsString], args: &[OsString]) -> i32 {
        not_started(&compiler[0], &self.command(compiler, args).exec())
    }

    fn compile(&self, compiler: Vec<OsString>, args: &[OsString]) -> i32 {
        let asked = arguments::parse(args);
        if asked.action == Action::Other || is_probe(&asked) {
            return self.become_compiler(&compiler, &asked.native);
        }
        let mut native = asked.native.clone();
        let library = self.store.replay_library();
        if asked.is_plain_program && library.exists() && !native.iter().any(|arg| arg == "--") {
            native.extend(["-Xlinker".into(), library.into()]);
        }
        let input = match self.input(&asked) {
            Ok(input) => input,
            Err(error) => return not_started(&compiler[0], &error),
        };
        let mut command = self.command(&compiler, &native);
        if let Some(input) = &input {
            match File::open(input) {
                Ok(file) => command.stdin(file),
                Err(error) => return not_started(&compiler[0], &error),
            };
        }
        let mut child = match command.spawn() {
            Ok(child) => child,
            Err(error) => return not_started(&compiler[0], &error),
        };
        let extra = &compiler[1..];
        let made: Vec<Made> = asked
            .sources
            .iter()
            .enumerate()
            .map(|source| self.bitcode(source, &asked, extra, input.as_deref()))
            .collect();
        let status = child.wait();
        if let Some(input) = &input {
            let _ = fs::remove_file(input);
        }
        match status {
            Ok(status) if status.success() => {
                self.record(&asked, made);
                0
            }
            Ok(status) => {
                for made in made {
                    made.discard();
                }
                code(status)
            }
            Err(error) => not_started(&compiler[0], &error),
        }
    }

    /// Standard input is read twice if it is a source, so it becomes a file.
    fn input(&self, asked: &Invocation) -> io::Result<Option<PathBuf>> {
        if !asked.sources.iter().any(|source| source.path == "-") {
            return Ok(None);
        }
        let path = self.store.temporary().join(format!("{}.in", std::process::id()));
        io::copy(&mut io::stdin().lock(), &mut File::create(&path)?)?;
        Ok(Some(path))
    }

    fn bitcode(
        &self,
        (number, source): (usize, &Source),
        asked: &Invocation,
        extra: &[OsString],
        input: Option<&Path>,
    ) -> Made {
        match source.language {
            Language::C => {}
            Language::Assembly => return Made::Lacks(Lack::Assembly),
            Language::Cplusplus => return Made::Lacks(Lack::Cplusplus),
            Language::Other => return Made::Lacks(Lack::OtherLanguage),
        }
        let output = self.store.temporary().join(format!("{}-{number}.bc", std::process::id()));
        let mut options: Vec<OsString> = extra.iter().chain(&asked.front_end).cloned().collect();
        let run = |command: &mut Command| {
            command.args(old_c::as_warnings());
            if let Some(language) = &source.explicit {
                command.arg("-x").arg(language);
            }
            command.arg("-o").arg(&output).arg("--").arg(&source.path);
            command.env("PATH", &self.path).env_remove(STORE);
            let stdin = input.filter(|_| source.path == "-").and_then(|input| File::open(input).ok());
            command.stdin(stdin.map_or_else(Stdio::null, Stdio::from)).stdout(Stdio::null()).stderr(Stdio::piped());
            match command.output() {
                Ok(result) => (result.status.success(), String::from_utf8_lossy(&result.stderr).into_owned()),
                Err(error) => (false, error.to_string()),
            }
        };
        let mut is_looked_at = false;
        loop {
            let (is_made, diagnostics) =
                run(Command::new(&self.clang).args(&options).args(BITCODE_FLAGS).args(AS_WRITTEN).args(WARNINGS));
            if !is_looked_at && diagnostics.contains("[-Wimplicit-function-declaration]") {
                is_looked_at = true;
                let (_, seen) = run(Command::new(&self.clang).args(&options).arg("-Wno-everything").args(LOOK));
                let (declarations, header) = (old_c::declarations(&seen), output.with_extension("h"));
                if !declarations.is_empty() && fs::write(&header, declarations).is_ok() {
                    options.extend(["-include".into(), header.into()]);
                    continue;
                }
            }
            if is_made {
                return Made::Bitcode(output);
            }
            // gcc has options that clang does not know.
            let refused = refused_options(&diagnostics);
            let before = options.len();
            options.retain(|option| !refused.iter().any(|refused| option == refused.as_str()));
            if options.len() == before {
                return Made::Failed(first_error(&diagnostics));
            }
        }
    }

    /// Writes down what has become of the sources. The build does not depend on it.
    fn record(&self, asked: &Invocation, made: Vec<Made>) {
        let here = std::env::current_dir().unwrap_or_default();
        let linked = here.join(asked.output.as_deref().unwrap_or(OsStr::new("a.out")));
        let mut lines = String::new();
        for (source, made) in asked.sources.iter().zip(made) {
            let path = here.join(&source.path);
            let tell = |event| {
                let _ = self.store.tell(&event);
            };
            let entry = match made {
                Made::Bitcode(bitcode) => match self.store.keep(&bitcode) {
                    Ok(bitcode) => Entry::Bitcode { bitcode, source: path.clone() },
                    Err(error) => {
                        tell(Event::Failed(
                            path.clone(),
                            format!("it cannot be kept in {}: {error}", self.store.root().display()),
                        ));
                        Entry::Lacks { lack: Lack::Failed, source: path.clone() }
                    }
                },
                Made::Failed(reason) => {
                    tell(Event::Failed(path.clone(), reason));
                    Entry::Lacks { lack: Lack::Failed, source: path.clone() }
                }
                Made::Lacks(lack) => Entry::Lacks { lack, source: path.clone() },
            };
            tell(Event::Compiled(path.clone()));
            let line = entry.line();
            if asked.action == Action::Link {
                lines += &line;
                continue;
            }
            let object = asked.output.clone().unwrap_or_else(|| arguments::object_of(&source.path));
            if let Err(error) = elf::append(&here.join(&object), &line) {
                tell(Event::Failed(path, format!("it cannot be noted in {}: {error}", object.to_string_lossy())));
            }
        }
        if asked.action == Action::Link {
            if !lines.is_empty()
                && let Err(error) = elf::append(&linked, &lines)
            {
                let _ = self
                    .store
                    .tell(&Event::Failed(linked.clone(), format!("its sources cannot be noted in it: {error}")));
            }
            let _ = self.store.tell(&Event::Linked(linked));
        }
    }

    /// `ar` and its like: which archives are made is of interest only.
    fn archive(&self, real: Vec<OsString>, args: &[OsString]) -> i32 {
        let archive = args.iter().find(|arg| arg.to_string_lossy().ends_with(".a"));
        if let (Some(archive), Ok(here)) = (archive, std::env::current_dir()) {
            let _ = self.store.tell(&Event::Archived(here.join(archive)));
        }
        self.become_compiler(&real, args)
    }
}

/// What has become of a source.
enum Made {
    /// A temporary file with its bitcode.
    Bitcode(PathBuf),
    Failed(String),
    Lacks(Lack),
}

impl Made {
    fn discard(self) {
        if let Made::Bitcode(path) = self {
            let _ = fs::remove_file(path);
        }
    }
}

fn not_started(compiler: &OsStr, error: &io::Error) -> i32 {
    let _ = writeln!(io::stderr(), "espalier build: cannot run {}: {error}", compiler.to_string_lossy());
    NOT_FOUND
}

fn code(status: ExitStatus) -> i32 {
    status.code().or(status.signal().map(|signal| 128 + signal)).unwrap_or(1)
}

/// Compilations that only ask what the machine has: configure's, CMake's and Meson's. Nobody wants
/// their bitcode, and there are many of them.
fn is_probe(asked: &Invocation) -> bool {
    let here = std::env::current_dir().unwrap_or_default().to_string_lossy().into_owned() + "/";
    let is_in_scratch =
        ["/CMakeFiles/CMakeScratch/", "/CMakeFiles/CMakeTmp/", "/meson-private/"].iter().any(|dir| here.contains(dir));
    let output = asked.output.iter();
    let mut files = asked.sources.iter().map(|source| &source.path).chain(output);
    is_in_scratch
        || files.any(|file| {
            let name = Path::new(file).file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("conftest")
                || name.starts_with("CMakeCCompilerId")
                || name.starts_with("CMakeCXXCompilerId")
        })
        || asked.sources.iter().any(|source| source.path.to_string_lossy().contains("/meson-private/"))
}

/// Options that clang says it does not know: "unknown argument: '-fodd'", "unsupported option
/// '-modd' for target".
fn refused_options(diagnostics: &str) -> Vec<String> {
    let errors = diagnostics.lines().filter(|line| {
        ["unknown argument", "unsupported option", "unsupported argument", "invalid value"]
            .iter()
            .any(|text| line.contains(text))
    });
    let quoted = errors.flat_map(|line| line.split('\'').skip(1).step_by(2));
    let mut options: Vec<String> = quoted.map(String::from).collect();
    // "unsupported argument 'x' to option '-mfoo='", "invalid value 'x' in '-mfoo=x'".
    if let [value, option] = &options[..]
        && option.ends_with('=')
    {
        options.push(format!("{option}{value}"));
    }
    options.retain(|option| option.starts_with('-'));
    options
}

fn first_error(diagnostics: &str) -> String {
    let line = diagnostics.lines().find(|line| line.contains("error")).or(diagnostics.lines().next());
    line.unwrap_or("clang failed without a message").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_clang_refuses() {
        let text = "clang-19: error: unknown argument: '-fodd'\nclang-19: error: unsupported option '-modd' for target 'x86_64-pc-linux-gnu'\n";
        assert_eq!(refused_options(text), ["-fodd", "-modd", "x86_64-pc-linux-gnu"][..2]);
        let text = "clang-19: error: unsupported argument 'sideways' to option '-mstack-protector-guard='";
        assert!(refused_options(text).contains(&"-mstack-protector-guard=sideways".to_owned()));
        assert!(refused_options("a.c:1: error: use of undeclared identifier '-x'").is_empty());
    }

    #[test]
    fn probes_are_known_by_their_names() {
        let is_probe =
            |line: &str| super::is_probe(&arguments::parse(&line.split(' ').map(OsString::from).collect::<Vec<_>>()));
        assert!(is_probe("-c conftest.c"));
        assert!(is_probe("-o conftest conftest.c -lm"));
        assert!(is_probe("CMakeCCompilerId.c"));
        assert!(!is_probe("-c -o main.o main.c"));
    }
}
