#!/usr/bin/env python3
"""Measures the activity store beside C, GRDB and itself. Called by scripts/bench.d/store, which builds the programs."""
import os
import shutil
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
# After this folder, whose modules take precedence over others with the same names.
sys.path += [str(HERE.parent), str(HERE.parent / "Engine")]
from command import Command, Progress  # noqa: E402
from programs import Failed, Programs  # noqa: E402
from report import Report  # noqa: E402
from workloads import WORKLOADS, Settings  # noqa: E402

COMMAND = Command("store", seconds=8)


def main():
    arguments = COMMAND.read_arguments(
        ("--folder", "the folder for the databases; default: the folder of the programs"), COMMAND.KEEP)
    chosen = COMMAND.choose(arguments.only, WORKLOADS)
    programs, report, progress = Programs(arguments.programs), Report(), Progress()
    print(f"SQLite {programs.sqlite_version()}; GRDB 7.10.0; Linux {os.uname().release}, {os.cpu_count()} cores, "
          f"load average {arguments.load:.2f}")
    if arguments.load > 0.5:
        print("WARNING: the machine is busy; do not trust or quote these figures", flush=True)
    folder = Path(tempfile.mkdtemp(prefix="store-", dir=arguments.folder or arguments.programs))
    settings = Settings(
        folder=folder, rounds=arguments.rounds, seconds=int(max(1, arguments.seconds)),
        calls=20_000 if arguments.quick else 100_000, entries=50_000 if arguments.quick else 1_000_000,
        only_ours=arguments.ours, kept=Path(arguments.keep) if arguments.keep else None)
    failures = []
    try:
        for workload in chosen:
            progress.show(workload.name)
            try:
                workload.measure(programs, settings, report)
            except (Failed, ValueError, KeyError) as error:
                failures.append(f"{workload.name}: {error}")
            progress.clear()
            report.show(workload.name)
            sys.stdout.flush()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if arguments.json:
        report.write(arguments.json)
    for failure in failures:
        COMMAND.complain(failure)
    sys.exit(1 if failures else 0)


COMMAND.run(main, Failed, OSError)
