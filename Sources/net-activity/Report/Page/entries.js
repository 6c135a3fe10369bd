// The entries of a report: columns of numbers, most of which are indices of texts that many entries share.

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
    /** The number of initial entries, ordered newest first; later ones have higher numbers, the newest the highest. */
    this.initial = list.count;
    /** The number of entries without those included only because they belong to others. */
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
    // A WebSocket shares the ID and the content of the call that opened it, and takes precedence over it.
    if (!this.indexOf.has(uid) || this.value("kind", index) === Kind.socket) this.indexOf.set(uid, index);
    if (owner === null) return;
    const known = this.ownedBy.get(owner);
    if (known) known.push(index);
    else this.ownedBy.set(owner, [index]);
  }

  /** Returns the numbers of all listed entries, newest first. */
  newestFirst() {
    const hidden = this.column("hidden");
    const numbers = [];
    for (let index = this.count - 1; index >= this.initial; index -= 1) numbers.push(index);
    for (let index = 0; index < this.initial; index += 1) if (hidden(index) !== 1) numbers.push(index);
    return numbers;
  }

  /** Adds new entries, newest first, and updates changed ones; returns the numbers of both. */
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
      // An update about an ended entry may be late. Only a job goes on after an end.
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

  /** Returns the numbers of `texts` in the list `known`, to which it appends new ones. */
  numbers(name, known, texts) {
    const numbers = (this.known ??= {})[name] ??= new Map(known.map((text, number) => [text, number]));
    return texts.map(text => {
      if (!numbers.has(text)) numbers.set(text, known.push(text) - 1);
      return numbers.get(text);
    });
  }

  /** Returns a function from the number of an entry to its value; null if the value isn't known. */
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

  /** The text with that number. */
  string(number) {
    return number === null ? null : this.strings[number];
  }

  /** Returns the attempts of an entry as objects with named members. */
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

  /** Returns the log lines and calls that belong to an entry, in the order of their start. */
  owned(index) {
    const start = this.column("start");
    return (this.ownedBy.get(this.value("uid", index)) ?? []).filter(other => other !== index)
      .sort((left, right) => start(left) - start(right) || right - left);
  }

  /** Returns the handshake of a WebSocket, or the WebSocket of a handshake, which share an ID; null if there is none. */
  sibling(index) {
    const uid = this.value("uid", index);
    for (let other = 0; other < this.count; other += 1) {
      if (other !== index && this.value("uid", other) === uid) return other;
    }
    return null;
  }

  /** Returns the result of an entry: a sign that every font has, a word, and a class for its color. */
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

  /** The path of the URL with its query, or the message of a log line. */
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

  /** Finds an entry by its ID or by its end of at least eight characters: the beginning is the time, which neighbors share. */
  indexOfID(id) {
    const number = this.list.uids.findIndex(uid => uid === id || (id.length >= 8 && uid.endsWith(id)));
    return number < 0 ? null : this.indexOf.get(number) ?? null;
  }
}
