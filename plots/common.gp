# What every figure shares. The program sets before: kind (svg or png), width, height, picture, folder (of the CSV files
# series-1.csv ...), series (how many), label_<k>, style_<k>, title, subtitle.
set encoding utf8
if (kind eq "svg") {
    set terminal svg size width, height font "DejaVu Sans,15" background "#ffffff" enhanced
} else {
    set terminal pngcairo size width, height font "DejaVu Sans,13" background "#ffffff" enhanced
}
set output picture
set datafile separator comma
set datafile missing ""

# Okabe and Ito's colours, told apart by every kind of colour vision; yellow, too pale on white, is left out.
colours = "#0072B2 #D55E00 #009E73 #CC79A7 #E69F00 #56B4E9 #555555 #000000"
colour(style) = word(colours, 1 + (abs(style) % 100 - 1) % words(colours))
# Point types: filled for measured (negative style: published, the open form). 7/6 circle, 5/4 square, 9/8 triangle, 13/12 diamond, 11/10.
filled = "7 5 9 13 11 15"
point(style) = int(word(filled, 1 + (abs(style) % 100 - 1) % words(filled))) - (style < 0 ? 1 : 0)
# A second device of the same program is dashed, published numbers are dotted.
dashes(style) = style < 0 ? 3 : style < 100 ? 1 : 4 + style / 100
file(k) = sprintf("%s/series-%d.csv", folder, k)
label(k) = value(sprintf("label_%d", k))
style(k) = int(value(sprintf("style_%d", k)))

ink = "#222222"
pale = "#c8c8c8"
shrink = kind eq "svg" ? 0.65 : 1.0 # marks are larger in SVG
set border 3 linecolor rgb ink linewidth 1
set tics nomirror textcolor rgb ink
set grid xtics ytics linecolor rgb pale linewidth 0.7, linecolor rgb "#e6e6e6" linewidth 0.5
# A long device name must not run out of the picture.
heading = sprintf("{/=18 %s}\n{/=%d %s}", title, strlen(subtitle) * 8 > width ? 9 : 12, subtitle)
set title heading textcolor rgb ink
set key noenhanced textcolor rgb ink spacing 1.25 samplen 2.5 reverse Left
# `eval range_of` finds the least and greatest of the first two columns over all series: low_x, high_x, low_y, high_y.
low_x = 1e300; high_x = 0; low_y = 1e300; high_y = 0
range_of = "do for [k = 1:series] { \
    stats file(k) using 1 skip 1 nooutput; low_x = STATS_min < low_x ? STATS_min : low_x; high_x = STATS_max > high_x ? STATS_max : high_x; \
    stats file(k) using 2 skip 1 nooutput; low_y = STATS_min < low_y ? STATS_min : low_y; high_y = STATS_max > high_y ? STATS_max : high_y }"
