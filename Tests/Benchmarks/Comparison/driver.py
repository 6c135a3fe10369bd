"""The driver of a benchmark in the working tree, which runs the programs of either side."""
import json
import sys
import tempfile
from pathlib import Path

import session
from commit import Refused
from figures import figures

BENCHMARKS = Path(__file__).resolve().parent.parent


class Failed(Exception):
    """A run that ended without all of its figures."""


class Driver:
    def __init__(self, benchmark, folder, seconds, is_quick):
        self.benchmark = benchmark
        self.folder = folder
        self.options = ["--ours", *(["--quick"] if is_quick else ["--rounds", "1"])]
        if seconds and not is_quick:
            self.options += ["--seconds", seconds]

    def run(self, *words):
        """Runs the driver; returns its exit code, its output and its errors."""
        command = [sys.executable, BENCHMARKS / self.benchmark.driver / "run.py", *words]
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
            status = session.run(command, stdout=output, stderr=errors)
            texts = []
            for file in (output, errors):
                file.seek(0)
                texts.append(file.read().decode(errors="replace").strip())
        return status, *texts

    def workloads(self, only):
        """Returns the names of the chosen workloads."""
        status, output, errors = self.run("--programs", self.folder, "--list", "--only", only)
        if status != 0:
            raise Refused(errors or f"the driver exits with {status}")
        return output.splitlines()

    def measure(self, side, workloads):
        """Runs workloads once with the programs of a side; returns the figures."""
        file = self.folder / "figures.json"
        file.unlink(missing_ok=True)
        words = ["--programs", self.folder / side, "--only", ",".join(workloads), "--json", file, *self.options]
        if self.benchmark.has_keep:
            kept = self.folder / f"{side}-kept"
            kept.mkdir(exist_ok=True)
            words += ["--keep", kept]
        status, _, errors = self.run(*words)
        if status != 0 or not file.is_file():
            raise Failed(errors[-300:] or f"exit {status}")
        return figures(json.loads(file.read_text()))
