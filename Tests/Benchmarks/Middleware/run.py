#!/usr/bin/env python3
"""Measures the client's layers beside one another. Called by scripts/bench.d/middleware, which builds the program."""
import json
import os
import statistics
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "Engine")]
from command import Command  # noqa: E402
from server import Server  # noqa: E402

COMMAND = Command("middleware", seconds=1)


class Failed(Exception):
    """A run without figures."""


@dataclass(frozen=True)
class Workload:
    """A layer, and the one below it, with which it is compared."""
    name: str
    layer: str
    floor: str


WORKLOADS = [
    # The client without middleware, over the bare transport.
    Workload("client", "client", "transport"),
    # Credentials, retry, a disabled log and activity without observers, over the client without them.
    Workload("chain", "chain", "client"),
    # A middleware of an app, which may wait longer than the call lasts: the call runs in a separate task.
    Workload("own", "own", "client"),
]


def cpu(folder, url, layer, seconds):
    """The CPU microseconds of a GET of 1 KB, 64 at a time."""
    command = [f"{folder}/bench-engine-ours", "get", url, "--concurrency", "64", "--seconds", str(seconds),
               "--layer", layer]
    process = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 60)
    if process.returncode != 0:
        raise Failed(f"{layer}: {process.stderr.strip()[-200:] or f'exit {process.returncode}'}")
    return json.loads(process.stdout)["cpu"]


def main():
    arguments = COMMAND.read_arguments()
    chosen = COMMAND.choose(arguments.only, WORKLOADS)
    print(f"GET of 1 KB, 64 at a time; Linux {os.uname().release}, {os.cpu_count()} cores, "
          f"load average {arguments.load:.2f}")
    if arguments.load > 0.5:
        print("WARNING: the machine is busy; do not trust or quote these figures")
    layers = list(dict.fromkeys(layer for each in chosen for layer in (each.floor, each.layer)))
    runs = {layer: [] for layer in layers}
    with Server() as server:
        for number in range(arguments.rounds):
            # In alternating order, so that a machine that warms up or slows down favors neither.
            for layer in layers if number % 2 == 0 else reversed(layers):
                runs[layer].append(cpu(arguments.programs, server.url("plain", "1k"), layer, arguments.seconds))
    entries = []
    print(f"{'workload':<12} {'unit':<16} {'ours':>8} {'below':>8} {'ratio':>7}")
    for each in chosen:
        ratio = statistics.median(one / other for one, other in zip(runs[each.layer], runs[each.floor]))
        ours, floor = (statistics.median(runs[layer]) for layer in (each.layer, each.floor))
        print(f"{each.name:<12} {'us-cpu/request':<16} {ours:>8.2f} {floor:>8.2f} {ratio:>7.3f}")
        entries.append({"workload": each.name, "unit": "us-cpu/request", "ours": round(ours, 3),
                        "floor": round(floor, 3), "vs_floor": round(ratio, 3)})
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump(entries, file, indent=1)
            file.write("\n")


COMMAND.run(main, Failed, OSError)
