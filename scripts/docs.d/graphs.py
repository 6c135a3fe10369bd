"""Symbol graphs of the public modules: where a symbol is documented, and links to symbols of other modules.

A doc comment says ``APIRequest``, no matter which module declares it. DocC only finds names of the same module, so links to other modules
get their full path here: ``/NetCore/APIRequest``.
"""
import json
import pathlib
import re

# Modules that aren't products, and the product that they are documented in, which re-exports them.
FOLDED = {"NetClient": "NetHTTP"}


class Graphs:
    def __init__(self, folder):
        self.files = {}
        for file in sorted(pathlib.Path(folder).rglob("*.symbols.json")):
            graph = json.loads(file.read_text())
            home = folded(graph["module"]["name"])
            graph["module"]["name"] = home
            # Both modules extend the same modules: DocC would take two graphs of one extension for two modules of that name.
            name = re.sub(r"\w+(?=[@.])", lambda found: folded(found[0]), file.name)
            into = self.files.setdefault(home, {}).setdefault(name, graph)
            if into is not graph:
                into["symbols"] += graph["symbols"]
                into["relationships"] += graph["relationships"]
        # Top-level names by module, and all paths by module.
        self.tops, self.paths = {}, {}
        for module, graphs in self.files.items():
            self.tops[module], self.paths[module] = set(), set()
            for name, graph in graphs.items():
                extends = re.search(r"@(\w+)\.symbols", name)
                for symbol in graph["symbols"]:
                    path = [plain(each) for each in symbol["pathComponents"]]
                    if extends:
                        path.insert(0, folded(extends[1]))
                    self.paths[module].add("/".join(path))
                    if len(path) == 1:
                        self.tops[module].add(path[0])

    def home(self, name):
        """Returns the module with this top-level name; None unless there is exactly one."""
        homes = [module for module, names in self.tops.items() if name in names]
        return homes[0] if len(homes) == 1 else None

    def link(self, text, module, scope, known):
        """Returns the link that DocC needs in `module`, at the symbol with the path `scope`; code if no `known` module has its target."""
        parts = text.lstrip("/").split("/")
        names = [plain(part) for part in parts]
        if names[0] in FOLDED:
            parts[0] = names[0] = FOLDED[names[0]]
        if names[0] in self.files and "/".join(names[1:]) in self.paths[names[0]]:
            home, inside = names[0], parts[1:]
        else:
            for depth in range(len(scope), -1, -1):
                if "/".join([*scope[:depth], *names]) in self.paths[module]:
                    return f"``{text}``"
            homes = [each for each in self.paths if "/".join(names) in self.paths[each]]
            if len(homes) != 1:
                return f"``{text}``"
            home, inside = homes[0], parts
        if home == module:
            return f"``{'/'.join(inside)}``"
        return f"``/{home}/{'/'.join(inside)}``" if home in known else f"`{text.split('/')[-1]}`"

    def relink(self, text, module, scope=(), known=()):
        return re.sub(r"(?<!`)``([^`\s]+)``(?!`)", lambda found: self.link(found[1], module, scope, known), text)

    def write(self, module, folder, known):
        """Writes the graphs of a module, with links that DocC resolves."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, graph in self.files[module].items():
            for symbol in graph["symbols"]:
                scope = [plain(each) for each in symbol["pathComponents"]]
                is_code, before = False, ""
                for line in symbol.get("docComment", {}).get("lines", []):
                    # Continuation lines of a parameter are indented like code, but code follows an empty line.
                    is_code = line["text"].startswith("    ") and (is_code or not before.strip())
                    before = line["text"]
                    if not is_code:
                        line["text"] = self.relink(line["text"], module, scope, known)
            (folder / name).write_text(json.dumps(graph))


def folded(module):
    return FOLDED.get(module, module)


def plain(component):
    """Returns a path component without the suffix that distinguishes symbols of one name: `send(_:)-4k2l`, `Code-swift.struct`."""
    return re.sub(r"-(swift\.\w+|[0-9a-z]{4,6}|\([^)]*\)|->.*|\w+)$", "", component) if "-" in component else component
