//! Source locations as text.

use espalier_ir::{Loc, Program};
use std::fmt;
use std::path::Path;

/// A source location with its file's name, below the current directory where possible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

impl Place {
    /// `None` where the compiler recorded no location.
    pub(crate) fn new(program: &Program, loc: Loc) -> Option<Place> {
        let Loc { file, line, column } = loc;
        let file = || shorten(program.file_name(file));
        loc.is_known().then(|| Place { file: file(), line, column })
    }

    /// "file.c:12", as error files have it.
    pub(crate) fn without_column(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)?;
        if self.column == 0 { Ok(()) } else { write!(f, ":{}", self.column) }
    }
}

fn shorten(file: &str) -> String {
    let below =
        std::env::current_dir().ok().and_then(|dir| Some(Path::new(file).strip_prefix(dir).ok()?.to_str()?.to_owned()));
    below.unwrap_or_else(|| file.strip_prefix("./").unwrap_or(file).to_owned())
}

/// A place, or words for its absence.
pub(crate) fn show(place: Option<&Place>) -> String {
    place.map_or_else(|| "an unknown place".to_owned(), Place::to_string)
}

/// The same with the file's name as the program has it.
pub(crate) fn location(program: &Program, loc: Loc) -> String {
    let Loc { file, line, column } = loc;
    let place = loc.is_known().then(|| Place { file: program.file_name(file).to_owned(), line, column });
    show(place.as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_below_the_current_directory_are_short() {
        let here = std::env::current_dir().unwrap();
        assert_eq!(shorten(here.join("a/b.c").to_str().unwrap()), "a/b.c");
        assert_eq!(shorten("./a.c"), "a.c");
        assert_eq!(shorten("/elsewhere/a.c"), "/elsewhere/a.c");
    }
}
