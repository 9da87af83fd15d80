# SPDX-License-Identifier: MIT
"""crate.py FOLDER...: is each an RO-Crate 1.1 and a Process Run Crate, and are its files those that its metadata tells of? A line a fault."""
import hashlib
import json
import os
import re
import sys
from urllib.parse import unquote

CONTEXT = "https://w3id.org/ro/crate/1.1/context"
PROFILE = "https://w3id.org/ro/wfrun/process/0.5"
# What the 1.1 context defines of the terms in use.
TERMS = {
    "name", "description", "datePublished", "license", "author", "hasPart", "citation", "mentions", "identifier",
    "encodingFormat", "contentSize", "conformsTo", "about", "softwareVersion", "startTime", "endTime", "agent", "instrument", "result", "version",
}
NEEDED = {
    "Dataset": {"name", "description", "datePublished", "license", "hasPart"},
    "File": {"name", "encodingFormat"},
    "Person": {"name"},
    "ScholarlyArticle": {"name", "author"},
    "CreateAction": {"name", "description", "startTime", "endTime", "instrument", "result"},
    "SoftwareApplication": {"name", "softwareVersion"},
    "CreativeWork": set(),
}


def links(value):
    return [v for v in (value if isinstance(value, list) else [value]) if isinstance(v, dict)]


def check_entity(entity, entities, terms):
    kind = entity.get("@type")
    if kind not in NEEDED:
        yield f"{entity['@id']} is of the unknown type {kind}"
        return
    for name in sorted(NEEDED[kind] - entity.keys()):
        yield f"{entity['@id']} has no {name}"
    for name, value in entity.items():
        if name[0] != "@" and name not in terms:
            yield f"{entity['@id']}: no context defines {name}"
        for link in links(value):
            if set(link) != {"@id"}:
                yield f"{entity['@id']}: {name} is no link"
            elif link["@id"] not in entities and not link["@id"].startswith("https://"):
                yield f"{entity['@id']}: {name} leads nowhere, to {link['@id']}"


def check_file(folder, entity):
    path = os.path.join(folder, unquote(entity["@id"]))
    if not re.fullmatch(r"[\w.~/%-]+", entity["@id"], re.ASCII):
        yield f"{entity['@id']} is no URI"
    if not os.path.isfile(path):
        yield f"{entity['@id']} is not there"
        return
    if entity["@id"] == "SHA256SUMS":  # it holds a hash of the metadata
        return
    with open(path, "rb") as file:
        data = file.read()
    if entity.get("contentSize") != str(len(data)):
        yield f"{entity['@id']} has {len(data)} bytes, not {entity.get('contentSize')}"
    if entity.get("sha256") != hashlib.sha256(data).hexdigest():
        yield f"{entity['@id']} has another hash"


def check(folder):
    with open(os.path.join(folder, "ro-crate-metadata.json"), encoding="utf-8") as file:
        crate = json.load(file)
    context, graph = crate["@context"], crate["@graph"]
    if set(crate) != {"@context", "@graph"} or context[0] != CONTEXT:
        yield "the context is not that of RO-Crate 1.1"
    entities = {entity["@id"]: entity for entity in graph}
    if len(entities) != len(graph):
        yield "an @id is there twice"
    terms = TERMS.union(*(set(more) for more in context[1:]))
    about = entities.get("ro-crate-metadata.json", {})
    root = entities.get("./", {"@id": "./"})
    if about.get("@type") != "CreativeWork" or about.get("about") != {"@id": "./"} or about.get("conformsTo") != {
        "@id": "https://w3id.org/ro/crate/1.1"
    }:
        yield "ro-crate-metadata.json does not describe the root"
    if root.get("@type") != "Dataset" or not re.fullmatch(r"\d{4}-\d\d-\d\d", root.get("datePublished", "")):
        yield "the root is no Dataset with a date"
    if root.get("conformsTo") != {"@id": PROFILE} or PROFILE not in entities:
        yield "the root does not conform to Process Run Crate"
    if root.get("license", {}).get("@id") not in entities:
        yield "the licence is not described"
    for entity in graph:
        yield from check_entity(entity, entities, terms)
    parts = {link["@id"] for link in links(root.get("hasPart", []))}
    for part in sorted(parts):
        yield from check_file(folder, entities.get(part, {"@id": part}))
    there = {
        os.path.relpath(os.path.join(at, name), folder) for at, _, names in os.walk(folder) for name in names
    } - {"ro-crate-metadata.json"}
    for name in sorted(there - {unquote(part) for part in parts}):
        yield f"{name} is no part of it"


bad = 0
for folder in sys.argv[1:]:
    for fault in check(folder):
        print(f"{folder}: {fault}")
        bad = 1
sys.exit(bad)
