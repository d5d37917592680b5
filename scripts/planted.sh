#!/bin/sh
# Plants the faults of benches/planted into programs from Debian's source packages and builds them
# as bitcode: scripts/planted.sh [--check]
#
#   target/planted/PROJECT-faults.bc   bzip2, figlet and mujs, each with ten faults
#   target/planted/PROJECT-twins.bc    the same, with ten guards on the same lines
#   target/source/planted              their sources
#
# benches/planted/planted.tsv says where each fault is, of which kind, and what reaches it. --check
# runs that natively with sanitizers, and under valgrind for what is uninitialised: each fault has
# to be reported at its line, and its twin must not be. ESPALIER is the binary;
# target/debug/espalier otherwise.
set -eu

check=no
case "$*" in
"") ;;
--check) check=yes ;;
*)
    echo "Usage: $0 [--check]" >&2
    exit 1
    ;;
esac

cd "$(dirname "$0")/.."
root=$PWD
espalier=$(realpath "${ESPALIER:-target/debug/espalier}")
list=benches/planted
out=$root/target/planted
trees=target/source/planted

# shellcheck source=scripts/projects.sh
. scripts/projects.sh
needed clang-19 patch
[ "$check" = no ] || needed gcc valgrind

compilation() { # compilation: of $project, sources and options
    echo "$(project_flags "$project") $(project_sources "$project") $(project_libraries "$project")"
}

plant() { # plant PROJECT KIND: the source tree with the faults, or with their guards too
    tree=$trees/$1-$2
    rm -rf "$tree"
    mkdir -p "$trees"
    cp -a "target/source/$1" "$tree"
    for patch in "$list/$1"/*.patch; do
        case $patch in
        *.twin.patch) ;;
        *) patch -s --no-backup-if-mismatch -p1 -d "$tree" <"$patch" ;;
        esac
    done
    [ "$2" = twins ] || return 0
    for patch in "$list/$1"/*.twin.patch; do
        patch -s --no-backup-if-mismatch -p1 -d "$tree" <"$patch"
    done
}

mkdir -p "$out"
for project in $projects; do
    scripts/source-package.sh "$project" "target/source/$project"
    for kind in faults twins; do
        plant "$project" "$kind"
        name=$project-$kind
        log=$out/$name.log
        # shellcheck disable=SC2046 # a list of words
        (cd "$trees/$name" && "$espalier" build --output-dir "$out" --store "$out/store" -- \
            cc -g -w $(compilation) -o "$name") >"$log" 2>&1 || {
            tail -n 20 "$log" >&2
            echo "Building $name failed: see $log" >&2
            exit 1
        }
    done
done
echo "$(find "$out" -maxdepth 1 -name '*.bc' | wc -l) programs as bitcode in $out"
[ "$check" = yes ] || exit 0

native() { # native OPTIONS...: builds $name in its tree
    # shellcheck disable=SC2046 # a list of words
    (cd "$trees/$name" && gcc -g -w "$@" $(compilation))
}

for project in $projects; do
    for kind in faults twins; do
        name=$project-$kind
        native -fsanitize=address,undefined -fno-omit-frame-pointer -o "$out/$name-sanitized"
        native -o "$out/$name"
    done
done

# Whether something is reported at the place when the program runs.
reports() { # reports NAME PLACE CWE ARGUMENTS STDIN
    printf '%b' "$5" >"$out/stdin"
    case $3 in
    CWE-457) program="valgrind -q $out/$1" ;;
    *) program=$out/$1-sanitized ;;
    esac
    # shellcheck disable=SC2086 # a list of words
    timeout 20 $program $4 <"$out/stdin" >"$out/output" 2>&1 || true
    grep -aE "ERROR: (Address|Leak)Sanitizer|runtime error|uninitialised" "$out/output" >/dev/null &&
        grep -aE "(^|[/(])$2(:|\)|\$)" "$out/output" >/dev/null
}

status=0
tab=$(printf '\t')
while IFS=$tab read -r id project place rule cwe arguments stdin what; do
    [ "$id" != id ] || continue
    [ "$arguments" != - ] || arguments=
    [ "$stdin" != - ] || stdin=
    said="as planned"
    reports "$project-faults" "$place" "$cwe" "$arguments" "$stdin" || said="NOT SEEN"
    ! reports "$project-twins" "$place" "$cwe" "$arguments" "$stdin" || said="$said, TWIN NOT SAFE"
    [ "$said" = "as planned" ] || status=1
    echo "$id $place $rule: $said ($what)"
done <"$list/planted.tsv"
exit $status
