//! In place of PostgreSQL, in a program that was built without it.

use crate::sql::{Access, Sql};
use crate::{Location, StoreError};

pub(crate) fn connect(address: &str, _: Access) -> Result<Box<dyn Sql>, StoreError> {
    Err(refused(address))
}

pub(crate) fn set_aside(address: &str) -> Result<String, StoreError> {
    Err(refused(address))
}

fn refused(address: &str) -> StoreError {
    let at = Location::Postgres(address.to_owned()).to_string();
    StoreError::Address { at, problem: "this program was built without PostgreSQL".to_owned() }
}
