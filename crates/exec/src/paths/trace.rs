//! Where a state is, in words: source locations, call stacks, and what an address means.

use crate::Executor;
use crate::interpreter::frames::Frame;
use crate::interpreter::value::{Value, signed};
use crate::memory::{Found, Origin};
use crate::paths::end::{End, StackEntry, Violation, ViolationKind};
use crate::paths::state::State;
use espalier_expr::Model;
use espalier_ir::Loc;

/// How many frames a report shows.
const SHOWN_FRAMES: usize = 64;

/// Arguments from here on are hexadecimal: addresses begin here (`memory::slots`).
const SHOWN_IN_HEX: u64 = 1 << 24;

impl Executor {
    /// "file.c:12:3".
    pub fn location(&self, loc: Loc) -> String {
        let file = self.program().file_name(loc.file);
        match (loc.line, loc.column) {
            (0, _) => "an unknown place".to_string(),
            (line, 0) => format!("{file}:{line}"),
            (line, column) => format!("{file}:{line}:{column}"),
        }
    }

    /// "file.c:12", for use inside messages.
    pub(crate) fn short_location(&self, loc: Loc) -> String {
        self.location(Loc { column: 0, ..loc })
    }

    /// The location of the instruction that a frame is at: the one before its `pc`.
    fn frame_loc(&self, frame: &Frame) -> Loc {
        let function = self.program().function(frame.func);
        let at = (frame.pc as usize).saturating_sub(1);
        function.locs.get(at).copied().filter(Loc::is_known).unwrap_or(function.loc)
    }

    /// Where the state is, in the innermost frame that is not Espalier's runtime.
    pub(crate) fn user_loc(&self, state: &State) -> Loc {
        let in_user_code = state.frames().find(|frame| !self.program().function(frame.func).is_runtime);
        self.frame_loc(in_user_code.unwrap_or(&state.top))
    }

    pub fn state_location(&self, state: &State) -> Loc {
        self.user_loc(state)
    }

    /// The call stack, innermost frame first.
    pub fn stack_trace(&self, state: &State) -> Vec<StackEntry> {
        self.stack_with(state, Value::as_concrete)
    }

    /// The call stack with the arguments that the inputs of a model lead to.
    pub(crate) fn stack_under(&self, state: &State, model: &Model) -> Vec<StackEntry> {
        self.stack_with(state, |value| match value.as_term() {
            Some(term) if self.terms.width(term) <= 64 => self.terms.eval(term, model).to_u64(),
            Some(_) => None,
            None => value.as_concrete(),
        })
    }

    fn stack_with(&self, state: &State, number_of: impl Fn(Value) -> Option<u64>) -> Vec<StackEntry> {
        let entry = |frame: &Frame| {
            let function = self.program().function(frame.func);
            let args = function.params.iter().zip(&frame.regs).map(|(param, value)| {
                let text = match number_of(*value) {
                    Some(bits) if param.width <= 64 => {
                        let number = signed(bits, param.width);
                        if number.unsigned_abs() >= SHOWN_IN_HEX { format!("{bits:#x}") } else { number.to_string() }
                    }
                    _ => "symbolic".to_string(),
                };
                (param.name.clone(), text)
            });
            StackEntry {
                function: function.name.clone(),
                loc: self.frame_loc(frame),
                args: args.collect(),
                is_runtime: function.is_runtime,
            }
        };
        state.frames().take(SHOWN_FRAMES).map(entry).collect()
    }

    pub(crate) fn violation(&self, state: &State, kind: ViolationKind, message: impl Into<String>) -> End {
        End::Violation(Box::new(Violation {
            kind,
            message: message.into(),
            loc: self.user_loc(state),
            stack: self.stack_trace(state),
        }))
    }

    /// "`buf` (40 bytes, heap, allocated at f.c:31)".
    pub(crate) fn describe_object(&self, origin: Origin, size: u64) -> String {
        let bytes = plural(size, "byte");
        match origin {
            Origin::Global(id) => {
                let global = self.program().global(id);
                let place = if global.loc.is_known() {
                    format!(", declared at {}", self.short_location(global.loc))
                } else {
                    String::new()
                };
                format!("`{}` ({bytes}, global{place})", global.name)
            }
            Origin::Stack(function, site) => {
                let function = self.program().function(function);
                let site = function.alloca(site);
                let place = if site.loc.is_known() {
                    format!(", declared at {}", self.short_location(site.loc))
                } else {
                    String::new()
                };
                let name = if site.name.is_empty() { "a local variable".into() } else { format!("`{}`", site.name) };
                format!("{name} ({bytes}, stack of {}{place})", function.name)
            }
            Origin::Heap(loc) => {
                let name = self.program().assigned_names.get(&loc).map(|name| format!("`{name}`"));
                let name = name.as_deref().unwrap_or("a heap object");
                format!("{name} ({bytes}, heap, allocated at {})", self.short_location(loc))
            }
            Origin::Function(id) => format!("the function `{}`", self.program().function(id).name),
            Origin::Arguments(id) => {
                format!("the arguments of `{}` ({bytes})", self.program().function(id).name)
            }
            Origin::Caller => format!("what the caller passes ({bytes}, made up)"),
            Origin::Environment(what) => format!("{what} ({bytes})"),
        }
    }

    /// Why an access of `len` bytes at `address` is wrong; `action` is "read" or "write".
    pub(crate) fn describe_fault(&self, state: &State, address: u64, len: u64, action: &str) -> String {
        let access = format!("{action} of {}", plural(len, "byte"));
        match state.memory.find(address) {
            Found::Object(object) => {
                let what = self.describe_object(object.origin, object.size);
                let place = if address < object.base {
                    format!("{} before", plural(object.base - address, "byte"))
                } else if address - object.base >= object.size {
                    format!("{} past", plural(address - object.base - object.size, "byte"))
                } else {
                    format!("beginning {} before the end of", plural(object.size - (address - object.base), "byte"))
                };
                format!("out of bounds: {access}, {place} {what}")
            }
            Found::Dead(Some(tomb)) => {
                let what = self.describe_object(tomb.origin, tomb.size);
                if matches!(tomb.origin, Origin::Heap(_)) {
                    format!("use after free: {access} in {what}, freed at {}", self.short_location(tomb.freed))
                } else if tomb.freed.is_known() {
                    format!(
                        "use after scope: {access} in {what}, whose block ended at {}",
                        self.short_location(tomb.freed)
                    )
                } else {
                    format!("use after return: {access} in {what}, whose function has returned")
                }
            }
            Found::Dead(None) => format!("use after free: {access} in an object that no longer exists"),
            Found::Nothing if address < 4096 => format!("null pointer: {access} at address {address:#x}"),
            Found::Nothing => format!("invalid pointer: {access} at address {address:#x}, where nothing is"),
        }
    }
}

pub(crate) fn plural(count: u64, unit: &str) -> String {
    if count == 1 { format!("1 {unit}") } else { format!("{count} {unit}s") }
}
