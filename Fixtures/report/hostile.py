"""Checks that hostile texts don't run code, break the layout or control a terminal."""
import subprocess

from checks import expect
from reports import figure

INSIDE = """() => ['script', 'img', 'svg', 'iframe', 'link', 'object', 'embed', 'form', 'base'].flatMap(tag =>
    [...document.querySelectorAll(tag)].filter(element => tag !== 'script' || !/^(list|part-\\d+)?$/.test(element.id) || element.src)
      .map(element => element.outerHTML.slice(0, 80)))"""
WIDE = """() => [...document.querySelectorAll('#scroller, #scroller *, #detail, #detail *')].filter(element => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && (box.right > innerWidth + 1 || box.left < -1) && !element.closest('[role="tablist"]');
  }).slice(0, 3).map(element => element.outerHTML.slice(0, 120))"""


def run(checks, reports, pictures):
    reports.make("hostile")
    for width, height in ((1280, 800), (390, 844)):
        checks.run(f"every tab of every hostile entry at {width}", lambda: every_tab(reports, width, height))
    checks.run("filters with hostile texts", lambda: typed(reports))
    checks.run("a copied cURL command runs only curl, in bash", lambda: shell(reports))
    checks.run("a link with hostile texts", lambda: link(reports))
    checks.run("the page's policy lets no other script, style or address in", lambda: policy(reports))


def check(page, width, place):
    expect(page.evaluate("window.broken === undefined"), f"something ran at {place}")
    inside = page.evaluate(INSIDE)
    expect(not inside, f"elements at {place}: {inside}")
    size = page.evaluate("document.documentElement.scrollWidth")
    expect(size == width, f"the page is {size} wide at {place}")
    wide = page.evaluate(WIDE)
    expect(not wide, f"too wide at {place}: {wide}")


def every_tab(reports, width, height):
    page = reports.open("hostile", width=width, height=height)
    total = figure(page)[1]
    page.keyboard.press("/")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    for place in range(total):
        for tab in "1234567":
            page.keyboard.press(tab)
            page.wait_for_function(f"() => document.querySelector('[role=tab][aria-selected=true]')?.id === 'tab-{tab}'")
            check(page, width, f"entry {place}, tab {tab}")
        page.keyboard.press("j")
    for view in page.locator(".body button[aria-pressed]").all():
        view.click()
    page.keyboard.press("x")
    page.keyboard.press("k")
    page.keyboard.press("x")
    page.wait_for_selector(".compare")
    check(page, width, "a comparison")
    page.context.close()
    return f"{total} entries"


def typed(reports):
    page = reports.open("hostile")
    for text in ["<img src=x onerror=window.broken=1>", "~x<script>window.broken=1</script>", '"<svg onload=window.broken=1>', "~b </script>"]:
        page.fill("#filter", text)
        page.wait_for_timeout(50)
        check(page, 1280, text)
    page.context.close()


def shell(reports):
    page = reports.open("hostile")
    total = figure(page)[1]
    page.keyboard.press("/")
    page.keyboard.press("Enter")
    commands = []
    for _ in range(total):
        page.evaluate("navigator.clipboard.writeText('')")
        page.keyboard.press("c")
        page.wait_for_function("() => !document.getElementById('toast').hidden")
        page.wait_for_timeout(20)
        text = page.evaluate("navigator.clipboard.readText()")
        if text:
            commands.append(text)
        page.evaluate("document.getElementById('toast').hidden = true")
        page.keyboard.press("j")
    page.context.close()
    expect(len(commands) >= 20, f"only {len(commands)} commands")
    for command in commands:
        steering = [character for character in command if ord(character) < 32 and character != "\n" or 0x7F <= ord(character) < 0xA0]
        expect(not steering, f"control characters {steering} in {command[:80]!r}")
        if len(command) > 100_000:
            continue
        script = "PATH=/nowhere; curl() { printf '%s\\0' \"$@\"; }\n" + command
        result = subprocess.run(["/bin/bash", "-c", script], capture_output=True)
        expect(result.returncode == 0 and not result.stderr, f"{result.stderr[:200]} from {command[:120]!r}")
        url = result.stdout.split(b"\0")[-2].decode(errors="replace")
        expect(url.startswith(("https://evil.example.com/", "wss://evil.example.com/")), f"the last word is {url[:80]!r}")
    return f"{len(commands)} commands"


def link(reports):
    for fragment in ["#filter=%3Cimg%20src=x%20onerror=window.broken=1%3E", "#call=%3Cscript%3E&tab=99&with=%22", "#" + "%F0%9F" * 20, "#filter=%"]:
        page = reports.open("hostile", fragment)
        check(page, 1280, fragment)
        page.context.close()


def policy(reports):
    """The browser reports everything that it refuses; here, these reports are expected."""
    page = reports.open("hostile")
    before = len(reports.problems)
    refused = page.evaluate("""async () => {
      const refused = [];
      document.addEventListener('securitypolicyviolation', event => refused.push(event.effectiveDirective));
      const script = document.createElement('script');
      try { script.textContent = 'window.broken = 1'; } catch { refused.push('trusted types'); }
      document.body.append(script);
      try { document.body.innerHTML = '<b>'; } catch { refused.push('trusted types'); }
      const style = document.createElement('style');
      style.textContent = 'body { display: none }';
      document.body.append(style);
      await fetch('https://example.com/').catch(() => {});
      document.body.append(Object.assign(document.createElement('img'), { src: 'https://example.com/' }));
      await new Promise(resolve => setTimeout(resolve, 200));
      return refused;
    }""")
    expect(page.evaluate("window.broken === undefined && getComputedStyle(document.body).display !== 'none'"), "something got in")
    page.context.close()
    del reports.problems[before:]
    reports.requests[:] = [url for url in reports.requests if url != "https://example.com/"]
    for directive in ("trusted types", "style-src-elem", "connect-src", "img-src"):
        expect(directive in refused, f"{directive} is not among {refused}")
