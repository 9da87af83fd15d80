#!/bin/bash
# SPDX-License-Identifier: MIT
# Several ranks share a step: results are right, records name the ranks, and what goes wrong with one is named and costs its cell.
. "$(dirname "$0")/lib_e2e.sh"
use_test_plugins
use_rank_plugins
once=("${common[@]}" --once) # without ceilings, which take seconds
with() { (export "$1" && "${@:2}"); } # VARIABLE=VALUE COMMAND...

# --- without MPI: what is asked for alone goes on, ranks are refused before anything is measured ---
check "without --ranks the axis stops at 1, on one device, which the record does not mention" measures 0 'length == 2 and all(.ranks == null and .dataset.n == 20)' run plugins/scaling "${once[@]}"
[ -e "$BUILD/liborrery_mpi.so" ] || check "a build without MPI has no ranks" fails 4 'this build has no ranks: install libopenmpi-dev' run plugins/one --ranks 2 "${once[@]}"
! [ -e "$BUILD/liborrery_mpi.so" ] || check "ranks without the library are refused" with ORRERY_MPI_LIBRARY=/nowhere/mpi.so fails 4 'ranks need /nowhere/mpi.so, which is built where mpicc is' run plugins/one --ranks 2 "${once[@]}"
check "half a rank" fails 2 '--ranks takes a whole number from 1 up, not .1.5.' run plugins/one --ranks 1.5 "${once[@]}"
check "too many" fails 2 '--ranks takes a whole number from 1 to 64, not 65' run plugins/one --ranks 65 "${once[@]}"
check "no rank" fails 2 'ranks are 1 to 64, not 0' run plugins/one --set ranks=0 "${once[@]}"
if ! [ -e "$BUILD/liborrery_mpi.so" ] || ! command -v mpirun >/dev/null; then
    echo "ok ranks themselves # skip: no MPI here"
    exit 0
fi
check "ranks without mpirun are refused" with ORRERY_MPIRUN=/nowhere/mpirun fails 4 'ORRERY_MPIRUN: /nowhere/mpirun' run plugins/one --ranks 2 "${once[@]}"
check "--sandbox is refused" fails 2 '--ranks and --sandbox exclude each other' run plugins/one --ranks 2 --sandbox "${once[@]}"
only_two() { run 0 run plugins/scaling --ranks 3 --only '*ranks=2*' "${common[@]}" --dry-run && [ "$(grep '^plugins/' "$work/out" | grep -c ' n=40 ranks=2 host')" -eq 2 ] && [ "$(grep -c '^plugins/' "$work/out")" -eq 2 ]; }
check "--only matches what --dry-run prints" only_two
check "an mpirun that starts nothing is quoted" with ORRERY_MPIRUN=/bin/false fails 5 'the ranks do not start' run plugins/one --only '*ranks*' --ranks 2 --oversubscribe "${once[@]}"

# --- right results ---
check "one to three ranks: N grows with them, and all are right" measures 0 'sort_by(.ranks) | map([.ranks, .dataset.n, .outcome]) == [[null, 20, "ok"], [2, 40, "ok"], [3, 60, "ok"]]' \
    run plugins/scaling --only '*/ranks*' --ranks 3 --oversubscribe "${common[@]}"
check "each rank's times are there" recorded 'map(select(.ranks == 3))[0] | (.rank_times | length) == 3 and (.samples.step_s | length) as $n |
    (.rank_times | all((.step_s | length) == $n and (.exchange_s | length) == $n and .device == "host")) and .exchange_seconds > 0 and .skew >= 0 and (.transport | test("through host memory$"))'
check "a step is the slowest rank's" recorded 'map(select(.ranks == 2))[0] | . as $c | [range(.samples.step_s | length)] | all(. as $k | $c.samples.step_s[$k] >= ([$c.rank_times[].step_s[$k]] | max) * 0.999)'

# --- kernels ---
if [ -n "$(ORRERY_HOME='' "$orrery" list devices --json | jq -r '.[] | select(.id == "opencl:0.0") | .id' 2>/dev/null)" ]; then
    homes=(ORRERY_HOME="$ORRERY_HOME" ORRERY_PLUGINS="$ORRERY_PLUGINS")
    unset ORRERY_HOME ORRERY_PLUGINS
    opencl=(--device opencl:0.0 --oversubscribe --preset smoke -o "$results")
    check "direct sums and what third-law adds up, moved by two steps" measures 0 'length == 4 and all(.outcome == "ok" and .ranks == 3)' \
        run fujiwara/scaling "${opencl[@]}" --once --set ranks=3 --set n=61,1000 --set steps=2 --set third_law=yes
    check "trees, of which each gets what it looks at, as on one; a step holds no upload" measures 0 'length == 2 and all(.outcome == "ok" and .ranks == 2 and .timed == "step" and
        (.figures["bytes a rank receives"] | . > 16000 and . < 1000000))' run gaburov/scaling feng/scaling "${opencl[@]}" --repeats 1 --min-samples 1 --time-limit 0.01 --set ranks=2
    check "few bodies on one rank, while the other is idle" measures 0 '.[0] | .outcome == "ok" and .ranks == 2 and .figures["ranks at work"] == 1 and (.note | test("^one rank has all bodies"))' \
        run feng/scaling "${opencl[@]}" --once --set ranks=2 --set share=off
    if [ "${ORRERY_ALL_TESTS:-}" ]; then
        check "bodies that one device has no room for are refused with what was asked for" with POCL_MEMORY_LIMIT=1 measures 5 '.[0] | .outcome == "no memory" and
            (.reason | test("cannot allocate [0-9]+ bytes on opencl:0.0"))' run gaburov/scaling "${opencl[@]}" --once --set n=4000000
    fi
    export "${homes[@]}"
fi

# --- what goes wrong ---
one=(run plugins/one --ranks 2 "${once[@]}")
check "more ranks than devices are refused" run 4 "${one[@]}" --only '*/ranks*'
check "with a way out" said 'ranks 2 unsupported 2 ranks from host on take 2 devices, and here is 1: take fewer --ranks, or, for tests, --oversubscribe'
one+=(--oversubscribe)
check "a variant for one device beside a rank that dies" with TEST_RANK_FAULT=crash run 5 "${one[@]}"
check "the variant is refused" said 'right 2 unsupported plugins/right runs on one device only; .*'
check "the dead rank is named" said 'ranks 2 crashed crashed: rank 1 of 2, SIGSEGV.*'
one+=(--only '*/ranks*')
# ends STATUS WHAT COMMAND...: it ends so, and the cell says what.
ends() { "${@:3}" run "$1" "${one[@]}" && said "ranks 2 $2"; }
waits='timed out no result within 4 s: rank 1 did not come to exchange [0-9]+ \(.*\), where rank 0 waits; --timeout S allows more'
hangs() { with TEST_RANK_FAULT=hang run 5 "${one[@]}" --timeout 4 && said "ranks 2 $waits"; }
check "a rank that hangs is named, with what the others wait for" hangs
check "a rank that fails while the other waits is named" ends 4 'unsupported rank 1: this rank will not' with TEST_RANK_FAULT=fail
check "a rank that leaves its results out is found in the gathered results" ends 3 'wrong .* of body [0-9]+ is not a number.*' with TEST_RANK_FAULT=miss

# --- a rank that is not like the others ---

# An mpirun whose last rank has $DIFFERS in its environment, or is $OTHER instead of this program.
cat >"$work/differs" <<MPIRUN
#!/bin/bash
exec $(command -v mpirun) -n 1 "\$3" "\$4" "\$5" : -n 1 env \$DIFFERS "\${OTHER:-\$3}" "\$4" "\$5"
MPIRUN
chmod +x "$work/differs"
export ORRERY_MPIRUN=$work/differs
check "a wrapper that changes nothing" with DIFFERS= run 0 "${one[@]}"
commit=$("$orrery" --version | grep -oE '[0-9a-f]{12}' | head -1)
if [ "$commit" ]; then
    LC_ALL=C sed "s/$commit/${commit//[0-9]/7}/g" "$orrery" >"$work/orrery" && chmod +x "$work/orrery"
    check "another build on a rank is named" ends 4 ".* rank 1 is another build of orrery: .* ${commit//[0-9]/7}.*, not .* $commit.*" \
        with OTHER="$work/orrery" with DIFFERS="ORRERY_MPI_LIBRARY=$BUILD/liborrery_mpi.so"
fi
# The first waits for the second in MPI, and is not waited for.
start=$SECONDS
check "a rank that cannot start says why" ends 4 'unsupported ranks need /nowhere/mpi.so, .*' with DIFFERS=ORRERY_MPI_LIBRARY=/nowhere/mpi.so
check "at once" [ $((SECONDS - start)) -lt 30 ]
mkdir -p "$work/others/plugins" && cp "$BUILD"/tests/plugins/ranks.so "$work/others/plugins/" && echo >>"$work/others/plugins/ranks.so"
check "another build of the variant on a rank is named, too" ends 4 'unsupported rank 1 has another build of plugins/ranks than rank 0: [0-9a-f]{12}, not [0-9a-f]{12}' with DIFFERS="ORRERY_PLUGINS=$work/others"
unset ORRERY_HOME ORRERY_PLUGINS
if "$orrery" list devices --json 2>/dev/null | grep -q '"opencl'; then
    check "a rank without a device is named, with the reason" with DIFFERS='OCL_ICD_VENDORS=/nowhere OCL_ICD_FILENAMES=' \
        measures 4 '.[0].reason | startswith("rank 1 could not open its device: there is no device '"'opencl:0.0'"' here")' run fujiwara/scaling --only '*optimised' "${opencl[@]}" --once --set ranks=2 --set n=61
fi
