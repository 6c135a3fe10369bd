"""A WebSocket server for tests, based on the `websockets` package: an implementation that shares no code with ours.

    python3 peer.py [CERTIFICATE KEY]

Prints `ws PORT` and, with a certificate, `wss PORT`; ends when its standard input does. Paths:

    /echo                              sends every message back
    /close?code=4000&reason=because    closes immediately
    /source?bytes=N&size=65536         sends N bytes of the pattern in binary messages as fast as it can, then closes
    /slow-reader?seconds=2             reads nothing for that time, then everything; responds to the text "end" with the number of bytes
    /fragments?pings=1                 sends a text of three fragments, with pings between them
    /ping                              pings, and sends the milliseconds until the pong
    /subprotocol                       sends the negotiated subprotocol, or "none"
    /fields                            sends the header fields of the request, one per line
    /refuse                            responds to the handshake with 403
"""
import asyncio
import http
import ssl
import sys
import time
import urllib.parse

from websockets.exceptions import ConnectionClosed
from websockets.legacy.server import serve

SUBPROTOCOLS = ["chat.v2", "chat.v1"]


async def echo(socket, query):
    async for message in socket:
        await socket.send(message)


async def close(socket, query):
    await socket.close(int(query.get("code", "1000")), query.get("reason", ""))


async def source(socket, query):
    left = int(query.get("bytes", "1048576"))
    size = int(query.get("size", "65536"))
    block = bytes(number & 255 for number in range(size))
    while left > 0:
        await socket.send(block[:min(size, left)])
        left -= size
    await socket.close()


async def slow_reader(socket, query):
    await asyncio.sleep(float(query.get("seconds", "2")))
    count = 0
    async for message in socket:
        if message == "end":
            await socket.send(str(count))
        else:
            count += len(message)


async def fragments(socket, query):
    async def parts():
        for part in ["Grüße, ", "in drei ", "Teilen"]:
            yield part
            if "pings" in query:
                await socket.ping(part.encode()[:8])

    await socket.send(parts())
    async for _ in socket:
        pass


async def ping(socket, query):
    start = time.monotonic()
    await (await socket.ping())
    await socket.send(str(round((time.monotonic() - start) * 1000)))
    async for _ in socket:
        pass


async def subprotocol(socket, query):
    await socket.send(socket.subprotocol or "none")
    async for _ in socket:
        pass


async def fields(socket, query):
    await socket.send("\n".join(f"{name}: {value}" for name, value in socket.request_headers.raw_items()))
    async for _ in socket:
        pass


PATHS = {
    "/echo": echo, "/close": close, "/source": source, "/slow-reader": slow_reader, "/fragments": fragments,
    "/ping": ping, "/subprotocol": subprotocol, "/fields": fields,
}


async def handle(socket, path=None):
    address = urllib.parse.urlsplit(path or socket.path)
    query = dict(urllib.parse.parse_qsl(address.query, keep_blank_values=True))
    try:
        await PATHS[address.path](socket, query)
    except ConnectionClosed:
        pass


async def refuse(path, fields):
    name = urllib.parse.urlsplit(path).path
    if name == "/refuse":
        return http.HTTPStatus.FORBIDDEN, [("Content-Type", "text/plain")], b"not for you\n"
    if name not in PATHS:
        return http.HTTPStatus.NOT_FOUND, [], b"no such path\n"


async def main():
    settings = dict(
        host="127.0.0.1", process_request=refuse, subprotocols=SUBPROTOCOLS, max_size=None, max_queue=4,
        compression="deflate", ping_interval=None, close_timeout=5)
    servers = [("ws", await serve(handle, port=0, **settings))]
    if len(sys.argv) > 2:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        servers.append(("wss", await serve(handle, port=0, ssl=context, **settings)))
    for name, server in servers:
        print(name, server.sockets[0].getsockname()[1])
    print("ready", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.buffer.read)


asyncio.run(main())
