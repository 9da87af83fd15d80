#!/bin/bash
# SPDX-License-Identifier: MIT
# Cases that people meet: each folder of tests/cases is run as its user would, and what is wanted of it is held.
# usage: tests/e2e_cases.sh [PATTERN...]    cases whose name contains one of them; all without
#
# A folder NN-name has, beside its inputs:
#   cmd      run by bash in a copy of the folder, with `orrery` on PATH and the sources at $SOURCE
#   want     what must hold, a line each; empty ones and those that begin with # say nothing:
#              exit N          the exit status; 0 where no line says another
#              out: REGEX      an extended regular expression is found on a line of standard output
#              err: REGEX      the same of standard error
#              not: REGEX      found on no line of either
#              file NAME: REGEX   found on a line of that file
#              no file NAME    no such file is there
#              check: COMMAND  a command of bash that succeeds afterwards, in the same folder; its output is shown if not
#              needs: COMMAND  without whose success the case is skipped, in so many words
#   make.py, make.sh   written inputs: run before, in the copy; make.py by a Python that has the modules it imports
. "$(dirname "$0")/lib_e2e.sh"
export PATH=$BUILD:$PATH SOURCE=$root PYTHON= PYTHONPATH=$root/tests/cases PYTHONDONTWRITEBYTECODE=1
cases=$root/tests/cases

# The Python that has every module that a script imports at the beginning of a line; looked for once for each set of them.
declare -A pythons
python_for() {
    local modules
    modules=$(sed -nE 's/^import ([A-Za-z0-9_.]+).*/\1/p; s/^from ([A-Za-z0-9_.]+) import.*/\1/p' "$1" | sort -u | paste -sd,)
    [ -n "${pythons[$modules]+known}" ] || pythons[$modules]=$(python_with "$modules")
    PYTHON=${pythons[$modules]}
    [ "$PYTHON" ]
}
# make_inputs: 0 done, 1 a script failed, 2 there is no Python for it.
make_inputs() {
    if [ -e make.py ]; then
        python_for make.py || return 2
        "$PYTHON" make.py || return 1
    fi
    [ ! -e make.sh ] || bash make.sh
}
found() { grep -qE -- "$2" "$1" || { echo "not found: $2"; return 1; }; }
# holds LINE: whether that line of `want` does.
holds() {
    local rest=${1#*: }
    case $1 in
    "exit "*) [ "$(cat ../status)" = "${1#exit }" ] || { echo "exit status $(cat ../status), not ${1#exit }"; return 1; } ;;
    "out: "*) found ../out "$rest" ;;
    "err: "*) found ../err "$rest" ;;
    "not: "*) ! grep -E -- "$rest" ../out ../err ;;
    "no file "*) ! ls -d "${1#no file }" 2>/dev/null ;;
    "file "*) rest=${1%%: *} && found "${rest#file }" "${1#*: }" ;;
    "check: "*) bash -c "$rest" ;;
    *) echo "want says what no case may: $1"; return 1 ;;
    esac
}
# Each line that does not hold, and what the command said.
held() {
    local line good=0
    grep -q '^exit ' want || holds "exit 0" || good=1
    while IFS= read -r line || [ "$line" ]; do
        case $line in "" | "#"* | "needs: "*) continue ;; esac
        holds "$line" || { echo "of want: $line"; good=1; }
    done <want
    return $good
}
# In a folder of its own, so that what the program leaves beside the inputs is seen.
run_case() {
    local name=$1 made=0 lacks
    mkdir -p "$work/$name" && cp -r "$cases/$name" "$work/$name/in" && chmod -R u+w "$work/$name/in" && cd "$work/$name/in" || return
    while IFS= read -r lacks; do
        bash -c "$lacks" >/dev/null 2>&1 || { echo "skipped: $name: it needs $lacks"; return; }
    done < <(sed -n 's/^needs: //p' want)
    make_inputs >../out 2>&1 || made=$?
    if [ $made -eq 2 ]; then echo "skipped: $name: no Python has what make.py imports"; return; fi
    : >../err
    if [ $made -eq 0 ]; then
        # To load a driver takes as long as many of these commands: it is there where a case names OpenCL or a variant of it.
        (grep -qE 'opencl|OCL_ICD|unrolling|optimised|third-law|octgrav' cmd || export OCL_ICD_VENDORS=/nonexistent
            timeout "$(patience 120)" bash cmd >../out 2>../err </dev/null)
        echo $? >../status
    fi
    cp ../out ../err "$work" # shown where it fails
    check "$name" eval '[ $made -eq 0 ] && held'
}
asked() { [ -z "$patterns" ] || grep -qF -- "$patterns" <<<"$1"; } # NAME: all where no pattern is given
patterns=$(printf '%s\n' "$@")
for folder in "$cases"/*/; do
    name=$(basename "$folder")
    [ ! -e "$folder/cmd" ] || ! asked "$name" || run_case "$name"
    cd "$root" || exit 1
done
