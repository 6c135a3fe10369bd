"""A server for the tests of digests and event streams: prints its port, serves until its standard input ends.

  GET  /digest?algorithm=sha-256&mode=plain   a body with its Content-Digest; mode: plain, corrupt, wrong, unknown, trailer,
                                              badtrailer, gzip, both, repr, malformed
  POST /check                                 hashlib's verdict on the request's Content-Digest, as text
  GET  /events                                two events per connection, with ids that continue after Last-Event-ID; 204 after six
  GET  /reset                                 one event, then the connection is reset; the next connection gets 204
  GET  /numbers?bad=3                         JSON lines in small pieces, one of them invalid; status sets another status
  GET  /parts                                 multipart/mixed in small pieces; one part is a file
  GET  /log                                   the header fields of the event requests so far, as JSON
"""
import base64
import gzip
import hashlib
import json
import socket
import struct
import sys
import threading
from email.encoders import encode_7or8bit
from email.mime.application import MIMEApplication
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

HASHES = {"sha-256": hashlib.sha256, "sha-512": hashlib.sha512, "md5": hashlib.md5}
BODY = b"".join(b"line %d of a body that is hashed\n" % number for number in range(20000))
LOG = []


def digest(data, *algorithms):
    return ", ".join(f"{name}=:{base64.b64encode(HASHES[name](data).digest()).decode()}:" for name in algorithms)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def answer(self, status, body=b"", **fields):
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        url = urlsplit(self.path)
        options = dict(parse_qsl(url.query))
        if url.path == "/digest":
            self.digest(options.get("algorithm", "sha-256"), options.get("mode", "plain"))
        elif url.path == "/events":
            self.events()
        elif url.path == "/reset":
            self.reset()
        elif url.path == "/numbers":
            bad = int(options.get("bad", "0"))
            lines = ["{\"number\": %d}\n" % n if n != bad else "{\"number\":\n" for n in range(1, 6)]
            self.pieces("\n".join(lines).encode(), 7, "application/x-ndjson", int(options.get("status", "200")))
        elif url.path == "/parts":
            message = MIMEMultipart("mixed", boundary="a'b c")
            message.attach(MIMEText("first"))
            part = MIMEApplication(BODY[:5000].replace(b"\n", b" "), _encoder=encode_7or8bit)
            part.add_header("Content-Disposition", "attachment", filename=("utf-8", "", "naïve.bin"))
            message.attach(part)
            text = message.as_bytes(policy=HTTP).split(b"\r\n\r\n", 1)[1]
            self.pieces(text, 100, "multipart/mixed; boundary=\"a'b c\"", 200)
        elif url.path == "/log":
            self.answer(200, json.dumps(LOG).encode(), Content_Type="application/json")
        else:
            self.answer(404)

    def digest(self, algorithm, mode):
        body = BODY
        fields = {}
        if mode == "gzip":
            body = gzip.compress(BODY, 1)
            fields["Content_Encoding"] = "gzip"
        if mode in ("trailer", "badtrailer"):
            return self.trailer(body, algorithm, mode == "badtrailer")
        if mode == "repr":
            fields["Repr_Digest"] = digest(body[1:], algorithm)
        elif mode == "wrong":
            fields["Content_Digest"] = f"{algorithm}=:AAAA:"
        elif mode == "unknown":
            fields["Content_Digest"] = digest(body[1:], "md5")
        elif mode == "malformed":
            fields["Content_Digest"] = "sha-256=nonsense here"
        elif mode == "both":
            good, bad = digest(body, "sha-256"), digest(body[1:], "sha-512")
            fields["Content_Digest"] = f"{good}, {bad}"
        else:
            fields["Content_Digest"] = digest(body, algorithm)
        if mode == "corrupt":
            middle = len(body) // 2
            body = body[:middle] + bytes([body[middle] ^ 1]) + body[middle + 1:]
        self.answer(200, body, Content_Type="text/plain", **fields)

    def trailer(self, body, algorithm, is_bad):
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.send_header("Trailer", "Content-Digest")
        self.end_headers()
        for start in range(0, len(body), 50000):
            piece = body[start:start + 50000]
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        said = digest(body[1:] if is_bad else body, algorithm)
        self.wfile.write(b"0\r\nContent-Digest: %s\r\n\r\n" % said.encode())

    def pieces(self, body, size, kind, status):
        self.send_response(status)
        self.send_header("Transfer-Encoding", "chunked")
        self.send_header("Content-Type", kind)
        self.end_headers()
        for start in range(0, len(body), size):
            piece = body[start:start + size]
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        self.wfile.write(b"0\r\n\r\n")

    def begin_stream(self):
        LOG.append({name.lower(): value for name, value in self.headers.items()})
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True

    def events(self):
        last = int(self.headers.get("Last-Event-ID", "0"))
        if last >= 6:
            LOG.append({name.lower(): value for name, value in self.headers.items()})
            return self.answer(204)
        self.begin_stream()
        self.wfile.write(b"retry: 20\n: a comment\n\n")
        for number in (last + 1, last + 2):
            self.wfile.write(b"id: %d\ndata: {\"number\": %d}\n\n" % (number, number))
        # The end of the connection cuts this off, so it never becomes an event.
        self.wfile.write(b"data: half")

    def reset(self):
        if self.headers.get("Last-Event-ID"):
            return self.answer(204)
        self.begin_stream()
        self.wfile.write(b"retry: 20\nid: first\ndata: one\n\n")
        self.wfile.flush()
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()

    def do_POST(self):
        if self.headers.get("Transfer-Encoding") == "chunked":
            body = b""
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        said = self.headers.get("Content-Digest")
        wanted = self.headers.get("Want-Content-Digest", "nothing")
        name = (said or "").split("=")[0]
        verdict = "none" if said is None else "match" if said == digest(body, name) else "mismatch"
        self.answer(200, f"{verdict} {name} {len(body)} wants {wanted}".encode(), Content_Type="text/plain")


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
