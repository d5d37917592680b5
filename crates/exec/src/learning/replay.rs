//! Running a piece of a path again on *any* state: what weakest preconditions are made of.
//!
//! A segment of a path is run once more from the state where it began, but with leaves ([`crate::learning::leaf`]) in the place of everything that the state holds: registers
//! at once, bytes of memory when they are first read. Decisions follow the original run: a model of its path condition says which way each one
//! went. What comes out is (1) the *guards*, the conditions over leaves under which another state takes the same way, and (2) the state at
//! the end in terms of leaves, in which a formula about the end can be evaluated to one about the beginning.
//!
//! The interpreter, the memory and the library functions are the very ones that execute programs, so each instruction means the same
//! backwards as forwards. Where something cannot be expressed over leaves it is *pinned*: the guard says that it has the value that it had. What
//! cannot even be pinned fails the replay, with a reason that is counted; the caller then goes without an interpolant.

use crate::Executor;
use crate::interpreter::fork::Flow;
use crate::interpreter::value::Value;
use crate::learning::NoInterpolant;
use crate::learning::leaf::{Leaf, ObjectName, name_object, resolve_name};
use crate::memory::Object;
use crate::memory::object::Byte;
use crate::models::shims::Shim;
use crate::paths::state::State;
use crate::{End, Step};
use espalier_expr::{Model, Op, Term};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Something that happened on the way, in order.
#[derive(Copy, Clone, Debug)]
pub enum Event {
    /// A decision: the condition held. `at` is the instruction, counted from the beginning of the segment; `matters` is false if nothing
    /// that is looked for can be reached where it does not hold.
    Guard { condition: Term, at: u64, matters: bool },
    /// An assumption of the program: other states drop the inputs on which it does not hold.
    Assumed(Term),
}

/// What must be as it was, apart from the values of leaves.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Needs {
    /// Objects that were accessed: alive, with this size, and writable or not.
    pub objects: BTreeMap<ObjectName, (u64, bool)>,
    /// Addresses where no object may be alive.
    pub no_object: BTreeSet<u64>,
    /// Heap objects were made: their addresses follow from how many there were.
    pub heap_position: Option<u64>,
    /// Addresses of stack objects occur as numbers.
    pub same_stack: bool,
}

/// A segment, run again.
pub struct Replayed {
    pub events: Vec<Event>,
    pub needs: Needs,
}

/// A segment up to the instruction by which it forked.
pub struct Prefix {
    state: State,
    replaying: Replaying,
}

#[derive(Clone)]
pub(crate) struct Replaying {
    start: State,
    /// The inputs that the path was taken with, and the values that the leaves had then.
    model: Model,
    events: Vec<Event>,
    needs: Needs,
    clock: u64,
    /// Instructions before the run, and the one to stop before.
    clock_base: u64,
    stop_at: Option<u64>,
    /// Leaves that were made, with what they stood for.
    leaf_terms: Vec<(Term, Term)>,
    /// The values of leaves where the segment began, as far as they do not depend on the input.
    constants: FxHashMap<Term, Option<Term>>,
    /// Frames at this depth and above have leaves in their registers.
    leafed_depth: u32,
    failure: Option<NoInterpolant>,
}

impl Replaying {
    /// To go on from here, with `before` instructions executed: what happened so far has been dealt with.
    fn at_the_fork(&self, before: u64) -> Replaying {
        Replaying { events: Vec::new(), needs: Needs::default(), clock_base: before, stop_at: None, ..self.clone() }
    }
}

/// Instructions of a replay between looks at whether the run is stopped.
const BETWEEN_LOOKS: u64 = 256;

/// Reads of more bytes than this keep them as they were, instead of having a leaf each.
const MOST_LEAVES: usize = 64;

/// Reads of more bytes than this are not looked at.
const MOST_READ: usize = 1 << 16;

impl Executor {
    /// Runs `instructions` instructions from `start` again on the inputs of `model`, and gives `finish` the state that comes out, in which leaves
    /// can be evaluated. `end` is the state that the original run came to, `None` if the path ended: anything else is a failure.
    pub fn replay<T>(
        &mut self,
        start: &State,
        model: &Model,
        instructions: u64,
        end: Option<&State>,
        finish: impl FnOnce(&mut Executor, &mut State) -> Result<T, NoInterpolant>,
    ) -> Result<(T, Replayed), NoInterpolant> {
        let mut state = self.replay_begin(start, model)?;
        self.replay_session(|executor| {
            executor.replay_frame(&mut state);
            executor.replay_run(&mut state, instructions, end);
            executor.replay_finish(&mut state, finish)
        })
    }

    /// The first part of a replay, which the alternatives of a fork share: everything up to the instruction that forks.
    pub fn replay_prefix(
        &mut self,
        start: &State,
        model: &Model,
        instructions: u64,
    ) -> Result<(Prefix, Replayed), NoInterpolant> {
        let mut state = self.replay_begin(start, model)?;
        let last = instructions.checked_sub(1).ok_or(NoInterpolant::EmptyFork)?;
        if let Some(replay) = &mut self.replay {
            replay.stop_at = Some(instructions);
        }
        let (replaying, replayed) = self.replay_session(|executor| {
            executor.replay_frame(&mut state);
            let before = executor.stats.instructions;
            let step = executor.run(&mut state, u64::MAX);
            if !matches!(step, Step::Budget) || executor.stats.instructions - before != last {
                executor.replay_fail(NoInterpolant::NoFork);
            }
            let replaying = executor.replay.as_ref().map(|replay| replay.at_the_fork(last));
            executor.replay_finish(&mut state, |_, _| replaying.ok_or(NoInterpolant::Over))
        })?;
        Ok((Prefix { state, replaying }, replayed))
    }

    /// The last instruction of a segment, by which it forked, as it went on the inputs of `model`.
    pub fn replay_fork<T>(
        &mut self,
        prefix: &Prefix,
        model: &Model,
        end: &State,
        finish: impl FnOnce(&mut Executor, &mut State) -> Result<T, NoInterpolant>,
    ) -> Result<(T, Replayed), NoInterpolant> {
        let mut replaying = prefix.replaying.clone();
        replaying.model = model.clone();
        for (var, value) in &replaying.leaf_terms {
            let value = self.terms.eval(*value, model);
            replaying.model.set_bv(*var, value);
        }
        self.replay = Some(Box::new(replaying));
        let mut state = prefix.state.clone();
        self.replay_session(|executor| {
            executor.replay_run(&mut state, 1, Some(end));
            executor.replay_finish(&mut state, finish)
        })
    }

    /// Sets a replay up; the state is the one to run.
    fn replay_begin(&mut self, start: &State, model: &Model) -> Result<State, NoInterpolant> {
        if start.memory.reused_slots {
            return Err(NoInterpolant::ReusedAddresses);
        }
        if start.scratch.is_some() || !start.jump_points.is_empty() || !start.aliases.is_empty() || start.no_forking {
            return Err(NoInterpolant::NotBetweenInstructions);
        }
        let mut state = start.clone();
        state.memory = start.memory.without_contents().ok_or(NoInterpolant::FixedObjects)?;
        state.pending_end = None;
        self.replay = Some(Box::new(Replaying {
            start: start.clone(),
            model: model.clone(),
            events: Vec::new(),
            needs: Needs::default(),
            clock: 0,
            clock_base: 0,
            stop_at: None,
            constants: FxHashMap::default(),
            leaf_terms: Vec::new(),
            leafed_depth: u32::MAX,
            failure: None,
        }));
        Ok(state)
    }

    /// Runs something as a replay: nothing is printed or counted.
    fn replay_session<T>(
        &mut self,
        session: impl FnOnce(&mut Executor) -> Result<T, NoInterpolant>,
    ) -> Result<(T, Replayed), NoInterpolant> {
        let counters = (self.stats.clone(), self.options.show_output);
        self.options.show_output = false;
        let result = session(self);
        (self.stats, self.options.show_output) = counters;
        let replay = self.replay.take().ok_or(NoInterpolant::Nested)?;
        if self.is_cut_short {
            return Err(NoInterpolant::Stopped);
        }
        match (result, replay.failure) {
            (Err(reason), _) | (_, Some(reason)) => Err(reason),
            (Ok(result), None) => Ok((result, Replayed { events: replay.events, needs: replay.needs })),
        }
    }

    fn replay_finish<T>(
        &mut self,
        state: &mut State,
        finish: impl FnOnce(&mut Executor, &mut State) -> Result<T, NoInterpolant>,
    ) -> Result<T, NoInterpolant> {
        match self.replay.as_ref().and_then(|replay| replay.failure) {
            Some(reason) => Err(reason),
            None => finish(self, state),
        }
    }

    fn replay_run(&mut self, state: &mut State, instructions: u64, end: Option<&State>) {
        if instructions == 0 {
            if end.is_some_and(|end| !self.is_same_end(state, end)) {
                self.replay_fail(NoInterpolant::OtherWay);
            }
            return;
        }
        let before = self.stats.instructions;
        let step = self.run(state, instructions);
        let executed = self.stats.instructions - before;
        match (step, end) {
            (Step::Fork(_) | Step::Join, _) => self.replay_fail(NoInterpolant::Fork),
            (Step::Budget, Some(end)) => {
                if executed != instructions || !self.is_same_end(state, end) {
                    self.replay_fail(NoInterpolant::OtherWay);
                }
            }
            (Step::End(_), None) => {
                if executed != instructions {
                    self.replay_fail(NoInterpolant::OtherEnd);
                }
            }
            (Step::Budget, None) | (Step::End(_), Some(_)) => self.replay_fail(NoInterpolant::OtherOutcome),
        }
    }

    /// Does the replayed state stand for the original one: the same place, and the same registers on the inputs of the model?
    fn is_same_end(&mut self, state: &State, end: &State) -> bool {
        let (top, original) = (&state.top, &end.top);
        if (top.func, top.pc, top.depth, top.regs.len())
            != (original.func, original.pc, original.depth, original.regs.len())
        {
            return false;
        }
        let live = self.live_registers(top.func, top.pc);
        let Some(replay) = &self.replay else { return false };
        let value = |value: &Value| match value.as_term() {
            None => num_of(value.bits()),
            Some(term) => self.terms.eval(term, &replay.model).to_big(),
        };
        live.iter().all(|reg| value(&top.regs[reg.index()]) == value(&original.regs[reg.index()]))
    }

    pub(crate) fn is_replaying(&self) -> bool {
        self.replay.is_some()
    }

    /// An instruction is about to be executed, this one since the run began. Is it where the replay is to stop?
    pub(crate) fn replay_clock(&mut self, at: u64) -> bool {
        match &mut self.replay {
            Some(replay) => {
                replay.clock = replay.clock_base + at;
                let is_stopped = at.is_multiple_of(BETWEEN_LOOKS) && self.stop.is_asked();
                if is_stopped {
                    replay.failure.get_or_insert(NoInterpolant::Stopped);
                }
                is_stopped || replay.stop_at == Some(replay.clock)
            }
            None => false,
        }
    }

    /// Gives the replay up. The path ends, which nobody looks at.
    pub(crate) fn replay_fail(&mut self, reason: NoInterpolant) {
        if let Some(replay) = &mut self.replay {
            replay.failure.get_or_insert(reason);
        }
    }

    pub(crate) fn replay_give_up(&mut self, reason: NoInterpolant) -> Flow {
        self.replay_fail(reason);
        Flow::End(End::Silent)
    }

    /// Puts leaves into the registers of the running frame, if the frame is older than the segment and has none yet.
    pub(crate) fn replay_frame(&mut self, state: &mut State) {
        let Some(replay) = &self.replay else { return };
        let depth = state.top.depth;
        if depth >= replay.leafed_depth || depth > replay.start.top.depth {
            return;
        }
        let image = self.image.clone();
        let widths = &image.program().function(state.top.func).regs;
        let live = self.live_registers(state.top.func, state.top.pc);
        for reg in live.iter().map(|reg| reg.index()) {
            let width = widths[reg];
            let var = self.leaf_var(Leaf::Reg { depth, reg: reg as u32 }, width);
            let value = state.top.regs[reg].term(&mut self.terms, width);
            self.set_leaf_value(var, value);
            let leaf = self.terms.extract(var, 0, width);
            state.top.regs[reg] = Value::of(&self.terms, leaf);
        }
        if let Some(replay) = &mut self.replay {
            replay.leafed_depth = depth;
        }
    }

    /// Is this a frame that the segment has not come back to, so that its registers are not leaves yet?
    pub(crate) fn is_untouched_frame(&self, depth: u32) -> bool {
        self.replay.as_ref().is_some_and(|replay| depth < replay.leafed_depth && depth <= replay.start.top.depth)
    }

    /// Is this stack object older than the segment, and still called so?
    pub(crate) fn is_older_object(&self, state: &State, depth: u32, index: u32) -> bool {
        let name = ObjectName::Stack { depth, index };
        let older = self.replay.as_ref().and_then(|replay| resolve_name(&replay.start, name));
        older.is_some() && older == resolve_name(state, name)
    }

    /// Are these bytes of an object that is older than the segment, and still called so, as they were when the segment began, so that one leaf stands for them?
    pub(crate) fn is_untouched_memory(
        &self,
        state: &State,
        name: ObjectName,
        base: u64,
        offset: u64,
        len: u32,
    ) -> bool {
        let Some(replay) = &self.replay else { return false };
        if !matches!(len, 1 | 2 | 4 | 8) || !offset.is_multiple_of(len as u64) {
            return false;
        }
        let is_older = resolve_name(&replay.start, name) == Some(base);
        let (Some(older), Some(now)) = (replay.start.memory.object(base), state.memory.object(base)) else {
            return false;
        };
        let mut places = offset as usize..offset as usize + len as usize;
        is_older
            && older.base == base
            && !older.read_only
            && places.all(|at| now.contents.byte(at) == Byte::Uninit && older.contents.byte(at) != Byte::Uninit)
    }

    /// The value of a leaf that the segment has not touched: itself.
    pub(crate) fn untouched_leaf(&mut self, leaf: Leaf, width: u32) -> Option<Term> {
        let mut replay = self.replay.take()?;
        let value = self.leaf_value(&mut replay.start, leaf, width);
        self.replay = Some(replay);
        let var = self.leaf_var(leaf, width);
        self.set_leaf_value(var, value?);
        Some(var)
    }

    /// Notes what a leaf's value was in the original run.
    fn set_leaf_value(&mut self, var: Term, value: Term) {
        if let Some(replay) = &mut self.replay {
            replay.leaf_terms.push((var, value));
            let value = self.terms.eval(value, &replay.model);
            replay.model.set_bv(var, value);
        }
    }

    /// The value that a term had in the original run.
    pub(crate) fn replay_value(&self, term: Term) -> Option<u64> {
        let replay = self.replay.as_ref()?;
        self.terms.eval(term, &replay.model).to_u64()
    }

    pub(crate) fn replay_guard(&mut self, condition: Term) {
        self.replay_event(condition, true);
    }

    /// Notes a condition under which the path was followed.
    pub(crate) fn replay_event(&mut self, condition: Term, matters: bool) {
        if condition == self.terms.tru() {
            return;
        }
        if let Some(replay) = &mut self.replay {
            let at = replay.clock;
            replay.events.push(Event::Guard { condition, at, matters });
        }
    }

    pub(crate) fn replay_assume(&mut self, condition: Term) {
        if let Some(replay) = &mut self.replay {
            replay.events.push(Event::Assumed(condition));
        }
    }

    /// Decides a condition as the original run did.
    pub(crate) fn replay_decide(&mut self, condition: Term) -> bool {
        let holds = self.replay_value(condition) == Some(1);
        let guard = if holds { condition } else { self.terms.not(condition) };
        self.replay_guard(guard);
        holds
    }

    /// Had every leaf in the term a value that does not depend on the input?
    fn had_one_value(&mut self, term: Term) -> bool {
        let vars = self.terms.vars_of(term);
        vars.iter().all(|&var| self.start_constant(var).is_some())
    }

    /// The value of a leaf where the segment began, if it does not depend on the input.
    fn start_constant(&mut self, var: Term) -> Option<Term> {
        if let Some(&known) = self.replay.as_ref()?.constants.get(&var) {
            return known;
        }
        let leaf = self.leaf_of(var)?;
        let mut replay = self.replay.take()?;
        let width = self.terms.width(var);
        let value = self.leaf_value(&mut replay.start, leaf, width).filter(|&value| self.terms.is_const(value));
        replay.constants.insert(var, value);
        self.replay = Some(replay);
        value
    }

    /// Requires a term to have the value that it had, if that did not depend on the input. The value, then.
    pub(crate) fn replay_pin(&mut self, state: &State, term: Term) -> Option<u64> {
        if let Some(constant) = self.terms.as_u64(term) {
            return Some(constant);
        }
        if !self.had_one_value(term) {
            return None;
        }
        let value = self.replay_value(term)?;
        // Each part of it by itself: that is stronger than the whole, but it is what bounds and keys can be made of.
        let vars = self.terms.vars_of(term);
        for &var in vars.iter() {
            let Some(number) = self.replay_value(var) else { continue };
            let constant = self.address_term(state, number, self.terms.width(var));
            let same = self.terms.eq(var, constant);
            self.replay_guard(same);
        }
        Some(value)
    }

    /// A number as a term; if it is an address in a stack object that the segment's beginning had, relative to that object.
    pub(crate) fn address_term(&mut self, state: &State, value: u64, width: u32) -> Term {
        let pointer = self.pointer_width();
        if width == pointer
            && state.memory.layout.is_stack_address(value)
            && let Some(replay) = &self.replay
            && let Some(object) = replay.start.memory.object(value)
            && let Some(ObjectName::Stack { depth, index }) = name_object(&replay.start, object.base)
        {
            let base = object.base;
            let var = self.leaf_var(Leaf::Address { depth, index }, pointer);
            let base_term = self.terms.constant(base, pointer);
            self.set_leaf_value(var, base_term);
            let offset = self.terms.constant(value.wrapping_sub(base), pointer);
            return self.terms.add(var, offset);
        }
        self.terms.constant(value, width)
    }

    /// A pointer that is about to be used: a number where it was one, else with its parts that were numbers pinned.
    pub(crate) fn replay_pointer(&mut self, state: &State, pointer: Value) -> Value {
        let Some(term) = pointer.as_term() else { return pointer };
        if let Some(address) = self.replay_pin(state, term) {
            return Value::concrete(address);
        }
        let vars = self.terms.vars_of(term);
        let mut values = FxHashMap::default();
        for &var in vars.iter() {
            if self.start_constant(var).is_some()
                && let Some(number) = self.replay_pin(state, var)
            {
                let constant = self.terms.constant(number, self.terms.width(var));
                values.insert(var, constant);
            }
        }
        let rest = self.terms.substitute(term, &values);
        Value::of(&self.terms, rest)
    }

    /// What a term was in the original run: with what the segment's beginning had in the place of leaves.
    pub(crate) fn original_of(&mut self, term: Term) -> Term {
        let Some(mut replay) = self.replay.take() else { return term };
        let mut values = FxHashMap::default();
        for &var in self.terms.vars_of(term).iter() {
            let width = self.terms.width(var);
            if let Some(leaf) = self.leaf_of(var)
                && let Some(value) = self.leaf_value(&mut replay.start, leaf, width)
            {
                values.insert(var, value);
            }
        }
        self.replay = Some(replay);
        self.terms.substitute(term, &values)
    }

    /// The object that a pointer was based on, where its term has none now, because what was computed before the segment is one leaf: an address in it, and the pointer as a sum with
    /// that. That it leads there is decided like any other condition. Of alternatives (`strchr` gives null or an address) it is the one that the path went on with.
    pub(crate) fn replay_anchor(&mut self, state: &State, pointer: Term) -> Option<(u64, Term)> {
        if !self.is_replaying() {
            return None;
        }
        let mut original = self.original_of(pointer);
        while self.terms.op(original) == Op::Ite {
            let node = *self.terms.node(original);
            original = node.arg(if self.replay_value(node.arg(0))? == 1 { 1 } else { 2 });
        }
        if let Some(number) = self.terms.as_u64(original) {
            let address = self.address_term(state, number, self.pointer_width());
            let same = self.terms.eq(pointer, address);
            self.replay_guard(same);
            return Some((number, original));
        }
        let address = self.anchor(state, original)?;
        let base = state.memory.object(address)?.base;
        if !state.memory.layout.is_stack_address(base) {
            return Some((base, pointer));
        }
        // Stack objects have other addresses in other states: it is the distance that counts.
        let width = self.pointer_width();
        let ObjectName::Stack { depth, index } = name_object(&self.replay.as_ref()?.start, base)? else { return None };
        let start = self.leaf_var(Leaf::Address { depth, index }, width);
        let constant = self.terms.constant(base, width);
        self.set_leaf_value(start, constant);
        let distance = self.terms.sub(pointer, start);
        Some((base, self.terms.add(constant, distance)))
    }

    /// Pins every part of a term that had one value.
    pub(crate) fn replay_pin_parts(&mut self, state: &State, term: Term) {
        let value = Value::of(&self.terms, term);
        self.replay_pointer(state, value);
    }

    /// Does a term depend on inputs that are older than the segment?
    pub(crate) fn is_about_older_inputs(&mut self, term: Term) -> bool {
        let vars = self.terms.vars_of(term);
        vars.iter().any(|&var| self.leaf_of(var).is_some() && self.start_constant(var).is_none())
    }

    /// Was a byte a plain number in the original run?
    pub(crate) fn was_plain(&mut self, byte: Byte) -> bool {
        match byte {
            Byte::Concrete(_) => true,
            Byte::Symbolic(term, _) => self.had_one_value(term),
            Byte::Backed | Byte::Uninit => false,
        }
    }

    /// Notes that an object is accessed.
    pub(crate) fn replay_touch(&mut self, state: &State, base: u64) {
        let Some(replay) = &mut self.replay else { return };
        let Some(object) = replay.start.memory.object(base).filter(|object| object.base == base) else {
            return;
        };
        if object.size_term.is_some() || state.memory.object(base).is_some_and(|object| object.size_term.is_some()) {
            replay.failure.get_or_insert(NoInterpolant::SymbolicSize);
            return;
        }
        match name_object(&replay.start, base) {
            Some(ObjectName::At(_)) if object.is_permanent() => {}
            Some(name) => {
                replay.needs.objects.insert(name, (object.size, object.read_only));
            }
            None => {
                replay.failure.get_or_insert(NoInterpolant::NoFrame);
            }
        }
    }

    /// Notes that an access or a free at this address goes wrong because of what is there, or is not.
    pub(crate) fn replay_fault(&mut self, state: &State, address: u64) {
        match state.memory.object(address).map(|object| object.base) {
            Some(base) => self.replay_touch(state, base),
            None => {
                // What was alive where the segment begins died on the way, here as there.
                if let Some(replay) = &mut self.replay
                    && replay.start.memory.object(address).is_none()
                {
                    replay.needs.no_object.insert(address);
                }
            }
        }
    }

    pub(crate) fn replay_allocates_heap(&mut self) {
        if let Some(replay) = &mut self.replay {
            let position = replay.start.memory.positions().0;
            replay.needs.heap_position = Some(position);
        }
    }

    /// Bytes that are about to be read: those that the segment has not written yet become leaves. Does this object have any?
    pub(crate) fn replay_read(&mut self, state: &mut State, base: u64, offset: usize, len: usize) -> bool {
        let Some(replay) = &self.replay else { return false };
        let Some(object) = replay.start.memory.object(base).filter(|object| object.base == base) else {
            return false;
        };
        if object.read_only {
            return false;
        }
        let Some(name) = name_object(&replay.start, base) else {
            self.replay_fail(NoInterpolant::NoFrame);
            return true;
        };
        if len > MOST_READ {
            self.replay_fail(NoInterpolant::LargeRead);
            return true;
        }
        let original: Vec<Byte> = (offset..offset + len).map(|at| object.contents.byte(at)).collect();
        let now = self.bytes_at(state, base, offset, len);
        if now.iter().zip(&original).any(|(now, old)| *now == Byte::Uninit && *old == Byte::Uninit) {
            self.replay_fail(NoInterpolant::Unwritten);
            return true;
        }
        if len > MOST_LEAVES && now.iter().filter(|&&byte| byte == Byte::Uninit).count() > MOST_LEAVES {
            self.replay_fail(NoInterpolant::LargeRead);
            return true;
        }
        let mut at = 0;
        while at < len {
            if now[at] != Byte::Uninit {
                at += 1;
                continue;
            }
            let run = now[at..].iter().take_while(|&&byte| byte == Byte::Uninit).count();
            let run =
                [8, 4, 2, 1].into_iter().find(|&size| size <= run && (offset + at).is_multiple_of(size)).unwrap_or(1);
            let leaf = Leaf::Mem { object: name, offset: (offset + at) as u64, len: run as u32 };
            let var = self.leaf_var(leaf, 8 * run as u32);
            if let Some(mut replay) = self.replay.take() {
                let value = self.leaf_value(&mut replay.start, leaf, 8 * run as u32);
                self.replay = Some(replay);
                match value {
                    Some(value) => self.set_leaf_value(var, value),
                    None => self.replay_fail(NoInterpolant::NamelessPlace),
                }
            }
            if let Some(object) = state.memory.object_mut(base) {
                for k in 0..run {
                    object.contents.set_byte(offset + at + k, Byte::Symbolic(var, k as u32));
                }
            }
            at += run;
        }
        true
    }

    /// The arguments of a library function, as it is to see them; `None` if it cannot be replayed.
    pub(crate) fn replay_arguments(
        &mut self,
        state: &State,
        shim: Shim,
        values: &[Value],
    ) -> Result<Vec<Value>, NoInterpolant> {
        match shim.replayable() {
            Replayable::No => Err(NoInterpolant::Library),
            Replayable::OnTerms => Ok(values.to_vec()),
            Replayable::OnNumbers => {
                let mut pinned = Vec::with_capacity(values.len());
                for &value in values {
                    let number = value.as_term().and_then(|term| self.replay_pin(state, term));
                    let value = number.map_or(value, Value::concrete);
                    // It may be an address, and then it matters what is there.
                    if let Some(address) = value.as_concrete().filter(|&address| address >= self.first_address()) {
                        self.replay_fault(state, address);
                    }
                    pinned.push(value);
                }
                Ok(pinned)
            }
        }
    }

    /// No object is below this address.
    fn first_address(&self) -> u64 {
        self.image.memory.layout.first_address()
    }

    /// Does a term have an address of a stack object as a number in it?
    pub fn mentions_stack_address(&mut self, state: &State, term: Term) -> bool {
        if let Some(&known) = self.mentions_stack.get(&term) {
            return known;
        }
        let width = self.pointer_width();
        let mentions = self.terms.postorder(&[term]).into_iter().any(|part| {
            self.terms.op(part) == Op::Const
                && self.terms.width(part) == width
                && self.terms.as_u64(part).is_some_and(|number| state.memory.layout.is_stack_address(number))
        });
        self.mentions_stack.insert(term, mentions);
        mentions
    }
}

fn num_of(bits: u64) -> num_bigint::BigUint {
    num_bigint::BigUint::from(bits)
}

/// How a library function takes part in a replay.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Replayable {
    /// On leaves like on anything else.
    OnTerms,
    /// With the arguments that it had, where these did not depend on the input.
    OnNumbers,
    No,
}

impl Object {
    /// Does the object exist from the beginning to the end of every path?
    fn is_permanent(&self) -> bool {
        use crate::memory::Origin;
        matches!(self.origin, Origin::Global(_) | Origin::Function(_) | Origin::Environment(_))
    }
}
