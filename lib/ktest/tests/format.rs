//! The format byte for byte, what is refused and how, and round trips of arbitrary tests.

use ktest::{Error, KTest, Object};
use proptest::prelude::*;

/// `prog a`, one symbolic argument of length 2, and two objects.
const GOLDEN: &[u8] = b"KTEST\0\0\0\x03\
    \0\0\0\x02\0\0\0\x04prog\0\0\0\x01a\
    \0\0\0\x01\0\0\0\x02\
    \0\0\0\x02\
    \0\0\0\x04arg0\0\0\0\x03hi\0\
    \0\0\0\x01x\0\0\0\x04\xff\x01\0\x80";

fn golden() -> KTest {
    KTest {
        args: vec![b"prog".to_vec(), b"a".to_vec()],
        sym_argvs: 1,
        sym_argv_len: 2,
        objects: vec![Object::new("arg0", *b"hi\0"), Object::new("x", [0xff, 1, 0, 0x80])],
    }
}

fn message(data: &[u8]) -> String {
    KTest::read(data).unwrap_err().to_string()
}

#[test]
fn reads_and_writes_the_golden_file() {
    assert_eq!(KTest::read(GOLDEN).unwrap(), golden());
    assert_eq!(golden().to_bytes().unwrap(), GOLDEN);
}

#[test]
fn reads_old_files() {
    let mut old = GOLDEN.to_vec();
    old[..5].copy_from_slice(b"BOUT\n");
    assert_eq!(KTest::read(&old).unwrap(), golden());

    old[8] = 2;
    assert_eq!(KTest::read(&old).unwrap(), golden());

    let version_1 = b"BOUT\n\0\0\0\x01\0\0\0\x01\0\0\0\x01p\0\0\0\x01\0\0\0\x01x\0\0\0\x01\x07";
    let test = KTest::read(version_1).unwrap();
    assert_eq!(test.args, [b"p"]);
    assert_eq!((test.sym_argvs, test.sym_argv_len), (0, 0));
    assert_eq!(test.objects, [Object::new("x", [7])]);
}

#[test]
fn keeps_names_that_are_not_text_and_empty_ones() {
    let test = KTest { objects: vec![Object::new([b'a', 0xff], []), Object::default()], ..KTest::default() };
    assert_eq!(KTest::read(&test.to_bytes().unwrap()).unwrap(), test);
    assert_eq!(test.objects[0].name_lossy(), "a\u{fffd}");
}

#[test]
fn ignores_bytes_after_the_last_object() {
    let longer = [GOLDEN, b"more"].concat();
    assert_eq!(KTest::read(&longer).unwrap(), golden());
}

#[test]
fn refuses_other_files() {
    assert_eq!(message(b""), "not a .ktest file: it starts with \"\" instead of \"KTEST\"");
    assert_eq!(message(b"KTES"), "not a .ktest file: it starts with \"KTES\" instead of \"KTEST\"");
    assert_eq!(message(b"\x7fELF\x02\x01"), r#"not a .ktest file: it starts with "\x7fELF\x02" instead of "KTEST""#);
}

#[test]
fn refuses_other_versions() {
    assert_eq!(message(b"KTEST\0\0\0\x04"), "offset 5: version 4 is not supported (1 to 3 are)");
    assert_eq!(message(b"KTEST\0\0\0\0"), "offset 5: version 0 is not supported (1 to 3 are)");
}

#[test]
fn says_where_a_file_ends_too_early() {
    assert_eq!(message(b"KTEST\0\0"), "offset 5: the version needs 4 bytes, 2 are left");
    assert_eq!(message(b"KTEST\0\0\0\x03\0\0\0\x01\0\0\0\x09abc"), "offset 17: an argument needs 9 bytes, 3 are left");
    for length in 0..GOLDEN.len() {
        assert!(KTest::read(&GOLDEN[..length]).is_err(), "prefix of length {length}");
    }
}

#[test]
fn refuses_absurd_counts_before_allocating() {
    assert_eq!(
        message(b"KTEST\0\0\0\x03\xff\xff\xff\xff"),
        "offset 9: the list of arguments needs 17179869180 bytes, 0 are left"
    );
    assert_eq!(
        message(b"KTEST\0\0\0\x03\0\0\0\0\0\0\0\0\0\0\0\0\x80\0\0\0rest"),
        "offset 21: the list of objects needs 17179869184 bytes, 4 are left"
    );
}

#[test]
fn files() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("test000001.ktest");
    golden().write_file(&path).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), GOLDEN);
    assert_eq!(KTest::read_file(&path).unwrap(), golden());

    let missing = KTest::read_file(dir.path().join("none.ktest")).unwrap_err();
    assert!(matches!(missing, Error::Io { .. }));
    assert!(missing.to_string().contains("none.ktest"));
}

#[test]
fn endless_files_are_refused_by_their_beginning() {
    assert!(matches!(KTest::read_file("/dev/zero"), Err(Error::BadMagic { .. })));
    assert!(matches!(KTest::read_file("/"), Err(Error::Io { .. })));
}

fn bytes(max: usize) -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..max)
}

prop_compose! {
    fn any_test()(
        args in prop::collection::vec(bytes(12), 0..5),
        sym_argvs: u32,
        sym_argv_len: u32,
        objects in prop::collection::vec((bytes(12), bytes(40)), 0..8),
    ) -> KTest {
        let objects = objects.into_iter().map(|(name, bytes)| Object { name, bytes }).collect();
        KTest { args, sym_argvs, sym_argv_len, objects }
    }
}

proptest! {
    #[test]
    fn round_trips(test in any_test()) {
        let encoded = test.to_bytes().unwrap();
        prop_assert_eq!(KTest::read(&encoded).unwrap(), test);
    }

    #[test]
    fn every_prefix_is_an_error(test in any_test(), cut: prop::sample::Index) {
        let encoded = test.to_bytes().unwrap();
        prop_assert!(KTest::read(&encoded[..cut.index(encoded.len())]).is_err());
    }

    #[test]
    fn damaged_files_do_not_panic(test in any_test(), at: prop::sample::Index, byte: u8) {
        let mut encoded = test.to_bytes().unwrap();
        let at = at.index(encoded.len());
        encoded[at] = byte;
        if let Ok(read) = KTest::read(&encoded) {
            prop_assert!(read.to_bytes().unwrap().len() <= encoded.len() + 8);
        }
    }

    #[test]
    fn arbitrary_bytes_do_not_panic(version in 0u8..5, rest in bytes(80)) {
        let _ = KTest::read(&[b"KTEST\0\0\0".as_slice(), &[version], &rest].concat());
        let _ = KTest::read(&rest);
    }
}
