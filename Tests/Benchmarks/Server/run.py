#!/usr/bin/env python3
"""Measures the test server beside a bare SwiftNIO server. Called by scripts/bench.d/server, which builds both."""
import json
import os
import statistics
import sys
from contextlib import ExitStack
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from command import Command  # noqa: E402
from servers import WORKLOADS, Failed, Server, starts  # noqa: E402

COMMAND = Command("server", seconds=2)
WIDTHS = [10, 10, 11]


def measure(folder, workloads, rounds, seconds, only_ours):
    """The figures of each round, by server: the servers take turns, so that noise affects them equally."""
    runs = {}
    modes = list(dict.fromkeys(workload.ours for workload in workloads if workload.has_floor))
    with ExitStack() as stack:
        servers = {mode: stack.enter_context(Server(f"{folder}/bench-server-ours", *mode)) for mode in modes}
        if modes and not only_ours:
            servers["floor"] = stack.enter_context(Server(f"{folder}/bench-server-nio"))
        for server in servers.values():
            server.load(1)
        for _ in range(rounds):
            for name, server in servers.items():
                runs.setdefault(name, []).append(server.load(seconds))
    for workload in workloads:
        if not workload.has_floor:
            runs[workload.ours] = [starts(f"{folder}/bench-server-ours", workload)]
    return runs


def entry(workload, runs):
    """One object of the JSON; the ratio is the median of the ratios of the rounds."""
    ours = [run[workload.unit] for run in runs[workload.ours]]
    floor = [run[workload.unit] for run in runs.get("floor", [])] if workload.has_floor else []
    ratios = [one / other for one, other in zip(ours, floor)]
    figures = {"ours": ours, "floor": floor, "vs_floor": ratios}
    medians = {key: round(statistics.median(values), 3) if values else None for key, values in figures.items()}
    return {"workload": workload.name, "unit": workload.unit} | medians


def line(name, unit, cells):
    return f"{name:<20} {unit:<15} " + " ".join(f"{cell:>{width}}" for cell, width in zip(cells, WIDTHS))


def number(value):
    return "-" if value is None else f"{value:.0f}" if value >= 1000 else f"{value:.2f}"


def main():
    arguments = COMMAND.read_arguments()
    chosen = COMMAND.choose(arguments.only, WORKLOADS)
    print(f"floor: bare SwiftNIO; Linux {os.uname().release}, {os.cpu_count()} cores, "
          f"load average {arguments.load:.2f}")
    if arguments.load > 0.5:
        print("WARNING: the machine is busy; do not trust or quote these figures")
    print(line("workload", "unit", ["ours", "floor", "ours/floor"]), flush=True)
    runs = measure(arguments.programs, chosen, arguments.rounds, arguments.seconds, arguments.ours)
    entries = [entry(workload, runs) for workload in chosen]
    for each in entries:
        print(line(each["workload"], each["unit"], [number(each[key]) for key in ("ours", "floor", "vs_floor")]))
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump(entries, file, indent=1)
            file.write("\n")


COMMAND.run(main, Failed, OSError)
