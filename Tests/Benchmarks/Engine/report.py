"""The figures of a run: medians, the table, and the JSON."""
import json
import os
import statistics
import subprocess
import sys

CLIENTS = ["ours", "floor", "peer", "urlsession", "limit"]
TITLES = ["ours", "floor", "peer", "urlsession", "wrk", "ours/floor", "ours/peer"]
WIDTHS = [8, 8, 8, 10, 7, 10, 9]


def number(value):
    if value is None:
        return "-"
    return f"{value:.0f}" if value >= 1000 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def ratio(value, other):
    return value / other if value is not None and other else None


class Report:
    """Collects the runs of each client in each scenario."""

    def __init__(self):
        self.runs = {}

    def add(self, scenario, client, figures):
        self.runs.setdefault((scenario.name, client), []).append(figures)

    def median(self, workload, client):
        if workload.ours == "ours-net":
            return self.median_net(workload, client)
        client = workload.ours if client == "ours" else client
        runs = self.runs.get((workload.scenario.name, client), [])
        values = [run[workload.figure] for run in runs if workload.figure in run]
        return statistics.median(values) if values else None

    def median_net(self, workload, client):
        """Our typed call minus the cost of decoding the same bytes; as its floor, our raw call with the same response."""
        def of(name):
            runs = self.runs.get((workload.scenario.name, name), [])
            return statistics.median(run[workload.figure] for run in runs) if runs else None

        if client == "floor":
            return of("raw")
        if client != "ours" or of("ours") is None or of("decode") is None:
            return None
        return of("ours") - of("decode")

    def row(self, workload):
        values = {client: self.median(workload, client) for client in CLIENTS}
        ratios = [ratio(values["ours"], values[other]) for other in ("floor", "peer")]
        cells = [number(values[client]) for client in CLIENTS]
        cells += ["-" if value is None else f"{value:.2f}" for value in ratios]
        return line(workload.name, workload.short_unit or workload.unit, cells)

    def entry(self, workload):
        """One object of the JSON."""
        ours, floor, peer, urlsession = (self.median(workload, client) for client in ("ours", "floor", "peer", "urlsession"))
        entry = {"workload": workload.name, "figure": workload.figure, "unit": workload.unit, "ours": ours,
                 "floor": floor, "peer": peer, "urlsession": urlsession, "vs_floor": ratio(ours, floor), "vs_peer": ratio(ours, peer)}
        return {key: round(value, 3) if isinstance(value, float) else value for key, value in entry.items()}

    def write(self, path, workloads):
        with open(path, "w") as file:
            json.dump([self.entry(workload) for workload in workloads], file, indent=1)
            file.write("\n")


def line(name, unit, cells):
    return f"{name:<20} {unit:<12} " + " ".join(f"{cell:>{width}}" for cell, width in zip(cells, WIDTHS))


def title():
    return line("workload", "unit", TITLES)


def nginx_version():
    text = subprocess.run(["nginx", "-v"], capture_output=True, text=True).stderr
    return text.strip().rpartition("/")[2]


def header(folder, peer_version, load, only_ours=False):
    """The versions, the machine and its load."""
    if not only_ours:
        libcurl = subprocess.run([f"{folder}/bench-engine-floor", "version"], capture_output=True, text=True).stdout
        libcurl = " ".join(word for word in libcurl.split() if word.startswith(("libcurl/", "OpenSSL/", "nghttp2/")))
        yield f"ours and floor: {libcurl}; peer: AsyncHTTPClient {peer_version}"
    yield f"nginx {nginx_version()}, Linux {os.uname().release}, {os.cpu_count()} cores, load average {load:.2f}"
    if load > 0.5:
        yield "WARNING: the machine is busy; do not trust or quote these figures"


class Progress:
    """Shows the current step on a terminal; elsewhere, nothing."""

    def __init__(self):
        self.is_shown = (sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
                         and not os.environ.get("NO_COLOR") and not os.environ.get("CI"))

    def show(self, text):
        if self.is_shown:
            print(f"\r{text[:98]:<98}", end="", flush=True)

    def clear(self):
        if self.is_shown:
            print(f"\r{'':<98}\r", end="", flush=True)
