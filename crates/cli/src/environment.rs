//! What the program under test is given by its environment, from the options.

use clap::ArgMatches;
use espalier_base::environment::{self, Item};
use espalier_engine::{Environment, Mount};
use espalier_ir::{FuncId, Function, Program, Reg};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// More than this is no test input any more.
const MOST_MOUNTED: u64 = 64 << 20;

/// Arguments, variables, input and files, in the order in which they were given; the program's own
/// arguments come first.
pub(crate) fn items(matches: &ArgMatches) -> Result<Vec<Item>, String> {
    let mut ordered: Vec<(usize, Item)> = Vec::new();
    for name in ["sym-arg", "sym-args", "sym-stdin", "sym-files", "fs-fail"] {
        let places = matches.indices_of(name).into_iter().flatten();
        let values: Vec<String> =
            matches.get_many::<u64>(name).into_iter().flatten().map(|number| number.to_string()).collect();
        let (starts, each): (Vec<usize>, usize) = match name {
            "sym-args" => (places.step_by(3).collect(), 3),
            "sym-files" => (places.step_by(2).collect(), 2),
            _ => (places.collect(), 1),
        };
        for (place, values) in starts.into_iter().zip(values.chunks(each)) {
            let values: Vec<&str> = values.iter().map(String::as_str).collect();
            ordered.extend(environment::item(name, &values)?.map(|item| (place, item)));
        }
    }
    for name in ["sym-env", "env"] {
        let places = matches.indices_of(name).into_iter().flatten();
        let values = matches.get_many::<String>(name).into_iter().flatten();
        for (place, value) in places.zip(values) {
            ordered.extend(environment::item(name, &[value])?.map(|item| (place, item)));
        }
    }
    if let Some(path) = matches.get_one::<PathBuf>("stdin") {
        if matches.contains_id("sym-stdin") {
            return Err("--stdin and --sym-stdin: standard input is either fixed or symbolic".into());
        }
        let text = fs::read_to_string(path).map_err(|error| format!("--stdin {}: {error}", path.display()))?;
        if text.contains('\0') {
            return Err(format!("--stdin {}: a text has no zero bytes; --mount takes any file", path.display()));
        }
        ordered.push((usize::MAX, Item::Input(text)));
    }
    for (name, item) in [("short-reads", Item::ShortReads), ("terminal", Item::Terminal)] {
        if matches.get_flag(name) {
            ordered.push((usize::MAX, item));
        }
    }
    ordered.sort_by_key(|(place, _)| *place);
    let own = matches.get_many::<String>("args").into_iter().flatten().cloned().map(Item::Argument);
    Ok(own.chain(ordered.into_iter().map(|(_, item)| item)).collect())
}

/// The environment that these items and the mounts ask for; none, if there are only arguments.
pub(crate) fn of(matches: &ArgMatches, items: &[Item]) -> Result<Option<Environment>, String> {
    let mut mounts = Vec::new();
    for mount in matches.get_many::<String>("mount").into_iter().flatten() {
        add_mount(mount, &mut mounts)?;
    }
    let needs_files = if mounts.is_empty() { items.iter().find_map(Item::needs_files) } else { Some("--mount") };
    let is_asked_for = !mounts.is_empty() || items.iter().any(|item| !matches!(item, Item::Argument(_)));
    Ok(is_asked_for.then_some(Environment { mounts, needs_files }))
}

/// Which environments a verdict is about, if not all: the model's, or the one with the arguments
/// given, if the program looks at them.
pub(crate) fn scope(matches: &ArgMatches, program: &Program, entry: FuncId, has_environment: bool) -> Option<String> {
    scope_of(&items(matches).unwrap_or_default(), program, entry, has_environment)
}

/// The same for a program that is given these items.
pub(crate) fn scope_of(items: &[Item], program: &Program, entry: FuncId, has_environment: bool) -> Option<String> {
    if !has_environment {
        let main = program.function(entry);
        let mut constructors = program.constructors.iter().map(|&id| program.function(id));
        let looks = main.name == "main" && reads_arguments(main) || constructors.any(reads_arguments);
        return looks.then(|| "the arguments given".to_owned());
    }
    Some(match environment::bounds(items) {
        Some(options) => format!("the environment of {options}"),
        None => "an environment without arguments, input and files of its own".to_owned(),
    })
}

/// Does `main`, or a constructor, look at its parameters? Those of other functions are inputs.
pub(crate) fn reads_arguments(function: &Function) -> bool {
    let mut reads = false;
    let mut read = |reg: Reg| reads |= reg.index() < function.params.len();
    function.code.iter().for_each(|inst| function.for_each_read(*inst, &mut read));
    let copied = function.edges.iter().flat_map(|edge| edge.copies.iter()).filter_map(|(_, source)| source.as_reg());
    copied.for_each(read);
    reads
}

/// `HOST:GUEST`, a file or a whole directory.
fn add_mount(text: &str, mounts: &mut Vec<Mount>) -> Result<(), String> {
    let (host, guest) = text
        .rsplit_once(':')
        .filter(|(host, guest)| !host.is_empty() && guest.starts_with('/'))
        .ok_or(format!("--mount {text}: write HOST:GUEST, where GUEST begins with `/`"))?;
    let guest = guest.trim_end_matches('/');
    if guest.is_empty() || guest.split('/').any(|part| part == "..") {
        return Err(format!("--mount {text}: the program sees it at a path of its own below `/`"));
    }
    let mut left = MOST_MOUNTED.saturating_sub(mounts.iter().map(|mount| mount.data.len() as u64).sum());
    copy(Path::new(host), guest.to_owned(), mounts, &mut left).map_err(|error| format!("--mount {text}: {error}"))
}

fn copy(host: &Path, guest: String, mounts: &mut Vec<Mount>, left: &mut u64) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", host.display());
    let status = fs::symlink_metadata(host).map_err(failed)?;
    let (data, below) = if status.is_dir() {
        let entries = fs::read_dir(host).map_err(failed)?;
        let names: Result<Vec<PathBuf>, _> = entries.map(|entry| entry.map(|entry| entry.path())).collect();
        let mut names = names.map_err(failed)?;
        names.sort();
        (Vec::new(), names)
    } else if status.is_symlink() {
        (fs::read_link(host).map_err(failed)?.as_os_str().as_bytes().to_vec(), Vec::new())
    } else if status.is_file() {
        *left = left.checked_sub(status.len()).ok_or(format!("more than {} MiB", MOST_MOUNTED >> 20))?;
        (fs::read(host).map_err(failed)?, Vec::new())
    } else {
        return Err(format!("{} is not a file, directory or symbolic link", host.display()));
    };
    mounts.push(Mount { path: guest.clone(), data, mode: status.mode() });
    for path in below {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        copy(&path, format!("{guest}/{name}"), mounts, left)?;
    }
    Ok(())
}
