#!/bin/sh
# Explores each tool of Coreutils for a few seconds and runs its tests natively: scripts/replay-coreutils.sh [TOOL...]
#
#   ESPALIER   the binary; target/debug/espalier otherwise
#   TIME       how long each is explored; 3
#   TESTS      how many tests at most; 300
#
# One line a tool: how many tests agree, differ or cannot be replayed; logs are in target/replay-coreutils. Fails if a test differs.
# Only for root, whose native runs have another user and a root directory of their own: tests of rm and touch are about any file.
# Without kill, unless it is named: its tests send signals to all processes of that user.
set -eu

cd "$(dirname "$0")/.."
espalier=${ESPALIER:-target/debug/espalier}
out=target/replay-coreutils
if [ "$(id -u)" != 0 ]; then
    echo "$0: only root's native runs are confined" >&2
    exit 1
fi
mkdir -p "$out"
if [ $# = 0 ]; then
    for file in target/coreutils/*.bc; do
        name=$(basename "$file" .bc)
        [ "$name" = kill ] || set -- "$@" "$name"
    done
fi

status=0
for name in "$@"; do
    rm -rf "$out/$name"
    # It ends with 5 at the limit and 10 for an error of the tool; what matters here is what its tests do natively.
    "$espalier" run "target/coreutils/$name.bc" --output-dir "$out/$name" --sym-args 0 2 4 --sym-stdin 8 \
        --max-time="${TIME:-3}s" --max-tests="${TESTS:-300}" >"$out/$name.run" 2>&1 </dev/null || true
    code=0
    "$espalier" replay "$out/$name" "target/coreutils/native/$name" >"$out/$name.replay" 2>&1 </dev/null || code=$?
    echo "$name: $(tail -n 1 "$out/$name.replay")"
    case $code in
    0 | 5) rm -rf "$out/${name:?}" ;;
    *) status=1 ;;
    esac
done
exit $status
