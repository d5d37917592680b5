//! Many targets, of which some draw the search for ever and cannot be reached: those behind them
//! are reached too, since targets are in focus one after the other.

use espalier_analysis::targets;
use espalier_base::Limits;
use espalier_engine::{Config, EndedPath, Engine, Input, Line, Loaded, Observer, ObserverError, Only, Outcome};
use espalier_engine::{Program, Strategy, Tests};
use std::fmt::Write;
use std::rc::Rc;

/// Ends the run when so many targets were reached.
struct Until(usize);

impl Observer for Until {
    fn path_ended(&mut self, _: &Program, path: &EndedPath<'_>) -> Result<(), ObserverError> {
        self.0 = self.0.saturating_sub(path.targets.len());
        if self.0 == 0 { Err("all that can be reached was".into()) } else { Ok(()) }
    }
}

fn load(source: &str) -> Loaded {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("prog.c");
    std::fs::write(&file, source).unwrap();
    espalier_engine::load(&Input { files: vec![file], ..Input::default() }).unwrap()
}

/// The lines that have this comment at their ends.
fn lines(loaded: &Loaded, source: &str, mark: &str) -> Vec<Line> {
    let file = loaded.program.function(loaded.entry).loc.file;
    let marked = (1..).zip(source.lines()).filter(|(_, line)| line.ends_with(mark));
    marked.map(|(line, _)| Line { file, line }).collect()
}

/// Looks for places with so many instructions at most, until `enough` were reached; which were?
fn look(
    loaded: &Loaded,
    places: &[Line],
    flows: &[Vec<Vec<Line>>],
    names: &[&str],
    (enough, most): (usize, u64),
) -> (Vec<u32>, Outcome) {
    let mut program = loaded.program.clone();
    let sites = places.iter().map(|place| targets::sites_at(&program, place.file, place.line, None));
    let sites: Vec<_> = sites.collect();
    assert!(sites.iter().all(|sites| !sites.is_empty()), "every line has code");
    targets::insert(&mut program, &sites);
    let config = Config {
        only: Only::Targets,
        search: Strategy { names: names.iter().map(|name| (*name).to_owned()).collect(), ..Strategy::default() },
        tests: Tests::None,
        limits: Limits { max_instructions: Some(most), ..Limits::default() },
        flows: flows.to_vec(),
        ..Config::default()
    };
    let outcome = Engine::new(Rc::new(program), loaded.entry, config).unwrap().run(&mut Until(enough));
    (outcome.reached_targets.keys().copied().collect(), outcome)
}

const NEAR: u32 = 40;
const FAR: u32 = 60;

/// `spin` is endless and near to targets that cannot be reached. At each step of a long way to
/// others, all numbers but one lead there.
fn program() -> String {
    let mut text = "int klee_int(const char *name);\nint seen;\nstatic void spin(void) {\n    for (;;) {\n".to_owned();
    text += "        unsigned char x = klee_int(\"x\");\n        for (int i = 0; i < 1000; i++)\n";
    text += "            seen = seen * 3 + i;\n        if (x < 10) {\n            seen++;\n            if (x > 20) {\n";
    for near in 0..NEAR {
        writeln!(text, "                seen = {near}; // near").unwrap();
    }
    text += "            }\n        }\n    }\n}\nint main(void) {\n    int a = klee_int(\"a\"), b = 1;\n";
    for step in 0..20 {
        writeln!(text, "    if (klee_int(\"step\") != {})\n        spin();", step + 70).unwrap();
        text += &"    a = a * 3 + b;\n".repeat(30);
    }
    text += "    switch (klee_int(\"far\")) {\n";
    for far in 0..FAR {
        write!(text, "    case {far}:\n        seen = {far}; // far\n        break;\n").unwrap();
    }
    text + "    }\n    return a + b;\n}\n"
}

/// The first needs 43 million instructions, the second one 104 million.
#[test]
fn what_is_behind_endless_code_near_other_targets_is_reached() {
    let source = program();
    let loaded = load(&source);
    let places = [lines(&loaded, &source, "// near"), lines(&loaded, &source, "// far")].concat();
    let far: Vec<u32> = (NEAR..NEAR + FAR).collect();
    assert_eq!(places.len() as u32, NEAR + FAR);
    const MOST: u64 = 200_000_000;
    for names in [&["sdse:focus"][..], &["portfolio:directed"]] {
        let (reached, outcome) = look(&loaded, &places, &[], names, (far.len(), MOST));
        eprintln!("{names:?}: {} reached, {} instructions", reached.len(), outcome.instructions);
        assert_eq!(reached, far, "{names:?}, {} instructions", outcome.instructions);
    }
    // Going to the nearest by itself does not come there.
    let (reached, _) = look(&loaded, &places, &[], &["sdse:aged", "sdse"], (far.len(), MOST));
    assert!(reached.is_empty(), "{reached:?}");
}

/// A target that `spin` seems to lead to, and a longer way does.
fn two_ways() -> String {
    let mut text =
        "int klee_int(const char *name);\nint hits;\nstatic void hit(void) {\n    hits++; // target\n}\n".to_owned();
    text += "static void spin(int a, int b) {\n    for (;;) {\n        unsigned char x = klee_int(\"x\");\n";
    text += &"        a = a * 3 + b;\n".repeat(100);
    text += "        if (x * x % 4 == 2)\n            hit();\n        if (x == 3)\n            a++;\n    }\n}\n";
    text += "int main(void) {\n    int a = klee_int(\"a\"), b = 1;\n";
    for step in 0..20 {
        writeln!(text, "    if (klee_int(\"step\") == {}) {{ // step", step + 70).unwrap();
        text += &"        a = a * 3 + b;\n".repeat(10);
        text += "    } else\n        spin(a, b);\n";
    }
    text + "    hit();\n    return a + b;\n}\n"
}

#[test]
fn the_steps_of_a_flow_draw_the_search() {
    let source = two_ways();
    let loaded = load(&source);
    let places = lines(&loaded, &source, "// target");
    let flow = lines(&loaded, &source, "// step");
    assert_eq!((places.len(), flow.len()), (1, 20));
    const MOST: u64 = 1_000_000;
    let (reached, outcome) = look(&loaded, &places, &[vec![flow]], &["sdse"], (2, MOST));
    assert_eq!(reached, [0]);
    assert!(outcome.instructions < MOST / 20, "{} instructions", outcome.instructions);
    let (reached, _) = look(&loaded, &places, &[], &["sdse"], (2, MOST));
    assert!(reached.is_empty(), "going straight to what is nearest, it stays in the loop");
}
