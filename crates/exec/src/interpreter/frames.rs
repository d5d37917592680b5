//! Activations of functions: the running one, and the list of its callers, which states share.
//!
//! Calls are what library code does most, so entering and leaving a function allocates nothing:
//! links of the list whose frame returned are kept, with the registers in them, and used again. A
//! frame that another state shares is copied when a path returns to it.

use crate::interpreter::value::Value;
use espalier_ir::{BlockId, FuncId, Reg};
use smallvec::SmallVec;
use std::ops::{Deref, DerefMut};
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
    /// If it called `setjmp`: a number that no other activation on this path has, for `longjmp` to
    /// find it; or 0.
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
    /// Called by the engine (constructors, exit handlers); results are dropped and the next phase
    /// begins.
    Phase,
    /// Called by the engine to handle what the program did wrong: the path is over when it returns.
    Handler,
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

struct Link {
    frame: Frame,
    caller: Option<Rc<Link>>,
}

impl Link {
    /// A link that nobody else has: the running one or a spare one.
    #[inline(always)]
    fn own(link: &mut Rc<Link>) -> &mut Link {
        debug_assert_eq!(Rc::strong_count(link), 1);
        // SAFETY: only links below a running one are ever shared, and there are no weak references.
        unsafe { &mut *Rc::as_ptr(link).cast_mut() }
    }
}

/// The running frame, on top of its callers, which states share.
pub struct Running(Rc<Link>);

impl Running {
    pub(crate) fn new(frame: Frame) -> Running {
        Running(Rc::new(Link { frame, caller: None }))
    }

    /// The frames, innermost first.
    pub fn frames(&self) -> impl Iterator<Item = &Frame> {
        std::iter::successors(Some(&*self.0), |link| link.caller.as_deref()).map(|link| &link.frame)
    }

    /// The frame that has so many below it, to be changed in this state alone.
    pub(crate) fn frame_mut(&mut self, depth: u32) -> Option<&mut Frame> {
        let mut link = &mut self.0;
        loop {
            if Rc::strong_count(link) > 1 {
                *link = Rc::new(Link { frame: link.frame.clone(), caller: link.caller.clone() });
            }
            let own = Rc::get_mut(link)?;
            if own.frame.depth == depth {
                return Some(&mut own.frame);
            }
            link = own.caller.as_mut()?;
        }
    }

    /// Puts a frame of an earlier call on top, to be filled.
    #[inline(always)]
    pub(crate) fn push(&mut self, spare: &mut SpareFrames) {
        let caller = std::mem::replace(&mut self.0, spare.take());
        // Spare links have no caller that would have to be dropped.
        std::mem::forget(Link::own(&mut self.0).caller.replace(caller));
    }

    /// Goes back to the caller. Was there one?
    #[inline(always)]
    pub(crate) fn pop(&mut self, spare: &mut SpareFrames) -> bool {
        let link = Link::own(&mut self.0);
        let Some(caller) = link.caller.take() else { return false };
        if Rc::strong_count(&caller) == 1 {
            spare.keep(std::mem::replace(&mut self.0, caller));
        } else {
            link.frame.copy_from(&caller.frame);
            link.caller = caller.caller.clone();
        }
        true
    }

    /// Keeps the frames that no other state has.
    pub(crate) fn recycle(mut self, spare: &mut SpareFrames) {
        while self.0.caller.as_ref().is_some_and(|caller| Rc::strong_count(caller) == 1) {
            self.allocas.clear();
            self.pop(spare);
        }
    }
}

impl Clone for Running {
    fn clone(&self) -> Running {
        Running(Rc::new(Link { frame: self.0.frame.clone(), caller: self.0.caller.clone() }))
    }
}

impl Deref for Running {
    type Target = Frame;

    #[inline(always)]
    fn deref(&self) -> &Frame {
        &self.0.frame
    }
}

impl DerefMut for Running {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Frame {
        &mut Link::own(&mut self.0).frame
    }
}

// A long list would otherwise be dropped recursively, one stack frame a link.
impl Drop for Running {
    fn drop(&mut self) {
        let mut next = Link::own(&mut self.0).caller.take();
        while let Some(link) = next {
            next = Rc::into_inner(link).and_then(|mut link| link.caller.take());
        }
    }
}

/// Links of no state, each with a frame that nobody needs, in a list of their own. The frames have
/// no stack objects.
#[derive(Default)]
pub(crate) struct SpareFrames {
    first: Option<Rc<Link>>,
    count: u32,
}

impl SpareFrames {
    /// Enough for the calls between two returns to shared frames.
    const MOST: u32 = 64;

    /// A link without a caller.
    #[inline(always)]
    fn take(&mut self) -> Rc<Link> {
        let Some(mut link) = self.first.take() else {
            let frame = Frame::new(FuncId::new(0), Vec::new(), Purpose::Call);
            return Rc::new(Link { frame, caller: None });
        };
        self.first = Link::own(&mut link).caller.take();
        self.count -= 1;
        link
    }

    /// Keeps a link without a caller.
    #[inline(always)]
    fn keep(&mut self, mut link: Rc<Link>) {
        debug_assert!(link.frame.allocas.is_empty());
        if self.count < SpareFrames::MOST {
            self.count += 1;
            Link::own(&mut link).caller = self.first.take();
            self.first = Some(link);
        }
    }
}
