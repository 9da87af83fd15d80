#!/bin/bash
# SPDX-License-Identifier: MIT
# Looks for faster settings of a variant: tries the values that `knobs` of paper.yaml names, one knob at a time with the best of the
# others kept, then measures the best and the defaults anew, side by side; only these times say whether there is a gain.
# usage: tools/tune.sh PAPER/EXPERIMENT VARIANT [--knob NAME=VALUES]... [options of `orrery run` that leave one input and one device]
#   tools/tune.sh fujiwara/table2 optimised --device cuda:0 --set dataset=random-3d --set n=100000
# --knob replaces the values of a knob. Journals go to the folder of -o, tuning/ if there is none: no folder that tables are made of.
# The program is $ORRERY, or orrery of the PATH. Exit code 0 with a gain, 1 without, else that of `orrery run`.
set -euo pipefail
orrery=${ORRERY:-orrery} folder=tuning repeats=5 given=() options=()
[ $# -ge 2 ] || { sed -n '2,7s/^# //p' "$0" >&2; exit 2; }
experiment=$1 variant=$2
shift 2
while [ $# -gt 0 ]; do
    case $1 in
    --knob) given+=("${2?--knob NAME=VALUES}"); shift ;;
    -o | --output) folder=${2?-o DIR}; shift ;;
    --repeats) repeats=${2?--repeats R}; shift ;;
    *) options+=("$1") ;;
    esac
    shift
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "tune.sh: $*" >&2; exit 2; }

# knobs: NAME=VALUES, a line each
"$orrery" describe "${experiment%%/*}/$variant" --json >"$work/variant"
declare -A values=() default=() best=()
names=()
while IFS='=' read -r name text; do names+=("$name") values[$name]=$text; done < <(
    jq -r '.knobs // {} | to_entries[] | .key + "=" + (.value | sub(" \\(.*"; ""))' "$work/variant")
for knob in ${given[@]+"${given[@]}"}; do
    [ -n "${values[${knob%%=*}]:-}" ] || names+=("${knob%%=*}")
    values[${knob%%=*}]=${knob#*=}
done
[ ${#names[@]} -gt 0 ] || fail "$variant declares no knobs; --knob NAME=VALUES names some"

# measure REPEATS OPTIONS...: the cells of the variant as JSON in $work/cells. One that is wrong, refused or crashes is no result.
measure() {
    local status=0
    "$orrery" run "$experiment" --only "*/$variant" ${options[@]+"${options[@]}"} -o "$folder" --json --repeats "$@" >"$work/cells" 2>"$work/said" || status=$?
    case $status in 0 | 3 | 5) ;; *) cat "$work/said" >&2; exit $status ;; esac
    jq -r 'select(.outcome != "ok") | "left out: " + (.parameters | tostring) + " " + .outcome + ": " + .reason' "$work/cells"
}
# of KNOB: the fastest value of the cells and its time
fastest() { jq -rs --arg knob "$1" 'map(select(.outcome == "ok")) | min_by(.seconds) // empty | "\(.parameters[$knob]) \(.seconds)"' "$work/cells"; }
others() { # KNOB: settings of the other knobs
    local name
    for name in "${names[@]}"; do [ "$name" = "$1" ] || printf '%s\n%s\n' --set "$name=${best[$name]}"; done
}

measure 1
[ "$(jq -s length "$work/cells")" = 1 ] || fail "$(jq -s length "$work/cells") cells; name one input and one device: --set n=..., --device D"
cp "$work/cells" "$work/first"
for name in "${names[@]}"; do
    default[$name]=$(jq -r --arg knob "$name" '.parameters[$knob] // empty' "$work/first")
    best[$name]=${default[$name]}
    [ -n "${default[$name]}" ] || fail "$variant has no parameter '$name'"
done
shortest=$(jq '.seconds // 1e300' "$work/first") changed=yes
for sweep in 1 2; do # the second one only where the first found something
    [ $changed = yes ] || break
    changed=no
    for name in "${names[@]}"; do
        mapfile -t settings < <(others "$name")
        measure 1 --set "$name=${values[$name]}" "${settings[@]}"
        read -r value seconds < <(fastest "$name") || continue
        jq -rs --arg knob "$name" 'map(select(.outcome == "ok")) | sort_by(.seconds)[] | "\($knob)=\(.parameters[$knob]): \(.seconds) s"' "$work/cells"
        if jq -ne "$seconds < $shortest * 0.98" >/dev/null; then
            best[$name]=$value shortest=$seconds changed=yes
        fi
    done
done

changed=() a=() b=()
for name in "${names[@]}"; do
    [ "${best[$name]}" = "${default[$name]}" ] || changed+=("$name") a+=("${default[$name]}") b+=("${best[$name]}")
done
[ ${#changed[@]} -gt 0 ] || { echo "no gain: nothing is faster than the defaults"; exit 1; }
join() { local IFS=$1; shift; echo "$*"; }
measure "$repeats" --set "$(join , "${changed[@]}")=$(join : "${a[@]}"),$(join : "${b[@]}")"
[ "$(jq -s 'map(select(.outcome == "ok")) | length' "$work/cells")" = 2 ] || fail "the best settings failed when they were measured anew"
journal=$(ls -t "$folder"/*/*.jsonl | head -1)
"$orrery" query "SELECT parameters, seconds, seconds_low, seconds_high, processes FROM latest ORDER BY seconds" -r "$journal"
found=$(for k in "${!changed[@]}"; do printf ' --set %s=%s' "${changed[$k]}" "${b[$k]}"; done)
# Less than 2 %, or intervals that touch, are no difference.
if jq -es --arg knob "${changed[0]}" --arg value "${b[0]}" '
    map({best: (.parameters[$knob] | tostring == $value), interval}) | sort_by(.best) | .[1].interval[1] < .[0].interval[0] * 0.98' "$work/cells" >/dev/null; then
    echo "faster:$found"
else
    echo "no gain: not told apart from the defaults:$found"
    exit 1
fi
