//! Where paths meet, one after the other: all that the running frame has in registers becomes
//! unknown, and so do the global variables. What the state can do then, up to the next meeting.

use super::Case;
use super::walk::{Stop, executor, place, walk};
use espalier_exec::memory::Origin;
use espalier_exec::{End, Executor, Leaf, ObjectName, State, Step};

pub fn report(case: Case) -> Result<Vec<String>, String> {
    let mut executor = executor(&case)?;
    let mut lines = Vec::new();
    walk(&case, &mut executor, |executor, _, stop| {
        let Stop::Join(state) = stop else { return };
        let mut state = state.clone();
        lines.push(format!("from {}", place(executor, &state)));
        let covered = executor.coverage().covered_blocks();
        let before = executor.stats.instructions;
        for leaf in leaves(executor, &state) {
            let held = executor.havoc(&mut state, leaf).map(|var| executor.terms.display(var).to_string());
            lines.push(format!("- {leaf} is {}", held.as_deref().unwrap_or("as it was")));
        }
        executor.note_look_up(&mut state);
        go_on(executor, state, &mut lines);
        assert_eq!(executor.coverage().covered_blocks(), covered, "none of it is a run of the program");
        assert_eq!(executor.stats.instructions, before, "none of it is a run of the program");
    })?;
    Ok(lines)
}

fn leaves(executor: &mut Executor, state: &State) -> Vec<Leaf> {
    let live = executor.live_registers(state.running().func, state.running().pc);
    let registers = live.iter().map(|reg| Leaf::Reg { depth: state.running().depth, reg: reg.index() as u32 });
    let mut leaves: Vec<Leaf> = registers.collect();
    state.memory().for_each_object(|object| {
        if matches!(object.origin, Origin::Global(_)) {
            let len = object.size.min(8) as u32;
            leaves.push(Leaf::Mem { object: ObjectName::At(object.base), offset: 0, len });
        }
    });
    leaves
}

fn go_on(executor: &mut Executor, state: State, lines: &mut Vec<String>) {
    let mut open = vec![state];
    while let Some(mut state) = open.pop() {
        match executor.run_havocked(&mut state, u64::MAX) {
            Step::Budget | Step::Entered => lines.push("- no end".to_owned()),
            Step::Join => lines.push(format!("- meets at {}{}", place(executor, &state), condition(executor, &state))),
            Step::End(End::Violation(violation)) => {
                lines.push(format!("- error {}{}", violation.kind().name(), condition(executor, &state)));
            }
            Step::End(_) => lines.push(format!("- ends{}", condition(executor, &state))),
            Step::Fork(children) => {
                let children = children.into_iter().map(|child| *child.into_state());
                open.extend(children.rev());
                open.push(state);
            }
        }
    }
}

/// What is known of the unknown.
fn condition(executor: &Executor, state: &State) -> String {
    let conditions = state.path_condition().to_vec();
    let unknown = conditions.into_iter().map(|term| executor.terms.display(term).to_string());
    let unknown: Vec<String> = unknown.filter(|text| text.contains("unknown")).collect();
    if unknown.is_empty() { String::new() } else { format!(" if {}", unknown.join(" and ")) }
}
