//! Errors as targets: pruning that protects one error at one place loses it nowhere, and says that
//! it cannot happen only where an exploration of all paths does not find it.
//!
//! `ESPALIER_TARGETS_COUNT` sets how many random programs, `ESPALIER_TARGETS_SEED` the first seed.

#[path = "../../cli/tests/support/generator.rs"]
mod generator;

use espalier_analysis::targets;
use espalier_base::Limits;
use espalier_engine::{
    Config, End, EndedPath, Engine, FaultKind, FaultSet, Input, Line, Loaded, Method, Observer, ObserverError, Only,
    Outcome, Program, Proof, Strategy, Tests, Violation, Wants,
};
use std::collections::BTreeSet;
use std::rc::Rc;

/// What may be spent on exploring a program whole.
const WHOLE: u64 = 400_000;

/// Kinds that may be told of an access, depending on the inputs that stand for the path.
const MEMORY: [FaultKind; 7] = [
    FaultKind::Null,
    FaultKind::OutOfBounds,
    FaultKind::UseAfterFree,
    FaultKind::UseAfterReturn,
    FaultKind::DoubleFree,
    FaultKind::InvalidFree,
    FaultKind::ReadOnly,
];

type Errors = BTreeSet<(FaultKind, Line)>;

#[derive(Default)]
struct Found(Errors);

impl Observer for Found {
    fn path_ended(&mut self, _: &Program, path: &EndedPath<'_>) -> Result<(), ObserverError> {
        if let End::Violation(violation) = path.end {
            self.0.extend(error(violation));
        }
        Ok(())
    }
}

fn error(violation: &Violation) -> Option<(FaultKind, Line)> {
    Some((violation.fault.counts_as()?, Line::of(&violation.loc)))
}

fn load(source: &str) -> Loaded {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("prog.c");
    std::fs::write(&file, source).unwrap();
    let include = concat!(env!("CARGO_MANIFEST_DIR"), "/../../runtime/include");
    let cc_args = vec!["-I".into(), include.into()];
    espalier_engine::load(&Input { files: vec![file], cc_args, ..Input::default() }).unwrap()
}

/// All errors of the program, if that is few enough paths.
fn all_errors(loaded: &Loaded) -> Option<Errors> {
    let limits = Limits { max_instructions: Some(WHOLE), ..Limits::default() };
    // The kind that is told of an error may be another one the next time.
    let config = Config { limits, emit_all_errors: true, tests: Tests::None, ..Config::default() };
    let mut found = Found::default();
    let program = Rc::new(loaded.program.clone());
    let outcome = Engine::new(program, loaded.entry, config).unwrap().run(&mut found);
    (outcome.proof() == Some(Proof::Complete)).then_some(found.0)
}

/// Asks about these errors at once, with pruning.
fn ask(loaded: &Loaded, asked: &[(FaultSet, Line)], search: &str) -> (Errors, Outcome) {
    let mut program = loaded.program.clone();
    let sites = asked.iter().map(|(_, line)| targets::error_sites_at(&program, |loc| Line::of(loc) == *line));
    let sites: Vec<_> = sites.collect();
    targets::insert(&mut program, &sites);
    let mut config = Config {
        only: Only::Targets,
        interpolation: Some(Method::WeakestPrecondition),
        search: Strategy::named(search),
        tests: Tests::None,
        verify_pruning: true,
        ..Config::default()
    };
    config.exec.wants = asked
        .iter()
        .map(|&(faults, line)| Wants::Error { faults, lines: vec![line], columns: None, around: Vec::new() })
        .collect();
    let mut found = Found::default();
    let outcome = Engine::new(Rc::new(program), loaded.entry, config).unwrap().run(&mut found);
    (found.0, outcome)
}

/// What was found at a place that a target with these faults must not be refuted for.
fn is_near(errors: &Errors, faults: FaultSet, line: Line) -> bool {
    let near = |kind: FaultKind| {
        faults.contains(kind) || MEMORY.contains(&kind) && faults.iter().any(|wanted| MEMORY.contains(&wanted))
    };
    errors.iter().any(|&(kind, place)| place == line && near(kind))
}

fn check(seed: u64, name: &str, loaded: &Loaded, all: &Errors, asked: &[(FaultSet, Line)]) -> (usize, usize) {
    let search = ["dfs", "bfs", "random-path", "portfolio"][seed as usize % 4];
    let (found, outcome) = ask(loaded, asked, search);
    assert!(outcome.refuted.is_empty(), "{name}, {search}: pruning lost {:?}", outcome.refuted);
    let is_proof = outcome.proof() == Some(Proof::Complete);
    let (mut met, mut refuted) = (0, 0);
    for (index, &(faults, line)) in (0..).zip(asked) {
        let about = format!("{name}, {search}: {:?} at line {}", faults.iter().collect::<Vec<_>>(), line.line);
        if outcome.reached_targets.contains_key(&index) {
            met += 1;
            assert!(found.iter().any(|&(kind, place)| place == line && faults.contains(kind)), "{about}: not told of");
            assert!(is_near(all, faults, line), "{about}: found, but no path of the program has it");
        } else if is_proof && !outcome.close_targets.contains(&index) {
            refuted += 1;
            assert!(!is_near(all, faults, line), "{about}: refuted, but all paths together have {all:?}");
        }
    }
    (met, refuted)
}

/// A random program, with null pointers and objects that are freed in some places.
fn program(seed: u64) -> String {
    let mut text = generator::program(seed);
    if seed.is_multiple_of(2) {
        text = text.replace("    p = &g1;", "    p = 0;").replace("  p = &local[1];", "  p = 0;");
    }
    if seed.is_multiple_of(3) {
        text = text.replace("memset(bytes, 1, sizeof bytes);", "free(h);");
    }
    text
}

fn count(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn asking_about_errors_agrees_with_exploring_everything() {
    let first = count("ESPALIER_TARGETS_SEED", 0);
    let (mut whole, mut met, mut refuted) = (0, 0, 0);
    for seed in first..first + count("ESPALIER_TARGETS_COUNT", 60) {
        let loaded = load(&program(seed));
        let Some(all) = all_errors(&loaded) else { continue };
        whole += 1;
        let file = all.iter().next().map(|(_, line)| line.file);
        let Some(file) = file else { continue };
        let lines: Vec<Line> =
            targets::lines_with_code(&loaded.program, file).into_iter().map(|line| Line { file, line }).collect();
        let memory: FaultSet = MEMORY.into_iter().collect();
        let kinds = [FaultKind::Assertion.into(), FaultKind::DivByZero.into(), FaultKind::Overshift.into(), memory];
        let everywhere: Vec<(FaultSet, Line)> = lines.iter().flat_map(|&line| kinds.map(|kind| (kind, line))).collect();
        let mut asked: Vec<Vec<(FaultSet, Line)>> = vec![everywhere.clone()];
        asked.extend(all.iter().map(|&(kind, line)| vec![(kind.into(), line)]));
        asked.extend(everywhere.iter().skip(seed as usize % 7).step_by(17).map(|&one| vec![one]));
        for asked in asked {
            let (new_met, new_refuted) = check(seed, &format!("seed {seed}"), &loaded, &all, &asked);
            (met, refuted) = (met + new_met, refuted + new_refuted);
        }
    }
    // An oracle that decides nothing finds nothing.
    assert!(whole >= 10 && met >= 30 && refuted >= 300, "{whole} programs, {met} met, {refuted} refuted");
}

/// Asks about a fault at each line that is marked `// here`, and gives what was found there.
fn at_marks(source: &str, faults: &[FaultKind]) -> (Vec<bool>, Outcome) {
    let loaded = load(source);
    let file = loaded.program.function(loaded.entry).loc.file;
    let lines = (1..).zip(source.lines()).filter(|(_, text)| text.contains("// here"));
    let faults: FaultSet = faults.iter().copied().collect();
    let asked: Vec<_> = lines.map(|(line, _)| (faults, Line { file, line })).collect();
    let (_, outcome) = ask(&loaded, &asked, "dfs");
    let met = (0..asked.len() as u32).map(|index| outcome.reached_targets.contains_key(&index)).collect();
    (met, outcome)
}

#[test]
fn an_error_in_the_library_is_at_the_call_of_the_program() {
    let source = "#include <klee/klee.h>\n#include <string.h>\n\
        int main(void) {\n  char b[4]; int n = klee_int(\"n\"); char *p = n > 3 ? 0 : b;\n\
        memset(b, 'x', 3); b[3] = 0;\n\
        unsigned long a = strlen(b); // here\n\
        if (n == 7) a += strlen(p); // here\n\
        return (int)a;\n}\n";
    let (met, outcome) = at_marks(source, &[FaultKind::Null]);
    assert_eq!(met, [false, true]);
    assert_eq!(outcome.passed_targets, [0, 1]);
}

#[test]
fn a_path_goes_on_past_the_place_and_beside_the_error() {
    let source = "#include <klee/klee.h>\n\
        int main(void) {\n  int n = klee_int(\"n\"), t[4] = {0};\n\
        t[n & 7] = 1; // here\n\
        t[n & 3] = 2; // here\n\
        return 10 / t[(n & 3) + (n == 2)]; // here\n}\n";
    let (met, outcome) = at_marks(source, &[FaultKind::OutOfBounds, FaultKind::DivByZero]);
    assert_eq!(met, [true, false, true]);
    assert_eq!(outcome.proof(), Some(Proof::Complete));
}

#[test]
fn other_errors_end_their_paths_and_are_told_of_once() {
    let source = "#include <klee/klee.h>\n\
        int main(void) {\n  int n = klee_int(\"n\"), *p = 0;\n\
        int d = 100 / (n & 15);\n\
        return n == 1600 ? *p : d; // here\n}\n";
    let (met, outcome) = at_marks(source, &[FaultKind::Null]);
    assert_eq!(met, [false], "what divides by zero does not come there");
    assert_eq!((outcome.paths.errors, outcome.distinct_errors), (1, 1));
    assert_eq!(outcome.proof(), Some(Proof::Complete));
}
