#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Forges a journal as somebody would who knows how checksums are made: tests/e2e_forged.sh.
usage: forge.py JOURNAL OUT KIND"""
import hashlib
import itertools
import json
import sys


def each_time(cell, by):
    """All times of a cell, by so much; what is made of them fits."""
    for name in "seconds", "kernel_seconds", "single_seconds", "end_to_end_seconds":
        if cell.get(name):
            cell[name] *= by
    if cell.get("interval"):
        cell["interval"] = [x * by for x in cell["interval"]]
    for name, values in cell.get("samples", {}).items():
        if name.endswith("_s"):
            cell["samples"][name] = [x and x * by for x in values]
    for name in "interactions_per_second", "bodies_per_second":
        if cell.get(name):
            cell[name] /= by


def each_error(value, by):
    for name in "median", "p99", "max":
        if name in value:
            value[name] *= by
    for part in "by_terms", "by_mean":
        if isinstance(value.get(part), dict):
            each_error(value[part], by)


def bound(cell):
    """Errors a hundred thousand times as large, and bounds that allow them."""
    if "error" in cell:
        each_error(cell["error"], 1e5)
        cell["error"]["bound"].update(median=1e9, p99=1e9, max=1e9)


def changed(**members):
    """Cells with other members."""
    return lambda cell: cell.update(members)


def bodies(cell):
    cell["dataset"]["n"] *= 10


def escape(run):
    run["machine"]["name"] = "\x1b[31mred"
    run["devices"][0]["name"] = "\x1b[2J"


def lower(ceiling):
    """As of a machine that was busy when its ceiling was measured."""
    ceiling["interactions_per_second"] /= 100
    ceiling["pairs"] = {kind: rate and rate / 100 for kind, rate in ceiling["pairs"].items()}


# What is done to each cell that is ok; by "each" one after another but for the last.
KINDS = {
    "times": lambda cell: each_time(cell, 1 / 300),
    "bounds": bound,
    "bodies": bodies,
    "device": changed(device_name="NVIDIA H900"),
    "absent": changed(device="cuda:7"),
    "dates": changed(started="2020-01-01T00:00:00Z"),
    "ids": changed(id="0123456789abcdef"),
}
source, target, kind = sys.argv[1:]
turn = itertools.cycle(list(KINDS.values())[:-1])
with open(source, encoding="utf-8") as lines, open(target, "w", encoding="utf-8") as out:
    for line in lines:
        record = json.loads(line)
        if kind == "escape" and record["record"] == "run":
            escape(record)
        elif kind == "run" and record["record"] == "run":
            record["started"] = "2020-01-01T00:00:00Z"
        elif kind == "busy" and record["record"] == "ceiling":
            lower(record)
        elif kind == "busy" and record["record"] != "run":
            continue
        elif record["record"] == "cell" and record.get("outcome") == "ok" and kind in ["each", *KINDS]:
            (next(turn) if kind == "each" else KINDS[kind])(record)
        if record.pop("check", None) is None:
            out.write(json.dumps(record, separators=(",", ":")) + "\n")
            continue
        text = json.dumps(record, separators=(",", ":"))[:-1]
        check = hashlib.sha256(text.encode()).hexdigest()[:16]
        out.write(f'{text},"check":"{check}"}}\n')
