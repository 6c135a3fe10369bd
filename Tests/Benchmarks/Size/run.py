#!/usr/bin/env python3
"""Measures the size of a program with one GET. Called by scripts/bench.d/size, which builds the programs."""
import http.server
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from collections import namedtuple
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from command import Command  # noqa: E402

COMMAND = Command("size", seconds=1)
#: The clients, by their names in the table, and their programs.
PROGRAMS = {"ours": "ours", "peer": "ahc", "urlsession": "urlsession"}
WIDTHS = [12, 12, 12, 9, 15]
Workload = namedtuple("Workload", "name measure")


class Failed(Exception):
    """A program that doesn't work."""


class Answer(http.server.BaseHTTPRequestHandler):
    TEXT = "measured"

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.TEXT)))
        self.end_headers()
        self.wfile.write(self.TEXT.encode())

    def log_message(self, *_):
        pass


def libraries(program):
    """The shared libraries that the loader maps for a program."""
    text = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    return {os.path.realpath(path) for path in re.findall(r"(/\S+) \(0x", text)}


#: The C library and its parts, which are present on every system.
SYSTEM = re.compile(r"/(ld-linux[^/]*|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+)[.-][^/]*)$")


def with_libraries(program):
    loaded = [path for path in libraries(program) if not SYSTEM.search(path)]
    return sum(os.path.getsize(path) for path in [program, *loaded])


WORKLOADS = [Workload("get-stripped", os.path.getsize), Workload("get-with-libraries", with_libraries)]


def stripped(folder, name, into, url):
    """Strips a program of its symbols, and checks that it works."""
    program = f"{into}/{name}"
    subprocess.run(["strip", "-o", program, f"{folder}/bench-size-{name}"], check=True)
    result = subprocess.run([program, url], capture_output=True, text=True, timeout=60)
    if result.stdout.strip() != Answer.TEXT:
        raise Failed(f"bench-size-{name} did not print the response: {result.stderr[-200:]}")
    return program


def entry(workload, programs):
    """One object of the JSON."""
    figures = {client: workload.measure(program) for client, program in programs.items()}
    ratios = {f"vs_{client}": round(figures["ours"] / figures[client], 3) for client in programs if client != "ours"}
    return {"workload": workload.name, "figure": "size", "unit": "bytes", **figures, **ratios}


def line(name, unit, cells):
    return f"{name:<20} {unit:<6} " + " ".join(f"{cell:>{width}}" for cell, width in zip(cells, WIDTHS))


def main():
    arguments = COMMAND.read_arguments()
    chosen = COMMAND.choose(arguments.only, WORKLOADS)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/"
    print("one GET, release build, --static-swift-stdlib, stripped; with-libraries adds the libraries of ldd except libc's")
    print(line("workload", "unit", ["ours", "peer", "urlsession", "ours/peer", "ours/urlsession"]), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        programs = {client: stripped(arguments.programs, name, folder, url)
                    for client, name in PROGRAMS.items() if client == "ours" or not arguments.ours}
        entries = [entry(workload, programs) for workload in chosen]
    server.shutdown()
    for each in entries:
        print(line(each["workload"], each["unit"], [each.get(key, "-") for key in (*PROGRAMS, "vs_peer", "vs_urlsession")]))
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump(entries, file, indent=1)
            file.write("\n")


COMMAND.run(main, Failed, OSError, subprocess.SubprocessError)
