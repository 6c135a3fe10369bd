"""The look of the page: nothing overflows, axe finds nothing serious, and screenshots are taken."""
from axe_playwright_python.sync_playwright import Axe

from checks import expect

SIZES = [(1280, 800), (390, 844)]
SERIOUS = ("serious", "critical")
STATES = {
    "list": [], "timing": ["~retried", "Enter", "4"], "body": ["~op createOrder", "Enter", "3"],
    "messages": ["~websocket", "Enter", "5"], "summary": ["~error timeout", "Enter", "1"],
    "compare": ["~op getUser", "Enter", "x", "j", "x"], "curl": ["~op createOrder", "Enter", "7"], "help": ["?"],
}


def go(page, steps):
    if steps and steps[0].startswith("~"):
        page.keyboard.press("/")
        page.keyboard.type(steps[0])
        steps = steps[1:]
        page.keyboard.press("Enter")
    for step in steps:
        page.keyboard.press(step)
        page.wait_for_timeout(60)
    page.wait_for_timeout(120)


def findings(values):
    values["findings"] = [
        {"severity": "error", "title": "getSlow times out", "text": "7 of 7 calls while waiting, after 5 s each", "filter": "~op getSlow ~error timeout"},
        {"severity": "warning", "title": "A retry helped late", "text": "getReport took 1.99 s with 3 attempts", "filter": "~op getReport ~retried"},
        {"severity": "note", "title": "A redirect on each call", "text": "listHarbours: 301 to cdn.example.org", "filter": "~op listHarbours"},
    ]


def run(checks, reports, pictures):
    reports.make("sample", data=findings)
    pictures.mkdir(parents=True, exist_ok=True)
    for width, height in SIZES:
        for theme in ("light", "dark"):
            for state, steps in STATES.items():
                checks.run(f"{state} at {width}, {theme}", lambda: look(reports, pictures, state, steps, width, height, theme))
    checks.run("reduced motion: nothing moves", lambda: still(reports))


def look(reports, pictures, state, steps, width, height, theme):
    page = reports.open("sample", width=width, height=height, theme=theme)
    go(page, steps)
    page.screenshot(path=pictures / f"report-{state}-{width}{'-dark' if theme == 'dark' else ''}.png")
    overflow = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    expect(overflow == [width, height], f"the page is {overflow} large")
    results = Axe().run(page)
    serious = [violation for violation in results.response["violations"] if violation["impact"] in SERIOUS]
    page.context.close()
    found = "; ".join(f"{one['id']}: {[node['target'] for node in one['nodes'][:3]]}" for one in serious)
    expect(not serious, found)


def still(reports):
    page = reports.open("sample", motion="reduce")
    moving = page.evaluate("""() => [...document.querySelectorAll('*')].filter(element => {
      const style = getComputedStyle(element);
      return style.animationName !== 'none' || style.transitionDuration !== '0s';
    }).length""")
    page.context.close()
    expect(moving == 0, f"{moving} elements move")
