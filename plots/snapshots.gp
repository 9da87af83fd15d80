# SPDX-License-Identifier: MIT
# Panels of bodies: a row a data set and view, a column a number of steps. The panels of a row share their ranges, so that motion
# is seen. SVG files thin the bodies out, and say so, to stay small.
unset key
unset grid
most = kind ne "png" ? 1500 : 100000
set multiplot title heading textcolor rgb ink offset 0, 0
set size ratio -1
set border 15 linecolor rgb "#888888"
smallest = sized(13)
set tics font smallest
top = 70.0 / height
do for [r = 0:rows - 1] {
    low_x = 1e300; high_x = -1e300; low_y = 1e300; high_y = -1e300
    do for [k = 1:series] {
        if (row_of[k] == r) {
            # So many standard deviations: a body flung out must not shrink the picture.
            stats [*:*][*:*] file(k) using 1 skip 1 nooutput name "A"
            stats [*:*][*:*] file(k) using 2 skip 1 nooutput name "B"
            half = 2.2 * (A_stddev > B_stddev ? A_stddev : B_stddev)
            low_x = A_mean - half < low_x ? A_mean - half : low_x
            high_x = A_mean + half > high_x ? A_mean + half : high_x
            low_y = B_mean - half < low_y ? B_mean - half : low_y
            high_y = B_mean + half > high_y ? B_mean + half : high_y
        }
    }
    side = high_x - low_x > high_y - low_y ? high_x - low_x : high_y - low_y
    do for [k = 1:series] {
        if (row_of[k] == r) {
            c = column_of[k]
            stats [*:*][*:*] file(k) using 1 skip 1 nooutput name "C"
            step = ceil(C_records / most)
            step = step < 1 ? 1 : int(step)
            set origin (c + 0.02) / columns, (1 - top) * (rows - 1 - r) / rows
            set size 0.97 / columns, (1 - top) / rows * 0.99
            set xrange [(low_x + high_x - side) / 2:(low_x + high_x + side) / 2]
            set yrange [(low_y + high_y - side) / 2:(low_y + high_y + side) / 2]
            set xlabel across_of[k] offset 0, 0.7 textcolor rgb ink
            set ylabel up_of[k] offset 1.5, 0 textcolor rgb ink
            set title label(k).(step > 1 ? sprintf(" (1 of %d bodies)", step) : "") noenhanced offset 0, -0.7 textcolor rgb ink font tiny
            plot file(k) using 1:2 skip 1 every step with points pointtype 7 pointsize (kind eq "svg" ? 0.15 : 0.12) \
                linecolor rgb (kind eq "svg" ? "#08306b" : "#9008306b") notitle
        }
    }
}
unset multiplot
