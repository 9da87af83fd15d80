# SPDX-License-Identifier: MIT
# Registers of each program's kernels beside the published registers and ALU words, one group of bars a program.
unset logscale
set style fill solid 0.9 noborder
set boxwidth 0.8 / series
set ylabel "registers of a thread, or ALU words" textcolor rgb ink
set yrange [0:*]
set offsets 0, 0, graph 0.08, 0
set grid noxtics
set key inside top left font small
shift(k) = (k - (series + 1) / 2.0) * 0.8 / series
plot for [k = 1:series] file(k) using ($1 + shift(k)):3 skip 1 with boxes linecolor rgb colour(style(k)) title label(k), \
    for [k = 1:series] file(k) using ($1 + shift(k)):3:(valid(3) ? sprintf("%d", $3) : "") skip 1 with labels offset 0, 0.6 \
        textcolor rgb ink font small notitle, \
    for [k = 1:series] file(k) using ($1 + shift(k)):($3 / 2):4 skip 1 with labels hypertext point pointtype 5 pointsize 4 \
        linecolor rgb "#ff000000" notitle, \
    file(1) using 1:(NaN):xtic(2) skip 1 notitle
