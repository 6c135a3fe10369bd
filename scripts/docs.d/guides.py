"""The pages of docs as a DocC catalog: `Guides`, whose root is the table of contents, docs/README.md.

The pages are written for a repository browser, with plain links and code in backticks. Here, links become DocC links, and the name of
a public type becomes a link to its page, once in each section.
"""
import re
import shutil
import urllib.parse

BUNDLE = "Guides"
REPOSITORY = "https://github.com/swift-net/swift-net/blob/main"


def name_of(page, docs):
    """Returns an article's name: its path below docs, with hyphens. The table of contents is the root."""
    path = page.relative_to(docs).with_suffix("")
    return BUNDLE if str(path) == "README" else "-".join(path.parts).lower()


def headings(text):
    """Returns the headings of a page by the anchors that GitHub gives them."""
    found = {}
    for line in outside_fences(text):
        if heading := re.match(r"#+\s+(.*?)\s*$", line):
            slug = re.sub(r"[^\w\- ]", "", heading[1].lower()).strip().replace(" ", "-")
            found[slug] = heading[1]
    return found


def outside_fences(text):
    fenced = False
    for line in text.splitlines():
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield line


def fragment(heading):
    """Returns the anchor that DocC makes from a heading."""
    text = re.sub(r"[`'\"’“”]", "", heading).strip()
    return urllib.parse.quote(re.sub(r"\s+", "-", text), safe="-_.~!$&()*+,;=:@/?")


class Guides:
    def __init__(self, root, graphs):
        self.root, self.docs, self.graphs, self.images = root, root / "docs", graphs, set()
        self.pages = {page.resolve(): page for page in sorted(self.docs.rglob("*.md"))}

    def write(self, catalog):
        catalog.mkdir(parents=True)
        for page in self.pages.values():
            name = name_of(page, self.docs)
            (catalog / f"{name}.md").write_text(self.root_article(page) if name == BUNDLE else self.article(page))
        for image in self.images:
            shutil.copy(image, catalog / image.name)

    def root_article(self, page):
        """Returns the table of contents; its lists become the groups of DocC's topics."""
        lines = []
        for line in page.read_text().splitlines():
            line = self.links(line, page)
            if line.startswith("# "):
                lines += [line, "", "@Metadata {", "    @TechnologyRoot", "}"]
            elif line.startswith("## "):
                lines += [] if "## Topics" in lines else ["## Topics", ""]
                lines.append("#" + line)
            else:
                lines.append(re.sub(r"^- \[[^\]]*\]\((doc:[^)]*)\).*", r"- <\1>", line))
        return "\n".join(lines) + "\n"

    def article(self, page):
        lines, fenced, linked = [], False, set()
        for line in page.read_text().splitlines():
            if line.lstrip().startswith("```"):
                fenced = not fenced
                line = re.sub(r"```(\w+) .*", r"```\1", line)
            elif line.startswith("#") and not fenced:
                linked = set()
            elif not fenced and not line.startswith("    "):
                line = self.symbols(self.links(line, page), linked)
            lines.append(line)
        return "\n".join(lines) + "\n"

    def links(self, line, page):
        def replaced(found):
            bang, text, target = found.groups()
            if re.match(r"[a-z]+:", target):
                return found[0]
            path, _, anchor = urllib.parse.unquote(target).partition("#")
            file = (page.parent / path).resolve() if path else page.resolve()
            if bang:
                self.images.add(file)
                return f"![{text}]({file.name})"
            if file not in self.pages:
                return f"[{text}]({REPOSITORY}/{file.relative_to(self.root.resolve())})"
            reference = name_of(self.pages[file], self.docs)
            if anchor:
                reference += "#" + fragment(headings(file.read_text())[anchor])
            return f"[{text}](doc:{reference})"

        return re.sub(r"(!?)\[((?:[^\]\[]|\[[^\]]*\])*)\]\(([^)\s]+)\)", replaced, line)

    def symbols(self, line, linked):
        def replaced(found):
            name = found[1]
            home = self.graphs.home(name)
            if not home or name in linked:
                return found[0]
            linked.add(name)
            return f"``/{home}/{name}``"

        parts = re.split(r"(\[[^\]]*\]\([^)]*\))", line)
        if line.startswith("#"):
            return line
        return "".join(part if part.startswith("[") else re.sub(r"(?<!`)`([A-Z]\w+)`(?!`)", replaced, part) for part in parts)
