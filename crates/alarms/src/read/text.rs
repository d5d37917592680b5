//! Text: warnings as compilers print them, and plain lists of places.
//!
//! ```text
//! a.c: In function 'f':
//! a.c:7:3: warning: dereference of NULL 'p' [CWE-476] [-Wanalyzer-null-dereference]
//! a.c:5:6: note: (1) following 'true' branch...
//!
//! a.c:7
//! a.c:7:3: core.NullDereference
//! ```
//!
//! Among warnings whatever else a build printed is passed over. In a list each line counts.

use super::Report;
use crate::{Alarm, Place, Step};
use sarif::Level;

/// How a line with a message goes on behind its place.
const SEVERITIES: &[(&str, Level)] = &[
    ("fatal error: ", Level::Error),
    ("error: ", Level::Error),
    ("warning: ", Level::Warning),
    ("style: ", Level::Note),
    ("performance: ", Level::Note),
    ("portability: ", Level::Note),
];
const NOTE: &str = "note: ";

/// `FILE:LINE[:COLUMN]`, and what is behind the colon after it.
fn place(text: &str) -> Option<(Place, &str)> {
    let (file, line, rest) = text.match_indices(':').filter(|&(at, _)| at > 0).find_map(|(at, _)| {
        let (line, rest) = number(&text[at + 1..])?;
        Some((&text[..at], line, rest))
    })?;
    let (column, rest) = match rest.and_then(number) {
        Some((column, rest)) => (Some(column), rest),
        None => (None, rest),
    };
    let place = Place { file: file.to_owned(), line, column, ..Place::default() };
    Some((place, rest.unwrap_or_default().trim()))
}

/// A number from 1, and what is behind the colon after it, if there is one.
fn number(text: &str) -> Option<(u32, Option<&str>)> {
    let (digits, rest) = match text.split_once(':') {
        Some((digits, rest)) => (digits, Some(rest)),
        None => (text.trim_end(), None),
    };
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.parse().ok().filter(|&number| is_number && number > 0)?;
    Some((number, rest))
}

fn with_severity(rest: &str) -> Option<(Level, &str)> {
    SEVERITIES.iter().find_map(|(word, level)| Some((*level, rest.strip_prefix(word)?)))
}

pub(super) fn has_warnings(text: &str) -> bool {
    text.lines().any(|line| place(line).is_some_and(|(_, rest)| with_severity(rest).is_some()))
}

pub(super) fn read_warnings(text: &str) -> Report {
    let mut report = Report::default();
    let mut function = None;
    for line in text.lines() {
        if let Some(named) = function_heading(line) {
            function = named;
        }
        let Some((place, rest)) = place(line) else { continue };
        if let Some((level, message)) = with_severity(rest) {
            report.alarms.push(Alarm { level, function: function.clone(), ..alarm(place, message) });
        } else if let Some(note) = rest.strip_prefix(NOTE)
            && let Some(alarm) = report.alarms.last_mut()
        {
            alarm.add_step(Step { place, message: without_number(note).to_owned() });
        }
    }
    let tool = tool(&report.alarms).to_owned();
    report.alarms.iter_mut().for_each(|alarm| alarm.tool.clone_from(&tool));
    report
}

/// Lines that are no places are refused, by their number.
pub(super) fn read_list(text: &str) -> Result<Report, usize> {
    let mut report = Report::default();
    for (line, number) in text.lines().zip(1_usize..) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (place, rest) = place(line).ok_or(number)?;
        let mut alarm = alarm(place, rest);
        if alarm.rule.is_none() && alarm.cwes.is_empty() && !rest.is_empty() && !rest.contains(char::is_whitespace) {
            alarm.rule = Some(plain_rule(rest));
        }
        report.alarms.push(Alarm { tool: "list".to_owned(), ..alarm });
    }
    Ok(report)
}

fn alarm(place: Place, text: &str) -> Alarm {
    let (message, mut tags) = tags(text);
    let mut cwes: Vec<u32> = tags.iter().filter_map(|tag| cwe(tag)).collect();
    if tags.is_empty() {
        cwes.extend(cwe(message));
    }
    cwes.sort_unstable();
    tags.retain(|tag| cwe(tag).is_none());
    let rule = tags.first().map(|rule| plain_rule(rule));
    Alarm { rule, message: message.to_owned(), cwes, place: Some(place), ..Alarm::default() }
}

/// What stands in brackets behind the message, the last first.
fn tags(text: &str) -> (&str, Vec<&str>) {
    let mut message = text.trim_end();
    let mut tags = Vec::new();
    while let Some((before, tag)) = message.strip_suffix(']').and_then(|open| open.rsplit_once('[')) {
        let is_tag = tag.starts_with(|c: char| c.is_ascii_alphabetic() || c == '-')
            && !tag.contains(char::is_whitespace)
            && (before.is_empty() || before.ends_with(' '));
        if !is_tag {
            break;
        }
        tags.push(tag);
        message = before.trim_end();
    }
    (message, tags)
}

fn cwe(tag: &str) -> Option<u32> {
    tag.strip_prefix("CWE-").or_else(|| tag.strip_prefix("cwe-"))?.parse().ok()
}

/// The rule without what options made of it: `-Werror=x` is `-Wx`, and clang-tidy puts a prefix
/// before clang's checkers.
pub(super) fn plain_rule(name: &str) -> String {
    let name = match name.split_once(',') {
        Some(("-Werror", rule)) => rule,
        Some((rule, "-warnings-as-errors")) => rule,
        _ => name,
    };
    match name.strip_prefix("-Werror=") {
        Some(rule) => format!("-W{rule}"),
        None => name.strip_prefix("clang-analyzer-").unwrap_or(name).to_owned(),
    }
}

/// `a.c: In function 'f':` names a function, `a.c: At top level:` none; other lines say nothing.
fn function_heading(line: &str) -> Option<Option<String>> {
    let heading = line.split_once(": ")?.1;
    if heading.starts_with("At top level") {
        return Some(None);
    }
    let quoted = heading.strip_prefix("In function ")?;
    let name = quoted.trim_start_matches(['\'', '‘', '`']);
    Some(name.split(['\'', '’', '(']).next().filter(|name| !name.is_empty()).map(str::to_owned))
}

/// gcc numbers the events of a path: `(3) freed here`.
fn without_number(note: &str) -> &str {
    let numbered = note.strip_prefix('(').and_then(|rest| rest.split_once(") "));
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    numbered.filter(|(digits, _)| is_number(digits)).map_or(note, |(_, rest)| rest)
}

/// Who printed this shows in the names of the rules.
fn tool(alarms: &[Alarm]) -> &'static str {
    let mut rules = alarms.iter().filter_map(|alarm| alarm.rule.as_deref());
    if rules.clone().any(|rule| rule.starts_with("-Wanalyzer-")) {
        return "gcc";
    }
    if rules.clone().any(|rule| !rule.starts_with('-') && rule.contains('.')) {
        return "clang";
    }
    let is_cppcheck = |rule: &str| rule.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if rules.clone().next().is_some() && rules.all(is_cppcheck) { "cppcheck" } else { "compiler" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_give_places_rules_and_texts() {
        let text = "# mine\n\n a.c:3\nb c.c:4:5\nC:\\d.c:7: core.X\ne.c:8:1: is it null? [nul]\nf.c:9: CWE-476\n";
        let report = read_list(text).unwrap();
        let line = |alarm: &Alarm| {
            let rule = alarm.rule.as_deref().unwrap_or("-");
            format!("{} {rule} {:?}", alarm.place.clone().unwrap_or_default(), alarm.cwes)
        };
        let lines: Vec<String> = report.alarms.iter().map(line).collect();
        assert_eq!(lines, ["a.c:3 - []", "b c.c:4:5 - []", "C:\\d.c:7 core.X []", "e.c:8:1 nul []", "f.c:9 - [476]"]);
        assert_eq!(report.alarms[3].message, "is it null?");
        for malformed in ["a.c", "a.c:", "a.c:0", ":3", "a.c:x", "a.c:-1", "a.c:99999999999"] {
            assert_eq!(read_list(&format!("\n{malformed}")).err(), Some(2), "{malformed}");
        }
    }

    #[test]
    fn rules_are_those_that_tables_know() {
        for (written, plain) in [
            ("-Werror=null-dereference", "-Wnull-dereference"),
            ("-Werror,-Wdiv-by-zero", "-Wdiv-by-zero"),
            ("clang-analyzer-core.DivideZero,-warnings-as-errors", "core.DivideZero"),
            ("cpp/a,b", "cpp/a,b"),
        ] {
            assert_eq!(plain_rule(written), plain);
        }
    }

    #[test]
    fn warnings_have_functions_and_notes() {
        let text = "make: x\na.c: In function ‘f’:\na.c:7:3: warning: array x[3] [CWE-476] [-Wanalyzer-y]\n\
                    \x20   7 | code\n\
                    a.c:5:6: note: (1) here\nother: stuff\na.c:6: note: (if so) there\na.c: At top level:\n\
                    a.c:9: error: x[2]\n6 warnings generated.\n";
        assert!(has_warnings(text) && !has_warnings("a.c:3: warn me"));
        let [first, second] = &read_warnings(text).alarms[..] else { panic!("there are two") };
        assert_eq!((first.function.as_deref(), first.message.as_str()), (Some("f"), "array x[3]"));
        assert_eq!((first.rule.as_deref(), &first.cwes[..]), (Some("-Wanalyzer-y"), &[476][..]));
        let steps: Vec<&str> = first.steps().map(|step| step.message.as_str()).collect();
        assert_eq!(steps, ["here", "(if so) there"]);
        assert_eq!((second.function.as_deref(), second.rule.as_deref()), (None, None));
        assert_eq!((second.message.as_str(), second.level, second.tool.as_str()), ("x[2]", Level::Error, "gcc"));
    }
}
