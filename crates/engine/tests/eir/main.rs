//! The programs of `tests/ir`: small ones in the text form of `espalier-ir`, without a compiler.
//! Comments in each say what is done with it and what must come out, all of it and in this order:
//!
//! ```text
//! // run: explore --interpolation
//! fn @main() -> i32
//! bb0:
//!   return 3
//! // expect: exit 3
//! ```
//!
//! - `explore` runs the engine ([`explore`]): how each path ends, and what was pruned.
//! - `states` goes all ways and compares the states where paths meet ([`states`]): fingerprints and
//!   counters.
//! - `replay` goes all ways and runs each segment again ([`replay`]): guards, and the end in terms
//!   of the beginning.
//! - `havoc` makes what states hold where paths meet unknown ([`havoc`]): what they can do then.
//!
//! Registers in reports are the executor's, which lets them share places (`compact_registers`):
//! `%1.2` is register 2 of the frame at depth 1. The entry is `main`, or else the first function
//! with a body, whose parameters are then inputs. `ESPALIER_BLESS=1` writes what comes out into the
//! files.

mod explore;
mod havoc;
mod replay;
mod states;
mod walk;

use espalier_engine::Program;
use espalier_ir::{FuncId, parse_source};
use std::path::{Path, PathBuf};

/// A program, and what is to be done with it.
pub struct Case {
    pub program: Program,
    pub entry: FuncId,
    pub options: Vec<String>,
}

impl Case {
    pub fn has(&self, option: &str) -> bool {
        self.options.iter().any(|other| other == option)
    }

    /// Is only `reach_error` looked for?
    pub fn looks_for_reach(&self) -> bool {
        self.has("--only=reach")
    }
}

const OPTIONS: [&str; 7] = [
    "--interpolation",
    "--unsat-core",
    "--only=reach",
    "--conditions",
    "--tree",
    "--every-loop-head",
    "--check-uninit",
];

const RUN: &str = "// run: ";
const EXPECT: &str = "// expect: ";

/// What comes out of a file.
fn report(text: &str, name: &str) -> Result<Vec<String>, String> {
    let program = parse_source(text, name).map_err(|error| error.to_string())?;
    let line = text.lines().find_map(|line| line.strip_prefix(RUN)).ok_or("no line `// run: …`")?;
    let mut words = line.split_whitespace().map(str::to_owned);
    let what = words.next().unwrap_or_default();
    let options: Vec<String> = words.collect();
    if let Some(unknown) = options.iter().find(|option| !OPTIONS.contains(&option.as_str())) {
        return Err(format!("unknown option {unknown}"));
    }
    let first_body = || program.functions.iter().position(|function| !function.is_declaration()).map(FuncId::new);
    let entry = program.function_named("main").or_else(first_body).ok_or("no function with a body")?;
    let case = Case { program, entry, options };
    let lines = match what.as_str() {
        "explore" => explore::report(case),
        "states" => states::report(case),
        "replay" => replay::report(case),
        "havoc" => havoc::report(case),
        other => Err(format!("unknown run `{other}`")),
    }?;
    Ok(lines.iter().map(|line| without_addresses(line)).collect())
}

/// Where objects lie is nobody's business here: a long hexadecimal number becomes `0x…`.
fn without_addresses(line: &str) -> String {
    let mut parts = line.split("0x");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(part.len());
        text += "0x";
        text += if digits >= 7 { "…" } else { &part[..digits] };
        text += &part[digits..];
    }
    text
}

fn check(path: &Path, may_bless: bool) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let found = report(&text, &name)?;
    let expected: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix(EXPECT)).collect();
    if found == expected {
        return Ok(());
    }
    if may_bless {
        return bless(path, &text, &found).map_err(|error| error.to_string());
    }
    let lines = |lines: &[String]| lines.iter().map(|line| format!("\n    {line}")).collect::<String>();
    let expected: Vec<String> = expected.into_iter().map(str::to_owned).collect();
    Err(format!("expected:{}\n  found:{}", lines(&expected), lines(&found)))
}

/// Puts what comes out in the place of what is expected, at the end, where it moves no line of the
/// program.
fn bless(path: &Path, text: &str, found: &[String]) -> std::io::Result<()> {
    let mut lines: Vec<String> = text.lines().filter(|line| !line.starts_with(EXPECT)).map(str::to_owned).collect();
    lines.extend(found.iter().map(|line| format!("{EXPECT}{line}")));
    std::fs::write(path, lines.join("\n") + "\n")
}

#[test]
fn programs_do_what_their_comments_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/ir");
    let entries = std::fs::read_dir(&folder).expect("the folder of the programs").flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "eir"));
    files.sort();
    assert!(files.len() >= 30, "{} programs", files.len());
    let may_bless = std::env::var_os("ESPALIER_BLESS").is_some();
    let failed: Vec<String> = files
        .iter()
        .filter_map(|file| {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            check(file, may_bless).err().map(|what| format!("{name}: {what}"))
        })
        .collect();
    assert!(failed.is_empty(), "{} of {} programs:\n{}", failed.len(), files.len(), failed.join("\n"));
}

/// A report that differs is noticed.
#[test]
fn reports_are_compared() {
    let text = "// run: explore\n// expect: exit 4\nfn @main() -> i32\nbb0:\n  return 3\n";
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("three.eir");
    std::fs::write(&file, text).expect("the folder is writable");
    assert!(check(&file, false).is_err_and(|what| what.contains("found:\n    exit 3")));
    std::fs::write(&file, text.replace("// run: explore", "// run: explore --unknown"))
        .expect("the folder is writable");
    assert_eq!(check(&file, false), Err("unknown option --unknown".to_owned()));
}
