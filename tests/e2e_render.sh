#!/bin/bash
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

if ! grep -qE '^ok +pictures' <("$orrery" doctor 2>/dev/null); then
    check "a build without the libraries says so" render_fails 4 'libpng-dev libgif-dev' "$work/three.csv" -o "$png"
    finish
fi

is_png() { [ "$(head -c 8 "$1" | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ]; }
check "a CSV snapshot" run 0 render "$work/three.csv" -o "$png" --size 64x48
check "is a PNG" is_png "$png"
check "says what is in view" grep -qE '^view: x .*98 % of the first picture' "$work/out"
check "the same once more" run 0 render "$work/three.csv" -o "$work/again.png" --size 64x48
check "to the byte" cmp "$png" "$work/again.png"
check "--json" run 0 render "$work/three.csv" -o "$png" --size 64x48 --view=-1:3,-1:2 --json
check "is one object" jq -es 'length == 1 and .[0].pictures == 1 and .[0].view == [-1, 3, -1, 2] and .[0].n_first == 3
    and .[0].weight == "mass" and .[0].course == null' "$work/out"
bodies many.csv 'x,y,mass\n0,0,1\n1,1,1\n2,0.5,3\n1,0,0\n'
check "several snapshots" run 0 render "$work/three.csv" "$work/many.csv" "$work/three.csv" -o "$out" --size 64x48
check "are frames" test "$(frames "$out")" = 3
bodies positions.csv '0,0,0\n1,0,2\n'
check "positions alone" run 0 render "$work/positions.csv" -o "$png" --plane xz --size 32x32 --json
check "are counted" jq -e '.weight == "number"' "$work/out"
bodies light.csv 'x,y,mass\n0,0,0\n1,1,0\n'
check "massless bodies are counted" run 0 render "$work/light.csv" -o "$png" --json
check "unless mass is asked for" run 0 render "$work/light.csv" -o "$png" --weight mass
check "and said to be dark" grep -q 'nothing in view has mass' "$work/out"

check "a cartwheel" run 0 render fujiwara/cpu-simd --dataset cartwheel --n 600 --frames 5 --steps-per-frame 2 --plane yz \
    --size 64x64 --device host -o "$out" --json
check "five frames" test "$(frames "$out")" = 5
check "verified" jq -e '.pictures == 5 and .course.error.max < 1e-3 and .course.error.targets > 0 and
    .course.parameters.steps == 2 and .course.device == "host"' "$work/out"
cp "$out" "$work/first.gif"
check "once more" run 0 render fujiwara/cpu-simd --dataset cartwheel --n 600 --frames 5 --steps-per-frame 2 --plane yz --size 64x64 --device host -o "$out"
check "to the byte" cmp "$out" "$work/first.gif"
check "leaves no frames behind" test -z "$(ls "$TMPDIR")"
# Eight steps in four frames or in one are the same scheme, up to how the closing and opening kicks round.
check "a PNG shows the last frame" run 0 render fujiwara/cpu-simd --dataset cartwheel --n 600 --steps-per-frame 8 --device host -o "$png"
check "one picture" grep -q '1 picture of 800 x 800 pixels, 600 bodies' "$work/out"
check "an experiment" run 0 render fujiwara/table2 --n 300 --frames 2 --steps-per-frame 1 --size 32x32 -o "$out" --json
check "stands for its last variant" jq -e '.course.variant == "fujiwara/optimised" and .n_first == 300' "$work/out"

check "nothing to draw" render_fails 2 'something to draw' -o "$png"
check "no output" fails 2 '-o FILE' render "$work/three.csv"
check "an ending of no known kind" render_fails 2 '.png or .gif' "$work/three.csv" -o "$work/out.jpg"
check "an output folder that is not there" render_fails 2 "$work/no/out.png" "$work/three.csv" -o "$work/no/out.png"
check "a snapshot that is not there" render_fails 2 'nowhere.csv' "$work/nowhere.csv" -o "$png"
bodies cut.csv 'x,y,mass\n0,0,1\n1,0'
check "a truncated snapshot" render_fails 2 'cut.csv:3' "$work/three.csv" "$work/cut.csv" -o "$out"
bodies empty.csv 'x,y,mass\n'
check "no bodies" render_fails 2 'holds no bodies' "$work/empty.csv" -o "$png"
check "two pictures in a PNG" render_fails 2 'end.* in .gif' "$work/three.csv" "$work/many.csv" -o "$png"
check "masses that are not there" render_fails 2 '--weight number' "$work/positions.csv" -o "$png" --weight mass
check "a plane of flat bodies" render_fails 2 'three.csv: .*only plane is xy' "$work/three.csv" -o "$png" --plane yz
for bad in "--size 8x8" "--size big" "--view 1:0,0:1" "--view 0:1" "--plane zz" "--colour red" "--weight size" "--fps 0" "--smear 99"; do
    check "$bad" render_fails 2 "${bad% *}|no colours" "$work/three.csv" -o "$png" $bad
done
check "options of a variant" render_fails 2 'is no variant' "$work/three.csv" -o "$png" --n 5
check "two variants" render_fails 2 'one variant' fujiwara/cpu-simd fujiwara/cpu-only -o "$out" --dataset cartwheel
check "a paper" render_fails 2 'is a paper' fujiwara -o "$out"
check "an unknown variant" render_fails 2 'cpu-simd' fujiwara/cpu-sind --dataset cartwheel -o "$out"
check "no data set" render_fails 2 '--dataset NAME' fujiwara/cpu-simd -o "$out"
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
