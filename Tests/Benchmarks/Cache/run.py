#!/usr/bin/env python3
"""Measures the cost of a response from the cache. Called by scripts/bench.d/cache, which builds the program."""
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "Engine")]
from command import Command  # noqa: E402
from server import Server  # noqa: E402

COMMAND = Command("cache", seconds=1)


class Failed(Exception):
    """A run without figures."""


@dataclass(frozen=True)
class Workload:
    """A source of responses; `entries` is the number of entries in the folder of a cache on disk."""
    name: str
    layer: str
    entries: int = 1


WORKLOADS = [
    # A client that responds without a network, with which the others are compared.
    Workload("empty", "empty"),
    Workload("memory", "memory"),
    Workload("disk", "disk"),
    Workload("disk-1000", "disk", entries=1_000),
    Workload("disk-100000", "disk", entries=100_000),
    # The same call to nginx on loopback.
    Workload("plain", "plain"),
]


def measure(program, workload, seconds, folder, url):
    command = [program, workload.layer, str(seconds)]
    if workload.layer == "disk":
        command += [str(folder / str(workload.entries)), str(workload.entries)]
    if workload.layer == "plain":
        command.append(url)
    process = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 900)
    if process.returncode != 0:
        raise Failed(f"{workload.name}: {process.stdout.strip()[-200:] or f'exit {process.returncode}'}")
    return json.loads(process.stdout)


def report(workloads, runs):
    entries = []
    empty = [run["cpu"] for run in runs["empty"]]
    print(f"{'workload':<12} {'unit':<16} {'ours':>8} {'above empty':>12} {'p50 us':>8}")
    for each in workloads:
        cpu = statistics.median(run["cpu"] for run in runs[each.name])
        above = statistics.median(run["cpu"] - floor for run, floor in zip(runs[each.name], empty))
        p50 = statistics.median(run["p50"] for run in runs[each.name])
        print(f"{each.name:<12} {'us-cpu/request':<16} {cpu:>8.2f} {above:>12.2f} {p50:>8.1f}")
        entries.append({"workload": each.name, "unit": "us-cpu/request", "ours": round(cpu, 3),
                        "above_empty": round(above, 3), "p50_us": round(p50, 2)})
    if "disk-1000" in runs and "disk-100000" in runs:
        ratio = statistics.median(
            large["cpu"] / small["cpu"] for large, small in zip(runs["disk-100000"], runs["disk-1000"]))
        print(f"a hit among 100,000 entries costs {ratio:.3f} of one among 1,000")
        entries.append({"workload": "disk-100000/disk-1000", "unit": "ratio", "ours": round(ratio, 3)})
    return entries


def main():
    arguments = COMMAND.read_arguments(COMMAND.KEEP)
    chosen = COMMAND.choose(arguments.only, WORKLOADS)
    if WORKLOADS[0] not in chosen:
        chosen.insert(0, WORKLOADS[0])
    print(f"GET of 1 KB, one after the other; Linux {os.uname().release}, {os.cpu_count()} cores, "
          f"load average {arguments.load:.2f}")
    if arguments.load > 0.5:
        print("WARNING: the machine is busy; do not trust or quote these figures")
    program = f"{arguments.programs}/bench-cache"
    runs = {each.name: [] for each in chosen}
    folder = Path(arguments.keep or tempfile.mkdtemp(prefix="swift-net-bench-cache-"))
    try:
        with Server() as server:
            for each in chosen:
                if each.entries > 1:
                    print(f"filling a folder with {each.entries:,} entries", file=sys.stderr)
                    measure(program, each, 0.1, folder, "")
            for number in range(arguments.rounds):
                # In alternating order, so that a machine that warms up or slows down favors none.
                for each in chosen if number % 2 == 0 else reversed(chosen):
                    runs[each.name].append(
                        measure(program, each, arguments.seconds, folder, server.url("plain", "1k")))
    finally:
        if not arguments.keep:
            shutil.rmtree(folder, ignore_errors=True)
    entries = report(chosen, runs)
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump(entries, file, indent=1)
            file.write("\n")


COMMAND.run(main, Failed, OSError)
