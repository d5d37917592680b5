//! Compaction of registers: what the map says is what became of them.

use espalier_analysis::{Cfg, Liveness, compact_registers};
use espalier_ir::{BlockId, FuncId, Program, Reg, parse, verify, verify_compacted};

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
        let (old, now) = (Liveness::of(function, &Cfg::of(function)), Liveness::of(new, &Cfg::of(new)));
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
