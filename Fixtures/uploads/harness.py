"""The servers, the client and the cases of scripts/conformance uploads."""
import hashlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from email.message import Message
from pathlib import Path
from urllib.parse import unquote

MEGA = 1 << 20
_lock = threading.Lock()
cases, processes = [], []


def start_process(command, **options):
    """Starts a process that `stop_processes` kills."""
    process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, **options)
    processes.append(process)
    return process


def stop_processes(*_):
    """Signal handler: kills what is still running, and exits."""
    for process in list(processes):
        if process.poll() is None:
            process.kill()
    os._exit(1)


def case(name, passed, detail=""):
    detail = "" if passed else str(detail)[:1500]
    with _lock:
        print(f"{'ok  ' if passed else 'FAIL'} {name}{': ' if detail else ''}{detail}", flush=True)
        cases.append({"id": name, "passed": bool(passed), "detail": detail})
    return passed


def free_port():
    """Returns a port outside the ephemeral range, so that no connection takes it while the server is down."""
    while True:
        port = random.SystemRandom().randint(20000, 32000)
        with socket.socket() as listener:
            try:
                listener.bind(("127.0.0.1", port))
                return port
            except OSError:
                pass


def digest(file):
    with open(file, "rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def wait_until(condition, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.01)
    return False


class Upload:
    """A completed upload on a server."""

    def __init__(self, file, name, type):
        self.file, self.name, self.type = file, name, type


class Server:
    """A server process that may be killed. `path` is where it accepts uploads."""

    path = "/files/"

    def __init__(self, folder):
        self.folder, self.port, self.process = folder, free_port(), None
        folder.mkdir(parents=True)
        # The port that clients use: the proxy's, if there is one.
        self.front = self.port

    def command(self):
        raise NotImplementedError

    def completed(self):
        """Returns the completed uploads."""
        raise NotImplementedError

    def forget(self):
        """Deletes all uploads."""
        for file in self.folder.rglob("*"):
            if file.is_file():
                file.unlink()

    def start(self):
        with open(self.folder.parent / f"{self.folder.name}.log", "a") as log:
            self.process = start_process(self.command(), stdout=log, stderr=log)
        if not wait_until(self.listens, 30):
            raise RuntimeError(f"{self.folder.name}: the server doesn't listen")
        return self

    def listens(self):
        if self.process.poll() is not None:
            raise RuntimeError(f"{self.folder.name}: the server has ended")
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
            return True
        except OSError:
            return False

    def kill(self):
        if self.process:
            self.process.kill()
            self.process.wait()

    def url(self):
        return f"http://127.0.0.1:{self.front}{self.path}"


class PythonServer(Server):
    """A server from servers.py."""

    def __init__(self, folder, maximum=0, body=0):
        super().__init__(folder)
        self.maximum, self.body = maximum, body

    def command(self):
        script = Path(__file__).with_name("servers.py")
        return [sys.executable, script, self.name, self.port, self.folder, self.maximum, self.body]


class Tuspyserver(PythonServer):
    name, protocol, file_name = "tuspyserver", "tus", "Über uns, 1.txt"

    def completed(self):
        result = []
        for file in self.folder.glob("*.info"):
            info, data = json.loads(file.read_text()), file.with_suffix("")
            if info["offset"] == info["size"]:
                result.append(Upload(data, info["metadata"].get("filename"), info["metadata"].get("filetype")))
        return result

    def expire(self):
        """Lets all uploads expire. The server is restarted: it may still be writing what it knows of them."""
        self.kill()
        for file in self.folder.glob("*.info"):
            info = json.loads(file.read_text())
            file.write_text(json.dumps(dict(info, expires="Thu, 01 Jan 2026 00:00:00 GMT")))
        self.start()


class Tussi(PythonServer):
    # It accepts only ASCII file names.
    name, protocol, file_name = "tussi", "tus", "About us, 1.txt"

    def completed(self):
        result = []
        for file in [*self.folder.glob("*.meta"), *self.folder.glob("completed/*.meta")]:
            data = file.with_suffix("")
            # A killed server leaves temporary files, which may be empty.
            if not data.exists():
                continue
            info = json.loads(file.read_text())
            # A server that was killed just before it moved a completed upload leaves it in the first folder.
            if info["offset"] == info["length"]:
                result.append(Upload(data, info["metadata"].get("filename"), info["metadata"].get("filetype")))
        return result


class Stored(Server):
    """A server that writes an upload to `NAME.part`, renames it to `NAME` when it is complete, and keeps header fields of the
    request in `NAME.json`."""

    file_name = "Über uns, 1.txt"

    def completed(self):
        result = []
        for file in self.folder.glob("*.json"):
            if file.with_suffix("").exists():
                fields, message = json.loads(file.read_text()), Message()
                if fields.get("disposition"):
                    message["Content-Disposition"] = fields["disposition"]
                # The extended form takes precedence over the plain one (RFC 6266 section 4.3), which the email package prefers.
                extended = [text.strip() for text in (fields.get("disposition") or "").split(";") if text.strip().startswith("filename*=")]
                name = unquote(extended[0].split("''", 1)[-1]) if extended else message.get_filename()
                result.append(Upload(file.with_suffix(""), name, fields.get("type")))
        return result


class Plain(Stored, PythonServer):
    name, protocol = "plain", "plain"


class NIO(Stored):
    name, protocol = "NIO", "resumable"

    def __init__(self, folder, program):
        super().__init__(folder)
        self.program = program

    def command(self):
        return [self.program, self.port, self.folder, f"http://127.0.0.1:{self.front}"]

    def forget(self):
        """Restarts the server, which keeps the state of uploads in memory."""
        self.kill()
        super().forget()
        self.start()


class Client:
    """A run of net-get, whose output is read by threads."""

    def __init__(self, program, home, files, url, *options):
        command = [program, "--json", "--state", home / "state", *options]
        for file in files:
            command += ["--upload", file]
        environment = {key: value for key, value in os.environ.items() if not key.lower().endswith("_proxy")}
        self.process = start_process(
            [*command, url], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=dict(environment, HOME=str(home), NO_COLOR="1"))
        self.events, self.errors, self.invalid = [], "", []
        self.threads = [threading.Thread(target=work, daemon=True) for work in (self.read, self.read_errors)]
        for thread in self.threads:
            thread.start()

    def read(self):
        for line in self.process.stdout:
            try:
                self.events.append(json.loads(line))
            except ValueError:
                # A killed client may leave half a line.
                self.invalid.append(line)

    def read_errors(self):
        for line in self.process.stderr:
            self.errors += line

    def wait(self, seconds=150):
        """Waits for the end and returns the exit code; None if the client took too long and was killed."""
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            return None
        for thread in self.threads:
            thread.join(5)
        return code

    def kill(self):
        self.process.kill()
        self.process.wait()

    def interrupt(self, seconds=30):
        self.process.send_signal(signal.SIGINT)
        return self.wait(seconds)

    def runs(self):
        return self.process.poll() is None

    def states(self, state):
        return [event for event in self.events if event.get("event") == "state" and event.get("state") == state]

    def end(self):
        return self.events[-1] if self.events and self.events[-1].get("event") == "end" else None

    def __repr__(self):
        return f"exit code {self.process.poll()}, {self.events[-3:]}, {self.errors.strip()[-600:]}"
