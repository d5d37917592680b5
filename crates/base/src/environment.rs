//! What a program is given by its environment: arguments, variables, standard input and files, each
//! fixed or symbolic.
//!
//! Items have two spellings. People and `.ktest` files have KLEE's (`--sym-args 0 2 4`), so that
//! KLEE's tools read our tests and we read theirs. The model of the environment
//! (`runtime/posix/start.c`) gets one word for each item, whose first letter says what it is, so
//! that nothing has to be told apart there.

use std::fmt::Write as _;

/// One thing that the program is given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    Argument(String),
    /// An argument of at most so many characters.
    SymbolicArgument(u64),
    /// Between `min` and `max` arguments of at most `length` characters each.
    SymbolicArguments {
        min: u64,
        max: u64,
        length: u64,
    },
    /// `NAME=VALUE`.
    Variable(String),
    SymbolicVariable {
        name: String,
        length: u64,
    },
    /// What standard input gives.
    Input(String),
    /// So many bytes.
    SymbolicInput(u64),
    /// Files called A, B, C and so on.
    SymbolicFiles {
        count: u64,
        size: u64,
    },
    /// At most so many system calls may fail on each path.
    Failures(u64),
    /// Reading may give less than was asked for.
    ShortReads,
    /// Standard output is a terminal, and not a pipe.
    Terminal,
    /// In KLEE's place: what standard output is, is not known.
    SymbolicOutput,
    /// Unknown objects are made as KLEE's model of POSIX makes them.
    AsKlee,
}

/// The files' names are letters.
const MOST_FILES: u64 = 26;
/// More symbolic bytes than this in one object are a mistake.
const MOST_BYTES: u64 = 1 << 20;
const MOST_ARGUMENTS: u64 = 99;

impl Item {
    /// The word that the model of the environment reads.
    pub fn word(&self) -> String {
        match self {
            Item::Argument(text) => format!("={text}"),
            Item::SymbolicArgument(length) => format!("a{length}"),
            Item::SymbolicArguments { min, max, length } => format!("A{min},{max},{length}"),
            Item::Variable(text) => format!("E{text}"),
            Item::SymbolicVariable { name, length } => format!("e{name}={length}"),
            Item::Input(text) => format!("I{text}"),
            Item::SymbolicInput(size) => format!("i{size}"),
            Item::SymbolicFiles { count, size } => format!("f{count},{size}"),
            Item::Failures(count) => format!("F{count}"),
            Item::ShortReads => "r".to_owned(),
            Item::Terminal => "t".to_owned(),
            Item::SymbolicOutput => "o".to_owned(),
            Item::AsKlee => "k".to_owned(),
        }
    }

    /// How it is written on a command line.
    pub fn spelling(&self) -> Vec<String> {
        let words = |name: &str, values: &[&dyn ToString]| {
            std::iter::once(format!("--{name}")).chain(values.iter().map(|value| value.to_string())).collect()
        };
        match self {
            Item::Argument(text) => vec![text.clone()],
            Item::SymbolicArgument(length) => words("sym-arg", &[length]),
            Item::SymbolicArguments { min, max, length } => words("sym-args", &[min, max, length]),
            Item::Variable(text) => words("env", &[text]),
            Item::SymbolicVariable { name, length } => words("sym-env", &[&format!("{name}={length}")]),
            Item::Input(text) => words("stdin-text", &[text]),
            Item::SymbolicInput(size) => words("sym-stdin", &[size]),
            Item::SymbolicFiles { count, size } => words("sym-files", &[count, size]),
            Item::Failures(count) => words("fs-fail", &[count]),
            Item::ShortReads => words("short-reads", &[]),
            Item::Terminal => words("terminal", &[]),
            Item::SymbolicOutput => words("sym-stdout", &[]),
            Item::AsKlee => Vec::new(),
        }
    }

    /// The argument that it is, if it is one that is fixed.
    pub fn as_argument(&self) -> Option<&str> {
        match self {
            Item::Argument(text) => Some(text),
            _ => None,
        }
    }

    pub fn is_symbolic(&self) -> bool {
        !matches!(self, Item::Argument(_) | Item::Variable(_) | Item::Input(_) | Item::Terminal | Item::AsKlee)
    }

    /// Does it take a C library that reads files and variables?
    pub fn needs_files(&self) -> Option<&'static str> {
        match self {
            Item::Variable(_) => Some("--env"),
            Item::SymbolicVariable { .. } => Some("--sym-env"),
            Item::Input(_) => Some("--stdin"),
            Item::SymbolicInput(_) => Some("--sym-stdin"),
            Item::SymbolicFiles { .. } => Some("--sym-files"),
            Item::Failures(_) => Some("--fs-fail"),
            Item::ShortReads => Some("--short-reads"),
            _ => None,
        }
    }

    /// What is wrong with its numbers.
    fn checked(self) -> Result<Item, String> {
        let bytes = |option: &str, size: u64| match size <= MOST_BYTES {
            true => Ok(()),
            false => Err(format!("{option}: {size} symbolic bytes are too many; {MOST_BYTES} is the most")),
        };
        match &self {
            Item::SymbolicArgument(length) => bytes("--sym-arg", *length)?,
            Item::SymbolicArguments { min, max, length } => {
                bytes("--sym-args", *length)?;
                if min > max || *max > MOST_ARGUMENTS {
                    return Err(format!(
                        "--sym-args {min} {max} {length}: give the least and the most number of arguments (at most {MOST_ARGUMENTS}), then their length"
                    ));
                }
            }
            Item::Variable(text) => {
                variable(text).ok_or(format!("--env {text}: write NAME=VALUE"))?;
            }
            Item::SymbolicVariable { length, .. } => bytes("--sym-env", *length)?,
            Item::SymbolicInput(size) => bytes("--sym-stdin", *size)?,
            Item::SymbolicFiles { count, size } => {
                bytes("--sym-files", *size)?;
                if *count == 0 || *count > MOST_FILES {
                    return Err(format!("--sym-files {count} {size}: there can be 1 to {MOST_FILES} files"));
                }
            }
            Item::Argument(_)
            | Item::Input(_)
            | Item::Failures(_)
            | Item::ShortReads
            | Item::Terminal
            | Item::SymbolicOutput
            | Item::AsKlee => {}
        }
        Ok(self)
    }
}

/// Name and value of a variable.
fn variable(text: &str) -> Option<(&str, &str)> {
    text.split_once('=').filter(|(name, _)| !name.is_empty())
}

/// Options that make items, with how many values each takes.
const OPTIONS: [(&str, usize); 12] = [
    ("sym-arg", 1),
    ("sym-args", 3),
    ("stdin-text", 1),
    ("sym-stdin", 1),
    ("sym-files", 2),
    ("sym-env", 1),
    ("env", 1),
    ("fs-fail", 1),
    ("max-fail", 1),
    ("short-reads", 0),
    ("terminal", 0),
    ("sym-stdout", 0),
];

/// The item that an option with its values makes; none, if it changes nothing here.
pub fn item(option: &str, values: &[&str]) -> Result<Option<Item>, String> {
    let number = |at: usize| {
        let text = values.get(at).copied().unwrap_or_default();
        text.parse::<u64>().map_err(|_| format!("--{option}: `{text}` is not a number"))
    };
    let text = values.first().copied().unwrap_or_default();
    let item = match option {
        "sym-arg" => Item::SymbolicArgument(number(0)?),
        "sym-args" => Item::SymbolicArguments { min: number(0)?, max: number(1)?, length: number(2)? },
        "stdin-text" => Item::Input(text.to_owned()),
        "sym-stdin" => Item::SymbolicInput(number(0)?),
        "sym-files" => Item::SymbolicFiles { count: number(0)?, size: number(1)? },
        "sym-env" => {
            let (name, length) =
                variable(text).ok_or(format!("--sym-env {text}: write NAME=N, with the length of the value"))?;
            let length = length.parse().map_err(|_| format!("--sym-env {text}: `{length}` is not a number"))?;
            Item::SymbolicVariable { name: name.to_owned(), length }
        }
        "env" => Item::Variable(text.to_owned()),
        "fs-fail" | "max-fail" => Item::Failures(number(0)?),
        "short-reads" => Item::ShortReads,
        "terminal" => Item::Terminal,
        "sym-stdout" => Item::SymbolicOutput,
        _ => return Err(format!("--{option} is not about the environment")),
    };
    item.checked().map(Some)
}

/// The items of arguments in KLEE's spelling, with one dash or two; what is no option is an
/// argument of the program.
pub fn parse(args: &[String]) -> Result<Vec<Item>, String> {
    let mut items = Vec::new();
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        let name = arg.strip_prefix("--").or_else(|| arg.strip_prefix('-'));
        match name.and_then(|name| OPTIONS.iter().find(|(option, _)| *option == name)) {
            None => items.push(Item::Argument(arg.clone())),
            Some((option, count)) => {
                let values: Vec<&str> = rest.by_ref().take(*count).map(String::as_str).collect();
                if values.len() < *count {
                    return Err(format!("--{option} needs {count} values"));
                }
                items.extend(item(option, &values)?);
            }
        }
    }
    Ok(items)
}

/// The sizes that bound what was explored, in words; nothing if all is fixed.
pub fn bounds(items: &[Item]) -> Option<String> {
    let mut text = String::new();
    for item in items.iter().filter(|item| item.is_symbolic()) {
        let _ = write!(text, "{}{}", if text.is_empty() { "" } else { " " }, item.spelling().join(" "));
    }
    (!text.is_empty()).then_some(text)
}

/// An item with the values of a test: what a native run is given.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Given {
    pub args: Vec<Vec<u8>>,
    pub variables: Vec<(String, Vec<u8>)>,
    pub input: Vec<u8>,
    pub files: Vec<(String, Vec<u8>)>,
    /// How many of the test's objects are used up.
    pub objects: usize,
    /// Why a native run may take another way.
    pub not_replayed: Option<&'static str>,
}

/// Takes the values of the items from a test's objects: those that the model makes before `main`
/// runs, in its order.
pub fn give<'o>(items: &[Item], objects: impl Iterator<Item = (&'o str, &'o [u8])>) -> Result<Given, String> {
    let mut objects = objects;
    let mut given = Given::default();
    let mut take = |name: &str| match objects.next() {
        Some((found, bytes)) if found == name => Ok(bytes),
        Some((found, _)) => Err(format!("the test has `{found}` where `{name}` is expected")),
        None => Err(format!("the test has no `{name}`")),
    };
    let text = |bytes: &[u8], length: u64| {
        let bytes = &bytes[..bytes.len().min(length as usize)];
        bytes.split(|&byte| byte == 0).next().unwrap_or_default().to_vec()
    };
    let mut count = 0;
    let mut argument = |given: &mut Given, length: u64, take: &mut dyn FnMut(&str) -> Result<&'o [u8], String>| {
        given.args.push(text(take(&format!("arg{count:02}"))?, length));
        given.objects += 1;
        count += 1;
        Ok::<(), String>(())
    };
    for item in items {
        match item {
            Item::Argument(text) => given.args.push(text.clone().into_bytes()),
            Item::SymbolicArgument(length) => argument(&mut given, *length, &mut take)?,
            Item::SymbolicArguments { min, max, length } => {
                let mut number = *min;
                if min < max {
                    let bytes = take("n_args")?;
                    given.objects += 1;
                    number = bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte));
                }
                for _ in 0..number.min(*max) {
                    argument(&mut given, *length, &mut take)?;
                }
            }
            _ => {}
        }
    }
    for item in items {
        match item {
            Item::Variable(text) => {
                let (name, value) = variable(text).unwrap_or((text, ""));
                given.variables.push((name.to_owned(), value.as_bytes().to_vec()));
            }
            Item::SymbolicVariable { name, length } => {
                given.variables.push((name.clone(), text(take(&format!("env_{name}"))?, *length)));
                given.objects += 1;
            }
            _ => {}
        }
    }
    for item in items {
        match item {
            Item::Input(text) => given.input = text.clone().into_bytes(),
            Item::SymbolicInput(1..) => {
                given.input = take("stdin")?.to_vec();
                given.objects += 1;
            }
            _ => {}
        }
    }
    for item in items {
        match item {
            Item::SymbolicFiles { count, size } => {
                for letter in (b'A'..=b'Z').take(*count as usize).map(char::from) {
                    let mut content = Vec::new();
                    if *size > 0 {
                        content = take(&format!("{letter}_data"))?.to_vec();
                        given.objects += 1;
                    }
                    given.files.push((letter.to_string(), content));
                }
            }
            Item::Failures(_) => given.not_replayed = Some("system calls that fail on request (--fs-fail)"),
            Item::ShortReads => given.not_replayed = Some("short reads (--short-reads)"),
            _ => {}
        }
    }
    Ok(given)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(args: &str) -> Result<Vec<Item>, String> {
        parse(&args.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn klees_spelling_is_read_and_written() {
        let args = "-n --sym-arg 2 --sym-args 0 2 4 file --sym-env HOME=3 --env A=b --sym-stdin 8 --sym-files 2 10";
        let items = parsed(args).unwrap();
        let words: Vec<String> = items.iter().map(Item::word).collect();
        assert_eq!(words, ["=-n", "a2", "A0,2,4", "=file", "eHOME=3", "EA=b", "i8", "f2,10"]);
        assert_eq!(items.iter().flat_map(Item::spelling).collect::<Vec<_>>().join(" "), args);
        assert_eq!(parsed("-sym-arg 2 --sym-stdout --max-fail 1").unwrap().len(), 3);
        assert_eq!(bounds(&items[..2]).as_deref(), Some("--sym-arg 2"));
        assert_eq!(bounds(&items[..1]), None);
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (args, part) in [
            ("--sym-arg", "--sym-arg needs 1 values"),
            ("--sym-arg two", "`two` is not a number"),
            ("--sym-args 3 1 2", "the least and the most"),
            ("--sym-args 0 100 2", "at most 99"),
            ("--sym-files 27 1", "1 to 26 files"),
            ("--sym-stdin 99999999", "too many"),
            ("--sym-env HOME", "write NAME=N"),
            ("--env =x", "write NAME=VALUE"),
        ] {
            let error = parsed(args).unwrap_err();
            assert!(error.contains(part), "{args}: {error}");
        }
    }

    #[test]
    fn a_test_gives_the_items_their_values() {
        let items = parsed("x --sym-args 0 2 3 --sym-env HOME=2 --sym-stdin 2 --sym-files 1 2").unwrap();
        let objects: [(&str, &[u8]); 6] = [
            ("n_args", &[1, 0, 0, 0]),
            ("arg00", b"ab\0\x07"),
            ("env_HOME", b"/tz"),
            ("stdin", b"q\n"),
            ("A_data", b"\0\x01"),
            ("x", b"1"),
        ];
        let given = give(&items, objects.iter().copied()).unwrap();
        assert_eq!(given.args, [b"x".to_vec(), b"ab".to_vec()]);
        assert_eq!(given.variables, [("HOME".to_owned(), b"/t".to_vec())]);
        assert_eq!((given.input.as_slice(), given.objects), (b"q\n".as_slice(), 5));
        assert_eq!(given.files, [("A".to_owned(), vec![0, 1])]);
        let error = give(&items, objects[1..].iter().copied()).unwrap_err();
        assert_eq!(error, "the test has `arg00` where `n_args` is expected");
    }
}
