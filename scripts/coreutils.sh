#!/bin/sh
# Builds GNU Coreutils from Debian's source package, each tool as one file of bitcode: scripts/coreutils.sh [--sanitized | --planted]
#
#   target/coreutils/NAME.bc          the whole tool without libc, not optimised, with debug information
#   target/coreutils/native/NAME      the same program, linked with musl, to replay tests with
#   target/coreutils/sanitized/NAME   with --sanitized: built by gcc for glibc, with AddressSanitizer and UBSan
#   target/coreutils-planted/NAME.bc  with --planted: six tools with benches/directed/coreutils
#
# The linker does what a wrapper compiler would: with -flto, lld writes what it has linked before it optimises it. Built for musl,
# whose bitcode the tools are run with; a native build (not a cross build, which would bring a printf of Coreutils' own) with musl's
# headers alone. These lack cpuid.h and x86intrin.h, so that the AVX2 and PCLMUL paths of wc and cksum are left out; NO_ASM leaves
# out inline assembly in factor. rawmemchr reads whole words, and so past the end of objects on purpose; here it reads bytes.
set -eu

sanitized=no
planted=no
case "$*" in
"") ;;
--sanitized) sanitized=yes ;;
--planted) planted=yes ;;
*)
    echo "Usage: $0 [--sanitized | --planted]" >&2
    exit 1
    ;;
esac

cd "$(dirname "$0")/.."
root=$PWD
out=$root/target/coreutils
source=$root/target/source/coreutils
patches=$root/benches/directed/coreutils
musl=x86_64-linux-musl

missing=""
need() { # need PACKAGE COMMAND...: says that PACKAGE is missing if COMMAND fails
    package=$1
    shift
    "$@" >/dev/null 2>&1 || missing="$missing $package"
}
need clang-19 command -v clang-19
need llvm-19 command -v llvm-ar-19
need lld-19 command -v ld.lld-19
need musl-dev test -f "/usr/lib/$musl/libc.a"
need make command -v make
need patch command -v patch
[ "$sanitized" = no ] || need gcc command -v gcc
# shellcheck disable=SC2086 # a list of words
[ -z "$missing" ] || scripts/setup.sh $missing

# Builds in DIR with the variables and options given to configure; manual pages, tests and translations are left out.
# configure refuses to run as root otherwise.
build() { # build DIR MAKE-ARGUMENT CONFIGURE-ARGUMENT...
    build=$1
    make_argument=$2
    shift 2
    rm -rf "$build"
    mkdir -p "$build"
    cd "$build"
    echo "Configuring (log: $build/configure.log)"
    FORCE_UNSAFE_CONFIGURE=1 "$source/configure" --disable-nls --disable-acl --disable-xattr --disable-libcap --without-selinux \
        --without-openssl --without-libgmp --without-linux-crypto --disable-dependency-tracking \
        --enable-no-install-program=stdbuf "$@" >configure.log 2>&1 || failed configure.log
    echo "Compiling (log: $build/make.log)"
    set -- SUBDIRS=. MANS= "$make_argument"
    [ "$planted" = no ] || set -- "$@" bin_PROGRAMS="$planted_tools"
    make -j"$(nproc)" "$@" >make.log 2>&1 || failed make.log
    cd "$root"
}

failed() { # failed LOG
    tail -n 20 "$1" >&2
    echo "Building Coreutils failed: see $PWD/$1" >&2
    exit 1
}

# The tools that --planted is about, as make calls them.
planted_tools="src/mkdir src/mkfifo src/mknod src/paste src/ptx src/seq"

tools() { # tools BUILD: the tools that were built, such as src/cat
    [ "$planted" = no ] || { echo "$planted_tools" && return; }
    printf 'include Makefile\ntools:\n\t@echo $(bin_PROGRAMS)\n' | make -s -C "$1" -f - tools
}

installed() { # installed TOOL: its name; install is built as ginstall
    name=${1#src/}
    [ "$name" != ginstall ] || name=install
    echo "$name"
}

if [ "$planted" = yes ]; then
    out=$root/target/coreutils-planted
    stamp="$(cat "$0" "$patches"/*.patch | cksum) $(clang-19 --version | head -n 1)"
    result=$out
elif [ "$sanitized" = no ]; then
    stamp="$(cksum <"$0") $(clang-19 --version | head -n 1)"
    result=$out
else
    stamp="$(cksum <"$0") $(gcc --version | head -n 1)"
    result=$out/sanitized
fi

if [ "$(cat "$result/stamp" 2>/dev/null)" != "$stamp" ]; then
    rm -f "$result/stamp"
    scripts/source-package.sh coreutils "$source"
    sed -i 's/typedef uintptr_t longword;/typedef unsigned char longword;/; /verify (UINTPTR_WIDTH/d' "$source/lib/rawmemchr.c"
    if [ "$planted" = yes ]; then
        rm -rf "$source-planted"
        cp -a "$source" "$source-planted"
        source=$source-planted
        for patch in "$patches"/*.patch; do
            patch -s --no-backup-if-mismatch -p1 -d "$source" <"$patch"
        done
    fi
    if [ "$sanitized" = no ]; then
        lib=/usr/lib/$musl
        flags="-fuse-ld=lld-19 -static -nostdlib -L$lib $lib/crt1.o $lib/crti.o $lib/crtn.o"
        build "$out/build" LDFLAGS="$flags -Wl,--save-temps=preopt" --build="$musl" \
            CC=clang-19 AR=llvm-ar-19 RANLIB=llvm-ranlib-19 CPPFLAGS="-nostdinc -isystem /usr/include/$musl -DNO_ASM" \
            CFLAGS="-g -O1 -Xclang -disable-llvm-passes -flto -fno-builtin -fno-stack-protector -D_FORTIFY_SOURCE=0" \
            LDFLAGS="$flags" LIBS="-lc -lgcc"
        rm -rf "$out"/*.bc "$out/native"
        mkdir -p "$out/native"
        for tool in $(tools "$out/build"); do
            cp "$out/build/$tool.0.0.preopt.bc" "$out/$(installed "$tool").bc"
            cp "$out/build/$tool" "$out/native/$(installed "$tool")"
        done
        # As in the bitcode of musl (scripts/libc.sh): with no locale in the environment it is C, and not UTF-8.
        LC_ALL=C sed -i 's/C\.UTF-8/C\x00UTF-8/g' "$out"/native/*
    else
        # The sanitizers stay out of configure's tests, whose programs leak and overflow on purpose.
        flags="-g -O1 -fno-omit-frame-pointer"
        build "$out/build-sanitized" CFLAGS="$flags -fsanitize=address,undefined" CC=gcc CFLAGS="$flags"
        rm -rf "$result"
        mkdir -p "$result"
        for tool in $(tools "$out/build-sanitized"); do
            cp "$out/build-sanitized/$tool" "$result/$(installed "$tool")"
        done
    fi
    echo "$stamp" >"$result/stamp"
fi

if [ "$sanitized" = no ]; then
    echo "Coreutils $(cat "$source/.version"): $(find "$out" -maxdepth 1 -name '*.bc' | wc -l) tools as bitcode in $out"
else
    echo "Coreutils $(cat "$source/.version"): $(($(find "$result" -type f | wc -l) - 1)) tools with sanitizers in $result"
fi
