"""The bookshop of openapi.yaml, which behaves like a real server: tokens expire, responses may be cached, and it is busy at times.

Prints its port: the one given as an argument, or a free one. Ends with its standard input."""
import json, re, sys, threading
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ITEMS = [
    {"kind": "magazine", "id": n, "title": f"Monthly {n}", "issue": n} if n % 5 == 0
    else {"kind": "book", "id": n, "title": f"Book {n}", "subtitle": None if n % 2 else f"Volume {n}"}
    for n in range(1, 24)
]


class Shop:
    lock = threading.Lock()
    tokens = 0  # made so far; the newest one is valid for a while
    uses = 0    # of the newest token, which expires after 6
    busy = 2    # how often /health is busy
    seen = 0    # requests for one item


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def answer(self, status, value, kind="application/json", **fields):
        body = json.dumps(value).encode()
        self.send_response(status)
        for name, text in {"Content-Type": kind, "Content-Length": str(len(body)), **fields}.items():
            self.send_header(name.replace("_", "-"), text)
        self.end_headers()
        self.wfile.write(body)

    def refuse(self, status, title, **fields):
        self.answer(status, {"title": title}, "application/problem+json", **fields)

    def is_authorized(self):
        with Shop.lock:
            if self.headers.get("Authorization") != f"Bearer token-{Shop.tokens}" or Shop.uses >= 6:
                return False
            Shop.uses += 1
            return True

    def body(self):
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def do_POST(self):
        form = self.body().decode()
        if self.path != "/v1/oauth/token" or "grant_type=client_credentials" not in form:
            return self.refuse(404, "no such thing")
        with Shop.lock:
            Shop.tokens += 1
            Shop.uses = 0
            number = Shop.tokens
        self.answer(200, {"access_token": f"token-{number}", "token_type": "Bearer", "expires_in": 3600})

    def do_GET(self):
        path, _, query = self.path.partition("?")
        values = dict(pair.split("=", 1) for pair in query.split("&") if "=" in pair)
        if path == "/v1/health":
            with Shop.lock:
                Shop.busy -= 1
                busy = Shop.busy
            if busy >= 0:
                return self.refuse(503, "busy", Retry_After="0")
            return self.answer(200, {"attempts": 2 - busy, "authorized": "Authorization" in self.headers})
        if not self.is_authorized():
            return self.refuse(401, "this token has ended", WWW_Authenticate="Bearer")
        if path == "/v1/books":
            start, limit = int(values.get("cursor", "0")), int(values.get("limit", "10"))
            page, rest = ITEMS[start:start + limit], start + limit
            return self.answer(200, {"items": page, "next_cursor": str(rest) if rest < len(ITEMS) else None})
        if path == "/v1/orders":
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            for number in range(1, 4):
                self.wfile.write(b'data: {"book": %d, "copies": %d}\n\n' % (number, number * 2))
                self.wfile.flush()
            self.close_connection = True
            return
        found = re.fullmatch(r"/v1/books/(\d+)", path)
        item = next((item for item in ITEMS if found and item["id"] == int(found[1])), None)
        if item is None:
            return self.refuse(404, "no such book")
        Shop.seen += 1
        self.answer(200, item, Cache_Control="private, max-age=60", X_Seen=str(Shop.seen))

    def do_PUT(self):
        body = self.body()
        if not self.is_authorized():
            return self.refuse(401, "this token has ended", WWW_Authenticate="Bearer")
        head = b"Content-Type: " + self.headers["Content-Type"].encode() + b"\r\n\r\n"
        parts = {part.get_param("name", header="Content-Disposition"): part
                 for part in BytesParser().parsebytes(head + body).get_payload()}
        image = parts["image"]
        self.answer(200, {
            "caption": parts["caption"].get_payload(decode=True).decode(),
            "bytes": len(image.get_payload(decode=True)), "type": image.get_content_type()})


server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 0), Handler)
server.daemon_threads = True
print(server.server_port, flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
