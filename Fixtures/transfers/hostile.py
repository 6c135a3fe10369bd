"""A server for files with the habits of other servers, each under a path of its own. Prints its port."""
import http.server
import sys
from pathlib import Path

FILES = Path(sys.argv[1])


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    links = {}

    def log_message(self, *_):
        pass

    def do_HEAD(self):
        if self.path.startswith("/no-head/"):
            self.answer(405, b"")
        else:
            self.do_GET()

    def do_GET(self):
        habit, _, rest = self.path.lstrip("/").partition("/")
        name = rest.split("?")[0].split("/")[-1]
        file = FILES / name
        if not file.is_file():
            return self.answer(404, b"")
        habits = getattr(self, "habit_" + habit.replace("-", "_"), None)
        if habits is None:
            return self.answer(404, b"")
        return habits(file.read_bytes())

    def answer(self, status, body, headers=(), sent=None):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "HEAD":
            return
        self.wfile.write(body if sent is None else body[:sent])
        if sent is not None:
            self.wfile.flush()
            self.close_connection = True

    def ranged(self, body, headers=(), sent=None):
        """Sends the rest that was asked for, if the condition holds."""
        headers = [("ETag", '"1"'), ("Accept-Ranges", "bytes"), *headers]
        wanted = self.headers.get("Range")
        if not wanted or self.headers.get("If-Range", '"1"') != '"1"':
            return self.answer(200, body, headers, sent)
        first, last = wanted.removeprefix("bytes=").split("-")
        start, end = int(first), min(int(last) + 1 if last else len(body), len(body))
        if start >= len(body):
            return self.answer(416, b"", [("Content-Range", f"bytes */{len(body)}")])
        headers.append(("Content-Range", f"bytes {start}-{end - 1}/{len(body)}"))
        return self.answer(206, body[start:end], headers, sent)

    def habit_labels(self, body):
        self.ranged(body, [("Content-Encoding", "x-gzip")])

    def habit_labels_cut(self, body):
        self.ranged(body, [("Content-Encoding", "x-gzip")], None if "Range" in self.headers else len(body) // 3)

    def habit_labels_bzip2(self, body):
        self.ranged(body, [("Content-Encoding", "x-bzip2")])

    def habit_labels_wrong(self, body):
        self.ranged(body, [("Content-Encoding", "gzip")])

    def habit_labels_utf8(self, body):
        self.ranged(body, [("Content-Encoding", "utf-8")])

    def habit_packs(self, body):
        import gzip
        self.answer(200, gzip.compress(body, mtime=0), [("Content-Encoding", "gzip")])

    def habit_cuts(self, body):
        start = int((self.headers.get("Range") or "bytes=0-").removeprefix("bytes=").split("-")[0])
        left = len(body) - start
        self.ranged(body, sent=None if left < len(body) // 4 else min(left, len(body) // 4))

    def habit_no_ranges(self, body):
        self.answer(200, body, [("Accept-Ranges", "none")])

    def habit_other_part(self, body):
        """Ignores the first byte of the range."""
        if "Range" in self.headers:
            self.answer(206, body[7:], [("ETag", '"1"'), ("Content-Range", f"bytes 7-{len(body) - 1}/{len(body)}")])
        else:
            self.answer(200, body, [("ETag", '"1"')], len(body) // 2)

    def habit_no_length(self, body):
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for start in range(0, len(body), 65536):
            piece = body[start:start + 65536]
            self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
        self.wfile.write(b"0\r\n\r\n")

    def habit_moves(self, body):
        self.answer(302, b"", [("Location", f"/plain/{self.path.split('/')[-1]}")])

    def habit_plain(self, body):
        self.ranged(body)

    def habit_no_head(self, body):
        self.ranged(body)

    def habit_expires(self, body):
        """Each link is good for one request."""
        link = self.path.split("/")[2]
        Handler.links[link] = Handler.links.get(link, 0) + 1
        if Handler.links[link] > 1:
            return self.answer(403, b"expired")
        return self.ranged(body)

    def habit_weak(self, body):
        self.answer(200, body, [("ETag", 'W/"1"')])

    def habit_busy(self, body):
        count = Handler.links[self.path] = Handler.links.get(self.path, 0) + 1
        if count % 2:
            return self.answer(503, b"", [("Retry-After", "0")])
        return self.ranged(body)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
