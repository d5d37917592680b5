//! What the program did wrong, in plain English: one line that begins with what it is.

use crate::interpolant_text::requirements_text;
use crate::place::location;
use crate::plural::plural;
use crate::solver_text::solver_text;
use espalier_engine::{
    Abort, AccessMode, AccessProblem, Fault, FreeProblem, Loc, MemoryObject, Message, Misuse, Origin, Outside, Program,
    Refuted, Rewriting, Surroundings, ToldValue, Use,
};

/// "out of bounds: write of 4 bytes, 12 bytes past `buf` (40 bytes, …)".
pub fn fault_text(program: &Program, fault: &Fault) -> String {
    match fault {
        Fault::Assertion { text } => format!("assertion failed: {}", assertion(text.as_deref())),
        Fault::Abort(Abort::Call) => "abort called".into(),
        Fault::Abort(Abort::KleeCall) => "abort called (klee_abort)".into(),
        Fault::Abort(Abort::Trap) => "abort called (trap instruction)".into(),
        Fault::Access { mode, bytes, problem, is_symbolic } => {
            let action = match mode {
                AccessMode::Read => "read",
                AccessMode::Write => "write",
            };
            let text = access(program, &format!("{action} of {}", plural(*bytes, "byte")), problem);
            if *is_symbolic { text + ", for the input shown" } else { text }
        }
        Fault::FunctionPointer { address: 0 } => "invalid function pointer: call through a null pointer".into(),
        Fault::FunctionPointer { address } => {
            format!("invalid function pointer: no function is at address {address:#x}")
        }
        Fault::ReadOnly { object: Some(what) } => format!("write to read-only memory: {}", object(program, what)),
        Fault::ReadOnly { object: None } => "write to read-only memory".into(),
        Fault::Free { function, problem } => free(program, function, problem),
        Fault::DivisionByZero => "division by zero".into(),
        Fault::DivisionOverflow => "division overflow: the minimum divided by -1".into(),
        Fault::SignedOverflow { operation } => format!("signed integer overflow ({operation})"),
        Fault::Undefined(check) => format!("undefined behaviour: {}", check.name()),
        Fault::Overshift { by: Some(by), width } => format!("overshift: shift by {by} of a value of {width} bits"),
        Fault::Overshift { by: None, width } => {
            format!("overshift: shift by more than {} of a value of {width} bits", width - 1)
        }
        Fault::UnreachableCode => "reached unreachable code".into(),
        Fault::FalseAssumption => "reached unreachable: the condition of __builtin_assume is false".into(),
        Fault::ErrorFunction { name } => format!("{name} called"),
        Fault::Reported { text, .. } => text.clone().unwrap_or_else(|| "klee_report_error called".into()),
        Fault::Misuse(misuse) => misused(misuse),
        Fault::Leak { bytes, allocated } => {
            let what = object(program, &MemoryObject { origin: Origin::Heap(*allocated), size: *bytes });
            format!("memory leak: nothing points to {what} when the program ends")
        }
        Fault::Uninitialised(Use::Pointer) => "uninitialised read: a pointer depends on it".into(),
        Fault::Uninitialised(Use::Decision) => {
            "uninitialised read: a decision depends on a value that was never written".into()
        }
        Fault::JumpBuffer => "longjmp with a buffer that setjmp did not fill".into(),
        Fault::JumpToReturned => "longjmp to a function that has returned".into(),
        Fault::NoVariadicArguments => {
            "va_start in a function that was called without a prototype for variadic arguments".into()
        }
        Fault::NoLabel { address } => format!("computed goto to {address:#x}, which is not a label of the function"),
        Fault::Target(_) => "reached".into(),
    }
}

/// What failed, in the program's words if it has some.
pub(crate) fn assertion(text: Option<&str>) -> &str {
    text.unwrap_or("assertion")
}

/// What an access is called, and why it is wrong.
fn access(program: &Program, access: &str, problem: &AccessProblem) -> String {
    match problem {
        AccessProblem::OutOfBounds { object: what, place } => {
            let place = match place {
                Outside::Before(bytes) => format!("{} before", plural(*bytes, "byte")),
                Outside::Past(bytes) => format!("{} past", plural(*bytes, "byte")),
                Outside::AcrossEnd(bytes) => format!("beginning {} before the end of", plural(*bytes, "byte")),
            };
            format!("out of bounds: {access}, {place} {}", object(program, what))
        }
        AccessProblem::AfterFree { object: what, freed } => {
            format!("use after free: {access} in {}, freed at {}", object(program, what), line(program, *freed))
        }
        AccessProblem::AfterScope { object: what, ended } => {
            let ended = line(program, *ended);
            format!("use after scope: {access} in {}, whose block ended at {ended}", object(program, what))
        }
        AccessProblem::AfterReturn { object: what } => {
            format!("use after return: {access} in {}, whose function has returned", object(program, what))
        }
        AccessProblem::Forgotten => format!("use after free: {access} in an object that no longer exists"),
        AccessProblem::Null { address } => format!("null pointer: {access} at address {address:#x}"),
        AccessProblem::Nowhere { address } => {
            format!("invalid pointer: {access} at address {address:#x}, where nothing is")
        }
    }
}

fn free(program: &Program, function: &str, problem: &FreeProblem) -> String {
    match problem {
        FreeProblem::NotOnHeap { object: what, is_alive } => {
            let was = if *is_alive { "is" } else { "was" };
            format!("invalid free: `{function}` of {}, which {was} not on the heap", object(program, what))
        }
        FreeProblem::NotItsStart { object: what, distance } => {
            let (distance, what) = (plural(*distance, "byte"), object(program, what));
            format!("invalid free: `{function}` of a pointer that is {distance} away from the start of {what}")
        }
        FreeProblem::Twice { object: what, freed } => {
            format!("double free: `{function}` of {}, freed at {}", object(program, what), line(program, *freed))
        }
        FreeProblem::Forgotten => format!("double free: `{function}` of an object that no longer exists"),
        FreeProblem::Nowhere { address } => {
            format!("invalid free: `{function}` of address {address:#x}, where nothing is")
        }
    }
}

fn misused(misuse: &Misuse) -> String {
    match misuse {
        Misuse::Assumption => "invalid klee_assume: the condition can never hold here".into(),
        Misuse::EmptyRange { low, high } => format!("invalid klee_range: {low} is not below {high}"),
        Misuse::FixedObject { address, bytes } => {
            format!("klee_define_fixed_object: {bytes} bytes at {address:#x} overlap another object")
        }
        Misuse::ArgumentCount => "klee_make_symbolic with another number of arguments than three".into(),
        Misuse::InvalidString => "klee_make_symbolic: the name is no string".into(),
        Misuse::SymbolicString => "klee_make_symbolic: where the name is depends on the input".into(),
        Misuse::WrongSize => "klee_make_symbolic of a part of an object, or of more than it has".into(),
        Misuse::ReadOnlyObject => "klee_make_symbolic of an object that cannot be written".into(),
        Misuse::UnknownAlias => "klee_alias_function of an unknown function".into(),
        Misuse::InputSize { name, given, wanted } => {
            format!("the replayed test has {given} bytes for the input `{name}`, but the program asks for {wanted}")
        }
        Misuse::NoInput { name } => format!("the replayed test has no input `{name}` for this call"),
    }
}

/// "`buf` (40 bytes, heap, allocated at f.c:31)".
fn object(program: &Program, object: &MemoryObject) -> String {
    let bytes = plural(object.size, "byte");
    let declared = |loc: Loc| match loc.is_known() {
        true => format!(", declared at {}", line(program, loc)),
        false => String::new(),
    };
    match object.origin {
        Origin::Global(id) => {
            let global = program.global(id);
            format!("`{}` ({bytes}, global{})", global.name, declared(global.loc))
        }
        Origin::Stack(function, site) => {
            let function = program.function(function);
            let site = function.alloca(site);
            let name = if site.name.is_empty() { "a local variable".into() } else { format!("`{}`", site.name) };
            format!("{name} ({bytes}, stack of {}{})", function.name, declared(site.loc))
        }
        Origin::Heap(loc) => {
            let name = program.assigned_names.get(&loc).map(|name| format!("`{name}`"));
            let name = name.as_deref().unwrap_or("a heap object");
            format!("{name} ({bytes}, heap, allocated at {})", line(program, loc))
        }
        Origin::Function(id) => format!("the function `{}`", program.function(id).name),
        Origin::Arguments(id) => format!("the arguments of `{}` ({bytes})", program.function(id).name),
        Origin::Caller => format!("what the caller passes ({bytes}, made up)"),
        Origin::Environment(what) => {
            let what = match what {
                Surroundings::Argument => "a program argument",
                Surroundings::ArgumentTable => "argv",
                Surroundings::EnvironmentTable => "envp",
                Surroundings::Fixed => "a fixed object",
                Surroundings::Marked => "an object that klee_mark_global makes a global",
            };
            format!("{what} ({bytes})")
        }
    }
}

/// "file.c:12".
fn line(program: &Program, loc: Loc) -> String {
    location(program, Loc { column: 0, ..loc })
}

/// What the program tells the user.
pub(crate) fn message_text(program: &Program, message: &Message) -> String {
    match message {
        Message::Value { label, value } => match value {
            ToldValue::Number(number) => format!("{label}: {number}"),
            ToldValue::Term { text, .. } => format!("{label}: {text}"),
            ToldValue::Range { low, high, .. } => format!("{label}: [{low}, {high}]"),
            ToldValue::Unknown(reason) => format!("{label}: unknown ({})", solver_text(reason)),
        },
        Message::Frame { depth, function, loc } => format!("#{depth} {function} at {}", location(program, *loc)),
        Message::Warning { text, loc, .. } => format!("{text} ({})", location(program, *loc)),
        Message::Unnamed => "klee_make_symbolic: the input has no name, and is called \"unnamed\"".into(),
        Message::LargeObject { bytes } => format!("a heap object of {} is allocated", plural(*bytes, "byte")),
        Message::LargeArrayRead { bytes } => format!("read at a symbolic offset of {}", plural(*bytes, "byte")),
        Message::LargeArrayWritten { bytes } => format!("write at a symbolic offset of {}", plural(*bytes, "byte")),
        Message::ArrayReads { .. } => "a condition was put without reads from arrays".into(),
        Message::ExternalCall { function, loc } => format!("{function} is called at {}", location(program, *loc)),
        Message::OpenMerge { merge, loc } => format!("merge {merge} is opened at {}", location(program, *loc)),
        Message::CloseMerge { merge, loc } => format!("merge {merge} is closed at {}", location(program, *loc)),
        Message::NothingToClose { loc } => {
            format!("klee_close_merge at {}, where no merge is open", location(program, *loc))
        }
    }
}

/// What pruning did wrong, each once.
pub fn refuted_texts(program: &Program, refuted: &[Refuted]) -> Vec<String> {
    let text = |refuted: &Refuted| match refuted {
        Refuted::Interpolant { clauses } => {
            format!("the interpolant {} does not hold at its own node", requirements_text(clauses, ", "))
        }
        Refuted::Rewriting(Rewriting { before, after }) => {
            format!("the clause {before} was rewritten to {after}, which says less")
        }
        Refuted::Error { fault, loc } => format!("{} at {}", fault_text(program, fault), location(program, *loc)),
    };
    let mut texts: Vec<String> = refuted.iter().map(text).collect();
    texts.sort_unstable();
    texts.dedup();
    texts
}
