// The pattern of a term: characters and wildcards. Matches as FilterPattern and FilterMatcher do in Swift.

const anyText = 1;
const oneCharacter = 2;

/** Lowercases each character separately, so that no letter depends on being the last of a word. */
function lowercase(text) {
  if (!/[^\x00-\x7f]/.test(text)) return text.toLowerCase();
  return Array.from(text, character => character.toLowerCase()).join("");
}

/** Lowercases only ASCII letters. */
function foldASCII(text) {
  if (!/[^\x00-\x7f]/.test(text)) return text.toLowerCase();
  return text.replace(/[A-Z]+/g, letters => letters.toLowerCase());
}

class FilterPattern {
  /** Tokens are characters (code points as text) and the two numbers above. */
  constructor(tokens) {
    const kept = [];
    for (const token of tokens) {
      if (token !== anyText || kept.at(-1) !== anyText) kept.push(token);
    }
    this.hasColon = kept.includes(":");
    const units = [];
    for (const token of kept) {
      if (typeof token === "number") units.push(token);
      else units.push(...lowercase(token).split(""));
    }
    this.isBeyondASCII = units.some(unit => typeof unit === "string" && unit > "\x7f");
    const hasAny = units.includes(anyText);
    const isWithin = !hasAny || (units.length > 1 && units[0] === anyText && units.at(-1) === anyText);
    const inner = hasAny ? units.slice(1, -1) : units;
    this.needle = isWithin && inner.every(unit => typeof unit === "string") ? inner.join("") : null;
    this.units = hasAny ? units : [anyText, ...units, anyText];
  }

  /** True if the text matches. With `isBytes`, the text has one character per byte of a body that isn't UTF-8. */
  matches(text, isBytes = false) {
    let folded;
    if (this.isBeyondASCII) {
      const whole = isBytes ? repaired(text) : text;
      if (!/[^\x00-\x7f]/.test(text)) return false;
      folded = lowercase(whole);
      isBytes = false;
    } else {
      folded = foldASCII(text);
    }
    return this.needle !== null ? folded.includes(this.needle) : this.matchesUnits(folded, isBytes);
  }

  /** Backtracks only to the last `*`, so the number of steps is at most the pattern's length times the text's. */
  matchesUnits(text, isBytes) {
    const units = this.units;
    let place = 0;
    let index = 0;
    let star = null;
    while (place < text.length) {
      const unit = units[index];
      if (index < units.length && unit === anyText) {
        star = [index, place];
        index += 1;
      } else if (index < units.length && unit === oneCharacter) {
        index += 1;
        place += 1;
        if (isBytes) while (place < text.length && (text.charCodeAt(place) & 0xc0) === 0x80) place += 1;
        else if (/[\ud800-\udbff]/.test(text[place - 1]) && /[\udc00-\udfff]/.test(text[place] ?? "")) place += 1;
      } else if (index < units.length && unit === text[place]) {
        index += 1;
        place += 1;
      } else if (star) {
        star[1] += 1;
        index = star[0] + 1;
        place = star[1];
      } else {
        return false;
      }
    }
    return units.slice(index).every(unit => unit === anyText);
  }
}

/** Decodes bytes, which are given as characters, as UTF-8; invalid bytes become U+FFFD. */
function repaired(bytes) {
  return new TextDecoder().decode(Uint8Array.from(bytes, character => character.charCodeAt(0)));
}
