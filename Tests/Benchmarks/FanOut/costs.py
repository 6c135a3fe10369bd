"""The cost of a channel, a member and a join to the broker and a server: memory, and commands."""
import contextlib
import time

from client import Client
from loads import SIZE
from SocketServer.servers import Failed

PREFIX = "swift-net:"


class Costs:
    """Collects figures as (server, name, value, unit)."""

    def __init__(self, programs, topics):
        self.programs = programs
        #: The number of channels and members from which the memory of one is determined.
        self.topics = topics
        self.rows = []

    def add(self, server, name, value, unit):
        self.rows.append((server, name, value, unit))

    def measure(self):
        self.kept()
        self.commands()
        self.members()
        for engine in ("redis", "memory"):
            self.subscribed(engine)
        return self.rows

    @contextlib.contextmanager
    def started(self, engine="redis"):
        """Starts a server and, for Redis, a broker; yields the process, the broker or None, and a client."""
        with contextlib.ExitStack() as stack:
            broker = stack.enter_context(self.programs.broker()) if engine == "redis" else None
            process, (port,) = stack.enter_context(self.programs.server(broker.url if broker else "memory", 1))
            yield process, broker, stack.enter_context(contextlib.closing(Client(port)))

    # The broker

    def kept(self):
        """The memory of a history of 100 messages, and of as many message IDs as are remembered."""
        with self.started() as (_, broker, client):
            client.join("room")
            client.call("trigger", {"size": SIZE, "batch": 100})
            keys = {"history": "s", "ids": "i", "state": "m"}
            for name, key in keys.items():
                self.add("redis", f"{name}-100", broker.size(f"{PREFIX}room:{key}"), f"bytes of {PREFIX}room:{key}")
            client.call("trigger", {"size": SIZE, "batch": 2000})
            if broker.call("XLEN", f"{PREFIX}room:s") != 100:
                raise Failed("the history doesn't have 100 messages")
            for name, key in keys.items():
                self.add("redis", f"{name}-2000", broker.size(f"{PREFIX}room:{key}"), f"bytes of {PREFIX}room:{key}")

    def commands(self):
        """The commands of joins and pushes, which run scripts; commands within scripts are counted separately."""
        steps = [("join-first", lambda client: client.join("room")), ("join-next", lambda client: client.join("room:1")),
                 ("join-shown", lambda client: client.join("lounge", name="member-1")),
                 ("push", lambda client: client.call("trigger", {"size": SIZE, "batch": 1}))]
        with self.started() as (_, broker, client):
            first = Client(client.port)
            with contextlib.closing(first):
                # The second channel already has a member.
                first.join("room:1")
                for name, step in steps:
                    before = broker.counts()
                    step(client)
                    self.count(name, before, broker.counts())

    def count(self, name, before, after):
        asked, inner = 0, 0
        words = []
        for command, count in sorted(after.items()):
            more = count - before.get(command, 0)
            # Skips commands that haven't run in between.
            if more <= 0:
                continue
            if command in ("evalsha", "subscribe"):
                asked += more
                words.insert(0, f"{command} {more}")
            else:
                inner += more
                words.append(f"{command} {more}")
        self.add("redis", f"{name}-commands", asked, "commands")
        self.add("redis", f"{name}-inner", inner, f"of their scripts ({', '.join(words)})")

    def members(self):
        with self.started() as (_, broker, client), contextlib.ExitStack() as stack:
            count = min(self.topics, 200)
            clients = [stack.enter_context(contextlib.closing(Client(client.port))) for _ in range(count)]
            for number, guest in enumerate(clients):
                guest.join("lounge", name=f"name-{number:03}")
            self.add("redis", "member", broker.size(f"{PREFIX}lounge:p") / count, f"bytes for each of {count} members")

    # Both

    def subscribed(self, engine):
        """The memory of channels with a history, without pushes, and with one member each."""
        with self.started(engine) as (process, broker, client):
            for number in range(64):
                client.join(f"room:warm-{number}")
            before, stored = resident(process.pid), broker.memory() if broker else 0
            for number in range(self.topics):
                client.join(f"room:{number:06}")
            # By then, the temporary memory of the joins is freed.
            time.sleep(1)
            if broker:
                self.add(engine, "topic", (broker.memory() - stored) / self.topics, "bytes of the broker for each channel")
                self.add(engine, "topic-state", broker.size(f"{PREFIX}room:000000:m"), f"bytes of {PREFIX}room:000000:m")
            self.add(engine, "topic-server", (resident(process.pid) - before) / self.topics,
                     "bytes of the server for each channel")


def resident(pid):
    with open(f"/proc/{pid}/status") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmRSS:"))
