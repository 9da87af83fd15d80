#!/bin/bash
# SPDX-License-Identifier: MIT
# Tables as LaTeX: pdflatex takes them without an error, a warning or a line that is too long. A golden file has what they look like.
. "$(dirname "$0")/lib_e2e.sh"
use_papers
odd="SELECT 'µ_%#&{}~^\\<>|\$ --a é®🙂' AS \"h_%µ#&\", '[x]' AS b, 1.5 AS c UNION ALL SELECT '$(printf 'no_break%.0s' {1..12}) [y', '', NULL UNION ALL SELECT '$(printf '%b' "$(printf '\\u%04x' {160..255})")', '«θ→∞»', 2"

# named NAME ARGUMENTS...: writes NAME.tex.
named() { run 0 "${@:2}" -f tex -o "$1.tex"; }
sources=(published wide long audit compared odd)
check published named published table shan/table3 -r "$frozen_gpu"
check wide named wide table fujiwara/table2 -r "$frozen_cpu"
check long named long table feng/fig12 -r "$root/tests/data/feng-fixture.jsonl"
check audit named audit table shan/table1 -r "$frozen_gpu"
check compared named compared compare "$frozen_gpu@opencl:0.0" "$frozen_gpu@cuda:0"
check odd named odd query "$odd"
check a-label-by-experiment grep -qxF '\label{tab:shan-table3}' published.tex
check published-beside-measured grep -qE '\{published, Tesla C1060\} & \{79\.506\}\$\^\{2\}\$' published.tex
check reserved-characters grep -qF '{$\mu$\_\%\#\&\{\}\textasciitilde{}\textasciicircum{}\textbackslash{}$<$$>$$|$$\$$ -{}-a é(R)?}' odd.tex
check a-long-text-is-wrapped grep -qF '>{\raggedright\arraybackslash}p{' audit.tex
command -v pdflatex >/dev/null && kpsewhich booktabs.sty >/dev/null ||
    { echo "skipped: tables compiled, for pdflatex or booktabs is not installed"; exit 0; }
if [ -n "${ORRERY_ALL_TESTS:-}" ]; then
    for machine in nvidia-h200 nvidia-h100-80gb-hbm3 amd-epyc-2-cores; do
        for what in shan feng fujiwara gaburov roofline generations; do
            check "$machine-$what" named "$machine-$what" table "$what" -r "$machine"
            sources+=("$machine-$what")
        done
    done
    check ceilings named ceilings table ceilings -r nvidia-h200
    check machines named machines table shan/table3 -m nvidia-h200 -m amd-epyc-2-cores
    check energy named energy table fujiwara -q energy -r nvidia-h200
    sources+=(ceilings machines energy)
fi
# compiles CLASS-OPTIONS FILE...: into one document, whose log complains of nothing.
compiles() {
    local of=$1
    shift
    {
        printf '\\documentclass%s{article}\n\\usepackage{array,booktabs,graphicx}\n\\begin{document}\n' "$of"
        printf '\\input{%s}\n' "$@"
        printf '\\end{document}\n'
    } >all.tex
    timeout "$(patience 100)" pdflatex -interaction=nonstopmode -halt-on-error all.tex >said 2>&1 </dev/null || { tail -20 said; return 1; }
    grep -q '^Output written on all.pdf' all.log && ! grep -E -A3 '^!|Overfull|Float too large|multiply|undefined|Missing character' all.log && ! grep -q mktexpk said
}
in_pieces() { # an article of all in one would hold a label twice
    local source
    for source in "${sources[@]}"; do compiles "$1" "$source" || { echo "$source $1"; return 1; }; done
}
check in-one-document compiles '' published wide long audit compared odd
check in-two-columns in_pieces '[twocolumn]'
if [ -n "${ORRERY_ALL_TESTS:-}" ]; then
    check in-one-column in_pieces ''
    check in-large-type in_pieces '[12pt,a4paper]'
fi
overfull() { printf '\\hbox to 9pt{too long a line}\n' >long_line.tex && ! compiles '' long_line >/dev/null; }
check a-long-line-is-seen overfull
check an-error-is-seen eval 'echo "a_b" >error.tex; ! compiles "" error >/dev/null'
