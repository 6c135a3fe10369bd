#!/usr/bin/env python3
"""The cases of scripts/conformance uploads. Usage: check.py PROGRAMS WORK [JSON]

PROGRAMS is the folder of net-get and resumable-upload-server, WORK an empty folder. NET_UPLOAD_CASES is a regular expression:
only scenarios whose function and server match are run, as in `cut tussi`.
"""
import json
import os
import random
import re
import signal
import sys
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from harness import MEGA, NIO, Client, Plain, Tuspyserver, Tussi, case, cases, digest, stop_processes, wait_until
from proxy import Cuts, Proxy, unconfirmed

PROGRAMS, WORK = Path(sys.argv[1]).absolute(), Path(sys.argv[2]).absolute()
OUTPUT = sys.argv[3] if len(sys.argv) > 3 else None
KILLS = 20
# Scenarios run in parallel: they mostly wait.
WORKERS = 5


class Scenario:
    """A server, a proxy in front of it, and the runs of a client. `version` is the only interop version of the draft that the
    server appears to support; further options go to the server."""

    def __init__(self, name, kind, version=None, method=None, **options):
        self.kind, self.version, self.method, self.options = kind, version, method, options
        self.title = kind.name + (f" {version}" if version else "") + (f" {method}" if method else "")
        self.name = f"{name}, {self.title}"
        self.random = random.Random(self.name)
        self.home = WORK / re.sub(r"\W+", "-", self.name)
        self.home.mkdir()
        self.server, self.proxy = self.serve("server"), None

    def serve(self, folder):
        if self.kind is NIO:
            return NIO(self.home / folder, PROGRAMS / "resumable-upload-server")
        return self.kind(self.home / folder, **self.options)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.server.kill()
        if self.proxy:
            self.proxy.close()

    def start(self, through_proxy=True, **options):
        if through_proxy:
            self.proxy = Proxy(self.server.port, version=self.version, **options)
            self.server.front = self.proxy.port
        self.server.start()
        return self

    def file(self, size, name="file.bin"):
        file = self.home / name
        file.write_bytes(self.random.randbytes(size))
        return file

    def client(self, files, *options, url=None):
        files = files if isinstance(files, list) else [files]
        options = [*options, *(["--method", self.method] if self.method else [])]
        return Client(PROGRAMS / "net-get", self.home, files, url or self.server.url(), *options)

    def finish(self, files, *options, client=None, runs=25):
        """Waits for a client, and starts it again each time it gives up. Returns the last run."""
        client = client or self.client(files, *options)
        for _ in range(runs):
            if client.wait() != 1:
                break
            client = self.client(files, *options)
        return client

    def case(self, text, passed, detail=""):
        return case(f"{self.name}: {text}", passed, detail)

    def arrived(self, files, client, text=""):
        """Checks that the client has ended with 0, and that the server has the files and no other completed upload."""
        files = files if isinstance(files, list) else [files]
        self.case(f"{text or 'the upload'} ends with 0", client.process.poll() == 0, client)
        found = [(digest(upload.file)[:8], upload.file.stat().st_size) for upload in self.server.completed()]
        wanted = [(digest(file)[:8], file.stat().st_size) for file in files]
        self.case(f"{text or 'the file'} arrives byte-equal", set(found) == set(wanted), f"{found} instead of {wanted}")

    def counted(self, size):
        """Checks that no byte was sent again that the server had confirmed."""
        log = self.proxy.log()
        sent, lost = self.proxy.body_bytes(), unconfirmed(log)
        self.case(
            f"no confirmed byte is sent again ({sent} bytes sent of {size}, {lost} unconfirmed)", sent <= size + lost,
            f"{sent} > {size} + {lost}; the last requests: {log[-12:]}")

    def creations(self):
        return [exchange for exchange in self.proxy.log() if exchange.method in ("POST", "PUT") and exchange.location]


# MARK: Scenarios


def basics(kind, version=None, method=None):
    """Files of several sizes, several files together, and their names and types."""
    with Scenario("files", kind, version, method) as test:
        test.start()
        for size, text in [(3 * MEGA + 17, "a file of 3 MB"), (0, "an empty file"), (1, "one byte"), (30 * MEGA, "30 MB")]:
            test.server.forget()
            client = test.client(test.file(size))
            client.wait()
            test.arrived(test.home / "file.bin", client, text)
        end = client.end()
        test.case("the last line is the end", end and (end.get("completed"), end.get("failed")) == (1, 0), client)
        test.case("each line is JSON", not client.invalid, client.invalid[:2])
        completed = client.states("completed")
        test.case("the state is reported with the size", completed and completed[-1].get("total") == 30 * MEGA, client)
        if kind is not Plain:
            location = completed[-1].get("location") or "" if completed else ""
            test.case("the location is reported", location.startswith(f"http://127.0.0.1:{test.server.front}/"), client)
        spoken(test)

        test.server.forget()
        files = [test.file(test.random.randrange(2 * MEGA), f"many-{index}.bin") for index in range(7)]
        client = test.client(files, "--files", "3")
        client.wait()
        test.arrived(files, client, "seven files together")
        end = client.end()
        test.case("seven files together are counted", end and (end.get("completed"), end.get("failed")) == (7, 0), client)

        test.server.forget()
        named = test.file(2 * MEGA, test.server.file_name)
        client = test.client(named, "--protocol", test.server.protocol)
        client.wait()
        test.arrived(named, client, f"--protocol {test.server.protocol}")
        told = [(upload.name, (upload.type or "").split(";")[0]) for upload in test.server.completed()]
        test.case("the name and the type arrive", told == [(named.name, "text/plain")], told)


def spoken(test):
    """Checks that the client has chosen the protocol that the server announces."""
    log = [exchange for exchange in test.proxy.log() if exchange.method != "OPTIONS"]
    versions = {exchange.fields.get("upload-draft-interop-version") for exchange in log}
    tus = {exchange.fields.get("tus-resumable") for exchange in log}
    if test.server.protocol == "tus":
        test.case("tus is spoken", tus == {"1.0.0"} and versions == {None}, log[:3])
    elif test.server.protocol == "resumable":
        test.case(f"interop version {test.version or 6} is spoken", versions == {str(test.version or 6)}, versions)
    else:
        test.case("one request has the file", tus == {None} and {e.method for e in log} == {test.method}, log[:3])


def killed_client(kind, size=48 * MEGA, rate="4M", **options):
    with Scenario("killed client", kind, method="PUT" if kind is Plain else None, **options) as test:
        test.start()
        file, amid = test.file(size), 0
        for number in range(KILLS):
            before = test.proxy.body_bytes()
            client = test.client(file, "--limit-rate", rate)
            # Most kills hit the transfer of bytes; every fourth may hit the requests before it.
            if number % 4:
                wait_until(lambda: test.proxy.body_bytes() > before or not client.runs(), 10)
                time.sleep(test.random.uniform(0, 0.35))
            else:
                time.sleep(test.random.uniform(0, 0.2))
            amid += client.runs() and test.proxy.body_bytes() > before
            client.kill()
        test.case(f"{amid} of {KILLS} kills came while it sent", amid >= KILLS // 2, amid)
        test.arrived(file, test.finish(file))
        if kind is not Plain:
            test.counted(size)


def killed_server(kind, size=24 * MEGA, rate="2M", **options):
    with Scenario("killed server", kind, method="PUT" if kind is Plain else None, **options) as test:
        test.start(through_proxy=False)
        file = test.file(size)
        client, starts, amid = test.client(file, "--limit-rate", rate), 1, 0
        for _ in range(KILLS):
            if not client.runs():
                client, starts = test.client(file, "--limit-rate", rate), starts + 1
            seen = len(client.events)
            amid += wait_until(lambda: any(e.get("event") == "progress" for e in client.events[seen:]), 6)
            time.sleep(test.random.uniform(0, 0.3))
            test.server.kill()
            time.sleep(test.random.uniform(0, 0.2))
            test.server.start()
        test.case(f"{amid} of {KILLS} kills came while it sent ({starts} runs)", amid >= KILLS // 2, f"{amid}, {client}")
        test.arrived(file, test.finish(file, "--limit-rate", rate, client=client))


def cut(kind, version=None, size=30 * MEGA, count=100, spread=None, rate=16 * MEGA, hears_end=True, **options):
    name = "cut connections" if hears_end else "connections cut at both ends at once"
    with Scenario(name, kind, version, "PUT" if kind is Plain else None, **options) as test:
        cuts = Cuts(count, spread or size // count * 2, test.random, hears_end)
        test.start(cuts=cuts, rate=rate)
        file = test.file(size)
        client = test.finish(file)
        test.case(f"the connection was cut {count} times", cuts.done == count, cuts.done)
        test.arrived(file, client)
        if kind is not Plain:
            test.counted(size)


def paused(kind, version=None, **options):
    """Ctrl-C in the middle of an upload, and a second run."""
    with Scenario("Ctrl-C", kind, version, "PUT" if kind is Plain else None, **options) as test:
        test.start()
        size = 8 * MEGA
        file = test.file(size)
        pause(test, file, 3 * MEGA)
        test.case("nothing is complete then", not test.server.completed())
        before, created = test.proxy.body_bytes(), len(test.creations())
        client = test.finish(file)
        test.arrived(file, client, "a second run")
        if kind is not Plain:
            sent = test.proxy.body_bytes() - before
            test.case("a second run goes on", sent < size and len(test.creations()) == created, (sent, test.proxy.log()))
            test.counted(size)


def pause(test, file, bytes):
    """Runs a client until that many bytes have been forwarded, and interrupts it."""
    before = test.proxy.body_bytes()
    client = test.client(file, "--limit-rate", "4M")
    test.case("it is running", wait_until(lambda: test.proxy.body_bytes() - before >= bytes, 30) and client.runs(), client)
    code = client.interrupt()
    test.case("SIGINT ends it with 130", code == 130, client)
    test.case("it says that it was interrupted", (client.end() or {}).get("isInterrupted") is True, client)


def changed(kind, **options):
    """A file that is replaced or changed between two runs."""
    with Scenario("changed file", kind, **options) as test:
        test.start()
        size = 6 * MEGA
        for text, longer in [
            ("another file of the same size", 0), ("a longer file", 12345), ("a file with other bytes in the middle", None),
        ]:
            test.server.forget()
            file = test.file(size)
            pause(test, file, 3 * MEGA)
            if longer is None:
                with open(file, "r+b") as opened:
                    opened.seek(MEGA)
                    opened.write(b"changed")
            else:
                test.file(size + longer)
            client = test.finish(file)
            test.arrived(file, client, text)


def forgotten(kind, how, **options):
    """The server has deleted the unfinished upload, or the upload has expired."""
    with Scenario(f"upload that is {how}", kind, **options) as test:
        test.start()
        file = test.file(6 * MEGA)
        pause(test, file, 3 * MEGA)
        if how == "expired":
            test.server.expire()
        else:
            test.server.forget()
        created = len(test.creations())
        client = test.finish(file)
        test.case("it begins anew", len(test.creations()) == created + 1, test.proxy.log())
        test.arrived(file, client)


def too_large(kind, names_limit=True, **options):
    name = "limit" if names_limit else "unknown limit"
    with Scenario(name, kind, method="PUT" if kind is Plain else None, maximum=1000000) as test:
        test.start(**options)
        file = test.file(2500000)
        client = test.client(file)
        code = client.wait()
        test.case("a file that is too large ends it with 1", code == 1, client)
        wanted = r"1[ ,.'_]?000[ ,.'_]?000\b|\b1(\.0+)? ?MB|\b976[.\d]* ?Ki?B|\b977 ?Ki?B" if names_limit else "413"
        told = client.errors + "".join(json.dumps(event) for event in client.events)
        test.case(f"the message names {'the limit' if names_limit else '413'}", re.search(wanted, told), client)
        test.case("nothing is stored", not test.server.completed())
        end = client.end()
        test.case("the failure is counted", end and (end.get("completed"), end.get("failed")) == (0, 1), client)
        small = test.file(900000, "small.bin")
        client = test.client(small)
        client.wait()
        test.arrived(small, client, "a smaller file")


def two_clients(kind):
    with Scenario("two clients", kind) as test:
        test.start()
        file = test.file(8 * MEGA)
        first = test.client(file, "--limit-rate", "4M")
        test.case("the first is running", wait_until(lambda: test.proxy.body_bytes() > 0, 20), first)
        second = test.client(file)
        test.case("the second ends with 2", second.wait(20) == 2, second)
        test.case("the second says why", bool(second.errors.strip()), second)
        test.case("the first is still running", first.runs(), first)
        first.wait()
        test.arrived(file, first, "the first")
        test.counted(8 * MEGA)


def scenarios():
    """The scenarios with their arguments, the longest first."""
    for version in (3, 5, None):
        yield cut, NIO, {"version": version}
    yield cut, NIO, {"hears_end": False, "count": 50}
    yield cut, Tuspyserver, {}
    # tussi discards an incomplete PATCH; about a third of the connections complete one.
    yield cut, Tussi, {"size": 60 * MEGA, "spread": 3 * MEGA // 2, "rate": 48 * MEGA, "body": MEGA}
    yield cut, Plain, {"size": 2 * MEGA, "count": 5, "spread": MEGA}
    for kind in (Tuspyserver, NIO, Plain):
        yield killed_server, kind, {}
        yield killed_client, kind, {}
    yield killed_server, Tussi, {"body": MEGA}
    yield killed_client, Tussi, {"body": MEGA, "rate": "8M"}
    for kind, version, method in [
        (Tuspyserver, None, None), (Tussi, None, None), (NIO, 3, None), (NIO, 5, None), (NIO, None, None),
        (Plain, None, "PUT"), (Plain, None, "POST"),
    ]:
        yield basics, kind, {"version": version, "method": method}
    for kind, options in [
        (Tuspyserver, {}), (Tussi, {"body": MEGA}), (NIO, {"version": 3}), (NIO, {"version": 5}), (NIO, {}), (Plain, {})
    ]:
        yield paused, kind, options
    for kind, options in [(Tuspyserver, {}), (Tussi, {"body": MEGA}), (NIO, {})]:
        yield changed, kind, options
        yield forgotten, kind, {"how": "deleted", **options}
        yield two_clients, kind, {}
    yield forgotten, Tuspyserver, {"how": "expired"}
    yield too_large, Tuspyserver, {}
    yield too_large, Tussi, {}
    yield too_large, Tussi, {"names_limit": False, "hidden": "Tus-Max-Size"}
    yield too_large, Plain, {"names_limit": False}


def run(scenario, kind, options):
    try:
        scenario(kind, **options)
    except Exception:
        case(f"{scenario.__name__} {kind.name}: the scenario ends", False, traceback.format_exc())


def main():
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop_processes)
    wanted = re.compile(os.environ.get("NET_UPLOAD_CASES", ""))
    with ThreadPoolExecutor(WORKERS) as pool:
        for scenario, kind, options in scenarios():
            if wanted.search(f"{scenario.__name__} {kind.name}"):
                pool.submit(run, scenario, kind, options)
    passed = sum(entry["passed"] for entry in cases)
    if OUTPUT:
        Path(OUTPUT).write_text(json.dumps({"passed": passed, "total": len(cases), "cases": cases}, indent=1))
    print(f"passed {passed} of {len(cases)}")
    sys.exit(0 if cases and passed == len(cases) else 1)


main()
