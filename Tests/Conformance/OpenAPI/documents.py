"""Servers made from documents, and the verdicts of Python's openapi-core on the requests to them."""
import base64
import json
import os
import re
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

# Samples respect types, but not bounds.
BOUNDS = {"minLength", "maxLength", "pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
          "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties"}
FORMATS = {"date-time", "date", "uuid", "uri", "byte", "binary", "int32", "int64", "float", "double"}
DATA = {"example", "examples", "default", "enum", "const", "x-examples"}


def loosened(node, is_named=False):
    """Returns a document without bounds of values, string formats that samples don't have, examples, security and servers."""
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
    """Returns the path of the first server, with the defaults of its variables."""
    server = (root.get("servers") or [{}])[0]
    url = server.get("url", "")
    for name, variable in (server.get("variables") or {}).items():
        url = url.replace("{" + name + "}", str(variable.get("default", "")))
    rest = url.split("://", 1)[1] if "://" in url else None
    rest = url[2:] if url.startswith("//") else rest
    path = "/" + rest.split("/", 1)[1] if rest and "/" in rest else "" if rest is not None else url
    return path.rstrip("/") if path.startswith("/") or not path else "/" + path.rstrip("/")


class DocumentServers:
    """The server program with several documents, each at its own address."""

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
        # JSON is valid YAML, so the file name doesn't matter.
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
        """Ends the servers, and returns the requests that they saw."""
        output, _ = self.process.communicate(timeout=120)
        return [json.loads(line) for line in output.splitlines()]


def core_problems(root, entries):
    """Returns the problems that openapi-core finds in requests, and the errors that are its own; None if it isn't installed."""
    if openapi_core is None:
        return None
    root = dict(root)
    # The document itself isn't validated.
    api = openapi_core.OpenAPI.from_dict(root, config=openapi_core.Config(spec_validator_cls=None))
    problems, unjudged, styled = [], [], styled_paths(root)
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
        except Exception as error:  # it reports wrong requests without raising; an exception is its own failure
            problems.append(f"openapi-core ended at {name}: {type(error).__name__} {error}")
            continue
        for error in found:
            text = f"openapi-core: {name}: {type(error).__name__} {error} {describe(error)}"
            reason = limit(error, styled, fields.get("content-type", ""), text)
            if reason:
                unjudged.append(f"{reason}: {text}")
            else:
                problems.append(text)
    return problems, unjudged


# Requests that openapi-core 0.23 can't read although they are what the document says: the reason, and a test that recognizes its error.
LIMITS = [
    ("path parameters in the styles matrix and label",
     lambda error, styled, essence, text: type(error).__name__ == "MissingRequiredParameter"
     and (error.location, error.name) in styled),
    ("objects in cookies",
     lambda error, styled, essence, text: type(error).__name__ == "ParameterValidationError"
     and text.count("Cookie parameter error") == 1 and "dictionary update sequence element #0 has length 1" in text),
    ("styles of parts of a multipart form",
     lambda error, styled, essence, text: type(error).__name__ == "RequestBodyValidationError"
     and essence == "multipart/form-data" and STYLED_PART.search(text) is not None),
    ("bytes where a schema says text",
     lambda error, styled, essence, text: type(error).__name__ == "InvalidRequestBody"
     and essence == "application/octet-stream" and text.endswith("' is not of type 'string'")),
]
STYLED_PART = re.compile(
    r"\('(form|spaceDelimited|pipeDelimited)', '(array|object)'\) <- a bytes-like object is required, not 'str'"
    r"|\('deepObject', 'primitive'\) <- not available")


def limit(error, styled, content_type, text):
    """Returns the reason for an error that openapi-core itself causes; None if the request is at fault."""
    essence = content_type.split(";")[0].strip().lower()
    return next((reason for reason, is_it in LIMITS if is_it(error, styled, essence, text)), None)


def styled_paths(node):
    """Returns the path parameters of a document with the styles matrix or label, as pairs of place and name."""
    if isinstance(node, list):
        return set().union(*map(styled_paths, node))
    if not isinstance(node, dict):
        return set()
    own = {("path", node["name"])} if node.get("in") == "path" and node.get("style") in ("matrix", "label") else set()
    return own.union(*map(styled_paths, node.values()))


def describe(error):
    """Returns the cause of an error in a few words."""
    texts = []
    cause = error.__cause__
    while cause is not None and len(texts) < 3:
        inner = getattr(cause, "schema_errors", None)
        texts.append(" | ".join(each.message for each in inner) if inner else str(cause))
        cause = cause.__cause__
    return " <- ".join(texts)[:400]
