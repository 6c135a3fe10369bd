// The list: only as many rows as fit, reused while scrolling.

class List {
  /** `scroller` scrolls; `box` is as high as all rows. */
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

  /** Shows these entries, by their numbers. */
  show(entries, shown) {
    const kept = this.shown[this.selected];
    this.entries = entries;
    this.shown = shown;
    this.selected = kept === undefined ? -1 : shown.indexOf(kept);
    const durations = shown.map(index => entries.value("duration", index)).filter(value => value > 0).sort((a, b) => a - b);
    this.scale = durations[Math.floor(durations.length * 0.95)] ?? 1;
    this.draw();
  }

  /** Appends more entries while a search is running. */
  append(indices) {
    this.shown.push(...indices);
    this.later();
  }

  /** Clears the list: the numbers of entries now refer to different ones. */
  begin() {
    this.selected = -1;
    this.shown = [];
    this.stripes.clear();
    for (const row of this.rows) row.drawn = "";
  }

  /** Inserts new entries at the top. The visible rows don't move, unless the list is scrolled to the top. */
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

  /** Redraws the rows whose entries have changed. */
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
    // A row keeps its place while it is visible: only the rows at the edges change.
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

  /** Returns the first start and the last end among the visible rows. */
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
