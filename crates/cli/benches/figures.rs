//! The figures of `docs/benchmarks.md`: concrete code against native execution, paths per second, the cost of a fork.
//!
//! Ratios are taken within one run of this program, because machines differ. Every line is preceded by the commands that
//! it comes from, so that each can be repeated by hand.

#[path = "../tests/support/mod.rs"]
mod support;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
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
    let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
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
    println!("\nForks of a state with 1 MiB of memory, 4096 of them open at once");
    println!("  espalier run --no-tests --search bfs --stats benches/c/fork1m.c        (and with -DSCALE=1)\n");
    forks(dir.path())
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
    if run.exit_code != 0 {
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

fn forks(dir: &Path) -> Result<(), String> {
    let options = ["--search", "bfs"];
    let (many, _) = espalier(dir, "fork1m", &options)?;
    let (few, _) = espalier(dir, "fork1m", &[&options[..], &["--cc-arg=-DSCALE=1"]].concat())?;
    let forks = number(&many["forks"]) - number(&few["forks"]);
    let bytes = (number(&many["peak_memory_bytes"]) - number(&few["peak_memory_bytes"])) / forks;
    let time = 1e6 * number(&many["fork_seconds"]) / number(&many["forks"]);
    println!("  {forks} forks: {bytes:.0} bytes and {time:.2} us each");
    Ok(())
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}
