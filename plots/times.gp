# Time over the size of the input, one line a program, setting and device; open symbols are the published times. Bars are 95 %
# intervals of the median, or half a unit in the last printed digit; ≈ marks an extrapolated time.
set logscale xy
set xlabel size_label textcolor rgb ink offset 0, 0.3
set ylabel sprintf("time [%s]", unit) textcolor rgb ink
set format y "10^{%L}"
if (boxed) {
    set logscale x 2
    set format x "%g"
} else {
    set format x "%.0s %c"
    set mxtics 10
}
eval range_of
set xrange [low_x / 1.25:high_x * 1.25]
set yrange [low_y / 2:high_y * 2]
set key below height 0.5 maxcols 3
if (series > 6) { set key font ",11" }
# An extrapolated point is the mark alone, on a white ground so that no line runs through it.
set style textbox opaque fillcolor rgb "#ffffff" noborder margins 0.3, 0.1
plot for [k = 1:series] file(k) using 1:2 skip 1 with lines linecolor rgb colour(style(k)) \
        linewidth (style(k) < 0 ? 1.5 : 2) dashtype dashes(style(k)) notitle, \
    for [k = 1:series] file(k) using 1:5:3:4 skip 1 with yerrorbars linecolor rgb colour(style(k)) \
        pointtype point(style(k)) pointsize 1.4 linewidth (style(k) < 0 ? 1.5 : 2) notitle, \
    for [k = 1:series] file(k) using 1:6:("≈") skip 1 with labels boxed font ",16" textcolor rgb colour(style(k)) notitle, \
    for [k = 1:series] keyentry with linespoints linecolor rgb colour(style(k)) pointtype point(style(k)) pointsize 1.4 \
        linewidth (style(k) < 0 ? 1.5 : 2) dashtype dashes(style(k)) title label(k), \
    for [k = 1:estimates] keyentry with points pointtype "≈" font ",18" textcolor rgb ink title "extrapolated from fewer particles"
