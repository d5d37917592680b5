//! Which registers are live, against what that means; and compaction: what the map says is what
//! became of them.

use espalier_analysis::{Liveness, compact_registers};
use espalier_base::Rng;
use espalier_ir::{BlockId, FuncId, Function, Operand, Program, Reg, parse, verify, verify_compacted};
use std::collections::BTreeSet;
use std::fmt::Write;

const PROGRAM: &str = "declare @setjmp(%0: i64) -> i32
fn @chain(%0: i32 x, %1: i1 c) -> i32
bb0:
  %2 = add i32 %0, 1
  %3 = add i32 %2, 2
  %4 = mul i32 %3, %3
  %5 = slt i32 %4, 9
  branch %5 ? bb1 [%6 = i32 %4] : bb2
bb1:
  %7 = add i32 %6, %0
  %8 = sgt i32 %7, 100
  branch %8 ? bb2 : bb1 [%6 = i32 %7]
bb2:
  %9 = zext i32 %0 to i64
  %10 = add i64 %9, 7
  %11 = trunc i64 %10 to i32
  return %11
fn @twice(%0: i64 p) -> i32
bb0:
  %1 = add i64 %0, 1
  %2 = add i64 %1, 1
  %3 = call i32 @setjmp(i64 %2)
  return %3
";

fn compacted() -> (Program, Program, espalier_analysis::RegisterMap) {
    let before = parse(PROGRAM).unwrap();
    verify(&before).unwrap();
    let mut after = before.clone();
    let map = compact_registers(&mut after);
    verify_compacted(&after).unwrap();
    (before, after, map)
}

#[test]
fn renaming_by_the_map_gives_the_compacted_code() {
    let (before, after, map) = compacted();
    for (index, function) in before.functions.iter().enumerate() {
        let mut renamed = function.clone();
        renamed.rename_registers(|reg| map.now(FuncId::new(index), reg));
        let new = &after.functions[index];
        assert_eq!((&renamed.code, &renamed.edges, &renamed.calls), (&new.code, &new.edges, &new.calls));
        for reg in (0..function.regs.len()).map(Reg::new) {
            assert_eq!(function.regs[reg.index()], new.regs[map.now(FuncId::new(index), reg).index()], "{reg}");
        }
    }
    assert!(after.functions[1].regs.len() < before.functions[1].regs.len());
}

#[test]
fn what_is_live_has_a_register_of_its_own() {
    let (before, after, map) = compacted();
    for (index, function) in before.functions.iter().enumerate() {
        let new = &after.functions[index];
        let (old, now) = (Liveness::of(function), Liveness::of(new));
        for block in (0..function.blocks.len()).map(BlockId::new) {
            for pc in function.block(block).start..function.block(block).end {
                let live: Vec<Reg> = old.before(function, pc as usize, block).iter().collect();
                let mut expected: Vec<Reg> = live.iter().map(|&reg| map.now(FuncId::new(index), reg)).collect();
                expected.sort_unstable();
                let found: Vec<Reg> = now.before(new, pc as usize, block).iter().collect();
                assert_eq!(found, expected, "before instruction {pc} of {}", function.name);
            }
        }
    }
}

#[test]
fn registers_of_a_call_that_returns_twice_stay() {
    let (before, after, map) = compacted();
    assert_eq!(before.functions[2], after.functions[2]);
    assert_eq!(map.now(FuncId(2), Reg(2)), Reg(2));
}

/// A function of `blocks` blocks with registers that several instructions and edges write.
fn random_function(rng: &mut Rng, blocks: usize) -> Function {
    let mut text = String::from("fn @f(%0: i32 a, %1: i1 c) -> i32\n");
    let mut written = 2;
    for block in 0..blocks {
        writeln!(text, "bb{block}:").unwrap();
        for _ in 0..rng.below(3) {
            writeln!(text, "  %{written} = add i32 %0, %0").unwrap();
            written += 1;
        }
        let ways = [0, 1].map(|_| rng.below(blocks));
        match rng.below(4) {
            0 => writeln!(text, "  return %0").unwrap(),
            1 => writeln!(text, "  jump bb{}", ways[0]).unwrap(),
            _ => writeln!(text, "  branch %1 ? bb{} : bb{}", ways[0], ways[1]).unwrap(),
        }
    }
    let mut function = parse(&text).unwrap().functions.remove(0);
    function.regs = [32, 1].into_iter().chain([32; 7]).collect();
    let mut any = || Reg::new(2 + rng.below(7));
    for inst in &mut function.code {
        if let Some(dst) = inst.dst_mut() {
            *dst = any();
            inst.for_each_operand_mut(&mut |operand| *operand = Operand::reg(any()));
        }
    }
    for (number, edge) in function.edges.iter_mut().enumerate() {
        edge.copies = (0..number % 4).map(|_| (any(), Operand::reg(any()))).collect();
    }
    function
}

/// Is there a way from before instruction `pc` to where a register is read, on which it is not
/// written?
fn is_read_from(function: &Function, pc: u32, reg: Reg) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![pc];
    while let Some(pc) = open.pop() {
        if !seen.insert(pc) {
            continue;
        }
        let inst = function.code[pc as usize];
        let (mut is_read, mut is_written) = (false, false);
        function.for_each_read(inst, |other| is_read |= other == reg);
        function.for_each_write(inst, |other| is_written |= other == reg);
        let block = function.block_at(pc).unwrap();
        if is_read {
            return true;
        } else if is_written {
            continue;
        } else if pc + 1 < function.block(block).end {
            open.push(pc + 1);
            continue;
        }
        function.for_each_edge(inst, |edge| {
            let edge = function.edge(edge);
            let accesses = edge.copies.iter().flat_map(|&(dst, source)| [(source.as_reg(), true), (Some(dst), false)]);
            match accesses.into_iter().find(|(other, _)| *other == Some(reg)) {
                Some((_, true)) => is_read = true,
                Some((_, false)) => {}
                None => open.push(function.block(edge.target).start),
            }
        });
        if is_read {
            return true;
        }
    }
    false
}

#[test]
fn a_register_is_live_where_a_way_leads_to_a_read() {
    for seed in 0..300 {
        let function = &random_function(&mut Rng::new(seed), 1 + seed as usize % 9);
        let liveness = Liveness::of(function);
        for pc in 0..function.code.len() as u32 {
            let block = function.block_at(pc).unwrap();
            let expected: Vec<Reg> =
                (0..function.regs.len()).map(Reg::new).filter(|&reg| is_read_from(function, pc, reg)).collect();
            let found: Vec<Reg> = liveness.before(function, pc as usize, block).iter().collect();
            assert_eq!(found, expected, "before instruction {pc} of {function:?}");
            if pc == function.block(block).start {
                assert_eq!(liveness.live_in(block), expected, "at {block} of {function:?}");
            }
        }
    }
}
