//! Every program of the test suite loads, the result is well formed, and its text form says all of
//! it.

mod support;

use espalier_frontend::load;
use espalier_ir::Loc;
use std::path::{Path, PathBuf};

fn programs(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            programs(&path, found);
        } else if path.extension().is_some_and(|ext| ext == "c") {
            found.push(path);
        }
    }
}

#[test]
fn all_test_programs_load() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let mut files = Vec::new();
    programs(&root, &mut files);
    files.sort();
    // `load` verifies what it gives. Old C comes with warnings.
    let is_old = |file: &Path| file.starts_with(root.join("old"));
    let check = |file: &PathBuf| match load(&support::input(file, &[])) {
        Ok(loaded) if loaded.warnings.is_empty() || is_old(file) => {
            support::round_trip::difference(&loaded.program).map(|what| format!("{}: {what}", file.display()))
        }
        Ok(loaded) => Some(format!("{}: {:?}", file.display(), loaded.warnings)),
        Err(error) => Some(format!("{}: {error}", file.display())),
    };
    let at_once = std::thread::available_parallelism().map_or(1, usize::from);
    let failures: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = files
            .chunks(files.len().div_ceil(at_once).max(1))
            .map(|part| scope.spawn(move || part.iter().filter_map(check).collect::<Vec<_>>()))
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker panicked")).collect()
    });
    assert!(failures.is_empty(), "{} of {} files:\n{}", failures.len(), files.len(), failures.join("\n"));
}

/// Which variables are in registers where loops begin need not be found out; nothing else depends
/// on it, such as the names of parameters and inputs.
#[test]
fn without_variables_at_loops_all_else_is_the_same() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let mut files = Vec::new();
    programs(&root, &mut files);
    files.sort();
    let mut loops = 0;
    for file in files.iter().step_by(12) {
        let [mut with, mut without] = [true, false].map(|loop_variables| {
            let input = espalier_frontend::Input { loop_variables, ..support::input(file, &[]) };
            load(&input).unwrap_or_else(|error| panic!("{}: {error}", file.display())).program
        });
        for function in &mut with.functions {
            for site in &mut function.loops {
                loops += site.variables.len();
                (site.variables, site.names) = Default::default();
            }
        }
        // What has no place of its own, as jumps and the compiler's own variables, has that of what
        // comes before it, descriptions included.
        let programs = [&mut with, &mut without];
        for function in programs.into_iter().flat_map(|program| &mut program.functions) {
            function.locs.fill(Loc::UNKNOWN);
            let unnamed = function.allocas.iter_mut().filter(|site| site.name.is_empty());
            unnamed.for_each(|site| site.loc = Loc::UNKNOWN);
        }
        let texts = [with.to_string(), without.to_string()];
        let different = texts[0].lines().zip(texts[1].lines()).find(|(a, b)| a != b);
        assert!(with == without, "{}: {different:?}", file.display());
    }
    assert!(loops > 20, "{loops}");
}
