"""A server of the Model Context Protocol from PyPI: prints its port, serves until its standard input ends.

  /mcp       sessions, event streams, and events that can be requested again
  /json/mcp  responds with JSON instead of streams
Tools: add, fail, progress (reports its progress), dropped (its stream is cut in the middle),
wave (notifies that the tools have changed), ask (requests the client's roots), ping, headers (those that the client sent).
"""
import asyncio
import contextlib
import logging
import os
import sys
import threading

import uvicorn
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.streamable_http import EventMessage, EventStore
from starlette.applications import Starlette
from starlette.routing import Mount

logging.disable(logging.CRITICAL)


class Events(EventStore):
    def __init__(self):
        self.events = []

    async def store_event(self, stream_id, message):
        self.events.append((stream_id, message))
        return str(len(self.events))

    async def replay_events_after(self, last_event_id, send_callback):
        stream_id = self.events[int(last_event_id) - 1][0]
        for number, (stream, message) in enumerate(self.events[int(last_event_id):], int(last_event_id) + 1):
            if stream == stream_id and message is not None:
                await send_callback(EventMessage(message, str(number)))
        return stream_id


def make():
    server = MCPServer("peer", version="1.2.3", instructions="Add numbers.")

    @server.tool(description="The sum of two numbers.")
    def add(a: int, b: int) -> int:
        return a + b

    @server.tool()
    def fail() -> str:
        raise ValueError("it is broken")

    @server.tool()
    async def progress(steps: int, ctx: Context) -> str:
        for step in range(steps):
            await ctx.report_progress(step + 1, steps, f"step {step + 1}")
        return "done"

    @server.tool()
    async def dropped(ctx: Context) -> str:
        await ctx.report_progress(1, 2)
        await ctx.close_sse_stream()
        await asyncio.sleep(0.05)
        await ctx.report_progress(2, 2)
        return "after all"

    @server.tool()
    async def wave(ctx: Context) -> str:
        await ctx.session.send_tool_list_changed()
        return "waved"

    @server.tool()
    async def ask(ctx: Context) -> str:
        try:
            await ctx.session.list_roots()
        except Exception as error:  # any exception that the client's refusal causes
            return f"refused: {error}"
        return "answered"

    @server.tool()
    async def ping(ctx: Context) -> str:
        await ctx.session.send_ping()
        return "pong"

    @server.tool()
    async def headers(ctx: Context) -> str:
        return f"{ctx.headers.get('mcp-protocol-version')} {len(ctx.headers.get('mcp-session-id', ''))}"

    return server


streams, plain = make(), make()
stream_app = streams.streamable_http_app(event_store=Events(), retry_interval=50)
json_app = plain.streamable_http_app(json_response=True)


@contextlib.asynccontextmanager
async def lifespan(app):
    async with streams.session_manager.run(), plain.session_manager.run():
        yield


app = Starlette(routes=[Mount("/json", json_app), Mount("/", stream_app)], lifespan=lifespan)
config = uvicorn.Config(app, host="127.0.0.1", port=0, log_level="critical")
server = uvicorn.Server(config)


async def main():
    task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    print(server.servers[0].sockets[0].getsockname()[1], flush=True)
    await task


threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
asyncio.run(main())
