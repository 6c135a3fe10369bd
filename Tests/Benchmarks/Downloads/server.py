"""The server of the downloads: nginx with one worker, plain, with TLS, and with 4 MB/s per connection."""
import os
import shutil
import socket
import subprocess
import threading
import time

SMALL_FILES = 1000

CONFIGURATION = """
daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/error.log warn; {user}
events {{ worker_connections 1024; }}
http {{
  access_log off; sendfile on; tcp_nodelay on; keepalive_requests 1000000; types {{}}
  default_type application/octet-stream;
  client_body_temp_path {folder}/temporary; proxy_temp_path {folder}/temporary; fastcgi_temp_path {folder}/temporary;
  uwsgi_temp_path {folder}/temporary; scgi_temp_path {folder}/temporary;
  ssl_certificate {folder}/certificate.pem; ssl_certificate_key {folder}/key.pem;
  server {{
    listen 127.0.0.1:{plain}; listen 127.0.0.1:{tls} ssl; root {folder}/files;
    location /slow/ {{ alias {folder}/files/; limit_rate 4000000; }}
    location /taken/ {{ alias {folder}/taken/; dav_methods PUT; client_max_body_size 0; }}
  }}
}}
"""


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def small_size(seed, number):
    """The size of a small file, as in bench-download-flush."""
    return 1000 + (seed + number * 7919) % 19_000


class Server:
    """Runs while its `with` block does. `sizes` has the sizes of the large files by name; there are small ones, too."""
    SEED = 34

    def __init__(self, folder, sizes):
        self.folder = folder
        self.sizes = sizes
        self.process = None

    def __enter__(self):
        files = f"{self.folder}/files"
        os.makedirs(f"{files}/small")
        os.makedirs(f"{self.folder}/temporary")
        os.makedirs(f"{self.folder}/taken")
        os.chmod(self.folder, 0o755)
        with open("/dev/urandom", "rb") as noise:
            for name, size in self.sizes.items():
                with open(f"{files}/{name}", "wb") as file:
                    for start in range(0, size, 1 << 20):
                        file.write(noise.read(min(1 << 20, size - start)))
            for number in range(SMALL_FILES):
                with open(f"{files}/small/{number}", "wb") as file:
                    file.write(noise.read(small_size(self.SEED, number)))
        self.certificate = f"{self.folder}/certificate.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30",
             "-keyout", f"{self.folder}/key.pem", "-out", self.certificate, "-subj", "/CN=localhost",
             "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"], check=True, capture_output=True)
        plain, tls = free_ports(2)
        with open(f"{self.folder}/nginx.conf", "w") as file:
            user = "user root;" if os.geteuid() == 0 else ""
            file.write(CONFIGURATION.format(folder=self.folder, user=user, plain=plain, tls=tls))
        program = shutil.which("nginx") or "/usr/sbin/nginx"
        self.process = subprocess.Popen(
            [program, "-c", f"{self.folder}/nginx.conf", "-p", self.folder, "-e", f"{self.folder}/error.log"],
            stderr=subprocess.DEVNULL)
        self.plain, self.tls = f"http://127.0.0.1:{plain}", f"https://127.0.0.1:{tls}"
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", plain), timeout=1).close()
                return self
            except OSError:
                time.sleep(0.05)
        raise RuntimeError("nginx did not start")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


class TusSink:
    """A tus server that discards all bytes; runs while its `with` block does. Accepts PUT, too."""

    def __enter__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}/"
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.listener.close()

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=[connection], daemon=True).start()

    @staticmethod
    def serve(connection):
        store = memoryview(bytearray(1 << 20))
        with connection, connection.makefile("rb", buffering=1 << 16) as stream:
            while request := stream.readline().decode():
                headers = {}
                while (line := stream.readline().decode().strip()):
                    name, _, value = line.partition(":")
                    headers[name.lower()] = value.strip()
                if headers.get("expect"):
                    connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
                length = rest = int(headers.get("content-length", 0))
                while rest > 0:
                    count = stream.readinto(store[:min(rest, len(store))])
                    if not count:
                        return
                    rest -= count
                reply = {"OPTIONS": "204 No Content\r\nTus-Version: 1.0.0\r\nTus-Extension: creation",
                         "POST": "201 Created\r\nLocation: /1\r\nContent-Length: 0",
                         "PATCH": f"204 No Content\r\nUpload-Offset: {int(headers.get('upload-offset', 0)) + length}",
                         "PUT": "201 Created\r\nContent-Length: 0"}[request.split()[0]]
                connection.sendall(f"HTTP/1.1 {reply}\r\nTus-Resumable: 1.0.0\r\n\r\n".encode())
