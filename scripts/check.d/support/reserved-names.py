#!/usr/bin/env python3
"""Writes the names that generated types must not have: the types of the modules that generated code imports.

reserved-names.py          compares the file with the API listings; exits with 1 if they differ
reserved-names.py --write  writes the file
"""
import pathlib
import re
import sys
import textwrap

MODULES = ["NetCore", "NetOpenAPIRuntime"]
FILE = pathlib.Path("Sources/NetOpenAPI/Emission/ReservedNames+Runtime.swift")
TYPE = r"^(?:@[\w()]+ )*public (?:indirect |final )?(?:struct|class|enum|protocol|actor|typealias) (\w+)"

names = set(MODULES)
for module in MODULES:
    names |= set(re.findall(TYPE, pathlib.Path(f"docs/api/{module}.api").read_text(), re.MULTILINE))
# The listings omit declarations that only generated code sees.
for file in pathlib.Path("Sources/NetOpenAPIRuntime").rglob("*.swift"):
    names |= set(re.findall(TYPE, file.read_text(), re.MULTILINE))
listed = textwrap.fill(", ".join(f'"{name}"' for name in sorted(names, key=str.lower)) + ",", 112)
text = f"""// Written by scripts/check --update-api from docs/api. Do not edit.

extension ReservedNames {{
    /// The types of the modules that generated code imports.
    static let runtime: Set<String> = [
{textwrap.indent(listed, "        ")}
    ]
}}
"""
if "--write" in sys.argv:
    FILE.write_text(text)
elif FILE.read_text() != text:
    print(f"{FILE} differs from the API listings; run scripts/check --update-api")
    sys.exit(1)
