#!/bin/bash
# SPDX-License-Identifier: MIT
# orrery render: pictures of snapshots and of integrations, good and bad.
. "$(dirname "$0")/lib_e2e.sh"
export ORRERY_HOME=$root ORRERY_PLUGINS=$BUILD/variants TMPDIR=$work/tmp
mkdir "$TMPDIR"
out=$work/out.gif png=$work/out.png
bodies() { printf "$2" >"$work/$1"; }
# Nothing but what was there: no picture, no temporary file beside it, no folder for frames.
nothing_left() { [ ! -e "$out" ] && [ ! -e "$png" ] && [ -z "$(ls "$TMPDIR")" ] && ! ls "$work" | grep -q part-; }
render_fails() { rm -f "$out" "$png"; fails "$1" "$2" render "${@:3}" && nothing_left; }
frames() { LC_ALL=C grep -aoP '\x21\xf9\x04' "$1" | wc -l; }
bodies three.csv 'x,y,mass\n0,0,1\n1,1,1\n2,0.5,3\n'

size_of() { od -An -tu1 -j16 -N8 "$1" | awk '{print $3 * 256 + $4 "x" $7 * 256 + $8}'; }
check "a CSV snapshot says what is in view" prints 'out.png: 1 picture of 3 bodies, x from ' render "$work/three.csv" -o "$png" --size 640x480
check "is a PNG as large as asked for" test "$(head -c 4 "$png" | tail -c 3) $(size_of "$png")" = "PNG 640x480"
check "the same once more, to the byte" eval 'run 0 render "$work/three.csv" -o "$work/again.png" --size 640x480 && cmp "$png" "$work/again.png"'
check "--json is one object" gives '.pictures == 1 and .view == [-1, 3, -1, 2] and .bodies == 3 and .weight == "mass" and .course == null and .scale == [1, 3]' \
    render "$work/three.csv" -o "$png" --view=-1:3,-1:2 --json
# Three bodies of which two share a bin; one on the upper edge is outside, one on the lower edge inside.
bodies bins.csv 'x,y,mass\n0,0,1\n0.1,0.1,5\n1,1,2\n2,1,64\n'
binned=(render "$work/bins.csv" -o "$png" --view=0:2,0:2 --bins 2 --json)
check "bodies are counted in bins by their mass" gives '.scale == [2, 6]' "${binned[@]}"
check "or number" gives '.scale == [1, 2]' "${binned[@]}" --weight number
# What gnuplot draws of two bins, as gnuplot reads it: the emptier one dark, the fuller one light, the empty ones black, the second row above the first.
colours() { gnuplot -e "set table '$work/pixels'; plot '$png' binary filetype=png every 250:250:250:250:500:500 with rgbimage" && awk '/^ *[0-9]/ { printf " %02x%02x%02x", $3, $4, $5 }' "$work/pixels"; }
check "are drawn where they are" test "$(colours)" = " 000000 472c7a fde725 000000"
bodies many.csv 'x,y,mass\n0,0,1\n1,1,1\n2,0.5,3\n1,0,0\n'
check "several snapshots are frames" eval 'run 0 render "$work/three.csv" "$work/many.csv" "$work/three.csv" -o "$out" && [ "$(frames "$out")" = 3 ]'
bodies light.csv 'x,y,mass\n0,0,0\n1,1,0\n'
check "massless bodies are not drawn" render_fails 2 'has mass; --view and --weight choose' "$work/light.csv" -o "$png"
check "but counted" run 0 render "$work/light.csv" -o "$png" --weight number
check "nothing in view" render_fails 2 'has bodies' "$work/light.csv" -o "$png" --weight number --view=5:6,5:6

cartwheel=(render fujiwara/cpu-simd --dataset cartwheel --n 600 --device host)
moving=("${cartwheel[@]}" --frames 5 --steps-per-frame 2 --plane yz -o "$out")
check "a cartwheel is verified" gives '.pictures == 5 and .course.error.max < 1e-3 and .course.error.targets > 0 and .course.parameters.steps == 2 and .course.device == "host"' "${moving[@]}" --json
cp "$out" "$work/first.gif"
check "has five frames, and once more to the byte, leaves none behind" eval '[ "$(frames "$out")" = 5 ] && run 0 "${moving[@]}" && cmp "$out" "$work/first.gif" && [ -z "$(ls "$TMPDIR")" ]'
# Eight steps in four frames or in one are the same scheme, up to how the closing and opening kicks round.
check "a PNG shows the last frame" shows '1 picture of 600 bodies' "${cartwheel[@]}" --steps-per-frame 8 -o "$png"
check "nothing to draw" render_fails 2 'something to draw' -o "$png"
check "no output" fails 2 '-o FILE' render "$work/three.csv"
check "an ending of no known kind" render_fails 2 '.gif or .png' "$work/three.csv" -o "$work/out.jpg"
check "an output folder that is not there" render_fails 2 "$work/no/out.png" "$work/three.csv" -o "$work/no/out.png"
check "two pictures in a PNG" render_fails 2 'end.* in .gif' "$work/three.csv" "$work/many.csv" -o "$png"
check "a plane of flat bodies" render_fails 2 'three.csv: .*only plane is xy' "$work/three.csv" -o "$png" --plane yz
for bad in "--size 8x8" "--size big" "--view 1:0,0:1" "--view 0:1" "--view 0:nan,0:1" "--view 0:1,0:1," "--plane zz" "--weight size" "--fps 0" "--bins 0"; do
    check "$bad" render_fails 2 "${bad% *}" "$work/three.csv" -o "$png" $bad
done
for gone in "--colour grey" "--smear 2"; do check "$gone is gone" render_fails 2 "${gone% *}: gone; " "$work/three.csv" -o "$png" $gone; done
no_gnuplot() {
    rm -f "$png"
    exits 4 env PATH="$work/none" "$orrery" render "$work/three.csv" -o "$png" && grep -q 'gnuplot is not installed' "$work/err" &&
        [ "$(cat "$work/out" "$work/err" | wc -l)" -eq 1 ] && nothing_left
}
check "no gnuplot" no_gnuplot
check "a variant without bodies" render_fails 2 '--dataset' fujiwara/cpu-simd -o "$out"
check "two variants" render_fails 2 'one variant' fujiwara/cpu-simd fujiwara/cpu-only -o "$out" --dataset cartwheel
check "one frame" render_fails 2 '--frames' fujiwara/cpu-simd --dataset cartwheel --frames 1 -o "$out"
check "steps as a setting" render_fails 2 '--steps-per-frame' fujiwara/cpu-simd --dataset cartwheel --set steps=5 -o "$out"
check "a time step of 0" render_fails 2 '--set dt' fujiwara/cpu-simd --dataset cartwheel --n 60 --set dt=0 -o "$out"
check "a variant that does not integrate" render_fails 2 'integrates' shan/serial --dataset uniform-boxes -o "$out"
check "a variant for fewer dimensions" render_fails 2 '2 dimensions' feng/exact --dataset cartwheel --n 60 -o "$out"
check "no patience" render_fails 4 '--timeout' fujiwara/cpu-only --dataset cartwheel --n 6000 --timeout 0.3 -o "$out"
interrupted() {
    local status=0
    rm -f "$out"
    timeout -s INT 1 "$orrery" render fujiwara/cpu-only --dataset cartwheel --n 6000 -o "$out" >"$work/out" 2>"$work/err" || status=$?
    [ $status -eq 124 ] && nothing_left
}
check "an interrupt leaves nothing" interrupted
