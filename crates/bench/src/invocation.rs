//! From a tool and a target to the command that is run, and the hash that tells whether it was run
//! before.

use crate::process::{self, Budget, Start};
use crate::program::{self, Aim, Place, Program, Target};
use crate::set::{Set, Tool};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// This word, as the name of an executable, means the one that is running.
const OURSELVES: &str = "espalier";

/// A tool that is there.
#[derive(Clone, Debug)]
pub(crate) struct Installed<'a> {
    pub(crate) tool: &'a Tool,
    /// The first line of what it says about its version.
    pub(crate) version: Option<String>,
}

/// The tool as it is installed; `None` if its executable, or the one that tells its version, is not
/// found.
pub(crate) fn install<'a>(set: &Set, tool: &'a Tool) -> Option<Installed<'a>> {
    executable(set, tool.command.first()?)?;
    let version = match &tool.version {
        None => None,
        Some(words) => Some(first_line(set, words)?),
    };
    Some(Installed { tool, version })
}

/// What is asked in one run, and within which limits.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Run<'a> {
    pub(crate) program: &'a Program,
    pub(crate) target: &'a Target,
    pub(crate) budget: Budget,
    pub(crate) seed: u32,
}

/// The full path of an executable. Names with a slash are relative to the set.
fn executable(set: &Set, name: &str) -> Option<PathBuf> {
    if name == OURSELVES {
        return std::env::current_exe().ok();
    }
    let is_executable =
        |path: &PathBuf| path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0);
    if name.contains('/') {
        return Some(set.dir.join(name)).filter(is_executable);
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|dir| dir.join(name)).find(is_executable)
}

/// The first line that a command prints. `None` if there is no such executable.
fn first_line(set: &Set, words: &[String]) -> Option<String> {
    let mut argv = words.to_vec();
    argv[0] = executable(set, words.first()?)?.to_string_lossy().into_owned();
    let mut output = Vec::new();
    let temporary = std::env::temp_dir();
    let start = Start { argv: &argv, dir: &set.dir, temporary: &temporary };
    let budget = Budget { time: Duration::from_secs(10), memory: None };
    process::run(&start, budget, &|| false, &mut |bytes| output.extend_from_slice(bytes));
    let text = String::from_utf8_lossy(&output);
    let line = text.lines().map(str::trim).find(|line| !line.is_empty());
    Some(line.unwrap_or_default().chars().take(80).collect())
}

/// The values of the placeholders.
struct Values<'a> {
    file: &'a str,
    target: &'a str,
    line: &'a str,
    column: &'a str,
    time: &'a str,
    memory: &'a str,
    dir: &'a str,
    name: &'a str,
    seed: &'a str,
}

impl Values<'_> {
    /// Other braces, and `${name}` in scripts, stay as they are.
    fn fill(&self, word: &str) -> String {
        let mut filled = String::new();
        let mut rest = word;
        while let Some(at) = rest.find('{') {
            let (before, braced) = rest.split_at(at);
            filled.push_str(before);
            let known = [
                ("{file}", self.file),
                ("{target}", self.target),
                ("{line}", self.line),
                ("{column}", self.column),
                ("{time}", self.time),
                ("{memory}", self.memory),
                ("{dir}", self.dir),
                ("{name}", self.name),
                ("{seed}", self.seed),
            ];
            let is_variable = before.ends_with('$');
            let found = known.iter().find_map(|(name, value)| Some((braced.strip_prefix(name)?, *value)));
            let (after, value) = found.filter(|_| !is_variable).unwrap_or((&braced[1..], "{"));
            filled.push_str(value);
            rest = after;
        }
        filled + rest
    }
}

/// Seconds, as all tools read them.
fn seconds(time: Duration) -> String {
    time.as_secs_f64().to_string()
}

/// Mebibytes; no limit is as much as there can be.
fn mebibytes(memory: Option<u64>) -> String {
    memory.map_or(1 << 24, |memory| memory.div_ceil(1 << 20)).to_string()
}

fn command<'a>(tool: &'a Tool, target: &Target) -> &'a [String] {
    match &tool.whole_command {
        Some(whole) if target.aim == Aim::Whole => whole,
        _ => &tool.command,
    }
}

/// The command for one run in a directory.
pub(crate) fn argv(set: &Set, tool: &Tool, run: &Run<'_>, dir: &Path) -> Result<Vec<String>, String> {
    let text = |path: &Path| path.to_str().map(str::to_owned).ok_or(format!("{} is not text", path.display()));
    let (file, dir) = (text(&run.program.path)?, text(dir)?);
    let mut words = filled(tool, run, &file, &dir);
    let first = words.first_mut().ok_or("the command is empty")?;
    *first = text(&executable(set, first).ok_or(format!("`{first}` is not found any more"))?)?;
    Ok(words)
}

fn filled(tool: &Tool, run: &Run<'_>, file: &str, dir: &str) -> Vec<String> {
    let Run { program, target, budget, seed } = *run;
    let (line, column, place) = match &target.aim {
        Aim::Call(Place { line, column }) => (line.to_string(), column.to_string(), format!("{file}:{line}:{column}")),
        Aim::Named(place) => (String::new(), String::new(), place.clone()),
        Aim::Whole => Default::default(),
    };
    let stem = Path::new(&program.name).file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let values = Values {
        file,
        target: &place,
        line: &line,
        column: &column,
        time: &seconds(budget.time),
        memory: &mebibytes(budget.memory),
        dir,
        name: &stem,
        seed: &seed.to_string(),
    };
    let mut words = Vec::new();
    for word in command(tool, target) {
        match word == "{args}" {
            true => words.extend_from_slice(&program.args),
            false => words.push(values.fill(word)),
        }
    }
    words
}

/// A hash of all that a result depends on, but for the names of the tool and the target. Where the
/// set and the scratch directory are does not matter.
pub(crate) fn hash(installed: &Installed<'_>, run: &Run<'_>) -> String {
    let (tool, program) = (installed.tool, run.program);
    let sign = |sign: &crate::answer::Sign| format!("{:?} {:?}", sign.pattern.as_ref().map(|p| p.as_str()), sign.exits);
    let parts = [
        format!("{:?}", filled(tool, run, &program.name, "{dir}")),
        format!("{:?}", run.budget),
        program.hash.clone(),
        installed.version.clone().unwrap_or_default(),
        sign(&tool.answers.reachable),
        sign(&tool.answers.unreachable),
        sign(&tool.answers.unknown),
    ];
    program::hash(format!("{parts:?}").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preset;

    #[test]
    fn placeholders_are_filled_and_other_braces_are_left() {
        let values = Values {
            file: "/x/a.c",
            target: "/x/a.c:3:5",
            line: "3",
            column: "5",
            time: "60",
            memory: "4096",
            dir: "/tmp/{file}",
            name: "a",
            seed: "7",
        };
        assert_eq!(values.fill("--t={time} {name}/{line}"), "--t=60 a/3");
        assert_eq!(values.fill("--seed={seed}"), "--seed=7");
        assert_eq!(values.fill("f() { echo ${line} {file; } {dir}"), "f() { echo ${line} {file; } /tmp/{file}");
    }

    fn program() -> (Program, Target) {
        let target = Target { aim: Aim::Call(Place { line: 3, column: 5 }), truth: None };
        let program = Program {
            group: "g".into(),
            name: "tasks/a.c".into(),
            path: "/x/tasks/a.c".into(),
            size: 1,
            hash: "h".into(),
            targets: vec![target.clone()],
            time: None,
            args: vec!["--sym-stdin".into(), "4".into()],
        };
        (program, target)
    }

    const BUDGET: Budget = Budget { time: Duration::from_millis(1500), memory: Some(1 << 30) };

    fn words(preset: &str, run: &Run<'_>) -> String {
        filled(&preset::find(preset).expect("a preset"), run, "/x/tasks/a.c", "/tmp/1").join(" ")
    }

    #[test]
    fn commands_of_presets() {
        let (program, target) = program();
        let run = Run { program: &program, target: &target, budget: BUDGET, seed: 1 };
        let expected = "espalier reach --target=/x/tasks/a.c:3:5 --max-time=1.5 --max-memory=1024 --json \
                        --output-dir=/tmp/1 /x/tasks/a.c --interpolation=off";
        assert_eq!(words("espalier-off", &run), expected);
        let whole = Target { aim: Aim::Whole, truth: None };
        assert!(words("espalier-off", &Run { target: &whole, ..run }).starts_with("espalier check --only=reach "));
    }

    #[test]
    fn arguments_and_places_of_a_group() {
        let (program, _) = program();
        let named = Target { aim: Aim::Named("b.c:here".into()), truth: None };
        let run = Run { program: &program, target: &named, budget: BUDGET, seed: 1 };
        let rest = "--max-time=1.5 --max-memory=1024 --json --output-dir=/tmp/1 /x/tasks/a.c --sym-stdin 4";
        assert_eq!(words("espalier-directed", &run), format!("espalier reach --target=b.c:here {rest}"));
        let whole = Target { aim: Aim::Whole, truth: None };
        let run = Run { target: &whole, ..run };
        assert_eq!(words("espalier-directed", &run), format!("espalier reach --targets=all {rest}"));
    }

    #[test]
    fn the_hash_depends_on_what_matters() {
        let tool = preset::find("klee").expect("a preset");
        let installed = Installed { tool: &tool, version: Some("1".into()) };
        let (program, target) = program();
        let run = Run { program: &program, target: &target, budget: BUDGET, seed: 1 };
        let original = hash(&installed, &run);
        let other_place = Program { path: "/y/tasks/a.c".into(), ..program.clone() };
        assert_eq!(original, hash(&installed, &Run { program: &other_place, ..run }));
        let other_text = Program { hash: "i".into(), ..program.clone() };
        assert_ne!(original, hash(&installed, &Run { program: &other_text, ..run }));
        let longer = Budget { time: Duration::from_secs(2), ..BUDGET };
        assert_ne!(original, hash(&installed, &Run { budget: longer, ..run }));
        let newer = Installed { version: Some("2".into()), ..installed.clone() };
        assert_ne!(original, hash(&newer, &run));
        let other_tool = preset::find("cbmc").expect("a preset");
        assert_ne!(original, hash(&Installed { tool: &other_tool, ..newer }, &run));
        // A seed matters to what asks for it.
        assert_eq!(original, hash(&installed, &Run { seed: 2, ..run }));
        let by_chance = Tool { command: vec!["t".into(), "{seed}".into()], ..tool.clone() };
        let by_chance = Installed { tool: &by_chance, version: None };
        assert_ne!(hash(&by_chance, &run), hash(&by_chance, &Run { seed: 2, ..run }));
    }
}
