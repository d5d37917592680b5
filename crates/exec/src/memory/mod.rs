//! The address space of one state: deterministic addresses, objects, and what is known of dead ones.
//!
//! The address space is cut into *slots* of equal size. Each object has slots of its own, begins some way into its first one and ends
//! well before the end of its last: the slot of an address names the object that the address was derived from even when it points
//! (not too far) outside of it, which makes look-ups two array accesses and error messages exact. On 64-bit targets slots are never
//! used twice, so a dangling pointer can never look valid. On 32-bit targets slots of dead objects are reused, oldest first, once
//! fresh ones have run out.

pub mod object;
pub mod radix;

use espalier_expr::Term;
use espalier_ir::{AllocaId, FuncId, GlobalId, Loc};
use object::Contents;
use radix::Radix;
use std::collections::VecDeque;
use std::rc::Rc;

/// How addresses are laid out for a target.
#[derive(Copy, Clone, Debug)]
pub struct Layout {
    pub pointer_width: u32,
    slot_bits: u32,
    /// Unused bytes before and after each object.
    guard: u64,
    /// Slots below this number exist.
    slot_limit: u64,
}

impl Layout {
    pub fn for_pointer_width(width: u32) -> Layout {
        if width == 32 {
            Layout { pointer_width: 32, slot_bits: 10, guard: 64, slot_limit: 1 << 22 }
        } else {
            Layout { pointer_width: 64, slot_bits: 24, guard: 1 << 16, slot_limit: 1 << 39 }
        }
    }

    #[inline(always)]
    fn slot(&self, address: u64) -> u64 {
        address >> self.slot_bits
    }

    fn slots_for(&self, size: u64, align: u64) -> Option<u64> {
        let padded = size.checked_add(2 * self.guard)?.checked_add(align)?;
        Some(padded.div_ceil(1 << self.slot_bits))
    }
}

/// Where an object comes from; names and places are looked up in the program when they are needed.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    Global(GlobalId),
    Function(FuncId),
    Stack(FuncId, AllocaId),
    /// A copy of a by-value argument, or the variadic arguments, of a call to this function.
    Arguments(FuncId),
    Heap(Loc),
    /// Made by the engine itself: `argv`, `errno`.
    Environment(&'static str),
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
        matches!(self.origin, Origin::Heap(_))
    }
}

/// What is remembered of an object that no longer exists.
#[derive(Clone, Debug)]
pub struct Tomb {
    pub base: u64,
    pub size: u64,
    pub origin: Origin,
    /// Where it was freed; unknown for stack objects.
    pub freed: Loc,
}

/// What an address belongs to.
pub enum Found<'a> {
    Object(&'a Object),
    /// An object that is dead; `None` if it died too long ago to be remembered.
    Dead(Option<&'a Tomb>),
    Nothing,
}

/// How many dead objects are remembered in detail.
const TOMBS: usize = 4096;

#[derive(Clone)]
pub struct Memory {
    pub layout: Layout,
    /// Objects under their first slots.
    objects: Radix<Rc<Object>>,
    /// The further slots of large objects, with the first one.
    parts: Radix<u64>,
    tombs: Radix<Rc<Tomb>>,
    next_slot: u64,
    /// Single slots of dead objects, oldest first; only kept where slots are scarce.
    free_slots: Rc<VecDeque<u64>>,
    /// Has a dead object's slot been used again, so that a dangling pointer could look valid?
    pub reused_slots: bool,
    /// Objects at addresses that the program chose, each with the key that it is stored under.
    fixed: Rc<Vec<FixedObject>>,
}

#[derive(Copy, Clone, Debug)]
struct FixedObject {
    base: u64,
    size: u64,
    key: u64,
}

/// The address space is used up.
#[derive(Copy, Clone, Debug)]
pub struct Exhausted;

impl Memory {
    pub fn new(layout: Layout) -> Memory {
        Memory {
            layout,
            objects: Radix::default(),
            parts: Radix::default(),
            tombs: Radix::default(),
            next_slot: 1,
            free_slots: Rc::default(),
            reused_slots: false,
            fixed: Rc::default(),
        }
    }

    /// Makes an object of `size` bytes and gives its address.
    pub fn allocate(&mut self, size: u64, align: u64, origin: Origin, initialised: bool) -> Result<u64, Exhausted> {
        let align = align.max(1);
        let slots = self.layout.slots_for(size, align).ok_or(Exhausted)?;
        let first = if self.next_slot + slots <= self.layout.slot_limit {
            let first = self.next_slot;
            self.next_slot += slots;
            first
        } else if slots == 1 {
            let slot = Rc::make_mut(&mut self.free_slots).pop_front().ok_or(Exhausted)?;
            self.tombs.remove(slot);
            self.reused_slots = true;
            slot
        } else {
            return Err(Exhausted);
        };
        let start = (first << self.layout.slot_bits) + self.layout.guard;
        let base = start.next_multiple_of(align);
        let object = Rc::new(Object {
            base,
            size,
            size_term: None,
            origin,
            read_only: false,
            is_scalar: false,
            contents: Contents::new(size, initialised),
        });
        for slot in first + 1..first + slots {
            self.parts.insert(slot, first);
        }
        self.objects.insert(first, object);
        Ok(base)
    }

    /// Makes an initialised object at an address of the program's choosing.
    pub fn define_fixed(&mut self, base: u64, size: u64) -> Result<(), Exhausted> {
        let end = base.checked_add(size).ok_or(Exhausted)?;
        let overlaps = self.fixed.iter().any(|other| base < other.base + other.size && other.base < end);
        if overlaps || self.object(base).is_some() || self.object(end).is_some() {
            return Err(Exhausted);
        }
        let key = self.layout.slot_limit + self.fixed.len() as u64;
        let object = Object {
            base,
            size,
            size_term: None,
            origin: Origin::Environment("a fixed object"),
            read_only: false,
            is_scalar: false,
            contents: Contents::new(size, true),
        };
        self.objects.insert(key, Rc::new(object));
        Rc::make_mut(&mut self.fixed).push(FixedObject { base, size, key });
        Ok(())
    }

    /// The key that the object owning `address` is stored under, when it is not the address's own slot.
    #[inline(never)]
    fn other_key(&self, address: u64) -> Option<u64> {
        if let Some(&first) = self.parts.get(self.layout.slot(address)) {
            return Some(first);
        }
        let owner = self.fixed.iter().find(|fixed| address.wrapping_sub(fixed.base) < fixed.size)?;
        Some(owner.key)
    }

    /// The object that `address` is derived from.
    #[inline(always)]
    pub fn object(&self, address: u64) -> Option<&Object> {
        match self.objects.get(self.layout.slot(address)) {
            Some(object) => Some(object),
            None => self.objects.get(self.other_key(address)?).map(|object| &**object),
        }
    }

    /// The object at `address`, to be changed.
    #[inline(always)]
    pub fn object_mut(&mut self, address: u64) -> Option<&mut Object> {
        let mut key = self.layout.slot(address);
        if self.objects.get(key).is_none() {
            key = self.other_key(address)?;
        }
        self.objects.get_mut(key).map(Rc::make_mut)
    }

    pub fn find(&self, address: u64) -> Found<'_> {
        if let Some(object) = self.object(address) {
            return Found::Object(object);
        }
        let slot = self.layout.slot(address);
        match self.tombs.get(slot) {
            Some(tomb) => Found::Dead(Some(tomb)),
            None if slot != 0 && slot < self.next_slot => Found::Dead(None),
            None => Found::Nothing,
        }
    }

    /// Ends an object's life.
    pub fn kill(&mut self, base: u64, freed: Loc) {
        let slot = self.layout.slot(base);
        let first = if self.objects.get(slot).is_some() { Some(slot) } else { self.other_key(base) };
        let Some(first) = first else { return };
        let Some(object) = self.objects.remove(first) else { return };
        let mut slots = 1;
        while self.parts.get(first + slots) == Some(&first) {
            self.parts.remove(first + slots);
            slots += 1;
        }
        let tomb = Tomb { base: object.base, size: object.size, origin: object.origin, freed };
        self.tombs.insert(first, Rc::new(tomb));
        if self.tombs.count() > TOMBS
            && let Some(oldest) = self.tombs.first_key()
        {
            self.tombs.remove(oldest);
        }
        if self.layout.pointer_width == 32 && slots == 1 {
            Rc::make_mut(&mut self.free_slots).push_back(first);
        }
    }

    /// Visits the live objects in the order of their addresses.
    pub fn for_each_object<'a>(&'a self, mut visit: impl FnMut(&'a Object)) {
        self.objects.for_each(|_, object| visit(object));
    }
}
