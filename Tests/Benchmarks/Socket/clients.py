"""The server, and the programs that load it, one run at a time."""
import json
import subprocess
from pathlib import Path

PYTHON_CLIENT = Path(__file__).resolve().parent.parent / "Sources/bench-socket-python/bench-socket-python.py"
#: Debian's Python, which has Debian's websockets.
PYTHON = "/usr/bin/python3"
#: How each client is started: the program and its mode.
COMMANDS = {
    "ours": ["bench-socket-ours", "tasks"],
    "executor": ["bench-socket-ours", "executor"],
    "floor": ["bench-socket-floor"],
    "channel": ["bench-socket-nio", "channel"],
    "handlers": ["bench-socket-nio", "handlers"],
    "python": [PYTHON],
}
#: A run is stopped after this many seconds.
LIMIT = 60


class Failed(Exception):
    """A run that brought no figures."""


class Server:
    """Runs while its `with` block does."""

    def __init__(self, folder):
        self.program = f"{folder}/bench-socket-server"

    def __enter__(self):
        self.process = subprocess.Popen([self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = self.process.stdout.readline().strip()
        if not self.port:
            raise RuntimeError("the server does not start")
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        try:
            self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Clients:
    """Every client of the comparison, by name."""

    def __init__(self, folder, server, seconds):
        self.folder = folder
        self.server = server
        self.seconds = seconds
        self.counts = {}

    def run(self, client, workload, count):
        """One run of so many messages; what the program printed."""
        program, *mode = COMMANDS[client]
        words = [PYTHON, PYTHON_CLIENT] if client == "python" else [f"{self.folder}/{program}"]
        command = [str(word) for word in [*words, self.server.port, workload.name, count, *mode]]
        try:
            process = subprocess.run(
                command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            raise Failed(f"no end after {LIMIT} s") from None
        except OSError as error:
            raise Failed(str(error)) from None
        if process.returncode != 0:
            raise Failed(process.stderr.strip()[-300:] or f"exit {process.returncode}")
        result = json.loads(process.stdout)
        if (result["workload"], result["messages"]) != (workload.name, count):
            raise Failed(f"did something else: {process.stdout.strip()}")
        return result

    def count(self, client, workload):
        """How many messages take the time that a run shall take; found once, so that every round does the same."""
        if workload.count:
            return workload.count
        key = (client, workload.name)
        if key not in self.counts:
            count, seconds = workload.first_count, 0
            while seconds < self.seconds / 4:
                # Ten times at most: the first messages say little about the rest.
                count = min(10 * count, int(count * self.seconds / seconds)) if seconds else count
                seconds = max(self.run(client, workload, count)["seconds"], 1e-6)
            self.counts[key] = max(1, int(count * self.seconds / seconds))
        return self.counts[key]

    def measure(self, client, workload):
        """One run: figures by name."""
        result = self.run(client, workload, self.count(client, workload))
        messages = result["messages"]
        if "bytes" in result:
            return {"memory": result["bytes"] / messages}
        return {"cpu": result["cpuSeconds"] * 1e6 / messages, "rate": messages / result["seconds"]}


def python_version():
    """Of websockets."""
    command = [PYTHON, "-c", "import websockets.version; print(websockets.version.version)"]
    process = subprocess.run(command, capture_output=True, text=True)
    return process.stdout.strip() or "?"
