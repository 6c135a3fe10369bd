// Parses the values of terms as FilterValueReader does in Swift. Each function returns null for an invalid value.

const largestInteger = (1n << 63n) - 1n;

function wholeNumber(text) {
  if (!/^[0-9]+$/.test(text)) return null;
  const value = BigInt(text);
  return value > largestInteger ? null : value;
}

function statusCode(text) {
  if (!/^[0-9]{3,4}$/.test(text)) return null;
  const code = Number(text);
  return code >= 100 && code <= 9999 ? code : null;
}

/** `503`, `5xx`, `50x`, `400-499`. */
function statusRange(text) {
  const hyphen = text.indexOf("-");
  if (hyphen >= 0) {
    const low = statusCode(text.slice(0, hyphen));
    const high = statusCode(text.slice(hyphen + 1));
    return low === null || high === null || low > high ? null : [low, high];
  }
  const code = statusCode(text);
  if (code !== null) return [code, code];
  const found = /^([1-9][0-9]?)[xX]+$/.exec(text);
  if (!found || text.length !== 3) return null;
  const scale = found[1].length === 1 ? 100 : 10;
  const low = Number(found[1]) * scale;
  return [low, low + scale - 1];
}

/** Parses a decimal number with one of the units; returns a whole number of the smallest unit. */
function amount(text, units) {
  const number = /^[0-9.]*/.exec(text)[0];
  const factor = units[text.slice(number.length)];
  if (factor === undefined) return null;
  const point = number.indexOf(".");
  const whole = wholeNumber(point < 0 ? number : number.slice(0, point));
  if (whole === null || whole * BigInt(factor) > largestInteger) return null;
  const product = whole * BigInt(factor);
  if (point < 0) return product;
  const places = number.slice(point + 1);
  if (!/^[0-9]+$/.test(places)) return null;
  const kept = places.slice(0, 9);
  const sum = product + BigInt(kept) * BigInt(factor) / 10n ** BigInt(kept.length);
  return sum > largestInteger ? null : sum;
}

/** Parses a duration; returns microseconds. */
function durationValue(text) {
  const value = amount(text, { ms: 1000, s: 1_000_000, m: 60_000_000, h: 3_600_000_000, d: 86_400_000_000 });
  return value === null || value > largestInteger / 1000n ? null : Number(value);
}

/** Parses a size; returns bytes. */
function sizeValue(text) {
  const units = { kib: 1024, mib: 1 << 20, gib: 1 << 30, kb: 1000, mb: 1_000_000, gb: 1_000_000_000, b: 1, "": 1 };
  const value = amount(text.toLowerCase(), units);
  return value === null ? null : Number(value);
}

/** Parses a date-time of RFC 3339; returns microseconds since 1970. */
function dateTime(text) {
  const found = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/.exec(text);
  if (!found) return null;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map(Number);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (month < 1 || month > 12 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || day < 1) return null;
  if (hour > 23 || minute > 59 || second > 60) return null;
  const [hours, minutes] = [Number(found[9] ?? 0), Number(found[10] ?? 0)];
  if (hours > 23 || minutes > 59) return null;
  const offset = (found[8] === "-" ? -1 : 1) * (hours * 3600 + minutes * 60);
  const seconds = date.getTime() / 1000 + hour * 3600 + minute * 60 + second - offset;
  return seconds * 1e6 + Number(((found[7] ?? "") + "000000").slice(0, 6));
}

/** Parses a point in time as `{at}`, or a time before now as `{ago}`, in microseconds. */
function momentValue(text) {
  const duration = durationValue(text);
  if (duration !== null) return { ago: duration };
  const at = text.length === 10 ? dateTime(text + "T00:00:00Z") : null;
  const other = at ?? dateTime(text);
  return other === null ? null : { at: other };
}
