# SPDX-License-Identifier: MIT
"""Promises about the sources, for tests/e2e_source.sh: includes follow layers and floors; documents name what exists.
usage: source.py layers | floors | names DOCUMENT..."""
import graphlib
import itertools
import pathlib
import posixpath
import re
import sys

# From below. variant.h, the plugin contract, goes with the plugins; its communicator, ranks/ranks.h, lies below them. The library of
# ranks knows the program up to what runs cells, and nothing of the program includes it.
LAYERS = ["root", "datasets", "device", "communicator measure", "plugin", "plan", "ledger", "audit verify", "claims worker",
          "present referee", "compare report run ranks", "cli", "main"]
HEIGHT = {room: height for height, rooms in enumerate(LAYERS) for room in rooms.split()}
APART = {"harness/main.c": "main", "harness/variant.h": "plugin", "ranks/ranks.h": "communicator"}
# Files that need each other: a message is tamed as a text is, and what reads a text may fail.
TOGETHER = [{"harness/error", "harness/memory", "harness/text"}, {"harness/plugin/plugin", "harness/plugin/program"},
            {"harness/device/backend", "harness/device/device"}, {"datasets/formats/codec", "datasets/formats/format"}]


def includes():
    """The file, its line and the file that it includes, each by its path."""
    for path in (path for room in ("harness", "datasets", "ranks") for path in pathlib.Path(room).rglob("*.[ch]")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if found := re.match(r'#include "(.*?)"', line):
                yield str(path), number, found[1] if re.match("(datasets|ranks|kernels)/", found[1]) else "harness/" + found[1]


def room_of(path):
    folder, slash, _ = path.removeprefix("harness/").partition("/")
    return APART.get(path) or (folder if slash else "root")


def layers():
    """A room includes only rooms below it."""
    for path, number, to in includes():
        own, its = room_of(path), room_of(to)
        if own != its and (its == "ranks" or HEIGHT.get(its, -1) >= HEIGHT[own]):
            yield f"{path}:{number} includes {to}"


def floors():
    """Within a room a file with its header and its parts (x.c, x.h, x_parts.h) is one unit, which includes only units below it: no
    circles, and five floors at most."""
    below = {}
    for path, _, to in includes():
        unit, other = (re.sub(r"(_parts)?\.[ch]$", "", name) for name in (path, to))
        if unit != other and posixpath.dirname(unit) == posixpath.dirname(other) and not any({unit, other} <= known for known in TOGETHER):
            below.setdefault(posixpath.dirname(unit), {}).setdefault(unit, set()).add(other)
    for room, units in below.items():
        sorter, floor = graphlib.TopologicalSorter(units), 0
        try:
            sorter.prepare()
            while sorter.is_active():
                sorter.done(*sorter.get_ready())
                floor += 1
        except graphlib.CycleError as error:
            yield "a circle of includes: " + " ".join(error.args[1])
        if floor > 5:
            yield f"{room} has {floor} floors of includes, more than 5"


def names(*documents):
    """What `code` names: a path or the end of one, up to <placeholders>; an identifier or the beginning of one. Links are from the
    document's folder."""
    known = set()
    for path in pathlib.Path().rglob("*"):
        parts = path.parts
        if parts[0] != ".git" and not parts[0].startswith("build"):
            known.update("/".join(parts[k:]) for k in range(len(parts)))
            if parts[0] in SOURCES and "golden" not in parts and path.suffix != ".csv" and path.is_file():
                for word in set(re.findall(r"\b[A-Za-z]+_\w+", path.read_text(errors="replace"), re.A)):
                    known.update(itertools.accumulate(re.findall("[^_]*_?", word)))
    roots = {path.name for path in pathlib.Path().iterdir() if path.is_dir()}
    for document in documents:
        text = re.sub(r"^```.*?^```", lambda block: "\n" * block[0].count("\n"), pathlib.Path(document).read_text(), flags=re.M | re.S)
        for number, line in enumerate(text.splitlines(), 1):
            found = [posixpath.normpath(posixpath.join(posixpath.dirname(document), link)) for link in re.findall(r"\]\(([^):#]+)\)", line)]
            for name in line.split("`")[1::2]:
                name = re.sub(r"\([^)].*", "", re.sub(r"^(struct |\./)", "", name))
                if re.fullmatch(r"[A-Za-z]+_[A-Za-z0-9_]+", name) or re.fullmatch(r"[-\w./<>*]+", name, re.A) and (
                        re.search(r"\.(c|h|cl|sql|gp|md|sh|csv|yaml)$", name) or "/" in name and name.split("/")[0] in roots):
                    found.append(name)
            for name in found:
                name = re.sub(r"[^/]*[<*].*", "", name).rstrip("/")
                if name not in known and not re.match(r"$|build|\.", name):
                    yield f"{document}:{number}: there is no {name}"


SOURCES = ("harness", "datasets", "ranks", "variants", "tests", "kernels", "tools")
wrong = list({"layers": layers, "floors": floors, "names": names}[sys.argv[1]](*sys.argv[2:]))
print("\n".join(wrong))
sys.exit(bool(wrong))
