//! What KLEE does to a module before it runs it, as far as its users see it: aliases of functions,
//! another start, atomic operations and empty assembly that are gone, and the module as text.

use crate::Error;
use crate::llvm::{Module, Value};
use crate::lower::resolve_function;
use regex::Regex;

/// What is asked for in KLEE's place.
#[derive(Clone, Default, Debug)]
pub struct Klee {
    /// Keep the linked module as assembly, and as bitcode.
    pub keeps_text: bool,
    pub keeps_bitcode: bool,
    /// Tell which functions have their addresses taken.
    pub tells_escaping: bool,
    /// `NAME:REPLACEMENT` or `PATTERN:REPLACEMENT`, in the order in which they are applied.
    pub aliases: Vec<String>,
}

/// What there is to tell KLEE's users of a module, and the module for them.
#[derive(Clone, Default, Debug)]
pub struct KleeModule {
    pub text: Option<String>,
    pub bitcode: Option<Vec<u8>>,
    pub notes: Vec<Note>,
    pub triple: String,
}

/// Something to be told, in KLEE's words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    pub text: String,
    pub is_warning: bool,
}

/// The name that `main` gets where the program is to start elsewhere.
const OTHER_MAIN: &str = "__espalier_program_main";

/// Has the C library and the model of the environment start the program in this function.
pub(crate) fn start_in(module: &mut Module<'_>, entry: &str) -> Result<(), Error> {
    let is_there = module.function_named(entry).is_some_and(|function| !function.is_declaration());
    if !is_there {
        return Err(Error::NoEntry { entry: entry.to_owned(), defined: Vec::new() });
    }
    module.rename("main", OTHER_MAIN);
    module.rename(entry, "main");
    Ok(())
}

/// Applies what was asked for; what there is to tell.
pub(crate) fn prepare(module: &mut Module<'_>, wanted: &Klee) -> Result<Vec<Note>, Error> {
    let mut notes = Vec::new();
    for alias in &wanted.aliases {
        let failed = |reason: String| format!("function-alias: {reason}");
        if let Err(reason) = replace(module, alias, &mut notes).map_err(failed) {
            return Err(Error::FunctionAlias { reason, notes });
        }
    }
    if wanted.tells_escaping {
        let functions = module.escaping_functions();
        notes.push(Note { text: format!("escaping functions: [{}]", functions.join(", ")), is_warning: false });
    }
    let internal = |what| Error::Internal { what };
    module.run_passes(c"function(lower-atomic)").map_err(internal)?;
    module.drop_empty_assembly();
    Ok(notes)
}

/// The module for KLEE's users.
pub(crate) fn finish(module: &Module<'_>, wanted: &Klee, notes: Vec<Note>) -> KleeModule {
    KleeModule {
        text: wanted.keeps_text.then(|| module.to_assembly()),
        bitcode: wanted.keeps_bitcode.then(|| module.to_bitcode()),
        notes,
        triple: module.triple(),
    }
}

/// Replaces functions of a name, or whose names match a pattern, by another function.
fn replace(module: &mut Module<'_>, alias: &str, notes: &mut Vec<Note>) -> Result<(), String> {
    // A pattern may have colons, a name has none.
    let (pattern, replacement) = alias.rsplit_once(':').ok_or("no replacement given")?;
    if pattern.is_empty() {
        return Err("name or pattern cannot be empty".to_owned());
    }
    if replacement.is_empty() {
        return Err("replacement cannot be empty".to_owned());
    }
    if pattern == replacement {
        return Err(format!("@{pattern} cannot replace itself"));
    }
    if named(module, replacement).is_none() {
        return Err(format!("replacement function @{replacement} could not be found"));
    }
    let nothing = || format!("no (replacable) match for '{pattern}' found");
    let told = |text: String, is_warning| Note { text: format!("function-alias: {text}"), is_warning };
    if named(module, pattern).is_some() {
        return match replace_one(module, pattern, replacement) {
            Ok(()) => {
                notes.push(told(format!("replaced @{pattern} with @{replacement}"), false));
                Ok(())
            }
            Err(why) => {
                notes.push(told(format!("@{pattern} could not be replaced with @{replacement}: {why}"), true));
                Err(nothing())
            }
        };
    }
    let whole = Regex::new(&format!("^(?:{pattern})$"));
    let regex = whole.map_err(|error| format!("'{pattern}' is not a valid regex: {error}"))?;
    let all = module.functions().chain(module.aliases()).map(Value::name);
    let names: Vec<String> = all.filter(|name| regex.is_match(name) && named(module, name).is_some()).collect();
    let mut is_found = false;
    for name in names {
        if name == replacement {
            let text =
                format!("do not replace @{name} (matching '{pattern}') with @{replacement}: cannot replace itself");
            notes.push(told(text, true));
            continue;
        }
        match replace_one(module, &name, replacement) {
            Ok(()) => {
                is_found = true;
                notes.push(told(format!("replaced @{name} (matching '{pattern}') with @{replacement}"), false));
            }
            Err(why) => {
                notes.push(told(format!("@{name} could not be replaced with @{replacement}: {why}"), true));
            }
        }
    }
    if is_found { Ok(()) } else { Err(nothing()) }
}

/// The function of that name, or what an alias of that name leads to.
fn named<'m>(module: &'m Module<'_>, name: &str) -> Option<Value<'m>> {
    module.function_named(name).or_else(|| module.alias_named(name).and_then(resolve_function))
}

/// Has all uses of one function be of another one; or says why it cannot be.
fn replace_one(module: &mut Module<'_>, name: &str, replacement: &str) -> Result<(), &'static str> {
    let (Some(one), Some(other)) = (named_exactly(module, name), named_exactly(module, replacement)) else {
        return Err("it is not there");
    };
    let (ours, theirs) = (one.value_type(), other.value_type());
    if ours.result() != theirs.result() {
        return Err("return type differs");
    }
    if ours.is_variadic() != theirs.is_variadic() {
        return Err("one has varargs while the other does not");
    }
    let (parameters, others) = (ours.parameters(), theirs.parameters());
    if parameters.len() != others.len() {
        return Err("number of parameters differs");
    }
    if parameters != others {
        return Err("parameter types differ");
    }
    module.alias_instead(name, replacement);
    Ok(())
}

fn named_exactly<'m>(module: &'m Module<'_>, name: &str) -> Option<Value<'m>> {
    module.function_named(name).or_else(|| module.alias_named(name))
}
