// The overview: runs, counts, findings, failures and slow calls. Each of them sets a filter.

function percentile(sorted, share) {
  return sorted.length === 0 ? null : sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
}

/** Groups the entries by a key; entries without a key belong to no group. */
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

  /** A button that sets the filter. */
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

  /** Returns notes about data that is missing, hidden or cut. */
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
