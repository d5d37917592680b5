//! What recording the execution tree costs, how large it is, and how fast a run is found again;
//! beside it what the MoKLEE paper reports (sections 4.2 and 4.3: 93 applications on KLEE 1.4). And
//! what two workers that share a tree do in the time of one.
//!
//! `cargo bench -p espalier --bench tree` (`make bench-tree`). Runs with and without a record take
//! turns, and processor time is compared, since waiting for the disk is not what is asked about.

#[path = "../tests/support/mod.rs"]
mod support;

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use support::{process, root};

const TURNS: usize = 7;
const LIMIT: Duration = Duration::from_secs(300);

struct Case {
    name: &'static str,
    program: PathBuf,
    options: &'static str,
}

fn main() -> Result<(), String> {
    // `cargo test --benches` must not take minutes.
    if !std::env::args().any(|arg| arg == "--bench") {
        return Ok(());
    }
    let own = |name: &str| root().join("benches/c").join(format!("{name}.c"));
    let mut cases = vec![
        Case { name: "paths16", program: own("paths16"), options: "" },
        Case { name: "parser30", program: own("parser30"), options: "--max-instructions=40000000" },
    ];
    for name in ["echo", "wc", "tr"] {
        let options = "--sym-args 0 2 4 --sym-stdin 8 --max-instructions=30000000";
        cases.extend(tool(name).map(|program| Case { name, program, options }));
    }
    println!(
        "{:<10} {:>9} {:>7} {:>7} {:>8} {:>9} {:>7} {:>8} {:>9} {:>7} {:>9} {:>6}",
        "program", "nodes", "s", "cost", "B/node", "open", "s again", "share", "instr.", "again", "questions", "div."
    );
    cases.iter().try_for_each(measure)?;
    println!(
        "MoKLEE: cost 1 % (median; at most 2 % for the tree and the disk), 85 B a node, again in 1.4 to 26 % of the time"
    );
    share()
}

/// Ten tools, as long as two workers are to be compared with one.
const TOOLS: [&str; 10] = ["cat", "cksum", "comm", "cut", "echo", "expand", "fold", "join", "tr", "wc"];
const SHARED: &str = "--sym-args 0 2 4 --sym-stdin 8 --max-time=10s";
/// Ten tools with inputs of which all are explored in half a minute, with interpolation.
const FINISHED: [(&str, &str); 10] = [
    ("cat", "--sym-args 0 2 2 --sym-stdin 3 --max-time=120s"),
    ("comm", "--sym-args 0 3 2 --sym-stdin 5 --max-time=120s"),
    ("cut", "--sym-args 0 3 2 --sym-stdin 4 --max-time=120s"),
    ("expand", "--sym-args 0 1 2 --sym-stdin 6 --max-time=120s"),
    ("fold", "--sym-args 0 2 2 --sym-stdin 3 --max-time=120s"),
    ("head", "--sym-args 0 2 2 --sym-stdin 4 --max-time=120s"),
    ("nl", "--sym-args 0 1 2 --sym-stdin 8 --max-time=120s"),
    ("paste", "--sym-args 0 2 2 --sym-stdin 8 --max-time=120s"),
    ("uniq", "--sym-args 0 2 2 --sym-stdin 2 --max-time=120s"),
    ("wc", "--sym-args 0 1 2 --sym-stdin 6 --max-time=120s"),
];

/// What two workers do in the time of one, without interpolation: paths and instructions.
fn share() -> Result<(), String> {
    println!("\n{:<10} {:>21} {:>21}", "2 workers", "paths", "instructions");
    let mut ratios: [Vec<f64>; 2] = Default::default();
    for name in TOOLS {
        let Some(program) = tool(name) else { continue };
        let case = Case { name, program, options: SHARED };
        let (one, two) = (work(&case, 1, "off")?, work(&case, 2, "off")?);
        let columns = [[one.paths, two.paths], [one.instructions, two.instructions]];
        let text = columns.map(|[one, two]| format!("{one:>9} {:>5.2} times", two as f64 / one as f64));
        columns.iter().zip(&mut ratios).for_each(|([one, two], ratios)| ratios.push(*two as f64 / *one as f64));
        println!("{:<10} {:>21} {:>21}", name, text[0], text[1]);
    }
    let means = ratios.map(|ratios| format!("{:.2} times", geometric_mean(&ratios)));
    println!("{:<10} {:>21} {:>21}", "mean", means[0], means[1]);
    finish_together()
}

/// How long two workers take to explore everything, with interpolation.
fn finish_together() -> Result<(), String> {
    println!("\n{:<10} {:>9} {:>9} {:>12} {:>9} {:>9}", "2 workers", "s", "s of two", "", "paths", "of two");
    let mut ratios = Vec::new();
    for (name, options) in FINISHED {
        let Some(program) = tool(name) else { continue };
        let case = Case { name, program, options };
        let (one, two) = (work(&case, 1, "on")?, work(&case, 2, "on")?);
        let ratio = one.time / two.time;
        println!(
            "{name:<10} {:>9.1} {:>9.1} {ratio:>6.2} times {:>9} {:>9}{}",
            one.time,
            two.time,
            one.paths,
            two.paths,
            if one.is_whole && two.is_whole { "" } else { "  not finished, not counted" },
        );
        if one.is_whole && two.is_whole {
            ratios.push(ratio);
        }
    }
    println!("{:<10} {:>9} {:>9} {:>6.2} times", "mean", "", "", geometric_mean(&ratios));
    Ok(())
}

/// A tool of Coreutils, if they are built.
fn tool(name: &str) -> Option<PathBuf> {
    let program = root().join("target/coreutils").join(format!("{name}.bc"));
    if !program.is_file() {
        println!("{name:<10} {} is missing: run `make coreutils`", program.display());
    }
    program.is_file().then_some(program)
}

fn geometric_mean(ratios: &[f64]) -> f64 {
    (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp()
}

/// What a run with so many workers did.
struct Work {
    paths: u64,
    instructions: u64,
    time: f64,
    is_whole: bool,
}

fn work(case: &Case, jobs: usize, interpolation: &str) -> Result<Work, String> {
    let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut command = support::espalier();
    command.args(["run", "--json", "--write-no-tests", "--record=tree"]).arg(&case.program).current_dir(dir.path());
    command.args([format!("--jobs={jobs}"), format!("--interpolation={interpolation}")]);
    command.args(case.options.split_whitespace());
    let start = Instant::now();
    let (last, _) = timed(&mut command)?;
    let time = start.elapsed().as_secs_f64();
    let paths = last["paths"].as_object().ok_or("no paths")?;
    let ended = paths.iter().filter(|(name, _)| *name != "approximate").filter_map(|(_, count)| count.as_u64()).sum();
    let instructions = last["instructions"].as_u64().ok_or("no instructions")?;
    Ok(Work { paths: ended, instructions, time, is_whole: last["open_states"] == 0 })
}

fn measure(case: &Case) -> Result<(), String> {
    let mut times = [Vec::new(), Vec::new()];
    let mut nodes = 0;
    let mut bytes = 0;
    for turn in 0..2 * TURNS {
        let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
        let is_recorded = turn % 2 == 1;
        let (_, time) = explore(case, dir.path(), is_recorded, "random-path")?;
        times[turn % 2].push(time);
        if is_recorded {
            (nodes, bytes) = size(&dir.path().join("tree"))?;
        }
    }
    let [plain, recorded] = times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[TURNS / 2]
    });
    let again = again(case)?;
    println!(
        "{:<10} {:>9} {:>7.2} {:>6.1}% {:>8.1} {:>9} {:>7.2} {:>7.1}% {:>9} {:>6.1}% {:>9} {:>6}",
        case.name,
        nodes,
        plain,
        100.0 * (recorded / plain - 1.0),
        bytes as f64 / nodes as f64,
        again.open,
        again.time,
        100.0 * again.time / again.first_time,
        again.instructions,
        100.0 * again.executed_again as f64 / again.instructions as f64,
        again.queries,
        again.diverged,
    );
    Ok(())
}

/// Runs a program, and gives its last event and the processor time that it took.
fn explore(case: &Case, dir: &Path, is_recorded: bool, search: &str) -> Result<(Value, f64), String> {
    let mut command = support::espalier();
    command.args(["run", "--json", "--write-no-tests"]).arg(&case.program).arg(format!("--search={search}"));
    command.args(case.options.split_whitespace()).current_dir(dir);
    command.arg(if is_recorded { "--record=tree" } else { "--output-dir=plain" });
    timed(&mut command)
}

fn timed(command: &mut std::process::Command) -> Result<(Value, f64), String> {
    let before = processor_time();
    let finished = process::run(command, LIMIT);
    let time = processor_time() - before;
    let last = finished.stdout.lines().last().ok_or_else(|| finished.tail().to_owned())?;
    Ok((serde_json::from_str(last).map_err(|error| format!("not JSON: {last}: {error}"))?, time))
}

/// Of all children so far, in seconds.
fn processor_time() -> f64 {
    let text = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let behind_name = text.rsplit(')').next().unwrap_or_default();
    let ticks: f64 =
        behind_name.split_whitespace().skip(13).take(2).filter_map(|field| field.parse::<f64>().ok()).sum();
    ticks / 100.0
}

/// The nodes of a recorded tree, and the bytes of its files.
fn size(dir: &Path) -> Result<(u64, u64), String> {
    let mut command = support::espalier();
    command.args(["tree", "--json"]).arg(dir);
    let (tree, _) = timed(&mut command)?;
    let bytes = |name: &str| fs::metadata(dir.join(name)).map_or(0, |data| data.len());
    Ok((tree["nodes"].as_u64().ok_or("no nodes")?, bytes("tree.db") + bytes("tree.db-wal")))
}

/// What came of executing again the paths to all that a run left open.
struct Again {
    open: u64,
    first_time: f64,
    time: f64,
    instructions: u64,
    executed_again: u64,
    queries: u64,
    diverged: u64,
}

fn again(case: &Case) -> Result<Again, String> {
    let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (first, first_time) = explore(case, dir.path(), true, "bfs")?;
    let instructions = first["instructions"].as_u64().ok_or("no instructions")?;
    let mut command = support::espalier();
    // Nothing may be explored beyond what was: all that is done is to come there again.
    command.args(["resume", "tree", &format!("--max-instructions={instructions}"), "--json"]).current_dir(dir.path());
    let (last, time) = timed(&mut command)?;
    Ok(Again {
        open: first["open_states"].as_u64().unwrap_or(0),
        first_time,
        time,
        instructions,
        executed_again: last["executed_again"].as_u64().unwrap_or(0),
        queries: last["solver"]["queries"].as_u64().unwrap_or(0),
        diverged: last["diverged"].as_u64().unwrap_or(0),
    })
}
