#!/bin/bash
# Defaults of options: the command line over variables, these over orrery.yaml of the folder, that over the user's own file; what is
# wrong in them; and every variable that there is, explained.
# Prints "ok NAME" or "not ok NAME" a line.
. "$(dirname "$0")/lib_e2e.sh"
use_test_plugins
unset ORRERY_CONFIG
export XDG_CONFIG_HOME=$work/config HOME=$work/person
mkdir -p "$work/here" "$XDG_CONFIG_HOME/orrery" "$HOME"
own=$XDG_CONFIG_HOME/orrery/config.yaml
cd "$work/here" || exit 1
yaml() { cat >orrery.yaml; }
writes() { # FORMAT ARGUMENTS...: what `query` writes without being told how
    local begin
    run 0 query 'SELECT 1 AS a, 2 AS b' "${@:2}" || return 1
    case $1 in md) begin='##' ;; csv) begin=a,b ;; json) begin='\[\|{' ;; tex) begin='% .usepackage' ;; esac
    head -n 1 "$work/out" | grep -q "^$begin" || { head -n 3 "$work/out"; return 1; }
}

# --- who wins ---
check without-any writes md
printf 'query:\n  format: csv\n' >"$own"
check the-user writes csv
yaml <<<'query: {format: json}'
check the-folder-over-the-user writes json
check a-variable-over-the-folder env ORRERY_QUERY_FORMAT=tex bash -c "'$orrery' query 'SELECT 1' | grep -q usepackage"
check the-command-line-over-all eval 'ORRERY_QUERY_FORMAT=tex writes md --format md'
check an-empty-variable-is-none eval 'ORRERY_QUERY_FORMAT="" writes json'
check a-file-in-their-place eval 'ORRERY_CONFIG=$own writes csv'
check a-file-that-is-not-there eval 'ORRERY_CONFIG=none.yaml fails 2 "^orrery: ORRERY_CONFIG names none.yaml, which is not there$" query "SELECT 1"'
check no-file eval 'ORRERY_CONFIG=off writes md'
yaml <<<'all: {format: json}'
check every-command writes json
printf 'query:\n  format: md\n' >"$own"
check the-folder-whole-over-the-user writes json
printf 'all: &every\n  format: tex\nquery: {<<: x}\n' | sed '$d' >orrery.yaml
echo 'query: {format: csv}' >>orrery.yaml
check the-command-over-every-command writes csv
rm "$own"
: >orrery.yaml
check an-empty-file writes md
printf '# nothing\n\nquery:\n' >orrery.yaml
check an-empty-section writes md

# --- a run ---
yaml <<'END'
run:
  device: host
  preset: smoke
  repeats: 2
  set: [n=2, delay=0.001]
  only: ['*right*']
  output: ~/kept
  machine: m
END
taken='^orrery: defaults here: --device=host \(orrery.yaml:2\), --preset=smoke \(orrery.yaml:3\), --set=n=2 \(orrery.yaml:5\), --set=delay=0.001 \(orrery.yaml:5\), --only=\*right\* \(orrery.yaml:6\), --repeats=2 \(orrery.yaml:4\), --output=.*/person/kept \(orrery.yaml:7\), --machine=m \(orrery.yaml:8\)$'
cell() { jq -se "$1" "$work/out" >/dev/null; }
a_run() { run 0 run plugins/quick --json && grep -qE "$taken" "$work/err" && cell 'length == 1 and .[0].dataset.n == 2 and .[0].parameters.delay == 0.001'; }
check a-run-takes-them a_run
check and-its-journal-has-them eval 'jq -se ".[0].request | .repeats == 2 and .preset == \"smoke\" and .devices == [\"host\"]" "$HOME"/kept/m/*.jsonl'
check lists-are-replaced eval 'run 0 run plugins/quick --dry-run --json --set n=3 && cell "length == 1 and .[0].n == 3 and (.[0].settings | has(\"delay\") | not)"'
check what-goes-on-has-its-own eval 'ORRERY_RUN_SEED=3 run 0 run --resume last --dry-run && grep -q "0 cells to run" "$work/out"'
check but-is-not-told-more fails 2 'takes everything from the run' run --resume last --seed 3
check ceilings-are-no-cells eval 'ORRERY_RUN_SEED=3 run 0 run ceilings --dry-run'
check ceilings-are-not-told-of-cells fails 2 'run ceilings. takes' run ceilings --dry-run --seed 3
check a-comparison-measures-nothing eval 'ORRERY_ALL_DEVICE=host fails 2 "no journal, folder or machine" compare a b'
wrong_device() { ORRERY_RUN_DEVICE=cuda:77 run 4 run plugins/quick --dry-run; grep -q '^orrery: defaults here: --device=cuda:77 (ORRERY_RUN_DEVICE)' "$work/err"; }
check the-wrong-device-is-told wrong_device

cp "$root/docs/examples/orrery.yaml" . && check the-example run 0 list papers

# --- mistakes ---
refuses() { # MESSAGE, the file on standard input
    yaml
    fails 2 "^orrery: orrery.yaml:$1" list papers
}
mistake() { check "mistake: $1" refuses "$2" <<<"$3"; }
mistake command "2: there is no command 'rum'; did you mean 'run'\?$" $'table: {format: md}\nrum:\n  device: host'
mistake option "2: run has no option with a default 'devcie'; did you mean 'device'\?$" $'run:\n  devcie: host'
mistake "option of a verb" "1: dataset make has no option with a default 'sed'; did you mean 'seed'" 'dataset make: {sed: 3}'
mistake flag "1: run has no option with a default 'sandbox'; there are counters, device" 'run: {sandbox: yes}'
mistake "what is named each time" "1: run has no option with a default 'resume'" 'run: {resume: last}'
mistake "a file to write" "1: table has no option with a default 'output'" 'table: {output: README.md}'
mistake "every command's output" "1: all has no option with a default 'output'" 'all: {output: here}'
mistake twice "3: 'device' is there twice" $'run:\n  device: host\n  device: host'
mistake "no value" "1: 'device' takes a value, or a list of them" 'run: {device: }'
mistake "an empty list" "1: 'device' takes a value, or a list of them" 'run: {device: []}'
mistake "an object" "1: 'device' takes a value, or a list of them" 'run: {device: {a: 1}}'
mistake "two lines" "1: 'machine' takes a value of one line" 'run: {machine: "a\nrm"}'
mistake "no section" "1: 'run' is a command: its options stand below it, indented" 'run: host'
mistake "no commands" "1: commands belong here" '- run'
mistake "no YAML" "3: did not find" $'run: {device: host\n'
mistake deep "[0-9]+: nested deeper" "run: $(printf '[%.0s' {1..40})"
yaml <<<'run: {repeats: many}'
check mistake-in-a-value fails 2 '^orrery: orrery.yaml:1: --repeats takes a whole number from 1 up, not .many.$' run plugins/quick --dry-run
yaml <<<'run: {repeats: [1, 2]}'
check mistake-two-values fails 2 '^orrery: orrery.yaml:1: --repeats takes one value$' run plugins/quick --dry-run
check in-a-variable eval 'ORRERY_RUN_REPEATS=x fails 2 "^orrery: ORRERY_RUN_REPEATS: --repeats takes a whole number from 1 up" run plugins/quick --dry-run'
rm orrery.yaml && mkfifo orrery.yaml
check no-pipe-is-waited-for fails 2 'orrery.yaml' list papers
rm orrery.yaml
yaml <<<'rum: {device: host}'
check help-goes-on run 0 help run
check help-of-a-command-goes-on run 0 run --help
doctor() { ORRERY_RUN_DEVCIE=host ORRERY_RUN_DEVICE=host ORRERY_DRIVERS=none "$orrery" doctor --json >"$work/found" 2>/dev/null; }
doctor
finds() { jq -e --arg item "$1" --arg state "$2" --arg what "$3" 'any(.item == $item and .state == $state and (.what | test($what)))' "$work/found"; }
check doctor-names-files finds defaults ok '^orrery.yaml: 1 option$'
check doctor-names-missing-ones finds defaults ok "^$own: not there$"
check doctor-names-mistakes finds defaults FAILED "there is no command 'rum'"
check doctor-names-variables finds variable ok '^ORRERY_RUN_DEVICE=host$'
check doctor-names-misspelt-ones finds variable missing "ORRERY_RUN_DEVCIE; did you mean 'ORRERY_RUN_DEVICE'"
rm orrery.yaml

# --- the page ---
page=$root/docs/CONFIGURATION.md
explained() { # what `orrery help environment` says stands on the page, and in the manual
    local line count=0
    run 0 help environment && run 0 help --for man && cp "$work/out" manual && run 0 help environment || return 1
    while read -r name text; do
        count=$((count + 1))
        grep -qxF "| \`$name\` | ${text//|/\\|} |" "$page" || { echo "not in docs/CONFIGURATION.md: | \`$name\` | $text |"; return 1; }
        grep -qF "${name//_/_}" <(sed 's/\\-/-/g' manual) || { echo "not in the manual: $name"; return 1; }
    done <"$work/out"
    [ $count -gt 20 ]
}
check variables-are-on-the-page explained
# Every name that the sources have in quotes, read by getenv or through a constant, is among them.
sources() { grep -rhoE '"ORRERY_[A-Z_]+"' "${@:-$root/harness}" "$root"/{variants,datasets} | tr -d '"' | sort -u; }
all_explained() {
    local name
    for name in $(sources "$@"); do grep -q "^| \`$name\` |" "$page" || { echo "$name is read and not explained"; return 1; }; done
}
check variables-of-the-program all_explained
planted() { mkdir -p planted && echo 'static const char NEW[] = "ORRERY_NEW";' >planted/new.c && ! all_explained planted >/dev/null; }
check a-new-variable-is-seen planted
# Those that only tests, tools and the Makefile read.
of_tests() {
    {
        grep -rhoE 'getenv\("ORRERY_[A-Z_]+"\)' "$root/tests"
        grep -rhoE '\$\{ORRERY_[A-Z_]+' "$root"/{tests,tools,.ci,Makefile,run_all.sh}
    } | grep -oE 'ORRERY_[A-Z_]+' | sort -u | while read -r name; do
        grep -q "^| \`$name\` |" "$page" || echo "$name is not on the page"
    done | tee missing
    [ ! -s missing ]
}
check variables-of-tests of_tests
finish
