"""Checks that the filter in JavaScript finds the same entries as the one in Swift, with the same errors."""
import json

from reports import filter_by

SHOWN = """() => [...document.querySelectorAll('.row:not([hidden])')].sort((a, b) => a.dataset.place - b.dataset.place)
    .map(row => row.dataset.id)"""


def run(checks, reports, pictures):
    for name in ("filter-samples", "filter-recorded"):
        table = json.loads((reports.folder / f"{name}.json").read_text())
        reports.make(name, data=lambda values: values.update(now=table["now"]))
        # High enough for all rows to be drawn.
        page = reports.open(name, height=3000)
        for row in table["rows"]:
            problem = filter_by(page, row["expression"])
            shown = problem or page.evaluate(SHOWN)
            wanted = list(reversed(row["ids"]))
            checks.add(f"{name}: {row['expression']}", None if shown == wanted else difference(shown, wanted))
        for row in table["problems"]:
            problem = filter_by(page, row["expression"])
            wanted = f"Column {row['column']}: {row['message']}"
            checks.add(f"{name}, broken: {row['expression'][:60]}", None if problem == wanted else f"{problem}, not {wanted}")
        page.context.close()


def difference(shown, wanted):
    if isinstance(shown, str):
        return shown
    return f"{sorted(set(shown) - set(wanted))} too many, {sorted(set(wanted) - set(shown))} missing, or another order"
