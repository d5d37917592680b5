//! What people call a place in a program, and where that is in its code.

use espalier_analysis::{Site, targets};
use espalier_base::control;
use espalier_frontend::Mark;
use espalier_ir::{BlockId, FileId, FuncId, Loc, Program};
use rustc_hash::FxHashMap;
use std::path::{Component, Path};

/// A place that is asked about.
#[derive(Clone)]
pub(crate) struct Target {
    /// What it is called in reports: `prog.c:12`.
    pub(crate) name: String,
    pub(crate) sites: Vec<Site>,
    /// Where it is in the source, to find it in a native run.
    pub(crate) mark: Option<Mark>,
}

/// Which targets are asked about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Wanted {
    /// `FILE:LINE[:COLUMN]`, `FILE:LABEL` or `FUNCTION`.
    Named(Vec<String>),
    /// Every call that is an error.
    Errors,
    /// Every basic block.
    Blocks,
}

pub(crate) fn find(program: &Program, wanted: &Wanted) -> Result<Vec<Target>, String> {
    let each = |sites: Vec<Site>| sites.into_iter().map(|site| at_site(program, site)).collect::<Vec<Target>>();
    let targets = match wanted {
        Wanted::Named(names) => names.iter().map(|name| named(program, name)).collect::<Result<_, _>>()?,
        Wanted::Errors => each(targets::call_sites(program, control::is_error)),
        Wanted::Blocks => each(targets::block_sites(program)),
    };
    match targets.is_empty() {
        true => Err("the program has no call that is an error (assert, reach_error, abort)".into()),
        false => Ok(targets),
    }
}

fn at_site(program: &Program, site: Site) -> Target {
    let loc = targets::site_loc(program, site);
    let file = file_name(program, loc);
    let column = Some(loc.column).filter(|column| *column != 0);
    let name = match (&file, column) {
        (Some(file), Some(column)) => format!("{file}:{}:{column}", loc.line),
        (Some(file), None) => format!("{file}:{}", loc.line),
        (None, _) => format!("a block of {}", program.function(site.func).name),
    };
    let mark = file.map(|file| Mark { file, line: loc.line, column });
    Target { name, sites: vec![site], mark }
}

fn file_name(program: &Program, loc: Loc) -> Option<String> {
    if loc.is_known() { program.files.get(loc.file.index()).cloned() } else { None }
}

/// The target that a person names.
fn named(program: &Program, name: &str) -> Result<Target, String> {
    let Some((file, place)) = split_place(name) else { return function(program, name) };
    let id = file_named(program, file)?;
    let path = program.files[id.index()].clone();
    let (line, column) = match place {
        Place::Line(line, column) => (line, column),
        Place::Label(label) => (line_of_label(program, id, &path, label)?, None),
    };
    let sites = targets::sites_at(program, id, line, column);
    if sites.is_empty() {
        let columns: Vec<String> = targets::columns_with_code(program, id, line).iter().map(u32::to_string).collect();
        return Err(match column.filter(|_| !columns.is_empty()) {
            Some(column) => format!("{file}:{line} has no code at column {column}, but at {}", columns.join(", ")),
            None => format!("{file}:{line} has no code; {}", lines_near(program, id, line)),
        });
    }
    Ok(Target { name: name.to_owned(), sites, mark: Some(Mark { file: path, line, column }) })
}

enum Place<'a> {
    Line(u32, Option<u32>),
    Label(&'a str),
}

/// `FILE:LINE`, `FILE:LINE:COLUMN` or `FILE:LABEL`; `None` if it is none of these.
fn split_place(name: &str) -> Option<(&str, Place<'_>)> {
    let (before, last) = name.rsplit_once(':')?;
    let Ok(number) = last.parse::<u32>() else { return Some((before, Place::Label(last))) };
    match before.rsplit_once(':').map(|(file, line)| (file, line.parse::<u32>())) {
        Some((file, Ok(line))) => Some((file, Place::Line(line, Some(number)))),
        _ => Some((before, Place::Line(number, None))),
    }
}

/// The file of `FILE:LINE` or `FILE:LABEL`.
pub(crate) fn file_of(name: &str) -> Option<&str> {
    split_place(name).map(|(file, _)| file)
}

fn function(program: &Program, name: &str) -> Result<Target, String> {
    let known = program.function_named(name).filter(|&func| !program.function(func).is_declaration());
    match known {
        Some(func) => {
            let target = at_site(program, Site { func, pc: 0 });
            Ok(Target { name: name.to_owned(), ..target })
        }
        None => Err(format!("the program defines no function `{name}`; a place is written FILE:LINE or FILE:LABEL")),
    }
}

/// Bounds on single loops, each written `FILE:LINE=N`.
pub(crate) fn loop_bounds(program: &Program, bounds: &[String]) -> Result<FxHashMap<(FuncId, BlockId), u32>, String> {
    let mut limits = FxHashMap::default();
    for bound in bounds {
        let parts =
            bound.rsplit_once('=').and_then(|(place, rounds)| Some((split_place(place)?, rounds.parse().ok()?)));
        let Some(((file, Place::Line(line, None)), rounds)) = parts else {
            return Err(format!("--unwind-loop={bound}: write FILE:LINE=N"));
        };
        let id = file_named(program, file)?;
        let heads = targets::loop_heads(program);
        let is_there = |func: FuncId, block: BlockId| targets::block_lines(program, func, block).contains(&(id, line));
        let found: Vec<_> = heads.iter().copied().filter(|&(func, block)| is_there(func, block)).collect();
        if found.is_empty() {
            let lines =
                heads.iter().filter_map(|&(func, block)| targets::block_lines(program, func, block).into_iter().next());
            let mut lines: Vec<u32> = lines.filter(|(file, _)| *file == id).map(|(_, line)| line).collect();
            lines.sort_unstable();
            lines.dedup();
            let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
            return Err(format!("no loop begins at {file}:{line}; loops begin at lines {}", lines.join(", ")));
        }
        limits.extend(found.into_iter().map(|head| (head, rounds)));
    }
    Ok(limits)
}

/// The files that have code of the user's.
pub(crate) fn files_with_code(program: &Program) -> Vec<FileId> {
    let has_code = |id: &FileId| !targets::lines_with_code(program, *id).is_empty();
    (0..program.files.len()).map(FileId::new).filter(has_code).collect()
}

/// The file that ends in these components.
pub(crate) fn file_named(program: &Program, name: &str) -> Result<FileId, String> {
    let wanted: Vec<Component> = Path::new(name).components().filter(|part| *part != Component::CurDir).collect();
    let files = files_with_code(program);
    let path = |id: FileId| Path::new(&program.files[id.index()]);
    if let Some(&exact) = files.iter().find(|&&id| path(id) == Path::new(name)) {
        return Ok(exact);
    }
    let ends = |id: FileId| {
        let parts: Vec<Component> = path(id).components().collect();
        parts.ends_with(&wanted)
    };
    let matching: Vec<FileId> = files.iter().copied().filter(|&id| ends(id)).collect();
    let list = |ids: &[FileId]| ids.iter().map(|id| program.files[id.index()].as_str()).collect::<Vec<_>>().join(", ");
    match matching[..] {
        [one] => Ok(one),
        [] => Err(format!("the program has no file {name}; it has {}", list(&files))),
        _ => Err(format!("{name} may be any of these: {}", list(&matching))),
    }
}

pub(crate) fn lines_near(program: &Program, file: FileId, line: u32) -> String {
    const SHOWN: usize = 3;
    let lines = targets::lines_with_code(program, file);
    let mut near: Vec<u32> =
        lines.range(..line).rev().take(SHOWN).chain(lines.range(line..).take(SHOWN)).copied().collect();
    near.sort_unstable();
    let near: Vec<String> = near.iter().map(u32::to_string).collect();
    format!("lines near it that have some: {}", near.join(", "))
}

/// The first line of code at or after a label. Labels leave no trace in the bitcode, so the source
/// is read.
fn line_of_label(program: &Program, file: FileId, path: &str, label: &str) -> Result<u32, String> {
    let text = std::fs::read(path).map_err(|error| format!("{path} cannot be read, to find `{label}`: {error}"))?;
    let labels = labels_of(&String::from_utf8_lossy(&text));
    let Some(&(_, line)) = labels.iter().find(|(name, _)| name == label) else {
        let known: Vec<&str> = labels.iter().map(|(name, _)| name.as_str()).take(20).collect();
        let known = if known.is_empty() { "it has none".to_owned() } else { format!("it has {}", known.join(", ")) };
        return Err(format!("{path} has no label `{label}`; {known}"));
    };
    let lines = targets::lines_with_code(program, file);
    lines.range(line..).next().copied().ok_or(format!("there is no code after the label `{label}` of {path}"))
}

/// The labels of a C file with their lines: names that follow a statement's end and are followed by
/// a colon.
fn labels_of(text: &str) -> Vec<(String, u32)> {
    let mut labels = Vec::new();
    let mut line = 1;
    // Whether a statement may begin here, and the name that began one.
    let mut begins = true;
    let mut name: Option<(String, u32)> = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\n' => line += 1,
            '/' if chars.peek() == Some(&'/') => while chars.next_if(|&c| c != '\n').is_some() {},
            '/' if chars.next_if_eq(&'*').is_some() => {
                let mut last = ' ';
                for c in chars.by_ref() {
                    line += u32::from(c == '\n');
                    if last == '*' && c == '/' {
                        break;
                    }
                    last = c;
                }
            }
            '"' | '\'' => {
                while let Some(next) = chars.next() {
                    if next == '\\' {
                        chars.next();
                    } else if next == c {
                        break;
                    }
                }
                (begins, name) = (false, None);
            }
            c if c.is_whitespace() => {}
            c if c.is_alphabetic() || c == '_' => {
                let mut word = String::from(c);
                while let Some(c) = chars.next_if(|c| c.is_alphanumeric() || *c == '_') {
                    word.push(c);
                }
                name = (begins && word != "default" && word != "case").then_some((word, line));
                begins = false;
            }
            ':' => {
                labels.extend(name.take());
                begins = true;
            }
            _ => (begins, name) = (matches!(c, ';' | '{' | '}' | ')'), None),
        }
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_split() {
        let show = |name| match split_place(name) {
            Some((file, Place::Line(line, column))) => format!("{file} {line} {column:?}"),
            Some((file, Place::Label(label))) => format!("{file} {label}"),
            None => "function".into(),
        };
        assert_eq!(show("a.c:12"), "a.c 12 None");
        assert_eq!(show("dir/a.c:12:7"), "dir/a.c 12 Some(7)");
        assert_eq!(show("a.c:ERROR"), "a.c ERROR");
        assert_eq!(show("main"), "function");
    }

    #[test]
    fn labels_are_found_and_nothing_else() {
        let text = "int f(int x) {\n  switch (x) { case 1: a: x++; default: break; }\n  // no: label\n\
                    /* nor: this */ char *s = \"or: that\";\n  x = x ? y : z;\nout:\n  return x;\nERROR: goto out; }";
        assert_eq!(labels_of(text), [("a".into(), 2), ("out".into(), 6), ("ERROR".into(), 8)]);
    }
}
