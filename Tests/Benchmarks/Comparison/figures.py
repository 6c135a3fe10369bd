"""The figures of a benchmark's JSON: their names, their units, and the direction in which they get worse."""
from dataclasses import dataclass
from fnmatch import fnmatchcase

#: The units of costs, of which less is better. `*` stands for any text.
LOWER_IS_BETTER = (
    "us", "ms", "s", "ms p50", "ms p99",
    "cpu-s", "s-cpu", "ms-cpu", "ms-cpu/100MB", "us-cpu/request", "us-cpu/message", "us-cpu/delivery", "us-cpu/push", "µs/call",
    "µs-cpu/s", "us-broker/delivery", "us-broker/push",
    "bytes", "bytes/call", "bytes/connection", "KB/connection", "MiB", "MiB more", "MB over idle", "bytes of *",
    "bytes for each of *",
    "events", "commands", "of their scripts*", "% off",
)
#: The units of rates and shares, of which more is better.
HIGHER_IS_BETTER = (
    "requests/s", "messages/s", "connections/s", "connections/s-cpu", "deliveries/s", "calls/s", "MB/s", "times", "of the rate",
)
#: The units of figures that say what a run did: neither direction is better, so they aren't compared.
NOT_COMPARED = ("MiB unread", "ratio")
#: The members of a JSON object that hold our figures: what each adds to the name of the row, and its unit if it isn't the object's.
COLUMNS = {"ours": ("", None), "value": ("", None), "p50_us": (" p50", "us")}
#: The members that name a row together with its workload, and what precedes each.
NAMES = {"what": ": ", "figure": " ", "server": " ", "cores": ", cores "}


class UnknownUnit(Exception):
    """A unit whose direction isn't declared."""


@dataclass(frozen=True)
class Figure:
    row: str
    unit: str
    value: float


def direction(unit):
    """Returns -1 if less of the unit is better, 1 if more is better, and 0 if it isn't compared."""
    for sign, units in ((-1, LOWER_IS_BETTER), (1, HIGHER_IS_BETTER), (0, NOT_COMPARED)):
        if any(fnmatchcase(unit, pattern) for pattern in units):
            return sign
    raise UnknownUnit(f'Tests/Benchmarks/Comparison/figures.py doesn\'t say whether less or more of "{unit}" is better')


def figures(content):
    """Returns our figures in the JSON of a benchmark. Figures of peers, ratios and bars aren't ours."""
    entries = content["figures"] if isinstance(content, dict) else content
    found = []
    for entry in entries:
        if "unit" not in entry:
            # The verdict on a bar, whose figures have rows of their own.
            continue
        named = "workload" in entry
        name = entry["workload"] if named else entry["figure"]
        name += "".join(f"{before}{entry[key]}" for key, before in NAMES.items()
                        if key in entry and (named or key != "figure"))
        for column, (more, unit) in COLUMNS.items():
            unit = unit or entry["unit"]
            if entry.get(column) is not None and direction(unit):
                found.append(Figure(name + more, unit, entry[column]))
    return found
