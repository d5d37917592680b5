//! The figures of `docs/benchmarks.md` on interpolation: trees that are linear instead of
//! exponential, against the same runs without it.
//!
//! The programs are generated (`systems`), so that sizes and seeds can be repeated anywhere. `cargo
//! bench -p espalier --bench interpolation`.

#[path = "../tests/support/mod.rs"]
mod support;
mod systems;

use serde_json::Value;
use std::path::Path;
use std::time::{Duration, Instant};
use support::events::Run;
use systems::{Eca, Fig4, Psyco, ShortestPath};

/// What a run may take.
const LIMIT: &str = "--max-time=60s";
/// What the run without interpolation may take: most would never end.
const SHORT_LIMIT: &str = "--max-time=10s";
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
    for spelling in Fig4::ALL {
        for n in [20, 100, 400, 1000, 2000, 4000, 8000, 16000] {
            compare(dir.path(), &format!("fig4 {spelling:?} N={n}"), &systems::fig4(n, spelling), false, LIMIT)?;
        }
    }
    for (n, is_endless) in [(15, false), (15, true), (100, false), (100, true)] {
        let name = format!("{n} locks{}", if is_endless { ", endless" } else { "" });
        compare(dir.path(), &name, &systems::locks(n, is_endless), false, LIMIT)?;
    }
    for spelling in ShortestPath::ALL {
        for nodes in [10, 25, 100, 400, 1000] {
            let name = format!("shortest path {spelling:?}, {nodes} nodes");
            compare(dir.path(), &name, &systems::shortest_path(nodes, 1, spelling).0, false, LIMIT)?;
        }
    }
    println!(
        "\nOne target at a time, {LIMIT} each: solved targets, their time in all, nodes of the tree, and how many of them were subsumed."
    );
    println!(
        "espalier run --no-tests --only=reach --search=dfs --exit-on-error --interpolation=MODE {LIMIT} PROGRAM\n"
    );
    let columns = ["family", "mode", "solved", "time", "nodes", "subsumed"];
    println!(
        "{:<44} {:>10} {:>7} {:>10} {:>10} {:>9}",
        columns[0], columns[1], columns[2], columns[3], columns[4], columns[5]
    );
    let families = families();
    for mode in ["on", "unsat-core", "off"] {
        for family in &families {
            measure(dir.path(), family, mode)?;
        }
    }
    Ok(())
}

/// Programs of one kind, each with one target.
struct Family {
    name: String,
    /// The programs, and whether their error is reachable.
    programs: Vec<(String, bool)>,
}

fn families() -> Vec<Family> {
    let eca = |name: &str, states: Option<usize>, rounds: Option<usize>, targets: std::ops::Range<usize>| {
        let programs = targets.map(|target| {
            let options = Eca { variables: 6, inputs: 6, rules: 700, most_states: states, labels: 60, rounds, target };
            (systems::eca(&options, 1), systems::eca_reachable(&options, 1)[target])
        });
        Family { name: format!("eca 6x6, 700 rules, 60 labels, {name}"), programs: programs.collect() }
    };
    let psyco = |flags: usize, methods: usize, bound: usize, has_counters: bool| {
        let programs = [(false, 1), (true, 1), (false, 2), (true, 2)].map(|(target_reachable, seed)| {
            let options = Psyco { flags, methods, bound, has_counters, target_reachable };
            (systems::psyco(&options, seed), target_reachable)
        });
        let counting = if has_counters { ", counting" } else { "" };
        Family { name: format!("psyco {flags}x{methods}, bound {bound}{counting}"), programs: programs.to_vec() }
    };
    vec![
        eca("150 states, 8 rounds", Some(150), Some(8), 0..4),
        eca("150 states, 80 rounds", Some(150), Some(80), 0..4),
        eca("150 states, while (1)", Some(150), None, 0..4),
        eca("8 rounds", None, Some(8), 0..2),
        eca("while (1)", None, None, 0..2),
        psyco(8, 16, 100, false),
        psyco(8, 16, 1000, false),
        psyco(4, 4, 100, true),
    ]
}

/// One line: a mode on all programs of a family. A wrong verdict is an error.
fn measure(dir: &Path, family: &Family, mode: &str) -> Result<(), String> {
    let (mut solved, mut seconds, mut nodes, mut pruned) = (0, 0.0, 0, 0);
    for (number, (program, reachable)) in family.programs.iter().enumerate() {
        let (finished, time) = explore(dir, program, mode, LIMIT)?;
        require_right(&format!("{} #{number}", family.name), &finished, *reachable)?;
        if finished["exit_code"].as_i64() != Some(5) {
            solved += 1;
            seconds += time.as_secs_f64();
        }
        nodes += finished["interpolation"]["nodes"].as_u64().unwrap_or_default();
        pruned += finished["paths"]["pruned"].as_u64().unwrap_or_default();
    }
    let (nodes, subsumed) = match mode {
        "off" => ("-".into(), "-".into()),
        _ => (nodes.to_string(), format!("{:.0} %", 100.0 * pruned as f64 / nodes.max(1) as f64)),
    };
    let solved = format!("{solved}/{}", family.programs.len());
    println!("{:<44} {mode:>10} {solved:>7} {:>10} {nodes:>10} {subsumed:>9}", family.name, format!("{seconds:.2} s"));
    Ok(())
}

fn require_right(name: &str, finished: &Value, reachable: bool) -> Result<(), String> {
    let wrong = if reachable { 0 } else { 10 };
    if finished["exit_code"].as_i64() == Some(wrong) {
        return Err(format!("{name}: the error is reachable: {reachable}, but the exit code is {wrong}"));
    }
    Ok(())
}

/// One line: the run with interpolation, and the same without. A wrong verdict is an error.
fn compare(dir: &Path, name: &str, program: &str, reachable: bool, limit: &str) -> Result<(), String> {
    let (with, time) = explore(dir, program, "on", limit)?;
    let (without, whole) = explore(dir, program, "off", SHORT_LIMIT)?;
    require_right(name, &with, reachable)?;
    require_right(name, &without, reachable)?;
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
