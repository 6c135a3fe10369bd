"""The comparison as a table of at most 98 columns, and as JSON."""
import json
import math

from figures import direction
from verdict import AGAINST, OURS

WIDTH = 98
NAME, UNIT = 33, 13


def number(value):
    if value is None:
        return "–"
    if math.isinf(value):
        return "∞"
    if abs(value) >= 1e6:
        return f"{value / 1e6:.2f}M"
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.1f}" if abs(value) >= 100 else f"{value:.2f}"


def clipped(text, width):
    return text if len(text) <= width else text[:width - 1] + "…"


def line(mark, name, unit, cells, verdict):
    widths = (9, 10, 6, 6, 4)
    columns = " ".join(f"{cell:>{width}}" for cell, width in zip(cells, widths))
    return f"{mark:<2}{clipped(name, NAME):<{NAME}} {clipped(unit, UNIT):<{UNIT}} {columns}  {verdict}".rstrip()


def title(commit):
    return line("", "row", "unit", ["this tree", commit, "ratio", "noise", "runs"], "verdict")


def row_line(row):
    verdict = row.verdict
    ratio = "–" if row.ratio is None else "∞" if math.isinf(row.ratio) else f"{row.ratio:.3f}"
    cells = [number(row.median(OURS)), number(row.median(AGAINST)), ratio, f"{row.limit.noise * 100:g} %",
             str(len(row.pairs))]
    return line("!" if verdict == "worse" else "", row.name, row.unit, cells, verdict.upper() if verdict == "worse" else verdict)


def summary(comparison):
    """The last line: the number of rows that are worse, of those that both trees have."""
    worse, all_rows = len(comparison.of("worse")), len(comparison.compared)
    again = sum(row.is_again for row in comparison.rows.values())
    text = "no row is worse than its noise"
    if worse:
        text = f"{worse} of {all_rows} rows {'is' if worse == 1 else 'are'} worse than {'its' if worse == 1 else 'their'} noise"
    if again:
        text += f"; {again} {'was' if again == 1 else 'were'} measured again, in as many further runs"
    return text


def lines(comparison, commit):
    yield title(commit)
    yield from (row_line(row) for row in comparison.rows.values())
    if comparison.of("new"):
        yield "new: only this tree has this row"
    if comparison.of("gone"):
        yield f"gone: only {commit} has this row"


def finite(value):
    return None if value is None or math.isinf(value) else round(value, 4)


def content(comparison, failures, **facts):
    """The comparison for JSON. A ratio to zero is null."""
    rows = [{"row": row.name, "unit": row.unit, "better": "lower" if direction(row.unit) < 0 else "higher",
             "ours": finite(row.median(OURS)), "against": finite(row.median(AGAINST)), "ratio": finite(row.ratio),
             "noise": row.limit.noise, "verdict": row.verdict, "again": row.is_again,
             "runs": {side: list(runs.values()) for side, runs in row.runs.items()}} for row in comparison.rows.values()]
    return {**facts, "worse": len(comparison.of("worse")), "compared": len(comparison.compared), "rows": rows,
            "failures": failures}


def write(path, *arguments, **facts):
    with open(path, "w") as file:
        json.dump(content(*arguments, **facts), file, indent=1)
        file.write("\n")
