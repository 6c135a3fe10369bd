"""A server that encodes with the commands gzip, brotli and zstd: prints its port, serves until its standard input ends.

  GET  /lines?coding=br   20,000 lines of text in that coding, in small pieces; with cut=1, the last ten bytes are missing
  POST /lines             the request's body, decoded by the command for its Content-Encoding
"""
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

COMMANDS = {"gzip": "gzip", "br": "brotli", "zstd": "zstd"}
LINES = b"".join(b"line %d of a body that is coded\n" % number for number in range(20000))


def run(coding, flag, data):
    return subprocess.run([COMMANDS[coding], flag], input=data, stdout=subprocess.PIPE, check=True).stdout


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        options = dict(parse_qsl(urlsplit(self.path).query))
        body = run(options["coding"], "-c", LINES)
        if "cut" in options:
            body = body[:-10]
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.send_header("Content-Encoding", options["coding"])
        self.end_headers()
        for start in range(0, len(body), 700):
            piece = body[start:start + 700]
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        self.wfile.write(b"0\r\n\r\n")

    def do_POST(self):
        if self.headers.get("Transfer-Encoding") == "chunked":
            body = b""
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            body = self.rfile.read(int(self.headers["Content-Length"]))
        body = run(self.headers["Content-Encoding"], "-dc", body)
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_port, flush=True)
sys.stdin.read()
