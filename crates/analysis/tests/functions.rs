//! Joins and loops of programs in text form.

use espalier_analysis::{Cfg, Join, edges_that_close_loops, joins, targets};
use espalier_ir::{BlockId, Function, parse};

/// What each block of the program's only function is: `.`, `merge` or `loop`.
fn kinds(function: &Function) -> Vec<&'static str> {
    let joins = joins(function, &Cfg::of(function));
    let kind = |start| match joins.get(&start) {
        None => ".",
        Some(Join::Merge) => "merge",
        Some(Join::LoopHead) => "loop",
    };
    function.blocks.iter().map(|block| kind(block.start)).collect()
}

/// The edges that close loops, as pairs of blocks.
fn closing(function: &Function) -> Vec<(u32, u32)> {
    let closes_loop = edges_that_close_loops(function, &Cfg::of(function));
    let mut found = Vec::new();
    for block in (0..function.blocks.len()).map(BlockId::new) {
        function.for_each_edge(function.terminator(block), |edge| {
            if closes_loop[edge.index()] {
                found.push((block.0, function.edge(edge).target.0));
            }
        });
    }
    found
}

#[test]
fn a_loop_with_a_diamond_in_it() {
    let program = parse(
        "fn @f(%0: i1 c) -> i32
bb0:
  jump bb1
bb1:
  branch %0 ? bb2 : bb3
bb2:
  jump bb4
bb3:
  jump bb4
bb4:
  branch %0 ? bb1 : bb5
bb5:
  return 0
",
    )
    .unwrap();
    let function = &program.functions[0];
    assert_eq!(kinds(function), [".", "loop", ".", ".", "merge", "."]);
    assert_eq!(closing(function), [(4, 1)]);
    assert_eq!(targets::loop_heads(&program), [(espalier_ir::FuncId(0), BlockId(1))]);
}

#[test]
fn blocks_that_come_last_close_no_loops() {
    // As the front end puts the comparisons of a switch on a wide number.
    let program = parse(
        "fn @f(%0: i1 c) -> i32
bb0:
  branch %0 ? bb3 : bb4
bb1:
  jump bb2
bb2:
  return 0
bb3:
  jump bb1
bb4:
  branch %0 ? bb1 : bb2
",
    )
    .unwrap();
    let function = &program.functions[0];
    assert_eq!(kinds(function), [".", ".", "merge", ".", "."], "bb1 only leads on to bb2");
    assert_eq!(closing(function), []);
}

#[test]
fn a_switch_into_a_loop_has_one_head() {
    let program = parse(
        "fn @f(%0: i8 n) -> i32
bb0:
  switch i8 %0 { 1 => bb2, 2 => bb3 } else bb1
bb1:
  jump bb2
bb2:
  jump bb3
bb3:
  %1 = eq i8 %0, 0
  branch %1 ? bb1 : bb4
bb4:
  return 0
",
    )
    .unwrap();
    let function = &program.functions[0];
    assert_eq!(kinds(function), [".", "loop", ".", "merge", "."]);
    assert_eq!(closing(function), [(3, 1)]);
}

#[test]
fn both_sides_of_a_branch_to_one_block_join_there() {
    let program = parse("fn @f(%0: i1 c) -> i32\nbb0:\n  branch %0 ? bb1 : bb1\nbb1:\n  return 0\n").unwrap();
    assert_eq!(kinds(&program.functions[0]), [".", "merge"]);
}
