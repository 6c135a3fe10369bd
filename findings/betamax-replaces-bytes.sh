#!/usr/bin/env bash
# Betamax 0.9.0 (requests 2.34.2, urllib3 2.8.0) records a binary response without Content-Encoding as text, in which each byte that
# isn't UTF-8 has become U+FFFD. The program that records gets that text too: the size no longer agrees with Content-Length,
# and reading the response fails while recording, though the server sent it whole.
#
# Only a response with the header Content-Encoding: gzip is kept as bytes. With preserve_exact_body_bytes, everything is, and the call succeeds. A
# cassette that was recorded without it by an older urllib3, which didn't compare the sizes, has lost the bytes: a body with
# U+FFFD and another size than its Content-Length can't be replayed.
#
# Seen: ChunkedEncodingError for 256 bytes, of which 128 aren't ASCII; with the option, the 256 bytes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check betamax==0.9.0 requests==2.34.2 urllib3==2.8.0
cat >"$folder/run.py" <<'EOF'
import http.server
import sys
import threading

import betamax
import requests

PICTURE = bytes(range(256))


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *arguments):
        pass

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "image/png")
        self.send_header("Content-Length", str(len(PICTURE)))
        self.end_headers()
        self.wfile.write(PICTURE)


server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
for exact in (False, True):
    with betamax.Betamax.configure() as config:
        config.cassette_library_dir = sys.argv[1]
        config.default_cassette_options["preserve_exact_body_bytes"] = exact
    session = requests.Session()
    try:
        with betamax.Betamax(session).use_cassette(f"exact-{exact}", record="all"):
            content = session.get(f"http://127.0.0.1:{server.server_port}/picture").content
            print("whole" if content == PICTURE else "other bytes", end=" ")
    except requests.exceptions.RequestException as error:
        print(type(error).__name__, end=" ")
EOF
seen=$("$folder/python/bin/python" "$folder/run.py" "$folder")
echo "by default, and with preserve_exact_body_bytes: $seen"
[ "$seen" = "ChunkedEncodingError whole " ]
