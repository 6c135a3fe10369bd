"""The sizes and the speed of the page."""
from checks import expect
from reports import figure, filter_by

PAINTED = """
new MutationObserver((_, observer) => {
  if (document.documentElement?.dataset.state !== 'ready') return;
  observer.disconnect();
  requestAnimationFrame(() => setTimeout(() => { window.painted = performance.now(); }, 0));
}).observe(document, { attributes: true, childList: true, subtree: true });
"""
WATCH = """
window.tasks = [];
new PerformanceObserver(list => window.tasks.push(...list.getEntries().map(entry => entry.duration))).observe({ type: 'longtask' });
window.events = [];
new PerformanceObserver(list => window.events.push(...list.getEntries().map(entry => entry.duration)))
  .observe({ type: 'event', durationThreshold: 16 });
"""
SCROLL = """async () => {
  const scroller = document.getElementById('scroller');
  const frames = [];
  let last = performance.now();
  let nodes = 0;
  for (let frame = 0; frame < 240; frame += 1) {
    scroller.scrollTop += frame % 60 === 59 ? 20000 : 90;
    await new Promise(requestAnimationFrame);
    const now = performance.now();
    frames.push(now - last);
    last = now;
    nodes = Math.max(nodes, document.querySelectorAll('*').length);
  }
  frames.sort((a, b) => a - b);
  return { p95: frames[Math.floor(frames.length * 0.95)], worst: frames.at(-1), nodes, longest: Math.max(0, ...window.tasks) };
}"""


def run(checks, reports, pictures):
    checks.run("the page itself has at most 120 KB", lambda: page_size(reports))
    checks.run("1,000 calls with bodies of 2 KB have at most 1 MB and are painted in a second", lambda: thousand(reports))
    checks.run("10,000 calls: frames, nodes and tasks while scrolling", lambda: scrolling(reports))
    checks.run("10,000 calls: from a key to the filtered list", lambda: typing(reports))
    checks.run("10,000 calls: bodies are searched while the page stays alive", lambda: searching(reports))


def page_size(reports):
    path = reports.make("sample", "nothing-has-this-url")
    size = path.stat().st_size
    expect(size <= 120_000, f"{size} bytes without an entry")
    return f"{size} bytes with a list of nothing"


def thousand(reports):
    size = reports.make("calls-1000").stat().st_size
    expect(size <= 1_000_000, f"{size} bytes")
    times = []
    for _ in range(3):
        page = reports.open("calls-1000", script=PAINTED)
        page.wait_for_function("() => window.painted")
        expect(figure(page) == (1000, 1000) and page.locator(".row:visible").count() > 10, "the list isn't there")
        times.append(page.evaluate("window.painted"))
        page.context.close()
    expect(min(times) <= 1000, f"painted after {times} ms")
    return f"{size} bytes, painted after {min(times):.0f} ms"


def scrolling(reports):
    reports.make("calls-10000")
    page = reports.open("calls-10000", script=WATCH)
    loading = page.evaluate("Math.max(0, ...window.tasks)")
    found = page.evaluate(SCROLL)
    page.context.close()
    expect(found["p95"] <= 34, f"p95 of frames {found['p95']:.1f} ms")
    expect(found["nodes"] <= 1500, f"{found['nodes']} nodes")
    expect(max(found["longest"], loading) <= 100, f"tasks of {found['longest']} and, while loading, {loading} ms")
    return f"p95 {found['p95']:.1f} ms, {found['nodes']} nodes, longest task {max(found['longest'], loading):.0f} ms"


def typing(reports):
    page = reports.open("calls-10000", script=WATCH)
    page.focus("#filter")
    for text in ["~slower 100ms ~c 5xx", "~d example.org ~op get*", "token | /users/"]:
        page.keyboard.type(text, delay=30)
        page.wait_for_timeout(200)
        page.keyboard.press("Escape")
    page.wait_for_timeout(300)
    slowest = page.evaluate("Math.max(0, ...window.events)")
    page.context.close()
    expect(slowest <= 100, f"{slowest} ms from a key to the paint")
    return f"the slowest key took {slowest or 'less than 16'} ms"


def searching(reports):
    page = reports.open("calls-10000", script=WATCH)
    problem = filter_by(page, "~b harbour !~b nowhere")
    expect(problem is None and 0 < figure(page)[0] <= 10_000, f"{problem or figure(page)}")
    longest = page.evaluate("Math.max(0, ...window.tasks)")
    took = page.evaluate("Number(document.documentElement.dataset.took)")
    page.context.close()
    expect(longest <= 100, f"a task of {longest} ms")
    return f"{took:.0f} ms, longest task {longest:.0f} ms"
