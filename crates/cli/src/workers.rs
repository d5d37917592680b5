//! Several workers on one machine: `--jobs`; and `espalier worker`, which is what they run, and
//! what joins a run from elsewhere.

use crate::run::fail;
use crate::{recording, settings};
use clap::{Arg, ArgAction, ArgMatches, Command};
use espalier_base::{StopFlag, parse_size};
use espalier_engine::{Config, Crew, Engine, FuncId, Job, Program, WorkerError, exit_code, stop_on_signals};
use espalier_store::{Location, StoreError, Tasks};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// So often may workers die in a row before they have begun, and so often in a minute, for each that
/// there is: a run of days goes on although some die, and one whose workers only die does not.
const STILLBORN: usize = 10;
const DEATHS: usize = 100;
const MINUTE: Duration = Duration::from_secs(60);
/// Where the tree is, for workers that a run starts itself.
const STORE: &str = "ESPALIER_STORE";
/// How long workers may take to stop before they are ended.
const PATIENCE: Duration = Duration::from_secs(4);

const EXAMPLES: &str = "\
Examples:
  espalier run parser.c --jobs=4                    four workers on this machine, started and stopped by themselves
  espalier worker --store=tree                      one more, while `espalier run --record=tree --jobs=2 …` runs
  espalier run parser.c --store=postgres://ann@db/espalier
  espalier worker --store=postgres://ann@db/espalier
                                                    on other machines, as many as there are

A worker needs neither the program's files nor its options: it finds them with the tree. It stops when the run does.

Exit codes: 0 the run is over, 2 there is nothing to work on, 6 internal error.";

/// `espalier worker`.
pub(crate) fn command() -> Command {
    let store = Arg::new("store")
        .long("store")
        .value_name("DIR|URL")
        .help("The directory of a run with --jobs, or the address that it was given by --store")
        .required_unless_present("crew")
        .value_parser(recording::location_parser());
    let max_memory = Arg::new("max-memory")
        .long("max-memory")
        .value_name("SIZE")
        .help("Keep this worker's memory below SIZE [default: its share of the run's]")
        .value_parser(parse_size);
    // Of workers that a run starts itself: they say which one they are, and stop when their
    // standard input ends.
    let crew = Arg::new("crew").long("crew").hide(true).action(ArgAction::SetTrue);
    Command::new("worker")
        .about("Work on a run that others began, until it is over")
        .args([store, max_memory, crew])
        .after_help(EXAMPLES)
        .arg_required_else_help(true)
}

/// Works, and gives the exit code.
pub(crate) fn worker(matches: &ArgMatches) -> i32 {
    // An address may have a password, and everybody can see the arguments of a process.
    let given = || std::env::var_os(STORE).map(Location::from);
    let Some(tree) = matches.get_one::<Location>("store").cloned().or_else(given) else {
        return fail(exit_code::USAGE, "--store is missing");
    };
    let is_of_crew = matches.get_flag("crew");
    let stop = if is_of_crew { stop_with_parent() } else { stop_on_signals() };
    loop {
        let joined = join(&tree, matches.get_one("max-memory").copied());
        let (job, tasks) = match joined {
            Ok(joined) => joined,
            Err(error) => return fail(exit_code::INPUT, error),
        };
        match work(&tree, job, tasks, is_of_crew, stop.clone()) {
            Ok(()) | Err(WorkerError::Store(StoreError::Over(_))) => return exit_code::CLEAN,
            // What it knew may be explored by somebody else by now: it begins anew.
            Err(WorkerError::Store(StoreError::Lost(_))) if !is_of_crew => {}
            Err(WorkerError::Store(StoreError::Lost(_))) => return exit_code::INTERNAL,
            Err(error) => return fail(exit_code::INTERNAL, error),
        }
    }
}

fn join(tree: &Location, max_memory: Option<u64>) -> Result<(Job, Tasks), String> {
    let tasks = Tasks::join(tree).map_err(|error| error.to_string())?;
    let other_version = "another version of Espalier began the run: use that one, on all machines";
    let mut job = Job::decode(&recording::job(tasks.reader())?).ok_or(other_version)?;
    if max_memory.is_some() {
        job.config.limits.max_memory = max_memory;
    }
    Ok((job, tasks))
}

fn work(tree: &Location, job: Job, tasks: Tasks, is_of_crew: bool, stop: StopFlag) -> Result<(), WorkerError> {
    let mut said = std::io::stdout();
    let _ = if is_of_crew {
        writeln!(said, "{}", tasks.worker())
    } else {
        writeln!(said, "Worker {} works on {tree}", tasks.worker())
    };
    Engine::work(job, tasks, stop)
}

/// A flag that is raised when whoever started this process has closed its standard input, or died.
fn stop_with_parent() -> StopFlag {
    let flag = StopFlag::new();
    let raised = flag.clone();
    std::thread::spawn(move || {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        raised.ask();
    });
    flag
}

/// What each of several workers is to do. Limits on the whole run are kept by whoever began it.
pub(crate) fn job(program: &Program, entry: FuncId, config: &Config, workers: usize) -> Job {
    let mut config = config.clone();
    config.is_last = false;
    let limits = &mut config.limits;
    (limits.max_time, limits.max_instructions, limits.max_tests) = (None, None, None);
    limits.max_memory = limits.max_memory.map(|bytes| bytes / workers as u64);
    Job { program: program.clone(), entry, config }
}

/// What several workers cannot do.
pub(crate) fn inconsistency(matches: &ArgMatches, config: &Config) -> Option<&'static str> {
    if config.limits.max_forks.is_some() {
        Some("--max-forks counts the forks of one process: use it with --jobs=1")
    } else if settings::has_given_inputs(matches) {
        Some("seeds and replays are about single paths: use them with --jobs=1")
    } else if config.keep_tree || config.verify_pruning || config.solver.log_queries.is_some() {
        Some("--tree, --verify-pruning and --log-queries look into one process: use them with --jobs=1")
    } else if matches.get_flag("write-smt2s") || matches.get_flag("write-kqueries") {
        Some("path conditions stay where they are made: use --write-smt2s and --write-kqueries with --jobs=1")
    } else {
        None
    }
}

/// Processes that work on a tree.
pub(crate) struct Processes {
    tree: Location,
    size: usize,
    lease: Duration,
    workers: Vec<Process>,
    /// In a row, before they had begun.
    stillborn: usize,
    /// In the last minute.
    deaths: VecDeque<Instant>,
    dismissed: Option<Instant>,
}

struct Process {
    child: Child,
    /// Closed when it is to stop.
    input: Option<ChildStdin>,
    number: Arc<OnceLock<u16>>,
}

impl Processes {
    pub(crate) fn new(tree: &Location, size: usize, lease: Duration) -> Processes {
        Processes {
            tree: tree.clone(),
            size,
            lease,
            workers: Vec::new(),
            stillborn: 0,
            deaths: VecDeque::new(),
            dismissed: None,
        }
    }

    fn start(&self) -> std::io::Result<Process> {
        let mut command = std::process::Command::new(std::env::current_exe()?);
        command.arg("worker").arg("--crew").env(STORE, self.tree.to_argument());
        // Ctrl-C is for the run as a whole, which tells them.
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).process_group(0).spawn()?;
        let number = Arc::new(OnceLock::new());
        if let Some(output) = child.stdout.take() {
            let said = number.clone();
            std::thread::spawn(move || {
                for line in BufReader::new(output).lines().map_while(Result::ok) {
                    line.trim().parse().into_iter().for_each(|number| {
                        let _ = said.set(number);
                    });
                }
            });
        }
        Ok(Process { input: child.stdin.take(), child, number })
    }
}

impl Crew for Processes {
    fn size(&self) -> usize {
        self.size
    }

    fn lease(&self) -> Duration {
        self.lease
    }

    fn look_after(&mut self, ended: &mut dyn FnMut(u16)) -> Result<(), String> {
        let mut how = None;
        self.workers.retain_mut(|worker| match worker.child.try_wait() {
            Ok(None) => true,
            status => {
                how = status.ok().flatten();
                let number = worker.number.get().copied();
                self.stillborn = if number.is_some() { 0 } else { self.stillborn + 1 };
                self.deaths.push_back(Instant::now());
                number.into_iter().for_each(&mut *ended);
                false
            }
        });
        while self.deaths.front().is_some_and(|death| death.elapsed() > MINUTE) {
            self.deaths.pop_front();
        }
        if self.stillborn > STILLBORN * self.size || self.deaths.len() > DEATHS * self.size {
            let how = how.map_or_else(String::new, |how| format!(" ({how})"));
            return Err(format!("workers died {} times in a minute{how}: run with --jobs=1", self.deaths.len()));
        }
        while self.workers.len() < self.size {
            let worker = self.start().map_err(|error| format!("a worker cannot be started: {error}"))?;
            self.workers.push(worker);
        }
        Ok(())
    }

    fn dismiss(&mut self) -> bool {
        let since = *self.dismissed.get_or_insert_with(Instant::now);
        for worker in &mut self.workers {
            worker.input = None;
            if since.elapsed() > PATIENCE {
                let _ = worker.child.kill();
            }
        }
        self.workers.retain_mut(|worker| matches!(worker.child.try_wait(), Ok(None)));
        self.workers.is_empty()
    }
}

impl Drop for Processes {
    fn drop(&mut self) {
        for worker in &mut self.workers {
            let _ = worker.child.kill();
            let _ = worker.child.wait();
        }
    }
}
