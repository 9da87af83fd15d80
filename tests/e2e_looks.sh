#!/bin/bash
# SPDX-License-Identifier: MIT
# The report in a browser, on a phone and on a wide screen, light and dark: no error on the console, nothing runs out of the
# page or out of a figure, every picture loads, links within a page lead somewhere, points tell their cells.
# LOOKS=DIR keeps the pages and pictures of the first.
set -u
source "$(dirname "$0")/lib_e2e.sh"
if [ -z "${ORRERY_ALL_TESTS:-}" ]; then echo "skipped: a browser takes long; ORRERY_ALL_TESTS=1 runs it"; exit 0; fi
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
    { echo "skipped: chromium is not installed"; exit 0; }
looks=${LOOKS:-$work/looks}
mkdir -p "$looks"

cd "$work" || exit 1
run 0 report -r "$root/tests/data/intel-xeon-2-cores" -r "$frozen_gpu" -r "$frozen_cpu" -o "$looks/page" || cat "$work/err"
check every-figure-is-drawn bash -c "! grep 'figures are missing' '$work/err'"

# The first page is small and opens at once, those of papers are of moderate size.
small() { [ "$(stat -c %s "$looks/page/index.html")" -le 300000 ] && ! find "$looks/page" -name '*.html' -size +1000k | grep .; }
check pages-are-small small

pages=$(cd "$looks/page" && printf '%s\n' index.html *.html | awk '!seen[$0]++ { printf "%s\"%s\"", (NR > 1 ? ", " : ""), $0 }')
sed "s/PAGES/[$pages]/" "$root/tests/looks.html" >"$looks/look.html"
open_page() { # query, dark or light, arguments of the browser
    local query=$1 scheme=$2
    shift 2
    timeout "$(patience 120)" "$browser" --headless=new --no-sandbox --disable-gpu --no-first-run --hide-scrollbars --allow-file-access-from-files \
        --user-data-dir="$work/browser" --enable-logging=stderr --blink-settings=preferredColorScheme=$([ "$scheme" = dark ]; echo $?) \
        --virtual-time-budget=20000 "$@" "file://$looks/look.html?$query" 2>log
}
looks_right() { # width, dark or light
    open_page "width=$1" "$2" --window-size=1600,1300 --dump-dom >dom || { tail -5 log; return 1; }
    sed -n '/<pre id="found">/,/<script>/p' dom
    ! grep 'CONSOLE' log && grep -q '<pre id="found">nothing is wrong</pre>' dom
}
# What is looked for is seen.
cp -r "$looks/page" "$looks/whole"
planted='<p style="width:2000px">wide</p><table><tr><td style="min-width:2000px">table</td></tr></table>'
planted+='<table><tr><td style="white-space:normal;overflow-wrap:anywhere"><div style="width:1em">one letter a line</div></td></tr></table><img src="nowhere.png" alt="lost"><script>undefined_name();</script>'
sed -i "s,<h2 id=\"missing\">,$planted&,; s,; orrery describe [0-9a-f]*,,g; s/rgb(17,17,17)/rgb(214,233,244)/g" "$looks"/page/*.html
faults() {
    ! looks_right 1400 light >seen || return 1
    for fault in 'undefined_name is not defined' 'the page is 2[0-9]* pixels wide' 'runs out of the page: p "wide"' 'a picture does not load: lost' 'runs out of the page: td "table"' \
        'a column of letters' 'no point tells its cell' 'cannot be read on its square'; do
        grep -q "$fault" seen || { echo "not seen: $fault"; cat seen; return 1; }
    done
}
check faults-are-seen faults
rm -r "$looks/page" && mv "$looks/whole" "$looks/page"
for width in 380 1400; do
    for scheme in light dark; do
        check "report-$width-$scheme" looks_right $width $scheme
        [ -z "${LOOKS:-}" ] || open_page "width=$width&top=index.html" $scheme --window-size=$width,1200 --screenshot="$looks/$width-$scheme.png" >shot
    done
done
