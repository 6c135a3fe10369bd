"""Reads the data: names, values and credentials to plant, and texts that must stay visible. docs/secrets-data.md is about its format."""
import json
import re
import sys
from pathlib import Path

NAME_PLACES = ("header", "query", "cookie", "json", "xml-element", "xml-attribute", "form", "multipart", "socket")
VALUE_PLACES = NAME_PLACES + ("text",)
KINDS = ("header", "query", "cookie", "subprotocol", "bearer", "basic", "digest", "signature", "aws", "jar", "proxy", "oauth")
TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
XML_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
MEMBERS = {"names": {"name", "as"}, "values": {"value", "kind", "secret", "as"}, "credentials": {"kind", "name", "value"},
           "shown": {"value", "name", "kind", "as"}}


def stop(message):
    """Prints why the data can't be used, and ends the program."""
    print(f"secrets: {message}", file=sys.stderr)
    sys.exit(2)


def pieces(text, shortest=8):
    """Returns the runs of letters and digits of a secret, which look the same however its other characters are escaped."""
    return [run for run in re.findall(r"[A-Za-z0-9]+", text) if len(run) >= shortest] or [text]


def spellings(name):
    """Returns a name in camel, snake and kebab case if it consists of several words, else the name itself."""
    words = name.split()
    if len(words) < 2:
        return [name]
    return [words[0] + "".join(word[:1].upper() + word[1:] for word in words[1:]), "_".join(words), "-".join(words)]


def folded(name):
    """Returns a name in lowercase, without `_` and `-`."""
    return name.lower().replace("_", "").replace("-", "")


def fits(name, place):
    """True if a name can stand in a place."""
    if place in ("header", "cookie"):
        return TOKEN.fullmatch(name) is not None
    return not place.startswith("xml") or XML_NAME.fullmatch(name) is not None


class Reader:
    """The entries of one file."""

    def __init__(self, file):
        self.file = file
        try:
            self.content = json.loads(file.read_text())
        except OSError as error:
            stop(f"{file} can't be read: {error.strerror}")
        except UnicodeDecodeError:
            stop(f"{file} isn't UTF-8; save it as UTF-8")
        except json.JSONDecodeError as error:
            stop(f"{file}:{error.lineno}:{error.colno} isn't JSON ({error.msg}); correct that line")
        if not isinstance(self.content, dict):
            stop(f"{file} must be an object with the members {', '.join(MEMBERS)}; put the entries into one")
        for member in self.content:
            if member not in MEMBERS:
                stop(f"{file}: there is no member \"{member}\"; use {', '.join(MEMBERS)}")

    def bad(self, where, problem):
        stop(f"{self.file}: {where} {problem}")

    def entries(self, member):
        """Yields each entry as an object, with the words for its place in the file."""
        entries = self.content.get(member, [])
        if not isinstance(entries, list):
            self.bad(member, "must be a list; write it in brackets")
        for index, entry in enumerate(entries):
            where = f"{member}[{index}]"
            if isinstance(entry, str):
                entry = {"name" if member == "names" else "kind" if member == "credentials" else "value": entry}
            if not isinstance(entry, dict):
                self.bad(where, "must be a text or an object")
            for key in entry:
                if key not in MEMBERS[member]:
                    self.bad(where, f"has the member \"{key}\"; use {', '.join(sorted(MEMBERS[member]))}")
            yield where, entry

    def text(self, where, entry, key, default=None):
        """Returns a text, which may be written as a list of parts."""
        value = entry.get(key, default)
        if isinstance(value, list) and value and all(isinstance(part, str) for part in value):
            value = "".join(value)
        if not isinstance(value, str) or not value:
            self.bad(where, f"needs \"{key}\", a text or a list of its parts")
        return value

    def places(self, where, entry, known):
        places = entry.get("as", list(known))
        if not isinstance(places, list) or not places:
            self.bad(where, "has an \"as\" that isn't a list of places; omit it for every place")
        for place in places:
            if place not in known:
                self.bad(where, f"has the place \"{place}\"; use {', '.join(known)}")
        return places


class Data:
    """The entries of all files of a folder."""

    def __init__(self, folder):
        self.names, self.values, self.credentials, self.shown, self.shown_names = {}, {}, [], {}, {}
        files = sorted(Path(folder).glob("*.json"))
        if not files:
            stop(f"{folder} has no data file; put a JSON file there, as docs/secrets-data.md describes")
        for file in files:
            self.read(Reader(file))
        if not (self.names or self.values or self.credentials):
            stop(f"{folder} has no names, values or credentials; add at least one")
        self.compare(files[0] if len(files) == 1 else folder)

    def read(self, reader):
        for where, entry in reader.entries("names"):
            places = reader.places(where, entry, NAME_PLACES)
            for name in spellings(reader.text(where, entry, "name")):
                chosen = [place for place in places if fits(name, place)]
                if "as" in entry and chosen != places:
                    reader.bad(where, f"has a name that can't stand in \"{next(p for p in places if p not in chosen)}\"; remove the place")
                self.names.setdefault(name, set()).update(chosen)
        for where, entry in reader.entries("values"):
            self.read_value(reader, where, entry)
        for where, entry in reader.entries("credentials"):
            self.read_credential(reader, where, entry)
        for where, entry in reader.entries("shown"):
            if "name" in entry:
                for name in spellings(reader.text(where, entry, "name")):
                    self.shown_names[name] = [p for p in reader.places(where, entry, NAME_PLACES) if fits(name, p)]
            else:
                kind = entry.get("kind") or f"shown{len(self.shown) + 1}"
                self.shown[kind] = (reader.text(where, entry, "value"), reader.places(where, entry, VALUE_PLACES))

    def read_value(self, reader, where, entry):
        value = reader.text(where, entry, "value")
        secret = entry.get("secret", value)
        if isinstance(secret, str):
            secret = [secret]
        if not isinstance(secret, list) or not secret or not all(isinstance(part, str) and part in value for part in secret):
            reader.bad(where, "has a \"secret\" that isn't a list of texts from the value; name the parts that must be hidden")
        secret = [piece for part in secret for piece in pieces(part)]
        if min(map(len, secret)) < 8:
            reader.bad(where, "has a secret without 8 letters and digits in a row, which may be found by chance; make it longer")
        kind = entry.get("kind") or f"value{len(self.values) + 1}"
        if kind in self.values:
            reader.bad(where, f"has the kind \"{kind}\", which another value has; give it a kind of its own")
        places = reader.places(where, entry, VALUE_PLACES)
        if not all(" " <= character <= "~" for character in value):
            # Such a value can't stand in a header.
            places = [place for place in places if place not in ("header", "cookie")]
        self.values[kind] = {"value": value, "secret": secret, "as": places}

    def read_credential(self, reader, where, entry):
        kind = reader.text(where, entry, "kind")
        if kind not in KINDS:
            reader.bad(where, f"has the kind \"{kind}\"; use {', '.join(KINDS)}")
        name = reader.text(where, entry, "name", {"header": "X-Whatever", "query": "whatever", "cookie": "whatever",
                                                  "subprotocol": "bearer.", "jar": "whatever"}.get(kind, "ann"))
        if kind in ("header", "cookie", "jar") and not TOKEN.fullmatch(name):
            reader.bad(where, f"has the name \"{name}\", which can't be that of a header or cookie")
        value = reader.text(where, entry, "value") if "value" in entry else None
        self.credentials.append({"kind": kind, "name": name, "value": value, "slug": kind + ("" if "name" not in entry else ":" + name)})

    def compare(self, where):
        """Ends the program if two entries couldn't be distinguished in an output."""
        texts = [(kind, entry["value"]) for kind, entry in self.values.items()]
        for index, (kind, value) in enumerate(texts):
            for other, text in texts[index + 1:]:
                if any(part in text for part in self.values[kind]["secret"]) or any(part in value for part in self.values[other]["secret"]):
                    stop(f"{where}: the values {kind} and {other} have a part in common; change one of them")
        slugs = [grant["slug"] for grant in self.credentials]
        for slug in slugs:
            if slugs.count(slug) > 1:
                stop(f"{where}: two credentials are {slug}; give one another name")


if __name__ == "__main__":
    Data(sys.argv[1])
