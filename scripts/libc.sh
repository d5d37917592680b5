#!/bin/sh
# Builds the C library for whole programs: musl from Debian's source package, as an archive of bitcode whose system
# calls go to the environment model in runtime/posix.
#
#     scripts/libc.sh                  target/libc/libc.a and its headers in target/libc/include
#     scripts/libc.sh --prefix DIR     the same in DIR/lib/espalier
#
# The source comes from the package archive that apt is set up for; no root is needed. ESPALIER_CLANG names the
# compiler. Does nothing if the archive is up to date.
set -eu

fail() {
    echo "libc.sh: $1" >&2
    exit 1
}

root=$(cd "$(dirname "$0")/.." && pwd)
out=$root/target/libc
case ${1-} in
"") ;;
--prefix)
    [ $# -eq 2 ] || fail "--prefix needs a directory"
    mkdir -p "$2"
    out=$(cd "$2" && pwd)/lib/espalier
    ;;
--prefix=*)
    mkdir -p "${1#--prefix=}"
    out=$(cd "${1#--prefix=}" && pwd)/lib/espalier
    ;;
*) fail "unknown argument $1; usage: scripts/libc.sh [--prefix DIR]" ;;
esac

clang=${ESPALIER_CLANG:-clang-19}
ar=${LLVM_SYS_191_PREFIX:+$LLVM_SYS_191_PREFIX/bin/llvm-ar}
ar=${ar:-llvm-ar-19}

need() {
    command -v "$1" >/dev/null || fail "$1 is missing; install it with: apt-get install $2"
}
need "$clang" clang-19
need "$ar" llvm-19
need make make
need apt-get apt

stamp=$(
    cat "$0" "$root"/runtime/musl/* "$root/runtime/libc/fortify.c" "$root/runtime/libc/libc.h" | cksum
    "$clang" --version | head -n 1
)
if [ -f "$out/libc.a" ] && [ "$(cat "$out/libc.stamp" 2>/dev/null)" = "$stamp" ]; then
    echo "$out/libc.a is up to date."
    exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# An edit of musl's text that must find its place.
edit() {
    grep -q "$2" "$work/musl/$1" || fail "this version of musl has no \"$2\" in $1"
    sed -i "$3" "$work/musl/$1"
}

echo "Building the C library (takes about a minute or two)."
"$root/scripts/source-package.sh" musl "$work/musl"
cd "$work/musl"
cp -r arch/x86_64 arch/espalier
cp "$root"/runtime/musl/*_arch.h arch/espalier/
cp "$root/runtime/musl/config.mak" .
mkdir src/espalier src/fortify
cp "$root"/runtime/musl/*.c src/espalier/
cp "$root/runtime/libc/fortify.c" "$root/runtime/libc/libc.h" src/fortify/
# These would bring floating-point intrinsics that keep exceptions; nothing here looks at exceptions.
find src -name '*.c' -exec sed -i '/FENV_ACCESS/d' {} +
edit src/string/explicit_bzero.c __asm__ '/__asm__/d'
# The engine is told what was compared: the order of addresses' bytes differs from run to run.
edit src/string/memcmp.c 'return n ? \*l-\*r : 0;' \
    's/return .*/return __espalier_compared(n ? *l-*r : 0, vl, vr, l-(const unsigned char *)vl+n);/'
sed -i '/^int memcmp/i int __espalier_compared(int, const void *, const void *, size_t);' src/string/memcmp.c
# With no locale in the environment it is C, as in other libraries, and not UTF-8.
edit src/locale/locale_map.c '(val = "C.UTF-8");' 's/(val = "C.UTF-8");/(val = "C");/'
# Standard output is a pipe unless the model says otherwise: full buffers from the start, and no search for newlines.
edit src/stdio/stdout.c "lbf = '.n'" "s/lbf = '.n'/lbf = EOF/"
cat >>src/stdio/stdout.c <<'END'

extern _Bool __espalier_terminal;

void __espalier_start_stdout(void) {
    if (__espalier_terminal)
        __stdout_FILE.lbf = '\n';
}
END

jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
make -s -j "$jobs" CC="$clang" AR="$ar" lib/libc.a install-headers DESTDIR="$work/" includedir=include >"$work/make.log" 2>&1 || {
    cat "$work/make.log" >&2
    fail "musl does not compile"
}
mkdir -p "$out"
rm -rf "$out/include"
cp -r "$work/include" "$out/include"
cp lib/libc.a "$out/libc.a"
printf '%s\n' "$stamp" >"$out/libc.stamp"
members=$("$ar" t "$out/libc.a" | wc -l)
echo "$out/libc.a: musl $(cat VERSION), $members members, $(($(wc -c <"$out/libc.a") / 1024)) KiB."
