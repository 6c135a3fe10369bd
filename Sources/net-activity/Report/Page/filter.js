// A condition on the entries of a report.

const contentNames = ["h", "hq", "hs", "b", "bq", "bs"];

class Filter {
  /** Throws a FilterError. */
  constructor(text) {
    this.text = text;
    this.node = FilterParser.parse(text);
    this.needsContent = Filter.has(this.node, term => contentNames.includes(term.name));
  }

  /** Returns the text as a single value of an expression, with quotes and escapes if necessary. */
  static quote(text) {
    const literal = text.replace(/[\\*?]/g, "\\$&");
    return /^[^\s()&|!~"'\\]+$/u.test(literal) ? literal : `"${literal.replace(/"/g, '\\"')}"`;
  }

  static has(node, condition) {
    if (node.all || node.any) return (node.all ?? node.any).some(inner => Filter.has(inner, condition));
    return node.not ? Filter.has(node.not, condition) : condition(node);
  }

  /** Returns a predicate on the number of an entry and its content, which is null if nothing was captured. */
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
  // Many entries share a text: each text is compared only once.
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

/** Returns the host without its port. An IPv6 address without brackets stays as it is: its colons don't start a port. */
function withoutPort(host) {
  const found = /^(.+):[0-9]*$/s.exec(host);
  if (!found) return host;
  return found[1].endsWith("]") || !found[1].includes(":") ? found[1] : host;
}
