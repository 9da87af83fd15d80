# Values over the number of bodies, the bodies in a box or a parameter, on logarithmic axes: one line a program, setting and device;
# open symbols are published. Bars are 95 % intervals of the median, or half a unit in the last printed digit; ≈ marks what is
# extrapolated. Set before: x_label, x_base (10: numbers of bodies, 2: powers of two, 1: a parameter of the values x_values), y_label, y_format; `linear`
# (1: growth with x is dashed) and `mean_of` (bodies that the sums are over: the right axis is the mean) may be.
set logscale xy
set xlabel x_label noenhanced textcolor rgb ink offset 0, 0.3
set ylabel y_label textcolor rgb ink
set format y y_format
if (x_base == 2) {
    set logscale x 2
    set format x "%g"
} else {
    set format x "%.0s %c"
    set mxtics 10
}
if (x_base == 1) {
    set xtics ()
    do for [x in x_values] { set xtics add (x x + 0) }
}
eval range_of
set xrange [low_x / 1.25:high_x * 1.25]
set yrange [low_y / 2:high_y * 2]
linear = exists("linear") ? linear : 0
# The right axis is the mean of the sums on the left; gnuplot cannot link a logarithmic axis: the two ranges are set to match.
if (exists("mean_of")) {
    set yrange [low_y / 2:high_y * 2]
    set y2range [low_y / 2 / mean_of:high_y * 2 / mean_of]
    set logscale y2
    set y2label "mean of a body" textcolor rgb ink
    set y2tics textcolor rgb ink
    set format y2 y_format
    set border 11 linecolor rgb ink linewidth 1
}
# Decades alone say little of a short range.
if (high_y / low_y < 50 && y_format eq "%g") {
    do for [d = -9:9] { do for [m in "2 5"] { set ytics add (sprintf("%g", m * 10 ** d) m * 10 ** d) } }
}
if (high_x / low_x < 50 && x_base == 10) {
    do for [d = 0:9] { do for [m in "2 5"] { set xtics add (gprintf("%.0s %c", m * 10 ** d) m * 10 ** d) } }
}
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
    for [k = 1:(linear ? 1 : 0)] x / low_x with lines linecolor rgb "#555555" dashtype 2 linewidth 1.5 title "linear", \
    for [k = 1:estimates] keyentry with points pointtype "≈" font ",18" textcolor rgb ink title "extrapolated from fewer particles"
