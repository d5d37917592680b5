//! Frames against a model: call stacks that share their beginnings, with frames that are used
//! again. `make fuzz` runs this with the checks of Miri or of AddressSanitizer.

use super::frames::{Frame, Purpose, Running, SpareFrames};
use super::value::Value;
use espalier_ir::FuncId;
use proptest::prelude::*;

#[derive(Clone, Debug)]
enum Action {
    Enter {
        func: usize,
        registers: usize,
    },
    Leave,
    Copy,
    Drop,
    Recycle,
    Set {
        reg: usize,
        number: u64,
    },
    /// In a caller.
    SetBelow {
        depth: usize,
        reg: usize,
        number: u64,
    },
}

const MOST_STACKS: usize = 5;

/// What a frame must be: its function and its registers.
type Model = Vec<(usize, Vec<u64>)>;

fn actions() -> impl Strategy<Value = Vec<(usize, Action)>> {
    let action = prop_oneof![
        6 => (0..9usize, 0..7usize).prop_map(|(func, registers)| Action::Enter { func, registers }),
        5 => Just(Action::Leave),
        3 => Just(Action::Copy),
        1 => Just(Action::Drop),
        1 => Just(Action::Recycle),
        5 => (0..7usize, any::<u64>()).prop_map(|(reg, number)| Action::Set { reg, number }),
        2 => (0..7usize, 0..7usize, any::<u64>())
            .prop_map(|(depth, reg, number)| Action::SetBelow { depth, reg, number }),
    ];
    proptest::collection::vec((0..MOST_STACKS, action), 1..150)
}

fn shown(running: &Running) -> Model {
    let frames = running.frames().map(|frame| {
        let numbers = frame.regs.iter().map(|value| value.bits()).collect();
        (frame.func.index(), numbers)
    });
    let mut frames: Model = frames.collect();
    frames.reverse();
    frames
}

/// As states do it.
fn enter(running: &mut Running, spare: &mut SpareFrames, func: usize, registers: usize) {
    let depth = running.depth + 1;
    running.push(spare);
    running.clear_registers(registers);
    (running.func, running.depth) = (FuncId::new(func), depth);
}

proptest! {
    #[test]
    fn frames_are_what_was_put_there(actions in actions()) {
        let mut spare = SpareFrames::default();
        let first = Frame::new(FuncId::new(0), vec![Value::ZERO; 3], Purpose::Entry);
        let mut stacks: Vec<(Running, Model)> = vec![(Running::new(first), vec![(0, vec![0; 3])])];
        for (who, action) in actions {
            let who = who % stacks.len();
            let count = stacks.len();
            let (running, model) = &mut stacks[who];
            match action {
                Action::Enter { func, registers } => {
                    enter(running, &mut spare, func, registers);
                    model.push((func, vec![0; registers]));
                }
                Action::Leave => {
                    let has_caller = model.len() > 1;
                    prop_assert_eq!(running.pop(&mut spare), has_caller);
                    if has_caller {
                        model.pop();
                    }
                }
                Action::Copy if count < MOST_STACKS => {
                    let copy = (running.clone(), model.clone());
                    stacks.push(copy);
                }
                Action::Drop if count > 1 => drop(stacks.swap_remove(who)),
                Action::Recycle if count > 1 => stacks.swap_remove(who).0.recycle(&mut spare),
                Action::Copy | Action::Drop | Action::Recycle => {}
                Action::Set { reg, number } => {
                    let registers = running.regs.len();
                    if registers > 0 {
                        running.regs[reg % registers] = Value::concrete(number);
                        let top = model.len() - 1;
                        model[top].1[reg % registers] = number;
                    }
                }
                Action::SetBelow { depth, reg, number } => {
                    let depth = depth % model.len();
                    let frame = running.frame_mut(depth as u32).expect("a frame");
                    let registers = frame.regs.len();
                    if registers > 0 {
                        frame.regs[reg % registers] = Value::concrete(number);
                        model[depth].1[reg % registers] = number;
                    }
                }
            }
        }
        for (running, model) in &stacks {
            prop_assert_eq!(&shown(running), model);
        }
    }
}
