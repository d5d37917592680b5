//! GNU Coreutils as whole programs (`make coreutils`), under several searchers, with and without
//! interpolation; beside it what the TracerX paper reports (its table 7, on Coreutils 6.11, an hour
//! for each, blocks of the tool's own file only).
//!
//! `cargo bench -p espalier --bench coreutils [-- TOOL...]`; `ESPALIER_BENCH_SECONDS` is the time
//! for each run.

#[path = "../tests/support/mod.rs"]
mod support;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::time::Duration;
use support::events::Run;
use support::root;

const TOOLS: [&str; 10] = ["echo", "basename", "dirname", "cat", "tr", "wc", "seq", "mkdir", "paste", "sort"];
/// What is symbolic.
const ENVIRONMENT: &str = "--sym-args 0 2 4 --sym-stdin 8";
/// Searcher and interpolation: KLEE's mix, and depth first and the hybrid of the paper with what
/// they learn from.
const MODES: [(&str, &str); 4] = [("random-path,nurs:covnew", "off"), ("dfs", "off"), ("dfs", "on"), ("hybrid", "on")];

/// What KLEE executes in a second, on `echo` with arguments as in `SPEED`.
const KLEE_SPEED: f64 = 2.3e6;
/// The runs that speed is measured with, in turn, and how often: one takes a fraction of a second.
const SPEED: [&str; 2] = [
    "--sym-arg 4 --sym-arg 4 --search=dfs --write-no-tests",
    "--sym-arg 4 --sym-arg 4 --search=random-path,nurs:covnew --write-no-tests",
];
const SPEED_RUNS: usize = 15;

/// Total blocks, and for KLEE, TracerX-D and TracerX-R: millions of instructions, seconds (none:
/// not within an hour), visited blocks.
type Reported = (&'static str, u32, [(f64, Option<f64>, u32); 3]);

const TABLE_7: [Reported; 11] = [
    ("basename", 51, [(201.0, Some(110.23), 35), (0.5, Some(3.92), 35), (1.5, Some(15.81), 35)]),
    ("dirname", 30, [(55.0, Some(35.5), 15), (0.7, Some(6.21), 15), (3.0, Some(17.91), 15)]),
    ("printenv", 33, [(748.5, Some(463.82), 26), (0.9, Some(4.03), 26), (1.5, Some(10.39), 26)]),
    ("echo", 66, [(4344.5, None, 45), (0.5, Some(3.75), 45), (1.7, Some(27.16), 45)]),
    ("cat", 119, [(226.9, None, 106), (37.1, None, 89), (73.4, None, 106)]),
    ("mkdir", 28, [(438.1, None, 28), (169.0, None, 21), (70.1, None, 27)]),
    ("paste", 158, [(149.9, None, 144), (64.7, None, 116), (53.5, None, 144)]),
    ("seq", 106, [(97.8, None, 99), (0.6, None, 54), (6.7, None, 97)]),
    ("sort", 689, [(2.1, None, 271), (2.7, None, 358), (12.1, None, 454)]),
    ("tr", 586, [(49.0, None, 321), (118.5, None, 235), (41.1, None, 394)]),
    ("wc", 151, [(739.6, None, 125), (127.8, None, 127), (50.5, None, 127)]),
];

fn main() -> Result<(), String> {
    // `cargo test --benches` must not take minutes.
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    if !args.iter().any(|arg| arg == "--bench") {
        return Ok(());
    }
    args.retain(|arg| arg != "--bench");
    let seconds: u64 = match std::env::var("ESPALIER_BENCH_SECONDS") {
        Ok(text) => text.parse().map_err(|_| format!("ESPALIER_BENCH_SECONDS={text} is not a number"))?,
        Err(_) => 60,
    };
    let tools = if args.is_empty() { TOOLS.map(str::to_owned).to_vec() } else { args };
    println!(
        "espalier run TOOL.bc {ENVIRONMENT} --search=S --interpolation=I --max-time={seconds}s --write-no-tests\n"
    );
    println!(
        "{:<10} {:<24} {:<4} {:>9} {:>8} {:>9} {:>9} {:>7} {:>6} {:>6} {:>5} {:>4} {:>7} {:>7} {:>8}",
        "tool",
        "search",
        "int.",
        "paths",
        "pruned",
        "open",
        "instr.",
        "instr/s",
        "#TB",
        "#VB",
        "VB %",
        "#err",
        "MiB",
        "solver",
        "time"
    );
    for tool in &tools {
        let program = bitcode(tool)?;
        for (search, interpolation) in MODES {
            measure(tool, &program, search, interpolation, seconds)?;
        }
        if let Some((_, total, rows)) = TABLE_7.iter().find(|(name, ..)| name == tool) {
            for ((instructions, time, visited), name) in rows.iter().zip(["KLEE", "TracerX-D", "TracerX-R"]) {
                let time = time.map_or_else(|| "> 1h".to_owned(), |time| format!("{time:.1}s"));
                println!(
                    "{:<10} {:<24} {:<4} {:>9} {:>8} {:>9} {:>8.1}M {:>7} {:>6} {:>6} {:>5} {:>4} {:>7} {:>7} {:>8}",
                    "",
                    format!("table 7: {name}"),
                    "",
                    "",
                    "",
                    "",
                    instructions,
                    "",
                    total,
                    visited,
                    100 * visited / total,
                    "",
                    "",
                    "",
                    time
                );
            }
        }
    }
    if tools.iter().any(|tool| tool == "echo") { measure_speed() } else { Ok(()) }
}

/// The bitcode of a tool.
fn bitcode(tool: &str) -> Result<PathBuf, String> {
    let program = root().join("target/coreutils").join(format!("{tool}.bc"));
    if program.is_file() { Ok(program) } else { Err(format!("{} is missing: run `make coreutils`", program.display())) }
}

/// Instructions a second on `echo`.
fn measure_speed() -> Result<(), String> {
    let program = bitcode("echo")?.display().to_string();
    let mut speeds = SPEED.map(|_| Vec::new());
    for _ in 0..SPEED_RUNS {
        for (options, speeds) in SPEED.iter().zip(&mut speeds) {
            let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
            let args: Vec<String> = [&*program].into_iter().chain(options.split(' ')).map(str::to_owned).collect();
            let run = Run::start(dir.path(), &args, Duration::from_secs(300))?;
            let end = run.events.last().ok_or("no events")?;
            let (instructions, time) = (end["instructions"].as_f64(), end["elapsed_seconds"].as_f64());
            speeds.push(instructions.ok_or("no instructions")? / time.ok_or("no time")?);
        }
    }
    println!();
    for (options, speeds) in SPEED.iter().zip(&mut speeds) {
        speeds.sort_by(f64::total_cmp);
        let (median, best) = (speeds[SPEED_RUNS / 2], speeds[SPEED_RUNS - 1]);
        println!(
            "espalier run echo.bc {options}, {SPEED_RUNS} times: {:.1} million instructions a second (median; the best {:.1}), {:.1} times KLEE's {:.1} million",
            median / 1e6,
            best / 1e6,
            median / KLEE_SPEED,
            KLEE_SPEED / 1e6
        );
    }
    Ok(())
}

fn measure(tool: &str, program: &Path, search: &str, interpolation: &str, seconds: u64) -> Result<(), String> {
    let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut args = vec![program.display().to_string(), format!("--search={search}")];
    args.extend([format!("--interpolation={interpolation}"), format!("--max-time={seconds}s")]);
    args.extend(["--write-no-tests".to_owned(), "--max-memory=8GiB".to_owned()]);
    args.extend(ENVIRONMENT.split(' ').map(str::to_owned));
    let run = Run::start(dir.path(), &args, Duration::from_secs(seconds + 300))?;
    let end = run.events.last().ok_or("no events")?;
    let number = |value: &Value| value.as_u64().unwrap_or(0);
    let time = end["elapsed_seconds"].as_f64().unwrap_or(0.0);
    let instructions = number(&end["instructions"]) as f64 / 1e6;
    let (total, visited) = (number(&end["coverage"]["total_blocks"]), number(&end["coverage"]["covered_blocks"]));
    let (paths, ended) = (&end["paths"], if end["is_complete"] == true { "" } else { ">" });
    println!(
        "{tool:<10} {search:<24} {interpolation:<4} {:>9} {:>8} {:>9} {instructions:>8.1}M {:>6.1}M {total:>6} {visited:>6} {:>5} {:>4} {:>7} {:>6}% {:>8}",
        number(&paths["completed"]),
        number(&paths["pruned"]),
        number(&end["open_states"]),
        instructions / time.max(1e-3),
        100 * visited / total.max(1),
        number(&end["distinct_errors"]),
        number(&end["peak_memory_bytes"]) >> 20,
        (100.0 * end["solver"]["seconds"].as_f64().unwrap_or(0.0) / time.max(1e-3)) as u64,
        format!("{ended}{time:.1}s")
    );
    Ok(())
}
