//! Activations of functions: the running one, and the list of its callers that states share.
//!
//! Calls are what library code does most, so entering and leaving a function allocates nothing: links of the list whose frame returned are kept, with the registers in them, and
//! used again. A frame that another state shares is copied when a path returns to it.

use crate::value::Value;
use espalier_ir::{BlockId, FuncId, Reg};
use smallvec::SmallVec;
use std::rc::Rc;

/// One activation of a function.
#[derive(Clone)]
pub struct Frame {
    pub func: FuncId,
    /// Index of the next instruction; in a caller, of the one after the call.
    pub pc: u32,
    pub regs: Vec<Value>,
    /// Addresses of the frame's stack objects, in order of creation.
    pub allocas: SmallVec<[u64; 2]>,
    /// How many frames are below this one.
    pub depth: u32,
    /// A number that no other activation on this path has, for `longjmp` to find its frame.
    pub serial: u64,
    /// With a bound on loops: how often each was gone round since it was entered.
    pub loops: Vec<(BlockId, u32)>,
    pub purpose: Purpose,
    /// Its call stack, if instructions are counted by that.
    pub call_path: u32,
}

/// What happens when a frame returns.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// The results go to the registers that the caller's call names.
    Call,
    /// The same for a result that needs no conversion, and goes to this register.
    PlainCall(Option<Reg>),
    /// The entry function: its result is the exit status.
    Entry,
    /// Called by the engine (constructors, exit handlers); results are dropped and the next phase begins.
    Phase,
}

impl Frame {
    pub(crate) fn new(func: FuncId, regs: Vec<Value>, purpose: Purpose) -> Frame {
        Frame {
            func,
            pc: 0,
            regs,
            allocas: SmallVec::new(),
            depth: 0,
            serial: 0,
            loops: Vec::new(),
            purpose,
            call_path: 0,
        }
    }

    /// Gives it so many registers, all zero.
    #[inline(always)]
    pub(crate) fn clear_registers(&mut self, count: usize) {
        self.regs.clear();
        self.regs.reserve(count);
        // SAFETY: there is room for them, and `Value::ZERO` is all zeros.
        unsafe {
            self.regs.as_mut_ptr().write_bytes(0, count);
            self.regs.set_len(count);
        }
    }

    /// Becomes a copy of `other`, in the memory that it has.
    fn copy_from(&mut self, other: &Frame) {
        let Frame { func, pc, regs, allocas, depth, serial, loops, purpose, call_path } = other;
        self.regs.clone_from(regs);
        self.allocas.clone_from(allocas);
        self.loops.clone_from(loops);
        (self.func, self.pc, self.depth, self.serial) = (*func, *pc, *depth, *serial);
        (self.purpose, self.call_path) = (*purpose, *call_path);
    }
}

/// A link of the immutable list of callers.
struct Caller {
    frame: Box<Frame>,
    next: Callers,
}

/// The frames below the running one, shared between states.
#[derive(Clone, Default)]
pub struct Callers(Option<Rc<Caller>>);

// A long list would otherwise be dropped recursively, one stack frame a link.
impl Drop for Callers {
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(link) = next {
            next = match Rc::try_unwrap(link) {
                Ok(mut caller) => caller.next.0.take(),
                Err(_) => None,
            };
        }
    }
}

impl Callers {
    /// The frames, innermost first.
    pub fn frames(&self) -> impl Iterator<Item = &Frame> {
        std::iter::successors(self.0.as_deref(), |caller| caller.next.0.as_deref()).map(|caller| &*caller.frame)
    }

    /// Makes `top` a caller. What is `top` then is a frame of an earlier call, to be filled.
    #[inline(always)]
    pub(crate) fn push(&mut self, spare: &mut SpareFrames, top: &mut Box<Frame>) {
        let mut link = spare.take();
        let caller = Rc::get_mut(&mut link).expect("spare frames are not shared");
        std::mem::swap(&mut caller.frame, top);
        caller.next.0 = self.0.take();
        self.0 = Some(link);
    }

    /// Keeps the frames that no other state has.
    pub(crate) fn recycle(&mut self, spare: &mut SpareFrames) {
        let mut next = self.0.take();
        while let Some(mut link) = next {
            let Some(caller) = Rc::get_mut(&mut link) else { return };
            next = caller.next.0.take();
            spare.keep(link);
        }
    }

    /// Makes `top` the innermost caller again. Was there one?
    #[inline(always)]
    pub(crate) fn pop(&mut self, spare: &mut SpareFrames, top: &mut Box<Frame>) -> bool {
        let Some(mut link) = self.0.take() else { return false };
        match Rc::get_mut(&mut link) {
            Some(caller) => {
                std::mem::swap(&mut caller.frame, top);
                self.0 = caller.next.0.take();
                spare.keep(link);
            }
            None => {
                top.copy_from(&link.frame);
                self.0 = link.next.0.clone();
            }
        }
        true
    }
}

/// Links that are in no list, each with a frame that nobody needs.
#[derive(Default)]
pub(crate) struct SpareFrames(Vec<Rc<Caller>>);

impl SpareFrames {
    /// Enough for the calls between two returns to shared frames.
    const MOST: usize = 64;

    #[inline(always)]
    fn take(&mut self) -> Rc<Caller> {
        self.0.pop().unwrap_or_else(|| {
            let frame = Frame::new(FuncId::new(0), Vec::new(), Purpose::Call);
            Rc::new(Caller { frame: Box::new(frame), next: Callers::default() })
        })
    }

    #[inline(always)]
    fn keep(&mut self, link: Rc<Caller>) {
        if self.0.len() < SpareFrames::MOST {
            self.0.push(link);
        }
    }
}
