#!/bin/bash
# SPDX-License-Identifier: MIT
# Writes the man page on standard output: help2man reads what the program says of itself and of each command. usage: tools/man.sh BUILD
set -euo pipefail
orrery=$(realpath "$1/orrery")
command -v help2man >/dev/null || { echo "help2man is missing: apt install help2man" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mapfile -t commands < <("$orrery" --help | sed -n 's/^  \([a-z]*\) .*/\1/p')
mapfile -t verbs < <("$orrery" dataset --help | sed -n 's/^  \([a-z]*\) .*/\1/p')
cat >"$work/orrery" <<PROGRAM
#!/bin/bash
[ "\$1" != --version ] || { echo "orrery $("$orrery" --version | cut -d' ' -f2)"; exit 0; }
"$orrery" --help
of() { # WORDS...: a command's help as a section
    echo
    echo "*\$**"
    "$orrery" "\$@" --help | sed 's/^usage: /usage:\n /'
}
for command in ${commands[*]}; do [ \$command = dataset ] || of \$command; done
for verb in ${verbs[*]}; do of dataset \$verb; done
PROGRAM
chmod +x "$work/orrery"
rows() { "$orrery" help "$1" | sed -E 's/^(\S+) +(.*)/.TP\n.B \1\n\2/'; }
{
    echo '[exit status]'
    rows exit-codes
    echo '[environment]'
    rows environment
    printf '[files]\n.TP\n.B results/<machine>/<run>.jsonl\na journal: one JSON object a line\n'
    printf '.TP\n.B results/reference/\njournals that come with Orrery; --reference reads them\n'
} >"$work/more"
help2man --no-info --name 're-run published GPU N-body results on the machine at hand' --include "$work/more" "$work/orrery"
