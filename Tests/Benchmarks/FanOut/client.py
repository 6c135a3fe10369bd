"""A WebSocket client that sends a command and reads its reply, one at a time."""
import json
import os
import socket


class Client:
    def __init__(self, port):
        self.port = port
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.file = self.socket.makefile("rb")
        self.number = 0
        self.socket.sendall(b"GET /json HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
        if b" 101 " not in self.file.readline():
            raise ValueError("no upgrade")
        while self.file.readline() != b"\r\n":
            pass

    def close(self):
        self.file.close()
        self.socket.close()

    def join(self, topic, **payload):
        self.call("channel.join", {"topic": topic, **payload})

    def call(self, event, payload):
        """Sends a command and waits for its reply. Skips other messages."""
        self.number += 1
        name = str(self.number)
        self.send(json.dumps({"event": event, "requestId": name, "payload": payload}).encode())
        while (message := json.loads(self.receive())).get("requestId") != name:
            pass
        if message.get("status") != "ok":
            raise ValueError(f"{event} is refused: {message}")

    def send(self, content):
        mask = os.urandom(4)
        length = bytes([0x80 | len(content)]) if len(content) < 126 else b"\xfe" + len(content).to_bytes(2, "big")
        masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(content))
        self.socket.sendall(b"\x81" + length + mask + masked)

    def receive(self):
        """Returns the next message; the server doesn't fragment any."""
        while True:
            first, second = self.read(2)
            length = second & 127
            if length > 125:
                length = int.from_bytes(self.read(2 if length == 126 else 8), "big")
            content = self.read(length)
            if first & 15 == 8:
                raise ValueError(f"the server has closed the connection: {content[2:].decode(errors='replace')}")
            if first & 15 == 1:
                return content

    def read(self, count):
        content = self.file.read(count)
        if len(content) != count:
            raise ValueError("the server has ended the connection")
        return content
