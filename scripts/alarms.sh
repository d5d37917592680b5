#!/bin/sh
# Collects what static analysers say about a program, to run `espalier triage` on:
# scripts/alarms.sh PROJECT...
#
#   target/alarms/PROJECT/FILE.clang.sarif   clang --analyze, with alpha.security, alpha.core
#   target/alarms/PROJECT/FILE.gcc.json      gcc -fanalyzer
#
# PROJECT is bzip2, figlet or mujs, from Debian's source package, or one that scripts/planted.sh
# made of it: bzip2-faults, bzip2-twins ... ANALYSIS_SECONDS in the environment limits each
# analyser for each file; 300 otherwise.
set -eu

cd "$(dirname "$0")/.."
root=$PWD
seconds=${ANALYSIS_SECONDS:-300}
# shellcheck source=scripts/projects.sh
. scripts/projects.sh
needed clang-19 gcc
if [ $# = 0 ]; then
    echo "Usage: $0 PROJECT..., of $projects" >&2
    exit 1
fi

# What an analyser finds is no failure of its, but a source that does not compile is one.
analyse() { # analyse LOG COMMAND...
    log=$1
    shift
    code=0
    timeout "$seconds" "$@" 2>"$log" || code=$?
    case $code in
    0) ;;
    124) echo "$name: $file: ${1##*/} took more than $seconds s and is left out" >&2 ;;
    *)
        tail -n 20 "$log" >&2
        exit 1
        ;;
    esac
}

for name in "$@"; do
    project=${name%-faults}
    project=${project%-twins}
    case " $projects " in
    *" $project "*) ;;
    *)
        echo "$0: unknown project $name; there are $projects" >&2
        exit 1
        ;;
    esac
    tree=target/source/planted/$name
    if [ "$name" = "$project" ]; then
        tree=target/source/$project
        scripts/source-package.sh "$project" "$tree"
    elif [ ! -d "$tree" ]; then
        echo "$tree is missing: run scripts/planted.sh first" >&2
        exit 1
    fi
    out=$root/target/alarms/$name
    rm -rf "$out"
    mkdir -p "$out"
    cd "$tree"
    flags=$(project_flags "$project")
    for file in $(project_sources "$project"); do
        # shellcheck disable=SC2086 # a list of words
        analyse "$out/$file.clang.log" clang-19 --analyze -w $flags \
            -Xclang -analyzer-checker=alpha.security,alpha.core --analyzer-output sarif -o "$out/$file.clang.sarif" "$file"
        # gcc's JSON is what it writes instead of messages.
        # shellcheck disable=SC2086
        analyse "$out/$file.gcc.json" gcc -fanalyzer -fdiagnostics-format=json $flags -c -o /dev/null "$file"
    done
    cd "$root"
    find "$out" -size 0 -delete
    clang=$(cat "$out"/*.sarif | grep -o '"ruleIndex"' | wc -l || true)
    gcc=$(cat "$out"/*.gcc.json | grep -o '"option": "-Wanalyzer-[a-z-]*"' | wc -l || true)
    echo "$name: $clang alarms of clang and $gcc of gcc in $out"
done
