//! Distances to code, against a plain breadth-first search over call stacks.

use espalier_analysis::{Distances, Graphs};
use espalier_base::Rng;
use espalier_ir::{BlockId, Callee, FuncId, Inst, Program};
use std::collections::{HashSet, VecDeque};
use std::rc::Rc;

const SOURCE: &str = r#"
extern int outside(int);
static int leaf(int x) { return x > 3 ? outside(x) : x; }
static int twice(int x) {
  int sum = 0;
  for (int i = 0; i < 2; i++)
    sum += leaf(x + i);
  return sum;
}
static int never(int x) {
  if (x)
    __builtin_trap();
  while (1)
    x++;
}
static int other(int x) { return x - 1; }
static int (*table[])(int) = {twice, other};
int main(int argc, char **argv) {
  int r = 0;
  switch (argc) {
  case 1:
    r = twice(argc);
    break;
  case 2:
    r = table[argc & 1](argc) + leaf(r);
    break;
  case 3:
    r = never(argc);
    r++;
    break;
  default:
    while (argc-- > 9)
      r += other(argc);
  }
  return r ? leaf(r) : 0;
}
"#;

type Stack = Vec<(FuncId, u32)>;

fn program() -> Program {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("prog.c");
    std::fs::write(&file, SOURCE).unwrap();
    let input = espalier_engine::Input { files: vec![file], ..Default::default() };
    espalier_engine::load(&input).unwrap().program
}

fn block_of(program: &Program, (func, pc): (FuncId, u32)) -> BlockId {
    let blocks = &program.function(func).blocks;
    BlockId::new(blocks.iter().position(|block| (block.start..block.end).contains(&pc)).unwrap())
}

/// Where a path may be after one more instruction; the innermost frame is last.
fn successors(program: &Program, stack: &Stack) -> Vec<Stack> {
    let &(func, pc) = stack.last().unwrap();
    let function = program.function(func);
    let inst = function.code[pc as usize];
    let moved_to = |pc| {
        let mut stack = stack.clone();
        stack.last_mut().unwrap().1 = pc;
        stack
    };
    match inst {
        Inst::Call { call } => {
            let callees: Vec<FuncId> = match function.call(call).callee {
                Callee::Direct(callee) => vec![callee],
                Callee::Indirect(_) => {
                    let all = (0..program.functions.len()).map(FuncId::new);
                    all.filter(|&callee| program.function(callee).address_taken).collect()
                }
            };
            let enter = |callee: FuncId| {
                let mut stack = moved_to(pc + 1);
                if !program.function(callee).is_declaration() {
                    stack.push((callee, 0));
                }
                stack
            };
            callees.into_iter().map(enter).collect()
        }
        Inst::Return { .. } => {
            let callers = stack[..stack.len() - 1].to_vec();
            if callers.is_empty() { vec![] } else { vec![callers] }
        }
        _ if inst.is_terminator() => {
            let mut next = Vec::new();
            function.for_each_edge(inst, |edge| next.push(moved_to(function.block(function.edge(edge).target).start)));
            next
        }
        _ => vec![moved_to(pc + 1)],
    }
}

fn search(program: &Program, start: &Stack, is_wanted: impl Fn(FuncId, BlockId) -> bool) -> Option<u64> {
    let mut seen = HashSet::from([start.clone()]);
    let mut queue = VecDeque::from([(start.clone(), 1)]);
    while let Some((stack, distance)) = queue.pop_front() {
        let &at = stack.last().unwrap();
        if is_wanted(at.0, block_of(program, at)) {
            return Some(distance);
        }
        for next in successors(program, &stack) {
            if seen.insert(next.clone()) {
                queue.push_back((next, distance + 1));
            }
        }
    }
    None
}

#[test]
fn distances_are_those_of_a_search_over_call_stacks() {
    let program = program();
    let named = |name: &str| program.function_named(name).unwrap();
    let functions = ["leaf", "twice", "never", "other", "main"].map(named);
    let main = named("main");
    // Every place of every function, called from nowhere and from each call of it in `main`.
    let mut starts: Vec<Stack> = Vec::new();
    for func in functions {
        for pc in 0..program.function(func).code.len() as u32 {
            starts.push(vec![(func, pc)]);
            for (inst, call_pc) in program.function(main).code.iter().zip(0..) {
                if let Inst::Call { call } = inst
                    && program.function(main).call(*call).callee == Callee::Direct(func)
                {
                    starts.push(vec![(main, call_pc + 1), (func, pc)]);
                }
            }
        }
    }
    let mut distances = Distances::new(&program, Rc::new(Graphs::of(&program)));
    assert_eq!(distances.from_stack([(main, 0)]), None, "nothing is wanted yet");
    let mut reachable = 0;
    let mut check = |wanted: &HashSet<(FuncId, BlockId)>| {
        let is_wanted = |func: FuncId, block: BlockId| wanted.contains(&(func, block));
        let looked_at = distances.look_for(&program, is_wanted);
        for stack in &starts {
            let expected = search(&program, stack, is_wanted);
            let found = distances.from_stack(stack.iter().rev().copied());
            assert_eq!(found, expected, "from {stack:?} to {wanted:?}");
            reachable += usize::from(expected.is_some());
        }
        looked_at
    };
    let blocks_of =
        |func: FuncId| (0..program.function(func).blocks.len()).map(move |block| (func, BlockId::new(block)));
    for wanted in functions.into_iter().flat_map(blocks_of) {
        check(&HashSet::from([wanted]));
    }
    // As while code is covered: everything is wanted at first, then less and less, and again more
    // in another run.
    let mut rng = Rng::new(3);
    let everything: Vec<(FuncId, BlockId)> =
        (0..program.functions.len()).map(FuncId::new).flat_map(blocks_of).collect();
    for _ in 0..20 {
        let mut wanted = everything.clone();
        assert_eq!(check(&wanted.iter().copied().collect()), 0, "nothing has a way to go");
        while !wanted.is_empty() {
            let left = wanted.len() - 1 - rng.below(wanted.len().min(4));
            for _ in left..wanted.len() {
                wanted.swap_remove(rng.below(wanted.len()));
            }
            check(&wanted.iter().copied().collect());
        }
    }
    assert!(reachable > 5000, "{reachable}");
    distances.look_for(&program, |_, _| false);
    assert_eq!(distances.from_stack([(main, 0)]), None);
}
