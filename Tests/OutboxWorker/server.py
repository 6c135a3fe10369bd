"""A server for the tests of the outbox: it honors Idempotency-Key, records its actions in an SQLite file, and may be killed.

    server.py PORT FILE

POST /act?line=K&number=N acts once for each Idempotency-Key: it appends a row to the table `act`, and the key to the table `seen`, in one
transaction. A repeated request gets the same response. Now and then a response is lost after the action.
"""
import random
import sqlite3
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

database = sqlite3.connect(sys.argv[2], check_same_thread=False, isolation_level=None)
# A killed process loses no written data; only a crash of the machine would.
database.execute("PRAGMA journal_mode = WAL")
database.execute("PRAGMA synchronous = OFF")
database.execute("CREATE TABLE IF NOT EXISTS act (id INTEGER PRIMARY KEY, line TEXT, number INTEGER, token TEXT, body TEXT)")
database.execute("CREATE TABLE IF NOT EXISTS seen (token TEXT PRIMARY KEY, repeats INTEGER NOT NULL DEFAULT 0)")
lock = threading.Lock()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        query = parse_qs(urlsplit(self.path).query)
        token = self.headers.get("Idempotency-Key")
        if token is None:
            return self.answer(400)
        with lock:
            database.execute("BEGIN IMMEDIATE")
            isNew = database.execute("INSERT OR IGNORE INTO seen (token) VALUES (?)", (token,)).rowcount == 1
            if isNew:
                database.execute(
                    "INSERT INTO act (line, number, token, body) VALUES (?, ?, ?, ?)",
                    (query["line"][0], int(query["number"][0]), token, body))
            else:
                database.execute("UPDATE seen SET repeats = repeats + 1 WHERE token = ?", (token,))
            database.execute("COMMIT")
        if random.random() < 0.02:
            # The action was done, but the client gets no response.
            self.close_connection = True
            self.connection.close()
            return
        self.answer(201)

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *arguments):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, address):
        pass


server = Server(("127.0.0.1", int(sys.argv[1])), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
