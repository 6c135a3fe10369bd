"""Runs the tests of a built program in shards, several at a time, and compares those that ran with the program's list.

Called by scripts/test and scripts/sanitize. Prints failures when their shard ends, a line for each target, and `tests: N passed, N failed, N skipped`.
The exit code is 0 if nothing failed, every process ended by itself and every listed test ran once; 1 if only tests failed.
"""
import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from pathlib import Path

sys.dont_write_bytecode = True
from process import Process  # noqa: E402
from shards import JOBS, differences, divide, job_of, listed, slow_suites, suite_of, target_of  # noqa: E402

SLOW = Path(__file__).with_name("slow.txt")
# Failures, and tests that print that they skip cases.
SHOWN = re.compile(r"^✘ (?!Test run|Suite )|: error: |Fatal error|^error: |^skipped: ")
# A longer text of a failure is only in the log.
WIDTH, LONGEST = 98, 800


def options():
    parser = argparse.ArgumentParser(prog="scripts/test", description="Runs the tests in shards.")
    parser.add_argument("--filter", action="append", metavar="PATTERN", help="only tests whose identifier matches one of these")
    parser.add_argument("--skip", action="append", metavar="PATTERN", help="no test whose identifier matches one of these")
    parser.add_argument("--job", choices=[*JOBS, "rest"], help="only the targets of one of the three jobs of a hosted run")
    parser.add_argument("--workers", type=int, default=int(os.environ.get("NET_TEST_WORKERS") or (os.cpu_count() or 2) + 2),
                        help="processes at a time (default: two more than cores, because tests of clients wait for timeouts)")
    parser.add_argument("--json", metavar="FILE", help="writes the results, and the seconds of each test")
    parser.add_argument("--update-slow", action="store_true", help="writes the seconds of slow suites into scripts/test.d/slow.txt")
    parser.add_argument("--program", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--log", required=True, help=argparse.SUPPRESS)
    return parser.parse_args()


def names(chosen):
    """Returns all tests in the program's list, and the chosen ones."""
    result = subprocess.run([chosen.program, "--testing-library", "swift-testing", "--list-tests"], capture_output=True, text=True)
    tests = listed(result.stdout)
    if not tests:
        sys.exit(f"test: the program lists no tests: {result.stderr.strip()[-400:]}")
    if len(set(tests)) != len(tests):
        twice = next(test for test in tests if tests.count(test) > 1)
        sys.exit(f"test: the program lists {twice} twice; rename one of the two")
    return tests, [
        test for test in tests
        if (not chosen.filter or any(re.search(each, test) for each in chosen.filter))
        and not any(re.search(each, test) for each in chosen.skip or [])
        and (not chosen.job or job_of(target_of(test)) == chosen.job)]


def show(lines):
    """Prints the lines about failures; a line that begins with an arrow belongs to the one before it."""
    shown = False
    for line in lines:
        shown = bool(SHOWN.search(line)) or shown and line.startswith("↳")
        if shown:
            print(textwrap.fill(line[:LONGEST], WIDTH, subsequent_indent="    ", break_on_hyphens=False), flush=True)


class Run:
    """The shards that ran, and what is left to do."""

    def __init__(self, chosen, listed, tests):
        self.chosen, self.tests = chosen, tests
        self.waiting = divide(tests, slow_suites(SLOW.read_text()), listed)
        self.running, self.done, self.problems = [], [], []
        self.log = open(chosen.log, "w")

    def finish(self, folder):
        started = told = time.monotonic()
        while self.waiting or self.running:
            while self.waiting and len(self.running) < self.chosen.workers:
                self.running.append(Process(self.chosen.program, self.waiting.pop(0), folder))
            time.sleep(0.1)
            for process in [each for each in self.running if each.has_ended()]:
                self.running.remove(process)
                self.take(process)
            if time.monotonic() - told >= 30:
                told = time.monotonic()
                ran = sum(len(result.ended) for result in self.done)
                print(f"testing [{ran}/{len(self.tests)}] {told - started:.0f} s", flush=True)
        self.seconds = time.monotonic() - started

    def take(self, process):
        """Reads the output of a process that has ended, and shows its failures."""
        result = process.results()
        text = process.log()
        self.log.write(f"# {process.shard.name}, exit code {process.status}\n{text}")
        self.log.flush()
        self.done.append(result)
        show(text.splitlines())
        for note in process.notes:
            print(note, flush=True)
        if result.unfinished or not result.has_ended:
            self.problems.append(f"{process.shard.name} ended early with exit code {process.status}")
            print(f"{self.problems[-1]}; these tests didn't finish:", *result.unfinished, sep="\n  ", flush=True)
        elif process.status != 0 and not result.failed:
            self.problems.append(f"{process.shard.name} has exit code {process.status} without a failure")

    def summarize(self):
        """Prints the figures of each target, what is wrong, and the closing line; returns the exit code."""
        rows = {}
        for result in self.done:
            row = rows.setdefault(result.shard.target, [0, 0, 0, 0, 0])
            for index, value in enumerate([1, len(result.ended), result.cases, result.seconds, result.cpu]):
                row[index] += value
        print(f"{'target':<26} {'shards':>6} {'tests':>6} {'cases':>7} {'seconds':>8} {'CPU s':>7}")
        for target, row in sorted(rows.items()) + [("all", [sum(column) for column in zip(*rows.values())])]:
            print(f"{target:<26} {row[0]:>6} {row[1]:>6} {row[2]:>7} {row[3]:>8.1f} {row[4]:>7.1f}")
        skipped = {test for result in self.done for test in result.skipped}
        failed = {test for result in self.done for test in result.failed}
        self.problems += differences(self.tests, [result.ended + result.skipped for result in self.done])
        for problem in self.problems:
            print(f"error: {problem}")
        ran = {test for result in self.done for test in result.ended}
        print(f"the tests took {self.seconds:.0f} s, with {self.chosen.workers} processes at a time")
        print(f"tests: {len(ran - failed)} passed, {len(failed)} failed, {len(skipped)} skipped")
        return 2 if self.problems else 1 if failed else 0

    def write(self):
        seconds = {test: each for result in self.done for test, each in result.durations.items()}
        if self.chosen.json:
            Path(self.chosen.json).write_text(json.dumps({
                "seconds": self.seconds, "tests": seconds, "cases": sum(result.cases for result in self.done),
                "shards": [{"name": result.shard.name, "seconds": result.seconds, "cpu": result.cpu} for result in self.done],
            }, indent=1, sort_keys=True))
        if self.chosen.update_slow:
            suites = {}
            for test, each in seconds.items():
                name = f"{target_of(test)}.{suite_of(test)}"
                suites[name] = suites.get(name, 0) + each
            head = [line for line in SLOW.read_text().splitlines() if line.startswith("#")]
            rows = [f"{name} {total:.0f}" for name, total in sorted(suites.items()) if total >= 3]
            SLOW.write_text("\n".join(head + rows) + "\n")


def main():
    chosen = options()
    listed_tests, tests = names(chosen)
    if not tests:
        sys.exit("test: no test matches; --filter and --skip are regular expressions for identifiers such as "
                 "NetCoreTests.PathTests/pathsAreJoined()")
    run = Run(chosen, listed_tests, tests)
    # The processes that run tests end with this one.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory() as folder:
        try:
            run.finish(folder)
        finally:
            for process in run.running:
                process.kill()
    code = run.summarize()
    run.write()
    sys.exit(code)


main()
