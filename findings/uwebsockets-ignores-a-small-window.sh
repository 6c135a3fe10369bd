#!/usr/bin/env bash
# uWebSockets (socketify 0.0.31, which brings its version 20) agrees to compress for a client whose only offer is
# `server_max_window_bits=9`, without repeating the parameter: to RFC 7692 section 7.1.2.1 that means that it declines the limit, and a
# server that can't keep to it should decline the offer. What it sends then refers back over more than the 512 bytes.
#
# A client that believes its own offer inflates with a window of 512 bytes and fails in the middle of a message, "invalid distance too
# far back". It must look at what the server says, refuse such a handshake, or provide the full 32 KiB.
#
# Seen: the response has no server_max_window_bits, and 2,000 random bytes that repeat can be inflated with 15 bits and not with 9.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check socketify==0.0.31
# The shared library that socketify needs; its package is in Debian.
(cd "$folder" && apt-get download -q libuv1 >/dev/null 2>&1 && dpkg -x libuv1_*.deb uv) || true
export LD_LIBRARY_PATH="$folder/uv/usr/lib/x86_64-linux-gnu:$folder/uv/usr/lib/aarch64-linux-gnu"
cat >"$folder/server.py" <<'EOF'
import sys

from socketify import App, CompressOptions, OpCode

app = App()
app.ws("/", {
    "compression": CompressOptions.SHARED_COMPRESSOR,
    "message": lambda ws, message, opcode: ws.send(message, OpCode.BINARY, True),
})
app.listen(int(sys.argv[1]), lambda _: None)
app.run()
EOF
cat >"$folder/client.py" <<'EOF'
import random
import socket
import struct
import subprocess
import sys
import time
import zlib

with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    port = probe.getsockname()[1]
server = subprocess.Popen([sys.executable, sys.argv[1], str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
try:
    for _ in range(100):
        try:
            peer = socket.create_connection(("127.0.0.1", port), 5)
            break
        except OSError:
            time.sleep(0.1)
    peer.sendall(
        f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        "Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=9\r\n\r\n".encode())
    stream = peer.makefile("rb")
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += stream.read(1)
    extension = next(line for line in head.decode().split("\r\n") if line.lower().startswith("sec-websocket-extensions"))
    # Nothing in the first half can be compressed; the second half is equal.
    half = random.Random(1).randbytes(1000)
    message = half + half
    peer.sendall(bytes([0x82, 0xFE]) + struct.pack(">H", len(message)) + bytes(4) + message)
    first, second = stream.read(2)
    length = struct.unpack(">H", stream.read(2))[0] if second == 126 else second
    data = stream.read(length) + b"\x00\x00\xff\xff"

    def inflates(bits):
        """In pieces of 64 bytes: what a call has produced itself would serve as a window too."""
        inflater, rest, result = zlib.decompressobj(-bits), data, b""
        try:
            while len(result) < len(message):
                result += inflater.decompress(rest, 64)
                rest = inflater.unconsumed_tail
            return result == message
        except zlib.error:
            return False

    print(extension.split(": ")[1].strip(), bool(first & 0x40), inflates(15), inflates(9))
finally:
    server.kill()
EOF
seen=$("$folder/python/bin/python" "$folder/client.py" "$folder/server.py")
echo "response, compressed, inflates with 15 bits, with 9: $seen"
case $seen in
    *server_max_window_bits*) exit 1 ;;
    permessage-deflate*"True True False") ;;
    *) exit 1 ;;
esac
