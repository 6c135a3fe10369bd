// The data of a page that a server shows live; a report doesn't have this file.

const partSize = 64;

/** The entries of a store: a list to begin with, then news; what was captured of them is fetched when it is needed. */
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

  /** What was captured of the entries of one part: a function of their number. Null for one without anything. */
  async part(number) {
    // The newest part still grows.
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

  /** Tells what is new. The browser connects again by itself, and says what it has. */
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

// So many entries, then the page begins anew with the newest: its memory has an end.
const mostEntries = 50000;

/** Keeps a page up with a live source. */
class Live {
  constructor(page, source) {
    this.page = page;
    this.source = source;
    this.search = new Search(source);
    /** Numbers of new entries that the filter hasn't judged, the newest first. */
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
    // What has ended has content now.
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

  /** Whether an entry is in the list that doesn't match any more, or isn't and does. */
  changesMatch(changed) {
    const { filter, entries, list } = this.page;
    if (!filter || filter.needsContent || changed.length === 0) return false;
    const matches = filter.compile(entries);
    const shown = new Set(list.shown);
    return changed.some(index => matches(index, null) !== shown.has(index));
  }

  /** Puts those of the new entries into the list that match. */
  async judge() {
    const { page } = this;
    const { filter } = page;
    // A search that still runs puts what it finds at the end: what is new waits for it.
    if (this.isJudging || page.isSearching || !filter || this.waiting.length === 0) return;
    this.isJudging = true;
    const found = [];
    try {
      await this.search.run(page.entries, filter, this.waiting.splice(0), indices => found.push(...indices));
    } finally {
      this.isJudging = false;
    }
    // Another filter has judged all.
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
    // Nothing vanishes under a finger.
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

  /** Begins anew with the newest entries. */
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
