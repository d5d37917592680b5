#!/bin/sh
# Gives the places of the planted faults of benches/planted to `espalier triage` as alarms, for the
# programs with the faults and for those with the guards: scripts/triage-planted.sh [PROJECT...]
#
# Needs target/planted (scripts/planted.sh). A fault that is refuted is a wrong verdict, and so is a
# guard that is confirmed: the script fails then. What is left open is only counted.
#
#   target/planted/triage/NAME.txt     the alarms
#   target/planted/triage/NAME.jsonl   the verdicts
#
# ESPALIER is the binary; target/release/espalier otherwise. TRIAGE_TIME limits each program; 5m
# otherwise. TRIAGE_OPTIONS is given to triage, as `--sym-args 0 3 4`, which needs a second option
# behind it.
set -eu

cd "$(dirname "$0")/.."
espalier=$(realpath "${ESPALIER:-target/release/espalier}")
list=benches/planted/planted.tsv
planted=target/planted
out=$planted/triage
[ $# -gt 0 ] || set -- bzip2 figlet mujs

mkdir -p "$out"
status=0
for project in "$@"; do
    for kind in faults twins; do
        name=$project-$kind
        program=$planted/$name.bc
        [ -f "$program" ] || {
            echo "$0: $program is missing: run scripts/planted.sh first" >&2
            exit 1
        }
        awk -F '\t' -v project="$project" '$2 == project { print $3 ": " $4 }' "$list" >"$out/$name.txt"
        rm -rf "$out/$name-tests"
        code=0
        begun=$(date +%s)
        # shellcheck disable=SC2086 # a list of words
        "$espalier" triage "$out/$name.txt" "$program" --json --max-time="${TRIAGE_TIME:-5m}" \
            --output-dir="$out/$name-tests" ${TRIAGE_OPTIONS:-} >"$out/$name.jsonl" 2>"$out/$name.log" || code=$?
        case $code in
        0 | 5 | 10) ;;
        *)
            tail -n 5 "$out/$name.log" >&2
            echo "$0: triage of $name ended with $code" >&2
            exit 1
            ;;
        esac
        case $kind in
        faults) wrong=refuted ;;
        twins) wrong=confirmed ;;
        esac
        echo "$name, $(($(date +%s) - begun)) s:"
        awk -F '\t' -v project="$project" -v wrong="$wrong" -v lines="$out/$name.jsonl" '
            function field(line, key,    rest) {
                if (!match(line, "\"" key "\":\"")) return ""
                rest = substr(line, RSTART + RLENGTH)
                # Up to a quote that is not escaped.
                if (match(rest, /[^\\]"/)) rest = substr(rest, 1, RSTART)
                return rest
            }
            BEGIN {
                while ((getline line < lines) > 0)
                    if (index(line, "\"event\":\"alarm\"")) {
                        place = field(line, "place") " " field(line, "rule")
                        verdict[place] = field(line, "verdict") (index(line, "\"scope\":\"bounded\"") ? " within bounds" : "")
                        how[place] = field(line, "how")
                    }
            }
            $2 == project {
                place = $3 " " $4
                said = (place in verdict) ? verdict[place] : "missing"
                counts[said]++
                alarm = index(said, wrong) == 1 ? "  WRONG" : ""
                failed = failed || alarm != "" || said == "missing"
                printf "  %s  %-40s %s%s: %s\n", $1, place, said, alarm, how[place]
            }
            END {
                text = ""
                for (said in counts) text = text (text == "" ? "" : ", ") counts[said] " " said
                print "  " text
                exit failed
            }' "$list" || status=1
    done
done
exit $status
