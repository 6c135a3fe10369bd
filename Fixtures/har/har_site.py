"""A small site on a loopback port: pages, redirects, bodies of all kinds, gzip, errors, and a WebSocket (RFC 6455) by hand."""
import base64
import gzip
import hashlib
import http.server
import json
import socketserver
import struct
import threading

IMAGE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP8z8DAwMDAxMDAwMDAAAANHQEDasKb6QAAAABJRU5ErkJggg==")

PAGE = """<!doctype html><meta charset="utf-8"><title>Shop</title><link rel="icon" href="data:,">
<h1>The r\u00e9corded shop</h1><p id="items"></p><p id="moved"></p><p id="gzip"></p><p id="posts"></p><p id="live"></p>
<img id="logo" src="/logo.png">
<script>
const show = (id, text) => document.getElementById(id).textContent = text;
const form = new FormData(); form.append("caption", "A cat"); form.append("file", new Blob(["GIF89a"]), "cat.gif");
async function run() {
  show("items", (await (await fetch("/items.json?page=1")).json()).items.join(","));
  show("moved", await (await fetch("/moved")).text());
  show("gzip", (await (await fetch("/gzip")).text()).length);
  const type = {"Content-Type": "application/json"};
  const json = await fetch("/echo", {method: "POST", headers: type, body: '{"n":1,"t":"\u00e9"}'});
  const urlencoded = await fetch("/echo", {method: "POST", body: new URLSearchParams({a: "1 2", b: "x"})});
  show("posts", await json.text() + "|" + await urlencoded.text());
  const bad = await fetch("/missing"); await bad.text();
  if (SOCKET) {
    await fetch("/echo", {method: "POST", body: form});
    await fetch("/broken").catch(() => 0);
    await new Promise(done => {
      const socket = new WebSocket(location.origin.replace("http", "ws") + "/live");
      socket.binaryType = "arraybuffer"; let count = 0;
      socket.onopen = () => { socket.send("hello \u00e9"); socket.send(new Uint8Array([1, 2, 255])); };
      socket.onmessage = () => { if (++count == 2) socket.close(1000); };
      socket.onclose = () => { show("live", count + " messages"); done(); };
    });
  }
  document.title = "done";
}
run();
</script>"""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def answer(self, status, body=b"", kind="text/plain; charset=utf-8", **headers):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        path = self.path.split("?")[0]
        if path in ("/", "/plain"):
            text = PAGE.replace("SOCKET", "true" if path == "/" else "false")
            self.answer(200, text.encode(), "text/html; charset=utf-8", Set_Cookie="session=planted-secret")
        elif path == "/items.json":
            self.answer(200, json.dumps({"items": [1, 2, 3], "token": "planted-secret"}).encode(), "application/json")
        elif path == "/moved":
            self.answer(302, b"", Location="/arrived")
        elif path == "/arrived":
            self.answer(200, "arriv\u00e9".encode())
        elif path == "/gzip":
            self.answer(200, gzip.compress(b"squeeze me " * 1000), Content_Encoding="gzip")
        elif path == "/logo.png":
            self.answer(200, IMAGE, "image/png")
        elif path == "/broken":
            self.close_connection = True
        elif path == "/live":
            self.live()
        else:
            self.answer(404, b"nothing here")

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.answer(200, f"{len(body)} bytes".encode())

    def live(self):
        key = self.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        accept = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()
        self.wfile.write((f"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                          f"Sec-WebSocket-Accept: {accept}\r\n\r\n").encode())
        self.close_connection = True
        while True:
            head = self.rfile.read(2)
            if len(head) < 2:
                return
            size = head[1] & 127
            if size > 125:
                size = struct.unpack(">H", self.rfile.read(2))[0]
            mask = self.rfile.read(4)
            data = bytes(byte ^ mask[index % 4] for index, byte in enumerate(self.rfile.read(size)))
            self.wfile.write(bytes([head[0], len(data)]) + data)
            if head[0] & 15 == 8:
                return


class Site(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True

    def __enter__(self):
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *arguments):
        self.shutdown()
        self.server_close()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"


def site():
    return Site(("127.0.0.1", 0), Handler)
