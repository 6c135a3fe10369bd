"""The actions of a person: tabs, keys, filters, charts, links, themes and comparisons, all of them by keyboard too.

The docstring of a function is the name of its case.
"""
import re
import subprocess

from checks import expect
from looks import findings
from reports import clipboard, figure, filter_by, focused, row


def run(checks, reports, pictures):
    reports.make("sample", data=findings)
    walks = [
        overview, tiles, finding_to_curl, keys, tabs, bodies, messages, log_lines, cache_and_job, links, comparing, time_line, histogram, chart_keys, themes, help_dialog,
        waterfall, phone, errors_of_filters, remarks, numbers, limit, filtered_report,
    ]
    for walk in walks:
        checks.run((walk.__doc__ or walk.__name__).strip(), lambda: walk(reports))


def with_page(walk):
    def wrapped(reports):
        page = reports.open("sample")
        try:
            return walk(page)
        finally:
            page.context.close()
    wrapped.__doc__ = walk.__doc__
    wrapped.__name__ = walk.__name__
    return wrapped


@with_page
def overview(page):
    """the page begins with the runs, the failures, the slow calls and the findings"""
    text = page.text_content("#overview")
    for part in ["conformance-report 1.2", "185", "14", "failed", "p95", "7 × timeout", "getSlow times out", "values are hidden", "body is cut"]:
        expect(part in text, f"no {part!r} in {text}")
    expect(page.locator("#overview .lists section").first.text_content().startswith("Findings"), "findings come first")


@with_page
def tiles(page):
    """each tile and each finding sets a filter that finds something"""
    buttons = page.locator("#overview button")
    seen = set()
    for place in range(buttons.count()):
        buttons.nth(place).click()
        value = page.input_value("#filter")
        expect(value and figure(page)[0] > 0, f"{value!r} finds {figure(page)}")
        expect(page.is_hidden("#problem"), f"{value!r}: {page.text_content('#problem')}")
        expect(focused(page) == "rows", f"the focus is at {focused(page)}")
        seen.add(value)
    return f"{len(seen)} filters"


@with_page
def finding_to_curl(page):
    """from a finding to a copied cURL command using only the keyboard"""
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent").startswith("getSlow times out"):
            break
    else:
        raise AssertionError("Tab doesn't reach the finding")
    page.keyboard.press("Enter")
    expect(figure(page)[0] == 7, f"{figure(page)}")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_selector("#detail:not([hidden])")
    page.keyboard.press("7")
    page.wait_for_selector("#tab-7[aria-selected=true]")
    page.keyboard.press("c")
    page.wait_for_selector("#toast:not([hidden])")
    command = clipboard(page)
    expect(command.startswith("curl ") and "https://api.example.com/slow/" in command, command)
    expect('-H "authorization: $AUTHORIZATION"' in command, command)
    result = subprocess.run(
        ["/bin/bash", "-c", "curl() { printf '%s|' \"$@\"; }\nAUTHORIZATION='Bearer x'\n" + command], capture_output=True, text=True)
    expect("-H|authorization: Bearer x|" in result.stdout, result.stdout + result.stderr)


@with_page
def keys(page):
    """/ j k Enter Esc 1-7 c x w t ? do what the help says"""
    page.keyboard.press("/")
    expect(focused(page) == "filter", focused(page))
    page.keyboard.type("~op getUser")
    page.keyboard.press("Enter")
    expect(focused(page) == "rows", focused(page))
    selected = "document.querySelector('.row[aria-selected=true]').dataset.place"
    expect(page.evaluate(selected) == "0", "the first entry isn't selected")
    for key, place in (("j", "1"), ("j", "2"), ("k", "1"), ("ArrowDown", "2"), ("End", None), ("Home", "0")):
        page.keyboard.press(key)
        expect(place is None or page.evaluate(selected) == place, f"{key} leads to {page.evaluate(selected)}")
    page.keyboard.press("Enter")
    page.wait_for_selector("#detail:not([hidden])")
    for tab in "7654321":
        page.keyboard.press(tab)
        page.wait_for_selector(f"#tab-{tab}[aria-selected=true]")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#tab-2[aria-selected=true]")
    before = page.text_content("#detail h2")
    page.keyboard.press("j")
    page.wait_for_function("before => document.querySelector('#detail h2').textContent !== before", arg=before)
    page.keyboard.press("Escape")
    page.wait_for_selector("#detail", state="hidden")
    expect(focused(page) == "rows", focused(page))
    page.keyboard.press("Escape")
    expect(page.input_value("#filter") == "" and figure(page) == (192, 192), "Escape doesn't clear the filter")
    page.keyboard.press("?")
    expect(page.evaluate("document.getElementById('help').open"), "no help")
    page.keyboard.press("Escape")
    expect(not page.evaluate("document.getElementById('help').open"), "the help stays")


@with_page
def tabs(page):
    """the tab of the times has attempts, redirects and their reasons"""
    filter_by(page, "~retried")
    row(page, 0).click()
    page.click("#tab-4")
    text = page.text_content("#panel")
    expect(text.count("Retried after") == 2 and "status 503" in text, text)
    filter_by(page, "~op listHarbours")
    row(page, 0).click()
    page.wait_for_function("() => document.querySelector('#panel')?.textContent.includes('Redirected (301) to https://cdn.example.org/harbours')")
    expect("new credentials (401)" in page.text_content("#panel"), page.text_content("#panel"))


@with_page
def bodies(page):
    """bodies are shown as a tree, a form, text, or bytes"""
    filter_by(page, "~op getUser ~c 200")
    row(page, 0).click()
    page.click("#tab-3")
    page.wait_for_selector(".tree")
    expect("12345678901234567890" in page.text_content(".tree"), "a large number lost its digits")
    page.click("text=Text")
    expect(page.text_content("#panel pre").startswith('{"id":'), page.text_content("#panel pre")[:80])
    filter_by(page, "~op login")
    row(page, 0).click()
    page.click("#tab-2")
    page.wait_for_function("() => document.querySelector('.body .fields')?.textContent.includes('/home')")
    filter_by(page, "~op getLogo")
    row(page, 0).click()
    page.click("#tab-3")
    page.wait_for_function("() => document.querySelector('#panel pre')?.textContent.startsWith('000000  89 50 4e 47')")
    filter_by(page, "~op getLarge")
    row(page, 0).click()
    page.wait_for_function("() => document.querySelector('.body .hint')?.textContent.includes('cut: the first')")
    rows = page.locator(".tree .leaf, .tree summary").count()
    expect(rows < 400, f"{rows} rows of a tree at once")
    page.click(".tree > details > .members > .link")
    page.wait_for_function("rows => document.querySelectorAll('.tree summary').length > rows", arg=100)


@with_page
def messages(page):
    """the messages of a WebSocket are in their order"""
    filter_by(page, "~websocket ~u prices")
    row(page, 0).click()
    page.click("#tab-5")
    page.wait_for_selector(".messages details")
    lines = page.locator(".messages summary").all_text_contents()
    expect(len(lines) == 30 and lines[0].startswith("1 ") and "→ sent" in lines[0] and "← received" in lines[1], str(lines[:3]))
    page.locator(".messages summary").nth(1).click()
    page.wait_for_selector(".messages .tree")


@with_page
def log_lines(page):
    """a call shows its lines of the log, and a line leads to its call"""
    filter_by(page, "~retried")
    row(page, 0).click()
    page.click("#tab-6")
    lines = page.locator("#panel .lines tr").all_text_contents()
    expect(len(lines) == 2 and "asking for report 7" in lines[0] and "warning" in lines[1], str(lines))
    page.click("#panel .lines button >> nth=0")
    page.click("#tab-1")
    page.wait_for_function("() => document.querySelector('#panel').textContent.includes('Belongs to')")
    expect("user" in page.text_content("#panel"), "the metadata are missing")
    page.click("#panel td .link")
    page.wait_for_function("() => document.querySelector('#detail h2').textContent.includes('/reports/7')")


@with_page
def cache_and_job(page):
    """a cache decision has its reason, a job its calls"""
    filter_by(page, "~cache hit")
    row(page, 0).click()
    page.wait_for_function("() => document.querySelector('#panel')?.textContent.includes('hit – fresh')")
    filter_by(page, "~job")
    row(page, 0).click()
    page.click("#tab-6")
    page.wait_for_function("() => document.querySelector('#panel .lines')?.textContent.includes('/charts.zip')")


@with_page
def links(page):
    """a link shows the same filter, call and tab again, and the way back leaves the call"""
    filter_by(page, "~op createOrder")
    row(page, 2).click()
    page.click("#tab-3")
    page.wait_for_selector("#tab-3[aria-selected=true]")
    title, address = page.text_content("#detail h2"), page.url
    other = page.context.new_page()
    other.goto(address)
    other.wait_for_selector("#tab-3[aria-selected=true]")
    expect(other.text_content("#detail h2") == title and other.input_value("#filter") == "~op createOrder", address)
    expect(other.locator(".row[aria-selected=true]").count() == 1, "the call isn't selected")
    other.close()
    page.go_back()
    page.wait_for_selector("#detail", state="hidden")


@with_page
def comparing(page):
    """two calls are compared: differences come first and are marked"""
    filter_by(page, "~op getUser ~c 200 | ~op search")
    row(page, 0).click()
    page.keyboard.press("x")
    row(page, 3).click()
    page.keyboard.press("x")
    page.wait_for_selector(".compare")
    first = page.text_content(".difference tr:first-child th")
    expect(first.startswith("≠"), first)
    expect(page.locator(".lines .added").count() > 0 and page.locator(".lines .removed").count() > 0, "no lines differ")
    expect(re.search("with=", page.url), page.url)
    page.keyboard.press("Escape")
    page.wait_for_selector("#detail", state="hidden")


@with_page
def time_line(page):
    """dragging over the time line filters by time"""
    filter_by(page, "~op getUser")
    box = page.locator("#when .plot").bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.25, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + 20)
    page.mouse.up()
    value = page.input_value("#filter")
    expect(re.fullmatch(r"~op getUser ~since 2026-\S+Z ~until 2026-\S+Z", value), value)
    expect(0 < figure(page)[0] < 38, f"{figure(page)}")
    page.mouse.click(box["x"] + box["width"] * 0.1, box["y"] + 20)
    expect(page.input_value("#filter").count("~since") == 1, page.input_value("#filter"))


@with_page
def histogram(page):
    """a bar of the durations filters by duration, and every entry with one is in one bar"""
    total = 0
    plot = page.locator("#long .plot")
    box = plot.bounding_box()
    bars = plot.locator("i").count()
    for bar in range(bars):
        page.mouse.click(box["x"] + box["width"] * (bar + 0.5) / bars, box["y"] + 30)
        value = page.input_value("#filter")
        expect(value.count("~slower") <= 1 and value.count("~faster") <= 1, value)
        total += figure(page)[0]
    filter_by(page, "~slower 0s")
    expect(total == figure(page)[0], f"{total} in the bars, {figure(page)[0]} with a duration")


@with_page
def chart_keys(page):
    """charts can be used by keyboard"""
    page.focus("#long .plot")
    page.keyboard.press("End")
    for _ in range(3):
        page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("Enter")
    expect(page.input_value("#filter") == "~slower 5000ms", page.input_value("#filter"))
    expect(page.get_attribute("#long .plot", "aria-valuetext"), "no text for the bar")
    page.keyboard.press("Delete")
    expect(page.input_value("#filter") == "", page.input_value("#filter"))


@with_page
def themes(page):
    """light, dark and the system's theme"""
    ground = "getComputedStyle(document.body).backgroundColor"
    system = page.evaluate(ground)
    page.keyboard.press("t")
    light = page.evaluate(ground)
    page.keyboard.press("t")
    dark = page.evaluate(ground)
    page.click("#theme")
    expect(system == light != dark and page.evaluate(ground) == system, f"{system} {light} {dark}")


@with_page
def help_dialog(page):
    """the help names every key and closes"""
    page.click("#keys")
    text = page.text_content("#help")
    for part in ("go to the filter", "copy the call as cURL", "~slower", "compare the two"):
        expect(part in text, f"no {part!r}")
    page.click("#close-help")
    expect(not page.evaluate("document.getElementById('help').open"), "it stays")


@with_page
def waterfall(page):
    """the waterfall shows durations or moments"""
    bar = "document.querySelector('.row:not([hidden]) .bar[style*=gradient]').style.background"
    before = page.evaluate(bar)
    page.keyboard.press("w")
    expect(page.evaluate(bar) != before and "in time" in page.text_content("#time"), "nothing changes")


def phone(reports):
    """a phone: the entry covers the list, and its close button leads back"""
    page = reports.open("sample", width=390, height=844)
    row(page, 0).click()
    page.wait_for_selector("#detail:not([hidden])")
    expect(page.locator("#detail").bounding_box()["width"] == 390, "it doesn't cover the list")
    page.click("#detail .close")
    page.wait_for_selector("#detail", state="hidden")
    page.context.close()


@with_page
def errors_of_filters(page):
    """an expression that isn't a filter says where and why, and the list stays"""
    filter_by(page, "~op getUser")
    before = figure(page)
    problem = filter_by(page, "~op getUser ~c 5y")
    expect(problem and problem.startswith("Column 16: found") and figure(page) == before, f"{problem} {figure(page)}")
    expect(page.get_attribute("#filter", "aria-invalid") == "true", "the box doesn't say so")


@with_page
def remarks(page):
    """an entry says which parts of it were hidden, cut or never captured"""
    for expression, part in [("~op getUser ~c 200", "hidden as <redacted>"), ("~op getLarge", "One body or message is cut"), ("~u /bare", "Neither headers nor bodies")]:
        filter_by(page, expression)
        row(page, 0).click()
        page.wait_for_function("part => document.querySelector('#panel')?.textContent.includes(part)", arg=part)


@with_page
def numbers(page):
    """the list has the right number of entries, and each place can be reached"""
    expect(figure(page) == (192, 192), f"{figure(page)}")
    page.keyboard.press("End")
    page.wait_for_selector("#row-191")
    expect(page.get_attribute("#row-191", "aria-posinset") == "192", "the place isn't told")
    expect(page.get_attribute("#rows", "aria-activedescendant") == "row-191", "the row isn't active")


def limit(reports):
    """--limit keeps the newest, and the page says how many are missing"""
    reports.make("sample", "--limit", "50")
    page = reports.open("sample")
    shown = figure(page)
    text = page.text_content(".notes")
    page.context.close()
    reports.make("sample", data=findings)
    expect(shown == (50, 50) and "142 more match" in text, f"{shown} {text}")


def filtered_report(reports):
    """a filtered report has the entries that belong to its calls, but not in its list"""
    reports.make("sample", "~retried")
    page = reports.open("sample")
    shown = figure(page)
    row(page, 0).click()
    page.click("#tab-6")
    lines = page.locator("#panel .lines tr").count()
    page.context.close()
    reports.make("sample", data=findings)
    expect(shown == (1, 1) and lines == 2, f"{shown}, {lines} lines")
