#!/bin/sh
# Runs the tests of unsafe code against models with a tool that sees wrong accesses: Miri, or AddressSanitizer of a
# nightly compiler, or, where there is neither, nothing but the tests' own checks.
set -eu
cd "$(dirname "$0")/.."
CARGO=${CARGO:-cargo}
tests="frames_tests window_tests"

if $CARGO +nightly miri --version >/dev/null 2>&1; then
    echo "Unsafe code under Miri."
    for test in $tests; do
        PROPTEST_CASES=${UNSAFE_CASES:-16} MIRIFLAGS=-Zmiri-disable-isolation \
            $CARGO +nightly miri test -p espalier-exec --lib "$test"
    done
    exit
fi
host=$(rustc -vV | sed -n 's/^host: //p')
if $CARGO +nightly --version >/dev/null 2>&1; then
    echo "Unsafe code under AddressSanitizer: there is no Miri (rustup component add --toolchain nightly miri)."
    for test in $tests; do
        PROPTEST_CASES=${UNSAFE_CASES:-2000} RUSTFLAGS=-Zsanitizer=address \
            $CARGO +nightly test -p espalier-exec --lib --target "$host" --target-dir target/sanitized "$test"
    done
    exit
fi
echo "Unsafe code without Miri and AddressSanitizer: there is no nightly toolchain."
for test in $tests; do
    PROPTEST_CASES=${UNSAFE_CASES:-10000} $CARGO test -p espalier-exec --lib "$test"
done
