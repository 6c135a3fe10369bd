"""Walks the documentation archive in a headless Chromium. The links in the data of every page must lead to a page of the archive. Opens guides,
modules, types and every twenty-fifth of the other pages: they must have a heading and text, show their pictures, and link to pages with the named
anchors. The last line is `passed N of M`; a case is a page.

usage: walk.py ARCHIVE CHROMIUM PICTURES [RESULTS]

PICTURES is a folder for screenshots of some pages, 1280 and 390 pixels wide. NET_DOCS_PAGES limits the number of pages, for a first look.
"""
import concurrent.futures
import functools
import http.server
import json
import os
import pathlib
import sys
import threading
import urllib.parse

from playwright.sync_api import Error, sync_playwright

WORKERS = 2
PICTURED = ["documentation", "documentation/guides", "documentation/guides/tutorials-first-call", "documentation/guides/downloads",
            "documentation/nethttp", "documentation/nethttp/httpclient", "documentation/netcore/apirequest"]
LOOK = """() => ({
    heading: (document.querySelector('h1') || {}).innerText || '',
    text: (document.querySelector('main') || document.body).innerText.length,
    ids: [...document.querySelectorAll('[id]')].map(e => e.id),
    links: [...document.querySelectorAll('main a[href]')].map(e => e.href),
    width: document.documentElement.scrollWidth,
    broken: [...document.images].filter(i => i.complete && !i.naturalWidth).map(i => i.src),
})"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def serve(archive):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(archive)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}"


def pages_of(archive):
    """Returns the paths of all pages, from the data that DocC has written for each."""
    data = archive / "data"
    return sorted(str(file.relative_to(data).with_suffix("")) for file in data.rglob("*.json"))


def is_opened(number, path):
    return path.startswith("documentation/guides") or path.count("/") <= 2 or number % 25 == 0


def dead_references(archive, path, known):
    """Yields the links in the data of a page that don't lead to a page."""
    data = json.loads((archive / "data" / f"{path}.json").read_text())
    for reference in data.get("references", {}).values():
        url = reference.get("url", "") if isinstance(reference, dict) and reference.get("type") in ("topic", "section") else ""
        target = urllib.parse.unquote(url.partition("#")[0]).strip("/").lower()
        if url.startswith("/") and target not in known:
            yield f"its data has a dead link to /{target}"


def look(chromium, base, paths):
    """Opens the pages one after the other, and returns the content of each."""
    seen = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        failures = []
        page.on("pageerror", lambda error: failures.append(str(error)))
        page.on("response", lambda reply: failures.append(f"{reply.status} {reply.url}") if reply.status >= 400 else None)
        for path in paths:
            failures.clear()
            try:
                page.goto(f"{base}/{path}/", wait_until="domcontentloaded")
                page.wait_for_selector("main h1, .not-found, .message", timeout=15_000)
                seen[path] = page.evaluate(LOOK) | {"failures": list(failures)}
            except Error as error:
                seen[path] = {"failures": [str(error).splitlines()[0]]}
        browser.close()
    return seen


def problems_of(path, base, seen, known):
    """Returns the problems of an opened page."""
    found = seen[path]
    problems = list(found["failures"])
    if "heading" not in found:
        return problems
    if not found["heading"].strip() or found["text"] < 40:
        problems.append(f"is empty: \"{found['heading']}\", {found['text']} characters")
    problems += [f"picture {each} isn't shown" for each in found["broken"]]
    for link in found["links"]:
        address, _, anchor = link.partition("#")
        if not address.startswith(base):
            continue
        target = urllib.parse.unquote(urllib.parse.urlsplit(address).path).strip("/").lower()
        if target not in known:
            problems.append(f"dead link to /{target}")
        elif anchor and target in seen and urllib.parse.unquote(anchor) not in map(urllib.parse.unquote, seen[target].get("ids", [])):
            problems.append(f"/{target} has no #{anchor}")
    return list(dict.fromkeys(problems))


def take_pictures(chromium, base, folder, paths):
    """Takes screenshots at both widths, and returns the pages that are wider than a phone's screen."""
    wide = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for width in (1280, 390):
            page = browser.new_page(viewport={"width": width, "height": 900})
            for path in paths:
                page.goto(f"{base}/{path}/")
                page.wait_for_selector("main h1")
                page.wait_for_timeout(300)
                page.screenshot(path=str(folder / f"{path.replace('/', '-')}-{width}.png"))
                if width == 390 and page.evaluate(LOOK)["width"] > width:
                    wide.append(path)
        browser.close()
    return wide


def main():
    archive, chromium, pictures = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    base = serve(archive)
    paths = pages_of(archive)
    known = {path.lower() for path in paths}
    opened = [path for number, path in enumerate(paths) if is_opened(number, path)]
    opened = opened[: int(os.environ.get("NET_DOCS_PAGES", len(opened)))]
    shares = [opened[start::WORKERS] for start in range(WORKERS)]
    with concurrent.futures.ProcessPoolExecutor(WORKERS) as pool:
        seen = {}
        for part in pool.map(look, [chromium] * WORKERS, [base] * WORKERS, shares):
            seen |= part
    pictured = [path for path in PICTURED if path in seen]
    wide = take_pictures(chromium, base, pictures, pictured)
    failed = 0
    for path in paths:
        problems = [*dead_references(archive, path, known), *(problems_of(path, base, seen, known) if path in seen else [])]
        problems += ["is wider than 390 pixels"] if path in wide else []
        failed += bool(problems)
        for problem in problems[:3]:
            print(f"FAIL /{path}: {problem}")
    if len(sys.argv) > 4:
        pathlib.Path(sys.argv[4]).write_text(json.dumps({"passed": len(paths) - failed, "total": len(paths), "opened": len(seen)}))
    print(f"{len(seen)} pages were opened")
    print(f"passed {len(paths) - failed} of {len(paths)}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
