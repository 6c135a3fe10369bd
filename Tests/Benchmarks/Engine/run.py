#!/usr/bin/env python3
"""Measures the library beside its floor and its peers. Called by scripts/bench.d/engine, which builds the programs."""
import argparse
import re
import signal
import sys
from pathlib import Path

sys.dont_write_bytecode = True
import report  # noqa: E402
from clients import ROUNDS_BESIDE, Clients, Failed  # noqa: E402
from server import Server  # noqa: E402
from workloads import workloads  # noqa: E402

PACKAGE = Path(__file__).resolve().parent.parent / "Package.swift"


def die(message):
    print(f"engine: {message}", file=sys.stderr)
    sys.exit(1)


def read_arguments():
    parser = argparse.ArgumentParser(prog="scripts/bench engine")
    parser.add_argument("--programs", required=True, help="the folder of the built programs")
    parser.add_argument("--load", type=float, default=0, help="the load average before the build")
    parser.add_argument("--json", default="")
    parser.add_argument("--only", default="")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2)
    arguments = parser.parse_args()
    if arguments.rounds < 1 or arguments.seconds <= 0:
        die("--rounds and --seconds must be greater than 0")
    return arguments


def choose(only):
    every = workloads()
    names = [name for name in only.split(",") if name]
    unknown = set(names) - {workload.name for workload in every}
    if unknown:
        die(f"there is no workload {', '.join(sorted(unknown))}; there are "
            + ", ".join(workload.name for workload in every))
    return [workload for workload in every if not names or workload.name in names]


def needed(client, chosen):
    """Whether a workload asks for this run of the library; every other client is always wanted."""
    return not client.startswith("ours") or any(workload.ours == client for workload in chosen)


class Run:
    def __init__(self, clients, rounds):
        self.clients = clients
        self.rounds = rounds
        self.report = report.Report()
        self.progress = report.Progress()
        self.failures = []

    def measure(self, scenario, chosen):
        """All rounds of one scenario, the clients interleaved."""
        rounds = max(min(self.rounds, scenario.rounds), scenario.fewest)
        clients = [client for client in self.clients.of(scenario) if needed(client, chosen)]
        broken = set()
        for number in range(rounds):
            for client in clients:
                is_beside = client in ("urlsession", "limit")
                if client in broken or (is_beside and number >= max(ROUNDS_BESIDE, scenario.fewest)):
                    continue
                self.progress.show(f"{scenario.name}: round {number + 1} of {rounds}, {client}")
                try:
                    self.report.add(scenario, client, self.clients.measure(client, scenario))
                except Failed as error:
                    broken.add(client)
                    self.failures.append(f"{scenario.name}, {client}: {error}")
        self.progress.clear()


def main():
    # The end asked for by another program stops the server too.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda received, _: sys.exit(128 + received))
    arguments = read_arguments()
    chosen = choose(arguments.only)
    version = re.search(r'async-http-client", exact: "([^"]+)"', PACKAGE.read_text())
    for text in report.header(arguments.programs, version[1] if version else "?", arguments.load):
        print(text)
    print(report.title(), flush=True)
    with Server() as server:
        run = Run(Clients(arguments.programs, server, arguments.seconds), arguments.rounds)
        for scenario in dict.fromkeys(workload.scenario for workload in chosen):
            own = [workload for workload in chosen if workload.scenario == scenario]
            run.measure(scenario, own)
            for workload in own:
                print(run.report.row(workload), flush=True)
    if arguments.json:
        run.report.write(arguments.json, chosen)
    for failure in run.failures:
        print(f"engine: {failure}", file=sys.stderr)
    # A peer that fails is a gap in the table; the library or its floor is a failed run.
    sys.exit(1 if any(re.search(r", (ours|ours-executor|floor): ", failure) for failure in run.failures) else 0)


try:
    main()
except KeyboardInterrupt:
    sys.exit(130)
except (OSError, RuntimeError) as error:
    die(str(error))
