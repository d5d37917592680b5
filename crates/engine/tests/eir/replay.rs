//! Each segment of each path, run again on leaves: under which conditions another state takes the
//! same way, what must be as it was, and the registers that are alive in the end in terms of those
//! in the beginning. Following the decisions without the inputs must come to the same.

use super::Case;
use super::walk::{Stop, executor, place, walk};
use espalier_exec::{Event, Executor, LeafValues, Needs, State};
use espalier_report::no_interpolant_text;

pub fn report(case: Case) -> Result<Vec<String>, String> {
    let mut executor = executor(&case)?;
    let mut lines = Vec::new();
    walk(&case, &mut executor, |executor, start, stop| {
        let (state, end) = (stop.state(), stop.going_on());
        let what = match stop {
            Stop::Fork(_) => "fork",
            Stop::Join(_) => "join",
            Stop::Ended(_) => "end",
        };
        let to = end.map(|end| format!(" {}", place(executor, end))).unwrap_or_default();
        lines.push(format!("{} to {what}{to}", place(executor, start)));
        lines.extend(segment(executor, start, state, end).into_iter().map(|line| format!("- {line}")));
    })?;
    Ok(lines)
}

fn segment(executor: &mut Executor, start: &State, last: &State, end: Option<&State>) -> Vec<String> {
    let Some(model) = last.model().cloned() else { return vec!["no inputs".to_owned()] };
    let instructions = last.instructions() - start.instructions();
    let finish = |executor: &mut dyn LeafValues, state: &mut State| {
        let live = executor.live_registers(state.running().func, state.running().pc);
        let registers = live.iter().filter_map(|reg| Some((reg, state.running().regs[reg.index()].as_term()?)));
        Ok(registers.map(|(reg, term)| format!("{reg} = {}", executor.terms.display(term))).collect::<Vec<_>>())
    };
    let (registers, replayed) = match executor.replay(start, &model, instructions, end, finish) {
        Ok(done) => done,
        Err(reason) => return vec![format!("fails: {}", no_interpolant_text(reason))],
    };
    let mut lines: Vec<String> = Vec::new();
    let followed = executor
        .decisions(start, &model, instructions, end)
        .and_then(|decisions| executor.follow(start, decisions, instructions, |_, state| Ok(state.is_some())));
    match followed {
        Ok((goes_on, followed)) if goes_on == end.is_some() && followed == replayed => {}
        Ok(_) => lines.push("another way, if only the decisions are known".to_owned()),
        Err(reason) => lines.push(format!("fails without inputs: {}", no_interpolant_text(reason))),
    }
    for event in replayed.events {
        lines.push(match event {
            Event::Guard { condition, matters, .. } => {
                let text = executor.terms.display(condition).to_string();
                if matters { format!("guard {text}") } else { format!("guard {text}, does not matter") }
            }
            Event::Assumed(condition) => format!("assumed {}", executor.terms.display(condition)),
        });
    }
    let Needs { objects, as_loaded, no_object, heap_position, same_stack } = replayed.needs;
    lines.extend(objects.iter().map(|(name, (size, _))| format!("needs {name} of {size} bytes")));
    lines.extend(as_loaded.iter().map(|address| format!("needs {address:#x} as loaded")));
    lines.extend(no_object.iter().map(|address| format!("needs nothing at {address:#x}")));
    lines.extend(heap_position.map(|_| "needs as many heap objects before".to_owned()));
    lines.extend(same_stack.then(|| "needs the same stack".to_owned()));
    if end.is_some() {
        lines.extend(registers);
    }
    lines
}
