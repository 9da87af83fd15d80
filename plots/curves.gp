# SPDX-License-Identifier: MIT
# Values over the number of bodies, the bodies in a box or a parameter, on logarithmic axes: one line a program, setting and device;
# open symbols are published. Bars are 95 % intervals of the median, or half a unit in the last printed digit; ≈ marks what is
# extrapolated. Set before: x_label, x_base (10: numbers of bodies, 2: powers of two, 1: a parameter of the values x_values), y_label, y_format; `guide` (a slope: that times x
# is dashed, and guide_name says what it is), `straight` (both axes are linear), `y_most` (y is linear up to it) and `mean_of` (bodies that the sums are over: the right axis is the mean) may be.
straight = exists("straight") ? straight : 0
log_y = exists("y_most") || straight ? 0 : 1
set xlabel x_label noenhanced textcolor rgb ink offset 0, 0.3
set ylabel y_label textcolor rgb ink
set format y y_format
set format x (x_base == 2 ? "%g" : "%.0s%c")
if (x_base != 2) { set mxtics 10 }
eval range_of
from_x = straight ? 0 : low_x / 1.25; to_x = straight ? high_x * 1.03 : high_x * 1.25
set xrange [from_x:to_x]
from_y = log_y ? low_y / 2 : 0; to_y = log_y ? high_y * 2 : straight ? high_y * 1.1 : y_most
set yrange [from_y:to_y]
# The right axis is the mean of the sums on the left; gnuplot cannot link a logarithmic axis: the two ranges are set to match.
if (exists("mean_of")) {
    set y2range [low_y / 2 / mean_of:high_y * 2 / mean_of]
    set logscale y2
    set y2tics textcolor rgb ink
    set format y2 y_format
    set border 11 linecolor rgb ink linewidth 1
}
eval log_y ? more_tics("y", "low_y", "high_y", y_format) : ""
if (exists("mean_of")) { eval more_tics("y2", "low_y / mean_of", "high_y / mean_of", y_format) }
if (high_x / low_x < 50 && x_base == 10 && !straight) {
    do for [d = 0:9] { do for [m in "2 5"] { set xtics add (gprintf("%.0s%c", m * 10 ** d) m * 10 ** d) } }
}
guide = exists("guide") ? guide : 0
# Open marks and dots are published numbers. Names stand at the ends of lines. Where there are many programs and few sizes, or one size, programs stand below each other and sizes are the marks.
most_x = 0
longest = 1
do for [k = 1:series] {
    stats [*:*][*:*] file(k) using 1 skip 1 nooutput
    most_x = STATS_records > most_x ? STATS_records : most_x
    longest = strlen(label(k)) > longest ? strlen(label(k)) : longest
}
name_room = 55
names = (longest < name_room ? longest : name_room) * per_character + 24
if (x_base == 1) { eval named_tics(x_values, low_x / 1.25, high_x * 1.25, width - names - 130) }
set style textbox opaque fillcolor rgb "#ffffff" noborder margins 0.3, 0.1
unset key
one_size = low_x == high_x && !exists("mean_of") ? 1 : 0
if ((series > 8 && most_x <= 3) || one_size) {
    sizes = ""
    do for [k = 1:series] { stats [*:*][*:*] file(k) using (sizes = strstrt(sizes." ", sprintf(" %.10g ", $1)) ? sizes : sizes.sprintf(" %.10g", $1), $1) skip 1 nooutput }
    turn_of(x) = int(sum [i = 1:words(sizes)] (word(sizes, i) + 0 == x ? i : 0))
    x_name = x_base == 10 ? "N" : x_base == 2 ? "P" : x_label
    hue(x) = int(word("0x0072B2 0xD55E00 0x009E73", 1 + (turn_of(x) - 1) % 3))
    unset logscale
    unset title
    set label 92 heading at screen 0.5, screen 1 - 26.0 / height center textcolor rgb ink
    set tmargin at screen 1 - 84.0 / height
    names = longest * per_character * 0.85 + 30
    set lmargin at screen (names > 0.62 * width ? 0.62 * width : names) / width
    set yrange [series + 0.6:0.4]
    if (one_size) { set xrange [0:high_y * 1.1] } else { set xrange [low_y / 1.5:high_y * 1.5]; set logscale x 10 }
    set format x (one_size && high_y >= 1e4 ? "%.1s%c" : "%g")
    set xtics autofreq; unset mxtics
    set xlabel y_label
    unset ylabel
    set ytics ()
    do for [k = 1:series] { set ytics add (label(k) k) }
    set ytics noenhanced font tiny scale 0
    # gnuplot sets a key of such entries in a column, which would cover the numbers of the axis.
    key_left = 100; load plots."/key.gp"
    do for [i = 1:words(sizes)] {
        size_name = x_name." = ".gprintf(x_base == 10 ? "%.0s %c" : "%g", word(sizes, i) + 0)
        set label entry "" at screen key_at / width, screen key_y \
            point pointtype 7 pointsize 1.4 * shrink linecolor rgb hue(word(sizes, i) + 0)
        set label entry + 1 size_name at screen (key_at + 16) / width, screen key_y left noenhanced font small textcolor rgb ink
        key_at = key_at + 60 + per_character * strlen(size_name); entry = entry + 2
    }
    set rmargin at screen 1 - 30.0 / width
    set bmargin at screen 130.0 / height
    plot for [k = 1:(one_size ? series : 0)] file(k) using (0):(k):5:(0) skip 1 with vectors nohead linewidth 6 \
            linecolor rgb (style(k) < 0 ? "#c8c8c8" : "#0072B2") notitle, \
        for [k = 1:series] file(k) using 5:(k):(hue($1)) skip 1 with points pointtype (style(k) < 0 ? 6 : 7) pointsize 1.4 * shrink \
            linecolor rgb variable notitle, \
        for [k = 1:series] file(k) using 6:(k):("≈"):(hue($1)) skip 1 with labels font sign textcolor rgb variable notitle, \
        for [k = 1:series] file(k) using 2:(k):7 skip 1 with labels hypertext point pointtype 7 pointsize 2 linecolor rgb "#ff000000" notitle
} else {
    beyond = exists("mean_of") ? 1 + 145.0 / (width - names - 255) : 1.015
    room = names + (exists("mean_of") ? 145 : 0)
    unset title; unset ylabel
    mine = ""
    do for [k = 1:series] { mine = mine.sprintf(" %d", k) }
    head = 84.0; foot = estimates || key_wanted || guide > 0 ? 112.0 : 80.0
    tall = height - head - foot
    set lmargin at screen 110.0 / width
    set rmargin at screen 1 - room / width
    set tmargin at screen 1 - head / height
    set bmargin at screen 1 - (head + tall) / height
    # Decades that would touch are named every few.
    every = log_y ? ceil(27.0 * log10(to_y / from_y) / tall) : 1
    if (every > 1) { set ytics 10 ** every }
    unset logscale
    load plots."/ends.gp"
    if (log_y) { set logscale y }
    if (!straight) { set logscale x (x_base == 2 ? 2 : 10) }
    if (exists("mean_of")) { set logscale y2 }
    set label 93 y_label at screen 24.0 / width, screen 0.5 center rotate by 90 textcolor rgb ink
    if (exists("mean_of")) {
        set label 94 "mean of a body" at screen 1 - (names + 26) / width, screen 0.5 center rotate by 90 textcolor rgb ink
    }
    set label 92 heading at screen 0.5, screen 1 - 26.0 / height center textcolor rgb ink
    key_left = 100; load plots."/key.gp"
    plot for [k = 1:series] file(k) using 1:2 skip 1 with lines linecolor rgb colour(style(k)) linewidth (style(k) < 0 ? 1.5 : 2) \
            dashtype dashes(style(k)) title label(k), \
        for [k = 1:series] file(k) using 1:5:3:4 skip 1 with yerrorbars linecolor rgb colour(style(k)) pointtype point(style(k)) \
            pointsize 1.4 * shrink linewidth (style(k) < 0 ? 1.5 : 2) title label(k), \
        for [k = 1:series] file(k) using 1:6:("≈") skip 1 with labels boxed font sign textcolor rgb colour(style(k)) title label(k), \
        for [k = 1:series] file(k) using 1:2:7 skip 1 with labels hypertext point pointtype 7 pointsize 2 linecolor rgb "#ff000000" title label(k), \
        for [k = 1:(guide > 0 ? 1 : 0)] guide * x with lines linecolor rgb "#555555" dashtype 2 linewidth 1.53 notitle
}
