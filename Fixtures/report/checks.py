"""Runs checks one after another, and reports their results like all conformance sets."""
import json
import traceback
from pathlib import Path


class Checks:
    def __init__(self, output):
        self.output = output
        self.results = []

    def add(self, name, problem=None):
        """Records the verdict on one case; `problem` is a text, or None if the case passed."""
        self.results.append({"id": name, "problem": problem or None})
        if problem:
            print(f"FAIL {name}: {problem[:300]}", flush=True)

    def run(self, name, check):
        """Runs one case: a function that raises an exception if it fails, or returns a figure to show."""
        try:
            figure = check()
        except Exception as error:  # any exception is the verdict on this case only
            lines = traceback.format_exc().strip().splitlines()
            place = next((line.strip() for line in reversed(lines) if "Fixtures/report" in line), "")
            return self.add(name, f"{type(error).__name__}: {error} ({place})".replace("\n", " "))
        self.add(name)
        if figure is not None:
            print(f"{name}: {figure}", flush=True)

    def finish(self):
        passed = sum(result["problem"] is None for result in self.results)
        if self.output:
            report = {"name": "report", "passed": passed, "total": len(self.results), "results": self.results}
            Path(self.output).write_text(json.dumps(report, indent=2))
        print(f"passed {passed} of {len(self.results)}")
        return 0 if passed == len(self.results) and self.results else 1


def expect(condition, text):
    if not condition:
        raise AssertionError(text)
