# Part of run.sh: the replay library, with handwritten tests.

replay="$work/replay"
mkdir -p "$replay"
include="-I$root/runtime/include"

# ---- Writing of .ktest files ----
byte() { printf "\\$(printf %o "$1")"; }
u32() { byte $(($1 >> 24 & 255)); byte $(($1 >> 16 & 255)); byte $(($1 >> 8 & 255)); byte $(($1 & 255)); }
object() { # object <name> <byte>...
    u32 ${#1}
    printf %s "$1"
    shift
    u32 $#
    for value; do byte "$value"; done
}
header() { # header <number of objects>
    printf KTEST
    u32 3
    u32 1
    u32 4
    printf prog
    u32 0
    u32 0
    u32 "$1"
}

# replays <name> <expected status> <expected text> <program> <what> [test]: checks status and a line of the output.
replays() {
    output=$(
        exec 2>&1
        unset KTEST_FILE
        [ $# -le 5 ] || export KTEST_FILE="$6"
        "$4" "$5"
        exit $? # so that this shell reports a signal, not the outer one
    )
    status=$?
    if [ "$status" -eq "$2" ] && printf '%s\n' "$output" | grep -qF -- "$3"; then
        note 0 "replay: $1"
    else
        printf 'status %s (expected %s), output:\n%s\n(expected: %s)\n' "$status" "$2" "$output" "$3"
        note 1 "replay: $1"
    fi
}

"$CC" $warnings -g $include -DOWN_REACH_ERROR "$here/replay/program.c" "$root/runtime/replay/replay.c" -o "$replay/own"
note $? "replay: links with a program that defines reach_error"
"$CC" $warnings -g $include "$here/replay/program.c" "$root/runtime/replay/replay.c" -o "$replay/program"
note $? "replay: links"

{ header 4
  object text 104 105 33 0
  object i 5 1 0 0
  object r 253 255 255 255
  object klee_choose 2 0 0 0 0 0 0 0; } >"$replay/klee"
{ header 1; object unnamed 9 0 0 0; } >"$replay/unnamed"
{ header 6
  object nondet_int 254 255 255 255
  object nondet_uchar 200
  object nondet_bool 1
  object nondet_double 0 0 0 0 0 0 248 63
  object nondet_pointer 0 0 0 0 0 0 0 0
  object nondet_memory 97 98 99; } >"$replay/nondet"
{ header 1; object texu 104 105 33 0; } >"$replay/name"
{ header 1; object text 104 105 33; } >"$replay/size"
{ header 1; object text 104 105 33 0; } >"$replay/short"
{ header 3; object text 104 105 33 0; object i 1 0 0 0; object r 10 0 0 0; } >"$replay/range"
{ header 2; object text 104 105 33 0; } >"$replay/truncated"
{ header 1; object i 9 0 0 0; } >"$replay/overflow"
{ printf 'BOUT\n'; u32 1; u32 0; u32 1; object unnamed 8 0 0 0; } >"$replay/old"
echo "no test at all" >"$replay/text"

replays "values of klee.h" 0 "hi! 261 -3 7 2" "$replay/program" klee "$replay/klee"
replays "answers of klee.h" 0 "0 1 261" "$replay/program" klee "$replay/klee"
replays "an object without a name" 0 "9" "$replay/program" unnamed "$replay/unnamed"
replays "values of SV-COMP" 0 "-2 200 1 1.5 0 abc" "$replay/program" nondet "$replay/nondet"
replays "a file of version 1" 0 "8" "$replay/program" unnamed "$replay/old"
replays "another name" 97 "asks for 'text' of 4 bytes, object 1 of the test is 'texu' of 4 bytes" \
    "$replay/program" klee "$replay/name"
replays "another size" 97 "object 1 of the test is 'text' of 3 bytes" "$replay/program" klee "$replay/size"
replays "no more objects" 97 "asks for 'i' of 4 bytes, the test has only 1 object" \
    "$replay/program" klee "$replay/short"
replays "a value out of range" 97 "klee_range is out of range" "$replay/program" klee "$replay/range"
replays "klee_assume" 98 "espalier-replay: the condition of klee_assume is false" "$replay/program" assume
replays "output before klee_assume" 98 "before" "$replay/program" assume
replays "__VERIFIER_assume" 98 "condition of __VERIFIER_assume is false" "$replay/program" verifier_assume
replays "klee_report_error" 99 "espalier-replay: file.c:12: something is wrong (user)" "$replay/program" report
replays "klee_silent_exit" 5 "before" "$replay/program" silent
[ "$output" = before ]
note $? "replay: klee_silent_exit is quiet"
replays "klee_abort" 134 "" "$replay/program" abort
replays "reach_error" 134 "espalier-replay: reach_error called" "$replay/program" reach_error
replays "__VERIFIER_error" 134 "espalier-replay: __VERIFIER_error called" "$replay/program" verifier_error
replays "__VERIFIER_assert" 134 "espalier-replay: reach_error called" "$replay/program" verifier_assert
replays "the program's own reach_error" 3 "own reach_error" "$replay/own" reach_error
replays "klee_define_fixed_object" 0 "42" "$replay/program" fixed
replays "no KTEST_FILE" 96 "KTEST_FILE is not set" "$replay/program" klee
replays "a missing file" 96 "cannot read $replay/none" "$replay/program" klee "$replay/none"
replays "another file" 96 "is not a .ktest file" "$replay/program" klee "$replay/text"
replays "a truncated file" 96 "the test file is truncated" "$replay/program" klee "$replay/truncated"

if "$CC" $warnings -g -fsanitize=address,undefined $include "$here/replay/program.c" "$root/runtime/replay/replay.c" \
    -o "$replay/sanitized" 2>/dev/null; then
    replays "values, with sanitizers" 0 "hi! 261 -3 7 2" "$replay/sanitized" klee "$replay/klee"
    replays "an overflow, with sanitizers" 1 "heap-buffer-overflow" "$replay/sanitized" overflow "$replay/overflow"
else
    skip "replay with sanitizers: $CC cannot link them"
fi

# Every function of klee.h is there, and weak.
"$CC" -c $include "$root/runtime/replay/replay.c" -o "$replay/replay.o"
missing=
for name in $(grep -o 'klee_[a-z0-9_]*(' "$root/runtime/include/klee/klee.h" | tr -d '(' | grep -v '^klee_assert$'); do
    nm "$replay/replay.o" | grep -q " W $name\$" || missing="$missing $name"
done
[ -z "$missing" ] || echo "missing:$missing"
[ -z "$missing" ]
note $? "replay: defines every function of klee.h"
