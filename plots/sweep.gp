# SPDX-License-Identifier: MIT
# Heat maps: speed over two parameters, darker is faster; each square says what was measured and a factor over one of them.
set border 0
unset grid
unset key
set tics scale 0
set palette defined (0 "#f7fbff", 0.35 "#9ecae1", 0.7 "#4292c6", 1 "#08306b")
unset colorbox
across = series < 3 ? series : series == 4 ? 2 : 3
down = (series + across - 1) / across
nrows = words(rows)
ncolumns = words(columns)
unset title
set multiplot layout down, across title heading textcolor rgb ink offset 0, -0.5 \
    margins 0.09, 0.97, 0.13, 0.82 spacing 0.09, (down > 1 ? 0.2 : 0.12)
set xrange [-0.5:ncolumns - 0.5]
set yrange [-0.5:nrows - 0.5]
set tics font small
set xlabel column_name noenhanced offset 0, 0.3 font small textcolor rgb ink
set ylabel row_name noenhanced font small textcolor rgb ink
set xtics ()
set ytics ()
do for [c = 1:ncolumns] { set xtics add (word(columns, c) c - 1) }
do for [r = 1:nrows] { set ytics add (word(rows, r) r - 1) }
# column(3), not $3: a line is skipped, its text too, when a field that $ names is empty.
do for [k = 1:series] {
    set title label(k) noenhanced font small offset 0, -0.4 textcolor rgb ink
    stats [*:*][*:*] file(k) using 3 skip 1 nooutput
    low = exists("STATS_min") ? STATS_min : 0 # no statistics where every cell failed
    high = exists("STATS_max") ? STATS_max : 1
    set cbrange [low - 0.15 * (high - low) - 1e-9 * high:high + 1e-9 * high]
    # Not quite the ink of axes, which a dark page makes light: these stand on squares of their own colour.
    light(rate) = rate != rate ? 0x111111 : rate > low + 0.55 * (high - low) ? 0xffffff : 0x111111
    plot file(k) using 2:1:($2 - 0.48):($2 + 0.48):($1 - 0.47):($1 + 0.47):3 skip 1 with boxxyerror fillstyle solid noborder \
            linecolor palette notitle, \
        file(k) using 2:($1 + 0.08):5:(valid(3) ? light(column(3)) : 0x111111) skip 1 with labels noenhanced font sized(across < 3 ? 19 : 16) textcolor rgb variable notitle, \
        file(k) using 2:($1 - 0.16):(valid(4) ? sprintf("%.2f×", $4) : ""):(light($3)) skip 1 with labels \
            font sized(across < 3 ? 16 : 14) textcolor rgb variable notitle, \
        file(k) using 2:1:6 skip 1 with labels hypertext point pointtype 5 pointsize 8 linecolor rgb "#ff000000" notitle
}
unset multiplot
