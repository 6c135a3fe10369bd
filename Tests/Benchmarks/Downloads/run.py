#!/usr/bin/env python3
"""Measures net-get beside curl, aria2 and programs in C. Called by scripts/bench.d/downloads, which builds the programs."""
import json
import os
import statistics
import sys
import tempfile
from collections import namedtuple
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
from clients import Aria2, Cost, Curl, Failed, Ours, cost, openssl_digest  # noqa: E402
from command import Command, Progress  # noqa: E402
from server import SMALL_FILES, Server, TusSink, small_size  # noqa: E402

COMMAND = Command("downloads", seconds=1)
MEGABYTE = 1_000_000
#: The programs that net-get is compared with.
PEERS = ("curl", "aria2", "c", "c-flush")
#: One figure: its name, its unit, the median of each program, the bar as a text, and whether it is kept.
Figure = namedtuple("Figure", "name unit values must holds")
Workload = namedtuple("Workload", "name measure")


def within(values, factor, peer):
    """True if our figure is at most a multiple of the peer's, or if the peer wasn't measured."""
    return peer not in values or values["ours"] <= factor * values[peer]


class Bench:
    def __init__(self, programs, server, folder, rounds, is_quick, only_ours=False):
        self.ours, self.curl, self.aria2 = Ours(programs), Curl(), Aria2()
        self.flush = f"{programs}/bench-download-flush"
        self.server, self.folder, self.rounds, self.is_quick = server, folder, rounds, is_quick
        self.progress = Progress()
        self.large = "large"
        self.only_ours = only_ours

    def turns(self, name, commands, expected):
        """The median cost of each command; the commands run alternately."""
        runs = {client: [] for client in commands if not self.only_ours or client not in PEERS}
        for number in range(self.rounds):
            for client in runs:
                self.progress.show(f"{name}: {client}, round {number + 1} of {self.rounds}")
                runs[client].append(cost(commands[client], f"{self.folder}/out", expected.get(client, {})))
        self.progress.clear()
        return {client: Cost(*(statistics.median(getattr(each, part) for each in costs) for part in ("wall", "cpu", "peak")))
                for client, costs in runs.items()}

    # One large file

    def one_large(self, name, base):
        url, size = f"{base}/{self.large}", self.server.sizes[self.large]
        expected = {self.large: size}
        got = self.turns(name, {
            "ours": self.ours.one(url, self.server), "curl": self.curl.one(url, self.server),
            "aria2": self.aria2.one(url, self.server)}, {client: expected for client in ("ours", "curl", "aria2")})
        cpu = {client: each.cpu for client, each in got.items()}
        yield Figure(name, "s-cpu", cpu, "<= 1.2 of curl", within(cpu, 1.2, "curl"))
        yield Figure(f"{name}-wall", "s", {client: each.wall for client, each in got.items()}, "", True)

    def plain(self):
        return self.one_large("large-plain", self.server.plain)

    def tls(self):
        return self.one_large("large-tls", self.server.tls)

    def memory(self):
        names = ["tiny", "64m", self.large]
        got = self.turns("memory", {
            name: self.ours.one(f"{self.server.plain}/{name}", self.server) for name in names},
            {name: {name: self.server.sizes[name]} for name in names})
        peak = {name: got[name].peak / MEGABYTE for name in names}
        above = {"ours": peak["64m"] - peak["tiny"]}
        yield Figure("memory-64m", "MB over idle", above, "<= 8", above["ours"] <= 8)
        above = {"ours": peak[self.large] - peak["tiny"]}
        yield Figure("memory-large", "MB over idle", above, "<= 8, flat", above["ours"] <= 8)

    # Uploads

    def upload_large(self, name, base):
        path, size = f"{self.server.folder}/files/{self.large}", self.server.sizes[self.large]
        url = f"{base}/taken/{self.large}"
        got = self.turns(name, {"ours": self.ours.upload(path, url, self.server, "--protocol", "plain"),
                                "curl": self.curl.upload(path, url, self.server)}, {})
        if os.path.getsize(f"{self.server.folder}/taken/{self.large}") != size:
            raise Failed("nginx didn't receive the whole file")
        cpu = {client: each.cpu for client, each in got.items()}
        yield Figure(name, "s-cpu", cpu, "<= 1.2 of curl", within(cpu, 1.2, "curl"))
        yield Figure(f"{name}-wall", "s", {client: each.wall for client, each in got.items()}, "", True)

    def upload_plain(self):
        return self.upload_large("upload-plain", self.server.plain)

    def upload_tls(self):
        return self.upload_large("upload-tls", self.server.tls)

    def upload_tus(self):
        path = f"{self.server.folder}/files/{self.large}"
        with TusSink() as sink:
            got = self.turns("upload-tus", {"ours": self.ours.upload(path, sink.url, self.server),
                                            "curl": self.curl.upload(path, f"{sink.url}any", self.server)}, {})
        cpu = {client: each.cpu for client, each in got.items()}
        yield Figure("upload-tus", "s-cpu", cpu, "<= 1.2 of curl", within(cpu, 1.2, "curl"))

    def upload_memory(self):
        names = ["tiny", "64m", self.large]
        got = self.turns("upload-memory", {
            name: self.ours.upload(f"{self.server.folder}/files/{name}", f"{self.server.plain}/taken/{name}", self.server,
                                   "--protocol", "plain") for name in names}, {})
        peak = {name: got[name].peak / MEGABYTE for name in names}
        for name in names[1:]:
            above = {"ours": peak[name] - peak["tiny"]}
            yield Figure(f"upload-memory-{name}", "MB over idle", above, "<= 8, flat", above["ours"] <= 8)

    # Many small files

    def small(self):
        urls = [f"{self.server.plain}/small/{number}" for number in range(SMALL_FILES)]
        sizes = {str(number): small_size(self.server.SEED, number) for number in range(SMALL_FILES)}
        floor = [self.flush, f"{self.folder}/out", str(SMALL_FILES), str(self.server.SEED)]
        clients = {
            "ours": self.ours.many(urls, self.folder, "--no-flush"), "ours-flush": self.ours.many(urls, self.folder),
            "curl": self.curl.many(urls, self.folder), "aria2": self.aria2.many(urls, self.folder),
            "c": floor + ["0"], "c-flush": floor + ["1"]}
        got = self.turns("small", clients, {client: sizes for client in clients})
        cpu = {client: got[client].cpu for client in ("ours", "curl", "aria2", "c") if client in got}
        yield Figure("small-1000", "s-cpu", cpu, "<= 2 of curl", within(cpu, 2, "curl"))
        wall = {client: got[client].wall for client in ("ours", "curl", "aria2", "c") if client in got}
        yield Figure("small-1000-wall", "s", wall, "<= aria2", within(wall, 1, "aria2"))
        wall = {client: got[f"{client}-flush"].wall for client in ("ours", "c") if f"{client}-flush" in got}
        yield Figure("small-1000-flushed", "s", wall, "<= 1.2 of c", within(wall, 1.2, "c"))

    # Speed

    def ranges(self):
        wide, narrow = "ranges", "64m"
        base = f"{self.server.plain}/slow"
        eight = ["-x8", "-s8", "-k1M"]
        clients = {"ours": self.ours.one(f"{base}/{wide}", self.server, "--parallel", "8"),
                   "aria2": self.aria2.one(f"{base}/{wide}", self.server, *eight)}
        got = self.turns("ranges", clients, {client: {wide: self.server.sizes[wide]} for client in clients})
        speed = {client: self.server.sizes[wide] / MEGABYTE / each.wall for client, each in got.items()}
        one = self.turns("ranges", {"ours": self.ours.one(f"{base}/{narrow}", self.server)}, {})["ours"]
        single = self.server.sizes[narrow] / MEGABYTE / one.wall
        yield Figure("ranges-8", "MB/s", speed, ">= 0.95 of aria2", "aria2" not in speed or speed["ours"] >= 0.95 * speed["aria2"])
        yield Figure("ranges-8-of-1", "times", {"ours": speed["ours"] / single}, ">= 7", speed["ours"] >= 7 * single)

    def limit(self):
        size = self.server.sizes["64m"]
        seconds = 2 if self.is_quick else 10
        url = f"{self.server.plain}/64m"
        rate = str(size // seconds)
        clients = {"ours": self.ours.one(url, self.server, "--limit-rate", rate),
                   "curl": self.curl.one(url, self.server, "--limit-rate", rate)}
        got = self.turns("limit", clients, {client: {"64m": size} for client in clients})
        off = {client: abs(each.wall / seconds - 1) * 100 for client, each in got.items()}
        yield Figure("limit", "% off", off, "<= 5", off["ours"] <= 5)

    def digest(self):
        url = f"{self.server.plain}/{self.large}"
        taken = [openssl_digest(f"{self.server.folder}/files/{self.large}") for _ in range(self.rounds)]
        openssl = statistics.median(each[0] for each in taken)
        clients = {"with": self.ours.one(url, self.server, "--checksum", f"sha-256={taken[0][1]}"),
                   "without": self.ours.one(url, self.server)}
        got = self.turns("digest", clients, {})
        added = got["with"].cpu - got["without"].cpu
        yield Figure("sha-256", "s-cpu", {"ours": added, "openssl": openssl}, "<= 1.1 of openssl", added <= 1.1 * openssl)


WORKLOADS = [
    Workload("large-plain", Bench.plain), Workload("large-tls", Bench.tls), Workload("memory", Bench.memory),
    Workload("small-1000", Bench.small), Workload("ranges-8", Bench.ranges), Workload("limit", Bench.limit),
    Workload("sha-256", Bench.digest), Workload("upload-plain", Bench.upload_plain), Workload("upload-tls", Bench.upload_tls),
    Workload("upload-tus", Bench.upload_tus), Workload("upload-memory", Bench.upload_memory),
]


def line(figure):
    values = ", ".join(f"{client} {value:.3g}" for client, value in figure.values.items())
    verdict = "" if not figure.must else f"  {'yes' if figure.holds else 'NO'}: {figure.must}"
    return f"{figure.name:<20} {figure.unit:<12} {values}{verdict}"


def main():
    arguments = COMMAND.read_arguments()
    chosen = COMMAND.choose(arguments.only, WORKLOADS)
    large = 100 * MEGABYTE if arguments.quick else 1000 * MEGABYTE
    sizes = {"tiny": 1, "64m": (16 if arguments.quick else 64) * MEGABYTE, "large": large,
             "ranges": (64 if arguments.quick else 256) * MEGABYTE}
    entries = []
    with tempfile.TemporaryDirectory(prefix="bench-downloads-", dir=os.environ.get("NET_BENCH_FOLDER")) as folder:
        os.makedirs(f"{folder}/site")
        with Server(f"{folder}/site", sizes) as server:
            bench = Bench(arguments.programs, server, folder, arguments.rounds, arguments.quick, arguments.ours)
            print(f"medians of {arguments.rounds} rounds, run alternately; load before the build {arguments.load}")
            for workload in chosen:
                for figure in workload.measure(bench):
                    print(line(figure), flush=True)
                    entries.append({"figure": figure.name, "unit": figure.unit, "must": figure.must, "holds": figure.holds,
                                    **{client: round(value, 4) for client, value in figure.values.items()}})
    if arguments.json:
        Path(arguments.json).write_text(json.dumps({"rounds": arguments.rounds, "figures": entries}, indent=1) + "\n")


COMMAND.run(main, Failed, OSError)
