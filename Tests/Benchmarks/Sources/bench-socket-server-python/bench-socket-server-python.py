#!/usr/bin/env python3
"""bench-socket-server-python.py: a server on Python's websockets for bench-socket-server-load; prints its port.

Sends texts back; for "B SIZE COUNT", sends COUNT messages of SIZE bytes to every connection. Ends with its standard input."""
import asyncio
import sys

import websockets

connections = set()


async def serve(connection):
    connections.add(connection)
    try:
        async for text in connection:
            if text.startswith("B "):
                size, count = map(int, text.split()[1:])
                for _ in range(count):
                    websockets.broadcast(connections, "x" * size)
            else:
                await connection.send(text)
    except websockets.ConnectionClosedError:
        # The load generator ends without closing its connections.
        pass
    finally:
        connections.remove(connection)


async def main():
    async with websockets.serve(serve, "127.0.0.1", 0, compression=None, backlog=4096) as server:
        print(server.sockets[0].getsockname()[1], flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


asyncio.run(main())
