"""The spans and records that a store must be exported as by docs/otlp.md, read from its tables with sqlite3."""
import hashlib
import json
import sqlite3
import uuid
from urllib.parse import urlsplit

METHODS = {"CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE", "QUERY"}
PHASES = ["queued", "lookup", "connect", "secure", "waiting", "download"]
LEVELS = ["trace", "debug", "info", "notice", "warning", "error", "critical"]
SEVERITIES = [1, 5, 9, 10, 13, 17, 21]


def value(content):
    if isinstance(content, bool):
        return {"boolValue": content}
    if isinstance(content, int):
        return {"intValue": str(content)}
    if isinstance(content, float):
        return {"doubleValue": content}
    if isinstance(content, list):
        return {"arrayValue": {"values": [value(element) for element in content]}}
    if isinstance(content, dict):
        return {"kvlistValue": {"values": attributes(content)}}
    return {"stringValue": content}


def attributes(content):
    return [{"key": key, "value": value(content[key])} for key in sorted(content) if content[key] is not None]


def elements(record, full=False):
    """Returns the spans or records of a request; if `full`, with resource, scope and sorted attributes."""
    outer, inner, name = (
        ("resourceSpans", "scopeSpans", "spans") if record["path"] == "/v1/traces"
        else ("resourceLogs", "scopeLogs", "logRecords"))
    found = []
    for resource in record["body"][outer]:
        for scope in resource[inner]:
            for element in scope[name]:
                if full:
                    key = lambda attribute: attribute["key"]
                    element = dict(element, attributes=sorted(element["attributes"], key=key))
                    if "events" in element:
                        element["events"] = [dict(e, attributes=sorted(e["attributes"], key=key)) for e in element["events"]]
                    element["resource"] = sorted(resource["resource"]["attributes"], key=key)
                    element["scope"] = scope["scope"]["name"]
                found.append(element)
    return found


def span_id(uid, kind, number=0):
    return hashlib.sha256(uid + bytes([kind]) + number.to_bytes(4, "big")).hexdigest()[:16]


class Store:
    def __init__(self, file):
        self.connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
        self.connection.row_factory = sqlite3.Row
        self.names = dict(self.connection.execute("SELECT id, text FROM net_name").fetchall())
        self.runs = {row["id"]: self.resource(row) for row in self.connection.execute("SELECT * FROM net_run")}
        self.items = [dict(row) for row in self.connection.execute("SELECT * FROM net_item ORDER BY id")]
        self.attempts = {}
        for row in self.connection.execute("SELECT * FROM net_attempt ORDER BY item, number"):
            self.attempts.setdefault(row["item"], []).append(dict(row))
        self.calls = {item["uid"]: item for item in self.items if item["kind"] == 1}

    def name(self, number):
        return self.names.get(number)

    @staticmethod
    def resource(run):
        digest = bytearray(hashlib.sha256(
            f"{run['machine']}\n{run['pid']}\n{run['started_at']}\n{run['id']}".encode()).digest()[:16])
        digest[6], digest[8] = digest[6] & 0x0F | 0x80, digest[8] & 0x3F | 0x80
        return attributes({
            "service.name": run["process"], "service.version": run["version"], "process.pid": run["pid"],
            "service.instance.id": str(uuid.UUID(bytes=bytes(digest))), "swift_net.run": run["id"],
            "telemetry.sdk.name": "swift-net", "telemetry.sdk.language": "swift"})

    def attempts_of(self, item):
        if item["kind"] != 1:
            return []
        if item["id"] in self.attempts:
            return self.attempts[item["id"]]
        if not item["attempts"]:
            return []
        columns = [
            "status", "error", "phase", "message", "request_bytes", "response_bytes", "attempt_us", "version", "is_reused",
            "remote", "trace"] + [phase + "_us" for phase in PHASES]
        only = {column: item[column] for column in columns}
        return [dict(
            only, number=1, started_us=item["attempt_start_us"] or 0, ended_us=None, method=None, url=None,
            retry_reason=None, retry_delay_us=None)]

    def traces(self, item):
        """Returns trace, parent and flag of each attempt that sent them."""
        return [
            (attempt["trace"][:16] if len(attempt["trace"]) == 25 else item["uid"], attempt["trace"][-9:-1], attempt["trace"][-1])
            for attempt in self.attempts_of(item) if attempt["trace"]]

    def trace_of_call(self, uid):
        traces = self.traces(self.calls[uid]) if uid in self.calls else []
        return traces[-1][0] if traces else uid


class Spans(Store):
    def spans(self):
        makers = {1: self.call, 2: self.web_socket, 3: self.job}
        return [span for item in self.items if item["kind"] in makers for span in makers[item["kind"]](item)]

    def span(self, item, trace, identifier, name, kind, start, end, content, parent=None, sampled=1, error=None, message=None,
             links=(), events=()):
        if error:
            content["error.type"] = error
        span = {
            "traceId": trace.hex(), "spanId": identifier, "flags": 0x100 | sampled, "name": name, "kind": kind,
            "startTimeUnixNano": str(start * 1000), "endTimeUnixNano": str(max(start, end) * 1000),
            "attributes": attributes(content), "resource": self.runs[item["run"]], "scope": "swift-net"}
        if parent:
            span["parentSpanId"] = parent
        if error:
            span["status"] = {"code": 2, "message": message} if message else {"code": 2}
        if links:
            span["links"] = [{"traceId": trace.hex(), "spanId": other} for trace, other in links]
        if events:
            span["events"] = events
        return [span]

    @staticmethod
    def server(url):
        if url is None:
            return {}
        parts = urlsplit(url)
        port = parts.port or {"http": 80, "ws": 80, "https": 443, "wss": 443}[parts.scheme]
        host = parts.netloc.rsplit(":", 1)[0] if parts.port else parts.netloc
        return {"url.full": url, "server.address": host, "server.port": port}

    def request(self, method, url):
        known = method if method in METHODS else "_OTHER"
        return dict(self.server(url), **{
            "http.request.method": known, "http.request.method_original": method if known == "_OTHER" else None})

    def entry(self, item):
        tags = self.name(item["tags"])
        return {
            "swift_net.item": item["id"], "swift_net.operation": self.name(item["operation"]),
            "swift_net.name": self.name(item["name"]), "swift_net.tags": json.loads(tags) if tags else None}

    def error(self, item):
        """Returns the class and the message of the error of a call or a job."""
        status = str(item["status"]) if (item["status"] or 0) >= 400 else None
        code, message = self.name(item["error"]), item["message"]
        return {
            1: (None, None), 2: (status or code or "rejected", None), 3: (status or code or "failed", message if code else None),
            4: ("cancelled", message if code else None), 5: ("cutOff", "the process ended before")}[item["outcome"]]

    def title(self, method, operation):
        return " ".join([method if method in METHODS else "HTTP"] + ([operation] if operation else []))

    def call(self, item):
        traces, attempts = self.traces(item), self.attempts_of(item)
        trace, sampled = (traces[-1][0], traces[-1][2]) if traces else (item["uid"], 1)
        own, start = span_id(item["uid"], 1), item["started_at"]
        method, operation = self.name(item["method"]), self.name(item["operation"])
        error, message = self.error(item)
        ends = [
            start + (a["ended_us"] if a["ended_us"] is not None
                     else a["started_us"] + a["attempt_us"] if a["attempt_us"] is not None else item["duration_us"])
            for a in attempts]
        events = [
            {"timeUnixNano": str(end * 1000), "name": "retry", "attributes": attributes({
                "swift_net.retry.reason": self.name(a["retry_reason"]), "swift_net.retry.attempt": a["number"],
                "swift_net.retry.delay": a["retry_delay_us"] / 1e6})}
            for a, end in zip(attempts, ends) if a["retry_delay_us"] is not None]
        content = dict(self.request(method, item["url"]), **self.entry(item), **{
            "http.response.status_code": item["status"], "http.request.body.size": item["request_bytes"],
            "http.response.body.size": item["response_bytes"], "swift_net.call.attempts": item["attempts"] or 0,
            "swift_net.call.retries": item["retries"] or 0, "swift_net.cache.action": self.name(item["cache"]),
            "swift_net.cache.reason": self.name(item["cache_reason"]), "swift_net.error.phase": self.name(item["phase"])})
        links = [(item["owner"], span_id(item["owner"], 3))] if item["owner"] else []
        spans = self.span(
            item, trace, own, self.title(method, operation), 1, start, start + (item["duration_us"] or 0), content,
            sampled=sampled, error=error, message=message, links=links, events=events)
        for attempt, end in zip(attempts, ends):
            spans += self.attempt(item, attempt, end, trace, own, sampled)
        return spans

    def attempt(self, item, attempt, end, trace, call, sampled):
        own, identifier = trace, span_id(item["uid"], 1, attempt["number"])
        if attempt["trace"]:
            own = attempt["trace"][:16] if len(attempt["trace"]) == 25 else item["uid"]
            identifier, sampled = attempt["trace"][-9:-1].hex(), attempt["trace"][-1]
        method = self.name(attempt["method"]) or self.name(item["method"])
        status, code = attempt["status"], self.name(attempt["error"])
        host, _, port = (self.name(attempt["remote"]) or "").rpartition(":")
        content = dict(self.request(method, attempt["url"] or item["url"]), **{
            "http.response.status_code": status, "network.protocol.version": self.name(attempt["version"]),
            "http.request.resend_count": attempt["number"] - 1 or None, "network.peer.address": host or None,
            "network.peer.port": int(port) if port else None, "http.request.body.size": attempt["request_bytes"],
            "http.response.body.size": attempt["response_bytes"],
            "swift_net.connection.reused": None if attempt["is_reused"] is None else bool(attempt["is_reused"]),
            "swift_net.error.phase": self.name(attempt["phase"])})
        for phase in PHASES:
            time = attempt[phase + "_us"]
            content["swift_net.phase." + phase] = None if time is None else time / 1e6
        error = str(status) if (status or 0) >= 400 else code
        return self.span(
            item, own, identifier, self.title(method, self.name(item["operation"])), 3,
            item["started_at"] + attempt["started_us"], end, content, parent=call if own == trace else None, sampled=sampled,
            error=error, message=attempt["message"] if code else None, links=[] if own == trace else [(trace, call)])

    def web_socket(self, item):
        words = (item["detail"] or "").split(", ")
        content = dict(self.server(item["url"]), **self.entry(item), **{
            "swift_net.websocket.close_code": item["status"], "swift_net.websocket.bytes.sent": item["request_bytes"],
            "swift_net.websocket.bytes.received": item["response_bytes"]})
        for word in words:
            if word.startswith("subprotocol "):
                content["swift_net.websocket.subprotocol"] = word[12:]
            elif word.endswith(" messages sent"):
                content["swift_net.websocket.messages.sent"] = int(word[:-14])
            elif word.endswith(" received"):
                content["swift_net.websocket.messages.received"] = int(word[:-9])
        code = self.name(item["error"])
        error, message = ("cutOff", "the process ended before") if item["outcome"] == 5 else (code, item["message"])
        return self.span(
            item, self.trace_of_call(item["uid"]), span_id(item["uid"], 2), "WebSocket", 3, item["started_at"],
            item["started_at"] + item["duration_us"], content, parent=span_id(item["uid"], 1), error=error,
            message=message if error else None)

    def job(self, item):
        error, message = self.error(item)
        content = dict(self.server(item["url"]), **{
            "http.request.body.size": item["request_bytes"], "http.response.body.size": item["response_bytes"],
            "swift_net.item": item["id"], "swift_net.job.requests": item["attempts"] or 0, "swift_net.job.detail": item["detail"]})
        return self.span(
            item, item["uid"], span_id(item["uid"], 3), self.name(item["name"]) or "job", 1, item["started_at"],
            item["started_at"] + item["duration_us"], content, error=error, message=message)


def records(file):
    store, found = Store(file), []
    for item in store.items:
        if item["kind"] != 4:
            continue
        content = {"swift_net.item": item["id"]}
        if item["detail"]:
            try:
                content.update(json.loads(item["detail"]))
            except ValueError:
                content["swift_net.detail"] = item["detail"]
        record = {
            "timeUnixNano": str(item["started_at"] * 1000), "observedTimeUnixNano": str(item["started_at"] * 1000),
            "severityNumber": SEVERITIES[item["level"]], "severityText": LEVELS[item["level"]],
            "body": {"stringValue": item["message"]}, "attributes": attributes(content),
            "resource": store.runs[item["run"]], "scope": store.name(item["name"])}
        if item["owner"]:
            record["traceId"] = store.trace_of_call(item["owner"]).hex()
            record["spanId"] = span_id(item["owner"], 1)
        found.append(record)
    return found
