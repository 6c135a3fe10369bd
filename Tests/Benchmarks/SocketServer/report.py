"""The figures of a run: medians, the table, the bars, and the JSON."""
import json
import statistics


def number(value):
    if value is None:
        return "-"
    if value >= 1e6:
        return f"{value / 1e6:.2f}M"
    return f"{value:.0f}" if value >= 1000 else f"{value:.1f}" if value >= 100 else f"{value:.2f}"


def rounded(value):
    return round(value, 4) if isinstance(value, float) else value


class Report:
    """Collects the rounds of each server in each workload."""

    def __init__(self):
        self.runs = {}

    def add(self, workload, server, number, figures):
        self.runs.setdefault((workload.name, server), {})[number] = figures

    def values(self, key, figure):
        """The values of a figure, by round."""
        return {number: run[figure] for number, run in self.runs.get(key, {}).items()}

    def median(self, workload, server, figure):
        values = self.values((workload.name, server), figure).values()
        return statistics.median(values) if values else None

    def rows(self, workload):
        """A line for each server, with its figures and its use of its core."""
        for server in workload.servers:
            if (workload.name, server) not in self.runs:
                continue
            cells = [f"{number(self.median(workload, server, figure)):>9} {unit:<18}" for figure, unit in workload.figures]
            busy = self.busy(workload, server)
            yield f"{workload.name:<12} {server:<14}" + "".join(cells) + busy

    def busy(self, workload, server):
        """The share of its core that the server used: the server limits the rate only if that is nearly all."""
        runs = self.runs[workload.name, server].values()
        if any("busy" not in run for run in runs):
            return ""
        return f"{100 * statistics.median(run['busy'] for run in runs):4.0f} % of its core"

    def bars(self, workload):
        """The bars, kept or missed, as objects of the JSON. A ratio is the median of the ratios of the rounds."""
        for bar in workload.bars:
            own = self.values((workload.name, bar.server), bar.figure)
            keys = [other if isinstance(other, tuple) else (workload.name, other) for other in bar.others]
            others = [self.values(key, bar.figure) for key in keys]
            numbers = [number for number in own if all(number in other for other in others)]
            if not numbers:
                continue
            peer = [sum(other[number] for other in others) for number in numbers]
            allowed = [bar.factor * value + bar.more for value in peer] if keys else [bar.more] * len(numbers)
            ours = [own[number] for number in numbers]
            # Above 1 means missed, for maximums and minimums.
            share = [limit / one if bar.is_least else one / limit for one, limit in zip(ours, allowed)]
            yield {
                "workload": workload.name, "figure": bar.figure, "server": bar.server, "ours": statistics.median(ours),
                "peers": ["/".join(key) for key in keys], "peer": statistics.median(peer) if keys else None,
                "vs_peer": statistics.median(one / other for one, other in zip(ours, peer)) if keys else None,
                "factor": bar.factor if keys else None, "more": bar.more, "least": bar.is_least,
                "of_bar": statistics.median(share), "kept": statistics.median(share) <= 1}

    def entries(self, workload):
        for server in workload.servers:
            for figure, unit in workload.figures:
                value = self.median(workload, server, figure)
                if value is not None:
                    yield {"workload": workload.name, "figure": figure, "unit": unit, "server": server, "value": value}

    def write(self, path, workloads):
        entries = [entry for workload in workloads for entry in (*self.entries(workload), *self.bars(workload))]
        with open(path, "w") as file:
            json.dump([{key: rounded(value) for key, value in entry.items()} for entry in entries], file, indent=1)
            file.write("\n")


def bar_line(entry):
    """A bar as a line for people, with MISSED in front, so that it is noticed."""
    word = "at least" if entry["least"] else "at most"
    parts = [f"{entry['factor']:g} × {' + '.join(entry['peers'])}"] if entry["peers"] else []
    parts += [f"{entry['more']:g}"] if entry["more"] else []
    ratio = f", {entry['vs_peer']:.2f} × {number(entry['peer'])}" if entry["peers"] else ""
    return (f"  {'kept  ' if entry['kept'] else 'MISSED'} {entry['server']} {entry['figure']} {number(entry['ours'])}{ratio}"
            f"; bar: {word} {' + '.join(parts)}")
