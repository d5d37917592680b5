//! The tokens of the text form.

use super::ParseError;
use crate::display::is_word_char;

/// What a token is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind<'t> {
    Word(&'t str),
    /// `%3`.
    Reg(u32),
    /// `@name`, `@"name"`, `@name#g3`: the name, and what tells it from others.
    Symbol(String, Option<&'t str>),
    /// Digits, or `0x` and hexadecimal digits.
    Number(&'t str),
    /// A quoted text, or the bytes of `x"…"`.
    Bytes(Vec<u8>),
    /// Punctuation.
    Mark(&'static str),
    End,
}

/// A token and where it begins. Lines and columns count from 1.
#[derive(Clone, Debug)]
pub(super) struct Token<'t> {
    pub kind: Kind<'t>,
    /// As it is written.
    pub text: &'t str,
    pub line: u32,
    pub column: u32,
    pub is_first_on_line: bool,
}

/// Longer ones before their beginnings.
const MARKS: [&str; 19] =
    ["...", "->", "=>", "=", ",", ":", "(", ")", "[", "]", "{", "}", "*", "+", "-", "&", "?", "!", "/"];

/// All tokens of a text; the last one is its end.
pub(super) fn tokens(text: &str) -> Result<Vec<Token<'_>>, ParseError> {
    let mut lexer = Lexer { rest: text, line: 1, column: 1 };
    let mut tokens: Vec<Token<'_>> = Vec::new();
    loop {
        lexer.skip_blanks();
        let (line, column, before) = (lexer.line, lexer.column, lexer.rest);
        let kind = lexer.kind()?;
        let text = &before[..before.len() - lexer.rest.len()];
        let is_first_on_line = tokens.last().is_none_or(|last| last.line != line);
        let is_end = kind == Kind::End;
        tokens.push(Token { kind, text, line, column, is_first_on_line });
        if is_end {
            return Ok(tokens);
        }
    }
}

struct Lexer<'t> {
    rest: &'t str,
    line: u32,
    column: u32,
}

impl<'t> Lexer<'t> {
    fn error(&self, what: &str) -> ParseError {
        ParseError::Text { line: self.line, column: self.column, what: what.to_owned() }
    }

    /// Takes the next `bytes` bytes, which end at a character's end.
    fn take(&mut self, bytes: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(bytes);
        for c in taken.chars() {
            (self.line, self.column) = if c == '\n' { (self.line + 1, 1) } else { (self.line, self.column + 1) };
        }
        self.rest = rest;
        taken
    }

    fn take_while(&mut self, is_inside: impl Fn(char) -> bool) -> &'t str {
        self.take(self.rest.find(|c| !is_inside(c)).unwrap_or(self.rest.len()))
    }

    fn skip_blanks(&mut self) {
        loop {
            self.take_while(char::is_whitespace);
            if !self.rest.starts_with("//") {
                return;
            }
            self.take_while(|c| c != '\n');
        }
    }

    fn kind(&mut self) -> Result<Kind<'t>, ParseError> {
        let Some(first) = self.rest.chars().next() else { return Ok(Kind::End) };
        if self.rest.starts_with("x\"") {
            self.take(1);
            let digits = self.quoted()?;
            return hex_bytes(&digits)
                .map(Kind::Bytes)
                .ok_or_else(|| self.error("expected pairs of hexadecimal digits"));
        }
        if let Some(mark) = MARKS.into_iter().find(|mark| self.rest.starts_with(mark)) {
            self.take(mark.len());
            return Ok(Kind::Mark(mark));
        }
        match first {
            '"' => self.quoted().map(Kind::Bytes),
            '%' => {
                self.take(1);
                let digits = self.take_while(|c| c.is_ascii_digit());
                digits.parse().map(Kind::Reg).map_err(|_| self.error("expected the number of a register after `%`"))
            }
            '@' => self.symbol(),
            '0'..='9' => Ok(Kind::Number(self.take_while(|c| c.is_ascii_alphanumeric()))),
            c if is_word_char(c) => Ok(Kind::Word(self.take_while(is_word_char))),
            _ => Err(self.error(&format!("unexpected `{}`", first.escape_default()))),
        }
    }

    fn symbol(&mut self) -> Result<Kind<'t>, ParseError> {
        self.take(1);
        let name = if self.rest.starts_with('"') {
            String::from_utf8(self.quoted()?).map_err(|_| self.error("expected a name in UTF-8"))?
        } else {
            self.take_while(is_word_char).to_owned()
        };
        let number = self.rest.starts_with('#').then(|| {
            self.take(1);
            self.take_while(is_word_char)
        });
        Ok(Kind::Symbol(name, number))
    }

    /// The bytes of a quoted text, whose escapes are those of Rust's byte strings.
    fn quoted(&mut self) -> Result<Vec<u8>, ParseError> {
        self.take(1);
        let mut bytes = Vec::new();
        loop {
            let plain = self.take_while(|c| !matches!(c, '"' | '\\' | '\n'));
            bytes.extend_from_slice(plain.as_bytes());
            let mut next = self.rest.chars();
            match (next.next(), next.next()) {
                (Some('"'), _) => {
                    self.take(1);
                    return Ok(bytes);
                }
                (Some('\\'), Some('x')) => {
                    let byte = self.rest.get(2..4).and_then(|digits| hex_bytes(digits.as_bytes()));
                    bytes.extend(byte.ok_or_else(|| self.error("expected two hexadecimal digits after `\\x`"))?);
                    self.take(4);
                }
                (Some('\\'), Some(c @ ('n' | 't' | 'r' | '0' | '\\' | '"' | '\''))) => {
                    bytes.push(match c {
                        'n' => b'\n',
                        't' => b'\t',
                        'r' => b'\r',
                        '0' => 0,
                        other => other as u8,
                    });
                    self.take(2);
                }
                (Some('\\'), _) => return Err(self.error("unknown escape")),
                _ => return Err(self.error("expected `\"` before the end of the line")),
            }
        }
    }
}

fn hex_bytes(digits: &[u8]) -> Option<Vec<u8>> {
    let digit = |c: u8| (c as char).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    digits.chunks(2).map(|pair| Some(digit(*pair.first()?)? << 4 | digit(*pair.get(1)?)?)).collect()
}
