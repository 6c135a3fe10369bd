"""A client of the default wire protocol, based on the package websockets and written from docs/wire-protocol.md."""
import asyncio
import contextlib
import json

import websockets

from cases import PORT, equal, until


class Peer:
    """One connection: replies by their ID, and everything else in order."""

    def __init__(self, socket):
        self.socket = socket
        self.ids = 0
        self.waiting = {}
        #: Messages that aren't replies.
        self.others = []
        #: The numbers of the server's messages, in the order of arrival.
        self.numbers = []
        self.reader = asyncio.create_task(self._read())

    async def _read(self):
        with contextlib.suppress(websockets.ConnectionClosed):
            async for text in self.socket:
                message = json.loads(text)
                if "seq" in message:
                    self.numbers.append(message["seq"])
                reply = self.waiting.pop(message.get("requestId"), None)
                if reply is None:
                    self.others.append(message)
                else:
                    reply.set_result(message)

    async def send(self, event, **members):
        await self.socket.send(json.dumps({**members, "event": event}))

    async def ask(self, event, payload=None, **members):
        """Sends a command and returns its reply."""
        self.ids += 1
        name = str(self.ids)
        self.waiting[name] = reply = asyncio.get_running_loop().create_future()
        if payload is not None:
            members["payload"] = payload
        await self.send(event, requestId=name, **members)
        return await asyncio.wait_for(reply, 5)

    async def join(self, topic, payload=None, **members):
        return await self.ask("channel.join", {"topic": topic, **(payload or {})}, channel=topic, **members)

    async def leave(self, topic):
        return await self.ask("channel.leave", {"topic": topic}, channel=topic)

    def named(self, event):
        return [message for message in self.others if message["event"] == event]

    async def wait(self, event, count=1):
        await until(lambda: len(self.named(event)) >= count, event)
        return self.named(event)[count - 1]

    async def ended(self):
        """Waits until the connection has ended, and returns the code."""
        await asyncio.wait_for(self.socket.wait_closed(), 5)
        return self.socket.close_code


@contextlib.asynccontextmanager
async def connected(path="json?token=ada", **settings):
    async with websockets.connect(f"ws://127.0.0.1:{PORT}/{path}", proxy=None, **settings) as socket:
        yield Peer(socket)


def failure(reply):
    equal(reply["status"], "error")
    error = reply["payload"]["error"]
    return error["code"], error["message"]
