"""HAR files between a store and other programs. A store imports files of Chromium and mitmproxy with equal counts, times and
bodies; its own files are read by haralyzer and mitmproxy, and replayed by Playwright to a page. Prints a line of JSON for each
case, like the tests of NetRecord.

usage: store_har.py NET_ACTIVITY CHROMIUM MITMDUMP SCHEMAS FILLER...

FILLER fills the store $NET_HAR_STORE with a client's calls to the site $NET_HAR_SITE. MITMDUMP and SCHEMAS may be empty.
"""
import base64
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import zlib
from datetime import datetime
from pathlib import Path

from playwright.sync_api import sync_playwright

import read_har
import record_har
from har_site import site


def tell(check, name, problem):
    read_har.tell(check, name, not problem, problem or "")


def net_activity(program, *arguments):
    result = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, timeout=300)
    if result.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, arguments[:2]))}: {result.returncode} {result.stderr}{result.stdout}")
    return result.stdout


def body(data):
    """Returns the bytes of a content or a postData object."""
    if data.get("encoding") == "base64" or data.get("_encoding") == "base64":
        return base64.b64decode(data["text"])
    return data.get("text", "").encode()


def rows(store):
    """Returns the calls of a store in the order of their numbers, each with its capture."""
    database = sqlite3.connect(f"file:{store}?mode=ro", uri=True)
    database.row_factory = sqlite3.Row
    found = database.execute("""
        SELECT i.*, c.*, i.status AS status, i.started_at AS started_at, q.data AS sent, q.is_compressed AS sent_gzip,
            s.data AS received, s.is_compressed AS received_gzip, m.text AS method_name, e.text AS error_code
        FROM net_item AS i LEFT JOIN net_capture AS c ON c.call = i.uid LEFT JOIN net_body AS q ON q.id = c.request_body
            LEFT JOIN net_body AS s ON s.id = c.response_body LEFT JOIN net_name AS m ON m.id = i.method
            LEFT JOIN net_name AS e ON e.id = i.error
        WHERE i.kind = 1 ORDER BY i.id""").fetchall()
    messages = database.execute("SELECT * FROM net_message ORDER BY socket, number").fetchall()
    return found, messages


def inflated(data, is_compressed):
    return zlib.decompress(data, 31) if is_compressed else data or b""


def secretless(data):
    """Returns the bytes without the site's only secret, which it always sends in full."""
    return data.replace(b"planted-secret", b"<redacted>")


def problems_of(entry, row, folder):
    request, response = entry["request"], entry["response"]
    found = []

    def same(what, theirs, ours):
        if theirs != ours:
            found.append(f"{what}: {theirs!r:.80} is {ours!r:.80}")

    same("method", request["method"], row["method_name"])
    same("url", request["url"], row["url"])
    same("status", max(response["status"], 0) or None, row["status"])
    start = datetime.fromisoformat(entry["startedDateTime"].replace("Z", "+00:00")).timestamp()
    if abs(start - row["started_at"] / 1e6) > 0.001:
        found.append(f"start {start} is {row['started_at']}")
    same("time", round(max(entry["time"], 0) * 1000), row["duration_us"])
    phases = {"queued_us": "blocked", "lookup_us": "dns", "secure_us": "ssl", "download_us": "receive"}
    for column, name in phases.items():
        value = entry["timings"].get(name, -1)
        same(name, None if value < 0 else round(value * 1000), row[column])
    if "postData" in request:
        sent = request["postData"]
        sent = (folder / sent["_file"]).read_bytes() if "_file" in sent else body(sent)
        same("request body", secretless(sent), inflated(row["sent"], row["sent_gzip"]))
    content = response.get("content", {})
    theirs = body(content)
    if response["status"] == 101:
        theirs = b""
    elif "_file" in content:
        theirs = (folder / content["_file"]).read_bytes()
    if response["status"] > 0:
        same("response body", secretless(theirs), inflated(row["received"], row["received_gzip"]))
        fields = [field for field in response["headers"] if not field["name"].startswith(":")]
        names = [field["name"].lower() for field in fields for _ in field["value"].split("\n")]
        ours = [line.split(":")[0].lower() for line in (row["response_fields"] or "").split("\n") if line]
        # The bodies are decoded, so Content-Encoding is absent.
        same("headers", [name for name in names if name != "content-encoding"], ours)
    return found


def messages_of(entry, folder):
    name = entry["response"].get("content", {}).get("_file", "")
    if name.endswith(".jsonl"):
        return [json.loads(line) for line in (folder / name).read_text().splitlines() if line]
    return entry.get("_webSocketMessages") or []


def check_import(check, program, har, folder):
    store = folder / f"{har.name}.sqlite"
    added = json.loads(net_activity(program, "import", "har", har, "-o", store, "--json"))
    log = json.loads(har.read_text())["log"]
    calls, messages = rows(store)
    counts = added["calls"] == len(log["entries"]) == len(calls)
    tell(check, "counts", "" if counts else f"{len(log['entries'])} entries, {added}")
    for entry, row in zip(log["entries"], calls):
        # Chromium looks for updates of itself through the proxy, with secrets of its own in the body.
        if "//127.0.0.1" not in entry["request"]["url"]:
            continue
        name = f"{entry['request']['method']} {entry['request']['url'].split('/', 3)[3]} {entry['response']['status']}"
        tell(check, name, "; ".join(problems_of(entry, row, har.parent)))
    theirs = [message for entry in log["entries"] for message in messages_of(entry, har.parent)]
    ours = [(m["is_sent"], m["kind"], m["text"] if m["kind"] == 1 else base64.b64encode(m["data"]).decode())
            for m in messages]
    wanted = [(int(m["type"] == "send"), m["opcode"], m["data"]) for m in theirs]
    tell(check, "messages", "" if ours == wanted and wanted else f"{wanted} are {ours}")
    late = [m for m, row in zip(theirs, messages)
            if abs((m["time"] / 1000 if m["time"] > 1e11 else m["time"]) - row["at"] / 1e6) > 0.001]
    tell(check, "times of messages", "" if not late else str(late))
    again = json.loads(net_activity(program, "import", "har", har, "-o", store, "--json"))
    tell(check, "a second time", "" if again["calls"] == 0 and again["alreadyStored"] == len(calls) else str(again))
    bytes_of_store = store.read_bytes()
    tell(check, "secrets", "planted-secret is in the store" if b"planted-secret" in bytes_of_store else "")
    if "attach" not in check:
        there = folder / f"{har.name}.again.har"
        net_activity(program, "export", "har", store, "-o", there)
        back = json.loads(there.read_text())["log"]["entries"]
        tell(check, "out again", "" if len(back) == len(log["entries"]) else f"{len(back)} entries")


def chromium(playwright, browser, url, har, **options):
    context = browser.new_context(record_har_path=har, **options)
    page = context.new_page()
    page.goto(url + "/")
    page.wait_for_function("document.title == 'done'")
    context.close()


def through_mitmproxy(mitmdump, browser_path, playwright, url, har):
    port = record_har.free_port()
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [mitmdump, "-q", "--listen-host", "127.0.0.1", "--listen-port", str(port), "--set", f"hardump={har}", "--set",
             f"confdir={folder}"], stdin=subprocess.DEVNULL)
        try:
            record_har.wait_for(port, process)
            browser = playwright.chromium.launch(
                executable_path=browser_path, args=["--no-sandbox", "--proxy-bypass-list=<-loopback>"],
                proxy={"server": f"http://127.0.0.1:{port}"})
            page = browser.new_page()
            page.goto(url + "/")
            page.wait_for_function("document.title == 'done'")
            browser.close()
        finally:
            record_har.end(process)


def check_export(program, playwright, browser, mitmdump, schemas, filler, folder):
    store, har = folder / "ours.sqlite", folder / "ours.har"
    with site() as server:
        url = server.url
        result = subprocess.run(
            filler, env=dict(os.environ, NET_HAR_SITE=url, NET_HAR_STORE=str(store)), capture_output=True, text=True)
    if result.returncode != 0 or not store.is_file():
        return tell("ours", "filled by a client", (result.stdout + result.stderr)[-500:] or "there is no store")
    net_activity(program, "export", "har", store, "-o", har)
    log = json.loads(har.read_text())
    calls = [{"name": f"{e['request']['method']} {e['request']['url']}", "method": e["request"]["method"],
              "url": e["request"]["url"], "status": e["response"]["status"]} for e in log["log"]["entries"]]
    tell("ours", "all attempts", "" if len(calls) >= 8 else f"{calls}")
    read_har.check_schema(log, calls, schemas)
    read_har.check_haralyzer(log, calls)
    read_har.check_mitmproxy(har, calls, mitmdump)
    # The site is down now: everything that the page shows was recorded.
    context = browser.new_context()
    context.route_from_har(har, not_found="abort")
    page = context.new_page()
    page.goto(url + "/plain")
    page.wait_for_function("document.title == 'done'")
    for name, text in {"items": "1,2,3", "moved": "arriv\u00e9", "gzip": "11000", "posts": "16 bytes|9 bytes"}.items():
        shown = page.text_content(f"#{name}")
        tell("replayed by Playwright", name, "" if shown == text else f"{text} is {shown}")
    tell("replayed by Playwright", "title", "" if page.text_content("h1") == "The r\u00e9corded shop" else page.content()[:200])
    width = page.evaluate("document.getElementById('logo').naturalWidth")
    tell("replayed by Playwright", "image", "" if width == 2 else f"{width} pixels wide")
    context.close()


def main():
    program, browser_path, mitmdump, schemas = sys.argv[1:5]
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(os.environ.get("NET_HAR_FOLDER") or name)
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        for content in ("embed", "attach"):
            (folder / content).mkdir()
            har = folder / content / f"{content}.har"
            with site() as server:
                chromium(playwright, browser, server.url, har, record_har_content=content)
            check_import(f"from Chromium, {content}", program, har, folder)
        if mitmdump and Path(mitmdump).is_file():
            har = folder / "mitmproxy.har"
            with site() as server:
                through_mitmproxy(mitmdump, browser_path, playwright, server.url, har)
            check_import("from mitmproxy into a store", program, har, folder)
        else:
            read_har.skip("from mitmproxy into a store", f"mitmproxy is not installed; {read_har.INSTALL}")
        check_export(program, playwright, browser, mitmdump, schemas, sys.argv[5:], folder)
        browser.close()


main()
