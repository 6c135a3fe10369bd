#!/usr/bin/env python3
"""Measures pushes to the members of two servers, through a broker and in memory. Called by scripts/bench.d/fan-out, which
builds the programs."""
import json
import os
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(1, str(HERE.parent))
from broker import PROGRAM, BrokerError  # noqa: E402
from command import Command, Progress  # noqa: E402
from costs import Costs  # noqa: E402
from loads import LOADS, SETUPS, reading  # noqa: E402
from programs import Programs  # noqa: E402
from SocketServer.report import Report, bar_line, number, rounded  # noqa: E402
from SocketServer.servers import Failed, allow_open_files  # noqa: E402

COMMAND = Command("fan-out", seconds=20)
#: The maximum number of rounds, which are long because the rate is fixed.
ROUNDS = 3
FAILURES = (Failed, BrokerError, ValueError, OSError, EOFError)


def header(load):
    for name, setup in SETUPS.items():
        print(f"{name}: {setup.text}")
    version = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True).stdout.split(" sha=")[0]
    print(f"{version}; Linux {os.uname().release}, {os.cpu_count()} cores, one for the servers and one for load and broker; "
          f"load average {load:.2f}")
    if load > 0.5:
        print("WARNING: the machine is busy; do not trust or quote these figures", flush=True)


def measure(programs, load, arguments, results, progress):
    """Runs all rounds of one load, the servers interleaved; returns the failures."""
    failures = {}
    rounds = min(arguments.rounds, ROUNDS)
    for number in range(rounds):
        for server in load.servers:
            if server in failures:
                continue
            progress.show(f"{load.name}: round {number + 1} of {rounds}, {server}")
            try:
                results.add(load, server, number, reading(programs.measure(server, load, arguments.seconds)))
            except FAILURES as error:
                failures[server] = f"{load.name}, {server}: {error}"
    progress.clear()
    return list(failures.values())


def measure_costs(programs, arguments, entries):
    """Measures the costs only once: they hardly vary from run to run."""
    costs = Costs(programs, 500 if arguments.quick else 5000)
    try:
        costs.measure()
    except FAILURES as error:
        return [f"costs: {error}"]
    finally:
        for server, name, value, unit in costs.rows:
            print(f"{'costs':<12} {server:<14}{name:<20}{number(value):>9} {unit}")
            entries.append({"workload": "costs", "figure": name, "unit": unit, "server": server, "value": value})
    return []


def main():
    arguments = COMMAND.read_arguments()
    chosen = COMMAND.choose(arguments.only, LOADS)
    if not PROGRAM:
        COMMAND.die("there is no redis-server; run scripts/bootstrap --bench")
    if allow_open_files() < 2000:
        COMMAND.die("1,000 connections need more open files: see ulimit -n")
    programs, results, progress, entries, failures = Programs(arguments.programs), Report(), Progress(), [], []
    header(arguments.load)
    for load in chosen:
        if load.name == "costs":
            failures += measure_costs(programs, arguments, entries)
            continue
        failures += measure(programs, load, arguments, results, progress)
        for row in results.rows(load):
            print(row)
        bars = list(results.bars(load))
        for entry in bars:
            print(bar_line(entry))
        entries += [*results.entries(load), *bars]
        sys.stdout.flush()
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump([{key: rounded(value) for key, value in entry.items()} for entry in entries], file, indent=1)
            file.write("\n")
    for failure in failures:
        COMMAND.complain(failure)
    sys.exit(1 if failures else 0)


COMMAND.run(main, OSError)
