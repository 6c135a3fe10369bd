"""The cases of a client that talks to our end: each prints a line of JSON, `{"case": …, "problem": …}`, and the last line
is `done`. The first argument of a script is the port of the server.
"""
import asyncio
import json
import os
import sys
import threading
import time
import urllib.request

PORT = int(sys.argv[1])
#: The limit of a case, and of a wait within one, in seconds.
CASE_LIMIT = 15
WAIT_LIMIT = 5

_cases = []


def case(name):
    """Makes a function without arguments a case."""
    def add(function):
        _cases.append((name, function))
        return function
    return add


async def _run():
    for name, function in _cases:
        problem = None
        try:
            await asyncio.wait_for(function(), CASE_LIMIT)
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
        print(json.dumps({"case": name, "problem": problem}), flush=True)
    print("done", flush=True)


def run():
    """Runs all cases; ends with the standard input, too."""
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
            raise TimeoutError(f"{what} did not happen")
        await asyncio.sleep(0.01)


def equal(found, wanted):
    if found != wanted:
        raise AssertionError(f"found {found!r} instead of {wanted!r}")


class Control:
    """What our end can be asked beside its WebSocket."""

    def __init__(self, name):
        self.name = name
        #: How much of what was heard has been waited for.
        self.seen = 0

    async def _call(self, path, data=None):
        def call():
            with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/{self.name}/{path}", data, timeout=WAIT_LIMIT) as answer:
                return answer.read()
        return await asyncio.to_thread(call)

    async def all_heard(self):
        return json.loads(await self._call("heard"))

    async def forget(self):
        """Leaves what was heard so far out of what follows."""
        self.seen = len(await self.all_heard())

    async def heard(self, beginning):
        """Waits until our end has heard something new that begins so, and returns it."""
        end = time.monotonic() + WAIT_LIMIT
        while True:
            lines = await self.all_heard()
            for number, line in enumerate(lines[self.seen:], self.seen):
                if line.startswith(beginning):
                    self.seen = number + 1
                    return line
            if time.monotonic() > end:
                raise TimeoutError(f"our end has not heard {beginning!r}, but {lines[self.seen:]}")
            await asyncio.sleep(0.02)

    async def say(self, kind, **members):
        """Makes our end say something by itself."""
        await self._call("say", json.dumps({"kind": kind, **members}).encode())

    async def cut(self):
        """Makes our end drop the newest connection."""
        await self._call("cut", b"")

    async def close(self, code):
        await self._call(f"close?code={code}", b"")
