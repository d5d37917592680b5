//! Tools that a set can name without a command.
//!
//! KLEE and CBMC do not answer questions about single places by themselves. The scripts in
//! `presets/` ask them in their terms, and say what they assume.

use crate::answer::{Answers, Sign};
use crate::set::Tool;
use espalier_base::nearest_names;
use regex::Regex;

/// The names of all presets.
const NAMES: [&str; 6] = ["espalier", "espalier-off", "espalier-unsat-core", "espalier-directed", "klee", "cbmc"];

/// The tool with this name, or what to say about the name.
pub(crate) fn find(name: &str) -> Result<Tool, String> {
    Ok(match name {
        "espalier" => espalier(name, "on"),
        "espalier-off" => espalier(name, "off"),
        "espalier-unsat-core" => espalier(name, "unsat-core"),
        "espalier-directed" => directed(name),
        "klee" => script(name, include_str!("../presets/klee.sh")),
        "cbmc" => script(name, include_str!("../presets/cbmc.sh")),
        _ => return Err(unknown(name)),
    })
}

fn unknown(name: &str) -> String {
    let names = nearest_names(name, NAMES);
    format!("unknown preset `{name}`: did you mean `{}`? There are also {}", names[0], names[1..].join(", "))
}

fn espalier(name: &str, interpolation: &str) -> Tool {
    let option = format!("--interpolation={interpolation}");
    ourselves(name, &["reach", "--target={target}"], &["check", "--only=reach"], &option)
}

/// For sets that add a way to search: `reach` about a whole program too.
fn directed(name: &str) -> Tool {
    ourselves(name, &["reach", "--target={target}"], &["reach", "--targets=all"], "{args}")
}

fn ourselves(name: &str, about_place: &[&str], about_whole: &[&str], last: &str) -> Tool {
    let command = |verb: &[&str]| -> Vec<String> {
        let common = ["--max-time={time}", "--max-memory={memory}", "--json", "--output-dir={dir}", "{file}", last];
        ["espalier"].iter().chain(verb).chain(&common).map(|word| (*word).to_owned()).collect()
    };
    Tool {
        name: name.into(),
        command: command(about_place),
        whole_command: Some(command(about_whole)),
        answers: answers(r#""verdict":"reachable""#, r#""verdict":"unreachable""#, r#""verdict":"unknown""#),
        version: Some(vec!["espalier".into(), "--version".into()]),
        groups: Vec::new(),
    }
}

/// A script that prints its answer on a line of its own.
fn script(name: &str, text: &str) -> Tool {
    let words = ["sh", "-c", text, name, "{file}", "{line}", "{time}", "{memory}"];
    Tool {
        name: name.into(),
        command: words.map(str::to_owned).to_vec(),
        whole_command: None,
        answers: answers("^bench: reachable$", "^bench: unreachable$", "^bench: unknown"),
        version: Some(vec![name.into(), "--version".into()]),
        groups: Vec::new(),
    }
}

fn answers(reachable: &str, unreachable: &str, unknown: &str) -> Answers {
    let sign = |pattern| Sign { pattern: Some(Regex::new(pattern).expect("a valid pattern")), exits: Vec::new() };
    Answers { reachable: sign(reachable), unreachable: sign(unreachable), unknown: sign(unknown) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_a_preset() {
        for name in NAMES {
            assert_eq!(find(name).map(|tool| tool.name).as_deref(), Ok(name));
        }
    }

    #[test]
    fn a_typo_is_answered_with_the_nearest_name() {
        let message = find("espalier-of").map(|tool| tool.name).expect_err("there is none");
        assert!(message.starts_with("unknown preset `espalier-of`: did you mean `espalier-off`? "), "{message}");
        assert!(message.contains("klee"), "{message}");
    }
}
