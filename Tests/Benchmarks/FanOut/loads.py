"""The loads, their servers and their bars."""
from dataclasses import dataclass

from SocketServer.workloads import Bar

#: The command with which a connection joins the channel, and one that checks that it works.
HELLO = '{"event":"channel.join","requestId":"1","payload":{"topic":"room"}}'
MESSAGE = '{"event":"say","requestId":"2","payload":{"text":"Hello, how are you?"}}'
EXPECTED = "Hello"
#: The bytes of a push's payload.
SIZE = 128
TRIGGER = f'{{"event":"trigger","payload":{{"size":{SIZE},"batch":1}}}}'


@dataclass(frozen=True)
class Setup:
    """Two servers, and the fan-out between them."""
    text: str
    processes: int = 2
    on_broker: bool = True
    flushes: bool = False
    #: The number of servers that each push is sent to.
    publishers: int = 1


SETUPS = {
    "redis": Setup("two processes, and a broker that keeps nothing on disk"),
    "redis-flush": Setup("the same, and each write is on disk before it is confirmed (appendfsync always)", flushes=True),
    "redis-one": Setup("both servers in one process, and a broker like that of the first", processes=1),
    "memory": Setup("MemoryFanOut: both servers in one process, whose engines share memory", processes=1, on_broker=False),
    "memory-two": Setup("two processes with a MemoryFanOut each that share nothing: every push is sent to both",
                        on_broker=False, publishers=2),
}


@dataclass(frozen=True)
class Load:
    """Pushes at a rate to the members of a channel, half of them on each server."""
    name: str
    connections: int = 0
    rate: int = 0
    servers: tuple = tuple(SETUPS)
    figures: tuple = ()
    bars: tuple = ()

    def words(self, setup):
        words = {"connections": self.connections, "rate": self.rate, "publishers": setup.publishers, "path": "/json",
                 "hello": HELLO, "message": MESSAGE, "expected": EXPECTED, "trigger": TRIGGER}
        return [f"{name}={value}" for name, value in words.items()]


def reading(result):
    """The figures in the line of a run."""
    deliveries, pushes = result["messages"], result["publishes"]
    return {"cpu": result["cpuSeconds"] * 1e6 / deliveries, "push": result["cpuSeconds"] * 1e6 / pushes,
            "broker": result["brokerSeconds"] * 1e6 / deliveries, "broker-push": result["brokerSeconds"] * 1e6 / pushes,
            "p50": result["p50"] * 1e3, "p99": result["p99"] * 1e3}


LATENCIES = (("p50", "ms p50"), ("p99", "ms p99"))
LOADS = [
    Load("thousand", connections=1000, rate=20, figures=(
        ("cpu", "us-cpu/delivery"), ("broker", "us-broker/delivery"), ("broker-push", "us-broker/push"), *LATENCIES),
         # Each beside the one that differs only in its engine, and the first also beside servers that share memory.
         bars=(Bar("redis", 1.2, ("memory-two",)), Bar("redis-one", 1.2, ("memory",)), Bar("redis", 1.2, ("memory",)))),
    # One member on each server: the cost of a push without that of many deliveries.
    Load("two", connections=2, rate=200,
         figures=(("push", "us-cpu/push"), ("broker-push", "us-broker/push"), *LATENCIES)),
    # The memory and the commands for a channel, a member and a join, in the broker and in the servers.
    Load("costs", servers=("redis", "memory")),
]
