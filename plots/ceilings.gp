# SPDX-License-Identifier: MIT
# Bands of measured ceilings, from ceiling_low_<c> to ceiling_<c>, and their names. Set before: ceilings (how many, the highest first),
# ceiling_label_<c>; the ends of the logarithmic axes, from_x, to_x, from_y and to_y; wide and tall (pixels of the panel).
# A name stands above its band or below it, as far left as neither a curve nor a band nor another name is in its way; where none is
# free, above and at the left.
graph_x(x) = log(x / from_x) / log(to_x / from_x)
graph_y(y) = log(y / from_y) / log(to_y / from_y)
name_wide(c) = 8.0 * strlen(value(sprintf("ceiling_label_%d", c))) / wide
name_near = 3.0 / tall; name_far = 21.0 / tall # of its lower and upper edge to the band
mark_room = 5.0 / tall; mark_side = 6.0 / wide # of a curve's marks
band_low(c) = graph_y(value(sprintf("ceiling_low_%d", c)) / 1.01)
band_high(c) = graph_y(value(sprintf("ceiling_%d", c)) * 1.01)
array name_x[ceilings + 1]
array name_y[ceilings + 1] # lower edges
# A piece of a curve, from the point before to this one, counts where it is in the box of box_x, box_y.
at_x(x) = next_x == last_x ? next_y : last_y + (next_y - last_y) * (x - last_x) / (next_x - last_x)
larger(a, b) = a > b ? a : b
smaller(a, b) = a < b ? a : b
in_height(a, b) = smaller(a, b) < box_y + box_tall + mark_room && larger(a, b) > box_y - mark_room
in_box(x0, x1) = x0 <= x1 && in_height(at_x(x0), at_x(x1))
piece(x, y) = (next_x = graph_x(x), next_y = graph_y(y), last_x = last_x < -1e9 ? next_x : last_x, \
    hits = hits + in_box(larger(last_x, box_x - mark_side), smaller(next_x, box_x + box_wide + mark_side)), last_x = next_x, last_y = next_y, y)
box_tall = name_far - name_near
do for [c = 1:ceilings] {
    box_wide = name_wide(c); found = 0
    do for [step = 0:39] { do for [side = 0:1] { if (!found && (step == 0 || 0.01 + 0.025 * step + box_wide <= 1)) {
        box_x = 0.01 + 0.025 * step
        box_y = side == 0 ? band_high(c) + name_near : band_low(c) - name_far
        hits = box_y < 0 || box_y + box_tall > 1
        do for [o = 1:ceilings] {
            if (o != c && band_low(o) < box_y + box_tall && band_high(o) > box_y) { hits = hits + 1 }
            if (o < c && name_y[o] < box_y + box_tall && name_y[o] + box_tall > box_y \
                && name_x[o] < box_x + box_wide && name_x[o] + name_wide(o) > box_x) { hits = hits + 1 }
        }
        do for [k = 1:series] { if (!hits) {
            last_x = -1e10; last_y = 0
            stats [*:*][*:*] file(k) using (piece($1, $2)) skip 1 nooutput
            if (quoted(k)) { hits = hits + in_height(graph_y(value_of[k]), graph_y(value_of[k])) }
        } }
        if (!hits) { found = 1; name_x[c] = box_x; name_y[c] = box_y }
    } } }
    if (!found) { name_x[c] = 0.01; name_y[c] = band_high(c) + name_near }
    set object c rectangle from graph 0, graph band_low(c) to graph 1, graph band_high(c) behind fillcolor rgb "#555555" fillstyle solid 0.35 noborder
    set label 50 + c value(sprintf("ceiling_label_%d", c)) at graph name_x[c], graph name_y[c] + 0.5 * box_tall left noenhanced font tiny \
        textcolor rgb "#555555"
}
