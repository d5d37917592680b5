//! Copying and filling many bytes at once: `memcpy`, `memmove`, `memset`.
//!
//! A copy runs in two phases, because either pointer may fork: the first reads the source into the
//! state's scratch buffer and steps back, so that every alternative executes the instruction again,
//! finds the buffer and writes it. All three read everything before they write, so overlapping is
//! harmless.
//!
//! Large blocks in known places are copied and filled page by page: pages are shared, and those
//! that are absent stay so.

use crate::interpreter::access::{Access, Mode, Place};
use crate::interpreter::fork::Flow;
use crate::interpreter::machine::{Interpreter, Machine};
use crate::interpreter::value::Value;
use crate::memory::object::{Byte, Contents, PAGE};
use crate::paths::cut::{BlockOperation, CutReason, Needed};
use crate::paths::state::State;
use crate::{End, Executor};
use espalier_ir::Operand;

/// The largest block that is copied or filled in one instruction when it is not in known places.
pub(crate) const MAX_BLOCK: u64 = 1 << 24;

/// Pages that are copied or filled between looks at whether the run is stopped.
const PAGES_BETWEEN_LOOKS: usize = 64;

/// Blocks from this size on are taken page by page where that is possible.
const LARGE: u64 = 1 << 16;

impl<M: Machine> Interpreter<'_, M> {
    pub(crate) fn copy_block(&mut self, state: &mut State, dst: Operand, src: Operand, len: Operand) -> Flow {
        let [to, from, count] = [dst, src, len].map(|operand| {
            let value = self.operand(state, operand);
            M::used(self, state, value)
        });
        if let Some(bytes) = state.scratch.take() {
            let count = bytes.len() as u64;
            return self.access(state, to, count, Mode::Write, |executor, state, place| {
                executor.write_block(state, place, &bytes);
            });
        }
        let Some(count) = count.as_concrete() else {
            return self.fork_on_operand(state, len, Needed::Length(BlockOperation::Copy));
        };
        if count == 0 {
            return Flow::Next;
        }
        self.look_at_copied(state, to, from, count);
        if self.copy_large(state, to, from, count).is_some()
            || self.copy_concrete(state, to, from, count).is_some()
            || M::copy(self, state, to, from, count).is_some()
        {
            return self.unless_cut_short();
        }
        if count > MAX_BLOCK && !self.is_readable(state, from, count) {
            // Too large to be valid: reported like any other access, without reading it.
            return self.access(state, from, count, Mode::Read, |_, _, _| {});
        }
        if count > MAX_BLOCK && self.is_readable(state, to, count) {
            return Flow::End(self.too_large(state, BlockOperation::Copy, count));
        }
        self.read_into_scratch(state, from, count)
    }

    /// Copies a number of bytes that is known, in two phases too.
    pub(crate) fn copy_exactly(&mut self, state: &mut State, to: Value, from: Value, count: u64) -> Flow {
        if let Some(bytes) = state.scratch.take() {
            return self.access(state, to, count, Mode::Write, |executor, state, place| {
                executor.write_block(state, place, &bytes);
            });
        }
        if self.copy_large(state, to, from, count).is_some() {
            return self.unless_cut_short();
        }
        self.read_into_scratch(state, from, count)
    }

    /// Reads into the scratch buffer and steps back: every alternative executes the instruction
    /// again.
    pub(crate) fn read_into_scratch(&mut self, state: &mut State, from: Value, count: u64) -> Flow {
        self.access(state, from, count, Mode::Read, |executor, state, place| {
            let bytes = executor.read_block(state, place, count as usize);
            state.scratch = Some(bytes);
            state.top.pc -= 1;
        })
    }

    /// The offset of a large block in its object, if all of it lies there for certain.
    fn large_block(&self, state: &State, ptr: Value, count: u64) -> Option<(u64, usize)> {
        let address = ptr.as_concrete().filter(|_| count >= LARGE && M::FORKS && state.outside.is_none())?;
        let object = state.memory.object(address).filter(|object| object.size_term.is_none())?;
        let offset = address.wrapping_sub(object.base);
        (offset <= object.size && count <= object.size - offset).then_some((object.base, offset as usize))
    }

    /// Copies a large block between known places, sharing pages where it can.
    pub(crate) fn copy_large(&mut self, state: &mut State, to: Value, from: Value, count: u64) -> Option<()> {
        let (target, to) = self.large_block(state, to, count).filter(|&(base, _)| !self.is_read_only(state, base))?;
        let (source, from) = self.large_block(state, from, count)?;
        M::touch(self, state, source);
        let contents = state.memory.shared_contents(source)?;
        let count = count as usize;
        self.tear_addresses(state, Place::new(target, Value::concrete(to as u64)), count);
        let is_whole = |base: u64| state.memory.object(base).is_some_and(|object| object.size == count as u64);
        if is_whole(source) && is_whole(target) {
            state.memory.object_mut(target)?.contents = contents;
            return Some(());
        }
        if contents.is_backed() {
            return None;
        }
        // What is read was put aside, so it does not matter if the places overlap.
        let mut done = 0;
        while done < count {
            let (at, read) = (to + done, from + done);
            let len = (PAGE - at % PAGE).min(count - done);
            if (at / PAGE).is_multiple_of(PAGES_BETWEEN_LOOKS) && self.is_stopped() {
                break;
            }
            let object = state.memory.object_mut(target)?;
            if len == PAGE && read.is_multiple_of(PAGE) {
                let page = match contents.page(read / PAGE) {
                    None if contents.blank() == object.contents.blank() => None,
                    None => Some(Contents::filled_page(contents.blank())),
                    page => page.cloned(),
                };
                object.contents.set_page(at / PAGE, page);
            } else {
                match contents.concrete_bytes(read, len) {
                    Some(bytes) => object.contents.write_bytes(at, &bytes),
                    None => (0..len).for_each(|k| object.contents.set_byte(at + k, contents.byte(read + k))),
                }
            }
            done += len;
        }
        Some(())
    }

    /// Fills a large block in a known place, with pages that are shared.
    fn fill_large(&mut self, state: &mut State, to: Value, byte: Byte, count: u64) -> Option<()> {
        let (base, to) = self.large_block(state, to, count).filter(|&(base, _)| !self.is_read_only(state, base))?;
        let count = count as usize;
        self.tear_addresses(state, Place::new(base, Value::concrete(to as u64)), count);
        let contents = &mut state.memory.object_mut(base)?.contents;
        if contents.size() == count {
            contents.fill(byte);
            return Some(());
        }
        let page = (contents.blank() != byte).then(|| Contents::filled_page(byte));
        let mut done = 0;
        while done < count {
            let at = to + done;
            let len = (PAGE - at % PAGE).min(count - done);
            if (at / PAGE).is_multiple_of(PAGES_BETWEEN_LOOKS) && self.is_stopped() {
                break;
            }
            let contents = &mut state.memory.object_mut(base)?.contents;
            match len == PAGE {
                true => contents.set_page(at / PAGE, page.clone()),
                false => (at..at + len).for_each(|at| contents.set_byte(at, byte)),
            }
            done += len;
        }
        Some(())
    }

    /// The common case: plain bytes from one place to another.
    fn copy_concrete(&mut self, state: &mut State, to: Value, from: Value, count: u64) -> Option<()> {
        let (to, from) = (to.as_concrete()?, from.as_concrete()?);
        let source = state.memory.object(from)?;
        let at = from.wrapping_sub(source.base);
        if source.size_term.is_some() || at > source.size || count > source.size - at {
            return None;
        }
        let (base, bytes) = (source.base, source.contents.concrete_bytes(at as usize, count as usize)?);
        M::touch(self, state, base);
        self.write_concrete(state, to, &bytes)
    }

    /// Writes plain bytes if they fit a writable object.
    fn write_concrete(&mut self, state: &mut State, to: u64, bytes: &[u8]) -> Option<()> {
        let count = bytes.len() as u64;
        let target = state.memory.object(to)?;
        let at = to.wrapping_sub(target.base);
        if target.size_term.is_some() || target.read_only || at > target.size || count > target.size - at {
            return None;
        }
        let place = Place::new(target.base, Value::concrete(at));
        self.tear_addresses(state, place, bytes.len());
        state.memory.object_mut(to)?.contents.write_bytes(at as usize, bytes);
        self.written(state, place, Access::of_block(count, Mode::Write));
        Some(())
    }

    /// Fills with `value`, of width 8.
    pub(crate) fn fill_block(&mut self, state: &mut State, dst: Operand, value: Value, len: Operand) -> Flow {
        let [to, count] = [dst, len].map(|operand| {
            let value = self.operand(state, operand);
            M::used(self, state, value)
        });
        if let Some(address) = to.as_concrete()
            && let Some(base) = state.memory.object(address).map(|object| object.base)
        {
            M::touch(self, state, base);
        }
        let Some(count) = count.as_concrete() else {
            return self.fork_on_operand(state, len, Needed::Length(BlockOperation::Fill));
        };
        if count == 0 {
            return Flow::Next;
        }
        let pattern = self.value_bytes(value, 8)[0];
        if self.fill_large(state, to, pattern, count).is_some() {
            return self.unless_cut_short();
        }
        if count > MAX_BLOCK && self.is_readable(state, to, count) {
            return Flow::End(self.too_large(state, BlockOperation::Fill, count));
        }
        if let (Some(address), Some(number)) = (to.as_concrete(), value.as_concrete())
            && self.is_readable(state, to, count)
            && self.write_concrete(state, address, &vec![number as u8; count as usize]).is_some()
        {
            return Flow::Next;
        }
        let fits = self.is_readable(state, to, count);
        self.access(state, to, count, Mode::Write, |executor, state, place| {
            if fits {
                executor.write_block(state, place, &vec![pattern; count as usize]);
            }
        })
    }

    /// The bytes at a place as they are, uninitialised ones included.
    pub(crate) fn read_block(&mut self, state: &mut State, place: Place, count: usize) -> Vec<Byte> {
        let Some(offset) = place.offset.as_concrete() else {
            let value = self.read_place(state, place, 8 * count as u32);
            return self.value_bytes(value, 8 * count as u32);
        };
        M::read(self, state, place.base, offset as usize, count);
        let bytes = self.bytes_at(state, place.base, offset as usize, count);
        let resolve = |(k, byte): (usize, Byte)| match byte {
            Byte::Backed => {
                let at = Place::new(place.base, Value::concrete(offset + k as u64));
                let value = self.read_place(state, at, 8);
                self.value_bytes(value, 8)[0]
            }
            other => other,
        };
        bytes.into_iter().enumerate().map(resolve).collect()
    }

    pub(crate) fn write_block(&mut self, state: &mut State, place: Place, bytes: &[Byte]) {
        if let Some(offset) = place.offset.as_concrete() {
            self.tear_addresses(state, place, bytes.len());
            if let Some(object) = state.memory.object_mut(place.base) {
                for (k, &byte) in bytes.iter().enumerate() {
                    object.contents.set_byte(offset as usize + k, byte);
                }
            }
            return;
        }
        let width = self.pointer_width();
        let offset = place.offset.term(&mut self.terms, width);
        for (k, &byte) in bytes.iter().enumerate() {
            if self.is_stopped() {
                break;
            }
            let value = match byte {
                Byte::Concrete(number) => Value::concrete(number as u64),
                Byte::Symbolic(term, index) => {
                    let byte = self.terms.extract(term, 8 * index, 8);
                    Value::of(&self.terms, byte)
                }
                Byte::Torn(number) => {
                    self.look_at_torn(state);
                    Value::concrete(number as u64)
                }
                Byte::Uninit | Byte::Backed => {
                    let unknown = self.unknown_byte(state);
                    Value::of(&self.terms, unknown)
                }
            };
            let step = self.terms.constant(k as u64, width);
            let at = self.terms.add(offset, step);
            let place = Place::new(place.base, Value::of(&self.terms, at));
            self.write_place(state, place, value, 8);
        }
    }
}

impl Executor {
    fn too_large(&mut self, state: &State, operation: BlockOperation, bytes: u64) -> End {
        self.limit(state, CutReason::Block { operation, bytes, limit: MAX_BLOCK })
    }

    pub(crate) fn is_readable(&self, state: &State, ptr: Value, count: u64) -> bool {
        let Some(address) = ptr.as_concrete() else { return true };
        state.memory.object(address).is_some_and(|object| {
            let offset = address.wrapping_sub(object.base);
            offset <= object.size && count <= object.size - offset
        })
    }

    fn is_read_only(&self, state: &State, base: u64) -> bool {
        state.memory.object(base).is_none_or(|object| object.read_only)
    }
}
