# SPDX-License-Identifier: MIT
"""validate.py SCHEMAS FILE...: each FILE.json, or each line of FILE.jsonl, against SCHEMAS/FILE.schema.json, or KIND=FILE."""
import json
import os
import sys

import jsonschema

for word in sys.argv[2:]:
    kind, _, path = word.rpartition("=")
    kind = kind or os.path.basename(path).split(".")[0]
    with open(os.path.join(sys.argv[1], kind + ".schema.json")) as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    with open(path) as file:
        texts = file.read().splitlines() if path.endswith(".jsonl") else [file.read()]
    error = next((e for text in texts for e in jsonschema.Draft202012Validator(schema).iter_errors(json.loads(text))), None)
    print(f"not ok {kind} {path}: {error.message} at {list(error.path)}" if error else f"ok {kind} {len(texts)}")
