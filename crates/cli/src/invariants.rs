//! `espalier invariants`: what holds at a program's loops whenever they come round.

use crate::run::{fail, load, require_consistent};
use crate::settings;
use clap::ArgMatches;
use espalier_engine::{describe_loops, exit_code, stop_on_signals};
use espalier_report::{described_loops, described_loops_text};
use std::io::Write;
use std::rc::Rc;

/// Prints the invariants, and gives the exit code.
pub(crate) fn invariants(matches: &ArgMatches) -> i32 {
    match try_invariants(matches) {
        Ok(code) | Err(code) => code,
    }
}

fn try_invariants(matches: &ArgMatches) -> Result<i32, i32> {
    let mut config = settings::config(matches);
    config.exec.any_answers = true;
    require_consistent(matches, &config)?;
    let mut input = settings::input(matches);
    input.loop_variables = true;
    let loaded = load(matches, &input, &mut config)?;
    for warning in &loaded.warnings {
        let _ = writeln!(std::io::stderr(), "warning: {warning}");
    }
    let program = Rc::new(loaded.program);
    let described = describe_loops(program.clone(), loaded.entry, config, stop_on_signals());
    let described = described.map_err(|error| fail(exit_code::INPUT, error))?;
    let text = match matches.get_flag("json") {
        true => described_loops(&program, &described).iter().map(|event| event.to_json() + "\n").collect(),
        false => described_loops_text(&program, &described),
    };
    write!(std::io::stdout(), "{text}").map_err(|_| exit_code::INTERNAL)?;
    Ok(if described.is_whole() { exit_code::CLEAN } else { exit_code::INCOMPLETE })
}
