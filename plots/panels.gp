# SPDX-License-Identifier: MIT
# Panels in rows with one legend below. Set before: panels, columns, rows, keys_a_row, key_rows, heading_height and legend_height (pixels); for
# each panel panel_title_<p>, panel_x_<p> and panel_y_<p> (labels), panel_tics_<p> (values of a parameter along x), panel_bodies_<p>
# (1: x is a number of bodies), panel_linear_<p> (1: y is linear), panel_least_<p> and panel_most_<p> (ends of y, 0: by the data); for
# each series panel_of[k] and key_of[k] (1: the legend has it). Style 0 is a guide. Bars are 95 % intervals; ≈ marks what is
# extrapolated.
item(name, p) = value(sprintf("%s_%d", name, p))
guide(k) = style(k) == 0
# Numbers of bodies have colours of their own, style 51 and on: a figure may have both.
sizes = "#000000 #8C510A #762A83 #1B7837 #888888 #C51B7D #4D4D4D"
tint(style) = abs(style) % 100 > 50 ? word(sizes, 1 + (abs(style) % 100 - 51) % words(sizes)) : colour(style)
ink_of(k) = guide(k) ? "#888888" : tint(style(k))
dash_at(k) = guide(k) ? 2 : dashes(style(k))
key_dash(k) = words(keyed) && !guide(k) ? 1 : dash_at(k)
mark(k) = guide(k) ? 0 : point(style(k))
unset key
set tics font small
set multiplot title heading textcolor rgb ink offset 0, 0
top = heading_height * 1.0 / height
bottom = legend_height * 1.0 / height
set style textbox opaque fillcolor rgb "#ffffff" noborder margins 0.3, 0.1
do for [p = 1:panels] {
    low_x = 1e300; high_x = 0; low_y = 1e300; high_y = 0
    mine = ""
    unset logscale
    do for [k = 1:series] {
        if (panel_of[k] == p) {
            mine = sprintf("%s %d", mine, k)
            stats [*:*][*:*] file(k) using 1 skip 1 nooutput
            low_x = STATS_min < low_x ? STATS_min : low_x; high_x = STATS_max > high_x ? STATS_max : high_x
            stats [*:*][*:*] file(k) using 2 skip 1 nooutput
            low_y = STATS_min < low_y ? STATS_min : low_y; high_y = STATS_max > high_y ? STATS_max : high_y
        }
    }
    if (high_x == 0) { low_x = 1; high_x = 10; low_y = 1; high_y = 10 } # nothing was measured of it
    set origin (int(p - 1) % columns) * 1.0 / columns, bottom + (1 - top - bottom) * (rows - 1 - int(p - 1) / columns) / rows
    set size 1.0 / columns, (1 - top - bottom) / rows
    set title item("panel_title", p) noenhanced offset 0, -0.6 textcolor rgb ink font sized(18)
    set xlabel item("panel_x", p) noenhanced textcolor rgb ink offset 0, 0.4 font small
    set ylabel item("panel_y", p) noenhanced textcolor rgb ink offset 0.5, 0 font small
    set xtics autofreq; set ytics autofreq
    set logscale xy
    set xrange [low_x / 1.2:high_x * 1.2]
    set format x item("panel_bodies", p) ? "%.0s%c" : "10^{%L}"
    if (strlen(item("panel_tics", p))) {
        eval named_tics(item("panel_tics", p), low_x / 1.2, high_x * 1.2, 0.7 * width / columns)
    } else {
        if (high_x / low_x < 50) { do for [d = -9:9] { do for [m in "2 5"] { set xtics add (gprintf("%.0s%c", m * 10 ** d) m * 10 ** d) } } }
    }
    least = item("panel_least", p)
    most = item("panel_most", p)
    if (item("panel_linear", p)) {
        unset logscale y
        set format y "%g"
        set yrange [least:(most > 0 ? most : high_y * 1.1)]
    } else {
        set format y high_y / low_y < 50 || (high_y < 1e5 && low_y > 1e-3 && high_y / low_y < 1e4) ? "%g" : "10^{%L}"
        set yrange [(least > 0 ? least : low_y / 1.5):(most > 0 ? most : high_y * 1.5)]
        eval more_tics("y", "low_y", "high_y", "%g")
    }
    # An iteration over no word is still evaluated once.
    if (words(mine)) {
        plot NaN notitle, \
            for [k in mine] file(k + 0) using 1:2 skip 1 with lines linecolor rgb ink_of(k + 0) linewidth (guide(k + 0) ? 1.2 : 2) \
                dashtype dash_at(k + 0) title label(k + 0), \
            for [k in mine] file(k + 0) using 1:5:3:4 skip 1 with yerrorbars linecolor rgb ink_of(k + 0) pointtype mark(k + 0) \
                pointsize 1.2 * shrink linewidth 1.5 title label(k + 0), \
            for [k in mine] file(k + 0) using 1:6:("≈") skip 1 with labels boxed font small textcolor rgb ink_of(k + 0) title label(k + 0), \
            for [k in mine] file(k + 0) using 1:2:7 skip 1 with labels hypertext point pointtype 7 pointsize 2 linecolor rgb "#ff000000" \
                title label(k + 0)
    } else {
        unset xtics; unset ytics
        set label 1 "not measured" at graph 0.5, 0.5 center textcolor rgb "#666666" font small
        plot NaN notitle
        unset label 1
    }
}
# The legend, and the sign of extrapolated points where there are any.
set origin 0, 0
set size 1, bottom
unset title; unset xlabel; unset ylabel; unset xtics; unset ytics; unset border; unset grid; unset logscale
set xrange [0:1]
set yrange [0:1]
set lmargin 0; set rmargin 0; set tmargin 0; set bmargin 0
set key at screen 0.03, screen bottom / 2 left center maxrows key_rows maxcols keys_a_row font small noenhanced textcolor rgb ink samplen 3 reverse Left
keys = ""
do for [k = 1:series] { if (key_of[k]) { keys = sprintf("%s %d", keys, k) } }
plot NaN notitle, \
    for [k in keys] keyentry with linespoints linecolor rgb ink_of(k + 0) pointtype mark(k + 0) pointsize 1.1 * shrink linewidth 2 \
        dashtype key_dash(k + 0) title label(k + 0), \
    for [i = 1:words(keyed)] keyentry with lines linecolor rgb ink linewidth 2 dashtype dashes(style(keyed_at(i))) \
        title key_name(keyed_at(i)), \
    for [k = 1:estimates] keyentry with points pointtype "≈" font sign textcolor rgb ink title "extrapolated from fewer particles"
unset multiplot
