#!/bin/bash
# SPDX-License-Identifier: MIT
# orrery list and orrery describe through the command line: what they show, and what they say when something is broken.
set -u
cd "$(dirname "$0")/.."
BUILD=$(realpath "${BUILD:-build}")
orrery=$BUILD/orrery
plugins=$BUILD/tests
export ORRERY_HOME=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# check NAME STATUS PATTERN COMMAND...: the exit status, and an extended regular expression in stdout and stderr together.
check() {
    local name=$1 status=$2 pattern=$3
    shift 3
    "$@" >"$work/out" 2>"$work/err"
    local got=$?
    if [ $got -eq "$status" ] && cat "$work/out" "$work/err" | grep -qE -- "$pattern"; then
        echo "ok $name"
    else
        echo "not ok $name: status $got instead of $status, or no /$pattern/ in:"
        head -20 "$work/out" "$work/err"
        failed=1
    fi
}
# check_json NAME FILTER COMMAND...: stdout alone is JSON for which the jq filter holds.
check_json() {
    local name=$1 filter=$2
    shift 2
    if "$@" 2>/dev/null | jq -e "$filter" >/dev/null; then
        echo "ok $name"
    else
        echo "not ok $name"
        failed=1
    fi
}

check "list shows papers" 0 '^fujiwara +2009' "$orrery" list
check "list shows experiments" 0 '^fujiwara/table2 +Table II ' "$orrery" list
check "list shows data sets" 0 '^random-3d +100000' "$orrery" list datasets
check "list shows which data sets are made of boxes" 0 '^uniform-boxes +1048576 +2 +yes ' "$orrery" list datasets
check "list shows variants and where they take part" 0 '^fujiwara/optimised +yes .*fig14' "$orrery" list variants
check "list devices has the host" 0 '^host ' "$orrery" list devices
check "list counters" 0 'counter' "$orrery" list counters
check "list suggests" 2 "'variant'; did you mean 'variants'" "$orrery" list variant
check "list takes one word" 2 "one word" "$orrery" list papers variants
check "list refuses unknown options" 2 "unknown option '--jsn'" "$orrery" list --jsn
check "list explains itself" 0 '^usage: orrery list' "$orrery" list --help
check_json "list --json" '(.papers|length > 0) and (.variants|length > 5) and (.datasets|length > 4)' "$orrery" list --json
for kind in papers experiments variants datasets devices; do
    check_json "list $kind --json" 'type == "array" and length > 0 and all(.[]; .name)' "$orrery" list $kind --json
done
check_json "list counters --json" 'type == "array"' "$orrery" list counters --json

check "describe a paper" 0 'flops per interaction +38' "$orrery" describe fujiwara
check "describe says where the figures of a paper's devices are from" 0 'Tesla C1060 +2008 +1.296 +240 +622 +102 +187.8 +year, clock, .* peak, external: derived' "$orrery" describe shan
check "describe an experiment" 0 'variants/fujiwara/published/table2.csv' "$orrery" describe fujiwara/table2
check "describe a variant" 0 'steps +int +0 to [0-9]+ +0 ' "$orrery" describe fujiwara/double-unrolling
check "describe a plugin without a paper" 0 'skeleton/skeleton \(variant\)' "$orrery" describe skeleton/skeleton
check "describe a data set" 0 'default n +18000' "$orrery" describe cartwheel
check "describe a data set made of boxes" 0 'default level +7' "$orrery" describe uniform-boxes
check "describe an experiment that counts" 0 'counts +yes' "$orrery" describe shan/table1
check "describe names the variants of a limit" 0 'scaled, not run +bpt, ppt, bpb beyond n = ' "$orrery" describe shan/table3
check "describe suggests" 2 "did you mean 'fujiwara/optimised'" "$orrery" describe fujiwara/optimized
check "describe finds a name without its paper" 2 "did you mean 'fujiwara/table2'" "$orrery" describe table2
check "describe suggests nothing that has no letter in common" 2 "no paper.* 'q'; there are" "$orrery" describe q
check "describe needs a name" 2 'takes one name' "$orrery" describe
check_json "describe --json, experiment" '.kind == "experiment" and .axes.dataset and .bound.median > 0' \
    "$orrery" describe fujiwara/table2 --json
check_json "describe --json, counts and boxes" '.counts and .axes.per_box == "8:64:*2"' "$orrery" describe shan/table1 --json
check_json "describe --json, an experiment that counts nothing" '.counts == false' "$orrery" describe fujiwara/table2 --json
check_json "describe --json, variant" '.kind == "variant" and any(.parameters[]; .name == "unroll_i" and .max == 8)' \
    "$orrery" describe fujiwara/double-unrolling --json
check_json "describe --json, paper" '.kind == "paper" and .year == 2009 and all(.devices[]; .peak_gflops == null or .source)' "$orrery" describe fujiwara --json
check_json "describe --json, data set" '.kind == "data set" and .multiple == 3' "$orrery" describe figure-eight-3 --json

# Plugins that break: `list` never loads them, `describe` survives them.
export ORRERY_PLUGINS=$plugins
check "list with broken plugins" 0 '^plugins/crash_on_load ' "$orrery" list variants
check "describe a plugin that crashes" 5 "loading the plugin of plugins/crash_on_load: crashed" \
    "$orrery" describe plugins/crash_on_load
check "describe a plugin of another ABI" 2 'built for plugin ABI [0-9]+, this program speaks [0-9]+' "$orrery" describe plugins/wrong_abi
check "describe a plugin that exports too much" 2 "exports 'forgotten_helper'" "$orrery" describe plugins/exports_two
check "describe a variant that is not built" 2 'is not built: .*; run make' "$orrery" describe fujiwara/optimised
check "list says what is not built" 0 '^fujiwara/optimised +no ' "$orrery" list variants
unset ORRERY_PLUGINS

# A malformed paper beside a good one.
mkdir -p "$work/home/variants/broken" "$work/home/variants/fujiwara"
cp variants/fujiwara/paper.yaml "$work/home/variants/fujiwara/"
sed 's/^paper: .*/paper: broken/; s/^title:/titel:/' variants/fujiwara/paper.yaml >"$work/home/variants/broken/paper.yaml"
line=$(grep -n '^titel:' "$work/home/variants/broken/paper.yaml" | cut -d: -f1)
export ORRERY_HOME=$work/home
check "list names the fault of a paper.yaml" 2 "broken/paper.yaml:$line: unknown key 'titel'; did you mean 'title'" \
    "$orrery" list
check "list still shows the good paper" 2 '^fujiwara/table2 ' "$orrery" list experiments
check "describe names the fault of a paper.yaml" 2 "broken/paper.yaml:$line: " "$orrery" describe broken/table2
# An axis that no variant knows would change nothing, silently.
sed 's/{name: steps, values: "100"}/{name: stepz, values: "100"}/' variants/fujiwara/paper.yaml >"$work/home/variants/fujiwara/paper.yaml"
rm -r "$work/home/variants/broken"
line=$(grep -n -m1 'stepz' "$work/home/variants/fujiwara/paper.yaml" | cut -d: -f1)
check "run names an axis that no variant knows" 2 "fujiwara/paper.yaml:$line: no variant of table3 has a parameter 'stepz'; did you mean 'steps'" \
    "$orrery" run fujiwara/table3 --dry-run
exit $failed
