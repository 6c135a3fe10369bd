"""Checks `net-activity serve`: the page keeps up with programs that write, and no one else can read it."""
import contextlib
import http.server
import sqlite3
import subprocess
import threading
import time
import urllib.error
import urllib.request

from checks import expect
from reports import figure, filter_by, row
from figures import WATCH

BEFORE, CALLS, RATE = 500, 20_000, 500


def run(checks, reports, pictures):
    checks.run("serve says in its first line where the page is", lambda: starting(reports))
    checks.run("20,000 calls at 500 a second, two browsers, a writer that is killed", lambda: crowd(reports, pictures))
    checks.run("entries under way are there, and change when they end", lambda: under_way(reports))
    checks.run("the entry being read stays in place while entries arrive", lambda: staying(reports))
    checks.run("a filter for bodies finds arriving entries", lambda: bodies(reports))
    checks.run("the page says when the server has ended, and continues when it is back", lambda: interrupted(reports))
    checks.run("a store of many entries starts again with the newest", lambda: anew(reports))
    checks.run("hostile texts run nothing in a live page either", lambda: hostile(reports))
    checks.run("a page of another origin reads nothing", lambda: foreign(reports))
    checks.run("a name that resolves to this machine reads nothing", lambda: rebinding(reports))
    checks.run("nothing but GET, nothing without the token", lambda: refused(reports))


class Served:
    """A server of a store, and a program that writes into it."""

    def __init__(self, reports, name, *arguments):
        self.reports, self.store = reports, reports.folder / f"{name}.sqlite"
        # Stores with other names exist already.
        if name.startswith("live-"):
            for path in reports.folder.glob(f"{name}.sqlite*"):
                path.unlink()
            self.write(BEFORE, 100_000).wait()
        self.arguments = arguments
        self.server = None
        self.start()

    def start(self):
        self.server = subprocess.Popen(
            [self.reports.program, "serve", self.store, *self.arguments], stdout=subprocess.PIPE, text=True)
        self.link = self.server.stdout.readline().strip()
        self.port = self.link.split(":")[2].split("/")[0]

    def write(self, count, rate):
        return subprocess.Popen(
            [self.reports.writer, "--live", self.store, self.reports.folder / "bodies.json", str(count), str(rate)])

    def open(self, fragment="", **options):
        return self.reports.open(self.link + fragment, **options)

    def stored(self):
        """The number of finished entries."""
        with contextlib.closing(sqlite3.connect(f"file:{self.store}?mode=ro", uri=True)) as database:
            return database.execute("SELECT count(*) FROM net_item").fetchone()[0]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.kill()
        self.server.wait()


def until(page, condition, what, seconds=20):
    deadline = time.monotonic() + seconds
    while not condition():
        expect(time.monotonic() < deadline, f"{what} after {seconds} s: {page.text_content('#figure')}, {page.text_content('#made')}")
        page.wait_for_timeout(100)


def starting(reports):
    with Served(reports, "live-start") as served:
        expect(served.link.startswith("http://127.0.0.1:") and len(served.link.split("/")[3]) == 32, served.link)
        page = served.open()
        until(page, lambda: page.evaluate("document.documentElement.dataset.live") == "live", "it isn't live")
        expect(figure(page) == (BEFORE, BEFORE), f"{figure(page)} of {BEFORE}")
        page.context.close()


def crowd(reports, pictures):
    with Served(reports, "live-crowd") as served:
        pages = [served.open(script=WATCH), served.open(width=390, theme="dark", script=WATCH)]
        for page in pages:
            until(page, lambda: page.evaluate("document.documentElement.dataset.live") == "live", "it isn't live")
        begin = time.monotonic()
        writer = served.write(CALLS // 2, RATE)
        lags = []
        while writer.poll() is None and time.monotonic() - begin < CALLS / RATE / 2 - 5:
            pages[0].wait_for_timeout(1000)
            lags.append(served.stored() - figure(pages[0])[1])
        writer.kill()
        writer.wait()
        second = served.write(CALLS // 2, RATE)
        while second.poll() is None:
            pages[0].wait_for_timeout(1000)
            if pictures and second.poll() is None:
                for page, size in zip(pages, ["1280", "390"]):
                    page.screenshot(path=pictures / f"live-{size}.png")
        # The second writer closed the unfinished entries of the first one when it opened the store.
        total = served.stored()
        for page in pages:
            until(page, lambda: figure(page)[1] == total, f"not all {total} entries are there")
        tasks = [max([0, *page.evaluate("window.tasks")]) for page in pages]
        cut = filter_by(pages[0], "~error cutOff") or figure(pages[0])[0]
        expect(cut and max(tasks) < 300, f"{cut} cut off, longest tasks {tasks} ms")
        for page in pages:
            page.context.close()
        return f"{total} entries, at most {max(lags)} behind, {cut} cut off, longest tasks {tasks} ms"


def under_way(reports):
    with Served(reports, "live-running") as served:
        page = served.open("#filter=~q%20!~e")
        until(page, lambda: page.evaluate("document.documentElement.dataset.live") == "live", "it isn't live")
        writer = served.write(200, 50)
        until(page, lambda: figure(page)[0] > 0, "nothing is under way")
        writer.wait()
        until(page, lambda: figure(page)[0] == 0, "something is still under way")
        until(page, lambda: figure(page)[1] == BEFORE + 200, "not all entries are there")
        page.context.close()


def staying(reports):
    with Served(reports, "live-staying") as served:
        page = served.open(width=1280)
        until(page, lambda: page.evaluate("document.documentElement.dataset.live") == "live", "it isn't live")
        page.evaluate("document.getElementById('scroller').scrollTop = 6000")
        page.wait_for_timeout(200)
        middle = "() => document.elementFromPoint(300, 500).closest('.row')?.dataset.id"
        before = page.evaluate(middle)
        # Runs after each frame is painted.
        page.evaluate("""([middle, before]) => {
          window.moved = 0;
          const look = eval(middle);
          const frame = () => requestAnimationFrame(() => setTimeout(() => {
            if (look() !== before) window.moved += 1;
            frame();
          }, 0));
          frame();
        }""", [middle, before])
        served.write(400, 100).wait()
        until(page, lambda: figure(page)[1] == BEFORE + 400, "not all entries are there")
        expect(page.evaluate("window.moved") <= 1, f"it moved {page.evaluate('window.moved')} times")
        expect(page.evaluate(middle) == before, "another entry is there")
        page.locator(f".row[data-id='{before}']").click()
        page.keyboard.press("3")
        page.wait_for_function("() => document.getElementById('detail').textContent.includes('cache-control: no-store') || document.getElementById('detail').textContent.includes('no-store')")
        page.context.close()


def bodies(reports):
    with Served(reports, "live-bodies") as served:
        page = served.open()
        until(page, lambda: page.evaluate("document.documentElement.dataset.live") == "live", "it isn't live")
        expect(filter_by(page, "~hs envoy") is None, "the filter is wrong")
        until(page, lambda: figure(page) == (BEFORE, BEFORE), "not all have the header")
        served.write(300, 100).wait()
        until(page, lambda: figure(page) == (BEFORE + 300, BEFORE + 300), "not all new ones have it")
        page.context.close()


def interrupted(reports):
    with Served(reports, "live-interrupted") as served:
        page = served.open()
        until(page, lambda: page.evaluate("document.documentElement.dataset.live") == "live", "it isn't live")
        served.server.kill()
        served.server.wait()
        until(page, lambda: "lost" in page.text_content("#made"), "it doesn't say so")
        served.arguments = ["--port", served.port]
        served.start()
        until(page, lambda: "ended" in page.text_content("#made"), "another server's page goes on")
        page.context.close()
        reports.problems[:] = [text for text in reports.problems if "Failed to load resource" not in text]


def anew(reports):
    with Served(reports, "live-anew", "--limit", "100") as served:
        page = served.open("#filter=~op%20getUser")
        until(page, lambda: page.evaluate("document.documentElement.dataset.live") == "live", "it isn't live")
        expect(figure(page)[1] == 100, f"{figure(page)} at the beginning")
        served.write(7000, 100_000).wait()
        until(page, lambda: 100 < served.stored() and page.evaluate("document.documentElement.dataset.live") == "live", "it isn't live")
        until(page, lambda: row(page, 0).count() > 0 and "/live/" in row(page, 0).text_content(), "nothing is shown")
        expect(page.input_value("#filter") == "~op getUser" and figure(page)[0] > 0, f"{figure(page)}")
        page.context.close()


def hostile(reports):
    """Code that runs opens a dialog, sends a request or writes to the console, and each of these fails the whole set."""
    with Served(reports, "hostile") as served:
        page = served.open()
        until(page, lambda: page.evaluate("document.documentElement.dataset.live") == "live", "it isn't live")
        listed = figure(page)[0]
        expect(listed > 0, "nothing is listed")
        page.keyboard.press("j")
        for place in range(min(listed, 40)):
            page.keyboard.press("j")
            page.keyboard.press("Enter")
            page.keyboard.press(str(1 + place % 7))
            page.keyboard.press("Escape")
        wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
        expect(not wide, "the layout is wider than the page")
        page.context.close()


def foreign(reports):
    """A server on another port is another origin, even if it knows the token."""
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>elsewhere</title>")

        def log_message(self, *_):
            pass

    other = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=other.serve_forever, daemon=True).start()
    with Served(reports, "live-foreign") as served:
        context = reports.browser.new_context()
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{other.server_port}/")
        text = page.evaluate("""async link => {
          const results = [];
          for (const mode of ['cors', 'no-cors']) {
            try {
              const response = await fetch(link + 'list', { mode });
              results.push(`${response.status} ${(await response.text()).length}`);
            } catch (error) { results.push('failed'); }
          }
          results.push(await new Promise(resolve => {
            const source = new EventSource(link + 'events?after=0');
            source.onerror = () => resolve('failed');
            source.onopen = () => resolve('open');
          }));
          results.push(await new Promise(resolve => {
            const frame = document.createElement('iframe');
            frame.src = link;
            frame.onload = () => { try { resolve(frame.contentDocument ? 'empty' : 'failed'); } catch { resolve('failed'); } };
            document.body.append(frame);
          }));
          return results.join(', ');
        }""", served.link)
        other.shutdown()
        context.close()
        expect(text.replace("0 0", "failed") in ("failed, failed, failed, failed", "failed, failed, failed, empty"), text)


def rebinding(reports):
    with Served(reports, "live-rebinding") as served:
        for host in ["evil.test", f"evil.test:{served.port}", "127.0.0.1", "127.0.0.1.evil.test:" + served.port]:
            request = urllib.request.Request(served.link + "list", headers={"Host": host})
            expect(status(request) == 421, f"{host}: {status(request)}")
        expect(status(urllib.request.Request(served.link + "list")) == 200, "its own name isn't let in")


def refused(reports):
    with Served(reports, "live-refused") as served:
        root = f"http://127.0.0.1:{served.port}/"
        for method in ["POST", "PUT", "DELETE", "HEAD", "OPTIONS"]:
            expect(status(urllib.request.Request(served.link, method=method)) == 405, method)
        for path in ["", "list", "x/list", served.link.split("/")[3][:-1] + "/list", "../" + served.link.split("/")[3] + "/list"]:
            expect(status(urllib.request.Request(root + path)) == 403, path)
        for path in ["nothing", "part/x", "part/-1", "part/1/2", "events", "events?after=-1", "list/x"]:
            expect(status(urllib.request.Request(served.link + path)) == 404, path)


def status(request):
    try:
        with urllib.request.urlopen(request, timeout=5) as response:
            return response.status
    except urllib.error.HTTPError as error:
        return error.code
