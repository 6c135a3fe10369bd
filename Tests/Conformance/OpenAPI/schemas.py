"""The schemas of a document's bodies, as Python's jsonschema reads them; none if it isn't installed."""
import copy
import json
import os
from urllib.parse import unquote

import yaml

try:
    import jsonschema
except ImportError:
    jsonschema = None


class Loader(yaml.CSafeLoader if hasattr(yaml, "CSafeLoader") else yaml.SafeLoader):
    """A YAML loader that keeps dates and special words as text."""


Loader.yaml_implicit_resolvers = {
    key: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for key, resolvers in Loader.yaml_implicit_resolvers.items()}
METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]


class Schemas:
    """A document with its files; `validator` finds the schema of a key such as `GET /pets 200 name`."""

    def __init__(self, path):
        self.files = {}
        self.path = os.path.realpath(path)
        self.root = self.load(self.path)
        self.is_old = str(self.root.get("openapi", "")).startswith("3.0")
        self.known = {}

    def load(self, path):
        if path not in self.files:
            with open(path, encoding="utf-8") as file:
                self.files[path] = json.load(file) if path.endswith(".json") else yaml.load(file, Loader=Loader)
        return self.files[path]

    def follow(self, node, path):
        """Returns the node that a node's references lead to, and its file."""
        for _ in range(32):
            if not isinstance(node, dict) or not isinstance(node.get("$ref"), str):
                break
            name, _, pointer = node["$ref"].partition("#")
            path = os.path.normpath(os.path.join(os.path.dirname(path), unquote(name))) if name else path
            node = self.load(path)
            for segment in pointer.split("/")[1:]:
                segment = unquote(segment).replace("~1", "/").replace("~0", "~")
                node = node[int(segment)] if isinstance(node, list) else node[segment]
        return node, path

    def validator(self, key):
        """Returns the validator of a body; None if it can't be made."""
        method, path, place = key.split(" ", 2)[0], None, None
        if jsonschema is None:
            return None
        for candidate in self.root.get("paths") or {}:
            if key.startswith(f"{method} {candidate} ") and (path is None or len(candidate) > len(path)):
                path = candidate
        try:
            place = key[len(method) + len(path) + 2:].split(" ", 1)[0]
            identity = (method, path, place)
            if identity not in self.known:
                self.known[identity] = self.make(method, path, place)
            return self.known[identity]
        except (KeyError, TypeError, OSError, IndexError, RecursionError, ValueError):
            return None

    def make(self, method, path, place):
        item, file = self.follow(self.root["paths"][path], self.path)
        operation = item.get(method.lower()) or item["additionalOperations"][method]
        operation, file = self.follow(operation, file)
        if place == "request":
            body, file = self.follow(operation["requestBody"], file)
        else:
            responses = {str(key).upper(): value for key, value in operation["responses"].items()}
            body, file = self.follow(responses[place.upper()], file)
        types = [name for name in body["content"] if "json" in name.lower()] or ["*/*"]
        exact = [name for name in types if name.split(";")[0].strip() == "application/json"]
        media, file = self.follow(body["content"][(exact or types)[0]], file)
        definitions = {}
        schema = self.convert(media.get("schema", True), file, definitions, is_request=place == "request")
        return jsonschema.Draft202012Validator(
            {"$defs": definitions, **schema} if isinstance(schema, dict) else schema,
            format_checker=jsonschema.FormatChecker(["date-time", "date", "uuid"]))

    def convert(self, schema, file, definitions, is_request):
        """Returns a schema with local references only, and with OpenAPI's own keywords translated to JSON Schema's."""
        if isinstance(schema, list):
            return [self.convert(element, file, definitions, is_request) for element in schema]
        if not isinstance(schema, dict):
            return schema
        if isinstance(schema.get("$ref"), str):
            name = f"{file}|{schema['$ref']}"
            place = f"d{abs(hash(name))}"
            if place not in definitions:
                # If a reference leads nowhere, any value is valid.
                definitions[place] = True
                try:
                    target, target_file = self.follow(schema, file)
                except (KeyError, IndexError, OSError):
                    return True
                definitions[place] = self.convert(target, target_file, definitions, is_request)
            local = {"$ref": f"#/$defs/{place}"}
            return {"anyOf": [local, {"type": "null"}]} if schema.get("nullable") is True else local
        result = {}
        for key, value in schema.items():
            if key in ("properties", "patternProperties", "$defs") and isinstance(value, dict):
                result[key] = {name: self.convert(each, file, definitions, is_request) for name, each in value.items()}
            elif key in ("example", "examples", "default", "enum", "const", "discriminator", "xml", "externalDocs", "$id",
                         "$schema", "format") or key.startswith("x-"):
                if key in ("enum", "const", "format"):
                    result[key] = value
            elif key == "required" and isinstance(value, bool):
                continue
            elif key in ("exclusiveMinimum", "exclusiveMaximum") and isinstance(value, bool):
                continue
            else:
                result[key] = self.convert(value, file, definitions, is_request)
        return self.nullable(schema, result) if self.is_old else result

    @staticmethod
    def nullable(schema, result):
        if schema.get("nullable") is not True:
            return result
        if isinstance(result.get("type"), str):
            result["type"] = [result["type"], "null"]
            if isinstance(result.get("enum"), list) and None not in result["enum"]:
                result["enum"] = result["enum"] + [None]
            return result
        return {"anyOf": [result, {"type": "null"}]}

    @staticmethod
    def mutations(value, validator, limit=4):
        """Returns copies of a value that the schema forbids: without a member, or with a scalar of another type."""
        found, tried = [], 0
        for path in Schemas.places(value):
            parent = value
            for step in path[:-1]:
                parent = parent[step]
            member = parent[path[-1]] if path else value
            options = []
            if path and isinstance(parent, dict):
                options.append("remove")
            if path and not isinstance(member, (dict, list)) and member is not None:
                options.append("retype")
            for option in options:
                broken = copy.deepcopy(value)
                holder = broken
                for step in path[:-1]:
                    holder = holder[step]
                if option == "remove":
                    del holder[path[-1]]
                else:
                    holder[path[-1]] = 12345 if isinstance(member, str) else "wrong type"
                tried += 1
                if not validator.is_valid(broken):
                    found.append((broken, f"{option} {'/'.join(map(str, path))}"))
                    if len(found) == limit:
                        return found
            if tried > 60:
                break
        return found

    @staticmethod
    def places(value, path=()):
        if isinstance(value, dict):
            for key, member in value.items():
                yield (*path, key)
                yield from Schemas.places(member, (*path, key))
        elif isinstance(value, list):
            for place, element in enumerate(value[:2]):
                yield (*path, place)
                yield from Schemas.places(element, (*path, place))
