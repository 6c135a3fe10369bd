"""What is measured, on which servers, and the bars of it."""
from dataclasses import dataclass

OURS = ("ours-loop", "ours-executor", "ours-pool")
#: Of 64 bytes.
TEXT = "The quick brown fox jumps over the lazy dog, and then once more."
#: What our servers read as a command: two small fields, and the envelope of the default wire protocol.
COMMAND = '{"event":"chat.send","requestId":"1234567","payload":{"id":123456,"text":"Hello, how are you?"}}'
REPLY = '"id":123456'
#: How a connection of ours comes to receive the pushes of a channel, and what makes the server push.
JOIN = '{"event":"channel.join","requestId":"1","payload":{"topic":"room"}}'
TRIGGER = '{{"event":"trigger","payload":{{"size":{size},"batch":{batch}}}}}'


@dataclass(frozen=True)
class Bar:
    """What a figure of ours may be at most: so many times another's of the same round, and so much more; or at least."""
    server: str
    factor: float
    #: A server of the same workload, or (workload, server); the sum of several.
    others: tuple = ()
    more: float = 0
    is_least: bool = False
    figure: str = "cpu"


@dataclass(frozen=True)
class Workload:
    """One load, as bench-socket-server-load knows it."""
    name: str
    kind: str = ""
    servers: tuple = ()
    #: The figures of a run, with their units; the first is the one that the table shows for every server.
    figures: tuple = (("cpu", "us-cpu/message"), ("rate", "messages/s"))
    bars: tuple = ()
    #: For ours, where they read and send something else.
    path: str = "/raw"
    message: str = TEXT
    expected: str = TEXT
    hello: str = ""
    batch: int = 0
    size: int = 128
    connections: int = 1000
    quick_connections: int = 0
    #: Instead of a server under load: a program that prints a line of its own.
    program: tuple = ()
    #: The most rounds that are worth their time.
    rounds: int = 1000
    #: How many times the seconds of another.
    longer: float = 1
    is_quick: bool = False
    #: For `scripts/bench growth`: runs only if it's named.
    is_extra: bool = False

    def words(self, server):
        """The arguments of the load."""
        is_ours = server in OURS
        words = {"connections": (self.quick_connections or self.connections) if self.is_quick else self.connections,
                 "path": self.path if is_ours else "/room"}
        words["warm-up"] = 20 if self.is_quick else 100
        words["message"] = self.message if is_ours else TEXT
        # SwiftNIO that knows no frames sends them back with their mask.
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
#: What one core could do: the rate falls with what else the machine does, this doesn't.
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
    # Connections that are open and quiet, after a hundred messages each way.
    Workload("idle", "idle", servers=(*OURS, "c", "nio-loop", "nio-channel", "python", "uws"), connections=10_000,
             quick_connections=2000, figures=(("memory", "KB/connection"),), rounds=1,
             bars=tuple(Bar(server, 1, more=9, figure="memory") for server in OURS)),
    # Messages of 128 bytes to 1,000 connections: one at a time, and eight in one go.
    Workload("broadcast-1", "broadcast", servers=BROADCASTERS, batch=1, figures=DELIVERIES, **ROOM, bars=(
        Bar("ours-loop", 0.9, ("nio-loop",)), Bar("ours-loop", 1.15, ("nio-shared",)))),
    Workload("broadcast-8", "broadcast", servers=BROADCASTERS, batch=8, figures=DELIVERIES, **ROOM, bars=(
        Bar("ours-loop", 0.3, (("broadcast-1", "nio-shared"),)),)),
    # The same in messages of 4 KiB, while one of the connections does not read: what the others keep of their rate, how much
    # the server's memory grows, and how much there was to keep for that connection.
    Workload("asleep", "asleep", servers=("ours-loop", "nio-shared"), batch=8, size=4096, **ROOM, longer=3,
             figures=(("kept", "of the rate"), ("memory", "MiB more"), ("unread", "MiB unread")), bars=(
                 Bar("ours-loop", 1, more=0.9, is_least=True, figure="kept"),
                 Bar("ours-loop", 1, more=4, figure="memory"))),
    # How the cost of a message grows with the connections.
    *(Workload(f"growth-echo-{number}", "echo", servers=("ours-loop", "nio-loop", "c"), connections=number, is_extra=True)
      for number in (1, 10, 100, 1000, 10_000)),
    *(Workload(f"growth-broadcast-{number}", "broadcast", servers=("ours-loop", "nio-shared", "c"), batch=1, figures=DELIVERIES,
               connections=number, is_extra=True, **ROOM) for number in (10, 100, 1000, 10_000)),
]
