//! Functions that end the program or jump: `abort`, `exit`, assertions, `setjmp` and `longjmp`.

use super::Arguments;
use crate::interpreter::access::Mode;
use crate::interpreter::fork::Flow;
use crate::interpreter::frames::Purpose;
use crate::interpreter::machine::{Interpreter, Machine};
use crate::interpreter::value::Value;
use crate::learning::NoInterpolant;
use crate::memory::object::Byte;
use crate::models::printed::Piece;
use crate::paths::cut::Needed;
use crate::paths::end::End;
use crate::paths::fault::{Abort, Fault};
use crate::paths::state::{JumpPoint, State};
use espalier_base::control::{ASSERT_FAILURES, ERROR_FUNCTIONS, LONGJMP, SETJMP};
use espalier_base::ubsan::{self, Handler};
use espalier_ir::Inst;
use std::rc::Rc;

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ControlCall {
    /// For the start of the model of the environment.
    RunConstructors,
    /// For a C library's `exit`.
    RunDestructors,
    Abort,
    Exit,
    ExitNow,
    AssertFail,
    ReachError,
    /// A report of clang's checks for undefined behaviour (`-fsanitize=...`).
    Undefined(Handler),
    SetJmp,
    LongJmp,
}

/// Shims that stand even if the program defines the function.
pub fn overriding(name: &str) -> Option<ControlCall> {
    ERROR_FUNCTIONS.contains(&name).then_some(ControlCall::ReachError)
}

pub fn named(name: &str) -> Option<ControlCall> {
    Some(match name {
        "abort" => ControlCall::Abort,
        "__espalier_run_constructors" => ControlCall::RunConstructors,
        "__espalier_run_destructors" => ControlCall::RunDestructors,
        "exit" => ControlCall::Exit,
        "_exit" | "_Exit" | "quick_exit" => ControlCall::ExitNow,
        _ if ASSERT_FAILURES.contains(&name) => ControlCall::AssertFail,
        _ if SETJMP.contains(&name) => ControlCall::SetJmp,
        _ if LONGJMP.contains(&name) => ControlCall::LongJmp,
        _ => ControlCall::Undefined(ubsan::handler(name)?),
    })
}

/// The first word of a `jmp_buf` that `setjmp` filled; the second is the number of the jump point.
const JUMP_MAGIC: u32 = 0x4a4d_5042;

impl<M: Machine> Interpreter<'_, M> {
    pub(crate) fn control_call(&mut self, state: &mut State, call: ControlCall, args: &Arguments) -> Flow {
        match call {
            ControlCall::Abort => Flow::End(self.violation(state, Fault::Abort(Abort::Call))),
            ControlCall::Exit => self.begin_exit(state, args.value(0)),
            ControlCall::ExitNow => {
                if self.records() {
                    state.record.push(Piece::Discard);
                }
                self.exit_now(state, args.value(0))
            }
            ControlCall::AssertFail => {
                let index = if args.name == "__assert_rtn" { 3 } else { 0 };
                let text = self.text_argument(state, args, index);
                Flow::End(self.violation(state, Fault::Assertion { text }))
            }
            ControlCall::ReachError => {
                Flow::End(self.violation(state, Fault::ErrorFunction { name: args.name.to_owned() }))
            }
            ControlCall::Undefined(handler) => self.undefined_behaviour(state, handler, args),
            ControlCall::RunConstructors => {
                self.push_constructors(state, &[0, 1, 2].map(|index| args.value(index)));
                Flow::Next
            }
            ControlCall::RunDestructors => {
                // The last one pushed runs first.
                for destructor in self.image.clone().program().destructors.iter().rev() {
                    self.push_call(state, *destructor, &[], Purpose::Phase);
                }
                Flow::Next
            }
            ControlCall::SetJmp => self.set_jump(state, args),
            ControlCall::LongJmp => self.long_jump(state, args),
        }
    }

    /// Saves where to come back to; the `jmp_buf` gets the jump point's number, so that copies of
    /// it work too.
    fn set_jump(&mut self, state: &mut State, args: &Arguments) -> Flow {
        let number = state.jump_points.len() as u32;
        if state.top.serial == 0 {
            state.last_serial += 1;
            state.top.serial = state.last_serial;
        }
        let point = JumpPoint { serial: state.top.serial, pc: state.top.pc };
        Rc::make_mut(&mut state.jump_points).push(point);
        self.set_result(state, args, Value::ZERO, 32);
        let bytes: Vec<Byte> =
            JUMP_MAGIC.to_le_bytes().into_iter().chain(number.to_le_bytes()).map(Byte::Concrete).collect();
        self.access(state, args.value(0), 8, Mode::Write, |executor, state, place| {
            executor.write_block(state, place, &bytes);
        })
    }

    fn long_jump(&mut self, state: &mut State, args: &Arguments) -> Flow {
        // The buffer may be one of several: then this is executed again for each.
        let Some(bytes) = state.scratch.take() else { return self.read_into_scratch(state, args.value(0), 8) };
        let concrete: Option<Vec<u8>> = bytes.iter().map(|byte| byte.as_concrete()).collect();
        let Some(word) = concrete.and_then(|bytes| Some(u64::from_le_bytes(bytes.try_into().ok()?))) else {
            if M::STARTS_ANYWHERE {
                // It leaves the function that was explored, unless one in between is meant.
                if !state.jump_points.is_empty() {
                    M::refuses(self, NoInterpolant::PointerWithoutBase);
                }
                return Flow::End(End::Silent);
            }
            if bytes.contains(&Byte::Uninit) {
                return Flow::End(self.violation(state, Fault::JumpBuffer));
            }
            let word = self.assemble(state, 0, 0, &bytes);
            let word = Value::of(&self.terms, word);
            return self.fork_on_values(state, word, 64, Needed::JumpBuffer, |state, number| {
                state.scratch = Some(number.to_le_bytes().into_iter().map(Byte::Concrete).collect());
                state.top.pc -= 1;
            });
        };
        let is_buffer = word as u32 == JUMP_MAGIC;
        let point = is_buffer.then(|| state.jump_points.get((word >> 32) as usize).copied()).flatten();
        let Some(point) = point else {
            return Flow::End(self.violation(state, Fault::JumpBuffer));
        };
        if !state.frames().any(|frame| frame.serial == point.serial) {
            return Flow::End(self.violation(state, Fault::JumpToReturned));
        }
        let one = Value::concrete(1);
        let value = match args.value(1).as_term() {
            None if args.value(1).bits() == 0 => one,
            None => args.value(1),
            Some(term) => {
                let zero = self.terms.constant(0, 32);
                let is_zero = self.terms.eq(term, zero);
                let one = self.terms.constant(1, 32);
                let value = self.terms.ite(is_zero, one, term);
                Value::of(&self.terms, value)
            }
        };
        while state.top.serial != point.serial {
            let allocas = std::mem::take(&mut state.top.allocas);
            self.kill_frame_objects(state, &allocas);
            if !state.leave(&mut self.spare_frames) {
                break;
            }
        }
        state.top.pc = point.pc;
        let image = self.image.clone();
        let function = image.program().function(state.top.func);
        if let Inst::Call { call } = function.code[point.pc as usize - 1]
            && let Some(dst) = function.call(call).dsts.first()
        {
            state.top.regs[dst.index()] = value;
        }
        Flow::Next
    }
}
