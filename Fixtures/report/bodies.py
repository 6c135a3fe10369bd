"""Bodies as APIs send them: the distinct JSON examples of the OpenAPI corpus, with random ids and texts, about 2 KB each.

usage: bodies.py CORPUS COUNT OUTPUT     without CORPUS, the bodies are objects of our own
"""
import json
import random
import re
import sys
from pathlib import Path

import yaml

SIZE = 1800
WORDS = """harbour ferry quay island chart tide ledger parcel order invoice customer weather storm signal lamp rope anchor
keel north south east west morning evening price stock review basket depot crane crate barrel salt copper timber wool""".split()


# The size limit of a document in bytes: larger ones take longer to read than they are worth.
LARGEST = 1_500_000


def documents(folder):
    for path in sorted(folder.glob("*/openapi.*")):
        if path.suffix == ".json":
            yield json.loads(path.read_text())
        elif path.stat().st_size < LARGEST:
            try:
                yield yaml.load(path.read_text(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
            except (yaml.YAMLError, ValueError):
                continue


def examples(node):
    """Yields whole examples, and objects made from the examples of their members."""
    if isinstance(node, dict):
        members = node.get("properties")
        if isinstance(members, dict):
            known = {name: one["example"] for name, one in members.items() if isinstance(one, dict) and "example" in one}
            if len(known) > 3:
                yield known
        for name, member in node.items():
            if name == "example" and isinstance(member, (dict, list)):
                yield member
            elif name == "examples" and isinstance(member, dict):
                yield from (one["value"] for one in member.values() if isinstance(one, dict) and "value" in one)
            else:
                yield from examples(member)
    elif isinstance(node, list):
        for member in node:
            yield from examples(member)


def varied(node, numbers):
    """Returns a value of the same shape with other ids and texts."""
    if isinstance(node, dict):
        return {name: varied(member, numbers) for name, member in node.items()}
    if isinstance(node, list):
        return [varied(member, numbers) for member in node]
    if isinstance(node, bool) or node is None:
        return node
    if isinstance(node, (int, float)):
        return numbers.randrange(10 ** max(1, len(str(int(node))) if abs(node) < 1e15 else 9))
    if re.match(r"\d{4}-\d\d-\d\d", node):
        return f"2026-{numbers.randrange(1, 13):02}-{numbers.randrange(1, 29):02}" + re.sub(r"\d", lambda _: str(numbers.randrange(10)), node[10:])
    if re.fullmatch(r"[0-9a-f-]{12,}", node):
        return re.sub(r"[0-9a-f]", lambda _: numbers.choice("0123456789abcdef"), node)
    if " " not in node and any(character.isdigit() for character in node):
        return re.sub(r"\d", lambda _: str(numbers.randrange(10)), node)
    if "://" in node or "@" in node:
        return node
    count = max(1, len(node) // 6)
    return " ".join(numbers.choice(WORDS) for _ in range(count))


def main():
    folder, count, output = Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    numbers = random.Random(7)
    found = {}
    for document in documents(folder):
        for example in examples(document):
            text = json.dumps(example, separators=(",", ":"), default=str)
            if 150 < len(text) < 20000:
                found[text] = json.loads(text)
    shapes = list(found.values()) or [
        {"id": 1, "name": "a text", "tags": ["a", "b"], "lines": [{"sku": "a1-77", "count": 2, "note": "some words of it"}] * n}
        for n in range(5, 25)]
    bodies = []
    for number in range(count):
        body, size = [], 0
        while size < SIZE:
            one = varied(shapes[numbers.randrange(len(shapes))], numbers)
            text = json.dumps(one, separators=(",", ":"), ensure_ascii=False)
            if size + len(text) > SIZE * 1.3:
                if isinstance(one, dict) and len(one) > 3:
                    one = dict(list(one.items())[:len(one) // 2])
                    text = json.dumps(one, separators=(",", ":"), ensure_ascii=False)
                if size + len(text) > SIZE * 1.3:
                    continue
            body.append(one)
            size += len(text)
        bodies.append(json.dumps({"data": body, "page": number}, separators=(",", ":"), ensure_ascii=False))
    output.write_text(json.dumps(bodies))
    print(f"{len(shapes)} examples, {sum(map(len, bodies)) // count} bytes on average")


main()
