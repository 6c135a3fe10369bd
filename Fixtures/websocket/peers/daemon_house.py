"""Programs that listen on a port, with their files in one folder, and their end."""
import contextlib
import os
import select
import signal
import socket
import subprocess
import sys
import time
from glob import glob
from pathlib import Path


class Skipped(Exception):
    """The reason why this machine can't run a peer, as a sentence."""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def is_abandoned():
    """Returns whether the standard input has neither a writer nor commands any more."""
    poll = select.poll()
    poll.register(0, select.POLLIN)
    return any(events == select.POLLHUP for _, events in poll.poll(0))


class Program:
    """A process in a session of its own that listens on a port."""

    def __init__(self, folder, port, command, environment):
        self.port, self.command, self.folder = port, [str(part) for part in command], folder
        self.environment = {**os.environ, "HOME": str(folder), **environment}
        self.log = folder / f"{Path(self.command[0]).name}-{port}.log"
        self.start()

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder,
                                            env=self.environment, start_new_session=True)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not self.has_ended():
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            if is_abandoned():
                sys.exit()
            time.sleep(0.05)
        lines = self.log.read_text(errors="replace").split("\n")
        raise Skipped(f"{self.command[0]} doesn't listen: {' '.join(lines[-5:]).strip()[-300:]}")

    def has_ended(self):
        # The process isn't reaped, so that its number stays its own until its group has been killed.
        return os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def stop(self, patience=15):
        """Ends the process, and the rest of its group."""
        if self.process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.process.pid, signal.SIGTERM)
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline and not self.has_ended():
            time.sleep(0.02)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


class House:
    """A temporary folder, and the programs that live in it. The last one that was run is the daemon, the others help it."""

    def __init__(self, folder):
        self.folder, self.programs = folder, []

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def run(self, port, *command, **environment):
        """Starts a program and waits until its port accepts connections."""
        self.programs.append(Program(self.folder, port, command, environment))
        return self.programs[-1]

    def stop(self):
        self.programs[-1].stop()
        self.sweep(spared=[program.process.pid for program in self.programs[:-1]])

    def close(self):
        for program in reversed(self.programs):
            program.stop(patience=2)
        self.sweep()

    def sweep(self, spared=()):
        """Kills what the programs have left behind; as their subreaper, this process has become its parent."""
        while True:
            children = {int(pid) for path in glob("/proc/self/task/*/children") for pid in Path(path).read_text().split()}
            if not children - set(spared):
                return
            for pid in children - set(spared):
                with contextlib.suppress(ProcessLookupError, ChildProcessError):
                    os.kill(pid, signal.SIGKILL)
                    os.waitpid(pid, 0)
