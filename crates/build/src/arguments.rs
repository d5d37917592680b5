//! What a compiler's command line asks for: which sources become which objects, and which options
//! decide what the code means.
//!
//! The real compiler gets the user's arguments as they are, without link-time optimisation only,
//! whose objects are no ELF files. For bitcode, options are chosen by a list of those that matter
//! to the front end: search paths, macros, the dialect, `-f` and `-m`. What is not on it (warnings,
//! optimisation, dependency files, the linker's options) is left out, so that an option nobody has
//! heard of does no harm.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// An object for each source (`-c`).
    Compile,
    /// A program, a shared library or, with `-r`, one object.
    Link,
    /// Nothing that code ends up in: preprocessing, assembly text, dependencies, questions about
    /// the compiler.
    Other,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Language {
    C,
    Assembly,
    Cplusplus,
    /// Fortran, Objective-C and the like.
    Other,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    pub path: OsString,
    pub language: Language,
    /// The value of `-x` that holds for it.
    pub explicit: Option<OsString>,
}

#[derive(Clone, Debug)]
pub struct Invocation {
    pub action: Action,
    pub sources: Vec<Source>,
    pub output: Option<OsString>,
    /// For the real compiler.
    pub native: Vec<OsString>,
    /// For bitcode, with neither sources nor output.
    pub front_end: Vec<OsString>,
    /// Is the result a program for this machine's own kind of processor, which could use a library
    /// made for that?
    pub is_plain_program: bool,
}

/// Options that matter to the front end, with the value behind them or attached.
const FRONT_END_WITH_VALUE: &[&str] = &[
    "-I",
    "-D",
    "-U",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-isysroot",
];

/// Those with the value behind them only.
const FRONT_END_WITH_VALUE_BEHIND: &[&str] = &["-A", "--sysroot", "-target"];

fn has_front_end_value_behind(option: &str) -> bool {
    FRONT_END_WITH_VALUE.contains(&option) || FRONT_END_WITH_VALUE_BEHIND.contains(&option)
}

/// Other options with a value behind them, which must not be taken for a source.
const WITH_VALUE: &[&str] = &[
    "-include-pch",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-L",
    "-l",
    "-T",
    "-Tbss",
    "-Tdata",
    "-Ttext",
    "-u",
    "-z",
    "-e",
    "-h",
    "-R",
    "-B",
    "-G",
    "-b",
    "-V",
    "-F",
    "-rpath",
    "-arch",
    "-framework",
    "-mllvm",
    "-wrapper",
    "-aux-info",
    "-dumpbase",
    "-dumpbase-ext",
    "-dumpdir",
    "-Xlinker",
    "-Xassembler",
    "-Xpreprocessor",
    "-Xanalyzer",
    "--param",
    "--serialize-diagnostics",
];

/// Beginnings of other options that matter to the front end, with their value attached or without
/// one.
const FRONT_END: &[&str] = &[
    "-f",
    "-m",
    "-std=",
    "--std=",
    "-ansi",
    "-trigraphs",
    "-traditional",
    "-undef",
    "-pthread",
    "-nostdinc",
    "-nostdlibinc",
    "--sysroot=",
    "--target=",
    "--gcc-toolchain=",
    // Some warnings are errors unless they are switched off.
    "-Wno-",
];

/// Of those, what instruments code, hardens it, changes where sources seem to be or is about the
/// compiler's own output.
const NOT_FOR_BITCODE: &[&str] = &[
    "-fsanitize",
    "-fno-sanitize",
    "-fprofile",
    "-fno-profile",
    "-fcoverage",
    "-ftest-coverage",
    "-finstrument",
    "-fxray",
    "-fstack-protector",
    "-fno-stack-protector",
    "-fstack-clash",
    "-fno-stack-clash",
    "-fcf-protection",
    "-fzero-call-used-regs",
    "-ffp-contract",
    "-fdiagnostics",
    "-fno-diagnostics",
    "-fcolor",
    "-fno-color",
    "-fmessage-length",
    "-fdebug-",
    "-fno-debug-",
    "-feliminate",
    "-fvar-tracking",
    "-fno-var-tracking",
    "-fplugin",
    "-fpass-plugin",
    "-fdump",
    "-fsave",
    "-fno-save",
    "-ftime",
    "-fopt",
    "-fcrash",
    "-fembed",
    "-fpch",
    "-fuse-ld",
    "-fintegrated",
    "-fno-integrated",
    "-Wno-error=unused",
];

/// Link-time optimisation makes objects of bitcode, which cannot carry a section.
fn is_link_time_optimisation(arg: &str) -> bool {
    let exact = ["-ffat-lto-objects", "-fno-fat-lto-objects", "-fuse-linker-plugin", "-fno-use-linker-plugin"];
    arg.starts_with("-flto") || arg.starts_with("-fwhole-program") || exact.contains(&arg)
}

fn is_fortify(definition: &str) -> bool {
    definition.starts_with("_FORTIFY_SOURCE")
}

/// Reads the arguments; those in `@files` too, relative to the current directory.
pub fn parse(args: &[OsString]) -> Invocation {
    let mut parser = Parser::default();
    let mut native = Vec::new();
    for arg in args {
        let inner = expand(arg, 0);
        // A response file stays one: its arguments may be too many for a command line.
        match &inner[..] {
            [one] if one == arg => {
                if !is_link_time_optimisation(&arg.to_string_lossy()) {
                    native.push(arg.clone());
                }
            }
            _ if inner.iter().any(|arg| is_link_time_optimisation(&arg.to_string_lossy())) => {
                native.extend(inner.iter().filter(|arg| !is_link_time_optimisation(&arg.to_string_lossy())).cloned());
            }
            _ => native.push(arg.clone()),
        }
        for arg in inner {
            parser.argument(arg);
        }
    }
    parser.finish(native)
}

const DEEPEST_RESPONSE: usize = 8;

/// The arguments that an `@file` stands for.
fn expand(arg: &OsStr, depth: usize) -> Vec<OsString> {
    let file = arg.as_bytes().strip_prefix(b"@").filter(|_| depth < DEEPEST_RESPONSE);
    match file.and_then(|file| std::fs::read(OsStr::from_bytes(file)).ok()) {
        Some(text) => split(&text).iter().flat_map(|arg| expand(arg, depth + 1)).collect(),
        None => vec![arg.to_owned()],
    }
}

/// Splits text at spaces as compilers do with response files: quotes keep spaces, a backslash keeps
/// what follows.
fn split(text: &[u8]) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = text.iter().copied();
    while let Some(byte) = bytes.next() {
        match (quote, byte) {
            (_, b'\\') => word.get_or_insert_default().extend(bytes.next()),
            (Some(open), _) if byte == open => quote = None,
            (Some(_), _) => word.get_or_insert_default().push(byte),
            (None, b'"' | b'\'') => {
                word.get_or_insert_default();
                quote = Some(byte);
            }
            (None, _) if byte.is_ascii_whitespace() => words.extend(word.take()),
            (None, _) => word.get_or_insert_default().push(byte),
        }
    }
    words.extend(word);
    words.into_iter().map(OsString::from_vec).collect()
}

/// What the next argument is.
#[derive(Clone, Default)]
enum Next {
    #[default]
    Fresh,
    Output,
    Language,
    /// The value of an option for the front end.
    FrontEnd(OsString),
    Ignored,
    Xclang,
}

#[derive(Default)]
struct Parser {
    next: Next,
    language: Option<OsString>,
    only_files: bool,
    compiles: bool,
    is_other: bool,
    is_library: bool,
    is_foreign: bool,
    has_objects: bool,
    sources: Vec<Source>,
    output: Option<OsString>,
    front_end: Vec<OsString>,
    /// What was passed to clang's own front end.
    xclang: Vec<OsString>,
}

impl Parser {
    fn argument(&mut self, arg: OsString) {
        match std::mem::take(&mut self.next) {
            Next::Fresh => self.fresh(arg),
            Next::Output => self.output = Some(arg),
            Next::Language => self.language = Some(arg).filter(|language| language != "none"),
            Next::FrontEnd(option) => self.front_end_pair(option, arg),
            Next::Ignored => {}
            Next::Xclang => self.xclang.push(arg),
        }
    }

    fn front_end_pair(&mut self, option: OsString, value: OsString) {
        if !((option == "-D" || option == "-U") && is_fortify(&value.to_string_lossy())) {
            self.front_end.extend([option, value]);
        }
    }

    fn fresh(&mut self, arg: OsString) {
        let text = arg.to_string_lossy().into_owned();
        let text = text.as_str();
        if self.only_files || !text.starts_with('-') || text == "-" {
            return self.file(arg);
        }
        match text {
            "--" => self.only_files = true,
            "-c" | "--compile" => self.compiles = true,
            "-E" | "-S" | "-M" | "-MM" | "-fsyntax-only" | "-emit-llvm" | "-emit-ast" | "-###" | "--analyze"
            | "--preprocess" | "--assemble" | "--precompile" | "--help" | "--version" => self.is_other = true,
            "-shared" | "--shared" | "-r" | "-nostdlib" => self.is_library = true,
            "-m32" | "-mx32" | "-m16" => {
                self.is_foreign = true;
                self.front_end.push(arg);
            }
            "-o" | "--output" => self.next = Next::Output,
            "-x" => self.next = Next::Language,
            "-Xclang" => self.next = Next::Xclang,
            _ if has_front_end_value_behind(text) => {
                self.is_foreign |= text == "-target";
                self.next = Next::FrontEnd(arg);
            }
            _ if WITH_VALUE.contains(&text) => self.next = Next::Ignored,
            _ => self.attached(arg, text),
        }
    }

    /// An option without a value, or with its value attached.
    fn attached(&mut self, arg: OsString, text: &str) {
        let behind = |length: usize| OsStr::from_bytes(&arg.as_bytes()[length..]).to_owned();
        if text.starts_with("-o") {
            self.output = Some(behind(2));
        } else if text.starts_with("--output=") {
            self.output = Some(behind("--output=".len()));
        } else if text.starts_with("-x") {
            self.language = Some(behind(2)).filter(|language| language != "none");
        } else if let Some(options) = text.strip_prefix("-Wp,") {
            self.preprocessor(options);
        } else if let Some(map) = text.strip_prefix("-ffile-prefix-map=") {
            // Espalier is to find the sources, but what `__FILE__` says stays.
            self.front_end.push(format!("-fmacro-prefix-map={map}").into());
        } else if text.starts_with("-D") || text.starts_with("-U") {
            if !is_fortify(&text[2..]) {
                self.front_end.push(arg);
            }
        } else if FRONT_END.iter().chain(FRONT_END_WITH_VALUE).any(|beginning| text.starts_with(beginning))
            && !is_link_time_optimisation(text)
            && !NOT_FOR_BITCODE.iter().any(|beginning| text.starts_with(beginning))
        {
            self.is_foreign |= text.starts_with("--target=");
            self.front_end.push(arg);
        }
    }

    /// `-Wp,-MD,file,-DNAME`: options for the preprocessor.
    fn preprocessor(&mut self, options: &str) {
        let mut options = options.split(',');
        while let Some(option) = options.next() {
            match option {
                "-MD" | "-MMD" | "-MF" | "-MT" | "-MQ" => {
                    options.next();
                }
                _ if has_front_end_value_behind(option) => {
                    if let Some(value) = options.next() {
                        self.front_end_pair(option.into(), value.into());
                    }
                }
                _ if option.starts_with("-M") || option.starts_with("-Wp,") => {}
                _ => self.fresh(option.into()),
            }
        }
    }

    fn file(&mut self, path: OsString) {
        let explicit = self.language.as_ref().map(|language| language.to_string_lossy().into_owned());
        let language = match &explicit {
            Some(name) => Some(language_of_name(name)),
            None => language_of_file(Path::new(&path)),
        };
        match language {
            Some(Kind::Code(language)) => {
                self.sources.push(Source { path, language, explicit: self.language.clone() });
            }
            Some(Kind::Header) => self.is_other = true,
            None => self.has_objects = true,
        }
    }

    fn finish(mut self, native: Vec<OsString>) -> Invocation {
        self.keep_included();
        let goes_nowhere = self.output.as_ref().is_some_and(|output| output == "-" || output == "/dev/null");
        let action = match (self.is_other || goes_nowhere, self.compiles) {
            (false, true) if !self.sources.is_empty() => Action::Compile,
            (false, false) if self.has_objects || !self.sources.is_empty() => Action::Link,
            _ => Action::Other,
        };
        Invocation {
            action,
            sources: self.sources,
            output: self.output,
            native,
            front_end: self.front_end,
            is_plain_program: action == Action::Link && !self.is_library && !self.is_foreign,
        }
    }

    /// CMake's precompiled headers are `-Xclang -include-pch -Xclang FILE.pch -Xclang -include
    /// -Xclang FILE`: the latter does without the former, which was made with other options than
    /// those for bitcode.
    fn keep_included(&mut self) {
        let mut rest = std::mem::take(&mut self.xclang).into_iter();
        while let Some(option) = rest.next() {
            if option == "-include" {
                self.front_end.extend(rest.next().map(|file| [option, file]).into_iter().flatten());
            } else if option == "-include-pch" {
                rest.next();
            }
        }
    }
}

/// What a file is to the compiler.
enum Kind {
    Code(Language),
    /// To be precompiled.
    Header,
}

fn language_of_name(name: &str) -> Kind {
    match name {
        "c" | "cpp-output" => Kind::Code(Language::C),
        "assembler" | "assembler-with-cpp" => Kind::Code(Language::Assembly),
        "c++" | "c++-cpp-output" => Kind::Code(Language::Cplusplus),
        _ if name.ends_with("-header") => Kind::Header,
        _ => Kind::Code(Language::Other),
    }
}

/// Nothing for what is only linked.
fn language_of_file(path: &Path) -> Option<Kind> {
    Some(match path.extension()?.to_str()? {
        "c" | "i" => Kind::Code(Language::C),
        "s" | "S" | "sx" => Kind::Code(Language::Assembly),
        "cc" | "cp" | "cpp" | "cxx" | "CPP" | "c++" | "C" | "ii" => Kind::Code(Language::Cplusplus),
        "m" | "mm" | "M" | "f" | "F" | "f90" | "F90" | "d" | "go" | "ll" | "bc" => Kind::Code(Language::Other),
        "h" | "hh" | "hpp" | "H" => Kind::Header,
        _ => return None,
    })
}

/// The object that `-c` makes of a source if no output is named.
pub fn object_of(source: &OsStr) -> OsString {
    let mut name = Path::new(source).file_stem().unwrap_or(source).to_owned();
    name.push(".o");
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split_whitespace().map(OsString::from).collect()
    }

    fn joined(words: &[OsString]) -> String {
        words.join(OsStr::new(" ")).to_string_lossy().into_owned()
    }

    /// "compile main.c -> main.o | -Iinclude": what is done with which sources, and what bitcode is
    /// made with.
    #[track_caller]
    fn check(line: &str, expected: &str) {
        let parsed = parse(&words(line));
        let action = format!("{:?}", parsed.action).to_lowercase();
        let sources: Vec<String> =
            parsed.sources.iter().map(|source| source.path.to_string_lossy().into_owned()).collect();
        let output = parsed.output.as_ref().map_or("default".into(), |output| output.to_string_lossy().into_owned());
        let found = format!("{action} {} -> {output} | {}", sources.join(" "), joined(&parsed.front_end));
        assert_eq!(found, expected, "{line}");
    }

    #[test]
    fn plain_lines() {
        check("-c a.c", "compile a.c -> default | ");
        check("-c -o a.o a.c", "compile a.c -> a.o | ");
        check("-c -oa.o a.c", "compile a.c -> a.o | ");
        check("-c --output=a.o a.c", "compile a.c -> a.o | ");
        check("-c a.c b.c", "compile a.c b.c -> default | ");
        check("a.c b.c -o prog -lm", "link a.c b.c -> prog | ");
        check("a.o b.o libx.a -L. -lx -Wl,-rpath,/usr/lib -o prog", "link  -> prog | ");
        check("-O2 -g -Wall -Wextra -Werror -pipe -c a.c", "compile a.c -> default | ");
        check(
            "-I inc -Iinc2 -D X=1 -DY -U Z -std=c99 -c a.c",
            "compile a.c -> default | -I inc -Iinc2 -D X=1 -DY -U Z -std=c99",
        );
        check(
            "-m32 -msse2 -fwrapv -funsigned-char -fPIC -c a.c",
            "compile a.c -> default | -m32 -msse2 -fwrapv -funsigned-char -fPIC",
        );
        check("-c -- -odd.c", "compile -odd.c -> default | ");
    }

    #[test]
    fn what_makes_no_code() {
        check("--version", "other  -> default | ");
        check("-v", "other  -> default | ");
        check("-dumpmachine", "other  -> default | ");
        check("-print-search-dirs", "other  -> default | ");
        check("-E a.c", "other a.c -> default | ");
        check("-E -x c -", "other - -> default | ");
        check("-S a.c -o a.s", "other a.c -> a.s | ");
        check("-M -MF deps a.c", "other a.c -> default | ");
        check("-MM a.c", "other a.c -> default | ");
        check("-fsyntax-only a.c", "other a.c -> default | ");
        check("-c -emit-llvm a.c", "other a.c -> default | ");
        check("-c a.c -o -", "other a.c -> - | ");
        check("-Werror -c -x c /dev/null -o /dev/null", "other /dev/null -> /dev/null | ");
        check("-x c-header all.h -o all.h.gch", "other  -> all.h.gch | ");
        check("-c all.h", "other  -> default | ");
        check("", "other  -> default | ");
        check("-### a.c", "other a.c -> default | ");
    }

    #[test]
    fn automake_and_libtool() {
        check(
            "-DHAVE_CONFIG_H -I. -I.. -I../lib -Wdate-time -D_FORTIFY_SOURCE=2 -g -O2 -MT hello.o -MD -MP -MF .deps/hello.Tpo -c -o hello.o hello.c",
            "compile hello.c -> hello.o | -DHAVE_CONFIG_H -I. -I.. -I../lib",
        );
        check(
            "-DPACKAGE_NAME=\\\"zlib\\\" -DPIC -fPIC -g -O2 -fstack-protector-strong -Wformat -Werror=format-security -MT foo.lo -MD -MP -MF .deps/foo.Tpo -c foo.c -o .libs/foo.o",
            "compile foo.c -> .libs/foo.o | -DPACKAGE_NAME=\\\"zlib\\\" -DPIC -fPIC",
        );
        check(
            "-shared -fPIC -DPIC .libs/a.o .libs/b.o -Wl,--whole-archive ../lib/.libs/libx.a -Wl,--no-whole-archive -lm -g -O2 -Wl,-soname -Wl,libfoo.so.1 -o .libs/libfoo.so.1.0.0",
            "link  -> .libs/libfoo.so.1.0.0 | -fPIC -DPIC",
        );
        check("-g -O2 -o .libs/prog main.o ./.libs/libfoo.so -Wl,-rpath -Wl,/usr/local/lib", "link  -> .libs/prog | ");
        check("-o conftest -g -O2 -rdynamic conftest.c -ldl >&5", "link conftest.c -> conftest | ");
        check("-nostdlib -r -o all.o a.o b.o", "link  -> all.o | ");
    }

    #[test]
    fn cmake_and_meson() {
        check(
            "-DNDEBUG -I/src/include -isystem /src/third -O3 -std=gnu11 -fvisibility=hidden -flto -fno-fat-lto-objects -MD -MT CMakeFiles/p.dir/a.c.o -MF CMakeFiles/p.dir/a.c.o.d -o CMakeFiles/p.dir/a.c.o -c /src/a.c",
            "compile /src/a.c -> CMakeFiles/p.dir/a.c.o | -DNDEBUG -I/src/include -isystem /src/third -std=gnu11 -fvisibility=hidden",
        );
        check(
            "-Winvalid-pch -Xclang -include-pch -Xclang /b/cmake_pch.h.pch -Xclang -include -Xclang /b/cmake_pch.h -o a.o -c a.c",
            "compile a.c -> a.o | -include /b/cmake_pch.h",
        );
        check(
            "-Iprog.p -I. -fdiagnostics-color=always -D_FILE_OFFSET_BITS=64 -Wall -Winvalid-pch -O0 -g -MD -MQ prog.p/main.c.o -MF prog.p/main.c.o.d -o prog.p/main.c.o -c ../main.c",
            "compile ../main.c -> prog.p/main.c.o | -Iprog.p -I. -D_FILE_OFFSET_BITS=64",
        );
        check(
            "-Wl,--as-needed -Wl,--no-undefined -Wl,--start-group liba.a -Wl,--end-group a.o -o prog -T script.ld",
            "link  -> prog | ",
        );
    }

    #[test]
    fn kernel_and_distribution() {
        check(
            "-Wp,-MMD,init/.main.o.d -nostdinc -I./arch/x86/include -include ./include/linux/kconfig.h -D__KERNEL__ -fmacro-prefix-map=./= -Wundef -std=gnu11 -mno-sse -mcmodel=kernel --param asan-stack=1 -fno-strict-aliasing -DKBUILD_MODNAME='\"main\"' -c -o init/main.o init/main.c",
            "compile init/main.c -> init/main.o | -nostdinc -I./arch/x86/include -include ./include/linux/kconfig.h -D__KERNEL__ -fmacro-prefix-map=./= -std=gnu11 -mno-sse -mcmodel=kernel -fno-strict-aliasing -DKBUILD_MODNAME='\"main\"'",
        );
        check(
            "-Wp,-D_FORTIFY_SOURCE=3,-DX=1,-I,inc -Wp,-MD,a.d -D _FORTIFY_SOURCE=2 -U _FORTIFY_SOURCE -U_FORTIFY_SOURCE -c a.c",
            "compile a.c -> default | -DX=1 -I inc",
        );
        check(
            "-ffile-prefix-map=/build/x=. -fdebug-prefix-map=/build/x=. -fstack-clash-protection -fcf-protection -fsanitize=address -specs=/usr/lib/rpm/hard -c a.c",
            "compile a.c -> default | -fmacro-prefix-map=/build/x=.",
        );
        check(
            "-Wno-implicit-function-declaration -Wno-error -c a.c",
            "compile a.c -> default | -Wno-implicit-function-declaration -Wno-error",
        );
        check(
            "-march=native -mtune=generic -pthread -fopenmp -c a.c",
            "compile a.c -> default | -march=native -mtune=generic -pthread -fopenmp",
        );
    }

    #[test]
    fn values_are_no_sources() {
        check("-MF a.c -MT b.c -Xlinker c.c -u main.c -z now -e start -c x.c", "compile x.c -> default | ");
        check("-Xassembler -a.c -Wa,--noexecstack -aux-info proto.c -c x.c", "compile x.c -> default | ");
    }

    #[test]
    fn languages() {
        let language =
            |line: &str| parse(&words(line)).sources.into_iter().map(|source| source.language).collect::<Vec<_>>();
        use Language::{Assembly, C, Cplusplus, Other};
        assert_eq!(
            language("-c a.c b.i c.s d.S e.cc f.cpp g.C h.f90 i.o"),
            [C, C, Assembly, Assembly, Cplusplus, Cplusplus, Cplusplus, Other]
        );
        assert_eq!(
            language("-c -x c a.inc -x assembler-with-cpp b.c -x none c.c -xc++ d.c"),
            [C, Assembly, C, Cplusplus]
        );
        let parsed = parse(&words("-x c - -o prog"));
        assert_eq!((parsed.action, parsed.sources[0].explicit.as_deref()), (Action::Link, Some(OsStr::new("c"))));
    }

    #[test]
    fn only_link_time_optimisation_is_kept_from_the_compiler() {
        let native = |line: &str| joined(&parse(&words(line)).native);
        assert_eq!(native("-flto=auto -ffat-lto-objects -O2 -fno-lto -c a.c -o a.o"), "-O2 -fno-lto -c a.c -o a.o");
        assert_eq!(native("-o prog a.c -Wl,-x -weird"), "-o prog a.c -Wl,-x -weird");
    }

    #[test]
    fn programs_that_can_use_a_library() {
        let is_plain = |line: &str| parse(&words(line)).is_plain_program;
        assert!(is_plain("a.o -o prog"));
        for line in ["-c a.c", "-shared a.o", "-r a.o", "-m32 a.o", "--target=aarch64-linux-gnu a.o", "-nostdlib a.o"] {
            assert!(!is_plain(line), "{line}");
        }
    }

    #[test]
    fn response_files() {
        let dir = tempfile::tempdir().expect("a directory");
        let (inner, outer) = (dir.path().join("inner"), dir.path().join("outer"));
        std::fs::write(&inner, "-DB='x y' \"-I a b\"\n").expect("written");
        std::fs::write(&outer, format!("-c  a\\ b.c\n@{} -o a.o", inner.display())).expect("written");
        let arg = OsString::from(format!("@{}", outer.display()));
        let parsed = parse(std::slice::from_ref(&arg));
        assert_eq!((parsed.action, parsed.output.as_deref()), (Action::Compile, Some(OsStr::new("a.o"))));
        assert_eq!(parsed.sources[0].path, "a b.c");
        assert_eq!(parsed.front_end, ["-DB=x y", "-I a b"]);
        assert_eq!(parsed.native, [arg]);
        std::fs::write(&outer, "-flto -c a.c").expect("written");
        assert_eq!(joined(&parse(&[format!("@{}", outer.display()).into()]).native), "-c a.c");
        check("-c a.c @missing", "compile a.c -> default | ");
    }

    #[test]
    fn objects_without_a_name() {
        assert_eq!(object_of(OsStr::new("../src/a.b.c")), "a.b.o");
        assert_eq!(object_of(OsStr::new("-")), "-.o");
    }
}
