#!/bin/bash
# SPDX-License-Identifier: MIT
# How the command line behaves: words that are spelled otherwise, options that contradict themselves, terminals, pipes, files that
# are something else.
. "$(dirname "$0")/lib_e2e.sh"
export ORRERY_HOME=$root
from=(-r "$frozen_cpu")

check "capitals do not matter" shows '## shan/table2' table SHAN/Table2 "${from[@]}"
check "a variant" shows 'fujiwara/cpu-simd (variant)' describe Fujiwara/CPU-SIMD
check "a claim" shows 'shan S5 (claim)' describe s5 "${from[@]}"

dry=(run fujiwara/table2 --dry-run --device host)
check "one preset" fails 2 '^orrery: --preset is there twice; it takes one value$' "${dry[@]}" --preset quick --preset smoke
check "values of an axis at once" fails 2 "^orrery: --set has n twice, 'n=999' and 'n=3000'; name all values at once$" "${dry[@]}" --set n=999 --set n=3000
check "once in a row" fails 2 '^orrery: --set n,eps,n=1:2:3 has n twice$' "${dry[@]}" --set n,eps,n=1:2:3
printf 'x,y,z,m\n0,0,0,1\n1,0,0,1\n' >"$work/two.csv"
check "rows are for runs" fails 2 "'n,eps'" eval fujiwara/cpu-simd --input "$work/two.csv" --output "$work/b.csv" --set n,eps=1:2
check "two axes" run 0 "${dry[@]}" --set n=3000 --set eps=0.1
check "of eval, too" fails 2 '--set has eps twice' eval fujiwara/cpu-simd --input a.csv --output b.csv --set eps=1 --set eps=2
for command in "${dry[*]}" "table shan/table2" "eval fujiwara/cpu-simd --input a --output b" "query SELECT" "render x -o y.png"; do
    # shellcheck disable=SC2086
    check "no time at all: ${command%% *}" fails 2 "^orrery: --timeout takes seconds above 0, not '0'$" $command --timeout 0
done

for option in --repeats --seed --ranks; do check "none at all: $option" fails 2 "^orrery: $option takes a whole number from 1 up, not '0'$" "${dry[@]}" $option 0; done
check "what resembles nothing has no suggestion" fails 2 "^orrery: unknown option '--nope'; --help lists them$" run --nope
explained() { # every option stands apart from its explanation
    local command
    for command in run table describe; do
        ! "$orrery" help $command | grep -E '^  (-., )?--[a-z-]+ [A-Za-z0-9_|]+[A-Z|][A-Za-z0-9_|]* [a-z]' || return 1
    done
}
check "options stand apart from what they mean" explained

# --- what is gone ---
gone() { # COMMAND TEXT: the command says what takes its place
    local command=$1
    fails 2 "^orrery $command: gone; .*$2" "$command" --whatever && [ "$(wc -l <"$work/err")" -eq 1 ] && fails 2 "^orrery $command: gone; " help "$command"
}
while read -r command instead; do check "$command" gone "$command" "$instead"; done <<'END'
watch orrery table EXPERIMENT
merge orrery table EXPERIMENT -r A -r B
submit tools/slurm/orrery.sbatch
export tools/artifact.sh
END

# --- files that are something else ---
check "a text is no journal" fails 2 "^orrery: README.md is no journal: none of its [0-9]+ lines is a record$" table fujiwara/table2 -r README.md
mkdir -p "$work/plugins/junk" && echo junk >"$work/plugins/junk/junk.so" && cp "$BUILD/variants/skeleton/skeleton.so" "$work/plugins/junk/"
junk() { ORRERY_PLUGINS=$work/plugins run 0 list variants "$@"; }
check "a plugin that is none is listed" eval 'junk && grep -qE "^junk/junk +no" "$work/out"'
check "with what is wrong" grep -q '^orrery: junk/junk: .*/junk.so is not a whole shared object of this machine' "$work/err"

# --- pipes and terminals ---
left() { (trap '' PIPE; "$orrery" query "SELECT * FROM cell" -r "$frozen_gpu" 2>"$work/err"; echo $? >"$work/status") | head -1 >/dev/null; }
check "a reader who leaves early is not complained of" eval 'left && [ ! -s "$work/err" ] && [ "$(cat "$work/status")" = 141 ]'
check "a full disk is" eval '! "$orrery" list >/dev/full 2>"$work/err" && grep -q "is its disk full" "$work/err"'
if command -v script >/dev/null; then
    escape=$(printf '\033')
    smoke="run fujiwara/table2 --device host --set dataset=figure-eight-3,cartwheel --set n=999 --preset smoke --once --only *cpu-simd* -o $work/results --machine trial"
    on_terminal() { # VARIABLE=VALUE... ARGUMENTS: what a terminal is sent
        local settings=()
        while [[ ${1%% *} == *=* ]]; do settings+=("$1"); shift; done
        set -f
        # shellcheck disable=SC2086
        script -qec "stty cols 44; env ${settings[*]} $orrery $*" /dev/null >"$work/typed"
        set +f
    }
    check "a terminal sees progress" eval "on_terminal TERM=xterm LC_ALL=C.UTF-8 '$smoke' && grep -q '\[K' '$work/typed' && grep -q '…' '$work/typed'"
    fits() { tr '\r' '\n' <"$work/typed" | grep -o "$escape\[K\[1/2\].*" | head -1 | LC_ALL=C.UTF-8 grep -qE "^.{3,47}$"; }
    check "in one line that fits" fits
    awaited="eval fujiwara/cpu-simd --input $work/two.csv --output $work/awaited.csv"
    check "eval says what it waits for" eval "on_terminal TERM=xterm LC_ALL=C.UTF-8 '$awaited' && grep -q '^fujiwara/cpu-simd … kernels are comp.*\[K' '$work/typed'"
    check "and a dumb terminal nothing" eval "on_terminal TERM=dumb '$awaited' && ! grep -q 'kernels are comp' '$work/typed'"
    check "a dumb one only lines" eval "on_terminal TERM=dumb '$smoke' && ! grep -q '$escape' '$work/typed' && grep -q ' ok ' '$work/typed'"
    check "NO_COLOR none in colour" eval "on_terminal TERM=xterm NO_COLOR=1 '$smoke' && ! grep -q '\[32m' '$work/typed'"
    # A column that is wider by itself stands alone behind the number of its row.
    narrow() { on_terminal TERM=xterm LC_ALL=C.UTF-8 table fujiwara/table2 "${from[@]}" && [ "$(grep -c '^| row | ' "$work/typed")" -gt 5 ] && ! LC_ALL=C.UTF-8 grep -E '^\|.{45}' "$work/typed" | grep -q '|.*|.*|.*|'; }
    check "a table in parts that fit" narrow
    check "a file has it whole" eval '"$orrery" table fujiwara/table2 "${from[@]}" | grep -q "^| program.*| 7500.*| 10000.*| 18000"'
    check "in the C locale only ASCII" eval "on_terminal TERM=xterm LC_ALL=C '$smoke' && on_terminal LC_ALL=C list papers && grep -q 'Gaburov, Bedorf' '$work/typed' && ! LC_ALL=C grep -q '[^ -~[:space:]]' '$work/typed'"
fi
check "files are UTF-8 wherever they are written" eval "LC_ALL=C shows 'Bédorf' list papers"
