//! The engine through its embedding API: searchers, stopping, failing observers.

use espalier_engine::{
    Config, End, EndedPath, Engine, Error, Input, Item, Observer, ObserverError, Outcome, Program, Stop, StopFlag,
    Strategy,
};
use std::rc::Rc;

/// 27 paths: 26 exits and an error, over three input bytes.
const SOURCE: &str = r#"#include <klee/klee.h>
int main(void) {
  unsigned char in[3];
  int value = 0;
  klee_make_symbolic(in, sizeof in, "in");
  for (int i = 0; i < 3; i++) {
    if (in[i] < 'a')
      value = 3 * value;
    else if (in[i] == 'a')
      value = 3 * value + 1;
    else
      value = 3 * value + 2;
  }
  klee_assert(value != 14);
  return 0;
}
"#;

fn engine(config: Config) -> Result<Engine, Error> {
    engine_of(SOURCE, config)
}

fn engine_of(source: &str, config: Config) -> Result<Engine, Error> {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("prog.c");
    std::fs::write(&file, source).unwrap();
    let input = espalier_engine::Input { files: vec![file], ..Default::default() };
    let loaded = espalier_engine::load(&input).unwrap();
    Engine::new(Rc::new(loaded.program), loaded.entry, config)
}

#[derive(Default)]
struct Record {
    exits: Vec<Vec<u8>>,
    errors: Vec<Vec<u8>>,
    fail_after: Option<usize>,
}

impl Observer for Record {
    fn path_ended(&mut self, _: &Program, path: &EndedPath<'_>) -> Result<(), ObserverError> {
        let bytes = path.test.unwrap().objects[0].1.clone();
        match path.end {
            End::Exit(_) => self.exits.push(bytes),
            End::Violation(_) => self.errors.push(bytes),
            other => panic!("{other:?}"),
        }
        match self.fail_after {
            Some(0) => Err("the disk is full".into()),
            Some(_) => {
                self.fail_after = self.fail_after.map(|left| left - 1);
                Ok(())
            }
            None => Ok(()),
        }
    }
}

fn run(config: Config) -> (Record, Outcome) {
    let mut record = Record::default();
    let outcome = engine(config).unwrap().run(&mut record);
    (record, outcome)
}

fn with_search(search: &str) -> Config {
    Config { search: Strategy::named(search), ..Config::default() }
}

#[test]
fn every_searcher_finds_every_path() {
    for search in espalier_search::NAMES {
        let (record, outcome) = run(with_search(search));
        assert_eq!((record.exits.len(), record.errors.len()), (26, 1), "{search}");
        assert_eq!((outcome.paths.completed, outcome.paths.errors, outcome.forks), (26, 1, 26), "{search}");
        assert!(outcome.is_complete() && outcome.stop.is_none(), "{search}");
        assert_eq!(outcome.exit_code(), 10);
        let [a, b, c] = record.errors[0][..] else { panic!("{:?}", record.errors) };
        assert!(a == b'a' && b == b'a' && c > b'a', "{search}: {:?}", record.errors);
    }
}

#[test]
fn the_same_configuration_gives_the_same_paths_in_the_same_order() {
    for search in espalier_search::NAMES {
        let (first, second) = (run(with_search(search)).0, run(with_search(search)).0);
        assert_eq!((first.exits, first.errors), (second.exits, second.errors), "{search}");
    }
}

/// 3^9 paths, each of them far shorter than a turn.
const MANY_PATHS: &str = r#"#include <klee/klee.h>
int main(void) {
  unsigned char in[9];
  klee_make_symbolic(in, sizeof in, "in");
  int value = 0;
  for (int i = 0; i < 9; i++)
    if (in[i] < 'a')
      value++;
    else if (in[i] == 'a')
      value--;
  return value;
}
"#;

#[test]
fn states_inherit_turns_of_those_that_forked_them() {
    // Do consecutive paths differ in nothing but their last bytes, as depth first? The percentage
    // of those that do, among the first paths and among the last.
    let neighbours = |search: &str| {
        let mut record = Record::default();
        engine_of(MANY_PATHS, with_search(search)).unwrap().run(&mut record);
        assert_eq!(record.exits.len(), 19_683, "{search}");
        let kinds = |bytes: &Vec<u8>| bytes.iter().map(|byte| byte.cmp(&b'a')).collect::<Vec<_>>();
        let paths: Vec<Vec<std::cmp::Ordering>> = record.exits.iter().map(kinds).collect();
        let is_near = |pair: &&[Vec<std::cmp::Ordering>]| pair[0][..6] == pair[1][..6];
        let near = |paths: &[Vec<std::cmp::Ordering>]| paths.windows(2).filter(is_near).count() * 100 / paths.len();
        (near(&paths[..20]), near(&paths[paths.len() / 2..]))
    };
    let (first, last) = neighbours("dfs");
    assert!(first > 90 && last > 90, "{first} {last}");
    let (first, last) = neighbours("random-path");
    assert!(first < 50, "chance decides at first: {first} %");
    assert!(last > 70, "later, turns are inherited: {last} %");
}

#[test]
fn a_flag_stops_the_run_and_nothing_is_forgotten() {
    let flag = StopFlag::new();
    flag.ask();
    let mut engine = engine(with_search("dfs")).unwrap();
    engine.stop_with(flag);
    let outcome = engine.run(&mut Record::default());
    assert_eq!(outcome.stop, Some(Stop::Interrupted));
    assert!(outcome.open_states >= 1);
    assert_eq!(outcome.open.iter().map(|group| group.states).sum::<u64>(), outcome.open_states);
    assert_eq!(outcome.exit_code(), 5);
}

#[test]
fn an_observer_that_fails_ends_the_run() {
    let mut record = Record { fail_after: Some(4), ..Record::default() };
    let outcome = engine(with_search("dfs")).unwrap().run(&mut record);
    assert_eq!(record.exits.len() + record.errors.len(), 5);
    assert_eq!(outcome.stop, Some(Stop::Observer));
    assert_eq!(outcome.observer_error.as_deref(), Some("the disk is full"));
    assert_eq!(outcome.exit_code(), 6);
    assert_eq!(outcome.paths.ended(), 5);
}

#[test]
fn an_unknown_searcher_is_refused() {
    let error = engine(with_search("nurs:covnw")).err().unwrap();
    assert!(error.to_string().contains("did you mean \"nurs:covnew\"?"), "{error}");
}

#[test]
fn instructions_are_limited_to_the_end_of_a_block() {
    let mut config = with_search("bfs");
    config.limits.max_instructions = Some(25);
    let (_, outcome) = run(config);
    assert_eq!(outcome.stop, Some(Stop::MaxInstructions));
    assert!((25..50).contains(&outcome.instructions), "{}", outcome.instructions);
}

/// The C library is chosen as on the command line: one with regular expressions, if the program has
/// some.
#[test]
fn a_program_gets_the_library_that_it_needs() {
    let source = r#"#include <klee/klee.h>
#include <regex.h>
int main(int argc, char **argv) {
  regex_t expression;
  char text[2] = "";
  klee_make_symbolic(text, 1, "text");
  klee_assert(argc == 2 && argv[1][0] == 'x');
  if (regcomp(&expression, "[0-9]", REG_NOSUB))
    return 1;
  klee_assert(regexec(&expression, text, 0, 0, 0));
  return 0;
}
"#;
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("prog.c");
    std::fs::write(&file, source).unwrap();
    let loaded = espalier_engine::load(&Input { files: vec![file], ..Input::default() }).unwrap();
    assert!(loaded.has_environment, "it takes `make libc`");
    let mut config = Config { exit_on_error: true, ..Config::default() };
    config.give(&loaded, &[Item::Argument("x".into())]);
    let mut record = Record::default();
    let engine = Engine::new(Rc::new(loaded.program), loaded.entry, config).unwrap();
    let outcome = engine.run(&mut record);
    assert_eq!((outcome.stop, record.errors.len()), (Some(Stop::FirstError), 1));
    assert!(record.errors[0][0].is_ascii_digit(), "{:?}", record.errors);
}
