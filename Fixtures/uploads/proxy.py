"""A TCP proxy that parses HTTP/1.1, counts the forwarded bytes of request bodies, and cuts connections."""
import re
import socket
import struct
import threading
import time
from urllib.parse import urlsplit

PIECE = 1 << 14
# A client may not have read a response that was forwarded this shortly before a cut.
UNREAD_SECONDS = 0.25


class Cut(Exception):
    """Thrown where a connection is cut."""


class Exchange:
    """A request and its response, as far as the response was forwarded to the client."""

    def __init__(self, method, target, fields):
        self.method, self.path, self.fields = method, urlsplit(target).path, fields
        # Forwarded bytes of the body.
        self.body = 0
        self.status, self.offset, self.location, self.located = None, None, None, 0
        self.may_be_unread = False

    def note(self, status, fields):
        if "location" in fields:
            self.location, self.located = urlsplit(fields["location"]).path, time.monotonic()
        if status >= 200:
            self.status = status
            if fields.get("upload-offset", "").isdigit():
                self.offset = int(fields["upload-offset"])

    def end(self, time):
        """Called when the connection has ended; `time` is when."""
        self.may_be_unread = self.status is None and time - self.located < UNREAD_SECONDS

    def __repr__(self):
        offset = self.fields.get("upload-offset")
        return (f"{self.method} {self.path}{'' if offset is None else f' from {offset}'} + {self.body} -> {self.status} "
                f"offset {self.offset} location {self.location}")


class Cuts:
    """Decides where connections are cut: `count` times, after 1 to `spread` bytes from the client. Some cuts hit the head of a
    request, some drop a response."""

    def __init__(self, count, spread, random, hears_end=True):
        self.count, self.done, self.spread, self.random, self.lock = count, 0, spread, random, threading.Lock()
        # True if the server notices the end of a connection before the client does.
        self.hears_end = hears_end

    def draw(self):
        """Returns after how many bytes a new connection is cut, and which of its responses is dropped; None for never."""
        with self.lock:
            if self.done >= self.count:
                return None, None
            kind = self.random.random()
            if kind < 0.1:
                return self.random.randint(1, 700), None
            return self.random.randint(1, self.spread), self.random.randint(1, 3) if kind > 0.9 else None

    def take(self):
        """Returns whether the cut may be made, and counts it."""
        with self.lock:
            if self.done >= self.count:
                return False
            self.done += 1
            return True


class Reader:
    """Buffered reads from a socket."""

    def __init__(self, connection):
        self.connection, self.buffer = connection, b""

    def fill(self):
        piece = self.connection.recv(PIECE)
        self.buffer += piece
        return bool(piece)

    def piece(self, limit):
        """Returns at most `limit` bytes; none at the end."""
        if not self.buffer and not self.fill():
            return b""
        piece, self.buffer = self.buffer[:limit], self.buffer[limit:]
        return piece

    def until(self, end):
        """Returns the bytes through `end`; None if the connection ends first."""
        while end not in self.buffer:
            if not self.fill():
                return None
        index = self.buffer.index(end) + len(end)
        piece, self.buffer = self.buffer[:index], self.buffer[index:]
        return piece


def parse(head):
    """Returns the first line of a head, and its fields with lowercase names."""
    first, *lines = head.decode("latin-1").split("\r\n")
    fields = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if colon:
            fields[name.strip().lower()] = value.strip()
    return first, fields


def pass_body(reader, fields, write, to_end=False):
    """Reads a body: calls `write` with bytes and the number of payload bytes among them. Returns False if the body is incomplete;
    a body without a length extends to the end of the connection if `to_end` is True."""
    if "chunked" in fields.get("transfer-encoding", ""):
        while True:
            line = reader.until(b"\r\n")
            if line is None:
                return False
            write(line, 0)
            size = int(line.split(b";")[0], 16)
            if size == 0:
                # Trailers end with an empty line.
                while (line := reader.until(b"\r\n")) is not None:
                    write(line, 0)
                    if line == b"\r\n":
                        return True
                return False
            if not pass_bytes(reader, size, write):
                return False
            if (line := reader.until(b"\r\n")) is None:
                return False
            write(line, 0)
    if "content-length" in fields:
        return pass_bytes(reader, int(fields["content-length"]), write)
    while to_end and (piece := reader.piece(PIECE)):
        write(piece, len(piece))
    return not to_end


def pass_bytes(reader, count, write):
    while count:
        piece = reader.piece(min(count, PIECE))
        if not piece:
            return False
        count -= len(piece)
        write(piece, len(piece))
    return True


class Connection:
    """A connection from the client, and the matching one to the server."""

    def __init__(self, proxy, client):
        self.proxy, self.client, self.lock = proxy, client, threading.Lock()
        self.exchanges, self.current, self.answered = [], [], 0
        self.room, self.unseen = proxy.cuts.draw() if proxy.cuts else (None, None)
        self.ended, self.is_over = None, False
        try:
            self.server = socket.create_connection(("127.0.0.1", proxy.target), 5)
        except OSError:
            self.server = None
            self.finish(resets=True)
            return
        self.server.settimeout(None)
        threading.Thread(target=self.guard, args=(self.requests,), daemon=True).start()
        threading.Thread(target=self.guard, args=(self.responses,), daemon=True).start()

    def guard(self, work):
        try:
            work()
        except Cut:
            self.cut()
        except (OSError, ValueError):
            self.finish()

    def send(self, data, payload, exchange):
        """Forwards bytes of the client up to the next cut."""
        is_cut = self.room is not None and len(data) > self.room
        if is_cut:
            data = data[:self.room]
        if data:
            self.server.sendall(data)
            exchange.body += min(payload, len(data))
            if self.room is not None:
                self.room -= len(data)
            if self.proxy.rate:
                time.sleep(len(data) / self.proxy.rate)
        if is_cut:
            if self.proxy.cuts.take():
                raise Cut
            self.room = None

    def requests(self):
        reader = Reader(self.client)
        while (head := reader.until(b"\r\n\r\n")) is not None:
            line, fields = parse(head)
            method, target, _ = line.split(" ")
            exchange = Exchange(method, target, fields)
            self.exchanges.append(exchange)
            self.proxy.add(exchange)
            version = fields.get("upload-draft-interop-version")
            if self.proxy.version and version and version != str(self.proxy.version):
                return self.refuse(exchange, reader, fields)
            with self.lock:
                self.current.append(exchange)
            try:
                self.send(head, 0, exchange)
                if not pass_body(reader, fields, lambda data, payload: self.send(data, payload, exchange)):
                    break
            except OSError:
                # The server has closed the connection, possibly after an early response.
                return self.drain(reader)
        self.ended = time.monotonic()
        self.server.shutdown(socket.SHUT_WR)

    def drain(self, reader):
        while not self.is_over and reader.piece(PIECE):
            pass

    def refuse(self, exchange, reader, fields):
        """Responds as SwiftNIO's server does to an interop version that it doesn't support."""
        exchange.note(400, {})
        pass_body(reader, fields, lambda data, payload: None)
        self.client.sendall(
            f"HTTP/1.1 400 Bad Request\r\nUpload-Draft-Interop-Version: {self.proxy.version}\r\nContent-Length: 0\r\n"
            "Connection: close\r\n\r\n".encode())
        self.finish()

    def responses(self):
        reader = Reader(self.server)
        while (head := reader.until(b"\r\n\r\n")) is not None:
            line, fields = parse(head)
            status = int(line.split(" ")[1])
            with self.lock:
                exchange = self.current[0]
            if status >= 200:
                self.answered += 1
                if self.unseen is not None and self.answered >= self.unseen and self.proxy.cuts.take():
                    raise Cut
                if exchange.method == "OPTIONS" and self.proxy.hidden:
                    head = re.sub(rb"(?im)^%s:[^\r]*\r\n" % self.proxy.hidden, b"", head)
            exchange.note(status, fields)
            self.client.sendall(head)
            if status < 200:
                continue
            if exchange.method != "HEAD" and status not in (204, 304):
                if not pass_body(reader, fields, lambda data, payload: self.client.sendall(data), to_end=True):
                    break
            with self.lock:
                self.current.pop(0)
        self.finish()

    def cut(self):
        self.ended = time.monotonic()
        if self.proxy.cuts.hears_end:
            # The server closes its side when it notices.
            try:
                self.server.shutdown(socket.SHUT_WR)
                self.server.settimeout(1)
                while self.server.recv(PIECE):
                    pass
            except OSError:
                pass
        self.finish(resets=self.proxy.cuts.random.random() < 0.5)

    def finish(self, resets=False):
        with self.lock:
            if self.is_over:
                return
            self.is_over = True
            for exchange in self.exchanges:
                exchange.end(self.ended or time.monotonic())
        for connection in (self.server, self.client):
            if connection is None:
                continue
            try:
                if resets:
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                # Wakes the thread that is reading from it.
                connection.shutdown(socket.SHUT_RDWR if not resets else socket.SHUT_RD)
            except OSError:
                pass
            connection.close()


class Proxy:
    """Listens on a loopback port and forwards to the loopback port `target`.

    `rate` limits each connection, in bytes per second. With `version`, the server appears to support only that interop version
    of the draft. `hidden` is the name of a header that is removed from responses to OPTIONS.
    """

    def __init__(self, target, cuts=None, rate=None, version=None, hidden=None):
        self.target, self.cuts, self.rate, self.version = target, cuts, rate, version
        self.hidden = hidden.encode() if hidden else None
        self.exchanges, self.lock = [], threading.Lock()
        self.listener = socket.socket()
        # A small buffer keeps the client from running far ahead.
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen(64)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=Connection, args=(self, client), daemon=True).start()

    def add(self, exchange):
        with self.lock:
            self.exchanges.append(exchange)

    def log(self):
        with self.lock:
            return list(self.exchanges)

    def body_bytes(self):
        return sum(exchange.body for exchange in self.log())

    def close(self):
        # Closing the socket isn't enough to wake accept().
        try:
            self.listener.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.listener.close()


def unconfirmed(exchanges):
    """Returns how many forwarded bytes had no effect: those beyond the next offset that the server reported, those of rejected
    requests, and those of uploads that the server forgot or whose URL the client never got."""
    lost, positions, used = 0, {}, {exchange.path for exchange in exchanges}
    for exchange in exchanges:
        if exchange.method in ("POST", "PUT"):
            if exchange.location is None or exchange.may_be_unread and exchange.location not in used:
                # A plain upload has no URL of its own; its last request succeeds.
                if exchange.status is None or exchange.status >= 300:
                    lost += exchange.body
                continue
            path = exchange.location
            positions[path] = exchange.body
        else:
            path = exchange.path
        if exchange.method == "PATCH" and exchange.body:
            start = int(exchange.fields.get("upload-offset", 0))
            if exchange.status == 413:
                lost += exchange.body
                positions[path] = start
            else:
                positions[path] = start + exchange.body
        if exchange.status in (404, 410):
            lost += positions.pop(path, 0)
        elif exchange.offset is not None and exchange.offset < positions.get(path, 0):
            lost += positions[path] - exchange.offset
            positions[path] = exchange.offset
    return lost
