//! Exploring a function from whatever may call it: states "in the middle" of a program, as
//! call-chain-backward symbolic execution needs them (Ma, Khoo, Foster, Hicks: Directed symbolic
//! execution, section 3.3).
//!
//! The parameters are symbols, and so is what the program's global variables hold; what pointers
//! lead to is made up when it is needed, as for `--entry` (`models::lazy`). Each symbol knows the
//! place that it stands for ([`EntryPlace`]), so that a condition on them is a precondition of the
//! function: `partial` asks whether a state that is about to call it satisfies one.
//!
//! That nothing is found is a proof only where the symbols stand for all that callers can prepare.
//! Where they do not, it is noted: on the path, if an object was made up, and else on the machine
//! (`is_partial`): a library's variable was read, a pointer was used of which nothing is known.
//! States that begin *opaque* ([`outside`]) find no paths, but prove more.

mod callees;
mod numbers;
mod outside;
mod partial;

pub(crate) use outside::OutsideMemory;

pub use partial::{Joined, PartialPath};

use crate::interpreter::image::LoadError;
use crate::interpreter::machine::{Decided, Interpreter, Machine, Values};
use crate::interpreter::value::Value;
use crate::learning::NoInterpolant;
use crate::learning::segment::Replayable;
use crate::learning::stops::Stops;
use crate::memory::Origin;
use crate::memory::object::Byte;
use crate::models::shims::Shim;
use crate::models::shims::control::ControlCall;
use crate::paths::cut::Needed;
use crate::paths::state::State;
use crate::{Executor, Step};
use espalier_analysis::exposed_globals;
use espalier_expr::{Symbol, SymbolInfo, SymbolKind, SymbolShape, Term};
use espalier_ir::{BlockId, EdgeId, FuncId, GlobalId, PairQuestion};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// Globals that are larger than this, or together, keep what they hold at first. Who reads one of
/// them is not exact.
const MOST_OF_GLOBAL: u64 = 4096;
const MOST_OF_GLOBALS: u64 = 1 << 16;

/// What proofs from entries rest on; a test leaves out one at a time.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum EntryRule {
    /// Globals may hold anything.
    Globals,
    /// What callers can prepare beyond what is explored is no proof.
    Partial,
    /// Nor is what rests on objects that were made up.
    MadeUp,
    /// A symbol stands for one place.
    Places,
    /// Functions whose address is taken may be called by whoever the analysis does not see.
    Roots,
    /// And by calls that expect something else.
    Callees,
    /// Pointers from outside may lead to the same memory.
    Aliases,
    /// And to objects whose addresses the function gave away.
    Escapes,
    /// They may be null.
    Nulls,
    /// What is not null may be no valid pointer either.
    Doubts,
    /// Objects and functions lie elsewhere in each real run.
    Numbers,
}

/// How much a state knows that begins at a function's entry.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum EntryMode {
    /// What pointers lead to is made up: to find paths that callers can take.
    Shaped,
    /// Nothing is known of it: to prove that there is none.
    Opaque,
}

/// What a run of such a state came to.
pub struct EntryStep {
    pub step: Step,
    /// Can callers prepare more than is explored?
    pub is_partial: bool,
    /// Targets whose errors nobody may say cannot happen.
    pub doubted: Vec<u32>,
}

/// Variable globals that callers may have changed.
#[derive(Default)]
pub(crate) struct EntryGlobals {
    /// Those of the program, and not of its libraries.
    all: FxHashSet<GlobalId>,
    /// Those of them to which pointers may lead.
    exposed: Vec<GlobalId>,
    /// Those of them that are not too large to be made of symbols, in order.
    small: Vec<GlobalId>,
}

/// Where a function finds what a symbol stands for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum EntryPlace {
    /// A parameter, by its number.
    Param(usize),
    /// The object that is passed as this parameter.
    Copy { param: usize },
    /// At an address that is the same on all paths.
    Global(u64),
    /// At an offset from where a pointer leads that has a place itself.
    Behind { pointer: Term, offset: u64 },
}

/// The machine for states that begin at a function's entry.
#[derive(Default)]
pub(crate) struct FromEntry {
    /// Callers can prepare more than what was explored.
    is_partial: bool,
    doubted: Vec<u32>,
}

impl Machine for FromEntry {
    const READS_PLAINLY: bool = false;
    const STARTS_ANYWHERE: bool = true;
    const STOPS_AT_WATCHED: bool = true;

    fn decide(
        interpreter: &mut Interpreter<'_, Self>,
        state: &State,
        condition: Term,
        _: Option<[BlockId; 2]>,
    ) -> Decided<bool> {
        interpreter.watch_numbers(state, condition);
        Decided::Open
    }

    fn decide_case(
        interpreter: &mut Interpreter<'_, Self>,
        state: &State,
        cases: &[(EdgeId, Term)],
    ) -> Decided<EdgeId> {
        cases.iter().for_each(|&(_, condition)| interpreter.watch_numbers(state, condition));
        Decided::Open
    }

    fn assume(interpreter: &mut Interpreter<'_, Self>, state: &State, condition: Term) -> Decided<bool> {
        interpreter.watch_numbers(state, condition);
        Decided::Open
    }

    fn touch(interpreter: &mut Interpreter<'_, Self>, state: &State, base: u64) {
        let Some(object) = state.memory.object(base) else { return };
        if let Origin::Global(global) = object.origin
            && !interpreter.program().global(global).is_constant
            && !interpreter.is_from_callers(state, global)
        {
            interpreter.machine.is_partial = true;
        }
    }

    /// What depends on more than values and memory depends on more than what is made up. Jumps see
    /// to that themselves.
    fn arguments(interpreter: &mut Interpreter<'_, Self>, _: &State, shim: Shim, values: Values) -> Option<Values> {
        let is_jump = matches!(shim, Shim::Control(ControlCall::SetJmp | ControlCall::LongJmp));
        interpreter.machine.is_partial |= !is_jump && matches!(shim.replayable(), Replayable::No);
        Some(values)
    }

    fn refuses(interpreter: &mut Interpreter<'_, Self>, reason: NoInterpolant) -> bool {
        let is_refused = reason == NoInterpolant::PointerWithoutBase;
        interpreter.machine.is_partial |= is_refused;
        is_refused
    }

    fn doubts(interpreter: &mut Interpreter<'_, Self>, targets: Vec<u32>) {
        if interpreter.options.forgotten != Some(EntryRule::Doubts) {
            interpreter.machine.doubted.extend(targets);
        }
    }

    /// Callers can prepare pointers whose numbers are in any order; see `numbers`.
    fn compare(interpreter: &mut Interpreter<'_, Self>, state: &State, a: Value, b: Value, _: PairQuestion) -> bool {
        interpreter.is_from_outside(state, a) || interpreter.is_from_outside(state, b)
    }

    fn look_at_address(interpreter: &mut Interpreter<'_, Self>, state: &State, pointer: Value) -> bool {
        interpreter.is_from_outside(state, pointer)
    }

    /// Numbers are; of pointers, nobody would hit one that leads anywhere.
    fn enumerates(interpreter: &mut Interpreter<'_, Self>, what: &Needed) -> bool {
        let is_number = matches!(what, Needed::ArraySize | Needed::Length(_));
        interpreter.machine.is_partial |= !is_number;
        is_number || matches!(what, Needed::Argument { .. })
    }
}

impl<M: Machine> Interpreter<'_, M> {
    /// Makes symbols of what callers can have changed: the program's variable globals.
    pub(crate) fn make_globals(&mut self, state: &mut State) {
        let image = self.image.clone();
        for &id in &self.globals_at_entries().small {
            let global = image.program().global(id);
            if self.options.forgotten == Some(EntryRule::Globals) && global.is_scalar {
                continue;
            }
            let (address, name, size) = (image.global_address(id), global.name.clone(), global.size as u32);
            let place = EntryPlace::Global(address);
            if !global.is_scalar || !matches!(size, 1 | 2 | 4 | 8) {
                self.fill_with_input(state, address, name, size, place);
                continue;
            }
            let symbol = self.entry_symbol(state, name, size, SymbolShape::Scalar, place);
            let var = self.terms.var(symbol, 0);
            for byte in 0..size {
                self.write_byte(state, address + u64::from(byte), Byte::Symbolic(var, byte));
            }
        }
    }
}

impl Executor {
    /// A state at the first instruction of a function, for all states of the program that call it.
    /// `None` if callers can pass what no symbol stands for.
    pub fn entry_state(&mut self, function: FuncId, mode: EntryMode) -> Result<Option<State>, LoadError> {
        let called = self.program().function(function);
        if called.is_declaration() || called.is_variadic || called.is_runtime || called.name == "main" {
            return Ok(None);
        }
        let machine = FromEntry::default();
        match mode {
            EntryMode::Shaped => Interpreter::new(self, machine).initial_state(function).map(Some),
            EntryMode::Opaque => Interpreter::new(self, machine).opaque_state(function).map(Some),
        }
    }

    /// As [`Executor::run`], for a state that began at a function's entry. The path ends when the
    /// function returns.
    pub fn run_from_entry(&mut self, state: &mut State, budget: u64) -> EntryStep {
        let (stats, show_output) = (self.stats.clone(), std::mem::take(&mut self.options.show_output));
        let (stops, messages) = (std::mem::replace(&mut self.stops, Stops::InLongLoops), self.messages.len());
        let mut interpreter = Interpreter::new(self, FromEntry::default());
        let step = interpreter.run(state, budget);
        let FromEntry { is_partial, doubted } = interpreter.machine;
        self.from_entries += self.stats.instructions - stats.instructions;
        (self.stats, self.options.show_output, self.stops) = (stats, show_output, stops);
        self.messages.truncate(messages);
        EntryStep { step, is_partial, doubted }
    }

    /// Instructions that were executed from functions' entries.
    pub fn instructions_from_entries(&self) -> u64 {
        self.from_entries
    }

    /// From now on, paths stop when they call this function.
    pub fn watch(&mut self, function: FuncId) {
        self.watched.insert(function);
        self.image.functions[function.index()].is_watched.set(true);
        self.image.uncounted_functions()[function.index()].is_watched.set(true);
    }

    pub(crate) fn is_watched(&self, function: FuncId) -> bool {
        self.watched.contains(&function)
    }

    fn globals_at_entries(&mut self) -> Rc<EntryGlobals> {
        if let Some(known) = &self.entry_globals {
            return known.clone();
        }
        let mut total = 0;
        let mut small = self.variable_globals();
        let all = small.iter().copied().collect();
        let exposed = exposed_globals(self.program());
        let exposed = small.iter().copied().filter(|global| exposed.contains(global)).collect();
        small.retain(|&global| {
            let size = self.program().global(global).size;
            let fits = size <= MOST_OF_GLOBAL && total + size <= MOST_OF_GLOBALS;
            total += if fits { size } else { 0 };
            fits && size > 0
        });
        let globals = Rc::new(EntryGlobals { all, exposed, small });
        self.entry_globals = Some(globals.clone());
        globals
    }

    /// Does the state hold anything at the global, as callers can have left it?
    fn is_from_callers(&mut self, state: &State, global: GlobalId) -> bool {
        let globals = self.globals_at_entries();
        match state.outside {
            Some(_) => globals.all.contains(&global),
            None => globals.small.contains(&global),
        }
    }

    /// The symbol for what the function that the state began in finds at a place.
    pub(crate) fn entry_symbol(
        &mut self,
        state: &State,
        name: String,
        size: u32,
        shape: SymbolShape,
        place: EntryPlace,
    ) -> Symbol {
        let origin = state.frames().last().map_or(0, |frame| frame.func.0);
        let mut info = SymbolInfo { kind: SymbolKind::Entry, name: name.into(), occurrence: origin, size, shape };
        // A parameter may have the name of a global, and hold something else.
        loop {
            let symbol = self.terms.symbol(info.clone());
            let is_its_own = *self.entry_places.entry(symbol).or_insert(place) == place;
            if is_its_own || self.options.forgotten == Some(EntryRule::Places) {
                return symbol;
            }
            info.name = format!("{}'", info.name).into();
        }
    }
}
