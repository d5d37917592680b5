//! The address space of one state: deterministic addresses, objects, and what is known of dead
//! ones.
//!
//! The address space is cut into *slots* of equal size. Each object has slots of its own, begins
//! some way into its first one and ends well before the end of its last: the slot of an address
//! names the object that the address was derived from even when it points (not too far) outside of
//! it, which makes look-ups two array accesses and error messages exact. On 64-bit targets slots
//! are never used twice, so a dangling pointer can never look valid. On 32-bit targets slots of
//! dead objects are reused, oldest first, once fresh ones have run out.

pub mod cells;
pub mod object;
mod region;
pub mod window;
#[cfg(test)]
mod window_tests;

use espalier_expr::Term;
use espalier_ir::{AllocaId, FuncId, GlobalId, Loc};
use object::Contents;
use region::{Region, Tomb};
use serde::{Deserialize, Serialize};
use std::rc::Rc;
use window::Changes;

/// The highest bits of all addresses on 64-bit targets.
const PREFIX: u64 = 0x6e >> 1;

/// How addresses are laid out for a target.
#[derive(Copy, Clone, Debug)]
pub struct Layout {
    pub pointer_width: u32,
    pub(crate) slot_bits: u32,
    /// Unused bytes before and after each object.
    guard: u64,
    /// The first slot of globals, functions, the heap and the environment.
    low_slots: u64,
    /// The first slot of the stack.
    stack_slots: u64,
    /// Slots below this number exist.
    slot_limit: u64,
}

impl Layout {
    pub fn for_pointer_width(width: u32) -> Layout {
        if width == 32 {
            // Numbers that seldom stand for something else, as far as there are such; a fifth is
            // for the stack.
            let (low_slots, stack_slots) = (0x1655_8000 >> 10, 0xc9a5_8000 >> 10);
            Layout { pointer_width: 32, slot_bits: 10, guard: 64, low_slots, stack_slots, slot_limit: 1 << 22 }
        } else {
            // Numbers that hardly ever stand for something else.
            let (low_slots, stack_slots) = (0x6e_93d6_0000, 0x6f_93d6_0000);
            let slot_limit = 0x70 << 32;
            Layout { pointer_width: 64, slot_bits: 24, guard: 1 << 16, low_slots, stack_slots, slot_limit }
        }
    }

    /// The size of an address in bytes; where one is stored is a multiple of that, unless the
    /// program packs structures.
    #[inline(always)]
    pub fn word(&self) -> u64 {
        u64::from(self.pointer_width) / 8
    }

    /// The first slot of the stack: the slots from here on are for stack objects.
    #[inline(always)]
    fn stack_slots(&self) -> u64 {
        self.stack_slots
    }

    /// No object is below this address.
    pub fn first_address(&self) -> u64 {
        self.low_slots << self.slot_bits
    }

    /// Could a stack object be at this address?
    pub fn is_stack_address(&self, address: u64) -> bool {
        (self.stack_slots()..self.slot_limit).contains(&self.slot(address))
    }

    /// Could a number be an address in some state?
    pub fn could_be_address(&self, number: u64) -> bool {
        UsedSlots { layout: *self, low: self.stack_slots() - self.low_slots, stack: u64::MAX }.contain(number)
    }

    /// The slot of an address, and how far into it the address is.
    pub fn split(&self, address: u64) -> (u64, u64) {
        (self.slot(address), address & ((1 << self.slot_bits) - 1))
    }

    #[inline(always)]
    fn slot(&self, address: u64) -> u64 {
        address >> self.slot_bits
    }

    /// The slots that the bytes of an object are in; one even if it has none.
    fn slots_of(&self, base: u64, size: u64) -> std::ops::RangeInclusive<u64> {
        self.slot(base)..=self.slot(base + size.saturating_sub(1))
    }

    /// Two addresses are in one slot if they differ in these bits at most.
    pub fn slot_mask(&self) -> u64 {
        (1 << self.slot_bits) - 1
    }

    pub fn slots_taken_by(&self, object: &Object) -> u64 {
        let slots = self.slots_of(object.base, object.size);
        slots.end() - slots.start() + 1
    }

    fn slots_for(&self, size: u64, align: u64) -> Option<u64> {
        let padded = size.checked_add(2 * self.guard)?.checked_add(align)?;
        Some(padded.div_ceil(1 << self.slot_bits))
    }
}

/// Where an object comes from; names and places are looked up in the program when they are needed.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Origin {
    Global(GlobalId),
    Function(FuncId),
    Stack(FuncId, AllocaId),
    /// A copy of a by-value argument, or the variadic arguments, of a call to this function.
    Arguments(FuncId),
    Heap(Loc),
    /// Made up for a function that is run by itself: what its caller would pass, from the heap for
    /// all that is known.
    Caller,
    /// Made by the engine itself.
    Environment(Surroundings),
}

/// What a program gets from the engine itself.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Surroundings {
    /// The text of an argument.
    Argument,
    /// `argv`.
    ArgumentTable,
    /// `envp`.
    EnvironmentTable,
    /// What `klee_define_fixed_object` defines.
    Fixed,
    /// What `klee_mark_global` says is a global.
    Marked,
}

impl Origin {
    /// May it be given to `free`?
    pub fn is_heap(self) -> bool {
        matches!(self, Origin::Heap(_) | Origin::Caller)
    }

    fn is_stack(self) -> bool {
        matches!(self, Origin::Stack(..) | Origin::Arguments(_))
    }
}

#[derive(Clone)]
pub struct Object {
    pub base: u64,
    /// The size in bytes; an upper bound of it when `size_term` is there.
    pub size: u64,
    /// The size as a term of pointer width, for allocations of symbolic size.
    pub size_term: Option<Term>,
    pub origin: Origin,
    pub read_only: bool,
    /// Was it declared as one scalar?
    pub is_scalar: bool,
    pub contents: Contents,
}

impl Object {
    pub fn is_heap(&self) -> bool {
        self.origin.is_heap()
    }
}

/// What an address belongs to.
pub enum Found<'a> {
    Object(&'a Object),
    /// An object that is dead; `None` if it died too long ago to be remembered.
    Dead(Option<&'a Tomb>),
    Nothing,
}

#[derive(Clone)]
pub struct Memory {
    pub layout: Layout,
    changes: Changes,
    /// Globals, functions, the heap and the environment.
    low: Region,
    /// Stack objects: apart, so that heap addresses do not depend on which functions were called.
    stack: Region,
    /// Has a dead object's slot been used again, so that a dangling pointer could look valid?
    pub reused_slots: bool,
    /// Objects at addresses that the program chose.
    fixed: Rc<Vec<Rc<Object>>>,
}

/// Could it be the highest byte of an address of 64 bits? Hardly anything else is.
#[inline(always)]
pub(crate) fn may_be_highest(byte: u8) -> bool {
    u64::from(byte) >> 1 == PREFIX
}

/// The slots that have been given to objects.
#[derive(Copy, Clone)]
struct UsedSlots {
    layout: Layout,
    low: u64,
    stack: u64,
}

impl UsedSlots {
    /// Could a number be an address?
    #[inline(always)]
    fn contain(&self, number: u64) -> bool {
        if self.layout.pointer_width == 64 && !may_be_highest((number >> 56) as u8) {
            return false;
        }
        let slot = self.layout.slot(number);
        match slot.checked_sub(self.layout.stack_slots()) {
            None => slot.wrapping_sub(self.layout.low_slots) < self.low,
            Some(slot) => slot < self.stack,
        }
    }
}

/// The address space is used up.
#[derive(Copy, Clone, Debug)]
pub struct Exhausted;

impl Memory {
    pub fn new(layout: Layout) -> Memory {
        Memory {
            layout,
            changes: Changes::default(),
            low: Region::default(),
            stack: Region::default(),
            reused_slots: false,
            fixed: Rc::default(),
        }
    }

    /// The region that an address is in, and its slot there.
    #[inline(always)]
    fn region(&self, address: u64) -> (&Region, u64) {
        let slot = self.layout.slot(address);
        match slot.checked_sub(self.layout.stack_slots()) {
            None => (&self.low, slot.wrapping_sub(self.layout.low_slots)),
            Some(slot) => (&self.stack, slot),
        }
    }

    #[inline(always)]
    fn region_mut(&mut self, address: u64) -> (&mut Region, u64) {
        let slot = self.layout.slot(address);
        match slot.checked_sub(self.layout.stack_slots()) {
            None => (&mut self.low, slot.wrapping_sub(self.layout.low_slots)),
            Some(slot) => (&mut self.stack, slot),
        }
    }

    /// Makes an object of `size` bytes and gives its address.
    pub fn allocate(&mut self, size: u64, align: u64, origin: Origin, initialised: bool) -> Result<u64, Exhausted> {
        let align = align.max(1);
        let layout = self.layout;
        let slots = layout.slots_for(size, align).ok_or(Exhausted)?;
        let (region, start, limit) = if origin.is_stack() {
            (&mut self.stack, layout.stack_slots(), layout.slot_limit - layout.stack_slots())
        } else {
            (&mut self.low, layout.low_slots, layout.stack_slots() - layout.low_slots)
        };
        let fixed = &self.fixed;
        let is_free = |&first: &u64| {
            fixed.iter().all(|object| {
                let others = layout.slots_of(object.base, object.size);
                *others.end() < start + first || start + first + slots <= *others.start()
            })
        };
        let fresh = std::iter::from_fn(|| region.fresh_slots(slots, limit)).find(is_free);
        let first = match fresh {
            Some(first) => first,
            None => {
                let used = std::iter::from_fn(|| region.used_slots(slots)).find(is_free).ok_or(Exhausted)?;
                self.reused_slots = true;
                used
            }
        };
        let base = (((start + first) << layout.slot_bits) + layout.guard).next_multiple_of(align);
        let object = Object {
            base,
            size,
            size_term: None,
            origin,
            read_only: false,
            is_scalar: false,
            contents: Contents::new(size, initialised),
        };
        region.add(first, slots, object);
        Ok(base)
    }

    /// Makes an initialised object at an address of the program's choosing.
    pub fn define_fixed(&mut self, base: u64, size: u64) -> Result<(), Exhausted> {
        let end = base.checked_add(size).ok_or(Exhausted)?;
        let overlaps = self.fixed.iter().any(|other| base < other.base + other.size && other.base < end);
        let mut slots = self.layout.slots_of(base, size);
        if overlaps || slots.any(|slot| self.object(slot << self.layout.slot_bits).is_some()) {
            return Err(Exhausted);
        }
        self.changes.anywhere();
        let object = Object {
            base,
            size,
            size_term: None,
            origin: Origin::Environment(Surroundings::Fixed),
            read_only: false,
            is_scalar: false,
            contents: Contents::new(size, true),
        };
        Rc::make_mut(&mut self.fixed).push(Rc::new(object));
        Ok(())
    }

    fn fixed_index(&self, address: u64) -> Option<usize> {
        self.fixed.iter().position(|fixed| address.wrapping_sub(fixed.base) < fixed.size)
    }

    /// The object that `address` is derived from.
    #[inline(always)]
    pub fn object(&self, address: u64) -> Option<&Object> {
        if !self.fixed.is_empty()
            && let Some(index) = self.fixed_index(address)
        {
            return Some(&self.fixed[index]);
        }
        let (region, slot) = self.region(address);
        region.object(slot).map(|object| &**object)
    }

    /// The contents of the object at `address`, for another object to share pages of.
    pub fn shared_contents(&self, address: u64) -> Option<Contents> {
        self.changes.shared();
        self.object(address).map(|object| object.contents.clone())
    }

    /// The object at `address`, to be changed.
    #[inline(always)]
    pub fn object_mut(&mut self, address: u64) -> Option<&mut Object> {
        self.changes.at(self.layout.slot(address));
        self.object_behind_window(address)
    }

    /// The same for windows, which keep up with the changes that they make.
    #[inline(always)]
    fn object_behind_window(&mut self, address: u64) -> Option<&mut Object> {
        if !self.fixed.is_empty()
            && let Some(index) = self.fixed_index(address)
        {
            return Some(Rc::make_mut(&mut Rc::make_mut(&mut self.fixed)[index]));
        }
        let (region, slot) = self.region_mut(address);
        region.object_mut(slot)
    }

    pub fn find(&self, address: u64) -> Found<'_> {
        if let Some(object) = self.object(address) {
            return Found::Object(object);
        }
        let (region, slot) = self.region(address);
        if slot < region.next_slot() { Found::Dead(region.tomb(slot)) } else { Found::Nothing }
    }

    /// Could a number be an address? This is quick, and hardly any other numbers could.
    #[inline(always)]
    pub fn may_be_address(&self, number: u64) -> bool {
        self.used_slots().contain(number)
    }

    #[inline(always)]
    fn used_slots(&self) -> UsedSlots {
        UsedSlots { layout: self.layout, low: self.low.next_slot(), stack: self.stack.next_slot() }
    }

    /// Is there an object, or was there one, that did not get its place from the program?
    pub fn is_address(&self, number: u64) -> bool {
        let is_in = |base: u64, size: u64| self.layout.pointer_width == 64 || number.wrapping_sub(base) <= size;
        match self.find(number) {
            _ if !self.fixed.is_empty() && self.fixed_index(number).is_some() => false,
            Found::Object(object) => is_in(object.base, object.size),
            Found::Dead(Some(tomb)) => is_in(tomb.base, tomb.size),
            Found::Dead(None) => true,
            Found::Nothing => false,
        }
    }

    /// Ends an object's life.
    pub fn kill(&mut self, base: u64, freed: Loc) {
        self.changes.at(self.layout.slot(base));
        let (region, slot) = self.region_mut(base);
        region.kill(slot, freed);
    }

    /// How far allocation has come: how many slots the heap and the stack have used.
    pub fn positions(&self) -> (u64, u64) {
        (self.low.next_slot(), self.stack.next_slot())
    }

    /// No slot is given to an object that another memory gave to one: addresses in it may be kept.
    pub fn take_slots_of(&mut self, other: &Memory) {
        self.low.skip_to(other.low.next_slot());
        self.stack.skip_to(other.stack.next_slot());
    }

    /// The same objects, but with nothing known of what is in those that can be written. `None` if
    /// an object's address was chosen by the program.
    pub fn without_contents(&self) -> Option<Memory> {
        if !self.fixed.is_empty() {
            return None;
        }
        let mut memory = self.clone();
        for region in [&mut memory.low, &mut memory.stack] {
            region.replace_objects(|object| {
                let contents = Contents::new(object.contents.size() as u64, false);
                (!object.read_only && object.size > 0).then_some(Object { contents, ..*object })
            });
        }
        Some(memory)
    }

    /// Visits the objects that two memories may have differently, one of which may be missing.
    /// `None` if objects are at addresses that the program chose.
    pub fn for_each_difference<'a>(
        &'a self,
        other: &'a Memory,
        mut visit: impl FnMut([Option<&'a Object>; 2]),
    ) -> Option<()> {
        if !self.fixed.is_empty() || !other.fixed.is_empty() {
            return None;
        }
        for (own, others) in [(&self.low, &other.low), (&self.stack, &other.stack)] {
            own.for_each_difference(others, |objects| visit(objects.map(|object| object.map(|object| &**object))));
        }
        Some(())
    }

    /// Visits the objects that are not as they were in `before`, in the order of their addresses.
    pub fn for_each_changed_object<'a>(&'a self, before: &Memory, mut visit: impl FnMut(&'a Object)) {
        for (region, old) in [(&self.low, &before.low), (&self.stack, &before.stack)] {
            region.for_each(|slot, object| {
                if old.object(slot).is_none_or(|known| !Rc::ptr_eq(known, object)) {
                    visit(object);
                }
            });
        }
        self.fixed.iter().for_each(|object| visit(object));
    }

    /// Visits the live objects in the order of their addresses.
    pub fn for_each_object<'a>(&'a self, mut visit: impl FnMut(&'a Object)) {
        self.low.for_each(|_, object| visit(object));
        self.stack.for_each(|_, object| visit(object));
        self.fixed.iter().for_each(|object| visit(object));
    }
}
