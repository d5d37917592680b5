//! The set file: which tools answer which questions about which programs, and within which limits.
//!
//! Whatever is wrong with it is reported with its line and column before anything runs.

use crate::answer::{Answers, Sign};
use crate::error::BenchError;
use crate::preset;
use crate::process::Budget;
use espalier_base::{QuantityError, parse_duration, parse_size};
use regex::Regex;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;
use toml::Spanned;

/// A set that makes sense.
#[derive(Clone, Debug)]
pub(crate) struct Set {
    /// Where the set file is; its names are relative to this.
    pub(crate) dir: PathBuf,
    pub(crate) budget: Budget,
    /// How many runs there may be at once.
    pub(crate) cores: usize,
    pub(crate) tools: Vec<Tool>,
    pub(crate) groups: Vec<Group>,
}

#[derive(Clone, Debug)]
pub(crate) struct Tool {
    pub(crate) name: String,
    pub(crate) command: Vec<String>,
    /// The command for a program as a whole, if it is another one.
    pub(crate) whole_command: Option<Vec<String>>,
    pub(crate) answers: Answers,
    pub(crate) version: Option<Vec<String>>,
}

/// Programs that belong together.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) name: String,
    /// Sorted, each once.
    pub(crate) files: Vec<PathBuf>,
    pub(crate) asked: Asked,
}

/// What is asked about a program.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Asked {
    /// Can this call of `reach_error` be reached? For each of them.
    Errors,
    /// Can any error be reached?
    Whole,
}

const TIME: Duration = Duration::from_secs(60);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSet {
    #[serde(default)]
    limits: RawLimits,
    tools: Vec<Spanned<RawTool>>,
    tasks: Vec<Spanned<RawTasks>>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct RawLimits {
    time: Option<Spanned<String>>,
    memory: Option<Spanned<String>>,
    cores: Option<Spanned<usize>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTool {
    name: Option<String>,
    preset: Option<Spanned<String>>,
    command: Option<Spanned<Vec<String>>>,
    whole_command: Option<Spanned<Vec<String>>>,
    reachable: Option<Spanned<String>>,
    unreachable: Option<Spanned<String>>,
    unknown: Option<Spanned<String>>,
    exit: Option<RawExit>,
    version: Option<Spanned<Vec<String>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawExit {
    #[serde(default)]
    reachable: Vec<i32>,
    #[serde(default)]
    unreachable: Vec<i32>,
    #[serde(default)]
    unknown: Vec<i32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTasks {
    name: Option<String>,
    files: Spanned<RawFiles>,
    targets: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a pattern such as \"tasks/*.c\", or a list of them")]
enum RawFiles {
    One(String),
    Many(Vec<String>),
}

impl Set {
    pub(crate) fn read(path: &Path) -> Result<Set, BenchError> {
        let text = std::fs::read_to_string(path).map_err(|error| BenchError::unreadable(path, &error))?;
        let full = path.canonicalize().map_err(|error| BenchError::unreadable(path, &error))?;
        let dir = full.parent().map_or_else(PathBuf::new, Path::to_path_buf);
        Source { path, text: &text }.set(dir)
    }
}

/// The text, to say where in it something is wrong.
struct Source<'a> {
    path: &'a Path,
    text: &'a str,
}

impl Source<'_> {
    fn wrong(&self, place: Range<usize>, message: impl std::fmt::Display) -> BenchError {
        let before = self.text.get(..place.start).unwrap_or(self.text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        BenchError::Input(format!("{}:{line}:{column}: {message}", self.path.display()))
    }

    fn set(&self, dir: PathBuf) -> Result<Set, BenchError> {
        let raw: RawSet = toml::from_str(self.text)
            .map_err(|error| self.wrong(error.span().unwrap_or(0..0), error.message().replace('\n', " ")))?;
        if raw.tools.is_empty() || raw.tasks.is_empty() {
            return Err(self.wrong(0..0, "a set needs at least one [[tools]] and one [[tasks]]"));
        }
        let tools = self.named(&raw.tools, "tool", |tool, place| self.tool(tool, place), |tool| &tool.name)?;
        let groups =
            self.named(&raw.tasks, "group of tasks", |tasks, _| self.group(tasks, &dir), |group| &group.name)?;
        Ok(Set { budget: self.budget(&raw.limits)?, cores: self.cores(&raw.limits)?, tools, groups, dir })
    }

    /// Reads each of a list whose names must differ.
    fn named<Raw, T>(
        &self,
        raw: &[Spanned<Raw>],
        what: &str,
        read: impl Fn(&Raw, Range<usize>) -> Result<T, BenchError>,
        name: impl Fn(&T) -> &str,
    ) -> Result<Vec<T>, BenchError> {
        let mut known = BTreeSet::new();
        let mut list = Vec::new();
        for raw in raw {
            let read = read(raw.get_ref(), raw.span())?;
            if !known.insert(name(&read).to_owned()) {
                let message = format!("there is another {what} `{}`; give this one a `name` of its own", name(&read));
                return Err(self.wrong(raw.span(), message));
            }
            list.push(read);
        }
        Ok(list)
    }

    fn budget(&self, limits: &RawLimits) -> Result<Budget, BenchError> {
        let time = self.quantity(limits.time.as_ref(), parse_duration)?.unwrap_or(TIME);
        if let Some(given) = limits.time.as_ref().filter(|_| time.is_zero()) {
            return Err(self.wrong(given.span(), "a run needs a time limit above zero"));
        }
        let memory = self.quantity(limits.memory.as_ref(), parse_size)?.filter(|&memory| memory > 0);
        Ok(Budget { time, memory })
    }

    fn quantity<T>(
        &self,
        text: Option<&Spanned<String>>,
        parse: impl Fn(&str) -> Result<T, QuantityError>,
    ) -> Result<Option<T>, BenchError> {
        text.map(|text| parse(text.get_ref()).map_err(|error| self.wrong(text.span(), error))).transpose()
    }

    /// Never more than the machine has: runs that share a core would measure each other.
    fn cores(&self, limits: &RawLimits) -> Result<usize, BenchError> {
        let present = std::thread::available_parallelism().map_or(1, usize::from);
        match &limits.cores {
            None => Ok(present),
            Some(cores) if *cores.get_ref() == 0 => Err(self.wrong(cores.span(), "at least one core is needed")),
            Some(cores) => Ok(present.min(*cores.get_ref())),
        }
    }

    fn tool(&self, raw: &RawTool, place: Range<usize>) -> Result<Tool, BenchError> {
        let base = match &raw.preset {
            None => None,
            Some(name) => {
                let preset = preset::find(name.get_ref()).map_err(|error| self.wrong(name.span(), error))?;
                Some(preset)
            }
        };
        let Some(name) = raw.name.clone().or_else(|| base.as_ref().map(|base| base.name.clone())) else {
            return Err(self.wrong(place, "a tool needs a `name`, or a `preset` that has one"));
        };
        let mut command = self.command(raw.command.as_ref())?;
        let mut whole_command = self.command(raw.whole_command.as_ref())?;
        let mut version = self.command(raw.version.as_ref())?;
        let mut answers = self.answers(raw)?;
        if let Some(base) = base {
            // Another command may well be another tool, so its commands go together, and so do its
            // answers.
            if command.is_none() {
                command = Some(base.command);
                whole_command = whole_command.or(base.whole_command);
            }
            version = version.or(base.version);
            if !is_answer(&answers) {
                answers = base.answers;
            }
        }
        let Some(command) = command else {
            return Err(self.wrong(place, format!("the tool `{name}` needs a `command` or a `preset`")));
        };
        if !answers.reachable.is_given() && !answers.unreachable.is_given() {
            let message = format!(
                "the tool `{name}` cannot answer: give patterns `reachable` and `unreachable`, \
                 or exit codes such as exit = {{ reachable = [10], unreachable = [0] }}"
            );
            return Err(self.wrong(place, message));
        }
        Ok(Tool { name, command, whole_command, answers, version })
    }

    fn command(&self, words: Option<&Spanned<Vec<String>>>) -> Result<Option<Vec<String>>, BenchError> {
        match words {
            Some(words) if words.get_ref().first().is_none_or(String::is_empty) => {
                Err(self.wrong(words.span(), "a command needs at least the name of an executable"))
            }
            _ => Ok(words.map(|words| words.get_ref().clone())),
        }
    }

    fn answers(&self, raw: &RawTool) -> Result<Answers, BenchError> {
        let sign = |pattern: &Option<Spanned<String>>, exits: Option<&Vec<i32>>| -> Result<Sign, BenchError> {
            let pattern = match pattern {
                None => None,
                Some(text) => Some(self.pattern(text)?),
            };
            Ok(Sign { pattern, exits: exits.cloned().unwrap_or_default() })
        };
        let exit = raw.exit.as_ref();
        Ok(Answers {
            reachable: sign(&raw.reachable, exit.map(|exit| &exit.reachable))?,
            unreachable: sign(&raw.unreachable, exit.map(|exit| &exit.unreachable))?,
            unknown: sign(&raw.unknown, exit.map(|exit| &exit.unknown))?,
        })
    }

    fn pattern(&self, text: &Spanned<String>) -> Result<Regex, BenchError> {
        Regex::new(text.get_ref()).map_err(|error| {
            let message = error.to_string();
            let reason = message.lines().last().unwrap_or_default().trim_start_matches("error: ");
            self.wrong(text.span(), format!("`{}` is not a regular expression: {reason}", text.get_ref()))
        })
    }

    fn group(&self, raw: &RawTasks, dir: &Path) -> Result<Group, BenchError> {
        let asked = match raw.targets.as_ref().map(|targets| (targets.get_ref().as_str(), targets.span())) {
            None | Some(("errors", _)) => Asked::Errors,
            Some(("whole", _)) => Asked::Whole,
            Some((other, place)) => {
                let message = format!("`{other}` are no targets: write \"errors\" or \"whole\"");
                return Err(self.wrong(place, message));
            }
        };
        let patterns = match raw.files.get_ref() {
            RawFiles::One(pattern) => std::slice::from_ref(pattern),
            RawFiles::Many(patterns) => patterns.as_slice(),
        };
        let mut files = BTreeSet::new();
        for pattern in patterns {
            let found = matching(dir, pattern).map_err(|error| self.wrong(raw.files.span(), error))?;
            if found.is_empty() {
                let message = format!("no file matches `{pattern}` in {}", dir.display());
                return Err(self.wrong(raw.files.span(), message));
            }
            files.extend(found);
        }
        let Some(first) = files.first() else {
            return Err(self.wrong(raw.files.span(), "the list of files is empty"));
        };
        let directory = || first.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        let name = raw.name.clone().or_else(directory).unwrap_or_else(|| "tasks".into());
        Ok(Group { name, files: files.into_iter().collect(), asked })
    }
}

fn is_answer(answers: &Answers) -> bool {
    [&answers.reachable, &answers.unreachable, &answers.unknown].into_iter().any(Sign::is_given)
}

/// The files that a pattern relative to `dir` matches.
fn matching(dir: &Path, pattern: &str) -> Result<Vec<PathBuf>, String> {
    let here = dir.to_str().ok_or_else(|| format!("{} is not text", dir.display()))?;
    let whole = match Path::new(pattern).is_absolute() {
        true => pattern.to_owned(),
        false => format!("{}/{pattern}", glob::Pattern::escape(here)),
    };
    let found = glob::glob(&whole).map_err(|error| format!("`{pattern}` is not a pattern of files: {error}"))?;
    let found = found.map(|entry| entry.map_err(|error| format!("{} cannot be read: {error}", error.path().display())));
    found.filter(|entry| entry.as_ref().map_or(true, |path| path.is_file())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Set, String> {
        let dir = tempfile::tempdir().expect("a directory");
        std::fs::create_dir(dir.path().join("tasks")).expect("a directory");
        for name in ["b.c", "a.c", "x.h"] {
            std::fs::write(dir.path().join("tasks").join(name), "").expect("a file");
        }
        let path = Path::new("set.toml");
        Source { path, text }.set(dir.path().to_path_buf()).map_err(|error| error.to_string())
    }

    const TASKS: &str = "[[tasks]]\nfiles = \"tasks/*.c\"\n";
    const TOOL: &str = "[[tools]]\nname = \"t\"\ncommand = [\"t\"]\nreachable = \"yes\"\n";

    #[track_caller]
    fn check_wrong(text: &str, message: &str) {
        let error = parse(text).expect_err("it is wrong");
        assert!(error.contains(message), "{error}");
    }

    #[test]
    fn a_whole_set() {
        let limits = "[limits]\ntime = \"2m\"\nmemory = \"1GiB\"\ncores = 1000\n";
        let set = parse(&format!("{limits}{TOOL}[[tools]]\npreset = \"klee\"\n{TASKS}")).expect("a set");
        assert_eq!(set.budget, Budget { time: Duration::from_secs(120), memory: Some(1 << 30) });
        assert_eq!(set.cores, std::thread::available_parallelism().map_or(1, usize::from));
        assert_eq!(set.tools.iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>(), ["t", "klee"]);
        let [group] = &set.groups[..] else { panic!("{:?}", set.groups) };
        assert_eq!((group.name.as_str(), group.asked), ("tasks", Asked::Errors));
        let names: Vec<_> = group.files.iter().filter_map(|file| file.file_name()).collect();
        assert_eq!(names, ["a.c", "b.c"]);
    }

    #[test]
    fn a_preset_may_be_changed() {
        let tool = "[[tools]]\npreset = \"espalier\"\nname = \"mine\"\ncommand = [\"e\"]\n";
        let set = parse(&format!("{tool}{TASKS}")).expect("a set");
        assert_eq!((set.tools[0].name.as_str(), set.tools[0].command.as_slice()), ("mine", &["e".to_owned()][..]));
        assert!(set.tools[0].whole_command.is_none());
        assert!(set.tools[0].answers.reachable.is_given());
    }

    #[test]
    fn mistakes_have_a_place() {
        check_wrong("[limits\n", "set.toml:1:8: ");
        check_wrong(&format!("{TOOL}colour = 3\n{TASKS}"), "set.toml:5:1: unknown field `colour`");
        check_wrong(&format!("[limits]\ntime = \"10x\"\n{TOOL}{TASKS}"), "set.toml:2:8: \"10x\": unknown unit");
        check_wrong(&format!("[limits]\ntime = \"0\"\n{TOOL}{TASKS}"), "above zero");
        check_wrong(&format!("[limits]\ncores = 0\n{TOOL}{TASKS}"), "set.toml:2:9: at least one core");
        check_wrong(&format!("{TOOL}{TOOL}{TASKS}"), "set.toml:5:1: there is another tool `t`");
        check_wrong(&format!("{TOOL}{TASKS}{TASKS}"), "set.toml:7:1: there is another group of tasks `tasks`");
        check_wrong(TOOL, "missing field `tasks`");
    }

    #[test]
    fn tools_must_be_able_to_answer() {
        check_wrong(&format!("[[tools]]\nname = \"t\"\ncommand = [\"t\"]\n{TASKS}"), "the tool `t` cannot answer");
        check_wrong(&format!("[[tools]]\nname = \"t\"\nreachable = \"x\"\n{TASKS}"), "needs a `command`");
        check_wrong(&format!("[[tools]]\ncommand = [\"t\"]\n{TASKS}"), "needs a `name`");
        check_wrong(
            &format!("[[tools]]\npreset = \"klea\"\n{TASKS}"),
            "set.toml:2:10: unknown preset `klea`: did you mean `klee`?",
        );
        check_wrong(&format!("{TOOL}unreachable = \"(\"\n{TASKS}"), "set.toml:5:15: `(` is not a regular expression");
    }

    #[test]
    fn patterns_must_match_something() {
        check_wrong(&format!("{TOOL}[[tasks]]\nfiles = \"none/*.c\"\n"), "set.toml:6:9: no file matches `none/*.c`");
        check_wrong(&format!("{TOOL}[[tasks]]\nfiles = []\n"), "the list of files is empty");
        check_wrong(&format!("{TOOL}[[tasks]]\nfiles = 3\n"), "expected a pattern such as");
        check_wrong(&format!("{TOOL}{TASKS}targets = \"some\"\n"), "write \"errors\" or \"whole\"");
    }
}
