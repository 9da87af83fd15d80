# SPDX-License-Identifier: MIT
# One key for dashes, open marks and ≈, at the foot of the picture; colours are named at the ends of lines. Set before: key_left
# (pixels).
key_at = key_left * 1.0
key_y = 20.0 / height
entry = 800
# SVG draws lines of one colour and width in one dash: each has a width of its own.
do for [k in keyed] {
    set arrow entry from screen key_at / width, screen key_y to screen (key_at + 44) / width, screen key_y nohead front \
        linecolor rgb ink linewidth 2 + 0.02 * (entry - 800) dashtype dashes(style(k + 0))
    set label entry key_text[k + 0] at screen (key_at + 54) / width, screen key_y left noenhanced font small textcolor rgb ink
    key_at = key_at + 84 + per_character * strlen(key_text[k + 0]); entry = entry + 1
}
if (printed_ones) {
    set arrow entry from screen key_at / width, screen key_y to screen (key_at + 44) / width, screen key_y nohead front \
        linecolor rgb ink linewidth 1.5 dashtype 3
    set label entry "" at screen (key_at + 22) / width, screen key_y point pointtype 6 pointsize 1.4 * shrink linewidth 1.5 linecolor rgb ink
    set label entry + 1 "published" at screen (key_at + 54) / width, screen key_y left font small textcolor rgb ink
    key_at = key_at + 84 + per_character * 9; entry = entry + 2
}
if (exists("guide") && guide > 0) {
    set arrow entry from screen key_at / width, screen key_y to screen (key_at + 44) / width, screen key_y nohead front \
        linecolor rgb "#555555" linewidth 1.53 dashtype 2
    set label entry guide_name at screen (key_at + 54) / width, screen key_y left noenhanced font small textcolor rgb ink
    key_at = key_at + 84 + per_character * strlen(guide_name); entry = entry + 1
}
if (estimates) {
    set label entry "≈ extrapolated from fewer particles" at screen key_at / width, screen key_y left font small textcolor rgb ink
}
