#!/usr/bin/env python3
"""The cases of scripts/conformance http-peers. Usage: check.py PROGRAM PYTHON WORK [JSON]

PROGRAM is conformance-http-peers, PYTHON an interpreter with the packages of requirements.txt, WORK an empty folder. Each case is sent
by our client and by curl. NET_HTTP_PEERS chooses peers by name, separated by commas.
"""
import json
import os
import random
import subprocess
import sys
import time
import zlib
from collections import Counter
from pathlib import Path
from shutil import which

from peers import PEERS, Bench, free_port, uvicorn

PROGRAM, PYTHON, WORK = sys.argv[1], sys.argv[2], Path(sys.argv[3]).absolute()
OUTPUT = sys.argv[4] if len(sys.argv) > 4 else None
random.seed(58)
verdicts = []
refusals = Counter()


def note(name, problem):
    verdicts.append({"case": name, "passed": problem is None, "detail": problem})


def certify(bench):
    def openssl(*arguments):
        subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)

    key, request, names = bench.work / "authority.key", bench.work / "server.csr", bench.file("names", "subjectAltName=IP:127.0.0.1\n")
    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", bench.authority, "-days", "2", "-subj", "/CN=peers")
    openssl("req", "-newkey", "rsa:2048", "-nodes", "-keyout", bench.key, "-out", request, "-subj", "/CN=127.0.0.1")
    openssl("x509", "-req", "-in", request, "-CA", bench.authority, "-CAkey", key, "-CAcreateserial", "-out", bench.certificate,
            "-days", "2", "-extfile", names)
    bench.both.write_text(bench.certificate.read_text() + bench.key.read_text())
    bench.key.chmod(0o644)


class Ours:
    """Our client, in one process for all cases."""

    def __init__(self, bench):
        self.log = open(WORK / "ours.log", "wb")
        self.process = subprocess.Popen([PROGRAM, str(bench.authority)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log)

    def send(self, case, url, version, names):
        scheme, _, server, path = url.split("/", 3)
        order = {"method": case.method, "server": f"{scheme}//{server}", "path": "/" + path, "version": version,
                 "headers": case.headers, "count": case.count, "width": case.width, "expects": case.expects,
                 "isStreamed": case.is_streamed}
        optional = {"bytes": case.bytes, "names": names, "user": case.login and case.login[0], "password": case.login and case.login[1]}
        order |= {name: value for name, value in optional.items() if value is not None}
        self.process.stdin.write(json.dumps(order).encode() + b"\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"http-peers: our client ended at {order}: {Path(self.log.name).read_text(errors='replace')[-400:]}")
        return json.loads(line)


def curl(bench, case, url, version, names):
    """Returns the statuses of curl, and the size and the checksum of the body if there is one response."""
    body = bench.work / "curl-body"
    body.write_bytes(b"")
    command = ["curl", "-sk", "--max-time", "30", "--http1.1" if version == "1.1" else "--http2", "-w", "%{http_code}\n", "-H", "Expect:"]
    if case.method == "HEAD":
        command += ["-I"]
    elif case.method != "GET" or case.bytes is not None:
        command += ["-X", case.method]
    if case.bytes is not None:
        data = bench.work / "curl-data"
        data.write_bytes(b"x" * case.bytes)
        command += ["-T", "-", "-H", "Transfer-Encoding: chunked"] if case.is_streamed else ["--data-binary", f"@{data}"]
    for name, value in case.headers.items():
        command += ["--compressed"] if name == "Accept-Encoding" else ["-H", f"{name}: {value}"]
    if case.login:
        command += ["--digest", "-u", ":".join(case.login)]
    if names:
        command += ["--doh-url", names, "--doh-insecure"]
    if case.count > 1:
        command += ["--parallel", "--parallel-immediate", "--parallel-max", str(case.width), "-o", "/dev/null"]
        url = f"{url}?[1-{case.count}]"
    else:
        command += ["-o", str(body)]
    source = open(bench.work / "curl-data", "rb") if case.is_streamed else subprocess.DEVNULL
    result = subprocess.run([*command, url], stdin=source, capture_output=True, text=True)
    tally = Counter(line if line != "000" else "none" for line in result.stdout.split())
    content = body.read_bytes() if case.method != "HEAD" else b""
    return tally, len(content), zlib.adler32(content)


def text(tally):
    return " ".join(f"{status}" + (f"×{count}" if count > 1 else "") for status, count in sorted(tally.items())) or "nothing"


def judge(case, ours, theirs, first):
    """Returns what is wrong; None if nothing is. `first` is what came over HTTP/1.1, unless these are those."""
    tally = dict(ours["tally"])
    if case.is_refusal:
        arrived = tally.pop(str(case.status), 0)
        others = set(tally) - {"connectionLost"}
        if others:
            return f"{text(ours['tally'])} instead of {case.status}"
        return None if arrived else f"{text(ours['tally'])} instead of {case.status}"
    if case.status == "no response":
        numbers = [status for status in tally if status.isdigit() or status == "unknown"]
        return f"{text(tally)} instead of an error" if numbers else None
    wanted = str(case.status) if case.status else next((status for status in theirs[0] if status != "none"), "none")
    if case.is_unread and first is not None:
        # curl loses it too, but not in the same runs.
        said = "libcurl has lost the response" in (ours.get("message") or "")
        wanted = wanted if wanted != "none" else next(iter(first))
        return None if set(tally) <= ({wanted, "connectionLost"} if said else {wanted}) else f"{text(tally)} instead of {wanted}"
    if tally != {wanted: case.count}:
        return f"{text(tally)} instead of {wanted}×{case.count}: {ours.get('message')}"
    same = (ours.get("size"), ours.get("sum")) == theirs[1:] or theirs[0] != Counter({wanted: 1})
    if case.count == 1 and case.method != "HEAD" and not same:
        return f"the body has {ours.get('size')} bytes, curl's {theirs[1]}, or others"
    return None


def ask(bench, ours, peer, port):
    other = uvicorn(bench, free_port()) if any("{other}" in case.path for case in peer.cases) else 0
    for case in peer.cases:
        first = None
        for version in peer.versions:
            path = case.path.format(port=port, other=other)
            url = path if "://" in path else f"http{'s' if peer.is_secure else ''}://127.0.0.1:{port}{path}"
            names = case.names and case.names.format(port=port)
            begun = time.monotonic()
            result = ours.send(case, url, version, names)
            took = time.monotonic() - begun
            theirs = curl(bench, case, url, version, names)
            problem = judge(case, result, theirs, first)
            first = first or result["tally"]
            if case.is_refusal and len(peer.versions) > 1:
                refusals[version] += result["tally"].get(str(case.status), 0)
            if problem is None and case.count == 1 and result.get("version") and result["version"] not in (version, "1.0"):
                large = (case.bytes or 0) > 65_535
                problem = None if large or case.is_streamed else f"over HTTP/{result['version']}"
            note(f"{peer.name}: {case.title}, HTTP/{version}", problem)
            mark = "ok   " if problem is None else "FAIL "
            print(f"{mark} {peer.name:10} {version:4} {case.title:46} {text(result['tally']):22} {text(theirs[0]):18} {took:5.2f} s"
                  + (f"\n      {problem}" if problem else ""), flush=True)


def main():
    bench = Bench(WORK, PYTHON)
    bench.site.mkdir(mode=0o755)
    (bench.site / "small.txt").write_text("a small file\n")
    (bench.site / "large.bin").write_bytes(random.randbytes(1 << 20))
    (bench.site / "page.html").write_text("".join(f"<p>line {number} of a page\n" for number in range(4000)))
    certify(bench)
    ours = Ours(bench)
    chosen = [name for name in os.environ.get("NET_HTTP_PEERS", "").split(",") if name]
    skipped = []
    print(f"      {'peer':10} {'HTTP':4} {'case':46} {'ours':22} {'curl':18}")
    for peer in PEERS:
        if chosen and peer.name not in chosen:
            continue
        if peer.program and not which(peer.program):
            skipped.append(peer.name)
            continue
        port = free_port()
        try:
            peer.start(bench, port)
            ask(bench, ours, peer, port)
        except RuntimeError as error:
            note(f"{peer.name} starts", str(error))
            print(f"FAIL  {peer.name}: {error}")
        finally:
            bench.stop()
    ours.process.stdin.close()
    ours.process.wait(10)
    sent = sum(case.count for peer in PEERS if len(peer.versions) > 1 for case in peer.cases if case.is_refusal)
    http1, default = refusals["1.1"], refusals["2"]
    print(f"refusals that arrived: {http1} over HTTP/1.1, {default} over the default version")
    if not chosen:
        note("refusals arrive as often over the default version", None if default >= http1 * 0.9 else f"{default}, {http1} of {sent}")
    if skipped:
        print(f"skipped: {len(skipped)} peers that aren't installed: {', '.join(skipped)}")


main()
passed = sum(verdict["passed"] for verdict in verdicts)
if OUTPUT:
    Path(OUTPUT).write_text(json.dumps(verdicts, indent=1))
print(f"passed {passed} of {len(verdicts)}")
sys.exit(passed != len(verdicts))
