// The page: assembles its parts and holds its state.

function announce(text) {
  const toast = document.getElementById("toast");
  setText(toast, text);
  toast.hidden = false;
  clearTimeout(announce.timer);
  announce.timer = setTimeout(() => { toast.hidden = true; }, 2500);
}

/** Lets the browser paint and handle events between two pieces of work. */
function pause() {
  return new Promise(resolve => { setTimeout(resolve, 0); });
}

class Page {
  constructor(source) {
    this.source = source;
    this.search = new Search(source);
    /** Keeps a live page up to date; null for a report. */
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

  /** Shows the state in the URL's fragment. */
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

  /** Shows the same view after the entries were read again. */
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

  /** Replaces the terms with these names at the end of the filter, which an "and" joins to everything before them. */
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

  /** Draws the charts after the list is painted, so that they don't delay typing. */
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

  /** Marks the first entry, and compares the second one with it. */
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
