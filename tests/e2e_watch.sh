#!/bin/bash
# orrery watch: a run that goes on, one that was killed, its page; what it shows where, and with which exit code it ends.
. "$(dirname "$0")/lib_e2e.sh"
use_test_plugins
ln -s "$root/plots" "$ORRERY_HOME/plots"
cd "$work" || exit 1
# A shell without job control lets what it starts in the background ignore SIGINT.
start() { env --default-signal=INT "$orrery" "$@" >"$work/run.out" 2>"$work/run.err" & pid=$!; }
behind() { local name=$1; shift; env --default-signal=INT timeout 60 "$orrery" watch "$@" >"$work/$name.out" 2>"$work/$name.err" & watcher=$!; }
ends() { local status=0; wait "$1" || status=$?; [ "$status" -eq "$2" ] || { echo "exit status $status, not $2"; return 1; }; }
wait_for() { for _ in $(seq 400); do "$@" && return 0; sleep 0.02; done; return 1; }
cells_in() { [ "$(cat "$1"/*/*.jsonl 2>/dev/null | grep -c '"record":"cell"')" -ge "$2" ]; }
has() { grep -qE -- "$1" "$2"; }

# --- while it runs ---
check "nothing to watch" fails 2 'no run below results to watch' watch
start run plugins/slow plugins/wrong --device host --preset smoke --repeats 3 --set delay=0.04 -o results --machine trial
wait_for cells_in results 1
behind lines
liner=$watcher
behind page --report page --every 0.2 -o results
pager=$watcher
wait_for cells_in results 4
run 0 watch --once; cp out once
check "what runs" has '^orrery run plugins/slow plugins/wrong --preset smoke --set delay=0.04$' once
check "where, on what, how often" has "^run [0-9]{8}T[0-9]{6}Z-[0-9a-f]{4} on trial, host, 3 rounds, started [0-9:]+$" once
check "whose process runs it, and the time left" has "^running for [0-9]+s \(process $pid\), about [0-9]+s left$" once
check "how far it is" has '^\[#*\.*\] [0-9]+ % round [1-3] of 3, [0-9]+ of 15 measurements, [0-5] of 5 cells over' once
check "what is measured now" has '^now \[[1-3]: [1-5]/5\] plugins/[a-z]+ random-3d n=6[0-9].* host … [0-9]+s$' once
check "the last cells, with interval and verdict" has '^\[[1-3]: [1-5]/5\] plugins/right .* host … a step [0-9.]+ ms .*err [0-9]e-[0-9]+ ok$' once
check "and what was around them" has '^    load [0-9.]+' once
run 0 watch --json
check "the same as one object" jq -es --argjson pid $pid 'length == 1 and (.[0] | .schema == "orrery/watch/1" and .runs[0].state == "running" and .runs[0].pid == $pid and .runs[0].left_s > 0 and .runs[0].now.variant != "" and .runs[0].measurements.planned == 15 and .runs[0].exit == null and (.last | length >= 4) and .last[0].seconds > 0)' out
unfinished() { grep -q 'id="going".*The run goes on</b>: [0-9] of 5 cells are over, .* as of 20..-' page/index.html 2>/dev/null && tail -1 page/index.html | grep -q '</html>'; }
check "the page says that it goes on" wait_for unfinished
check "what is not whole, and how often it loads itself" eval "has 'Not whole yet: [0-9] of 4 cells have all their rounds' page/index.html && has 'data-every=\"0.2\"' page/index.html"
cp -r page going
check "the run is not disturbed" ends $pid 3
check "watching ends with it, with its exit code" ends "$liner" 3
check "a line a measurement" test "$(grep -cE '^\[[1-3]: [1-5]/5\] plugins/' lines.out)" = 13
check "with the fault's reason" has 'plugins/wrong .* … wrong: p99 error .* above the bound' lines.out
check "and the end" has '^over after [0-9]+s$' lines.out
plain() { ! grep -q $'\033' lines.out && [ ! -s lines.err ]; }
check "without colours or cursor moves off a terminal" plain
check "so does the page" ends "$pager" 3
final() { ! grep -q -e 'id="going"' -e 'Not whole yet' -e 'http-equiv="refresh"' page/index.html && grep -q 'data-every="0"' page/index.html && grep -q plugins-slow page/index.html; }
check "which then is final" final
check "nothing half-written stays beside it" test -z "$(find page -name '*.part-*')"

# --- when it is over ---
journal=$(ls results/trial/*.jsonl)
before=$(sha256sum "$journal"; stat -c %Y "$journal")
check "what is over is told" run 3 watch --once
check "with its counts" has '^\[#{20}\] 100 % round 3 of 3, 15 of 15 measurements, 5 of 5 cells over: 4 ok, 1 wrong$' out
check "and its faults" has '^plugins/wrong random-3d n=60 host … wrong: p99 error' out
check "its journal is as it was" test "$before" = "$(sha256sum "$journal"; stat -c %Y "$journal")"
name=$(basename "$journal" .jsonl)
for what in "$name" "${name%???}" "$journal" results results/trial; do check "named as ${what##*/}" run 3 watch --once "$what"; done
jq -c 'del(.check) | if .record == "run" then .schema = 1 elif .record == "cell" then .id |= "beef" + .[4:] else . end | select(.record != "end")' "$journal" >other.jsonl
check "another Orrery's plan is not guessed" eval 'run 5 watch --once other.jsonl && has "what is left is not known: this Orrery would measure other cells" out && has "15 measurements, 5 cells over: 4 ok, 1 wrong" out'

# --- when its process is gone ---
start run plugins/slow --device host --preset smoke --repeats 2 --set delay=0.1 -o results-2 --machine trial
wait_for cells_in results-2 2
behind killed -o results-2 --report page-2
wait_for has 'measurements' killed.out
kill -9 $pid
wait $pid 2>/dev/null
check "a killed run ends watching" ends "$watcher" 5
check "is told" has '^stopped at [0-9:]+: its process is gone; resume with `orrery run --resume [^ ]+ -o results-2`$' killed.out
check "on the page, too" has '<b>The run stopped before its end</b>: .*orrery run --resume .* -o results-2' page-2/index.html
check "which does not wait for more" has 'data-every="0"' page-2/index.html
killed=$(ls results-2/trial/*.jsonl)
printf '{"record":"cell","id":"half a li' >>"$killed"
check "half a line at the end" run 5 watch --json -o results-2
check "is no damage" jq -e '.runs[0].damaged_lines == 0 and .runs[0].state == "stopped" and (.runs[0].resume | test("--resume")) and .runs[0].measurements.made < 8' out
sed -i '0,/"seconds":0.1/s//"seconds":0.2/' "$killed"
check "a damaged line is" eval 'run 5 watch --once -o results-2 && has "^1 damaged line skipped: .*: its checksum does not match" out'
check "the report names what is half measured" eval 'run 0 report -r results-2 -o page-3 && has "has no end yet: [1-4] of its [1-4] cells shown here have fewer than 2 rounds" page-3/index.html'

# --- the page in a browser ---
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
if [ -n "${ORRERY_ALL_TESTS:-}" ] && [ -n "$browser" ]; then
    # Opens a fold, closes another and scrolls; looks again when the page has loaded itself anew, and once more at the final page.
    cat >reload.html <<'END'
<!DOCTYPE html><meta charset="utf-8"><pre id="found">nothing was looked at</pre>
<iframe id="frame" width="900" height="600" src="shown.html"></iframe>
<script>
'use strict';
const frame = document.getElementById('frame'), found = document.getElementById('found'), seen = [];
const page = () => frame.contentDocument;
const state = () => [...page().querySelectorAll('details')].map(d => +d.open).join('') + ' at ' + Math.round(frame.contentWindow.scrollY);
let loads = 0, left = '';
frame.onload = () => setTimeout(() => {
    loads++;
    if (loads === 1) {
        const folds = page().querySelectorAll('details');
        folds[0].open = !folds[0].open;
        folds[folds.length - 1].open = true;
        frame.contentWindow.scrollTo(0, 700);
        left = state();
    } else seen.push(state() === left ? 'kept' : `left ${left}, found ${state()}`);
    found.textContent = `${loads} loads: ${seen.join(', ')}; ${left}`;
}, 50);
</script>
END
    looks() { cp "$1" shown.html && timeout 60 "$browser" --headless=new --no-sandbox --disable-gpu --allow-file-access-from-files --user-data-dir="$work/browser" \
        --enable-logging=stderr --virtual-time-budget=5000 --dump-dom "file://$work/reload.html" 2>log | grep '<pre id="found">' && ! grep CONSOLE log; }
    sed 's/data-every="0.2"/data-every="1"/' going/index.html >going.html
    check "a page that goes on loads itself anew, as it was left" eval 'looks going.html >found && grep -E "[3-6] loads: kept, kept[^l]* at 700<" found'
    check "a final one stays" eval 'looks page/index.html >found && grep "1 loads: ;" found'
fi

# --- terminals ---
if command -v script >/dev/null; then
    escape=$(printf '\033')
    on_terminal() { # VARIABLE=VALUE... -- WORDS
        local settings=()
        while [ "$1" != -- ]; do settings+=("$1"); shift; done
        shift
        env "${settings[@]}" script -qec "stty cols 50 rows 12; $*" /dev/null >typed
    }
    start run plugins/slow --device host --preset smoke --set delay=0.04 -o results-3 --machine trial
    wait_for cells_in results-3 1
    check "on a terminal" on_terminal TERM=xterm LC_ALL=C.UTF-8 -- "$orrery watch -o results-3"
    screen() { grep -q "$escape\[?1049h" typed && grep -q "$escape\[H" typed && grep -q "$escape\[?25h$escape\[?7h$escape\[?1049l" typed; }
    check "it has a screen of its own, and gives it back" screen
    plainly() { tr -d '\r' <typed | sed "s/$escape\[[?0-9;]*[a-zA-Z]//g"; }
    fits() { [ -z "$(plainly | LC_ALL=C.UTF-8 grep -E '.{51,}')" ]; }
    check "whose lines fit" fits
    check "what a line cuts off is no verdict" eval 'plainly | grep -qE "^    .*err [0-9]e-[0-9]+ ok$|^    err [0-9]e-[0-9]+ ok$|^    [0-9]e-[0-9]+ ok$"'
    check "the last picture stays" eval 'plainly | tail -1 | grep -q load'
    on_terminal TERM=dumb -- "$orrery watch -o results-3" && check "a dumb one gets lines" eval '! grep -q "$escape" typed && plainly | grep -q " ok"'
    on_terminal TERM=xterm NO_COLOR=1 LC_ALL=C -- "$orrery watch -o results-3"
    check "no colours, ASCII only" eval '! grep -qE "$escape\[[0-9;]*m" typed && ! LC_ALL=C grep -q "[^ -~[:space:]$escape]" typed'
    start run plugins/slow --device host --preset smoke --set delay=0.08 -o results-4 --machine trial
    wait_for cells_in results-4 1
    on_terminal TERM=xterm LC_ALL=C.UTF-8 -- "env --default-signal=INT $orrery watch -o results-4 & watcher=\$!; sleep 0.4; stty cols 120 rows 40; sleep 0.2; kill -TSTP \$watcher; sleep 0.1; kill -CONT \$watcher; sleep 0.1; kill -INT \$watcher; wait \$watcher; echo status \$?"
    check "one that is resized is filled anew" eval 'plainly | grep -q "host, 1 round, started"'
    check "one that was suspended gives the screen back meanwhile" test "$(grep -o "$escape\[?1049[hl]" typed | tr -d '\n' | tr "$escape" .)" = '.[?1049h.[?1049l.[?1049h.[?1049l'
    check "Ctrl-C leaves it in order" eval 'plainly | grep -q "^status 130" && screen'
    check "and the run alone" ends $pid 0
fi

# --- shards of one campaign ---
shard() { run 0 run plugins/slow --device host --preset smoke -o results-5 --machine "node$1" --shard "$1/3"; }
check "two shards of three" eval "shard 1 && shard 2"
check "are watched together" run 0 watch --once results-5/node1
check "each with its part" eval 'has "^shard 1/3 .* on node1: over" out && has "^shard 2/3 .* on node2: over" out'
check "and what lacks" has '^1 of 3 shards have not begun$' out

# --- claims, and what is no run ---
claims() { ORRERY_HOME=$root ORRERY_PLUGINS=$BUILD/variants run 0 watch "$@" --claims "$root"/tests/data/intel-xeon-2-cores/20261122T045900Z*.jsonl; }
check "claims of a run, with when they were judged" eval 'claims --once && has "^claims, as of [0-9:]+$" out && has "^gaburov on .*: .*, [0-9]+ incomplete$" out'
check "a text is no journal" fails 2 'is no journal: it does not begin with a run' watch --once "$root/README.md"
check "a run that there is not" fails 2 "no run 'nowhere'" watch nowhere
check "a page that cannot be" fails 2 'cannot make the folder /nowhere/page' watch --report /nowhere/page -o results
check "other results without a page" fails 2 -- '--report DIR says where it is' watch -r results
finish
