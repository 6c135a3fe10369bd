"""The table of peers: how each is started, on which versions of HTTP, and what it is asked."""
import os
import socket
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent


@dataclass
class Case:
    """Equal requests, sent `width` at a time. They get `status`, or what curl gets if it is None.

    The response to a refusal can be destroyed by the reset of its connection, also over HTTP/1.1: over the default version, it must arrive
    about as often. A response to a small body that isn't read may be lost over HTTP/2, as docs/engine.md says; then the error says so."""
    title: str
    path: str
    status: int | str | None = None
    method: str = "GET"
    headers: dict = field(default_factory=dict)
    bytes: int | None = None
    is_streamed: bool = False
    expects: bool = False
    login: tuple | None = None
    count: int = 1
    width: int = 1
    is_refusal: bool = False
    is_unread: bool = False
    names: str | None = None


@dataclass
class Peer:
    """A server, the program or the package that it comes with, and what it is asked."""
    name: str
    program: str
    start: object
    cases: list
    versions: tuple = ("1.1",)
    is_secure: bool = False


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Bench:
    """A folder, files and certificates for all peers, and their processes, which end with it."""

    def __init__(self, work, python):
        self.work, self.python, self.processes = work, python, []
        self.site = work / "site"
        self.certificate, self.key, self.authority = work / "server.pem", work / "server.key", work / "authority.pem"
        self.both = work / "both.pem"

    def file(self, name, text):
        path = self.work / name
        path.write_text(text)
        return str(path)

    def folder(self, name):
        path = self.work / name
        path.mkdir(exist_ok=True)
        path.chmod(0o777)
        return path

    def run(self, port, *command, **environment):
        log = open(self.work / f"{Path(command[0]).name}-{port}.log", "wb")
        self.processes.append(subprocess.Popen(
            [str(part) for part in command], stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.work,
            start_new_session=True, env={**os.environ, "SITE": str(self.site), **environment}))
        for _ in range(500):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return port
            if self.processes[-1].poll() is not None:
                break
            time.sleep(0.02)
        raise RuntimeError(f"{command[0]} doesn't listen: {Path(log.name).read_text(errors='replace')[-400:]}")

    def stop(self):
        for process in self.processes:
            try:
                os.killpg(process.pid, 9)
            except ProcessLookupError:
                pass
            process.wait()
        self.processes.clear()


# Servers


def nginx(bench, port):
    home = bench.folder("nginx")
    return bench.run(port, "nginx", "-p", home, "-e", home / "log", "-c", bench.file("nginx.conf", f"""
daemon off; pid {home}/pid; error_log {home}/log; events {{}}
http {{ access_log off; client_body_temp_path {home}/a; proxy_temp_path {home}/b; fastcgi_temp_path {home}/c;
uwsgi_temp_path {home}/d; scgi_temp_path {home}/e; keepalive_requests 7; gzip on; gzip_min_length 100;
types {{ text/html html; }} client_max_body_size 1000;
server {{ listen 127.0.0.1:{port} ssl http2; ssl_certificate {bench.certificate}; ssl_certificate_key {bench.key}; root {bench.site};
location = /moved {{ return 302; }} location = /none {{ return 204; }} location = /post {{ return 200 "posted"; }}
location = /refuse {{ proxy_pass http://127.0.0.1:1; }} location = /deny {{ return 403; }} }} }}
"""))


def apache(bench, port):
    home = bench.folder("apache")
    modules = "\n".join(f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so" for name in
                        ["mpm_event", "authz_core", "mime", "ssl", "http2", "deflate", "filter", "rewrite", "alias", "headers"])
    return bench.run(port, "apache2", "-X", "-f", bench.file("apache.conf", f"""
ServerName localhost
Listen 127.0.0.1:{port}
DefaultRuntimeDir {home}
PidFile {home}/pid
ErrorLog {home}/log
User nobody
Group nogroup
{modules}
TypesConfig /dev/null
AddType text/html .html
Protocols h2 http/1.1
MaxKeepAliveRequests 7
SSLEngine on
SSLCertificateFile {bench.certificate}
SSLCertificateKeyFile {bench.key}
DocumentRoot {bench.site}
AddOutputFilterByType DEFLATE text/html
RewriteEngine on
RewriteRule "^/none$" "-" [R=204,L]
<Directory "/">
Require all granted
</Directory>
<Location "/deny">
Require all denied
</Location>
<Location "/refuse">
LimitRequestBody 1000
</Location>
SSLCACertificateFile {bench.authority}
<Location "/certificate">
SSLVerifyClient require
</Location>
"""))


def haproxy(bench, port):
    behind = uvicorn(bench, free_port())
    return bench.run(port, "haproxy", "-db", "-f", bench.file("haproxy.conf", f"""
global
    maxconn 200
defaults
    mode http
    timeout client 20s
    timeout connect 10s
    timeout server 20s
frontend front
    bind 127.0.0.1:{port} ssl crt {bench.both} alpn h2,http/1.1
    http-request return status 413 content-type text/plain string "too much" if {{ path /refuse }}
    default_backend behind
backend behind
    server one 127.0.0.1:{behind}
"""))


def caddy(bench, port):
    return bench.run(port, "caddy", "run", "--adapter", "caddyfile", "--config", bench.file("Caddyfile", f"""{{
    admin off
    auto_https off
    storage file_system {bench.folder("caddy")}
}}
https://127.0.0.1:{port} {{
    tls {bench.certificate} {bench.key}
    encode gzip
    respond /refuse "too much" 413
    respond /none 204
    respond /post "posted" 200
    redir /moved "" 302
    root * {bench.site}
    file_server
}}
"""), HOME=str(bench.work))


def h2o(bench, port):
    return bench.run(port, "h2o", "-m", "worker", "-c", bench.file("h2o.conf", f"""
listen:
  host: 127.0.0.1
  port: {port}
  ssl:
    certificate-file: {bench.certificate}
    key-file: {bench.key}
user: root
limit-request-body: 1000
error-log: /dev/null
compress: ON
hosts:
  default:
    paths:
      /:
        file.dir: {bench.site}
        file.send-compressed: OFF
"""))


def lighttpd(bench, port):
    return bench.run(port, "lighttpd", "-D", "-f", bench.file("lighttpd.conf", f"""
server.modules = ("mod_openssl", "mod_access", "mod_redirect", "mod_deflate")
server.document-root = "{bench.site}"
server.bind = "127.0.0.1"
server.port = {port}
server.max-keep-alive-requests = 7
server.errorlog = "{bench.work}/lighttpd.log"
server.max-request-size = 1
mimetype.assign = (".html" => "text/html", "" => "application/octet-stream")
deflate.mimetypes = ("text/html")
deflate.allowed-encodings = ("gzip")
deflate.cache-dir = ""
ssl.engine = "enable"
ssl.pemfile = "{bench.certificate}"
ssl.privkey = "{bench.key}"
$HTTP["url"] =~ "^/deny" {{ url.access-deny = ("") }}
"""))


def varnish(bench, port):
    behind = uvicorn(bench, free_port())
    return bench.run(port, "varnishd", "-F", "-a", f"127.0.0.1:{port}", "-n", bench.folder("varnish"), "-j", "none",
                     "-b", f"127.0.0.1:{behind}", "-s", "malloc,32M")


def uvicorn(bench, port):
    return bench.run(port, bench.python, "-m", "uvicorn", "--app-dir", HERE, "--port", port, "--log-level", "warning", "asgi:app")


def hypercorn(bench, port):
    return bench.run(port, bench.python, "-m", "hypercorn", "--bind", f"127.0.0.1:{port}", "--certfile", bench.certificate,
                     "--keyfile", bench.key, "asgi:app", PYTHONPATH=str(HERE))


def gunicorn(bench, port):
    return bench.run(port, bench.python, "-m", "gunicorn", "--chdir", HERE, "--bind", f"127.0.0.1:{port}", "-k", "gthread",
                     "--threads", 4, "wsgi:app")


def cherrypy(bench, port):
    return bench.run(port, bench.python, HERE / "wsgi.py", PORT=str(port))


def node(bench, port):
    return bench.run(port, "node", HERE / "server.js", CERTIFICATE=str(bench.certificate), KEY=str(bench.key), PORT=str(port))


def icecast(bench, port):
    home = bench.folder("icecast")
    return bench.run(port, "icecast2", "-c", bench.file("icecast.xml", f"""<icecast>
<limits><clients>10</clients><sources>2</sources></limits>
<authentication><source-password>geheim</source-password><relay-password>geheim</relay-password>
<admin-user>admin</admin-user><admin-password>geheim</admin-password></authentication>
<hostname>localhost</hostname><listen-socket><port>{port}</port><bind-address>127.0.0.1</bind-address></listen-socket>
<paths><basedir>{home}</basedir><logdir>{home}</logdir><webroot>{bench.site}</webroot><adminroot>{home}</adminroot></paths>
<logging><accesslog>access</accesslog><errorlog>error</errorlog></logging>
<security><changeowner><user>nobody</user><group>nogroup</group></changeowner></security>
</icecast>
"""))


def unbound(bench, port):
    return bench.run(port, "unbound", "-d", "-p", "-c", bench.file("unbound.conf", f"""
server:
    interface: 127.0.0.1@{port}
    port: {port}
    https-port: {port}
    tls-service-key: {bench.key}
    tls-service-pem: {bench.certificate}
    chroot: ""
    username: ""
    directory: {bench.work}
    use-syslog: no
    do-daemonize: no
    access-control: 127.0.0.0/8 allow
    local-zone: "peers.test." static
    local-data: "here.peers.test. A 127.0.0.1"
    local-data: "alias.peers.test. CNAME elsewhere.test."
    local-zone: "elsewhere.test." static
remote-control:
    control-enable: no
"""))


# The cases

FILES = [
    Case("a small file", "/small.txt", 200),
    Case("a megabyte", "/large.bin", 200),
    Case("a page, coded", "/page.html", 200, headers={"Accept-Encoding": "gzip"}),
    Case("a head", "/large.bin", 200, method="HEAD"),
    Case("a missing file", "/missing", 404),
    Case("a part", "/large.bin", headers={"Range": "bytes=1000-1999"}),
    Case("OPTIONS", "/small.txt", method="OPTIONS"),
    Case("40 GETs at the same time", "/small.txt", 200, count=40, width=40),
    Case("100 GETs, ten at a time", "/large.bin", 200, count=100, width=10),
]
WRITING = [
    Case("a POST to a file", "/small.txt", method="POST", bytes=10, is_unread=True),
    Case("a DELETE of a file", "/small.txt", method="DELETE"),
]
APPLICATION = [
    Case("no content", "/none", 204),
    Case("pieces", "/pieces", 200),
    Case("a redirect without a place", "/moved", 302),
    Case("an empty POST", "/echo", 200, method="POST", bytes=0),
    Case("a small POST", "/echo", 200, method="POST", bytes=1000),
    Case("a PUT of 3 MB", "/echo", 200, method="PUT", bytes=3_000_000),
    Case("a PUT of 3 MB that waits for 100", "/echo", 200, method="PUT", bytes=3_000_000, expects=True),
    Case("a stream of 3 MB", "/echo", 200, method="PUT", bytes=3_000_000, is_streamed=True),
    Case("60 POSTs, 20 at a time", "/echo", 200, method="POST", bytes=100, count=60, width=20),
    Case("60 POSTs, one by one", "/echo", 200, method="POST", bytes=100, count=60),
]


def refused(path, status, **settings):
    return [Case(f"a refused PUT of {size:,} bytes{' that waits for 100' if expects else ''}", path, status, method="PUT", bytes=size,
                 expects=expects, count=10, is_refusal=True, **settings)
            for size, expects in [(100_000, False), (2_000_000, False), (50_000_000, False), (2_000_000, True)]]


POSTED = [Case("60 POSTs, 20 at a time", "/post", 200, method="POST", bytes=100, count=60, width=20, is_unread=True)]
EMPTY = [Case("no content", "/none", 204), Case("a redirect without a place", "/moved", 302)]
BOTH = ("1.1", "2")

PEERS = [
    Peer("nginx", "nginx", nginx, FILES + WRITING + EMPTY + POSTED + refused("/post", 413), BOTH, True),
    Peer("Apache", "apache2", apache, FILES + WRITING + refused("/deny/x", 403) + [
        Case("a location for certificates", "/certificate/x", "no response")], BOTH, True),
    Peer("HAProxy", "haproxy", haproxy, FILES + APPLICATION + refused("/refuse", 413), BOTH, True),
    Peer("Caddy", "caddy", caddy, FILES + WRITING + EMPTY + POSTED + refused("/refuse", 413), BOTH, True),
    Peer("h2o", "h2o", h2o, FILES + WRITING + refused("/small.txt", 413), BOTH, True),
    Peer("lighttpd", "lighttpd", lighttpd, FILES + WRITING + refused("/small.txt", 413), BOTH, True),
    Peer("Varnish", "varnishd", varnish, FILES + APPLICATION),
    Peer("hypercorn", "", hypercorn, FILES + APPLICATION + refused("/refuse", 413), BOTH, True),
    Peer("uvicorn", "", uvicorn, FILES + APPLICATION + refused("/refuse", 413)),
    Peer("gunicorn", "", gunicorn, FILES + APPLICATION + refused("/refuse", 413)),
    Peer("CherryPy", "", cherrypy, FILES + APPLICATION + refused("/refuse", 413) + [
        Case("a user outside ASCII", "/hidden/", 200, login=("m\u00fcller", "geheim")),
        Case("a wrong password", "/hidden/", 401, login=("m\u00fcller", "falsch"))]),
    Peer("Node", "node", node, FILES + APPLICATION + refused("/refuse", 413), BOTH, True),
    Peer("icecast", "icecast2", icecast, [
        Case("a source without the password", "/radio", 401, method="PUT", bytes=2_000_000, count=10, is_refusal=True,
             headers={"Content-Type": "audio/ogg"}),
        Case("its page", "/status-json.xsl"), Case("a missing mount", "/missing", 404)]),
    Peer("unbound", "unbound", unbound, [
        Case("a name", "http://here.peers.test:{other}/small.txt", 200, names="https://127.0.0.1:{port}/dns-query"),
        Case("a missing name", "http://gone.peers.test:{other}/", "no response", names="https://127.0.0.1:{port}/dns-query"),
        Case("only an alias", "http://alias.peers.test:{other}/", "no response", names="https://127.0.0.1:{port}/dns-query"),
    ], is_secure=True),
]
