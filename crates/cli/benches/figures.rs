//! The figures of `docs/benchmarks.md`: concrete code against native execution, paths per second,
//! the cost of a fork.
//!
//! Ratios are taken within one run of this program, because machines differ. Every line is preceded
//! by the commands that it comes from, so that each can be repeated by hand.

#[path = "../tests/support/mod.rs"]
mod support;

use espalier_exec::{Executor, State, Step};
use espalier_frontend::Input;
use serde_json::Value;
use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use std::time::{Duration, Instant};
use support::events::Run;
use support::process::{self, End};
use support::root;

const LIMIT: Duration = Duration::from_secs(900);
const REPEATS: usize = 3;

const CONCRETE: [&str; 4] = ["hash", "sort", "matrix", "strings"];
const SYMBOLIC: [&str; 2] = ["paths16", "parser30"];

fn main() -> Result<(), String> {
    // `cargo test --benches` must not take minutes.
    if !std::env::args().any(|arg| arg == "--bench") {
        return Ok(());
    }
    if std::env::args().any(|arg| arg == "forks") {
        return forks();
    }
    let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
    if std::env::args().any(|arg| arg == "deep") {
        return deep(dir.path());
    }
    println!("Concrete code: time against native execution at -O0, best of {REPEATS}");
    println!("  clang-19 -O0 benches/c/X.c -o X && ./X");
    println!("  espalier run --no-tests benches/c/X.c\n");
    println!("  {:<10} {:>10} {:>12} {:>8} {:>16}", "program", "native", "espalier", "ratio", "instructions/s");
    for name in CONCRETE {
        concrete(dir.path(), name)?;
    }
    println!("\nPaths: what one costs, and where the time goes");
    println!("  espalier run --no-tests --stats benches/c/X.c\n");
    for name in SYMBOLIC {
        symbolic(dir.path(), name)?;
    }
    deep(dir.path())?;
    println!("\nForks of a state with 1 MiB of memory, 4096 of them open at once");
    println!("  benches/c/fork1m.c, in this process; every path also writes a byte after each fork\n");
    forks()
}

fn source(name: &str) -> PathBuf {
    root().join("benches/c").join(format!("{name}.c"))
}

/// A run and its whole time, compiling included.
fn espalier(dir: &Path, name: &str, options: &[&str]) -> Result<(Value, Duration), String> {
    let dir = tempfile::tempdir_in(dir).map_err(|error| error.to_string())?;
    let mut args: Vec<String> = options.iter().map(|option| option.to_string()).collect();
    args.extend(["--no-tests".into(), source(name).display().to_string()]);
    let start = Instant::now();
    let run = Run::start(dir.path(), &args, LIMIT)?;
    let time = start.elapsed();
    // Time may be up.
    if run.exit_code != 0 && run.exit_code != 5 {
        return Err(format!("{name}: exit code {}\n{}", run.exit_code, run.stderr));
    }
    Ok((run.finished()?.clone(), time))
}

fn concrete(dir: &Path, name: &str) -> Result<(), String> {
    let binary = dir.join(name);
    let mut compile = Command::new("clang-19");
    compile.args(["-O0", "-w"]).arg(source(name)).arg("-o").arg(&binary);
    let finished = process::run(&mut compile, LIMIT);
    if finished.end != End::Exit(0) {
        return Err(finished.stderr);
    }
    let mut native = Duration::MAX;
    for _ in 0..REPEATS {
        let start = Instant::now();
        process::run(&mut Command::new(&binary), LIMIT);
        native = native.min(start.elapsed());
    }
    let mut best = f64::MAX;
    let mut instructions = 0.0;
    for _ in 0..REPEATS {
        let (finished, _) = espalier(dir, name, &[])?;
        best = best.min(number(&finished["elapsed_seconds"]));
        instructions = number(&finished["instructions"]);
    }
    let native = native.as_secs_f64();
    println!(
        "  {name:<10} {:>8.3} s {:>10.3} s {:>8.1} {:>14.1} M",
        native,
        best,
        best / native,
        instructions / best / 1e6
    );
    Ok(())
}

fn symbolic(dir: &Path, name: &str) -> Result<(), String> {
    let (finished, whole) = espalier(dir, name, &[])?;
    let paths = number(&finished["paths"]["completed"]);
    let elapsed = number(&finished["elapsed_seconds"]);
    let solver = &finished["solver"];
    let stages = solver["stages"].as_array().ok_or("no stages")?;
    let answers = |stage: &Value| number(&stage["answers"]);
    let backend: f64 =
        stages.iter().filter(|stage| stage["stage"] == "sat" || stage["stage"] == "smt").map(answers).sum();
    println!(
        "  {name}: {paths} paths in {elapsed:.2} s ({:.0} paths/s; {:.2} s in all)",
        paths / elapsed,
        whole.as_secs_f64()
    );
    println!(
        "    per path: {:.2} queries, {:.3} of them to a backend, {:.0} instructions",
        number(&solver["queries"]) / paths,
        backend / paths,
        number(&finished["instructions"]) / paths,
    );
    let share = |seconds: &Value| 100.0 * number(seconds) / elapsed;
    println!(
        "    time: {:.0}% solver chain ({:.0}% in backends), {:.0}% copying states, the rest executing",
        share(&solver["seconds"]),
        share(&solver["backend_seconds"]),
        share(&finished["fork_seconds"]),
    );
    for stage in stages.iter().filter(|stage| answers(stage) > 0.0) {
        let each = 1e6 * number(&stage["seconds"]) / answers(stage);
        println!(
            "    {:<12} {:>12} answers {:>8.2} us each",
            stage["stage"].as_str().unwrap_or(""),
            answers(stage),
            each
        );
    }
    Ok(())
}

/// How many forks a window of the deep benchmark has, and behind how many forks the last one ends.
const WINDOW: usize = 1000;
const DEPTH: usize = 100_000;

/// What a fork costs on a path of a thousand forks, and on one of a hundred thousand.
fn deep(dir: &Path) -> Result<(), String> {
    println!("\nDeep paths: what the forks {WINDOW} to {} cost, and the last {WINDOW} of {DEPTH}", 2 * WINDOW);
    println!(
        "  benches/c/deep.c (siblings end), benches/c/deep_array.c (siblings stay open), depth first, in this process\n"
    );
    deep_path("deep", true)?;
    deep_path("deep_array", false)?;
    let minute = ["--max-time=60s", "--max-memory=900MiB"];
    for search in [&["--search=dfs"][..], &[]] {
        let options = [&minute[..], search].concat();
        println!("\n  espalier run --no-tests {} benches/c/deep_array.c", options.join(" "));
        let (finished, _) = espalier(dir, "deep_array", &options)?;
        let memory = number(&finished["peak_memory_bytes"]) / f64::from(1 << 20);
        let (completed, open) = (number(&finished["paths"]["completed"]), number(&finished["open_states"]));
        println!("    {memory:.0} MiB at most, {completed} paths, {open} open");
    }
    Ok(())
}

/// The executor of a program, and its first state.
fn started(name: &str) -> Result<(Executor, State), String> {
    let input = Input { files: vec![source(name)], ..Input::default() };
    let loaded = espalier_frontend::load(&input).map_err(|error| error.to_string())?;
    let options = espalier_exec::Options::default();
    let mut executor = Executor::new(loaded.program.into(), espalier_solver::Config::default(), options)
        .map_err(|error| error.to_string())?;
    let root = executor.initial_state(loaded.entry).map_err(|error| error.to_string())?;
    Ok((executor, root))
}

/// Follows one path, and keeps what it leaves behind.
fn deep_path(name: &str, siblings_end: bool) -> Result<(), String> {
    let what = if siblings_end { "siblings end" } else { "siblings stay open" };
    let (mut executor, root) = started(name)?;
    let mut open = VecDeque::from([Box::new(root)]);
    let begun = HEAP.load(Relaxed);
    let mut samples = Vec::new();
    // Of two that go on the newer one does; of two of which one ends, both are run.
    while let Some(mut state) = if siblings_end { open.pop_front() } else { open.pop_back() } {
        match executor.run(&mut state, u64::MAX) {
            Step::Budget | Step::Join | Step::Entered => open.push_back(state),
            Step::Fork(children) => {
                samples.push((HEAP.load(Relaxed), Instant::now()));
                open.extend(children.into_iter().map(|child| child.state));
                open.push_back(state);
            }
            Step::End(_) if samples.len() >= DEPTH => break,
            Step::End(_) => {}
        }
    }
    let window = |first: usize| -> Result<(f64, f64), String> {
        let (from, to) = (samples.get(first), samples.get(first + WINDOW - 1));
        let (Some(from), Some(to)) = (from, to) else { return Err(format!("{name}: too few forks")) };
        let mut times: Vec<f64> =
            samples[first..first + WINDOW].windows(2).map(|pair| (pair[1].1 - pair[0].1).as_secs_f64() * 1e6).collect();
        times.sort_by(f64::total_cmp);
        Ok(((to.0 - from.0) as f64 / (WINDOW - 1) as f64, times[times.len() / 2]))
    };
    let ((bytes, time), (deep_bytes, deep_time)) = (window(WINDOW)?, window(DEPTH - WINDOW)?);
    println!(
        "  {name} ({what}): {bytes:.0} bytes and {time:.2} us (median); {deep_bytes:.0} bytes ({:.2} times) and {deep_time:.2} us ({:.2} times); {:.0} MB in all",
        deep_bytes / bytes,
        deep_time / time,
        (samples[DEPTH - 1].0 - begun) as f64 / 1e6,
    );
    Ok(())
}

/// Runs the program in this process, one fork at a time and breadth first, keeps every state, and
/// counts the bytes that live.
fn forks() -> Result<(), String> {
    let (mut executor, root) = started("fork1m")?;
    let mut open = VecDeque::from([Box::new(root)]);
    // The first fork is left out: what is set up only once is not its cost.
    let mut start = None;
    let mut forks = 0u64;
    while let Some(mut state) = open.pop_front() {
        match executor.run(&mut state, u64::MAX) {
            Step::Budget | Step::Join | Step::Entered => open.push_back(state),
            Step::Fork(children) => {
                start.get_or_insert_with(|| HEAP.load(Relaxed));
                forks += children.len() as u64;
                open.push_back(state);
                open.extend(children.into_iter().map(|child| child.state));
            }
            // Breadth first: when the first path ends, all the others are about to.
            Step::End(_) => break,
        }
    }
    let grown = HEAP.load(Relaxed) - start.unwrap_or(0);
    let bytes = grown as f64 / (forks - 1) as f64;
    let time = 1e-3 * executor.stats.fork_nanos as f64 / forks as f64;
    println!("  {forks} forks, {} states open: {bytes:.0} bytes and {time:.2} us each", open.len() + 1);
    Ok(())
}

/// Counts the bytes that are allocated and not freed yet.
struct Counting;

static HEAP: AtomicI64 = AtomicI64::new(0);

// SAFETY: passes every call on unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        HEAP.fetch_add(layout.size() as i64, Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HEAP.fetch_sub(layout.size() as i64, Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}
