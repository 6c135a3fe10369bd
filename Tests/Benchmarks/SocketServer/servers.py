"""The servers under load, and the program that loads them, each on a separate core."""
import json
import os
import resource
import subprocess
from dataclasses import dataclass
from pathlib import Path

SOURCES = Path(__file__).resolve().parent.parent / "Sources/bench-socket-server-python"
#: The program and the mode of each server. Those in Python run in a virtual environment.
COMMANDS = {
    "ours-loop": ["bench-socket-server-ours", "loop"],
    "ours-executor": ["bench-socket-server-ours", "executor"],
    "ours-pool": ["bench-socket-server-ours", "pool"],
    "c": ["bench-socket-server"],
    "nio-raw": ["bench-socket-server-nio", "raw"],
    "nio-loop": ["bench-socket-server-nio", "loop"],
    "nio-shared": ["bench-socket-server-nio", "shared"],
    "nio-channel": ["bench-socket-server-nio", "channel"],
    "python": ["bench-socket-server-python.py"],
    "uws": ["bench-socket-server-uws.py"],
}
#: The description of each server, printed above the table.
NAMES = {
    "ours-loop": "a closure on the event loop",
    "ours-executor": "an async handler on the event loop",
    "ours-pool": "an async handler on the global pool",
    "c": "C on epoll",
    "nio-raw": "SwiftNIO that sends bytes back without reading frames",
    "nio-loop": "NIOWebSocket, a handler on the event loop; a broadcast is a frame for each channel",
    "nio-shared": "the same; a broadcast is one buffer, written to each channel ahead of the codec",
    "nio-channel": "NIOAsyncChannel, a task for each connection",
    "python": "Python's websockets",
    "uws": "uWebSockets, through Python's socketify",
}
#: A run is stopped this many seconds after twice its requested duration.
GRACE = 120


class Failed(Exception):
    """A run without figures."""


def is_ours(server):
    return server.startswith("ours")


@dataclass(frozen=True)
class Cores:
    """A core for the server and another for the load, so that neither takes time from the other."""
    server: int
    load: int

    @staticmethod
    def choose():
        cores = sorted(os.sched_getaffinity(0))
        return Cores(cores[0], cores[1 % len(cores)])


def allow_open_files():
    """Raises the limit of open files: a server and its load have a socket for each connection."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


class Programs:
    """The built programs, and Python with its packages."""

    def __init__(self, folder, python):
        self.folder = folder
        self.python = python
        self.cores = Cores.choose()

    def has(self, server):
        name = COMMANDS[server][0]
        if name.endswith(".py"):
            module = "socketify" if server == "uws" else "websockets"
            return subprocess.run([self.python, "-c", f"import {module}"], capture_output=True).returncode == 0
        return os.access(f"{self.folder}/{name}", os.X_OK)

    def version(self, package):
        if not self.python:
            return "?"
        command = [self.python, "-c", f"import importlib.metadata as m; print(m.version('{package}'))"]
        return subprocess.run(command, capture_output=True, text=True).stdout.strip() or "?"

    def command(self, server):
        name, *mode = COMMANDS[server]
        return [self.python, str(SOURCES / name)] if name.endswith(".py") else [f"{self.folder}/{name}", *mode]

    def measure(self, server, workload, seconds):
        """Starts the server, loads it once, and stops it; returns the figures of the load."""
        if workload.program:
            return self.run([f"{self.folder}/{workload.program[0]}", *workload.program[1:]], self.cores.server, seconds)
        command = ["taskset", "-c", str(self.cores.server), *self.command(server)]
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            port = process.stdout.readline().strip()
            if not port:
                raise Failed("it does not start")
            load = [f"{self.folder}/bench-socket-server-load", port, str(process.pid), workload.kind,
                    *workload.words(server), f"seconds={seconds}"]
            return self.run(load, self.cores.load, seconds)
        finally:
            process.stdin.close()
            try:
                process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    @staticmethod
    def run(command, core, seconds):
        try:
            process = subprocess.run(["taskset", "-c", str(core), *command], stdin=subprocess.DEVNULL,
                                     capture_output=True, text=True, timeout=2 * seconds + GRACE)
        except subprocess.TimeoutExpired:
            raise Failed(f"did not end within {2 * seconds + GRACE:.0f} s") from None
        if process.returncode != 0:
            raise Failed(process.stderr.strip()[-300:] or f"exit {process.returncode}")
        return json.loads(process.stdout)
