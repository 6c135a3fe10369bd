"""The servers under load, and the runs against them."""
import json
import os
import re
import statistics
import subprocess
from dataclasses import dataclass

#: A run is stopped this many seconds after its requested duration.
GRACE = 30


class Failed(Exception):
    """A run without figures."""


@dataclass(frozen=True)
class Workload:
    """One row of the table: a figure of the library, and of the floor if there is one."""
    name: str
    unit: str
    #: The arguments of the library's program.
    ours: tuple
    has_floor: bool = True


WORKLOADS = [
    # A stub that is a value, a GET of 1 KB: requests per second, and the cost of each to the server's process.
    Workload("server-value", "requests/s", ("value",)),
    Workload("server-value-cpu", "us-cpu/request", ("value",)),
    # The same from a closure, which needs a task.
    Workload("server-closure", "requests/s", ("closure",)),
    Workload("server-closure-cpu", "us-cpu/request", ("closure",)),
    # From the call until the server listens; with TLS, including the creation of its certificate.
    Workload("server-start", "ms", ("start", "plain", "100"), has_floor=False),
    Workload("server-start-tls", "ms", ("start", "tls", "100"), has_floor=False),
]


def cpu_seconds(pid):
    """The user and system time of a process with all its threads."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Server:
    """Runs while its `with` block does."""

    def __init__(self, *command):
        self.command = command

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        if not line:
            self.__exit__()
            raise Failed(f"{self.command[0]} does not start")
        self.port = json.loads(line)["port"]
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        try:
            self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def load(self, seconds):
        """wrk with 64 connections on one thread: requests per second, and microseconds of the server's CPU for each."""
        before = cpu_seconds(self.process.pid)
        command = ["wrk", "-t1", "-c64", f"-d{max(1, round(seconds))}s", f"http://127.0.0.1:{self.port}/"]
        text = run(command, seconds + GRACE)
        used = cpu_seconds(self.process.pid) - before
        count, rate = re.search(r"(\d+) requests in", text), re.search(r"Requests/sec:\s*([\d.]+)", text)
        errors = re.search(r"Non-2xx.*|Socket errors.*", text)
        if errors or not count or not rate or not int(count[1]):
            raise Failed(errors[0] if errors else "wrk reported no rate")
        return {"requests/s": float(rate[1]), "us-cpu/request": used * 1e6 / int(count[1])}


def starts(program, workload):
    """The median time of the starts that the program measures."""
    return {workload.unit: statistics.median(json.loads(run([program, *workload.ours], GRACE)))}


def run(command, limit):
    try:
        process = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        raise Failed(f"{command[0]} did not end within {limit:.0f} s") from None
    except OSError as error:
        raise Failed(str(error)) from None
    if process.returncode != 0:
        raise Failed(process.stderr.strip()[-300:] or f"{command[0]}: exit {process.returncode}")
    return process.stdout
