//! The one table of options.
//!
//! The command line, its help, the manual page, shell completion and the names that KLEE uses are
//! all derived from this table, so that they cannot disagree. It knows nothing of how an option is
//! parsed or used.

/// What an option takes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// Nothing: it is on when given.
    Flag,
    /// `=true` or `=false`; on when given without a value.
    Bool,
    Number,
    /// A duration such as `1h30m`.
    Duration,
    /// A size such as `2GiB`.
    Size,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// One or more of these words, separated by commas or each in an option of its own.
    ChoiceList(&'static [&'static str]),
    /// Any text, called so in the help.
    Text(&'static str),
    /// Any text, and the option may be repeated.
    TextList(&'static str),
    Path(&'static str),
    /// So many numbers, called so in the help; the option may be repeated.
    Numbers(&'static [&'static str]),
}

/// Where the help lists an option.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Group {
    Program,
    Environment,
    Search,
    Limits,
    Checks,
    Output,
    Solver,
}

impl Group {
    pub fn heading(self) -> &'static str {
        match self {
            Group::Program => "Program under test",
            Group::Environment => "What the program is given",
            Group::Search => "Search",
            Group::Limits => "Limits (0: none)",
            Group::Checks => "What counts as an error",
            Group::Output => "Output",
            Group::Solver => "Solver",
        }
    }
}

/// One option.
#[derive(Clone, Debug)]
pub struct OptionSpec {
    /// The name without its dashes.
    pub name: &'static str,
    /// Other names it answers to: those that KLEE uses for the same thing.
    pub aliases: &'static [&'static str],
    pub value: Value,
    /// The default as a user would write it. Without one, the option is off unless given.
    pub default: Option<&'static str>,
    pub group: Group,
    /// One sentence, without a full stop.
    pub help: &'static str,
    /// How it looks in use.
    pub example: &'static str,
}

impl OptionSpec {
    /// Does the option need a value, in the next argument if not after `=`?
    pub fn takes_value(&self) -> bool {
        !matches!(self.value, Value::Flag | Value::Bool)
    }

    /// Is this one of the option's names, without dashes?
    pub fn is_named(&self, name: &str) -> bool {
        self.name == name || self.aliases.contains(&name)
    }
}

/// The option of that name or alias.
pub fn find(name: &str) -> Option<&'static OptionSpec> {
    OPTIONS.iter().find(|option| option.is_named(name))
}

/// From where targets are looked for.
pub const APPROACHES: &[&str] = &["auto", "forward", "backward", "mix"];

/// The orders in which paths can be explored.
pub const SEARCHERS: &[&str] = &[
    "dfs",
    "dfs:newest",
    "bfs",
    "bfs:parent-first",
    "random-path",
    "random-state",
    "nurs:covnew",
    "nurs:md2u",
    "nurs:depth",
    "nurs:rp",
    "nurs:icnt",
    "nurs:cpicnt",
    "nurs:qc",
    "sdse",
    "sdse:aged",
    "sdse:focus",
    "sdse:rr",
    "sdse:pr",
    "sdse:intra",
    "sdse:intra-rr",
    "sdse:intra-pr",
    "generational",
    "recent-coverage",
    "hybrid",
    "portfolio",
    "portfolio:directed",
];

/// An option that makes a fixed answer of the models a condition of the verdict, see
/// `fidelity::Topic`.
const fn fixed(name: &'static str, help: &'static str, example: &'static str) -> OptionSpec {
    OptionSpec { name, aliases: &[], value: Value::Flag, default: None, group: Group::Environment, help, example }
}

/// All options of `espalier run`, in the order of the help.
pub const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "cc-arg",
        aliases: &[],
        value: Value::TextList("ARG"),
        default: None,
        group: Group::Program,
        help: "Pass ARG to the compiler; -I, -D, -U, -std= and -m32 may also be given directly",
        example: "--cc-arg=-fwrapv",
    },
    OptionSpec {
        name: "entry",
        aliases: &["entry-point"],
        value: Value::Text("FUNCTION"),
        default: Some("main"),
        group: Group::Program,
        help: "Start in FUNCTION; the parameters of one that is not main are inputs, and what pointers lead to is made up",
        example: "--entry=test_parser",
    },
    OptionSpec {
        name: "lazy-elements",
        aliases: &[],
        value: Value::Number,
        default: Some("4"),
        group: Group::Program,
        help: "With --entry: pointers from outside are null, or lead to one element, or to this many",
        example: "--lazy-elements=8",
    },
    OptionSpec {
        name: "lazy-depth",
        aliases: &[],
        value: Value::Number,
        default: Some("3"),
        group: Group::Program,
        help: "With --entry: follow pointers from outside over at most this many others",
        example: "--lazy-depth=5",
    },
    OptionSpec {
        name: "external-calls",
        aliases: &[],
        value: Value::Choice(&["none", "havoc", "host"]),
        default: Some("none"),
        group: Group::Program,
        help: "Calls of functions that nothing defines: end the path (none), go on with any result and any change to what the arguments point to (havoc), or compute mathematical functions of numbers (host)",
        example: "--external-calls=havoc",
    },
    OptionSpec {
        name: "libc",
        aliases: &[],
        value: Value::Choice(&["auto", "own", "musl"]),
        default: Some("auto"),
        group: Group::Program,
        help: "The C library: musl, which `make libc` builds, Espalier's own small one, or (auto) musl where the own one does not do",
        example: "--libc=musl",
    },
    fixed("fix-clock", "State that the clock starts at 0: proofs may rest on it, and say so", "--fix-clock"),
    fixed("fix-process", "State that the numbers of processes and users are those of the model", "--fix-process"),
    fixed("fix-system", "State that the names and numbers of the system are those of the model", "--fix-system"),
    fixed("fix-random", "State that random bytes are those of the model", "--fix-random"),
    fixed("fix-environment", "State that no environment variable is set", "--fix-environment"),
    fixed("fix-input", "State that standard input is empty", "--fix-input"),
    fixed("fix-files", "State that there are no files", "--fix-files"),
    fixed("fix-status", "State that files have the times, numbers and order that they have here", "--fix-status"),
    fixed("fix-terminal", "State that nothing is a terminal", "--fix-terminal"),
    fixed("fix-locale", "State that the user's locale is C", "--fix-locale"),
    fixed("fix-signals", "State that no signal comes from outside", "--fix-signals"),
    fixed("fix-addresses", "State that objects have the addresses that they have here", "--fix-addresses"),
    OptionSpec {
        name: "sym-arg",
        aliases: &[],
        value: Value::Numbers(&["N"]),
        default: None,
        group: Group::Environment,
        help: "Give the program a symbolic argument of at most N characters, after those that follow --",
        example: "--sym-arg 3",
    },
    OptionSpec {
        name: "sym-args",
        aliases: &[],
        value: Value::Numbers(&["MIN", "MAX", "N"]),
        default: None,
        group: Group::Environment,
        help: "Give the program MIN to MAX symbolic arguments of at most N characters each",
        example: "--sym-args 0 2 4",
    },
    OptionSpec {
        name: "sym-stdin",
        aliases: &[],
        value: Value::Number,
        default: None,
        group: Group::Environment,
        help: "Let the program read N symbolic bytes from standard input, which is empty otherwise",
        example: "--sym-stdin=8",
    },
    OptionSpec {
        name: "stdin",
        aliases: &[],
        value: Value::Path("FILE"),
        default: None,
        group: Group::Environment,
        help: "Let the program read the text in FILE from standard input",
        example: "--stdin=input.txt",
    },
    OptionSpec {
        name: "sym-files",
        aliases: &[],
        value: Value::Numbers(&["COUNT", "SIZE"]),
        default: None,
        group: Group::Environment,
        help: "Put COUNT files called A, B, C ... with SIZE symbolic bytes each into the program's directory",
        example: "--sym-files 1 10",
    },
    OptionSpec {
        name: "sym-env",
        aliases: &[],
        value: Value::TextList("NAME=N"),
        default: None,
        group: Group::Environment,
        help: "Give the environment variable NAME a symbolic value of at most N characters",
        example: "--sym-env=HOME=4",
    },
    OptionSpec {
        name: "env",
        aliases: &[],
        value: Value::TextList("NAME=VALUE"),
        default: None,
        group: Group::Environment,
        help: "Set an environment variable; the program has no others",
        example: "--env=LANG=C",
    },
    OptionSpec {
        name: "mount",
        aliases: &[],
        value: Value::TextList("HOST:GUEST"),
        default: None,
        group: Group::Environment,
        help: "Show the program a copy of a file or directory, read-only; nothing else of this machine can be seen",
        example: "--mount=testdata:/data",
    },
    OptionSpec {
        name: "fs-fail",
        aliases: &["max-fail"],
        value: Value::Number,
        default: None,
        group: Group::Environment,
        help: "Let up to N system calls fail on each path",
        example: "--fs-fail=1",
    },
    OptionSpec {
        name: "alloc-fail",
        aliases: &[],
        value: Value::Number,
        default: None,
        group: Group::Environment,
        help: "Let up to N allocations (malloc, calloc, realloc, strdup, strndup) of C sources fail on each path",
        example: "--alloc-fail=1",
    },
    OptionSpec {
        name: "short-reads",
        aliases: &[],
        value: Value::Flag,
        default: None,
        group: Group::Environment,
        help: "Let reading give less than was asked for",
        example: "--short-reads",
    },
    OptionSpec {
        name: "terminal",
        aliases: &[],
        value: Value::Flag,
        default: None,
        group: Group::Environment,
        help: "Let standard output be a terminal, as KLEE's model has it, and not a pipe",
        example: "--terminal",
    },
    OptionSpec {
        name: "search",
        aliases: &[],
        value: Value::ChoiceList(SEARCHERS),
        default: Some("random-path,nurs:covnew"),
        group: Group::Search,
        help: "The order in which open paths are explored; several take turns. With --interpolation, `portfolio` is the default, and `portfolio:directed` if there are targets",
        example: "--search=dfs",
    },
    OptionSpec {
        name: "strategy",
        aliases: &[],
        value: Value::Choice(APPROACHES),
        default: Some("forward"),
        group: Group::Search,
        help: "From where targets are looked for: the program's start (forward), the functions that they are in and up the call chain (backward), both with half of the work each (mix), or both by progress (auto, the default of `reach`)",
        example: "--strategy=mix",
    },
    OptionSpec {
        name: "search-backward",
        aliases: &[],
        value: Value::ChoiceList(SEARCHERS),
        default: Some("sdse:aged,random-path"),
        group: Group::Search,
        help: "The order in which functions are explored from their entries; several take turns",
        example: "--search-backward=random-path",
    },
    OptionSpec {
        name: "use-batching-search",
        aliases: &[],
        value: Value::Flag,
        default: None,
        group: Group::Search,
        help: "Run a picked path for --batch-instructions or --batch-time, however long the searcher would run it",
        example: "--use-batching-search",
    },
    OptionSpec {
        name: "batch-instructions",
        aliases: &[],
        value: Value::Number,
        default: Some("10000"),
        group: Group::Search,
        help: "Instructions in a batch; 0: any number",
        example: "--batch-instructions=1000",
    },
    OptionSpec {
        name: "batch-time",
        aliases: &[],
        value: Value::Duration,
        default: Some("5s"),
        group: Group::Search,
        help: "Time for a batch, estimated from its work so that runs can be repeated; 0: any time",
        example: "--batch-time=1s",
    },
    OptionSpec {
        name: "use-iterative-deepening-search",
        aliases: &["use-iterative-deepening-time-search"],
        value: Value::Flag,
        default: None,
        group: Group::Search,
        help: "Put paths off whose turns take long (1s at first, then twice as long each round) until the others are done",
        example: "--use-iterative-deepening-search",
    },
    OptionSpec {
        name: "interpolation",
        aliases: &[],
        value: Value::Choice(&["on", "off", "unsat-core"]),
        default: Some("off"),
        group: Group::Search,
        help: "Learn from finished subtrees which states need not be explored: by weakest preconditions, or by unsat cores as older tools do (to compare with)",
        example: "--interpolation=on",
    },
    OptionSpec {
        name: "loops",
        aliases: &[],
        value: Value::Choice(&["prove", "skip", "unroll"]),
        default: Some("skip"),
        group: Group::Search,
        help: "With --interpolation, look for invariants that close loops however often they are gone round; or only skip rounds over numbers that all go the same way, in one step; or go round each time",
        example: "--loops=unroll",
    },
    OptionSpec {
        name: "loop-effort",
        aliases: &[],
        value: Value::Number,
        default: Some("50"),
        group: Group::Search,
        help: "What looking for invariants may take, in percent of all other work",
        example: "--loop-effort=200",
    },
    OptionSpec {
        name: "verify-pruning",
        aliases: &[],
        value: Value::Flag,
        default: None,
        group: Group::Search,
        help: "Check each step of learning, and explore in the end what was pruned, to find errors of Espalier's own (slow)",
        example: "--verify-pruning",
    },
    OptionSpec {
        name: "pause-pruning",
        aliases: &[],
        value: Value::Number,
        default: None,
        group: Group::Search,
        help: "Let pruning pause by chance, which begins with this number, to find errors of Espalier's own",
        example: "--pause-pruning=7",
    },
    OptionSpec {
        name: "seed",
        aliases: &["rng-initial-seed"],
        value: Value::Number,
        default: Some("0"),
        group: Group::Search,
        help: "Seed of the random choices; the same seed gives the same run",
        example: "--seed=42",
    },
    OptionSpec {
        name: "seed-file",
        aliases: &[],
        value: Value::TextList("FILE.ktest"),
        default: None,
        group: Group::Search,
        help: "Follow the path of this test first; may be given several times",
        example: "--seed-file=first.ktest",
    },
    OptionSpec {
        name: "seed-dir",
        aliases: &[],
        value: Value::TextList("DIR"),
        default: None,
        group: Group::Search,
        help: "The same for all tests in a directory",
        example: "--seed-dir=corpus",
    },
    OptionSpec {
        name: "only-seed",
        aliases: &[],
        value: Value::Flag,
        default: None,
        group: Group::Search,
        help: "End the run when the seeds were followed",
        example: "--only-seed",
    },
    OptionSpec {
        name: "replay-ktest-file",
        aliases: &[],
        value: Value::TextList("FILE.ktest"),
        default: None,
        group: Group::Search,
        help: "Run the program on the inputs of this test instead of unknown ones; may be given several times",
        example: "--replay-ktest-file=espalier-last/test000001.ktest",
    },
    OptionSpec {
        name: "replay-ktest-dir",
        aliases: &[],
        value: Value::TextList("DIR"),
        default: None,
        group: Group::Search,
        help: "The same for all tests in a directory",
        example: "--replay-ktest-dir=espalier-last",
    },
    OptionSpec {
        name: "jobs",
        aliases: &[],
        value: Value::Number,
        default: Some("1"),
        group: Group::Search,
        help: "Explore with N processes that share the tree; 0: as many as there are processors",
        example: "--jobs=4",
    },
    OptionSpec {
        name: "lease",
        aliases: &[],
        value: Value::Duration,
        default: Some("1m"),
        group: Group::Search,
        help: "With --store: give what a worker explores to others if it was not heard of for TIME",
        example: "--lease=30s",
    },
    OptionSpec {
        name: "max-time",
        aliases: &[],
        value: Value::Duration,
        default: None,
        group: Group::Limits,
        help: "End the run after this time",
        example: "--max-time=10m",
    },
    OptionSpec {
        name: "max-memory",
        aliases: &[],
        value: Value::Size,
        default: None,
        group: Group::Limits,
        help: "End the run when it uses this much memory, 0 for no limit [default: 80% of what the machine or the container has]",
        example: "--max-memory=4GiB",
    },
    OptionSpec {
        name: "unwind",
        aliases: &[],
        value: Value::Number,
        default: None,
        group: Group::Limits,
        help: "Cut paths that take the same loop more often than this in one call",
        example: "--unwind=10",
    },
    OptionSpec {
        name: "unwind-loop",
        aliases: &[],
        value: Value::TextList("FILE:LINE=N"),
        default: None,
        group: Group::Limits,
        help: "As --unwind, for the loop that begins at this line; may be given several times",
        example: "--unwind-loop=parser.c:40=3",
    },
    OptionSpec {
        name: "max-depth",
        aliases: &[],
        value: Value::Number,
        default: None,
        group: Group::Limits,
        help: "Cut paths that fork more often than this",
        example: "--max-depth=100",
    },
    OptionSpec {
        name: "max-instructions",
        aliases: &[],
        value: Value::Number,
        default: None,
        group: Group::Limits,
        help: "End the run after this many instructions",
        example: "--max-instructions=1000000000",
    },
    OptionSpec {
        name: "max-forks",
        aliases: &[],
        value: Value::Number,
        default: None,
        group: Group::Limits,
        help: "Cut further alternatives after this many forks",
        example: "--max-forks=10000",
    },
    OptionSpec {
        name: "max-tests",
        aliases: &[],
        value: Value::Number,
        default: None,
        group: Group::Limits,
        help: "End the run after this many tests",
        example: "--max-tests=100",
    },
    OptionSpec {
        name: "max-solver-time",
        aliases: &[],
        value: Value::Duration,
        default: Some("30s"),
        group: Group::Limits,
        help: "Give up on a solver query after this time",
        example: "--max-solver-time=5s",
    },
    OptionSpec {
        name: "max-resolutions",
        aliases: &[],
        value: Value::Number,
        default: Some("64"),
        group: Group::Limits,
        help: "Follow a symbolic pointer to at most this many objects",
        example: "--max-resolutions=256",
    },
    OptionSpec {
        name: "max-symbolic-alloc",
        aliases: &[],
        value: Value::Size,
        default: Some("16MiB"),
        group: Group::Limits,
        help: "Follow allocations of symbolic size up to this size",
        example: "--max-symbolic-alloc=64MiB",
    },
    OptionSpec {
        name: "max-symbolic-reach",
        aliases: &[],
        value: Value::Size,
        default: Some("64MiB"),
        group: Group::Limits,
        help: "Cut paths that access memory at a symbolic offset where more than this was written",
        example: "--max-symbolic-reach=256MiB",
    },
    OptionSpec {
        name: "max-stack-depth",
        aliases: &["max-stack-frames"],
        value: Value::Number,
        default: Some("100000"),
        group: Group::Limits,
        help: "Cut paths whose calls nest deeper than this",
        example: "--max-stack-depth=1000",
    },
    OptionSpec {
        name: "only",
        aliases: &[],
        value: Value::Choice(&["all", "assert", "reach", "memory"]),
        default: Some("all"),
        group: Group::Checks,
        help: "Look only for failing assertions, for calls of reach_error, or for memory errors",
        example: "--only=reach",
    },
    OptionSpec {
        name: "check-div-zero",
        aliases: &[],
        value: Value::Bool,
        default: Some("true"),
        group: Group::Checks,
        help: "Division by zero",
        example: "--check-div-zero=false",
    },
    OptionSpec {
        name: "check-overshift",
        aliases: &[],
        value: Value::Bool,
        default: Some("true"),
        group: Group::Checks,
        help: "Shifts by the width of the type or more",
        example: "--check-overshift=false",
    },
    OptionSpec {
        name: "check-leaks",
        aliases: &[],
        value: Value::Flag,
        default: None,
        group: Group::Checks,
        help: "Heap memory that nothing points to when the program ends",
        example: "--check-leaks",
    },
    OptionSpec {
        name: "check-uninit",
        aliases: &[],
        value: Value::Flag,
        default: None,
        group: Group::Checks,
        help: "Decisions and addresses that depend on uninitialised memory",
        example: "--check-uninit",
    },
    OptionSpec {
        name: "emit-all-errors",
        aliases: &[],
        value: Value::Flag,
        default: None,
        group: Group::Checks,
        help: "Report an error on every path that reaches it, not once per place",
        example: "--emit-all-errors",
    },
    OptionSpec {
        name: "silent-klee-assume",
        aliases: &[],
        value: Value::Flag,
        default: None,
        group: Group::Checks,
        help: "A klee_assume that cannot hold ends the path instead of being an error",
        example: "--silent-klee-assume",
    },
    OptionSpec {
        name: "exit-on-error",
        aliases: &[],
        value: Value::Flag,
        default: None,
        group: Group::Checks,
        help: "End the run at the first error",
        example: "--exit-on-error",
    },
    OptionSpec {
        name: "exit-on-error-type",
        aliases: &[],
        value: Value::TextList("KIND"),
        default: None,
        group: Group::Checks,
        help: "End the run at the first error of this kind (ptr, assert, ...); may be given several times",
        example: "--exit-on-error-type=ptr",
    },
    OptionSpec {
        name: "output-dir",
        aliases: &[],
        value: Value::Path("DIR"),
        default: None,
        group: Group::Output,
        help: "Write to DIR, which must be new or empty [default: the next espalier-out-N]",
        example: "--output-dir=out",
    },
    OptionSpec {
        name: "record",
        aliases: &[],
        value: Value::Path("DIR"),
        default: None,
        group: Group::Output,
        help: "Write to DIR and record the execution tree there, so that `espalier resume DIR` goes on with it [default: in the run's directory, from one minute on]",
        example: "--record=tree",
    },
    OptionSpec {
        name: "store",
        aliases: &[],
        value: Value::Text("URL"),
        default: None,
        group: Group::Output,
        help: "Keep the execution tree in a PostgreSQL database, so that `espalier worker` joins the run from other machines",
        example: "--store=postgres://user@host/database?tree=parser",
    },
    OptionSpec {
        name: "no-tests",
        aliases: &["no-output"],
        value: Value::Flag,
        default: None,
        group: Group::Output,
        help: "Write tests for errors only",
        example: "--no-tests",
    },
    OptionSpec {
        name: "write-no-tests",
        aliases: &[],
        value: Value::Flag,
        default: None,
        group: Group::Output,
        help: "Write no tests and no error files at all",
        example: "--write-no-tests",
    },
    OptionSpec {
        name: "only-covering-new",
        aliases: &["only-output-states-covering-new"],
        value: Value::Flag,
        default: None,
        group: Group::Output,
        help: "Write tests for errors and for paths that cover code that no earlier path did",
        example: "--only-covering-new",
    },
    OptionSpec {
        name: "dump-states-on-halt",
        aliases: &[],
        value: Value::Bool,
        default: Some("false"),
        group: Group::Output,
        help: "When a limit ends the run, write tests for the paths that are open",
        example: "--dump-states-on-halt=true",
    },
    OptionSpec {
        name: "write-smt2s",
        aliases: &[],
        value: Value::Flag,
        default: None,
        group: Group::Output,
        help: "Write the path condition of each test as SMT-LIB 2",
        example: "--write-smt2s",
    },
    OptionSpec {
        name: "write-kqueries",
        aliases: &[],
        value: Value::Flag,
        default: None,
        group: Group::Output,
        help: "Write the path condition of each test in KLEE's language, KQuery",
        example: "--write-kqueries",
    },
    OptionSpec {
        name: "output-stats",
        aliases: &[],
        value: Value::Bool,
        default: Some("true"),
        group: Group::Output,
        help: "Write run.stats, a SQLite database of how the run went",
        example: "--output-stats=false",
    },
    OptionSpec {
        name: "stats-write-interval",
        aliases: &[],
        value: Value::Duration,
        default: Some("1s"),
        group: Group::Output,
        help: "How often a row is added to run.stats",
        example: "--stats-write-interval=10s",
    },
    OptionSpec {
        name: "testcomp",
        aliases: &[],
        value: Value::Path("DIR"),
        default: None,
        group: Group::Output,
        help: "Also write the tests to DIR in Test-Comp's format (XML)",
        example: "--testcomp=suite",
    },
    OptionSpec {
        name: "coverage",
        aliases: &[],
        value: Value::Text("lcov[:FILE]"),
        default: None,
        group: Group::Output,
        help: "Write which lines and branches were executed, as an lcov tracefile, to FILE or to coverage.info in the output directory",
        example: "--coverage=lcov",
    },
    OptionSpec {
        name: "tree",
        aliases: &[],
        value: Value::Path("FILE"),
        default: None,
        group: Group::Output,
        help: "Write the tree with what was learnt at each node to FILE, .dot or .json; needs --interpolation=on",
        example: "--tree=tree.dot",
    },
    OptionSpec {
        name: "json",
        aliases: &[],
        value: Value::Flag,
        default: None,
        group: Group::Output,
        help: "Print events as JSON, one a line, on standard output; text goes to standard error",
        example: "--json",
    },
    OptionSpec {
        name: "show-output",
        aliases: &[],
        value: Value::Flag,
        default: None,
        group: Group::Output,
        help: "Show what the program prints",
        example: "--show-output",
    },
    OptionSpec {
        name: "stats",
        aliases: &[],
        value: Value::Flag,
        default: None,
        group: Group::Output,
        help: "Print where the time went and what the solver did",
        example: "--stats",
    },
    OptionSpec {
        name: "solver-command",
        aliases: &[],
        value: Value::Text("COMMAND"),
        default: Some("z3 -in -smt2"),
        group: Group::Solver,
        help: "The SMT-LIB 2 solver for floats and hard queries; empty: none",
        example: "--solver-command=\"cvc5 --incremental\"",
    },
    OptionSpec {
        name: "log-queries",
        aliases: &[],
        value: Value::Path("FILE"),
        default: None,
        group: Group::Solver,
        help: "Write all solver queries to FILE as SMT-LIB 2",
        example: "--log-queries=queries.smt2",
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{parse_duration, parse_size};

    #[test]
    fn names_are_unique() {
        let names = OPTIONS.iter().flat_map(|o| std::iter::once(&o.name).chain(o.aliases));
        let mut seen = Vec::new();
        for name in names {
            assert!(!seen.contains(&name), "{name} twice");
            assert!(name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'), "{name}");
            seen.push(name);
        }
    }

    #[test]
    fn options_of_a_group_stand_together() {
        assert!(OPTIONS.is_sorted_by_key(|o| o.group));
    }

    #[test]
    fn defaults_and_examples_fit_the_value() {
        for option in OPTIONS {
            assert!(!option.help.ends_with('.'), "{}", option.name);
            let rest = option.example.strip_prefix("--").and_then(|e| e.strip_prefix(option.name));
            let rest = rest.unwrap_or_else(|| panic!("example {}", option.example));
            let example = rest.strip_prefix(['=', ' ']);
            assert_eq!(example.is_some(), option.value != Value::Flag, "example {}", option.example);
            for value in option.default.into_iter().chain(example) {
                let fits = match option.value {
                    Value::Flag => false,
                    Value::Bool => value.parse::<bool>().is_ok(),
                    Value::Number => value.parse::<u64>().is_ok(),
                    Value::Duration => parse_duration(value).is_ok(),
                    Value::Size => parse_size(value).is_ok(),
                    Value::Choice(words) => words.contains(&value),
                    Value::ChoiceList(words) => value.split(',').all(|value| words.contains(&value)),
                    Value::Numbers(names) => {
                        let numbers: Vec<&str> = value.split(' ').collect();
                        numbers.len() == names.len() && numbers.iter().all(|number| number.parse::<u64>().is_ok())
                    }
                    Value::Text(_) | Value::TextList(_) | Value::Path(_) => true,
                };
                assert!(fits, "--{}={value}", option.name);
            }
        }
    }

    #[test]
    fn aliases_find_their_option() {
        assert_eq!(find("entry-point").map(|o| o.name), Some("entry"));
        assert!(find("no-such-option").is_none());
    }
}
