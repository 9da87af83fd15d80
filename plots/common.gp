# SPDX-License-Identifier: MIT
# What every figure shares. The program sets before: kind (svg, png or pdf), width, height, picture, folder (of the CSV files
# series-1.csv ...), series (how many), title, subtitle, intervals (what the subtitle adds of error bars); of each series label_of[k],
# style_of[k] and what else the figure's query selects: gnuplot looks for a variable among all that there are.
set encoding utf8
# Letters are as large in all, and are read at half size: SVG counts pixels, PNG points of 1/72 inch at 96 pixels an inch; 1200 pixels
# of a PDF are 7 inches, the text of a page in two columns, with letters of 8 points.
unit = kind eq "svg" ? 1.0 : kind eq "png" ? 0.75 : 0.42
sized(pixels) = sprintf(",%g", pixels * unit)
small = sized(17); tiny = sized(15); sign = sized(22)
per_character = 9.5 # of small letters, pixels
if (kind eq "svg") {
    set terminal svg size width, height font "DejaVu Sans,19" background "#ffffff" enhanced
} else { if (kind eq "pdf") {
    set terminal pdfcairo size width * unit / 72, height * unit / 72 font "DejaVu Sans,7.98" background "#ffffff" enhanced
} else {
    set terminal pngcairo size width, height font "DejaVu Sans,14.25" background "#ffffff" enhanced
} }
set output picture
set datafile separator comma
set datafile missing ""

# Okabe and Ito's colours, told apart by every kind of colour vision; yellow, too pale on white, is left out.
colours = "#0072B2 #D55E00 #009E73 #CC79A7 #E69F00 #56B4E9 #555555 #000000"
colour(style) = word(colours, 1 + (abs(style) % 100 - 1) % words(colours))
# Point types: filled for measured (negative style: published, the open form). 7/6 circle, 5/4 square, 9/8 triangle, 13/12 diamond, 11/10.
filled = "7 5 9 13 11 15"
point(style) = int(word(filled, 1 + (abs(style) % 100 - 1) % words(filled))) - (style < 0 ? 1 : 0)
# A colour is a program (and its setting), a dash the device; published numbers are dotted.
dashes(style) = style < 0 ? 3 : int(word("1 2 4 5", 1 + (int(style) / 100) % 4))
file(k) = sprintf("%s/series-%d.csv", folder, k)
label(k) = label_of[int(k)]
style(k) = int(style_of[int(k)])

ink = "#222222"
pale = "#c8c8c8"
shrink = kind eq "svg" ? 0.6 : kind eq "png" ? 1.1 : 0.4 # marks are larger in SVG
set border 3 linecolor rgb ink linewidth 1
set tics nomirror textcolor rgb ink
set grid xtics ytics linecolor rgb pale linewidth 0.7, linecolor rgb "#e6e6e6" linewidth 0.5
# A long title or device name must not run out of the picture.
fit(text, pixels) = (0.58 * pixels * strlen(text) > width - 20 ? (width - 20) / 0.58 / strlen(text) : pixels) * unit
if (exists("intervals")) { subtitle = subtitle . intervals }
heading = sprintf("{/=%.4g %s}\n{/=%.4g %s}", fit(title, 25), title, fit(subtitle, 16), subtitle)
set title heading textcolor rgb ink
set key noenhanced textcolor rgb ink spacing 1.25 samplen 2.5 reverse Left
# `eval range_of` finds the least and greatest of the first two columns over all series: low_x, high_x, low_y, high_y.
low_x = 1e300; high_x = 0; low_y = 1e300; high_y = 0
range_of = "do for [k = 1:series] { \
    stats file(k) using 1 skip 1 nooutput; low_x = STATS_min < low_x ? STATS_min : low_x; high_x = STATS_max > high_x ? STATS_max : high_x; \
    stats file(k) using 2 skip 1 nooutput; low_y = STATS_min < low_y ? STATS_min : low_y; high_y = STATS_max > high_y ? STATS_max : high_y }"
# The key of dashes, where there are several: of each the first series that has it, and all names of it. dash_of[k] names the device.
keyed = ""; seen = ""
array key_text[series]
do for [k = 1:series] { key_text[k] = "" }
do for [k = 1:series] { if (exists("dash_of") && style(k) > 0 && strlen(dash_of[k])) {
    d = sprintf(" %d:", dashes(style(k)))
    at = strstrt(seen, d)
    if (!at) { seen = seen.d.k." "; keyed = keyed.sprintf(" %d", k); key_text[k] = dash_of[k] } else {
        first = int(word(seen[at + strlen(d):], 1))
        if (!strstrt(", ".key_text[first].", ", ", ".dash_of[k].", ")) { key_text[first] = key_text[first].", ".dash_of[k] }
    }
} }
if (words(keyed) < 2) { keyed = "" }
key_name(k) = key_text[int(k)]
keyed_at(i) = words(keyed) ? int(word(keyed, i)) : 1
printed_ones = 0
do for [k = 1:series] { if (style(k) < 0) { printed_ones = 1 } }
key_wanted = words(keyed) > 0 || printed_ones
# `eval named_tics(...)` marks the values of a parameter, rising, along x from low to high, a logarithmic axis of so many pixels; those
# that would touch the one before have no name.
named_tics(values, low, high, pixels) = sprintf("set xtics (); named_at = -1e9; do for [v in '%s'] { \
    tic_at = %g * log((v + 0) / %.10g) / log(1.0 * %.10g / %.10g); named = tic_at - named_at > 14 + per_character * strlen(v) ? 1 : 0; \
    if (named) { named_at = tic_at; set xtics add (v v + 0) } else { set xtics add ('' v + 0) } }", values, pixels, low, high, low)
# Decades alone say little of a short range: `eval more_tics(...)` adds some of each, of the axis, its ends and its format.
in_format(format, value) = format eq "%g" ? sprintf("%g", value) : gprintf("%.0t·10^{%T}", value)
more_tics(axis, low, high, format) = sprintf("if ((%s) < 50 * (%s)) { do for [d = floor(log10(%s)) - 1:ceil(log10(%s))] { \
    do for [m in (%s) < 2 * (%s) ? '1.2 1.4 1.6 1.8 2 2.5 3 4 5 6 7 8' : (%s) < 5 * (%s) ? '2 3 4 5 7' : '2 5'] { set %stics add (in_format('%s', m * 10.0 ** d) m * 10.0 ** d) } } }", \
    high, low, low, high, high, low, high, low, axis, format)
