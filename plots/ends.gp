# SPDX-License-Identifier: MIT
# Lines named at their ends. Set before: mine (their numbers), from_y and to_y (ends of the axis), log_y, tall (pixels of the
# panel), beyond (where names begin, in widths of the
# panel), name_room (characters in a line of a name). Names that would overlap are moved apart; a hair leads from each
# line to its name.
array end_at[words(mine)]
array end_of[words(mine)]
array end_x[series]
array end_y[series]
along(y) = log_y ? (log(y) - log(from_y)) / (log(to_y) - log(from_y)) : (y - from_y) / (to_y - from_y)
do for [i = 1:words(mine)] {
    k = int(word(mine, i))
    last_x = -1e300; last_y = NaN
    stats [*:*][*:*] file(k) using ($1 >= last_x ? (last_x = $1, last_y = $2) : $2) skip 1 nooutput
    end_x[k] = last_x; end_y[k] = last_y
    height_of = along(last_y)
    height_of = height_of != height_of || height_of < 0 ? 0 : height_of > 1 ? 1 : height_of
    # Among those before it, lowest first.
    j = i
    while (j > 1 && end_at[j > 1 ? j - 1 : 1] > height_of) { end_at[j] = end_at[j - 1]; end_of[j] = end_of[j - 1]; j = j - 1 }
    end_at[j] = height_of; end_of[j] = k
}
# Names too long for a line are broken behind commas.
array name_at[series]
array name_lines[series]
do for [w in mine] {
    k = int(w); text = label(k).", "; name_at[k] = ""; start = 1; cut = 0; lines = 1
    do for [c = 2:strlen(text) - 1] { if (substr(text, c, c + 1) eq ", ") {
        if (c - start > name_room && cut > start) {
            name_at[k] = name_at[k].substr(text, start, cut)."\n"; start = cut + 2; lines = lines + 1
        }
        cut = c
    } }
    name_at[k] = name_at[k].substr(text, start, strlen(text) - 2)
    name_lines[k] = lines
}
# Lines of one name are line_step pixels apart, whatever its letters: gnuplot takes the step of the picture's own letters.
line_step = 25.0
half(k) = (10.5 + 0.5 * line_step * (name_lines[k] - 1)) / tall # of a name's height
gap(i) = half(end_of[i]) + half(end_of[i - 1]) # between the middles of name i and the one below it
do for [i = 2:words(mine)] { if (end_at[i] < end_at[i - 1] + gap(i)) { end_at[i] = end_at[i - 1] + gap(i) } }
highest = 1 + 10.5 / tall - half(end_of[words(mine)])
if (end_at[words(mine)] > highest) {
    end_at[words(mine)] = highest
    do for [i = words(mine) - 1:1:-1] { if (end_at[i] > end_at[i + 1] - gap(i + 1)) { end_at[i] = end_at[i + 1] - gap(i + 1) } }
}
unset label; unset arrow
do for [i = 1:words(mine)] {
    k = end_of[i]
    set label i name_at[k] at graph beyond, graph end_at[i] + 0.5 * line_step * (name_lines[k] - 1) / tall left noenhanced font small textcolor rgb colour(style(k))
    set arrow i from first end_x[k], first end_y[k] to graph beyond - 0.005, graph end_at[i] nohead linecolor rgb colour(style(k)) \
        linewidth 0.5 dashtype 3
}
