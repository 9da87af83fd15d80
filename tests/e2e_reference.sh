#!/bin/bash
# The reference results load, conform to the schema, have no fault and give the verdicts beside them. No other test says what they are.
# ORRERY_GOLDEN_UPDATE=1 writes the verdicts: results/reference/<machine>/claims.json.
# Prints "ok NAME" or "not ok NAME" a line.
. "$(dirname "$0")/lib_e2e.sh"
export ORRERY_HOME=$root
cd "$root" || exit 1

# verdicts_of MACHINE: one a line, what `claims --expect` and `check` compare.
verdicts_of() {
    "$orrery" claims --json -r "results/reference/$1" | jq -r 'map({paper, id, machine, device, reading, verdict} |
        with_entries(select(.value != null)) | tojson) | "[\n " + join(",\n ") + "\n]"'
}
conforms() {
    python3 -c 'import jsonschema' 2>/dev/null || return 0
    cat "$1"/*.jsonl >"$work/journal.jsonl" && python3 tests/validate.py docs/schemas "$work/journal.jsonl" >"$work/out" && grep -q '^ok journal' "$work/out"
}
# No fault, and the verdicts that came with the results: check compares them as claims --expect does.
is_whole() {
    run 0 check "$1" && grep -q ': 0 faults, 0 beyond their bounds, ' "$work/out" && ! grep -q 'does not know the member' "$work/out" &&
        grep -q '^[0-9]* verdicts, 0 of them differ ' "$work/out"
}
for folder in results/reference/*/; do
    machine=$(basename "$folder")
    [ -z "${ORRERY_GOLDEN_UPDATE:-}" ] || verdicts_of "$machine" >"$folder/claims.json"
    check "$machine-conforms" conforms "$folder"
    check "$machine-has-no-fault-and-gives-its-verdicts" is_whole "$folder"
done
# The numbers of docs/RESULTS.md and docs/VALIDITY.md, and what they say of them; `make docs-numbers` puts today's there.
numbers_are_todays() { python3 -c '' 2>/dev/null || return 0; ORRERY=$orrery tools/docs_numbers.py; }
check the-numbers-of-the-documentation-are-todays numbers_are_todays
# A number that is another, and a sentence that its numbers do not bear out.
planted() {
    local folder
    python3 -c '' 2>/dev/null || return 0
    mkdir "$work/tree" && cp -r docs tools README.md "$work/tree" || return 1
    for folder in results variants plots; do ln -s "$root/$folder" "$work/tree/$folder" || return 1; done
    sed -i 's/ComputeForces [0-9.]* to/ComputeForces 7.77 to/' "$work/tree/docs/RESULTS.md"
    sed -i 's/^--: while a > 1.02 AND b > a$/--: while a > 100/' "$work/tree/docs/numbers.sql"
    ! ORRERY=$orrery "$work/tree/tools/docs_numbers.py" >"$work/out" && grep -qF '  - Sorting makes ComputeForces 7.77 to' "$work/out" &&
        grep -qF 'is no longer borne out: it rests on a > 100' "$work/out"
}
check what-is-not-of-the-results-is-found planted
# Prose may be behind the results: that is said, and refused nowhere.
# The times of the README's table.
printed() { ! grep -vxF -f <(grep -oF -f "$2" "$1" | sort -u) "$2"; } # FILE LINES: each line is in FILE
plain() { sed 's/[¹²³]//g; s/  */ /g' "$@"; }
run 0 table fujiwara/table2 -r results/reference/nvidia-h200 && plain "$work/out" >"$work/times"
awk '/^\| (cpu|gpu|simple|double)-/ {while (match($0, /[0-9.]+ (s|ms|us) /)) {print substr($0, RSTART, RLENGTH - 1); $0 = substr($0, RSTART + RLENGTH)}}' \
    README.md >"$work/quoted"
advise 'times of README.md are those of Table II on the H200' printed "$work/times" "$work/quoted"
check the-machines-are-compared bash -c "'$orrery' compare results/reference/nvidia-h200@cuda:0 results/reference/nvidia-h100-80gb-hbm3@cuda:0 --json | jq -e 'length > 100'"
finish
