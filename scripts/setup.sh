#!/bin/sh
# Installs the Debian packages that building and testing need, and those named, if any is missing: scripts/setup.sh [PACKAGE...]
set -eu

# clang-19, llvm-19-dev   the front end; llvm-19 has llvm-link, for builds
# z3                      the second solver
# g++, make               CaDiCaL
# csmith, libcsmith-dev   random programs for the differential test
# gcc, libc6-dev-i386     native replay with sanitizers, and 32-bit headers; gcc-multilib for 32-bit programs
# lcov                    reads the tracefiles that are written, in a test
# clang-14                the oldest compiler whose bitcode is read, for a test
# cmake                   a build system to test `espalier build` with
# postgresql              a server to keep recorded trees on, in tests
packages="clang-19 llvm-19 llvm-19-dev z3 g++ gcc make cmake csmith libcsmith-dev libc6-dev libc6-dev-i386 gcc-multilib lcov clang-14 postgresql"

missing=""
for package in $packages "$@"; do
    status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
    [ "$status" = "install ok installed" ] || missing="$missing $package"
done

if [ -n "$missing" ]; then
    echo "Installing:$missing"
    sudo=""
    [ "$(id -u)" -eq 0 ] || sudo="sudo"
    $sudo apt-get update
    # shellcheck disable=SC2086 # a list of words
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing
fi

if ! command -v cargo >/dev/null; then
    echo "Rust is missing: install it with rustup (https://rustup.rs), then run make again." >&2
    exit 1
fi
