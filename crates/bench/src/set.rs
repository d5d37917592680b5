//! The set file: which tools answer which questions about which programs, and within which limits.
//!
//! Whatever is wrong with it is reported with its line and column before anything runs.

use crate::answer::{Answers, Sign, Truth};
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
    pub(crate) tasks: Vec<Tasks>,
    /// What depends on chance is run with the seeds from 1 to this.
    pub(crate) seeds: u32,
    pub(crate) layout: Layout,
}

/// Which tables are printed.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Layout {
    /// What each tool made of each program, and the first tool against each other.
    Programs,
    /// Medians over seeds.
    Medians,
}

#[derive(Clone, Debug)]
pub(crate) struct Tool {
    pub(crate) name: String,
    pub(crate) command: Vec<String>,
    /// The command for a program as a whole, if it is another one.
    pub(crate) whole_command: Option<Vec<String>>,
    pub(crate) answers: Answers,
    pub(crate) version: Option<Vec<String>>,
    /// The groups that it is asked about; all, if there are none.
    pub(crate) groups: Vec<String>,
}

impl Tool {
    /// Is there anything that a seed decides?
    pub(crate) fn depends_on_chance(&self) -> bool {
        self.command.iter().chain(self.whole_command.iter().flatten()).any(|word| word.contains("{seed}"))
    }

    pub(crate) fn is_asked_about(&self, group: &str) -> bool {
        self.groups.is_empty() || self.groups.iter().any(|name| name == group)
    }
}

/// Programs that the same is asked about.
#[derive(Clone, Debug)]
pub(crate) struct Tasks {
    pub(crate) name: String,
    /// What they are shown under; their name, unless several belong together.
    pub(crate) group: String,
    /// Sorted, each once.
    pub(crate) files: Vec<PathBuf>,
    pub(crate) asked: Asked,
    /// What is known of all of them, unless they say it themselves.
    pub(crate) truth: Option<Truth>,
    /// Of each run, if it is not the set's.
    pub(crate) time: Option<Duration>,
    /// For `{args}` in commands.
    pub(crate) args: Vec<String>,
}

/// What is asked about a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Asked {
    /// Can this call of `reach_error` be reached? For each of them.
    Errors,
    /// Can any error be reached?
    Whole,
    /// Can this place be reached, as the tools call it?
    Named(String),
}

const TIME: Duration = Duration::from_secs(60);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSet {
    seeds: Option<Spanned<u32>>,
    table: Option<Spanned<String>>,
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
    #[serde(default)]
    args: Vec<String>,
    groups: Option<Spanned<Vec<String>>>,
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
    group: Option<String>,
    files: Spanned<RawFiles>,
    targets: Option<Spanned<String>>,
    target: Option<Spanned<String>>,
    expect: Option<Spanned<String>>,
    time: Option<Spanned<String>>,
    #[serde(default)]
    args: Vec<String>,
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
        let tasks =
            self.named(&raw.tasks, "group of tasks", |tasks, _| self.tasks(tasks, &dir), |tasks| &tasks.name)?;
        self.check_groups(&raw, &tasks)?;
        let (budget, cores) = (self.budget(&raw.limits)?, self.cores(&raw.limits)?);
        let (seeds, layout) = (self.seeds(&raw)?, self.layout(&raw)?);
        Ok(Set { dir, budget, cores, tools, tasks, seeds, layout })
    }

    fn check_groups(&self, raw: &RawSet, tasks: &[Tasks]) -> Result<(), BenchError> {
        for wanted in raw.tools.iter().filter_map(|tool| tool.get_ref().groups.as_ref()) {
            let unknown = wanted.get_ref().iter().find(|name| tasks.iter().all(|tasks| tasks.group != **name));
            if let Some(unknown) = unknown {
                return Err(self.wrong(wanted.span(), format!("there is no group of tasks `{unknown}`")));
            }
        }
        Ok(())
    }

    fn seeds(&self, raw: &RawSet) -> Result<u32, BenchError> {
        match &raw.seeds {
            Some(seeds) if *seeds.get_ref() == 0 => Err(self.wrong(seeds.span(), "at least one seed is needed")),
            seeds => Ok(seeds.as_ref().map_or(1, |seeds| *seeds.get_ref())),
        }
    }

    fn layout(&self, raw: &RawSet) -> Result<Layout, BenchError> {
        match raw.table.as_ref().map(|table| (table.get_ref().as_str(), table.span())) {
            None | Some(("programs", _)) => Ok(Layout::Programs),
            Some(("medians", _)) => Ok(Layout::Medians),
            Some((other, place)) => {
                Err(self.wrong(place, format!("`{other}` is no table: write \"programs\" or \"medians\"")))
            }
        }
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
        let time = self.time(limits.time.as_ref())?.unwrap_or(TIME);
        let memory = self.quantity(limits.memory.as_ref(), parse_size)?.filter(|&memory| memory > 0);
        Ok(Budget { time, memory })
    }

    fn time(&self, text: Option<&Spanned<String>>) -> Result<Option<Duration>, BenchError> {
        let time = self.quantity(text, parse_duration)?;
        match text.filter(|_| time.is_some_and(|time| time.is_zero())) {
            Some(given) => Err(self.wrong(given.span(), "a run needs a time limit above zero")),
            None => Ok(time),
        }
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
        let Some(mut command) = command else {
            return Err(self.wrong(place, format!("the tool `{name}` needs a `command` or a `preset`")));
        };
        command.extend_from_slice(&raw.args);
        if let Some(whole) = &mut whole_command {
            whole.extend_from_slice(&raw.args);
        }
        if !answers.reachable.is_given() && !answers.unreachable.is_given() {
            let message = format!(
                "the tool `{name}` cannot answer: give patterns `reachable` and `unreachable`, \
                 or exit codes such as exit = {{ reachable = [10], unreachable = [0] }}"
            );
            return Err(self.wrong(place, message));
        }
        let groups = raw.groups.as_ref().map_or_else(Vec::new, |groups| groups.get_ref().clone());
        Ok(Tool { name, command, whole_command, answers, version, groups })
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

    fn tasks(&self, raw: &RawTasks, dir: &Path) -> Result<Tasks, BenchError> {
        let asked = self.asked(raw)?;
        let truth = match raw.expect.as_ref().map(|truth| (truth.get_ref().as_str(), truth.span())) {
            None => None,
            Some(("reachable", _)) => Some(Truth::Reachable),
            Some(("unreachable", _)) => Some(Truth::Unreachable),
            Some((other, place)) => {
                let message = format!("`{other}` cannot be expected: write \"reachable\" or \"unreachable\"");
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
        let time = self.time(raw.time.as_ref())?;
        let group = raw.group.clone().unwrap_or_else(|| name.clone());
        Ok(Tasks { name, group, files: files.into_iter().collect(), asked, truth, time, args: raw.args.clone() })
    }

    fn asked(&self, raw: &RawTasks) -> Result<Asked, BenchError> {
        match (&raw.targets, &raw.target) {
            (Some(targets), Some(_)) => Err(self.wrong(targets.span(), "`targets` and `target` do not go together")),
            (None, Some(target)) => Ok(Asked::Named(target.get_ref().clone())),
            (None, None) => Ok(Asked::Errors),
            (Some(targets), None) => match targets.get_ref().as_str() {
                "errors" => Ok(Asked::Errors),
                "whole" => Ok(Asked::Whole),
                other => {
                    let message = format!("`{other}` are no targets: write \"errors\" or \"whole\"");
                    Err(self.wrong(targets.span(), message))
                }
            },
        }
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
        let [group] = &set.tasks[..] else { panic!("{:?}", set.tasks) };
        assert_eq!((group.name.as_str(), &group.asked), ("tasks", &Asked::Errors));
        assert_eq!((set.seeds, set.layout), (1, Layout::Programs));
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
    fn medians_of_seeds_for_some_groups() {
        let tool = "[[tools]]\npreset = \"espalier-directed\"\nname = \"rp\"\ngroups = [\"g\"]\n\
                    args = [\"--search=random-path\", \"--seed={seed}\"]\n";
        let group = "[[tasks]]\nname = \"n\"\ngroup = \"g\"\nfiles = \"tasks/*.c\"\ntarget = \"x.c:here\"\n\
                     expect = \"reachable\"\ntime = \"5m\"\nargs = [\"--sym-args\", \"0\"]\n";
        let set = parse(&format!("seeds = 41\ntable = \"medians\"\n{TOOL}{tool}{group}{TASKS}")).expect("a set");
        assert_eq!((set.seeds, set.layout), (41, Layout::Medians));
        let [fixed, random] = &set.tools[..] else { panic!("{:?}", set.tools) };
        assert!(!fixed.depends_on_chance() && random.depends_on_chance());
        assert!(random.is_asked_about("g") && !random.is_asked_about("tasks") && fixed.is_asked_about("tasks"));
        for command in [Some(&random.command), random.whole_command.as_ref()] {
            assert!(command.is_some_and(|words| words.ends_with(&["--seed={seed}".to_owned()])), "{random:?}");
        }
        let group = &set.tasks[0];
        assert_eq!((&group.asked, group.truth), (&Asked::Named("x.c:here".into()), Some(Truth::Reachable)));
        assert_eq!((group.time, group.args.len()), (Some(Duration::from_secs(300)), 2));
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
        check_wrong(&format!("seeds = 0\n{TOOL}{TASKS}"), "set.toml:1:9: at least one seed");
        check_wrong(&format!("table = \"x\"\n{TOOL}{TASKS}"), "set.toml:1:9: `x` is no table");
        check_wrong(&format!("{TOOL}groups = [\"x\"]\n{TASKS}"), "set.toml:5:10: there is no group of tasks `x`");
        check_wrong(&format!("{TOOL}{TASKS}target = \"f\"\ntargets = \"whole\"\n"), "do not go together");
        check_wrong(&format!("{TOOL}{TASKS}expect = \"maybe\"\n"), "set.toml:7:10: `maybe` cannot be expected");
        check_wrong(&format!("{TOOL}{TASKS}time = \"0\"\n"), "set.toml:7:8: a run needs a time limit above zero");
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
