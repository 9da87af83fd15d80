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
no_fault() {
    run 0 check "$1" && grep -q ': 0 faults, 0 beyond their bounds, ' "$work/out" && grep -q ', 0 of them differ from those that came' "$work/out" &&
        ! grep -q 'does not know the member' "$work/out"
}
for folder in results/reference/*/; do
    machine=$(basename "$folder")
    [ -z "${ORRERY_GOLDEN_UPDATE:-}" ] || verdicts_of "$machine" >"$folder/claims.json"
    check "$machine-conforms" conforms "$folder"
    check "$machine-has-no-fault" no_fault "$folder"
    check "$machine-gives-its-verdicts" run 0 claims -r "$folder" --expect "$folder/claims.json"
done
check the-machines-are-compared bash -c "'$orrery' compare results/reference/nvidia-h200@cuda:0 results/reference/nvidia-h100-80gb-hbm3@cuda:0 --json | jq -e 'length > 100'"
finish
