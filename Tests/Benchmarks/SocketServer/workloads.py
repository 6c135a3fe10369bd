"""The workloads, their servers and their bars."""
from dataclasses import dataclass

OURS = ("ours-loop", "ours-executor", "ours-pool")
#: A text of 64 bytes.
TEXT = "The quick brown fox jumps over the lazy dog, and then once more."
#: A command for our servers: two small fields in the envelope of the default wire protocol.
COMMAND = '{"event":"chat.send","requestId":"1234567","payload":{"id":123456,"text":"Hello, how are you?"}}'
REPLY = '"id":123456'
#: The command with which a connection of ours joins a channel, and the one that makes the server push.
JOIN = '{"event":"channel.join","requestId":"1","payload":{"topic":"room"}}'
TRIGGER = '{{"event":"trigger","payload":{{"size":{size},"batch":{batch}}}}}'


@dataclass(frozen=True)
class Bar:
    """The maximum of a figure of ours, or its minimum: `factor` times that of others in the same round, plus `more`."""
    server: str
    factor: float
    #: Servers of the same workload, or (workload, server); their figures are added.
    others: tuple = ()
    more: float = 0
    is_least: bool = False
    figure: str = "cpu"


@dataclass(frozen=True)
class Workload:
    """One load of bench-socket-server-load."""
    name: str
    kind: str = ""
    servers: tuple = ()
    #: The figures of a run, with their units; the first is the most important one.
    figures: tuple = (("cpu", "us-cpu/message"), ("rate", "messages/s"))
    bars: tuple = ()
    #: The path and the texts for our servers.
    path: str = "/raw"
    message: str = TEXT
    expected: str = TEXT
    hello: str = ""
    batch: int = 0
    size: int = 128
    connections: int = 1000
    quick_connections: int = 0
    #: A program that prints the figures itself, instead of a server under load.
    program: tuple = ()
    #: The maximum number of rounds.
    rounds: int = 1000
    #: The duration as a multiple of the usual one.
    longer: float = 1
    is_quick: bool = False
    #: For `scripts/bench growth`: runs only if it's named.
    is_extra: bool = False

    def words(self, server):
        """The arguments of bench-socket-server-load."""
        is_ours = server in OURS
        words = {"connections": (self.quick_connections or self.connections) if self.is_quick else self.connections,
                 "path": self.path if is_ours else "/room"}
        words["warm-up"] = 20 if self.is_quick else 100
        words["message"] = self.message if is_ours else TEXT
        # SwiftNIO that doesn't read frames sends them back with their mask.
        if server != "nio-raw":
            words["expected"] = self.expected if is_ours else TEXT
        if is_ours and self.hello:
            words["hello"] = self.hello
        if self.batch:
            sizes = {"size": self.size, "batch": self.batch}
            words |= sizes
            words["trigger"] = TRIGGER.format(**sizes) if is_ours else f"B {self.size} {self.batch}"
        return [f"{name}={value}" for name, value in words.items()]


def reading(result):
    """The figures in the line of a run."""
    messages = result["messages"]
    figures = {}
    if "cpuSeconds" in result:
        figures["cpu"] = result["cpuSeconds"] * 1e6 / messages
        figures["rate"] = messages / result["seconds"]
        figures["capacity"] = messages / result["cpuSeconds"]
        figures["busy"] = result["cpuSeconds"] / result["seconds"]
    if "ratio" in result:
        figures |= {"kept": result["ratio"], "memory": result["bytes"] / 2**20, "unread": result["unread"] / 2**20}
    elif "bytes" in result:
        figures["memory"] = result["bytes"] / messages / 1000
    return figures


ROOM = {"path": "/json", "message": COMMAND, "expected": REPLY, "hello": JOIN}
#: The capacity of one core, which, unlike the rate, doesn't depend on the other load of the machine.
ACCEPTS = (("capacity", "connections/s-cpu"), ("rate", "connections/s"))
DELIVERIES = (("cpu", "us-cpu/delivery"), ("rate", "deliveries/s"))
BROADCASTERS = ("ours-loop", "c", "nio-loop", "nio-shared", "python", "uws")

WORKLOADS = [
    # A text of 64 bytes there and back, one in flight on each of 1,000 connections.
    Workload("echo-64", "echo", servers=(*OURS, "c", "nio-raw", "nio-loop", "nio-channel", "python", "uws"), bars=(
        Bar("ours-loop", 1.0, ("nio-loop",)),
        Bar("ours-executor", 1.1, ("nio-loop",)),
        Bar("ours-pool", 0.8, ("nio-channel",)))),
    # A typed command and its reply in the default wire protocol, and its types through JSON without a server.
    Workload("coding", program=("bench-socket-server-ours", "coding"), servers=("ours-loop",)),
    Workload("command", "echo", servers=("ours-executor", "ours-pool"), path="/json", message=COMMAND, expected=REPLY,
             bars=(Bar("ours-executor", 1, (("echo-64", "ours-executor"), ("coding", "ours-loop")), more=5),
                   Bar("ours-pool", 1, (("echo-64", "ours-pool"), ("coding", "ours-loop")), more=5))),
    # Connections that open, upgrade and close, 64 at a time.
    Workload("accept", "accept", servers=("ours-loop", "c", "nio-loop", "nio-channel", "python", "uws"), figures=ACCEPTS,
             bars=(Bar("ours-loop", 0.9, ("nio-loop",), is_least=True, figure="capacity"),)),
    # Open, idle connections, after a hundred messages each way.
    Workload("idle", "idle", servers=(*OURS, "c", "nio-loop", "nio-channel", "python", "uws"), connections=10_000,
             quick_connections=2000, figures=(("memory", "KB/connection"),), rounds=1,
             bars=tuple(Bar(server, 1, more=9, figure="memory") for server in OURS)),
    # Messages of 128 bytes to 1,000 connections: one at a time, and eight in one batch.
    Workload("broadcast-1", "broadcast", servers=BROADCASTERS, batch=1, figures=DELIVERIES, **ROOM, bars=(
        Bar("ours-loop", 0.9, ("nio-loop",)), Bar("ours-loop", 1.15, ("nio-shared",)))),
    Workload("broadcast-8", "broadcast", servers=BROADCASTERS, batch=8, figures=DELIVERIES, **ROOM, bars=(
        Bar("ours-loop", 0.3, (("broadcast-1", "nio-shared"),)),)),
    # The same with messages of 4 KiB, while one of the connections doesn't read: the share of their rate that the others keep,
    # the growth of the server's memory, and the number of bytes that this connection didn't read.
    Workload("asleep", "asleep", servers=("ours-loop", "nio-shared"), batch=8, size=4096, **ROOM, longer=3,
             figures=(("kept", "of the rate"), ("memory", "MiB more"), ("unread", "MiB unread")), bars=(
                 Bar("ours-loop", 1, more=0.9, is_least=True, figure="kept"),
                 Bar("ours-loop", 1, more=4, figure="memory"))),
    # The growth of the cost of a message with the number of connections.
    *(Workload(f"growth-echo-{number}", "echo", servers=("ours-loop", "nio-loop", "c"), connections=number, is_extra=True)
      for number in (1, 10, 100, 1000, 10_000)),
    *(Workload(f"growth-broadcast-{number}", "broadcast", servers=("ours-loop", "nio-shared", "c"), batch=1, figures=DELIVERIES,
               connections=number, is_extra=True, **ROOM) for number in (10, 100, 1000, 10_000)),
]
