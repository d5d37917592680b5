//! Limits hold whatever the engine is doing: time, memory and signals, measured from outside, with
//! a hard stop behind all of it.
//!
//! Times are counted from when the run says that it has begun, so that compiling does not count. A
//! run that takes no notice is ended by its watch after two seconds more: whatever takes less than
//! that has stopped by itself.

mod support;

use espalier_base::process::{self, End, Ended, Limits, Pipes, Stream};
use serde_json::Value;
use std::cell::Cell;
use std::process::Stdio;
use std::time::{Duration, Instant};
use support::project::Project;

/// No run may take longer, whatever else fails.
const HARD_STOP: Duration = Duration::from_secs(60);
/// How late a run may end that stops by itself. A machine that is busy makes it later, but not so
/// late.
const LATE: Duration = Duration::from_millis(1900);
/// How late one may end that is ended by force.
const BY_FORCE: Duration = Duration::from_secs(5);

struct Held {
    ended: Ended,
    /// From when the run began to its end.
    time: Duration,
    /// From when the signal was sent to the end.
    since_signal: Option<Duration>,
    /// The last event.
    finished: Value,
    text: String,
}

/// Runs a verb on a program, with JSON, and sends a signal some time after the run began.
fn hold(source: &str, args: &str, signal: Option<(i32, Duration)>) -> Held {
    let project = Project::new(source);
    let (begun, sent) = (Cell::new(None::<Instant>), Cell::new(None::<Instant>));
    let mut events = String::new();
    let mut text = String::new();
    let mut command = project.command(&format!("{args} prog.c --json --output-dir out"));
    let process = Cell::new(None);
    let stop = || {
        if let (Some((signal, after)), Some(begun), None) = (signal, begun.get(), sent.get())
            && begun.elapsed() >= after
            && let Some(process) = process.take()
        {
            sent.set(Some(Instant::now()));
            // SAFETY: a child of ours that has not been waited for.
            unsafe { libc::kill(process, signal) };
        }
        false
    };
    let limits = Limits { resident: Some(6 << 30), ..Limits::time(HARD_STOP) };
    let mut hear = |stream, bytes: &[u8]| {
        let heard = if stream == Stream::Output { &mut events } else { &mut text };
        heard.push_str(&String::from_utf8_lossy(bytes));
        if begun.get().is_none() && events.contains("run-started") {
            begun.set(Some(Instant::now()));
            process.set(child_in(project.path("").as_path()));
        }
    };
    let ended = process::run(command.stdin(Stdio::null()), Pipes::Separate, &limits, &stop, &mut hear);
    let time = begun.get().unwrap_or_else(|| panic!("no run: {ended:?} {text}")).elapsed();
    let finished = events.lines().rev().find(|line| line.contains("run-finished"));
    let finished = finished.unwrap_or_else(|| panic!("no summary: {ended:?} {text} {events}"));
    let finished = serde_json::from_str(finished).unwrap();
    Held { ended, time, since_signal: sent.get().map(|sent| sent.elapsed()), finished, text }
}

/// The child that runs in this directory.
fn child_in(directory: &std::path::Path) -> Option<i32> {
    let directory = directory.canonicalize().ok()?;
    let mut processes = std::fs::read_dir("/proc").ok()?.filter_map(Result::ok);
    processes.find_map(|entry| {
        let process: i32 = entry.file_name().to_str()?.parse().ok()?;
        let is_there = std::fs::read_link(entry.path().join("cwd")).ok()? == directory;
        let name = std::fs::read_to_string(entry.path().join("comm")).ok()?;
        (is_there && name.trim() == "espalier").then_some(process)
    })
}

impl Held {
    fn assert(&self, what: &str, code: i32, stop: &str) {
        assert_eq!(self.ended.end, End::Exit(code), "{what}: {}", self.text);
        assert_eq!(self.finished["stop"], stop, "{what}: {}", self.text);
    }
}

/// Circuits of many large multiplications and divisions.
const BLASTING: &str = r#"#include <klee/klee.h>
int main(void) {
  unsigned long long a[8], p = 1;
  klee_make_symbolic(a, sizeof a, "a");
  for (int r = 0; r < 40; r++)
    for (int k = 0; k < 8; k++)
      p = p * (a[k] | 1) + (a[k] % (p | 1));
  if (p == 0x123456789abcdefULL)
    return 1;
  return 0;
}
"#;

/// What is learnt gets larger with every branch.
const LEARNING: &str = r#"#include <assert.h>
#include <klee/klee.h>
#define N 400
int main(void) {
  unsigned char a[N];
  klee_make_symbolic(a, sizeof a, "a");
  for (int i = 1; i < N; i++) {
    unsigned char v = a[i];
    int j = i;
    while (j > 0 && a[j - 1] > v) {
      a[j] = a[j - 1];
      j--;
    }
    a[j] = v;
  }
  assert(a[0] <= a[1]);
  return 0;
}
"#;

/// Pages that are not where the others are, so that each byte is copied.
const COPYING: &str = r#"#include <stdlib.h>
#include <string.h>
int main(void) {
  char *p = malloc(8ull << 30), *q = malloc(8ull << 30);
  memset(p, 1, 8ull << 30);
  memcpy(q + 1, p, (8ull << 30) - 1);
  return q[12345];
}
"#;

/// Each round moves the object into an array and writes over most of it.
const STORING: &str = r#"#include <klee/klee.h>
#include <string.h>
static unsigned char a[1 << 20];
int main(void) {
  unsigned i, s = 0;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_assume(i < 1 << 20);
  for (int k = 0; k < 100000; k++) {
    a[i ^ k] = k;
    memset(a, k, 1 << 15);
    s += a[(i + k) & 0xfffff];
  }
  if (s == 5)
    return 1;
  return 0;
}
"#;

/// A copy from and to a place that is not known, byte by byte.
const SYMBOLIC_COPYING: &str = r#"#include <klee/klee.h>
#include <string.h>
static char a[1 << 23], b[1 << 23];
int main(void) {
  unsigned i;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_assume(i < 1 << 22);
  memcpy(b, a + i, 1 << 22);
  memcpy(b + i, a, 1 << 22);
  return b[i + 5];
}
"#;

/// A term that never stops growing.
const BUILDING: &str = r#"#include <klee/klee.h>
int main(void) {
  unsigned long long x, y;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&y, sizeof y, "y");
  unsigned long long s = x;
  for (long i = 0; i < 1000000000; i++)
    s = (s ^ (y + i)) * (s >> 7 | 1) + x;
  return s == 12345;
}
"#;

/// An input that is larger than the memory.
const LARGE_INPUT: &str = r#"#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  char *p = malloc(1u << 31);
  klee_make_symbolic(p, 1u << 31, "p");
  if (p[12345] == 3)
    return 1;
  return 0;
}
"#;

/// Breadth first, all of them are open at once.
const MANY_STATES: &str = r#"#include <klee/klee.h>
int main(void) {
  unsigned char a[24];
  int n = 0;
  klee_make_symbolic(a, sizeof a, "a");
  for (int i = 0; i < 24; i++)
    if (a[i] > 7)
      n++;
  return n;
}
"#;

/// Heap objects, and what is written to them.
const HEAP: &str = r#"#include <stdlib.h>
#include <string.h>
int main(void) {
  for (int k = 1;; k++) {
    char *p = malloc(1 << 20);
    for (int i = 0; i + 100 <= 1 << 20; i += 100)
      memset(p + i, k + i, 99);
  }
}
"#;

#[test]
fn time_holds() {
    for (what, source, verb) in [
        ("blasting", BLASTING, "run"),
        ("learning", LEARNING, "check"),
        ("copying", COPYING, "run"),
        ("storing", STORING, "run"),
        ("copying at a symbolic offset", SYMBOLIC_COPYING, "run"),
        ("building terms", BUILDING, "run"),
        ("making an input", LARGE_INPUT, "run"),
    ] {
        let held = hold(source, &format!("{verb} --max-time=1s"), None);
        held.assert(what, 5, "max-time");
        assert!(held.time < Duration::from_secs(1) + LATE, "{what}: {:?}", held.time);
        assert!(held.time >= Duration::from_millis(900), "{what}: {:?}", held.time);
    }
}

#[test]
fn winding_up_many_states_takes_no_longer() {
    let options = "run --search=bfs --dump-states-on-halt=true --max-time=2s";
    let held = hold(MANY_STATES, options, None);
    held.assert("winding up", 5, "max-time");
    assert!(held.finished["open_states"].as_u64().unwrap() > 20_000, "{}", held.finished);
    assert!(held.time < Duration::from_secs(2) + LATE, "{:?}", held.time);
    let missing = held.finished["missing_tests"].as_u64().unwrap();
    let tests = held.finished["tests"].as_u64().unwrap();
    assert!(missing > 0 && tests > 0, "what there was no time for is said: {missing} {tests}");
}

#[test]
fn signals_hold() {
    for (what, source, verb, signal) in [
        ("blasting", BLASTING, "run", libc::SIGTERM),
        ("learning", LEARNING, "check", libc::SIGINT),
        ("copying", COPYING, "run", libc::SIGINT),
        ("storing", STORING, "run", libc::SIGTERM),
    ] {
        let held = hold(source, verb, Some((signal, Duration::from_millis(600))));
        held.assert(what, 5, "interrupted");
        let since = held.since_signal.unwrap_or_else(|| panic!("{what}: no signal was sent"));
        assert!(since < LATE, "{what}: {since:?}");
    }
}

#[test]
fn memory_holds() {
    const LIMIT: u64 = 512 << 20;
    for (what, source) in [
        ("the heap", HEAP),
        ("copying", COPYING),
        ("circuits", BLASTING),
        ("terms", BUILDING),
        ("an input", LARGE_INPUT),
    ] {
        let held = hold(source, "run --max-memory=512MiB --max-time=30s", None);
        held.assert(what, 5, "max-memory");
        let peak = held.ended.usage.peak_memory;
        assert!(peak < LIMIT + LIMIT / 10, "{what}: {} MiB", peak >> 20);
        assert!(peak > LIMIT / 2, "{what}: {} MiB", peak >> 20);
    }
}

/// Nobody reads what it prints, so that it waits in the middle of a write, holding what the summary
/// needs too.
#[test]
fn a_run_that_hangs_is_ended_by_force() {
    let source = r#"#include <stdio.h>
        int main(void) {
          for (unsigned long i = 0;; i++)
            printf("%lu: nobody reads this, and there is a lot of it\n", i);
        }"#;
    let project = Project::new(source);
    let mut command = project.command("check prog.c --show-output --max-time=1s --output-dir out");
    let start = Instant::now();
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > HARD_STOP {
            child.kill().unwrap();
            panic!("it hangs");
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    assert_eq!(status.code(), Some(5));
    assert!(start.elapsed() < Duration::from_secs(1) + BY_FORCE + HARD_STOP / 4, "{:?}", start.elapsed());
    let info = project.read("out/info");
    assert!(info.contains("exit code = 5"), "{info}");
    let elapsed = info.lines().find_map(|line| line.strip_prefix("Elapsed: ")?.strip_suffix('s'));
    let elapsed: f64 = elapsed.and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("{info}"));
    assert!((3.0..3.0 + BY_FORCE.as_secs_f64()).contains(&elapsed), "{info}");
    assert!(project.read("out/messages.txt").contains("raise --max-time to go on."));
}

fn completed(source: &str, args: &str, code: i32) -> Held {
    let held = hold(source, args, None);
    assert_eq!(held.ended.end, End::Exit(code), "{}", held.text);
    held
}

/// What a run took of the processor, in seconds, and the memory: others may keep the machine busy.
fn cost(held: &Held) -> (f64, u64) {
    (held.ended.usage.cpu.as_secs_f64(), held.ended.usage.peak_memory)
}

#[test]
fn symbolic_offsets_in_large_objects_are_cheap() {
    let source = |allocate: &str, accesses: &str| {
        format!(
            "#include <klee/klee.h>
             #include <stdlib.h>
             int main(void) {{
               unsigned i, j;
               klee_make_symbolic(&i, sizeof i, \"i\");
               klee_make_symbolic(&j, sizeof j, \"j\");
               {allocate}
               {accesses}
               return 0;
             }}"
        )
    };
    let (compiling, idle) = cost(&completed(&source("", ""), "run", 0));
    // Written here and there, and read in many places: a hundred accesses to 1 MiB.
    let megabyte = "unsigned char *t = calloc(1, 1 << 20); klee_assume(i < 1 << 20); klee_assume(j < 1 << 20);
                    for (int k = 0; k < 1 << 20; k += 1000) t[k] = k;";
    let reads = "unsigned s = 0; for (int k = 0; k < 100; k++) { t[k] = k + 1; s += t[i ^ k]; }
                 if (t[i] == 200) return 1;";
    let (time, peak) = cost(&completed(&source(megabyte, reads), "run", 0));
    assert!(time < 1.0 + compiling, "{time} s for a hundred reads, {compiling} s for none");
    assert!(peak < idle + (64 << 20), "{} MiB more", (peak - idle) >> 20);
    let writes = "for (int k = 0; k < 100; k++) t[i ^ k] = k; if (t[j] == 200 && j > 1 << 19) return 1;";
    let (time, peak) = cost(&completed(&source(megabyte, writes), "run", 0));
    assert!(time < 1.0 + compiling, "{time} s for a hundred writes, {compiling} s for none");
    assert!(peak < idle + (64 << 20), "{} MiB more", (peak - idle) >> 20);
    // 4 GiB: of the bytes at 77 and at j it is known what they are, all others are zeros.
    let huge = "unsigned char *p = calloc(1, 4ull << 30); p[77] = 5; p[j] = 9; p[4294967295u] = 7;";
    let cases = "if (i == 77 && j != 77 && p[i] != 5) klee_abort(); if (i == j && i != 4294967295u && p[i] != 9) klee_abort();
                 if (p[i] == 7 && i != 4294967295u) klee_abort(); if (p[i] == 1) klee_abort(); if (p[i] == 9) return 1;";
    let held = completed(&source(huge, cases), "run", 0);
    assert!(held.finished["paths"]["completed"].as_u64().unwrap() >= 4, "{}", held.finished);
    assert!(cost(&held).1 < idle + (64 << 20), "{}", held.finished);
    // The same where nothing was written: any value is possible, and another one at each place.
    let unknown = "unsigned char *p = malloc(4ull << 30); p[77] = 5; p[j] = 9;";
    let cases = "if (i == 77 && j != 77 && p[i] != 5) klee_abort(); if (i == j && p[i] != 9) klee_abort();
                 if (i > 100 && i != j && i + 1 != j && p[i] != p[i + 1]) return 1;";
    let held = completed(&source(unknown, cases), "run", 0);
    assert_eq!(held.finished["paths"]["errors"], 0, "{}", held.finished);
    assert!(cost(&held).1 < idle + (64 << 20), "{}", held.finished);
}

#[test]
fn a_reach_that_is_too_large_is_cut_with_its_reason() {
    let source = r#"#include <klee/klee.h>
        static int t[1 << 20];
        int main(void) {
          unsigned i;
          klee_make_symbolic(&i, sizeof i, "i");
          klee_assume(i < 1 << 20);
          for (int k = 0; k < 1 << 20; k += 16)
            t[k] = k;
          if (i < 100)
            return t[i] == 3;
          return t[i] == 7;
        }"#;
    let held = completed(source, "run --max-symbolic-reach=1MiB", 5);
    assert_eq!(held.finished["paths"]["limited"], 1, "{}", held.finished);
    let reason = held.finished["cuts"][0]["reason"].as_str().unwrap();
    assert!(reason.contains("--max-symbolic-reach"), "{reason}");
    // Where the path condition says that little is in reach, that counts.
    assert!(held.finished["paths"]["completed"].as_u64().unwrap() >= 1, "{}", held.finished);
}

/// As many objects, and as large ones, as a native process of 32 bits has room for.
#[test]
fn the_address_space_of_32_bits_suffices() {
    let source = r#"#include <assert.h>
        #include <stdlib.h>
        static char big[500000000];
        int main(void) {
          static int *p[10000];
          big[499999999] = 3;
          for (int i = 0; i < 10000; i++) {
            p[i] = malloc(100);
            assert(p[i]);
            *p[i] = i;
          }
          char *large = malloc(1500000000);
          assert(large);
          large[1499999999] = 4;
          for (int i = 0; i < 10000; i++) {
            assert(*p[i] == i);
            free(p[i]);
          }
          return big[499999999] + large[1499999999] - 7;
        }"#;
    completed(source, "run -m32", 0);
    // What is freed is there again, however it is cut up. Addresses that are used twice are no
    // facts: exit code 5.
    let source = r#"#include <assert.h>
        #include <stdlib.h>
        int main(void) {
          for (int i = 0; i < 400; i++) {
            char *p = malloc(10000000 + 100000 * i);
            assert(p);
            p[9999999] = 1;
            free(p);
          }
          return 0;
        }"#;
    let held = completed(source, "run -m32", 5);
    assert_eq!((&held.finished["paths"]["completed"], &held.finished["paths"]["errors"]), (&1.into(), &0.into()));
}
