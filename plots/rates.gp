# GFLOPS by the paper's convention over N; the right axis is the same speed in interactions a second. Open symbols and dotted
# lines: figures quoted in the paper. Dashed: the measured ceiling of each device.
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
set key below height 0.5 maxcols 3
quoted(k) = style(k) < 0
plot for [k = 1:series] file(k) using 1:2:3:4 skip 1 with yerrorlines linecolor rgb colour(style(k)) \
        pointtype point(style(k)) pointsize (quoted(k) ? 2.2 : 1.2) linewidth (quoted(k) ? 1.5 : 2) dashtype dashes(style(k)) \
        title label(k), \
    for [k = 1:series] (quoted(k) ? value(sprintf("value_%d", k)) : NaN) with lines linecolor rgb colour(style(k)) dashtype 3 linewidth 1.5 notitle, \
    for [k = 1:series] file(k) using 1:2:5 skip 1 with labels offset 0, 1 font ",18" textcolor rgb ink notitle, \
    for [c = 1:ceilings] value(sprintf("ceiling_%d", c)) with lines linecolor rgb "#555555" dashtype 2 * c linewidth 1.5 \
        title value(sprintf("ceiling_label_%d", c)), \
    for [k = 1:estimates] keyentry with points pointtype "≈" font ",18" textcolor rgb ink title "extrapolated from fewer particles"
