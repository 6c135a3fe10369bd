#!/usr/bin/env python3
"""Measures how costs grow: runs the benchmarks of the engine, the socket server and the store at several sizes, and the generator on
documents of 8 KB to 13 MB. Prints a table for each, as in docs/performance.md. Called by scripts/bench.d/growth, which builds the programs.
"""
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from command import Command  # noqa: E402

COMMAND = Command("growth", seconds=2)
#: Each is about four times as large as the one before, or more; the last is the one before it, five times in one document.
DOCUMENTS = ["Fixtures/openapi/parcel-depot.yaml", "spotify", "discord", "square"]
COPIES = 5


class Workload:
    def __init__(self, name, measure):
        self.name, self.measure = name, measure


class Failed(Exception):
    """A run without figures."""


def run(folder, names, arguments, *more):
    """Runs workloads of another benchmark; returns its JSON."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        command = [sys.executable, str(HERE.parent / folder / "run.py"), "--programs", arguments.programs, "--only", ",".join(names),
                   "--rounds", str(arguments.rounds), "--seconds", str(arguments.seconds), "--json", file.name, *more]
        ended = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if ended.returncode != 0:
            raise Failed(ended.stderr.strip()[-300:])
        return json.loads(Path(file.name).read_text())


def shown(value):
    return "–" if value is None else f"{value:.0f}" if value >= 1000 else f"{value:.3g}"


def table(titles, rows):
    print("\n| " + " | ".join(titles) + " |\n|" + "---|" * len(titles))
    for label, values in rows:
        print(f"| {label:,} | " + " | ".join(map(shown, values)) + " |")
    sys.stdout.flush()
    return [{"workload": f"{titles[0]} {label}", "x": label} | dict(zip(titles[1:], values)) for label, values in rows]


def calls(arguments):
    sizes = (1, 4, 16, 64, 256, 1024)
    entries = {entry["workload"]: entry for entry in run("Engine", [f"growth-c{size}" for size in sizes], arguments)}
    return table(["concurrent calls", "ours", "C on libcurl", "AsyncHTTPClient", "URLSession"], [
        (size, [entries[f"growth-c{size}"].get(name) for name in ("ours", "floor", "peer", "urlsession")]) for size in sizes])


def sockets(kind, title, sizes, peers, arguments):
    names = [f"growth-{kind}-{size}" for size in sizes]
    entries = run("SocketServer", names, arguments, "--python", sys.executable)
    found = {(entry["workload"], entry["server"]): entry["value"] for entry in entries
             if entry["figure"] == "cpu" and "value" in entry}
    if missing := [name for name in names if (name, "ours-loop") not in found]:
        raise Failed(f"no figures of {', '.join(missing)}")
    return table([title, *peers.values()], [
        (size, [found.get((name, server)) for server in peers]) for name, size in zip(names, sizes)])


def echoes(arguments):
    return sockets("echo", "connections", (1, 10, 100, 1000, 10_000),
                   {"ours-loop": "ours", "c": "C on epoll", "nio-loop": "NIOWebSocket"}, arguments)


def deliveries(arguments):
    return sockets("broadcast", "receivers", (10, 100, 1000, 10_000),
                   {"ours-loop": "ours", "c": "C on epoll", "nio-shared": "NIO, encoded once"}, arguments)


def queries(arguments):
    found = {entry["what"]: entry["ours"] for entry in run("Store", ["growth"], arguments)}
    kinds = {"list": "one condition", "pair": "two conditions", "words": "words", "stats": "statistics"}
    return table(["stored calls", *kinds.values()], [
        (size, [found[f"{kind} {size}"] for kind in kinds]) for size in (1000, 10_000, 100_000, 1_000_000)])


def copied(document):
    """Returns a document with several copies of another; paths, operations and schemas of each copy have different names."""
    text = json.loads(document.read_text())
    result = {key: value for key, value in text.items() if key not in ("paths", "components")} | {"paths": {}, "components": {}}
    for number in range(COPIES):
        copy = json.loads(re.sub(r"(#/components/\w+/[\w.-]+)", rf"\1_{number}", json.dumps(text)))
        for path, item in copy["paths"].items():
            for operation in item.values():
                if isinstance(operation, dict) and "operationId" in operation:
                    operation["operationId"] += f"_{number}"
            result["paths"][f"/copy{number}{path}"] = item
        for kind, members in copy["components"].items():
            if kind.startswith("x-"):
                continue
            names = (f"{name}_{number}" if kind != "securitySchemes" else name for name in members)
            result["components"].setdefault(kind, {}).update(zip(names, members.values()))
    return json.dumps(result, indent=1)


def generator(arguments):
    corpus = Path(os.environ.get("NET_DATA", "/nowhere")) / "openapi-corpus"
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name in DOCUMENTS:
            found = [Path(name)] if "/" in name else sorted(corpus.glob(f"{name}/*.*"), key=lambda file: -file.stat().st_size)[:1]
            files += found
        if files and files[-1].suffix == ".json":
            files.append(Path(folder) / "copies.json")
            files[-1].write_text(copied(files[-2]))
        for file in files:
            best = None
            for _ in range(min(3, arguments.rounds)):
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                subprocess.run([f"{arguments.programs}/net-openapi-generate", file, "--output", f"{folder}/out"], check=True,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
                best = seconds if best is None else min(best, seconds)
            lines = sum(len(each.read_text().splitlines()) for each in Path(f"{folder}/out").glob("*.swift"))
            rows.append((round(file.stat().st_size / 1000), [best * 1000, best * 1e6 / file.stat().st_size, lines]))
    return table(["KB of document", "ms of CPU", "ms for each KB", "lines of Swift"], rows)


WORKLOADS = [Workload(each.__name__, each) for each in (calls, echoes, deliveries, queries, generator)]


def main():
    arguments = COMMAND.read_arguments()
    print(f"Linux {os.uname().release}, {os.cpu_count()} cores, load average {arguments.load:.2f}")
    if arguments.load > 0.5:
        print("WARNING: the machine is busy; do not trust or quote these figures", flush=True)
    entries, failures = [], []
    for workload in COMMAND.choose(arguments.only, WORKLOADS):
        print(f"\n{workload.name}", flush=True)
        try:
            entries += workload.measure(arguments)
        except (Failed, KeyError, subprocess.CalledProcessError) as error:
            failures.append(f"{workload.name}: {error}")
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(entries, indent=1) + "\n")
    for failure in failures:
        COMMAND.complain(failure)
    sys.exit(1 if failures else 0)


COMMAND.run(main, OSError)
