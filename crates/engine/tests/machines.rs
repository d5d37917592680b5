//! The machines of the interpreter against each other, on every segment of every path of the test
//! programs: the decisions of a replay, followed without the inputs, come to the same guards and
//! needs; and with the last decision turned round, to the other side's guard.

#[path = "support/programs.rs"]
mod programs;
#[path = "support/walk.rs"]
mod walk;

use espalier_exec::{Decision, Event, Executor, Options, State, Stops};
use espalier_expr::Model;
use programs::programs;
use std::rc::Rc;
use walk::{Limits, walk};

/// What is looked at of one program.
const LIMITS: Limits = Limits { segments: 60, instructions: 50_000 };

#[derive(Default)]
struct Seen {
    followed: usize,
    turned: usize,
    failed: usize,
    wrong: Vec<String>,
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
    // The other side of the last branch, whether an input takes it or not: where the two ways part,
    // one has the other's guard turned round.
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
    let programs = programs(&["pass", "fail", "klee"]);
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
        let name = file.display().to_string();
        // Some have more paths than are looked at.
        let _ = walk(&mut executor, first, LIMITS, |executor, start, stop| {
            let last = stop.state();
            if let Some(model) = last.model().cloned() {
                compare(executor, start, last, &model, stop.going_on(), &name, &mut seen);
            }
        });
        walked += 1;
    }
    assert!(seen.wrong.is_empty(), "{} wrong: {:#?}", seen.wrong.len(), &seen.wrong[..seen.wrong.len().min(10)]);
    assert!(10 * walked > 9 * programs.len(), "{walked} of {} programs", programs.len());
    eprintln!("{} followed, {} turned round, {} that cannot be replayed", seen.followed, seen.turned, seen.failed);
    assert!(seen.followed > 1000 && seen.turned > 200, "{} followed, {} turned round", seen.followed, seen.turned);
}
