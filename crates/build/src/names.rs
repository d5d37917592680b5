//! The names under which builds call compilers and archivers, and where the real ones are.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Tool {
    C,
    Cplusplus,
    Archiver,
}

/// These exist in every build.
pub const ALWAYS: [&str; 5] = ["cc", "gcc", "clang", "c89", "c99"];

const BASES: [(&str, Tool); 11] = [
    ("cc", Tool::C),
    ("gcc", Tool::C),
    ("clang", Tool::C),
    ("c89", Tool::C),
    ("c99", Tool::C),
    ("c++", Tool::Cplusplus),
    ("g++", Tool::Cplusplus),
    ("clang++", Tool::Cplusplus),
    ("ar", Tool::Archiver),
    ("gcc-ar", Tool::Archiver),
    ("llvm-ar", Tool::Archiver),
];

/// What a program of that name does: `gcc`, `clang-19`, `x86_64-linux-gnu-gcc-12`. Compilers for
/// other machines are not meant.
pub fn tool(name: &OsStr) -> Option<Tool> {
    let name = name.to_str()?;
    let unversioned = match name.rsplit_once('-') {
        Some((base, version)) if !version.is_empty() && version.bytes().all(|b| b.is_ascii_digit() || b == b'.') => {
            base
        }
        _ => name,
    };
    let is_called = |base: &str| match unversioned.strip_suffix(base) {
        Some("") => true,
        Some(prefix) => {
            prefix.ends_with('-')
                && prefix.strip_prefix(std::env::consts::ARCH).is_some_and(|rest| rest.starts_with('-'))
        }
        None => false,
    };
    BASES.iter().find(|(base, _)| is_called(base)).map(|(_, tool)| *tool)
}

/// The compilers and archivers that can be called here.
pub fn present(path: &OsStr) -> Vec<OsString> {
    let entries = std::env::split_paths(path).filter_map(|dir| std::fs::read_dir(dir).ok()).flatten().flatten();
    let mut names: Vec<OsString> = entries.map(|entry| entry.file_name()).filter(|name| tool(name).is_some()).collect();
    names.extend(ALWAYS.map(OsString::from));
    names.sort();
    names.dedup();
    names
}

/// The program of that name in a list of directories; a name with a slash is a path.
pub fn find(name: &OsStr, path: &OsStr) -> Option<PathBuf> {
    if Path::new(name).components().count() > 1 {
        return Path::new(name).is_file().then(|| name.into());
    }
    std::env::split_paths(path).map(|dir| dir.join(name)).find(|file| file.is_file())
}

/// A list of directories without this one.
pub fn without(path: &OsStr, dir: &Path) -> OsString {
    let rest = std::env::split_paths(path).filter(|entry| entry != dir);
    // What was split can be joined.
    std::env::join_paths(rest).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tools() {
        let arch = std::env::consts::ARCH;
        for name in [
            "cc",
            "gcc",
            "gcc-12",
            "clang-19",
            "c99",
            "clang",
            &format!("{arch}-linux-gnu-gcc-12"),
            &format!("{arch}-pc-linux-gnu-cc"),
        ] {
            assert_eq!(tool(OsStr::new(name)), Some(Tool::C), "{name}");
        }
        for name in ["c++", "g++-12", "clang++"] {
            assert_eq!(tool(OsStr::new(name)), Some(Tool::Cplusplus), "{name}");
        }
        for name in
            ["ar", "gcc-ar", "llvm-ar-19", &format!("{arch}-linux-gnu-ar"), &format!("{arch}-linux-gnu-gcc-ar-12")]
        {
            assert_eq!(tool(OsStr::new(name)), Some(Tool::Archiver), "{name}");
        }
        for name in ["espalier", "tcc", "sparc-elf-gcc", "c99-gcc", "clang-cpp", "gcc-nm", "tar", "gcc-", "bar"] {
            assert_eq!(tool(OsStr::new(name)), None, "{name}");
        }
    }

    #[test]
    fn directories_in_a_list() {
        let path = OsStr::new("/a:/b:/a");
        assert_eq!(without(path, Path::new("/a")), "/b");
        assert!(find(OsStr::new("sh"), OsStr::new("/nowhere:/bin")).is_some());
        assert!(find(OsStr::new("sh"), OsStr::new("/nowhere")).is_none());
    }
}
