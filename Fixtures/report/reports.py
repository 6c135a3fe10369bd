"""Reports in a browser: makes them from stores, changes their data and opens them."""
import gzip
import json
import re
import subprocess

LIST = re.compile(r'(<script type="application/octet-stream" id="list" data-size=")(\d+)(">)([^<]*)(</script>)')
ALPHABET = [code for code in range(0x21, 0x7F) if code not in (0x26, 0x3C, 0x3E)]
VALUES = {code: value for value, code in enumerate(ALPHABET)}


def decoded(text, count):
    """Returns the bytes of a text that has 13 bits in every two characters."""
    bits = size = 0
    result = bytearray()
    for index in range(0, len(text) - 1, 2):
        bits |= (VALUES[ord(text[index])] * 91 + VALUES[ord(text[index + 1])]) << size
        size += 13
        while size >= 8:
            result.append(bits & 255)
            bits >>= 8
            size -= 8
    return bytes(result[:count])


def encoded(data):
    bits = size = 0
    result = []

    def add(value):
        result.append(chr(ALPHABET[value // 91]) + chr(ALPHABET[value % 91]))

    for byte in data:
        bits |= byte << size
        size += 8
        if size >= 13:
            add(bits & 0x1FFF)
            bits >>= 13
            size -= 13
    if size:
        add(bits)
    return "".join(result)


class Reports:
    def __init__(self, folder, program, writer, browser):
        self.folder, self.program, self.writer, self.browser = folder, program, writer, browser
        self.problems = []
        self.requests = []

    def make(self, name, *arguments, data=None):
        """Makes NAME.html from NAME.sqlite; `data` changes the data of the page's list."""
        path = self.folder / f"{name}.html"
        result = subprocess.run(
            [self.program, "report", self.folder / f"{name}.sqlite", "-o", path, *arguments], capture_output=True, text=True)
        if result.returncode != 0:
            raise AssertionError(result.stderr)
        if data:
            html = path.read_text()
            found = LIST.search(html)
            values = json.loads(gzip.decompress(decoded(found[4], int(found[2]))))
            data(values)
            compressed = gzip.compress(json.dumps(values).encode())
            block = f"{found[1]}{len(compressed)}{found[3]}{encoded(compressed)}{found[5]}"
            path.write_text(html[:found.start()] + block + html[found.end():])
        return path

    def open(self, name, fragment="", width=1280, height=800, theme="light", motion="no-preference", script=None):
        context = self.browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=theme, reduced_motion=motion,
            permissions=["clipboard-read", "clipboard-write"])
        page = context.new_page()
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda message: self.problems.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (self.problems.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        if script:
            page.add_init_script(script)
        page.goto(name if name.startswith("http://") else f"file://{self.folder}/{name}.html{fragment}")
        page.wait_for_function("() => document.documentElement.dataset.state !== 'loading'", timeout=20000)
        state = page.evaluate("document.documentElement.dataset.state")
        if state != "ready":
            raise AssertionError(f"the page is {state}: {page.text_content('#made')}")
        return page


def filter_by(page, text):
    """Types a filter, and waits for its result. Returns the problem that the page shows, or None."""
    if "\n" in text or "\r" in text:
        # A text field for one line doesn't accept line breaks, but a link does.
        page.evaluate("text => { location.hash = new URLSearchParams({ filter: text }); }", text)
    else:
        page.fill("#filter", text)
    page.wait_for_function(
        "text => document.documentElement.dataset.filtered === text || !document.getElementById('problem').hidden",
        arg=text, timeout=20000)
    return None if page.is_hidden("#problem") else page.text_content("#problem")


def figure(page):
    """Returns the numbers of entries shown and of all entries."""
    shown, total = page.text_content("#figure").replace(",", "").split(" of ")
    return int(shown), int(total)


def row(page, place):
    """Returns the row of the list at a position, from 0."""
    return page.locator(f".row[data-place='{place}']:visible")


def focused(page):
    return page.evaluate("document.activeElement.id || document.activeElement.className || document.activeElement.tagName")


def clipboard(page):
    return page.evaluate("navigator.clipboard.readText()")
