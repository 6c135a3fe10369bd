"""A server based on tornado, at the port in its argument: an echo, an end by the server, and a refusal with a body."""
import asyncio
import sys

from tornado.web import Application, RequestHandler
from tornado.websocket import WebSocketHandler


class Echo(WebSocketHandler):
    def get_compression_options(self):
        return {}

    def select_subprotocol(self, subprotocols):
        return subprotocols[0] if subprotocols else None

    async def on_message(self, message):
        await self.write_message(message, binary=isinstance(message, bytes))


class Close(WebSocketHandler):
    """Ends each connection by itself; without a code, the close frame is empty."""

    def open(self):
        code = self.get_argument("code", None)
        self.close(int(code) if code else None, self.get_argument("reason", None))


class Refuse(RequestHandler):
    def get(self):
        self.set_status(403)
        self.write({"why": "because"})


async def main():
    Application([("/echo", Echo), ("/close", Close), ("/refuse", Refuse)]).listen(int(sys.argv[1]), "127.0.0.1")
    await asyncio.Event().wait()


asyncio.run(main())
