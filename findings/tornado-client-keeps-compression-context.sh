#!/usr/bin/env bash
# Clients of WebSockets made with tornado 6.6.1 ignore `client_no_context_takeover` in a server's handshake (RFC 7692 section 7.1.1.2): the
# second message that they send with compression refers to the first, so the server can't inflate it and ends the connection.
#
# A server that asks for the parameter does so to keep no memory for a connection. To tornado, and so to Jupyter's clients, it must not:
# nothing in the handshake distinguishes them from clients that comply. `server_no_context_takeover` does no harm.
#
# Seen with websockets 15.0.1 as the server: the first of two equal messages is echoed, the second one closes the connection with 1002,
# "decompression failed". Without the parameter both are echoed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check tornado==6.6.1 websockets==15.0.1
cat >"$folder/run.py" <<'EOF'
import asyncio
import logging

from tornado.websocket import websocket_connect
from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory

logging.disable(logging.CRITICAL)


async def echo(socket):
    try:
        async for message in socket:
            await socket.send(message)
    except ConnectionClosed:
        pass


async def replies(without_context):
    """The replies to two equal messages, and the close code."""
    factory = ServerPerMessageDeflateFactory(
        server_no_context_takeover=True, client_no_context_takeover=without_context
    )
    async with serve(echo, "127.0.0.1", 0, compression=None, extensions=[factory]) as server:
        port = server.sockets[0].getsockname()[1]
        client = await websocket_connect(f"ws://127.0.0.1:{port}/", compression_options={})
        count = 0
        for _ in range(2):
            await client.write_message("the same words " * 20)
            if await asyncio.wait_for(client.read_message(), 10) is not None:
                count += 1
        code = client.close_code
        client.close()
        return count, code


print(asyncio.run(replies(True)), asyncio.run(replies(False)))
EOF
seen=$("$folder/python/bin/python" "$folder/run.py")
echo "replies and close code, with client_no_context_takeover and without: $seen"
[ "$seen" = "(1, 1002) (2, None)" ]
