# SPDX-License-Identifier: MIT
# How many times as fast as printed, over the years of the devices, on a logarithmic axis: the paper's own card stands at 1. A colour a
# program; open circles are published, filled ones the same program measured here, diamonds the fastest at its error. Bars are 95 %
# intervals with half a unit in the last printed digit, ≈ marks what is extrapolated. Set before: devices, x_<d> and name_<d> (a year,
# and beside it where several devices are of one year), modern (1: there are diamonds).
number(name, k) = 1.0 * value(sprintf("%s_%d", name, k))
set logscale y
set ylabel "times as fast as published" textcolor rgb ink
set format y "%g"
set xlabel "year of the device" textcolor rgb ink offset 0, 0.3
eval range_of
do for [d = 1:int(devices)] {
    low_x = number("x", d) < low_x ? number("x", d) : low_x
    high_x = number("x", d) > high_x ? number("x", d) : high_x
}
low_y = (low_y < 1 ? low_y : 1) / 2.0
high_y = high_y * 2
set xrange [low_x - 1:high_x + 1]
# Names of devices stand upright in the upper part.
set yrange [low_y:high_y * (high_y / low_y) ** 0.75]
set xtics 2
set format x "%.0f"
do for [d = 1:int(devices)] {
    set arrow from first number("x", d), graph 0 to first number("x", d), graph 1 nohead back linecolor rgb pale dashtype 3
    set label value(sprintf("name_%d", d)) at first number("x", d), graph 0.985 right rotate by 90 offset 0.6, 0 noenhanced \
        textcolor rgb "#666666" font tiny
}
set arrow from graph 0, first 1 to graph 1, first 1 nohead back linecolor rgb "#999999"
set key below height 0.5 maxcols 3 font small
shape(s) = s >= 200 ? 13 : s < 0 ? 6 : 7
plot for [k = 1:series] file(k) using 1:5:3:4 skip 1 with yerrorbars linecolor rgb colour(style(k)) pointtype shape(style(k)) \
        pointsize 1.4 linewidth 1.5 notitle, \
    for [k = 1:series] file(k) using 1:6:("≈") skip 1 with labels font sign textcolor rgb colour(style(k)) notitle, \
    for [k = 1:series] keyentry with points linecolor rgb colour(style(k)) pointtype 5 pointsize 1.4 \
        title style(k) < 0 ? label(k) : "", \
    keyentry with points linecolor rgb ink pointtype 6 pointsize 1.4 linewidth 1.5 title "published", \
    keyentry with points linecolor rgb ink pointtype 7 pointsize 1.4 title "the same program, measured", \
    for [k = 1:int(modern)] keyentry with points linecolor rgb ink pointtype 13 pointsize 1.4 title "the fastest at its error", \
    for [k = 1:estimates] keyentry with points pointtype "≈" font sign textcolor rgb ink title "extrapolated from fewer particles"
