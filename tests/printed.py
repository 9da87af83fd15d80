#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which printed cells a machine's journals lack: cells of the papers' own programs in their tables and figures.

usage: printed.py MACHINE PLANNED REASONS JOURNAL...
PLANNED: lines of `orrery run PAPER --preset paper --dry-run --json`. REASONS: machine,cells,reason, both shell patterns;
a cell is "experiment variant data set, n or P, settings", as --dry-run prints it without the device.
Prints what is neither measured nor excused, and each reason that excuses nothing; 1 where there is any."""
import csv
import fnmatch
import json
import sys


def alike(asked, measured):
    try:
        return float(asked) == float(measured)
    except (TypeError, ValueError):
        return str(asked) == str(measured)


def label(cell):
    size = cell.get("per_box") or 0
    words = [cell["experiment"], cell["variant"], cell["dataset"], f"P={size}" if size else f"n={cell['n']}"]
    return " ".join(words + [f"{name}={value}" for name, value in cell["settings"].items()])


def main(machine, planned, reasons, journals):
    done = {}
    for path in journals:
        with open(path, encoding="utf-8") as file:
            for record in map(json.loads, file):
                if record["record"] == "cell" and record["outcome"] == "ok" and record.get("seconds"):
                    key = record["experiment"], record["variant"], record["dataset"]["name"], record["dataset"]["n"]
                    done.setdefault(key, []).append({**record["dataset"], **record["parameters"]})
    with open(reasons, encoding="utf-8") as file:
        excuses = [row for row in csv.DictReader(file) if fnmatch.fnmatchcase(machine, row["machine"])]
    used, missing, total = set(), [], 0
    with open(planned, encoding="utf-8") as file:
        for cell in map(json.loads, file):
            total += 1
            key = cell["experiment"], cell["variant"], cell["dataset"], cell["n"]
            if any(all(alike(value, given.get(name)) for name, value in cell["settings"].items()) for given in done.get(key, [])):
                continue
            excused = [k for k, row in enumerate(excuses) if fnmatch.fnmatchcase(label(cell), row["cells"])]
            used.update(excused)
            if not excused:
                missing.append(label(cell))
    for line in missing:
        print("not measured:", line)
    for k, row in enumerate(excuses):
        if k not in used:
            print("excuses nothing:", row["cells"])
    print(f"{machine}: {total} printed cells, {len(missing)} neither measured nor excused")
    return bool(missing) or len(used) < len(excuses)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]))
