//! Never worse than without: what pruning costs where it does not pay, in counted work, which is
//! the same on every machine. The programs in `benches/regret` hardly profit; every one may take at
//! most 1.3 times the work that it takes without interpolation, and a trial.

mod support;

use std::path::PathBuf;
use std::time::Duration;
use support::events::Run;

/// What learning may cost before it is known not to pay: about a tenth of a second.
const TRIAL: u64 = 1_500_000;

const LIMIT: Duration = Duration::from_secs(120);

fn programs() -> Vec<PathBuf> {
    let directories = ["benches/regret", "benches/c"];
    let files = directories.iter().flat_map(|directory| {
        std::fs::read_dir(support::root().join(directory)).expect("the repository has the directory")
    });
    let paths = files.filter_map(|file| Some(file.ok()?.path()));
    let mut programs: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|end| end == "c")).collect();
    programs.sort();
    programs
}

struct Work {
    work: u64,
    /// Did it explore everything?
    is_complete: bool,
    /// Did pruning save more than it cost, as far as it can tell?
    has_paid: bool,
}

fn work(program: &str, interpolation: &str) -> Result<Work, String> {
    let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
    let args = [interpolation, "--no-tests", "--search=dfs", "--max-instructions=3000000", program];
    let run = Run::start(dir.path(), &args.map(String::from), LIMIT)?;
    let finished = run.finished()?;
    let work = finished["work"].as_u64().ok_or("no work")?;
    let [spent, saved] = ["spent_work", "saved_work"].map(|name| finished["interpolation"][name].as_u64());
    Ok(Work { work, is_complete: finished["is_complete"].as_bool() == Some(true), has_paid: saved > spent })
}

#[test]
fn pruning_costs_little_where_it_does_not_pay() -> Result<(), String> {
    let programs = programs();
    assert!(programs.len() >= 19, "{programs:?}");
    let mut worse = Vec::new();
    for program in &programs {
        let name = program.display().to_string();
        let without = work(&name, "--interpolation=off")?;
        let with = work(&name, "--interpolation=on")?;
        // Where one of the two was cut short, they did not do the same.
        let profits = !without.is_complete && with.has_paid;
        if !profits && with.work > without.work * 13 / 10 + TRIAL {
            worse.push(format!("{name}: {} with, {} without", with.work, without.work));
        }
    }
    assert!(worse.is_empty(), "{worse:#?}");
    Ok(())
}
