"""Sends requests through the client that openapi-python-client has generated.

Reads one request a line from stdin (JSON), and writes what the client made of its answer to stdout.
"""

import base64
import datetime
import importlib
import inspect
import io
import json
import pkgutil
import re
import sys
import typing

import fleetgate_client.api
from fleetgate_client import AuthenticatedClient, Client
from fleetgate_client.types import UNSET, File, Unset

MODULES = {
    name.rsplit(".", 1)[1].replace("_", ""): name
    for _, name, is_package in pkgutil.walk_packages(fleetgate_client.api.__path__, "fleetgate_client.api.")
    if not is_package
}


def client_for(url, token):
    options = {"base_url": url, "raise_on_unexpected_status": True, "timeout": 60}
    return Client(**options) if token is None else AuthenticatedClient(token=token, **options)


def body_for(parameter, media_type, body):
    if media_type != "application/json":
        data = base64.b64decode(body["base64"]) if isinstance(body, dict) else body.encode()
        file = File(payload=io.BytesIO(data), file_name="card.ddd")
        if media_type != "multipart/form-data":
            return file
        [model] = models_of(parameter)
        return model(file=file)
    models = models_of(parameter)
    for model in models:
        try:
            made = model.from_dict(body)
        except (TypeError, ValueError, AttributeError, KeyError):
            continue
        if made.to_dict() == body or len(models) == 1:
            return made
    return body


def models_of(parameter):
    options = typing.get_args(parameter.annotation) or (parameter.annotation,)
    return [each for each in options if hasattr(each, "from_dict")]


INSTANT = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})")


def comparable(value):
    """Instants are written in more than one form. Tokens are random: one may have a hyphen and a T where a date has them."""
    if isinstance(value, dict):
        return {name: comparable(each) for name, each in value.items()}
    if isinstance(value, list):
        return [comparable(each) for each in value]
    if isinstance(value, str) and INSTANT.fullmatch(value):
        return datetime.datetime.fromisoformat(value.replace("Z", "+00:00")).timestamp()
    return value


def send(url, call):
    module = importlib.import_module(MODULES[call["operationId"].lower()])
    client = client_for(url, call.get("token"))
    parameters = inspect.signature(module.sync_detailed).parameters
    names = {name.strip("_").replace("_", "").lower(): name for name in parameters}
    arguments = {
        names[name.replace("_", "").lower()]: value
        for name, value in {**call["pathParameters"], **call["query"]}.items()
    }
    for name, value in arguments.items():
        options = typing.get_args(parameters[name].annotation) or (parameters[name].annotation,)
        [make] = [each for each in options if each is not Unset][:1]
        if inspect.isclass(make) and make.__module__.startswith(("datetime", "uuid")):
            raise TypeError(f"{name} of {call['operationId']} is {make}")
        if isinstance(make, type) and make is int:
            arguments[name] = int(value)
    if call.get("mediaType") is not None:
        arguments["body"] = body_for(parameters["body"], call["mediaType"], call.get("body"))
    if call["isStream"]:
        # an answer that does not end: its head
        kwargs = module._get_kwargs(**arguments)
        with client.get_httpx_client().stream(**kwargs) as response:
            return {"status": response.status_code, "text": "", "type": "stream"}
    response = module.sync_detailed(client=client, **arguments)
    if response.parsed is None:
        raise TypeError(f"{call['operationId']} {response.status_code}: the answer has no type")
    parsed = response.parsed
    if hasattr(parsed, "to_dict") and comparable(parsed.to_dict()) != comparable(json.loads(response.content)):
        raise ValueError(f"{call['operationId']}: {parsed.to_dict()} is not {response.content!r}")
    text = response.content.decode("utf-8", "replace")
    return {"status": int(response.status_code), "text": text, "type": type(parsed).__name__}


for line in sys.stdin:
    try:
        answer = send(sys.argv[1], json.loads(line))
    except Exception as error:  # reported with the request that it belongs to
        answer = {"status": 0, "text": f"{type(error).__name__}: {error}", "type": ""}
    print(json.dumps(answer), flush=True)
