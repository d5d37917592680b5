//! Runs that are stopped and gone on with: all paths are explored, and none twice, whatever
//! searcher explores which part, and without a question to the solver about what was explored
//! before.

use espalier_engine::{
    Config, EarlierLimits, End, EndedPath, Engine, Limits, Observer, ObserverError, Outcome, Program, Selection, Stop,
    Strategy, Tests,
};
use espalier_store::{RecordId, Store};
use rustc_hash::FxHashMap;
use std::path::Path;
use std::rc::Rc;

/// Forks of every kind: branches, switches, objects, values, checks, loops that depend on input.
const FORKS: &str = r#"#include <klee/klee.h>
#include <stdlib.h>
int a[2], b[3], c;
int *table[3] = {a, b, &c};
static int add(int x) { return x + 1; }
static int twice(int x) { return 2 * x; }
int main(void) {
  unsigned char in[8];
  int v = 0;
  klee_make_symbolic(in, sizeof in, "in");
  switch (in[0]) {
  case 1: v = 1; break;
  case 2:
  case 3: v = 2; break;
  case 200: v = 3; break;
  default: v = 4;
  }
  table[in[1] % 3][in[2] & 3] = v;
  if (100 / (in[3] & 3) > 40)
    v++;
  int (*functions[2])(int) = {add, twice};
  v = functions[in[4] & 1](v);
  char *made = malloc(1 + (in[5] & 1));
  made[0] = v;
  for (int i = 0; i < (in[6] & 3); i++)
    if (in[7] >> i & 1)
      v += i;
  free(made);
  if (v > 1000)
    v = 0;
  return v;
}
"#;

/// How each path ended, its depth and length.
#[derive(Default)]
struct Paths(Vec<(String, u32, u64)>);

impl Observer for Paths {
    fn path_ended(&mut self, _: &Program, path: &EndedPath<'_>) -> Result<(), ObserverError> {
        let end = match path.end {
            End::Violation(violation) => format!("{:?}", violation.kind()),
            End::Exit(_) => "exit".to_owned(),
            End::Limit(cut) => format!("{:?}", cut.reason),
            other => panic!("{other:?}"),
        };
        self.0.push((end, path.depth, path.instructions));
        Ok(())
    }
}

fn program(source: &str) -> (Rc<Program>, espalier_engine::FuncId) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("prog.c");
    std::fs::write(&file, source).unwrap();
    let loaded = espalier_engine::load(&espalier_engine::Input { files: vec![file], ..Default::default() }).unwrap();
    (Rc::new(loaded.program), loaded.entry)
}

fn config(search: &str, limits: Limits) -> Config {
    Config { search: Strategy::named(search), tests: Tests::None, limits, ..Config::default() }
}

/// Explores for at most so many instructions more, and gives what is known of the tree then.
fn explore(
    (program, entry): &(Rc<Program>, espalier_engine::FuncId),
    dir: &Path,
    config: Config,
    before: &FxHashMap<u64, EarlierLimits>,
    paths: &mut Paths,
) -> Outcome {
    let mut engine = Engine::new(program.clone(), *entry, config).unwrap();
    if dir.join("tree.db").exists() {
        let mut store = Store::open(dir).unwrap();
        store.begin_run("now", "", "test").unwrap();
        let restored = engine.resume(store, before.clone()).unwrap();
        assert_eq!(restored.damaged, 0);
    } else {
        let mut store = Store::create(dir, &[]).unwrap();
        store.begin_run("now", "", "test").unwrap();
        engine.record(store).unwrap();
    }
    let outcome = engine.run(paths);
    assert_eq!(outcome.observer_error, None);
    assert_eq!(outcome.parking.diverged, 0);
    outcome
}

fn sorted(mut paths: Paths) -> Vec<(String, u32, u64)> {
    paths.0.sort();
    paths.0
}

#[test]
fn stopped_anywhere_and_resumed_by_any_searcher() {
    let program = program(FORKS);
    let whole = tempfile::tempdir().unwrap();
    let mut expected = Paths::default();
    let outcome =
        explore(&program, whole.path(), config("dfs", Limits::default()), &FxHashMap::default(), &mut expected);
    assert_eq!(outcome.stop, None);
    let expected = sorted(expected);
    assert!(expected.len() > 500, "{}", expected.len());
    for (first, steps) in [("dfs", 300), ("bfs", 500), ("random-path", 1_000), ("nurs:covnew", 2_000)] {
        let dir = tempfile::tempdir().unwrap();
        let mut found = Paths::default();
        let searchers = [first, "bfs", "dfs", "random-path", "random-state"];
        let mut instructions = 0;
        for (round, search) in (0..).zip(searchers.into_iter().cycle()) {
            assert!(round < 1000, "it does not end");
            let limits = Limits { max_instructions: Some(instructions + steps), ..Limits::default() };
            let run = explore(&program, dir.path(), config(search, limits), &FxHashMap::default(), &mut found);
            instructions = run.instructions;
            if run.stop.is_none() {
                assert!(round > 3, "it was not stopped often enough");
                assert_eq!(run.paths, outcome.paths);
                assert_eq!(run.coverage, outcome.coverage);
                break;
            }
            assert_eq!(run.stop, Some(Stop::MaxInstructions));
        }
        assert_eq!(sorted(found), expected, "{first}");
        // All is finished: nothing is left to do.
        let mut more = Paths::default();
        let again = explore(&program, dir.path(), config("bfs", Limits::default()), &FxHashMap::default(), &mut more);
        assert_eq!((again.stop, again.instructions, more.0.len()), (None, instructions, 0));
        assert_eq!(again.solver.queries, 0);
    }
}

/// What one run cut is where the next one goes on.
#[test]
fn deeper_limits_go_on_from_the_cuts() {
    let program = program(FORKS);
    let whole = tempfile::tempdir().unwrap();
    let mut expected = Paths::default();
    let outcome =
        explore(&program, whole.path(), config("dfs", Limits::default()), &FxHashMap::default(), &mut expected);
    let dir = tempfile::tempdir().unwrap();
    let (mut found, mut before) = (Paths::default(), FxHashMap::default());
    for (number, depth) in (1..).zip([2, 4, 5, 9, 100]) {
        let limits = Limits { max_depth: Some(depth), ..Limits::default() };
        let run = explore(&program, dir.path(), config("dfs", limits), &before, &mut found);
        assert_eq!(run.paths.limited > 0, depth < 100, "{depth}: {:?}", run.paths);
        before.insert(number, EarlierLimits { max_depth: Some(depth), ..EarlierLimits::default() });
        found.0.retain(|(end, ..)| !end.starts_with("MaxDepth"));
        if depth == 100 {
            assert_eq!(run.paths, outcome.paths);
        }
    }
    assert_eq!(sorted(found), sorted(expected));
}

/// Loops and branches that meet again, with an error that depends on what was chosen.
const MEETING: &str = r#"#include <klee/klee.h>
#include <assert.h>
int main(void) {
  unsigned char in[12];
  unsigned sum = 0, odd = 0;
  klee_make_symbolic(in, sizeof in, "in");
  for (int i = 0; i < 12; i++) {
    if (in[i] & 1) odd++; else odd += 0;
    if (in[i] > 9) sum += 2; else sum += 3;
  }
  assert(sum <= 36);
  assert(sum != 31 || odd < 12);
  return 0;
}
"#;

/// With interpolation, what was learnt before is used after: the errors are the same, nothing is
/// left out wrongly, and little more is explored than in one run.
#[test]
fn what_was_learnt_is_taken_over() {
    let program = program(MEETING);
    let pruned =
        |limits| Config { interpolation: Some(espalier_engine::Method::WeakestPrecondition), ..config("dfs", limits) };
    let whole = tempfile::tempdir().unwrap();
    let mut expected = Paths::default();
    let outcome = explore(&program, whole.path(), pruned(Limits::default()), &FxHashMap::default(), &mut expected);
    assert_eq!((outcome.stop, outcome.distinct_errors), (None, 1));
    let dir = tempfile::tempdir().unwrap();
    let (mut found, mut instructions) = (Paths::default(), 0);
    for round in 0.. {
        let limits = Limits { max_instructions: Some(instructions + outcome.instructions / 8), ..Limits::default() };
        let run = explore(&program, dir.path(), pruned(limits), &FxHashMap::default(), &mut found);
        instructions = run.instructions;
        if run.stop.is_none() {
            assert!(round > 3, "it was not stopped often enough");
            assert_eq!(run.distinct_errors, 1);
            assert!(run.instructions < 2 * outcome.instructions, "{} {}", run.instructions, outcome.instructions);
            break;
        }
        assert!(round < 100, "it does not end: {instructions} {}", outcome.instructions);
    }
}

/// What is below one node is explored, and nothing else; the rest stays unfinished.
#[test]
fn a_selected_subtree_is_all_that_is_explored() {
    let program = program(FORKS);
    let dir = tempfile::tempdir().unwrap();
    let limits = Limits { max_instructions: Some(2_000), ..Limits::default() };
    let mut found = Paths::default();
    let run = explore(&program, dir.path(), config("bfs", limits), &FxHashMap::default(), &mut found);
    assert_eq!(run.stop, Some(Stop::MaxInstructions));
    let open = |node| {
        let mut engine = Engine::new(program.0.clone(), program.1, config("dfs", Limits::default())).unwrap();
        let mut store = Store::open(dir.path()).unwrap();
        store.begin_run("now", "", "test").unwrap();
        let all = engine.resume(store, FxHashMap::default()).unwrap().unfinished;
        (all, engine.select(&Selection { below: Some(node), ..Selection::default() }), engine)
    };
    let (all, below, engine) = open(RecordId(1));
    assert!(0 < below && below < all, "{below} of {all}");
    let outcome = engine.run(&mut found);
    assert_eq!((outcome.stop, outcome.open_states), (Some(Stop::Selected), all - below));
    assert_eq!(open(RecordId(1)).1, 0, "it is finished");
    let (all, below, engine) = open(RecordId(0));
    assert_eq!(all, below);
    assert_eq!(engine.run(&mut found).stop, None);
    let mut expected = Paths::default();
    let whole = tempfile::tempdir().unwrap();
    explore(&program, whole.path(), config("dfs", Limits::default()), &FxHashMap::default(), &mut expected);
    assert_eq!(sorted(found), sorted(expected));
}
