#!/usr/bin/env python3
"""Peers for the tests of transports: a SOCKS proxy, TLS servers, an abstract Unix socket.

    peers.py CERTIFICATE KEY AUTHORITY LOG

Prints a name and a port for each, then "ready"; ends when standard input ends. Before a peer responds, it adds a line to LOG for
each thing that a test may check.
"""
import asyncio
import os
import socket
import ssl
import struct
import sys
import threading

certificate, key, authority, log_path = sys.argv[1:5]

# The SOCKS proxy's error codes for these names; `named.test` is loopback, and every other name is unknown.
REFUSALS = {"refused.test": 5, "forbidden.test": 2, "unreachable.test": 4, "broken.test": 1}
USER, PASSWORD = b"ann", b"geheim"


def log(line):
    with open(log_path, "a", encoding="utf-8") as file:
        file.write(line + "\n")


async def pump(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
        writer.write_eof()
    except (OSError, ssl.SSLError, NotImplementedError):
        pass


async def join(reader, writer, host, port):
    """Relays both ways until either side ends; False if the target can't be reached."""
    try:
        target_reader, target_writer = await asyncio.open_connection(host, port)
    except OSError:
        return False
    yield_to = [pump(reader, target_writer), pump(target_reader, writer)]
    await asyncio.wait([asyncio.create_task(part) for part in yield_to], return_when=asyncio.FIRST_COMPLETED)
    target_writer.close()
    return True


async def read_until_zero(reader):
    return (await reader.readuntil(b"\0"))[:-1]


async def socks4(reader, writer):
    _, port, address = struct.unpack("!BH4s", await reader.readexactly(7))
    await read_until_zero(reader)
    kind, host = "address", ".".join(str(byte) for byte in address)
    if address[:3] == b"\0\0\0":
        kind, host = "name", (await read_until_zero(reader)).decode()
    log(f"socks4 {kind} {host} {port}")
    target = "127.0.0.1" if host == "named.test" else host
    writer.write(b"\0\x5a" + bytes(6))
    await join(reader, writer, target, port)


async def socks5(reader, writer, wants_user):
    methods = await reader.readexactly((await reader.readexactly(1))[0])
    if not wants_user:
        writer.write(b"\x05\x00")
    elif 2 not in methods:
        log("socks5 without a user")
        writer.write(b"\x05\xff")
        return
    else:
        writer.write(b"\x05\x02")
        await reader.readexactly(1)
        user = await reader.readexactly((await reader.readexactly(1))[0])
        password = await reader.readexactly((await reader.readexactly(1))[0])
        is_known = user == USER and password == PASSWORD
        log(f"socks5 user {user.decode()} {'known' if is_known else 'unknown'}")
        writer.write(b"\x01\x00" if is_known else b"\x01\x01")
        if not is_known:
            return
    kind = (await reader.readexactly(4))[3]
    if kind == 1:
        host = ".".join(str(byte) for byte in await reader.readexactly(4))
    elif kind == 4:
        host = (await reader.readexactly(16)).hex()
    else:
        host = (await reader.readexactly((await reader.readexactly(1))[0])).decode()
    port = struct.unpack("!H", await reader.readexactly(2))[0]
    log(f"socks5 {'name' if kind == 3 else 'address'} {host} {port}")
    refusal = REFUSALS.get(host)
    if refusal is None and kind == 3 and host not in ("named.test", "localhost"):
        refusal = 4
    writer.write(b"\x05" + bytes([refusal or 0]) + b"\x00\x01" + bytes(6))
    if refusal is None:
        await join(reader, writer, "127.0.0.1" if kind == 3 else host, port)


def socks(wants_user):
    async def serve(reader, writer):
        try:
            version = (await reader.readexactly(1))[0]
            await (socks4(reader, writer) if version == 4 else socks5(reader, writer, wants_user))
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass
        writer.close()
    return serve


async def answer(reader, writer, text):
    """Sends one HTTP response for each request, until the client closes."""
    try:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            lines = head.decode().split("\r\n")
            host = next((line[6:] for line in lines if line.lower().startswith("host: ")), "")
            body = f"{text} {host}".encode()
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
            await writer.drain()
    except (OSError, ssl.SSLError, asyncio.IncompleteReadError):
        pass
    writer.close()


def says(text):
    async def serve(reader, writer):
        await answer(reader, writer, text)
    return serve


def serve_strictly(tls):
    """Starts a TLS server on threads, since asyncio sends nothing to a client whose handshake fails. Returns the port."""
    listener = socket.create_server(("127.0.0.1", 0))

    def talk(connection):
        try:
            secure = tls.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
            try:
                secure.do_handshake()
                while secure.recv(65536):
                    secure.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nknown")
            except ssl.SSLError:
                # Reads everything that the client has sent: otherwise a reset would overtake the alert.
                raw = socket.socket(fileno=secure.detach())
                raw.shutdown(socket.SHUT_WR)
                while raw.recv(65536):
                    pass
                raw.close()
        except OSError:
            pass

    def accept():
        while True:
            threading.Thread(target=talk, args=(listener.accept()[0],), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return listener.getsockname()[1]


def relay_to(port_of):
    """Relays to another port of this machine: if a plain HTTP proxy listens there, this makes an HTTP proxy over TLS."""
    async def serve(reader, writer):
        await join(reader, writer, "127.0.0.1", port_of)
        writer.close()
    return serve


def context(minimum, maximum, wants_certificate):
    result = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    result.load_cert_chain(certificate, key)
    result.minimum_version, result.maximum_version = minimum, maximum
    if wants_certificate:
        result.verify_mode = ssl.CERT_REQUIRED
        result.load_verify_locations(authority)
    return result


async def main():
    v12, v13 = ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3
    peers = {
        "socks": (socks(False), None),
        "socks-user": (socks(True), None),
    }
    if len(sys.argv) > 5:
        peers["tls-proxy"] = (relay_to(int(sys.argv[5])), context(v12, v13, False))
    print("wants-certificate-12", serve_strictly(context(v12, v12, True)))
    print("wants-certificate-13", serve_strictly(context(v13, v13, True)))
    servers = []
    for name, (serve, tls) in peers.items():
        server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
        servers.append(server)
        print(name, server.sockets[0].getsockname()[1])
    abstract = f"net-peers-{os.getpid()}"
    servers.append(await asyncio.start_unix_server(says("abstract"), "\0" + abstract))
    print("abstract", abstract)
    print("ready", flush=True)
    loop = asyncio.get_running_loop()
    await loop.run_in_executor(None, sys.stdin.read)


asyncio.run(main())
