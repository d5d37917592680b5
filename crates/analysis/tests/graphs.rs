//! Order, dominators and loops of random graphs, against what they are defined to be.

use espalier_analysis::{Cfg, Dominators, LoopForest};
use espalier_ir::BlockId;
use proptest::prelude::*;
use std::collections::BTreeSet;

fn graph(successors: &[Vec<usize>]) -> Cfg {
    let blocks = |list: &Vec<usize>| list.iter().copied().map(BlockId::new).collect();
    Cfg::new(&successors.iter().map(blocks).collect::<Vec<_>>())
}

fn all(cfg: &Cfg) -> impl Iterator<Item = BlockId> + use<> {
    (0..cfg.blocks()).map(BlockId::new)
}

/// What can be reached from a block, itself included, without entering blocks that are left out.
fn reached(cfg: &Cfg, from: BlockId, is_left_out: impl Fn(BlockId) -> bool) -> BTreeSet<BlockId> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(block) = open.pop() {
        if !is_left_out(block) && reached.insert(block) {
            open.extend(cfg.successors(block));
        }
    }
    reached
}

/// Is there a way of at least one edge from a block to itself past what is left out?
fn is_in_cycle(cfg: &Cfg, block: BlockId, is_left_out: impl Fn(BlockId) -> bool) -> bool {
    !is_left_out(block) && cfg.successors(block).iter().any(|&next| reached(cfg, next, &is_left_out).contains(&block))
}

fn check_order(cfg: &Cfg) {
    let reachable = reached(cfg, BlockId(0), |_| false);
    let order = cfg.reverse_postorder();
    assert_eq!(order.len(), reachable.len());
    assert_eq!(order.iter().copied().collect::<BTreeSet<_>>(), reachable);
    assert_eq!(order[0], BlockId(0));
    for block in all(cfg) {
        assert_eq!(cfg.is_reachable(block), reachable.contains(&block));
        assert_eq!(cfg.place(block), order.iter().position(|&other| other == block));
        let from = |to: BlockId| {
            all(cfg)
                .flat_map(move |from| cfg.successors(from).iter().map(move |&t| (from, t)))
                .filter(move |&(_, target)| target == to)
                .map(|(from, _)| from)
        };
        assert!(from(block).eq(cfg.predecessors(block).iter().copied()));
    }
    // An edge that does not lead forwards closes a loop: the way back does not come past earlier
    // blocks.
    for (place, &block) in order.iter().enumerate() {
        for &next in cfg.successors(block) {
            if cfg.place(next) <= Some(place) {
                let is_earlier = |other| cfg.place(other) < cfg.place(next);
                assert!(reached(cfg, next, is_earlier).contains(&block), "{block} to {next} in {cfg:?}");
            }
        }
    }
}

fn check_dominators(cfg: &Cfg) {
    let dominators = Dominators::of(cfg);
    for block in all(cfg) {
        let is_reachable = cfg.is_reachable(block);
        let expected: BTreeSet<BlockId> = match is_reachable {
            true => all(cfg).filter(|&above| !reached(cfg, BlockId(0), |b| b == above).contains(&block)).collect(),
            false => BTreeSet::new(),
        };
        for above in all(cfg) {
            let dominates = is_reachable.then(|| expected.contains(&above));
            assert_eq!(dominators.dominates(above, block), dominates, "{above} and {block} in {cfg:?}");
        }
        // The nearest one is dominated by all others.
        let nearest =
            expected.iter().copied().filter(|&above| above != block).max_by_key(|&above| {
                all(cfg).filter(|&higher| dominators.dominates(higher, above) == Some(true)).count()
            });
        assert_eq!(dominators.immediate(block), nearest);
    }
}

fn check_loops(cfg: &Cfg) {
    let forest = LoopForest::of(cfg);
    let heads: BTreeSet<BlockId> = forest.loops().map(|(_, l)| l.head).collect();
    // Every cycle has a head, so none is left without the heads; and heads are in cycles.
    for block in all(cfg).filter(|&block| cfg.is_reachable(block)) {
        assert!(!is_in_cycle(cfg, block, |other| heads.contains(&other)), "{block} in {cfg:?}");
        assert_eq!(heads.contains(&block), cfg.is_loop_head(block), "{block} in {cfg:?}");
        assert_eq!(heads.contains(&block), forest.with_head(block).is_some());
        assert_eq!(forest.around(block).next().is_some(), is_in_cycle(cfg, block, |_| false));
    }
    for (id, l) in forest.loops() {
        let around: Vec<BlockId> = forest.around(l.head).skip(1).map(|outer| forest.get(outer).head).collect();
        assert_eq!(around.len(), l.depth as usize);
        assert!(l.parent.is_none_or(|parent| parent < id && forest.contains(parent, l.head)));
        // A loop is what goes round its head, inside of its parent and past the heads of all around
        // it.
        let inside = |block: BlockId| !around.contains(&block) && l.parent.is_none_or(|p| forest.contains(p, block));
        let members: BTreeSet<BlockId> = all(cfg)
            .filter(|&block| {
                let leads_back = reached(cfg, block, |other| !inside(other)).contains(&l.head);
                leads_back && reached(cfg, l.head, |other| !inside(other)).contains(&block)
            })
            .collect();
        assert_eq!(all(cfg).filter(|&block| forest.contains(id, block)).collect::<BTreeSet<_>>(), members);
        assert!(members.iter().all(|&member| cfg.place(l.head) <= cfg.place(member)));
        let entries = members.iter().filter(|&&member| {
            let is_outside = |from: &BlockId| cfg.is_reachable(*from) && !members.contains(from);
            member == BlockId(0) || cfg.predecessors(member).iter().any(is_outside)
        });
        assert_eq!(l.is_reducible, entries.copied().eq([l.head]), "the loop of {} in {cfg:?}", l.head);
    }
    for from in all(cfg) {
        for &to in cfg.successors(from) {
            let is_around = forest.with_head(to).is_some_and(|id| forest.contains(id, from));
            assert_eq!(cfg.closes_loop(from, to), cfg.is_reachable(from) && is_around, "{from} to {to} in {cfg:?}");
        }
    }
}

fn graphs() -> impl Strategy<Value = Vec<Vec<usize>>> {
    (1usize..12).prop_flat_map(|blocks| prop::collection::vec(prop::collection::vec(0..blocks, 0..4), blocks))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn orders_are_what_they_are_defined_to_be(successors in graphs()) {
        check_order(&graph(&successors));
    }

    #[test]
    fn dominators_are_what_they_are_defined_to_be(successors in graphs()) {
        check_dominators(&graph(&successors));
    }

    #[test]
    fn loops_are_what_they_are_defined_to_be(successors in graphs()) {
        check_loops(&graph(&successors));
    }
}

#[test]
fn a_function_without_blocks_has_no_loops() {
    let cfg = graph(&[]);
    assert!(cfg.reverse_postorder().is_empty());
    assert_eq!(LoopForest::of(&cfg).loops().count(), 0);
}

#[test]
fn loops_are_nested_and_share_no_heads() {
    // while (..) { while (..) {} }, and a block that loops by itself behind it.
    let cfg = graph(&[vec![1], vec![2, 4], vec![3, 1], vec![2], vec![4, 5], vec![]]);
    let forest = LoopForest::of(&cfg);
    let found: Vec<(u32, u32, bool)> = forest.loops().map(|(_, l)| (l.head.0, l.depth, l.is_reducible)).collect();
    assert_eq!(found.len(), 3);
    for expected in [(1, 0, true), (2, 1, true), (4, 0, true)] {
        assert!(found.contains(&expected), "{expected:?} is not in {found:?}");
    }
}

#[test]
fn a_loop_with_two_entries_has_one_head() {
    // A switch into the middle of a loop.
    let cfg = graph(&[vec![1, 2], vec![2], vec![1, 3], vec![]]);
    let forest = LoopForest::of(&cfg);
    let found: Vec<(u32, bool)> = forest.loops().map(|(_, l)| (l.head.0, l.is_reducible)).collect();
    assert_eq!(found.len(), 1);
    assert!(!found[0].1);
    assert_eq!(all(&cfg).filter(|&block| cfg.is_loop_head(block)).count(), 1);
}

#[test]
fn numbers_of_blocks_say_nothing_of_loops() {
    // A diamond whose join has a smaller number than its sides.
    let cfg = graph(&[vec![2, 3], vec![], vec![1], vec![1]]);
    assert!(all(&cfg).all(|block| !cfg.is_loop_head(block)));
}
