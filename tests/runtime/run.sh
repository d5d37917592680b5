#!/bin/sh
# Tests of runtime/: the libc against the host's, its bitcode, and the replay library.
# Needs a C compiler (CC, default gcc) and, for the bitcode, clang 19 (CLANG, default clang-19) with llvm-nm beside it.

set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
CC=${CC:-gcc}
CLANG=${CLANG:-clang-19}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C

passed=0
failed=0
skipped=0
skip() { # skip <what and why>
    skipped=$((skipped + 1))
    echo "skip $1"
}
note() { # note <status> <name>
    if [ "$1" -eq 0 ]; then
        passed=$((passed + 1))
        echo "ok   $2"
    else
        failed=$((failed + 1))
        echo "FAIL $2"
    fi
}

warnings="-std=gnu11 -Wall -Wextra -Werror"

. "$here/libc.sh"
. "$here/replay.sh"

echo "runtime: $passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
