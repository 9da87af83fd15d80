#!/bin/bash
# SPDX-License-Identifier: MIT
# The snippets of docs/ELSEWHERE.md run, and read what Orrery says: pandas and R, where they are installed.
. "$(dirname "$0")/lib_e2e.sh"
page=$root/docs/ELSEWHERE.md
mkdir -p "$work/here/results" && cp -r "$root/tests/data/intel-xeon-2-cores" "$work/here/results/" && cd "$work/here" || exit 1
# What the snippets must agree with, by SQL: cells, their seconds, samples.
run 0 query "SELECT (SELECT count(*) FROM latest WHERE outcome = 'ok') AS cells,
    (SELECT printf('%.6g', sum(seconds)) FROM latest WHERE outcome = 'ok') AS seconds,
    (SELECT count(*) FROM sample s JOIN cell c USING (cell_key) WHERE c.outcome = 'ok' AND kind = 'step_s') AS samples" -f csv
expected=$(sed -n 2p "$work/out" | tr -d '\r' | tr ',' ' ')
snippet() { sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" "$page" | sed '/^```/d'; }
# reads LANGUAGE ENDING COMMAND...: the snippet, and one line of what it read.
reads() {
    local language=$1 ending=$2
    shift 2
    { snippet "$language" && echo "$ending"; } >snippet && [ "$(wc -l <snippet)" -gt 10 ] && PATH=$BUILD:$PATH "$@" snippet >said 2>complaints &&
        [ ! -s complaints ] && [ "$(tail -1 said)" = "$expected" ] || { tail -3 said; cat complaints; echo "not $expected"; return 1; }
}
if python=$(python_with pandas); then
    check "pandas" reads python 'print(len(latest), f"{latest.seconds.sum():.6g}", len(samples))' "$python"
    # A journal with a cell more is another answer: the snippet reads, and does not only run.
    check "what is wrong is seen" eval '! reads python "print(len(latest) + 1, len(samples))" "$python"'
else
    echo "skipped: pandas is not installed"
fi
if command -v Rscript >/dev/null && Rscript -e 'library(jsonlite)' >/dev/null 2>&1; then
    check "R" reads r 'writeLines(paste(nrow(latest), sprintf("%.6g", sum(latest$seconds)), nrow(samples)))' Rscript --vanilla
else
    echo "skipped: R with jsonlite is not installed"
fi
