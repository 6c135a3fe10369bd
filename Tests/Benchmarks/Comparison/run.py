#!/usr/bin/env python3
"""Compares the working tree with a commit: `scripts/bench NAME --against COMMIT` calls this.

Exits with 0 if no row is worse than its noise, with 1 if a row is, and with 2 if the two can't be compared.
"""
import argparse
import os
import signal
import sys
import tempfile
import traceback
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
# After this folder, whose modules take precedence over others with the same names.
sys.path.append(str(HERE.parent))
import report  # noqa: E402
from benchmarks import BENCHMARKS  # noqa: E402
from build import Builder, check_needs  # noqa: E402
from command import Progress  # noqa: E402
from commit import Refused, commit_of, folder_of, locked, working_tree  # noqa: E402
from driver import Driver  # noqa: E402
from figures import UnknownUnit  # noqa: E402
from measurement import Measurement  # noqa: E402
from noise import BadTable, limits_of  # noqa: E402
from verdict import Comparison  # noqa: E402

ROOT = HERE.parent.parent.parent
ROUNDS = 5


def read_arguments():
    parser = argparse.ArgumentParser(prog="scripts/bench")
    parser.add_argument("benchmark")
    parser.add_argument("--against", required=True)
    parser.add_argument("--load", type=float, default=0)
    parser.add_argument("--json", default="")
    parser.add_argument("--only", default="")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--quick", action="store_true")
    arguments = parser.parse_args()
    if arguments.rounds is None:
        arguments.rounds = 1 if arguments.quick else ROUNDS
    if arguments.rounds < 1 or arguments.seconds is not None and arguments.seconds <= 0:
        raise Refused("--rounds and --seconds must be greater than 0")
    return arguments


def header(arguments, commit, rounds):
    yield f"{arguments.benchmark}: this tree ({working_tree(ROOT)}) against {commit.short}, {commit.subject}"[:report.WIDTH]
    yield f"medians of {rounds} {'run' if rounds == 1 else 'runs'} of each, in turns; load average {arguments.load:.2f}"
    if arguments.load > 0.5:
        yield "WARNING: the machine is busy; do not trust or quote these figures"
    if arguments.quick or rounds < ROUNDS:
        yield f"WARNING: the noise in docs/performance.md is that of the medians of {ROUNDS} runs of full length"


def main():
    arguments = read_arguments()
    benchmark = BENCHMARKS.get(arguments.benchmark)
    if benchmark is None:
        raise Refused(f"Tests/Benchmarks/Comparison/benchmarks.py doesn't list the programs of {arguments.benchmark}")
    if benchmark.refusal:
        raise Refused(f"{arguments.benchmark} isn't compared with a commit: {benchmark.refusal}")
    commit = commit_of(ROOT, arguments.against)
    check_needs(benchmark)
    comparison = Comparison(arguments.benchmark, limits_of((ROOT / "docs" / "performance.md").read_text()))
    home = ROOT / ".build-against"
    with locked(home):
        folder = folder_of(ROOT, home, commit)
        with tempfile.TemporaryDirectory(prefix="run-", dir=home) as runs:
            driver = Driver(benchmark, Path(runs), arguments.seconds, arguments.quick)
            workloads = driver.workloads(arguments.only)
            Builder(ROOT, folder, commit).prepare(benchmark, Path(runs))
            return compare(arguments, benchmark, commit, comparison, driver, workloads)


def compare(arguments, benchmark, commit, comparison, driver, workloads):
    rounds = arguments.rounds if benchmark.varies else 1
    print("\n".join(header(arguments, commit, rounds)), flush=True)
    measurement = Measurement(driver, comparison, workloads, benchmark.is_together, Progress())
    measurement.measure(rounds)
    if benchmark.varies:
        measurement.measure_again(rounds)
    print("\n".join(report.lines(comparison, commit.short)))
    for workload, message in measurement.failures.items():
        print(f"{commit.short} fails in {workload}: {message}")
    if not comparison.compared:
        raise Refused(f"nothing to compare: no row has figures of both this tree and {commit.short}")
    if arguments.json:
        report.write(arguments.json, comparison, measurement.failures, benchmark=arguments.benchmark,
                     commit=commit.hash, tree=working_tree(ROOT), rounds=rounds)
    print(report.summary(comparison))
    return 1 if comparison.of("worse") else 0


def run():
    # A signal from another program exits normally, so that all that was started is stopped.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda received, _: sys.exit(128 + received))
    # Debian installs nginx in a folder that is only on root's path.
    os.environ["PATH"] += ":/usr/sbin"
    try:
        return main()
    except KeyboardInterrupt:
        return 130
    except (Refused, BadTable, UnknownUnit, OSError) as error:
        print(f"bench: {error}", file=sys.stderr)
    except Exception:
        # The exit code 1 would mean that a row is worse.
        traceback.print_exc()
    return 2


if __name__ == "__main__":
    sys.exit(run())
