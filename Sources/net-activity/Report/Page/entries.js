// The entries of a report: columns of numbers, most of them numbers of texts that many entries share.

const Kind = { call: 1, socket: 2, job: 3, log: 4 };
const kindNames = ["", "call", "socket", "job", "log"];
const Outcome = { completed: 1, rejected: 2, failed: 3, cancelled: 4, cutOff: 5 };
const phaseNames = ["queued", "lookup", "connect", "secure", "waiting", "download"];

class Entries {
  constructor(list) {
    this.list = list;
    this.strings = list.strings;
    this.columns = list.columns;
    this.count = list.count;
    /** Without those that are only there because they belong to others. */
    this.listed = list.count - (list.columns.hidden?.filter(value => value === 1).length ?? 0);
    this.now = list.now;
    this.column = this.column.bind(this);
    this.attemptsOf = new Map();
    list.attempts.forEach((attempt, index) => {
      const known = this.attemptsOf.get(attempt[0]);
      if (known) known.push(index);
      else this.attemptsOf.set(attempt[0], [index]);
    });
    this.indexOf = new Map();
    this.ownedBy = new Map();
    const [uid, owner, kind] = [this.column("uid"), this.column("owner"), this.column("kind")];
    for (let index = 0; index < this.count; index += 1) {
      // A WebSocket has the ID of the call that opened it, and its content: it comes first.
      if (!this.indexOf.has(uid(index)) || kind(index) === Kind.socket) this.indexOf.set(uid(index), index);
      if (owner(index) !== null) {
        const known = this.ownedBy.get(owner(index));
        if (known) known.push(index);
        else this.ownedBy.set(owner(index), [index]);
      }
    }
  }

  /** A function of the number of an entry; null where nothing is known. */
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

  /** The attempts of an entry, with names. */
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

  /** Lines of the log and calls of a job, in their order. */
  owned(index) {
    const start = this.column("start");
    return (this.ownedBy.get(this.value("uid", index)) ?? []).filter(other => other !== index)
      .sort((left, right) => start(left) - start(right) || right - left);
  }

  /** The handshake of a WebSocket and the WebSocket of a handshake share an ID. */
  sibling(index) {
    const uid = this.value("uid", index);
    for (let other = 0; other < this.count; other += 1) {
      if (other !== index && this.value("uid", other) === uid) return other;
    }
    return null;
  }

  /** How an entry ended: a sign, a word, and a class for its colour. */
  result(index) {
    const status = this.value("status", index);
    switch (this.value("outcome", index)) {
      case Outcome.completed: return { sign: "✓", text: String(status ?? "completed"), kind: "good" };
      case Outcome.rejected: return { sign: "!", text: String(status ?? "rejected"), kind: status >= 500 ? "bad" : "poor" };
      case Outcome.failed: return { sign: "✕", text: this.text("error", index) ?? "failed", kind: "bad" };
      case Outcome.cancelled: return { sign: "⊘", text: "cancelled", kind: "poor" };
      case Outcome.cutOff: return { sign: "⊣", text: "cut off", kind: "poor" };
      default:
        if (this.value("kind", index) === Kind.log) {
          const level = this.text("level", index) ?? "log";
          const isBad = level === "error" || level === "critical";
          return { sign: "≡", text: level, kind: isBad ? "bad" : level === "warning" ? "poor" : "plain" };
        }
        return { sign: "▸", text: "running", kind: "plain" };
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

  /** The path of the URL with its query, or the message of a line. */
  subject(index) {
    const url = this.text("url", index);
    if (url === null) return this.text("message", index) ?? this.text("name", index) ?? "";
    const host = this.text("host", index);
    const place = host === null ? -1 : url.toLowerCase().indexOf(host);
    if (place < 0) return url;
    return url.slice(place + host.length) || "/";
  }

  /** The end of the ID: its beginning is the time, which neighbors share. */
  id(index) {
    return this.list.uids[this.value("uid", index)];
  }

  indexOfID(id) {
    const number = this.list.uids.findIndex(uid => uid === id || (id.length >= 8 && uid.endsWith(id)));
    return number < 0 ? null : this.indexOf.get(number) ?? null;
  }
}
