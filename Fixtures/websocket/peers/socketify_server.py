"""A server based on socketify, which is uWebSockets, at the port in its argument: an echo with compression, and a refusal."""
import sys

from socketify import App, AppListenOptions, CompressOptions


def echo(socket, message, opcode):
    # The last argument asks for compression.
    socket.send(message, opcode, True)


def close(socket):
    socket.end(4001, b"by itself")


def refuse(response, request):
    response.write_status(403).end('{"why":"because"}')


app = App()
app.ws("/echo", {"compression": CompressOptions.SHARED_COMPRESSOR | CompressOptions.DEDICATED_DECOMPRESSOR,
                 "max_payload_length": 16 * 1024 * 1024, "message": echo})
app.ws("/close", {"open": close})
app.get("/refuse", refuse)
app.listen(AppListenOptions(port=int(sys.argv[1]), host="127.0.0.1"), lambda config: None)
app.run()
