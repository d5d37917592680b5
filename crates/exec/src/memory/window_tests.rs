//! Windows against a model: several memories that share what they were copied from, changed through
//! windows and by other means in any order. `make fuzz` runs this with the checks of Miri or of
//! AddressSanitizer, which see an access to what a window should have forgotten.

use super::object::{Byte, PAGE};
use super::window::Windows;
use super::{Layout, Memory, Origin};
use espalier_ir::Loc;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// What is done to the memory at hand. Objects are counted among all that were ever made in it.
#[derive(Clone, Debug)]
enum Action {
    Allocate {
        size: u64,
    },
    Kill {
        object: usize,
    },
    Copy,
    Forget,
    /// An object gets the contents of another one of its size.
    Share {
        from: usize,
        to: usize,
    },
    /// Another memory is at hand.
    Switch {
        to: usize,
    },
    Load {
        object: usize,
        offset: u64,
        len: u64,
        is_number: bool,
    },
    Store {
        object: usize,
        offset: u64,
        len: u64,
        number: Number,
        keep: bool,
    },
    /// A byte is changed by other means; `None` stands for one that was never written.
    Change {
        object: usize,
        offset: u64,
        byte: Option<u8>,
    },
}

/// What is stored.
#[derive(Clone, Debug)]
enum Number {
    Plain(u64),
    /// The address of an object.
    Address(usize),
}

/// The bytes of an object, all of which are zeros at first.
#[derive(Clone)]
struct Bytes {
    size: u64,
    written: BTreeMap<u64, Option<u8>>,
}

impl Bytes {
    fn contain(&self, offset: u64, len: u64) -> bool {
        offset + len <= self.size
    }

    fn byte(&self, offset: u64) -> Option<u8> {
        self.written.get(&offset).copied().unwrap_or(Some(0))
    }
}

/// A memory, and what it must hold: objects by their addresses.
#[derive(Clone)]
struct World {
    memory: Memory,
    objects: BTreeMap<u64, Bytes>,
    /// Where objects are or were.
    bases: Vec<u64>,
}

const MOST_WORLDS: usize = 4;

fn actions() -> impl Strategy<Value = Vec<Action>> {
    let size = prop_oneof![2 => 1..16u64, 1 => 200..600u64, 4 => Just(4096), 1 => Just(17 << 20)];
    let offset = prop_oneof![
        2 => 0..16u64,
        1 => 240..270u64,
        1 => 500..620u64,
        6 => (0..3u64).prop_map(|page| page * PAGE as u64),
        2 => (0..3u64).prop_map(|page| page * PAGE as u64 + 3),
    ];
    let object = 0..2usize;
    let len = prop_oneof![1..9u64, Just(8)];
    let number = prop_oneof![
        any::<u64>().prop_map(Number::Plain),
        (0..256u64).prop_map(Number::Plain),
        (0..3usize).prop_map(Number::Address),
    ];
    let action = prop_oneof![
        2 => size.prop_map(|size| Action::Allocate { size }),
        1 => object.clone().prop_map(|object| Action::Kill { object }),
        2 => Just(Action::Copy),
        2 => (0..2usize, 0..2usize).prop_map(|(from, to)| Action::Share { from, to }),
        1 => Just(Action::Forget),
        1 => (0..MOST_WORLDS).prop_map(|to| Action::Switch { to }),
        8 => (object.clone(), offset.clone(), len.clone(), any::<bool>())
            .prop_map(|(object, offset, len, is_number)| Action::Load { object, offset, len, is_number }),
        8 => (object.clone(), offset.clone(), len, number, any::<bool>())
            .prop_map(|(object, offset, len, number, keep)| Action::Store { object, offset, len, number, keep }),
        3 => (object, offset, proptest::option::weighted(0.8, any::<u8>()))
            .prop_map(|(object, offset, byte)| Action::Change { object, offset, byte }),
    ];
    proptest::collection::vec(action, 1..200)
}

impl World {
    /// The bytes at an address, if all of them are in its object, and known.
    fn number(&self, base: u64, offset: u64, len: u64) -> Option<u64> {
        let bytes = self.objects.get(&base).filter(|bytes| bytes.contain(offset, len))?;
        (offset..offset + len).rev().try_fold(0, |number, at| Some(number << 8 | u64::from(bytes.byte(at)?)))
    }

    /// Is a word of which `len` bytes are a part one that may be an address?
    fn has_address(&self, base: u64, offset: u64, len: u64) -> bool {
        let word = self.memory.layout.word();
        let mut words = (offset - offset % word..offset + len).step_by(word as usize);
        words.any(|at| self.number(base, at, word).is_some_and(|number| self.memory.may_be_address(number)))
    }

    /// Reads as the loop of plain instructions does.
    fn load(&self, windows: &mut Windows, address: u64, len: u64, is_number: bool) -> Option<u64> {
        let shown = if is_number { windows.read_number(address) } else { windows.read(address) };
        match shown {
            Some(number) if len < 8 => Some(number & ((1 << (8 * len)) - 1)),
            Some(number) => Some(number),
            None if is_number => windows.load_number(&self.memory, address, len),
            None => windows.load(&self.memory, address, len),
        }
    }

    fn store(&mut self, windows: &mut Windows, address: u64, number: u64, len: u64, keep: bool) -> bool {
        windows.write(&self.memory, address, number, len) || windows.store(&mut self.memory, address, number, len, keep)
    }
}

fn check(width: u32, actions: Vec<Action>) -> Result<(), TestCaseError> {
    let layout = Layout::for_pointer_width(width);
    let mut windows = Windows::new(layout);
    let mut worlds = vec![World { memory: Memory::new(layout), objects: BTreeMap::new(), bases: Vec::new() }];
    let mut who = 0;
    for action in actions {
        let count = worlds.len();
        who %= count;
        let world = &mut worlds[who];
        let bases = world.bases.clone();
        let base_of = |object: usize| bases.get(object % bases.len().max(1)).copied();
        // Far outside of an object another one may be.
        let objects = world.objects.clone();
        let is_near =
            |base: &u64, offset: u64| offset < 800 || objects.get(base).is_some_and(|bytes| offset < bytes.size);
        windows.follow(&world.memory);
        match action {
            Action::Allocate { size } => {
                let Ok(base) = world.memory.allocate(size, 8, Origin::Heap(Loc::UNKNOWN), true) else { continue };
                world.objects.insert(base, Bytes { size, written: BTreeMap::new() });
                world.bases.push(base);
            }
            Action::Kill { object } => {
                let Some(base) = base_of(object).filter(|base| world.objects.remove(base).is_some()) else { continue };
                world.memory.kill(base, Loc::UNKNOWN);
            }
            Action::Copy if count < MOST_WORLDS => {
                let copy = worlds[who].clone();
                worlds.push(copy);
            }
            Action::Share { from, to } => {
                let (Some(from), Some(to)) = (base_of(from), base_of(to)) else { continue };
                let size = |base: &u64| world.objects.get(base).map(|bytes| bytes.size);
                if size(&from).is_none() || size(&from) != size(&to) {
                    continue;
                }
                let contents = world.memory.shared_contents(from).expect("it is alive");
                world.memory.object_mut(to).expect("it is alive").contents = contents;
                let written = world.objects[&from].written.clone();
                world.objects.insert(to, Bytes { size: world.objects[&from].size, written });
            }
            Action::Forget if count > 1 => drop(worlds.swap_remove(who)),
            Action::Copy | Action::Forget => {}
            Action::Switch { to } => who = to,
            Action::Load { object, offset, len, is_number } => {
                let Some(base) = base_of(object).filter(|base| is_near(base, offset)) else { continue };
                let expected = world.number(base, offset, len);
                let found = world.load(&mut windows, base + offset, len, is_number);
                // What was never written of a large object is left to others.
                prop_assert!(!is_number || found.is_none() || !world.has_address(base, offset, len));
                let is_small = world.objects.get(&base).is_none_or(|bytes| bytes.size <= PAGE as u64);
                if found.is_some() || is_small && !is_number {
                    prop_assert_eq!(found, expected, "{} bytes at {} of {:#x}", len, offset, base);
                }
            }
            Action::Store { object, offset, len, number, keep } => {
                let Some(base) = base_of(object).filter(|base| is_near(base, offset)) else { continue };
                let number = match number {
                    Number::Plain(number) => number,
                    Number::Address(object) => base_of(object).unwrap_or(0),
                };
                let is_whole = (offset | len).is_multiple_of(world.memory.layout.word());
                let tears = !is_whole && world.has_address(base, offset, len);
                let is_done = world.store(&mut windows, base + offset, number, len, keep);
                let bytes = world.objects.get_mut(&base).filter(|bytes| bytes.contain(offset, len));
                prop_assert_eq!(is_done, bytes.is_some() && !tears);
                let bytes = bytes.filter(|_| is_done);
                let places = (offset..offset + len).zip(number.to_le_bytes().map(Some));
                bytes.into_iter().for_each(|bytes| bytes.written.extend(places.clone()));
            }
            Action::Change { object, offset, byte } => {
                let Some(base) = base_of(object) else { continue };
                let bytes = world.objects.get_mut(&base).filter(|bytes| bytes.contain(offset, 1));
                let Some(bytes) = bytes else { continue };
                bytes.written.insert(offset, byte);
                let changed = world.memory.object_mut(base).expect("it is alive");
                changed.contents.set_byte(offset as usize, byte.map_or(Byte::Uninit, Byte::Concrete));
            }
        }
    }
    for world in &worlds {
        for (&base, bytes) in &world.objects {
            let object = world.memory.object(base).expect("it is alive");
            // What large objects have far behind was never written.
            for at in 0..bytes.size.min(2048) {
                let byte = bytes.byte(at).map_or(Byte::Uninit, Byte::Concrete);
                prop_assert_eq!(object.contents.byte(at as usize), byte);
            }
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn windows_show_what_memory_holds(actions in actions()) {
        check(64, actions)?;
    }

    #[test]
    fn windows_of_small_slots_do_too(actions in actions()) {
        check(32, actions)?;
    }
}
