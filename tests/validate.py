# SPDX-License-Identifier: MIT
"""validate.py [--shapes] SCHEMAS FILE...: each FILE.json, or each line of FILE.jsonl, against SCHEMAS/FILE.schema.json, or KIND=FILE.

With --shapes, of lines that have the same members of the same types the first: what `orrery check` says of values is enough.
"""
import json
import os
import sys

import jsonschema

shapes = sys.argv[1] == "--shapes"
schemas, *words = sys.argv[1 + shapes:]


def shape(value):
    """The members and their types; of a list, of each other element once."""
    if isinstance(value, dict):
        return tuple((name, shape(of)) for name, of in value.items())
    return frozenset(map(shape, value)) if isinstance(value, list) else type(value)


for word in words:
    kind, _, path = word.rpartition("=")
    kind = kind or os.path.basename(path).split(".")[0]
    with open(os.path.join(schemas, kind + ".schema.json")) as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    with open(path) as file:
        texts = file.read().splitlines() if path.endswith(".jsonl") else [file.read()]
    records = [json.loads(text) for text in texts]
    if shapes:
        records = list({shape(record): record for record in records}.values())
    error = next((e for record in records for e in jsonschema.Draft202012Validator(schema).iter_errors(record)), None)
    print(f"not ok {kind} {path}: {error.message} at {list(error.path)}" if error else f"ok {kind} {len(texts)}")
