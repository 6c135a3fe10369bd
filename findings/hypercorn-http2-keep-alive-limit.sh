#!/usr/bin/env bash
# Hypercorn 0.18.0 (with h2 4.4.1) over HTTP/2: the request that exceeds `keep_alive_max_requests` (default 1,000) is passed to the
# application, and gets no response.
#
# Hypercorn responds to that request with a GOAWAY whose last stream is the request's own, so for the client it counts as processed (RFC 9113
# section 6.8). With the GOAWAY, h2's state machine is closed: when the application responds, h2 refuses to send the response, and
# hypercorn drops that error. So of a connection of 1,001 requests one is lost after it took effect, and a client that follows the RFC can
# repeat it only if it is idempotent. Over HTTP/1.1, the last response of a connection says `Connection: close`, and nothing is lost.
#
# Seen with httpx 0.28.1, a limit of 3 and 12 POSTs one after the other: 3 of the 12 fail, and the application has seen all 12.
set -euo pipefail
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check hypercorn==0.18.0 h2==4.4.1 'httpx[http2]==0.28.1'
cat >"$folder/app.py" <<'EOF'
async def app(scope, receive, send):
    if scope["type"] != "http":
        return
    while (await receive()).get("more_body"):
        pass
    print("seen", flush=True)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})
EOF
cat >"$folder/client.py" <<'EOF'
import sys
import httpx

lost = 0
with httpx.Client(http1=False, http2=True, timeout=5) as client:
    for _ in range(12):
        try:
            assert client.post(f"http://127.0.0.1:{sys.argv[1]}/", content=b"hello").status_code == 200
        except httpx.HTTPError as error:
            lost += 1
            print(type(error).__name__, error, file=sys.stderr)
print(lost)
EOF
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
echo "keep_alive_max_requests = 3" >"$folder/settings.toml"
(cd "$folder" && exec python/bin/hypercorn --bind "127.0.0.1:$port" --config settings.toml app:app >seen 2>log) &
server=$!
for _ in $(seq 100); do
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && break
    sleep 0.1
done
lost=$("$folder/python/bin/python" "$folder/client.py" "$port")
seen=$(grep -c seen "$folder/seen" || true)
echo "$lost of 12 got no response; the application has seen $seen"
[ "$lost" -eq 3 ] && [ "$seen" -eq 12 ]
