"""A Socket.IO server based on python-socketio: prints its port, then "ready"; ends with its standard input."""
import asyncio
import sys
import threading

import socketio
from aiohttp import web

server = socketio.AsyncServer(async_mode="aiohttp", cors_allowed_origins="*", ping_interval=1, ping_timeout=2)
application = web.Application()
server.attach(application)


@server.event
async def connect(sid, environ, auth=None):
    if auth and auth.get("token") == "wrong":
        raise socketio.exceptions.ConnectionRefusedError("not authorized")


@server.on("echo")
async def echo(sid, data):
    return data


@server.on("announce")
async def announce(sid, data):
    await server.emit("news", data)


@server.on("kick")
async def kick(sid, data):
    await server.disconnect(sid)


@server.on("connect", namespace="/admin")
async def connect_admin(sid, environ, auth=None):
    if not auth or auth.get("key") != "open":
        raise socketio.exceptions.ConnectionRefusedError("members only")


@server.on("echo", namespace="/admin")
async def echo_admin(sid, data):
    return {"admin": data}


async def main():
    runner = web.AppRunner(application)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", int(sys.argv[1]))
    await site.start()
    print("ready", flush=True)
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    threading.Thread(target=lambda: (sys.stdin.read(), loop.call_soon_threadsafe(stopped.set)), daemon=True).start()
    await stopped.wait()


asyncio.run(main())
