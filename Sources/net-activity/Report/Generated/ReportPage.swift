// Made by scripts/regenerate of the files in Sources/net-activity/Report/Page.
// swift-format-ignore-file
#if Tools
/// The page of a report, but for its data: their place is after the first part.
enum ReportPage {
    static let beforeData = ##"""
    <!doctype html>
    <html lang="en" data-state="loading" data-theme="">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-L+6BLPl+VEhfgjxMh/FEu+1b4S5uww9cmQtKwMzW0m4='; style-src 'sha256-BHEJqDubFzBYDXi8MLalNgW8P+KOGEpspMxXOhXmMX0='; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'">
    <meta name="referrer" content="no-referrer">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>net-activity</title>
    <style>:root {
    color-scheme: light dark;
    --ground: light-dark(#fff, #16181d);
    --raised: light-dark(#f5f6f8, #1f2229);
    --line: light-dark(#dcdfe5, #343944);
    --text: light-dark(#1b1f27, #e8eaef);
    --hint: light-dark(#5b6473, #a2abba);
    --accent: light-dark(#1a5fd0, #7db2ff);
    --chosen: light-dark(#dce9fd, #24395c);
    --good: light-dark(#1a7040, #6fd39a);
    --poor: light-dark(#8a5a00, #f0b95a);
    --bad: light-dark(#b3261e, #ff9088);
    --queued: light-dark(#b9c0cc, #5a6272);
    --lookup: light-dark(#2a9d8f, #4cc5b5);
    --connect: light-dark(#e08a00, #f2b04d);
    --secure: light-dark(#9a57c7, #c08ee8);
    --sending: light-dark(#c2487f, #ec86b4);
    --waiting: light-dark(#3f9c4f, #6cc87c);
    --download: light-dark(#2f74d8, #6ea6f5);
    --other: light-dark(#8893a6, #7d8799);
    font: 14px/1.45 system-ui, sans-serif;
    }
    :root[data-theme="light"] { color-scheme: light; }
    :root[data-theme="dark"] { color-scheme: dark; }
    *, ::before, ::after { box-sizing: border-box; }
    body {
    margin: 0; height: 100vh; height: 100dvh; display: flex; overflow: hidden;
    background: var(--ground); color: var(--text);
    }
    h1, h2, h3, p, ul, dl, dd, pre { margin: 0; padding: 0; }
    h1 { font-size: 1.15rem; overflow-wrap: anywhere; }
    h2 { font-size: .8rem; color: var(--hint); font-weight: 600; }
    h3 { font-size: .9rem; margin: 1rem 0 .35rem; }
    ul { list-style: none; }
    pre, code, kbd, .tree, .fields td, .difference td { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: .85rem; }
    button, input, select { font: inherit; color: inherit; }
    button {
    border: 1px solid var(--line); border-radius: 6px; background: var(--raised); padding: .15rem .55rem; cursor: pointer;
    }
    button:hover { border-color: var(--hint); }
    button[aria-pressed="true"] { background: var(--chosen); border-color: var(--accent); }
    button.link { border: 0; background: none; padding: 0; color: var(--accent); text-decoration: underline; text-align: left; overflow-wrap: anywhere; }
    :focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
    [hidden] { display: none !important; }
    kbd { border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 4px; padding: 0 .3rem; }
    .hint { color: var(--hint); }
    .breaks { overflow-wrap: anywhere; }
    .away { position: fixed; top: -9999px; }
    .good { --tone: var(--good); } .poor { --tone: var(--poor); } .bad { --tone: var(--bad); } .plain { --tone: var(--text); }
    #scroller { flex: 1; min-width: 0; overflow-y: scroll; position: relative; overscroll-behavior: contain; }
    #top { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem .75rem; padding: .75rem 1rem 0; }
    #top nav { margin-left: auto; display: flex; gap: .4rem; }
    #overview { padding: .25rem 1rem 0; }
    .runs { color: var(--hint); }
    .tiles { display: flex; flex-wrap: wrap; gap: .5rem; margin: .6rem 0; }
    .tile { display: flex; flex-direction: column; align-items: flex-start; padding: .4rem .75rem; min-width: 6.5rem; text-align: left; }
    .tile strong { font-size: 1.25rem; line-height: 1.25; font-variant-numeric: tabular-nums; color: var(--tone, inherit); }
    .tile span { color: var(--hint); font-size: .85rem; }
    .lists { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: .25rem 1.5rem; }
    .finding { display: block; width: 100%; text-align: left; border-color: transparent; background: none; padding: .15rem .3rem; margin-left: -.3rem; overflow-wrap: anywhere; }
    /* The first screen shows calls too: long lists scroll, and long findings are whole in the doctor. */
    .lists ul { max-height: 8.5rem; overflow-y: auto; }
    .finding > .hint { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
    .finding:hover { background: var(--raised); }
    .finding strong { font-weight: 600; color: var(--tone, var(--accent)); }
    .finding.warning { --tone: var(--poor); } .finding.error { --tone: var(--bad); }
    .notes { display: flex; flex-wrap: wrap; gap: 0 1.25rem; color: var(--hint); margin-top: .35rem; font-size: .85rem; }
    .notes li::before { content: "· "; }
    #charts { display: grid; grid-template-columns: 2fr 1fr; gap: 1.5rem; padding: .75rem 1rem .5rem; }
    .chart { min-width: 0; }
    .plot { display: flex; height: 56px; margin-top: .25rem; border-bottom: 1px solid var(--line); cursor: crosshair; touch-action: pan-y; user-select: none; }
    .plot i {
    flex: 1; min-width: 0; border-right: 1px solid var(--ground); background-repeat: no-repeat; background-position: bottom;
    background-image:
    repeating-linear-gradient(45deg, var(--bad) 0 3px, var(--ground) 3px 5px),
    linear-gradient(var(--download), var(--download)), linear-gradient(var(--line), var(--line));
    }
    .plot:focus-visible .cursor, .plot .chosen { background-color: var(--chosen); box-shadow: 0 2px 0 var(--accent); }
    .caption { position: relative; height: 1.2rem; color: var(--hint); font-size: .75rem; font-variant-numeric: tabular-nums; }
    .caption span { position: absolute; white-space: nowrap; }
    #toolbar {
    position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; align-items: center; gap: .4rem;
    padding: .5rem 1rem; background: var(--ground); border-bottom: 1px solid var(--line);
    }
    #toolbar label { color: var(--hint); }
    #filter {
    flex: 1; min-width: 8rem; border: 1px solid var(--line); border-radius: 6px; padding: .3rem .6rem; background: var(--raised);
    font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace;
    }
    #filter::placeholder { color: var(--hint); opacity: 1; }
    #filter[aria-invalid] { border-color: var(--bad); border-style: dashed; }
    #figure { color: var(--hint); font-variant-numeric: tabular-nums; white-space: nowrap; }
    #problem { flex-basis: 100%; color: var(--bad); overflow-wrap: anywhere; }
    #problem::before { content: "× "; }
    #none { padding: 2rem 1rem; text-align: center; }
    #rows { position: relative; contain: layout style; }
    #rows:focus-visible { outline-offset: -2px; }
    .row {
    position: absolute; left: 0; right: 0; top: 0; height: 28px; padding: 0 1rem; cursor: default; contain: strict;
    display: grid; align-items: center; gap: .75rem; white-space: nowrap; border-bottom: 1px solid color-mix(in srgb, var(--line) 45%, transparent);
    grid-template-columns: 7.5rem 4.5rem minmax(8rem, 3fr) minmax(5rem, 1.3fr) minmax(0, 1fr) 4.5rem 6rem minmax(7rem, 2fr);
    }
    .row > span { overflow: hidden; text-overflow: ellipsis; }
    .row:hover { background: var(--raised); }
    .row[aria-selected="true"] { background: var(--chosen); box-shadow: inset 3px 0 0 var(--accent); }
    .row .result, .result { color: var(--tone); }
    .row .host, .row .operation, .row .size { color: var(--hint); }
    .row .size, .row .took { text-align: right; font-variant-numeric: tabular-nums; }
    .row.pinned .subject::before { content: "* "; }
    .bar { height: 10px; border-radius: 2px; position: relative; }
    .bar.wide { height: 14px; background-color: var(--raised); margin: .3rem 0; }
    .row .bar.beyond { border-right: 3px double var(--hint); }
    .legend, .phases { display: flex; flex-wrap: wrap; gap: .1rem .9rem; font-size: .8rem; color: var(--hint); }
    .legend { margin: .5rem 0; }
    .phases div { display: flex; gap: .35rem; }
    .phases dd { color: var(--text); font-variant-numeric: tabular-nums; }
    .swatch { display: inline-block; width: .7rem; height: .7rem; border-radius: 2px; margin-right: .3rem; }
    .queued { background: var(--queued); } .lookup { background: var(--lookup); } .connect { background: var(--connect); }
    .secure { background: var(--secure); } .sending { background: var(--sending); } .waiting { background: var(--waiting); } .download { background: var(--download); }
    .other { background: var(--other); }
    #detail { width: 46%; min-width: 26rem; border-left: 1px solid var(--line); display: flex; flex-direction: column; background: var(--ground); }
    #detail header { display: flex; align-items: flex-start; gap: .5rem; padding: .6rem .75rem; }
    #detail header h2 { flex: 1; font-size: .95rem; color: inherit; max-height: 4.5em; overflow: auto; }
    #detail header h2 strong { font-weight: 600; }
    .close { line-height: 1.3; }
    [role="tablist"] { display: flex; overflow-x: auto; border-bottom: 1px solid var(--line); padding: 0 .5rem; flex-shrink: 0; scrollbar-width: thin; }
    [role="tab"] { border: 0; border-bottom: 3px solid transparent; border-radius: 0; background: none; padding: .3rem .6rem; white-space: nowrap; }
    [role="tab"][aria-selected="true"] { border-bottom-color: var(--accent); font-weight: 600; }
    [role="tab"].empty { color: var(--hint); }
    [role="tab"]:focus-visible { outline-offset: -2px; }
    .panel { flex: 1; overflow: auto; padding: .75rem; overscroll-behavior: contain; }
    .panel:focus-visible { outline-offset: -2px; }
    .panel table { width: 100%; border-collapse: collapse; }
    .panel th { text-align: left; font-weight: 500; vertical-align: baseline; }
    .panel td { vertical-align: baseline; }
    .fields th { width: 9rem; color: var(--hint); padding: .15rem .75rem .15rem 0; overflow-wrap: anywhere; }
    .fields td { padding: .15rem 0; overflow-wrap: anywhere; white-space: pre-wrap; }
    .fields tr + tr { border-top: 1px solid color-mix(in srgb, var(--line) 45%, transparent); }
    .hidden-value { font-style: italic; }
    .panel .hint { margin: .35rem 0; }
    .bar:not(.wide):has(button), .body > .bar { display: flex; flex-wrap: wrap; gap: .4rem; align-items: center; height: auto; margin: .75rem 0 .35rem; }
    .body > .bar .hint { flex: 1; margin: 0; overflow-wrap: anywhere; }
    .panel pre { padding: .6rem; background: var(--raised); border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; }
    .tree { padding: .5rem; background: var(--raised); border-radius: 6px; overflow-wrap: anywhere; }
    .tree summary { cursor: pointer; }
    .tree .members { padding-left: 1.1rem; border-left: 1px solid var(--line); margin-left: .3rem; }
    .tree .members .members .members .members .members .members .members .members .members .members .members .members { padding-left: 0; margin: 0; border: 0; }
    .tree .leaf { padding-left: 1rem; text-indent: -1rem; margin-left: 1rem; }
    .tree .name { color: var(--accent); } .tree .string { color: var(--good); } .tree .literal { color: var(--poor); }
    .attempts th, .attempts td { padding: .2rem .5rem .2rem 0; }
    .attempts thead th { color: var(--hint); font-size: .8rem; }
    .attempts .attempt { border-top: 1px solid var(--line); }
    .attempts .reason td { color: var(--hint); padding-left: 1rem; overflow-wrap: anywhere; }
    .messages details, .lines tr { border-bottom: 1px solid color-mix(in srgb, var(--line) 45%, transparent); }
    .messages summary { padding: .2rem .3rem; cursor: pointer; overflow-wrap: anywhere; border-left: 3px solid var(--download); }
    .messages summary.sent { border-left: 3px dotted var(--poor); }
    .lines td { padding: .15rem .6rem .15rem 0; white-space: nowrap; }
    .lines td.breaks { white-space: normal; }
    .pair { padding: 0 .75rem .5rem; }
    .difference caption { text-align: left; color: var(--hint); font-weight: 600; padding: .6rem 0 .2rem; }
    .difference { table-layout: fixed; }
    .difference th { width: 9.5rem; padding: .1rem .5rem .1rem 0; overflow-wrap: anywhere; }
    .difference td { padding: .1rem .5rem .1rem 0; overflow-wrap: anywhere; white-space: pre-wrap; }
    .difference tr:not(.differs) { color: var(--hint); }
    .difference .differs { background: var(--raised); }
    .lines .added { color: var(--good); } .lines .removed { color: var(--bad); }
    #toast { position: fixed; left: 50%; bottom: 1.5rem; transform: translateX(-50%); z-index: 9; background: var(--text); color: var(--ground); padding: .4rem .9rem; border-radius: 6px; max-width: 90vw; }
    dialog { border: 1px solid var(--line); border-radius: 10px; background: var(--ground); color: var(--text); max-width: min(40rem, 92vw); }
    dialog::backdrop { background: rgb(0 0 0 / .4); }
    dialog > * + * { margin-top: .6rem; }
    #key-list div { display: flex; gap: .75rem; padding: .1rem 0; }
    #key-list dt { min-width: 7rem; display: flex; align-items: flex-start; gap: .25rem; }
    @media (prefers-reduced-motion: no-preference) {
    button, .row { transition: background-color .1s; }
    #toast { animation: rise .15s ease-out; }
    @keyframes rise { from { opacity: 0; translate: 0 .5rem; } }
    }
    @media (max-width: 1099px) {
    .row { grid-template-columns: 7rem 4rem minmax(8rem, 3fr) minmax(0, 1fr) 4rem 5.5rem minmax(5rem, 1.5fr); }
    .row .operation { display: none; }
    #detail { position: fixed; inset: 0; width: auto; min-width: 0; border: 0; z-index: 5; }
    }
    @media (min-width: 1100px) {
    body.open .row { grid-template-columns: 6.5rem 4rem minmax(6rem, 3fr) 5.5rem minmax(3rem, 1fr); }
    body.open .row :is(.host, .operation, .size) { display: none; }
    body.open #charts { grid-template-columns: 1fr 1fr; }
    }
    @media (max-width: 699px) {
    #top, #overview, #charts, #toolbar { padding-left: .75rem; padding-right: .75rem; }
    #title { flex: 1; }
    #made { order: 1; flex-basis: 100%; }
    #charts { grid-template-columns: 1fr; gap: .6rem; }
    .tile { flex: 1; min-width: 5.5rem; }
    #toolbar label { position: absolute; clip-path: inset(50%); }
    #filter { flex-basis: calc(100% - 3rem); }
    #figure { flex: 1; }
    #time { font-size: .85rem; }
    .row {
    height: 52px; padding: 5px .75rem; gap: 0 .6rem; grid-template-columns: auto 1fr auto auto;
    grid-template-areas: "result subject subject took" "method host size bar";
    }
    .row > .result { grid-area: result; max-width: 7rem; } .row > .subject { grid-area: subject; } .row > .took { grid-area: took; }
    .row > .method { grid-area: method; color: var(--hint); } .row > .host { grid-area: host; } .row > .size { grid-area: size; }
    .row > .bar { grid-area: bar; width: 5rem; }
    .fields th { width: 6.5rem; }
    }
    @media (forced-colors: active) {
    .row[aria-selected="true"] { outline: 2px solid Highlight; outline-offset: -2px; }
    .bar, .plot i, .swatch { forced-color-adjust: none; }
    }</style>
    </head>
    <body>
    <main id="scroller">
    <header id="top">
    <h1 id="title">net-activity</h1>
    <p id="made" class="hint">Reading…</p>
    <nav aria-label="Page">
    <button type="button" id="theme">Theme: system</button>
    <button type="button" id="keys" aria-keyshortcuts="?">Keys <kbd>?</kbd></button>
    </nav>
    </header>
    <noscript><p>The report needs JavaScript. It loads nothing from the network.</p></noscript>
    <section id="overview" aria-label="Overview"></section>
    <section id="charts" aria-label="Charts">
    <div id="when" class="chart"></div>
    <div id="long" class="chart"></div>
    </section>
    <div id="toolbar" role="search">
    <label for="filter">Filter</label>
    <input id="filter" type="text" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="~d api.example.com ~c 5xx | ~slower 2s" aria-describedby="problem figure" aria-keyshortcuts="/">
    <button type="button" id="clear" aria-label="Clear the filter">×</button>
    <span id="figure" role="status"></span>
    <button type="button" id="time">Waterfall: by duration</button>
    <p id="problem" role="alert" hidden></p>
    </div>
    <div id="rows" role="listbox" tabindex="0" aria-label="Entries, newest first"></div>
    <p id="none" class="hint" hidden>Nothing matches.</p>
    </main>
    <aside id="detail" aria-label="Entry" hidden></aside>
    <div id="toast" role="status" hidden></div>
    <dialog id="help" aria-labelledby="help-title">
    <h2 id="help-title">Keys</h2>
    <dl id="key-list"></dl>
    <h2>Filter</h2>
    <p><code>TEXT</code> URL or operation · <code>~d</code> host · <code>~u</code> URL · <code>~m</code> method · <code>~c 5xx</code> status ·
    <code>~h ~hq ~hs</code> headers · <code>~b ~bq ~bs</code> bodies · <code>~t</code> media type · <code>~e</code> failed ·
    <code>~q ~s</code> without, with a status · <code>~op</code> operation · <code>~tag</code> · <code>~slower ~faster 500ms</code> ·
    <code>~larger 1MB</code> · <code>~since ~until 15m</code> · <code>~error</code> · <code>~cache hit</code> · <code>~retried ~reused</code> ·
    <code>~run 7</code> · <code>~marked ~comment</code> · <code>~websocket ~job ~log</code></p>
    <p><code>!a</code> not · <code>a b</code> and · <code>a | b</code> or, which binds more tightly · <code>( … )</code> · <code>*</code> any text, <code>?</code> any character.
    Times before now count back from the moment the report was made.</p>
    <p class="hint">Drag over the charts to choose a time or a duration; with the keyboard, arrow keys and Enter, with Shift for a range, Delete for all.</p>
    <button type="button" id="close-help">Close</button>
    </dialog>

    """##

    static let afterData = ##"""
    <script>(() => {
    "use strict";
    const shownText = 20000;
    const shownBytes = 1024;
    class BodyView {
    constructor(body, type) {
    this.body = body;
    const text = body.isBytes ? "" : body.text;
    const tree = body.isBytes ? null : JSONText.tree(text);
    const isForm = /x-www-form-urlencoded/i.test(type ?? "") && !body.isBytes;
    const bar = make("div", { className: "bar" }, make("span", { className: "hint" }, this.size(type)));
    this.element = make("div", { className: "body" }, bar);
    const views = [];
    if (tree) views.push(["Tree", () => new Tree(tree).element]);
    if (isForm) views.push(["Fields", () => fieldTable([...new URLSearchParams(text)])]);
    if (!body.isBytes) views.push(["Text", () => make("pre", { tabIndex: 0 }, longText(text, shownText))]);
    if (body.isBytes) views.push(["Bytes", () => this.hexadecimal()]);
    let shown = null;
    const buttons = views.map(([name, view]) => {
    const button = make("button", { type: "button", "aria-pressed": "false" }, name);
    button.addEventListener("click", () => {
    for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
    const next = view();
    if (shown) shown.replaceWith(next);
    else this.element.append(next);
    shown = next;
    });
    return button;
    });
    if (buttons.length > 1) bar.append(...buttons);
    if (!body.isBytes) bar.append(copyButton("Copy", () => text));
    buttons[0].click();
    }
    size(type) {
    const { body } = this;
    const whole = body.size ?? body.bytes.length;
    const parts = [type ? line(type, 100) : null, shortSize(whole)];
    if (body.isCut) parts.push(`cut: the first ${shortSize(body.bytes.length)} were kept`);
    return parts.filter(part => part).join(" · ");
    }
    hexadecimal() {
    const bytes = this.body.bytes;
    const lines = [];
    for (let start = 0; start < Math.min(bytes.length, shownBytes); start += 16) {
    const row = Array.from(bytes.slice(start, start + 16));
    const digits = row.map(byte => byte.toString(16).padStart(2, "0")).join(" ").padEnd(48);
    const text = row.map(byte => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·")).join("");
    lines.push(`${start.toString(16).padStart(6, "0")}  ${digits} ${text}`);
    }
    if (bytes.length > shownBytes) lines.push(`… ${count(bytes.length - shownBytes)} more bytes`);
    return make("pre", { tabIndex: 0 }, lines.join("\n"));
    }
    }
    function longText(text, limit) {
    const span = make("span", {}, visible(text.slice(0, limit)));
    if (text.length <= limit) return span;
    const more = make("button", { className: "link", type: "button" }, `… ${count(text.length - limit)} more characters`);
    more.addEventListener("click", () => span.replaceWith(longText(text, limit * 20)));
    span.append(more);
    return span;
    }
    function fieldTable(fields) {
    const rows = fields.map(([name, value]) => {
    const isHidden = value.includes(hiddenText);
    return make("tr", {}, make("th", { scope: "row" }, line(name, 200)),
    make("td", { className: isHidden ? "hidden-value" : "" }, longText(value, 2000)));
    });
    return make("table", { className: "fields" }, make("tbody", {}, ...rows));
    }
    function copyButton(label, text) {
    const button = make("button", { type: "button" }, label);
    button.addEventListener("click", () => copyText(text()));
    return button;
    }
    async function copyText(text) {
    try {
    await navigator.clipboard.writeText(text);
    } catch {
    const area = make("textarea", { value: text, className: "away" });
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    }
    announce("Copied.");
    }
    class Chart {
    constructor(element, title, onRange) {
    this.element = element;
    this.title = title;
    this.onRange = onRange;
    this.bars = [];
    this.cursor = 0;
    this.anchor = null;
    this.plot = make("div", {
    className: "plot", tabIndex: 0, role: "slider", "aria-label": title, "aria-valuemin": "0",
    });
    this.caption = make("div", { className: "caption", "aria-hidden": "true" });
    element.append(make("h2", {}, title), this.plot, this.caption);
    this.plot.addEventListener("keydown", event => this.key(event));
    this.plot.addEventListener("pointerdown", event => {
    this.plot.setPointerCapture(event.pointerId);
    this.anchor = this.cursor = this.at(event);
    this.mark();
    });
    this.plot.addEventListener("pointermove", event => {
    const place = this.at(event);
    if (this.anchor === null) this.plot.title = this.bars[place]?.label ?? "";
    else {
    this.cursor = place;
    this.mark();
    }
    });
    this.plot.addEventListener("pointerup", () => this.choose());
    this.plot.addEventListener("pointercancel", () => {
    this.anchor = null;
    this.mark();
    });
    }
    at(event) {
    const box = this.plot.getBoundingClientRect();
    const place = Math.floor((event.clientX - box.left) / box.width * this.bars.length);
    return Math.min(this.bars.length - 1, Math.max(0, place));
    }
    draw(bars, captions) {
    this.bars = bars;
    while (this.plot.childElementCount > bars.length) this.plot.lastChild.remove();
    while (this.plot.childElementCount < bars.length) this.plot.append(make("i"));
    const highest = Math.max(1, ...bars.map(bar => bar.total));
    bars.forEach((bar, index) => {
    const height = value => (value === 0 ? 0 : Math.max(4, Math.sqrt(value / highest) * 100)).toFixed(1);
    this.plot.children[index].style.backgroundSize =
    `100% ${height(bar.failed)}%, 100% ${height(bar.shown)}%, 100% ${height(bar.total)}%`;
    bar.label = `${bar.name}: ${count(bar.shown)} of ${count(bar.total)}, ${count(bar.failed)} failed`;
    });
    this.caption.replaceChildren(...captions.map(([text, place]) => {
    const label = make("span", {}, text);
    if (place < 1) label.style.left = `${place * 100}%`;
    else label.style.right = "0";
    return label;
    }));
    this.plot.setAttribute("aria-valuemax", Math.max(0, bars.length - 1));
    this.mark();
    }
    mark() {
    this.cursor = Math.min(this.cursor, Math.max(0, this.bars.length - 1));
    const [from, to] = [Math.min(this.anchor ?? this.cursor, this.cursor), Math.max(this.anchor ?? this.cursor, this.cursor)];
    [...this.plot.children].forEach((bar, index) => {
    bar.className = index >= from && index <= to ? (this.anchor === null ? "cursor" : "cursor chosen") : "";
    });
    this.plot.setAttribute("aria-valuenow", this.cursor);
    this.plot.setAttribute("aria-valuetext", this.bars[this.cursor]?.label ?? "nothing");
    }
    choose() {
    const [from, to] = [Math.min(this.anchor ?? this.cursor, this.cursor), Math.max(this.anchor ?? this.cursor, this.cursor)];
    this.anchor = null;
    this.mark();
    if (this.bars.length > 0) this.onRange(from, to);
    }
    key(event) {
    const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, Home: -1e9, End: 1e9 }[event.key];
    if (step !== undefined) {
    if (event.shiftKey) this.anchor ??= this.cursor;
    else this.anchor = null;
    this.cursor = Math.min(this.bars.length - 1, Math.max(0, this.cursor + step));
    this.mark();
    } else if (event.key === "Enter" || event.key === " ") {
    this.choose();
    } else if (event.key === "Escape" || event.key === "Delete" || event.key === "Backspace") {
    this.anchor = null;
    this.onRange(null, null);
    } else {
    return;
    }
    event.preventDefault();
    event.stopPropagation();
    }
    }
    class TimeLine {
    constructor(element, change) {
    this.chart = new Chart(element, "When", (from, to) => {
    if (from === null) return change(["since", "until"], []);
    const at = place => new Date(Math.floor((this.from + this.width * place) / 1000)).toISOString();
    change(["since", "until"], [`~since ${at(from)}`, `~until ${at(to + 1)}`]);
    });
    }
    draw(entries, isShown) {
    const start = entries.column("start");
    let [from, to] = [Infinity, -Infinity];
    for (let index = 0; index < entries.count; index += 1) {
    from = Math.min(from, start(index));
    to = Math.max(to, start(index));
    }
    if (entries.count === 0) return this.chart.draw([], []);
    const bars = Array.from({ length: 60 }, () => ({ total: 0, shown: 0, failed: 0 }));
    this.from = Math.floor(from / 1000) * 1000;
    this.width = Math.max(1000, Math.ceil((to + 1 - this.from) / bars.length / 1000) * 1000);
    for (let index = 0; index < entries.count; index += 1) {
    const bar = bars[Math.min(bars.length - 1, Math.floor((start(index) - this.from) / this.width))];
    bar.total += 1;
    if (!isShown[index]) continue;
    bar.shown += 1;
    if (entries.isFailure(index)) bar.failed += 1;
    }
    bars.forEach((bar, place) => { bar.name = moment(this.from + this.width * place); });
    this.chart.draw(bars, [[moment(from).slice(0, 19), 0], [moment(to).slice(0, 19), 1]]);
    }
    }
    const durationSteps = [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 60000];
    class Histogram {
    constructor(element, change) {
    this.chart = new Chart(element, "How long", (from, to) => {
    if (from === null) return change(["slower", "faster"], []);
    const terms = from > 0 ? [`~slower ${durationSteps[from]}ms`] : [];
    if (to + 1 < durationSteps.length) terms.push(`~faster ${durationSteps[to + 1]}ms`);
    change(["slower", "faster"], terms);
    });
    }
    draw(entries, isShown) {
    const duration = entries.column("duration");
    const bars = durationSteps.map((step, place) => ({
    name: place + 1 < durationSteps.length ? `${step} to ${durationSteps[place + 1]} ms` : `${step} ms or more`,
    total: 0, shown: 0, failed: 0,
    }));
    for (let index = 0; index < entries.count; index += 1) {
    const value = duration(index);
    if (value === null) continue;
    let place = durationSteps.length - 1;
    while (place > 0 && value < durationSteps[place] * 1000) place -= 1;
    bars[place].total += 1;
    if (!isShown[index]) continue;
    bars[place].shown += 1;
    if (entries.isFailure(index)) bars[place].failed += 1;
    }
    this.chart.draw(bars, [["0", 0], ["10 ms", 4 / 16], ["100 ms", 7 / 16], ["1 s", 10 / 16], ["1 m", 15 / 16]]);
    }
    }
    async function comparison(entries, left, right, contentOf) {
    const [leftContent, rightContent] = [await contentOf(left), await contentOf(right)];
    const element = make("div", { className: "compare" });
    element.append(differenceTable("Call", factsOf(entries, left), factsOf(entries, right)));
    const side = content => content?.exchanges.at(-1);
    const parts = [
    ["Request headers", "sentFields"], ["Response headers", "receivedFields"],
    ];
    for (const [title, name] of parts) {
    const [one, two] = [fieldsOf(side(leftContent)?.[name] ?? ""), fieldsOf(side(rightContent)?.[name] ?? "")];
    if (one.length + two.length > 0) element.append(differenceTable(title, one, two));
    }
    for (const [title, name] of [["Request body", "sent"], ["Response body", "received"]]) {
    const [one, two] = [side(leftContent)?.[name], side(rightContent)?.[name]];
    if (one || two) element.append(make("h3", {}, title), lineDifference(readable(one), readable(two)));
    }
    return element;
    }
    function factsOf(entries, index) {
    const attempts = entries.attempts(index);
    const last = attempts.at(-1);
    const facts = [
    ["Method", entries.text("method", index)], ["URL", entries.text("url", index)],
    ["Operation", entries.text("operation", index)], ["Result", `${entries.ending(index)} ${entries.value("status", index) ?? ""}`],
    ["Error", entries.text("error", index)], ["Took", shortDuration(entries.value("duration", index))],
    ["Attempts", String(entries.value("attempts", index) ?? 0)], ["Cache", entries.text("cache", index)],
    ["Sent", shortSize(entries.value("requestBytes", index))], ["Received", shortSize(entries.value("responseBytes", index))],
    ["Version", entries.text("version", index)], ["Peer", entries.text("remote", index)],
    ];
    phaseNames.forEach((phase, number) => facts.push([phase, shortDuration(last?.phases[number])]));
    return facts.filter(([, value]) => value).map(([name, value]) => [name, String(value)]);
    }
    function differenceTable(title, left, right) {
    const joined = fields => {
    const values = new Map();
    for (const [name, value] of fields) {
    const key = name.toLowerCase();
    values.set(key, { name, value: values.has(key) ? `${values.get(key).value}\n${value}` : value });
    }
    return values;
    };
    const [one, two] = [joined(left), joined(right)];
    const rows = [...new Set([...one.keys(), ...two.keys()])].map(key => {
    const [a, b] = [one.get(key)?.value ?? null, two.get(key)?.value ?? null];
    return { name: (one.get(key) ?? two.get(key)).name, a, b, differs: a !== b };
    });
    rows.sort((left, right) => Number(right.differs) - Number(left.differs));
    return make("table", { className: "difference" },
    make("caption", {}, title),
    make("tbody", {}, ...rows.map(({ name, a, b, differs }) => make("tr", { className: differs ? "differs" : "" },
    make("th", { scope: "row" }, `${differs ? "≠ " : "= "}${line(name, 100)}`),
    make("td", {}, a === null ? "–" : visible(a.slice(0, 2000))), make("td", {}, b === null ? "–" : visible(b.slice(0, 2000)))))));
    }
    function readable(body) {
    if (!body) return "";
    if (body.isBytes) return `(${shortSize(body.bytes.length)} of binary data)`;
    const tree = JSONText.tree(body.text);
    return tree ? JSONText.pretty(tree) : body.text;
    }
    function lineDifference(left, right) {
    if (left === right) return make("p", { className: "hint" }, "The same.");
    const limit = 1500;
    const [one, two] = [left.split("\n").slice(0, limit), right.split("\n").slice(0, limit)];
    const width = two.length + 1;
    const lengths = new Uint16Array((one.length + 1) * width);
    for (let i = one.length - 1; i >= 0; i -= 1) {
    for (let j = two.length - 1; j >= 0; j -= 1) {
    lengths[i * width + j] = one[i] === two[j]
    ? lengths[(i + 1) * width + j + 1] + 1 : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
    }
    }
    const rows = [];
    let [i, j] = [0, 0];
    while (i < one.length || j < two.length) {
    if (i < one.length && j < two.length && one[i] === two[j]) {
    rows.push([" ", one[i++]]);
    j += 1;
    } else if (j >= two.length || (i < one.length && lengths[(i + 1) * width + j] >= lengths[i * width + j + 1])) rows.push(["−", one[i++]]);
    else rows.push(["+", two[j++]]);
    }
    const isNear = rows.map((_, place) => rows.slice(Math.max(0, place - 3), place + 4).some(([sign]) => sign !== " "));
    const pre = make("pre", { className: "lines", tabIndex: 0 });
    let isGap = false;
    rows.forEach(([sign, text], place) => {
    if (!isNear[place]) {
    if (!isGap) pre.append(make("span", { className: "hint" }, "  …\n"));
    isGap = true;
    return;
    }
    isGap = false;
    const className = sign === "+" ? "added" : sign === "−" ? "removed" : "same";
    pre.append(make("span", { className }, `${sign} ${line(text, 1000)}\n`));
    });
    return pre;
    }
    class CapturedBody {
    constructor([kind, place, length, size, isCut], data) {
    this.isBytes = kind === 1;
    this.bytes = data.subarray(place, place + length);
    this.size = size;
    this.isCut = isCut === 1;
    }
    get isEmpty() { return this.bytes.length === 0; }
    get text() {
    if (!this.isBytes) return decoder.decode(this.bytes);
    let text = "";
    for (let start = 0; start < this.bytes.length; start += 8192) {
    text += String.fromCharCode(...this.bytes.subarray(start, start + 8192));
    }
    return text;
    }
    }
    class CapturedContent {
    constructor({ exchanges = [], messages = [] }, data) {
    const body = reference => (reference ? new CapturedBody(reference, data) : null);
    this.exchanges = exchanges.map(([number, status, sentFields, sent, receivedFields, received, trailers]) => ({
    number, status, sentFields: sentFields ?? "", sent: body(sent),
    receivedFields: receivedFields ?? "", received: body(received), trailers: trailers ?? "",
    }));
    this.messages = messages.map(([number, at, isSent, kind, size, reference]) => ({
    number, at, isSent: isSent === 1, kind, size, body: body(reference),
    }));
    }
    headers(side) {
    const blocks = this.exchanges.flatMap(one =>
    side === "request" ? [one.sentFields] : [one.receivedFields, one.trailers]);
    return blocks.filter(block => block !== "").join("\n");
    }
    bodies(side) {
    const bodies = this.exchanges.map(one => (side === "request" ? one.sent : one.received));
    const messages = this.messages.filter(message => message.isSent === (side === "request"));
    return [...bodies, ...messages.map(message => message.body)].filter(body => body !== null);
    }
    }
    function fieldsOf(lines) {
    return lines.split("\n").filter(line => line !== "").map(line => {
    const colon = line.indexOf(":");
    return colon < 0 ? [line, ""] : [line.slice(0, colon), line.slice(colon + 1).trimStart()];
    });
    }
    function fieldValue(lines, name) {
    return fieldsOf(lines).find(([other]) => other.toLowerCase() === name)?.[1] ?? null;
    }
    const hiddenText = "<redacted>";
    function shellWord(text) {
    if (text !== "" && /^[\w@%+=:,./-]+$/.test(text)) return text;
    if (!/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/.test(text)) {
    return `'${text.replace(/'/g, "'\\''")}'`;
    }
    const escaped = text.replace(/['\\]/g, "\\$&").replace(/\n/g, "\\n")
    .replace(/[\u0000-\u001f\u007f]/g, character => "\\x" + character.charCodeAt(0).toString(16).padStart(2, "0"))
    .replace(/[\u0080-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    character => "\\u" + character.charCodeAt(0).toString(16).padStart(4, "0"));
    return `$'${escaped}'`;
    }
    function variableName(name) {
    return name.toUpperCase().replace(/[^A-Z0-9]+/g, "_").replace(/^_+|_+$/g, "").replace(/^(?=[0-9])/, "_") || "VALUE";
    }
    function wordWithVariables(text, name) {
    if (!text.includes(hiddenText)) return shellWord(text);
    const variable = variableName(name);
    if (!/[$`"\\!]|[^\x20-\x7e]/.test(text)) {
    return `"${text.split(hiddenText).reduce((left, right) => `${left}${/^\w/.test(right) ? `\${${variable}}` : `$${variable}`}${right}`)}"`;
    }
    return text.split(hiddenText).map(part => (part === "" ? "" : shellWord(part))).join(`"$${variable}"`);
    }
    function urlWithVariables(url) {
    const words = url.split(/(<redacted>|%3Credacted%3E)/i);
    return words.map((word, index) => {
    if (index % 2 === 0) return word === "" ? "" : shellWord(word);
    const name = /[?&;]([^=&;?]+)=$/.exec(words[index - 1])?.[1] ?? "SECRET";
    return `"$${variableName(name)}"`;
    }).join("");
    }
    const unknownBody =
    '--data-binary @"${BODY:?the file with the body of the request, such as body.bin for @body.bin}"';
    function missingBody(entries, index, exchange, method) {
    const body = exchange?.sent ?? null;
    if (body) {
    if (body.isCut) return body.isEmpty ? "the body wasn't captured: set BODY" : "the body is cut: set BODY";
    return body.isBytes ? "the body isn't text: set BODY" : null;
    }
    const fields = exchange?.sentFields ?? "";
    const isSafe = /^(GET|HEAD|OPTIONS|TRACE)$/.test(method);
    const counted = [entries.attempts(index)[0]?.sent, entries.value("requestBytes", index)].filter(size => size != null);
    const size = fieldValue(fields, "content-length")
    ?? (exchange ? (isSafe ? null : counted[0]) : counted.length > 0 ? Math.max(...counted) : null);
    if (size !== null && Number(size) > 0) return "the body wasn't captured: set BODY";
    if (!/^(POST|PUT|PATCH)$/.test(method)) return null;
    const status = entries.value("status", index) ?? 0;
    const isEmpty = exchange
    ? fieldValue(fields, "transfer-encoding") === null
    : Number(size ?? 1) === 0 && status >= 200 && status < 300;
    return isEmpty ? null : "the body wasn't captured: set BODY";
    }
    function curlCommand(entries, index, content) {
    const url = entries.text("url", index);
    if (url === null || entries.value("kind", index) !== Kind.call) return null;
    const exchange = content?.exchanges.find(one => one.number === 1) ?? content?.exchanges[0];
    const method = entries.text("method", index) ?? "GET";
    const parts = ["curl"];
    const notes = [];
    const body = exchange?.sent ?? null;
    const missing = missingBody(entries, index, exchange, method);
    const hasBody = missing !== null || (body !== null && !body.isEmpty);
    if (method === "HEAD" && !hasBody) parts.push("-I");
    else if (method !== "GET" || hasBody) parts.push("-X " + shellWord(method));
    for (const [name, value] of fieldsOf(exchange?.sentFields ?? "")) {
    if (/^(content-length|transfer-encoding|host)$/i.test(name)) continue;
    parts.push("-H " + (value === "" ? shellWord(`${name};`) : wordWithVariables(`${name}: ${value}`, name)));
    }
    if (fieldValue(exchange?.sentFields ?? "", "accept-encoding")) parts.push("--compressed");
    if (missing !== null) {
    parts.push(unknownBody);
    notes.push(missing);
    } else if (hasBody) {
    parts.push("--data-raw " + shellWord(body.text));
    if (body.text.includes(hiddenText)) notes.push(`fill in ${hiddenText} in the body`);
    }
    if (!exchange) notes.push("headers and body weren't captured");
    if (/[{}[\]]/.test(url)) parts.push("--globoff");
    parts.push(urlWithVariables(url));
    return parts.join(" \\\n  ") + (notes.length ? ` # ${notes.join(", ")}` : "");
    }
    const tabNames = ["Summary", "Request", "Response", "Timing", "Messages", "Log", "cURL"];
    class Detail {
    constructor(element, actions) {
    this.element = element;
    this.actions = actions;
    this.tab = 1;
    this.index = null;
    this.turn = 0;
    }
    async show(entries, index, tab, other) {
    this.turn += 1;
    const turn = this.turn;
    const isSame = this.index === index && this.other === other;
    Object.assign(this, { entries, index, tab, other });
    const content = await this.actions.contentOf(index);
    if (turn !== this.turn) return;
    const panel = make("div", { className: "panel", tabIndex: 0 });
    let head;
    if (other !== null) {
    head = this.compareHead();
    panel.append(await comparison(entries, other, index, this.actions.contentOf));
    if (turn !== this.turn) return;
    } else {
    head = this.head(content);
    panel.id = "panel";
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", `tab-${tab}`);
    panel.append(this.view(tab, content));
    }
    const hadFocus = this.element.contains(document.activeElement);
    this.element.replaceChildren(...head, panel);
    this.element.hidden = false;
    this.element.querySelector('[role="tab"][aria-selected="true"]')?.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (hadFocus) (this.element.querySelector('[role="tab"][aria-selected="true"]') ?? panel).focus({ preventScroll: true });
    if (!isSame) panel.scrollTop = 0;
    }
    hide() {
    this.turn += 1;
    this.index = null;
    this.element.hidden = true;
    this.element.replaceChildren();
    }
    focus() {
    (this.element.querySelector('[role="tab"][aria-selected="true"]') ?? this.element.querySelector(".panel"))?.focus();
    }
    title(index) {
    const { entries } = this;
    const result = entries.result(index);
    return [make("span", { className: `result ${result.kind}` }, `${result.sign} ${result.text}`), " ",
    make("strong", {}, entries.text("method", index) ?? kindNames[entries.value("kind", index)]), " ",
    make("span", { className: "breaks" }, line(entries.subject(index), 300))];
    }
    closeButton() {
    const close = make("button", { type: "button", "aria-label": "Close (Escape)", className: "close" }, "×");
    close.addEventListener("click", () => this.actions.close());
    return close;
    }
    compareHead() {
    return [make("header", {}, make("h2", {}, "Comparison"), this.closeButton()),
    make("div", { className: "pair" }, make("div", {}, "A: ", ...this.title(this.other)), make("div", {}, "B: ", ...this.title(this.index)))];
    }
    head(content) {
    const compare = make("button", { type: "button", title: "x" }, this.actions.marked() === null ? "Compare…" : "Compare with the marked one");
    compare.addEventListener("click", () => this.actions.compare());
    const counts = [null, null, null, this.entries.attempts(this.index).length, content?.messages.length ?? 0,
    this.entries.owned(this.index).length, null];
    const tabs = tabNames.map((name, place) => {
    const number = place + 1;
    const isSelected = number === this.tab;
    const button = make("button", {
    type: "button", role: "tab", id: `tab-${number}`, "aria-selected": String(isSelected), tabIndex: isSelected ? 0 : -1,
    className: counts[place] === 0 ? "empty" : "", title: `Key ${number}`,
    }, name, counts[place] ? make("span", { className: "hint" }, ` ${count(counts[place])}`) : null);
    if (isSelected) button.setAttribute("aria-controls", "panel");
    button.addEventListener("click", () => this.actions.tab(number));
    button.addEventListener("keydown", event => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step) this.actions.tab((number - 1 + step + tabNames.length) % tabNames.length + 1);
    });
    return button;
    });
    return [make("header", {}, make("h2", {}, ...this.title(this.index)), compare, this.closeButton()),
    make("div", { role: "tablist", "aria-label": "Parts of the entry" }, ...tabs)];
    }
    view(tab, content) {
    switch (tab) {
    case 2: return this.exchanges(content, "sent");
    case 3: return this.exchanges(content, "received");
    case 4: return timingView(this.entries, this.index);
    case 5: return messagesView(content?.messages ?? []);
    case 6: return this.owned();
    case 7: return this.curl(content);
    default: return this.summary(content);
    }
    }
    summary(content) {
    const { entries, index } = this;
    const rows = [];
    const add = (name, value, className = "") => {
    if (value === null || value === undefined || value === "") return;
    rows.push(make("tr", {}, make("th", { scope: "row" }, name),
    make("td", { className }, value instanceof Node ? value : longText(String(value), 2000))));
    };
    const result = entries.result(index);
    const ending = entries.ending(index);
    add("Result", `${result.sign} ${ending === result.text ? ending : `${ending}, ${result.text}`}`, `result ${result.kind}`);
    add("Error", entries.text("error", index) === null ? null : `${entries.text("error", index)} while ${entries.text("phase", index)}`);
    add("Message", entries.text("message", index));
    add("URL", entries.text("url", index));
    add("Operation", entries.text("operation", index));
    add("Name", entries.text("name", index));
    const tags = entries.text("tags", index);
    add("Tags", tags === null ? null : JSON.parse(tags).join(", "));
    add("Began", `${moment(entries.value("start", index))} UTC`);
    add("Took", shortDuration(entries.value("duration", index)));
    const retries = entries.value("retries", index);
    const attempts = entries.value("attempts", index);
    add("Attempts", attempts > 1 ? `${attempts}${retries > 0 ? `, ${counted(retries, "retry").replace("retrys", "retries")}` : ""}` : null);
    add("Cache", entries.text("cache", index) === null ? null : `${entries.text("cache", index)} – ${entries.text("cacheReason", index) ?? "no reason was noted"}`);
    const size = (bytes, type) => (bytes === null ? null : shortSize(bytes) + (type ? ` · ${type}` : ""));
    add("Sent", size(entries.value("requestBytes", index), entries.text("requestType", index)));
    add("Received", size(entries.value("responseBytes", index), entries.text("responseType", index)));
    const reused = entries.value("reused", index);
    const version = entries.text("version", index);
    add("Connection", [version ? `HTTP/${version}` : null, reused === null ? null : reused ? "was open" : "was new",
    entries.text("remote", index)].filter(part => part).join(", "));
    this.detailRows(entries.text("detail", index), add);
    add("Comment", entries.text("comment", index));
    add("Pinned", entries.value("pinned", index) === 1 ? "yes" : null);
    const run = entries.list.runs.find(one => one.id === entries.value("run", index));
    add("Run", run ? `${run.id}: ${run.process} (${run.pid})` : null);
    add("ID", entries.id(index));
    this.links(add);
    const view = make("div", {}, make("table", { className: "fields" }, make("tbody", {}, ...rows)), ...this.remarks(content));
    return view;
    }
    detailRows(detail, add) {
    if (detail === null) return;
    const tree = JSONText.tree(detail);
    if (tree?.type === "object") add("Detail", new Tree(tree).element);
    else add("Detail", detail);
    }
    links(add) {
    const { entries, index } = this;
    const link = (other, text) => {
    const button = make("button", { type: "button", className: "link" }, text);
    button.addEventListener("click", () => this.actions.open(other));
    return button;
    };
    const owner = entries.value("owner", index);
    const place = owner === null ? undefined : entries.indexOf.get(owner);
    if (place !== undefined && place !== index) {
    add("Belongs to", link(place, `${kindNames[entries.value("kind", place)]} ${line(entries.subject(place), 120)}`));
    }
    const sibling = entries.sibling(index);
    if (sibling !== null) add(entries.value("kind", sibling) === Kind.socket ? "WebSocket" : "Handshake", link(sibling, line(entries.subject(sibling), 120)));
    }
    remarks(content) {
    const remarks = [];
    const texts = [this.entries.text("url", this.index) ?? ""];
    if (content) {
    for (const side of ["request", "response"]) texts.push(content.headers(side), ...content.bodies(side).map(body => (body.isBytes ? "" : body.text)));
    }
    const hidden = texts.reduce((sum, text) => sum + text.split(/<redacted>|%3Credacted%3E/i).length - 1, 0);
    if (hidden > 0) remarks.push(`${counted(hidden, "value")} ${hidden === 1 ? "is" : "are"} hidden as ${hiddenText}.`);
    const cut = content ? [...content.bodies("request"), ...content.bodies("response")].filter(body => body.isCut).length : 0;
    if (cut > 0) remarks.push(`${cut === 1 ? "One body or message is" : `${count(cut)} bodies or messages are`} cut.`);
    if (!content && this.entries.value("kind", this.index) === Kind.call) remarks.push("Neither headers nor bodies were captured.");
    return remarks.map(text => make("p", { className: "hint" }, text));
    }
    exchanges(content, side) {
    const element = make("div", {});
    const exchanges = content?.exchanges ?? [];
    if (exchanges.length === 0) {
    element.append(make("p", { className: "hint" }, "Nothing was captured: neither headers nor a body."));
    return element;
    }
    const target = make("div", {});
    const draw = exchange => {
    const fields = side === "sent" ? exchange.sentFields : exchange.receivedFields;
    const body = exchange[side];
    const parts = [];
    if (side === "sent") parts.push(make("p", { className: "breaks" }, make("strong", {}, this.entries.text("method", this.index) ?? ""), ` ${line(this.entries.text("url", this.index) ?? "", 2000)}`));
    else parts.push(make("p", {}, exchange.status === null ? "No response was received." : `Status ${exchange.status}`));
    if (fields) parts.push(fieldTable(fieldsOf(fields)));
    if (body && !body.isEmpty) parts.push(new BodyView(body, fieldValue(fields, "content-type")).element);
    else parts.push(make("p", { className: "hint" }, body ? "The body is empty." : "No body was captured."));
    if (side === "received" && exchange.trailers) parts.push(make("h3", {}, "Trailers"), fieldTable(fieldsOf(exchange.trailers)));
    target.replaceChildren(...parts);
    };
    if (exchanges.length > 1) {
    const choice = make("select", { "aria-label": "Attempt" }, ...exchanges.map((exchange, place) => make("option", { value: String(place) },
    exchange.number > 0 ? `Attempt ${exchange.number}${exchange.status === null ? "" : `: ${exchange.status}`}` : "Response from the cache")));
    choice.value = String(exchanges.length - 1);
    choice.addEventListener("change", () => draw(exchanges[Number(choice.value)]));
    element.append(choice);
    }
    draw(exchanges.at(-1));
    element.append(target);
    return element;
    }
    owned() {
    const { entries } = this;
    const owned = entries.owned(this.index);
    if (owned.length === 0) return make("p", { className: "hint" }, "No log lines or calls belong to this entry.");
    const rows = owned.slice(0, 500).map(index => {
    const result = entries.result(index);
    const button = make("button", { type: "button", className: "link" }, line(entries.subject(index), 400));
    button.addEventListener("click", () => this.actions.open(index));
    return make("tr", {}, make("td", { className: "hint" }, clock(entries.value("start", index))),
    make("td", { className: `result ${result.kind}` }, `${result.sign} ${result.text}`), make("td", { className: "breaks" }, button));
    });
    return make("table", { className: "lines" }, make("tbody", {}, ...rows));
    }
    curl(content) {
    const command = curlCommand(this.entries, this.index, content);
    if (command === null) return make("p", { className: "hint" }, "This entry isn't a request.");
    const text = make("pre", { tabIndex: 0 }, longText(command, shownText));
    return make("div", {}, make("div", { className: "bar" }, copyButton("Copy (c)", () => command)), text,
    /\$[A-Z_{]/.test(command) ? make("p", { className: "hint" }, "Hidden values are variables: set them before you run the command.") : null);
    }
    }
    const Kind = { call: 1, socket: 2, job: 3, log: 4 };
    const kindNames = ["", "call", "socket", "job", "log"];
    const Outcome = { completed: 1, rejected: 2, failed: 3, cancelled: 4, cutOff: 5 };
    const textColumns = new Set(["method", "operation", "name", "host", "url", "error", "phase", "message", "cache", "cacheReason",
    "requestType", "responseType", "version", "remote", "level", "detail", "comment", "tags"]);
    const attemptTexts = [5, 6, 7, 8, 9, 10, 12, 13, 15];
    const phaseNames = ["queued", "lookup", "connect", "secure", "sending", "waiting", "download"];
    class Entries {
    constructor(list) {
    this.list = list;
    this.strings = list.strings;
    this.columns = list.columns;
    this.count = list.count;
    this.initial = list.count;
    this.listed = list.count - (list.columns.hidden?.filter(value => value === 1).length ?? 0);
    this.now = list.now;
    this.column = this.column.bind(this);
    this.attemptsOf = new Map();
    list.attempts.forEach((attempt, number) => this.addAttempt(attempt[0], number));
    this.indexOf = new Map();
    this.ownedBy = new Map();
    for (let index = 0; index < this.count; index += 1) this.register(index);
    }
    addAttempt(index, number) {
    const known = this.attemptsOf.get(index);
    if (known) known.push(number);
    else this.attemptsOf.set(index, [number]);
    }
    register(index) {
    const [uid, owner] = [this.value("uid", index), this.value("owner", index)];
    if (!this.indexOf.has(uid) || this.value("kind", index) === Kind.socket) this.indexOf.set(uid, index);
    if (owner === null) return;
    const known = this.ownedBy.get(owner);
    if (known) known.push(index);
    else this.ownedBy.set(owner, [index]);
    }
    newestFirst() {
    const hidden = this.column("hidden");
    const numbers = [];
    for (let index = this.count - 1; index >= this.initial; index -= 1) numbers.push(index);
    for (let index = 0; index < this.initial; index += 1) if (hidden(index) !== 1) numbers.push(index);
    return numbers;
    }
    add(news) {
    const strings = this.numbers("strings", this.strings, news.strings);
    const uids = this.numbers("uids", this.list.uids, news.uids);
    this.numberOfEntry ??= new Map(Array.from({ length: this.count }, (_, index) =>
    [`${this.value("uid", index)} ${this.value("kind", index)}`, index]));
    const names = new Set([...Object.keys(this.columns), ...Object.keys(news.columns)]);
    const [added, changed, places] = [[], [], new Map()];
    for (let place = news.count - 1; place >= 0; place -= 1) {
    const value = name => {
    const number = news.columns[name]?.[place] ?? null;
    if (number === null) return null;
    return textColumns.has(name) ? strings[number] : name === "uid" || name === "owner" ? uids[number] : number;
    };
    const key = `${value("uid")} ${value("kind")}`;
    const known = this.numberOfEntry.get(key);
    const isLate = known !== undefined && value("outcome") === null && this.value("outcome", known) !== null;
    if (isLate && value("kind") !== Kind.job) continue;
    const index = known ?? this.count;
    places.set(place, index);
    for (const name of names) (this.columns[name] ??= Array(this.count).fill(null))[index] = value(name);
    this.attemptsOf.delete(index);
    (known === undefined ? added : changed).push(index);
    if (known !== undefined) continue;
    this.count += 1;
    this.listed += 1;
    this.numberOfEntry.set(key, index);
    this.register(index);
    }
    for (const [place, ...row] of news.attempts) {
    if (!places.has(place)) continue;
    const attempt = [places.get(place), ...row];
    for (const cell of attemptTexts) if (attempt[cell] !== null) attempt[cell] = strings[attempt[cell]];
    this.addAttempt(attempt[0], this.list.attempts.push(attempt) - 1);
    }
    this.now = news.now;
    if (news.runs.length > 0) this.list.runs = news.runs;
    return { added: added.reverse(), changed };
    }
    numbers(name, known, texts) {
    const numbers = (this.known ??= {})[name] ??= new Map(known.map((text, number) => [text, number]));
    return texts.map(text => {
    if (!numbers.has(text)) numbers.set(text, known.push(text) - 1);
    return numbers.get(text);
    });
    }
    column(name) {
    const values = this.columns[name];
    return values ? index => values[index] : () => null;
    }
    value(name, index) {
    const values = this.columns[name];
    return values ? values[index] : null;
    }
    text(name, index) {
    const number = this.value(name, index);
    return number === null ? null : this.strings[number];
    }
    string(number) {
    return number === null ? null : this.strings[number];
    }
    attempts(index) {
    const numbers = this.attemptsOf.get(index) ?? [];
    return numbers.map(number => {
    const row = this.list.attempts[number];
    const attempt = {
    number: row[1], start: row[2], duration: row[3], status: row[4], error: this.string(row[5]),
    phase: this.string(row[6]), message: this.string(row[7]), method: this.string(row[8]), url: this.string(row[9]),
    version: this.string(row[10]), reused: row[11], remote: this.string(row[12]), trace: this.string(row[13]),
    retryDelay: row[14], retryReason: this.string(row[15]), sent: row[16], received: row[17], phases: row.slice(18),
    };
    return attempt;
    });
    }
    owned(index) {
    const start = this.column("start");
    return (this.ownedBy.get(this.value("uid", index)) ?? []).filter(other => other !== index)
    .sort((left, right) => start(left) - start(right) || right - left);
    }
    sibling(index) {
    const uid = this.value("uid", index);
    for (let other = 0; other < this.count; other += 1) {
    if (other !== index && this.value("uid", other) === uid) return other;
    }
    return null;
    }
    result(index) {
    const status = this.value("status", index);
    switch (this.value("outcome", index)) {
    case Outcome.completed: return { sign: "•", text: String(status ?? "completed"), kind: "good" };
    case Outcome.rejected: return { sign: "!", text: String(status ?? "rejected"), kind: status >= 500 ? "bad" : "poor" };
    case Outcome.failed: return { sign: "×", text: this.text("error", index) ?? "failed", kind: "bad" };
    case Outcome.cancelled: return { sign: "–", text: "cancelled", kind: "poor" };
    case Outcome.cutOff: return { sign: "¦", text: "cut off", kind: "poor" };
    default:
    if (this.value("kind", index) === Kind.log) {
    const level = this.text("level", index) ?? "log";
    const isBad = level === "error" || level === "critical";
    return { sign: "≡", text: level, kind: isBad ? "bad" : level === "warning" ? "poor" : "plain" };
    }
    return { sign: "»", text: "running", kind: "plain" };
    }
    }
    ending(index) {
    const names = ["", "completed", "rejected", "failed", "cancelled", "cut off"];
    const outcome = this.value("outcome", index);
    return outcome !== null ? names[outcome] : this.value("kind", index) === Kind.log ? "logged" : "running";
    }
    isFailure(index) {
    const outcome = this.value("outcome", index);
    return outcome === Outcome.failed || outcome === Outcome.rejected || outcome === Outcome.cutOff;
    }
    subject(index) {
    const url = this.text("url", index);
    if (url === null) return this.text("message", index) ?? this.text("name", index) ?? "";
    const host = this.text("host", index);
    const place = host === null ? -1 : url.toLowerCase().indexOf(host);
    if (place < 0) return url;
    return url.slice(place + host.length) || "/";
    }
    id(index) {
    return this.list.uids[this.value("uid", index)];
    }
    indexOfID(id) {
    const number = this.list.uids.findIndex(uid => uid === id || (id.length >= 8 && uid.endsWith(id)));
    return number < 0 ? null : this.indexOf.get(number) ?? null;
    }
    }
    const expectedValue = {
    d: "a host, or a part of it",
    u: "a URL, or a part of it",
    m: "a method",
    h: 'a part of a header such as "accept: text"',
    b: "text of a body",
    t: "a content type, or a part of it",
    op: "an operation, or a part of it",
    tag: "a tag, or a part of it",
    comment: "text of a comment",
    error: "an error such as timeout, or a part of its message",
    cache: "a decision of the cache such as hit or miss",
    c: "a status (503), a class of them (5xx) or a range (400-499)",
    slower: "a duration such as 500ms, 2s, 1.5m, 1h or 2d",
    larger: "a size such as 800B, 1KB, 1.5MB, 1GB (powers of 1000), 1KiB or 1MiB (of 1024)",
    since: "a time before now (15m), a date (2026-11-24) or a date and time (2026-11-24T08:00:00Z)",
    run: "the number of a run",
    };
    Object.assign(expectedValue, {
    hq: expectedValue.h, hs: expectedValue.h, bq: expectedValue.b, bs: expectedValue.b,
    faster: expectedValue.slower, until: expectedValue.since,
    });
    const readValue = {
    c: statusRange, slower: durationValue, faster: durationValue, larger: sizeValue, since: momentValue,
    until: momentValue, run: text => { const number = wholeNumber(text); return number === null ? null : Number(number); },
    };
    const flagNames = ["e", "q", "s", "marked", "websocket", "retried", "reused", "job", "log"];
    const termNames = [...Object.keys(expectedValue), ...flagNames, "all"];
    class FilterParser {
    static parse(text) {
    const parser = new FilterParser(text);
    const node = { all: parser.groups(0) };
    if (!parser.scanner.isAtEnd) throw parser.scanner.unexpected('"(" before it, or nothing');
    return node;
    }
    constructor(text) {
    this.scanner = new FilterScanner(text);
    const length = this.scanner.scalars.length;
    if (length > 4096) throw this.scanner.error(4096, `${length} characters`, "at most 4096");
    }
    groups(depth) {
    const nodes = [];
    this.scanner.skipSpace();
    while (!this.scanner.isAtEnd && this.scanner.next !== ")") {
    nodes.push(this.group(depth));
    this.scanner.skipSpace();
    }
    return nodes;
    }
    group(depth) {
    const nodes = [this.conjunction(depth)];
    while (this.scanner.skip("|")) nodes.push(this.conjunction(depth));
    return { any: nodes };
    }
    conjunction(depth) {
    const nodes = [this.negation(depth)];
    while (this.scanner.skip("&")) nodes.push(this.negation(depth));
    return { all: nodes };
    }
    negation(depth) {
    let isNegated = false;
    while (this.scanner.skip("!")) isNegated = !isNegated;
    const node = this.operand(depth);
    return isNegated ? { not: node } : node;
    }
    operand(depth) {
    this.scanner.skipSpace();
    const next = this.scanner.next;
    if (next === "(") return this.parenthesized(depth);
    if (next === "~") return this.named();
    if (next === undefined || next === ")" || next === "&" || next === "|") {
    throw this.scanner.unexpected("a term, for example ~c 5xx or a part of a URL");
    }
    return { name: "", pattern: new FilterPattern(this.scanner.value().tokens) };
    }
    parenthesized(depth) {
    const opening = this.scanner.error(this.scanner.offset, "", "").column;
    if (depth >= 20) throw this.scanner.unexpected("parentheses at most 20 deep");
    this.scanner.skip("(");
    const nodes = this.groups(depth + 1);
    if (nodes.length === 0 && !this.scanner.isAtEnd) throw this.scanner.unexpected('a term after "("');
    if (!this.scanner.skip(")")) throw this.scanner.unexpected(`")" for "(" in column ${opening}`);
    return { all: nodes };
    }
    named() {
    const scanner = this.scanner;
    const start = scanner.offset;
    const name = scanner.name();
    if (!termNames.includes(name)) {
    const alike = termNames.filter(other => other[0] === name[0]);
    const offered = (alike.length ? alike : termNames).toSorted().map(other => "~" + other).join(" ");
    throw scanner.error(start, `"~${name}"`, `a term: ${offered}`);
    }
    const expected = expectedValue[name];
    if (expected === undefined) {
    if (!scanner.isAtBoundary) throw scanner.unexpected(`a space after ~${name}`);
    return name === "all" ? { all: [] } : { flag: name };
    }
    if (!scanner.isAtSpace) throw scanner.unexpected(`a space and ${expected} after ~${name}`);
    scanner.skipSpace();
    if (!scanner.isAtValue) throw scanner.unexpected(`${expected} after ~${name}`);
    const offset = scanner.offset;
    const value = scanner.value();
    if (!readValue[name]) return { name, pattern: new FilterPattern(value.tokens) };
    const read = readValue[name](value.text);
    if (read === null) throw scanner.error(offset, `"${shortened(value.text)}"`, expected);
    return { name, value: read };
    }
    }
    const anyText = 1;
    const oneCharacter = 2;
    function lowercase(text) {
    if (!/[^\x00-\x7f]/.test(text)) return text.toLowerCase();
    return Array.from(text, character => character.toLowerCase()).join("");
    }
    function foldASCII(text) {
    if (!/[^\x00-\x7f]/.test(text)) return text.toLowerCase();
    return text.replace(/[A-Z]+/g, letters => letters.toLowerCase());
    }
    class FilterPattern {
    constructor(tokens) {
    const kept = [];
    for (const token of tokens) {
    if (token !== anyText || kept.at(-1) !== anyText) kept.push(token);
    }
    this.hasColon = kept.includes(":");
    const units = [];
    for (const token of kept) {
    if (typeof token === "number") units.push(token);
    else units.push(...lowercase(token).split(""));
    }
    this.isBeyondASCII = units.some(unit => typeof unit === "string" && unit > "\x7f");
    const hasAny = units.includes(anyText);
    const isWithin = !hasAny || (units.length > 1 && units[0] === anyText && units.at(-1) === anyText);
    const inner = hasAny ? units.slice(1, -1) : units;
    this.needle = isWithin && inner.every(unit => typeof unit === "string") ? inner.join("") : null;
    this.units = hasAny ? units : [anyText, ...units, anyText];
    }
    matches(text, isBytes = false) {
    let folded;
    if (this.isBeyondASCII) {
    const whole = isBytes ? repaired(text) : text;
    if (!/[^\x00-\x7f]/.test(text)) return false;
    folded = lowercase(whole);
    isBytes = false;
    } else {
    folded = foldASCII(text);
    }
    return this.needle !== null ? folded.includes(this.needle) : this.matchesUnits(folded, isBytes);
    }
    matchesUnits(text, isBytes) {
    const units = this.units;
    let place = 0;
    let index = 0;
    let star = null;
    while (place < text.length) {
    const unit = units[index];
    if (index < units.length && unit === anyText) {
    star = [index, place];
    index += 1;
    } else if (index < units.length && unit === oneCharacter) {
    index += 1;
    place += 1;
    if (isBytes) while (place < text.length && (text.charCodeAt(place) & 0xc0) === 0x80) place += 1;
    else if (/[\ud800-\udbff]/.test(text[place - 1]) && /[\udc00-\udfff]/.test(text[place] ?? "")) place += 1;
    } else if (index < units.length && unit === text[place]) {
    index += 1;
    place += 1;
    } else if (star) {
    star[1] += 1;
    index = star[0] + 1;
    place = star[1];
    } else {
    return false;
    }
    }
    return units.slice(index).every(unit => unit === anyText);
    }
    }
    function repaired(bytes) {
    return new TextDecoder().decode(Uint8Array.from(bytes, character => character.charCodeAt(0)));
    }
    class FilterError extends Error {
    constructor(scalars, offset, found, expected) {
    super(`found ${found}, expected ${expected}`);
    const before = scalars.slice(0, offset).join("");
    const whole = scalars.join("");
    let column = 1;
    for (const part of new Intl.Segmenter("en").segment(whole)) {
    if (part.index + part.segment.length > before.length) break;
    column += 1;
    }
    this.column = column;
    this.expression = whole;
    }
    }
    const isSpace = character => character !== undefined && /^[\s\u0085]$/u.test(character) && character !== "\ufeff";
    const isOperator = character => character !== undefined && "()&|!".includes(character);
    class FilterScanner {
    constructor(text) {
    this.scalars = Array.from(text);
    this.offset = 0;
    }
    get isAtEnd() { return this.offset === this.scalars.length; }
    get next() { return this.scalars[this.offset]; }
    get isAtSpace() { return this.isAtEnd || isSpace(this.next); }
    get isAtBoundary() { return this.isAtEnd || isSpace(this.next) || isOperator(this.next); }
    get isAtValue() { return !this.isAtEnd && !isOperator(this.next) && this.next !== "~"; }
    skipSpace() {
    while (isSpace(this.next)) this.offset += 1;
    }
    skip(symbol) {
    this.skipSpace();
    if (this.next !== symbol) return false;
    this.offset += 1;
    return true;
    }
    name() {
    this.offset += 1;
    let name = "";
    while (!this.isAtEnd && /^[\p{Alphabetic}0-9_-]$/u.test(this.next)) name += this.scalars[this.offset++];
    return name;
    }
    value() {
    const quote = this.next;
    if (quote !== '"' && quote !== "'") return this.word();
    const start = this.offset;
    const value = { tokens: [], text: "" };
    this.offset += 1;
    while (!this.isAtEnd && this.next !== quote) this.append(value);
    if (this.isAtEnd) throw this.error(start, this.quoted(start), `a closing ${quote}`);
    this.offset += 1;
    if (!this.isAtBoundary) throw this.unexpected(`a space after the closing ${quote}`);
    return value;
    }
    word() {
    const start = this.offset;
    const value = { tokens: [], text: "" };
    while (!this.isAtEnd && !isSpace(this.next) && this.next !== "(" && this.next !== ")") {
    const next = this.next;
    if (next === '"' || next === "'" || next === "~") {
    throw this.unexpected("a space before it, or quotes around the word");
    }
    if (next === "&" && !this.isWithinWord(start)) return value;
    if (next === "|") {
    if (!this.isWithinWord(start)) return value;
    throw this.unexpected('spaces around it for "or", else quotes around the word');
    }
    this.append(value);
    }
    return value;
    }
    isWithinWord(start) {
    const after = this.scalars[this.offset + 1];
    return this.offset > start && after !== undefined && !isSpace(after) && !isOperator(after)
    && !["~", '"', "'"].includes(after);
    }
    append(value) {
    const next = this.next;
    if (next !== "\\") {
    value.tokens.push(next === "*" ? anyText : next === "?" ? oneCharacter : next);
    value.text += next;
    this.offset += 1;
    return;
    }
    const literal = this.scalars[this.offset + 1];
    if (literal === undefined) throw this.unexpected("a character after it, which it takes literally");
    value.tokens.push(literal);
    value.text += literal;
    this.offset += 2;
    }
    unexpected(expected) {
    return this.error(this.offset, this.isAtEnd ? "the end" : this.quoted(this.offset), expected);
    }
    error(offset, found, expected) {
    return new FilterError(this.scalars, offset, found, expected);
    }
    quoted(offset) {
    const [first, second] = [this.scalars[offset], this.scalars[offset + 1]];
    if (isOperator(first) || first === '"' || first === "'" || first === "~") {
    if (isOperator(first) || second === undefined || isSpace(second)) {
    return first === '"' ? "'\"'" : `"${first}"`;
    }
    }
    let end = offset;
    while (end < this.scalars.length && !isSpace(this.scalars[end])) end += 1;
    return `"${shortened(this.scalars.slice(offset, end).join(""))}"`;
    }
    }
    function shortened(text) {
    const characters = Array.from(new Intl.Segmenter("en").segment(text), part => part.segment);
    const kept = characters.slice(0, 40).map(part => (/[\n\r\v\f\u0085\u2028\u2029]/.test(part) ? " " : part)).join("");
    return characters.length > 40 ? kept + "…" : kept;
    }
    const largestInteger = (1n << 63n) - 1n;
    function wholeNumber(text) {
    if (!/^[0-9]+$/.test(text)) return null;
    const value = BigInt(text);
    return value > largestInteger ? null : value;
    }
    function statusCode(text) {
    if (!/^[0-9]{3,4}$/.test(text)) return null;
    const code = Number(text);
    return code >= 100 && code <= 9999 ? code : null;
    }
    function statusRange(text) {
    const hyphen = text.indexOf("-");
    if (hyphen >= 0) {
    const low = statusCode(text.slice(0, hyphen));
    const high = statusCode(text.slice(hyphen + 1));
    return low === null || high === null || low > high ? null : [low, high];
    }
    const code = statusCode(text);
    if (code !== null) return [code, code];
    const found = /^([1-9][0-9]?)[xX]+$/.exec(text);
    if (!found || text.length !== 3) return null;
    const scale = found[1].length === 1 ? 100 : 10;
    const low = Number(found[1]) * scale;
    return [low, low + scale - 1];
    }
    function amount(text, units) {
    const number = /^[0-9.]*/.exec(text)[0];
    const factor = units[text.slice(number.length)];
    if (factor === undefined) return null;
    const point = number.indexOf(".");
    const whole = wholeNumber(point < 0 ? number : number.slice(0, point));
    if (whole === null || whole * BigInt(factor) > largestInteger) return null;
    const product = whole * BigInt(factor);
    if (point < 0) return product;
    const places = number.slice(point + 1);
    if (!/^[0-9]+$/.test(places)) return null;
    const kept = places.slice(0, 9);
    const sum = product + BigInt(kept) * BigInt(factor) / 10n ** BigInt(kept.length);
    return sum > largestInteger ? null : sum;
    }
    function durationValue(text) {
    const value = amount(text, { ms: 1000, s: 1_000_000, m: 60_000_000, h: 3_600_000_000, d: 86_400_000_000 });
    return value === null || value > largestInteger / 1000n ? null : Number(value);
    }
    function sizeValue(text) {
    const units = { kib: 1024, mib: 1 << 20, gib: 1 << 30, kb: 1000, mb: 1_000_000, gb: 1_000_000_000, b: 1, "": 1 };
    const value = amount(text.toLowerCase(), units);
    return value === null ? null : Number(value);
    }
    function dateTime(text) {
    const found = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/.exec(text);
    if (!found) return null;
    const [year, month, day, hour, minute, second] = found.slice(1, 7).map(Number);
    const date = new Date(0);
    date.setUTCFullYear(year, month - 1, day);
    if (month < 1 || month > 12 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || day < 1) return null;
    if (hour > 23 || minute > 59 || second > 60) return null;
    const [hours, minutes] = [Number(found[9] ?? 0), Number(found[10] ?? 0)];
    if (hours > 23 || minutes > 59) return null;
    const offset = (found[8] === "-" ? -1 : 1) * (hours * 3600 + minutes * 60);
    const seconds = date.getTime() / 1000 + hour * 3600 + minute * 60 + second - offset;
    return seconds * 1e6 + Number(((found[7] ?? "") + "000000").slice(0, 6));
    }
    function momentValue(text) {
    const duration = durationValue(text);
    if (duration !== null) return { ago: duration };
    const at = text.length === 10 ? dateTime(text + "T00:00:00Z") : null;
    const other = at ?? dateTime(text);
    return other === null ? null : { at: other };
    }
    const contentNames = ["h", "hq", "hs", "b", "bq", "bs"];
    class Filter {
    constructor(text) {
    this.text = text;
    this.node = FilterParser.parse(text);
    this.needsContent = Filter.has(this.node, term => contentNames.includes(term.name));
    }
    static quote(text) {
    const literal = text.replace(/[\\*?]/g, "\\$&");
    return /^[^\s()&|!~"'\\]+$/u.test(literal) ? literal : `"${literal.replace(/"/g, '\\"')}"`;
    }
    static has(node, condition) {
    if (node.all || node.any) return (node.all ?? node.any).some(inner => Filter.has(inner, condition));
    return node.not ? Filter.has(node.not, condition) : condition(node);
    }
    compile(entries) {
    return compileNode(this.node, entries);
    }
    }
    function compileNode(node, entries) {
    if (node.all) {
    const members = node.all.map(inner => compileNode(inner, entries));
    return (index, content) => members.every(member => member(index, content));
    }
    if (node.any) {
    const members = node.any.map(inner => compileNode(inner, entries));
    return (index, content) => members.some(member => member(index, content));
    }
    if (node.not) {
    const inner = compileNode(node.not, entries);
    return (index, content) => !inner(index, content);
    }
    return node.flag ? compileFlag(node.flag, entries) : compileTerm(node, entries);
    }
    function compileFlag(flag, { column }) {
    const [kind, status, outcome] = [column("kind"), column("status"), column("outcome")];
    switch (flag) {
    case "e": return index => outcome(index) >= Outcome.failed;
    case "q": return index => kind(index) !== Kind.log && status(index) === null;
    case "s": return index => kind(index) !== Kind.log && status(index) !== null;
    case "marked": { const pinned = column("pinned"); return index => pinned(index) === 1; }
    case "websocket": return index => kind(index) === Kind.socket;
    case "retried": { const retries = column("retries"); return index => retries(index) > 0; }
    case "reused": { const reused = column("reused"); return index => reused(index) === 1; }
    case "job": return index => kind(index) === Kind.job;
    default: return index => kind(index) === Kind.log;
    }
    }
    function compileTerm({ name, pattern, value }, entries) {
    const { column, now } = entries;
    const text = (name, matches = text => pattern.matches(text)) => {
    const texts = column(name);
    const known = new Map();
    return index => {
    const number = texts(index);
    if (number === null) return false;
    let found = known.get(number);
    if (found === undefined) known.set(number, found = matches(entries.strings[number]));
    return found;
    };
    };
    const either = (...conditions) => (index, content) => conditions.some(condition => condition(index, content));
    const resolved = () => (value.at !== undefined ? value.at : now - value.ago);
    const header = side => (index, content) =>
    content !== null && content.headers(side).split("\n").some(line => line !== "" && pattern.matches(line));
    const body = side => (index, content) =>
    content !== null && content.bodies(side).some(body => pattern.matches(body.text, body.isBytes));
    switch (name) {
    case "": return either(text("url"), text("operation"));
    case "d": return text("host", host => pattern.matches(pattern.hasColon ? host : withoutPort(host)));
    case "u": return text("url");
    case "m": return text("method");
    case "c": {
    const status = column("status");
    return index => status(index) !== null && status(index) >= value[0] && status(index) <= value[1];
    }
    case "h": return either(header("request"), header("response"));
    case "hq": return header("request");
    case "hs": return header("response");
    case "b": {
    const kind = column("kind");
    const message = text("message");
    return either(index => kind(index) === Kind.log && message(index), body("request"), body("response"));
    }
    case "bq": return body("request");
    case "bs": return body("response");
    case "t": return either(text("requestType"), text("responseType"));
    case "op": return text("operation");
    case "tag": return text("tags", tags => JSON.parse(tags).some(tag => pattern.matches(tag)));
    case "comment": return text("comment");
    case "cache": return text("cache");
    case "error": return compileError(pattern, text, column);
    case "slower":
    case "faster": {
    const duration = column("duration");
    const isSlower = name === "slower";
    return index => duration(index) !== null && (duration(index) >= value) === isSlower;
    }
    case "larger": {
    const [sent, received] = [column("requestBytes"), column("responseBytes")];
    return index => (sent(index) ?? -1) >= value || (received(index) ?? -1) >= value;
    }
    case "since": { const start = column("start"); return index => start(index) >= resolved(); }
    case "until": { const start = column("start"); return index => start(index) < resolved(); }
    default: { const run = column("run"); return index => run(index) === value; }
    }
    }
    function compileError(pattern, text, column) {
    const outcome = column("outcome");
    const [kind, code, message] = [column("kind"), text("error"), text("message")];
    const words = { [Outcome.cancelled]: pattern.matches("cancelled"), [Outcome.cutOff]: pattern.matches("cutOff") };
    return index => {
    if (kind(index) === Kind.log || !(outcome(index) > Outcome.completed)) return false;
    return code(index) || message(index) || words[outcome(index)] === true;
    };
    }
    function withoutPort(host) {
    const found = /^(.+):[0-9]*$/s.exec(host);
    if (!found) return host;
    return found[1].endsWith("]") || !found[1].includes(":") ? found[1] : host;
    }
    class JSONText {
    static tree(text) {
    try {
    const reader = new JSONText(text);
    const node = reader.value(0);
    reader.space();
    return reader.place === text.length ? node : null;
    } catch {
    return null;
    }
    }
    constructor(text) {
    this.text = text;
    this.place = 0;
    }
    take(expression) {
    expression.lastIndex = this.place;
    const found = expression.exec(this.text);
    if (!found) throw new SyntaxError("not JSON");
    this.place = expression.lastIndex;
    return found[0];
    }
    space() { this.take(/[ \n\r\t]*/y); }
    is(character) {
    this.space();
    if (this.text[this.place] !== character) return false;
    this.place += 1;
    return true;
    }
    need(character) {
    if (!this.is(character)) throw new SyntaxError("not JSON");
    }
    string() {
    this.space();
    const start = this.place;
    this.place += 1;
    while (this.place < this.text.length) {
    const quote = this.text.indexOf('"', this.place);
    if (this.text[start] !== '"' || quote < 0) break;
    let backslashes = 0;
    while (this.text[quote - 1 - backslashes] === "\\") backslashes += 1;
    this.place = quote + 1;
    if (backslashes % 2 === 0) return JSON.parse(this.text.slice(start, this.place));
    }
    throw new SyntaxError("not JSON");
    }
    value(depth) {
    if (depth > 200) throw new SyntaxError("too deep");
    if (this.is("{")) return this.object(depth);
    if (this.is("[")) return this.array(depth);
    if (this.text[this.place] === '"') return { type: "string", value: this.string() };
    return { type: "literal", value: this.take(/-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|true|false|null/y) };
    }
    object(depth) {
    const members = [];
    if (this.is("}")) return { type: "object", members };
    do {
    const name = this.string();
    this.need(":");
    members.push([name, this.value(depth + 1)]);
    } while (this.is(","));
    this.need("}");
    return { type: "object", members };
    }
    array(depth) {
    const members = [];
    if (this.is("]")) return { type: "array", members };
    do members.push([null, this.value(depth + 1)]); while (this.is(","));
    this.need("]");
    return { type: "array", members };
    }
    static pretty(node, indent = "") {
    if (node.type === "string") return JSON.stringify(node.value);
    if (node.type === "literal") return node.value;
    const [open, close] = node.type === "object" ? ["{", "}"] : ["[", "]"];
    if (node.members.length === 0) return open + close;
    const inner = indent + "  ";
    const lines = node.members.map(([name, member]) =>
    inner + (name === null ? "" : JSON.stringify(name) + ": ") + JSONText.pretty(member, inner));
    return `${open}\n${lines.join(",\n")}\n${indent}${close}`;
    }
    }
    const keyHelp = [
    ["/", "go to the filter"], ["j k ↓ ↑", "next and previous entry"], ["Enter", "open the entry, or leave the filter for the list"],
    ["Esc", "close, or clear the filter"], ["1 – 7", "the tabs of an entry"], ["c", "copy the call as cURL"],
    ["x", "mark an entry; on another one: compare the two"], ["w", "waterfall by duration, or in time"],
    ["t", "light, dark or system theme"], ["?", "this help"],
    ];
    function listenToKeys(page) {
    document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.target;
    if (target.id === "filter") {
    if (event.key === "Enter" || event.key === "ArrowDown") page.leaveFilter();
    else if (event.key === "Escape") page.escape();
    else return;
    event.preventDefault();
    return;
    }
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return;
    if (event.key === "Enter" && target.closest("button, summary, a")) return;
    const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -1e9, End: 1e9 }[event.key];
    const isInPanel = target.closest(".panel") && event.key.length > 1;
    if (step !== undefined && !isInPanel) page.move(step);
    else if (event.key === "Enter" && !isInPanel) page.openSelected();
    else if (event.key >= "1" && event.key <= "7" && event.key.length === 1) page.chooseTab(Number(event.key));
    else if (event.key === "Escape") page.escape();
    else if (event.key === "/") page.focusFilter();
    else if (event.key === "c") page.copyCurl();
    else if (event.key === "x") page.compare();
    else if (event.key === "w") page.toggleTime();
    else if (event.key === "t") page.nextTheme();
    else if (event.key === "?") page.toggleHelp();
    else return;
    event.preventDefault();
    });
    }
    class Link {
    static read() {
    const values = new URLSearchParams(location.hash.slice(1));
    const tab = Number(values.get("tab"));
    return {
    filter: values.get("filter") ?? "", call: values.get("call"), tab: tab >= 1 && tab <= 7 ? tab : 1, other: values.get("with"),
    };
    }
    static write({ filter, call, tab, other }, isStep) {
    const values = new URLSearchParams();
    if (filter) values.set("filter", filter);
    if (call) values.set("call", call);
    if (call && tab > 1) values.set("tab", String(tab));
    if (call && other) values.set("with", other);
    const hash = values.size > 0 ? `#${values}` : "#";
    if (hash === (location.hash || "#")) return;
    history[isStep ? "pushState" : "replaceState"](null, "", hash);
    }
    }
    class List {
    constructor(scroller, box, onOpen) {
    this.scroller = scroller;
    this.box = box;
    this.onOpen = onOpen;
    this.entries = null;
    this.shown = [];
    this.selected = -1;
    this.rows = [];
    this.isInTime = false;
    this.scale = 1;
    this.stripes = new Map();
    this.isWaiting = false;
    scroller.addEventListener("scroll", () => this.later(), { passive: true });
    new ResizeObserver(() => this.later()).observe(scroller);
    box.addEventListener("click", event => {
    const row = event.target.closest(".row");
    if (!row) return;
    this.select(Number(row.dataset.place));
    this.onOpen(this.shown[this.selected]);
    });
    box.addEventListener("focus", () => {
    if (this.selected < 0 && this.shown.length > 0) this.select(0);
    });
    }
    get rowHeight() {
    return matchMedia("(max-width: 699px)").matches ? 52 : 28;
    }
    show(entries, shown) {
    const kept = this.shown[this.selected];
    this.entries = entries;
    this.shown = shown;
    this.selected = kept === undefined ? -1 : shown.indexOf(kept);
    const durations = shown.map(index => entries.value("duration", index)).filter(value => value > 0).sort((a, b) => a - b);
    this.scale = durations[Math.floor(durations.length * 0.95)] ?? 1;
    this.draw();
    }
    append(indices) {
    this.shown.push(...indices);
    this.later();
    }
    begin() {
    this.selected = -1;
    this.shown = [];
    this.stripes.clear();
    for (const row of this.rows) row.drawn = "";
    }
    prepend(indices) {
    const isAtTop = this.scroller.scrollTop <= this.box.offsetTop;
    this.shown = [...indices, ...this.shown];
    if (this.selected >= 0) this.selected += indices.length;
    if (!isAtTop) {
    this.setHeight();
    this.scroller.scrollTop += indices.length * this.rowHeight;
    }
    this.later();
    }
    redraw(indices) {
    for (const index of indices) this.stripes.delete(index);
    const isChanged = new Set(indices);
    for (const row of this.rows) if (isChanged.has(this.shown[row.place])) row.drawn = "";
    this.later();
    }
    setHeight() {
    const total = this.shown.length * this.rowHeight;
    if (this.height === total) return;
    this.height = total;
    this.box.style.height = `${total}px`;
    }
    later() {
    if (this.isWaiting) return;
    this.isWaiting = true;
    requestAnimationFrame(() => {
    this.isWaiting = false;
    this.draw();
    });
    }
    draw() {
    if (!this.entries) return;
    const height = this.rowHeight;
    this.setHeight();
    const top = this.scroller.scrollTop - this.box.offsetTop;
    const first = Math.max(0, Math.floor(top / height) - 4);
    const last = Math.min(this.shown.length, Math.ceil((top + this.scroller.clientHeight) / height) + 4);
    const needed = Math.max(0, last - first);
    while (this.rows.length < needed) this.rows.push(this.makeRow());
    while (this.rows.length > needed + 16) this.rows.pop().element.remove();
    const window = this.isInTime ? this.timeWindow(first, last) : null;
    const isTaken = new Set();
    for (let place = first; place < last; place += 1) isTaken.add(place);
    const free = this.rows.filter(row => !isTaken.delete(row.place) || row.place < first || row.place >= last);
    for (const place of isTaken) {
    const row = free.pop();
    row.place = place;
    }
    for (const row of free) {
    row.place = -1;
    row.drawn = "";
    row.element.hidden = true;
    row.element.removeAttribute("id");
    row.element.removeAttribute("aria-selected");
    }
    for (const row of this.rows) if (row.place >= 0) this.fill(row, height, window);
    this.box.setAttribute("aria-activedescendant", this.selected >= first && this.selected < last ? `row-${this.selected}` : "");
    }
    makeRow() {
    const cells = {};
    for (const name of ["result", "method", "subject", "host", "operation", "size", "took", "bar"]) {
    cells[name] = make("span", { className: name });
    }
    const element = make("div", { className: "row", role: "option" }, ...Object.values(cells));
    this.box.append(element);
    return { element, cells, place: -1, index: -1, drawn: "" };
    }
    fill(row, height, window) {
    const { entries } = this;
    const { element, cells } = row;
    const index = this.shown[row.place];
    const isSelected = row.place === this.selected;
    const drawn = `${row.place} ${index} ${isSelected} ${height} ${window ?? this.scale} ${this.shown.length}`;
    if (row.drawn === drawn) return;
    row.drawn = drawn;
    element.hidden = false;
    element.style.transform = `translateY(${row.place * height}px)`;
    element.dataset.place = row.place;
    element.dataset.id = entries.id(index);
    element.id = `row-${row.place}`;
    element.setAttribute("aria-posinset", row.place + 1);
    element.setAttribute("aria-setsize", this.shown.length);
    element.setAttribute("aria-selected", isSelected);
    const kind = entries.value("kind", index);
    const result = entries.result(index);
    element.className = `row ${result.kind}${entries.value("pinned", index) === 1 ? " pinned" : ""}`;
    const attempts = entries.value("attempts", index);
    setText(cells.result, `${result.sign} ${result.text}${kind === Kind.call && attempts > 1 ? ` ×${attempts}` : ""}`);
    setText(cells.method, entries.text("method", index) ?? kindNames[kind]);
    setText(cells.subject, line(entries.subject(index)));
    setText(cells.host, line(entries.text("host", index) ?? "", 100));
    setText(cells.operation, line(entries.text("operation", index) ?? entries.text("name", index) ?? "", 100));
    const size = entries.value("responseBytes", index);
    setText(cells.size, size === null ? "" : shortSize(size));
    const duration = entries.value("duration", index);
    setText(cells.took, kind === Kind.log ? clock(entries.value("start", index)).slice(0, 8) : shortDuration(duration));
    const from = window ? window[0] - entries.value("start", index) : 0;
    const to = window ? window[1] - entries.value("start", index) : this.scale;
    cells.bar.classList.toggle("beyond", !window && duration > this.scale);
    cells.bar.style.background = kind === Kind.log ? "none" : gradient(this.stripesOf(index), from, to);
    }
    stripesOf(index) {
    let stripes = this.stripes.get(index);
    if (!stripes) {
    if (this.stripes.size > 500) this.stripes.clear();
    this.stripes.set(index, stripes = stripesOf(this.entries, index));
    }
    return stripes;
    }
    timeWindow(first, last) {
    let [from, to] = [Infinity, -Infinity];
    for (let place = first; place < last; place += 1) {
    const start = this.entries.value("start", this.shown[place]);
    from = Math.min(from, start);
    to = Math.max(to, start + (this.entries.value("duration", this.shown[place]) ?? 0));
    }
    return [from, to];
    }
    select(place) {
    if (this.shown.length === 0) return;
    this.selected = Math.min(Math.max(0, place), this.shown.length - 1);
    const height = this.rowHeight;
    const top = this.box.offsetTop + this.selected * height;
    const covered = document.getElementById("toolbar").offsetHeight;
    if (top < this.scroller.scrollTop + covered) this.scroller.scrollTop = top - covered;
    else if (top + height > this.scroller.scrollTop + this.scroller.clientHeight) {
    this.scroller.scrollTop = top + height - this.scroller.clientHeight;
    }
    this.draw();
    }
    get current() {
    return this.shown[this.selected] ?? null;
    }
    }
    const messageKinds = ["", "text", "binary", "ping", "pong", "close"];
    const messagesAtOnce = 100;
    function messagesView(messages) {
    const element = make("div", { className: "messages" });
    const add = start => {
    for (const message of messages.slice(start, start + messagesAtOnce)) element.append(messageRow(message));
    const rest = messages.length - start - messagesAtOnce;
    if (rest <= 0) return;
    const more = make("button", { className: "link", type: "button" }, `${count(rest)} more`);
    more.addEventListener("click", () => {
    more.remove();
    add(start + messagesAtOnce);
    });
    element.append(more);
    };
    if (messages.length === 0) element.append(make("p", { className: "hint" }, "No messages were captured."));
    else add(0);
    return element;
    }
    function messageRow({ number, at, isSent, kind, size, body }) {
    const text = body === null || body.isBytes ? "" : body.text;
    const summary = make("summary", { className: isSent ? "sent" : "received" },
    make("span", { className: "hint" }, `${number} ${clock(at)} `),
    make("strong", {}, isSent ? "→ sent " : "← received "),
    kind === 1 ? null : `${messageKinds[kind]} `, make("span", { className: "hint" }, `${shortSize(size)} `),
    make("code", {}, line(text, 160)));
    const details = make("details", {}, summary);
    details.addEventListener("toggle", () => {
    if (body !== null && details.childElementCount === 1) details.append(new BodyView(body, null).element);
    });
    return details;
    }
    function percentile(sorted, share) {
    return sorted.length === 0 ? null : sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
    }
    function groupsOf(entries, keyOf) {
    const groups = new Map();
    for (let index = 0; index < entries.count; index += 1) {
    const key = keyOf(index);
    if (key === null) continue;
    const group = groups.get(key);
    if (group) group.push(index);
    else groups.set(key, [index]);
    }
    return groups;
    }
    class Overview {
    constructor(element, entries, onFilter) {
    this.entries = entries;
    this.onFilter = onFilter;
    element.replaceChildren(this.runs(), this.tiles(), this.lists(), this.notes());
    }
    button(filter, className, ...children) {
    const button = make("button", { type: "button", className, title: filter }, ...children);
    button.addEventListener("click", () => this.onFilter(filter));
    return button;
    }
    runs() {
    const { list } = this.entries;
    const element = make("p", { className: "runs" });
    for (const run of list.runs.slice(0, 3)) {
    const name = [run.process, run.version].filter(part => part).join(" ") || "a program";
    const times = `${moment(run.start).slice(0, 19)} to ${run.end === null ? "…" : moment(run.end).slice(0, 19)} UTC`;
    element.append(this.button(`~run ${run.id}`, "link", line(name, 60) + (run.pid > 0 ? ` (${run.pid})` : "")), ` ${times}, ${run.state}. `);
    }
    if (list.runs.length > 3) element.append(`And ${counted(list.runs.length - 3, "more run")}.`);
    return element;
    }
    tiles() {
    const { entries } = this;
    const [kind, outcome, status] = ["kind", "outcome", "status"].map(entries.column);
    const [duration, cache, retries] = ["duration", "cache", "retries"].map(entries.column);
    const figures = { calls: 0, failed: 0, retried: 0, cached: 0, running: 0, sockets: 0 };
    const durations = [];
    for (let index = 0; index < entries.count; index += 1) {
    if (kind(index) === Kind.socket) figures.sockets += 1;
    if (kind(index) !== Kind.log && outcome(index) === null) figures.running += 1;
    if (outcome(index) >= Outcome.failed || (status(index) >= 400 && status(index) < 600)) figures.failed += 1;
    if (kind(index) !== Kind.call) continue;
    figures.calls += 1;
    if (retries(index) > 0) figures.retried += 1;
    if (cache(index) !== null && /hit/i.test(entries.strings[cache(index)])) figures.cached += 1;
    if (duration(index) !== null) durations.push(duration(index));
    }
    durations.sort((left, right) => left - right);
    const slow = percentile(durations, 0.95);
    const tile = (filter, figure, label, kind = "") =>
    this.button(filter, `tile ${kind}`, make("strong", {}, figure), make("span", {}, label));
    const ended = Math.max(1, entries.count);
    const share = figures.failed === 0 ? "" : ` (${(figures.failed * 100 / ended).toFixed(1)} %)`;
    const tiles = [
    tile("!~log !~job !~websocket", count(figures.calls), figures.calls === 1 ? "call" : "calls"),
    tile("~e | ~c 400-599", count(figures.failed), `${figures.failed > 0 ? "× " : ""}failed${share}`, figures.failed > 0 ? "bad" : "good"),
    ];
    if (slow !== null) tiles.push(tile(`!~log !~websocket ~slower ${slow / 1000}ms`, shortDuration(slow), "p95 duration"));
    if (figures.retried > 0) tiles.push(tile("~retried", count(figures.retried), "retried", "poor"));
    if (figures.cached > 0) tiles.push(tile("~cache *hit*", count(figures.cached), "from a cache"));
    if (figures.sockets > 0) tiles.push(tile("~websocket", count(figures.sockets), figures.sockets === 1 ? "WebSocket" : "WebSockets"));
    if (figures.running > 0) tiles.push(tile("~q !~e", count(figures.running), "under way"));
    return make("div", { className: "tiles" }, ...tiles);
    }
    lists() {
    const { entries } = this;
    const lists = make("div", { className: "lists" });
    const add = (title, items) => {
    if (items.length === 0) return;
    lists.append(make("section", {}, make("h2", {}, title), make("ul", {}, ...items.map(item => make("li", {}, item)))));
    };
    add("Findings", entries.list.findings.slice(0, 5).map(finding =>
    this.button(finding.filter, `finding ${finding.severity}`,
    make("strong", {}, visible(finding.title)), " ", make("span", { className: "hint", title: line(finding.text, 2000) }, visible(finding.text)))));
    add("What failed", this.failures());
    add("What is slow", this.slow());
    return lists;
    }
    failures() {
    const { entries } = this;
    const groups = groupsOf(entries, index => {
    if (!entries.isFailure(index)) return null;
    return JSON.stringify([entries.text("host", index), entries.result(index).text]);
    });
    return [...groups].sort((left, right) => right[1].length - left[1].length).slice(0, 4).map(([key, members]) => {
    const [host, result] = JSON.parse(key);
    const first = members[0];
    const status = entries.value("status", first);
    const isStatus = entries.value("outcome", first) === Outcome.rejected && status !== null;
    const what = isStatus ? `~c ${status}` : entries.value("outcome", first) === Outcome.cutOff ? "~error cutOff"
    : entries.text("error", first) !== null ? `~error ${Filter.quote(entries.text("error", first))}` : "~e";
    const filter = (host === null ? "" : `~d ${Filter.quote(host)} `) + what;
    return this.button(filter, "finding bad", make("strong", {}, `${count(members.length)} × ${line(result, 40)}`), " ",
    make("span", { className: "hint" }, line(host ?? "", 80)));
    });
    }
    slow() {
    const { entries } = this;
    const kind = entries.column("kind");
    const groups = groupsOf(entries, index =>
    (kind(index) === Kind.call && entries.value("duration", index) !== null ? entries.value("operation", index) ?? entries.value("host", index) : null));
    const figures = [...groups].map(([key, members]) => {
    const durations = members.map(index => entries.value("duration", index)).sort((left, right) => left - right);
    return { key, members, p50: percentile(durations, 0.5), p95: percentile(durations, 0.95) };
    });
    return figures.sort((left, right) => right.p95 - left.p95).slice(0, 4).map(({ key, members, p50, p95 }) => {
    const isOperation = entries.value("operation", members[0]) === key;
    const filter = `${isOperation ? "~op" : "~d"} ${Filter.quote(entries.strings[key])} ~slower ${p95 / 1000}ms`;
    return this.button(filter, "finding", make("strong", {}, line(entries.strings[key], 60)), " ",
    make("span", { className: "hint" }, `p95 ${shortDuration(p95)}, p50 ${shortDuration(p50)} of ${counted(members.length, "call")}`));
    });
    }
    notes() {
    const { list } = this.entries;
    const notes = [];
    if (list.omitted > 0) notes.push(`Older entries are omitted: ${count(list.omitted)} more match (--limit).`);
    if (list.filter) notes.push(`This report lists only entries that match ${line(list.filter, 200)}.`);
    const dropped = list.runs.reduce((sum, run) => sum + run.dropped, 0);
    const failed = list.runs.reduce((sum, run) => sum + run.failed, 0);
    if (dropped > 0) notes.push(`Data is missing: a full queue dropped ${counted(dropped, "event")}.`);
    if (failed > 0) notes.push(`${counted(failed, "event")} could not be stored.`);
    if (list.hidden > 0) notes.push(`${counted(list.hidden, "value")} ${list.hidden === 1 ? "is" : "are"} hidden as ${hiddenText}.`);
    if (list.cut > 0) notes.push(`${counted(list.cut, "body").replace("bodys", "bodies")} ${list.cut === 1 ? "is" : "are"} cut.`);
    if (list.omittedBodies > 0) notes.push(`${counted(list.omittedBodies, "body").replace("bodys", "bodies")} of older entries ${list.omittedBodies === 1 ? "is" : "are"} omitted (--bodies).`);
    if (list.uncaptured > 0) notes.push(`For ${counted(list.uncaptured, "call")}, neither headers nor bodies were captured.`);
    return make("ul", { className: "notes" }, ...notes.map(note => make("li", {}, note)));
    }
    }
    class Search {
    constructor(source) {
    this.source = source;
    this.turn = 0;
    }
    stop() { this.turn += 1; }
    async run(entries, filter, numbers, found) {
    this.turn += 1;
    const turn = this.turn;
    const matches = filter.compile(entries);
    if (!filter.needsContent) {
    found(numbers.filter(index => matches(index, null)), 1);
    return true;
    }
    const part = entries.column("part");
    this.loaded = null;
    let indices = [];
    let since = performance.now();
    for (const [place, index] of numbers.entries()) {
    const content = part(index) === null ? null : await this.content(part(index), index);
    if (turn !== this.turn) return false;
    if (matches(index, content)) indices.push(index);
    if (performance.now() - since < 12) continue;
    found(indices, place / numbers.length);
    indices = [];
    await pause();
    if (turn !== this.turn) return false;
    since = performance.now();
    }
    found(indices, 1);
    return true;
    }
    async content(part, index) {
    if (this.loaded?.number !== part) this.loaded = { number: part, contentOf: await this.source.part(part) };
    return this.loaded.contentOf(index);
    }
    }
    const printable = Uint8Array.from({ length: 128 });
    Array.from({ length: 94 }, (_, index) => index + 0x21).filter(code => ![0x26, 0x3c, 0x3e].includes(code))
    .forEach((code, value) => { printable[code] = value; });
    function fromPrintable(text, count) {
    const bytes = new Uint8Array(count);
    let [bits, size, place] = [0, 0, 0];
    for (let index = 0; index + 1 < text.length; index += 2) {
    bits |= (printable[text.charCodeAt(index)] * 91 + printable[text.charCodeAt(index + 1)]) << size;
    for (size += 13; size >= 8 && place < count; size -= 8) {
    bytes[place] = bits;
    place += 1;
    bits >>>= 8;
    }
    }
    return bytes;
    }
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    function contentsOf(bytes) {
    const end = bytes.indexOf(10);
    const contents = JSON.parse(decoder.decode(bytes.subarray(0, end)));
    const data = bytes.subarray(end + 1);
    return number => (contents[number] ? new CapturedContent(contents[number], data) : null);
    }
    class EmbeddedSource {
    constructor() {
    this.parts = new Map();
    }
    async inflated(id) {
    const element = document.getElementById(id);
    const bytes = fromPrintable(element.textContent, Number(element.dataset.size));
    element.remove();
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
    }
    async list() {
    const bytes = await this.inflated("list");
    await pause();
    return JSON.parse(decoder.decode(bytes));
    }
    part(number) {
    let part = this.parts.get(number);
    if (!part) {
    part = this.inflated(`part-${number}`).then(contentsOf);
    this.parts.set(number, part);
    }
    return part;
    }
    }
    function make(tag, properties = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name.includes("-") || name === "role" || name === "for") element.setAttribute(name, value);
    else if (name === "data") Object.assign(element.dataset, value);
    else element[name] = value;
    }
    element.append(...children.filter(child => child !== null && child !== undefined));
    return element;
    }
    function setText(node, text) {
    if (node.firstChild && node.firstChild.nodeType === 3) {
    if (node.firstChild.data !== text) node.firstChild.data = text;
    } else {
    node.textContent = text;
    }
    }
    const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]|(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d|\u200d(?!\p{Extended_Pictographic})/gu;
    function visible(text) {
    return text.replace(steering, character => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    if (code === 0x7f) return "\u2421";
    return `\u27e8${code.toString(16).toUpperCase().padStart(4, "0")}\u27e9`;
    });
    }
    function line(text, limit = 400) {
    const cut = text.length > limit ? text.slice(0, limit) + "…" : text;
    return visible(cut.replace(/[\n\r\t]/g, " "));
    }
    function shortDuration(microseconds) {
    if (microseconds === null || microseconds === undefined) return "";
    if (microseconds < 1e6) return (microseconds / 1000).toFixed(1) + " ms";
    if (microseconds < 6e7) return (microseconds / 1e6).toFixed(2) + " s";
    const seconds = Math.floor(microseconds / 1e6);
    return `${Math.floor(seconds / 60)} m ${String(seconds % 60).padStart(2, "0")} s`;
    }
    function shortSize(bytes) {
    if (bytes === null || bytes === undefined) return "";
    const units = ["B", "kB", "MB", "GB", "TB", "PB"];
    let unit = 0;
    let value = bytes;
    while (value >= 999.95 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
    }
    return unit === 0 ? `${bytes} B` : `${value.toFixed(1)} ${units[unit]}`;
    }
    function count(number) {
    return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
    }
    function counted(number, noun) {
    return `${count(number)} ${noun}${number === 1 ? "" : "s"}`;
    }
    function moment(microseconds) {
    const date = new Date(microseconds / 1000);
    return Number.isNaN(date.getTime()) ? "" : date.toISOString().replace("T", " ").replace("Z", "");
    }
    function clock(microseconds) {
    return moment(microseconds).slice(-12);
    }
    function timingView(entries, index) {
    const attempts = entries.attempts(index);
    const duration = Math.max(1, entries.value("duration", index) ?? 1);
    const element = make("div", { className: "timing" });
    const start = entries.value("start", index);
    element.append(make("p", { className: "hint" }, `Began ${moment(start)} UTC, took ${shortDuration(entries.value("duration", index)) || "–"}.`));
    const cache = entries.text("cache", index);
    if (cache !== null) {
    element.append(make("p", {}, make("strong", {}, "Cache: "), `${cache} – ${line(entries.text("cacheReason", index) ?? "no reason was noted")}`));
    }
    if (attempts.length === 0) return element;
    element.append(phaseLegend());
    const rows = [];
    attempts.forEach((attempt, place) => {
    const result = attempt.error ?? (attempt.status === null ? "no response" : String(attempt.status));
    const bar = make("div", { className: "bar wide", role: "img", "aria-label": phaseText(attempt) });
    bar.style.background = gradient(stripesOfAttempt(attempt), 0, duration);
    const connection = [
    attempt.version ? `HTTP/${attempt.version}` : null,
    attempt.reused === null ? null : attempt.reused ? "open connection" : "new connection", attempt.remote,
    ];
    const previous = attempts[place - 1];
    if (previous) {
    rows.push(make("tr", { className: "reason" }, make("td", { colSpan: 4 }, `→ ${whyAnother(previous, attempt)}`)));
    }
    rows.push(make("tr", { className: "attempt" },
    make("th", { scope: "row" }, String(attempt.number)),
    make("td", {}, line(result, 60)),
    make("td", {}, `${shortDuration(attempt.start) || "–"} + ${shortDuration(attempt.duration) || "–"}`),
    make("td", {}, connection.filter(part => part).map(part => line(part, 80)).join(", "))));
    rows.push(make("tr", {}, make("td", { colSpan: 4 }, bar, phaseTable(attempt),
    attempt.url !== null && attempt.url !== entries.text("url", index)
    ? make("div", { className: "hint breaks" }, `${attempt.method ?? ""} ${line(attempt.url, 2000)}`) : null,
    attempt.message ? make("div", { className: "breaks" }, `${attempt.error} while ${attempt.phase}: ${visible(attempt.message)}`) : null,
    attempt.trace ? make("div", { className: "hint breaks" }, `traceparent ${attempt.trace}`) : null)));
    });
    element.append(make("table", { className: "attempts" },
    make("thead", {}, make("tr", {}, ...["#", "Result", "Start + duration", "Connection"].map(name => make("th", { scope: "col" }, name)))),
    make("tbody", {}, ...rows)));
    return element;
    }
    function stripesOfAttempt(attempt) {
    let place = attempt.start ?? 0;
    const stripes = [];
    attempt.phases.forEach((length, number) => {
    if (!length) return;
    stripes.push([phaseNames[number], place, place + length]);
    place += length;
    });
    return stripes.length > 0 ? stripes : [["other", place, place + (attempt.duration ?? 0)]];
    }
    function whyAnother(previous, attempt) {
    if (previous.retryReason !== null) {
    const pause = previous.retryDelay ? ` after ${shortDuration(previous.retryDelay)}` : "";
    return `Retried${pause}: ${line(previous.retryReason)}`;
    }
    if (previous.status >= 300 && previous.status < 400) return `Redirected (${previous.status}) to ${line(attempt.url ?? "another place", 2000)}`;
    if (previous.status === 401 || previous.status === 407) return `Sent again with new credentials (${previous.status})`;
    return "Another attempt; no reason was noted";
    }
    function phaseText(attempt) {
    return phaseNames.map((phase, number) => [phase, attempt.phases[number]]).filter(([, value]) => value !== null)
    .map(([phase, value]) => `${phase} ${shortDuration(value)}`).join(", ") || "phases weren't measured";
    }
    function phaseTable(attempt) {
    const cells = phaseNames.map((phase, number) => [phase, attempt.phases[number]]).filter(([, value]) => value !== null);
    if (cells.length === 0) return null;
    return make("dl", { className: "phases" }, ...cells.map(([phase, value]) =>
    make("div", {}, make("dt", {}, make("i", { className: `swatch ${phase}`, "aria-hidden": "true" }), phase), make("dd", {}, shortDuration(value)))));
    }
    const shownMembers = 100;
    const shownCharacters = 2000;
    class Tree {
    constructor(node) {
    this.openRows = 60;
    this.element = make("div", { className: "tree" }, this.row(null, node, true));
    }
    row(name, node, isOpen = false) {
    const label = name === null ? [] : [make("span", { className: "name" }, line(name, 200)), ": "];
    if (node.type === "string") return make("div", { className: "leaf" }, ...label, this.string(node.value));
    if (node.type === "literal") {
    return make("div", { className: "leaf" }, ...label, make("span", { className: "literal" }, node.value.slice(0, 400)));
    }
    const noun = node.type === "object" ? "member" : "item";
    const [open, close] = node.type === "object" ? ["{", "}"] : ["[", "]"];
    if (node.members.length === 0) return make("div", { className: "leaf" }, ...label, open + close);
    const summary = make("summary", {}, ...label, open, make("span", { className: "hint" }, ` ${counted(node.members.length, noun)} `), close);
    const details = make("details", {}, summary);
    const fill = () => {
    if (details.childElementCount === 1) details.append(this.members(node.members, 0));
    };
    details.addEventListener("toggle", fill);
    if (isOpen || node.members.length <= this.openRows) {
    this.openRows -= Math.min(node.members.length, shownMembers);
    details.open = true;
    fill();
    }
    return details;
    }
    members(members, start) {
    const rows = make("div", { className: "members" });
    members.slice(start, start + shownMembers).forEach(([name, member], index) => {
    rows.append(this.row(name === null ? String(start + index) : name, member));
    });
    const rest = members.length - start - shownMembers;
    if (rest > 0) {
    const more = make("button", { className: "link", type: "button" }, `${count(rest)} more`);
    more.addEventListener("click", () => more.replaceWith(this.members(members, start + shownMembers)));
    rows.append(more);
    }
    return rows;
    }
    string(value) {
    return make("span", { className: "string" }, '"', longText(value, shownCharacters), '"');
    }
    }
    function stripesOf(entries, index) {
    const duration = entries.value("duration", index) ?? 0;
    const stripes = [];
    for (const attempt of entries.attempts(index)) {
    let place = attempt.start ?? 0;
    const end = place + (attempt.duration ?? 0);
    let isMeasured = false;
    phaseNames.forEach((phase, number) => {
    const length = attempt.phases[number];
    if (!length) return;
    isMeasured = true;
    stripes.push([phase, place, place + length]);
    place += length;
    });
    if (!isMeasured && attempt.duration) stripes.push(["other", place, end]);
    }
    if (stripes.length === 0 && duration > 0) stripes.push(["other", 0, duration]);
    return stripes;
    }
    function gradient(stripes, from, to) {
    const scale = 100 / Math.max(1, to - from);
    const parts = [];
    let place = 0;
    for (const [phase, start, end] of stripes) {
    const left = Math.min(100, Math.max(place, (start - from) * scale));
    const right = Math.min(100, Math.max(left + 0.6, (end - from) * scale));
    if (left >= 100) break;
    if (left > place) parts.push(`transparent ${place.toFixed(2)}% ${left.toFixed(2)}%`);
    parts.push(`var(--${phase}) ${left.toFixed(2)}% ${right.toFixed(2)}%`);
    place = right;
    }
    parts.push(`transparent ${place.toFixed(2)}% 100%`);
    return `linear-gradient(to right, ${parts.join(", ")})`;
    }
    function phaseLegend() {
    const items = [...phaseNames, "other"].map(phase =>
    make("li", {}, make("i", { className: `swatch ${phase}`, "aria-hidden": "true" }), phase));
    return make("ul", { className: "legend", "aria-label": "Phases" }, ...items);
    }

    """##

    /// A part of the script that only a live page has.
    static let live = ##"""
    const partSize = 64;
    class LiveSource {
    constructor() {
    this.parts = new Map();
    }
    live(page) { return new Live(page, this); }
    async get(path) {
    const response = await fetch(path);
    if (!response.ok) throw new Error(await response.text());
    return response;
    }
    async list() {
    const { last, list } = await (await this.get("list")).json();
    this.last = last;
    return list;
    }
    async findings() {
    return (await (await this.get("findings")).json()).findings;
    }
    async part(number) {
    const isWhole = (number + 1) * partSize <= this.last;
    let part = this.parts.get(number);
    if (!part) {
    part = this.get(`part/${number}`).then(async response => contentsOf(new Uint8Array(await response.arrayBuffer())));
    if (isWhole) this.keep(number, part);
    }
    const contents = await part;
    return index => contents(this.entries.value("number", index));
    }
    keep(number, part) {
    part.catch(() => this.parts.delete(number));
    this.parts.set(number, part);
    if (this.parts.size > 16) this.parts.delete(this.parts.keys().next().value);
    }
    follow(live) {
    const events = new EventSource(`events?after=${this.last}`);
    events.addEventListener("news", event => {
    const { last, list } = JSON.parse(event.data);
    this.last = last;
    live.take(list);
    });
    events.addEventListener("reload", () => {
    events.close();
    live.reload();
    });
    events.addEventListener("open", () => live.tell("live"));
    events.addEventListener("error", () =>
    live.tell(events.readyState === EventSource.CLOSED ? "the server has ended" : "connection lost, trying again"));
    return events;
    }
    }
    const mostEntries = 50000;
    class Live {
    constructor(page, source) {
    this.page = page;
    this.source = source;
    this.search = new Search(source);
    this.waiting = [];
    this.ticks = 0;
    }
    start() {
    this.events = this.source.follow(this);
    this.findings();
    setInterval(() => this.tick(), 1000);
    }
    tell(state) {
    this.state = state;
    const made = document.getElementById("made");
    made.textContent = `${state}, ${counted(this.page.entries.listed, "entry").replace("entrys", "entries")}`;
    document.documentElement.dataset.live = state;
    }
    take(list) {
    const { page } = this;
    const { added, changed } = page.entries.add(list);
    this.hasNews = true;
    const ended = page.filter?.needsContent ? changed.filter(index => !page.list.shown.includes(index)) : [];
    this.waiting = [...added, ...ended, ...this.waiting];
    if (page.entries.count > mostEntries) {
    this.reload();
    return;
    }
    page.list.redraw(changed);
    if (page.current !== null && changed.includes(page.current)) {
    page.showDetail(page.current, page.state.tab, page.other, false);
    }
    if (this.changesMatch(changed)) page.runFilter();
    else this.judge();
    }
    changesMatch(changed) {
    const { filter, entries, list } = this.page;
    if (!filter || filter.needsContent || changed.length === 0) return false;
    const matches = filter.compile(entries);
    const shown = new Set(list.shown);
    return changed.some(index => matches(index, null) !== shown.has(index));
    }
    async judge() {
    const { page } = this;
    const { filter } = page;
    if (this.isJudging || page.isSearching || !filter || this.waiting.length === 0) return;
    this.isJudging = true;
    const found = [];
    try {
    await this.search.run(page.entries, filter, this.waiting.splice(0), indices => found.push(...indices));
    } finally {
    this.isJudging = false;
    }
    if (filter !== page.filter) return;
    page.list.prepend(found);
    page.tellFigure(1);
    this.judge();
    }
    tick() {
    if (!this.hasNews) return;
    this.hasNews = false;
    const { page } = this;
    this.ticks += 1;
    this.tell(this.state);
    page.drawCharts(page.state.filter);
    const overview = document.getElementById("overview");
    if (!overview.matches(":hover") && !overview.contains(document.activeElement)) page.drawOverview();
    if (this.ticks % 15 === 0) this.findings();
    }
    async findings() {
    try {
    this.page.entries.list.findings = await this.source.findings();
    this.hasNews = true;
    } catch { /* the state says that the server has ended */ }
    }
    async reload() {
    const { page } = this;
    this.events.close();
    const { findings } = page.entries.list;
    try {
    await page.read();
    } catch (error) {
    this.tell(`can't be read: ${line(error.message, 200)}`);
    return;
    }
    page.entries.list.findings = findings;
    page.beginAnew();
    this.events = this.source.follow(this);
    }
    }

    """##

    static let end = ##"""
    function announce(text) {
    const toast = document.getElementById("toast");
    setText(toast, text);
    toast.hidden = false;
    clearTimeout(announce.timer);
    announce.timer = setTimeout(() => { toast.hidden = true; }, 2500);
    }
    function pause() {
    return new Promise(resolve => { setTimeout(resolve, 0); });
    }
    class Page {
    constructor(source) {
    this.source = source;
    this.search = new Search(source);
    this.live = source.live?.(this) ?? null;
    this.state = { filter: "", call: null, tab: 1, other: null };
    this.marked = null;
    this.input = document.getElementById("filter");
    this.problem = document.getElementById("problem");
    this.figure = document.getElementById("figure");
    this.box = document.getElementById("rows");
    this.list = new List(document.getElementById("scroller"), this.box, index => this.open(index));
    this.detail = new Detail(document.getElementById("detail"), {
    close: () => this.close(), compare: () => this.compare(), open: index => this.open(index), marked: () => this.marked,
    tab: tab => this.chooseTab(tab), contentOf: index => this.contentOf(index),
    });
    const change = (names, terms) => this.changeTerms(names, terms);
    this.timeLine = new TimeLine(document.getElementById("when"), change);
    this.histogram = new Histogram(document.getElementById("long"), change);
    }
    async start() {
    this.theme = "";
    try { this.setTheme(localStorage.getItem("net-activity-theme") ?? ""); } catch { /* a file may have no storage */ }
    await this.read();
    const { list } = this.entries;
    document.title = `${line(list.title, 100)} – net-activity`;
    setText(document.getElementById("title"), line(list.title, 200));
    document.getElementById("made").textContent = `${counted(this.entries.count, "entry").replace("entrys", "entries")}, read ${moment(list.now).slice(0, 19)} UTC`;
    this.drawOverview();
    await pause();
    this.listen();
    this.follow();
    document.documentElement.dataset.state = "ready";
    this.live?.start();
    }
    async read() {
    const values = await this.source.list();
    await pause();
    this.entries = new Entries(values);
    this.source.entries = this.entries;
    await pause();
    }
    drawOverview() {
    new Overview(document.getElementById("overview"), this.entries, filter => {
    this.setFilter(filter, true);
    this.box.focus();
    });
    }
    listen() {
    this.input.addEventListener("input", () => this.setFilter(this.input.value, false));
    addEventListener("hashchange", () => this.follow());
    addEventListener("popstate", () => this.follow());
    matchMedia("(max-width: 699px)").addEventListener("change", () => this.list.draw());
    const click = (id, action) => document.getElementById(id).addEventListener("click", action);
    click("clear", () => {
    this.setFilter("", false);
    this.input.focus();
    });
    click("theme", () => this.nextTheme());
    click("keys", () => this.toggleHelp());
    click("time", () => this.toggleTime());
    click("close-help", () => this.toggleHelp());
    document.getElementById("key-list").append(...keyHelp.map(([key, text]) =>
    make("div", {}, make("dt", {}, ...key.split(" ").map(part => make("kbd", {}, part))), make("dd", {}, text))));
    listenToKeys(this);
    }
    follow() {
    const { filter, call, tab, other } = Link.read();
    if (filter !== this.state.filter || !this.shown) {
    this.state.filter = filter;
    this.input.value = filter;
    this.runFilter();
    }
    const index = call === null ? null : this.entries.indexOfID(call);
    if (index === null) return this.close(false);
    const otherIndex = other === null ? null : this.entries.indexOfID(other);
    if (index === this.current && tab === this.state.tab && otherIndex === this.other) return;
    this.list.select(this.list.shown.indexOf(index));
    this.showDetail(index, tab, otherIndex, false);
    }
    beginAnew() {
    this.close(false);
    this.marked = null;
    this.shown = null;
    this.list.begin();
    this.follow();
    }
    setFilter(text, isStep) {
    this.state.filter = text;
    if (this.input.value !== text) this.input.value = text;
    this.runFilter();
    Link.write(this.state, isStep);
    }
    changeTerms(names, terms) {
    const trailing = /\s*~(since|until|slower|faster) ([^\s()&|!~"']+)$/;
    const kept = [];
    let text = this.state.filter.trim();
    for (let found = trailing.exec(text); found && !/[&|!]\s*$/.test(text.slice(0, found.index)); found = trailing.exec(text)) {
    if (!names.includes(found[1])) kept.unshift(found[0].trim());
    text = text.slice(0, found.index).trimEnd();
    }
    this.setFilter([text, ...kept, ...terms].filter(part => part !== "").join(" "), true);
    }
    runFilter() {
    const began = performance.now();
    let filter;
    try {
    filter = new Filter(this.state.filter);
    } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    this.search.stop();
    this.isSearching = false;
    this.filter = null;
    setText(this.problem, `Column ${error.column}: ${visible(error.message)}`);
    this.problem.hidden = false;
    this.input.setAttribute("aria-invalid", "true");
    this.shown ??= [];
    return;
    }
    this.problem.hidden = true;
    this.input.removeAttribute("aria-invalid");
    this.filter = filter;
    this.isSearching = true;
    if (this.live) this.live.waiting = [];
    let isFirst = true;
    this.search.run(this.entries, filter, this.entries.newestFirst(), (indices, share) => {
    if (isFirst) {
    this.shown = indices;
    this.list.scroller.scrollTop = Math.min(this.list.scroller.scrollTop, this.box.offsetTop);
    this.list.show(this.entries, indices);
    } else {
    this.list.append(indices);
    }
    isFirst = false;
    this.tellFigure(share);
    if (share === 1) {
    this.isSearching = false;
    this.live?.judge();
    document.documentElement.dataset.took = (performance.now() - began).toFixed(1);
    this.drawCharts(this.state.filter);
    }
    });
    }
    tellFigure(share) {
    const number = this.list.shown.length;
    const progress = share < 1 ? `, searched ${Math.floor(share * 100)} %` : "";
    setText(this.figure, `${count(number)} of ${count(this.entries.listed)}${progress}`);
    document.getElementById("none").hidden = number > 0 || share < 1;
    }
    drawCharts(filter) {
    clearTimeout(this.chartTimer);
    this.chartTimer = setTimeout(() => {
    const isShown = new Uint8Array(this.entries.count);
    for (const index of this.list.shown) isShown[index] = 1;
    this.timeLine.draw(this.entries, isShown);
    this.histogram.draw(this.entries, isShown);
    document.documentElement.dataset.filtered = filter;
    }, 0);
    }
    async contentOf(index) {
    const part = this.entries.value("part", index);
    if (part === null) return null;
    return (await this.source.part(part))(index);
    }
    get current() { return this.detail.index; }
    get other() { return this.detail.other ?? null; }
    open(index, isStep = true) {
    const place = this.list.shown.indexOf(index);
    if (place >= 0) this.list.select(place);
    this.showDetail(index, this.state.tab, null, isStep && this.current === null);
    }
    openSelected() {
    if (this.list.selected < 0) this.list.select(0);
    if (this.list.current === null) return;
    this.open(this.list.current);
    this.wantsFocus = true;
    }
    showDetail(index, tab, other, isStep) {
    document.body.classList.add("open");
    Object.assign(this.state, { call: this.entries.id(index), tab, other: other === null ? null : this.entries.id(other) });
    Link.write(this.state, isStep);
    return this.detail.show(this.entries, index, tab, other).then(() => {
    this.list.draw();
    if (!this.wantsFocus) return;
    this.wantsFocus = false;
    this.detail.focus();
    });
    }
    close(isWritten = true) {
    if (this.current === null && !document.body.classList.contains("open")) return;
    const hadFocus = this.detail.element.contains(document.activeElement) || document.activeElement === document.body;
    document.body.classList.remove("open");
    this.detail.hide();
    Object.assign(this.state, { call: null, other: null });
    if (isWritten) Link.write(this.state, false);
    this.list.later();
    if (hadFocus) this.box.focus({ preventScroll: true });
    }
    move(step) {
    this.list.select(this.list.selected < 0 && Math.abs(step) === 1 ? 0 : this.list.selected + step);
    if (this.current !== null && this.list.current !== null) this.open(this.list.current, false);
    else if (!this.box.contains(document.activeElement)) this.box.focus({ preventScroll: true });
    }
    chooseTab(tab) {
    const index = this.current ?? this.list.current;
    if (index === null) return;
    this.wantsFocus = true;
    this.state.tab = tab;
    this.showDetail(index, tab, null, this.current === null);
    }
    compare() {
    const index = this.current ?? this.list.current;
    if (index === null) return;
    if (this.marked === null || this.marked === index) {
    this.marked = this.marked === index ? null : index;
    announce(this.marked === null ? "The mark is removed." : "Marked. Choose another entry and press x.");
    if (this.current !== null) this.showDetail(index, this.state.tab, null, false);
    return;
    }
    const other = this.marked;
    this.marked = null;
    this.wantsFocus = true;
    this.showDetail(index, this.state.tab, other, true);
    }
    async copyCurl() {
    const index = this.current ?? this.list.current;
    if (index === null) return;
    const command = curlCommand(this.entries, index, await this.contentOf(index));
    if (command === null) announce("This entry isn't a request.");
    else await copyText(command);
    }
    focusFilter() {
    this.input.focus();
    this.input.select();
    }
    leaveFilter() {
    this.box.focus();
    }
    escape() {
    const help = document.getElementById("help");
    if (help.open) help.close();
    else if (document.activeElement === this.input && this.state.filter !== "") this.setFilter("", false);
    else if (this.current !== null) this.close();
    else if (document.activeElement === this.input) this.box.focus();
    else if (this.state.filter !== "") this.setFilter("", false);
    }
    toggleHelp() {
    const help = document.getElementById("help");
    if (help.open) help.close();
    else help.showModal();
    }
    toggleTime() {
    this.list.isInTime = !this.list.isInTime;
    document.getElementById("time").textContent = this.list.isInTime ? "Waterfall: in time" : "Waterfall: by duration";
    this.list.draw();
    }
    setTheme(theme) {
    this.theme = ["light", "dark"].includes(theme) ? theme : "";
    document.documentElement.dataset.theme = this.theme;
    document.getElementById("theme").textContent = { "": "Theme: system", light: "Theme: light", dark: "Theme: dark" }[this.theme];
    }
    nextTheme() {
    this.setTheme({ "": "light", light: "dark", dark: "" }[this.theme]);
    try { localStorage.setItem("net-activity-theme", this.theme); } catch { /* as above */ }
    }
    }
    const page = new Page(document.getElementById("list") ? new EmbeddedSource() : new LiveSource());
    page.start().catch(error => {
    document.documentElement.dataset.state = "failed";
    setText(document.getElementById("made"), `This can't be read: ${error.message}`);
    });
    })();</script>
    </body>
    </html>

    """##

    /// The hashes of the script in the content policy, without and with that part.
    static let hashes = ("L+6BLPl+VEhfgjxMh/FEu+1b4S5uww9cmQtKwMzW0m4=", "yj/aOgKtDN+xvxmrgeSSGSENtUzv6idSYL+Ye0KRaaI=")
}
#endif
