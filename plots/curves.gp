# Values over the number of bodies, the bodies in a box or a parameter, on logarithmic axes: one line a program, setting and device;
# open symbols are published. Bars are 95 % intervals of the median, or half a unit in the last printed digit; ≈ marks what is
# extrapolated. Set before: x_label, x_base (10: numbers of bodies, 2: powers of two, 1: a parameter of the values x_values), y_label, y_format; `linear`
# (1: growth with x is dashed), `y_most` (y is linear up to it) and `mean_of` (bodies that the sums are over: the right axis is the mean) may be.
log_y = exists("y_most") ? 0 : 1
if (log_y) { set logscale xy } else { set logscale x }
set xlabel x_label noenhanced textcolor rgb ink offset 0, 0.3
set ylabel y_label textcolor rgb ink
set format y y_format
if (x_base == 2) {
    set logscale x 2
    set format x "%g"
} else {
    set format x "%.0s%c"
    set mxtics 10
}
eval range_of
set xrange [low_x / 1.25:high_x * 1.25]
from_y = log_y ? low_y / 2 : 0; to_y = log_y ? high_y * 2 : y_most
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
if (high_x / low_x < 50 && x_base == 10) {
    do for [d = 0:9] { do for [m in "2 5"] { set xtics add (gprintf("%.0s%c", m * 10 ** d) m * 10 ** d) } }
}
linear = exists("linear") ? linear : 0
# Open marks and dots are published numbers. Names stand at the ends of lines; of more than eight a panel each has eight, before
# all the others in grey. Where there are many programs and few sizes, or one size, programs stand below each other and sizes are the marks.
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
    # Lines of one program, the published one too, share a panel where it has room; part_of[k]. With eight lines a panel at most
    # there are `fewest` panels: the smallest number of lines that needs no more makes them even.
    program(k) = substr(label(k), 1, strstrt(label(k).",", ",") - 1)
    array part_of[series]
    fewest = 0; parts = 0
    do for [turn = 0:8] { if (!turn || parts > fewest) {
        most = turn ? turn : 8
        parts = 1; taken = 0; k = 1
        while (k <= series) {
            last = k
            while (last < series && program(last < series ? last + 1 : last) eq program(k) && last - k < most - 1) { last = last + 1 }
            if (taken && taken + last - k + 1 > most) { parts = parts + 1; taken = 0 }
            taken = taken + last - k + 1
            do for [j = k:last] { part_of[j] = parts }
            k = last + 1
        }
        if (!turn) { fewest = parts; parts = parts + 1 }
    } }
    beyond = exists("mean_of") ? 1 + 145.0 / (width - names - 255) : 1.015
    room = names + (exists("mean_of") ? 145 : 0)
    set multiplot
    unset title; unset ylabel
    set lmargin at screen 110.0 / width
    set rmargin at screen 1 - room / width
    head = 84.0; foot = estimates || key_wanted ? 112.0 : 80.0
    tall = (height - head - foot - (parts - 1) * 36) / parts
    # Decades that would touch are named every few.
    every = log_y ? ceil(27.0 * log10(to_y / from_y) / tall) : 1
    if (every > 1) {
        set ytics 10 ** every
        if (exists("mean_of")) { set y2tics 10 ** every }
    }
    do for [p = 1:parts] {
        mine = ""; others = ""
        do for [k = 1:series] { if (part_of[k] == p) { mine = mine.sprintf(" %d", k) } else { others = others.sprintf(" %d", k) } }
        if (parts == 1) { others = word(mine, 1) } # gnuplot looks into the body of a loop that has no turn
        unset logscale
        # Each panel spans its own lines: factors below two would not be seen over the decades of all.
        if (parts > 1 && log_y && !exists("mean_of")) {
            low_y = 1e300; high_y = 0
            do for [k in mine] {
                stats [*:*][*:*] file(k + 0) using 2 skip 1 nooutput
                low_y = STATS_min < low_y ? STATS_min : low_y; high_y = STATS_max > high_y ? STATS_max : high_y
            }
            from_y = low_y / 2; to_y = high_y * 2
            every = ceil(27.0 * log10(to_y / from_y) / tall)
            set yrange [from_y:to_y]
            set ytics 10 ** every
            eval more_tics("y", "low_y", "high_y", y_format)
        }
        load plots."/ends.gp"
        if (log_y) { set logscale y }
        if (x_base != 1) { set logscale x x_base } else { set logscale x }
        if (exists("mean_of")) { set logscale y2 }
        set tmargin at screen 1 - (head + (p - 1) * (tall + 36)) / height
        set bmargin at screen 1 - (head + (p - 1) * (tall + 36) + tall) / height
        if (p == 1) { set label 93 y_label at screen 24.0 / width, screen 0.5 center rotate by 90 textcolor rgb ink }
        if (p == 1 && exists("mean_of")) {
            set label 94 "mean of a body" at screen 1 - (names + 26) / width, screen 0.5 center rotate by 90 textcolor rgb ink
        }
        if (p == 1) { set label 92 heading at screen 0.5, screen 1 - 26.0 / height center textcolor rgb ink }
        if (p < parts) { unset xlabel } else { set xlabel x_label noenhanced textcolor rgb ink offset 0, 0.3 }
        if (p == parts) { key_left = 100; load plots."/key.gp" }
        if (linear && p == 1) { set label 91 "dashed: linear" at graph 0.02, graph 0.95 left font small textcolor rgb "#555555" }
        plot NaN notitle, for [i = 1:words(others)] file(int(word(others, i))) using 1:2 skip 1 with lines linecolor rgb "#e0e0e0" linewidth 1.2 notitle, \
            for [k in mine] file(k + 0) using 1:2 skip 1 with lines linecolor rgb colour(style(k + 0)) \
                linewidth (style(k + 0) < 0 ? 1.5 : 2) dashtype dashes(style(k + 0)) title label(k + 0), \
            for [k in mine] file(k + 0) using 1:5:3:4 skip 1 with yerrorbars linecolor rgb colour(style(k + 0)) \
                pointtype point(style(k + 0)) pointsize 1.4 * shrink linewidth (style(k + 0) < 0 ? 1.5 : 2) title label(k + 0), \
            for [k in mine] file(k + 0) using 1:6:("≈") skip 1 with labels boxed font sign textcolor rgb colour(style(k + 0)) title label(k + 0), \
            for [k in mine] file(k + 0) using 1:2:7 skip 1 with labels hypertext point pointtype 7 pointsize 2 linecolor rgb "#ff000000" title label(k + 0), \
            for [k = 1:(linear ? 1 : 0)] x / low_x with lines linecolor rgb "#555555" dashtype 2 linewidth 1.5 notitle
    }
    unset multiplot
}
