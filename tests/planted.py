# SPDX-License-Identifier: MIT
"""The planted variants (tests/planted.txt) as Markdown, or `--outcomes TEST`: a line "NAME outcome|outcome" of each that TEST runs."""
import pathlib
import re
import sys

folder = pathlib.Path(__file__).parent
plugins = set(re.findall(r'^(?:PLUGIN|PLUGIN_WITH|SPOILS|MOVES)\((\w+)', '\n'.join(
    path.read_text() for path in sorted((folder / 'plugins').glob('*.c'))), re.M)) | {'no_symbol', 'octgrav_keeps_tree'}
plugins |= set(re.findall(r'is\("(program_\w+)"\)', (folder / 'programs' / 'cheat.c').read_text()))
test, named = (sys.argv[2] if sys.argv[1:2] == ['--outcomes'] else None), set()
for line in (folder / 'planted.txt').read_text().splitlines():
    if line.startswith('# ') or not line:
        continue
    if ' | ' not in line: # a heading, or what a section says of its rows
        if line.startswith('## '):
            begins = f'\n{line}\n'
        else:
            begins += f'{line}\n\n'
        continue
    outcome, by, does, catches = line.split(' | ')
    names = [name for name in re.findall(r'`(\w+)`', does) if name in plugins]
    named.update(names)
    if not test:
        if begins:
            print(begins + '| what it does | what catches it | outcome |\n|---|---|---|')
        print(f'| {does} | {catches} | `{outcome.replace(", ", "`, `")}` |')
        begins = ''
    elif by == test:
        for name in names:
            print(name, outcome.replace(', ', '|'))
missing = plugins - named
if missing:
    sys.exit('not named in tests/planted.txt: ' + ' '.join(sorted(missing)))
