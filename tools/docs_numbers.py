#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Numbers of the documentation that come from the reference results.

usage: tools/docs_numbers.py [--write]        ORRERY=build/orrery
       without --write says which numbers are not those of today, and which sentences their numbers no longer bear out; exits 1
       with --write puts today's numbers into the documents; sentences that they do not bear out are left to a person

docs/numbers.sql has a section for each sentence or row that quotes results:

    --: FILE | text as it stands in docs/FILE.md, with {} or {:.2f} where a number stands
    --: while CONDITION of the numbers a, b, c ..., in SQL, which the sentence rests on (may be left out)
    SELECT the numbers, in their order; further columns are for the condition alone

A section `--: rows FILE | COLUMNS | ARGUMENTS` has no SELECT: each row of a table in FILE whose first COLUMNS cells are those of a
row that `orrery ARGUMENTS` prints is that row; `query FILE` asks the SQL of that file.

What stands before the first section is run first: views. `↵` in a text is the end of a line. A SELECT reads the tables
    cell     the view `latest` of `orrery query`, of the reference machines
    stage, phase    median seconds of a cell's stages and phases
    verdict(machine, device, paper, id, reading, verdict, text), text being "partly (2 of 13)"
    part(machine, device, paper, id, reading, place, what, at, value, low, high, holds, cannot), of `orrery claims`
with the functions shown(x), three significant digits; duration(s [, extrapolated]) and ms(s [, extrapolated]); the aggregate median.
"""
import json
import os
import re
import sqlite3
import statistics
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
REFERENCE = "results/reference"
FIELD = re.compile(r"\{(:[^}]*)?\}")


def orrery(*arguments):
    """What a command of the built program prints."""
    program = os.environ.get("ORRERY", os.path.join(ROOT, "build/orrery"))
    return subprocess.run([program, *arguments], cwd=ROOT, check=True, capture_output=True, text=True,
                          env={**os.environ, "ORRERY_HOME": ROOT}).stdout


def shown(x):
    """Three significant digits, as the tables have them; — for none."""
    if x is None or isinstance(x, (str, int)):
        return "—" if x is None else str(x)
    if x and not 1e-3 <= abs(x) < 1e7:
        return re.sub(r"e([-+])0*", lambda m: "e" + m[1].replace("+", ""), f"{x:.1e}")
    digits = len(str(int(abs(float(f"{x:.3g}")))))
    if abs(x) >= 1:
        return f"{x:.{max(0, 3 - digits)}f}"
    return f"{float(f'{x:.3g}'):.{2 - int(f'{x:.2e}'[-3:])}f}" if x else "0"


def duration(seconds, extrapolated=0):
    """A time with its unit; ≈ where it is extrapolated."""
    if seconds is None:
        return "—"
    for unit, size in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size or unit == "us":
            return ("≈" if extrapolated else "") + shown(seconds / size) + " " + unit
    return "—"


def milliseconds(seconds, extrapolated=0):
    """The same without a unit."""
    return "—" if seconds is None else ("≈" if extrapolated else "") + shown(seconds * 1e3)


class Median:
    """The aggregate."""
    def __init__(self):
        self.values = []

    def step(self, value):
        """One more value."""
        if value is not None:
            self.values.append(value)

    def finalize(self):
        """The median of those that are there."""
        return statistics.median(self.values) if self.values else None


def fill(db, table, rows):
    """A table whose columns are the members of the rows."""
    columns = list(rows[0])
    db.execute(f"CREATE TABLE {table}({', '.join(columns)})")
    db.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(columns))})",
                   [[json.dumps(r[c]) if isinstance(r[c], (dict, list)) else r[c] for c in columns] for r in rows])


def load():
    """The reference results and their claims as tables."""
    db = sqlite3.connect(":memory:")
    for name, count, function in (("shown", 1, shown), ("duration", -1, duration), ("ms", -1, milliseconds)):
        db.create_function(name, count, function)
    db.create_aggregate("median", 1, Median)
    # Stages and phases in one query, since to read the journals takes longest.
    for table, sql in (("cell", "SELECT * FROM latest"),
                       ("part_of_step", "SELECT 'stage' AS kind, cell_key, name, seconds, in_step FROM stage UNION ALL "
                                        "SELECT 'phase', cell_key, name, median(seconds), NULL FROM phase GROUP BY cell_key, name")):
        fill(db, table, json.loads(orrery("query", sql, "-r", REFERENCE, "-f", "json"))["rows"])
    for kind in "stage", "phase":
        db.execute(f"CREATE VIEW {kind} AS SELECT * FROM part_of_step WHERE kind = '{kind}'")
    claims = json.loads(orrery("claims", "--json", "-r", REFERENCE))
    fill(db, "verdict", [{**{m: c[m] for m in ("machine", "device", "paper", "id", "reading", "verdict")},
                          "text": c["score"]["text"]} for c in claims])
    fill(db, "part", [{**{m: c[m] for m in ("machine", "device", "paper", "id", "reading")}, "place": place,
                       **{m: p[m] for m in ("what", "at", "value", "low", "high", "holds", "cannot")}}
                      for c in claims for place, p in enumerate(c["parts"])])
    return db


def sections():
    """Of docs/numbers.sql: what stands before the first, and (line, file, text, condition, sql) of each."""
    found, views = [], ""
    with open(os.path.join(ROOT, "docs/numbers.sql"), encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line.startswith("--: while "):
                found[-1][3] = line[10:].strip()
            elif line.startswith("--: "):
                name, text = line[4:].rstrip("\n").split(" | ", 1)
                found.append([number, name, text.replace("↵", "\n"), None, ""])
            elif found and not line.startswith("--"):
                found[-1][4] += line
            elif not found:
                views += line
    return views, found


def cells(row, count):
    """The first cells of a table's row, without the marks of footnotes."""
    return [re.sub("[¹²³]", "", c).strip() for c in row.split("|")[1:count + 1]]


def rows_of_today(text, rest):
    """The document with each row that a command prints as the command prints it today."""
    count, command = rest.split(" | ")
    words = command.split()
    if words[0] == "query":
        with open(os.path.join(ROOT, words.pop(1)), encoding="utf-8") as query:
            words += ["--", query.read()]
    printed = orrery(*words)
    today = {tuple(cells(row, int(count))): row for row in printed.splitlines() if row.startswith("|")}
    for row in [r for r in text.splitlines() if r.startswith("|") and tuple(cells(r, int(count))) in today]:
        new = "| " + " | ".join(cells(today[tuple(cells(row, int(count)))], row.count("|") - 1)) + " |"
        if not re.fullmatch(r"[|:\- ]+", row):
            text = text.replace(row, new)
    return text


def sentence_of_today(db, text, template, condition, sql):
    """The document with today's numbers in one sentence, and what is wrong with it (None: nothing)."""
    fields = FIELD.findall(template)
    literal = FIELD.split(template)[::2]
    pattern = r"[^|\n]{1,90}?".join(map(re.escape, literal))
    places = re.findall(pattern, text)
    if len(places) != 1 or not literal[-1]:
        return text, f"stands {len(places)} times in it, not once" if literal[-1] else "must not end with a number"
    found = db.execute(sql).fetchone()
    if found is None or len(found) < len(fields) or all(x is None for x in found):
        return text, f"has {len(fields)} numbers, but its query gives {found}"
    said = [("{" + f + "}").format(x) if f and x is not None else shown(x) for f, x in zip(fields, found)]
    new = "".join(a + b for a, b in zip(literal, said + [""]))
    wrong = None
    if condition:
        names = ", ".join(f"? AS {chr(97 + i)}" for i in range(len(found)))
        if not db.execute(f"SELECT {condition} FROM (SELECT {names})", found).fetchone()[0]:
            wrong = f"is no longer borne out: it rests on {condition}, and today says: {new}"
    return text.replace(places[0], new), wrong


def main():
    """Compares, or writes."""
    db, documents, wrong, stale = load(), {}, 0, 0
    views, found = sections()
    db.executescript(views)
    for number, name, template, condition, sql in found:
        by_rows = name.startswith("rows ")
        name = name.removeprefix("rows ")
        path = os.path.join(ROOT, "README.md" if name == "README" else f"docs/{name}.md")
        if path not in documents:
            with open(path, encoding="utf-8") as document:
                documents[path] = [document.read()] * 2
        old, fault = documents[path][1], None
        try:
            if by_rows:
                new = rows_of_today(old, template)
            else:
                new, fault = sentence_of_today(db, old, template, condition, sql)
        except (sqlite3.Error, ValueError, TypeError) as error:
            new, fault = old, str(error)
        if fault:
            print(f"docs/numbers.sql:{number}: \"{template}\" of {name} {fault}")
            wrong += 1
        if new != old:
            stale += 1
            if "--write" not in sys.argv:
                was, is_now = ([l for l in a.splitlines() if l not in b.splitlines()] for a, b in ((old, new), (new, old)))
                print(f"{os.path.relpath(path, ROOT)} is behind (docs/numbers.sql:{number}):", *(f"  - {l}" for l in was),
                      *(f"  + {l}" for l in is_now), sep="\n")
        documents[path][1] = new
    if "--write" in sys.argv:
        for path, (was, text) in documents.items():
            if text != was:
                with open(path, "w", encoding="utf-8") as document:
                    document.write(text)
    print(f"{stale} sections {'written' if '--write' in sys.argv else 'behind the results'}, {wrong} to be mended by hand")
    return 1 if wrong or (stale and "--write" not in sys.argv) else 0


if __name__ == "__main__":
    sys.exit(main())
