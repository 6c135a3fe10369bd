#!/usr/bin/env python3
"""Runs one of the servers of scripts/conformance uploads.

Usage: servers.py NAME PORT FOLDER [MAXIMUM [BODY]]

NAME is `tuspyserver` or `tussi`, which speak the tus protocol at /files/, or `plain`, which stores the body of a PUT or POST
and supports no upload protocol. MAXIMUM is the largest upload in bytes (0: no limit), BODY the largest PATCH body that tussi
accepts (default: its own limit).
"""
import json
import os
import sys
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


def tuspyserver(folder, maximum):
    from fastapi import FastAPI
    from tuspyserver import create_tus_router

    # tuspyserver appends bytes as they arrive, but saves the offset only at the end of a PATCH. Bytes that a killed server
    # has stored beyond that offset would corrupt the file, so they are removed.
    for file in folder.glob("*.info"):
        offset = json.loads(file.read_text())["offset"]
        if file.with_suffix("").stat().st_size > offset:
            os.truncate(file.with_suffix(""), offset)
    app = FastAPI()
    app.include_router(create_tus_router(prefix="files", files_dir=str(folder), max_size=maximum or 1 << 40))
    return app


def tussi(folder, maximum, body):
    from tussi import TUSApp
    from tussi.storage import FilesystemStorage

    options = {"max_chunk_size": body} if body else {}
    return TUSApp(
        FilesystemStorage(folder, fsync=False), completed_dir=folder / "completed", max_size=maximum or None, **options)


def serve(app, port):
    import uvicorn

    uvicorn.run(app, host="127.0.0.1", port=port, log_level="critical", access_log=False, lifespan="off", http="h11")


class Plain(BaseHTTPRequestHandler):
    """Stores a request body in a new file, whose name ends in `.part` until the body is complete."""

    protocol_version = "HTTP/1.1"
    folder, maximum = None, 0

    def log_message(self, *arguments):
        pass

    def respond(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        if status != 201:
            self.send_header("Connection", "close")
            self.close_connection = True
        self.end_headers()

    def is_too_large(self):
        return self.maximum and int(self.headers.get("Content-Length", 0)) > self.maximum

    def handle_expect_100(self):
        if self.is_too_large():
            self.respond(413)
            return False
        return super().handle_expect_100()

    def pieces(self):
        """Yields the body; raises an EOFError if the connection ends first."""
        chunked = "chunked" in self.headers.get("Transfer-Encoding", "")
        left = int(self.headers.get("Content-Length", 0))
        while True:
            if chunked and left == 0:
                left = int(self.rfile.readline().split(b";")[0] or b"x", 16)
                if left == 0:
                    self.rfile.readline()
                    return
            elif left == 0:
                return
            piece = self.rfile.read1(min(left, 1 << 16))
            if not piece:
                raise EOFError
            left -= len(piece)
            yield piece
            if chunked and left == 0:
                self.rfile.readline()

    def do_PUT(self):
        if self.is_too_large():
            self.respond(413)
            # Closing with unread bytes would reset the connection and lose the response.
            left = 1 << 26
            while left > 0 and (piece := self.rfile.read1(1 << 16)):
                left -= len(piece)
            return
        file = self.folder / f"{uuid.uuid4().hex}.part"
        try:
            with open(file, "wb") as output:
                for piece in self.pieces():
                    output.write(piece)
        except (EOFError, ValueError, OSError):
            self.close_connection = True
            return
        file.with_suffix(".json").write_text(
            json.dumps({"disposition": self.headers.get("Content-Disposition"), "type": self.headers.get("Content-Type")}))
        file.rename(file.with_suffix(""))
        self.respond(201)

    do_POST = do_PUT


class PlainServer(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, address):
        pass


def main():
    name, port, folder = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
    maximum, body = (list(map(int, sys.argv[4:6])) + [0, 0])[:2]
    if name == "plain":
        Plain.folder, Plain.maximum = folder, maximum
        PlainServer(("127.0.0.1", port), Plain).serve_forever()
    elif name == "tuspyserver":
        serve(tuspyserver(folder, maximum), port)
    elif name == "tussi":
        serve(tussi(folder, maximum, body), port)
    else:
        raise SystemExit(__doc__)


main()
