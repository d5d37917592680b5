//! Where a recorded tree is: in a directory, or on a PostgreSQL server.
//!
//! A database can have several trees, each in a schema of its own, which the address names:
//! `postgres://user@host/database?tree=NAME`.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};

const SCHEMES: [&str; 2] = ["postgres://", "postgresql://"];

/// A directory, or the address of a server. Whoever prints it sees no password.
#[derive(Clone, PartialEq, Eq)]
pub enum Location {
    Directory(PathBuf),
    Postgres(String),
}

impl Location {
    /// What somebody wrote on a command line.
    pub fn from_argument(argument: &OsStr) -> Location {
        match argument.to_str() {
            Some(text) if SCHEMES.iter().any(|scheme| text.starts_with(scheme)) => Location::Postgres(text.to_owned()),
            _ => Location::Directory(argument.into()),
        }
    }

    /// Unless it is on a server.
    pub fn directory(&self) -> Option<&Path> {
        match self {
            Location::Directory(dir) => Some(dir),
            Location::Postgres(_) => None,
        }
    }

    /// The argument that it is read from, password and all.
    pub fn to_argument(&self) -> OsString {
        match self {
            Location::Directory(dir) => dir.clone().into_os_string(),
            Location::Postgres(address) => address.into(),
        }
    }

    /// The name of the database, for messages.
    pub(crate) fn database(&self) -> String {
        match self {
            Location::Directory(dir) => dir.join(crate::sqlite::NAME).display().to_string(),
            Location::Postgres(_) => self.to_string(),
        }
    }
}

fn without_password(address: &str) -> String {
    let (scheme, rest) = address.split_once("://").unwrap_or(("", address));
    let rest = match rest.rsplit_once('@') {
        Some((user, host)) => format!("{}@{host}", user.split_once(':').map_or(user, |(name, _)| name)),
        None => rest.to_owned(),
    };
    let (before, query) = rest.split_once('?').unwrap_or((&rest, ""));
    let shown: Vec<&str> = query.split('&').filter(|option| !option.starts_with("password=")).collect();
    let query = shown.join("&");
    let mark = if query.is_empty() { "" } else { "?" };
    format!("{scheme}://{before}{mark}{query}")
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Location::Directory(dir) => dir.display().fmt(f),
            Location::Postgres(address) => f.write_str(&without_password(address)),
        }
    }
}

impl fmt::Debug for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to_string())
    }
}

impl From<&Path> for Location {
    fn from(dir: &Path) -> Location {
        Location::Directory(dir.to_owned())
    }
}

impl From<&PathBuf> for Location {
    fn from(dir: &PathBuf) -> Location {
        Location::Directory(dir.clone())
    }
}

impl From<&Location> for Location {
    fn from(location: &Location) -> Location {
        location.clone()
    }
}

/// An argument.
impl From<OsString> for Location {
    fn from(argument: OsString) -> Location {
        Location::from_argument(&argument)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn location(argument: &str) -> Location {
        Location::from_argument(OsStr::new(argument))
    }

    #[test]
    fn addresses_are_told_from_directories() {
        for dir in ["tree", "/a/b", "./postgres://x", "postgres:", "sqlite://x"] {
            assert_eq!(location(dir), Location::Directory(dir.into()));
        }
        for address in ["postgres://u@h/d", "postgresql://h:5432/d?tree=x"] {
            assert_eq!(location(address), Location::Postgres(address.into()));
        }
    }

    #[test]
    fn no_password_is_shown() {
        for (address, shown) in [
            ("postgres://ann:secret@host:5432/db?tree=x", "postgres://ann@host:5432/db?tree=x"),
            ("postgres://ann:se@cret/?:@host/db", "postgres://ann@host/db"),
            ("postgres://ann@host/db?password=secret&tree=x", "postgres://ann@host/db?tree=x"),
            ("postgres://host/db?password=se@secret", "postgres://host/db"),
            ("postgres://host:5432/db", "postgres://host:5432/db"),
        ] {
            assert_eq!(location(address).to_string(), shown);
            assert!(!format!("{:?}", location(address)).contains("secret"));
        }
    }
}
