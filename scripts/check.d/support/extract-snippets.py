"""Writes each Swift example of the documents and doc comments into a separate file: FOLDER/README.md.12.swift.

A `#sourceLocation` line makes errors point to the original example. Imports are hoisted; the rest becomes the body of an
async function with the values that examples assume (Prelude.swift). Skips ```swift no-check, and blocks in doc comments
that contain an arrow, since they are pictures.
"""
import pathlib
import re
import sys

target = pathlib.Path(sys.argv[1])
root = pathlib.Path.cwd()
MODULES = [
    "NetCore", "NetClient", "NetObserve", "NetHTTP", "NetSocketCore", "NetSocket", "NetSocketServer", "NetTesting", "NetTestTraits",
    "NetTestServer", "NetOpenAPI", "NetOpenAPIRuntime", "NetTestOpenAPI", "NetStore",
]
EVERYWHERE = [*MODULES, "HTTPTypes", "Logging", "Foundation", "NIOCore", "NIOHTTP1"]


def from_markdown(file):
    block, start, fence = None, 0, ""
    for number, line in enumerate(file.read_text().splitlines(), 1):
        if block is None:
            found = re.match(r"^(\s*)```swift\s*(.*)$", line)
            if found and "no-check" not in found[2]:
                block, start, fence = [], number + 1, found[1]
        elif line.startswith(fence + "```"):
            yield start, block
            block = None
        else:
            block.append(line[len(fence):])


def from_comments(file):
    """Yields each block of `///     code` after an empty `///` line."""
    block, start, before = [], 0, ""
    for number, line in enumerate(file.read_text().splitlines() + [""], 1):
        found = re.match(r"^\s*/// {5}(.*)$", line)
        blank = re.match(r"^\s*///\s*$", line)
        if found and (block or re.match(r"^\s*///\s*$", before)):
            if not block:
                start = number
            block.append(found[1])
        elif blank and block:
            block.append("")
        else:
            if block and not any("→" in each for each in block):
                yield start, block
            block = []
        before = line


def write(file, start, lines):
    name = str(file.relative_to(root)).replace("/", "+") + f".{start}"
    identifier = re.sub(r"\W", "_", name)
    imports = [each for each in lines if re.match(r"^\s*(@testable )?import ", each)]
    hoisted = {re.search(r"import (\w+)", each)[1] for each in imports} | set(EVERYWHERE)
    # Extensions, public declarations, tests and @main need file scope; wires are used by the examples that follow them.
    at_top = any(
        each.startswith(("@main", "@Test", "extension ", "public ", "@Suite")) or re.match(r"struct \w+: WireMachine", each)
        for each in lines)
    body = ["" if each in imports else each for each in lines]
    text = [f"import {each}" for each in sorted(hoisted)]
    if "NetOpenAPIRuntime" in file.parts:
        # The examples of this module show what generated code does.
        text = [f"@_spi(Generated) {each}" if "NetOpenAPIRuntime" in each else each for each in text]
    location = f'#sourceLocation(file: "{file.relative_to(root)}", line: {start})'
    if at_top:
        text += [location, *body]
    else:
        text += [f"extension Example {{ func {identifier}() async throws {{", location, *body, "#sourceLocation()", "} }"]
    (target / f"{name}.swift").write_text("\n".join(text) + "\n")


documents = [root / "README.md", *sorted((root / "docs").rglob("*.md")), *sorted((root / "Sources").rglob("*.docc/*.md"))]
for file in documents:
    if file.exists():
        for start, lines in from_markdown(file):
            write(file, start, lines)
for module in MODULES:
    for file in sorted((root / "Sources" / module).rglob("*.swift")):
        for start, lines in from_comments(file):
            write(file, start, lines)
