//! Never worse than without: what pruning costs where it does not pay, in counted work, which is
//! the same on every machine. The programs in `benches/regret` hardly profit; every one may take at
//! most 1.3 times the work that it takes without interpolation, and a trial.

mod support;

use std::path::PathBuf;
use std::time::Duration;
use support::events::Run;

/// What learning may cost before it is known not to pay: a tenth of a second.
const TRIAL: u64 = 2_000_000;

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

/// The work of a run, and whether it explored everything.
fn work(program: &str, options: &[&str]) -> Result<(u64, bool), String> {
    let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut args: Vec<String> = options.iter().map(|option| option.to_string()).collect();
    args.extend(["--no-tests".into(), "--search=dfs".into(), "--max-instructions=3000000".into(), program.into()]);
    let run = Run::start(dir.path(), &args, LIMIT)?;
    let finished = run.finished()?;
    let work = finished["work"].as_u64().ok_or("no work")?;
    Ok((work, finished["is_complete"].as_bool() == Some(true)))
}

#[test]
fn pruning_costs_little_where_it_does_not_pay() -> Result<(), String> {
    let programs = programs();
    assert!(programs.len() >= 19, "{programs:?}");
    let mut worse = Vec::new();
    for program in &programs {
        let name = program.display().to_string();
        let (without, _) = work(&name, &["--interpolation=off"])?;
        let (with, _) = work(&name, &["--interpolation=on"])?;
        if with > without * 13 / 10 + TRIAL {
            worse.push(format!("{name}: {with} with, {without} without"));
        }
    }
    assert!(worse.is_empty(), "{worse:#?}");
    Ok(())
}
