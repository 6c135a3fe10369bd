"""A separate Redis or Valkey broker for each run, and the part of its protocol that the benchmark needs."""
import shutil
import socket
import subprocess
import tempfile
import time

PROGRAM = next((path for name in ("redis-server", "valkey-server") if (path := shutil.which(name))), None)


class BrokerError(Exception):
    """A broker that doesn't start, or refuses a command."""


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Broker:
    """Starts a broker on a free port of loopback, and stops it. With `flushes`, it confirms each write only when it is on disk."""

    def __init__(self, core, flushes=False):
        if not PROGRAM:
            raise BrokerError("there is no redis-server; run scripts/bootstrap --bench")
        self.port = free_port()
        self.folder = tempfile.TemporaryDirectory(prefix="fan-out-")
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--dir", self.folder.name, "--save", "",
                   "--appendonly", "yes" if flushes else "no", "--appendfsync", "always" if flushes else "no"]
        self.process = subprocess.Popen(["taskset", "-c", str(core), PROGRAM, *options],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.connection = None

    def __enter__(self):
        try:
            self.connect()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if self.connection:
            self.connection.close()
        self.process.terminate()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.folder.cleanup()

    @property
    def url(self):
        return f"redis://127.0.0.1:{self.port}"

    def connect(self):
        end = time.monotonic() + 20
        while True:
            try:
                self.connection = socket.create_connection(("127.0.0.1", self.port), timeout=20)
                self.file = self.connection.makefile("rb")
                self.call("PING")
                return
            except (OSError, EOFError) as error:
                if self.process.poll() is not None or time.monotonic() > end:
                    raise BrokerError(f"{PROGRAM} doesn't start: {error}") from None
                time.sleep(0.02)

    # Commands

    def call(self, *words):
        parts = [word if isinstance(word, bytes) else str(word).encode() for word in words]
        command = b"*%d\r\n" % len(parts) + b"".join(b"$%d\r\n%s\r\n" % (len(part), part) for part in parts)
        self.connection.sendall(command)
        return self.reply()

    def reply(self):
        line = self.file.readline()
        if not line.endswith(b"\r\n"):
            raise EOFError("the broker has closed the connection")
        kind, rest = line[:1], line[1:-2]
        if kind == b"-":
            raise BrokerError(rest.decode())
        if kind == b":":
            return int(rest)
        if kind == b"$":
            return None if int(rest) < 0 else self.file.read(int(rest) + 2)[:-2].decode(errors="replace")
        if kind == b"*":
            return [self.reply() for _ in range(int(rest))]
        return rest.decode()

    def facts(self, section):
        lines = [line.split(":", 1) for line in self.call("INFO", section).splitlines() if ":" in line]
        return dict(lines)

    def counts(self):
        """The number of runs of each command, including those within scripts, but without INFO, PING and CONFIG GET."""
        facts = self.facts("commandstats")
        counts = {name.removeprefix("cmdstat_"): int(value.split(",")[0].removeprefix("calls="))
                  for name, value in facts.items()}
        return {name: count for name, count in counts.items() if name not in ("info", "ping", "config|get")}

    def memory(self):
        return int(self.facts("memory")["used_memory"])

    def size(self, key):
        """The bytes of a key including its name; 0 if there is none."""
        return self.call("MEMORY", "USAGE", key, "SAMPLES", 0) or 0
