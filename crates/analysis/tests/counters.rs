//! Counters that only end things, against what that means: of two states that differ in counters
//! alone, the one that is no further on reaches all that the other one does. Random functions are
//! executed on all their states.

use espalier_analysis::{CountedLoops, Counter, Graphs, Liveness, Question, Relevance};
use espalier_base::Rng;
use espalier_ir::{BinOp, CmpOp, FuncId, Function, Inst, Operand, Program, Reg, parse};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

const WIDTH: u32 = 3;
/// Registers: a choice, numbers, results of comparisons.
const CHOICE: usize = 0;
const NUMBERS: std::ops::Range<usize> = 1..4;
const COMPARISONS: std::ops::Range<usize> = 4..6;

/// A program of two functions: what is looked for, and one of `blocks` blocks with registers that
/// several instructions and edges write.
fn random_program(rng: &mut Rng, blocks: usize) -> Program {
    let mut text = String::from("declare @wanted()\nfn @f(%0: i1 choice, %1: i3 n) -> i32\n");
    let mut written = 2;
    for block in 0..blocks {
        writeln!(text, "bb{block}:").unwrap();
        let mut assign = |instruction: String| {
            writeln!(text, "  %{written} = {instruction}").unwrap();
            written += 1;
        };
        for _ in 0..rng.below(2) {
            let op = ["add", "add", "add", "add", "sub", "mul"][rng.below(6)];
            assign(format!("{op} i3 %1, {}", 1 + rng.below(2)));
        }
        let op = ["ult", "ule", "ugt", "slt", "sge", "eq"][rng.below(6)];
        assign(format!("{op} i3 %1, {}", rng.below(7)));
        let ways = [rng.below(blocks), rng.below(2 * blocks).min(blocks)];
        match rng.below(8) {
            0 => writeln!(text, "  return 0").unwrap(),
            1 => writeln!(text, "  call @wanted()\n  return 0").unwrap(),
            2 | 3 => writeln!(text, "  jump bb{}", ways[0]).unwrap(),
            4 => writeln!(text, "  branch %0 ? bb{} : bb{}", ways[0], ways[1]).unwrap(),
            _ => writeln!(text, "  branch %{} ? bb{} : bb{}", written - 1, ways[0], ways[1]).unwrap(),
        }
    }
    writeln!(text, "bb{blocks}:\n  return 0").unwrap();
    let mut program = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let function = &mut program.functions[1];
    function.regs = vec![1, WIDTH, WIDTH, WIDTH, 1, 1];
    let mut any = |range: std::ops::Range<usize>| Reg::new(range.start + rng.below(range.len()));
    for inst in &mut function.code {
        match inst {
            Inst::Bin { dst, a, .. } => (*dst, *a) = (any(NUMBERS), Operand::reg(any(NUMBERS))),
            Inst::Cmp { dst, a, .. } => (*dst, *a) = (any(COMPARISONS), Operand::reg(any(NUMBERS))),
            Inst::Branch { cond, .. } if *cond != Operand::reg(Reg::new(CHOICE)) => {
                *cond = Operand::reg(any(COMPARISONS));
            }
            _ => {}
        }
    }
    for (number, edge) in function.edges.iter_mut().enumerate() {
        edge.copies = (0..number % 3 / 2).map(|_| (any(NUMBERS), Operand::reg(any(NUMBERS)))).collect();
    }
    program
}

type State = (u32, Vec<u64>);

fn number(function: &Function, regs: &[u64], operand: Operand) -> u64 {
    match operand.as_reg() {
        Some(reg) => regs[reg.index()],
        None => match function.constant(espalier_ir::ConstId::new(operand.index())) {
            espalier_ir::Constant::Int { value, .. } => *value,
            other => panic!("{other:?}"),
        },
    }
}

fn compare(op: CmpOp, a: u64, b: u64) -> bool {
    let signed = |number: u64| espalier_base::bits::signed(number, WIDTH);
    match op {
        CmpOp::Eq => a == b,
        CmpOp::Ult => a < b,
        CmpOp::Ule => a <= b,
        CmpOp::Ugt => a > b,
        CmpOp::Slt => signed(a) < signed(b),
        CmpOp::Sge => signed(a) >= signed(b),
        other => panic!("{other:?}"),
    }
}

/// What follows a state in one step.
fn next(function: &Function, (pc, regs): &State) -> Vec<State> {
    let value = |operand| number(function, regs, operand);
    let with = |dst: Reg, value: u64| {
        let mut regs = regs.clone();
        regs[dst.index()] = value;
        vec![(pc + 1, regs)]
    };
    let along = |edge| {
        let edge = function.edge(edge);
        let mut regs = regs.clone();
        for &(dst, source) in edge.copies.iter() {
            regs[dst.index()] = number(function, &regs, source);
        }
        (function.block(edge.target).start, regs)
    };
    let wrapped = |number: u64| number & espalier_base::bits::mask(WIDTH);
    match function.code[*pc as usize] {
        Inst::Bin { op: BinOp::Add, dst, a, b, .. } => with(dst, wrapped(value(a) + value(b))),
        Inst::Bin { op: BinOp::Sub, dst, a, b, .. } => with(dst, wrapped(value(a).wrapping_sub(value(b)))),
        Inst::Bin { op: BinOp::Mul, dst, a, b, .. } => with(dst, wrapped(value(a) * value(b))),
        Inst::Cmp { op, dst, a, b, .. } => with(dst, u64::from(compare(op, value(a), value(b)))),
        Inst::Call { .. } => vec![(pc + 1, regs.clone())],
        Inst::Jump { edge } => vec![along(edge)],
        Inst::Branch { cond, then, otherwise } if cond == Operand::reg(Reg::new(CHOICE)) => {
            vec![along(then), along(otherwise)]
        }
        Inst::Branch { cond, then, otherwise } => vec![along(if value(cond) != 0 { then } else { otherwise })],
        Inst::Return { .. } => Vec::new(),
        other => panic!("{other:?}"),
    }
}

/// The states that the function can be in, with the calls that each can reach.
fn explore(function: &Function) -> BTreeMap<State, BTreeSet<u32>> {
    let mut reached: BTreeMap<State, BTreeSet<u32>> = BTreeMap::new();
    let mut open: Vec<State> = (0..8).map(|n| (0, vec![0, n, 0, 0, 0, 0])).collect();
    while let Some(state) = open.pop() {
        let is_call = matches!(function.code[state.0 as usize], Inst::Call { .. });
        let calls = is_call.then_some(state.0).into_iter().collect();
        if reached.insert(state.clone(), calls).is_none() {
            open.extend(next(function, &state).into_iter().filter(|next| !reached.contains_key(next)));
        }
    }
    let mut changed = true;
    while changed {
        changed = false;
        for state in reached.keys().cloned().collect::<Vec<_>>().into_iter().rev() {
            let mut calls = reached[&state].clone();
            next(function, &state).iter().for_each(|next| calls.extend(&reached[next]));
            changed |= calls.len() > reached[&state].len();
            reached.insert(state, calls);
        }
    }
    reached
}

#[test]
fn what_is_no_further_on_reaches_as_much() {
    let (mut with_counters, mut compared) = (0, 0);
    for seed in 0..6_000 {
        let program = random_program(&mut Rng::new(seed), 3 + seed as usize % 5);
        let question = Question {
            is_target: &|func| func == FuncId(0),
            is_open: &|_| false,
            is_modelled: &|_| true,
            uncalled: &[],
        };
        let Some(relevance) = Relevance::new(&program, &Graphs::of(&program), &question) else { continue };
        let function = &program.functions[1];
        let (loops, liveness) = (CountedLoops::of(&relevance, FuncId(1), function), Liveness::of(function));
        let counters: Vec<Vec<Counter>> =
            (0..function.code.len() as u32).map(|pc| loops.counters_at(function, pc)).collect();
        if counters.iter().all(Vec::is_empty) {
            continue;
        }
        with_counters += 1;
        // What is equal but for counters, by place and by the other live registers.
        let mut alike: BTreeMap<_, Vec<(Vec<u64>, BTreeSet<u32>)>> = BTreeMap::new();
        for ((pc, regs), calls) in explore(function) {
            let Some(block) = function.block_at(pc) else { continue };
            let counters = &counters[pc as usize];
            let is_counter = |reg: &Reg| counters.iter().any(|counter| counter.reg == *reg);
            let live: Vec<Reg> = liveness.before(function, pc as usize, block).iter().collect();
            let others: Vec<u64> = live.iter().filter(|reg| !is_counter(reg)).map(|reg| regs[reg.index()]).collect();
            let held = counters.iter().filter(|counter| live.contains(&counter.reg));
            let progress = held.map(|counter| counter.progress(regs[counter.reg.index()])).collect();
            alike.entry((pc, others)).or_default().push((progress, calls));
        }
        for states in alike.values() {
            for (nearer, more) in states {
                for (further, less) in states {
                    if nearer.iter().zip(further).all(|(a, b)| a <= b) {
                        compared += usize::from(nearer != further);
                        assert!(less.is_subset(more), "seed {seed}: {nearer:?} and {further:?} in\n{program}");
                    }
                }
            }
        }
    }
    assert!(with_counters > 200 && compared > 800, "{with_counters} with counters, {compared} pairs");
}
