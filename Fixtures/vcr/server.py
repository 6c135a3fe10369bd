"""A small web shop on a free loopback port: JSON, gzip, bytes, repeated and authorized requests. Imported by the recorders."""
import gzip
import http.server
import json
import threading

PICTURE = bytes(range(256)) * 2


class Shop(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def send(self, body, media_type="application/json", status=200, **headers):
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        path = self.path.split("?")[0]
        if path == "/items/7":
            self.send(json.dumps({"id": 7, "name": "Crème brûlée", "price": 4.5}, ensure_ascii=False).encode())
        elif path == "/items":
            text = json.dumps([{"id": number, "name": f"item {number}"} for number in range(50)]).encode()
            self.send(gzip.compress(text, mtime=0), Content_Encoding="gzip")
        elif path == "/picture":
            self.send(PICTURE, "image/png")
        elif path == "/stock":
            self.server.stock -= 1
            self.send(json.dumps({"left": self.server.stock}).encode(), Set_Cookie="visit=planted-cookie; Path=/")
        elif path == "/me":
            known = self.headers.get("Authorization") == "Bearer planted-token-0123456789"
            self.send(json.dumps({"known": known, "access_token": "planted-body-0123456789"}).encode(),
                      status=200 if known else 401)
        else:
            self.send(b'{"error":"unknown"}', status=404)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send(json.dumps({"received": len(body)}).encode(), status=201, Location="/orders/1")


def start():
    """Starts the server; returns it, and its address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Shop)
    server.stock = 3
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"127.0.0.1:{server.server_port}"


if __name__ == "__main__":
    # For recorders in other languages: prints the address, and runs until its input ends.
    import sys
    running, place = start()
    print(place, flush=True)
    sys.stdin.read()
    running.shutdown()
