#!/bin/bash
# SPDX-License-Identifier: MIT
# Tree codes: theta as an axis, errors that are bounded by it, interactions that nobody knows, trajectories.
. "$(dirname "$0")/lib_e2e.sh"
use_test_plugins
law() { # UP_TO MEDIAN P99 MAX AT: of errors up to that theta
    printf '  - {variants: [tree], up_to: %s, median: {floor: %s, at: %s, theta: 1}, p99: {floor: %s, at: %s, theta: 1}, max: {floor: %s, at: %s, theta: 1}}\n' $1 $2 $5 $3 $5 $4 $5
}
bounds="tree_bounds:
$(law 50 1.0e-5 1.0e-4 1.0e-3 1.5e-3; law 80 1.0e-5 1.0e-4 1.0e-3 1.0e-5; law 100 1 1 1 1)" # the second is too strict
more='cost trajectory: true
    error_curve: true
    presets: [{name: smoke, limits: [{variant: tree, n: 64}]}]' plugins_paper tree=cost,bounded 'cost:uniform-2d:n=64,128 theta=0,0.5,50 steps=3 dt=100' 'bounded:uniform-2d:n=64 theta=0,0.5,80'

check "one object a cell with costs and bodies per second" gives_all 'map(select(.extrapolated_from == null)) | length == 3 and all(.interactions_per_second == null and .bodies_per_second > 0 and .trajectory.speed_mean >= 0)' \
    run plugins/cost "${common[@]}" --json
check "every cell is ok, and nothing is known of interactions" recorded 'length == 6 and all(.outcome == "ok" and .interactions_per_second == null and .interactions == null and .flops_convention == null)'
measured='map(select(.extrapolated_from == null)) | sort_by(.parameters.theta)'
check "errors: a thousandth of theta, in three normalisations" recorded "$measured"' | .[1:] | all(.parameters.theta as $theta | .error | (.median * 1000 / $theta | . > 0.99 and . < 1.01) and
    .by_terms.median > 0 and .by_terms.max <= .max and .by_mean.median > 0 and .by_mean.median <= .by_mean.p99 and .by_mean.p99 <= .by_mean.max)'
check "with their distributions, whose middle is the median" recorded "$measured"' | all(.error | .curve.relative[5] == .median and .curve.by_terms[5] == .by_terms.median
    and (.curve | (.fractions | length == 14 and .[0] == 0.999 and .[13] == 0.001) and all(.relative, .by_mean, .by_terms; length == 14 and . == sort)))'
check "stages within the step, sample by sample" recorded "$measured"' | all((.stages | map(.name)) == ["memory", "forces"] and (.stages[0] | .in_step == null and .host_s == null and .seconds >= 0) and (.stages[1].in_step == true)
    and (.stages[1].host_s | length) == (.samples.step_s | length) and ([.stages[1].host_s, .samples.step_s] | transpose | all(.[0] <= .[1])))'
check "figures that the variant knows, and bodies per second" recorded "$measured"' | all(.figures == {"node interactions": .parameters.theta, "evaluations": 4} and ((.bodies_per_second * .seconds / (64 * 4) - 1) | fabs < 1e-9))'
check "costs: sums and means" recorded "$measured | map(.trajectory) | all((.position_mean * 64 / .position_sum - 1 | fabs < 1e-9) and (.speed_mean * 64 / .speed_sum - 1 | fabs < 1e-9) and (.velocity_mean * 64 / .velocity_sum - 1 | fabs < 1e-9))"
check "the exact one's are rounding, the others' grow with theta" recorded "$measured"' | map(.trajectory) | (.[0] | .position_sum < 64 * 1e-6 and .velocity_sum < 64 * 1e-9 and .speed_sum <= .velocity_sum)
    and (.[1].position_sum > 2 * .[0].position_sum) and (.[2].position_sum > 100 * .[1].position_sum) and (.[2].velocity_sum > 100 * .[1].velocity_sum)'
check "larger cells go nowhere, and are scaled by n log n, those with theta = 0 by interactions" recorded 'map(select(.extrapolated_from)) | length == 3 and all(.trajectory == null and .bodies_per_second > 0
    and .reason == "extrapolated from n=64 by " + if .parameters.theta > 0 then "n log n" else "interactions" end)'
lacks_numbers() { ! grep -qiE '\b(nan|inf)\b' "$work/out"; }
check "a table prints errors, and no number for rates that are not known" eval 'prints "5\.0e-02 / 5\.0e-02 / 5\.0e-02" table plugins/cost -r "$results" && lacks_numbers'
check "nor as CSV" eval 'run 0 table plugins/cost -r "$results" --format csv && lacks_numbers'

check "bounds that follow theta judge each cell by its own" measures 3 'map("\(.parameters.theta) \(.outcome)") | sort == ["0 ok", "0.5 ok", "80 wrong"]' run plugins/bounded "${common[@]}"
check "by terms, as the record says, without a distribution" recorded 'all(.error.curve == null and .error.by_mean.median >= 0 and .error.bound.by_terms and .error.bound.max > 0)
    and (map(select(.outcome == "wrong")) | all(.reason | test("error by terms .* above the bound")))'

more='rest trajectory: true
    energy: true
    targets: 2500' plugins_paper tree=rest rest:uniform-2d:n=2
check "trajectories of bodies at rest say why there is none" measures 0 'all(.trajectory == {"reason": "the step moves no bodies"})' run plugins/rest "${common[@]}" --set n=2,3
check "rates without interactions are no numbers" eval 'run 0 table plugins/rest -r "$results" && lacks_numbers'
check "too many bodies: energy from their potentials, as many compared as the experiment says" measures 0 'all(.trajectory == {"reason": "not computed beyond 20000 bodies"} and .error.targets == 2500
    and (.conservation | .energy_source == "potentials" and .energy_start >= 0 and .energy_drift == 0))' run plugins/rest "${common[@]}" --set n=20001 --set steps=1 --set theta=100
check "few bodies: energy of their pairs, all compared" measures 0 'all(.error.targets == 64 and (.conservation | .energy_source == "pairs" and .energy_drift < 0.1))' run plugins/rest "${common[@]}" --set n=64 --set steps=1 --set theta=0
