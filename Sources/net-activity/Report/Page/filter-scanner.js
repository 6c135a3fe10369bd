// Scans the characters of an expression.

class FilterError extends Error {
  /** `offset` counts code points; the column counts grapheme clusters, the characters that people see. */
  constructor(scalars, offset, found, expected) {
    super(`found ${found}, expected ${expected}`);
    const before = scalars.slice(0, offset).join("");
    const whole = scalars.join("");
    let column = 1;
    for (const part of new Intl.Segmenter("en").segment(whole)) {
      if (part.index + part.segment.length > before.length) break;
      column += 1;
    }
    this.column = column;
    this.expression = whole;
  }
}

const isSpace = character => character !== undefined && /^[\s\u0085]$/u.test(character) && character !== "\ufeff";
const isOperator = character => character !== undefined && "()&|!".includes(character);

class FilterScanner {
  constructor(text) {
    this.scalars = Array.from(text);
    this.offset = 0;
  }

  get isAtEnd() { return this.offset === this.scalars.length; }
  get next() { return this.scalars[this.offset]; }
  get isAtSpace() { return this.isAtEnd || isSpace(this.next); }
  get isAtBoundary() { return this.isAtEnd || isSpace(this.next) || isOperator(this.next); }
  get isAtValue() { return !this.isAtEnd && !isOperator(this.next) && this.next !== "~"; }

  skipSpace() {
    while (isSpace(this.next)) this.offset += 1;
  }

  skip(symbol) {
    this.skipSpace();
    if (this.next !== symbol) return false;
    this.offset += 1;
    return true;
  }

  name() {
    this.offset += 1;
    let name = "";
    while (!this.isAtEnd && /^[\p{Alphabetic}0-9_-]$/u.test(this.next)) name += this.scalars[this.offset++];
    return name;
  }

  /** Reads a word or a quoted text: its tokens, and its text without quotes and escapes. */
  value() {
    const quote = this.next;
    if (quote !== '"' && quote !== "'") return this.word();
    const start = this.offset;
    const value = { tokens: [], text: "" };
    this.offset += 1;
    while (!this.isAtEnd && this.next !== quote) this.append(value);
    if (this.isAtEnd) throw this.error(start, this.quoted(start), `a closing ${quote}`);
    this.offset += 1;
    if (!this.isAtBoundary) throw this.unexpected(`a space after the closing ${quote}`);
    return value;
  }

  word() {
    const start = this.offset;
    const value = { tokens: [], text: "" };
    while (!this.isAtEnd && !isSpace(this.next) && this.next !== "(" && this.next !== ")") {
      const next = this.next;
      if (next === '"' || next === "'" || next === "~") {
        throw this.unexpected("a space before it, or quotes around the word");
      }
      if (next === "&" && !this.isWithinWord(start)) return value;
      if (next === "|") {
        if (!this.isWithinWord(start)) return value;
        throw this.unexpected('spaces around it for "or", else quotes around the word');
      }
      this.append(value);
    }
    return value;
  }

  /** True between two characters of a word, as for the `&` of a query. */
  isWithinWord(start) {
    const after = this.scalars[this.offset + 1];
    return this.offset > start && after !== undefined && !isSpace(after) && !isOperator(after)
      && !["~", '"', "'"].includes(after);
  }

  append(value) {
    const next = this.next;
    if (next !== "\\") {
      value.tokens.push(next === "*" ? anyText : next === "?" ? oneCharacter : next);
      value.text += next;
      this.offset += 1;
      return;
    }
    const literal = this.scalars[this.offset + 1];
    if (literal === undefined) throw this.unexpected("a character after it, which it takes literally");
    value.tokens.push(literal);
    value.text += literal;
    this.offset += 2;
  }

  unexpected(expected) {
    return this.error(this.offset, this.isAtEnd ? "the end" : this.quoted(this.offset), expected);
  }

  error(offset, found, expected) {
    return new FilterError(this.scalars, offset, found, expected);
  }

  /** Returns the text that starts at the offset, in quotes: an operator, or everything up to the next space. */
  quoted(offset) {
    const [first, second] = [this.scalars[offset], this.scalars[offset + 1]];
    if (isOperator(first) || first === '"' || first === "'" || first === "~") {
      if (isOperator(first) || second === undefined || isSpace(second)) {
        return first === '"' ? "'\"'" : `"${first}"`;
      }
    }
    let end = offset;
    while (end < this.scalars.length && !isSpace(this.scalars[end])) end += 1;
    return `"${shortened(this.scalars.slice(offset, end).join(""))}"`;
  }
}

/** Returns at most forty characters of the text, on one line. */
function shortened(text) {
  const characters = Array.from(new Intl.Segmenter("en").segment(text), part => part.segment);
  const kept = characters.slice(0, 40).map(part => (/[\n\r\v\f\u0085\u2028\u2029]/.test(part) ? " " : part)).join("");
  return characters.length > 40 ? kept + "…" : kept;
}
