#!/usr/bin/env python3
"""Makes valid and damaged JSON documents, reads each with Python's json module, and prints a line of JSON for each.

    documents.py SEED COUNT [BYTES]

BYTES, if given, is the size of large documents, which are made instead of small ones.

A line has the document (base64), true if Python accepts it, its value as canonical text with the first and with the last of
members with the same name, and the ways in which our readers differ from Python:

    constant    NaN and Infinity, which JSON doesn't have
    deep        arrays and objects nest deeper than 512 levels
    range       a number is above the largest Double
    surrogate   half of a surrogate pair is in an escape or, encoded, in the text
    encoding    the text isn't UTF-8
    line        the text has no line end, no zero byte, no byte order mark: it can be a line, or the data of an event
"""
import base64
import json
import random
import struct
import sys
from decimal import Decimal

MAXIMUM_DEPTH = 512
sys.set_int_max_str_digits(0)
sys.setrecursionlimit(20000)


class Number(str):
    """A number as written."""


class Pairs(list):
    """The members of an object in their order."""


def refuse(name):
    raise ValueError(name)


def read(text):
    return json.loads(
        text, parse_int=Number, parse_float=Number, parse_constant=refuse, object_pairs_hook=Pairs)


def number(text):
    value = float(text)
    if value in (float("inf"), float("-inf")):
        return "x"
    if abs(value) < 2e19:
        exact = Decimal(text)
        if exact == exact.to_integral_value() and -(2**63) <= exact < 2**64:
            return f"i{int(exact)}"
    return "d" + struct.pack(">d", value).hex()


def string(text):
    fixed = "".join("\ufffd" if 0xD800 <= ord(c) <= 0xDFFF else c for c in text)
    return fixed.encode("utf-8").hex()


def canonical(root, last):
    """Returns the value as text, without recursion: members sorted by name, numbers as 64 bits, strings as their bytes."""
    parts, todo = [], [root]
    while todo:
        value = todo.pop()
        if isinstance(value, tuple):
            parts.append(value[0])
        elif isinstance(value, Pairs):
            members = {}
            for name, member in value:
                if last or name not in members:
                    members[name] = member
            parts.append("{")
            todo.append(("}",))
            for name in sorted(members, key=string, reverse=True):
                todo += [members[name], ("k" + string(name),)]
        elif isinstance(value, Number):
            parts.append(number(value))
        elif isinstance(value, str):
            parts.append("s" + string(value))
        elif isinstance(value, list):
            parts.append("[")
            todo.append(("]",))
            todo += reversed(value)
        else:
            parts.append({None: "n", True: "t", False: "f"}[value])
    return "".join(parts)


def scalars(root):
    todo = [root]
    while todo:
        value = todo.pop()
        if isinstance(value, Pairs):
            for name, member in value:
                todo += [name, member]
        elif isinstance(value, list):
            todo += value
        else:
            yield value


def is_surrogate(value):
    return isinstance(value, str) and any(0xD800 <= ord(c) <= 0xDFFF for c in value)


def depth(text):
    deepest = level = 0
    inside = escaped = False
    for character in text:
        if inside:
            if escaped:
                escaped = False
            elif character == "\\":
                escaped = True
            elif character == '"':
                inside = False
        elif character == '"':
            inside = True
        elif character in "[{":
            level += 1
            deepest = max(deepest, level)
        elif character in "]}":
            level -= 1
    return deepest


def verdict(data):
    encoding = json.detect_encoding(data)
    notes = []
    if encoding not in ("utf-8", "utf-8-sig"):
        notes.append("encoding")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        notes.append("surrogate")
        return {"accepts": False, "notes": notes}
    if encoding == "utf-8" and data.strip(b" \t") and not any(byte in data for byte in b"\r\n\0"):
        notes.append("line")
    if depth(text) > MAXIMUM_DEPTH:
        notes.append("deep")
    try:
        value = read(text)
    except RecursionError:
        return {"accepts": False, "notes": notes + ["deep"]}
    except ValueError as error:
        if str(error) in ("NaN", "Infinity", "-Infinity"):
            notes.append("constant")
        return {"accepts": False, "notes": notes}
    if any(isinstance(part, Number) and number(part) == "x" for part in scalars(value)):
        notes.append("range")
    if any(map(is_surrogate, scalars(value))):
        notes.append("surrogate")
    return {"accepts": True, "notes": notes, "first": canonical(value, False), "last": canonical(value, True)}


NUMBERS = """0 -0 1 -1 12 1.0 -0.0 0.1 1e2 1E+2 1e-2 123456789012345678 1234567890123456789 9223372036854775807
9223372036854775808 -9223372036854775808 -9223372036854775809 18446744073709551615 18446744073709551616
12345678901234567890123456789012345678901234567890 1.00000000000000000001 0.30000000000000004 5e-324 1e-324 1e308 1e309
-1e400 123456789.12345678912345 9007199254740993 9007199254740993.5 1e19 1e18 1e23 1.7976931348623157e308 2.5e-5
0.1e1 100e-2 1e00000000000000000000002 0e999 0e-999 0.000000000000000000000000000000000000000000001
01 +1 1. .5 1e 1e+ -.5 - -a 0x10 1_000 NaN Infinity -Infinity nan 1e1.5 --1 1-1 00 -01""".split()

STRINGS = [
    '""', '"a"', '"\\u0041"', '"\\ud83d\\ude00"', '"\\ud83d"', '"\\ude00"', '"\\ud83dx"', '"\\ude00\\ud83d"',
    '"\\ud83d\\u0041"', '"\\\\\\/\\"\\b\\f\\n\\r\\t"', '"\\u00e9é"', '"😀"', '"\\u0000"', '"\x7f"', '"\u2028"', '"[{"',
    '"]}\\""', '"\\\\"', '"\\uD834\\uDD1E"', '"\\x41"', '"\\u12"', '"\\u+123"', '"\\u 123"', '"\\a"', '"\t"', '"\n"',
    '"\x01"', '"', "'a'", '"\\', '"\\"', '"\\u', '"\ufeff"', '"\ufffe"', '"\\u12345"', '"\\ud83d\\ud83d\\ude00"',
]

NAMES = ['"a"', '"b"', '"\\u0061"', '""', '"a b"', '"[{"', '"\\ud83d"', '"type"', '"title"', '"Ω"']


def scalar(rng, is_whole):
    if is_whole and rng.random() < 0.9:
        return rng.choice(["1", "-2.5e3", '"x"', "true", "false", "null", '"\\u00e9"', "0.1", '"😀"', "12345678901"])
    kind = rng.random()
    if kind < 0.45:
        return rng.choice(NUMBERS)
    if kind < 0.9:
        return rng.choice(STRINGS)
    return rng.choice(["true", "false", "null", "True", "nul", "tru", "falsee", "undefined", ""])


def blank(rng):
    return rng.choice(["", "", "", "", " ", "\n", "\t\r\n", "  "]) if rng.random() < 0.4 else ""


def value(rng, level, is_whole):
    if level <= 0 or rng.random() < 0.4:
        return scalar(rng, is_whole)
    count = rng.choice([0, 1, 1, 2, 3, 6, 20 if level < 3 else 2])
    if rng.random() < 0.5:
        parts = [blank(rng) + value(rng, level - 1, is_whole) + blank(rng) for _ in range(count)]
        return "[" + blank(rng) + ",".join(parts) + "]"
    parts = []
    for index in range(count):
        name = rng.choice(NAMES) if rng.random() < 0.7 else f'"{index}"'
        parts.append(blank(rng) + name + blank(rng) + ":" + blank(rng) + value(rng, level - 1, is_whole) + blank(rng))
    return "{" + blank(rng) + ",".join(parts) + "}"


def nested(rng, levels):
    opens, closes = [], []
    for _ in range(levels):
        if rng.random() < 0.5:
            opens.append(rng.choice(["[", "[1,", '["]",', "[ "]))
            closes.append(rng.choice(["]", ",2]", " ]"]))
        else:
            opens.append(rng.choice(['{"a":', '{"a":1,"b":', '{"[":']))
            closes.append(rng.choice(["}", ',"c":[]}', " }"]))
    if rng.random() < 0.3:
        unit = rng.choice([("[", "]"), ('{"a":', "}"), ('[{"a":', "}]")])
        opens, closes = [unit[0]] * levels, [unit[1]] * levels
    middle = rng.choice(["", "1", "[]", "{}", '"x"', "[", "{", "]", "NaN"])
    if rng.random() < 0.5:
        middle = rng.choice(["1", "[]", "{}"])
    text = "".join(opens) + middle + "".join(reversed(closes))
    cut = rng.random()
    if cut < 0.3:
        return "".join(opens) + rng.choice(["", " ", "[", "{", "[ ", '"', '{"a":['])
    if cut < 0.45:
        return text[: rng.randrange(len(text) + 1)]
    return text


def damaged(rng, data):
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 1, 2, 5])):
        place = rng.randrange(len(data) + 1)
        kind = rng.random()
        if kind < 0.3:
            del data[place:]
        elif kind < 0.5:
            del data[place : place + rng.choice([1, 1, 2, 5])]
        elif kind < 0.8:
            data[place:place] = rng.choice(
                [b"[", b"]", b"{", b"}", b'"', b",", b":", b"\\", b"0", b" ", b"\x00", b"\xff", b"\xc3", b"\xed\xa0\x80",
                 b"/*x*/", b"//x\n", b"\xef\xbb\xbf", b"e", b"-", b"\x0b", b"\xc2\xa0"])
        elif place < len(data):
            data[place] ^= 1 << rng.randrange(8)
    return bytes(data)


def encoded(rng, text):
    kind = rng.random()
    if kind < 0.85:
        return text.encode("utf-8", "surrogatepass")
    if kind < 0.9:
        return b"\xef\xbb\xbf" + text.encode("utf-8", "surrogatepass")
    return text.encode(
        rng.choice(["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"]), "surrogatepass")


def small(rng):
    kind = rng.random()
    if kind < 0.2:
        text = scalar(rng, False)
    elif kind < 0.4:
        text = nested(rng, rng.choice([1, 2, 5, 50, 300, 510, 511, 512, 513, 514, 600, 1000]))
    else:
        text = value(rng, rng.choice([1, 2, 3, 6]), rng.random() < 0.7)
    if rng.random() < 0.1:
        text = blank(rng) + text + rng.choice(["", " ", "\n", "1", ",", "]", "x", "\x00", "{}"])
    data = encoded(rng, text)
    return damaged(rng, data) if rng.random() < 0.3 else data


def large(rng, size):
    unit = rng.choice(
        ["1", '"a"', "[]", "{}", "null", "0.30000000000000004", "1.00000000000000000001", '"\\u00e9\\n"', "1e23", '{"a":1}',
         "12345678901234567890123", '[[[[{"a":[{}]}]]]]', "true"])
    many = ",".join([unit] * max(1, size // (len(unit) + 1)))
    kind = rng.randrange(9)
    if kind == 0:
        text = "[" * 500 + many + "]" * 500
    elif kind == 1:
        text = '{"a":' * 500 + "[" + many + "]" + "}" * 500
    elif kind == 2:
        text = "{" + ",".join(f'"{index}":{unit}' for index in range(size // (len(unit) + 8))) + "}"
    elif kind == 3:
        text = "[" + ",".join(["[" * 500 + "]" * 500] * (size // 1001)) + "]"
    elif kind == 4:
        text = rng.choice(['"' + "\\u00e9" * (size // 6) + '"', '"' + "x" * size + '"', '"' + "\\\\" * (size // 2) + '"'])
    elif kind == 5:
        text = rng.choice(["1" * size, "0." + "1" * size, "1e" + "0" * size, "1." + "0" * size, "-0." + "0" * size + "1"])
    elif kind == 6:
        text = " " * size + "[1]"
    elif kind == 7:
        text = "{" + ",".join(['"a":' + unit] * (size // (len(unit) + 5))) + "}"
    else:
        text = "[" + many + "]"
    if rng.random() < 0.3:
        text = text[: rng.randrange(len(text))]
    return text.encode("utf-8")


def main():
    rng = random.Random(int(sys.argv[1]))
    size = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    for _ in range(int(sys.argv[2])):
        data = large(rng, size) if size else small(rng)
        line = verdict(data)
        line["document"] = base64.b64encode(data).decode()
        print(json.dumps(line))


main()
