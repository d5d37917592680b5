#!/bin/sh
# Builds parsers from Debian's source packages, each with a harness of benches/parsers, as bitcode:
#
#   target/parsers/cjson.bc     cJSON: what is printed is parsed again
#   target/parsers/inflate.bc   zlib's inflate: all at once and byte by byte
#
# SIZE=N in the environment sets the number of unknown bytes.
set -eu

cd "$(dirname "$0")/.."
out=target/parsers
sources=target/source

missing=""
command -v clang-19 >/dev/null || missing="$missing clang-19"
command -v llvm-link-19 >/dev/null || missing="$missing llvm-19"
command -v patch >/dev/null || missing="$missing patch"
if [ -n "$missing" ]; then
    echo "Packages are missing. Install them with: apt-get install$missing" >&2
    exit 1
fi

# As `espalier run` compiles C files: errors are still where the source has them.
flags="-c -emit-llvm -g -O0 -Xclang -disable-O0-optnone -fno-builtin -fno-stack-protector -ffp-contract=off -w -Iruntime/include ${SIZE:+-DSIZE=$SIZE}"

build() { # build NAME PACKAGE FILE...
    name=$1
    package=$2
    shift 2
    scripts/source-package.sh "$package" "$sources/$package"
    temporary=$out/$name.new
    rm -rf "$temporary"
    mkdir -p "$temporary"
    number=0
    for file in "benches/parsers/$name.c" "$@"; do
        number=$((number + 1))
        # shellcheck disable=SC2086 # a list of words
        clang-19 $flags -I"$sources/$package" "$file" -o "$temporary/$number.bc"
    done
    llvm-link-19 "$temporary"/*.bc -o "$temporary/$name.bc"
    mv "$temporary/$name.bc" "$out/$name.bc"
    rm -rf "$temporary"
}

build cjson cjson "$sources/cjson/cJSON.c"
zlib=$sources/zlib
build inflate zlib "$zlib/inflate.c" "$zlib/inftrees.c" "$zlib/inffast.c" "$zlib/zutil.c" "$zlib/adler32.c" "$zlib/crc32.c"
echo "2 parsers as bitcode in $PWD/$out"
