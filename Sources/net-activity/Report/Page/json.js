// A JSON parser that keeps what JSON.parse loses: the digits of numbers, members with the same name, and their order.

class JSONText {
  /** Returns the tree of a document; null if the text isn't JSON, or is nested too deeply. */
  static tree(text) {
    try {
      const reader = new JSONText(text);
      const node = reader.value(0);
      reader.space();
      return reader.place === text.length ? node : null;
    } catch {
      return null;
    }
  }

  constructor(text) {
    this.text = text;
    this.place = 0;
  }

  /** Consumes and returns the match of a sticky expression at the current position. */
  take(expression) {
    expression.lastIndex = this.place;
    const found = expression.exec(this.text);
    if (!found) throw new SyntaxError("not JSON");
    this.place = expression.lastIndex;
    return found[0];
  }

  space() { this.take(/[ \n\r\t]*/y); }

  is(character) {
    this.space();
    if (this.text[this.place] !== character) return false;
    this.place += 1;
    return true;
  }

  need(character) {
    if (!this.is(character)) throw new SyntaxError("not JSON");
  }

  string() {
    this.space();
    const start = this.place;
    this.place += 1;
    while (this.place < this.text.length) {
      const quote = this.text.indexOf('"', this.place);
      if (this.text[start] !== '"' || quote < 0) break;
      let backslashes = 0;
      while (this.text[quote - 1 - backslashes] === "\\") backslashes += 1;
      this.place = quote + 1;
      if (backslashes % 2 === 0) return JSON.parse(this.text.slice(start, this.place));
    }
    throw new SyntaxError("not JSON");
  }

  value(depth) {
    if (depth > 200) throw new SyntaxError("too deep");
    if (this.is("{")) return this.object(depth);
    if (this.is("[")) return this.array(depth);
    if (this.text[this.place] === '"') return { type: "string", value: this.string() };
    return { type: "literal", value: this.take(/-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|true|false|null/y) };
  }

  object(depth) {
    const members = [];
    if (this.is("}")) return { type: "object", members };
    do {
      const name = this.string();
      this.need(":");
      members.push([name, this.value(depth + 1)]);
    } while (this.is(","));
    this.need("}");
    return { type: "object", members };
  }

  array(depth) {
    const members = [];
    if (this.is("]")) return { type: "array", members };
    do members.push([null, this.value(depth + 1)]); while (this.is(","));
    this.need("]");
    return { type: "array", members };
  }

  /** Returns the document as indented lines. */
  static pretty(node, indent = "") {
    if (node.type === "string") return JSON.stringify(node.value);
    if (node.type === "literal") return node.value;
    const [open, close] = node.type === "object" ? ["{", "}"] : ["[", "]"];
    if (node.members.length === 0) return open + close;
    const inner = indent + "  ";
    const lines = node.members.map(([name, member]) =>
      inner + (name === null ? "" : JSON.stringify(name) + ": ") + JSONText.pretty(member, inner));
    return `${open}\n${lines.join(",\n")}\n${indent}${close}`;
  }
}
