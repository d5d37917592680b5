# Asks KLEE whether a call of reach_error can be reached.
# Arguments: FILE LINE SECONDS MEBIBYTES. Without LINE: can any call of reach_error, or a failing assertion?
#
# Assumptions:
# - `klee` is on the PATH, and a clang that fits its LLVM is $KLEE_CLANG, or else `clang`. Its headers are found by
#   clang, or through $KLEE_CFLAGS (such as -I/opt/klee/include).
# - LINE has the call in this very form: reach_error(). It is replaced by a report of KLEE's own that ends the run. Other
#   calls of reach_error end their path, as in `espalier reach`.
# - Inputs come from klee_make_symbolic or __VERIFIER_nondet_*; a program may define the latter itself.
# - KLEE has proved a target unreachable if it is done and says nothing of paths that it gave up: not by time, memory or
#   depth, not because an external function failed, and not because it took one value for many (floating point, sizes).
set -u
file=$1 line=$2 seconds=$3 mebibytes=$4
clang=${KLEE_CLANG:-clang}

cat > support.c <<'END'
#include <klee/klee.h>
#include <stddef.h>
void bench_target(void) { klee_report_error("target", 0, "bench target", "target.err"); }
__attribute__((weak)) void reach_error(void) {
#ifdef BENCH_WHOLE
  bench_target();
#else
  klee_silent_exit(0);
#endif
}
__attribute__((weak)) void __VERIFIER_assume(int condition) { klee_assume(condition); }
#define INPUT(type, name) \
  __attribute__((weak)) type __VERIFIER_nondet_##name(void) { \
    type value; \
    klee_make_symbolic(&value, sizeof value, #name); \
    return value; \
  }
INPUT(int, int) INPUT(unsigned, uint) INPUT(unsigned, unsigned) INPUT(char, char) INPUT(signed char, schar)
INPUT(unsigned char, uchar) INPUT(short, short) INPUT(unsigned short, ushort) INPUT(long, long)
INPUT(unsigned long, ulong) INPUT(long long, longlong) INPUT(unsigned long long, ulonglong) INPUT(size_t, size_t)
INPUT(float, float) INPUT(double, double)
_Bool __attribute__((weak)) __VERIFIER_nondet_bool(void) {
  unsigned char value;
  klee_make_symbolic(&value, sizeof value, "bool");
  return value & 1;
}
END

if [ -n "$line" ]; then
  sed "${line}s/reach_error *( *)/bench_target()/g" "$file" > program.c || exit 1
  whole=
  stop=--exit-on-error-type=ReportError
else
  cp "$file" program.c || exit 1
  whole=-DBENCH_WHOLE
  stop='--exit-on-error-type=ReportError --exit-on-error-type=Assert'
fi
# shellcheck disable=SC2086 # The flags are words.
compile() { "$clang" -c -emit-llvm -g -O0 -Xclang -disable-O0-optnone ${KLEE_CFLAGS:-} "$@"; }
here=$(dirname "$file")
echo 'void bench_target(void);' > target.h
compile -w -I"$here" -include ./target.h program.c -o program.bc || exit 1
# shellcheck disable=SC2086
compile $whole support.c -o support.bc || exit 1

# shellcheck disable=SC2086
klee --output-dir=out --max-time="$seconds" --max-memory="$mebibytes" $stop --link-llvm-lib=support.bc program.bc \
  > log.txt 2>&1
code=$?
tail -n 40 log.txt

if grep -q 'KLEE: ERROR: .*bench target' log.txt; then
  echo 'bench: reachable'
elif [ -z "$line" ] && grep -q 'KLEE: ERROR: .*ASSERTION FAIL' log.txt; then
  echo 'bench: reachable'
elif grep -Eq 'HaltTimer invoked|halting execution|over memory cap|max-depth|failed external call|external call with|concretiz|unsupported|query timed out|Query timed out' log.txt; then
  echo 'bench: unknown'
elif [ $code -eq 0 ] && grep -q 'KLEE: done: completed paths' log.txt; then
  echo 'bench: unreachable'
fi
exit 0
