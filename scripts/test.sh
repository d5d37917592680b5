#!/bin/sh
# Runs all suites, whatever fails, and tells in the end what did and what was skipped: scripts/test.sh
set -u
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# suite <command...>: what it prints is shown and kept, and so is its status.
suite() {
    { "$@" 2>&1; echo $? >"$work/status"; } | tee -a "$work/log"
    [ "$(cat "$work/status")" -eq 0 ] || echo "$*" >>"$work/failed"
}

suite "${CARGO:-cargo}" test --workspace --no-fail-fast
suite sh tests/runtime/run.sh

if grep -qE '^skip' "$work/log"; then
    echo "Skipped:"
    grep -E '^skip(ped)? ' "$work/log" | sed 's/^/  /'
fi
if [ -e "$work/failed" ]; then
    echo "Failed:"
    # Tests of Rust's harness, of our own suites, and of the runtime; if none of them, then the command itself.
    grep -E '^(test .* FAILED$|FAILED |FAIL )|^error: (could not compile|test failed|[0-9]+ targets? failed)' "$work/log" |
        sed 's/^/  /'
    sed 's/^/  /; s/$/ (exit status not 0)/' "$work/failed"
    exit 1
fi
echo "All tests passed."
