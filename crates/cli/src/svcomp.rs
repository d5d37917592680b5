//! SV-COMP's conventions: what is asked (`.prp`), of which program (`.yml`), and how the answer is
//! written.

use espalier_base::control::ERROR_FUNCTIONS;
use espalier_engine::{Config, Input, Only};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// A property of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Property {
    /// This function is never called.
    UnreachCall(String),
    ValidFree,
    ValidDeref,
    ValidMemtrack,
    ValidMemcleanup,
    NoOverflow,
    /// One that this tool has no answer to.
    Other(String),
    /// For test generation: reach this call.
    CoverCall(String),
    /// For test generation: reach every branch.
    CoverBranches,
}

/// A property file, and what it asks.
#[derive(Clone, Debug)]
pub(crate) struct Specification {
    pub(crate) text: String,
    pub(crate) properties: Vec<Property>,
}

impl Specification {
    pub(crate) fn read(path: &Path) -> Result<Specification, String> {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let properties = parse(&text).map_err(|(offset, what)| {
            let before = &text[..offset];
            let line = before.matches('\n').count() + 1;
            let column = offset - before.rfind('\n').map_or(0, |at| at + 1) + 1;
            format!("{}:{line}:{column}: {what}", path.display())
        })?;
        Ok(Specification { text: text.trim().to_owned(), properties })
    }

    /// Why nothing can be said about it, if so.
    pub(crate) fn is_beyond_us(&self, files: &[PathBuf]) -> Option<String> {
        let is_source = |file: &PathBuf| file.extension().is_some_and(|extension| extension == "c" || extension == "i");
        if self.properties.contains(&Property::NoOverflow) && !files.iter().all(is_source) {
            return Some("checks for overflows are compiled in, which takes C sources".into());
        }
        let asked = self.properties.iter().find_map(|property| match property {
            Property::Other(name) => Some(format!("the property `{name}` is not supported")),
            Property::ValidMemcleanup => Some("the property valid-memcleanup is not supported".into()),
            Property::UnreachCall(name) | Property::CoverCall(name) if !ERROR_FUNCTIONS.contains(&name.as_str()) => {
                Some(format!("calls of `{name}` are asked about with `espalier reach --target={name}`"))
            }
            _ => None,
        });
        asked.or_else(|| self.only().err())
    }

    /// What has to be looked for.
    fn only(&self) -> Result<Only, String> {
        use Property::{NoOverflow, UnreachCall, ValidDeref, ValidFree, ValidMemtrack};
        let all = |is_one: fn(&Property) -> bool| self.properties.iter().all(is_one);
        if all(|property| matches!(property, UnreachCall(_) | Property::CoverCall(_) | Property::CoverBranches)) {
            Ok(Only::Reach)
        } else if all(|property| matches!(property, ValidFree | ValidDeref | ValidMemtrack)) {
            Ok(Only::Memory)
        } else if all(|property| *property == NoOverflow) {
            Ok(Only::Overflow)
        } else {
            Err("the property file mixes properties that have to be checked one by one".into())
        }
    }

    /// Sets a check up for the property.
    pub(crate) fn apply(&self, config: &mut Config, input: &mut Input) -> Result<(), String> {
        config.only = self.only()?;
        if self.properties.contains(&Property::ValidMemtrack) {
            // What leaks is not part of interpolants.
            config.exec.check_leaks = true;
            config.interpolation = None;
        }
        if config.only == Only::Overflow {
            let flags = ["-fsanitize=signed-integer-overflow,shift-base", "-fno-sanitize-recover=all"];
            input.cc_args.extend(flags.map(String::from));
        }
        Ok(())
    }

    /// The answer for an error of this kind.
    pub(crate) fn violated(kind: &str) -> String {
        let name = match kind {
            "reach_error" => "unreach-call",
            "overflow" => "no-overflow",
            "free" => "valid-free",
            "leak" => "valid-memtrack",
            _ => "valid-deref",
        };
        format!("false({name})")
    }
}

/// The properties of a file; where, in bytes, and what is wrong with it.
fn parse(text: &str) -> Result<Vec<Property>, (usize, String)> {
    let mut properties = Vec::new();
    let mut at = 0;
    loop {
        at += text[at..].len() - text[at..].trim_start().len();
        if at == text.len() {
            break;
        }
        let end = statement_end(text, at)?;
        let statement: String = text[at..end].chars().filter(|c| !c.is_whitespace()).collect();
        let wrong = || {
            (at, "not a property: expected CHECK( init(main()), LTL(...) ) or COVER( init(main()), FQL(...) )".into())
        };
        let inner = |start: &str| statement.strip_prefix(start).and_then(|rest| rest.strip_suffix("))"));
        let property = if let Some(formula) = inner("CHECK(init(main()),LTL(") {
            checked(formula)
        } else if let Some(query) = inner("COVER(init(main()),FQL(") {
            covered(query)
        } else {
            return Err(wrong());
        };
        properties.push(property);
        at = end;
    }
    if properties.is_empty() { Err((0, "it has no property".into())) } else { Ok(properties) }
}

/// Where the statement's last parenthesis closes.
fn statement_end(text: &str, start: usize) -> Result<usize, (usize, String)> {
    let mut depth = 0;
    for (offset, c) in text[start..].char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return Ok(start + offset + 1),
            ')' => depth -= 1,
            _ => {}
        }
    }
    Err((start, "a parenthesis is not closed".into()))
}

fn checked(formula: &str) -> Property {
    let call = formula.strip_prefix("G!call(").and_then(|rest| rest.strip_suffix("())"));
    match (formula, call) {
        (_, Some(function)) => Property::UnreachCall(function.to_owned()),
        ("Gvalid-free", _) => Property::ValidFree,
        ("Gvalid-deref", _) => Property::ValidDeref,
        ("Gvalid-memtrack", _) => Property::ValidMemtrack,
        ("Gvalid-memcleanup", _) => Property::ValidMemcleanup,
        ("G!overflow", _) => Property::NoOverflow,
        _ => Property::Other(formula.to_owned()),
    }
}

fn covered(query: &str) -> Property {
    let call = query.strip_prefix("COVEREDGES(@CALL(").and_then(|rest| rest.strip_suffix("))"));
    match (query, call) {
        (_, Some(function)) => Property::CoverCall(function.to_owned()),
        ("COVEREDGES(@DECISIONEDGE)", _) => Property::CoverBranches,
        _ => Property::Other(query.to_owned()),
    }
}

/// A task definition.
#[derive(Deserialize, Debug)]
struct TaskFile {
    input_files: OneOrMore,
    #[serde(default)]
    properties: Vec<TaskProperty>,
    #[serde(default)]
    options: TaskOptions,
}

#[derive(Deserialize, Debug)]
#[serde(untagged)]
enum OneOrMore {
    One(PathBuf),
    More(Vec<PathBuf>),
}

#[derive(Deserialize, Debug)]
struct TaskProperty {
    property_file: PathBuf,
    expected_verdict: Option<bool>,
}

#[derive(Deserialize, Default, Debug)]
struct TaskOptions {
    data_model: Option<String>,
    language: Option<String>,
}

/// What a task asks.
#[derive(Debug)]
pub(crate) struct Task {
    pub(crate) files: Vec<PathBuf>,
    pub(crate) property_file: Option<PathBuf>,
    pub(crate) data_model: Option<String>,
    pub(crate) expected: Option<bool>,
}

impl Task {
    /// Is this file a task definition?
    pub(crate) fn is_named_by(path: &Path) -> bool {
        path.extension().is_some_and(|extension| extension == "yml" || extension == "yaml")
    }

    /// Reads a task; `property_file` chooses among several.
    pub(crate) fn read(path: &Path, property_file: Option<&Path>) -> Result<Task, String> {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let file: TaskFile = serde_yaml_ng::from_str(&text).map_err(|error| match error.location() {
            Some(at) => format!("{}:{}:{}: {error}", path.display(), at.line(), at.column()),
            None => format!("{}: {error}", path.display()),
        })?;
        if let Some(language) = file.options.language.filter(|language| language != "C") {
            return Err(format!("{}: the language is {language}, but only C is supported", path.display()));
        }
        let directory = path.parent().unwrap_or(Path::new(""));
        let files = match file.input_files {
            OneOrMore::One(file) => vec![file],
            OneOrMore::More(files) => files,
        };
        let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let chosen = match (property_file, &file.properties[..]) {
            (Some(wanted), all) => all.iter().find(|property| name(&property.property_file) == name(wanted)),
            (None, [only]) => Some(only),
            (None, []) => None,
            (None, all) => {
                let names: Vec<String> = all.iter().map(|property| name(&property.property_file)).collect();
                let names = names.join(", ");
                return Err(format!("{} has several properties; choose one with --prop: {names}", path.display()));
            }
        };
        Ok(Task {
            files: files.iter().map(|file| directory.join(file)).collect(),
            property_file: property_file
                .map(Path::to_owned)
                .or_else(|| chosen.map(|property| directory.join(&property.property_file))),
            data_model: file.options.data_model,
            expected: chosen.and_then(|property| property.expected_verdict),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_are_read() {
        let parse = |text| parse(text).unwrap();
        let unreach = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
        assert_eq!(parse(unreach), [Property::UnreachCall("reach_error".into())]);
        let memory = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\
                      CHECK( init(main()), LTL(G valid-memtrack) )\n";
        assert_eq!(parse(memory), [Property::ValidFree, Property::ValidDeref, Property::ValidMemtrack]);
        assert_eq!(parse("CHECK( init(main()), LTL(G ! overflow) )"), [Property::NoOverflow]);
        assert_eq!(parse("CHECK( init(main()), LTL(F end) )"), [Property::Other("Fend".into())]);
        let cover = "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )";
        assert_eq!(parse(cover), [Property::CoverBranches]);
    }

    #[test]
    fn what_is_wrong_has_a_place() {
        assert_eq!(parse("").unwrap_err().0, 0);
        assert_eq!(parse("CHECK( init(main()), LTL(G ! overflow) )\n  CHEC(x)").unwrap_err().0, 43);
        assert!(parse("CHECK( init(main()), LTL(G ! overflow)").unwrap_err().1.contains("not closed"));
    }
}
