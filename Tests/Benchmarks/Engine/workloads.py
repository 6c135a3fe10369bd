"""Scenarios, which are run, and workloads, which are reported."""
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Scenario:
    """A command line that every client runs."""
    name: str
    mode: str
    path: str
    concurrency: int = 1
    kind: str = "plain"
    #: True if the library also runs on the executor of its engine.
    has_executor: bool = False
    #: The maximum number of rounds: figures that hardly vary need few.
    rounds: int = 1000
    #: The minimum number of rounds.
    fewest: int = 1
    #: True if HTTP/2 is offered to a server that doesn't speak it.
    offers_http2: bool = False
    #: For `scripts/bench growth`: runs only if it's named.
    is_extra: bool = False

    @property
    def is_load(self):
        return self.mode in ("get", "post", "typed")

    @property
    def is_secure(self):
        return self.kind in ("tls", "http2")

    def arguments(self, server, seconds, mode=None):
        """The words after a client's name; `mode` replaces the scenario's."""
        words = [mode or self.mode, server.url(self.kind, self.path), "--concurrency", str(self.concurrency),
                 "--seconds", str(seconds)]
        if self.is_secure:
            words += ["--authorities", str(server.certificate)]
        if self.kind == "http2" or self.offers_http2:
            words += ["--http2"]
        if self.mode == "idle":
            words += ["--slow", server.url(self.kind, "slow")]
        return words


@dataclass(frozen=True)
class Workload:
    """One figure of a scenario."""
    name: str
    scenario: Scenario
    figure: str
    unit: str
    #: The client that represents the library.
    ours: str = "ours"
    #: The unit, short enough for the table.
    short_unit: str = field(default="")

    @property
    def is_extra(self):
        return self.scenario.is_extra


SCENARIOS = [
    Scenario("get-1k-c64", "get", "1k", 64, has_executor=True),
    Scenario("post-1k-c64", "post", "post", 64, has_executor=True),
    Scenario("get-1k-c1", "get", "1k", 1, has_executor=True),
    Scenario("get-1k-c256", "get", "1k", 256, has_executor=True),
    Scenario("get-64k-c64", "get", "64k", 64, has_executor=True),
    Scenario("typed-c64", "typed", "user", 64),
    Scenario("tls-h1-c64", "get", "1k", 64, "tls"),
    Scenario("tls-h2-64", "get", "1k", 64, "http2"),
    Scenario("post-tls-h2-64", "post", "read", 64, "http2"),
    Scenario("post-tls-h1-64", "post", "read", 64, "tls", offers_http2=True),
    Scenario("stream-plain", "download", "100m"),
    Scenario("stream-tls-h1", "download", "100m", kind="tls"),
    Scenario("stream-tls-h2", "download", "100m", kind="http2"),
    Scenario("stream-chunks", "download", "chunks", kind="chunks", rounds=3),
    Scenario("idle-plain", "idle", "1k", 1000, rounds=5),
    Scenario("idle-tls", "idle", "1k", 1000, "tls", rounds=5),
    Scenario("cold-start", "once", "1k", fewest=11, rounds=21),
    *(Scenario(f"growth-c{calls}", "get", "1k", calls, is_extra=True) for calls in (1, 4, 16, 64, 256, 1024)),
]


def workloads():
    """Every workload, in the order of the table."""
    result = []
    for scenario in SCENARIOS:
        name = scenario.name
        if scenario.is_load:
            request = ("cpu", "us-cpu/request")
            result.append(Workload(name, scenario, *request, short_unit="us-cpu/req"))
            if scenario.has_executor:
                result.append(Workload(name + "-executor", scenario, *request, "ours-executor", "us-cpu/req"))
            if scenario.mode == "typed":
                result.append(Workload(name + "-net", scenario, *request, "ours-net", "us-cpu/req"))
            if name == "get-1k-c1":
                result.append(Workload("get-1k-c1-p50", scenario, "p50", "us"))
        elif scenario.mode == "download":
            result.append(Workload(name, scenario, "cpu", "ms-cpu/100MB"))
        elif scenario.mode == "idle":
            result.append(Workload(name, scenario, "memory", "bytes/connection", short_unit="bytes/conn"))
        else:
            result.append(Workload(name, scenario, "cpu", "ms-cpu"))
    return result
