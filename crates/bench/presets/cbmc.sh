# Asks CBMC whether a call of reach_error can be reached.
# Arguments: FILE LINE SECONDS MEBIBYTES. Without LINE: can any call of reach_error, or a failing assertion?
#
# Assumptions:
# - `cbmc` is on the PATH. It has no limits of its own: the run's limits end it.
# - LINE has the call in this very form: reach_error(). It becomes an assertion that fails; other calls of reach_error
#   end their path, as in `espalier reach`. Assertions of the program are not asked about, except without LINE.
# - Loops are unwound 2, 4, 8, ... times. A target is reachable as soon as its assertion fails, and unreachable when it
#   holds and so do the assertions that no loop goes on.
# - Functions without a body return anything, so __VERIFIER_nondet_* need nothing. Of KLEE's functions, those in the
#   header below are known; programs with others do not compile, or are answered wrongly if they bring a header of their
#   own.
set -u
file=$1 line=$2

mkdir -p klee
cat > klee/klee.h <<'END'
#include <stddef.h>
#define klee_make_symbolic(object, size, name) __CPROVER_havoc_slice((void *)(object), size)
#define klee_assume(condition) __CPROVER_assume(condition)
#define klee_assert(condition) __CPROVER_assert(condition, "klee_assert")
int bench_nondet_int(void);
static int klee_int(const char *name) { return bench_nondet_int(); }
static int klee_range(int begin, int end, const char *name) {
  int value = bench_nondet_int();
  __CPROVER_assume(begin <= value && value < end);
  return value;
}
END
cat > prefix.h <<'END'
#define __VERIFIER_assume(condition) __CPROVER_assume(condition)
static void bench_target(void) { __CPROVER_assert(0, "bench target"); }
END
# Declarations stay as they are: only calls are followed by a semicolon and preceded by none of these words.
if [ -n "$line" ]; then
  sed "${line}s/reach_error *( *)/bench_target()/g; ${line}!s/\\([;{})]\\) *reach_error *( *) *;/\\1 __CPROVER_assume(0);/g" "$file"
else
  sed 's/\([;{})]\) *reach_error *( *) *;/\1 bench_target();/g; s/^ *reach_error *( *) *;/bench_target();/' "$file"
fi > program.c || exit 1

checks=
if cbmc --help 2>/dev/null | grep -q -- --no-standard-checks; then
  checks=--no-standard-checks
fi
here=$(dirname "$file")
bound=2
while [ $bound -le 65536 ]; do
  # shellcheck disable=SC2086 # The flags are words.
  cbmc $checks --unwinding-assertions --unwind $bound -I . -I "$here" -include prefix.h program.c > log.txt 2>&1
  code=$?
  if grep -q 'bench target: FAILURE' log.txt; then
    echo 'bench: reachable'
    exit 0
  fi
  if [ -z "$line" ] && grep 'assertion' log.txt | grep -v 'unwinding assertion' | grep -q ': FAILURE'; then
    echo 'bench: reachable'
    exit 0
  fi
  if [ $code -ne 0 ] && [ $code -ne 10 ]; then
    tail -n 40 log.txt
    exit $code
  fi
  if ! grep -q 'unwinding assertion.*: FAILURE' log.txt; then
    grep -Eq 'bench target: SUCCESS|VERIFICATION SUCCESSFUL' log.txt && echo 'bench: unreachable'
    exit 0
  fi
  bound=$((bound * 2))
done
echo 'bench: unknown'
