//! C as a sequence of words and signs, without comments, strings and numbers. Nothing is
//! preprocessed or parsed: this is for questions of the kind "which files mention this function".

use std::path::Path;
use std::{fs, io};

/// The text of a source. Reports name what they like: a pipe or a device would never end.
pub(crate) fn read_source(path: &Path) -> io::Result<String> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    Ok(String::from_utf8_lossy(&fs::read(path)?).into_owned())
}

/// What stands in a source.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Token<'a> {
    Word(&'a str),
    Sign(u8),
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct At<'a> {
    pub token: Token<'a>,
    pub line: u32,
    /// Is it the first character of its line?
    pub is_at_margin: bool,
    /// Is it part of a line that begins with `#`?
    pub is_directive: bool,
}

pub(crate) fn tokens(text: &str) -> Tokens<'_> {
    Tokens { text, at: 0, line: 1, line_start: 0, is_directive: false }
}

/// The identifiers of a text.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

pub(crate) struct Tokens<'a> {
    text: &'a str,
    at: usize,
    line: u32,
    line_start: usize,
    is_directive: bool,
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

impl<'a> Tokens<'a> {
    fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    /// Passes over a character, and knows where the next line begins.
    fn pass(&mut self) {
        if self.byte(0) == Some(b'\n') {
            self.line += 1;
            self.line_start = self.at + 1;
        }
        self.at += 1;
    }

    fn ends_line(&self) -> bool {
        self.byte(0) == Some(b'\n') && !self.is_continued()
    }

    fn is_continued(&self) -> bool {
        let before = &self.text.as_bytes()[..self.at];
        before.strip_suffix(b"\r").unwrap_or(before).ends_with(b"\\")
    }

    fn pass_comment(&mut self) {
        let is_line = self.byte(1) == Some(b'/');
        (0..2).for_each(|_| self.pass());
        while let Some(byte) = self.byte(0) {
            if is_line && self.ends_line() {
                return;
            }
            let is_end = !is_line && byte == b'*' && self.byte(1) == Some(b'/');
            self.pass();
            if is_end {
                self.pass();
                return;
            }
        }
    }

    /// A literal does not go on behind its line: an apostrophe in an `#error` is no beginning.
    fn pass_literal(&mut self, quote: u8) {
        self.pass();
        while let Some(byte) = self.byte(0) {
            if self.ends_line() {
                return;
            }
            self.pass();
            match byte {
                _ if byte == quote => return,
                b'\\' if self.byte(0).is_some() => self.pass(),
                _ => {}
            }
        }
    }

    fn word(&mut self, is_part: impl Fn(u8) -> bool) -> &'a str {
        let start = self.at;
        while self.byte(0).is_some_and(&is_part) {
            self.at += 1;
        }
        &self.text[start..self.at]
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = At<'a>;

    fn next(&mut self) -> Option<At<'a>> {
        loop {
            let byte = self.byte(0)?;
            let (line, is_at_margin) = (self.line, self.at == self.line_start);
            let token = match byte {
                b'/' if matches!(self.byte(1), Some(b'/' | b'*')) => {
                    self.pass_comment();
                    continue;
                }
                b'"' | b'\'' => {
                    self.pass_literal(byte);
                    continue;
                }
                b'0'..=b'9' => {
                    self.word(|byte| is_word(byte) || byte == b'.');
                    continue;
                }
                _ if is_word(byte) => Token::Word(self.word(is_word)),
                _ => {
                    if self.ends_line() {
                        self.is_directive = false;
                    }
                    let is_first = self.text.get(self.line_start..self.at).is_some_and(|start| start.trim().is_empty());
                    self.is_directive |= byte == b'#' && is_first;
                    self.pass();
                    if byte.is_ascii_whitespace() || byte == b'\\' {
                        continue;
                    }
                    Token::Sign(byte)
                }
            };
            return Some(At { token, line, is_at_margin, is_directive: self.is_directive });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(text: &str) -> String {
        let shown = tokens(text).map(|at| match at.token {
            Token::Word(word) => format!("{}:{word}", at.line),
            Token::Sign(sign) => char::from(sign).to_string(),
        });
        shown.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn comments_strings_and_numbers_are_passed_over() {
        let text = "a /* b\n \" */ c // d \\\n e\n\"f \\\" g\" h 'i' 0x1fUL 1.5e3f j\n#error don't\nk/l";
        assert_eq!(written(text), "1:a 2:c 4:h 4:j # 5:error 5:don 6:k / 6:l");
        assert_eq!(written("a /* b"), "1:a");
        assert_eq!(written("\"a\\"), "");
    }

    #[test]
    fn directives_go_on_behind_a_backslash() {
        let flags: Vec<bool> = tokens("a\n # b \\\n c\nd").map(|at| at.is_directive).collect();
        assert_eq!(flags, [false, true, true, true, false]);
    }

    proptest! {
        #[test]
        fn any_text_has_tokens(text in "([a/*\"'\\\\\n#é\r]|//|1){0,40}") {
            let lines = text.lines().count() as u32 + 1;
            prop_assert!(tokens(&text).all(|at| at.line <= lines));
        }
    }
}
