"""Builds the documentation of all products and of docs into one archive: archive.py --graphs DIR --output DIR

Each product becomes a separate archive, which later ones link to; `docc merge` merges them into one.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import time

from graphs import Graphs
from guides import BUNDLE, REPOSITORY, Guides, name_of

# Each product comes after those that it imports.
PRODUCTS = ["NetCore", "NetObserve", "NetHTTP", "NetSocketCore", "NetSocket", "NetSocketServer", "NetTesting", "NetTestServer",
            "NetTestTraits", "NetOpenAPIRuntime", "NetOpenAPI", "NetTestOpenAPI", "NetStore"]


class Archive:
    def __init__(self, root, graphs, output):
        self.root, self.graphs, self.output = root, Graphs(graphs), output
        self.work = output / "parts"
        shutil.rmtree(output, ignore_errors=True)
        self.work.mkdir(parents=True)
        self.problems = []

    def convert(self, name, arguments, dependencies, is_draft=False):
        target = self.work / f"{name}.doccarchive"
        shutil.rmtree(target, ignore_errors=True)
        command = ["docc", "convert", *arguments, "--fallback-display-name", name, "--fallback-bundle-identifier", name,
                   "--output-path", target, "--enable-experimental-external-link-support",
                   "--source-service", "github", "--source-service-base-url", REPOSITORY, "--checkout-path", self.root]
        for other in dependencies:
            command += ["--dependency", self.work / f"{other}.doccarchive"]
        ended = subprocess.run([str(each) for each in command], capture_output=True, text=True)
        report = ended.stdout + ended.stderr
        # Treats warnings as errors here: DocC's own flag for that stops at the first module.
        if not is_draft and (ended.returncode or "warning:" in report or "error:" in report):
            self.problems.append(f"{name}:\n{report.strip()}")
        if not target.exists():
            sys.exit(f"{name} couldn't be converted:\n{report}")

    def guides(self, is_draft=False):
        catalog = self.work / f"{BUNDLE}.docc"
        shutil.rmtree(catalog, ignore_errors=True)
        Guides(self.root, self.graphs).write(catalog)
        self.convert(BUNDLE, [catalog], [] if is_draft else PRODUCTS, is_draft)

    def product(self, name, dependencies):
        graphs = self.work / "graphs" / name
        self.graphs.write(name, graphs, dependencies)
        arguments = ["--additional-symbol-graph-dir", graphs]
        source = self.root / "Sources" / name / f"{name}.docc"
        if source.exists():
            catalog = self.work / f"{name}.docc"
            shutil.copytree(source, catalog)
            for page in catalog.glob("*.md"):
                page.write_text(self.page(page.read_text(), name, dependencies))
            arguments.insert(0, catalog)
        self.convert(name, arguments, dependencies)

    def page(self, text, module, dependencies):
        """Returns a page of a product's catalog, with links to the URLs of docs pages replaced by links within the archive."""
        def replaced(found):
            return f"(doc:/{BUNDLE}/{name_of(self.root / found[1], self.root / 'docs')})"

        text = re.sub(rf"\({re.escape(REPOSITORY)}/(docs/[\w/-]+\.md)\)", replaced, text)
        return self.graphs.relink(text, module, known=dependencies)

    def build(self):
        # The guides link to the products and the products to the guides: the first pass only makes the names of the guides known.
        self.step(BUNDLE, lambda: self.guides(is_draft=True))
        for place, name in enumerate(PRODUCTS):
            self.step(name, lambda: self.product(name, [BUNDLE, *PRODUCTS[:place]]))
        self.step(BUNDLE, self.guides)
        if self.problems:
            sys.exit("\n\n".join(self.problems) + f"\n\n{len(self.problems)} parts of the documentation have warnings")
        archive = self.output / "swift-net.doccarchive"
        subprocess.run(["docc", "merge", *(self.work / f"{each}.doccarchive" for each in [BUNDLE, *PRODUCTS]),
                        "--synthesized-landing-page-name", "swift-net", "--synthesized-landing-page-kind", "Packages",
                        "--output-path", archive], check=True)
        # The root path has no page, so it redirects to the first one.
        (archive / "index.html").write_text(
            '<!doctype html><meta charset="utf-8"><title>swift-net</title><meta http-equiv="refresh" content="0; url=documentation/">'
            '<a href="documentation/">swift-net</a>\n')
        # DocC's page requests this file; without it, each visit causes an error in the server's log.
        (archive / "theme-settings.json").write_text("{}\n")
        shutil.rmtree(self.work)
        return archive

    def step(self, name, body):
        start = time.monotonic()
        body()
        print(f"{name}, {time.monotonic() - start:.0f} s", flush=True)


parser = argparse.ArgumentParser()
parser.add_argument("--graphs", type=pathlib.Path, required=True)
parser.add_argument("--output", type=pathlib.Path, required=True)
options = parser.parse_args()
print(Archive(pathlib.Path.cwd(), options.graphs, options.output.resolve()).build())
