#!/usr/bin/env python3
"""The cases of scripts/conformance otlp. Usage: check.py PROGRAMS WORK [JSON]

PROGRAMS is the folder of net-activity and conformance-otlp, WORK an empty folder.
"""
import json
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from expected import Spans, elements, records

PROGRAMS, WORK = Path(sys.argv[1]), Path(sys.argv[2])
OUTPUT = sys.argv[3] if len(sys.argv) > 3 else None
TOKEN = "s3cret-t0ken-0815"
random.seed(20)
cases = []


def case(name, passed, detail=""):
    print(f"{'ok  ' if passed else 'FAIL'} {name}{'' if passed else ': ' + str(detail)[:1500]}", flush=True)
    cases.append({"id": name, "passed": bool(passed), "detail": "" if passed else str(detail)[:1500]})


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Peer(BaseHTTPRequestHandler):
    """The server of the calls: the path selects the response. Notes the traceparent of each request."""

    protocol_version = "HTTP/1.1"
    seen, lock, counts = [], threading.Lock(), Counter()

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        kind = self.path.split("/")[1]
        with self.lock:
            self.seen.append((self.path, self.headers.get("traceparent")))
            self.counts[self.path] += 1
            count = self.counts[self.path]
        status, fields = 200, {}
        if kind == "flaky" and count < 3:
            status = 503
        elif kind == "moved":
            status, fields = 302, {"Location": self.path.replace("/moved/", "/ok/")}
        elif kind == "missing":
            status = 404
        elif kind == "broken":
            status = 400
        elif kind == "drop" and count < 3:
            self.close_connection = True
            self.connection.close()
            return
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name, value)
        self.send_header("Content-Length", "5")
        self.end_headers()
        self.wfile.write(b"hello")


class Refusing(BaseHTTPRequestHandler):
    """A collector that accepts no token, and repeats the token in its response."""

    def log_message(self, *arguments):
        pass

    def do_POST(self):
        body = json.dumps({"message": "no such token: " + self.headers.get("Authorization", "")}).encode()
        self.send_response(int(os.environ.get("REFUSAL", "401")))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def serve(handler):
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    server.handle_error = lambda *_: None
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}"


class Receiver:
    """receiver.py as a process, which may be killed."""

    def __init__(self, name, mode="calm"):
        self.folder, self.mode, self.port, self.process = WORK / name, mode, free_port(), None
        self.folder.mkdir(exist_ok=True)
        self.kills = 0
        self.start()

    def start(self):
        script = Path(__file__).with_name("receiver.py")
        self.process = subprocess.Popen(
            [sys.executable, script, str(self.port), self.folder, str(self.kills), self.mode])
        for _ in range(400):
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.025)
        raise SystemExit("the receiver doesn't listen")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.kills += 1

    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def read(self, name):
        file = self.folder / f"{name}.jsonl"
        if not file.exists():
            return []
        # Ignores a partial line: a receiver that was killed while it wrote hasn't responded.
        lines = [line for line in file.read_text().split("\n") if line]
        result = []
        for line in lines:
            try:
                result.append(json.loads(line))
            except ValueError:
                pass
        return result


def export(file, url, *options, wait=True, follow=False):
    command = [PROGRAMS / "net-activity", "export", "otlp", file, "--endpoint", url, *options]
    if follow:
        command.append("--follow")
    environment = dict(os.environ, OTEL_EXPORTER_OTLP_HEADERS=f"Authorization=Bearer%20{TOKEN}", NO_COLOR="1")
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, stdin=subprocess.DEVNULL)
    if not wait:
        return process
    output, errors = process.communicate(timeout=240)
    return process.returncode, output, errors


def write(file, url, count, pause=0, wait=True):
    process = subprocess.Popen([PROGRAMS / "conformance-otlp", file, url, str(count), str(pause)], stdout=subprocess.DEVNULL)
    return process.wait(timeout=240) if wait else process


def query(file, sql):
    with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as connection:
        return connection.execute(sql).fetchall()


def ids(records, path="/v1/traces"):
    """Returns the spans of requests, each as a pair of trace and ID."""
    return [(span["traceId"], span["spanId"]) for record in records if record["path"] == path for span in elements(record)]


def compare(name, receiver, file, signal="traces"):
    """Checks that each stored span was accepted once, with the fields and attributes of its rows, and nothing else."""
    expected = Spans(file).spans() if signal == "traces" else records(file)
    got = [value for record in receiver.read("accepted") if record["path"] == f"/v1/{signal}" for value in elements(record, True)]
    wanted = Counter(json.dumps(value, sort_keys=True) for value in expected)
    found = Counter(json.dumps(value, sort_keys=True) for value in got)
    missing, surplus = wanted - found, found - wanted
    case(
        f"{name}: {sum(wanted.values())} {'spans' if signal == 'traces' else 'records'} equal the stored rows",
        wanted and not missing and not surplus,
        f"missing {list(missing)[:1]} surplus {list(surplus)[:1]} ({sum(missing.values())}, {sum(surplus.values())})")
    case(f"{name}: the receiver parsed all requests", not receiver.read("invalid"), receiver.read("invalid")[:1])
    tokens = {record["authorization"] for record in receiver.read("accepted")}
    case(f"{name}: each request has the header", tokens == {f"Bearer {TOKEN}"}, tokens)


def stored(file):
    return {(span["traceId"], span["spanId"]) for span in Spans(file).spans()}


def settled(name, receiver, file, kills=0):
    """Checks that nothing is lost, and that only batches that were under way at a kill arrived twice."""
    wanted = stored(file)
    accepted, refused = receiver.read("accepted"), receiver.read("refused")
    found = Counter(ids(accepted) + ids(refused))
    case(f"{name}: no span is lost", set(found) == wanted, f"{len(wanted - set(found))} lost, {len(set(found) - wanted)} unknown")
    seen, twice = set(), 0
    for record in accepted + refused:
        batch = set(ids([record]))
        if batch & seen:
            twice += 1
        seen |= batch
    case(f"{name}: at most {kills} batches are there twice ({twice} are)", twice <= kills, twice)
    case(f"{name}: the receiver parsed all requests", not receiver.read("invalid"), receiver.read("invalid")[:1])
    return accepted, refused


def follow_until(receiver, file, process, limit=120):
    """Waits until the cursor is at the end, then ends the exporter. Returns its exit code and its output."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        if query(file, "SELECT (SELECT position FROM net_cursor WHERE name = 'otlp') = max(id) FROM net_item")[0][0]:
            break
        time.sleep(0.1)
    process.send_signal(signal.SIGTERM)
    output, errors = process.communicate(timeout=30)
    return process.returncode, output, errors


# MARK: Cases


def real_connections(url):
    file, receiver = WORK / "real.sqlite", Receiver("real")
    write(file, url, 400)
    code, output, errors = export(file, receiver.url(), "--batch", "100")
    case("real connections: the export ends with 0", code == 0 and not errors, (code, output, errors))
    compare("real connections", receiver, file)
    spans = {(s["traceId"], s["spanId"]): s for r in receiver.read("accepted") for s in elements(r)}
    wrong = []
    for path, parent in Peer.seen:
        _, trace, span, flags = parent.split("-")
        sent = spans.get((trace, span))
        attributes = {a["key"]: a["value"] for a in sent["attributes"]} if sent else {}
        fits = sent and sent["kind"] == 3 and path.split("?")[0] in attributes["url.full"]["stringValue"]
        if not fits or sent["flags"] & 1 != int(flags, 16):
            wrong.append((path, parent))
    case(f"real connections: the traceparent of {len(Peer.seen)} requests is a span", not wrong, wrong[:3])
    parents = [s for s in spans.values() if "parentSpanId" in s and (s["traceId"], s["parentSpanId"]) not in spans]
    case("real connections: each parent is there", not parents, parents[:1])
    code, output, errors = export(file, receiver.url())
    case("real connections: nothing is sent again", code == 0 and "0 spans sent" in output, (code, output, errors))
    count = len(ids(receiver.read("accepted")))
    export(file, receiver.url(), "--cursor", "another")
    case("real connections: another cursor sends all", len(ids(receiver.read("accepted"))) == 2 * count)
    before = query(file, "SELECT * FROM net_cursor")
    export(file, receiver.url(), "--no-cursor", "~c", "404")
    case("real connections: --no-cursor changes nothing", query(file, "SELECT * FROM net_cursor") == before)
    receiver.kill()
    return file


def other_entries(source):
    """Exports WebSockets, jobs, lines and attempts in other traces, stored as rows of another program."""
    file, receiver = WORK / "other.sqlite", Receiver("other")
    with sqlite3.connect(source) as old, sqlite3.connect(file) as new:
        old.backup(new)
    with sqlite3.connect(file) as connection:
        connection.execute("DELETE FROM net_cursor")
        call, trace = connection.execute("SELECT uid, trace FROM net_item WHERE length(trace) = 25 LIMIT 1").fetchone()
        plain = connection.execute("SELECT uid FROM net_item WHERE length(trace) = 9 LIMIT 1").fetchone()[0]
        for index in range(40):
            uid = os.urandom(16)
            opener = [call, plain, uid][index % 3] if index < 3 else uid
            connection.execute(
                "INSERT OR IGNORE INTO net_item (uid, kind, run, started_at, duration_us, outcome, status, url, message, "
                "request_bytes, response_bytes, detail) VALUES (?, 2, 1, ?, ?, ?, ?, ?, ?, 5, 6, ?)",
                (opener, 1767225600000000 + index, 1000 * index, 1 + index % 5, 1000 + index, "wss://é.test:99/live", None,
                 ["2 messages sent, 3 received", "subprotocol v1, 20 messages sent, 0 received", None][index % 3]))
            job = os.urandom(16)
            connection.execute(
                "INSERT INTO net_item (uid, kind, run, started_at, duration_us, outcome, url, attempts, detail) "
                "VALUES (?, 3, 1, ?, 7, ?, 'https://a.test/film', ?, 'part 1')", (job, 1767225600000000, 1 + index % 5, index))
            connection.execute("UPDATE net_item SET owner = ? WHERE id = ? AND kind = 1", (job, index + 1))
            for owner in (call, plain, None):
                connection.execute(
                    "INSERT INTO net_item (uid, kind, run, started_at, name, level, message, detail, owner) VALUES "
                    "(?, 4, 1, ?, (SELECT max(id) FROM net_name), ?, ?, ?, ?)",
                    (os.urandom(16), 1767225600000000 + index, index % 7, "line \"1\"\n\u2028 ü",
                     ['{"a":"x","n":["1",{"b":"c"}]}', None, "no JSON"][index % 3], owner))
    code, output, errors = export(file, receiver.url(), "--logs")
    case("other entries: the export ends with 0", code == 0 and not errors, (code, output, errors))
    compare("other entries", receiver, file)
    compare("other entries", receiver, file, "logs")
    kinds = query(file, "SELECT count(DISTINCT kind) FROM net_item")[0][0]
    case("other entries: all kinds are stored", kinds == 4, kinds)
    receiver.kill()


def faults(url):
    file, receiver = WORK / "faults.sqlite", Receiver("faults", "faulty")
    write(file, url, 900)
    code, output, errors = export(file, receiver.url(), "--batch", "60")
    case("faults: the export ends with 0", code == 0, (code, output, errors))
    # Requests that were accepted without a response are sent again.
    accepted, refused = settled("faults", receiver, file, kills=len(receiver.read("dropped")))
    rejected = len(ids(refused))
    case(f"faults: {rejected} rejected spans are reported", f", {rejected} rejected" in output, output)
    sums = query(file, "SELECT sent, rejected, missed FROM net_cursor")[0]
    case("faults: the cursor counts them", sums == (len(stored(file)) - rejected, rejected, 0), sums)
    case("faults: no header is printed", TOKEN not in output + errors, errors)
    case("faults: the failures are reported", "the collector" in errors or "no response" in errors, errors)
    receiver.kill()


def killed_receiver(url):
    file, receiver = WORK / "receiver.sqlite", Receiver("receiver")
    write(file, url, 8)
    writer = write(file, url, 4000, 4000, wait=False)
    exporter = export(file, receiver.url(), "--batch", "24", wait=False, follow=True)
    for _ in range(20):
        time.sleep(random.uniform(0.1, 0.6))
        receiver.kill()
        receiver.start()
    writer.wait(timeout=200)
    code, output, errors = follow_until(receiver, file, exporter)
    case("killed receiver: SIGTERM ends the exporter with 0", code == 0, (code, output, errors))
    settled("killed receiver", receiver, file, kills=receiver.kills)
    case("killed receiver: it was killed 20 times", receiver.kills == 20)
    receiver.kill()


def killed_exporter(url):
    file, receiver = WORK / "exporter.sqlite", Receiver("exporter")
    write(file, url, 4000)
    kills, cut = 0, 0
    while cut < 12 and kills < 60:
        exporter = export(file, receiver.url(), "--batch", "8", wait=False, follow=True)
        time.sleep(random.uniform(0.1, 0.4))
        exporter.send_signal(signal.SIGKILL)
        exporter.communicate()
        kills += 1
        position = query(file, "SELECT coalesce((SELECT position FROM net_cursor), 0)")[0][0]
        cut += 0 < position < query(file, "SELECT max(id) FROM net_item")[0][0]
    case(f"killed exporter: {cut} of {kills} kills came while it sent", cut >= 10, cut)
    # A request that is under way at the signal is abandoned, so its batch may arrive twice too.
    for number in (signal.SIGINT, signal.SIGTERM):
        exporter = export(file, receiver.url(), "--batch", "24", wait=False, follow=True)
        time.sleep(0.3)
        exporter.send_signal(number)
        output, errors = exporter.communicate(timeout=30)
        kills += 1
        case(f"killed exporter: {number.name} ends it with 0", exporter.returncode == 0, (exporter.returncode, errors))
    code, output, errors = export(file, receiver.url())
    case("killed exporter: the rest is sent", code == 0, (code, output, errors))
    settled("killed exporter", receiver, file, kills=kills)
    receiver.kill()


def refusals(source):
    file, receiver = WORK / "refusals.sqlite", Receiver("refusals")
    with sqlite3.connect(source) as old, sqlite3.connect(file) as new:
        old.backup(new)
    with sqlite3.connect(file) as connection:
        connection.execute("DELETE FROM net_cursor")
    for status in ("401", "403", "404", "308"):
        os.environ["REFUSAL"] = status
        code, output, errors = export(file, serve(Refusing))
        case(f"refusals: {status} ends the export with 4", code == 4 and status in errors, (code, errors))
        case(f"refusals: {status} shows no header", TOKEN not in output + errors, errors)
    case("refusals: the cursor has not moved", query(file, "SELECT position, sent FROM net_cursor") == [(0, 0)])
    with sqlite3.connect(file) as connection:
        connection.execute("DELETE FROM net_attempt WHERE item BETWEEN 11 AND 20")
        connection.execute("DELETE FROM net_item WHERE id BETWEEN 11 AND 20")
    code, output, errors = export(file, receiver.url())
    case("refusals: entries that were deleted before are reported", code == 0 and "10 entries were deleted" in errors, errors)
    settled("refusals", receiver, file)
    missing = WORK / "missing.sqlite"
    case("refusals: a missing file ends it with 3", export(missing, receiver.url())[0] == 3 and not missing.exists())
    case("refusals: a wrong endpoint ends it with 2", export(file, "collector:4318")[0] == 2)
    receiver.kill()


def main():
    url = serve(Peer)
    source = real_connections(url)
    other_entries(source)
    faults(url)
    killed_receiver(url)
    killed_exporter(url)
    refusals(source)
    passed = sum(entry["passed"] for entry in cases)
    if OUTPUT:
        Path(OUTPUT).write_text(json.dumps({"passed": passed, "total": len(cases), "cases": cases}, indent=1))
    print(f"passed {passed} of {len(cases)}")
    sys.exit(0 if passed == len(cases) else 1)


main()
