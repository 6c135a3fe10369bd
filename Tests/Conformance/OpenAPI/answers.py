"""A server that responds to the operations of OpenAPI documents from a table, and checks the requests."""
import email.parser
import email.policy
import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, unquote

METHODS = ["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE", "QUERY"]


class Row:
    """One operation of the table."""

    def __init__(self, entry):
        self.entry = entry
        pattern = ""
        literal = 0
        for kind, text in entry["path"]:
            pattern += re.escape(text) if kind == "literal" else "([^/]+)"
            literal += len(text) if kind == "literal" else 0
        self.pattern = re.compile(pattern if pattern.startswith("/") else "/" + pattern)
        self.literal = literal

    def matches(self, method, path):
        return method == self.entry["method"] and self.pattern.fullmatch(path) is not None

    def problems(self, handler, query, body):
        """Yields the problems of a call, a sentence for each."""
        names = [name for name, _ in parse_qsl(query, keep_blank_values=True)]
        for name in self.entry["query"]:
            if not any(seen == name or seen.startswith(name + "[") for seen in names):
                yield f"the query has no {name}"
        for name in self.entry["headers"]:
            if handler.headers.get(name) is None:
                yield f"there is no field {name}"
        cookies = [pair.strip().split("=", 1)[0] for pair in (handler.headers.get("Cookie") or "").split(";")]
        for name in self.entry["cookies"]:
            if name not in [unquote(cookie) for cookie in cookies]:
                yield f"there is no cookie {name}"
        yield from self.body_problems(handler, body)

    def body_problems(self, handler, body):
        expected = self.entry["body"]
        if expected is None:
            if body:
                yield f"the request has a body of {len(body)} bytes, but none is declared"
            return
        content_type = handler.headers.get("Content-Type") or ""
        essence = content_type.split(";")[0].strip().lower()
        declared = (expected["contentType"] or "").split(";")[0].strip().lower()
        if declared and essence != declared:
            yield f"the content type is {content_type!r}, not {declared!r}"
        if not body:
            yield "the body is empty"
        elif expected["kind"] == "json":
            try:
                value = json.loads(body)
                if value != expected["value"]:
                    yield f"the body is {value}, not {expected['value']}"
            except ValueError as error:
                yield f"the body is no JSON: {error}"
        elif expected["kind"] == "form":
            try:
                parse_qsl(body.decode(), keep_blank_values=True, strict_parsing=True)
            except ValueError as error:
                yield f"the body is no form: {error}"
        elif expected["kind"] == "multipart":
            yield from self.part_problems(content_type, body, expected["parts"])

    @staticmethod
    def part_problems(content_type, body, names):
        parser = email.parser.BytesParser(policy=email.policy.HTTP)
        message = parser.parsebytes(b"Content-Type: " + content_type.encode() + b"\r\n\r\n" + body)
        if not message.is_multipart():
            yield "the body has no parts"
            return
        seen = [part.get_param("name", header="content-disposition") for part in message.iter_parts()]
        for name in names:
            if name not in seen:
                yield f"there is no part {name}"


class AnswerServer:
    """Serves the tables of several documents, each below /ID, on a free port of 127.0.0.1."""

    def __init__(self, tables):
        self.tables = {identifier: [Row(entry) for entry in entries] for identifier, entries in tables.items()}
        self.calls = {}
        self.problems = {}
        self.lock = threading.Lock()

    def __enter__(self):
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler_class(self))
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def judge(self, handler, method, target, body):
        """Returns the row of a call, and True if the call has no problems."""
        path, _, query = target.partition("?")
        identifier, _, rest = path.lstrip("/").partition("/")
        identifier = unquote(identifier)
        candidates = [row for row in self.tables.get(identifier, []) if row.matches(method, unquote_literal("/" + rest))]
        if not candidates:
            with self.lock:
                self.problems.setdefault(identifier, []).append(f"no operation is {method} {target}")
            return None, False
        # The most literal path counts; of several equal ones, the one with the fewest calls so far.
        best = max(row.literal for row in candidates)
        candidates = [row for row in candidates if row.literal == best]
        with self.lock:
            row = min(candidates, key=lambda row: self.calls.get((identifier, row.entry["operation"]), 0))
        found = [f"{row.entry['operation']}: {problem}" for problem in row.problems(handler, query, body)]
        with self.lock:
            key = (identifier, row.entry["operation"])
            self.calls[key] = self.calls.get(key, 0) + 1
            self.problems.setdefault(identifier, []).extend(found)
        return row, not found


def unquote_literal(path):
    """Returns the decoded path; slashes within a value become division slashes."""
    return "/".join(unquote(segment).replace("/", "\u2215") for segment in path.split("/"))


def handler_class(answers):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_call(self):
            body = self.read_body()
            row, is_good = answers.judge(self, self.command, self.path, body)
            if row is None or not is_good:
                return self.answer(470, "text/plain", b"the call is not what the document says")
            answer = row.entry["answer"]
            self.answer(answer["status"], answer["contentType"], answer["body"].encode())

        def read_body(self):
            if (self.headers.get("Transfer-Encoding") or "").lower() == "chunked":
                body = b""
                while size := int(self.rfile.readline().split(b";")[0], 16):
                    body += self.rfile.read(size)
                    self.rfile.readline()
                while self.rfile.readline().strip():
                    pass
                return body
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))

        def answer(self, status, content_type, body):
            self.send_response(status)
            if content_type:
                self.send_header("Content-Type", content_type)
            if status != 204:
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if status != 204:
                self.wfile.write(body)

        def log_message(self, *_):
            pass

    for method in METHODS:
        setattr(Handler, "do_" + method, Handler.handle_call)
    return Handler
