//! Damaged bitcode gives an error message or a normal run, never a panic, a crash or a hang.
//!
//! `ESPALIER_MUTATIONS` sets how many damaged files, `ESPALIER_MUTATION_SEED` the seed.

mod support;

use espalier_base::Rng;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;
use support::process::{self, End};
use support::suite::{self, Verdict};
use support::{bitcode, count_from_env, root};

/// The run itself is limited to 5 seconds; the rest is for reading the file twice.
const LIMIT: Duration = Duration::from_secs(150);

/// Programs whose bitcode is damaged: small and large, with floats, calls, globals, switches.
const PROGRAMS: [&str; 6] = [
    "pass/state_machine",
    "pass/printf_floats",
    "pass/switch_dense",
    "pass/atexit_order",
    "fail/uaf_list_free",
    "fail/assert_vector",
];

struct Mutation {
    program: usize,
    seed: u64,
}

fn main() -> ExitCode {
    let count = count_from_env("ESPALIER_MUTATIONS", 60);
    let seed = count_from_env("ESPALIER_MUTATION_SEED", 1) as u64;
    let bitcode: Vec<Vec<u8>> = PROGRAMS.iter().map(|name| compile(name)).collect();
    let mut rng = Rng::new(seed);
    let cases: Vec<(String, Mutation)> = (0..count)
        .map(|i| {
            let mutation = Mutation { program: i % PROGRAMS.len(), seed: rng.next_u64() };
            (format!("{i:05}-{}-{:016x}", PROGRAMS[mutation.program], mutation.seed), mutation)
        })
        .collect();
    suite::run("mutate", &cases, |_, mutation| {
        let bytes = mutate(&bitcode[mutation.program], mutation.seed);
        check(&bytes).map_or_else(Verdict::Failed, Verdict::PassedAs)
    })
}

fn compile(name: &str) -> Vec<u8> {
    let dir = tempfile::tempdir().expect("a directory");
    let compiled = dir.path().join("prog.bc");
    bitcode::compile(&root().join("tests/c"), &format!("{name}.c"), &compiled);
    fs::read(&compiled).expect("what clang wrote")
}

/// Flips bits, overwrites bytes, cuts the end off, or swaps, repeats or removes a block.
fn mutate(original: &[u8], seed: u64) -> Vec<u8> {
    let mut rng = Rng::new(seed);
    let mut bytes = original.to_vec();
    match rng.below(8) {
        0..=2 => {
            for _ in 0..=rng.below(3) {
                let at = rng.below(bytes.len());
                bytes[at] ^= 1 << rng.below(8);
            }
        }
        3 => {
            let at = rng.below(bytes.len());
            let end = (at + 1 + rng.below(16)).min(bytes.len());
            for byte in &mut bytes[at..end] {
                *byte = rng.next_u64() as u8;
            }
        }
        4 => bytes.truncate(rng.below(bytes.len())),
        kind => {
            // Bitcode is made of 32-bit words: whole ones keep more of the file readable.
            let len = 4 * (1 + rng.below(64));
            let place = |rng: &mut Rng| 4 * rng.below(bytes.len().saturating_sub(len) / 4 + 1);
            let (from, to) = (place(&mut rng), place(&mut rng));
            let end = |at: usize| (at + len).min(bytes.len());
            let (first, second) = (bytes[from..end(from)].to_vec(), bytes[to..end(to)].to_vec());
            match kind {
                5 => {
                    bytes[to..to + first.len()].copy_from_slice(&first);
                    bytes[from..from + second.len()].copy_from_slice(&second);
                }
                6 => drop(bytes.splice(to..to, first)),
                _ => drop(bytes.drain(from..end(from))),
            }
        }
    }
    bytes
}

/// How the damaged file was dealt with.
fn check(bytes: &[u8]) -> Result<&'static str, String> {
    let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
    write(&dir.path().join("damaged.bc"), bytes)?;
    let mut command = support::espalier();
    command.args(["run", "damaged.bc", "--output-dir", "out", "--max-time", "5s", "--max-memory", "4GiB"]);
    let finished = process::run(command.current_dir(dir.path()), LIMIT);
    match finished.end {
        End::Exit(0 | 5 | 10) => Ok("ran"),
        End::Exit(2) if !finished.stderr.trim().is_empty() => Ok("refused with a message"),
        end => Err(format!("{end:?}: {}{}", finished.tail(), keep(bytes))),
    }
}

/// Keeps a file that broke something, if `ESPALIER_KEEP` names a directory.
fn keep(bytes: &[u8]) -> String {
    let Some(dir) = std::env::var_os("ESPALIER_KEEP") else { return String::new() };
    let hash = bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325u64, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    let path = Path::new(&dir).join(format!("{hash:016x}.bc"));
    match write(&path, bytes) {
        Ok(()) => format!("\n      kept as {}", path.display()),
        Err(error) => error,
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
}
