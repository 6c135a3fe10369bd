"""Serves an ASGI application on 127.0.0.1: prints `ready PORT` once it listens, and ends with its standard input."""
import asyncio
import os
import signal
import socket
import threading

import uvicorn


def say(*words):
    print(*words, flush=True)


async def _serve(application, port):
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    server = uvicorn.Server(uvicorn.Config(application, ws="wsproto", log_level="warning"))

    async def tell():
        while not server.started:
            await asyncio.sleep(0.01)
        say("ready", listener.getsockname()[1])

    await asyncio.gather(server.serve(sockets=[listener]), tell())


def serve(application, port):
    """Serves an application; port 0 takes a free port."""
    # The parent process may block signals, and children inherit that.
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    threading.Thread(target=lambda: (os.read(0, 1), os._exit(0)), daemon=True).start()
    asyncio.run(_serve(application, port))
