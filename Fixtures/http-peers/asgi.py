"""The application of the ASGI servers. SITE is the folder with the files."""
import os
import zlib
from pathlib import Path

SITE = Path(os.environ["SITE"])


async def reply(send, status, body=b"", headers=()):
    await send({"type": "http.response.start", "status": status,
                "headers": [(b"content-length", str(len(body)).encode()), *headers]})
    await send({"type": "http.response.body", "body": body})


async def app(scope, receive, send):
    if scope["type"] == "lifespan":
        while True:
            message = await receive()
            await send({"type": message["type"] + ".complete"})
            if message["type"] == "lifespan.shutdown":
                return
    path = scope["path"]
    if path == "/refuse":
        await reply(send, 413, b"too much")
    elif path == "/moved":
        await reply(send, 302, headers=[(b"location", b"")])
    elif path == "/none":
        await reply(send, 204)
    elif path == "/pieces":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for _ in range(3):
            await send({"type": "http.response.body", "body": b"a piece\n" * 1000, "more_body": True})
        await send({"type": "http.response.body"})
    elif path == "/echo":
        size, total, more = 0, 1, True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body = message.get("body", b"")
            size, total, more = size + len(body), zlib.adler32(body, total), message.get("more_body", False)
        await reply(send, 200, f"{size} {total}".encode())
    elif (SITE / path[1:]).is_file():
        body = (SITE / path[1:]).read_bytes()
        await reply(send, 200, b"" if scope["method"] == "HEAD" else body)
    else:
        await reply(send, 404, b"no such thing")
