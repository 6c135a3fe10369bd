"""The web server under load: nginx with one worker, on free ports of loopback, in a temporary folder."""
import os
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

DOWNLOAD_BYTES = 100_000_000

CONFIGURATION = """
daemon off; worker_processes 1; worker_rlimit_nofile 16384; pid {folder}/nginx.pid; error_log {folder}/error.log warn;
{user}
events {{ worker_connections 8192; multi_accept on; }}
http {{
  access_log off; sendfile on; tcp_nodelay on; keepalive_timeout 600s; keepalive_requests 1000000000;
  open_file_cache max=100 inactive=600s; open_file_cache_valid 600s; types {{}} default_type application/octet-stream;
  client_body_temp_path {folder}/temporary; proxy_temp_path {folder}/temporary; fastcgi_temp_path {folder}/temporary;
  uwsgi_temp_path {folder}/temporary; scgi_temp_path {folder}/temporary; client_body_buffer_size 64k;
  http2_max_concurrent_streams 256; ssl_session_cache shared:sessions:10m; ssl_protocols TLSv1.2 TLSv1.3;
  ssl_certificate {folder}/certificate.pem; ssl_certificate_key {folder}/key.pem;
  server {{
    listen 127.0.0.1:{plain} backlog=8192;
    listen 127.0.0.1:{tls} ssl backlog=8192;
    listen 127.0.0.1:{http2} ssl http2 backlog=8192;
    root {folder}/bodies;
    location = /slow {{ alias {folder}/bodies/1k; limit_rate 600; }}
    location = /post {{ return 200 '{{"ok":true}}'; }}
    # Responds when it has the whole body: over HTTP/2, libcurl loses some of the responses that come before.
    location = /read {{ proxy_pass http://127.0.0.1:{plain}/post; }}
  }}
}}
"""


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
    finally:
        for each in sockets:
            each.close()


#: Three fields of JSON, as in `User.sample` of the load driver.
USER = b'{"id":1815,"name":"Ada Lovelace","isActive":true}'


class ChunkServer:
    """Responds to every request with a million chunks of one byte, which nginx would merge."""
    ANSWER = (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1\r\nx\r\n" * 1_000_000 + b"0\r\n\r\n")

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            connection, _ = self.listener.accept()
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        try:
            with connection, connection.makefile("rb") as lines:
                while line := lines.readline():
                    if line == b"\r\n":
                        connection.sendall(self.ANSWER)
        except OSError:
            pass


class Server:
    """Runs while its `with` block does."""

    def __init__(self):
        self.process = None
        self.chunks_port = ChunkServer().port
        self.folder = Path(tempfile.mkdtemp(prefix="swift-net-bench-"))

    def __enter__(self):
        try:
            self.prepare()
            for _ in range(3):
                # Another program may take a port between its choice and nginx's start.
                if self.start():
                    return self
            raise RuntimeError("nginx does not start: " + self.complaint())
        except BaseException:
            self.stop()
            raise

    def __exit__(self, *_):
        self.stop()

    def prepare(self):
        bodies = self.folder / "bodies"
        bodies.mkdir()
        (self.folder / "temporary").mkdir()
        (bodies / "1k").write_bytes(b"a" * 1024)
        (bodies / "64k").write_bytes(os.urandom(64 << 10))
        (bodies / "user").write_bytes(USER)
        with open(bodies / "100m", "wb") as file:
            block = os.urandom(1_000_000)
            for _ in range(DOWNLOAD_BYTES // len(block)):
                file.write(block)
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
             "30", "-keyout", self.folder / "key.pem", "-out", self.certificate, "-subj", "/CN=localhost", "-addext",
             "subjectAltName=DNS:localhost,IP:127.0.0.1"],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def start(self):
        self.plain_port, self.tls_port, self.http2_port = free_ports(3)
        # As root, nginx would run its worker as a user who can't read the folder.
        user = "user root;" if os.geteuid() == 0 else ""
        configuration = self.folder / "nginx.conf"
        configuration.write_text(CONFIGURATION.format(
            folder=self.folder, user=user, plain=self.plain_port, tls=self.tls_port, http2=self.http2_port))
        with open(self.folder / "output.log", "wb") as output:
            self.process = subprocess.Popen(
                ["nginx", "-p", self.folder, "-c", configuration, "-e", self.folder / "error.log"],
                stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        for _ in range(100):
            if self.process.poll() is not None:
                return False
            try:
                socket.create_connection(("127.0.0.1", self.http2_port), timeout=1).close()
                return True
            except OSError:
                time.sleep(0.05)
        return False

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def complaint(self):
        logs = [self.folder / "output.log", self.folder / "error.log"]
        return " ".join(log.read_text(errors="replace").strip()[-300:] for log in logs if log.is_file())

    @property
    def certificate(self):
        return self.folder / "certificate.pem"

    def url(self, kind, path):
        """The URL of a path; `kind` is plain, tls, http2, or chunks for the chunk server."""
        scheme = "http" if kind in ("plain", "chunks") else "https"
        return f"{scheme}://127.0.0.1:{getattr(self, kind + '_port')}/{path}"
