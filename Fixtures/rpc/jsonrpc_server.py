"""A JSON-RPC 2.0 server (jsonrpcserver from PyPI): prints its port, serves until its standard input ends.

  /rpc       add (by position or name), echo, nothing, fail, log (a notification), logged
  /status    the same, but errors have the status 400
  /page      a page instead of JSON, with the status 502
  /other     responds with an ID other than the request's
"""
import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from jsonrpcserver import Error, InvalidParams, Success, dispatch, method

LOG = []


@method
def add(a, b):
    return Success(a + b) if isinstance(a, int) else InvalidParams("no number")


@method
def echo(**values):
    return Success(values)


@method
def nothing():
    return Success(None)


@method
def fail():
    return Error(code=7, message="it is broken", data={"why": "PLANTED"})


@method
def log(text):
    LOG.append(text)
    return Success()


@method
def logged():
    return Success(LOG)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        text = self.rfile.read(int(self.headers["Content-Length"])).decode()
        status, kind = 200, "application/json"
        answer = dispatch(text)
        if self.path == "/status" and '"error"' in answer:
            status = 400
        if self.path == "/page":
            status, kind, answer = 502, "text/html", "<html>no</html>"
        if self.path == "/other":
            answer = json.dumps({"jsonrpc": "2.0", "id": "x", "result": 1})
        self.send_response(status if answer else 204)
        if answer:
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(answer.encode())))
        self.end_headers()
        self.wfile.write(answer.encode())


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
server.serve_forever()
