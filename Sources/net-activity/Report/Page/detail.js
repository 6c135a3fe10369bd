// One entry: seven tabs, or the comparison with another entry.

const tabNames = ["Summary", "Request", "Response", "Timing", "Messages", "Log", "cURL"];

class Detail {
  /** `actions` has `close`, `compare`, `open`, `marked`, `tab` and `contentOf`. */
  constructor(element, actions) {
    this.element = element;
    this.actions = actions;
    this.tab = 1;
    this.index = null;
    this.turn = 0;
  }

  /** Shows a tab of an entry, or its comparison with the entry `other` if that isn't null. */
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

  /** Adds the detail: as a tree if it is a JSON object, as the metadata of a log line is, otherwise as text. */
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

  /** Returns remarks about hidden values, cut bodies and missing captures of this entry. */
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
