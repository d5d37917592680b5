//! What the models of the library, the machine and the environment answer: no proof may say that a
//! place is out of reach which a native run comes to. Whether one does is not written here: gcc
//! says it, so that a wrong expectation cannot hide a wrong proof.

mod support;

use espalier_base::fidelity::Topic;
use espalier_engine::{Approximation, Cause, Direction};
use espalier_report::approximation_text;
use std::process::Command;
use std::time::Duration;
use support::process::{self, End};
use support::project::Project;

const LIMIT: Duration = Duration::from_secs(60);

const HEAD: &str = "#define _GNU_SOURCE\n#include <errno.h>\n#include <math.h>\n#include <setjmp.h>\n#include <signal.h>\n\
    #include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n#include <assert.h>\n\
    #include <malloc.h>\n#include <dirent.h>\n#include <fcntl.h>\n#include <sys/stat.h>\n#include <time.h>\nextern void reach_error(void);\n";

/// Makes a new file, and says what is known of it.
const NEW_FILE: &str = "static struct stat made(const char *name) { unlink(name); struct stat s; \
    int fd = open(name, O_CREAT | O_RDWR | O_EXCL, 0600); fstat(fd, &s); close(fd); return s; }";

/// A function that the C library has too.
const OWN_MEMCPY: &str = "static int calls; void *memcpy(void *to, const void *from, size_t n) { calls++; \
    for (size_t i = 0; i < n; i++) ((volatile char *)to)[i] = ((const char *)from)[i]; return to; }";

/// How `reach_error` ends a native run.
const REACHED: i32 = 93;
const NATIVE: &str = "#include <unistd.h>\nvoid reach_error(void) { _exit(93); }\n";

/// Programs whose error a native run reaches, as gcc compiles them here, or does not; each is
/// `main`'s body after what stands before it.
const PROGRAMS: &[(&str, &str, &str)] = &[
    (
        "destructors",
        "static int step; __attribute__((destructor)) static void one(void) { if (step == 1) reach_error(); } \
         __attribute__((destructor)) static void two(void) { step++; }",
        "",
    ),
    (
        "destructors by priority",
        "static int step; __attribute__((destructor(300))) static void one(void) { step++; } \
         __attribute__((destructor(200))) static void two(void) { if (step == 1) reach_error(); }",
        "",
    ),
    (
        "constructors by priority",
        "static int step; __attribute__((constructor(300))) static void one(void) { if (step == 1) reach_error(); } \
         __attribute__((constructor(200))) static void two(void) { step++; }",
        "",
    ),
    (
        "constructor's arguments",
        "static int count; __attribute__((constructor)) static void first(int argc, char **argv, char **envp) \
         { count = argc + (argv[argc] == 0) + (envp != 0); }",
        "if (count == 3) reach_error();",
    ),
    (
        "constructor in its section",
        "static int ran; static void first(void) { ran = 1; } \
         __attribute__((section(\".init_array\"), used)) static void (*entry)(void) = first;",
        "if (ran) reach_error();",
    ),
    (
        "destructor in its section",
        "static int ran; static void last(void) { if (ran) reach_error(); } \
         __attribute__((section(\".fini_array.00200\"), used)) static void (*entry)(void) = last;",
        "ran = 1;",
    ),
    (
        "assembly outside functions",
        "__asm__(\".data\\n.globl other\\n.set other, own\\n.text\"); int own = 3; extern int other __attribute__((weak));",
        "if (&other && other == 3) reach_error();",
    ),
    ("letters of musl", "#include <wctype.h>\n", "if (!iswalpha(0xe4)) reach_error();"),
    (
        "random numbers of musl",
        "#include <wchar.h>\n",
        "volatile int n = wcslen(L\"a\"); srand(n); if (rand() == 1804289383) reach_error();",
    ),
    ("abort", "static void on(int s) { (void)s; reach_error(); }", "signal(SIGABRT, on); abort();"),
    ("assert", "static void on(int s) { (void)s; reach_error(); }", "int no = 0; signal(SIGABRT, on); assert(no);"),
    (
        "jump",
        "static jmp_buf out; static void on(int s) { (void)s; longjmp(out, 1); }",
        "signal(SIGABRT, on); if (setjmp(out) == 0) abort(); reach_error();",
    ),
    ("trap", "static void on(int s) { (void)s; reach_error(); }", "signal(SIGILL, on); __builtin_trap();"),
    (
        "null",
        "static void on(int s) { if (s == SIGSEGV) reach_error(); }",
        "int *volatile nowhere = 0; signal(SIGSEGV, on); *nowhere = 4;",
    ),
    (
        "division",
        "static void on(int s) { (void)s; reach_error(); }",
        "volatile int none = 0; signal(SIGFPE, on); none = 8 % none;",
    ),
    (
        "sigaction",
        "static void on(int s) { (void)s; reach_error(); }",
        "struct sigaction how = {.sa_handler = on}; sigaction(SIGABRT, &how, NULL); abort();",
    ),
    ("nan quotient", "", "volatile float none = 0; if (signbit(none / none)) reach_error();"),
    ("nan root", "", "volatile double x = -4; double y = sqrt(x); if (signbit(y)) reach_error();"),
    ("nan copysign", "", "if (signbit(copysign(NAN, -0.5))) reach_error();"),
    ("nan widened", "", "volatile float x = -__builtin_nanf(\"5\"); double y = x; if (signbit(y)) reach_error();"),
    (
        "nan payload",
        "",
        "uint64_t u = 0x7ff8000000000042, v; double x, y; memcpy(&x, &u, 8); y = x * 3; memcpy(&v, &y, 8); \
         if (v == u) reach_error();",
    ),
    (
        "nan text",
        "",
        "char text[16]; volatile double none = 0; snprintf(text, 16, \"%g\", none / none); if (*text == '-') reach_error();",
    ),
    ("errno of sqrt", "", "volatile double x = -9; errno = 0; x = sqrt(x); if (errno == EDOM) reach_error();"),
    ("errno of log", "", "volatile double x = 0; errno = 0; x = log(x); if (errno == ERANGE) reach_error();"),
    ("errno of exp", "", "volatile double x = 5000; errno = 0; x = exp(x); if (errno == ERANGE) reach_error();"),
    ("errno of ldexp", "", "volatile double x = 2; errno = 0; x = ldexp(x, 3000); if (errno == ERANGE) reach_error();"),
    ("errno of fmod", "", "volatile double x = 2, y = 0; errno = 0; x = fmod(x, y); if (errno == EDOM) reach_error();"),
    (
        "errno of malloc",
        "",
        "volatile size_t n = 1ul << 61; errno = 0; if (!malloc(n) && errno == ENOMEM) reach_error();",
    ),
    (
        "errno of realloc",
        "",
        "volatile size_t n = 1ul << 61; void *p = malloc(4); errno = 0; if (!realloc(p, n) && errno == ENOMEM) reach_error();",
    ),
    ("positions", "", "char t[32]; sprintf(t, \"%3$s %1$d\", 5, 6, \"x\"); if (!strcmp(t, \"x 5\")) reach_error();"),
    ("scanned positions", "", "int a = 0, b = 0; sscanf(\"7 8\", \"%2$d%1$d\", &a, &b); if (a == 8) reach_error();"),
    ("allocated text", "", "char *t = NULL; if (sscanf(\" word\", \"%ms\", &t) == 1 && t[3] == 'd') reach_error();"),
    ("shell", "", "if (system(NULL)) reach_error();"),
    ("setenv", "", "setenv(\"TRUST\", \"yes\", 1); char *v = getenv(\"TRUST\"); if (v && *v == 'y') reach_error();"),
    ("environ", "extern char **environ;", "if (environ && environ[0]) reach_error();"),
    ("memalign", "", "void *p; if (posix_memalign(&p, 12, 8) == EINVAL) reach_error();"),
    ("usable size", "", "if (malloc_usable_size(malloc(5)) > 5) reach_error();"),
    ("kill", "static void on(int s) { (void)s; }", "if (signal(SIGKILL, on) == SIG_ERR) reach_error();"),
    (
        "many handlers",
        "static void on(void) {}",
        "for (int i = 0; i < 900; i++) if (atexit(on)) return 0; reach_error();",
    ),
    (
        "exit in a handler",
        "static int n; static void last(void) { if (n) reach_error(); } static void first(void) { n = 1; exit(2); }",
        "atexit(last); atexit(first);",
    ),
    ("return address", "", "if (__builtin_return_address(0)) reach_error();"),
    (
        "reused heap",
        "",
        "uintptr_t a = (uintptr_t)malloc(40); free((void *)a); if ((uintptr_t)malloc(40) == a) reach_error();",
    ),
    ("order", "", "int a[2], b[2]; uintptr_t x = (uintptr_t)a, y = (uintptr_t)b; if (x > y) reach_error();"),
    ("order too", "", "int a[2], b[2]; uintptr_t x = (uintptr_t)a, y = (uintptr_t)b; if (x < y) reach_error();"),
    (
        "map for reading",
        "#include <sys/mman.h>\nstatic void on(int s) { (void)s; reach_error(); }",
        "signal(SIGSEGV, on); char *m = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); m[5] = 1;",
    ),
    (
        "map for writing",
        "#include <sys/mman.h>\nenum { BOTH = PROT_READ | PROT_WRITE };",
        "char *m = mmap(NULL, 4096, BOTH, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); m[5] = 1; if (m[4]) reach_error();",
    ),
    ("own memcpy", OWN_MEMCPY, "strdup(\"abc\"); if (!calls) reach_error();"),
    ("own memcpy too", OWN_MEMCPY, "memcpy(strdup(\"abc\"), \"xyz\", 3); if (calls == 1) reach_error();"),
    (
        "own memcpy with another library",
        OWN_MEMCPY,
        "char *copy; size_t n; FILE *f = open_memstream(&copy, &n); fputs(\"abc\", f); fclose(f); if (!calls) reach_error();",
    ),
    (
        "own strlen",
        "#include <libgen.h>\nstatic int calls; size_t strlen(const char *s) { calls++; return *s ? 1 : 0; }",
        "char path[] = \"ab/cd\"; char *name = basename(path); if (!calls && name[1] == 'd') reach_error();",
    ),
    (
        "own malloc",
        "static int calls; void *malloc(size_t n) { static char all[4096]; calls++; return n < 4096 ? all : NULL; }",
        "strdup(\"abc\"); if (calls) reach_error();",
    ),
    ("page", "", "char *p = malloc(9); if ((uintptr_t)p % 4096) reach_error();"),
    ("high bits", "", "int x; if ((uintptr_t)&x >> 40) reach_error();"),
    (
        "hash",
        "",
        "char *p = malloc(4); unsigned h = (unsigned)((uintptr_t)p * 2654435761u) >> 28; if (h != 3) reach_error();",
    ),
    (
        "hash too",
        "",
        "char *p = malloc(4); unsigned h = (unsigned)((uintptr_t)p * 2654435761u) >> 31; if (h) reach_error();",
    ),
    (
        "number in a union",
        "union both { void *p; uintptr_t n; } *both;",
        "both = malloc(sizeof *both); both->p = &both; if ((both->n >> 4) % 3 < 2) reach_error();",
    ),
    (
        "number in a union too",
        "union both { void *p; uintptr_t n; } *both;",
        "both = malloc(sizeof *both); both->p = &both; if ((both->n >> 4) % 3 > 1) reach_error();",
    ),
    (
        "copied number",
        "static uintptr_t n;",
        "void *p = malloc(1); memcpy(&n, &p, sizeof n); if (n >> 30 != 1234567) reach_error();",
    ),
    ("time of a file", NEW_FILE, "if (made(\"n\").st_mtime > 86400) reach_error();"),
    ("nanoseconds", NEW_FILE, "if (made(\"n\").st_ctim.tv_nsec > 1000000) reach_error();"),
    (
        "order of times",
        NEW_FILE,
        "struct stat a = made(\"n\"), b = made(\"m\"); if (a.st_mtime == b.st_mtime) reach_error();",
    ),
    (
        "date of a file",
        NEW_FILE,
        "time_t at = made(\"n\").st_atime; struct tm *date = gmtime(&at); if (date->tm_year > 100) reach_error();",
    ),
    (
        "printed time",
        NEW_FILE,
        "char text[30]; sprintf(text, \"%ld\", (long)made(\"n\").st_mtime); if (text[1]) reach_error();",
    ),
    ("inode", NEW_FILE, "if (made(\"n\").st_ino > 999) reach_error();"),
    ("parity of an inode", NEW_FILE, "static int seen[2]; seen[made(\"n\").st_ino % 2]++; if (seen[0]) reach_error();"),
    ("parity too", NEW_FILE, "static int seen[2]; seen[made(\"n\").st_ino % 2]++; if (seen[1]) reach_error();"),
    ("table of inodes", NEW_FILE, "int *t = calloc(made(\"n\").st_ino % 97 + 1, 4); if (!t[0]) reach_error();"),
    (
        "number of an entry",
        "",
        "DIR *d = opendir(\".\"); for (struct dirent *e; (e = readdir(d));) if (e->d_ino > 999) reach_error();",
    ),
    ("device", NEW_FILE, "if (made(\"n\").st_dev != 1) reach_error();"),
    (
        "blocks",
        NEW_FILE,
        "made(\"n\"); struct stat s; truncate(\"n\", 9999); stat(\"n\", &s); if (s.st_blocks != 24) reach_error();",
    ),
    (
        "size of a directory",
        "",
        "struct stat s; mkdir(\"d\", 0700); stat(\"d\", &s); if (s.st_size != 4096) reach_error();",
    ),
    ("owner", NEW_FILE, "if (made(\"n\").st_uid == 0) reach_error();"),
    (
        "inode used again",
        NEW_FILE,
        "struct stat a = made(\"n\"); unlink(\"n\"); if (made(\"m\").st_ino == a.st_ino) reach_error();",
    ),
    // What C and POSIX define stays provable.
    (
        "one object",
        "",
        "int a[9]; int *end = a + 9; int n = 0; for (int *p = a; p < end; p++) n++; if (n != 9) reach_error();",
    ),
    (
        "member by its offset",
        "struct head { struct head *next; }; struct element { long key; struct head list; }; struct head list = {&list};",
        "struct element *e = (struct element *)((char *)list.next - (size_t)&((struct element *)0)->list);
         if (&e->list != &list) reach_error();",
    ),
    ("null is none", "", "int x; int *p = &x; if (!p || p == (int *)-1) reach_error();"),
    ("aligned", "", "if ((uintptr_t)malloc(1) & 7) reach_error();"),
    ("other objects", "", "int x, y; int *p = &x; if (p == &y) reach_error();"),
    ("nan is nan", "", "volatile double z = 0; double x = z / z; if (x == x || !isnan(-x)) reach_error();"),
    (
        "handler gone",
        "static void on(int s) { (void)s; }",
        "void (*old)(int) = signal(SIGUSR1, on); if (old != SIG_DFL) reach_error();",
    ),
    (
        "one file",
        NEW_FILE,
        "struct stat a = made(\"n\"), b; link(\"n\", \"link\"); stat(\"link\", &b); \
         if (a.st_ino != b.st_ino || a.st_dev != b.st_dev || a.st_mtime != b.st_mtime || a.st_uid != b.st_uid) reach_error();",
    ),
    (
        "two files",
        NEW_FILE,
        "struct stat a = made(\"n\"), b = made(\"m\"); if (a.st_ino == b.st_ino && a.st_dev == b.st_dev) reach_error();",
    ),
    (
        "its entry",
        NEW_FILE,
        "mkdir(\"d\", 0700); struct stat a = made(\"d/n\"); DIR *d = opendir(\"d\"); \
         for (struct dirent *e; (e = readdir(d));) if (e->d_name[0] != '.' && e->d_ino != a.st_ino) reach_error();",
    ),
    (
        "set times",
        NEW_FILE,
        "made(\"n\"); struct stat s; struct timespec times[2] = {{7, 8}, {9, 10}}; utimensat(AT_FDCWD, \"n\", times, 0); \
         stat(\"n\", &s); if (s.st_mtim.tv_sec != 9 || s.st_atim.tv_nsec != 8) reach_error();",
    ),
    (
        "kind and size",
        NEW_FILE,
        "struct stat s = made(\"n\"); if (!S_ISREG(s.st_mode) || s.st_size || s.st_nlink != 1) reach_error();",
    ),
];

/// What must be provable, so that the suite cannot pass by knowing nothing.
const PROVABLE: [&str; 12] = [
    "one object",
    "member by its offset",
    "null is none",
    "aligned",
    "other objects",
    "map for writing",
    "nan is nan",
    "one file",
    "two files",
    "its entry",
    "set times",
    "kind and size",
];

#[test]
fn no_proof_contradicts_a_native_run() {
    for (name, before, body) in PROGRAMS {
        let source = format!("{HEAD}{before}\nint main(void) {{ {body} return 0; }}\n");
        let project = Project::new(&source);
        project.write("native.c", NATIVE.as_bytes());
        let mut gcc = Command::new("gcc");
        gcc.args(["-w", "-O0", "prog.c", "native.c", "-lm", "-o", "native"]).current_dir(project.path(""));
        let compiled = process::run(&mut gcc, LIMIT);
        assert_eq!(compiled.end, End::Exit(0), "{name}: {}", compiled.stderr);
        let native = process::run(Command::new("./native").current_dir(project.path("")), LIMIT);
        let is_reached = native.end == End::Exit(REACHED);
        let checked = project.run("check --only=reach --max-time=20s prog.c");
        let verdict = checked.stdout.lines().last().unwrap_or_default();
        // The native run's library is another one.
        let is_about_musl = verdict.contains(" if the C library is musl");
        let is_proof = verdict.contains("a complete proof");
        assert!(!(is_reached && is_proof && !is_about_musl), "{name}: {verdict}, but a native run comes there");
        // Another native build, with other addresses, may.
        let is_shown = is_reached || verdict.contains("confirmed natively");
        assert!(checked.end != End::Exit(10) || is_shown, "{name}: {verdict}, but no native run comes there");
        assert!(is_proof || !PROVABLE.contains(name), "{name}: {}", checked.stdout);
    }
}

/// A proof that rests on a fixed answer is one once the user has stated it, and says so.
#[test]
fn stated_conditions_are_part_of_the_proof() {
    let programs = [
        ("clock", "#include <time.h>\nint main(void) { if (time(0) == 7) reach_error(); return 0; }"),
        ("process", "#include <unistd.h>\nint main(void) { if (getpid() == 1) reach_error(); return 0; }"),
        ("environment", "#include <stdlib.h>\nint main(void) { if (getenv(\"A\")) reach_error(); return 0; }"),
        (
            "status",
            "#include <sys/stat.h>\n\
             int main(void) { struct stat s; stat(\".\", &s); if (s.st_ino == 1234567) reach_error(); return 0; }",
        ),
        ("input", "#include <stdio.h>\nint main(void) { if (getchar() == 'x') reach_error(); return 0; }"),
        (
            "signals",
            "#include <signal.h>\nstatic void on(int s) { (void)s; reach_error(); }\n\
             int main(void) { signal(SIGINT, on); return 0; }",
        ),
        (
            "addresses",
            "#include <stdint.h>\n#include <stdlib.h>\n\
             int main(void) { if ((uintptr_t)malloc(4) % 4096 == 1) reach_error(); return 0; }",
        ),
    ];
    for (topic, program) in programs {
        let project = Project::new(&format!("extern void reach_error(void);\n{program}\n"));
        let open = project.run("check --only=reach prog.c");
        assert_eq!(open.end, End::Exit(5), "{topic}: {open:?}");
        assert!(open.stdout.contains(&format!("(--fix-{topic})")), "{topic}: {}", open.stdout);
        let stated = project.run(&format!("check --only=reach --fix-{topic} prog.c"));
        assert_eq!(stated.end, End::Exit(0), "{topic}: {stated:?}");
        let cause = Cause::Fixed(Topic::named(topic).expect("a topic"));
        let condition = approximation_text(&Approximation { direction: Direction::Given, cause });
        let named = [" if ", " and "].map(|word| format!("{word}{condition}"));
        let is_named =
            stated.stdout.contains("a complete proof") && named.iter().any(|named| stated.stdout.contains(named));
        assert!(is_named, "{topic}: {}", stated.stdout);
    }
}

/// What is not checked is a condition of the proof.
#[test]
fn what_is_not_checked_is_stated() {
    let project = Project::new(
        "extern void reach_error(void);\n\
         int main(void) { volatile int bits = 33; if (1 << bits == 2) reach_error(); return 0; }\n",
    );
    let unchecked = project.run("check --only=reach --check-overshift=false prog.c");
    let condition = "if no value is shifted by all of its bits or more (--check-overshift=false)";
    assert!(unchecked.stdout.contains(condition), "{}", unchecked.stdout);
    let unchecked = project.run("check --only=reach --check-div-zero=false prog.c");
    assert!(unchecked.stdout.contains("if no division is by zero"), "{}", unchecked.stdout);
}

/// A path on which a pointer is dead is not covered by one on which it is alive.
#[test]
fn equality_with_the_dead_is_open_on_each_path() {
    let ways = [
        "if (x) free(p);",
        "if (!x) free(p);",
        "if (x) free(p); else { int y = __VERIFIER_nondet_int(); if (y) x = 2; }",
    ];
    for (way, search) in ways.iter().flat_map(|way| ["dfs", "bfs", "random-path"].map(|search| (way, search))) {
        let program = format!(
            "#include <stdlib.h>\nextern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n\
             int main(void) {{ int x = __VERIFIER_nondet_int(); char *p = malloc(9); {way} char *q = malloc(9);\n\
             if (p == q) reach_error(); return 0; }}\n"
        );
        let finished = Project::new(&program).run(&format!("check --only=reach --search={search} prog.c"));
        assert_eq!(finished.end, End::Exit(5), "{way} {search}: {finished:?}");
    }
}

/// One past an object may be where another begins: for a pointer that gets there by an input, and
/// on a path that another one could cover.
#[test]
fn ends_may_be_beginnings_on_each_path() {
    let ways = ["int *p = a + x;", "int *p = a; if (x) p = a + 1;", "int *p = a + 1; if (x) p = a;"];
    for (way, search) in ways.iter().flat_map(|way| ["dfs", "bfs"].map(|search| (way, search))) {
        let program = format!(
            "extern void reach_error(void); extern int __VERIFIER_nondet_int(void); static int a[1], b[1];\n\
             int main(void) {{ int x = __VERIFIER_nondet_int(); if (x < 0 || x > 1) return 0; {way}\n\
             if (p == b) reach_error(); return 0; }}\n"
        );
        let finished = Project::new(&program).run(&format!("check --only=reach --search={search} prog.c"));
        assert_eq!(finished.end, End::Exit(5), "{way} {search}: {finished:?}");
    }
    let inside = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void); static int a[2], b[1];\n\
        int main(void) { int x = __VERIFIER_nondet_int(); if (x < 0 || x > 1) return 0; int *p = a + x;\n\
        if (p == b) reach_error(); return 0; }\n";
    let finished = Project::new(inside).run("check --only=reach prog.c");
    assert_eq!(finished.end, End::Exit(0), "{finished:?}");
}

/// Addresses that get into numbers by way of memory are seen wherever the number goes, and on each
/// path.
#[test]
fn addresses_in_memory_are_numbers() {
    let head = "#include <stdlib.h>\n#include <string.h>\nextern void reach_error(void);\n\
        extern int __VERIFIER_nondet_int(void); static int v, w; static union { unsigned long n; int *p; } u[3];\n\
        static int is_odd(unsigned long n) { return n >> 2 & 1; } static unsigned long get(void) { return u->n; }\n";
    let programs = [
        "u->p = &v; if (is_odd(u->n)) reach_error();",
        "u->p = &v; if (get() & 4) reach_error();",
        "u->p = &v; if (u->n - 8 & 4) reach_error();",
        "u->p = &v; unsigned long n = 8; if (x) n = u->n; if (n & 4) reach_error();",
        "u[0].p = &v; u[1].p = &w; if (x < 0 || x > 2) return 0; if (u[x].n & 4) reach_error();",
        "if (x) u->n = 8; else u->p = &v; if (u->n & 4) reach_error();",
        "if (x) u->p = &v; else u->n = 8; if (u->n & 4) reach_error();",
        "void *p = malloc(9), *q; memcpy(&u[0], &p, 8); free(p); q = malloc(9); memcpy(&u[1], &q, 8);\n\
         if (u[0].n == u[1].n) reach_error();",
    ];
    for (body, search) in programs.iter().flat_map(|body| ["dfs", "bfs"].map(|search| (body, search))) {
        let program = format!("{head}int main(void) {{ int x = __VERIFIER_nondet_int(); {body} return 0; }}\n");
        let finished = Project::new(&program).run(&format!("check --only=reach --search={search} prog.c"));
        assert_eq!(finished.end, End::Exit(5), "{body} {search}: {finished:?}");
    }
    let passed_on = "static struct s { union { unsigned long n; int *p; } u; } s; static int at(struct s s) { return *s.u.p; }\n\
        int main(void) { v = 1; s.u.p = __VERIFIER_nondet_int() ? &v : &w; if (at(s) > 1) reach_error(); return 0; }\n";
    let finished = Project::new(&format!("{head}{passed_on}")).run("check --only=reach prog.c");
    assert_eq!(finished.end, End::Exit(0), "{finished:?}");
}

/// The same for parts of addresses, in both data models: bytes, halves, floats, and what is wider.
#[test]
fn parts_of_addresses_are_numbers() {
    let head = "#include <stdlib.h>\n#include <string.h>\nextern void reach_error(void);\n\
        extern int __VERIFIER_nondet_int(void); static int v, w;\n\
        static union { unsigned long n; int *p; unsigned char b[8]; unsigned short h[4]; unsigned i; float f; double d; } u[2];\n\
        static struct __attribute__((packed)) { char c; int *p; } s; static int *volatile pair[4];\n";
    let programs = [
        "u->p = &v; if (u->b[1] & 4) reach_error();",
        "u->p = &v; if (u->h[0] & 8) reach_error();",
        "u->p = &v; if (u->i & 8) reach_error();",
        "u->p = &v; if (u->f > 1) reach_error();",
        "u->p = &v; if (u->d > 1) reach_error();",
        "int *p = &v; unsigned h; memcpy(&h, &p, 4); if (h & 8) reach_error();",
        "int *p = &v; unsigned short h; memcpy(&h, (char *)&p + 1, 2); if (h & 8) reach_error();",
        "int *p = &v; char h[9]; memcpy(h + 1, &p, sizeof p); if (h[1] & 8) reach_error();",
        "int *p = &v; char h[8]; for (unsigned i = 0; i < sizeof p; i++) h[i] = ((char *)&p)[i]; if (h[0] & 8) reach_error();",
        "int *p = &v; char h[8]; for (int i = 0; i < 3; i++) h[i] = ((char *)&p)[i]; if (h[0] & 8) reach_error();",
        "pair[0] = &v; pair[1] = &w; unsigned long long n; memcpy(&n, (void *)pair, 8); if (n >> 3 & 1) reach_error();",
        "pair[0] = &v; pair[1] = &w; long double d; memcpy(&d, (void *)pair, sizeof d); if (d > 1) reach_error();",
        "s.p = &v; if (((unsigned char *)&s)[2] & 4) reach_error();",
        "s.p = &v; unsigned short h; memcpy(&h, (char *)&s + 1, 2); if (h & 8) reach_error();",
        "u->p = &v; if (x < 0 || x > 3) return 0; if (u->b[x] & 4) reach_error();",
        "if (x < 0 || x > 1) return 0; u[x].p = &v; if (u[0].b[0] & 4) reach_error();",
        "if (x < 0 || x > 1) return 0; u[x].p = &v; if (u[!x].b[0] & 4) reach_error();",
        "u->p = x ? &v : &w; if (u->b[0] & 4) reach_error();",
        "if (x) u->i = 8; else u->p = &v; if (u->b[0] & 4) reach_error();",
        "if (x) u->p = &v; else u->i = 8; if (u->b[0] & 4) reach_error();",
        "if (x) u->n = x & 8; else u->p = &v; if (u->n & 4) reach_error();",
        "if (x) u->p = &v; else u->n = x & 8; if (u->n & 4) reach_error();",
        "if (x) u->n = x & 8; else u->p = &v; u[1] = u[0]; if (u[1].h[0] & 4) reach_error();",
        "int *p = &v, *q = &w; if (memcmp(&p, &q, sizeof p) > 0) reach_error();",
        "int *p = &v, *q = &w; int order = memcmp(&p, &q, sizeof p); if (order) if (order < 0) reach_error();",
        "int *p = &v + 1, *q = &w; if (memcmp(&p, &q, sizeof p) == 0) reach_error();",
        "int *p, *q = &w; if (x) p = &v + 1; else p = &v; if (!memcmp(&p, &q, sizeof p)) reach_error();",
        "int *p, *q = &w; if (x) p = &v; else p = &v + 1; if (!memcmp(&p, &q, sizeof p)) reach_error();",
        "int *p = malloc(4), *q; free(p); q = malloc(4); if (!memcmp(&p, &q, sizeof p)) reach_error();",
        "int *p = &v; long n = 0; if (memcmp(&p, &n, x & 3) > 0) reach_error();",
        "int *p[2] = {&v, &w}; int (*compare)(const void *, const void *, size_t) = memcmp;\n\
         if (compare(p, p + (x & 1), sizeof *p) < 0) reach_error();",
        "pair[0] = x ? &v : &w; pair[1] = &v; if (memcmp((void *)&pair[0], (void *)&pair[1], sizeof *pair) < 0) reach_error();",
        "int *p = &v; if (strlen((char *)&p) < 3) reach_error();",
        "int **a = malloc(8); if (!a) return 0; a[0] = &v; char *c = realloc(a, 3); if (c && c[0] & 8) reach_error();",
        "int *p = &v; if (memchr(&p, 8, sizeof p)) reach_error();",
        "int *p = &v, *q = &w; if (strcmp((char *)&p, (char *)&q) < 0) reach_error();",
        "if (x) u->n = x & 8; else u->p = &v; u[1].n = 1; if (memcmp(&u[0], &u[1], sizeof *u) > 0 && !x) reach_error();",
        // What is left when others of its bytes were overwritten.
        "int *p = &v; ((char *)&p)[sizeof p - 1] = 0; unsigned long n; memcpy(&n, &p, sizeof p); if (n & 8) reach_error();",
        "int *p = &v; ((char *)&p)[3] = 0; if (((char *)&p)[0] & 8) reach_error();",
        "int *p = &v; memset((char *)&p + 2, 0, sizeof p - 2); unsigned short n; memcpy(&n, &p, 2); if (n & 8) reach_error();",
        "int *p = &v; memcpy((char *)&p + 2, \"ab\", 2); if (*(short *)&p & 8) reach_error();",
        "u->p = &v; u->h[1] = 0; if (u->i & 8) reach_error();",
        "u->p = &v; u->h[1] = 0; u[1] = u[0]; if (u[1].b[0] & 8) reach_error();",
        "u->p = &v; u->b[3] = 0; memmove(u[1].b + 5, u->b, 3); if (u[1].b[5] & 8) reach_error();",
        "u->p = &v; u->b[3] = 0; u->b[1] = 1; if (u->b[0] & 8) reach_error();",
        "u->p = &v; u->b[3] = 0; u->b[x & 1] = 1; if (u->b[!(x & 1)] & 8) reach_error();",
        "u->p = &v; u->b[x & 1] = 0; if (u->h[0] & 8) reach_error();",
        "u->p = &v; u->b[3] = x; if (u->b[0] & 8) reach_error();",
        "u->p = x ? &v : &w; u->b[3] = 0; if (u->b[0] & 8) reach_error();",
        "u[x & 1].p = &v; u[x & 1].b[3] = 0; if (u[x & 1].b[0] & 8) reach_error();",
        "if (x) u->n = 8; else { u->p = &v; u->b[3] = 0; } if (u->b[0] & 4) reach_error();",
        "if (x) { u->p = &v; u->b[3] = 0; } else u->n = 8; if (u->b[0] & 4) reach_error();",
        "u->p = &v; if (x) u->b[3] = 0; else u->n = 0; int y = u->b[3] || 1; if (u->b[0] & 4) reach_error(); return y;",
        "s.p = &v; ((char *)&s)[4] = 0; if (((char *)&s)[1] & 8) reach_error();",
        "char t[24]; int *p = &v; memcpy(t + 8, &p, sizeof p); memset(t + 10, 0, 8); if (t[8] & 8) reach_error();",
        "int **a = malloc(8); if (!a) return 0; a[0] = &v; ((char *)a)[3] = 0; char *c = realloc(a, 20); if (c && c[0] & 8) reach_error();",
    ];
    for (body, way) in programs.iter().flat_map(|body| ["dfs", "bfs", "dfs -m32"].map(|way| (body, way))) {
        let program = format!("{head}int main(void) {{ int x = __VERIFIER_nondet_int(); {body} return 0; }}\n");
        let finished = Project::new(&program).run(&format!("check --only=reach prog.c --search={way}"));
        assert!(matches!(finished.end, End::Exit(5 | 10)), "{body} {way}: {finished:?}");
    }
    // What is whole, or beside an address, is as good as ever.
    let exact = [
        "u[0].p = &v; u[1].p = &w; if (u[0].n == u[1].n) reach_error();",
        "struct { int i; int *p; char c[4]; } t = {x & 3, &v, \"ab\"}, r = t; if (r.i > 3 || r.c[1] != 'b' || r.p != &v) reach_error();",
        "int *p = &v, *q; v = x & 1; memcpy(&q, &p, sizeof p); if (*q > 1) reach_error();",
        "s.c = 'a'; s.p = &v; v = 2; if (s.c != 'a' || *s.p != 2) reach_error();",
        "struct { char n[5]; short s; int *p; } a[3] = {{\"x\", 1, &v}, {\"yy\", 2, &w}, {\"zzz\", 3, 0}};\n\
         if (x < 0 || x > 2) return 0; if (a[x].s != x + 1 || a[x].n[x] != 'x' + x) reach_error();",
        "struct { long i; int *p; } t = {x & 3, &v}, r = t; if (memcmp(&t, &r, sizeof t)) reach_error();",
        "int *p = &v, *q = &w; if (!memcmp(&p, &q, sizeof p)) reach_error(); q = p; if (memcmp(&p, &q, sizeof p) > 0) reach_error();",
        "char t[3] = \"ab\"; t[x & 1] = 'c'; if (memcmp(t, \"ab\", 3) <= 0) reach_error();",
        "unsigned h = 2166136261u; char t[6]; memcpy(t, \"hello\", 6); for (char *c = t; *c; c++) h = (h ^ *c) * 16777619u;\n\
         if (h != 0x4f9f2cab) reach_error();",
        "u->p = &v; u->i = x & 7; if (u->i > 7) reach_error(); u[1] = u[0]; if (u[1].i > 7) reach_error(); u->n = 7; if (u->n != 7) reach_error();",
        "u->p = &v; for (unsigned k = 0; k < sizeof *u; k++) u->b[k] = 0; if (u->n || u->d != 0) reach_error();",
        "u->p = &v; u->b[0] = 1; u->p = &w; w = 2; if (u->p == &v || *u->p != 2) reach_error();",
        "struct { char c[3]; short s; int *p; int i; } a[2] = {{{0}, 0, &v, 1}, {{0}, 0, &w, 2}}; x &= 1;\n\
         a[x].s = 4; a[x].i = 5; a[x].c[x] = 6; if (a[x].s + a[x].i + a[x].c[x] != 15 || a[x].p != (x ? &w : &v)) reach_error();",
    ];
    for (body, way) in exact.iter().flat_map(|body| ["dfs", "bfs", "dfs -m32"].map(|way| (body, way))) {
        let program = format!("{head}int main(void) {{ int x = __VERIFIER_nondet_int(); {body} return 0; }}\n");
        let finished = Project::new(&program).run(&format!("check --only=reach prog.c --search={way}"));
        assert_eq!(finished.end, End::Exit(0), "{body} {way}: {finished:?}");
    }
}

/// Constants that are made of addresses, which LLVM folds into operands, and numbers that no
/// address should be compared with.
#[test]
fn constants_made_of_addresses_are_numbers() {
    let head = "#include <stdint.h>\nextern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n\
        extern unsigned long __VERIFIER_nondet_ulong(void); static char g[64]; static int a, b;\n\
        static union { int *p; unsigned long n; } u[2]; static unsigned long table[2] = {(unsigned long)g + 5, 7};\n\
        static int is_high(unsigned long n) { return n >> 28 > 0xfffffff; }\n\
        #define BIG (~0ul / 2 ^ ~0ul / 0x20000)\n";
    let programs = [
        "unsigned long y = __VERIFIER_nondet_ulong(); if (y < BIG && y > (unsigned long)g + 5) reach_error();",
        "unsigned long y = __VERIFIER_nondet_ulong(); if (y < BIG && y > (unsigned long)g) reach_error();",
        "unsigned long y = BIG + (x & 1); if (y > (unsigned long)&g[5]) reach_error();",
        "u[0].n = BIG; u[1].p = &a; if (u[0].n > u[1].n) reach_error();",
        "u[1].n = BIG; u[0].p = &a; if (u[1].n > u[0].n) reach_error();",
        "unsigned long y = ((unsigned long)g + 5) & 0xf0; if (!y) reach_error();",
        "if (table[0] >> 28 < 3) reach_error();",
        "if (table[0] < BIG) reach_error();",
        "if (table[x & 1] < BIG && table[x & 1] > 1000) reach_error();",
        "u[0].p = &a; if (u[0].n - ((unsigned long)g + 5) < 1000000) reach_error();",
        "u[0].p = &a; if (((unsigned long)g + 5) - u[0].n < 1000000) reach_error();",
        "u[0].p = &a; if (u[0].n < (unsigned long)g + 5) reach_error();",
        "u[0].p = &a; if (u[0].n - 0x1000 < BIG) reach_error();",
        "char *p = g; if (p == (char *)0x404060ul) reach_error();",
        "char *p = g + (x & 3); if (p == (char *)0x404060ul) reach_error();",
        "double d = (double)(unsigned long)g; if (d < 1e5) reach_error();",
        "unsigned char c = (unsigned char)(unsigned long)g; if (c & 0x40) reach_error();",
        "if (is_high((unsigned long)g + x % 2)) reach_error(); if (is_high((unsigned long)g)) reach_error();",
        "unsigned long n = x ? (unsigned long)g : 0; if (n % 1000 == 1) reach_error();",
        "if ((char *)&a - (char *)&b > 100000) reach_error();",
        "if ((unsigned long)&a - (unsigned long)&b > 100000) reach_error();",
        "if ((unsigned long)&a * 3 % 7 == 1) reach_error();",
    ];
    let main = |body: &str| format!("{head}int main(void) {{ int x = __VERIFIER_nondet_int(); {body} return 0; }}\n");
    for (body, way) in programs.iter().flat_map(|body| ["", " -m32"].map(|way| (body, way))) {
        let finished = Project::new(&main(body)).run(&format!("check --only=reach prog.c{way}"));
        assert!(matches!(finished.end, End::Exit(5 | 10)), "{body}{way}: {finished:?}");
    }
    let exact = [
        "char *p = g + (x & 31); if ((unsigned long)p < (unsigned long)g || (unsigned long)p >= (unsigned long)g + sizeof g) reach_error();",
        "if ((char *)&g[7] - (char *)&g[2] != 5 || (unsigned long)&g[7] - (unsigned long)g != 7) reach_error();",
        "u[0].p = &a; if (u[0].n != (unsigned long)&a) reach_error();",
        "char *p = (char *)((unsigned long)g + 5); *p = 7; if (g[5] != 7 || p != g + 5 || p == (char *)-1 || p == (char *)1) reach_error();",
        "u[0].n = (unsigned long)g + 8; if (*(char *)u[0].p) reach_error();",
        "u[0].n = BIG; u[1].n = x & 1; if (u[0].n < u[1].n) reach_error();",
    ];
    for (body, way) in exact.iter().flat_map(|body| ["", " -m32"].map(|way| (body, way))) {
        let finished = Project::new(&main(body)).run(&format!("check --only=reach prog.c{way}"));
        assert_eq!(finished.end, End::Exit(0), "{body}{way}: {finished:?}");
    }
}

/// Lanes of vectors, as optimised bitcode has them.
#[test]
fn vectors_of_addresses_are_numbers() {
    let bodies = [
        "%v = call <2 x i64> @llvm.masked.load.v2i64.p0(ptr %a, i32 8, <2 x i1> <i1 true, i1 true>, <2 x i64> zeroinitializer)\n\
         %x = extractelement <2 x i64> %v, i32 0\n%s = lshr i64 %x, 60\n%c = icmp eq i64 %s, 0",
        "%v = load <2 x i64>, ptr %a\n%o = icmp ult <2 x i64> %v, <i64 281474976710656, i64 281474976710656>\n\
         %c = extractelement <2 x i1> %o, i32 1",
        "%v = load <2 x ptr>, ptr %a\n%n = ptrtoint <2 x ptr> %v to <2 x i64>\n%m = lshr <2 x i64> %n, <i64 60, i64 60>\n\
         %z = icmp eq <2 x i64> %m, zeroinitializer\n%c = extractelement <2 x i1> %z, i32 1",
        "%v = load <2 x ptr>, ptr %a\n%w = shufflevector <2 x ptr> %v, <2 x ptr> %v, <2 x i32> <i32 1, i32 0>\n\
         %o = icmp ult <2 x ptr> %v, %w\n%c = extractelement <2 x i1> %o, i32 1",
    ];
    for body in bodies {
        let program = format!(
            "target triple = \"x86_64-pc-linux-gnu\"\n\
             target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"\n\
             @g = global [64 x i8] zeroinitializer\n@h = global [64 x i8] zeroinitializer\n\
             declare <2 x i64> @llvm.masked.load.v2i64.p0(ptr, i32, <2 x i1>, <2 x i64>)\ndeclare void @reach_error()\n\
             define i32 @main() {{\n%a = alloca [2 x ptr], align 16\nstore ptr @g, ptr %a\n\
             %b = getelementptr i8, ptr %a, i64 8\nstore ptr @h, ptr %b\n{body}\n\
             br i1 %c, label %bad, label %good\nbad:\ncall void @reach_error()\nunreachable\ngood:\nret i32 0\n}}\n"
        );
        let project = Project::new("");
        project.write("prog.ll", program.as_bytes());
        let finished = project.run("check --only=reach prog.ll");
        assert!(matches!(finished.end, End::Exit(5 | 10)), "{body}: {finished:?}");
    }
}

/// The other library's `memcmp`, which leaves off at the first difference.
#[test]
fn both_libraries_compare_addresses() {
    // Which is greater differs from run to run; a native one may show it.
    for (asked, codes) in [("== 0", &[10][..]), ("> 0", &[5, 10]), ("< 0", &[5, 10])] {
        let program = format!(
            "#include <regex.h>\n#include <string.h>\nextern void reach_error(void);\n\
             extern int __VERIFIER_nondet_int(void); static int v, w;\n\
             int main(void) {{ regex_t r; if (regcomp(&r, \"a\", 0)) return 0;\n\
             int *p = __VERIFIER_nondet_int() ? &v : &w, *q = &v;\n\
             if (memcmp(&p, &q, sizeof p) {asked}) reach_error(); return 0; }}\n"
        );
        let finished = Project::new(&program).run("check --only=reach prog.c");
        let is_right = codes.iter().any(|&code| finished.end == End::Exit(code));
        assert!(is_right, "{asked}: {finished:?}");
    }
}

/// A pointer to bytes that may lie anywhere is not covered by one that is aligned.
#[test]
fn alignment_is_open_on_each_path() {
    for (way, search) in ["x", "!x"].iter().flat_map(|way| ["dfs", "bfs"].map(|search| (way, search))) {
        let program = format!(
            "#include <stdlib.h>\n#include <stdint.h>\nextern void reach_error(void);\n\
             extern int __VERIFIER_nondet_int(void); static char bytes[3]; static double number;\n\
             int main(void) {{ int x = __VERIFIER_nondet_int(); void *p = {way} ? (void *)bytes : (void *)&number;\n\
             if ((uintptr_t)p & 7) reach_error(); return 0; }}\n"
        );
        let finished = Project::new(&program).run(&format!("check --only=reach --search={search} prog.c"));
        assert_eq!(finished.end, End::Exit(5), "{way} {search}: {finished:?}");
    }
}

/// What was never written can be anything: that is no reason to doubt a proof, but it is one to
/// doubt an error.
#[test]
fn unknown_values_endanger_errors_only() {
    let head = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n";
    let check = |body: &str| Project::new(&format!("{head}{body}")).run("check --only=reach prog.c");
    let proved =
        check("int main(void) { int x, y; if (x > 3) y = 1; else y = 2; if (y > 2) reach_error(); return 0; }");
    assert_eq!(proved.end, End::Exit(0), "{proved:?}");
    let doubtful = check("int main(void) { int x; if (x == 1234567) reach_error(); return 0; }");
    assert_eq!(doubtful.end, End::Exit(5), "{doubtful:?}");
    assert!(doubtful.stdout.contains("may be none of the program's"), "{}", doubtful.stdout);
    // Unless a native run shows it: the pages of a new heap are zeros.
    let shown = check(
        "#include <stdlib.h>\nint main(void) { int *p = malloc(400); \
         if (__VERIFIER_nondet_int() == 9 && p[70] < 5) reach_error(); return 0; }",
    );
    assert_eq!(shown.end, End::Exit(10), "{shown:?}");
    assert!(shown.stdout.contains("confirmed natively"), "{}", shown.stdout);
    // What one path leaves in doubt another shows for certain, whichever comes first.
    for search in ["dfs", "bfs", "random-path"] {
        let program = format!(
            "{head}int main(void) {{ int u, v, i = __VERIFIER_nondet_int(); if (i) v = u; else v = 1;\n\
             if (v == 1) reach_error(); return 0; }}"
        );
        let certain = Project::new(&program).run(&format!("check --only=reach --search={search} prog.c"));
        assert_eq!(certain.end, End::Exit(10), "{search}: {certain:?}");
    }
    // Each call has its own: what one of them was does not bind the next.
    let calls = check(
        "static int f(void) { int x; return x > 0; }\n\
         int main(void) { int a = f(), b = f(); if (a != b) { int z = __VERIFIER_nondet_int(); if (z == 5) reach_error(); } return 0; }",
    );
    assert_ne!(calls.end, End::Exit(0), "{calls:?}");
    // Inputs of any name are inputs.
    let named = check(
        "#include <klee/klee.h>\nint main(void) { int a[2]; int x = klee_int(\"unknown\"); \
         if (a[0] == 3 && x == 4) reach_error(); return 0; }",
    );
    assert_ne!(named.end, End::Exit(0), "{named:?}");
}

/// `klee_set_forking` holds for every way to fork, and what was not taken is no proof.
#[test]
fn forking_is_off_for_switches_too() {
    let program = "#include <klee/klee.h>\nextern void reach_error(void);\nint main(void) { int x = klee_int(\"x\"); \
        klee_set_forking(0); switch (x) { case 1: return 1; case 2: reach_error(); return 2; default: return 0; } }";
    let finished = Project::new(program).run("check --only=reach --interpolation=off prog.c");
    assert!(finished.stdout.contains("klee_set_forking"), "{}", finished.stdout);
    assert_eq!(finished.end, End::Exit(5), "{finished:?}");
}

/// Objects of blocks: what AddressSanitizer calls stack-use-after-scope.
#[test]
fn variables_end_with_their_blocks() {
    let wrong = [
        "int *p; { int a[10]; p = a; a[0] = 0; } p[0] = 1;",
        "int *p; { int x = 1; p = &x; } return *p;",
        "int *p = 0, s = 0; for (int i = 0; i < 3; i++) { if (p) s += *p; int x = i; p = &x; } return s;",
        "int *p; { p = &(int){5}; *p += 1; } return *p;",
        "int n = 4, *p; { int v[n]; v[1] = 2; p = v; } return p[1];",
    ];
    for body in wrong {
        let finished = Project::new(&format!("int main(void) {{ {body} return 0; }}\n")).run("check prog.c");
        assert_eq!(finished.end, End::Exit(10), "{body}: {finished:?}");
        assert!(finished.stdout.contains("use after scope: "), "{body}: {}", finished.stdout);
    }
    let right = [
        "int s = 0; for (int i = 0; i < 4; i++) { int a[3] = {i}; int *p = a; s += *p; if (i == 2) continue; { int b = s, *q = &b; s = *q; } }",
        "int s = 0; for (int i = 0; i < 4; i++) { struct { int a, b; } *p = 0; int *q = (int[]){i, 2, 3}; q[0]++; s += q[0] + !p; }",
        "int n = 3, s = 0; while (n--) { int v[n + 1]; v[n] = n; s += v[n]; goto next; next:; }",
    ];
    for body in right {
        let finished = Project::new(&format!("int main(void) {{ {body} return 0; }}\n")).run("check prog.c");
        assert_eq!(finished.end, End::Exit(0), "{body}: {finished:?}");
    }
}

/// What is in doubt is confirmed by an error of its own kind, not by another failure.
#[test]
fn other_failures_confirm_nothing() {
    let doubtful = |head: &str, found: &str, rest: &str| {
        format!(
            "#include <assert.h>\n#include <limits.h>\n#include <stdlib.h>\n{head}\n\
             int main(void) {{ int *p = malloc(4); if (!p) return 0; int x = *p;\n{found}\n{rest} return 0; }}\n"
        )
    };
    let declared = "extern void reach_error(void);";
    let own = "void reach_error(void) { abort(); }";
    let call = "if (x == 123456789) reach_error();";
    let overflow = "volatile int a = INT_MAX; a = a + 1;";
    let early = format!("{overflow} {call}");
    for (options, head, found, rest) in [
        ("--only=reach", declared, call, "abort();"),
        ("--only=reach", declared, call, "*(volatile int *)0 = 1;"),
        ("--only=reach", declared, call, "__builtin_trap();"),
        ("--only=reach", declared, call, "assert(0);"),
        ("--only=reach", declared, call, overflow),
        ("--only=reach", declared, &early, ""),
        ("--only=reach", own, call, "abort();"),
        ("--only=assert", "", "assert(x != 123456789);", "abort();"),
        ("--only=assert", "", "assert(x != 123456789);", overflow),
    ] {
        let finished = Project::new(&doubtful(head, found, rest)).run(&format!("check {options} prog.c"));
        assert_eq!(finished.end, End::Exit(5), "{head} {found} {rest}: {finished:?}");
        let is_told = finished.stdout.contains("NOT confirmed natively: the native run fails in another way");
        assert!(is_told, "{head} {found} {rest}: {}", finished.stdout);
    }
    // A status of the replay library's, which the program may have too.
    let status = doubtful("int puts(const char *);", "if (x == 123456789)\nputs(\"x\");", "return 95;");
    let finished = Project::new(&status).run("reach prog.c:7");
    assert_eq!(finished.end, End::Exit(5), "{finished:?}");
}

/// Whatever the program's own error function does, a native run tells that it was called.
#[test]
fn error_functions_of_the_program_tell_of_themselves() {
    let bodies = ["void reach_error(void) { assert(0); }", "void reach_error(void) { abort(); }"];
    let silent = ["static void reach_error(void) {}", "void reach_error(void) { exit(0); }"];
    for body in bodies.iter().chain(&silent) {
        let program = format!(
            "#include <assert.h>\n#include <stdio.h>\n#include <stdlib.h>\n{body}\n\
             extern int __VERIFIER_nondet_int(void);\n\
             int main(void) {{ int *p = malloc(400); fputs(\"unfinished\", stderr);\n\
             if (p && __VERIFIER_nondet_int() == 9 && p[70] < 5) reach_error(); return 0; }}\n"
        );
        let finished = Project::new(&program).run("check --only=reach prog.c");
        assert_eq!(finished.end, End::Exit(10), "{body}: {finished:?}");
        assert!(finished.stdout.contains("(confirmed natively"), "{body}: {}", finished.stdout);
    }
}
