"""Reads what the calls have led to, and searches it."""
import base64
import binascii
import gzip
import re
import sqlite3
import subprocess
from pathlib import Path

from places import DIGITS, MARK

PLANTED = re.compile(f"{MARK}[A-Za-z0-9]{{15}}|{DIGITS}[0-9]{{11}}".encode())
PRINTABLE = {chr(code): value for value, code in enumerate(c for c in range(0x21, 0x7f) if chr(c) not in "&<>")}


def report_texts(page):
    """Yields the data of a report, which is compressed in its page."""
    yield page.encode()
    for size, text in re.findall(r'<script type="application/octet-stream" id="[^"]*" data-size="(\d+)">([^<]*)</script>', page):
        bits = count = 0
        data = bytearray()
        for first, second in zip(text[::2], text[1::2]):
            bits |= (PRINTABLE[first] * 91 + PRINTABLE[second]) << count
            count += 13
            while count >= 8 and len(data) < int(size):
                data.append(bits & 0xff)
                bits >>= 8
                count -= 8
        yield gzip.decompress(bytes(data))


def database_texts(file):
    """Yields the bodies of a database, which are compressed in its file."""
    connection = sqlite3.connect(f"file:{file}?mode=ro&immutable=1", uri=True)
    try:
        for compressed, data in connection.execute("SELECT is_compressed, data FROM net_body"):
            yield gzip.decompress(data) if compressed else bytes(data)
    except sqlite3.OperationalError:
        # An outbox has no such table.
        pass
    finally:
        connection.close()


def with_base64(data):
    """Returns the bytes, and after them the decoded contents of everything that looks like base64."""
    decoded = []
    for run in re.findall(rb"[A-Za-z0-9+/_-]{16,}={0,2}", data):
        text = run.rstrip(b"=").replace(b"-", b"+").replace(b"_", b"/")
        try:
            decoded.append(base64.b64decode(text + b"=" * (-len(text) % 4)))
        except binascii.Error:
            continue
    return data + b"\n[decoded] " + b"\n".join(decoded)


def texts_of(file):
    if file.suffix == ".html":
        yield from report_texts(file.read_text())
        return
    yield file.read_bytes()
    if file.suffix == ".sqlite":
        yield from database_texts(file)


class Output:
    """Everything that one output contains."""

    def __init__(self, folder):
        self.name = folder.name
        files = sorted(file for file in folder.rglob("*") if file.is_file())
        self.data = with_base64(b"\n".join(text for file in files for text in texts_of(file)))
        self.planted = set(PLANTED.findall(self.data))

    def has(self, text):
        """True if a text is there. Planted pieces are looked up, because there are thousands of them."""
        text = text.encode()
        return text in self.planted if PLANTED.fullmatch(text) else text in self.data

    def shows(self, text):
        """True if a text is there in any form, such as with escaped characters."""
        return re.search(rb".{0,12}?".join(run.encode() for run in re.findall(r"[A-Za-z0-9]+", text)), self.data) is not None

    def context(self, text):
        """Returns what stands around a text, at most 60 characters; nil if the text isn't there."""
        place = self.data.find(text.encode())
        if place < 0:
            return None
        around = self.data[max(0, place - 30):place + 30].decode("utf-8", "replace")
        return "".join(character if character.isprintable() else "·" for character in around)


def write_reports(folder, activity, log):
    """Writes what net-activity makes of the files of a run; returns the problem if it fails."""
    commands = [
        ("report", ["report", folder / "store/store.sqlite", "-o", folder / "report/report.html"]),
        ("report-har", ["report", folder / "cassette-har/cassette.har", "-o", folder / "report-har/report.html"]),
        ("report-cassette", ["report", folder / "cassette/cassette.json", "-o", folder / "report-cassette/report.html"]),
        ("list", ["list", folder / "store/store.sqlite", "--limit", "1000", "--json"]),
    ]
    for output, arguments in commands:
        (folder / output).mkdir(exist_ok=True)
        done = subprocess.run([activity, *map(str, arguments)], capture_output=True, timeout=120)
        (folder / output / "printed.txt").write_bytes(done.stdout + done.stderr)
        log.write(done.stderr)
        if done.returncode:
            return f"net-activity {arguments[0]}: {done.stderr.decode('utf-8', 'replace').strip()[-200:]}"
    return None


def read(folder):
    """Returns the outputs of a run by name."""
    return {place.name: Output(place) for place in sorted(Path(folder).iterdir()) if place.is_dir()}
