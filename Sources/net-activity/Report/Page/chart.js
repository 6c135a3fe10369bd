// Bars that filter: drag over them, click one, or use the arrow keys and Enter.

class Chart {
  /** `onRange` receives the numbers of the first and the last chosen bar, or two nulls when the choice is cleared. */
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

  /** Draws bars `{name, total, shown, failed}`: all entries faintly, those that match the filter, and failed ones striped. */
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

/** A chart of the start times of the entries. */
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
    // Whole milliseconds: the filter that a bar sets has no finer resolution.
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

/** A chart of the durations of the entries. */
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
