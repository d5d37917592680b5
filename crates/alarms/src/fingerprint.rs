//! Knowing an alarm again when lines have moved: by its rule, its function and the text of its
//! line.
//!
//! Tools that name no function are helped by the text: the name before the parentheses before the
//! brace. That is wrong behind some macros, but wrong in the same way each time, which is all that
//! a fingerprint needs.

use crate::tokens::{Token, read_source, tokens};
use crate::{Alarm, Place};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// 64 bits, in hexadecimal: alarms of one program are few.
const DIGITS: usize = 16;

/// The sources that were looked at, with `None` for those that cannot be read.
#[derive(Clone, Default, Debug)]
pub(crate) struct Sources {
    files: BTreeMap<PathBuf, Option<Source>>,
}

#[derive(Clone, Debug)]
struct Source {
    lines: Vec<String>,
    functions: Vec<(RangeInclusive<u32>, String)>,
}

impl Sources {
    fn source(&mut self, file: &str, root: Option<&Path>) -> Option<&Source> {
        let path = root.map_or_else(|| PathBuf::from(file), |root| root.join(file));
        let source = self.files.entry(path).or_insert_with_key(|path| {
            let text = read_source(path).ok()?;
            Some(Source { lines: text.lines().map(str::to_owned).collect(), functions: functions(&text) })
        });
        source.as_ref()
    }

    /// Where the source cannot be read, the message stands for the line.
    pub fn fingerprint(&mut self, alarm: &Alarm, root: Option<&Path>) -> String {
        let source = alarm.place.as_ref().and_then(|place| self.source(&place.file, root));
        let line = source.zip(alarm.place.as_ref()).and_then(|(source, place)| source.line(place));
        let function = source.zip(alarm.place.as_ref()).and_then(|(source, place)| source.function(place));
        let function = alarm.function.as_deref().or(function).unwrap_or_default();
        let mut hash = Sha256::new();
        for part in [alarm.rule.as_deref().unwrap_or_default(), function, &plain(line.unwrap_or(&alarm.message))] {
            hash.update(part);
            hash.update([0]);
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect::<String>()[..DIGITS].to_owned()
    }
}

impl Source {
    fn line(&self, place: &Place) -> Option<&str> {
        self.lines.get(usize::try_from(place.line).ok()?.checked_sub(1)?).map(String::as_str)
    }

    fn function(&self, place: &Place) -> Option<&str> {
        self.functions.iter().find(|(lines, _)| lines.contains(&place.line)).map(|(_, name)| name.as_str())
    }
}

/// Without spaces, which formatting moves.
fn plain(line: &str) -> String {
    line.split_whitespace().collect()
}

/// Functions and their lines, from the line with the name. A brace at the margin ends or begins
/// one, whatever the preprocessor's branches before did to the count.
fn functions(text: &str) -> Vec<(RangeInclusive<u32>, String)> {
    let mut found = Vec::new();
    let (mut braces, mut parentheses) = (0_usize, 0_usize);
    let (mut last_word, mut candidate, mut open) = (None, None, None);
    for at in tokens(text).filter(|at| !at.is_directive) {
        if at.is_at_margin && matches!(at.token, Token::Sign(b'{' | b'}')) {
            (braces, parentheses) = (usize::from(at.token == Token::Sign(b'}')), 0);
        }
        match at.token {
            Token::Word(word) if braces == 0 && parentheses == 0 => last_word = Some((word, at.line)),
            Token::Sign(b'(') => {
                if braces == 0 && parentheses == 0 {
                    let is_name = |(word, _): &(&str, u32)| !word.starts_with("__") && *word != "_Alignas";
                    candidate = last_word.filter(is_name).or(candidate);
                }
                parentheses += 1;
            }
            Token::Sign(b')') => parentheses = parentheses.saturating_sub(1),
            Token::Sign(b'{') => {
                if braces == 0 {
                    open = candidate.take();
                }
                braces += 1;
            }
            Token::Sign(b'}') => {
                braces = braces.saturating_sub(1);
                if braces == 0 {
                    found.extend(open.take().map(|(name, first): (&str, u32)| (first..=at.line, name.to_owned())));
                }
            }
            Token::Sign(b';') if braces == 0 && parentheses == 0 => candidate = None,
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_found_by_their_braces() {
        let text = "struct s { int a; };\nint declared(int);\nstatic int f(int (*g)(void))\n  __attribute__((used))\n{\n\
                    #if X\n  if (g()) {\n#else\n  if (a) {\n#endif\n  }\n}\nint t[] = { 1, (2) };\n\nint h(a)\n int a;\n{ }\n";
        let found = functions(text);
        assert_eq!(found[0], (3..=12, "f".to_owned()));
        assert!(found.iter().all(|(_, name)| name == "f" || name == "h"), "{found:?}");
    }

    #[test]
    fn a_moved_line_has_the_same_fingerprint() {
        let root = tempfile::tempdir().unwrap();
        let alarm = |line: u32| Alarm {
            rule: Some("r".into()),
            place: Some(Place { file: "a.c".into(), line, ..Place::default() }),
            ..Alarm::default()
        };
        let of = |text: &str, line: u32| {
            std::fs::write(root.path().join("a.c"), text).unwrap();
            Sources::default().fingerprint(&alarm(line), Some(root.path()))
        };
        let first = of("int f(void) {\n  return *p;\n}\n", 2);
        assert_eq!(first.len(), DIGITS);
        assert_eq!(of("/* new */\nint f(void) {\n\n\treturn  *p;\n}\n", 4), first);
        assert_ne!(of("int g(void) {\n  return *p;\n}\n", 2), first);
        assert_ne!(of("int f(void) {\n  return *q;\n}\n", 2), first);
        assert_eq!(of("", 2), of("", 9), "without the line, the message stands for it");
    }
}
