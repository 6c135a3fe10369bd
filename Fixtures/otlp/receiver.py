#!/usr/bin/env python3
"""A collector for scripts/conformance otlp: parses each request strictly, appends accepted requests to a file before it
responds, and fails on demand.

Usage: receiver.py PORT FOLDER SEED MODE

MODE is `calm` (accepts), `faulty` (every second response is one of the faults) or `count` (counts spans without reading
them). The script writes files to FOLDER with a line for each request: `accepted.jsonl` for accepted requests, `refused.jsonl`
for permanently rejected ones, `dropped.jsonl` for those accepted without a response, and `invalid.jsonl` for those that aren't OTLP.
"""
import base64
import gzip
import json
import os
import random
import re
import socket
import struct
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock

from google.protobuf import json_format
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

PORT, FOLDER, SEED, MODE = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4]
REQUESTS = {"/v1/traces": ExportTraceServiceRequest, "/v1/logs": ExportLogsServiceRequest}
IDS = {"traceId": 32, "spanId": 16, "parentSpanId": 16}
RETRYABLE = ["500", "502", "503", "504", "503-after", "429-after", "drop", "drop-after", "reset", "half", "garbage", "long"]
FINAL = ["400", "partial"]
random.seed(SEED)
lock = Lock()
counted = 0


def with_base64(value):
    """Converts OTLP's hexadecimal IDs to base64, as the JSON of protocol buffers encodes bytes."""
    if isinstance(value, list):
        return [with_base64(element) for element in value]
    if not isinstance(value, dict):
        return value
    result = {}
    for key, element in value.items():
        if key in IDS:
            if not re.fullmatch(f"[0-9a-f]{{{IDS[key]}}}", element) or not element.strip("0"):
                raise ValueError(f"{key} is {element!r}")
            element = base64.b64encode(bytes.fromhex(element)).decode()
        result[key] = with_base64(element)
    return result


def check(value, path):
    """Checks the requirements of the JSON encoding that the parser doesn't check."""
    if isinstance(value, dict):
        for key, element in value.items():
            if "_" in key:
                raise ValueError(f"{key} is not in lowerCamelCase")
            if key in ("intValue", "startTimeUnixNano", "endTimeUnixNano", "timeUnixNano") and not isinstance(element, str):
                raise ValueError(f"{key} is not decimal text")
            if key in ("kind", "code", "severityNumber", "flags") and not isinstance(element, int):
                raise ValueError(f"{key} is not an integer")
            check(element, path)
    elif isinstance(value, list):
        for element in value:
            check(element, path)


def parse(path, body):
    value = json.loads(body)
    check(value, path)
    message = REQUESTS[path]()
    json_format.Parse(json.dumps(with_base64(value)), message, ignore_unknown_fields=False)
    # Serializing the message and parsing the bytes again must give an equal message.
    again = REQUESTS[path]()
    again.ParseFromString(message.SerializeToString())
    if again != message:
        raise ValueError("the message isn't the same after serializing and parsing it")
    return value


def append(name, record):
    with lock, open(os.path.join(FOLDER, name), "a") as file:
        file.write(json.dumps(record) + "\n")
        file.flush()
        os.fsync(file.fileno())


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *arguments):
        pass

    def respond(self, status, body=b"{}", **fields):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.respond(200, json.dumps({"spans": counted}).encode())

    def do_POST(self):
        global counted
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        if MODE == "count":
            with lock:
                counted += body.count(b'"spanId"') - body.count(b'"links":[')
            return self.respond(200)
        try:
            if self.headers["Content-Type"] != "application/json":
                raise ValueError(f"the type is {self.headers['Content-Type']}")
            value = parse(self.path, body)
        except Exception as error:
            append("invalid.jsonl", {"error": f"{type(error).__name__}: {error}"[:2000]})
            return self.respond(400, json.dumps({"message": "not OTLP"}).encode())
        record = {"path": self.path, "authorization": self.headers.get("Authorization"), "body": value}
        fault = None
        if MODE == "faulty":
            with lock:
                if random.random() < 0.5:
                    fault = random.choice(RETRYABLE if random.random() < 0.9 else FINAL)
        self.answer(fault, record)

    def answer(self, fault, record):
        if fault is None:
            append("accepted.jsonl", record)
            self.respond(200)
        elif fault == "400":
            append("refused.jsonl", record)
            self.respond(int(fault), b'{"message":"cannot take it"}')
        elif fault == "partial":
            # The last span or record is rejected.
            outer, inner, name = (
                ("resourceSpans", "scopeSpans", "spans") if self.path == "/v1/traces"
                else ("resourceLogs", "scopeLogs", "logRecords"))
            rejected = record["body"][outer][-1][inner][-1][name].pop()
            single = {outer: [{"resource": record["body"][outer][-1]["resource"], inner: [{name: [rejected]}]}]}
            append("accepted.jsonl", record)
            append("refused.jsonl", {"path": self.path, "body": single})
            count = "rejectedSpans" if self.path == "/v1/traces" else "rejectedLogRecords"
            self.respond(200, json.dumps({"partialSuccess": {count: "1", "errorMessage": "too old"}}).encode())
        elif fault.endswith("-after") and fault[0].isdigit():
            self.respond(int(fault[:3]), b"", Retry_After="1" if random.random() < 0.3 else "0")
        elif fault.isdigit():
            self.respond(int(fault), b"")
        elif fault == "garbage":
            self.respond(200, random.choice([b"<html>log in</html>", b"[1]", b'{"partialSuccess":', b"\x00\xff"]))
        elif fault == "long":
            self.respond(200, b" " * (1 << 20))
        elif fault == "half":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{")
            self.end()
        elif fault == "drop-after":
            # Accepted, but the client never gets the response.
            append("accepted.jsonl", record)
            append("dropped.jsonl", {"path": self.path})
            self.end()
        else:
            self.end(resets=fault == "reset")

    def end(self, resets=False):
        self.close_connection = True
        if resets:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        else:
            self.wfile.flush()
            self.connection.shutdown(socket.SHUT_RDWR)
        self.connection.close()


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, address):
        pass


Server(("127.0.0.1", PORT), Handler).serve_forever()
