//! `malloc` and its relatives, and the block functions of `string.h` when they are called as
//! functions.

use super::Arguments;
use super::errno::{EINVAL, ENOMEM};
use crate::Executor;
use crate::interpreter::access::Place;
use crate::interpreter::fork::{Alternatives, Flow};
use crate::interpreter::machine::{Interpreter, Machine};
use crate::interpreter::value::Value;
use crate::learning::NoInterpolant;
use crate::memory::Origin;
use crate::paths::approximation::{Cause, Direction};
use crate::paths::cut::{CutReason, Unsupported};
use crate::paths::end::End;
use crate::paths::fault::Fault;
use crate::paths::message::Message;
use crate::paths::state::State;
use espalier_expr::Term;

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum HeapCall {
    Malloc,
    Calloc,
    Realloc,
    Free,
    PageAlloc,
    AlignedAlloc,
    PosixMemalign,
    UsableSize,
    MemCpy,
    MemSet,
}

pub fn named(name: &str) -> Option<HeapCall> {
    Some(match name {
        "malloc" => HeapCall::Malloc,
        "valloc" => HeapCall::PageAlloc,
        "calloc" => HeapCall::Calloc,
        "realloc" => HeapCall::Realloc,
        "free" => HeapCall::Free,
        "aligned_alloc" | "memalign" => HeapCall::AlignedAlloc,
        "posix_memalign" => HeapCall::PosixMemalign,
        "malloc_usable_size" => HeapCall::UsableSize,
        "memcpy" | "memmove" => HeapCall::MemCpy,
        "memset" => HeapCall::MemSet,
        _ => return None,
    })
}

/// Larger requests fail, as they would on a real machine.
const MAX_CONCRETE: u64 = 1 << 36;
const PAGE: u64 = 4096;
/// Objects of more bytes are told of.
const LARGE: u64 = 10 << 20;

/// So many sizes of an object are few.
const FEW_SIZES: u64 = 8;

impl<M: Machine> Interpreter<'_, M> {
    pub(crate) fn heap_call(&mut self, state: &mut State, call: HeapCall, args: &Arguments) -> Flow {
        match call {
            HeapCall::Malloc => self.heap_allocate(state, args, args.value(0), 16, false),
            HeapCall::Calloc => {
                let width = self.pointer_width();
                let (count, size) = (args.value(0), args.value(1));
                if let (Some(count), Some(size)) = (count.as_concrete(), size.as_concrete()) {
                    let total = count.saturating_mul(size);
                    return self.heap_allocate(state, args, Value::concrete(total), 16, true);
                }
                // An overflowing product must fail: computed in twice the width, it is larger than
                // any limit.
                let (count, size) = (count.term(&mut self.terms, width), size.term(&mut self.terms, width));
                let (wide_count, wide_size) = (self.terms.zext(count, 2 * width), self.terms.zext(size, 2 * width));
                let product = self.terms.mul(wide_count, wide_size);
                let high = self.terms.extract(product, width, width);
                let none = self.terms.constant(0, width);
                let fits = self.terms.eq(high, none);
                let low = self.terms.extract(product, 0, width);
                let most = self.terms.not(none);
                let total = self.terms.ite(fits, low, most);
                let total = Value::of(&self.terms, total);
                self.heap_allocate(state, args, total, 16, true)
            }
            HeapCall::PageAlloc => self.heap_allocate(state, args, args.value(0), PAGE, false),
            HeapCall::AlignedAlloc => self.aligned_alloc(state, args),
            HeapCall::PosixMemalign => self.posix_memalign(state, args),
            HeapCall::Realloc => self.realloc(state, args),
            HeapCall::Free => self.free(state, args),
            HeapCall::UsableSize => match args.value(0).as_concrete() {
                Some(address) => {
                    let size = state.memory.object(address).map_or(0, |object| object.size);
                    if address != 0 {
                        state.note_approximation(Direction::Under, Cause::UsableSize);
                    }
                    self.return_pointer(state, args, size)
                }
                None => self.fork_on_argument(state, args, 0),
            },
            HeapCall::MemCpy | HeapCall::MemSet => {
                let (Some(a), Some(b), Some(n)) = (args.operand(0), args.operand(1), args.operand(2)) else {
                    return Flow::End(
                        self.unsupported(state, Unsupported::TooFewArguments { function: args.name.to_owned() }),
                    );
                };
                let width = self.pointer_width();
                self.set_result(state, args, args.value(0), width);
                if call == HeapCall::MemCpy {
                    return self.copy_block(state, a, b, n);
                }
                let byte = self.resize(args.value(1), args.width(1), 8);
                self.fill_block(state, a, byte, n)
            }
        }
    }

    /// The allocation functions' common part: an object of `size` bytes, or null.
    fn heap_allocate(&mut self, state: &mut State, args: &Arguments, size: Value, align: u64, zeroed: bool) -> Flow {
        let size = match size.as_term() {
            Some(term) => {
                let term = self.looked_at(state, term);
                // A program may declare the function with another type.
                let width = self.pointer_width();
                let term = self.terms.zext_or_trunc(term, width);
                Value::of(&self.terms, term)
            }
            None => size,
        };
        match size.as_term() {
            None => match self.new_heap_object(state, size.bits(), align, zeroed) {
                Some(address) => self.return_pointer(state, args, address),
                None => self.no_memory(state, args),
            },
            Some(term) => match self.argument_to_fork_on(args, term) {
                Some(index) => self.fork_on_argument(state, args, index),
                None => self.allocate_symbolic(state, args, term, align, zeroed),
            },
        }
    }

    /// The end of an allocation that fails.
    fn no_memory(&mut self, state: &mut State, args: &Arguments) -> Flow {
        self.return_pointer(state, args, 0);
        self.set_errno(state, ENOMEM)
    }

    /// Nothing is learnt across objects of symbolic size. If a size can only have a few values, by
    /// its form alone, the path forks on them; also when it is run again, where it did so before.
    fn argument_to_fork_on(&mut self, args: &Arguments, size: Term) -> Option<usize> {
        let original = M::original(self, size);
        let (low, high) = self.terms.unsigned_range(original);
        (0..args.values.len()).find(|&index| high - low < FEW_SIZES && !args.value(index).is_concrete())
    }

    fn new_heap_object(&mut self, state: &mut State, size: u64, align: u64, zeroed: bool) -> Option<u64> {
        if size > MAX_CONCRETE || align > MAX_CONCRETE {
            return None;
        }
        M::allocate(self);
        if M::IS_RUN {
            self.stats.allocations += 1;
            if size > LARGE {
                self.tell_once(Message::LargeObject { bytes: size });
            }
        }
        let origin = Origin::Heap(self.user_loc(state));
        state.memory.allocate(size, align, origin, zeroed).ok()
    }

    /// An allocation whose size depends on the input: the object keeps the size as a term, and
    /// bounds checks compare with it.
    fn allocate_symbolic(&mut self, state: &mut State, args: &Arguments, size: Term, align: u64, zeroed: bool) -> Flow {
        if M::refuses(self, NoInterpolant::SymbolicAllocation) {
            return Flow::End(End::Silent);
        }
        let width = self.pointer_width();
        let limit = self.options.max_symbolic_alloc;
        let limit_term = self.terms.constant(limit, width);
        let small = self.terms.ule(size, limit_term);
        let mut out = Alternatives::default();
        let copy = self.split(state);
        let (within, beyond) = self.split_on(copy, small, &mut out);
        if let Some(mut state) = within {
            let upper = match self.range_of(&state, size) {
                Ok((_, high)) => high,
                Err(_) => limit,
            };
            match self.new_heap_object(&mut state, upper, align, zeroed) {
                Some(address) => {
                    if let Some(object) = state.memory.object_mut(address) {
                        object.size_term = Some(size);
                    }
                    self.return_pointer(&mut state, args, address);
                    out.goes_on(state);
                }
                None => {
                    self.no_memory(&mut state, args);
                    out.goes_on(state);
                }
            }
        }
        if let Some(state) = beyond {
            let function = args.name.to_owned();
            let end = self.limit(&state, CutReason::SymbolicAllocation { function, limit });
            out.ended(state, end);
        }
        out.settle(self, state)
    }

    fn posix_memalign(&mut self, state: &mut State, args: &Arguments) -> Flow {
        for index in 1..3 {
            if !args.value(index).is_concrete() {
                return self.fork_on_argument(state, args, index);
            }
        }
        let (align, size) = (args.value(1).bits(), args.value(2).bits());
        let width = self.pointer_width();
        if !align.is_power_of_two() || align < u64::from(width / 8) {
            self.set_result(state, args, Value::concrete(EINVAL), 32);
            return Flow::Next;
        }
        match self.new_heap_object(state, size, align.max(16), false) {
            Some(address) => {
                self.set_result(state, args, Value::ZERO, 32);
                self.store(state, Value::concrete(address), args.value(0), width)
            }
            None => {
                self.set_result(state, args, Value::concrete(ENOMEM), 32);
                self.set_errno(state, ENOMEM)
            }
        }
    }

    /// As glibc does it: an alignment that is no power of two is rounded up, and one of more than
    /// half of the addresses is an error.
    fn aligned_alloc(&mut self, state: &mut State, args: &Arguments) -> Flow {
        let Some(align) = args.value(0).as_concrete() else { return self.fork_on_argument(state, args, 0) };
        let greatest = 1_u64 << (self.pointer_width() - 1);
        if align > greatest {
            self.return_pointer(state, args, 0);
            return self.set_errno(state, EINVAL);
        }
        self.heap_allocate(state, args, args.value(1), align.next_power_of_two().max(16), false)
    }

    fn realloc(&mut self, state: &mut State, args: &Arguments) -> Flow {
        let (old, size) = (args.value(0), args.value(1));
        let Some(old) = old.as_concrete() else { return self.fork_on_argument(state, args, 0) };
        if old == 0 {
            return self.heap_allocate(state, args, size, 16, false);
        }
        if let Some(end) = self.check_free(state, old, "realloc") {
            return Flow::End(end);
        }
        let Some(size) = size.as_concrete() else { return self.fork_on_argument(state, args, 1) };
        if size == 0 {
            state.memory.kill(old, self.user_loc(state));
            return self.return_pointer(state, args, 0);
        }
        let old_size = state.memory.object(old).map_or(0, |object| object.size);
        let Some(new) = self.new_heap_object(state, size, 16, false) else {
            return self.no_memory(state, args);
        };
        let from = Place::new(old, Value::concrete(0));
        let kept = old_size.min(size);
        self.look_at_copied(state, Value::concrete(new), Value::concrete(old), kept);
        if self.copy_large(state, Value::concrete(new), Value::concrete(old), kept).is_none() {
            let bytes = self.read_block(state, from, kept as usize);
            self.write_block(state, Place { base: new, ..from }, &bytes);
        }
        state.memory.kill(old, self.user_loc(state));
        self.return_pointer(state, args, new)
    }

    fn free(&mut self, state: &mut State, args: &Arguments) -> Flow {
        if self.is_from_outside(state, args.value(0)) {
            self.free_outside(state);
            return Flow::Next;
        }
        let Some(address) = args.value(0).as_concrete() else { return self.fork_on_argument(state, args, 0) };
        if address == 0 {
            return Flow::Next;
        }
        if let Some(end) = self.check_free(state, address, "free") {
            return Flow::End(end);
        }
        state.memory.kill(address, self.user_loc(state));
        Flow::Next
    }
}

impl Executor {
    /// The violation of freeing `address`, if it is one.
    fn check_free(&self, state: &State, address: u64, function: &'static str) -> Option<End> {
        let problem = self.free_problem(state, address)?;
        Some(self.violation(state, Fault::Free { function: function.to_owned(), problem }))
    }
}
