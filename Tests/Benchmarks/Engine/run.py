#!/usr/bin/env python3
"""Measures the library beside its floor and its peers. Called by scripts/bench.d/engine, which builds the programs."""
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import report  # noqa: E402
from clients import ROUNDS_BESIDE, Clients, Failed  # noqa: E402
from command import Command  # noqa: E402
from server import Server  # noqa: E402
from workloads import workloads  # noqa: E402

COMMAND = Command("engine", seconds=2)
PACKAGE = Path(__file__).resolve().parent.parent / "Package.swift"


def needed(client, chosen):
    """True if a workload needs this client of the library; other clients are always needed."""
    return not client.startswith("ours") or any(workload.ours in (client, client + "-net") for workload in chosen)


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
    arguments = COMMAND.read_arguments()
    chosen = COMMAND.choose(arguments.only, workloads())
    version = re.search(r'async-http-client", exact: "([^"]+)"', PACKAGE.read_text())
    for text in report.header(arguments.programs, version[1] if version else "?", arguments.load, arguments.ours):
        print(text)
    print(report.title(), flush=True)
    with Server() as server:
        run = Run(Clients(arguments.programs, server, arguments.seconds, arguments.ours), arguments.rounds)
        for scenario in dict.fromkeys(workload.scenario for workload in chosen):
            own = [workload for workload in chosen if workload.scenario == scenario]
            run.measure(scenario, own)
            for workload in own:
                print(run.report.row(workload), flush=True)
    if arguments.json:
        run.report.write(arguments.json, chosen)
    for failure in run.failures:
        COMMAND.complain(failure)
    # A failing peer leaves a gap in the table; a failure of the library or its floor fails the run.
    sys.exit(1 if any(re.search(r", (ours|ours-executor|floor): ", failure) for failure in run.failures) else 0)


COMMAND.run(main, OSError, RuntimeError)
