"""Decodes values by a schema of Avro: {"schema": …, "values": [hex, …]} → {"fingerprint": …, "values": […]}."""

import datetime
import io
import json
import sys

from fastavro import parse_schema, schemaless_reader
from fastavro.schema import fingerprint, to_parsing_canonical_form


def plain(value):
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.") + f"{value.microsecond // 1000:03d}Z"
    raise TypeError(type(value))


given = json.load(sys.stdin)
schema = parse_schema(given["schema"])
values = []
for text in given["values"]:
    stream = io.BytesIO(bytes.fromhex(text))
    values.append(schemaless_reader(stream, schema))
    if stream.read() != b"":
        raise ValueError("bytes are left")
mark = fingerprint(to_parsing_canonical_form(given["schema"]), "sha256")
json.dump({"fingerprint": mark, "values": values}, sys.stdout, default=plain)
