#!/bin/bash
# SPDX-License-Identifier: MIT
# Tree codes: theta as an axis, errors that are bounded by it, interactions that nobody knows, trajectories.
. "$(dirname "$0")/lib_e2e.sh"
use_test_plugins
cat >"$ORRERY_HOME/variants/plugins/paper.yaml" <<'END'
paper: plugins
title: Trees
authors: nobody
venue: tests
flops_per_interaction: 14
variants:
  - {name: tree, label: tree, in: [cost, bounded, rest]}
tree_bounds:
  - variants: [tree]
    up_to: 50
    median: {floor: 1.0e-5, at: 1.5e-3, theta: 1}
    p99: {floor: 1.0e-4, at: 1.5e-3, theta: 1}
    max: {floor: 1.0e-3, at: 1.5e-3, theta: 1}
  # too strict
  - variants: [tree]
    up_to: 80
    median: {floor: 1.0e-5, at: 1.0e-5, theta: 1}
    p99: {floor: 1.0e-4, at: 1.0e-5, theta: 1}
    max: {floor: 1.0e-3, at: 1.0e-5, theta: 1}
  - variants: [tree]
    up_to: 100
    median: {floor: 1, at: 1, theta: 1}
    p99: {floor: 1, at: 1, theta: 1}
    max: {floor: 1, at: 1, theta: 1}
experiments:
  - name: cost
    shows: Figure C
    title: Cost
    layout: times
    trajectory: true
    error_curve: true
    axes:
      - {name: dataset, values: uniform-2d}
      - {name: n, values: "64,128"}
      - {name: theta, values: "0,0.5,50"}
      - {name: steps, values: "3"}
      - {name: dt, values: "100"}
    bound: {median: 1.0e-5, p99: 1.0e-4, max: 1.0e-3}
    presets:
      - name: smoke
        limits: [{variant: tree, n: 64}]
  - name: bounded
    shows: Table B
    title: Bounds
    layout: times
    axes:
      - {name: dataset, values: uniform-2d}
      - {name: n, values: "64"}
      - {name: theta, values: "0,0.5,80"}
    bound: {median: 1.0e-5, p99: 1.0e-4, max: 1.0e-3}
  - name: rest
    shows: Table R
    title: Rest
    layout: times
    trajectory: true
    energy: true
    targets: 2500
    axes:
      - {name: dataset, values: uniform-2d}
      - {name: n, values: "2"}
    bound: {median: 1.0e-5, p99: 1.0e-4, max: 1.0e-3}
END
results=$work/results
common=(--device host --preset smoke -o "$results")
holds() { jq -es "map(select(.record == \"cell\")) | $1" "$(ls -t "$results"/*/*.jsonl | head -1)"; }
shows() { run 0 "${@:2}" && grep -qE -- "$1" "$work/out"; }

check "an experiment over theta" run 0 run plugins/cost "${common[@]}"
check "one object a cell with costs and bodies per second" run 0 run plugins/cost "${common[@]}" --json
check "by name" jq -es 'map(select(.extrapolated_from == null)) | length == 3 and all(.interactions_per_second == null and .bodies_per_second > 0 and .trajectory.speed_mean >= 0)' "$work/out"
check "every cell is ok" holds 'length == 6 and all(.outcome == "ok")'
measured='map(select(.extrapolated_from == null)) | sort_by(.parameters.theta)'
check "errors are recorded: a thousandth of theta" holds "$measured | map(.error.median * 1000 / (.parameters.theta + 1e-9)) | .[1:] | all(. > 0.99 and . < 1.01)"
check "in three normalisations" holds "$measured | .[1:] | all(.error | .by_terms.median > 0 and .by_terms.max <= .max and .by_mean.median > 0 and .by_mean.median <= .by_mean.p99 and .by_mean.p99 <= .by_mean.max)"
check "with their distributions" holds "$measured"' | all(.error.curve | (.fractions | length == 14 and .[0] == 0.999 and .[13] == 0.001) and all(.relative, .by_mean, .by_terms; length == 14 and . == sort))'
check "whose middle is the median" holds "$measured"' | all(.error | .curve.relative[5] == .median and .curve.by_terms[5] == .by_terms.median)'
check "stages within the step, sample by sample" holds "$measured"' | all((.stages | map(.name)) == ["memory", "forces"] and (.stages[0] | .in_step == null and .host_s == null and .seconds >= 0) and (.stages[1].in_step == true) and (.stages[1].host_s | length) == (.samples.step_s | length) and ([.stages[1].host_s, .samples.step_s] | transpose | all(.[0] <= .[1])))'
check "figures that the variant knows" holds "$measured"' | all(.figures == {"node interactions": .parameters.theta, "evaluations": 4})'
check "nothing is known of interactions" holds 'all(.interactions_per_second == null and .interactions == null and .flops_convention == null)'
check "bodies per second are" holds "$measured | all((.bodies_per_second * .seconds / (64 * 4) - 1) | fabs < 1e-9)"
check "costs: sums and means" holds "$measured | map(.trajectory) | all((.position_mean * 64 / .position_sum - 1 | fabs < 1e-9) and (.speed_mean * 64 / .speed_sum - 1 | fabs < 1e-9) and (.velocity_mean * 64 / .velocity_sum - 1 | fabs < 1e-9))"
check "the exact one's are rounding" holds "$measured"' | .[0].trajectory | .position_sum < 64 * 1e-6 and .velocity_sum < 64 * 1e-9 and .speed_sum <= .velocity_sum'
check "the others' grow with theta" holds "$measured"' | map(.trajectory) | (.[1].position_sum > 2 * .[0].position_sum) and (.[2].position_sum > 100 * .[1].position_sum) and (.[2].velocity_sum > 100 * .[1].velocity_sum)'
check "larger cells are scaled by n log n" holds 'map(select(.extrapolated_from and .parameters.theta > 0)) | length == 2 and all(.reason == "extrapolated from n=64 by n log n")'
check "those with theta = 0 by interactions" holds 'map(select(.extrapolated_from and .parameters.theta == 0)) | length == 1 and all(.reason == "extrapolated from n=64 by interactions")'
check "and go nowhere" holds 'map(select(.extrapolated_from)) | all(.trajectory == null and .bodies_per_second > 0)'
check "a table prints errors" shows '5\.0e-02 / 5\.0e-02 / 5\.0e-02' table plugins/cost -r "$results"
check "and no number for rates that are not known" shows 'tree' table plugins/cost -r "$results"
lacks_numbers() { ! grep -qiE '\b(nan|inf)\b' "$work/out"; }
check "in words for people" lacks_numbers
check "as CSV" shows '' table plugins/cost -r "$results" --format csv
check "nor there" lacks_numbers

rm -rf "$results"
check "bounds that follow theta" run 3 run plugins/bounded "${common[@]}"
check "no distribution unless asked for" holds 'all(.error.curve == null and .error.by_mean.median >= 0)'
check "judge each cell by its own" holds 'map("\(.parameters.theta) \(.outcome)") | sort == ["0 ok", "0.5 ok", "80 wrong"]'
check "by terms, as the record says" holds 'all(.error.bound.by_terms and .error.bound.max > 0) and (map(select(.outcome == "wrong")) | all(.reason | test("error by terms .* above the bound")))'

rm -rf "$results"
check "trajectories of bodies at rest" run 0 run plugins/rest "${common[@]}" --set n=2,3
check "say why there is none" holds 'all(.trajectory == {"reason": "the step moves no bodies"})'
check "rates without interactions" shows '' table plugins/rest -r "$results"
check "are no numbers" lacks_numbers
check "too many bodies" run 0 run plugins/rest "${common[@]}" --set n=20001 --set steps=1 --set theta=100
check "say why, too" holds 'all(.trajectory == {"reason": "not computed beyond 20000 bodies"})'
check "their energy is from their potentials" holds 'all(.conservation | .energy_source == "potentials" and .energy_start >= 0 and .energy_drift == 0)'
check "as many are compared as the experiment says" holds 'all(.error.targets == 2500)'
check "few bodies" run 0 run plugins/rest "${common[@]}" --set n=64 --set steps=1 --set theta=0
check "have the energy of their pairs" holds 'all(.conservation | .energy_source == "pairs" and .energy_drift < 0.1)'
check "and are all compared" holds 'all(.error.targets == 64)'
finish
