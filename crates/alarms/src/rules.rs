//! Which faults would confirm an alarm.
//!
//! The rule's name decides, by the user's additions first; else the numbers of the Common Weakness
//! Enumeration, which all tools carry or can. What no execution can confirm (dead stores, files
//! left open) and what nobody knows is at least a place: whether it can be reached at all is a
//! question that every alarm has.

use crate::Alarm;
use crate::tokens::words;
use FaultKind::*;
use espalier_base::{FaultKind, FaultSet, UnknownFault};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// What an alarm asks for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Wants {
    /// Any of these faults, at the alarm's place.
    Faults(FaultSet),
    /// Only whether its place is reached.
    Place(NoFault),
}

/// Why no fault confirms an alarm.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum NoFault {
    /// The rule is about something else than what executions do wrong.
    NotConfirmable,
    /// Neither the rule nor its weaknesses are known.
    Unknown,
}

impl fmt::Display for NoFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoFault::NotConfirmable => "no execution can show what this rule is about",
            NoFault::Unknown => "the rule is unknown; --rule NAME=FAULT says what it is about",
        })
    }
}

/// `--rule NAME=FAULT[,FAULT]`. `*` in the name stands for anything.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UserRule {
    pub pattern: String,
    pub faults: FaultSet,
}

#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RuleError {
    #[error("`{0}` should be NAME=FAULT, as in `my.NullChecker=null`")]
    Form(String),
    #[error("`{rule}`: {source}")]
    Fault { rule: String, source: UnknownFault },
}

impl FromStr for UserRule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<UserRule, RuleError> {
        let (pattern, faults) = text
            .rsplit_once('=')
            .filter(|(pattern, faults)| !pattern.is_empty() && !faults.is_empty())
            .ok_or_else(|| RuleError::Form(text.to_owned()))?;
        let fault =
            |name: &str| name.trim().parse().map_err(|source| RuleError::Fault { rule: text.to_owned(), source });
        let faults: Vec<FaultKind> = faults.split(',').map(fault).collect::<Result<_, _>>()?;
        Ok(UserRule { pattern: pattern.to_owned(), faults: FaultSet::of(&faults) })
    }
}

const NOT_CONFIRMABLE: &[FaultKind] = &[];

/// Names of rules, of clang's checkers, gcc's options and cppcheck's ids. The first that matches
/// decides; rules without faults are not confirmable.
const RULES: &[(&[FaultKind], &[&str])] = &[
    (&[Null], &["core.NullDereference", "core.NonNullParamChecker", "unix.cstring.NullArg", "nullability.*"]),
    (&[Null], &["-Wanalyzer-null-*", "-Wanalyzer-possible-null-*", "-Wnull-dereference", "-Wnonnull"]),
    (&[Null], &["nullPointer*", "ctunullpointer*"]),
    (&[DivByZero], &["core.DivideZero", "-Wdiv-by-zero", "-Wdivision-by-zero", "zerodiv*"]),
    (
        &[Overshift],
        &["core.BitwiseShift", "-Wanalyzer-shift-count-*", "-Wshift-count-*", "shiftTooManyBits*", "shiftNegative"],
    ),
    (&[OutOfBounds], &["*security.ArrayBound*", "*cstring.OutOfBounds"]),
    (&[OutOfBounds], &["-Wanalyzer-out-of-bounds", "-Warray-bounds*", "-Wstringop-overflow*", "-Wstringop-overread"]),
    (&[OutOfBounds], &["arrayIndexOutOfBounds*", "bufferAccess*", "ctuArrayIndex*", "ctubufferoverrun"]),
    (&[OutOfBounds], &["negativeIndex*", "objectIndex"]),
    (&[UseAfterFree], &["-Wanalyzer-use-after-free", "-Wuse-after-free*", "deallocuse"]),
    (&[UseAfterReturn], &["-Wanalyzer-use-of-pointer-in-stale-stack-frame", "invalidLifetime"]),
    (&[DoubleFree], &["-Wanalyzer-double-free", "doubleFree"]),
    (&[InvalidFree], &["-Wanalyzer-free-of-non-heap", "-Wfree-nonheap-object", "autovarInvalidDeallocation"]),
    (&[ReadOnly], &["-Wanalyzer-write-to-const", "-Wanalyzer-write-to-string-literal", "stringLiteralWrite"]),
    (&[Uninit], &["core.uninitialized.*", "core.UndefinedBinaryOperatorResult"]),
    (&[Uninit], &["-Wanalyzer-use-of-uninitialized-value", "-Wuninitialized", "-Wmaybe-uninitialized"]),
    (&[Uninit], &["-Wsometimes-uninitialized", "-Wconditional-uninitialized", "uninit*", "legacyUninitvar"]),
    // It leaks only if an allocation fails, at a place where nothing is allocated.
    (NOT_CONFIRMABLE, &["memleakOnRealloc"]),
    (&[Leak], &["-Wanalyzer-malloc-leak", "memleak*", "leakNoVarFunctionCall", "leakReturnValNotUsed"]),
    (&[Overflow], &["integerOverflow*", "-Winteger-overflow"]),
    (NOT_CONFIRMABLE, &["deadcode.*", "unix.Stream", "unix.Errno", "security.insecureAPI.*"]),
    (NOT_CONFIRMABLE, &["-Wanalyzer-fd-*", "-Wanalyzer-file-leak", "-Wanalyzer-double-fclose", "-Wunused*"]),
    (NOT_CONFIRMABLE, &["unused*", "unreadVariable", "variableScope", "const*", "resourceLeak"]),
    // Where an address escapes nothing happens yet: a fault is never there, and its absence would
    // refute nothing.
    (NOT_CONFIRMABLE, &["core.StackAddressEscape", "-Wreturn-local-addr", "-Wreturn-stack-address", "deallocret"]),
    (NOT_CONFIRMABLE, &["returnDanglingLifetime", "danglingLifetime", "autoVariables"]),
];

/// A fault, and what a message says of it, in small letters.
type Case = (FaultKind, &'static [&'static str]);

/// Rules that are about several faults, of which the message says one.
const BY_MESSAGE: &[(&str, &[Case])] = &[
    (
        "unix.Malloc",
        &[
            (OutOfBounds, &["zero-allocated", "size zero"]),
            (Leak, &["leak", "never released"]),
            (DoubleFree, &["free released memory", "free already released", "double free", "attempt to release"]),
            (UseAfterFree, &["after it is freed", "after it is released", "use-after-free"]),
            (InvalidFree, &["not memory allocated", "offset by", "non-owned", "function pointer", "cannot be freed"]),
            (InvalidFree, &["argument to", "not allocated"]),
        ],
    ),
    ("-Wdangling-pointer*", &[(UseAfterReturn, &["using"])]),
    ("core.CallAndMessage", &[(Null, &["null"]), (Uninit, &["uninitialized", "garbage", "undefined"])]),
];

/// What remains of `unix.Malloc` if the message says nothing.
const ANY_OF_THE_HEAP: FaultSet = FaultSet::of(&[Leak, DoubleFree, UseAfterFree, InvalidFree]);

const WEAKNESSES: &[(&[FaultKind], &[u32])] = &[
    (&[Null], &[476, 690]),
    (&[DivByZero], &[369]),
    (&[Overshift], &[1335]),
    (&[OutOfBounds], &[119, 120, 121, 122, 124, 125, 126, 127, 787, 788, 805]),
    (&[UseAfterFree], &[416]),
    (&[UseAfterFree, UseAfterReturn], &[825]),
    (&[DoubleFree], &[415]),
    (&[InvalidFree], &[590, 761]),
    (&[Uninit], &[457, 908]),
    (&[Leak], &[401]),
    (&[Overflow], &[190]),
    (&[Assertion], &[617]),
];

/// The table, with the user's additions before it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Rules {
    users: Vec<UserRule>,
}

impl Rules {
    pub fn new(users: Vec<UserRule>) -> Rules {
        Rules { users }
    }

    pub fn wanted(&self, alarm: &Alarm) -> Wants {
        let by_rule = alarm.rule.as_deref().and_then(|rule| self.by_rule(rule, &alarm.message));
        by_rule.unwrap_or_else(|| {
            let known = WEAKNESSES.iter().filter(|(_, cwes)| alarm.cwes.iter().any(|cwe| cwes.contains(cwe)));
            let faults = known.fold(FaultSet::EMPTY, |sum, (kinds, _)| sum | FaultSet::of(kinds));
            if faults.is_empty() { Wants::Place(NoFault::Unknown) } else { Wants::Faults(faults) }
        })
    }

    fn by_rule(&self, rule: &str, message: &str) -> Option<Wants> {
        if let Some(user) = self.users.iter().find(|user| matches(&user.pattern, rule)) {
            return Some(Wants::Faults(user.faults));
        }
        // A list of places may name the fault itself.
        if let Ok(kind) = rule.parse::<FaultKind>() {
            return Some(Wants::Faults(kind.into()));
        }
        if let Some((_, cases)) = BY_MESSAGE.iter().find(|(name, _)| matches(name, rule)) {
            return by_message(cases, message).or((rule == "unix.Malloc").then_some(Wants::Faults(ANY_OF_THE_HEAP)));
        }
        let (kinds, _) = RULES.iter().find(|(_, names)| names.iter().any(|name| matches(name, rule)))?;
        if kinds.is_empty() {
            return Some(Wants::Place(NoFault::NotConfirmable));
        }
        Some(Wants::Faults(FaultSet::of(kinds)))
    }
}

fn by_message(cases: &[Case], message: &str) -> Option<Wants> {
    let message = message.to_lowercase();
    let (kind, _) = cases.iter().find(|(_, says)| says.iter().any(|said| message.contains(said)))?;
    Some(Wants::Faults((*kind).into()))
}

/// `*` stands for any text.
fn matches(pattern: &str, name: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut name) = name.strip_prefix(start) else { return false };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let end = parts.pop().unwrap_or_default();
    for part in parts {
        let Some(at) = name.find(part) else { return false };
        name = &name[at + part.len()..];
    }
    name.ends_with(end)
}

const ALLOCATORS: &[&str] = &[
    "malloc",
    "calloc",
    "realloc",
    "reallocarray",
    "aligned_alloc",
    "posix_memalign",
    "memalign",
    "valloc",
    "strdup",
    "strndup",
    "wcsdup",
    "asprintf",
    "vasprintf",
    "getline",
    "getdelim",
    "realpath",
    "open_memstream",
];

/// Does the alarm, if it is about null, speak of an allocation that may have failed? Such an alarm
/// is refuted only if allocations could fail.
pub fn involves_allocation(alarm: &Alarm) -> bool {
    let is_possible = alarm.rule.as_deref().is_some_and(|rule| rule.starts_with("-Wanalyzer-possible-null-"));
    let says = |text: &str| {
        let lower = text.to_lowercase();
        let phrases = ["possibly-null", "possibly null", "memory allocation", "out of memory", "allocation fail"];
        phrases.iter().any(|phrase| lower.contains(phrase)) || words(text).any(|word| ALLOCATORS.contains(&word))
    };
    is_possible || alarm.cwes.contains(&690) || says(&alarm.message) || alarm.steps().any(|step| says(&step.message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Step;

    fn alarm(rule: &str, message: &str, cwes: &[u32]) -> Alarm {
        let rule = Some(rule.to_owned()).filter(|rule| !rule.is_empty());
        Alarm { rule, message: message.to_owned(), cwes: cwes.to_vec(), ..Alarm::default() }
    }

    fn wanted(rule: &str, message: &str, cwes: &[u32]) -> String {
        match Rules::default().wanted(&alarm(rule, message, cwes)) {
            Wants::Faults(faults) => faults.to_string(),
            Wants::Place(NoFault::NotConfirmable) => "not confirmable".to_owned(),
            Wants::Place(NoFault::Unknown) => "unknown".to_owned(),
        }
    }

    #[test]
    fn rules_of_all_tools_are_known() {
        for (rule, faults) in [
            ("core.NullDereference", "null"),
            ("-Wanalyzer-possible-null-argument", "null"),
            ("nullPointerRedundantCheck", "null"),
            ("zerodivcond", "div-by-zero"),
            ("alpha.security.ArrayBoundV2", "out-of-bounds"),
            ("core.uninitialized.Assign", "uninit"),
            ("-Wmaybe-uninitialized", "uninit"),
            ("memleak", "leak"),
            ("memleakOnRealloc", "not confirmable"),
            ("core.StackAddressEscape", "not confirmable"),
            ("use-after-free", "use-after-free"),
            ("deadcode.DeadStores", "not confirmable"),
            ("-Wanalyzer-fd-leak", "not confirmable"),
            ("cpp/whatever", "unknown"),
        ] {
            assert_eq!(wanted(rule, "", &[]), faults, "{rule}");
        }
        assert_eq!(wanted("deadcode.DeadStores", "", &[476]), "not confirmable", "a known rule is believed first");
    }

    #[test]
    fn messages_decide_where_a_rule_has_several_faults() {
        for (message, faults) in [
            ("Use of memory after it is freed", "use-after-free"),
            ("Attempt to free released memory", "double-free"),
            ("Potential leak of memory pointed to by 'text'", "leak"),
            ("Use of zero-allocated memory", "out-of-bounds"),
            ("Argument to free() is the address of 'x', which is not memory allocated by malloc()", "invalid-free"),
            ("Argument to free() is offset by 4 bytes from the start of memory allocated by malloc()", "invalid-free"),
            ("", "use-after-free, double-free, invalid-free, leak"),
        ] {
            assert_eq!(wanted("unix.Malloc", message, &[]), faults, "{message}");
        }
        assert_eq!(wanted("core.CallAndMessage", "Called function pointer is null (null dereference)", &[]), "null");
        assert_eq!(wanted("core.CallAndMessage", "", &[457]), "uninit");
        assert_eq!(wanted("-Wdangling-pointer=", "using dangling pointer 'p' to 'x'", &[]), "use-after-return");
        assert_eq!(wanted("-Wdangling-pointer=", "storing the address of local variable 'x' in '*p'", &[]), "unknown");
    }

    #[test]
    fn weaknesses_are_put_together() {
        assert_eq!(wanted("cpp/x", "", &[20, 416, 415]), "use-after-free, double-free");
        assert_eq!(wanted("", "", &[690]), "null");
        assert_eq!(wanted("", "", &[]), "unknown");
    }

    #[test]
    fn the_user_is_asked_first() {
        let rules = Rules::new(vec!["core.*=leak,null".parse().unwrap()]);
        let faults = FaultSet::of(&[Leak, Null]);
        assert_eq!(rules.wanted(&alarm("core.DivideZero", "", &[])), Wants::Faults(faults));
        assert_eq!("=null".parse::<UserRule>(), Err(RuleError::Form("=null".into())));
        let refused = "x=y".parse::<UserRule>().unwrap_err().to_string();
        assert!(refused.starts_with("`x=y`: `y` is no fault; there are null, "), "{refused}");
    }

    #[test]
    fn stars_stand_for_anything() {
        for (pattern, name, is_match) in [
            ("a", "a", true),
            ("a", "ab", false),
            ("a*", "a", true),
            ("*b", "aab", true),
            ("a*b*c", "a--b--c", true),
            ("a*b*c", "a--c--b", false),
            ("ab*ba", "aba", false),
            ("*", "", true),
        ] {
            assert_eq!(matches(pattern, name), is_match, "{pattern} {name}");
        }
    }

    #[test]
    fn allocations_are_seen_in_rule_message_and_flow() {
        assert!(involves_allocation(&alarm("-Wanalyzer-possible-null-dereference", "", &[])));
        assert!(involves_allocation(&alarm("", "dereference of possibly-NULL 'p'", &[])));
        assert!(involves_allocation(&alarm("", "", &[690])));
        assert!(involves_allocation(&alarm("", "value of strdup() may be null", &[])));
        assert!(!involves_allocation(&alarm("nullPointer", "Possible null pointer dereference: mallocs", &[476])));
        let step = Step { message: "'calloc' returns null".into(), ..Step::default() };
        assert!(involves_allocation(&Alarm { flows: vec![vec![step]], ..Alarm::default() }));
    }
}
