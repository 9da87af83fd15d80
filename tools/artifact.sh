#!/bin/bash
# SPDX-License-Identifier: MIT
# Results as an artifact that somebody else can evaluate: journals, what they are of, the verdicts to expect, hashes, RO-Crate metadata.
# usage: tools/artifact.sh [-p PAPER] [-a AUTHOR]... [-l LICENCE] -o DIR [JOURNAL|FOLDER|MACHINE...]
#   writes DIR, which must not be there, and DIR.tar.gz; the results default to results/, the licence (an SPDX name) to MIT
#   ORRERY   the program, where it is not on the PATH
#   PYTHON   a Python that has the package rocrate (PyPI); without one there is no RO-Crate metadata
# Needs jq, sha256sum and tar.
set -euo pipefail
paper='' target='' licence=MIT authors=()
while getopts p:a:l:o: option; do
    case $option in
    p) paper=$OPTARG ;; a) authors+=("$OPTARG") ;; l) licence=$OPTARG ;; o) target=${OPTARG%/} ;;
    *) sed -n '3,6s/^# *//p' "$0" >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || set -- results
stop() { echo "artifact.sh: $*" >&2; exit 2; }
orrery=$(realpath "$(command -v "${ORRERY:-orrery}")") || stop "no program ${ORRERY:-orrery}; ORRERY names it"
[ "$target" ] || stop "-o DIR names the folder to write"
{ [ ! -e "$target" ] && [ ! -e "$target.tar.gz" ]; } || stop "$target is there already"
named=() && for name; do named+=(-r "$name"); done
# Nothing is packed that does not hold.
"$orrery" check "$@" >/dev/null || [ $? -eq 1 ] || stop "\`orrery check $*\` has faults; nothing was packed"
mkdir -p "$(dirname "$target")"
folder=$(mktemp -d "$target.part-XXXXXX")
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"

# --- journals, as they are, each run once: of copies the longest ---
quoted=${paper//\'/\'\'}
"$orrery" query "SELECT machine, run, path FROM run AS one WHERE run_key = (SELECT min(run_key) FROM run WHERE path = one.path)
    AND ('$quoted' = '' OR EXISTS (SELECT 1 FROM cell JOIN run USING (run_key)
        WHERE path = one.path AND experiment LIKE '$quoted/%')) ORDER BY machine, run" "${named[@]}" -f json |
    jq -r '.rows[] | [.machine, .run, .path] | .[]' >"$folder/list"
while read -r machine && read -r run && read -r path; do
    case $machine/$run in .* | */.* | */*/*) stop "$path: '$machine/$run' is no name for a run" ;; esac
    to=$folder/results/$machine/$run.jsonl
    [ ! -e "$to" ] || [ "$(stat -Lc %s "$path")" -gt "$(stat -c %s "$to")" ] || continue
    mkdir -p "$(dirname "$to")"
    cp "$path" "$to"
    for picture in "${path%/*}/$run"-*.csv; do [ ! -e "$picture" ] || cp "$picture" "$(dirname "$to")/"; done
done <"$folder/list"
[ -d "$folder/results" ] || stop "no journal has results of what was asked for"
cd "$folder"
rm list

# --- what is expected of them ---
"$orrery" claims ${paper:+"$paper"} -r results --json >claims.json
ask() { "$orrery" query "$1" -r results -f json; }
ask "SELECT DISTINCT machine, cpu, cores, run.memory_bytes / (1 << 30) AS gib, os, kernel, device, device_name, driver, toolkit FROM run
    JOIN device USING (run_key) ORDER BY machine, device" >machines.json
ask "SELECT machine, run, started, (SELECT strftime('%Y-%m-%dT%H:%M:%SZ', max(julianday(cell.started) + coalesce(wall_s, 0) / 86400.0)) FROM cell
    WHERE cell.run_key = run.run_key) AS finished, coalesce(version, '?') AS version, coalesce(commit_id, 'unknown') AS \"commit\", 'orrery run '
    || (SELECT group_concat(value, ' ') FROM json_each(request, '\$.what')) || coalesce(' --preset ' || preset, '') AS command,
    (SELECT round(sum(wall_s) / 60, 1) FROM cell WHERE cell.run_key = run.run_key) AS minutes FROM run ORDER BY path" >runs.json
"$orrery" list papers --json | jq --slurpfile rows claims.json '($rows[0] | map(.paper) | unique) as $here | map(select(.name | IN($here[])))' >papers.json
jq -n --arg authors "$(IFS=';' && echo "${authors[*]}" | sed 's/;/, /g')" --arg licence "$licence" --slurpfile papers papers.json --slurpfile machines machines.json \
    --slurpfile runs runs.json --slurpfile claims claims.json -r '
    def row: "| " + (map(if . == null then "" else tostring | gsub("\\|"; "\\|") | gsub("\n"; " ") end) | join(" | ")) + " |";
    def table($head): ([$head, ($head | map("---"))] + .) | map(row) | join("\n");
    "# Published GPU N-body results, measured again\n",
    "\($authors | if . == "" then "" else "By \(.). " end)Written by Orrery, licence \($licence).\n\n## Papers\n",
    ($papers[0][] | "- \(.authors), *\(.title)*, \(.venue)\(if .year then ", \(.year)" else "" end)"),
    "\n## Machines\n", ($machines[0].rows | map([.machine, .cpu, .cores, .gib, .os, .kernel, .device, .device_name, .driver, .toolkit])
        | table(["machine", "processor", "cores", "GiB", "system", "kernel", "device", "name", "driver", "compiler of kernels"])),
    "\n## Measured by\n", ($runs[0].rows | map([.machine, "`\(.command)`", .minutes, .run, "\(.version) (\(.commit))"])
        | table(["machine", "command, as far as it chose cells", "minutes", "run", "Orrery"])),
    "\n## Installation\n\nA checkout of Orrery at the commit above, on Debian 12 or Ubuntu 24.04 (1 GB, 5 minutes on two cores):\n\n```\ntools/install.sh build\nmake -j\nexport PATH=\"$PWD/build:$PATH\"\norrery doctor          # what this machine has and lacks\nmake check-artifact    # a quarter of an hour, on a processor\n```",
    "\n## Evaluation\n\nIs this folder as it was written, and do its journals give its verdicts?\n\n```\nsha256sum -c --strict --quiet SHA256SUMS\norrery check .\n```",
    "\nThen, on a machine of your own, a command of the table; `--dry-run` says how long it takes there.\nOn hardware like that of a machine above `orrery claims --expect claims.json --listed` compares verdict by verdict.",
    "\n## Claims, commands, expected verdicts\n",
    ($claims[0] | map(["\(.paper)/\(.id)", .text, .published, "`orrery reproduce \(.paper)/\(.id)\(if .device then " --device \(.device)" else "" end)`",
        .machine, .reading, .score.text]) | table(["claim", "the paper says", "published", "command", "machine", "reading", "expected"])),
    "\nParts of a verdict that compare times depend on the hardware; parts that count, or measure errors, do not."' >README.md

# --- RO-Crate metadata (https://w3id.org/ro/crate/1.1), a Process Run Crate: what ran, by which program, with what it wrote ---
python=${PYTHON:-python3}
if "$python" -c 'import rocrate' 2>/dev/null; then
    "$python" - "$licence" "${authors[@]}" <<'PYTHON'
import datetime, hashlib, json, pathlib, sys
from urllib.parse import quote
from rocrate.model import ContextEntity, Person
from rocrate.rocrate import ROCrate

def read(name): return json.loads(pathlib.Path(name).read_text(encoding='utf-8'))
def entity(kind, identifier, **properties): return crate.add(ContextEntity(crate, identifier, {'@type': kind, **properties}))
def one(values): return values[0] if len(values) == 1 else values
def time(text): return text and text.replace('Z', '+00:00')

crate = ROCrate(version='1.1')
crate.name = 'Published GPU N-body results, measured again'
crate.description = 'Journals of Orrery, which verifies what it times against double precision, with a verdict on each claim.'
crate.license = entity('CreativeWork', 'https://spdx.org/licenses/' + quote(sys.argv[1]), name=sys.argv[1])
crate.root_dataset['datePublished'] = datetime.date.today().isoformat()
profile = entity('CreativeWork', 'https://w3id.org/ro/wfrun/process/0.5', name='Process Run Crate', version='0.5')
crate.root_dataset['conformsTo'] = profile
crate.metadata.extra_contexts.append({'sha256': 'http://schema.org/sha256'})
files = {}
for path in sorted(p for p in pathlib.Path('.').rglob('*') if p.is_file()):
    kind = {'.md': 'text/markdown', '.csv': 'text/csv', '.jsonl': 'application/x-ndjson'}.get(path.suffix, 'application/json')
    files[str(path)] = crate.add_file(path, str(path), properties={
        'name': path.name, 'encodingFormat': kind, 'contentSize': str(path.stat().st_size),
        'sha256': hashlib.sha256(path.read_bytes()).hexdigest()})
crate.add_file('SHA256SUMS', 'SHA256SUMS', properties={'name': 'SHA256SUMS', 'encodingFormat': 'text/plain'})  # made below
people = [crate.add(Person(crate, '#' + quote(name), {'name': name})) for name in sys.argv[2:]]
if people:
    crate.root_dataset['author'] = one(people)
crate.root_dataset['citation'] = one([entity('ScholarlyArticle', '#paper-' + p['name'], name=p['title'], author=p['authors'])
                                  for p in read('papers.json')])
for run in read('runs.json')['rows']:
    program = entity('SoftwareApplication', '#orrery-' + run['commit'], name='Orrery', softwareVersion=f"{run['version']} ({run['commit']})")
    known = {name: value for name, value in (('endTime', time(run['finished'])), ('agent', one(people))) if value}
    crate.root_dataset.append_to('mentions', entity(
        'CreateAction', '#run-' + run['run'], name='a run on ' + run['machine'], description=run['command'], startTime=time(run['started']),
        instrument=program, result=files[f"results/{run['machine']}/{run['run']}.jsonl"], **known))
pathlib.Path('ro-crate-metadata.json').write_text(json.dumps(crate.metadata.generate(), indent=1, ensure_ascii=False) + '\n', encoding='utf-8')
PYTHON
else
    echo "artifact.sh: no RO-Crate metadata: $python has no package rocrate (pip install rocrate, or PYTHON names another)" >&2
fi

find . -type f ! -name SHA256SUMS -printf '%P\0' | sort -z | xargs -0 sha256sum >SHA256SUMS
cd "$OLDPWD"
mv "$folder" "$target"
tar --sort=name --owner=0 --group=0 --numeric-owner -C "$(dirname "$target")" -czf "$target.tar.gz" "$(basename "$target")"
echo "$(grep -c 'results/.*jsonl' "$target/SHA256SUMS") journals, described in $target/README.md, packed in $target.tar.gz; \`sha256sum -c\` and \`orrery check\` read it as a reviewer does"
