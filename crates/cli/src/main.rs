//! The `espalier` command.

#![forbid(unsafe_code)]

mod bench;
mod build;
mod check;
mod command;
mod compiler_flags;
mod coverage;
mod doctor;
mod environment;
mod given;
mod invariants;
mod kinds;
mod klee;
mod ktest_files;
mod manual;
mod merge;
mod native;
mod reach;
mod recording;
mod replay;
mod run;
mod settings;
mod svcomp;
mod targets;
mod tree;
mod triage;
mod workers;

use clap::ArgMatches;
use espalier_engine::exit_code;
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::process::exit;

#[global_allocator]
static ALLOCATOR: espalier_base::Allocator = espalier_base::Allocator;

/// Terms and source expressions nest as deep as the program under test makes them, and so does
/// recursion over them. The memory is only reserved, not used.
const STACK: usize = 1 << 30;

fn main() {
    std::panic::set_hook(Box::new(report_panic));
    espalier_base::process::survive_limits_of_files();
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(verb);
    match worker {
        Ok(worker) => exit(worker.join().unwrap_or(exit_code::INTERNAL)),
        Err(_) => exit(verb()),
    }
}

/// Does what the command line asks for and gives the exit code.
fn verb() -> i32 {
    let given: Vec<OsString> = std::env::args_os().collect();
    // KLEE's command line is not clap's: one dash or two, and the program's own arguments without a
    // separator.
    match &given[..] {
        [program, args @ ..] if espalier_build::wrapper::is_wanted(program) => {
            return espalier_build::wrapper::run(program, args);
        }
        [program, args @ ..] if klee::is_called_klee(program) => return klee::klee(args, &given),
        [_, verb, args @ ..] if verb == "klee" => return klee::klee(args, &given),
        _ => {}
    }
    parsed(command::command(), &given)
}

/// Does what a command line asks for.
fn parsed(command: clap::Command, given: &[OsString]) -> i32 {
    match command.try_get_matches_from(compiler_flags::as_options(given.to_vec())) {
        Ok(matches) => parsed_verb(&matches, given),
        Err(error) => {
            // If even this cannot be printed, the exit code is all there is left to say.
            let _ = error.print();
            if error.use_stderr() { exit_code::USAGE } else { exit_code::CLEAN }
        }
    }
}

fn parsed_verb(matches: &ArgMatches, given: &[OsString]) -> i32 {
    match matches.subcommand() {
        Some(("resume", matches)) => match recording::resumed_command(matches) {
            Ok(command) => parsed(command::command().args_override_self(true), &command),
            Err(code) => code,
        },
        Some(("run", matches)) => run::run(matches, given),
        Some(("check", matches)) => check::check(matches, given),
        Some(("reach", matches)) => reach::reach(matches, given),
        Some(("invariants", matches)) => invariants::invariants(matches),
        Some(("triage", matches)) => triage::triage(matches, given),
        Some(("tree", matches)) => tree::tree(matches),
        Some(("merge", matches)) => merge::merge(matches),
        Some(("worker", matches)) => workers::worker(matches),
        Some(("coverage", matches)) => coverage::coverage(matches),
        Some(("replay", matches)) => replay::replay(matches),
        Some(("ktest", matches)) => ktest_files::ktest(matches),
        Some(("build", matches)) => build::build(matches),
        Some(("bench", matches)) => bench::bench(matches),
        Some(("completions", matches)) => manual::completions(command::command(), matches),
        Some(("man", matches)) => manual::manual(command::command(), matches),
        Some(("doctor", matches)) => doctor::doctor(matches),
        _ => unreachable!("the command requires a verb"),
    }
}

/// What was found before a panic is on disk already; the user needs to know that the rest is our
/// fault.
fn report_panic(info: &std::panic::PanicHookInfo<'_>) {
    let payload = info.payload();
    let message = payload.downcast_ref::<String>().map(String::as_str).or(payload.downcast_ref::<&str>().copied());
    let message = message.unwrap_or("unknown panic");
    let place = info.location().map(|place| format!(" at {}:{}", place.file(), place.line())).unwrap_or_default();
    let clear = if std::io::stderr().is_terminal() { "\r\x1b[K" } else { "" };
    let _ = writeln!(
        std::io::stderr(),
        "{clear}internal error: {message}{place}\n\
         This is a bug in Espalier, not in your program; please report it with the command line and the input.\n\
         What was found before is in the output directory."
    );
    if std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0") {
        let _ = writeln!(std::io::stderr(), "{}", std::backtrace::Backtrace::force_capture());
    }
    exit(exit_code::INTERNAL);
}
