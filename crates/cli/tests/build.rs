//! `espalier build`: builds of all kinds give bitcode of their programs, and what is found in it
//! has the lines of the sources.

mod support;

use std::fs;
use std::process::Command;
use std::time::Duration;
use support::process::{self, End, Finished, check};
use support::project::Project;

const LIMIT: Duration = Duration::from_secs(120);

/// A program that reads past a table for one input. The table's size comes from elsewhere.
const MAIN: &str = r#"#include <klee/klee.h>
#include "table.h"
int main(void) {
  int i;
  klee_make_symbolic(&i, sizeof i, "i");
  return lookup(i) != 0;
}
"#;

const TABLE: &str = r#"#include "table.h"
#include "size.h"
static int table[SIZE];
int lookup(int i) {
  if (i < 0 || i > SIZE)
    return 0;
  return table[i];
}
"#;

const PLACE: &str = "table.c:7:10";

/// A directory with these files.
fn project(files: &[(&str, &str)]) -> Project {
    let project = Project::new("");
    for (name, text) in files {
        let dir = project.path(name).parent().expect("a directory").to_owned();
        fs::create_dir_all(dir).expect("a directory");
        project.write(name, text.as_bytes());
    }
    project
}

/// `espalier build` with options and a shell's command.
fn build(project: &Project, options: &str, script: &str) -> Finished {
    process::run(&mut build_command(project, options, script), LIMIT)
}

fn build_command(project: &Project, options: &str, script: &str) -> Command {
    let mut command = project.command("build");
    command.args(options.split_whitespace()).args(["--", "sh", "-e", "-c", script]);
    for variable in ["CC", "HOSTCC", "CFLAGS", "MAKEFLAGS", "ESPALIER_BUILD_CC"] {
        command.env_remove(variable);
    }
    command
}

/// The bitcode has the three paths of the program above, and the error is where it is.
#[track_caller]
fn check_run(project: &Project, bitcode: &str, place: &str) {
    let finished = project.run(&format!("run --output-dir out-{} {bitcode}", bitcode.replace('/', "-")));
    check(&finished, 10, &[&format!("ptr at {place}"), "Paths: 3 completed, 1 ended in an error", "return table[i];"]);
}

const MAKEFILE: &str = "\
CFLAGS = -O2 -g -Wall -Werror -D_FORTIFY_SOURCE=2 -flto -I. -Isub
prog: main.o sub/libtable.a
\t$(CC) $(CFLAGS) -o $@ main.o -Lsub -ltable
main.o: main.c sub/table.h
\t$(CC) $(CFLAGS) -MD -MP -c main.c
sub/libtable.a:
\t$(MAKE) -C sub
clean:
\trm -f prog *.o *.d sub/*.o sub/size.h sub/libtable.a
";

const SUB_MAKEFILE: &str = "\
libtable.a: table.o unused.o
\t$(AR) rcs $@ $^
table.o: table.c size.h table.h
\t$(CC) $(CFLAGS) -Wp,-MD,table.d -c -o $@ table.c
size.h:
\techo '#define SIZE 10' > $@
";

fn make_project() -> Project {
    project(&[
        ("Makefile", MAKEFILE),
        ("main.c", MAIN),
        ("sub/Makefile", SUB_MAKEFILE),
        ("sub/table.c", TABLE),
        ("sub/table.h", "int lookup(int i);\n"),
        ("sub/unused.c", "int unused(void) { return 1; }\n"),
    ])
}

#[test]
fn make_with_a_library_and_a_generated_header() {
    let project = make_project();
    let finished = build(&project, "--libraries", "make");
    // What the program does not use of the library is not in it.
    check(
        &finished,
        0,
        &[
            "Bitcode of 1 program:\n  prog.bc  (2 modules, ",
            "Bitcode of 1 library:\n  sub/libtable.a.bc  (2 modules, ",
            "Go on with: espalier run prog.bc",
        ],
    );
    check_run(&project, "prog.bc", "sub/table.c:7:10");
    // The build's own products are all there.
    assert!(project.read("main.d").starts_with("main.o: main.c"));
    assert!(project.read("sub/table.d").contains("size.h"));
    let mut program = Command::new(project.path("prog"));
    program.env("KTEST_FILE", project.path("out-prog.bc/test000001.ktest"));
    assert_eq!(process::run(&mut program, LIMIT).end, End::Exit(0));

    // Nothing is left to do: the bitcode is known.
    fs::remove_file(project.path("prog.bc")).expect("removed");
    check(&build(&project, "", "make"), 0, &["up to date", "prog.bc  (2 modules, "]);
    // One file is compiled again; the others' bitcode is the earlier one.
    project.write("sub/table.c", TABLE.replace("i > SIZE", "i >= SIZE").as_bytes());
    check(&build(&project, "--output-dir bc", "rm sub/libtable.a; make"), 0, &["bc/prog.bc  (2 modules, "]);
    check(&project.run("run --output-dir fixed bc/prog.bc"), 0, &["No errors: all 3 paths"]);
    // Without Espalier, the compiler that was configured is a plain one.
    let mut plain = Command::new(project.path(".espalier-build/bin/cc"));
    plain.args(["-c", "-Isub", "sub/table.c", "-o", "plain.o"]).current_dir(project.path(""));
    assert_eq!(process::run(&mut plain, LIMIT).end, End::Exit(0));
    let object = fs::read(project.path("plain.o")).expect("an object");
    assert!(!object.windows(12).any(|bytes| bytes == b".espalier_bc"));
    // Bitcode that is gone is missed.
    fs::remove_dir_all(project.path(".espalier-build/bc")).expect("removed");
    check(&build(&project, "", "make"), 2, &["main.c is gone from", "`make clean`"]);
}

#[test]
fn one_step_with_other_languages() {
    let project = project(&[
        ("main.c", MAIN),
        ("table.c", TABLE),
        ("table.h", "int lookup(int i);\n"),
        ("fast.S", ".globl fast\nfast: ret\n.section .note.GNU-stack,\"\",@progbits\n"),
        ("more.cc", "extern \"C\" int more() { return 1; }\n"),
        ("args", "-DSIZE=10 '-DTEXT=\"a b\"'\n-flto"),
        ("size.h", ""),
    ]);
    let finished = build(&project, "--output-dir bc", "cc @args main.c table.c fast.S more.cc -lm -o prog");
    check(
        &finished,
        0,
        &[
            "bc/prog.bc  (2 modules, ",
            "lacks what is only native code",
            "fast.S (assembly)",
            "more.cc (C++, which is not supported)",
        ],
    );
    check_run(&project, "bc/prog.bc", PLACE);

    // Without a shell, and a program with the default name.
    let mut command = project.command("build -- gcc -DSIZE=10 -m64 main.c table.c");
    check(&process::run(command.env_remove("CC"), LIMIT), 0, &["a.out.bc  (2 modules, "]);
}

#[test]
fn odd_command_lines() {
    let files =
        [("main.c", MAIN), ("table.c", TABLE), ("table.h", "int lookup(int i);\n"), ("size.h", "#define SIZE 10\n")];
    let project = project(&files);
    let script = r#"
        cc -E main.c | grep -q klee_make_symbolic
        cc -S table.c -o table.s
        cc -M main.c | grep -q table.h
        cc -fsyntax-only main.c
        cc --version > version
        cc -c main.c -o /dev/null
        cc -c table.c -o - > piped.o
        gcc -MMD -MF deps -MT target -c main.c table.c || gcc -MMD -c main.c table.c
        ld -r main.o table.o -o both.o
        clang both.o -o from-both -s -Wl,--gc-sections
        c99 -c -x c - < table.c -o stdin.o
        cc main.c -x none stdin.o -o from-stdin
        cc main.o table.s -o from-assembly
        ! cc -c missing.c 2> /dev/null
        "#;
    let finished = build(&project, "", script);
    let parts = [
        "Bitcode of 3 programs:",
        "  from-assembly.bc  (1 module, ",
        "      table.s (assembly)",
        "  from-both.bc  (2 modules, ",
        "  from-stdin.bc  (2 modules, ",
    ];
    check(&finished, 0, &parts);
    check_run(&project, "from-both.bc", PLACE);
    assert!(project.path("piped.o").metadata().expect("an object").len() > 100);
}

const CMAKE: &str = "\
cmake_minimum_required(VERSION 3.10)
project(lookup C)
add_library(table SHARED table.c)
target_include_directories(table PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
target_compile_definitions(table PRIVATE SIZE=10)
add_executable(prog main.c)
target_link_libraries(prog table)
";

#[test]
fn cmake_with_a_shared_library() {
    let files = [
        ("CMakeLists.txt", CMAKE),
        ("main.c", MAIN),
        ("table.c", TABLE),
        ("table.h", "int lookup(int i);\n"),
        ("size.h", ""),
    ];
    let project = project(&files);
    let finished = build(&project, "", "cmake -B out > log && cmake --build out >> log");
    // The library is a part of the program. What CMake compiled to know the compiler is no program.
    check(&finished, 0, &["Bitcode of 1 program:\n  out/prog.bc  (2 modules, "]);
    check_run(&project, "out/prog.bc", PLACE);
}

#[test]
fn a_program_has_its_own_version_of_a_library_function() {
    let main = "#include <assert.h>\nint area(void);\nint main(void) { assert(area() == 100); return 0; }\n";
    let lib = "int size(void) { return 5; }\nint area(void) { return size() * size(); }\n";
    let project = project(&[("main.c", main), ("lib.c", lib), ("size.c", "int size(void) { return 10; }\n")]);
    let script = "cc -shared -fPIC lib.c -o liblib.so; cc main.c size.c -L. -llib -Wl,-rpath,$PWD -o prog; ./prog";
    let finished = build(&project, "--libraries", script);
    let taken = "the program's own is taken, not its library's: size";
    check(&finished, 0, &["  prog.bc  (3 modules, ", taken, "  liblib.so.bc  (1 module, "]);
    check(&project.run("run prog.bc"), 0, &["No errors: the only path explored to the end."]);
}

const CONFIGURE: &str = r##"#!/bin/sh
echo 'int main(void) { return 0; }' > conftest.c
$CC -o conftest -g conftest.c && ./conftest || { echo 'the compiler does not work'; exit 1; }
echo 'int main(void) { return missing(); }' > conftest.c
if $CC -o conftest conftest.c > /dev/null 2>&1; then size=20; else size=10; fi
$CC -c conftest.c -o conftest.o 2> /dev/null && echo 'implicit functions'
rm -f conftest*
echo "#define SIZE $size" > size.h
echo "prog: ; $CC -o prog main.c table.c" > Makefile
"##;

#[test]
fn configure_and_make() {
    let files = [("configure", CONFIGURE), ("main.c", MAIN), ("table.c", TABLE), ("table.h", "int lookup(int i);\n")];
    let project = project(&files);
    let finished = build(&project, "--store kept", "sh ./configure && make");
    check(&finished, 0, &["Bitcode of 1 program:\n  prog.bc  (2 modules, "]);
    check_run(&project, "prog.bc", PLACE);
    assert!(project.path("kept/log").exists() && !project.path(".espalier-build").exists());
    assert_eq!(project.list("kept/bc").len(), 2, "probes leave no bitcode");
}

#[test]
fn gcc_makes_the_objects() {
    let nested = "int f(int x) { int g(int y) { return x + y; } return g(1); }\n";
    let files = [("main.c", "int f(int x);\nint main(void) { return f(2); }\n"), ("nested.c", nested)];
    let project = project(&files);
    let mut command = build_command(
        &project,
        "",
        "cc -fno-tree-vectorize -fipa-pta -c main.c nested.c && cc main.o nested.o -o prog && ! ./prog",
    );
    let finished = process::run(command.env("ESPALIER_BUILD_CC", "gcc"), LIMIT);
    let parts = [
        "prog.bc  (1 module, ",
        "nested.c (clang made no bitcode of it)",
        "nested.c: nested.c:1:29: error: function definition is not allowed",
    ];
    check(&finished, 0, &parts);
}

#[test]
fn builds_that_fail() {
    let project = project(&[
        ("main.c", "int main(void) { return 0; }\n"),
        ("bad.c", "int main(void) { return x; }\n"),
        ("twice.c", "int x = 1;\n"),
    ]);
    let finished = build(&project, "", "cc main.c -o good; cc bad.c -o bad");
    let parts = [
        "good.bc  (1 module, ",
        "error: use of undeclared identifier 'x'",
        "the build failed: `sh` ended with exit status 1",
        "of what was linked before",
    ];
    check(&finished, 2, &parts);

    let clean = || fs::remove_dir_all(project.path(".espalier-build")).expect("removed");
    clean();
    check(&build(&project, "", "true"), 2, &["no bitcode was made", "`make clean`", "cmake"]);
    check(&build(&project, "", "cc -c main.c"), 2, &["linked no program", "--libraries"]);
    check(&build(&project, "", "cc main.c -o prog; mv prog other"), 2, &["is gone or was renamed, such as prog"]);
    check(&project.run("build -- no-such-command"), 2, &["the command `no-such-command` cannot be started", "sh -c"]);
    check(&project.run("build --store main.c/store -- true"), 2, &["main.c/store", "--store"]);
    check(&project.run("build make"), 1, &["--"]);
    // A linker that takes the first definition.
    let twice = "cc -c twice.c -DY -o t1.o; cc -c twice.c -o t2.o; cc main.c t1.o t2.o -Wl,-z,muldefs -o prog";
    project.write("twice.c", b"int x = 1;\n#ifdef Y\nint y;\n#endif\n");
    check(&build(&project, "", twice), 2, &["`x` is defined more than once, in ", "twice.c and "]);

    // A build within a build: it has the inner one's bitcode.
    let nested = format!("'{}' build --store inner -- cc main.c -o nested", support::ESPALIER);
    check(&build(&project, "--store outer", &nested), 2, &["nested.bc  (1 module, ", "the build compiled nothing"]);

    // No LLVM but clang.
    let mut command = build_command(&project, "", "true");
    let clang = project.path("clang-19");
    fs::write(&clang, "#!/bin/sh\nexec /usr/bin/clang-19 \"$@\"\n").expect("written");
    process::run(Command::new("chmod").arg("+x").arg(&clang), LIMIT);
    command.env("PATH", project.path("")).env_remove("ESPALIER_CLANG");
    check(&process::run(&mut command, LIMIT), 2, &["llvm-link-19 was not found", "apt-get install llvm-19"]);
}
