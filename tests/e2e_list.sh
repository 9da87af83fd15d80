#!/bin/bash
# SPDX-License-Identifier: MIT
# orrery list and orrery describe: what they show beside what tests/golden/papers holds, as JSON too, and what they say when something is broken.
. "$(dirname "$0")/lib_e2e.sh"
export ORRERY_HOME=$root
check "list shows data sets, and which are made of boxes" eval 'prints "^random-3d +100000" list datasets && prints "^uniform-boxes +1048576 +2 +yes " list datasets'
check "list shows variants and where they take part" prints '^fujiwara/optimised +yes .*fig14' list variants
check "list suggests" fails 2 "'variant'; did you mean 'variants'" list variant
check "list takes one word" fails 2 "one word" list papers variants
check "list --json" gives '(.papers|length > 0) and (.variants|length > 5) and (.datasets|length > 4)' list --json
for kind in papers experiments variants datasets devices counters; do
    check "list $kind --json" gives 'type == "array" and length > 0 and all(.[]; .name)' list $kind --json
done

check "describe a variant" prints 'steps +int +0 to [0-9]+ +0 ' describe fujiwara/double-unrolling
check "describe a plugin without a paper" prints 'skeleton/skeleton \(variant\)' describe skeleton/skeleton
check "describe a data set" eval 'prints "default n +18000" describe cartwheel && prints "default level +7" describe uniform-boxes'
check "describe finds a name without its paper" fails 2 "did you mean 'fujiwara/table2'" describe table2
check "describe suggests nothing that has no letter in common" fails 2 "no paper.* 'q'; there are" describe q
check "describe --json, experiment" gives '.kind == "experiment" and .axes.dataset and .bound.median > 0 and .counts == false' describe fujiwara/table2 --json
check "describe --json, counts and boxes" gives '.counts and .axes.per_box == "8:64:*2"' describe shan/table1 --json
check "describe --json, variant" gives '.kind == "variant" and any(.parameters[]; .name == "unroll_i" and .max == 8)' describe fujiwara/double-unrolling --json
check "describe --json, paper" gives '.kind == "paper" and .year == 2009 and all(.devices[]; .peak_gflops == null or .source)' describe fujiwara --json
check "describe --json, data set" gives '.kind == "data set" and .multiple == 3' describe figure-eight-3 --json

# Plugins that break: `list` never loads them, `describe` survives them.
export ORRERY_PLUGINS=$BUILD/tests
check "list with broken plugins, and what is not built" eval 'prints "^plugins/crash_on_load " list variants && grep -q "^fujiwara/optimised  *no " "$work/out"'
check "describe a plugin that crashes" fails 5 "loading the plugin of plugins/crash_on_load: crashed" describe plugins/crash_on_load
check "describe a plugin of another ABI" fails 2 'built for plugin ABI [0-9]+, this program speaks [0-9]+' describe plugins/wrong_abi
check "describe a variant that is not built" fails 2 'is not built: .*; run make' describe fujiwara/optimised
unset ORRERY_PLUGINS

# A malformed paper beside a good one.
papers=$work/home/variants
mkdir -p "$papers/broken" "$papers/fujiwara"
cp variants/fujiwara/paper.yaml "$papers/fujiwara/"
sed 's/^paper: .*/paper: broken/; s/^title:/titel:/' variants/fujiwara/paper.yaml >"$papers/broken/paper.yaml"
line_of() { grep -n -m1 "$2" "$papers/$1/paper.yaml" | cut -d: -f1; }
export ORRERY_HOME=$work/home
check "list names the fault of a paper.yaml" fails 2 "broken/paper.yaml:$(line_of broken '^titel:'): unknown key 'titel'; did you mean 'title'" list experiments
check "list still shows the good paper" grep -q '^fujiwara/table2 ' "$work/out"
check "describe names the fault of a paper.yaml" fails 2 "broken/paper.yaml:$(line_of broken '^titel:'): " describe broken/table2
# An axis that no variant knows would change nothing, silently.
sed -i 's/{name: steps, values: "100"}/{name: stepz, values: "100"}/' "$papers/fujiwara/paper.yaml"
rm -r "$papers/broken"
check "run names an axis that no variant knows" fails 2 "fujiwara/paper.yaml:$(line_of fujiwara stepz): no variant of table3 has a parameter 'stepz'; did you mean 'steps'" \
    run fujiwara/table3 --dry-run
