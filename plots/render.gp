# SPDX-License-Identifier: MIT
# Densities of bodies: a picture a series, all on one scale. A series is columns * rows doubles from the lower left; low and high are
# the ends of the scale. A bin without bodies is black, just below it.
if (kind eq "gif") {
    set terminal gif animate optimize delay int(100 / fps + 0.5) loop 0 size width, height font "DejaVu Sans,12" background "#ffffff" enhanced
    set output picture
}
unset key
unset grid
set border 15 linecolor rgb ink
set tics out font tiny
none = low * (1.0 * low / high) ** 0.02
set palette defined (0 "#000000", 0.0195 "#000000", 0.0195 "#472c7a", 0.25 "#3b528b", 0.5 "#21908d", 0.75 "#5dc963", 1 "#fde725")
set logscale cb
set cbrange [none:high]
eval more_tics("cb", "low", "high", "%g")
set cblabel weight." a bin" textcolor rgb ink
set xlabel plane[1:1] textcolor rgb ink
set ylabel plane[2:2] textcolor rgb ink
set size ratio -1
set xrange [left:right]
set yrange [bottom:top]
dx = 1.0 * (right - left) / columns
dy = 1.0 * (top - bottom) / rows
do for [k = 1:series] {
    set title (strlen(title) ? title."\n".subtitle.", " : "").label(k) noenhanced textcolor rgb ink
    plot file(k) binary array=(columns, rows) format="%float64" origin=(left + dx / 2, bottom + dy / 2) dx=dx dy=dy \
        using ($1 > 0 ? $1 : none) with image
}
unset output
