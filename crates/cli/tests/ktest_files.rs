//! `espalier ktest`: what is written is read back by every reader that there is (the library,
//! `show`, the replay library in C), and damaged files are refused in one line each.

mod support;

use espalier_base::{Rng, process as child};
use ktest::{KTest, Object};
use std::time::Duration;
use support::process::{End, check_error};
use support::project::Project;

#[test]
fn a_test_made_by_hand_is_read_by_all() {
    let project = Project::new(
        "#include <klee/klee.h>
         #include <string.h>
         int main(int argc, char **argv) {
             short pair[2];
             double d;
             char name[8];
             unsigned char raw[3], data[5];
             klee_make_symbolic(pair, sizeof pair, \"pair\");
             klee_make_symbolic(&d, sizeof d, \"a number\");
             klee_make_symbolic(name, sizeof name, \"name[8]\");
             klee_make_symbolic(raw, sizeof raw, \"raw\");
             klee_make_symbolic(data, sizeof data, \"data\");
             return !(pair[0] == -1 && pair[1] == 258 && d == 0.5 && !strcmp(name, \"it's\") && name[7] == 0 &&
                      raw[0] == 0 && raw[1] == 0xff && raw[2] == 'A' && !memcmp(data, \"12\\n45\", 5) &&
                      argc == 3 && !strcmp(argv[1], \"-x\") && !strcmp(argv[2], \"a b\"));
         }",
    );
    project.write("data", b"12\n45");
    let mut command = project.command("ktest gen -o t.ktest --object pair=i16:-1,0x102 --object raw=hex:00ff41");
    command.args(["--object", "data=file:data", "--program", "prog", "--", "-x", "a b"]);
    let finished = support::process::run(&mut command, Duration::from_secs(20));
    assert_eq!(finished.end, End::Exit(0), "{finished:?}");

    // Objects are in the order of the command line: these two are missing in between.
    let finished = project.run("replay t.ktest prog.c");
    assert!(finished.stdout.contains("asks for 'a number' of 8 bytes, object 2 of the test is 'raw' of 3 bytes"));
    let mut test = KTest::read_file(project.path("t.ktest")).unwrap();
    assert_eq!(test.args, [&b"prog"[..], b"-x", b"a b"]);
    assert_eq!(test.objects[0], Object::new("pair", [0xff, 0xff, 2, 1]));

    let mut command = project.command("ktest gen -o t.ktest --object pair=i16:-1,0x102");
    command.args(["--object", "a number=f64:0.5", "--object", "name[8]=str[8]:it's", "--object", "raw=hex:00ff41"]);
    command.args(["--object", "data=file:data", "--program", "prog", "--", "-x", "a b"]);
    assert_eq!(support::process::run(&mut command, Duration::from_secs(20)).end, End::Exit(0));
    let finished = project.run("replay t.ktest prog.c");
    assert!(finished.stdout.contains("agrees (exit with 0)"), "{finished:?}");

    test.objects.insert(1, Object::new("a number", 0.5f64.to_le_bytes()));
    test.objects.insert(2, Object::new("name[8]", *b"it's\0\0\0\0"));
    assert_eq!(KTest::read_file(project.path("t.ktest")).unwrap(), test);
    let shown = project.run("ktest show t.ktest").stdout;
    for line in ["num objects: 5", "object 2: data: b\"it's\\x00\\x00\\x00\\x00\"", "object 4: text: 12.45"] {
        assert!(shown.contains(line), "{line} is not in\n{shown}");
    }
    assert!(project.run("ktest show --trim-zeros t.ktest").stdout.contains("object 2: data: b\"it's\"\n"));
}

/// Random tests: `gen`, then `show --json`, gives back what was written.
#[test]
fn round_trips() {
    let project = Project::new("");
    let mut rng = Rng::new(1);
    for round in 0..20 {
        let mut command = project.command("ktest gen -o t.ktest");
        let mut expected = Vec::new();
        for number in 0..rng.below(5) {
            let bytes: Vec<u8> = (0..rng.below(20)).map(|_| rng.below(256) as u8).collect();
            let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            command.args(["--object", &format!("o {number}=hex:{hex}")]);
            expected.push((format!("o {number}"), hex));
        }
        assert_eq!(support::process::run(&mut command, Duration::from_secs(20)).end, End::Exit(0));
        let finished = project.run("ktest show --json t.ktest");
        let value: serde_json::Value = serde_json::from_str(&finished.stdout).unwrap();
        let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
        let objects = value["objects"].as_array().unwrap();
        let shown: Vec<_> = objects.iter().map(|object| (text(&object["name"]), text(&object["hex"]))).collect();
        assert_eq!(shown, expected, "round {round}");
    }
}

#[test]
fn damaged_files_are_refused_with_little_memory() {
    let project = Project::new("");
    let objects = vec![Object::new("x", [1, 2, 3, 4]), Object::new("buffer", [7; 20])];
    let whole = KTest { args: vec![b"prog".to_vec()], objects, ..KTest::default() }.to_bytes().unwrap();
    let mut files = Vec::new();
    let mut add = |bytes: &[u8]| {
        let name = format!("{}.ktest", files.len());
        project.write(&name, bytes);
        files.push(name);
    };
    for length in 0..whole.len() {
        add(&whole[..length]);
    }
    let truncated = whole.len();
    let mut rng = Rng::new(2);
    for _ in 0..300 {
        let mut damaged = whole.clone();
        for _ in 0..=rng.below(3) {
            let at = rng.below(damaged.len());
            damaged[at] = [0, 1, 0x7f, 0x80, 0xff][rng.below(5)];
        }
        add(&damaged);
    }
    let mut command = project.command("ktest show");
    command.args(&files);
    let limits = child::Limits { resident: Some(256 << 20), ..child::Limits::time(Duration::from_secs(60)) };
    let finished = child::capture(&mut command, std::process::Stdio::null(), &limits, usize::MAX, &|| false);
    assert_eq!(finished.end, child::End::Exit(2));
    let errors = String::from_utf8_lossy(&finished.stderr);
    assert!(!errors.contains("panicked") && !errors.contains("internal error"), "{errors}");
    for name in &files[..truncated] {
        assert!(errors.contains(&format!("error: {name}: ")), "{name} is truncated, but was read");
    }
}

#[test]
fn mistakes_on_the_command_line() {
    let project = Project::new("");
    let check = |args: &str, code: i32, part: &str| check_error(&project.run(args), code, part);
    check("ktest gen --object x=i32:1", 1, "--output");
    check("ktest gen -o t.ktest --object x", 1, "an object is NAME=TYPE:VALUE");
    check("ktest gen -o t.ktest --object x=i8:300", 1, "300 does not fit i8");
    check("ktest gen -o absent/t.ktest --object x=i8:3", 2, "absent/t.ktest");
    check("ktest show absent.ktest", 2, "absent.ktest");
    check("ktest show prog.c", 2, "prog.c: not a .ktest file");
    check("ktest show /dev/zero", 2, "not a .ktest file");
    check("ktest", 1, "Usage: espalier ktest");
}
