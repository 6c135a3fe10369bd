"""The figures of a run: medians, the table, and the JSON."""
import json
import os
import statistics

#: The columns and their titles.
CLIENTS = {"ours": "ours", "executor": "executor", "floor": "floor", "channel": "channel", "handlers": "handlers",
           "python": "python"}
#: The client that the library is compared with.
PEER = "channel"
#: The units, short enough for the table.
SHORT_UNITS = {"us-cpu/message": "us-cpu/msg", "messages/s": "messages/s", "bytes/connection": "bytes/conn"}


def number(value):
    if value is None:
        return "-"
    if value >= 1e6:
        return f"{value / 1e6:.2f}M"
    return f"{value:.0f}" if value >= 1000 else f"{value:.1f}" if value >= 100 else f"{value:.3f}"


def ratio(value, other):
    return value / other if value is not None and other else None


class Report:
    """Collects the runs of each client in each workload."""

    def __init__(self):
        self.runs = {}

    def add(self, workload, client, figures):
        self.runs.setdefault((workload.name, client), []).append(figures)

    def median(self, workload, figure, client):
        runs = self.runs.get((workload.name, client), [])
        return statistics.median(run[figure] for run in runs) if runs else None

    def rows(self, workload):
        for figure, unit in workload.figures.items():
            values = {client: self.median(workload, figure, client) for client in CLIENTS}
            ratios = [ratio(values["ours"], values[other]) for other in ("floor", PEER)]
            yield line(workload.name, SHORT_UNITS[unit], [number(value) for value in values.values()]
                       + ["-" if value is None else f"{value:.2f}" for value in ratios])

    def comparison(self, workload):
        """The CPU of the workload as a multiple of that of its base in the same run; empty unless both have run."""
        parts = []
        for client in ("ours", "executor") if workload.base else ():
            runs = self.runs.get((workload.base, client), [])
            value = self.median(workload, "cpu", client)
            if runs and value:
                parts.append(f"{client} {value / statistics.median(run['cpu'] for run in runs):.2f}")
        return f"  CPU of {workload.name} divided by that of {workload.base}: {', '.join(parts)}" if parts else ""

    def entries(self, workload):
        """The objects of the JSON: each figure for tasks, and for tasks on the transport's executor."""
        for client, suffix in (("ours", ""), ("executor", "-executor")):
            for figure, unit in workload.figures.items():
                ours, floor, peer = (self.median(workload, figure, each) for each in (client, "floor", PEER))
                entry = {"workload": workload.name + suffix, "figure": figure, "unit": unit, "ours": ours,
                         "floor": floor, "peer": peer, "vs_floor": ratio(ours, floor), "vs_peer": ratio(ours, peer)}
                yield {key: round(value, 4) if isinstance(value, float) else value for key, value in entry.items()}

    def write(self, path, workloads, more):
        with open(path, "w") as file:
            json.dump([entry for workload in workloads for entry in self.entries(workload)] + more, file, indent=1)
            file.write("\n")


def line(name, unit, cells):
    widths = [8] * len(CLIENTS) + [10, 9]
    return f"{name:<10} {unit:<10} " + " ".join(f"{cell:>{width}}" for cell, width in zip(cells, widths))


def header(nio_version, python_version, load):
    """The clients, the machine and its load."""
    yield f"ours: tasks; executor: tasks on the transport's executor; floor: C; handlers: SwiftNIO {nio_version}, on its loop;"
    yield f"channel: the peer, NIOAsyncChannel; python: websockets {python_version}. Ratios: ours divided by the other."
    yield f"Linux {os.uname().release}, {os.cpu_count()} cores, load average {load:.2f}"
    if load > 0.5:
        yield "WARNING: the machine is busy; do not trust or quote these figures"


def title():
    return line("workload", "unit", [*CLIENTS.values(), "ours/floor", "ours/peer"])
