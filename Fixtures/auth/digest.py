"""A server that requires Digest authentication (RFC 7616): prints its port, serves until its standard input ends.

  /ALGORITHM/QOP/…   requires `ann` (or `Jäsøn "J" Doe`) and `geheim`; QOP: auth, auth-int, both, none; several ALGORITHMs: A+B
    uses=2           a nonce is stale after that many uses
    next=1           each response has the next nonce
    wrong=1          the server's own proof is wrong
    userhash=1       user names are sent as hashes
    size=100000      the size of the response body in bytes
    quiet=1          the challenge doesn't mark an old nonce as stale
    gzip=1           the response is compressed with gzip
  /log               the requests so far, as JSON; a repeated proof gets the status 400
"""
import gzip
import hashlib
import json
import re
import secrets
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, unquote, urlsplit

HASHES = {"MD5": "md5", "SHA-256": "sha256", "SHA-512-256": "sha512_256"}
USERS = ["ann", 'Jäsøn "J" Doe']
PASSWORD = "geheim"
REALM = 'a "quoted" realm'
PARAMETER = re.compile(r'([\w*-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^,\s]+))')
LOCK = threading.Lock()
LOG, NONCES = [], {}


def make_nonce(session=None):
    nonce = secrets.token_hex(8)
    with LOCK:
        NONCES[nonce] = {"counts": set(), "session": session}
    return nonce


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        self.handle_one()

    do_POST = do_PUT = do_GET

    def read_body(self):
        if self.headers.get("Transfer-Encoding") == "chunked":
            body = b""
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
            return body
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def answer(self, status, body, fields):
        self.send_response(status)
        for name, value in fields:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def handle_one(self):
        body = self.read_body()
        url = urlsplit(self.path)
        if url.path == "/log":
            return self.answer(200, json.dumps(LOG).encode(), [("Content-Type", "application/json")])
        _, algorithms, qop, *_ = url.path.split("/")
        options = dict(parse_qsl(url.query))
        field = self.headers.get("Authorization")
        values = {}
        if field:
            field = field.encode("latin-1").decode()
            for name, quoted, bare in PARAMETER.findall(field):
                values[name] = re.sub(r"\\(.)", r"\1", quoted) or bare
        status, fields, text = self.judge(values, algorithms.split("+"), qop, options, body)
        entry = {"path": url.path, "status": status, "body": body.decode()}
        for name in ("nonce", "nc", "cnonce", "qop", "algorithm", "username", "username*"):
            entry[name] = values.get(name, "")
        with LOCK:
            LOG.append(entry)
        self.answer(status, text, fields)

    def judge(self, values, algorithms, qop, options, body):
        if not values:
            return self.challenge(algorithms, qop, options, False)
        algorithm = values.get("algorithm", "MD5")
        known = NONCES.get(values.get("nonce"))
        if algorithm not in algorithms or known is None:
            return self.challenge(algorithms, qop, options, not options.get("quiet"))

        def digest(text):
            data = text if isinstance(text, bytes) else text.encode()
            return hashlib.new(HASHES[algorithm.removesuffix("-sess")], data).hexdigest()

        user = self.user(values, digest, options)
        key = digest(f"{user}:{REALM}:{PASSWORD}")
        if algorithm.endswith("-sess"):
            with LOCK:
                known["session"] = known["session"] or (values["nonce"], values["cnonce"])
            key = digest(f"{key}:{known['session'][0]}:{known['session'][1]}")

        def proof(method, content):
            target = f"{method}:{values['uri']}"
            if values.get("qop") == "auth-int":
                target += f":{digest(content)}"
            parts = [key, values["nonce"]]
            if "qop" in values:
                parts += [values["nc"], values["cnonce"], values["qop"]]
            return digest(":".join(parts + [digest(target)]))

        accepted = {"both": ["auth", "auth-int"], "none": [None]}.get(qop, [qop])
        right = values.get("response") == proof(self.command, body) and user and values["uri"] == self.path
        if not right or values.get("qop") not in accepted:
            return self.challenge(algorithms, qop, options, False)
        with LOCK:
            count = int(values.get("nc", "0"), 16)
            if count in known["counts"] and "nc" in values:
                return 400, [], b"replayed"
            known["counts"].add(count)
            is_stale = len(known["counts"]) > int(options.get("uses", 1_000_000))
        if is_stale:
            return self.challenge(algorithms, qop, options, not options.get("quiet"))
        content = b"x" * int(options.get("size", 0)) or self.command.encode() + b" " + body
        fields = []
        if options.get("gzip"):
            content = gzip.compress(content)
            fields.append(("Content-Encoding", "gzip"))
        right_proof = "0" * 32 if options.get("wrong") else proof("", content)
        info = f'rspauth="{right_proof}"'
        if "qop" in values:
            info += f', qop={values["qop"]}, nc={values["nc"]}, cnonce="{values["cnonce"]}"'
        if options.get("next"):
            info += f', nextnonce="{make_nonce(known["session"])}"'
        return 200, fields + [("Authentication-Info", info)], content

    def user(self, values, digest, options):
        for user in USERS:
            if options.get("userhash"):
                if values.get("userhash") == "true" and values.get("username") == digest(f"{user}:{REALM}"):
                    return user
            elif unquote(values.get("username*", "").removeprefix("UTF-8''")) == user or values.get("username") == user:
                return user
        return None

    def challenge(self, algorithms, qop, options, stale):
        fields = [("WWW-Authenticate", 'Basic realm="other"')]
        for algorithm in algorithms:
            realm = REALM.replace('"', '\\"')
            text = f'Digest realm="{realm}", nonce="{make_nonce()}", opaque="op\\"aque", charset=UTF-8'
            if algorithm != "MD5":
                text += f", algorithm={algorithm}"
            if qop != "none":
                text += f', qop="{qop if qop != "both" else "auth, auth-int"}"'
            text += ", userhash=true" if options.get("userhash") else ""
            text += ", stale=true" if stale else ""
            fields.append(("WWW-Authenticate", text))
        return 401, fields, b"who are you?"


class Server(ThreadingHTTPServer):
    # Fifty connections arrive together; one that finds the queue full is lost for seconds.
    request_queue_size = 256


server = Server(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_port, flush=True)
sys.stdin.read()
