# SPDX-License-Identifier: MIT
# Stacks of phases, their share of the sum of all, one stack a size; the stacks of a program on a device stand side by side.
set style fill solid 0.9 border rgb "#ffffff"
set ylabel "share of an iteration [%]" textcolor rgb ink
set xlabel x_label noenhanced textcolor rgb ink offset 0, -0.3
set yrange [0:100]
set xrange [-0.7:value(sprintf("bar_%d", bars)) + 0.7]
set grid noxtics
set xtics () scale 0
if (bars > 10) { set xtics font tiny rotate by 45 right }
do for [b = 1:bars] { set xtics add (gprintf("%.0s%c", value(sprintf("bar_x_%d", b))) value(sprintf("bar_%d", b))) }
do for [c = 1:curves] {
    set label c value(sprintf("curve_label_%d", c)) at value(sprintf("curve_%d", c)), 102 center noenhanced textcolor rgb ink font small
}
set tmargin 6
set title offset 0, 1
set key below height 0.5 maxcols 4 font small
plot for [k = 1:series] file(k) using 1:2:($1 - 0.4):($1 + 0.4):2:3 skip 1 with boxxyerror linecolor rgb colour(style(k)) title label(k), \
    for [k = 1:series] file(k) using 1:(($2 + $3) / 2):4 skip 1 with labels hypertext point pointtype 5 pointsize 3 linecolor rgb "#ff000000" notitle
