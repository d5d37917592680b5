#!/bin/sh
# Fetches the source of a Debian package and unpacks it: scripts/source-package.sh NAME DIR
#
# DIR then is the source tree with Debian's patches applied; if it is there already, nothing is done. Needs no root and leaves the
# machine's settings alone: where to fetch from is taken from its own apt sources (Debian's entries only), with lists and cache of
# apt's in a temporary directory.
set -eu

if [ $# -ne 2 ]; then
    echo "Usage: $0 NAME DIR" >&2
    exit 1
fi
name=$1
dir=$2
[ ! -d "$dir" ] || exit 0

if ! command -v apt-get >/dev/null; then
    echo "The source of $name comes from Debian, and apt-get is missing: unpack it into $dir yourself." >&2
    exit 1
fi

temporary=$(mktemp -d)
unpacked=$dir.new.$$
trap 'rm -rf "$temporary" "$unpacked"' EXIT
trap 'exit 1' HUP INT TERM

# The sources entries of Debian itself, in the format of one line each and in that of paragraphs. An entry is Debian's if its address
# leads to a directory `debian` (or `debian-security`) and it has the component `main`.
mkdir -p "$temporary/parts" "$temporary/lists/partial" "$temporary/cache/archives/partial" "$temporary/download"
: >"$temporary/none.list"
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ -f "$file" ] || continue
    sed -nE '\,^deb(-src)?[[:space:]].*/debian(-security)?(/[^[:space:]]*)?[[:space:]].*[[:space:]]main([[:space:]]|$),s/^deb(-src)?/deb-src/p' "$file"
done | sort -u >"$temporary/parts/debian.list"
for file in /etc/apt/sources.list.d/*.sources; do
    [ -f "$file" ] || continue
    awk 'BEGIN { RS = ""; FS = "\n" }
        {
            address = component = 0
            text = ""
            for (i = 1; i <= NF; i++) {
                if ($i ~ /^#/) continue
                if ($i ~ /^URIs:.*\/debian(-security)?(\/|[[:space:]]|$)/) address = 1
                if ($i ~ /^Components:(.*[[:space:]])?main([[:space:]]|$)/) component = 1
                text = text ($i ~ /^Types:/ ? "Types: deb-src" : $i) "\n"
            }
            if (address && component) print text
        }' "$file"
done >"$temporary/parts/debian.sources"
if [ ! -s "$temporary/parts/debian.list" ] && [ ! -s "$temporary/parts/debian.sources" ]; then
    echo "No apt source of Debian's is set up on this machine: unpack the source of $name into $dir yourself." >&2
    exit 1
fi

apt() {
    apt-get -qq -o Dir::Etc::sourcelist="$temporary/none.list" -o Dir::Etc::sourceparts="$temporary/parts" \
        -o Dir::State::lists="$temporary/lists" -o Dir::Cache="$temporary/cache" -o Acquire::Languages=none \
        -o APT::Sandbox::User="$(id -un)" "$@"
}

echo "Fetching the source package $name"
apt update
(cd "$temporary/download" && apt source --only-source --download-only "$name")

mkdir -p "$(dirname "$dir")"
if command -v dpkg-source >/dev/null; then
    dpkg-source --no-check --extract "$temporary"/download/*.dsc "$unpacked" >/dev/null
else
    mkdir "$unpacked"
    tar -xf "$(ls "$temporary"/download/*.orig.tar.*[!c])" -C "$unpacked" --strip-components=1
    if archive=$(ls "$temporary"/download/*.debian.tar.* 2>/dev/null); then
        tar -xf "$archive" -C "$unpacked"
    fi
    if [ -f "$unpacked/debian/patches/series" ]; then
        sed 's/[[:space:]]*#.*//; s/[[:space:]].*//; /^$/d' "$unpacked/debian/patches/series" | while read -r patch; do
            patch -s --no-backup-if-mismatch -p1 -d "$unpacked" <"$unpacked/debian/patches/$patch"
        done
    fi
fi
mv "$unpacked" "$dir"
