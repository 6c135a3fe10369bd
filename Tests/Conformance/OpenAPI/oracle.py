"""Verdicts of Python's jsonschema on values of a document's components, and mutations of valid values to test."""
import base64
import binascii
import copy
import random
import re

from schemas import Schemas

try:
    import jsonschema
except ImportError:
    jsonschema = None


def within(least, end):
    """Returns a check that whole numbers are in a range."""
    def is_within(value):
        is_whole = isinstance(value, int) and not isinstance(value, bool) or isinstance(value, float) and value.is_integer()
        return not is_whole or least <= value < end

    return is_within


def format_checker():
    """Returns a checker of the string formats that both sides check, and of OpenAPI's own formats."""
    checker = jsonschema.FormatChecker(["date-time", "date", "uuid", "ipv4", "ipv6", "email"])

    for bits in (8, 16, 32, 64):
        for name, least, end in [(f"int{bits}", -2**(bits - 1), 2**(bits - 1)), (f"uint{bits}", 0, 2**bits)]:
            checker.checks(name)(within(least, end))

    @checker.checks("uri")
    @checker.checks("url")
    def is_uri(value):
        return not isinstance(value, str) or re.match(r"[A-Za-z0-9+.-]+:[^ ]*$", value) is not None

    @checker.checks("base64", raises=(binascii.Error, ValueError))
    @checker.checks("byte", raises=(binascii.Error, ValueError))
    def is_byte(value):
        return not isinstance(value, str) or base64.b64decode(value, validate=True) is not None

    return checker


class Oracle(Schemas):
    """A document whose component schemas are translated completely to JSON Schema 2020-12: nullable, discriminators, readOnly."""

    def component(self, name):
        definitions = {}
        schema = self.convert({"$ref": f"#/components/schemas/{self.escaped(name)}"}, self.path, definitions, False)
        return jsonschema.Draft202012Validator({"$defs": definitions, **schema}, format_checker=format_checker())

    @staticmethod
    def escaped(name):
        return name.replace("~", "~0").replace("/", "~1").replace("%", "%25")

    def convert(self, schema, file, definitions, is_request):
        if not isinstance(schema, dict):
            return super().convert(schema, file, definitions, is_request)
        if isinstance(schema.get("$ref"), str):
            local = super().convert(schema, file, definitions, is_request)
            siblings = {key: value for key, value in schema.items() if key != "$ref"}
            if self.is_old or not siblings:
                return local
            return {"allOf": [local, self.convert(siblings, file, definitions, is_request)]}
        result = super().convert(self.plain(schema, file), file, definitions, is_request)
        if not self.is_old:
            result = self.nullable(schema, result)
        if isinstance(schema.get("discriminator"), dict) and isinstance(result, dict):
            result = self.discriminated(schema, result, file, definitions, is_request)
        return result

    def plain(self, schema, file):
        """Returns a schema with numeric exclusive bounds, enumerated strings as text, and no required members that only a client
        sends."""
        schema = dict(schema)
        if schema.get("type") == "string" and isinstance(schema.get("enum"), list):
            schema["enum"] = [str(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else value
                              for value in schema["enum"]]
        for bound, word in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
            if schema.get(word) is True and bound in schema:
                schema[word] = schema.pop(bound)
        properties = schema.get("properties")
        if isinstance(schema.get("required"), list) and isinstance(properties, dict):
            schema["required"] = [name for name in schema["required"]
                                  if not self.is_marked(properties.get(name), file, "writeOnly")]
        if schema.get("contentEncoding") == "base64":
            schema.setdefault("format", "byte")
        return schema

    def is_marked(self, schema, file, mark, depth=0):
        if not isinstance(schema, dict) or depth > 8:
            return False
        if schema.get(mark) is True:
            return True
        if isinstance(schema.get("$ref"), str):
            target, target_file = self.follow({"$ref": schema["$ref"]}, file)
            return self.is_marked(target, target_file, mark, depth + 1)
        return any(self.is_marked(part, file, mark, depth + 1) for part in schema.get("allOf") or [])

    def discriminated(self, schema, result, file, definitions, is_request):
        """Returns a union in which only the kind named by the discriminator counts."""
        word = "oneOf" if "oneOf" in schema else "anyOf"
        if word not in schema:
            return result
        kinds = {kind["$ref"].rsplit("/", 1)[-1]: kind["$ref"] for kind in schema[word] if "$ref" in kind}
        mapping = dict(kinds)
        for key, target in (schema["discriminator"].get("mapping") or {}).items():
            mapping[str(key)] = kinds.get(target) or (target if "/" in target else f"#/components/schemas/{target}")
        name = schema["discriminator"].get("propertyName")
        if not mapping or not name:
            return result
        union = {word: result.pop(word)}
        chosen = [{"if": {"properties": {name: {"const": key}}},
                   "then": self.convert({"$ref": target}, file, definitions, is_request)}
                  for key, target in mapping.items()]
        is_named = {"type": "object", "required": [name], "properties": {name: {"enum": list(mapping)}}}
        choice = {"if": is_named, "then": {"allOf": chosen}, "else": union}
        return {"anyOf": [dict(part, allOf=[choice]) if index == 0 else part
                          for index, part in enumerate(result["anyOf"])]} if "anyOf" in result and word == "oneOf" \
            else {"allOf": [result, choice]}


def mutated(value, seed, count):
    """Yields copies of a value with one change each; some are still valid."""
    choice = random.Random(seed)
    places = [(), *Schemas.places(value)]
    for _ in range(count):
        path = choice.choice(places)
        broken = copy.deepcopy(value)
        holder, key = {"": broken}, ""
        for step in path:
            holder, key = holder[key], step
        root = {"": broken} if not path else None
        holder = root or holder
        kind = choice.choice(["remove", "null", "text", "number", "list", "object", "extra", "twice", "edge", "empty"])
        member = holder[key]
        if kind == "remove" and path:
            if isinstance(holder, dict):
                del holder[key]
            else:
                holder.pop(key)
        elif kind == "extra" and isinstance(member, dict):
            member["unknownMember"] = choice.choice([1, "x", None])
        elif kind == "twice" and isinstance(member, list) and member:
            member.append(copy.deepcopy(member[0]))
        elif kind == "edge" and isinstance(member, (int, float)) and not isinstance(member, bool):
            holder[key] = choice.choice([-1, 0, 0.5, member + 1, member * 1000, 2**31, 2**53, -1e9])
        elif kind == "edge" and isinstance(member, str):
            holder[key] = choice.choice(["", member + member, member[:1], member.upper(), "é" * 300, " " + member])
        else:
            holder[key] = {"null": None, "text": "x", "number": 7, "list": [], "object": {}, "empty": "",
                           "edge": True, "extra": False, "twice": 1.0, "remove": "2020-01-01"}[kind]
        yield root[""] if root else broken
