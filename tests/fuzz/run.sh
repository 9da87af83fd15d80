#!/bin/bash
# SPDX-License-Identifier: MIT
# Fuzzes the readers side by side, each for FUZZ_SECONDS. What does harm is kept below BUILD/found, with what was said of it; once
# mended, it belongs into tests/fuzz/corpus.
# usage: tests/fuzz/run.sh BUILD [READER...]
set -u
cd "$(dirname "$0")/../.." || exit
build=$1
shift
[ $# -gt 0 ] || mapfile -t all < <("$build/fuzz")
[ $# -gt 0 ] || set -- "${all[@]}"

# The words that a reader knows, from its source: what is in quotes there.
words_of() { # READER
    local files
    case $1 in
    paper) files="plan/paper.c plan/paper_check.c" ;;
    journal) files="ledger/ledger_load.c plan/request.c" ;;
    published) files="ledger/published.sql" ;;
    formulas) files="audit/formulas.sql names.c" ;;
    messages) files="plan/cell.c worker/worker.c" ;;
    tables) files="present/queries.c present/query_table.c present/query_figure.c" ;;
    claims) files="claims/claims_functions.c" ;;
    *) return ;;
    esac
    (cd harness && { grep -ohE '"[A-Za-z_. ?-]{2,40}"' $files
        [ "$1" != journal ] || cut -d, -f1,2 ledger/members.csv | tr ',/' '\n' | grep -E '^[a-z_0-9]{2,40}$' | sed 's/.*/"&"/'; } | sort -u)
}

one() { # BUILD READER
    local found=$1/found grown=$1/corpus/$2 log=$1/found/$2.log words=()
    mkdir -p "$found" "$grown" "$1/home/$2"
    words_of "$2" >"$1/home/$2.dict"
    [ ! -s "$1/home/$2.dict" ] || words=("-dict=$1/home/$2.dict")
    # A deep trace of every allocation would take most of the time.
    ASAN_OPTIONS=malloc_context_size=3:quarantine_size_mb=16 READER=$2 HOME_FOLDER=$1/home/$2 TMPDIR=$1/home/$2 "$1/fuzz" -max_total_time="${FUZZ_SECONDS:-60}" -timeout=20 -rss_limit_mb=2048 \
        -max_len=16384 -artifact_prefix="$found/$2-" "${words[@]}" "$grown" "tests/fuzz/corpus/$2" >"$log" 2>&1
    local status=$? runs
    runs=$(grep -oE '^#[0-9]+' "$log" | tail -1)
    if [ $status -eq 0 ]; then
        echo "ok $2 (${runs#\#} inputs)"
    else
        echo "not ok $2: exit status $status after ${runs#\#} inputs; see $log"
        grep -E -m 5 'broken promise|ERROR|runtime error|SUMMARY|Test unit written' "$log" | sed 's/^/    /'
    fi
    return $status
}
if [ "${1:-}" = --one ]; then
    one "$build" "$2"
    exit
fi
printf '%s\n' "$@" | xargs -P "${FUZZ_JOBS:-$(nproc)}" -I{} "$0" "$build" --one {}
