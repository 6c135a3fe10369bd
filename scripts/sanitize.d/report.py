#!/usr/bin/env python3
"""Reads the reports that sanitized programs wrote, each into the file TARGET.PROCESS of a folder.

  report.py FOLDER            prints each distinct report: its kind, the code concerned, and the targets and files it is in
  report.py FOLDER --count    prints only the number of distinct reports
  report.py FOLDER --count TARGET

Reports are the same if their kind and the two places concerned are the same. A place is the topmost frame of a stack that is in the
package, or the topmost frame if none is.
"""
import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
START = re.compile(r"^(?:==\d+==)?(?:WARNING|ERROR): (Thread|Address)Sanitizer: (.*)")
FRAME = re.compile(r"^ {4}#\d+ (?:0x[0-9a-f]+ in )?(.*?)(?: \(BuildId.*)?$")
# The lines that end a report.
BOUNDARY = re.compile(r"^(SUMMARY:|={18,}|ThreadSanitizer: reported|==\d+==ABORTING)")


class Report:
    """One report: its kind, and the headings and frames of its stacks."""

    def __init__(self, kind, file):
        self.kind = re.sub(r" \(pid=\d+\)| on (unknown )?address.*| \(T\d+\).*", "", kind).strip()
        self.file = file
        self.stacks = []

    def add(self, line):
        frame = FRAME.match(line)
        if frame:
            if self.stacks:
                self.stacks[-1][1].append(frame[1])
        elif line.strip():
            self.stacks.append((re.sub(r" (at|of size|by) .*", "", line.strip()).rstrip(":"), []))

    @property
    def places(self):
        """The code concerned: for each of the first two stacks, what it does and where."""
        return tuple((heading, place(frames)) for heading, frames in [s for s in self.stacks if s[1]][:2])

    @property
    def key(self):
        return (self.kind, tuple(sorted(frame for _, frame in self.places)))


def place(frames):
    """Returns the topmost frame in the package, without the root of the package; the topmost frame if none is in it."""
    # The checkouts of dependencies are in a build folder.
    own = [frame for frame in frames if f"{ROOT}/" in frame and f"{ROOT}/.build" not in frame]
    others = [frame for frame in frames if "compiler-rt" not in frame]
    frame = (own or others or frames)[0].replace(f"{ROOT}/", "")
    return re.sub(r" \([^()]*\+0x[0-9a-f]+\)$", "", frame) if own else frame


def reports(folder, target=None):
    """Yields the reports in the files of a folder, with demangled names."""
    for file in sorted(folder.glob(f"{target or '*'}.[0-9]*")):
        text = subprocess.run(["swift", "demangle", "--simplified"], input=file.read_text(errors="replace"),
                              capture_output=True, text=True, check=True).stdout
        report = None
        for line in text.splitlines():
            start = START.match(line)
            if start or BOUNDARY.match(line):
                if report:
                    yield report
                report = Report(start[2], file) if start else None
            elif report:
                report.add(line)
        if report:
            yield report


def main():
    folder = pathlib.Path(sys.argv[1])
    target = sys.argv[3] if len(sys.argv) > 3 else None
    distinct = collections.defaultdict(list)
    for report in reports(folder, target):
        distinct[report.key].append(report)
    if "--count" in sys.argv:
        print(len(distinct))
        return
    for (kind, _), same in sorted(distinct.items(), key=lambda item: -len(item[1])):
        targets = collections.Counter(report.file.name.rsplit(".", 1)[0] for report in same)
        print(f"{kind}: {', '.join(f'{name} {count}' for name, count in sorted(targets.items()))}; {same[0].file}")
        for heading, frame in same[0].places:
            print(f"    {heading}: {frame}")


if __name__ == "__main__":
    main()
