"""Serves a slow file over HTTP, with ranges, and echoes JSON commands over a WebSocket. Ends with its standard input."""
import asyncio
import hashlib
import json
import os
import random
import re
import sys
import threading

from websockets.legacy.server import serve

SIZE, PIECE, PAUSE = 8_000_000, 64 << 10, 0.05
DATA = random.Random(7).randbytes(SIZE)


async def answer(reader, writer):
    try:
        while True:
            head = (await reader.readuntil(b'\r\n\r\n')).decode('latin-1')
            match = re.search(r'\r\nrange: *bytes=(\d+)-', head, re.IGNORECASE)
            first = int(match[1]) if match else 0
            lines = ['HTTP/1.1 206 Partial Content' if match else 'HTTP/1.1 200 OK', 'ETag: "one"', 'Accept-Ranges: bytes',
                     f'Content-Length: {SIZE - first}', 'Content-Type: application/octet-stream']
            if match:
                lines.append(f'Content-Range: bytes {first}-{SIZE - 1}/{SIZE}')
            writer.write(('\r\n'.join(lines) + '\r\n\r\n').encode())
            for place in range(first, SIZE, PIECE):
                writer.write(DATA[place:place + PIECE])
                await writer.drain()
                await asyncio.sleep(PAUSE)
    except (asyncio.IncompleteReadError, OSError):
        pass
    finally:
        writer.close()


async def echo(socket, path=None):
    async for text in socket:
        message = json.loads(text)
        if message['event'] == 'heartbeat':
            await socket.send(json.dumps({'event': 'heartbeat'}))
        else:
            message['status'] = 'ok'
            await socket.send(json.dumps(message))


async def main():
    files = await asyncio.start_server(answer, '0.0.0.0', 0)
    sockets = await serve(echo, '0.0.0.0', 0)
    print('http', files.sockets[0].getsockname()[1])
    print('ws', sockets.sockets[0].getsockname()[1])
    print('sha256', hashlib.sha256(DATA).hexdigest())
    print('ready', flush=True)
    await asyncio.Event().wait()


def end_with_input():
    sys.stdin.read()
    os._exit(0)


threading.Thread(target=end_with_input, daemon=True).start()
asyncio.run(main())
