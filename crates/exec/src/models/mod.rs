//! What stands for everything that has no body in the program: library functions, signals, the
//! environment, and callers of a function that is run by itself.

pub(crate) mod external;
pub(crate) mod fixed;
pub(crate) mod host_math;
pub(crate) mod lazy;
pub(crate) mod printed;
pub(crate) mod shims;
pub(crate) mod signals;
pub(crate) mod told_calls;
pub(crate) mod undefined;
