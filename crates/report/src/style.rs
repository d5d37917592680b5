//! Colour, and when to use it.

use std::fmt::{self, Display};
use std::io::IsTerminal;

/// Whether text for people carries terminal escapes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Style {
    Plain,
    Colour,
}

impl Style {
    /// Colour on a terminal, unless `NO_COLOR` or a terminal that knows none says otherwise.
    pub(crate) fn for_stream(stream: &impl IsTerminal) -> Style {
        let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        if stream.is_terminal() && !is_set("NO_COLOR") && !is_dumb { Style::Colour } else { Style::Plain }
    }

    pub(crate) fn error<T: Display>(self, text: T) -> Styled<T> {
        self.with("1;31", text)
    }

    pub(crate) fn warning<T: Display>(self, text: T) -> Styled<T> {
        self.with("1;33", text)
    }

    pub(crate) fn good<T: Display>(self, text: T) -> Styled<T> {
        self.with("1;32", text)
    }

    pub(crate) fn bold<T: Display>(self, text: T) -> Styled<T> {
        self.with("1", text)
    }

    /// Line numbers, arrows and other furniture.
    pub(crate) fn frame<T: Display>(self, text: T) -> Styled<T> {
        self.with("1;34", text)
    }

    fn with<T: Display>(self, code: &'static str, text: T) -> Styled<T> {
        Styled { code: (self == Style::Colour).then_some(code), text }
    }
}

pub(crate) struct Styled<T> {
    code: Option<&'static str>,
    text: T,
}

impl<T: Display> Display for Styled<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code {
            Some(code) => write!(f, "\x1b[{code}m{}\x1b[0m", self.text),
            None => self.text.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_has_no_escapes() {
        assert_eq!(Style::Plain.error("x").to_string(), "x");
        assert_eq!(Style::Colour.error("x").to_string(), "\x1b[1;31mx\x1b[0m");
    }
}
