//! What is predicted of a run beside its end: exit status, what is printed, files. Programs are run
//! natively on their tests, which must do exactly that; and other programs, which do not.

mod support;

use espalier_base::Rng;
use support::process::{End, check};
use support::project::Project;

fn program(body: &str) -> String {
    format!(
        "#include <klee/klee.h>
         #include <stdio.h>
         #include <stdlib.h>
         #include <string.h>
         #include <unistd.h>
         int main(void) {{
             int x;
             klee_make_symbolic(&x, sizeof x, \"x\");
             {body}
         }}"
    )
}

/// Runs the program, replays its tests on it, and has these lines in the file about the first of
/// them.
#[track_caller]
fn agrees(body: &str, options: &str, lines: &[&str]) -> Project {
    let project = Project::new(&program(body));
    let run = project.run(&format!("run --output-dir out prog.c {options}"));
    assert!(matches!(run.end, End::Exit(0 | 5 | 10)), "{run:?}");
    let text = project.read("out/test000001.expected");
    for line in lines {
        assert!(text.lines().any(|there| there == *line), "{line} is not in\n{text}");
    }
    let replay = project.run("replay out prog.c");
    check(&replay, 0, &["agree"]);
    project
}

#[test]
fn status_output_and_errors_are_compared() {
    let body = "klee_assume(x == 7);
        printf(\"%d is seven\\n\", x);
        fprintf(stderr, \"low\\377\\n\");
        return x;";
    let lines = ["end: exit 7", "stdout: \"7 is seven\\n\"", "stderr: \"low\\xff\\n\""];
    let project = agrees(body, "", &lines);
    for (from, to, parts) in [
        ("return x", "return x - 4", ["another exit status", "exit status: predicted 7, native 3"]),
        (
            "is seven",
            "is seen",
            ["another standard output", "output from byte 7 on: predicted \"ven\\n\", native \"en\\n\""],
        ),
        (
            "low",
            "law",
            ["another standard error", "error from byte 1 on: predicted \"ow\\xff\\n\", native \"aw\\xff\\n\""],
        ),
        ("\\n\\\", x", "\\n!\\\", x", ["another standard output", "predicted nothing more, native \"!\""]),
        ("printf(\"%d is", "// printf(\"%d is", ["another standard output", "native nothing more"]),
    ] {
        let changed = program(body).replace(&from.replace("\\\"", "\""), &to.replace("\\\"", "\""));
        assert_ne!(changed, program(body), "{from}");
        project.write("prog.c", changed.as_bytes());
        check(&project.run("replay out prog.c"), 10, &parts);
    }
    // KLEE's tests say nothing of it.
    std::fs::remove_file(project.path("out/test000001.expected")).expect("a file");
    check(&project.run("replay out prog.c"), 0, &["agrees (exit with 7)"]);
    project.write("out/test000001.expected", b"espalier-expected 1\nend: bang\n");
    check(&project.run("replay out prog.c"), 2, &["test000001.expected: line 2: \"bang\" is no end"]);
}

#[test]
fn differences_are_events_too() {
    let project = agrees("if (x > 3) puts(\"more\"); else puts(\"less\"); return x > 3;", "", &[]);
    let source = project.read("prog.c");
    project.write(
        "prog.c",
        source.replace("\"more\"", "\"mere\"").replace("return x > 3;", "return x > 3 ? 2 : 0;").as_bytes(),
    );
    let replay = project.run("replay --json out prog.c");
    check(&replay, 10, &[]);
    let events: Vec<serde_json::Value> =
        replay.stdout.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let differs = events.iter().find(|event| event["verdict"] == "differs").expect("a difference");
    let status = serde_json::json!({"what": "exit status", "at": null, "predicted": "1", "native": "2"});
    let output =
        serde_json::json!({"what": "standard output", "at": 1, "predicted": "\"ore\\n\"", "native": "\"ere\\n\""});
    assert_eq!(differs["differences"], serde_json::json!([status, output]));
    assert_eq!(differs["predicted"]["exit_status"], 1);
    assert_eq!(events.last().expect("a total")["agree"], 1);
}

#[test]
fn a_difference_counts_on_exact_paths_only() {
    let body = "if (x == 1) puts(getchar() == EOF ? \"no input\" : \"input\"); else puts(\"other\"); return 0;";
    let project = agrees(body, "", &[]);
    project.write("prog.c", program(body).replace("no input", "nothing").as_bytes());
    let parts = ["but the path is inexact: standard input is empty", "1 agrees, 1 cannot be replayed."];
    check(&project.run("replay out prog.c"), 5, &parts);
    project.write("prog.c", program(body).replace("other", "else").as_bytes());
    check(&project.run("replay out prog.c"), 10, &["another standard output", "1 agrees, 1 differs."]);
}

/// Times and numbers of files are others natively: only a path that looks at them depends on them,
/// and what it prints of them is open.
#[test]
fn times_of_files_are_not_predicted() {
    let body = "struct stat status;
        stat(\"A\", &status);
        if (x > 2) printf(\"%ld\\n\", (long)status.st_mtime);
        else if (S_ISREG(status.st_mode)) fwrite(&status.st_mtim, 1, 16, stdout);
        return 0;";
    let source = program(body).replace("#include <unistd.h>", "#include <sys/stat.h>\n#include <unistd.h>");
    let project = Project::new(&source);
    check(&project.run("run --output-dir out --sym-files 1 2 prog.c"), 5, &["2 completed", "(--fix-status)"]);
    let texts = [project.read("out/test000001.expected"), project.read("out/test000002.expected")];
    let asks = texts.iter().find(|text| text.contains("stdout: 16 unknown bytes\n")).expect("a path");
    let looks = texts.iter().find(|text| *text != asks).expect("a path");
    assert!(looks.contains("inexact: files have the times") && !asks.contains("inexact"), "{looks}{asks}");
    let parts = ["but the path is inexact: files have the times", "1 agrees, 1 cannot be replayed."];
    check(&project.run("replay out prog.c"), 5, &parts);
    // It may depend on the input which file it is.
    let body = "int files[2] = {0, 1};
        struct stat status;
        fstat(files[x & 1], &status);
        if (status.st_mtime > 5) return 1;
        return 0;";
    let source = program(body).replace("#include <unistd.h>", "#include <sys/stat.h>\n#include <unistd.h>");
    check(
        &Project::new(&source).run("run --sym-stdin 1 prog.c"),
        5,
        &["2 completed", "2 paths are inexact: files have"],
    );
}

#[test]
fn what_cannot_be_predicted_is_said_to_be_unknown() {
    agrees(
        "printf(\"at %p\\n\", (void *)&x); return 0;",
        "",
        &["stdout: \"at \"", "stdout: unknown from here on: an address is printed"],
    );
    agrees(
        "for (int i = 0; i < 7000; i++) puts(\"0123456789\"); return 0;",
        "",
        &["stdout: \"012345678\"", "stdout: unknown from here on: what comes after 64 KiB is not kept"],
    );
    agrees(
        "struct { char c; int i; } pair;
         pair.c = 'c';
         pair.i = 0x41414141;
         fwrite(&pair, 1, sizeof pair, stdout);
         return 0;",
        "",
        &["stdout: \"c\"", "stdout: 3 unknown bytes", "stdout: \"AAAA\""],
    );
    let project = agrees("int status[1]; return x ? 3 : *(volatile int *)status;", "", &[]);
    assert!(
        project.read("out/test000001.expected").contains("end: exit 3")
            != project.read("out/test000002.expected").contains("end: exit 3")
    );
}

#[test]
fn buffers_that_are_not_written_are_lost_natively() {
    agrees("printf(\"kept\"); fflush(stdout); printf(\"lost\"); _exit(4);", "", &["end: exit 4", "stdout: \"kept\""]);
    agrees("printf(\"a\"); fflush(NULL); write(1, \"b\", 1); printf(\"c\"); return 0;", "", &["stdout: \"abc\""]);
    agrees(
        "printf(\"late\"); write(1, \"early\", 5); return 0;",
        "",
        &["stdout: unknown from here on: it is written while a stream's buffer is not empty"],
    );
    agrees("printf(\"text\"); write(2, \"direct\", 6); return 0;", "", &["stdout: \"text\"", "stderr: \"direct\""]);
    agrees("setbuf(stdout, NULL); printf(\"text\"); return 0;", "", &["stdout: \"text\""]);
    agrees("setbuf(stdout, NULL); printf(\"text\"); _exit(0);", "", &[]);
    agrees(
        "printf(\"before\"); klee_assume(x == 3); fprintf(stderr, \"said\"); abort();",
        "",
        &["stdout: \"before\"", "stderr: \"said\""],
    );
}

#[test]
fn output_up_to_an_error_is_compared() {
    let body = "printf(\"before %d\\n\", 1); fflush(stdout); if (x == 3) abort(); return 0;";
    let project = agrees(body, "", &[]);
    project.write("prog.c", program(body).replace("before", "behind").as_bytes());
    check(&project.run("replay out prog.c"), 10, &["2 differ.", "from byte 2 on: predicted \"fore 1\\n\""]);
    project.write("prog.c", program(body).replace("abort()", "puts(\"more\"), abort()").as_bytes());
    check(&project.run("replay out prog.c"), 0, &["2 agree."]);
}

#[test]
fn files_are_compared() {
    let body = "FILE *file = fopen(\"made\", \"w\");
        if (!file) return 9;
        fprintf(file, \"x is %s\\n\", x > 2 ? \"large\" : \"small\");
        fclose(file);
        mkdir(\"dir\", 0700);
        symlink(\"../made\", \"dir/link\");
        if (x > 2) unlink(\"A\");
        return 0;";
    let source = program(body).replace("#include <unistd.h>", "#include <sys/stat.h>\n#include <unistd.h>");
    let project = Project::new(&source);
    check(&project.run("run --output-dir out --libc=musl --sym-files 1 2 prog.c"), 0, &["2 completed"]);
    let texts = [project.read("out/test000001.expected"), project.read("out/test000002.expected")];
    let large = texts.iter().find(|text| text.contains("large")).expect("a path");
    let small = texts.iter().find(|text| text.contains("small")).expect("a path");
    let rest =
        "directory: 700 \"dir\"\nlink: 777 \"dir/link\"\ntarget: \"../made\"\nfile: 644 \"made\"\ncontent: \"x is ";
    assert!(large.contains(&format!("files: recorded\n{rest}large\\n\"\n")), "{large}");
    assert!(small.contains("files: recorded\nfile: 644 \"A\"\ncontent: ") && small.contains(rest), "{small}");
    check(&project.run("replay out prog.c"), 0, &["2 tests: 2 agree."]);
    for (from, to, part) in [
        ("large", "huge", "file made from byte 5 on: predicted \"large\\n\", native \"huge\\n\""),
        ("\"dir\", 0700", "\"dir\", 0755", "file dir: predicted permissions 700, native 755"),
        ("unlink(\"A\")", "access(\"A\", 0)", "file A: predicted none, native a file"),
        ("if (x > 2) unlink", "if (x > 2) access(\"A\", 0); else unlink", "file A: predicted a file, native none"),
        ("\"../made\"", "\"../male\"", "file dir/link from byte 5 on: predicted \"de\", native \"le\""),
        ("mkdir(\"dir\", 0700)", "fclose(fopen(\"dir\", \"w\"))", "file dir: predicted a directory, native a file"),
    ] {
        let changed = source.replace(from, to);
        assert_ne!(changed, source);
        project.write("prog.c", changed.as_bytes());
        check(&project.run("replay out prog.c"), 10, &["differs: the native run has another file", part]);
    }
}

#[test]
fn a_signal_of_its_own_is_an_end() {
    let source = program("if (x == 2) raise(SIGTERM); puts(\"lives\"); return 143;")
        .replace("#include <unistd.h>", "#include <signal.h>\n#include <unistd.h>");
    let project = Project::new(&source);
    check(&project.run("run --output-dir out --libc=musl --sym-stdin 1 prog.c"), 0, &["2 completed"]);
    check(&project.run("replay out prog.c"), 0, &["predicted: signal 15 (SIGTERM)", "2 tests: 2 agree."]);
    project.write("prog.c", source.replace("raise(SIGTERM)", "return 143").as_bytes());
    let parts = ["differs: the native run does not end by this signal", "native:    exit with 143"];
    check(&project.run("replay out prog.c"), 10, &parts);
    // Which number the process has is not known.
    let guessed = source.replace("raise(SIGTERM)", "kill(1000, SIGTERM)");
    project.write("prog.c", guessed.as_bytes());
    check(&project.run("run --output-dir guessed --libc=musl --sym-stdin 1 prog.c"), 5, &["(--fix-process)"]);
    project.write("prog.c", guessed.replace("kill(1000, SIGTERM)", "return 143").as_bytes());
    let parts =
        ["does not end by this signal, but the path is inexact: the numbers of processes", "1 agrees, 1 cannot"];
    check(&project.run("replay guessed prog.c"), 5, &parts);
    project.write("prog.c", source.replace("return 143", "raise(SIGTERM)").as_bytes());
    check(&project.run("replay out prog.c"), 10, &["differs: the native run fails", "native:    signal 15"]);
}

/// A conversion that C defines, with the type of its argument and a value for it.
fn conversion(rng: &mut Rng) -> (String, &'static str, String) {
    let pick = |rng: &mut Rng, of: &[&'static str]| of[rng.below(of.len())];
    let letter = pick(rng, &["d", "i", "u", "x", "X", "o", "c", "s", "f", "F", "e", "E", "g", "G"]);
    let flags: &[&str] = match letter {
        "d" | "i" => &["-", "+", " ", "0"],
        "x" | "X" | "o" => &["-", "#", "0"],
        "u" => &["-", "0"],
        "c" | "s" => &["-"],
        _ => &["-", "+", " ", "0", "#"],
    };
    let mut format = "%".to_owned();
    for flag in flags {
        if rng.below(3) == 0 {
            format += flag;
        }
    }
    if rng.below(2) == 0 {
        format += &(1 + rng.below(14)).to_string();
    }
    if letter != "c" && rng.below(2) == 0 {
        format += &format!(".{}", rng.below(9));
    }
    let (length, kind) = match letter {
        "c" => ("", "int"),
        "s" => ("", "text"),
        "d" | "i" | "u" | "x" | "X" | "o" => {
            [("", "int"), ("hh", "int"), ("h", "int"), ("l", "long"), ("ll", "long")][rng.below(5)]
        }
        _ => ("", "double"),
    };
    let value = match kind {
        "text" => pick(rng, &["", "a", "abc", "%d\\t", "longer text"]).to_owned(),
        "double" => {
            let special = [0, 1 << 63, 0x7ff0 << 48, 1, 0x3fb9_9999_9999_999a, 0x4330_0000_0000_0001];
            let number = (rng.below(2_000_001) as f64 - 1_000_000.0) / [1.0, 8.0, 1000.0, 1e9][rng.below(4)];
            let bits = if rng.below(3) == 0 { special[rng.below(special.len())] } else { number.to_bits() };
            format!("{bits:#x}")
        }
        "long" => format!("{:#x}", rng.next_u64() >> rng.below(64)),
        _ => format!("{:#x}", rng.next_u64() as u32 >> rng.below(32)),
    };
    (format + length + letter, kind, value)
}

/// Formats of all kinds, each with a number and with an input of the same value, are printed as
/// natively.
#[test]
fn formatted_inputs_are_predicted_as_they_are_printed() {
    for seed in 0..6 {
        let mut rng = Rng::new(seed);
        let mut body = String::new();
        for number in 0..25 {
            let (format, kind, value) = conversion(&mut rng);
            let shown = format!("printf(\"{number} [{format}]\\n\",");
            body += &match kind {
                "text" => format!(
                    "char s{number}[16]; klee_make_symbolic(s{number}, 16, \"s{number}\");
                     for (int i = 0; i < 16; i++) klee_prefer_cex(s{number}, s{number}[i] == \"{value}\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\"[i]);
                     klee_assume(s{number}[15] == 0);
                     {shown} \"{value}\"); {shown} s{number});\n"
                ),
                "double" => format!(
                    "union {{ unsigned long bits; double value; }} d{number}, c{number} = {{ {value}ul }};
                     klee_make_symbolic(&d{number}, 8, \"d{number}\");
                     klee_prefer_cex(&d{number}, d{number}.bits == {value}ul);
                     {shown} c{number}.value); {shown} d{number}.value);\n"
                ),
                kind => format!(
                    "{kind} v{number}, c{number} = ({kind}){value}ul;
                     klee_make_symbolic(&v{number}, sizeof v{number}, \"v{number}\");
                     klee_prefer_cex(&v{number}, v{number} == ({kind}){value}ul);
                     {shown} c{number}); {shown} v{number});\n"
                ),
            };
        }
        let project = Project::new(&program(&(body + "return 0;")));
        let run = project.run("run --output-dir out prog.c");
        assert!(matches!(run.end, End::Exit(0 | 5)), "{run:?}");
        let expected = project.read("out/test000001.expected");
        let lines = |text: &str| text.lines().filter(|line| line.starts_with("stdout: ")).count();
        assert_eq!(lines(&expected), 50, "seed {seed}: {expected}");
        // The value of an input is printed as the same number is.
        let printed: Vec<&str> = expected.lines().filter(|line| line.starts_with("stdout: ")).collect();
        printed.chunks(2).for_each(|pair| assert_eq!(pair[0], pair[1], "seed {seed}"));
        let replay = project.run("replay out prog.c");
        check(&replay, 0, &["1 test: 1 agrees."]);
        assert!(!replay.stdout.contains("not compared"), "{}", replay.stdout);
    }
}
