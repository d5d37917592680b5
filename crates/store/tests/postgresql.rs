//! What can only happen with a server.
#![cfg(feature = "postgres")]

mod homes;

use espalier_store::{Commit, Location, Reader, Store, StoreError, Tasks, Writer};
use homes::{Home, address, schema};

fn create(address: String) -> Result<Store, StoreError> {
    Store::create(Location::Postgres(address), &[])
}

/// The message of a server that refuses.
fn refusal(address: String) -> String {
    match create(address) {
        Err(error @ StoreError::Server { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_a_server_refuses_is_explained() {
    let home = schema();
    home.change("CREATE ROLE guarded LOGIN PASSWORD 'right'; CREATE ROLE guest LOGIN");
    let guarded = |password: &str| address("guarded").replace("guarded@", &format!("guarded{password}@"));

    let text = refusal("postgres://nobody@%2Fnowhere/postgres".to_owned());
    assert!(text.contains("see that the server runs and can be reached"), "{text}");
    let text = refusal("postgres://nobody@127.0.0.1:1/postgres".to_owned());
    assert!(text.contains("refused") && text.contains("see that the server runs"), "{text}");
    let text = refusal(guarded(":wrong"));
    assert!(text.contains("password authentication failed for user \"guarded\""), "{text}");
    assert!(text.contains("PGPASSWORD") && !text.contains("wrong"), "{text}");
    let text = refusal(guarded(""));
    assert!(text.contains("password missing") && text.contains("PGPASSWORD"), "{text}");
    let text = refusal(address("stranger"));
    assert!(text.contains("role \"stranger\" does not exist") && text.contains("check the user"), "{text}");
    let text = refusal(address("espalier").replace("/postgres", "/nothing"));
    assert!(text.contains("database \"nothing\" does not exist") && text.contains("createdb"), "{text}");
    let text = refusal(address("guest"));
    assert!(text.contains("permission denied for database postgres") && text.contains("GRANT CREATE"), "{text}");
    home.change("GRANT CREATE ON DATABASE postgres TO guest, guarded");
    create(address("guest") + "?tree=of-guest").unwrap();
    create(guarded(":right") + "?tree=of-guarded").unwrap();
    home.change("DROP OWNED BY guest, guarded; DROP ROLE guest, guarded");
}

#[test]
fn a_database_has_several_trees() {
    let (one, other) = (schema(), schema());
    let meta = |name: &'static str| [("name", name.as_bytes())];
    let stores = [Store::create(&one.location, &meta("one")), Store::create(&other.location, &meta("other"))];
    let stores = stores.map(Result::unwrap);
    for (home, name) in [(&one, "one"), (&other, "other")] {
        let reader = Reader::open(&home.location).unwrap();
        assert_eq!(reader.meta("name").unwrap().unwrap(), name.as_bytes());
        assert!(matches!(Store::create(&home.location, &[]), Err(StoreError::Owned { .. })));
    }
    drop(stores);
    let error = Store::create(&one.location, &[]).unwrap_err();
    assert!(matches!(error, StoreError::Exists(_)), "{error}");
    assert!(error.to_string().contains("?tree=NAME"), "{error}");
    let missing = Location::Postgres(address("espalier") + "?tree=nothing");
    assert!(matches!(Reader::open(&missing), Err(StoreError::Missing(_))));
    assert!(matches!(Store::open(&missing), Err(StoreError::Missing(_))));
    assert!(matches!(Tasks::join(&missing), Err(StoreError::Missing(_))));
}

/// The tree that was set aside can still be read.
#[test]
fn a_tree_that_was_set_aside_has_another_name() {
    let home = schema();
    for _ in 0..2 {
        Store::create(&home.location, &[]).unwrap();
        Store::set_aside(&home.location).unwrap();
    }
    let Location::Postgres(address) = &home.location else { unreachable!() };
    for number in 1..=2 {
        let aside = Home::at(Location::Postgres(format!("{address}.{number}")));
        Reader::open(&aside.location).unwrap();
    }
}

const DISCONNECT: &str = "
    SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND pid <> pg_backend_pid()
        AND EXISTS (SELECT * FROM pg_stat_activity WHERE pg_stat_activity.pid = pg_locks.pid
            AND application_name = 'to be cut off')";

#[test]
fn a_lost_connection_ends_writing_and_ownership() {
    let home = schema();
    let Location::Postgres(address) = &home.location else { unreachable!() };
    let location = Location::Postgres(format!("{address}&application_name=to%20be%20cut%20off"));
    let mut store = Store::create(&location, &[]).unwrap();
    store.begin_run("now", "", "").unwrap();
    let error = Store::open(&home.location).unwrap_err().to_string();
    assert!(error.contains("is being written by to be cut off (process "), "{error}");
    let writer = Writer::start(store);
    let commit = |learnt| Commit { learnt: vec![vec![learnt]], ..Commit::default() };
    writer.send_and_wait(commit(1)).unwrap();
    home.change(DISCONNECT);
    let error = writer.send_and_wait(commit(2)).unwrap_err();
    assert!(matches!(error, StoreError::Server { .. }), "{error:?}");
    assert!(error.to_string().contains("what was committed before is whole"), "{error}");
    let mut heir = Store::open(&home.location).unwrap();
    heir.commit(&commit(3)).unwrap();
    assert!(writer.send_and_wait(commit(4)).is_err());
    let mut learnt = Vec::new();
    heir.reader().unwrap().learnt(&mut |data| learnt.extend(data)).unwrap();
    assert_eq!(learnt, [1, 3]);
}
