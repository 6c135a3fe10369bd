"""The workloads and their bars."""
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from server import Server


@dataclass
class Settings:
    folder: Path
    rounds: int
    seconds: int
    #: The calls of a run, and the entries of the large store.
    calls: int
    entries: int
    #: True to measure no peers.
    only_ours: bool = False
    #: The folder of the large store, which may already have it.
    kept: Path = None

    def file(self, name):
        """The path of a database that doesn't exist yet."""
        for path in self.folder.glob(f"{name}.sqlite*"):
            path.unlink()
        return self.folder / f"{name}.sqlite"

    def large(self, programs):
        """The large store, which is created on first use and never changed."""
        folder = self.kept or self.folder
        file = folder / "large.sqlite"
        if not file.is_file():
            # Only a complete store gets this name.
            programs.ours("write", folder / "new.sqlite", self.entries)
            (folder / "new.sqlite").rename(file)
        return file


def write(programs, settings, report):
    """Our writer, C and GRDB, which alternately write the same rows to the same tables."""
    ours, floor, grdb, caller, sizes = [], [], [], [], []
    has_grdb = programs.has("bench-store-grdb") and not settings.only_ours
    if not has_grdb and not settings.only_ours:
        print("without GRDB: it isn't built", file=sys.stderr)
    for _ in range(settings.rounds):
        figures = programs.ours("write", settings.file("ours"), settings.calls)
        ours.append(figures["writer"])
        caller.append(figures["caller"])
        sizes.append(figures["bytes"])
        if not settings.only_ours:
            file = settings.file("c")
            programs.ours("make", file)
            floor.append(programs.run("bench-store-c", file, settings.calls)["writer"])
        if has_grdb:
            grdb.append(programs.run("bench-store-grdb", settings.file("grdb"), settings.calls)["writer"])
    report.compare("write", "the writer's CPU", "µs/call", ours, floor, "C", 1.5)
    if grdb:
        report.compare("write", "beside records of GRDB", "µs/call", ours, grdb, "GRDB", 1)
    report.add("write", "size of the file", "bytes/call", max(sizes), limit=450)
    report.add("write", "record(_:), three events", "µs/call", sorted(caller)[len(caller) // 2], limit=3)


def bodies(programs, settings, report):
    """Calls through a client, whose responses of 2 KB are stored; C compresses and hashes them, too, but redacts nothing."""
    ours, floor, sizes = [], [], []
    calls = settings.calls // 5
    for _ in range(settings.rounds):
        figures = programs.ours("bodies", settings.file("ours"), calls)
        ours.append(figures["writer"])
        sizes.append(figures["bytes"])
        if settings.only_ours:
            continue
        file = settings.file("c")
        programs.ours("make", file)
        floor.append(programs.run("bench-store-c", file, calls, "bodies")["writer"])
    report.compare("bodies", "the writer's CPU, bodies of 2 KB", "µs/call", ours, floor, "C")
    report.add("bodies", "size of the file, 5,000 different bodies", "bytes/call", max(sizes))


def call(programs, settings, report):
    """A client over a transport that responds without a network."""
    runs = [programs.ours("call", settings.file("call"), settings.calls // 2) for _ in range(settings.rounds)]
    middle = len(runs) // 2
    added = sorted(run["store"] - run["none"] for run in runs)[middle]
    deaf = sorted(run["deaf"] - run["none"] for run in runs)[middle]
    report.add("call", "without a listener", "µs/call", sorted(run["none"] for run in runs)[middle])
    report.add("call", "more with a store", "µs/call", added, limit=3)
    # The same client twice: the figure is noise.
    report.add("call", "more with a listener that wants nothing", "µs/call", deaf, limit=0.2)


def typed(programs, settings, report):
    """GETs of JSON from nginx, which are decoded, 64 at a time: the whole process, including the store's writer."""
    layers = {"client": [], "store": []}
    with Server() as server:
        for number in range(settings.rounds):
            for layer in layers if number % 2 == 0 else reversed(layers):
                layers[layer].append(programs.run(
                    "bench-engine-ours", "typed", server.url("plain", "user"), "--concurrency", 64, "--seconds", 1,
                    "--layer", layer)["cpu"])
    report.compare("typed", "typed-c64 with a store", "µs/call", layers["store"], layers["client"], "without", 2)


def ask(programs, settings, report):
    """Queries of the large store, most of which find nothing and so have to search everything. CPU time, since nothing waits."""
    figures = programs.ours("ask", settings.large(programs), min(3, settings.rounds))
    questions = figures["questions"]
    groups = {"open": ("opening", 50), "words": ("search for words", 200), "stats": ("statistics", 200),
              "list": ("list by one condition", 200), "pair": ("list by two, one met by at most 5 %", 200),
              "pass": ("whole pass of a stream", 2000)}
    for kind, (what, limit) in groups.items():
        times = {name: time for name, time in questions.items() if name.split()[0] == kind}
        slowest = max(times, key=times.get)
        report.add("ask", f"{what}, slowest of {len(times)}", "ms", times[slowest], limit=limit)
        print(f"  {slowest}: {times[slowest]:.1f} ms of CPU, {figures['clock'][slowest]:.1f} by the clock")
    report.add("ask", "memory that all questions add", "MiB", figures["growth"] / 2**20, limit=32)


def prune(programs, settings, report):
    """2,000 calls per second into the large store, alternately without and with the deletion of half of it."""
    flushes, slowest, dropped, deleted = {False: [], True: []}, {False: [], True: []}, 0, []
    large = settings.large(programs)
    for number in range(min(3, settings.rounds)):
        for is_pruned in (False, True) if number % 2 == 0 else (True, False):
            file = settings.file("load")
            shutil.copyfile(large, file)
            words = [settings.entries // 2] if is_pruned else []
            figures = programs.ours("load", file, settings.seconds, *words)
            times = sorted(figures["flushes"])
            flushes[is_pruned].append(times[len(times) // 2])
            slowest[is_pruned].append(times[int(len(times) * 0.99)])
            dropped += figures["dropped"]
            if is_pruned:
                deleted.append(figures["deleted"] / settings.seconds)
    report.compare("prune", "median of flush() while half is deleted", "ms", flushes[True], flushes[False], "without")
    report.compare("prune", "p99 of flush() while half is deleted", "ms", slowest[True], slowest[False], "without", 2)
    report.add("prune", "dropped", "events", float(dropped), limit=0)
    report.add("prune", "deleted", "calls/s", sorted(deleted)[len(deleted) // 2])


def tail(programs, settings, report):
    """One process commits 20 calls at a time, another follows; fails if a call is missing, duplicated or out of order."""
    calls = settings.calls // 2
    file = settings.file("tail")
    programs.ours("make", file)
    follower = programs.start("bench-store-ours", "follow", file, calls)
    committed = programs.ours("commit", file, calls)["moments"]
    figures = programs.end(follower)
    times = sorted((seen - known) / 1e6 for seen, known in zip(figures["moments"], committed))
    report.add("tail", f"median of {calls:,} calls, after the commit", "ms", times[len(times) // 2])
    report.add("tail", f"p99 of {calls:,} calls, after the commit", "ms", times[int(len(times) * 0.99)], limit=100)
    report.add("tail", "a tail that waits", "µs-cpu/s", figures["idle"], limit=500)


def growth(programs, settings, report):
    """The slowest list by one condition and by two, word search and statistics, in stores of growing size."""
    for entries in (1000, 10_000, 100_000, 1_000_000):
        file = settings.file("growth")
        programs.ours("write", file, entries)
        questions = programs.ours("ask", file, min(3, settings.rounds))["questions"]
        for kind, name in (("list", "list"), ("pair", "pair"), ("words", "words"), ("stats", "stats")):
            slowest = max(time for question, time in questions.items() if question.split()[0] == kind)
            report.add("growth", f"{name} {entries}", "ms", slowest)


@dataclass(frozen=True)
class Workload:
    name: str
    measure: Callable
    #: For `scripts/bench growth`: runs only if it's named.
    is_extra: bool = False


WORKLOADS = [*(Workload(each.__name__, each) for each in (write, bodies, call, typed, ask, prune, tail)),
             Workload("growth", growth, is_extra=True)]
