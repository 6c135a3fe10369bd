"""Servers made from documents, and what Python's openapi-core says of the requests that they got."""
import base64
import json
import os
import shutil
import subprocess
from pathlib import Path
from urllib.parse import parse_qsl

import yaml
from schemas import Loader

try:
    import openapi_core
    from openapi_core.testing import MockRequest
    from werkzeug.datastructures import Headers
except ImportError:
    openapi_core = None

# Samples are made for types, not for bounds.
BOUNDS = {"minLength", "maxLength", "pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
          "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties"}
FORMATS = {"date-time", "date", "uuid", "uri", "byte", "binary", "int32", "int64", "float", "double"}
DATA = {"example", "examples", "default", "enum", "const", "x-examples"}


def loosened(node, is_named=False):
    """A document without bounds of values, formats of texts that samples do not have, security and other servers."""
    if isinstance(node, list):
        return [loosened(element) for element in node]
    if not isinstance(node, dict):
        return node
    result = {}
    for key, value in node.items():
        key = str(key)
        if not is_named:
            if key in DATA or key == "security" or (key == "servers"):
                if key in ("enum", "const", "default"):
                    result[key] = value
                continue
            if key in BOUNDS and not isinstance(value, dict):
                continue
            if key == "format" and isinstance(value, str) and value not in FORMATS:
                continue
        result[key] = loosened(value, key in ("properties", "patternProperties", "schemas", "headers", "parameters",
                                              "responses", "paths", "$defs") and not is_named)
    return result


def base_path(root):
    """The path of the first server, its variables at their defaults."""
    server = (root.get("servers") or [{}])[0]
    url = server.get("url", "")
    for name, variable in (server.get("variables") or {}).items():
        url = url.replace("{" + name + "}", str(variable.get("default", "")))
    rest = url.split("://", 1)[1] if "://" in url else None
    rest = url[2:] if url.startswith("//") else rest
    path = "/" + rest.split("/", 1)[1] if rest and "/" in rest else "" if rest is not None else url
    return path.rstrip("/") if path.startswith("/") or not path else "/" + path.rstrip("/")


class DocumentServers:
    """The server program with several documents; each under its own address."""

    def __init__(self, program, folder, documents):
        self.program = program
        self.roots = {}
        self.arguments = []
        for identifier, path in documents:
            target = folder / "loose" / identifier
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(Path(path).parent, target)
            for file in [*target.rglob("*.y*ml"), *target.rglob("*.json")]:
                self.write(file, identifier, file == target / Path(path).name)
            self.arguments.append(f"{identifier}={target / Path(path).name}")

    def write(self, file, identifier, is_root):
        with open(file, encoding="utf-8") as text:
            try:
                node = yaml.load(text, Loader=Loader)
            except yaml.YAMLError:
                return
        loose = loosened(node)
        if is_root and isinstance(node, dict):
            loose["servers"] = [{"url": "http://localhost" + base_path(node)}]
            self.roots[identifier] = loose
        # JSON is YAML, whatever the file is called.
        file.write_text(json.dumps(loose, default=str, indent=1))

    def __enter__(self):
        self.process = subprocess.Popen([self.program, "serve", *self.arguments], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        lines = [self.process.stdout.readline().split() for _ in self.arguments]
        self.urls = {line[0]: line[1] for line in lines if len(line) == 2}
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()

    def journal(self):
        """What the servers saw, a line a request; ends them."""
        output, _ = self.process.communicate(timeout=120)
        return [json.loads(line) for line in output.splitlines()]


def core_problems(root, entries):
    """What openapi-core finds in requests, and how many it cannot judge; None where it is not installed."""
    if openapi_core is None:
        return None
    root = dict(root)
    # Whether the document is a good one is not the question.
    api = openapi_core.OpenAPI.from_dict(root, config=openapi_core.Config(spec_validator_cls=None))
    problems, unjudged = [], []
    for entry in entries:
        fields = {name.lower(): value for name, value in entry["fields"]}
        path, _, query = entry["target"].partition("?")
        cookies = dict(pair.strip().split("=", 1) for pair in fields.get("cookie", "").split(";") if "=" in pair)
        request = MockRequest(
            "http://localhost", entry["method"].lower(), path, args=parse_qsl(query, keep_blank_values=True),
            headers=Headers(entry["fields"]), cookies=cookies, data=base64.b64decode(entry["body"]) or None,
            content_type=fields.get("content-type", ""))
        name = f"{entry['method']} {entry['target'][:80]}"
        try:
            found = list(api.iter_request_errors(request))
        except Exception as error:  # what it cannot read is not for us to answer for
            unjudged.append(f"{name}: {type(error).__name__} {error}")
            continue
        for error in found:
            text = f"openapi-core: {name}: {type(error).__name__} {error} {describe(error)}"
            if is_limit(error, fields.get("content-type", ""), text):
                unjudged.append(text)
            else:
                problems.append(text)
    return problems, unjudged


def is_limit(error, content_type, text):
    """Whether an error is of openapi-core's own making: styles that it cannot read, parts of forms left as text,
    bytes that are no text."""
    if type(error).__name__ in ("ParameterValidationError", "RequestBodyValidationError"):
        # A value that is read and wrong is an Invalid… error.
        return True
    if "error: Value b'" in text and "is not of type 'string'" in text:
        return True
    if "error: Value b'" in text and "is not of type 'string'" in text:
        return True
    is_styled = type(error).__name__ == "MissingRequiredParameter" and ("/matrix/" in text or "/label/" in text)
    return is_styled or (content_type.startswith("multipart/") and "' is not of type '" in text)


def describe(error):
    """The cause of an error in a few words."""
    texts = []
    cause = error.__cause__
    while cause is not None and len(texts) < 3:
        inner = getattr(cause, "schema_errors", None)
        texts.append(" | ".join(each.message for each in inner) if inner else str(cause))
        cause = cause.__cause__
    return " <- ".join(texts)[:400]
