//! `espalier completions` and `espalier man`: shell completion and manual pages, made from the
//! command line itself so that they cannot disagree with it.

use crate::run::fail;
use clap::{Arg, ArgMatches, Command, value_parser};
use clap_complete::Shell;
use espalier_engine::exit_code;
use std::io::Write;
use std::path::PathBuf;

const COMPLETION_EXAMPLES: &str = "\
Examples:
  espalier completions bash > ~/.local/share/bash-completion/completions/espalier
  espalier completions fish > ~/.config/fish/completions/espalier.fish
  espalier completions zsh > ~/.zfunc/_espalier     (with ~/.zfunc in fpath)";

const MANUAL_EXAMPLES: &str = "\
Examples:
  espalier man | man -l -                           read it
  espalier man run | man -l -                       the page of a verb
  espalier man --dir ~/.local/share/man/man1        install all pages";

pub(crate) fn completions_command() -> Command {
    let shell = Arg::new("shell").value_name("SHELL").required(true).value_parser(value_parser!(Shell));
    Command::new("completions")
        .about("Print what a shell needs to complete this command line")
        .arg(shell)
        .after_help(COMPLETION_EXAMPLES)
        .arg_required_else_help(true)
}

pub(crate) fn manual_command() -> Command {
    let verb = Arg::new("verb").value_name("VERB").help("The page of this verb").conflicts_with("dir");
    let dir = Arg::new("dir")
        .long("dir")
        .value_name("DIR")
        .help("Write all pages into DIR, which is made if need be")
        .value_parser(value_parser!(PathBuf));
    Command::new("man").about("Print the manual page").args([verb, dir]).after_help(MANUAL_EXAMPLES)
}

pub(crate) fn completions(mut command: Command, matches: &ArgMatches) -> i32 {
    let Some(shell) = matches.get_one::<Shell>("shell") else { return exit_code::USAGE };
    let mut text = Vec::new();
    clap_complete::generate(*shell, &mut command, "espalier", &mut text);
    print(&text)
}

pub(crate) fn manual(mut command: Command, matches: &ArgMatches) -> i32 {
    command.build();
    if let Some(dir) = matches.get_one::<PathBuf>("dir") {
        let made = std::fs::create_dir_all(dir).and_then(|()| clap_mangen::generate_to(command, dir));
        return match made {
            Ok(()) => exit_code::CLEAN,
            Err(error) => fail(exit_code::INPUT, format!("{}: {error}", dir.display())),
        };
    }
    let page = match matches.get_one::<String>("verb") {
        None => command,
        Some(verb) => match command.find_subcommand(verb) {
            Some(found) => found.clone(),
            None => {
                let verbs: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
                return fail(exit_code::USAGE, format!("there is no verb `{verb}`; there are {}", verbs.join(", ")));
            }
        },
    };
    let mut text = Vec::new();
    match clap_mangen::Man::new(page).render(&mut text) {
        Ok(()) => print(&text),
        Err(error) => fail(exit_code::INTERNAL, error.to_string()),
    }
}

fn print(text: &[u8]) -> i32 {
    match std::io::stdout().write_all(text) {
        Ok(()) => exit_code::CLEAN,
        // Whoever reads has read enough.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => exit_code::CLEAN,
        Err(error) => fail(exit_code::INTERNAL, format!("standard output: {error}")),
    }
}
