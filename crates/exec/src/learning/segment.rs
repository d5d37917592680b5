//! The machine that a segment of a path is run again on; see [`crate::learning::replay`].
//!
//! It knows the state that the segment began with, puts leaves in the place of what that held, and
//! notes under which conditions another state would take the same way.

use crate::Executor;
use crate::interpreter::access::Place;
use crate::interpreter::bulk::MAX_BLOCK;
use crate::interpreter::machine::{Decided, Explore, Interpreter, Machine, Values};
use crate::interpreter::value::Value;
use crate::learning::NoInterpolant;
use crate::learning::evaluation::memory_differences;
use crate::learning::guide::{Guide, Inputs};
use crate::learning::leaf::{Leaf, Leaves, ObjectName, name_object, resolve_name};
use crate::learning::replay::{Event, Needs, Replayed};
use crate::memory::object::{Byte, Contents};
use crate::memory::{Found, Memory, Object, Origin};
use crate::models::shims::Shim;
use crate::paths::state::State;
use espalier_expr::{Model, Op, Term, Terms};
use espalier_ir::{BlockId, EdgeId, PairQuestion};
use rustc_hash::FxHashMap;

/// The machine that a segment is run again on.
#[derive(Clone)]
pub(crate) struct Segment<G> {
    pub guide: G,
    start: State,
    /// The memory as it was then, but with nothing in it.
    blank: Memory,
    /// The values that leaves had, and those of inputs; only as far as they are known.
    pub(super) known: Model,
    events: Vec<Event>,
    needs: Needs,
    clock: u64,
    /// Instructions before the run, and the one to stop before.
    clock_base: u64,
    pub(super) stop_at: Option<u64>,
    /// Leaves that were made, with what they stood for.
    leaf_terms: Vec<(Term, Term)>,
    /// The values of leaves where the segment began, as far as they do not depend on the input.
    constants: FxHashMap<Term, Option<Term>>,
    /// Frames at this depth and above have leaves in their registers.
    leafed_depth: u32,
    pub(super) failure: Option<NoInterpolant>,
}

impl Segment<Inputs> {
    /// To go on from here, with `before` instructions executed: what happened so far has been dealt
    /// with.
    pub(super) fn at_the_fork(&self, before: u64) -> Segment<Inputs> {
        Segment { events: Vec::new(), needs: Needs::default(), clock_base: before, stop_at: None, ..self.clone() }
    }

    /// The same with other inputs.
    pub(super) fn on(&self, terms: &Terms, inputs: &Model) -> Segment<Inputs> {
        let mut segment = Segment { known: inputs.clone(), ..self.clone() };
        for (var, value) in &segment.leaf_terms {
            segment.known.set_bv(*var, terms.eval(*value, inputs));
        }
        segment
    }
}

impl<G: Guide> Segment<G> {
    /// Sets a replay up; the state is the one to run.
    pub(super) fn begin(start: &State, known: Model, guide: G) -> Result<(State, Segment<G>), NoInterpolant> {
        if start.memory.reused_slots {
            return Err(NoInterpolant::ReusedAddresses);
        }
        if start.scratch.is_some() || !start.jump_points.is_empty() || !start.aliases.is_empty() || start.no_forking {
            return Err(NoInterpolant::NotBetweenInstructions);
        }
        let mut state = start.clone();
        state.memory = start.memory.without_contents().ok_or(NoInterpolant::FixedObjects)?;
        state.pending_end = None;
        let segment = Segment {
            guide,
            start: start.clone(),
            blank: state.memory.clone(),
            known,
            events: Vec::new(),
            needs: Needs::default(),
            clock: 0,
            clock_base: 0,
            stop_at: None,
            constants: FxHashMap::default(),
            leaf_terms: Vec::new(),
            leafed_depth: u32::MAX,
            failure: None,
        };
        Ok((state, segment))
    }

    pub(super) fn fail(&mut self, reason: NoInterpolant) {
        self.failure.get_or_insert(reason);
    }
}

/// Instructions of a replay between looks at whether the run is stopped.
const BETWEEN_LOOKS: u64 = 256;

/// Reads of more bytes than this keep them as they were, instead of having a leaf each.
const MOST_LEAVES: usize = 64;

/// Reads of more bytes than this are not looked at.
const MOST_READ: usize = 1 << 16;

impl<G: Guide> Machine for Segment<G> {
    const FORKS: bool = false;

    fn decide(
        interpreter: &mut Interpreter<'_, Self>,
        state: &State,
        condition: Term,
        sides: Option<[BlockId; 2]>,
    ) -> Decided<bool> {
        let Some(holds) = G::holds(interpreter, condition) else {
            return interpreter.is_lost(NoInterpolant::NoDecision);
        };
        let guard = if holds { condition } else { interpreter.terms.not(condition) };
        let avoided = sides.map(|[then, otherwise]| if holds { otherwise } else { then });
        let matters = avoided.is_none_or(|avoided| interpreter.block_is_relevant(state, avoided));
        interpreter.add_guard(guard, matters, sides.is_some());
        Decided::As(holds)
    }

    fn decide_case(interpreter: &mut Interpreter<'_, Self>, _: &State, cases: &[(EdgeId, Term)]) -> Decided<EdgeId> {
        let conditions: Vec<Term> = cases.iter().map(|&(_, condition)| condition).collect();
        match G::case(interpreter, &conditions) {
            Some(case) => {
                interpreter.guard(conditions[case]);
                Decided::As(cases[case].0)
            }
            None => interpreter.is_lost(NoInterpolant::NoCase),
        }
    }

    fn choose(interpreter: &mut Interpreter<'_, Self>, term: Term) -> Decided<u64> {
        let Some(number) = G::number(interpreter, term) else {
            return interpreter.is_lost(NoInterpolant::WideValue);
        };
        let width = interpreter.terms.width(term);
        let constant = interpreter.terms.constant(number, width);
        let equal = interpreter.terms.eq(term, constant);
        interpreter.guard(equal);
        Decided::As(number)
    }

    fn look(interpreter: &mut Interpreter<'_, Self>, term: Term) -> Option<u64> {
        G::number(interpreter, term)
    }

    fn assume(interpreter: &mut Interpreter<'_, Self>, _: &State, condition: Term) -> Decided<bool> {
        match G::holds(interpreter, condition) {
            Some(true) => {
                interpreter.machine.events.push(Event::Assumed(condition));
                Decided::As(true)
            }
            Some(false) => {
                // The path ended here: no input was left.
                let impossible = interpreter.terms.not(condition);
                interpreter.guard(impossible);
                Decided::As(false)
            }
            None => interpreter.is_lost(NoInterpolant::NoDecision),
        }
    }

    /// It can hold where everything but the new inputs is the same.
    fn can_oblige(interpreter: &mut Interpreter<'_, Self>, state: &State, condition: Term) -> bool {
        let value = Value::of(&interpreter.terms, condition);
        interpreter.pin_parts(state, value);
        !interpreter.is_about_older_inputs(condition) || !Self::refuses(interpreter, NoInterpolant::OldAssumption)
    }

    /// A number where it was one, else with its parts that were numbers pinned.
    fn used(interpreter: &mut Interpreter<'_, Self>, state: &State, value: Value) -> Value {
        interpreter.pin_parts(state, value)
    }

    fn anchor(interpreter: &mut Interpreter<'_, Self>, state: &State, pointer: Term) -> Option<(u64, Term)> {
        interpreter.original_anchor(state, pointer)
    }

    fn original(interpreter: &mut Interpreter<'_, Self>, term: Term) -> Term {
        interpreter.original_of(term)
    }

    fn touch(interpreter: &mut Interpreter<'_, Self>, state: &State, base: u64) {
        interpreter.machine.touch_object(state, base);
    }

    fn fault(interpreter: &mut Interpreter<'_, Self>, state: &State, address: u64) {
        let segment = &mut interpreter.machine;
        match state.memory.object(address).map(|object| object.base) {
            Some(base) => segment.touch_object(state, base),
            // What was alive where the segment begins died on the way, here as there.
            None if segment.start.memory.object(address).is_none() => {
                segment.needs.no_object.insert(address);
            }
            None => {}
        }
    }

    /// Those that the segment has not written yet become leaves.
    fn read(interpreter: &mut Interpreter<'_, Self>, state: &mut State, base: u64, offset: usize, len: usize) -> bool {
        interpreter.read_leaves(state, base, offset, len)
    }

    fn copy(
        interpreter: &mut Interpreter<'_, Self>,
        state: &mut State,
        to: Value,
        from: Value,
        count: u64,
    ) -> Option<()> {
        interpreter.copy_what_was_plain(state, to, from, count)
    }

    fn allocate(interpreter: &mut Interpreter<'_, Self>) {
        let segment = &mut interpreter.machine;
        segment.needs.heap_position = Some(segment.start.memory.positions().0);
    }

    fn leaf(interpreter: &mut Interpreter<'_, Self>, state: &State, leaf: Leaf, width: u32) -> Option<Option<Term>> {
        let segment = &interpreter.machine;
        let is_untouched = match leaf {
            Leaf::Reg { depth, .. } => depth < segment.leafed_depth && depth <= segment.start.top.depth,
            Leaf::Address { depth, index } => segment.is_older_object(state, depth, index),
            Leaf::Mem { object, offset, len } => segment.is_untouched_memory(state, object, offset, len),
        };
        match leaf {
            _ if !is_untouched => None,
            Leaf::Mem { .. } => Some(Some(interpreter.leaf_var(leaf, width))),
            Leaf::Reg { .. } | Leaf::Address { .. } => Some(interpreter.untouched_leaf(leaf, width)),
        }
    }

    /// Registers of frames that ran, what is called otherwise now, and memory that is there: at the
    /// beginning, none is.
    fn changed_leaves(&self, leaves: &Leaves, state: &State) -> Vec<Term> {
        let first = self.leafed_depth.min(self.start.top.depth + 1);
        let mut changed: Vec<Term> = leaves.of_frames(first..=u32::MAX).collect();
        let mut frames = (self.start.frames().collect::<Vec<_>>(), state.frames().collect::<Vec<_>>());
        for frames in [&mut frames.0, &mut frames.1] {
            frames.retain(|frame| frame.depth >= first);
            frames.reverse();
        }
        let common = frames.0.iter().zip(&frames.1).take_while(|(a, b)| a.allocas == b.allocas).count();
        changed.extend(leaves.of_stack(first + common as u32..=u32::MAX));
        match memory_differences(leaves, state, &self.blank, &state.memory) {
            Some(in_memory) => changed.extend(in_memory),
            None => return leaves.vars().to_vec(),
        }
        changed
    }

    /// If it is in a stack object that the segment's beginning had, it is relative to that object.
    fn address(interpreter: &mut Interpreter<'_, Self>, state: &State, address: u64, width: u32) -> Term {
        let pointer = interpreter.pointer_width();
        let start = &interpreter.machine.start;
        if width == pointer
            && state.memory.layout.is_stack_address(address)
            && let Some(object) = start.memory.object(address)
            && let Some(ObjectName::Stack { depth, index }) = name_object(start, object.base)
        {
            let base = object.base;
            let var = interpreter.leaf_var(Leaf::Address { depth, index }, pointer);
            let base_term = interpreter.terms.constant(base, pointer);
            interpreter.set_leaf_value(var, base_term);
            let offset = interpreter.terms.constant(address.wrapping_sub(base), pointer);
            return interpreter.terms.add(var, offset);
        }
        interpreter.terms.constant(address, width)
    }

    /// Another state must compare within one object, too, or what is alive as well.
    fn compare(interpreter: &mut Interpreter<'_, Self>, state: &State, a: Value, b: Value, asks: PairQuestion) -> bool {
        let same = interpreter.in_one_slot(state, a, b);
        if G::holds(interpreter, same) == Some(true) {
            interpreter.guard(same);
        } else if asks == PairQuestion::Equality {
            interpreter.stay_at(state, a);
            interpreter.stay_at(state, b);
            let width = interpreter.pointer_width();
            let (x, y) = (a.term(&mut interpreter.terms, width), b.term(&mut interpreter.terms, width));
            if let Some(x) = G::number(interpreter, x)
                && let Some(y) = G::number(interpreter, y)
                && let Some(meet) = interpreter.meet(state, (a, x), (b, y))
            {
                let is_apart = interpreter.terms.not(meet);
                interpreter.guard(is_apart);
            }
        }
        true
    }

    fn look_at_address(interpreter: &mut Interpreter<'_, Self>, state: &State, pointer: Value) -> bool {
        interpreter.stay_at(state, pointer);
        true
    }

    fn returned(interpreter: &mut Interpreter<'_, Self>, state: &mut State) {
        interpreter.put_leaves(state);
    }

    fn arguments(interpreter: &mut Interpreter<'_, Self>, state: &State, shim: Shim, values: Values) -> Option<Values> {
        match shim.replayable() {
            Replayable::No => {
                interpreter.machine.fail(NoInterpolant::Library);
                None
            }
            Replayable::OnTerms => Some(values),
            Replayable::OnNumbers => {
                let pinned = values.into_iter().map(|value| {
                    let number = value.as_term().and_then(|term| interpreter.pin(state, term));
                    let value = number.map_or(value, Value::concrete);
                    // It may be an address, and then it matters what is there.
                    let first = interpreter.image.memory.layout.first_address();
                    if let Some(address) = value.as_concrete().filter(|&address| address >= first) {
                        Self::fault(interpreter, state, address);
                    }
                    value
                });
                Some(pinned.collect())
            }
        }
    }

    fn refuses(interpreter: &mut Interpreter<'_, Self>, reason: NoInterpolant) -> bool {
        interpreter.machine.fail(reason);
        true
    }

    fn stops_before(interpreter: &mut Interpreter<'_, Self>, at: u64) -> bool {
        let is_stopped = at.is_multiple_of(BETWEEN_LOOKS) && interpreter.stop.is_asked();
        let segment = &mut interpreter.machine;
        segment.clock = segment.clock_base + at;
        if is_stopped {
            segment.fail(NoInterpolant::Stopped);
        }
        is_stopped || segment.stop_at == Some(segment.clock)
    }
}

impl<G: Guide> Segment<G> {
    pub(super) fn into_replayed(self) -> Replayed {
        Replayed { events: self.events, needs: self.needs }
    }

    /// Is this stack object older than the segment, and still called so?
    fn is_older_object(&self, state: &State, depth: u32, index: u32) -> bool {
        let name = ObjectName::Stack { depth, index };
        let older = resolve_name(&self.start, name);
        older.is_some() && older == resolve_name(state, name)
    }

    /// Are these bytes of an object that is older than the segment, and still called so, as they
    /// were when the segment began, so that one leaf stands for them?
    fn is_untouched_memory(&self, state: &State, name: ObjectName, offset: u64, len: u32) -> bool {
        if !matches!(len, 1 | 2 | 4 | 8) || !offset.is_multiple_of(len as u64) {
            return false;
        }
        let Some(base) = resolve_name(state, name) else { return false };
        let is_older = resolve_name(&self.start, name) == Some(base);
        let (Some(older), Some(now)) = (self.start.memory.object(base), state.memory.object(base)) else {
            return false;
        };
        let mut places = offset as usize..offset as usize + len as usize;
        is_older
            && older.base == base
            && !older.read_only
            && now.size_term.is_none()
            && offset + u64::from(len) <= older.size.min(now.size)
            && places.all(|at| now.contents.byte(at) == Byte::Uninit && older.contents.byte(at) != Byte::Uninit)
    }

    /// Notes that an object is accessed.
    fn touch_object(&mut self, state: &State, base: u64) {
        let Some(object) = self.start.memory.object(base).filter(|object| object.base == base) else {
            return;
        };
        if object.size_term.is_some() || state.memory.object(base).is_some_and(|object| object.size_term.is_some()) {
            return self.fail(NoInterpolant::SymbolicSize);
        }
        match name_object(&self.start, base) {
            Some(ObjectName::At(_)) if object.is_permanent() => {}
            Some(name) => {
                self.needs.objects.insert(name, (object.size, object.read_only));
            }
            None => self.fail(NoInterpolant::NoFrame),
        }
    }
}

impl<G: Guide> Interpreter<'_, Segment<G>> {
    /// What was asked for cannot be answered: the replay is given up.
    fn is_lost<T>(&mut self, reason: NoInterpolant) -> Decided<T> {
        self.machine.fail(reason);
        Decided::Lost
    }

    /// The value of a term whose parts are known.
    pub(crate) fn known_value(&self, term: Term) -> Option<u64> {
        self.terms.eval(term, &self.machine.known).to_u64()
    }

    /// Does one of these depend on more than what was a plain number where the segment began?
    pub(crate) fn is_open(&mut self, terms: &[Term]) -> bool {
        terms.iter().any(|&term| !self.had_one_value(term))
    }

    fn guard(&mut self, condition: Term) {
        self.add_guard(condition, true, false);
    }

    /// Notes a condition under which the path was followed.
    fn add_guard(&mut self, condition: Term, matters: bool, is_branch: bool) {
        if condition != self.terms.tru() {
            let at = self.machine.clock;
            self.machine.events.push(Event::Guard { condition, at, matters, is_branch });
        }
    }

    /// Another state's pointer must lead to the same object, which is alive.
    fn stay_at(&mut self, state: &State, pointer: Value) {
        let width = self.pointer_width();
        let term = pointer.term(&mut self.terms, width);
        let Some(number) = G::number(self, term) else {
            return self.machine.fail(NoInterpolant::UnknownPointer);
        };
        if number != 0
            && let Found::Object(object) = state.memory.find(number)
        {
            let base = object.base;
            let there = Segment::address(self, state, base, width);
            let there = Value::of(&self.terms, there);
            let same = self.in_one_slot(state, pointer, there);
            self.guard(same);
            self.machine.touch_object(state, base);
        } else {
            let number = self.terms.constant(number, width);
            let same = self.terms.eq(term, number);
            self.guard(same);
        }
    }

    /// Puts leaves into the registers of the running frame, if the frame is older than the segment
    /// and has none yet.
    pub(super) fn put_leaves(&mut self, state: &mut State) {
        let depth = state.top.depth;
        if depth >= self.machine.leafed_depth || depth > self.machine.start.top.depth {
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
        self.machine.leafed_depth = depth;
    }

    /// The value of a leaf that the segment has not touched: itself.
    fn untouched_leaf(&mut self, leaf: Leaf, width: u32) -> Option<Term> {
        let value = self.value_at_start(leaf, width);
        let var = self.leaf_var(leaf, width);
        self.set_leaf_value(var, value?);
        Some(var)
    }

    /// What the state that the segment began with holds at a leaf.
    fn value_at_start(&mut self, leaf: Leaf, width: u32) -> Option<Term> {
        Interpreter::new(self.executor, Explore).leaf_value(&mut self.machine.start, leaf, width)
    }

    /// Notes what a leaf's value was in the original run.
    fn set_leaf_value(&mut self, var: Term, value: Term) {
        self.machine.leaf_terms.push((var, value));
        let value = self.terms.eval(value, &self.machine.known);
        self.machine.known.set_bv(var, value);
    }

    /// Had every leaf in the term a value that does not depend on the input?
    fn had_one_value(&mut self, term: Term) -> bool {
        let vars = self.terms.vars_of(term);
        vars.iter().all(|&var| self.start_constant(var).is_some())
    }

    /// The value of a leaf where the segment began, if it does not depend on the input.
    fn start_constant(&mut self, var: Term) -> Option<Term> {
        if let Some(&known) = self.machine.constants.get(&var) {
            return known;
        }
        let leaf = self.leaf_of(var)?;
        let width = self.terms.width(var);
        let value = self.value_at_start(leaf, width).filter(|&value| self.terms.is_const(value));
        self.machine.constants.insert(var, value);
        value
    }

    /// Requires a term to have the value that it had, if that did not depend on the input. The
    /// value, then.
    fn pin(&mut self, state: &State, term: Term) -> Option<u64> {
        if let Some(constant) = self.terms.as_u64(term) {
            return Some(constant);
        }
        if !self.had_one_value(term) {
            return None;
        }
        let value = self.known_value(term)?;
        // Each part of it by itself: that is stronger than the whole, but it is what bounds and
        // keys can be made of.
        let vars = self.terms.vars_of(term);
        for &var in vars.iter() {
            let Some(number) = self.known_value(var) else { continue };
            let constant = Segment::address(self, state, number, self.terms.width(var));
            let same = self.terms.eq(var, constant);
            self.guard(same);
        }
        Some(value)
    }

    /// A pointer that is about to be used: a number where it was one, else with its parts that were
    /// numbers pinned.
    pub(crate) fn pin_parts(&mut self, state: &State, pointer: Value) -> Value {
        let Some(term) = pointer.as_term() else { return pointer };
        if let Some(address) = self.pin(state, term) {
            return Value::concrete(address);
        }
        let vars = self.terms.vars_of(term);
        let mut values = FxHashMap::default();
        for &var in vars.iter() {
            if self.start_constant(var).is_some()
                && let Some(number) = self.pin(state, var)
            {
                let width = self.terms.width(var);
                let constant = self.terms.constant(number, width);
                values.insert(var, constant);
            }
        }
        let rest = self.terms.substitute(term, &values);
        Value::of(&self.terms, rest)
    }

    /// What a term was in the original run: with what the segment's beginning had in the place of
    /// leaves.
    fn original_of(&mut self, term: Term) -> Term {
        let mut values = FxHashMap::default();
        for &var in self.terms.vars_of(term).iter() {
            let width = self.terms.width(var);
            if let Some(leaf) = self.leaf_of(var)
                && let Some(value) = self.value_at_start(leaf, width)
            {
                values.insert(var, value);
            }
        }
        self.terms.substitute(term, &values)
    }

    /// The object that a pointer was based on, where its term has none now, because what was
    /// computed before the segment is one leaf: an address in it, and the pointer as a sum with
    /// that. That it leads there is decided like any other condition. Of alternatives (`strchr`
    /// gives null or an address) it is the one that the path went on with.
    fn original_anchor(&mut self, state: &State, pointer: Term) -> Option<(u64, Term)> {
        let mut original = self.original_of(pointer);
        while self.terms.op(original) == Op::Ite {
            let node = *self.terms.node(original);
            original = node.arg(if G::holds(self, node.arg(0))? { 1 } else { 2 });
        }
        if let Some(number) = self.terms.as_u64(original) {
            let address = Segment::address(self, state, number, self.pointer_width());
            let same = self.terms.eq(pointer, address);
            self.guard(same);
            return Some((number, original));
        }
        let address = self.anchor(state, original)?;
        let base = state.memory.object(address)?.base;
        if !state.memory.layout.is_stack_address(base) {
            return Some((base, pointer));
        }
        // Stack objects have other addresses in other states: it is the distance that counts.
        let width = self.pointer_width();
        let ObjectName::Stack { depth, index } = name_object(&self.machine.start, base)? else { return None };
        let start = self.leaf_var(Leaf::Address { depth, index }, width);
        let constant = self.terms.constant(base, width);
        self.set_leaf_value(start, constant);
        let distance = self.terms.sub(pointer, start);
        Some((base, self.terms.add(constant, distance)))
    }

    /// Does a term depend on inputs that are older than the segment?
    fn is_about_older_inputs(&mut self, term: Term) -> bool {
        let vars = self.terms.vars_of(term);
        vars.iter().any(|&var| self.leaf_of(var).is_some() && self.start_constant(var).is_none())
    }

    /// Was a byte a plain number in the original run?
    fn was_plain(&mut self, byte: Byte) -> bool {
        match byte {
            Byte::Concrete(_) => true,
            Byte::Symbolic(term, _) => self.had_one_value(term),
            Byte::Backed | Byte::Torn(_) | Byte::Uninit => false,
        }
    }

    /// Bytes that are about to be read: those that the segment has not written yet become leaves.
    /// Does this object have any?
    fn read_leaves(&mut self, state: &mut State, base: u64, offset: usize, len: usize) -> bool {
        let Some(object) = self.machine.start.memory.object(base).filter(|object| object.base == base) else {
            return false;
        };
        if object.read_only {
            return false;
        }
        if self.executor.is_read_as_loaded(&self.machine.start, object) {
            let contents = object.contents.clone();
            self.read_as_loaded(state, base, &contents, offset, len);
            return true;
        }
        if object.is_permanent() {
            self.executor.written_globals.insert(base);
        }
        let Some(name) = name_object(&self.machine.start, base) else {
            self.machine.fail(NoInterpolant::NoFrame);
            return true;
        };
        if len > MOST_READ {
            self.machine.fail(NoInterpolant::LargeRead);
            return true;
        }
        let original: Vec<Byte> = (offset..offset + len).map(|at| object.contents.byte(at)).collect();
        let now = self.bytes_at(state, base, offset, len);
        if now.iter().zip(&original).any(|(now, old)| *now == Byte::Uninit && *old == Byte::Uninit) {
            self.machine.fail(NoInterpolant::Unwritten);
            return true;
        }
        if len > MOST_LEAVES && now.iter().filter(|&&byte| byte == Byte::Uninit).count() > MOST_LEAVES {
            self.machine.fail(NoInterpolant::LargeRead);
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
            match self.value_at_start(leaf, 8 * run as u32) {
                Some(value) => self.set_leaf_value(var, value),
                None => self.machine.fail(NoInterpolant::NamelessPlace),
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

    /// Bytes of a global that is as it was when the program started, as far as the segment has not
    /// written them.
    fn read_as_loaded(&mut self, state: &mut State, base: u64, loaded: &Contents, offset: usize, len: usize) {
        self.machine.needs.as_loaded.insert(base);
        let now = self.bytes_at(state, base, offset, len);
        let Some(object) = state.memory.object_mut(base) else { return };
        if len == loaded.size() && now.iter().all(|&byte| byte == Byte::Uninit) {
            object.contents = loaded.clone();
            return;
        }
        for (at, _) in now.iter().enumerate().filter(|(_, byte)| **byte == Byte::Uninit) {
            object.contents.set_byte(offset + at, loaded.byte(offset + at));
        }
    }

    /// The common case of a copy again, where the bytes are leaves now but were plain then.
    fn copy_what_was_plain(&mut self, state: &mut State, to: Value, from: Value, count: u64) -> Option<()> {
        if !from.is_concrete() || count > MAX_BLOCK || !self.is_readable(state, from, count) {
            return None;
        }
        let to = to.as_concrete().filter(|_| self.is_readable(state, to, count))?;
        let place = |state: &State, address: u64| {
            let object = state.memory.object(address)?;
            Some(Place::new(object.base, Value::concrete(address.wrapping_sub(object.base))))
        };
        let (source, target) = (place(state, from.bits())?, place(state, to)?);
        self.machine.touch_object(state, source.base);
        self.machine.touch_object(state, target.base);
        let bytes = self.read_block(state, source, count as usize);
        if !bytes.iter().all(|&byte| self.was_plain(byte)) {
            return None;
        }
        self.write_block(state, target, &bytes);
        Some(())
    }
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

impl Executor {
    /// Is a global that is as it was when the program started read as that, and not as places that
    /// may hold anything? A table that nothing writes would have a place for each element, and a
    /// clause for each sum of elements. It is so until the global is seen changed.
    fn is_read_as_loaded(&self, state: &State, object: &Object) -> bool {
        object.is_permanent() && !self.written_globals.contains(&object.base) && self.is_as_loaded(state, object.base)
    }

    /// Does a state have an object that is what it was when the program started?
    pub fn is_as_loaded(&self, state: &State, base: u64) -> bool {
        match (state.memory.object(base), self.image.memory.object(base)) {
            (Some(now), Some(then)) => std::ptr::eq(now, then),
            _ => false,
        }
    }
}

impl Object {
    /// Does the object exist from the beginning to the end of every path?
    pub(super) fn is_permanent(&self) -> bool {
        matches!(self.origin, Origin::Global(_) | Origin::Function(_) | Origin::Environment(_))
    }
}
