"""The noise of each row, read from the table in docs/performance.md after the line `<!-- noise -->`."""
import re
from dataclasses import dataclass
from fnmatch import fnmatchcase

MARK = "<!-- noise -->"
HEADER = ["benchmark", "rows", "noise", "at least", "reason"]


class BadTable(Exception):
    """A table that isn't there, or has a line that can't be read."""


@dataclass(frozen=True)
class Limit:
    """The noise of some rows: a share by which a median may differ, and the value that smaller figures count as."""
    benchmark: str
    pattern: str
    noise: float
    least: float = 0

    def matches(self, benchmark, row):
        return self.benchmark in ("all", benchmark) and fnmatchcase(row, self.pattern)


def cells_of(line):
    return [cell.strip().replace("`", "") for cell in line.strip().strip("|").split("|")]


def limit_of(line):
    cells = cells_of(line)
    share = re.fullmatch(r"(\d+(?:\.\d+)?) %", cells[2]) if len(cells) == len(HEADER) else None
    least = re.fullmatch(r"–|(\d+(?:\.\d+)?).*", cells[3]) if share else None
    if not least:
        raise BadTable(f"the table of noise has a line that can't be read: {line}")
    return Limit(cells[0], cells[1], float(share[1]) / 100, float(least[1] or 0))


def limits_of(page):
    """Returns the limits in a page, in the order of the table."""
    lines = iter(page.split(MARK + "\n")[-1].splitlines() if MARK + "\n" in page else [])
    header = next((line for line in lines if line.startswith("|")), "")
    if cells_of(header) != HEADER:
        raise BadTable(f"docs/performance.md has no table with the columns {', '.join(HEADER)} after {MARK}")
    next(lines)
    limits = []
    for line in lines:
        if not line.startswith("|"):
            break
        limits.append(limit_of(line))
    return limits


def limit_for(limits, benchmark, row):
    """Returns the last limit that matches a row: a later line of the table is an exception from an earlier one."""
    found = [limit for limit in limits if limit.matches(benchmark, row)]
    if not found:
        raise BadTable(f"the table of noise has no line for {benchmark}, {row}")
    return found[-1]
