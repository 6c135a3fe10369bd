"""Charts as SVG: grouped bars, and lines on logarithmic axes. Each file suits light and dark pages.

usage: chart.py FIGURES.json FOLDER     one chart for each unit of a benchmark's figures
       chart.py --page PAGE.md [--check]    the charts that a page asks for, drawn from its own tables

In a page, a line `<!-- chart NAME: KIND; column = title · …; TITLE; rows a, b; where column = value -->` above a table asks for
docs/images/charts/NAME.svg. KIND is `bars` or `lines`. `rows` chooses rows by their first cell, `where` by another column; both are optional.
"""
import json
import math
import pathlib
import re
import sys
from xml.sax.saxutils import escape

WIDTH = 720
# Ours first. Readable on white and on black, and distinct for people who confuse red and green.
COLORS = [("#0f6fde", "#58a6ff"), ("#8a8f98", "#8b949e"), ("#d9822b", "#e3a04f"), ("#8250df", "#bc8cff"), ("#1a7f37", "#56d364"),
          ("#b35900", "#f0883e")]
STYLE = "\n".join([
    "text { font: 12px system-ui, sans-serif; fill: #1f2328 } .title { font-weight: 600; font-size: 14px } .dim { fill: #59636e }",
    ".page { fill: #ffffff } .grid { stroke: #d1d9e0 }",
    *(f".c{n} {{ fill: {light}; stroke: {light} }}" for n, (light, _) in enumerate(COLORS)),
    ".bar { stroke: none } .line { fill: none; stroke-width: 2 }",
    "@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .dim { fill: #9198a1 } .page { fill: #0d1117 } .grid { stroke: #3d444d }",
    *(f".c{n} {{ fill: {dark}; stroke: {dark} }}" for n, (_, dark) in enumerate(COLORS)), ".line { fill: none } .bar { stroke: none } }",
])


def short(value):
    if value >= 1e6:
        return f"{value / 1e6:g}M" if value < 1e8 else f"{value / 1e6:.0f}M"
    if value >= 10_000:
        return f"{value / 1000:.3g}k"
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


class Drawing:
    def __init__(self, title, height):
        self.height = height
        self.parts = [f'<rect class="page" width="{WIDTH}" height="{height}"/>']
        self.title = title
        self.text(16, 26, title, "title")

    def text(self, x, y, text, style="", anchor="start"):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" class="{style}" text-anchor="{anchor}">{escape(text)}</text>')

    def legend(self, names, y):
        x = 16
        for number, name in enumerate(names):
            self.parts.append(f'<rect class="bar c{number}" x="{x}" y="{y - 9}" width="10" height="10"/>')
            self.text(x + 15, y, name)
            x += 30 + 7 * len(name)

    def __str__(self):
        return "\n".join([
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {self.height}" width="{WIDTH}" height="{self.height}" role="img">',
            f"<title>{escape(self.title)}</title>", f"<style>{STYLE}</style>", *self.parts, "</svg>", ""])


def bars(title, names, rows):
    """Rows are (label, [value or None]). Bars far beyond the median are cut and have an arrow beside the value."""
    values = sorted(value for _, row in rows for value in row if value is not None)
    limit = 10 * values[len(values) // 2]
    limit = (values[-1] if values[-1] < 1.3 * limit else limit) or 1
    left = min(380, max(100, 26 + 6.4 * max(len(label) for label, _ in rows)))
    thick, gap = 13, 12
    height = 64 + sum(thick * sum(value is not None for value in row) + gap for _, row in rows)
    drawing = Drawing(title, height)
    drawing.legend(names, 48)
    y = 64
    for label, row in rows:
        shown = [(number, value) for number, value in enumerate(row) if value is not None]
        drawing.text(left - 8, y + thick * len(shown) / 2 + 4, label, anchor="end")
        for number, value in shown:
            length = max(1.0, (WIDTH - left - 80) * min(value, limit) / limit)
            drawing.parts.append(f'<rect class="bar c{number}" x="{left:.1f}" y="{y}" width="{length:.1f}" height="{thick - 2}"/>')
            drawing.text(left + length + 5, y + thick - 3, short(value) + (" →" if value > limit else ""), "dim")
            y += thick
        y += gap
    return str(drawing)


def lines(title, names, rows):
    """Rows are (x, [y or None]), drawn on logarithmic axes."""
    left, top, right, bottom = 64, 64, WIDTH - 24, 330
    drawing = Drawing(title, 372)
    drawing.legend(names, 48)
    places = [number for number, _ in rows]
    values = [value for _, row in rows for value in row if value]
    x_low, x_high = math.log10(min(places)), math.log10(max(places))
    y_low, y_high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    y_high = max(y_high, y_low + 1)

    def x_of(value):
        return left + (right - left) * (math.log10(value) - x_low) / ((x_high - x_low) or 1)

    def y_of(value):
        return bottom - (bottom - top) * (math.log10(value) - y_low) / (y_high - y_low)

    for power in range(y_low, y_high + 1):
        y = y_of(10 ** power)
        drawing.parts.append(f'<line class="grid" x1="{left}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}"/>')
        drawing.text(left - 8, y + 4, short(10.0 ** power), "dim", "end")
    for place in places:
        drawing.text(x_of(place), bottom + 20, short(place), "dim", "middle")
    for number in range(len(names)):
        points = [(x_of(place), y_of(row[number])) for place, row in rows if row[number]]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        drawing.parts.append(f'<polyline class="line c{number}" points="{path}"/>')
        drawing.parts += [f'<circle class="bar c{number}" cx="{x:.1f}" cy="{y:.1f}" r="3.5"/>' for x, y in points]
    return str(drawing)


def figure(cell):
    """The number in a cell of a table such as `1.46M` or `12 KB`; None for a cell such as `–`."""
    found = re.match(r"\s*([\d,]*\.?\d+)\s*(M\b|k\b)?", cell)
    return float(found[1].replace(",", "")) * {"M": 1e6, "k": 1e3}.get(found[2], 1) if found else None


def cells_of(line):
    return [cell.strip().replace("`", "") for cell in line.strip().strip("|").split("|")]


def of_page(page):
    """Yields the charts that a page asks for, as names and SVG."""
    text = page.read_text().splitlines()
    for number, line in enumerate(text):
        if not (asked := re.match(r"<!-- chart ([\w-]+): (bars|lines); (.*?); (.*?)(?:; rows (.*?))?(?:; where (.*?))? -->$", line)):
            continue
        name, kind, columns, title, chosen, where = asked.groups()
        table = [each for each in text[number + 1: number + 80]]
        while table and not table[0].startswith("|"):
            table.pop(0)
        end = next((place for place, each in enumerate(table) if not each.startswith("|")), len(table))
        header, body = cells_of(table[0]), [cells_of(each) for each in table[2:end]]
        pairs = [[part.strip() for part in column.split("=")] for column in columns.split(" · ")]
        if missing := [pair[0] for pair in pairs if pair[0] not in header]:
            sys.exit(f"{page}:{number + 1}: the table has no column {', '.join(missing)}")
        places = [header.index(pair[0]) for pair in pairs]
        wanted = [part.strip() for part in chosen.split(",")] if chosen else None
        if where:
            column, value = (part.strip() for part in where.split("="))
            body = [row for row in body if row[header.index(column)] == value]
        rows = [(row[0], [figure(row[place]) for place in places]) for row in body if not wanted or row[0] in wanted]
        if not rows or wanted and len(rows) < len(wanted):
            sys.exit(f"{page}:{number + 1}: the table has no row {', '.join(set(wanted or []) - {row[0] for row in rows})}")
        names = [pair[-1] for pair in pairs]
        yield name, lines(title, names, [(figure(label), row) for label, row in rows]) if kind == "lines" else bars(title, names, rows)


def of_figures(file, folder):
    """Writes a chart for each unit of the JSON that a benchmark has written."""
    entries = [entry for entry in json.loads(file.read_text()) if isinstance(entry, dict)]
    for unit in dict.fromkeys(entry.get("unit") or entry.get("figure") for entry in entries):
        of_unit = [entry for entry in entries if (entry.get("unit") or entry.get("figure")) == unit]
        names = [key for key in dict.fromkeys(key for entry in of_unit for key in entry)
                 if not key.startswith("vs_") and key not in ("bar", "x", "kept") and any(is_number(entry.get(key)) for entry in of_unit)]
        rows = [(str(entry.get("workload", "")), [entry.get(name) if is_number(entry.get(name)) else None for name in names]) for entry in of_unit]
        rows = [row for row in rows if any(row[1])]
        if rows:
            target = folder / f"{file.stem}-{re.sub(r'[^a-z0-9]+', '-', str(unit).lower()).strip('-')}.svg"
            target.write_text(bars(f"{file.stem}: {unit}", names, rows))
            print(target)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def main():
    if sys.argv[1] == "--page":
        page = pathlib.Path(sys.argv[2])
        folder = page.parent / "images" / "charts"
        folder.mkdir(parents=True, exist_ok=True)
        stale = {file.name for file in folder.glob("*.svg")}
        problems = []
        for name, svg in of_page(page):
            file = folder / f"{name}.svg"
            stale.discard(file.name)
            if "--check" not in sys.argv:
                file.write_text(svg)
            elif not file.exists() or file.read_text() != svg:
                problems.append(f"{file} doesn't match its table; run scripts/charts")
        problems += [f"{folder / name}: {page} doesn't ask for this chart" for name in sorted(stale)]
        print("\n".join(problems), end="\n" if problems else "")
        return 1 if problems else 0
    of_figures(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
