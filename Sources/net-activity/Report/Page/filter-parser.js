// Parses expressions in the language of docs/filter.md, as FilterParser does in Swift.
//
//   filter      = *group                         ; "and", which binds more loosely than "|"
//   group       = conjunction *( "|" conjunction )
//   conjunction = negation *( "&" negation )
//   negation    = *"!" ( "(" filter ")" / term )
//   term        = "~" name [ value ] / value

const expectedValue = {
  d: "a host, or a part of it",
  u: "a URL, or a part of it",
  m: "a method",
  h: 'a part of a header such as "accept: text"',
  b: "text of a body",
  t: "a content type, or a part of it",
  op: "an operation, or a part of it",
  tag: "a tag, or a part of it",
  comment: "text of a comment",
  error: "an error such as timeout, or a part of its message",
  cache: "a decision of the cache such as hit or miss",
  c: "a status (503), a class of them (5xx) or a range (400-499)",
  slower: "a duration such as 500ms, 2s, 1.5m, 1h or 2d",
  larger: "a size such as 800B, 1KB, 1.5MB, 1GB (powers of 1000), 1KiB or 1MiB (of 1024)",
  since: "a time before now (15m), a date (2026-11-24) or a date and time (2026-11-24T08:00:00Z)",
  run: "the number of a run",
};
Object.assign(expectedValue, {
  hq: expectedValue.h, hs: expectedValue.h, bq: expectedValue.b, bs: expectedValue.b,
  faster: expectedValue.slower, until: expectedValue.since,
});
const readValue = {
  c: statusRange, slower: durationValue, faster: durationValue, larger: sizeValue, since: momentValue,
  until: momentValue, run: text => { const number = wholeNumber(text); return number === null ? null : Number(number); },
};
const flagNames = ["e", "q", "s", "marked", "websocket", "retried", "reused", "job", "log"];
const termNames = [...Object.keys(expectedValue), ...flagNames, "all"];

/** A node is `{all: […]}`, `{any: […]}`, `{not: node}`, `{flag}` or `{name, pattern}` or `{name, value}`. */
class FilterParser {
  static parse(text) {
    const parser = new FilterParser(text);
    const node = { all: parser.groups(0) };
    if (!parser.scanner.isAtEnd) throw parser.scanner.unexpected('"(" before it, or nothing');
    return node;
  }

  constructor(text) {
    this.scanner = new FilterScanner(text);
    const length = this.scanner.scalars.length;
    if (length > 4096) throw this.scanner.error(4096, `${length} characters`, "at most 4096");
  }

  groups(depth) {
    const nodes = [];
    this.scanner.skipSpace();
    while (!this.scanner.isAtEnd && this.scanner.next !== ")") {
      nodes.push(this.group(depth));
      this.scanner.skipSpace();
    }
    return nodes;
  }

  group(depth) {
    const nodes = [this.conjunction(depth)];
    while (this.scanner.skip("|")) nodes.push(this.conjunction(depth));
    return { any: nodes };
  }

  conjunction(depth) {
    const nodes = [this.negation(depth)];
    while (this.scanner.skip("&")) nodes.push(this.negation(depth));
    return { all: nodes };
  }

  negation(depth) {
    let isNegated = false;
    while (this.scanner.skip("!")) isNegated = !isNegated;
    const node = this.operand(depth);
    return isNegated ? { not: node } : node;
  }

  operand(depth) {
    this.scanner.skipSpace();
    const next = this.scanner.next;
    if (next === "(") return this.parenthesized(depth);
    if (next === "~") return this.named();
    if (next === undefined || next === ")" || next === "&" || next === "|") {
      throw this.scanner.unexpected("a term, for example ~c 5xx or a part of a URL");
    }
    return { name: "", pattern: new FilterPattern(this.scanner.value().tokens) };
  }

  parenthesized(depth) {
    const opening = this.scanner.error(this.scanner.offset, "", "").column;
    if (depth >= 20) throw this.scanner.unexpected("parentheses at most 20 deep");
    this.scanner.skip("(");
    const nodes = this.groups(depth + 1);
    if (nodes.length === 0 && !this.scanner.isAtEnd) throw this.scanner.unexpected('a term after "("');
    if (!this.scanner.skip(")")) throw this.scanner.unexpected(`")" for "(" in column ${opening}`);
    return { all: nodes };
  }

  named() {
    const scanner = this.scanner;
    const start = scanner.offset;
    const name = scanner.name();
    if (!termNames.includes(name)) {
      const alike = termNames.filter(other => other[0] === name[0]);
      const offered = (alike.length ? alike : termNames).toSorted().map(other => "~" + other).join(" ");
      throw scanner.error(start, `"~${name}"`, `a term: ${offered}`);
    }
    const expected = expectedValue[name];
    if (expected === undefined) {
      if (!scanner.isAtBoundary) throw scanner.unexpected(`a space after ~${name}`);
      return name === "all" ? { all: [] } : { flag: name };
    }
    if (!scanner.isAtSpace) throw scanner.unexpected(`a space and ${expected} after ~${name}`);
    scanner.skipSpace();
    if (!scanner.isAtValue) throw scanner.unexpected(`${expected} after ~${name}`);
    const offset = scanner.offset;
    const value = scanner.value();
    if (!readValue[name]) return { name, pattern: new FilterPattern(value.tokens) };
    const read = readValue[name](value.text);
    if (read === null) throw scanner.error(offset, `"${shortened(value.text)}"`, expected);
    return { name, value: read };
  }
}
