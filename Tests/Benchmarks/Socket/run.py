#!/usr/bin/env python3
"""Measures WebSockets beside their floor and peers. Called by scripts/bench.d/socket, which builds the programs."""
import json
import resource
import subprocess
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import report  # noqa: E402
import sessions  # noqa: E402
from clients import COMMANDS, Clients, Failed, Server, TLSFront, python_version  # noqa: E402
from command import Command, Progress  # noqa: E402

COMMAND = Command("socket", seconds=1)
RESOLVED = Path(__file__).resolve().parent.parent / "Package.resolved"
LOAD_FIGURES = {"cpu": "us-cpu/message", "rate": "messages/s"}


OURS = ("ours", "executor")


@dataclass(frozen=True)
class Workload:
    """A workload of every client; SocketWorkload.swift defines it."""
    name: str
    #: The first count in the search for the number of messages.
    first_count: int = 1000
    #: A fixed number of messages, which determines the duration; 0 for none.
    count: int = 0
    #: The maximum number of rounds: figures that hardly vary need few.
    rounds: int = 1000
    figures: dict = field(default_factory=lambda: LOAD_FIGURES)
    #: The clients that support it.
    clients: tuple = tuple(COMMANDS)
    #: The workload that it is compared with if no other program supports it.
    base: str = ""


WORKLOADS = [
    Workload("ws-echo-64"),
    Workload("ws-out-64", first_count=10_000),
    Workload("ws-in-64", first_count=10_000),
    Workload("ws-out-1m", first_count=50),
    Workload("ws-in-1m", first_count=50),
    # Here, a message is a connection that is opened and closed, one after the other.
    Workload("ws-connect", first_count=200),
    # Idle connections, after a hundred messages each way; those of the floor and of Python exchange none.
    Workload("ws-idle", count=4000, rounds=3, figures={"memory": "bytes/connection"}),
    # nginx terminates TLS. Without a peer: these measure the memory that OpenSSL keeps, and the cost of other connections.
    Workload("wss-idle", count=4000, rounds=3, figures={"memory": "bytes/connection"}, clients=OURS),
    Workload("ws-among-64", rounds=5, clients=OURS),
    Workload("ws-among-4k", rounds=5, clients=OURS, base="ws-among-64"),
    Workload("wss-among-64", rounds=5, clients=OURS),
    Workload("wss-among-4k", rounds=5, clients=OURS, base="wss-among-64"),
]


#: The name for `--only` of the measurements of sessions within one process.
SESSIONS = "sessions"


def nio_version():
    pins = json.loads(RESOLVED.read_text())["pins"] if RESOLVED.is_file() else []
    return next((pin["state"].get("version", "?") for pin in pins if pin["identity"] == "swift-nio"), "?")


def allow_open_files(count):
    """Raises the limit of open files: a server and its clients have a socket for each connection."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count if hard == resource.RLIM_INFINITY else min(count, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def measure(clients, workload, rounds, results, progress):
    """Runs all rounds of one workload, the clients interleaved; returns the failures."""
    failures = {}
    rounds = min(rounds, workload.rounds)
    for number in range(rounds):
        for client in workload.clients:
            if client in failures:
                continue
            progress.show(f"{workload.name}: round {number + 1} of {rounds}, {client}")
            try:
                results.add(workload, client, clients.measure(client, workload))
            except Failed as error:
                failures[client] = f"{workload.name}, {client}: {error}"
    progress.clear()
    return list(failures.values())


def codec(programs):
    """The codec by itself, with compression, beside bare zlib on the same bytes."""
    times = json.loads(subprocess.run(
        [f"{programs}/socket-codec-bench", "20000"], capture_output=True, text=True, check=True).stdout)
    parts = [f"{name} {times[name]} ns, bare zlib {times['bare' + name.title()]} ns, "
             f"beyond 1.15 of it {times[name] - 1.15 * times['bare' + name.title()]:.0f} ns"
             for name in ("deflate", "inflate")]
    return f"codec: {times['bytes']} bytes of JSON become {times['compressed']}; " + "; ".join(parts)


def main():
    arguments = COMMAND.read_arguments()
    chosen = COMMAND.choose(arguments.only, [*WORKLOADS, Workload(SESSIONS)])
    has_sessions = any(workload.name == SESSIONS for workload in chosen)
    chosen = [workload for workload in chosen if workload.name != SESSIONS]
    if arguments.ours:
        chosen = [replace(workload, clients=OURS) for workload in chosen]
    allow_open_files(16384)
    for text in report.header(nio_version(), python_version(), arguments.load):
        print(text)
    print(report.title(), flush=True)
    results, progress, failures = report.Report(), Progress(), []
    with Server(arguments.programs) as server, TLSFront(server) as front:
        clients = Clients(arguments.programs, server, front, arguments.seconds)
        for workload in chosen:
            failures += measure(clients, workload, arguments.rounds, results, progress)
            for row in results.rows(workload):
                print(row, flush=True)
            if text := results.comparison(workload):
                print(text, flush=True)
        if chosen and not arguments.ours:
            print(codec(arguments.programs), flush=True)
    more = []
    if has_sessions:
        lines, more = sessions.measure(arguments.programs, arguments.rounds)
        print("\n".join(lines), flush=True)
    if arguments.json:
        results.write(arguments.json, chosen, more)
    for failure in failures:
        COMMAND.complain(failure)
    # Every client checks that no message was lost: without that, figures aren't comparable.
    sys.exit(1 if failures else 0)


COMMAND.run(main, OSError, RuntimeError)
