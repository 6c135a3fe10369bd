#!/usr/bin/env bash
# A server made with tornado 6.6.1 responds with 500 to a handshake that offers `permessage-deflate; server_max_window_bits=8`, also if a
# plain `permessage-deflate` follows as the second choice.
#
# A list of offers exists so that a server can skip one that it can't accept (RFC 7692 section 5.1), and a window of 8 bits is a valid
# value (section 7.1.2.1) that zlib can't produce. tornado takes the first offer that it knows by name, and fails with "Invalid
# max_wbits value 8". A client must not offer 8 bits, not even with an alternative.
#
# Seen: 500 for 8 bits with and without the second offer, 101 for 9 bits.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check tornado==6.6.1
cat >"$folder/run.py" <<'EOF'
import asyncio
import logging

from tornado.httpserver import HTTPServer
from tornado.testing import bind_unused_port
from tornado.web import Application
from tornado.websocket import WebSocketHandler

logging.disable(logging.CRITICAL)


class Echo(WebSocketHandler):
    def get_compression_options(self):
        return {}


async def status(port, offers):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(
        f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        f"Sec-WebSocket-Extensions: {offers}\r\n\r\n".encode())
    line = await asyncio.wait_for(reader.readline(), 10)
    writer.close()
    return line.split()[1].decode()


async def main():
    sockets, port = bind_unused_port()
    HTTPServer(Application([("/", Echo)])).add_socket(sockets)
    offer = "permessage-deflate; server_max_window_bits="
    for offers in (offer + "8", offer + "8, permessage-deflate", offer + "9, permessage-deflate"):
        print(await status(port, offers), end=" ")


asyncio.run(main())
EOF
seen=$("$folder/python/bin/python" "$folder/run.py")
echo "status for 8 bits, for 8 bits or none, for 9 bits or none: $seen"
[ "$seen" = "500 500 101 " ]
