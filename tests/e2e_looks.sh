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

# Looks at each page in a frame of so many pixels, everything in it unfolded, and writes what is wrong.
cat >"$looks/look.html" <<'END'
<!DOCTYPE html><meta charset="utf-8"><style>body { margin: 0 } iframe { border: 0; display: block }</style>
<pre id="found">nothing was looked at</pre>
<script>
'use strict';
const asked = new URLSearchParams(location.search), wide = +asked.get('width');
const frame = document.createElement('iframe');
frame.width = wide; frame.height = 1200;
const wrong = [], pages = PAGES, seen_of_all = { drawings: 0, pictures: 0, heads: 0 };
let turn = 0;
const named = e => e.tagName.toLowerCase() + (e.id ? '#' + e.id : '') + (e.className.baseVal || e.className ? '.' + (e.className.baseVal || e.className) : '') +
    ' "' + e.textContent.trim().slice(0, 40) + '"';
const within = (e, style) => { for (; e; e = e.parentElement) if (style(frame.contentWindow.getComputedStyle(e))) return true; return false; };
function look() {
    const page = frame.contentDocument, room = page.documentElement.clientWidth;
    if (page.documentElement.scrollWidth > room) wrong.push(`the page is ${page.documentElement.scrollWidth} pixels wide`);
    for (const e of page.querySelectorAll('body *:not(svg *)'))
        if (e.getBoundingClientRect().right > room + 1 && !within(e, s => s.overflowX === 'auto' || s.overflowX === 'scroll'))
            wrong.push('runs out of the page: ' + named(e));
    for (const e of page.querySelectorAll('img')) if (!e.complete || !e.naturalWidth) wrong.push('a picture does not load: ' + e.alt);
    const drawings = page.querySelectorAll('.figure svg');
    seen_of_all.drawings += drawings.length;
    seen_of_all.pictures += page.images.length;
    seen_of_all.heads += page.querySelectorAll('thead tr.below').length;
    for (const e of drawings) {
        const box = e.getBoundingClientRect(), drawn = e.getBBox();
        if (!box.width || !drawn.width) wrong.push('an empty drawing: ' + named(e.parentElement));
        for (const t of e.querySelectorAll('text')) {
            const r = t.getBoundingClientRect();
            if (r.width && (r.right > box.right + 2 || r.left < box.left - 2 || r.bottom > box.bottom + 2 || r.top < box.top - 2))
                wrong.push(`runs out of its figure ${e.closest('[id]').id}: ${t.textContent}`);
        }
    }
    for (const e of page.querySelectorAll('td, th'))
        if (e.offsetWidth && e.offsetWidth < 50 && e.textContent.length > 12) wrong.push('a column of letters: ' + named(e));
    for (const a of page.querySelectorAll('a[href^="#"]'))
        if (!page.getElementById(a.getAttribute('href').slice(1))) wrong.push('leads nowhere: ' + a.href);
}
/* Names and numbers of a figure stand apart; those that slant, as rooflines' do, have boxes larger than they are. */
function apart(page) {
    for (const drawing of page.querySelectorAll('.figure.full svg')) {
        const scale = drawing.viewBox.baseVal.width / drawing.getBoundingClientRect().width, seen = [];
        for (const t of drawing.querySelectorAll('text')) {
            const set = t.getCTM(), r = t.getBoundingClientRect(), text = t.textContent.trim();
            if (!r.width || !text || text === '≈' || Math.min(Math.abs(set.a), Math.abs(set.b)) > 0.01) continue;
            for (const [q, other] of seen) {
                const across = Math.min(r.right, q.right) - Math.max(r.left, q.left), down = Math.min(r.bottom, q.bottom) - Math.max(r.top, q.top);
                if (across * scale > 2 && down * scale > 6) wrong.push(`one over the other in ${pages[turn]}: ${text} / ${other}`);
            }
            seen.push([r, text]);
        }
    }
}
/* At half size letters of seven pixels and more. Every figure of cells tells them, and hides what it is asked to. */
function figures() {
    const page = frame.contentDocument;
    if (!turn && page.querySelectorAll('.telling img').length < 3) wrong.push('fewer than three telling figures');
    for (const e of wide > 1000 ? page.querySelectorAll('.figure.full svg text') : []) {
        const drawing = e.closest('svg'), half = 0.5 * drawing.getBoundingClientRect().width / drawing.viewBox.baseVal.width;
        const size = parseFloat(frame.contentWindow.getComputedStyle(e).fontSize) * Math.min(half, 0.5);
        if (e.textContent.trim() && half && size < 6) wrong.push(`letters of ${size.toFixed(1)} pixels: ${drawing.closest('[id]').id}: ${e.textContent}`);
    }
    /* What stands on a square of a heat map is lighter or darker than it. */
    const shade = c => (([r, g, b]) => 0.3 * r + 0.6 * g + 0.1 * b)(c.match(/\d+/g).map(Number));
    const fill = e => frame.contentWindow.getComputedStyle(e).fill;
    for (const drawing of /sweep|-cache-/.test(pages[turn]) ? page.querySelectorAll('.figure.full svg') : []) {
        const squares = [...drawing.querySelectorAll('polygon')].map(p => [p.getBoundingClientRect(), fill(p)]);
        for (const t of drawing.querySelectorAll('text')) {
            const r = t.getBoundingClientRect(), x = (r.left + r.right) / 2, y = (r.top + r.bottom) / 2;
            const on = r.width && squares.filter(([s]) => s.left < x && x < s.right && s.top < y && y < s.bottom).pop();
            if (on && Math.abs(shade(on[1]) - shade(fill(t))) < 60) wrong.push('cannot be read on its square: ' + t.textContent);
        }
    }
    if (!page.querySelector('.figure.full svg') || /-(snapshots|resources)-|^roofline-/.test(pages[turn])) return;
    if (![...page.querySelectorAll('.point')].some(p => /cell [0-9a-f]+; .* samples? of .*; orrery describe/.test(p.dataset.told)))
        wrong.push('no point tells its cell: ' + pages[turn]);
    const point = page.querySelector('.point'), card = page.querySelector('.card');
    point.dispatchEvent(new frame.contentWindow.PointerEvent('pointerover', { bubbles: true }));
    const box = card.getBoundingClientRect();
    if (!box.width || !/cell [0-9a-f]|published/.test(card.textContent) || box.left < 0 || box.right > page.documentElement.clientWidth)
        wrong.push('no card of a point: ' + pages[turn] + ' ' + card.textContent);
    page.body.dispatchEvent(new frame.contentWindow.PointerEvent('pointerover', { bubbles: true }));
    if (card.offsetWidth) wrong.push('a card stays: ' + pages[turn]);
}
function next() {
    const page = frame.contentDocument;
    look();
    if (wide > 1000) apart(page);
    figures();
    if (++turn < pages.length) { frame.src = 'page/' + pages[turn]; return; }
    if (seen_of_all.drawings < 30 || seen_of_all.pictures < 30) wrong.push('fewer than 30 figures');
    if (!seen_of_all.heads) wrong.push('no head in two lines');
    document.getElementById('found').textContent = wrong.length ? wrong.slice(0, 400).join('\n') : 'nothing is wrong';
}
frame.onload = () => {
    const page = frame.contentDocument;
    if (asked.get('top')) { document.getElementById('found').remove(); return; }
    page.querySelectorAll('details').forEach(d => { d.open = true; });
    for (const e of page.images) e.loading = 'eager';
    Promise.all([...page.images].map(e => e.decode().catch(() => {}))).then(next);
};
frame.src = 'page/' + (asked.get('top') || pages[0]);
document.body.append(frame);
</script>
END
pages=$(cd "$looks/page" && printf '%s\n' index.html *.html | awk '!seen[$0]++ { printf "%s\"%s\"", (NR > 1 ? ", " : ""), $0 }')
sed -i "s/PAGES/[$pages]/" "$looks/look.html"
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
finish
