#!/bin/bash
# SPDX-License-Identifier: MIT
# Several ranks share a step: results are right, records name the ranks, and what goes wrong with one is named and costs its cell.
. "$(dirname "$0")/lib_e2e.sh"
use_test_plugins
results=$work/results
use_rank_plugins
paper=$(cat "$ORRERY_HOME/variants/plugins/paper.yaml")
common=(--device host --preset smoke -o "$results")

once=("${common[@]}" --once) # without ceilings, which take seconds
# with VARIABLE=VALUE... -- CHECK: a check with these in the environment.
with() {
    local variables=()
    while [ "$1" != -- ]; do variables+=("$1"); shift; done
    shift
    (export "${variables[@]}" && "$@")
}

# --- without MPI: what is asked for alone goes on, ranks are refused before anything is measured ---
check "without --ranks the axis stops at 1" run 0 run plugins/scaling "${once[@]}"
check "on one device, which the record does not mention" jq -es 'map(select(.record == "cell")) | length == 2 and all(.ranks == null and .dataset.n == 20)' "$(journal)"
[ -e "$BUILD/liborrery_mpi.so" ] || check "a build without MPI has no ranks" fails 4 'this build has no ranks: install libopenmpi-dev' run plugins/one --ranks 2 "${once[@]}"
! [ -e "$BUILD/liborrery_mpi.so" ] || check "ranks without the library are refused" with ORRERY_MPI_LIBRARY=/nowhere/mpi.so -- \
    fails 4 'ranks need /nowhere/mpi.so, which is built where mpicc is' run plugins/one --ranks 2 "${once[@]}"
check "half a rank" fails 2 '--ranks takes a whole number from 1 up, not .1.5.' run plugins/one --ranks 1.5 "${once[@]}"
check "too many" fails 2 '--ranks takes a whole number from 1 to 64, not 65' run plugins/one --ranks 65 "${once[@]}"
check "no rank" fails 2 'ranks are 1 to 64, not 0' run plugins/one --set ranks=0 "${once[@]}"
if ! [ -e "$BUILD/liborrery_mpi.so" ] || ! command -v mpirun >/dev/null; then
    echo "ok ranks themselves # skip: no MPI here"
    finish
fi
check "ranks without mpirun are refused" with ORRERY_MPIRUN=/nowhere/mpirun -- \
    fails 4 'ORRERY_MPIRUN: /nowhere/mpirun' run plugins/one --ranks 2 "${once[@]}"
check "--sandbox is refused" fails 2 '--ranks and --sandbox exclude each other' run plugins/one --ranks 2 --sandbox "${once[@]}"
of_two=(run plugins/scaling --ranks 3 --only '*ranks=2*' --device host --preset smoke --dry-run)
only_two() { run 0 "${of_two[@]}" && [ "$(grep -c '^plugins/scaling ' "$work/out")" -eq 2 ] && ! grep '^plugins/' "$work/out" | grep -qv ' n=40 ranks=2 host'; }
check "--only matches what --dry-run prints" only_two
check "an mpirun that starts nothing is quoted" with ORRERY_MPIRUN=/bin/false -- \
    fails 5 'the ranks do not start' run plugins/one --only '*ranks*' --ranks 2 --oversubscribe "${once[@]}"

# --- right results ---
check "one to three ranks" run 0 run plugins/scaling --only '*/ranks*' --ranks 3 --oversubscribe "${common[@]}"
scaled() { jq -es 'map(select(.record == "cell")) | sort_by(.ranks) | map([.ranks, .dataset.n, .outcome]) == [[null, 20, "ok"], [2, 40, "ok"], [3, 60, "ok"]]' "$(journal)"; }
check "N grows with them, and all are right" scaled
timed() {
    jq -es 'map(select(.ranks == 3))[0] | (.rank_times | length) == 3 and (.samples.step_s | length) as $n |
        (.rank_times | all((.step_s | length) == $n and (.exchange_s | length) == $n and .device == "host")) and
        .exchange_seconds > 0 and .skew >= 0 and (.transport | test("through host memory$"))' "$(journal)"
}
check "each rank's times are there" timed
slowest() { jq -es 'map(select(.ranks == 2))[0] | . as $c | [range(.samples.step_s | length)] | all(. as $k | $c.samples.step_s[$k] >= ([$c.rank_times[].step_s[$k]] | max) * 0.999)' "$(journal)"; }
check "a step is the slowest rank's" slowest

# --- kernels ---
if [ -n "$(ORRERY_HOME='' "$orrery" list devices --json | jq -r '.[] | select(.id == "opencl:0.0") | .id' 2>/dev/null)" ]; then
    unset ORRERY_HOME ORRERY_PLUGINS
    check "direct sums and what third-law adds up, moved by two steps" run 0 run fujiwara/scaling --device opencl:0.0 --oversubscribe \
        --preset smoke --once --set ranks=3 --set n=61,1000 --set steps=2 --set third_law=yes -o "$results"
    check "are right in all cells" jq -es 'map(select(.record == "cell")) | length == 4 and all(.outcome == "ok" and .ranks == 3)' "$(journal)"
    check "near boxes, with what lies beside them" run 0 run shan/scaling --device opencl:0.0 --oversubscribe --preset smoke --once \
        --set ranks=3 --set level=3 --set per_box=7 -o "$results"
    check "are right, too" jq -es 'map(select(.record == "cell")) | length == 3 and all(.outcome == "ok" and .ranks == 3)' "$(journal)"
    check "trees, of which each gets what it looks at" run 0 run gaburov/scaling feng/scaling --device opencl:0.0 --oversubscribe --preset smoke \
        --repeats 1 --min-samples 1 --time-limit 0.01 --set ranks=2 -o "$results"
    trees() {
        jq -es 'map(select(.record == "cell")) | length == 2 and all(.outcome == "ok" and .ranks == 2 and .timed == "step" and
            .figures["bytes a rank receives"] > 16000 and .figures["bytes a rank receives"] < 1000000)' "$(journal)"
    }
    check "are as on one, and a step holds no upload" trees
    check "few bodies on one rank" run 0 run feng/scaling --device opencl:0.0 --oversubscribe --preset smoke --once --set ranks=2 --set share=off -o "$results"
    check "while the other is idle" jq -es 'map(select(.record == "cell"))[0] | .outcome == "ok" and .ranks == 2 and
        .figures["ranks at work"] == 1 and (.note | test("^one rank has all bodies"))' "$(journal)"
    check "four ranks and one" run 0 run fujiwara/scaling shan/scaling gaburov/scaling --only fujiwara/optimised --only shan/bpb --only '*modern' \
        --device opencl:0.0 --oversubscribe --preset smoke --once --set ranks=1,4 -o "$results"
    # Sums in the same order are the same to the last digit. Four parts have trees of their own, whose cells are smaller
    # where parts meet, so that their error may be less than one tree's, and is not more.
    alike() {
        jq -es 'map(select(.record == "cell")) | length == 6 and all(.outcome == "ok") and
            (group_by(.variant) | all((sort_by(.ranks // 1) | map(.error)) as [$a, $b] |
                if .[0].variant == "gaburov/octgrav-modern" then $b.median / $a.median | . > 0.6 and . < 1.2
                else [$a.median, $a.p99, $a.max] == [$b.median, $b.p99, $b.max] end))' "$(journal)"
    }
    check "have the same results" alike
    if [ "${ORRERY_ALL_TESTS:-}" ]; then
        check "bodies that one device has no room for" with POCL_MEMORY_LIMIT=1 -- run 5 run gaburov/scaling --device opencl:0.0 \
            --preset smoke --once --set n=4000000 -o "$results"
        check "are refused with what was asked for" jq -es 'map(select(.record == "cell"))[0] | .outcome == "no memory" and
            (.reason | test("cannot allocate [0-9]+ bytes on opencl:0.0"))' "$(journal)"
    fi
    use_test_plugins
    printf '%s' "$paper" >"$ORRERY_HOME/variants/plugins/paper.yaml"
fi

# --- what goes wrong ---
one=(run plugins/one --ranks 2 "${once[@]}")
check "more ranks than devices are refused" run 4 "${one[@]}" --only '*/ranks*'
check "with a way out" said 'ranks 2 unsupported 2 ranks from host on take 2 devices, and here is 1: take fewer --ranks, or, for tests, --oversubscribe'
one+=(--oversubscribe)
check "a variant for one device beside a rank that dies" with TEST_RANK_FAULT=crash -- run 5 "${one[@]}"
check "the variant is refused" said 'right 2 unsupported plugins/right runs on one device only; .*'
check "the dead rank is named" said 'ranks 2 crashed crashed: rank 1 of 2, SIGSEGV.*'
check "a rank that hangs" with TEST_RANK_FAULT=hang -- run 5 "${one[@]}" --only '*/ranks*' --timeout 4
check "is named, with what the others wait for" said 'ranks 2 timed out no result within 4 s: rank 1 did not come to exchange [0-9]+ \(.*\), where rank 0 waits; --timeout S allows more'
check "a rank that fails while the other waits" with TEST_RANK_FAULT=fail -- run 4 "${one[@]}" --only '*/ranks*'
check "is named" said 'ranks 2 unsupported rank 1: this rank will not'
check "a rank that leaves its results out" with TEST_RANK_FAULT=miss -- run 3 "${one[@]}" --only '*/ranks*'
check "is found in the gathered results" said 'ranks 2 wrong .* of body [0-9]+ is not a number.*'

# --- a rank that is not like the others ---

# An mpirun whose last rank has $DIFFERS in its environment, or is $OTHER instead of this program.
cat >"$work/differs" <<MPIRUN
#!/bin/bash
exec $(command -v mpirun) -n 1 "\$3" "\$4" "\$5" : -n 1 env \$DIFFERS "\${OTHER:-\$3}" "\$4" "\$5"
MPIRUN
chmod +x "$work/differs"
unlike=(with ORRERY_MPIRUN="$work/differs")
check "a wrapper that changes nothing" "${unlike[@]}" DIFFERS= -- run 0 "${one[@]}" --only '*/ranks*'
commit=$("$orrery" --version | grep -oE '[0-9a-f]{12}' | head -1)
if [ "$commit" ]; then
    LC_ALL=C sed "s/$commit/${commit//[0-9]/7}/g" "$orrery" >"$work/orrery" && chmod +x "$work/orrery"
    check "another build on a rank" "${unlike[@]}" OTHER="$work/orrery" DIFFERS="ORRERY_MPI_LIBRARY=$BUILD/liborrery_mpi.so" -- run 4 "${one[@]}" --only '*/ranks*'
    check "is named" said "ranks 2 .* rank 1 is another build of orrery: .* ${commit//[0-9]/7}.*, not .* $commit.*"
fi
# The first waits for the second in MPI, and is not waited for.
start=$SECONDS
check "a rank that cannot start" "${unlike[@]}" DIFFERS=ORRERY_MPI_LIBRARY=/nowhere/mpi.so -- run 4 "${one[@]}" --only '*/ranks*'
check "says why" said 'ranks 2 unsupported ranks need /nowhere/mpi.so, .*'
check "at once" [ $((SECONDS - start)) -lt 30 ]
if grep -q '"opencl' <<<"$(ORRERY_HOME='' "$orrery" list devices --json 2>/dev/null)"; then
    without=(run fujiwara/scaling --only '*optimised' --device opencl:0.0 --oversubscribe --preset smoke --once --set ranks=2 --set n=61 -o "$results")
    check "a rank without a device" "${unlike[@]}" ORRERY_HOME= ORRERY_PLUGINS= DIFFERS='OCL_ICD_VENDORS=/nowhere OCL_ICD_FILENAMES=' -- run 4 "${without[@]}"
    no_device() { jq -rs 'map(select(.record == "cell"))[0].reason' "$(journal)" | grep -q "^rank 1 could not open its device: there is no device 'opencl:0.0' here"; }
    check "is named, with the reason" no_device
fi
mkdir -p "$work/others/plugins" && cp "$BUILD"/tests/plugins/ranks.so "$work/others/plugins/" && echo >>"$work/others/plugins/ranks.so"
check "another build of the variant on a rank" "${unlike[@]}" DIFFERS="ORRERY_PLUGINS=$work/others" -- run 4 "${one[@]}" --only '*/ranks*'
check "is named, too" said 'ranks 2 unsupported rank 1 has another build of plugins/ranks than rank 0: [0-9a-f]{12}, not [0-9a-f]{12}'
finish
