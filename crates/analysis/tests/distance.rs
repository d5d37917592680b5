//! Distances to places, against a plain breadth-first search over call stacks, on random programs
//! with loops, recursion, calls through pointers and functions that never return.

use espalier_analysis::{Distances, Graphs, Scope, Site, targets};
use espalier_base::Rng;
use espalier_ir::{Callee, FuncId, Inst, Program, parse};
use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt::Write;
use std::rc::Rc;
use std::time::Instant;

/// What the functions of a random program take and give, and how they are called.
const KINDS: [(&str, &str, &str); 3] = [
    ("(%0: i64 p, %1: i1 c) -> i32", " i32", "(i64 %0, i1 %1) unread"),
    ("(%0: i64 p, %1: i1 c)", "", "(i64 %0, i1 %1)"),
    ("(%0: i64 p, %1: i1 c, %2: i64 more)", "", "(i64 %0, i1 %1, i64 7)"),
];

/// A program of functions `f0`, `f1` … and of `outside`, which has no code.
fn random_program(rng: &mut Rng, functions: usize) -> Program {
    let kinds: Vec<usize> = (0..functions).map(|_| rng.below(KINDS.len())).collect();
    let mut text = String::from("declare @outside(%0: i64, %1: i1)\n");
    for (number, &kind) in kinds.iter().enumerate() {
        let taken = if rng.below(2) == 0 { " address_taken" } else { "" };
        writeln!(text, "fn @f{number}{}{taken}", KINDS[kind].0).unwrap();
        let blocks = 1 + rng.below(5);
        let mut register = if kind == 2 { 2 } else { 1 };
        for block in 0..blocks {
            writeln!(text, "bb{block}:").unwrap();
            for _ in 0..rng.below(4) {
                let (kind, callee) = match rng.below(5) {
                    0 => {
                        let callee = rng.below(functions);
                        (kinds[callee], format!("@f{callee}"))
                    }
                    1 => (rng.below(KINDS.len()), "[%0]".to_owned()),
                    2 if rng.below(3) == 0 => (1, "@outside".to_owned()),
                    _ => {
                        register += 1;
                        writeln!(text, "  %{register} = add i64 %0, 1").unwrap();
                        continue;
                    }
                };
                register += usize::from(kind == 0);
                let result = if kind == 0 { format!("%{register} = ") } else { String::new() };
                writeln!(text, "  {result}call{} {callee}{}", KINDS[kind].1, KINDS[kind].2).unwrap();
            }
            match rng.below(5) {
                0 if kind == 0 => writeln!(text, "  return 0"),
                0 => writeln!(text, "  return"),
                1 => writeln!(text, "  jump bb{}", rng.below(blocks)),
                2 => writeln!(text, "  unreachable"),
                _ => writeln!(text, "  branch %1 ? bb{} : bb{}", rng.below(blocks), rng.below(blocks)),
            }
            .unwrap();
        }
    }
    parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

type Stack = Vec<(FuncId, u32)>;

/// The functions that a call is likely to go to.
fn callees(program: &Program, func: FuncId, call: espalier_ir::CallId) -> Vec<FuncId> {
    let function = program.function(func);
    let site = function.call(call);
    let all = || (0..program.functions.len()).map(FuncId::new).filter(|&id| program.function(id).address_taken);
    match site.callee {
        Callee::Direct(callee) => vec![callee],
        Callee::Indirect(_) => {
            let result: Vec<u32> = site.dsts.iter().map(|dst| function.regs[dst.index()]).collect();
            let fits = |id: &FuncId| {
                let callee = program.function(*id);
                callee.params.iter().map(|param| param.width).eq(site.arg_widths.iter().copied())
                    && callee.result == result
            };
            let fitting: Vec<FuncId> = all().filter(fits).collect();
            if fitting.is_empty() { all().collect() } else { fitting }
        }
    }
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
            let enter = |callee: FuncId| {
                let mut stack = moved_to(pc + 1);
                if !program.function(callee).is_declaration() {
                    stack.push((callee, 0));
                }
                stack
            };
            callees(program, func, call).into_iter().map(enter).collect()
        }
        Inst::Return { .. } if stack.len() == 1 => vec![],
        Inst::Return { .. } => vec![stack[..stack.len() - 1].to_vec()],
        _ if inst.is_terminator() => {
            let mut next = Vec::new();
            function.for_each_edge(inst, |edge| next.push(moved_to(function.block(function.edge(edge).target).start)));
            next
        }
        _ => vec![moved_to(pc + 1)],
    }
}

/// How far the search came.
#[derive(PartialEq, Debug)]
enum Searched {
    Found(u64),
    /// There is no way.
    Never,
    /// No way that is as short as this.
    Beyond(u64),
}

fn search(program: &Program, start: &Stack, wanted: &HashSet<Site>) -> Searched {
    const MOST: usize = 300;
    let mut seen = HashSet::from([start.clone()]);
    let mut queue = VecDeque::from([(start.clone(), 1)]);
    while let Some((stack, distance)) = queue.pop_front() {
        let &(func, pc) = stack.last().unwrap();
        if wanted.contains(&Site { func, pc }) {
            return Searched::Found(distance);
        }
        if seen.len() > MOST {
            return Searched::Beyond(distance);
        }
        for next in successors(program, &stack) {
            if seen.insert(next.clone()) {
                queue.push_back((next, distance + 1));
            }
        }
    }
    Searched::Never
}

fn all_sites(program: &Program) -> Vec<Site> {
    let functions = program.functions.iter().enumerate();
    functions
        .flat_map(|(index, f)| (0..f.code.len() as u32).map(move |pc| Site { func: FuncId::new(index), pc }))
        .collect()
}

/// A call stack of some frames, each called by the one before it.
fn random_stack(rng: &mut Rng, program: &Program, sites: &[Site]) -> Stack {
    let last = sites[rng.below(sites.len())];
    let mut stack = vec![(last.func, last.pc)];
    for _ in 0..rng.below(3) {
        let called = stack[0].0;
        let calls = |site: &&Site| match program.function(site.func).code[site.pc as usize] {
            Inst::Call { call } => callees(program, site.func, call).contains(&called),
            _ => false,
        };
        let callers: Vec<&Site> = sites.iter().filter(calls).collect();
        if callers.is_empty() {
            break;
        }
        let caller = callers[rng.below(callers.len())];
        stack.insert(0, (caller.func, caller.pc + 1));
    }
    stack
}

#[test]
fn distances_are_those_of_a_search_over_call_stacks() {
    let mut rng = Rng::new(3);
    let (mut found, mut never) = (0, 0);
    for _ in 0..150 {
        let functions = 1 + rng.below(8);
        let program = random_program(&mut rng, functions);
        let distances = Distances::new(&program, Rc::new(Graphs::of(&program)));
        let sites = all_sites(&program);
        let nothing = distances.ways_to(&program, Scope::Program, []);
        assert_eq!(distances.from_stack(&program, &nothing, [(FuncId(1), 0)]), None, "nothing is wanted yet");
        // One after the other is met.
        let mut wanted: Vec<Site> = (0..1 + rng.below(4)).map(|_| sites[rng.below(sites.len())]).collect();
        while !wanted.is_empty() {
            let ways = distances.ways_to(&program, Scope::Program, wanted.iter().map(|&site| (site, 1)));
            let set: HashSet<Site> = wanted.iter().copied().collect();
            for _ in 0..30 {
                let stack = random_stack(&mut rng, &program, &sites);
                let computed = distances.from_stack(&program, &ways, stack.iter().rev().copied());
                let is_right = match search(&program, &stack, &set) {
                    Searched::Found(distance) => computed == Some(distance),
                    Searched::Never => computed.is_none(),
                    Searched::Beyond(distance) => computed.is_none_or(|computed| computed >= distance),
                };
                assert!(is_right, "from {stack:?} to {set:?}: {computed:?}\n{program}");
                found += usize::from(computed.is_some());
                never += usize::from(computed.is_none());
            }
            wanted.swap_remove(rng.below(wanted.len()));
        }
    }
    assert!(found > 3_000 && never > 1_000, "{found} {never}");
}

/// Forwards from a function's beginning it is as far as backwards from the place.
#[test]
fn distances_are_the_same_forwards() {
    let mut rng = Rng::new(11);
    let (mut found, mut never) = (0, 0);
    for _ in 0..60 {
        let functions = 1 + rng.below(8);
        let program = random_program(&mut rng, functions);
        let distances = Distances::new(&program, Rc::new(Graphs::of(&program)));
        for entry in (1..program.functions.len()).map(FuncId::new) {
            let from_entry = distances.from_entry(&program, entry);
            for site in all_sites(&program) {
                let ways = distances.ways_to(&program, Scope::Program, [(site, 0)]);
                let backwards = distances.from_stack(&program, &ways, [(entry, 0)]);
                assert_eq!(from_entry.to(site), backwards, "from {entry:?} to {site:?}\n{program}");
                found += usize::from(backwards.is_some());
                never += usize::from(backwards.is_none());
            }
        }
    }
    assert!(found > 1_000 && never > 1_000, "{found} {never}");
}

#[test]
fn marks_move_no_distances() {
    let mut rng = Rng::new(9);
    for _ in 0..100 {
        let program = random_program(&mut rng, 5);
        let graphs = Rc::new(Graphs::of(&program));
        let sites = all_sites(&program);
        let wanted: Vec<Site> = (0..3).map(|_| sites[rng.below(sites.len())]).collect();
        let before = Distances::new(&program, graphs);
        let ways = before.ways_to(&program, Scope::Program, wanted.iter().map(|&site| (site, 1)));
        let mut marked = program.clone();
        targets::insert(&mut marked, &wanted.iter().map(|&site| vec![site]).collect::<Vec<_>>());
        let after = Distances::new(&marked, Rc::new(Graphs::of(&marked)));
        let is_mark = |site: &Site| matches!(marked.function(site.func).code[site.pc as usize], Inst::Target { .. });
        let marks: Vec<Site> = all_sites(&marked).into_iter().filter(is_mark).collect();
        let marked_ways = after.ways_to(&marked, Scope::Program, marks.into_iter().map(|site| (site, 1)));
        for func in (1..program.functions.len()).map(FuncId::new) {
            let plain = before.from_stack(&program, &ways, [(func, 0)]);
            assert_eq!(after.from_stack(&marked, &marked_ways, [(func, 0)]), plain, "{func:?} {wanted:?}\n{program}");
        }
    }
}

/// By functions, one at a time: a search in the control-flow graph where calls are one instruction.
#[test]
fn distances_within_functions_are_those_of_a_search_in_the_graph() {
    let mut rng = Rng::new(5);
    let mut found = 0;
    for _ in 0..150 {
        let program = random_program(&mut rng, 6);
        let distances = Distances::new(&program, Rc::new(Graphs::of(&program)));
        let sites = all_sites(&program);
        let place = sites[rng.below(sites.len())];
        let ways = distances.ways_to(&program, Scope::Function, [(place, 1)]);
        // Functions that lead to the place by calls.
        let mut cone = HashSet::from([place.func]);
        let leads = |site: &Site, cone: &HashSet<FuncId>| match program.function(site.func).code[site.pc as usize] {
            Inst::Call { call } => callees(&program, site.func, call).iter().any(|callee| cone.contains(callee)),
            _ => false,
        };
        loop {
            let more: Vec<FuncId> = sites.iter().filter(|site| leads(site, &cone)).map(|site| site.func).collect();
            let before = cone.len();
            cone.extend(more);
            if cone.len() == before {
                break;
            }
        }
        for &start in &sites {
            let mut lengths = HashMap::from([(start.pc, 1)]);
            let mut queue = VecDeque::from([start.pc]);
            let mut expected = None;
            while let Some(pc) = queue.pop_front() {
                let at = Site { func: start.func, pc };
                if at == place || leads(&at, &cone) {
                    expected = Some(lengths[&pc]);
                    break;
                }
                let inside = match program.function(start.func).code[pc as usize] {
                    Inst::Call { .. } => vec![vec![(start.func, pc + 1)]],
                    _ => successors(&program, &vec![(start.func, pc)]),
                };
                for next in inside.iter().map(|stack| stack[0].1) {
                    if !lengths.contains_key(&next) {
                        lengths.insert(next, lengths[&pc] + 1);
                        queue.push_back(next);
                    }
                }
            }
            let computed = distances.from_stack(&program, &ways, [(start.func, start.pc)]);
            assert_eq!(computed, expected, "from {start:?} to {place:?}\n{program}");
            found += usize::from(expected.is_some());
        }
    }
    assert!(found > 1_000, "{found}");
}

/// A chain of functions, each of which calls the next one from two of its four branches.
fn chain(functions: usize) -> Program {
    let mut text = String::new();
    for number in 0..functions {
        let next = (number + 1) % functions;
        writeln!(text, "fn @f{number}(%0: i64 x, %1: i1 c)").unwrap();
        for block in 0..4 {
            writeln!(text, "bb{block}:\n  %{} = add i64 %0, 1", block + 2).unwrap();
            if block % 2 == 0 {
                writeln!(text, "  call @f{next}(i64 %0, i1 %1)").unwrap();
            }
            match block {
                3 => writeln!(text, "  return").unwrap(),
                _ => writeln!(text, "  branch %1 ? bb{} : bb3", block + 1).unwrap(),
            }
        }
    }
    parse(&text).unwrap()
}

/// One million instructions take seconds even without optimisation, and twice the code takes
/// about twice as long: each stretch is settled once.
#[test]
fn the_time_grows_with_the_code() {
    let work = |functions| {
        let program = chain(functions);
        let graphs = Rc::new(Graphs::of(&program));
        let instructions: usize = program.functions.iter().map(|function| function.code.len()).sum();
        let begin = Instant::now();
        let distances = Distances::new(&program, graphs);
        let last = Site { func: FuncId::new(functions - 1), pc: 0 };
        let ways = distances.ways_to(&program, Scope::Program, [(last, 1)]);
        let elapsed = begin.elapsed();
        assert!(distances.from_stack(&program, &ways, [(FuncId(0), 0)]).is_some());
        eprintln!("{instructions} instructions: {elapsed:?}, {} stretches looked at", ways.work);
        ways.work
    };
    let (once, twice) = (work(20_000), work(40_000));
    assert!(twice * 10 <= once * 23, "{once} {twice}");
}
