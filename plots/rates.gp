# GFLOPS by the paper's convention over N; the right axis is the same speed in interactions a second. Open symbols and dotted
# lines: figures quoted in the paper. Bands: the ceilings that the cells' own runs measured, from the lowest to the highest.
set logscale xy
set xlabel "N (bodies)" textcolor rgb ink offset 0, 0.3
set ylabel sprintf("GFLOPS at %g operations an interaction", flops) textcolor rgb ink
set format x "%.0s %c"
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
set y2label "interactions / s" textcolor rgb ink
set y2tics textcolor rgb ink
set format y2 "10^{%L}"
set border 11 linecolor rgb ink linewidth 1
unset key
quoted(k) = style(k) < 0
unset logscale
longest = 1
mine = ""
do for [k = 1:series] { if (!quoted(k)) { mine = mine.sprintf(" %d", k); longest = strlen(label(k)) > longest ? strlen(label(k)) : longest } }
names = longest * (kind eq "svg" ? 6.4 : 9.0) + 24
names = names > 0.4 * width ? 0.4 * width : names
from_y = low; to_y = high; log_y = 1; tall = height - 150.0
beyond = 1 + 110.0 / (width - names - 220)
if (words(mine)) { load plots."/ends.gp" }
set logscale xy; set logscale y2
unset title
set label 92 heading at screen 0.5, screen 1 - 26.0 / height center textcolor rgb ink
set lmargin at screen 110.0 / width
set rmargin at screen 1 - (names + 110) / width
set tmargin at screen 1 - 72.0 / height
set bmargin at screen 78.0 / height
do for [k = 1:series] { if (quoted(k)) { set label 60 + k label(k) at graph 0.02, first value(sprintf("value_%d", k)) offset 0, 0.6 left \
    noenhanced font ",12" textcolor rgb colour(style(k)) } }
do for [c = 1:ceilings] {
    least = value(sprintf("ceiling_low_%d", c)) / 1.004
    most = value(sprintf("ceiling_%d", c)) * 1.004
    set object c rectangle from graph 0, first least to graph 1, first most behind fillcolor rgb "#555555" fillstyle solid 0.35 noborder
    set label 50 + c value(sprintf("ceiling_label_%d", c)) at graph 0.01 + 0.32 * (c - 1), first most offset 0, 0.5 left noenhanced font ",12" textcolor rgb "#555555"
}
if (estimates) { set label 90 "≈ extrapolated from fewer particles" at screen 110.0 / width, screen 18.0 / height left font ",12" textcolor rgb ink }
plot for [k = 1:series] file(k) using 1:2:3:4 skip 1 with yerrorlines linecolor rgb colour(style(k)) \
        pointtype point(style(k)) pointsize (quoted(k) ? 2.2 : 1.2) * shrink linewidth (quoted(k) ? 1.5 : 2) dashtype dashes(style(k)) \
        title label(k), \
    for [k = 1:series] (quoted(k) ? value(sprintf("value_%d", k)) : NaN) with lines linecolor rgb colour(style(k)) dashtype 3 linewidth 1.5 notitle, \
    for [k = 1:series] file(k) using 1:2:5 skip 1 with labels offset 0, 1 font ",18" textcolor rgb ink notitle
