//! The machines of the interpreter against each other, on every segment of every path of the test programs:
//! the decisions of a replay, followed without the inputs, come to the same guards and needs; and with the
//! last decision turned round, to the other side's guard.

use espalier_exec::{Decision, Event, Executor, Options, State, Step, Stops};
use espalier_expr::Model;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Segments of one program that are looked at.
const MOST_SEGMENTS: usize = 60;

/// Instructions of one program.
const MOST_INSTRUCTIONS: u64 = 200_000;

#[derive(Default)]
struct Seen {
    followed: usize,
    turned: usize,
    failed: usize,
    wrong: Vec<String>,
}

fn programs() -> Vec<PathBuf> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let mut found = Vec::new();
    for folder in ["pass", "fail", "klee"] {
        let Ok(files) = std::fs::read_dir(tests.join(folder)) else { continue };
        let sources = files.filter_map(|file| Some(file.ok()?.path()));
        found.extend(sources.filter(|path| {
            let has_inputs = |text: String| text.contains("klee_") || text.contains("__VERIFIER_nondet");
            path.extension().is_some_and(|kind| kind == "c") && std::fs::read_to_string(path).is_ok_and(has_inputs)
        }));
    }
    found.sort();
    found
}

/// Goes all ways through a program, and looks at each segment.
fn walk(executor: &mut Executor, first: State, name: &str, seen: &mut Seen) {
    let mut open = vec![first];
    let (mut segments, begun) = (0, executor.stats.instructions);
    while let Some(mut state) = open.pop() {
        if segments >= MOST_SEGMENTS || executor.stats.instructions - begun > MOST_INSTRUCTIONS {
            return;
        }
        let start = state.clone();
        let mut look = |executor: &mut Executor, last: &State, end: Option<&State>| {
            segments += 1;
            let Some(model) = last.model().cloned() else { return };
            compare(executor, &start, last, &model, end, name, seen);
        };
        match executor.run(&mut state, MOST_INSTRUCTIONS) {
            Step::Budget => return,
            Step::Join => {
                look(executor, &state, Some(&state));
                executor.note_look_up(&mut state);
                open.push(state);
            }
            Step::Fork(children) => {
                let mut going_on = vec![state];
                for child in children {
                    match child.end {
                        Some(_) => look(executor, &child.state, None),
                        None => going_on.push(*child.state),
                    }
                }
                going_on.iter().for_each(|state| look(executor, state, Some(state)));
                open.extend(going_on.into_iter().rev());
            }
            Step::End(_) => look(executor, &state, None),
        }
    }
}

fn compare(
    executor: &mut Executor,
    start: &State,
    last: &State,
    model: &Model,
    end: Option<&State>,
    name: &str,
    seen: &mut Seen,
) {
    let instructions = last.instructions() - start.instructions();
    let Ok(((), replayed)) = executor.replay(start, model, instructions, end, |_, _| Ok(())) else {
        seen.failed += 1;
        return;
    };
    let decisions = match executor.decisions(start, model, instructions, end) {
        Ok(decisions) => decisions,
        Err(reason) => return seen.wrong.push(format!("{name}: no decisions: {reason:?}")),
    };
    match executor.follow(start, decisions.clone(), instructions, |_, state| Ok(state.is_some())) {
        Ok((goes_on, followed)) if goes_on == end.is_some() && followed == replayed => seen.followed += 1,
        Ok((_, followed)) => {
            seen.wrong.push(format!("{name}: followed to {:?}, not {:?}", followed.events, replayed.events));
        }
        Err(reason) => seen.wrong.push(format!("{name}: not followed: {reason:?}")),
    }
    // The other side of the last branch, whether an input takes it or not: where the two ways part, one has the other's guard turned round.
    let Some((Decision::Side(side), before)) = decisions.split_last() else { return };
    let turned: Vec<Decision> = before.iter().copied().chain([Decision::Side(!side)]).collect();
    let Ok(((), followed)) = executor.follow(start, turned, instructions, |_, _| Ok(())) else { return };
    let parts = replayed.events.iter().zip(&followed.events).find(|(one, other)| one != other);
    let condition = |event: &Event| match *event {
        Event::Guard { condition, .. } | Event::Assumed(condition) => condition,
    };
    match parts.map(|(one, other)| (condition(one), condition(other))) {
        Some((one, other)) if executor.terms.not(one) == other => seen.turned += 1,
        _ => seen.wrong.push(format!("{name}: turned round to {:?}, not {:?}", followed.events, replayed.events)),
    }
}

#[test]
fn decisions_say_what_inputs_say() {
    let mut seen = Seen::default();
    let programs = programs();
    let mut walked = 0;
    for file in &programs {
        let input = espalier_frontend::Input { files: vec![file.clone()], ..Default::default() };
        let Ok(loaded) = espalier_frontend::load(&input) else { continue };
        let Ok(mut executor) =
            Executor::new(Rc::new(loaded.program), espalier_solver::Config::default(), Options::default())
        else {
            continue;
        };
        let Ok(first) = executor.initial_state(loaded.entry) else { continue };
        executor.stop_at(Stops::Joins);
        walk(&mut executor, first, &file.display().to_string(), &mut seen);
        walked += 1;
    }
    assert!(seen.wrong.is_empty(), "{} wrong: {:#?}", seen.wrong.len(), &seen.wrong[..seen.wrong.len().min(10)]);
    assert!(10 * walked > 9 * programs.len(), "{walked} of {} programs", programs.len());
    eprintln!("{} followed, {} turned round, {} that cannot be replayed", seen.followed, seen.turned, seen.failed);
    assert!(seen.followed > 1000 && seen.turned > 200, "{} followed, {} turned round", seen.followed, seen.turned);
}
