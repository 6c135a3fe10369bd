#!/usr/bin/env python3
"""Measures the server side of WebSockets beside its peers. Called by scripts/bench.d/socket-server, which builds the
programs."""
import dataclasses
import json
import os
import sys
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import report  # noqa: E402
from command import Command, Progress  # noqa: E402
from servers import COMMANDS, NAMES, Failed, Programs, allow_open_files, is_ours  # noqa: E402
from workloads import WORKLOADS, reading  # noqa: E402

COMMAND = Command("socket-server", seconds=2)
RESOLVED = HERE.parent / "Package.resolved"


def nio_version():
    pins = json.loads(RESOLVED.read_text())["pins"] if RESOLVED.is_file() else []
    return next((pin["state"].get("version", "?") for pin in pins if pin["identity"] == "swift-nio"), "?")


def header(programs, servers, load):
    for server in servers:
        print(f"{server}: {NAMES[server]}")
    print(f"SwiftNIO {nio_version()}, websockets {programs.version('websockets')}, "
          f"socketify {programs.version('socketify')}; Linux {os.uname().release}, {os.cpu_count()} cores, "
          f"one for the server and one for the load; load average {load:.2f}")
    if load > 0.5:
        print("WARNING: the machine is busy; do not trust or quote these figures", flush=True)


def measure(programs, workload, servers, arguments, results, progress):
    """Runs all rounds of one workload, the servers interleaved; returns the failures."""
    failures = {}
    rounds = min(arguments.rounds, workload.rounds)
    for number in range(rounds):
        for server in workload.servers:
            if server in failures or server not in servers:
                continue
            progress.show(f"{workload.name}: round {number + 1} of {rounds}, {server}")
            try:
                result = programs.measure(server, workload, arguments.seconds * workload.longer)
                results.add(workload, server, number, reading(result))
            except (Failed, ValueError) as error:
                failures[server] = f"{workload.name}, {server}: {error}"
    progress.clear()
    return list(failures.values())


def main():
    arguments = COMMAND.read_arguments(("--python", "Python with websockets and socketify"))
    chosen = COMMAND.choose(arguments.only, WORKLOADS)
    chosen = [dataclasses.replace(workload, is_quick=arguments.quick) for workload in chosen]
    files = allow_open_files()
    if files < 11_000 and any(workload.name == "idle" for workload in chosen):
        COMMAND.die(f"10,000 connections need more open files than {files}: see ulimit -n")
    programs, results, progress, failures = Programs(arguments.programs, arguments.python), report.Report(), Progress(), []
    wanted = [server for server in COMMANDS if is_ours(server) or not arguments.ours]
    servers = [server for server in wanted if programs.has(server)]
    for server in wanted:
        if server not in servers:
            COMMAND.complain(f"without {server}: it isn't built or installed")
    header(programs, servers, arguments.load)
    for workload in chosen:
        failures += measure(programs, workload, servers, arguments, results, progress)
        for row in results.rows(workload):
            print(row)
        for entry in results.bars(workload):
            print(report.bar_line(entry))
        sys.stdout.flush()
    if arguments.json:
        results.write(arguments.json, chosen)
    for failure in failures:
        COMMAND.complain(failure)
    # Every run checks that all expected messages arrive: without that, figures aren't comparable.
    sys.exit(1 if failures else 0)


COMMAND.run(main, OSError)
