#!/usr/bin/env python3
"""bench-socket-server-uws.py: uWebSockets, through Python's socketify, for bench-socket-server-load; prints its port.

Sends texts back, which costs a Python call each; for "B SIZE COUNT", publishes COUNT messages of SIZE bytes, which reach the
connections without Python calls. Ends with its standard input."""
import os
import sys
import threading

from socketify import App, CompressOptions, OpCode

app = App()


def opened(socket):
    socket.subscribe("room")


def received(socket, message, opcode):
    if message.startswith("B "):
        size, count = map(int, message.split()[1:])
        for _ in range(count):
            app.publish("room", "x" * size, OpCode.TEXT)
    else:
        socket.send(message, opcode)


def end_with_input():
    sys.stdin.read()
    os._exit(0)


app.ws("/*", {"compression": CompressOptions.DISABLED, "max_payload_length": 1 << 20, "idle_timeout": 120,
              "open": opened, "message": received})
threading.Thread(target=end_with_input, daemon=True).start()
app.listen({"host": "127.0.0.1", "port": 0}, lambda config: print(config.port, flush=True))
app.run()
