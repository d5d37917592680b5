//! Places for trees, one in each kind of database, so that a test can be run with both.

// Each of the tests needs a part of this.
#![allow(dead_code, unused_imports, unused_macros)]

use espalier_store::Location;
use tempfile::TempDir;

/// A place for a tree that nobody else has.
pub struct Home {
    pub location: Location,
    _dir: Option<TempDir>,
}

/// A directory.
pub fn directory() -> Home {
    let dir = tempfile::tempdir().unwrap();
    Home { location: dir.path().into(), _dir: Some(dir) }
}

/// A schema on a server that all tests of the process share.
#[cfg(feature = "postgres")]
pub fn schema() -> Home {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let tree = format!("tree-{}", NUMBER.fetch_add(1, Ordering::Relaxed));
    Home::at(Location::Postgres(format!("{}?tree={tree}", address("espalier"))))
}

/// That of the server, for one of its users.
#[cfg(feature = "postgres")]
pub fn address(user: &str) -> String {
    static SERVER: std::sync::LazyLock<pgserver::Server> =
        std::sync::LazyLock::new(|| pgserver::Server::start().unwrap());
    SERVER.address(user, "postgres")
}

impl Home {
    /// A schema.
    #[cfg(feature = "postgres")]
    pub fn at(location: Location) -> Home {
        Home { location, _dir: None }
    }

    /// Changes the database behind the back of whoever uses it.
    pub fn change(&self, sql: &str) {
        match &self.location {
            Location::Directory(dir) => {
                rusqlite::Connection::open(dir.join("tree.db")).unwrap().execute_batch(sql).unwrap();
            }
            #[cfg(feature = "postgres")]
            Location::Postgres(address) => {
                let (address, tree) = address.split_once("?tree=").unwrap();
                let mut client = postgres::Client::connect(address, postgres::NoTls).unwrap();
                client.batch_execute(&format!("SET search_path TO \"{tree}\"; {sql}")).unwrap();
            }
            #[cfg(not(feature = "postgres"))]
            Location::Postgres(_) => unreachable!("there are none"),
        }
    }
}

/// Makes tests of functions, one with each database.
macro_rules! with_both {
    ($($name:ident),* $(,)?) => {
        mod sqlite {
            $(#[test] fn $name() { super::$name(&crate::homes::directory()); })*
        }
        #[cfg(feature = "postgres")]
        mod postgresql {
            $(#[test] fn $name() { super::$name(&crate::homes::schema()); })*
        }
    };
}
pub(crate) use with_both;
