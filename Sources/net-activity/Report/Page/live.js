// The data source of a live page, which a server keeps up to date; a report doesn't include this file.

const partSize = 64;

/** The entries of a store: an initial list, then updates. Captured content is fetched when it is needed. */
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

  /** Returns a function from the number of an entry of a part to its captured content; null if there is none. */
  async part(number) {
    // Keeps only complete parts: the newest one still grows.
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

  /** Passes updates to `live`. The browser reconnects by itself, and sends the ID of the last event that it received. */
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

// The maximum number of entries: beyond it, the page starts over with the newest ones, which limits its memory.
const mostEntries = 50000;

/** Keeps a page up to date with a live source. */
class Live {
  constructor(page, source) {
    this.page = page;
    this.source = source;
    this.search = new Search(source);
    /** The numbers of new entries that the filter hasn't been applied to yet, newest first. */
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
    // Entries that have ended have content now.
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

  /** True if one of the entries is listed but no longer matches, or matches but isn't listed. */
  changesMatch(changed) {
    const { filter, entries, list } = this.page;
    if (!filter || filter.needsContent || changed.length === 0) return false;
    const matches = filter.compile(entries);
    const shown = new Set(list.shown);
    return changed.some(index => matches(index, null) !== shown.has(index));
  }

  /** Adds those new entries to the list that match the filter. */
  async judge() {
    const { page } = this;
    const { filter } = page;
    // A running search appends its results, so new entries wait for its end.
    if (this.isJudging || page.isSearching || !filter || this.waiting.length === 0) return;
    this.isJudging = true;
    const found = [];
    try {
      await this.search.run(page.entries, filter, this.waiting.splice(0), indices => found.push(...indices));
    } finally {
      this.isJudging = false;
    }
    // Another filter has been applied to all entries in the meantime.
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
    // Doesn't replace the overview while it is pointed at or has the focus.
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

  /** Starts over with the newest entries. */
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
