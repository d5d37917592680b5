//! The same path has the same terms, whichever paths were explored before it and whichever process
//! reads them.

#[path = "support/programs.rs"]
mod programs;

use espalier_base::Limits;
use espalier_engine::{Config, EndedPath, Engine, Observer, ObserverError, Program, Strategy, Tests};
use espalier_expr::codec::{Root, export, import};
use espalier_expr::{PathCondition, Prefix, Term, Terms};
use programs::programs;
use std::rc::Rc;

/// Paths of a run whose conditions are written down and read again.
const READ_AGAIN: usize = 50;

/// Digests of the conditions of all paths that ended.
#[derive(Default)]
struct Digests(Vec<Prefix>);

impl Observer for Digests {
    fn path_ended(&mut self, _: &Program, path: &EndedPath<'_>) -> Result<(), ObserverError> {
        self.0.push(path.condition.prefix());
        if self.0.len() > READ_AGAIN {
            return Ok(());
        }
        let conditions: Vec<Root> = path.condition.to_vec().into_iter().map(Root::Term).collect();
        let mut elsewhere = Terms::new();
        let read = import(&mut elsewhere, &export(path.terms, &conditions))?;
        let read: Vec<Term> = read
            .into_iter()
            .filter_map(|root| match root {
                Root::Term(term) => Some(term),
                Root::Array(_) | Root::Model(_) => None,
            })
            .collect();
        if PathCondition::of(&elsewhere, &read).prefix() != path.condition.prefix() {
            let shown: Vec<String> = read.iter().map(|&term| elsewhere.display(term).to_string()).collect();
            return Err(format!("a path condition that is read as {shown:?}").into());
        }
        Ok(())
    }
}

/// The digests in their order, if all paths were explored.
fn digests(program: &Rc<Program>, entry: espalier_ir::FuncId, search: &str) -> Option<Vec<Prefix>> {
    let limits = Limits { max_instructions: Some(200_000), ..Limits::default() };
    let config = Config { search: Strategy::named(search), limits, tests: Tests::None, ..Config::default() };
    let mut seen = Digests::default();
    let outcome = Engine::new(program.clone(), entry, config).ok()?.run(&mut seen);
    assert_eq!(outcome.observer_error, None, "{search}");
    seen.0.sort_unstable();
    outcome.is_complete().then_some(seen.0)
}

/// The same sums, of parts that one side of each branch builds in another order than the other.
const ORDERS: &str = r#"#include <klee/klee.h>
int main(void) {
  unsigned a, b, above = 0;
  unsigned char sides[4];
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  klee_make_symbolic(sides, sizeof sides, "sides");
  for (unsigned i = 0; i < 4; i++) {
    unsigned left, right;
    if (sides[i]) {
      left = a ^ (5 + i);
      right = b ^ (9 + i);
    } else {
      right = b ^ (9 + i);
      left = a ^ (5 + i);
    }
    if ((left & right) > 1000)
      above++;
  }
  return above;
}
"#;

#[test]
fn searchers_build_the_same_terms_in_other_orders() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("orders.c");
    std::fs::write(&file, ORDERS).expect("a file");
    let input = espalier_engine::Input { files: vec![file], ..Default::default() };
    let loaded = espalier_engine::load(&input).expect("a program");
    let program = Rc::new(loaded.program);
    let expected = digests(&program, loaded.entry, "dfs").expect("all paths");
    assert!(expected.len() > 100, "{} paths", expected.len());
    for search in espalier_search::NAMES {
        assert_eq!(digests(&program, loaded.entry, search).as_ref(), Some(&expected), "{search}");
    }
}

#[test]
fn searchers_build_the_same_terms() {
    let (mut compared, mut paths, mut wrong) = (0, 0, Vec::new());
    let programs = programs(&["pass", "klee"]);
    for file in &programs {
        let input = espalier_engine::Input { files: vec![file.clone()], ..Default::default() };
        let Ok(loaded) = espalier_engine::load(&input) else { continue };
        let program = Rc::new(loaded.program);
        let Some(first) = digests(&program, loaded.entry, "dfs") else { continue };
        for search in ["random-path", "bfs"] {
            let Some(second) = digests(&program, loaded.entry, search) else { continue };
            compared += 1;
            paths += second.len();
            if first != second {
                wrong.push(format!("{}: {search}", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    // Some have to be told more than their file, or are not explored completely.
    assert!(10 * compared > 9 * 2 * programs.len(), "{compared} runs of {} programs", programs.len());
    assert!(paths > 1500, "{paths} paths");
}
