# SPDX-License-Identifier: MIT
# GFLOPS by the paper's convention over N; the right axis is the same speed in interactions a second. Open symbols and dotted
# lines: figures quoted in the paper. Bands: the ceilings that the cells' own runs measured, of each kind of pair, from the lowest to
# the highest.
set logscale xy
set xlabel "N (bodies)" textcolor rgb ink offset 0, 0.3
set ylabel sprintf("GFLOPS at %g operations an interaction", flops) textcolor rgb ink
set format x "%.0s%c"
set format y "%g"
set mxtics 10
# gnuplot cannot link a logarithmic axis: the two ranges are set to match.
eval range_of
do for [c = 1:ceilings] { high_y = value(sprintf("ceiling_%d", c)) > high_y ? value(sprintf("ceiling_%d", c)) : high_y }
low = low_y / 1.5
high = high_y * 1.8
set xrange [low_x / 1.15:high_x * 1.15]
set yrange [low:high]
set y2range [low * 1e9 / flops:high * 1e9 / flops]
set logscale y2
set y2tics textcolor rgb ink
set format y2 "10^{%L}"
set border 11 linecolor rgb ink linewidth 1
eval more_tics("y", "low_y", "high_y", "%g")
eval more_tics("y2", "low_y * 1e9 / flops", "high_y * 1e9 / flops", "10^{%L}")
unset key
quoted(k) = style(k) < 0
unset logscale
longest = 1
mine = ""
do for [k = 1:series] { mine = mine.sprintf(" %d", k); longest = strlen(label(k)) > longest ? strlen(label(k)) : longest }
name_room = 55
names = (longest < name_room ? longest : name_room) * per_character + 24
from_y = low; to_y = high; log_y = 1; tall = height - 202.0
beyond = 1 + 145.0 / (width - names - 275)
if (words(mine)) { load plots."/ends.gp" }
from_x = low_x / 1.15; to_x = high_x * 1.15; wide = width - names - 275.0
load plots."/ceilings.gp"
set logscale xy; set logscale y2
unset title
set label 92 heading at screen 0.5, screen 1 - 26.0 / height center textcolor rgb ink
set label 94 "interactions / s" at screen 1 - (names + 26) / width, screen 0.5 center rotate by 90 textcolor rgb ink
set lmargin at screen 130.0 / width
set rmargin at screen 1 - (names + 145) / width
set tmargin at screen 1 - 84.0 / height
set bmargin at screen 118.0 / height
key_left = 100; load plots."/key.gp"
plot for [k = 1:series] file(k) using 1:2:3:4 skip 1 with yerrorlines linecolor rgb colour(style(k)) \
        pointtype point(style(k)) pointsize (quoted(k) ? 2.2 : 1.4) * shrink linewidth (quoted(k) ? 1.5 : 2) dashtype dashes(style(k)) \
        title label(k), \
    for [k = 1:series] (quoted(k) ? value_of[k] : NaN) with lines linecolor rgb colour(style(k)) dashtype 3 linewidth 1.5 \
        title label(k), \
    for [k = 1:series] file(k) using 1:2:5 skip 1 with labels offset 0, 1 font sign textcolor rgb ink title label(k), \
    for [k = 1:series] file(k) using 1:2:6 skip 1 with labels hypertext point pointtype 7 pointsize 2 linecolor rgb "#ff000000" title label(k)
