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
render_fails() {
    local status=$1 text=$2
    shift 2
    rm -f "$out" "$png"
    fails "$status" "$text" render "$@" && nothing_left
}
frames() { LC_ALL=C grep -aoP '\x21\xf9\x04' "$1" | wc -l; }
bodies three.csv 'x,y,mass\n0,0,1\n1,1,1\n2,0.5,3\n'

is_png() { [ "$(head -c 8 "$1" | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ]; }
size_of() { od -An -tu1 -j16 -N8 "$1" | awk '{print $3 * 256 + $4 "x" $7 * 256 + $8}'; }
check "a CSV snapshot" run 0 render "$work/three.csv" -o "$png" --size 640x480
check "is a PNG" is_png "$png"
check "as large as asked for" test "$(size_of "$png")" = 640x480
check "says what is in view" grep -qE 'out.png: 1 picture of 3 bodies, x from ' "$work/out"
check "the same once more" run 0 render "$work/three.csv" -o "$work/again.png" --size 640x480
check "to the byte" cmp "$png" "$work/again.png"
check "--json" run 0 render "$work/three.csv" -o "$png" --view=-1:3,-1:2 --json
check "is one object" jq -es 'length == 1 and .[0].pictures == 1 and .[0].view == [-1, 3, -1, 2] and .[0].bodies == 3
    and .[0].weight == "mass" and .[0].course == null and .[0].scale == [1, 3]' "$work/out"
# Three bodies of which two share a bin; one on the upper edge is outside, one on the lower edge inside.
bodies bins.csv 'x,y,mass\n0,0,1\n0.1,0.1,5\n1,1,2\n2,1,64\n'
check "bodies are counted in bins" run 0 render "$work/bins.csv" -o "$png" --view=0:2,0:2 --bins 2 --json
check "by their mass" jq -e '.scale == [2, 6]' "$work/out"
check "or number" run 0 render "$work/bins.csv" -o "$png" --view=0:2,0:2 --bins 2 --weight number --json
check "of each bin" jq -e '.scale == [1, 2]' "$work/out"
# What gnuplot draws of two bins: the emptier one dark, the fuller one light, the empty ones black, the second row above the first.
colours() { $python - "$png" <<'EOF'
import struct, sys, zlib
data, at, raw = open(sys.argv[1], "rb").read(), 8, b""
while at < len(data):
    size, kind = struct.unpack(">I4s", data[at:at + 8])
    if kind == b"IHDR": width, height, _, colour = struct.unpack(">IIBB", data[at + 8:at + 18])
    if kind == b"IDAT": raw += data[at + 8:at + 8 + size]
    at += size + 12
n = {2: 3, 6: 4}[colour]
rows, before, raw = [], bytes(width * n), zlib.decompress(raw)
for y in range(height):
    kind, row = raw[y * (width * n + 1)], bytearray(raw[y * (width * n + 1) + 1:(y + 1) * (width * n + 1)])
    for x in range(width * n):
        a, b, c = row[x - n] if x >= n else 0, before[x], before[x - n] if x >= n else 0
        paeth = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
        row[x] = row[x] + (0, a, b, (a + b) // 2, paeth)[kind] & 255
    rows.append(bytes(row)); before = rows[-1]
print(*("%02x%02x%02x" % tuple(rows[y][x * n:x * n + 3]) for y in (500, 250) for x in (250, 500)))
EOF
}
python=$(command -v python3)
[ -z "$python" ] || check "are drawn where they are" test "$(colours)" = "fde725 000000 000000 472c7a"
bodies many.csv 'x,y,mass\n0,0,1\n1,1,1\n2,0.5,3\n1,0,0\n'
check "several snapshots" run 0 render "$work/three.csv" "$work/many.csv" "$work/three.csv" -o "$out"
check "are frames" test "$(frames "$out")" = 3
bodies light.csv 'x,y,mass\n0,0,0\n1,1,0\n'
check "massless bodies are not drawn" render_fails 2 'has mass; --view and --weight choose' "$work/light.csv" -o "$png"
check "but counted" run 0 render "$work/light.csv" -o "$png" --weight number
check "nothing in view" render_fails 2 'has bodies' "$work/light.csv" -o "$png" --weight number --view=5:6,5:6

check "a cartwheel" run 0 render fujiwara/cpu-simd --dataset cartwheel --n 600 --frames 5 --steps-per-frame 2 --plane yz \
    --device host -o "$out" --json
check "five frames" test "$(frames "$out")" = 5
check "verified" jq -e '.pictures == 5 and .course.error.max < 1e-3 and .course.error.targets > 0 and
    .course.parameters.steps == 2 and .course.device == "host"' "$work/out"
cp "$out" "$work/first.gif"
check "once more" run 0 render fujiwara/cpu-simd --dataset cartwheel --n 600 --frames 5 --steps-per-frame 2 --plane yz --device host -o "$out"
check "to the byte" cmp "$out" "$work/first.gif"
check "leaves no frames behind" test -z "$(ls "$TMPDIR")"
# Eight steps in four frames or in one are the same scheme, up to how the closing and opening kicks round.
check "a PNG shows the last frame" run 0 render fujiwara/cpu-simd --dataset cartwheel --n 600 --steps-per-frame 8 --device host -o "$png"
check "one picture" grep -q '1 picture of 600 bodies' "$work/out"
check "nothing to draw" render_fails 2 'something to draw' -o "$png"
check "no output" fails 2 '-o FILE' render "$work/three.csv"
check "an ending of no known kind" render_fails 2 '.gif or .png' "$work/three.csv" -o "$work/out.jpg"
check "an output folder that is not there" render_fails 2 "$work/no/out.png" "$work/three.csv" -o "$work/no/out.png"
check "a snapshot that is not there" render_fails 2 'nowhere.csv' "$work/nowhere.csv" -o "$png"
bodies cut.csv 'x,y,mass\n0,0,1\n1,0'
check "a truncated snapshot" render_fails 2 'cut.csv:3' "$work/three.csv" "$work/cut.csv" -o "$out"
bodies empty.csv 'x,y,mass\n'
check "no bodies" render_fails 2 'holds no bodies' "$work/empty.csv" -o "$png"
check "two pictures in a PNG" render_fails 2 'end.* in .gif' "$work/three.csv" "$work/many.csv" -o "$png"
check "a plane of flat bodies" render_fails 2 'three.csv: .*only plane is xy' "$work/three.csv" -o "$png" --plane yz
for bad in "--size 8x8" "--size big" "--view 1:0,0:1" "--view 0:1" "--view 0:nan,0:1" "--view 0:1,0:1," "--plane zz" "--weight size" "--fps 0" "--bins 0"; do
    check "$bad" render_fails 2 "${bad% *}" "$work/three.csv" -o "$png" $bad
done
for gone in "--colour grey" "--smear 2"; do
    check "$gone is gone" render_fails 2 "${gone% *}: gone; " "$work/three.csv" -o "$png" $gone
done
no_gnuplot() {
    rm -f "$png"
    local status=0 said
    said=$(PATH=$work/none "$orrery" render "$work/three.csv" -o "$png" 2>&1) || status=$?
    [ $status -eq 4 ] && [[ $said == *"gnuplot is not installed"* ]] && [ "$(wc -l <<<"$said")" -eq 1 ] && nothing_left
}
check "no gnuplot" no_gnuplot
check "a variant without bodies" render_fails 2 '--dataset' fujiwara/cpu-simd -o "$out"
check "two variants" render_fails 2 'one variant' fujiwara/cpu-simd fujiwara/cpu-only -o "$out" --dataset cartwheel
check "an unknown variant" render_fails 2 'cpu-simd' fujiwara/cpu-sind --dataset cartwheel -o "$out"
check "an unknown data set" render_fails 2 'cartwheel' fujiwara/cpu-simd --dataset cartwheal -o "$out"
check "too few bodies" render_fails 2 'cartwheel' fujiwara/cpu-simd --dataset cartwheel --n 1 -o "$out"
check "one frame" render_fails 2 '--frames' fujiwara/cpu-simd --dataset cartwheel --frames 1 -o "$out"
check "steps as a setting" render_fails 2 '--steps-per-frame' fujiwara/cpu-simd --dataset cartwheel --set steps=5 -o "$out"
check "a time step of 0" render_fails 2 '--set dt' fujiwara/cpu-simd --dataset cartwheel --n 60 --set dt=0 -o "$out"
check "a parameter that is not there" render_fails 2 'epz' fujiwara/cpu-simd --dataset cartwheel --n 60 --set epz=1 -o "$out"
check "a variant that does not integrate" render_fails 2 'integrates' shan/serial --dataset uniform-boxes -o "$out"
check "a variant for fewer dimensions" render_fails 2 '2 dimensions' feng/exact --dataset cartwheel --n 60 -o "$out"
check "a device that is not there" render_fails 4 'cuda:99' fujiwara/cpu-simd --dataset cartwheel --n 60 --device cuda:99 -o "$out"
check "no patience" render_fails 4 '--timeout' fujiwara/cpu-only --dataset cartwheel --n 6000 --timeout 0.3 -o "$out"
interrupted() {
    local status=0
    rm -f "$out"
    timeout -s INT 1 "$orrery" render fujiwara/cpu-only --dataset cartwheel --n 6000 -o "$out" >"$work/out" 2>"$work/err" || status=$?
    [ $status -eq 124 ] && nothing_left
}
check "an interrupt leaves nothing" interrupted
finish
