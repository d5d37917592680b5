//! The C programs of the tests that have inputs.

use std::path::{Path, PathBuf};

/// Those in these folders of `tests/c`, in order.
pub fn programs(folders: &[&str]) -> Vec<PathBuf> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let mut found = Vec::new();
    for folder in folders {
        let files = std::fs::read_dir(tests.join(folder)).expect("the programs");
        let sources = files.filter_map(|file| Some(file.ok()?.path()));
        found.extend(sources.filter(|path| {
            let has_inputs = |text: String| text.contains("klee_") || text.contains("__VERIFIER_nondet");
            path.extension().is_some_and(|kind| kind == "c") && std::fs::read_to_string(path).is_ok_and(has_inputs)
        }));
    }
    found.sort();
    found
}
