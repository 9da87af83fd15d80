# SPDX-License-Identifier: MIT
# Rooflines, a panel a device: work a second over work a byte (flops), or warp instructions a second over those a transaction of 32
# bytes, on logarithmic axes. Each program is a level line with its name at the end, and on it a mark for each level of memory. Set
# before: panels, columns, title_<p>, where_<p> (below it), lacks_<p> (said where there is no roof of memory), measure_<p> (1: instructions); of each series role_of[k] (0 roof of computing, from low_of[k]
# to rate_of[k]; 1 of memory; 2 line; 3 mark), panel_of[k], level_of[k], x_of[k], source_of[k] (1 counters, 2 declared or counted, 3 published);
# what the legend needs: counted, declared, printed, level_<l>_seen. Series are sorted by rate.
item(name, p) = value(sprintf("%s_%d", name, p))
number(v) = 1.0 * v # whole ones would be divided as integers
# The series of each panel: a variable is found by its name among all of them, so that nothing looks at every series more than once.
array of_panel[int(panels)]
do for [p = 1:int(panels)] { of_panel[p] = "" }
do for [k = 1:series] { p = int(number(panel_of[k])); of_panel[p] = sprintf("%s %d", of_panel[p], k) }
# Marks by level, filled and open: triangle, square, circle; published ones are open diamonds.
full = "9 5 7"
shape(level, source) = source == 3 ? 12 : int(word(full, int(level))) - (source == 2 ? 1 : 0)
dash_type(solid) = solid ? 1 : 2
unset key
set xlabel font small; set ylabel font small
set multiplot title heading textcolor rgb ink offset 0, 0
rows = (int(panels) + int(columns) - 1) / int(columns)
head = 75.0 / height
foot = 55.0 / height
wide = 1.0 / columns
high = (1 - head - foot) / rows
set tics font small
do for [p = 1:int(panels)] {
    left = int(p - 1) % int(columns) * wide
    low_edge = foot + (rows - 1 - int(p - 1) / int(columns)) * high
    x0 = left + 0.15 * wide; x1 = left + 0.59 * wide
    y0 = low_edge + 0.17 * high; y1 = low_edge + 0.87 * high
    set lmargin at screen x0; set rmargin at screen x1
    set bmargin at screen y0; set tmargin at screen y1
    # Ranges: every mark, the ridges, and all roofs of computing.
    low_x = 1e300; high_x = 0; low_y = 1e300; high_y = 0; peak = 0; slow = 1e300; fast = 0
    roofs = ""; walls = ""; rules = ""; mine = ""; names = "" # of computing, of memory, lines, marks; what is named at the right
    do for [w in of_panel[p]] {
        k = int(w); r = number(rate_of[k]); role = number(role_of[k])
        if (role == 0) { peak = r > peak ? r : peak; roofs = roofs." ".w }
        if (role == 1) { slow = r < slow ? r : slow; fast = r > fast ? r : fast; walls = walls." ".w }
        if (role != 1) { low_y = r < low_y ? r : low_y; high_y = r > high_y ? r : high_y }
        if (role == 2) { rules = rules." ".w }
        if (role == 3) {
            x = number(x_of[k]); low_x = x < low_x ? x : low_x; high_x = x > high_x ? x : high_x
            mine = mine." ".w
        }
        if (role == 0 || role == 2) { names = names." ".w }
    }
    top = peak > 0 ? peak : high_y
    if (fast > 0) {
        low_x = top / fast / 30 < low_x ? top / fast / 30 : low_x # room for the names of these roofs
        high_x = top / slow > high_x ? top / slow : high_x
    }
    if (high_x == 0) { low_x = 1; high_x = 100 }
    low_x = 10 ** floor(log10(low_x / 2)); high_x = 10 ** ceil(log10(high_x * 2))
    low_y = 10 ** floor(log10(low_y / 1.5)); high_y = high_y * 1.6
    if (high_y / low_y < 100) { low_y = low_y / 10 }
    dx = log10(high_x / low_x); dy = log10(high_y / low_y)
    slope = atan2((y1 - y0) * height / dy, (x1 - x0) * width / dx) * 180 / pi
    set logscale xy
    set xrange [low_x:high_x]; set yrange [low_y:high_y]
    set format y "%.0s%c"; set mytics 10
    # Decades alone say little of a short range.
    set xtics ()
    do for [d = floor(log10(low_x) + 0.5):floor(log10(high_x) + 0.5)] {
        do for [m = 1:9] {
            named = m == 1 ? dx < 6 || d % 2 == 0 : dx < 1.5 && (m == 2 || m == 5)
            if (named) { set xtics add (dx < 4.5 ? sprintf("%g", m * 10.0 ** d) : sprintf("10^{%d}", d) m * 10.0 ** d) }
            else { set xtics add ("" m * 10.0 ** d 1) }
        }
    }
    unset title
    set xlabel item("measure", p) == 1 ? "warp instructions a transaction of 32 bytes" : "flops a byte" textcolor rgb ink offset 0, 0.3
    set ylabel item("measure", p) == 1 ? "warp instructions a second" : "flops a second" textcolor rgb ink offset 0.3, 0
    unset label; unset arrow; unset object
    set label item("title", p) at graph 0, 1.14 left noenhanced textcolor rgb ink font sized(20)
    set label item("where", p) at graph 0, 1.07 left noenhanced textcolor rgb "#666666" font tiny
    if (fast == 0) { set label item("lacks", p) at graph 0.03, 0.05 left noenhanced textcolor rgb "#666666" font tiny }
    # Names at the right end, pushed apart both ways where they would overlap.
    count = words(names)
    gap = 0.062; if (gap * count > 1.04) { gap = 1.04 / count }
    array spot[count + 1]
    do for [i = 1:count] { spot[i] = log10(number(rate_of[word(names, i) + 0]) / low_y) / dy }
    moved = 1
    do for [turn = 1:80] { if (moved) {
        moved = 0
        do for [i = 1:count] {
            if (i < count) { if (spot[i + 1] - spot[i] < gap) {
                middle = (spot[i] + spot[i + 1]) / 2; moved = 1
                spot[i] = middle - gap / 2; spot[i + 1] = middle + gap / 2
            } }
            if (spot[i] > 1.03) { spot[i] = 1.03; moved = 1 }
            if (spot[i] < 0) { spot[i] = 0; moved = 1 }
        }
    } }
    do for [i = 1:count] {
        k = word(names, i) + 0
        tint = number(role_of[k]) == 0 ? "#666666" : colour(style(k))
        set label label(k) at graph 1.045, spot[i] left noenhanced textcolor rgb tint font small
        set arrow from graph 1.0, (log10(number(rate_of[k]) / low_y) / dy) to graph 1.038, spot[i] nohead linecolor rgb tint linewidth 1
    }
    # Roofs of memory have their names along them: the fastest above, the slowest below.
    seen = 0
    do for [w in walls] {
        k = int(w); r = number(rate_of[k])
        enter = low_y / r > low_x ? low_y / r : low_x
        far = top / r < high_x ? top / r : high_x
        set arrow from enter, enter * r to far, far * r nohead linecolor rgb "#888888" linewidth 2
        mid = enter * (far / enter) ** (number(level_of[k]) == 3 ? 0.42 : number(level_of[k]) == 2 ? 0.62 : 0.52)
        below = r == slow && slow < fast || number(level_of[k]) == 3
        set label label(k) at mid, mid * r center rotate by slope noenhanced textcolor rgb "#666666" font tiny \
            offset (below ? 0.9 : -0.7), (below ? -0.6 : 0.5)
    }
    do for [w in roofs] {
        k = int(w)
        start = fast > 0 ? number(low_of[k]) / fast : low_x
        start = start < low_x ? low_x : start
        if (number(low_of[k]) < number(rate_of[k])) {
            set object rectangle from start, number(low_of[k]) to high_x, number(rate_of[k]) fillstyle solid 0.25 noborder fillcolor rgb "#888888" behind
        }
        begin = fast > 0 ? number(rate_of[k]) / fast : low_x
        begin = begin < low_x ? low_x : begin
        set arrow from begin, number(rate_of[k]) to high_x, number(rate_of[k]) nohead linecolor rgb "#888888" \
            linewidth (number(rate_of[k]) == peak ? 2 : 1.3) dashtype dash_type(number(rate_of[k]) == peak)
    }
    # The lines of programs, from their first mark to the edge. Programs whose bytes nobody knows have no marks and lines all along.
    array begun[series]
    do for [w in rules] { begun[int(w)] = 1e300 }
    do for [m in mine] {
        d = int(m); r = number(rate_of[d]); x = number(x_of[d])
        do for [w in rules] { if (number(rate_of[int(w)]) == r) { begun[int(w)] = x < begun[int(w)] ? x : begun[int(w)] } }
    }
    do for [w in rules] { if (begun[int(w)] == 1e300) { begun[int(w)] = low_x } }
    # gnuplot looks into the body of a loop that has no turn, and falls over labels of which none is to be drawn.
    if (words(rules) && words(mine)) {
        plot NaN notitle, for [k in rules] file(k + 0) using (begun[k + 0]):2:(high_x - begun[k + 0]):(0) skip 1 \
                with vectors nohead linecolor rgb colour(style(k + 0)) linewidth 1 dashtype 3 title label(k + 0), \
            for [k in mine] file(k + 0) using 1:2 skip 1 with points pointtype shape(number(level_of[k + 0]), number(source_of[k + 0])) \
                pointsize 1.9 * shrink linewidth 2 linecolor rgb colour(style(k + 0)) title label(k + 0), \
            for [k in mine] file(k + 0) using 1:2:7 skip 1 with labels hypertext point pointtype 7 pointsize 2 \
                linecolor rgb "#ff000000" title label(k + 0)
    } else {
        if (words(rules)) {
            plot NaN notitle, for [k in rules] file(k + 0) using (begun[k + 0]):2:(high_x - begun[k + 0]):(0) skip 1 \
                with vectors nohead linecolor rgb colour(style(k + 0)) linewidth 1 dashtype 3 title label(k + 0)
        } else {
            plot NaN notitle
        }
    }
}
# The legend.
set lmargin 0; set rmargin 0; set tmargin 0; set bmargin 0
set origin 0, 0; set size 1, foot
unset title; unset xlabel; unset ylabel; unset xtics; unset ytics; unset border; unset grid; unset logscale; unset label; unset arrow; unset object
set xrange [0:1]; set yrange [0:1]
# A mark and its text, one behind the other.
edge = 0.04
do for [entry in "1 2 3 4 5 6"] {
    e = int(entry + 0)
    entry_text = e == 4 ? "full: counters" : e == 5 ? "open: declared or counted" : word("L1/shared L2 DRAM - - published", e)
    shown = e < 4 ? value(sprintf("level_%d_seen", e)) : e == 4 ? counted : e == 5 ? declared : printed
    if (shown) {
        kind_of = e < 4 ? shape(e, counted ? 1 : 2) : e == 4 ? 7 : e == 5 ? 6 : 12
        set label entry_text at screen edge, screen foot / 2 left noenhanced textcolor rgb ink font small offset 1.2, -0.2 \
            point linetype -1 linecolor rgb ink linewidth 2 pointtype kind_of pointsize 1.7
        edge = edge + (60 + per_character * strlen(entry_text)) / width
    }
}
plot NaN notitle
unset multiplot
