//! The samples, as they are checked in.

use std::path::PathBuf;

pub const SAMPLES: [&str; 10] = [
    "clang.sarif",
    "clang.txt",
    "codeql.sarif",
    "cppcheck.txt",
    "cppcheck.xml",
    "gcc-13.sarif",
    "gcc-events.txt",
    "gcc.txt",
    "gcc.json",
    "places.txt",
];

pub fn directory() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/samples")
}

pub fn sample(name: &str) -> String {
    std::fs::read_to_string(directory().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}
