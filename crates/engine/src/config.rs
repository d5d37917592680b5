//! What a run is asked to do.

use espalier_base::Limits;

/// Everything that decides a run, apart from the program.
#[derive(Clone, Debug)]
pub struct Config {
    /// A name that `espalier_search::by_name` knows.
    pub search: String,
    pub seed: u64,
    pub limits: Limits,
    /// Report an error on every path that reaches it, not once per place.
    pub emit_all_errors: bool,
    pub exit_on_error: bool,
    pub tests: Tests,
    /// Learn interpolants and leave out states that they speak for.
    pub interpolation: bool,
    pub exec: espalier_exec::Options,
    /// Its query time is set from `limits`.
    pub solver: espalier_solver::Config,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            search: "random-path".into(),
            seed: 0,
            limits: Limits::default(),
            emit_all_errors: false,
            exit_on_error: false,
            tests: Tests::All,
            interpolation: false,
            exec: espalier_exec::Options::default(),
            solver: espalier_solver::Config::default(),
        }
    }
}

/// Which paths get a test.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Tests {
    /// Those that exit, fail or are cut short.
    All,
    /// Those that fail.
    Errors,
}
