"""The benchmarks that can be compared with a commit: their drivers, our programs, and what else they need."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Program:
    """A program of this library. Both trees build it with the same flags."""
    name: str
    #: The folder of its package.
    package: str = "Tests/Benchmarks"
    #: The build folder, which `scripts/bench NAME` uses, too.
    scratch: str = ".build-bench"
    configuration: str = "release"
    flags: tuple = ()
    #: Its path in the build folder, by default its name.
    built: str = ""
    #: Its path in the folder of programs that the driver gets, by default its name.
    place: str = ""
    is_target: bool = False

    @property
    def key(self):
        return self.place or self.name

    def path(self, base):
        return base / self.scratch / self.configuration / (self.built or self.name)

    def arguments(self, tree, base):
        """The arguments of `swift` that build it."""
        return ["build", "-c", self.configuration, "--package-path", str(tree / self.package),
                "--scratch-path", str(base / self.scratch), "--target" if self.is_target else "--product", self.name, *self.flags]


@dataclass(frozen=True)
class Benchmark:
    #: The folder of the driver.
    driver: str = ""
    programs: tuple = ()
    #: Programs that create load or serve it. Both sides use those of the working tree.
    helpers: tuple = ()
    #: Commands of the system; of a tuple, one is enough.
    needs: tuple = ()
    #: True to measure all workloads in one run of the driver, because they share a preparation that takes long.
    is_together: bool = False
    #: True if the driver can keep what it has filled for its next run.
    has_keep: bool = False
    #: False for figures that are the same in every run.
    varies: bool = True
    #: The reason why it can't be compared with a commit.
    refusal: str = ""


NGINX = ("nginx", "openssl")
ENGINE = Program("bench-engine-ours")
LOAD = Program("bench-socket-server-load")

BENCHMARKS = {
    "engine": Benchmark("Engine", (ENGINE,), needs=NGINX),
    "middleware": Benchmark("Middleware", (ENGINE,), needs=NGINX, is_together=True),
    "cache": Benchmark("Cache", (Program("bench-cache"),), needs=NGINX, is_together=True, has_keep=True),
    "store": Benchmark("Store", (Program("bench-store-ours"), ENGINE), needs=NGINX, has_keep=True),
    "server": Benchmark("Server", (Program("bench-server-ours"),), needs=("wrk",), is_together=True),
    "socket": Benchmark("Socket", (Program("bench-socket-ours"), Program("bench-socket-session")),
                        (Program("bench-socket-server"),), NGINX),
    "socket-server": Benchmark("SocketServer", (Program("bench-socket-server-ours"),), (LOAD,), ("taskset",)),
    "fan-out": Benchmark("FanOut", (Program("bench-fan-out-ours"),), (LOAD,), ("taskset", ("redis-server", "valkey-server"))),
    "downloads": Benchmark("Downloads", (Program("net-get", package=".", scratch=".build-bench/net-get"),), needs=NGINX,
                           is_together=True),
    "generate": Benchmark("Generate", (
        Program("net-openapi-generate", package=".", scratch=".build-generate/ours", place="ours/release/net-openapi-generate"),
        Program("NetOpenAPIRuntime", package=".", scratch=".build-generate/ours-modules", configuration="debug", built="Modules",
                place="ours-modules/debug/Modules", is_target=True),
        Program("bench-parsers", scratch=".build-generate/parsers", place="parsers/release/bench-parsers"))),
    "size": Benchmark("Size", (Program("bench-size-ours", scratch=".build-size", flags=("--static-swift-stdlib",)),),
                      needs=("strip", "ldd"), is_together=True, varies=False),
    "growth": Benchmark(refusal="it runs engine, socket-server, store and the generator at several sizes, for curves and "
                                "their peers; compare `engine`, `socket-server`, `store` or `generate` instead"),
}
