"""The server, and the programs that load it, one run at a time."""
import json
import os
import socket
import subprocess
import tempfile
import time
from pathlib import Path

PYTHON_CLIENT = Path(__file__).resolve().parent.parent / "Sources/bench-socket-python/bench-socket-python.py"
#: Debian's Python, which uses Debian's websockets.
PYTHON = "/usr/bin/python3"
#: The program and the mode of each client.
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
    """A run without figures."""


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


class TLSFront:
    """nginx, which terminates TLS in front of the server; runs while its `with` block does."""
    CONFIGURATION = """
daemon off; worker_processes 1; worker_rlimit_nofile 16384; pid {folder}/nginx.pid; error_log {folder}/error.log warn;
{user}
events {{ worker_connections 16000; multi_accept on; }}
http {{
  access_log off; tcp_nodelay on; proxy_read_timeout 600s; proxy_buffering off;
  client_body_temp_path {folder}/t; proxy_temp_path {folder}/t; fastcgi_temp_path {folder}/t;
  uwsgi_temp_path {folder}/t; scgi_temp_path {folder}/t;
  server {{
    listen 127.0.0.1:{port} ssl backlog=8192;
    ssl_certificate {folder}/certificate.pem; ssl_certificate_key {folder}/key.pem;
    location / {{
      proxy_pass http://127.0.0.1:{server}; proxy_http_version 1.1;
      proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection upgrade;
    }}
  }}
}}
"""

    def __init__(self, server):
        self.server = server

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="bench-socket-")
        folder = self.folder.name
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
             "-subj", "/CN=localhost", "-days", "2", "-keyout", f"{folder}/key.pem", "-out", f"{folder}/certificate.pem"],
            check=True, capture_output=True)
        text = self.CONFIGURATION.format(
            folder=folder, port=self.port, server=self.server.port, user="user root;" if os.getuid() == 0 else "")
        Path(folder, "nginx.conf").write_text(text)
        self.process = subprocess.Popen(
            ["/usr/sbin/nginx", "-p", folder, "-c", f"{folder}/nginx.conf"], stderr=subprocess.DEVNULL)
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return self
            time.sleep(0.02)
        raise RuntimeError("nginx does not start")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(timeout=10)
        self.folder.cleanup()


class Clients:
    """Every client of the comparison, by name."""

    def __init__(self, folder, server, front, seconds):
        self.folder = folder
        self.server = server
        self.front = front
        self.seconds = seconds
        self.counts = {}

    def run(self, client, workload, count):
        """Runs a client with `count` messages; returns the figures that it prints."""
        program, *mode = COMMANDS[client]
        words = [PYTHON, PYTHON_CLIENT] if client == "python" else [f"{self.folder}/{program}"]
        port = self.front.port if workload.name.startswith("wss-") else self.server.port
        command = [str(word) for word in [*words, port, workload.name, count, *mode]]
        try:
            process = subprocess.run(
                command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            raise Failed(f"did not end within {LIMIT} s") from None
        except OSError as error:
            raise Failed(str(error)) from None
        if process.returncode != 0:
            raise Failed(process.stderr.strip()[-300:] or f"exit {process.returncode}")
        result = json.loads(process.stdout)
        if (result["workload"], result["messages"]) != (workload.name, count):
            raise Failed(f"did something else: {process.stdout.strip()}")
        return result

    def count(self, client, workload):
        """The number of messages for the duration of a run; determined only once, so that every round does the same."""
        if workload.count:
            return workload.count
        key = (client, workload.name)
        if key not in self.counts:
            count, seconds = workload.first_count, 0
            while seconds < self.seconds / 4:
                # At most ten times as many: the first messages aren't representative of the rest.
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
    """The version of Python's websockets."""
    command = [PYTHON, "-c", "import websockets.version; print(websockets.version.version)"]
    process = subprocess.run(command, capture_output=True, text=True)
    return process.stdout.strip() or "?"
