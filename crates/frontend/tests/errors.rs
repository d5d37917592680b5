//! Every kind of bad input has its own message, and none takes the process down.

mod support;

use espalier_frontend::{Error, Input, load};
use std::path::Path;

fn error_of(file: &Path) -> String {
    match load(&support::input(file, &[])) {
        Ok(_) => panic!("{} loads", file.display()),
        Err(error) => error.to_string(),
    }
}

/// Writes `content` to a file of that name and loads it.
fn error_for(name: &str, content: &[u8]) -> String {
    let folder = support::folder();
    let file = folder.path().join(name);
    std::fs::write(&file, content).expect("the temporary folder is writable");
    error_of(&file).replace(&format!("{}/", folder.path().display()), "")
}

const PROGRAM: &str = "
#include <stdio.h>
#include <string.h>
struct s { int a; char b[20]; double c; };
static const char *names[] = { \"one\", \"two\" };
static int f(struct s *s, int n) { for (int i = 0; i < n; i++) s->b[i] ^= names[i & 1][i % 3]; return s->a; }
int main(int argc, char **argv) { struct s s = { argc }; strcpy(s.b, argv[0]); printf(\"%d\\n\", f(&s, argc)); switch (argc) { case 1: return 3; case 5: return 4; } return 0; }
";

#[test]
fn no_files() {
    let error = load(&Input { ..Default::default() }).unwrap_err();
    assert!(error.to_string().starts_with("no input files"), "{error}");
}

#[test]
fn missing_file() {
    assert_eq!(
        error_of(Path::new("no-such-file.c")),
        "cannot read no-such-file.c: No such file or directory (os error 2)"
    );
}

#[test]
fn directory() {
    let folder = support::folder();
    assert!(error_of(folder.path()).ends_with("is a directory; give the files themselves"));
}

#[test]
fn empty_and_unknown_files() {
    assert_eq!(error_for("a.bc", b""), "a.bc is empty");
    assert_eq!(error_for("a.c", b""), "a.c is empty");
    assert!(error_for("a.txt", b"hello there").starts_with("a.txt: unknown kind of file; C sources end in .c"));
    assert_eq!(error_for("a.bc", b"hello there"), "a.bc is corrupt: it does not start like bitcode; compile it again");
    assert_eq!(error_for("a.cpp", b"int main() {}"), "a.cpp: C++ is not supported, only C");
}

#[test]
fn native_files() {
    let folder = support::folder();
    let source = folder.path().join("n.c");
    std::fs::write(&source, "int main(void) { return 0; }").expect("the temporary folder is writable");
    let object = folder.path().join("n.o");
    support::clang(&["-c"], &source, &object);
    let message = error_of(&object);
    assert!(
        message.contains(
            "n.o is a native object file (ELF), not bitcode; give the C files, or make bitcode: `espalier build"
        ),
        "{message}"
    );
    assert!(error_for("lib.a", b"!<arch>\n//").contains("lib.a is an archive, not bitcode"));
}

#[test]
fn c_errors_are_the_compilers() {
    let message = error_for("bad.c", b"int main(void) { return x; }");
    assert!(message.starts_with("bad.c does not compile:\n"), "{message}");
    assert!(message.contains("bad.c:1:25: error: use of undeclared identifier 'x'"), "{message}");
    assert!(message.contains("^"), "{message}");
}

#[test]
fn warnings_are_for_those_who_ask() {
    let source = "int main(void) { int unused; return 0; }";
    let quiet = support::load_c(source, &[]).unwrap_or_else(|error| panic!("{error}"));
    assert!(quiet.warnings.is_empty(), "{:?}", quiet.warnings);
    let loud = support::load_c(source, &["-Wall"]).unwrap_or_else(|error| panic!("{error}"));
    assert!(loud.warnings.iter().any(|text| text.contains("unused variable")), "{:?}", loud.warnings);
}

#[test]
fn no_entry() {
    assert_eq!(
        error_for(
            "lib.c",
            b"int add(int a, int b) { return a + b; } static int hidden(void) { return 0; } int (*p)(void) = hidden;"
        ),
        "there is no function `main` to start from; the files define `add`, `hidden`: name one of them as the entry, or add the file with `main`"
    );
    assert_eq!(
        error_for("none.c", b"int x;"),
        "there is no function `main` to start from; the files define no function at all"
    );
}

#[test]
fn another_entry() {
    let folder = support::folder();
    let file = folder.path().join("lib.c");
    std::fs::write(&file, "int add(int a, int b) { return a + b; }").expect("the temporary folder is writable");
    let input = Input { files: vec![file], entry: "add".into(), ..Default::default() };
    let loaded = load(&input).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(loaded.program.function(loaded.entry).name, "add");
}

#[test]
fn several_files() {
    let folder = support::folder();
    let write = |name: &str, content: &str| {
        let file = folder.path().join(name);
        std::fs::write(&file, content).expect("the temporary folder is writable");
        file
    };
    let main = write(
        "main.c",
        "int helper(int); static int hidden(void) { return 1; } int main(void) { return helper(2) + hidden(); }",
    );
    let other = write("other.c", "static int hidden(void) { return 2; } int helper(int x) { return x + hidden(); }");
    let third = write("third.c", "int helper(int x) { return x; }");
    let bitcode = support::bitcode("int helper(int x) { return 3 * x; }", folder.path(), "fourth");
    let load_all = |files: &[&std::path::PathBuf]| {
        load(&Input { files: files.iter().map(|&file| file.clone()).collect(), ..Default::default() })
    };
    let loaded = load_all(&[&main, &other]).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(support::interpreter::run(&loaded.program, loaded.entry).0, [5]);
    let loaded = load_all(&[&main, &bitcode]).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(support::interpreter::run(&loaded.program, loaded.entry).0, [7]);
    let message = load_all(&[&main, &other, &third]).unwrap_err().to_string();
    let message = message.replace(&format!("{}/", folder.path().display()), "");
    assert!(message.starts_with("`helper` is defined twice: in other.c and in third.c; leave one"), "{message}");
}

#[test]
fn layouts_must_agree() {
    let folder = support::folder();
    let narrow = folder.path().join("narrow.bc");
    let source = folder.path().join("narrow.c");
    std::fs::write(&source, "int helper(int x) { return x; }").expect("the temporary folder is writable");
    support::clang(&["-c", "-emit-llvm", "-m32"], &source, &narrow);
    let main = folder.path().join("main.c");
    std::fs::write(&main, "int helper(int); int main(void) { return helper(2); }")
        .expect("the temporary folder is writable");
    let error = load(&Input { files: vec![main, narrow], ..Default::default() }).unwrap_err();
    assert!(matches!(error, Error::Layouts { first_bits: 64, second_bits: 32, .. }), "{error}");
}

#[test]
fn big_endian_targets_are_refused() {
    let message = error_for("be.ll", b"target datalayout = \"E-p:64:64\"\ntarget triple = \"powerpc64-unknown-linux\"\ndefine i32 @main() { ret i32 0 }\n");
    assert!(message.contains("the target `powerpc64-unknown-linux` is not supported (it is big-endian)"), "{message}");
}

#[test]
fn assembly_errors_have_lines() {
    let message = error_for("a.ll", b"define i32 @main() {\n  ret i64 0\n}\n");
    assert!(message.contains("a.ll:2:7: error:"), "{message}");
    let message =
        error_for("b.ll", b"define i32 @main() {\n  %x = add i32 %y, 1\n  %y = add i32 %x, 1\n  ret i32 %y\n}\n");
    assert!(message.contains("b.ll is not valid LLVM code: Instruction does not dominate all uses!"), "{message}");
}

#[test]
fn truncated_bitcode() {
    let folder = support::folder();
    let good = std::fs::read(support::bitcode(PROGRAM, folder.path(), "good")).expect("just written");
    for length in [3, 4, 7, 8, 40, 100, good.len() / 4, good.len() / 2, good.len() - 100, good.len() - 4] {
        let message = error_for("cut.bc", &good[..length]);
        assert!(message.starts_with("cut.bc "), "{message}");
        if length > 100 {
            assert!(message.contains("LLVM 19.1"), "{message}");
        }
    }
}

#[test]
fn damaged_bitcode_does_not_crash_us() {
    let folder = support::folder();
    let good = std::fs::read(support::bitcode(PROGRAM, folder.path(), "good")).expect("just written");
    let mut outcomes = [0; 2];
    // A fixed sequence of positions and bits.
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    for round in 0..120 {
        let mut bytes = good.clone();
        for _ in 0..=round % 4 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let at = 8 + (state >> 33) as usize % (bytes.len() - 8);
            bytes[at] ^= 1 << ((state >> 20) & 7);
        }
        let file = folder.path().join("damaged.bc");
        std::fs::write(&file, bytes).expect("the temporary folder is writable");
        match load(&support::input(&file, &[])) {
            Ok(_) => outcomes[0] += 1,
            Err(error) => {
                let message = error.to_string();
                assert!(!message.contains("internal error"), "round {round}: {message}");
                outcomes[1] += 1;
            }
        }
    }
    assert!(outcomes[1] > 10, "{outcomes:?}");
}

#[test]
fn newer_bitcode_names_the_versions() {
    let folder = support::folder();
    let mut bytes = std::fs::read(support::bitcode(PROGRAM, folder.path(), "good")).expect("just written");
    // The identification block holds the version as characters of 6 bits or more and then the
    // epoch; the module follows. Both are replaced: the version by one of a later LLVM, and the
    // module by a record of a kind that LLVM 19 does not know.
    let version = find_bits(&bytes, "LLVM19").expect("the producer's name");
    write_char6(&mut bytes, version + 4 * 6, '2');
    write_char6(&mut bytes, version + 5 * 6, '4');
    let half = bytes.len() / 2;
    for byte in &mut bytes[200..half] {
        *byte ^= 0x55;
    }
    let message = error_for("new.bc", &bytes);
    assert!(message.contains("written by LLVM 24.1"), "{message}");
    assert!(message.contains("LLVM 19.1") || message.contains("corrupt"), "{message}");
}

const CHAR6: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";

/// The bit at which `text` is written in characters of 6 bits.
fn find_bits(bytes: &[u8], text: &str) -> Option<usize> {
    (0..bytes.len() * 8 - 6 * text.len()).find(|start| {
        text.chars().enumerate().all(|(i, c)| read_bits(bytes, start + 6 * i) == CHAR6.find(c).map(|code| code as u8))
    })
}

fn read_bits(bytes: &[u8], at: usize) -> Option<u8> {
    Some((0..6).map(|i| (bytes[(at + i) / 8] >> ((at + i) % 8) & 1) << i).sum())
}

fn write_char6(bytes: &mut [u8], at: usize, c: char) {
    let code = CHAR6.find(c).expect("a character of the alphabet");
    for i in 0..6 {
        let (byte, bit) = ((at + i) / 8, (at + i) % 8);
        bytes[byte] = bytes[byte] & !(1 << bit) | ((code >> i & 1) as u8) << bit;
    }
}
