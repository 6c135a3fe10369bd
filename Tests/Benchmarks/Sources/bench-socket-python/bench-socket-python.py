#!/usr/bin/env python3
"""bench-socket-python.py PORT WORKLOAD COUNT: runs the workload through Python's websockets; prints one line of JSON."""
import asyncio
import os
import resource
import sys
import time

import websockets

FIRST_CONNECTIONS = 8
#: The server's path and the size of a message, by workload.
WORKLOADS = {"ws-echo-64": ("echo", 64), "ws-out-64": ("sink", 64), "ws-in-64": ("source", 64),
             "ws-out-1m": ("sink", 1 << 20), "ws-in-1m": ("source", 1 << 20), "ws-idle": ("idle", 0),
             "ws-connect": ("idle", 0)}


def check(found, expected):
    if found != expected:
        sys.exit(f"messages were lost or changed: expected {expected!r:.80}, found {found!r:.80}")


async def echo(connection, payload, count):
    for _ in range(count):
        await connection.send(payload)
        check(await connection.recv(), payload)


async def sink(connection, payload, count):
    # The library has no call that sends several messages.
    for _ in range(count):
        await connection.send(payload)
    await connection.send("END")
    check(await connection.recv(), f"{count} {count * len(payload)}")


async def source(connection, payload, count):
    await connection.send(f"{len(payload)} {count}")
    received = 0
    while isinstance(message := await connection.recv(), bytes):
        received += len(message) == len(payload)
    check((message, received), ("END", count))


def now():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return time.monotonic(), usage.ru_utime + usage.ru_stime


def anonymous_bytes():
    with open("/proc/self/smaps_rollup") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("Anonymous:"))


async def measure_idle(url, count):
    connections = [await connect(url) for _ in range(FIRST_CONNECTIONS)]
    before = anonymous_bytes()
    connections += [await connect(url) for _ in range(count)]
    await asyncio.sleep(0.2)
    return {"bytes": anonymous_bytes() - before}


async def connect_and_close(url, count):
    for _ in range(count):
        connection = await connect(url)
        connection.transport.abort()


def connect(url):
    return websockets.connect(url, max_size=None, compression=None)


async def main():
    port, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    path, size = WORKLOADS[name]
    url = f"ws://127.0.0.1:{port}/{path}"
    if name == "ws-connect":
        await connect_and_close(url, count // 20 + 1)
        start, start_cpu = now()
        await connect_and_close(url, count)
        end, end_cpu = now()
        figures = {"seconds": end - start, "cpuSeconds": end_cpu - start_cpu}
    elif path == "idle":
        figures = await measure_idle(url, count)
    else:
        payload = bytes(index * 31 & 255 for index in range(size))
        run = {"echo": echo, "sink": sink, "source": source}[path]
        connection = await connect(url)
        await run(connection, payload, count // 20 + 1)
        start, start_cpu = now()
        await run(connection, payload, count)
        end, end_cpu = now()
        figures = {"seconds": end - start, "cpuSeconds": end_cpu - start_cpu}
    fields = "".join(f',"{key}":{value}' for key, value in figures.items())
    print(f'{{"workload":"{name}","messages":{count}{fields}}}', flush=True)
    # Ends without closing open connections, as the other programs do.
    os._exit(0)


if len(sys.argv) != 4 or sys.argv[2] not in WORKLOADS:
    sys.exit("usage: bench-socket-python.py PORT WORKLOAD COUNT")
asyncio.run(main())
