//! Measures the solver chain on a stream of queries like those of symbolic execution.
//!
//! A made-up program reads 64 input bytes and takes 200 branches a path; its branches compare
//! bytes, look bytes up in tables, read numbers from them, and sum and hash them. The tree of its
//! paths is explored depth first (`dfs`), path by path from random open ends (`jump`), or from a
//! random open end at every fork (`random`).
//!
//!     stream [dfs|jump|random] [parser|mixed|hash] [queries] [without STAGE]...
//!
//! STAGE is one of hint, bounds, independence, cache, models, repair.

use espalier_expr::{ArrayByte, ArrayId, Model, PathCondition, SymbolKind, Term, Terms};
use espalier_solver::{Config, Feasible, Solver, StageStats, Stages};
use std::rc::Rc;

const INPUT: usize = 64;
const STEPS: usize = 200;

#[derive(Clone)]
struct State {
    pc: PathCondition,
    model: Rc<Model>,
    step: usize,
    position: usize,
    sum: Term,
}

struct Program {
    terms: Terms,
    input: Vec<Term>,
    table: ArrayId,
    kinds: &'static [u8],
}

fn mix(a: u64) -> u64 {
    let mut z = a.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z ^ z >> 32
}

impl Program {
    fn byte(&self, at: usize) -> Term {
        self.input[at % INPUT]
    }

    fn word(&mut self, at: usize) -> Term {
        let mut word = self.byte(at);
        for i in 1..4 {
            let next = self.byte(at + i);
            word = self.terms.concat(next, word);
        }
        word
    }

    /// What the program computes depends on where it has been.
    fn after(&mut self, state: &mut State, side: bool) {
        if self.kinds[(state.step - 1) % self.kinds.len()] != 6 {
            return;
        }
        let c = self.byte(state.position - 1);
        let wide = self.terms.zext(c, 32);
        let one = self.terms.constant(1, 32);
        state.sum = match side {
            true => self.terms.add(state.sum, wide),
            false => {
                let shifted = self.terms.shl(wide, one);
                self.terms.xor(state.sum, shifted)
            }
        };
    }

    /// The condition of the state's next branch.
    fn condition(&mut self, state: &mut State) -> Term {
        let r = mix(state.step as u64);
        let kind = self.kinds[state.step % self.kinds.len()];
        let c = self.byte(state.position);
        let t = &mut self.terms;
        match kind {
            // Is this byte that character?
            0 => {
                state.position += 1;
                let wanted = t.constant(b'a' as u64 + r % 26, 8);
                t.eq(c, wanted)
            }
            // Is it a digit?
            1 => {
                state.position += 1;
                let zero = t.constant(b'0' as u64, 8);
                let ten = t.constant(10, 8);
                let digit = t.sub(c, zero);
                t.ult(digit, ten)
            }
            // What class of character is it?
            2 => {
                let index = t.zext(c, 64);
                let class = t.read(self.table, index);
                let mask = t.constant(1 << (r % 3), 8);
                let bits = t.and(class, mask);
                let zero = t.constant(0, 8);
                t.ne(bits, zero)
            }
            // A number of four bytes.
            3 => {
                let word = self.word(state.position + r as usize % 8);
                let limit = self.terms.constant(mix(r) >> 33, 32);
                self.terms.ult(word, limit)
            }
            4 => {
                let word = self.word(state.position + r as usize % 8);
                let limit = self.terms.constant(1000 + r % 1000, 32);
                self.terms.sle(limit, word)
            }
            // Bytes with each other.
            5 => {
                let (a, b) = (self.byte(r as usize), self.byte((r >> 8) as usize));
                let sum = self.terms.add(a, b);
                self.terms.ult(sum, c)
            }
            // A running sum, which `after` adds to.
            6 => {
                let wide = t.zext(c, 32);
                let sum = t.add(state.sum, wide);
                let limit = t.constant(r % 4000, 32);
                state.position += 1;
                t.ult(sum, limit)
            }
            // A hash.
            7 => {
                let wide = t.zext(c, 32);
                let factor = t.constant(31, 32);
                let product = t.mul(state.sum, factor);
                state.sum = t.add(product, wide);
                state.position += 1;
                let low = t.extract(state.sum, 0, 4);
                let wanted = t.constant(r, 4);
                t.eq(low, wanted)
            }
            // A remainder.
            8 => {
                let word = self.word(state.position);
                let word = self.terms.extract(word, 0, 16);
                let ten = self.terms.constant(10 + r % 90, 16);
                let rest = self.terms.urem(word, ten);
                let wanted = self.terms.constant(r % 10, 16);
                self.terms.eq(rest, wanted)
            }
            // A shift by a symbolic amount.
            _ => {
                let word = self.word(state.position + 3);
                let amount = self.terms.zext(c, 32);
                let seven = self.terms.constant(7, 32);
                let amount = self.terms.and(amount, seven);
                let shifted = self.terms.lshr(word, amount);
                let limit = self.terms.constant(mix(r) >> 36, 32);
                self.terms.ult(limit, shifted)
            }
        }
    }
}

/// CPU time of this thread where the system tells it, so that other load does not matter; else the
/// time.
fn seconds_of_cpu() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    match text.split(' ').next().and_then(|nanos| nanos.parse::<f64>().ok()) {
        Some(nanos) => nanos / 1e9,
        None => std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(0.0, |time| time.as_secs_f64()),
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |word: &str| arguments.iter().any(|a| a == word);
    let (random, jump) = (has("random"), has("jump"));
    let kinds: &[u8] = match () {
        () if has("mixed") => &[0, 3, 5, 1, 6, 2, 4, 8, 0, 5, 9, 6, 1, 3],
        () if has("hash") => &[0, 7, 5, 7, 3, 7],
        () => &[0, 1, 2, 3, 0, 5, 1, 4, 2, 6],
    };
    let queries: u64 = arguments.iter().find_map(|a| a.parse().ok()).unwrap_or(20_000);
    let mut stages = Stages::default();
    for pair in arguments.windows(2).filter(|pair| pair[0] == "without") {
        match pair[1].as_str() {
            "hint" => stages.hint = false,
            "bounds" => stages.bounds = false,
            "independence" => stages.independence = false,
            "cache" => stages.cache = false,
            "models" => stages.models = false,
            "repair" => stages.repair = false,
            "boxes" => stages.boxes = false,
            "cases" => stages.cases = false,
            other => panic!("no stage {other}"),
        }
    }

    let mut terms = Terms::new();
    let input = terms.byte_vars(SymbolKind::Input, "input", INPUT as u32);
    let classes = (0..=255u8).map(|c| {
        let class =
            c.is_ascii_digit() as u8 | (c.is_ascii_alphabetic() as u8) << 1 | (c.is_ascii_whitespace() as u8) << 2;
        ArrayByte::Concrete(class)
    });
    let table = terms.array_base(classes.collect());
    let sum = terms.constant(0, 32);
    let mut program = Program { terms, input, table, kinds };
    let log_queries = std::env::var_os("LOG_QUERIES").map(Into::into);
    let mut solver = Solver::new(Config { stages, use_smt: false, log_queries, ..Config::default() });

    let root = State { pc: PathCondition::new(), model: Rc::new(Model::new()), step: 0, position: 0, sum };
    let mut pending = vec![root.clone()];
    let (mut paths, mut branches, mut forks, mut infeasible) = (0u64, 0u64, 0u64, 0u64);
    let start = seconds_of_cpu();
    let mut picks = 0;
    let mut deepest: Option<State> = None;
    while solver.stats().queries < queries {
        if pending.is_empty() {
            pending.push(root.clone());
        }
        picks += 1;
        let at = if random || jump { mix(picks) as usize % pending.len() } else { pending.len() - 1 };
        let mut state = pending.swap_remove(at);
        // At random, a state runs until it forks; else to its end.
        while state.step < STEPS && solver.stats().queries < queries {
            let condition = program.condition(&mut state);
            state.step += 1;
            if program.terms.is_const(condition) {
                continue;
            }
            branches += 1;
            let branch = solver.branch(&mut program.terms, &state.pc, condition, Some(&state.model));
            let negated = program.terms.not(condition);
            match branch.into_sides() {
                (Feasible::Yes(yes), Feasible::Yes(no)) => {
                    forks += 1;
                    let mut other = state.clone();
                    other.pc.push(&program.terms, negated);
                    other.model = no;
                    state.pc.push(&program.terms, condition);
                    state.model = yes;
                    program.after(&mut state, true);
                    program.after(&mut other, false);
                    if forks % 2 == 0 {
                        std::mem::swap(&mut state, &mut other);
                    }
                    pending.push(other);
                    if random {
                        pending.push(state.clone());
                        break;
                    }
                }
                (Feasible::Yes(model), Feasible::No(_)) => {
                    infeasible += 1;
                    state.model = model;
                    program.after(&mut state, true);
                }
                (Feasible::No(_), Feasible::Yes(model)) => {
                    infeasible += 1;
                    state.model = model;
                    program.after(&mut state, false);
                }
                (a, b) => panic!("{a:?} {b:?}"),
            }
        }
        if state.step == STEPS {
            paths += 1;
        }
        if deepest.as_ref().is_none_or(|best| best.pc.len() < state.pc.len()) {
            deepest = Some(state);
        }
    }
    let seconds = seconds_of_cpu() - start;
    let stats = solver.stats().clone();
    println!(
        "{} queries in {seconds:.2} CPU-seconds: {:.0} a second; {branches} branches, {forks} forks, {infeasible} one-sided, {paths} paths",
        stats.queries,
        stats.queries as f64 / seconds
    );
    let line = |name: &str, stage: StageStats| {
        let mean = stage.nanos as f64 / 1000.0 / stage.answers.max(1) as f64;
        println!("  {name:12} {:8} answers, {mean:9.2} us each, {:6.1} ms", stage.answers, stage.nanos as f64 / 1e6);
    };
    line("simplified", stats.simplified);
    line("hint", stats.hint);
    line("bounds", stats.bounds);
    line("cache", stats.cache);
    line("models", stats.models);
    line("repair", stats.repair);
    line("boxes", stats.boxes);
    line("cases", stats.cases);
    line("sat", stats.sat);
    line("smt", stats.smt);
    println!(
        "  {} sat, {} unsat, {} unknown; SAT: {:.1} ms inside, {} resets, {} variables, {} clauses, {} conflicts, {} M ticks; slicing {} -> {}",
        stats.sat_answers,
        stats.unsat_answers,
        stats.unknowns,
        stats.sat_nanos as f64 / 1e6,
        stats.solver_resets,
        stats.variables,
        stats.clauses,
        stats.conflicts,
        stats.ticks / 1_000_000,
        stats.constraints_before_slicing,
        stats.constraints_after_slicing
    );
    if let Some(state) = deepest {
        single(&mut program, &mut solver, &state);
    }
}

/// What single cheap questions cost, on a deep path.
fn single(program: &mut Program, solver: &mut Solver, state: &State) {
    const TIMES: u32 = 20_000;
    println!("single questions, {} constraints in the path condition:", state.pc.len());
    let terms = &mut program.terms;
    let mut measure = |name: &str, terms: &mut Terms, questions: &[Term]| {
        let start = seconds_of_cpu();
        for _ in 0..TIMES {
            for &question in questions {
                std::hint::black_box(solver.check(terms, &state.pc, question, Some(&state.model)));
            }
        }
        let each = (seconds_of_cpu() - start) * 1e9 / TIMES as f64 / questions.len().max(1) as f64;
        println!("  {name:40} {each:8.0} ns");
    };
    let truth = terms.tru();
    measure("a constant", terms, &[truth]);
    let member: Vec<Term> = state.pc.iter().take(8).collect();
    measure("true under the hint (known term)", terms, &member);
    let negated: Vec<Term> = member.iter().map(|&c| terms.not(c)).collect();
    measure("the negation of a constraint", terms, &negated);
    // New terms, each evaluated for the first time.
    let mut fresh: Vec<Term> = (0..20 * TIMES as u64)
        .map(|i| {
            let (a, b) = (program.input[i as usize % INPUT], program.input[(i as usize / INPUT) % INPUT]);
            let (a, b) = (terms.zext(a, 32), terms.zext(b, 32));
            let factor = terms.constant(2 * i + 3, 32);
            let product = terms.mul(a, factor);
            let sum = terms.add(product, b);
            let wanted = terms.constant(1_000 + 7 * i, 32);
            terms.ne(sum, wanted)
        })
        .collect();
    fresh.retain(|&t| !terms.is_const(t));
    let start = seconds_of_cpu();
    for &question in &fresh {
        std::hint::black_box(solver.check(terms, &state.pc, question, Some(&state.model)));
    }
    let each = (seconds_of_cpu() - start) * 1e9 / fresh.len().max(1) as f64;
    println!("  {:40} {each:8.0} ns", "true under the hint (new terms)");
}
