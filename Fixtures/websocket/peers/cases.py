"""The cases of a client that connects to our end: each prints a line of JSON, `{"case": …, "problem": …}`, and the last line
is `done`. The first argument of a script is the port of our end, which also accepts the requests of `Control`.

With `--server=PORT`, that port is a whole server of ours, and the first port accepts only the requests of `Control`. Clients then
connect to the server through a relay, which can cut them off.
"""
import asyncio
import json
import os
import socket
import sys
import threading
import time
import urllib.request

_CONTROL_PORT = int(sys.argv[1])
_SERVER = next((argument.split("=")[1] for argument in sys.argv if argument.startswith("--server=")), None)
#: True if a whole server is tested, and not only its wire protocol.
ON_SERVER = _SERVER is not None
#: The limit of a case, and of a wait within one, in seconds.
CASE_LIMIT = 15
WAIT_LIMIT = 5

_cases = []


class Relay:
    """Relays bytes between clients and the server."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.target = int(_SERVER)
        self.is_open = True
        #: Both ends of each open connection, the newest last.
        self.open = []

    async def start(self):
        await asyncio.start_server(self._connected, sock=self.listener)

    async def _connected(self, reader, writer):
        if not self.is_open:
            writer.transport.abort()
            return
        try:
            above, below = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return
        ends = (writer, below)
        self.open.append(ends)
        await asyncio.gather(self._pass(reader, below), self._pass(above, writer))
        self.open.remove(ends)

    @staticmethod
    async def _pass(reader, writer):
        try:
            while data := await reader.read(1 << 16):
                writer.write(data)
                await writer.drain()
            writer.write_eof()
        except (OSError, RuntimeError):
            writer.transport.abort()

    def cut(self):
        for writer in self.open[-1] if self.open else ():
            writer.transport.abort()


_relay = Relay() if ON_SERVER else None
PORT = _relay.port if _relay else _CONTROL_PORT


def case(name, wire_only=False):
    """Makes a function without arguments a case.

    wire_only: our end must send something that a whole server sends at its own times, or never.
    """
    def add(function):
        if not (wire_only and ON_SERVER):
            _cases.append((name, function))
        return function
    return add


def server_case(name):
    """Like `case`, for cases that need a whole server."""
    return case(name) if ON_SERVER else lambda function: function


async def _run():
    if _relay:
        await _relay.start()
    for name, function in _cases:
        problem = None
        try:
            await asyncio.wait_for(function(), CASE_LIMIT)
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
        print(json.dumps({"case": name, "problem": problem}), flush=True)
    print("done", flush=True)


def run():
    """Runs all cases; also ends when the standard input does."""
    threading.Thread(target=lambda: (os.read(0, 1), os._exit(1)), daemon=True).start()
    asyncio.run(_run())
    # Not by `sys.exit`: a client that hangs would keep the process.
    sys.stdout.flush()
    os._exit(0)


async def until(condition, what="it"):
    """Waits until a condition holds."""
    end = time.monotonic() + WAIT_LIMIT
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"{what} didn't happen")
        await asyncio.sleep(0.01)


def equal(found, wanted):
    if found != wanted:
        raise AssertionError(f"found {found!r} instead of {wanted!r}")


class Control:
    """Controls our end through HTTP requests, besides its WebSocket."""

    def __init__(self, name):
        self.name = name
        #: The number of lines that our end received and that were waited for or ignored.
        self.seen = 0

    async def _call(self, path, data=None):
        def call():
            with urllib.request.urlopen(f"http://127.0.0.1:{_CONTROL_PORT}/{self.name}/{path}", data, timeout=WAIT_LIMIT) as answer:
                return answer.read()
        return await asyncio.to_thread(call)

    async def all_heard(self):
        return json.loads(await self._call("heard"))

    async def forget(self):
        """Ignores everything that our end has received so far."""
        self.seen = len(await self.all_heard())

    async def heard(self, beginning):
        """Waits until our end has received a new line that begins with `beginning`, and returns the line."""
        end = time.monotonic() + WAIT_LIMIT
        while True:
            lines = await self.all_heard()
            for number, line in enumerate(lines[self.seen:], self.seen):
                if line.startswith(beginning):
                    self.seen = number + 1
                    return line
            if time.monotonic() > end:
                raise TimeoutError(f"our end hasn't received {beginning!r}, but {lines[self.seen:]}")
            await asyncio.sleep(0.02)

    async def say(self, kind, **members):
        """Makes our end send something by itself."""
        await self._call("say", json.dumps({"kind": kind, **members}).encode())

    async def cut(self, stays=False):
        """Ends the newest connection without a closing handshake. If `stays`, clients can't connect again until `restore`."""
        if _relay:
            _relay.is_open = not stays
            _relay.cut()
        else:
            await self._call("cut", b"")

    def restore(self):
        """Lets clients connect again."""
        _relay.is_open = True

    async def restart(self):
        """Ends the server, and starts another one without its state."""
        _relay.target = int(await self._call("restart", b""))

    async def close(self, code):
        await self._call(f"close?code={code}", b"")
