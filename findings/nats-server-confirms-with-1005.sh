#!/usr/bin/env bash
# nats-server 2.9.10 (Debian 12) confirms a close frame without a code by one with the code 1005, which "MUST NOT be set as a status code
# in a Close control frame" (RFC 6455 section 7.4.1). Other codes, such as 1000 and 4321, it returns as they are.
#
# A strict client that closes without a code reports a violation of the protocol after a regular end. Closing with 1000 avoids it.
#
# Seen: an empty close frame gets the two bytes 03 ed, 1000 gets 03 e8.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(cd "$folder" && apt-get download -q nats-server >/dev/null 2>&1 && dpkg -x nats-server_2.9.10-*.deb nats)
cat >"$folder/run.py" <<'EOF'
import socket
import struct
import subprocess
import sys
import time

folder = sys.argv[1]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


port = free_port()
with open(f"{folder}/nats.conf", "w") as file:
    file.write(f'listen: "127.0.0.1:{free_port()}"\nwebsocket {{ listen: "127.0.0.1:{port}", no_tls: true }}\n')
server = subprocess.Popen([f"{folder}/nats/usr/sbin/nats-server", "-c", f"{folder}/nats.conf"], stderr=subprocess.DEVNULL)


def reply(payload):
    """The payload of the close frame that confirms one."""
    peer = socket.create_connection(("127.0.0.1", port), 5)
    stream = peer.makefile("rb")
    peer.sendall(
        f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode())
    while stream.readline() != b"\r\n":
        pass
    peer.sendall(bytes([0x88, 0x80 | len(payload)]) + bytes(4) + payload)
    while True:
        first, second = stream.read(2)
        length = struct.unpack(">H", stream.read(2))[0] if second == 126 else second
        data = stream.read(length)
        if first == 0x88:
            return data.hex() or "none"


try:
    for _ in range(100):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            break
        except OSError:
            time.sleep(0.1)
    print(reply(b""), reply(struct.pack(">H", 1000)))
finally:
    server.kill()
EOF
seen=$(python3 "$folder/run.py" "$folder")
echo "confirmation of a close frame without a code, and with 1000: $seen"
[ "$seen" = "03ed 03e8" ]
