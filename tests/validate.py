# SPDX-License-Identifier: MIT
"""validate.py SCHEMAS FILE...: each FILE.json, or each line of FILE.jsonl, against SCHEMAS/FILE.schema.json, or KIND=FILE."""
import json
import os
import sys

import jsonschema

schemas, *words = sys.argv[1:]
for word in words:
    kind, _, path = word.rpartition("=")
    kind = kind or os.path.basename(path).split(".")[0]
    with open(os.path.join(schemas, kind + ".schema.json")) as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    with open(path) as file:
        texts = file.read().splitlines() if path.endswith(".jsonl") else [file.read()]
    records = [json.loads(text) for text in texts]
    error = next((e for record in records for e in jsonschema.Draft202012Validator(schema).iter_errors(record)), None)
    print(f"not ok {kind} {path}: {error.message} at {list(error.path)}" if error else f"ok {kind} {len(texts)}")
