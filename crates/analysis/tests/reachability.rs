//! What can be reached from each instruction of random programs, against a search forwards from it.

use espalier_analysis::{Graphs, Reachability};
use espalier_base::Rng;
use espalier_ir::{Callee, FuncId, Inst, Program, parse};
use std::collections::BTreeSet;
use std::fmt::Write;

const FUNCTIONS: usize = 5;

/// Functions that call each other, directly or through a pointer.
fn random_program(rng: &mut Rng) -> Program {
    let mut text = String::new();
    for function in 0..FUNCTIONS {
        let taken = if rng.below(3) == 0 { " address_taken" } else { "" };
        writeln!(text, "fn @f{function}(%0: i1 c, %1: i64 p){taken}").unwrap();
        let blocks = 1 + rng.below(4);
        for block in 0..blocks {
            writeln!(text, "bb{block}:").unwrap();
            for _ in 0..rng.below(3) {
                match rng.below(6) {
                    0 => writeln!(text, "  call [%1](i1 %0, i64 %1)").unwrap(),
                    _ => writeln!(text, "  call @f{}(i1 %0, i64 %1)", rng.below(FUNCTIONS)).unwrap(),
                }
            }
            match rng.below(3) {
                0 => writeln!(text, "  return").unwrap(),
                1 => writeln!(text, "  jump bb{}", rng.below(blocks)).unwrap(),
                _ => writeln!(text, "  branch %0 ? bb{} : bb{}", rng.below(blocks), rng.below(blocks)).unwrap(),
            }
        }
    }
    parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

type Place = (FuncId, u32);

fn places(program: &Program) -> impl Iterator<Item = Place> {
    let functions = program.functions.iter().enumerate();
    functions.flat_map(|(index, function)| (0..function.code.len() as u32).map(move |pc| (FuncId::new(index), pc)))
}

/// May a call go to the function?
fn goes_to(program: &Program, callee: Callee, function: FuncId) -> bool {
    match callee {
        Callee::Direct(callee) => callee == function,
        Callee::Indirect(_) => program.function(function).address_taken,
    }
}

/// What may come after an instruction. A function may return to any caller at any time, unless it
/// was called on the way: then the call is passed.
fn next(program: &Program, (func, pc): Place, was_called: bool) -> Vec<(Place, bool)> {
    let function = program.function(func);
    let mut next = Vec::new();
    for (caller, at) in places(program).filter(|_| !was_called) {
        if let Inst::Call { call } = program.function(caller).code[at as usize]
            && goes_to(program, program.function(caller).call(call).callee, func)
        {
            next.push(((caller, at + 1), false));
        }
    }
    match function.code[pc as usize] {
        Inst::Call { call } => {
            let called = (0..FUNCTIONS).map(FuncId::new).filter(|&f| goes_to(program, function.call(call).callee, f));
            next.extend(called.map(|called| ((called, 0), true)));
            next.push(((func, pc + 1), was_called));
        }
        inst => function.for_each_edge(inst, |edge| {
            next.push(((func, function.block(function.edge(edge).target).start), was_called));
        }),
    }
    next
}

/// Does a search from an instruction come to another one?
fn finds(program: &Program, from: Place, wanted: Place, was_called: bool) -> bool {
    let mut seen = BTreeSet::from([(from, was_called)]);
    let mut open = vec![(from, was_called)];
    while let Some((place, was_called)) = open.pop() {
        open.extend(next(program, place, was_called).into_iter().filter(|&next| seen.insert(next)));
    }
    seen.contains(&(wanted, false)) || seen.contains(&(wanted, true))
}

#[test]
fn as_a_search_forwards_finds_it() {
    let mut rng = Rng::new(3);
    let (mut reached, mut unreached) = (0, 0);
    for _ in 0..300 {
        let program = random_program(&mut rng);
        let all: Vec<Place> = places(&program).collect();
        let wanted = all[rng.below(all.len())];
        let is_wanted = |func, pc| (func, pc) == wanted;
        let reachability = Reachability::new(&program, &Graphs::of(&program), &[], is_wanted);
        for &place in &all {
            let expected = finds(&program, place, wanted, false);
            assert_eq!(reachability.reaches_from(place.0, place.1), expected, "{place:?} to {wanted:?}\n{program}");
            *if expected { &mut reached } else { &mut unreached } += 1;
        }
        // What runs at the end of the program comes after everything.
        let last = FuncId::new(rng.below(FUNCTIONS));
        let at_the_end = Reachability::new(&program, &Graphs::of(&program), &[last], is_wanted);
        let is_everywhere = all.iter().all(|&(func, pc)| at_the_end.reaches_from(func, pc));
        assert!(is_everywhere || !finds(&program, (last, 0), wanted, true), "{last:?} to {wanted:?}\n{program}");
    }
    assert!(reached > 1000 && unreached > 1000, "{reached} {unreached}");
}
