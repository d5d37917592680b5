//! The figures of `docs/benchmarks.md` on interpolation: trees that are linear instead of exponential, against the same runs without it.
//!
//! The programs are generated (`systems`), so that sizes and seeds can be repeated anywhere. `cargo bench -p espalier --bench interpolation`.

#[path = "../tests/support/mod.rs"]
mod support;
mod systems;

use serde_json::Value;
use std::path::Path;
use std::time::{Duration, Instant};
use support::events::Run;
use systems::{Eca, Psyco};

/// What a run may take.
const LIMIT: &str = "--max-time=60s";
/// What the run without interpolation may take: most would never end.
const SHORT_LIMIT: &str = "--max-time=10s";
/// The largest graph takes longer.
const LONG_LIMIT: &str = "--max-time=300s";
const KILL: Duration = Duration::from_secs(900);

fn main() -> Result<(), String> {
    // `cargo test --benches` must not take minutes.
    if !std::env::args().any(|arg| arg == "--bench") {
        return Ok(());
    }
    let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
    println!("espalier run --no-tests --only=reach --search=dfs --interpolation=on {LIMIT} PROGRAM");
    println!("espalier run --no-tests --only=reach --search=dfs --interpolation=off {SHORT_LIMIT} PROGRAM\n");
    println!("{:<34} {:>12} {:>10} {:>10} {:>12} {:>10}", "program", "with", "nodes", "pruned", "without", "paths");
    for n in [20, 100, 400, 1000, 2000] {
        compare(dir.path(), &format!("fig4 N={n}"), &systems::fig4(n), false, LIMIT)?;
    }
    for nodes in [10, 25, 100, 400, 1000] {
        let limit = if nodes > 400 { LONG_LIMIT } else { LIMIT };
        compare(
            dir.path(),
            &format!("shortest path, {nodes} nodes"),
            &systems::shortest_path(nodes, 1).0,
            false,
            limit,
        )?;
    }
    for (rounds, target) in [(Some(4), 0), (Some(4), 1), (Some(8), 0), (Some(8), 1)] {
        let options = Eca { variables: 6, inputs: 6, rules: 700, most_states: Some(150), labels: 60, rounds, target };
        let name = format!("eca 6x6, 700 rules, {} rounds, #{target}", rounds.unwrap_or_default());
        let reachable = systems::eca_reachable(&options, 1)[target];
        compare(dir.path(), &name, &systems::eca(&options, 1), reachable, LIMIT)?;
    }
    for seed in 1..=3 {
        let options =
            Eca { variables: 4, inputs: 4, rules: 40, most_states: None, labels: 10, rounds: None, target: 1 };
        let reachable = systems::eca_reachable(&options, seed)[options.target];
        let name = format!("eca 4x4, while (1), seed {seed}");
        compare(dir.path(), &name, &systems::eca(&options, seed), reachable, LIMIT)?;
    }
    for (bound, target_reachable) in [(10, false), (10, true), (100, false), (100, true)] {
        let options = Psyco { flags: 4, methods: 4, bound, target_reachable };
        let name = format!("psyco 4x4, bound {bound}, {}", if target_reachable { "reachable" } else { "unreachable" });
        compare(dir.path(), &name, &systems::psyco(&options, 2), target_reachable, LIMIT)?;
    }
    Ok(())
}

/// One line: the run with interpolation, and the same without. A wrong verdict is an error.
fn compare(dir: &Path, name: &str, program: &str, reachable: bool, limit: &str) -> Result<(), String> {
    let (with, time) = explore(dir, program, "on", limit)?;
    let (without, whole) = explore(dir, program, "off", SHORT_LIMIT)?;
    for finished in [&with, &without] {
        let wrong = if reachable { 0 } else { 10 };
        if finished["exit_code"].as_i64() == Some(wrong) {
            return Err(format!("{name}: the error is reachable: {reachable}, but the exit code is {wrong}"));
        }
    }
    let paths = &without["paths"];
    let ended: u64 = ["completed", "errors", "infeasible"].iter().filter_map(|kind| paths[*kind].as_u64()).sum();
    println!(
        "{name:<34} {:>12} {:>10} {:>10} {:>12} {ended:>10}",
        verdict(&with, time),
        with["interpolation"]["nodes"].as_u64().unwrap_or_default(),
        with["paths"]["pruned"].as_u64().unwrap_or_default(),
        verdict(&without, whole),
    );
    Ok(())
}

fn explore(dir: &Path, program: &str, mode: &str, limit: &str) -> Result<(Value, Duration), String> {
    let dir = tempfile::tempdir_in(dir).map_err(|error| error.to_string())?;
    std::fs::write(dir.path().join("prog.c"), program).map_err(|error| error.to_string())?;
    let interpolation = format!("--interpolation={mode}");
    let args = ["--no-tests", "--only=reach", "--search=dfs", "--exit-on-error", &interpolation, limit, "prog.c"];
    let start = Instant::now();
    let run = Run::start(dir.path(), &args.map(String::from), KILL)?;
    Ok((run.finished()?.clone(), start.elapsed()))
}

/// "U 0.12 s": unreachable, reachable or timed out, and the whole time, compiling included.
fn verdict(finished: &Value, time: Duration) -> String {
    let verdict = match finished["exit_code"].as_i64() {
        Some(0) => "U",
        Some(10) => "R",
        _ => "TO",
    };
    format!("{verdict} {:.2} s", time.as_secs_f64())
}
