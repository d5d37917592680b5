//! How programs under test are compiled to bitcode, whoever does it.

/// Options by which clang leaves the code as the source has it.
pub const AS_WRITTEN: [&str; 7] = [
    "-fno-builtin",
    "-fno-stack-protector",
    "-fno-asynchronous-unwind-tables",
    "-ffp-contract=off",
    "-U_FORTIFY_SOURCE",
    "-D_FORTIFY_SOURCE=0",
    "-Qunused-arguments",
];
