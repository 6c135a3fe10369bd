"""The programs that create the load, one run at a time."""
import json
import os
import re
import resource
import shutil
import subprocess

#: URLSession trusts only this file; see `URLSessionLoad.swift`.
SYSTEM_AUTHORITIES = "/etc/ssl/certs/ca-certificates.crt"
#: The clients that are programs of the library.
OURS = ("ours", "ours-executor", "raw", "decode")
#: The number of rounds of the clients that aren't part of the comparison.
ROUNDS_BESIDE = 1


class Failed(Exception):
    """A run without figures."""


def run(command, seconds):
    """Runs a command; returns its output, its errors, and the CPU milliseconds of the whole process."""
    command = [str(word) for word in command]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        process = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        raise Failed(f"{os.path.basename(command[0])} did not end within {seconds:.0f} s") from None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    complaint = process.stderr.strip()
    if process.returncode != 0:
        raise Failed(f"{os.path.basename(command[0])}: {complaint[-200:] or f'exit {process.returncode}'}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return process.stdout, complaint, cpu * 1000


class Clients:
    """Every client of the comparison, by name."""

    def __init__(self, folder, server, seconds, only_ours=False):
        self.folder = folder
        self.server = server
        self.seconds = seconds
        self.only_ours = only_ours
        self.can_trust = os.geteuid() == 0 and shutil.which("unshare") and os.path.exists(SYSTEM_AUTHORITIES)

    def of(self, scenario):
        """The clients that support a scenario, in the order of a round."""
        names = ["ours"] + (["ours-executor"] if scenario.has_executor else []) + ["floor", "peer"]
        if scenario.mode == "typed":
            names += ["raw", "decode"]
        if not scenario.is_secure or self.can_trust:
            names.append("urlsession")
        if scenario.is_load and scenario.mode != "typed":
            names.append("limit")
        return [name for name in names if not self.only_ours or name in OURS]

    def measure(self, client, scenario):
        """One run: figures by name."""
        if client == "limit":
            return self.measure_limit(scenario)
        output, complaint, cpu = run(self.command(client, scenario), self.seconds + 60)
        if scenario.mode == "once":
            return {"cpu": cpu}
        figures = json.loads(output)
        if figures.get("errors"):
            raise Failed(f"{client}: {figures['errors']:.0f} errors, the first: {complaint[-200:]}")
        if scenario.mode == "idle" and figures["connections"] < scenario.concurrency / 2:
            raise Failed(f"{client}: {figures['connections']:.0f} connections for {scenario.concurrency} requests")
        if scenario.is_load and figures["requests"] < 1:
            raise Failed(f"{client}: no request ended inside the measured window")
        return figures

    def command(self, client, scenario):
        program = {"ours-executor": "ours", "peer": "ahc", "raw": "ours", "decode": "ours"}.get(client, client)
        mode = {"raw": "get", "decode": "decode"}.get(client)
        command = [f"{self.folder}/bench-engine-{program}", *scenario.arguments(self.server, self.seconds, mode)]
        if client == "ours-executor":
            command.append("--executor")
        if client == "urlsession" and scenario.is_secure:
            mount = f'mount --bind "{self.server.certificate}" {SYSTEM_AUTHORITIES} && exec "$@"'
            command = ["unshare", "--mount", "sh", "-c", mount, "sh", *command]
        return command

    def measure_limit(self, scenario):
        """wrk or h2load: the limit of the machine for a program that ignores the responses."""
        url = self.server.url(scenario.kind, scenario.path)
        seconds = max(1, round(self.seconds))
        if scenario.kind == "http2":
            command = ["h2load", "-D", seconds, "-c1", f"-m{scenario.concurrency}", "-t1", url]
            pattern = r"requests: (\d+) total"
        else:
            command = ["wrk", "-t1", f"-c{scenario.concurrency}", f"-d{seconds}", "--latency", url]
            pattern = r"(\d+) requests in"
            if scenario.mode == "post":
                script = self.server.folder / "post.lua"
                script.write_text('wrk.method = "POST"\nwrk.body = string.rep("x", 1024)\n'
                                  'wrk.headers["Content-Type"] = "application/json"\n')
                command[1:1] = ["-s", script]
        output, _, cpu = run(command, self.seconds + 60)
        requests = re.search(pattern, output)
        median = re.search(r"50%\s+([\d.]+)(us|ms)", output)
        if not requests or int(requests[1]) == 0:
            raise Failed(f"{command[0]}: no requests")
        figures = {"cpu": cpu * 1000 / int(requests[1])}
        if median:
            figures["p50"] = float(median[1]) * (1000 if median[2] == "ms" else 1)
        return figures
