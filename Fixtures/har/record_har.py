"""Makes real calls with curl through mitmdump, which saves them as HAR.

usage: record_har.py MITMDUMP CALLS OUTPUT

CALLS is a file with a list of curl's arguments for each call. Ends with 0 once the HAR is written.
"""
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CURL = ["curl", "-sS", "--max-time", "60", "-o", os.devnull, "--noproxy", ""]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port, process):
    end = time.monotonic() + 90
    while time.monotonic() < end and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.1)
    sys.exit("mitmdump didn't listen")


def end(process):
    """Ends mitmdump, which then writes its file. It must never outlive this script, whatever signals the script was started with."""
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(timeout=60)
    except subprocess.TimeoutExpired:
        process.kill()
        sys.exit("mitmdump didn't end")


def main():
    # The parent may have blocked signals, and children inherit that.
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    program, calls, output = sys.argv[1:4]
    calls = json.loads(Path(calls).read_text())
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [program, "-q", "--listen-host", "127.0.0.1", "--listen-port", str(port), "--set", f"hardump={output}",
             "--set", f"confdir={folder}"], stdin=subprocess.DEVNULL)
        try:
            wait_for(port, process)
            for arguments in calls:
                subprocess.run([*CURL, "-x", f"http://127.0.0.1:{port}", *arguments], check=False, timeout=90)
        finally:
            end(process)
    if not Path(output).is_file():
        sys.exit("mitmdump wrote no HAR")


if __name__ == "__main__":
    main()
