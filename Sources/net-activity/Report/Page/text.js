// Text from a store is untrusted: it only becomes text nodes, and characters that could mislead a reader are shown as signs.

/** Creates an element. Names with a hyphen, `role` and `for` set attributes, others properties. Children are nodes or texts. */
function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name.includes("-") || name === "role" || name === "for") element.setAttribute(name, value);
    else if (name === "data") Object.assign(element.dataset, value);
    else element[name] = value;
  }
  element.append(...children.filter(child => child !== null && child !== undefined));
  return element;
}

/** Sets the text of a node only if it differs, so that scrolling costs little. */
function setText(node, text) {
  if (node.firstChild && node.firstChild.nodeType === 3) {
    if (node.firstChild.data !== text) node.firstChild.data = text;
  } else {
    node.textContent = text;
  }
}

// A zero-width joiner within an emoji is part of it; elsewhere, it hides that two texts differ.
const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]|(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d|\u200d(?!\p{Extended_Pictographic})/gu;

/** Replaces control characters with pictures and other invisible ones with their numbers. Keeps line breaks and tabs. */
function visible(text) {
  return text.replace(steering, character => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    if (code === 0x7f) return "\u2421";
    return `\u27e8${code.toString(16).toUpperCase().padStart(4, "0")}\u27e9`;
  });
}

/** Returns the text on one line, cut where a row couldn't show more. */
function line(text, limit = 400) {
  const cut = text.length > limit ? text.slice(0, limit) + "…" : text;
  return visible(cut.replace(/[\n\r\t]/g, " "));
}

/** `12.3 ms`, `4.56 s`, `2 m 05 s`. */
function shortDuration(microseconds) {
  if (microseconds === null || microseconds === undefined) return "";
  if (microseconds < 1e6) return (microseconds / 1000).toFixed(1) + " ms";
  if (microseconds < 6e7) return (microseconds / 1e6).toFixed(2) + " s";
  const seconds = Math.floor(microseconds / 1e6);
  return `${Math.floor(seconds / 60)} m ${String(seconds % 60).padStart(2, "0")} s`;
}

/** `512 B`, `1.5 kB`, `20.0 MB`. */
function shortSize(bytes) {
  if (bytes === null || bytes === undefined) return "";
  const units = ["B", "kB", "MB", "GB", "TB", "PB"];
  let unit = 0;
  let value = bytes;
  while (value >= 999.95 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return unit === 0 ? `${bytes} B` : `${value.toFixed(1)} ${units[unit]}`;
}

function count(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `1 call`, `2 calls`. */
function counted(number, noun) {
  return `${count(number)} ${noun}${number === 1 ? "" : "s"}`;
}

/** A moment in UTC: `2026-01-31 12:00:00.123`. */
function moment(microseconds) {
  const date = new Date(microseconds / 1000);
  return Number.isNaN(date.getTime()) ? "" : date.toISOString().replace("T", " ").replace("Z", "");
}

/** `12:00:00.123`. */
function clock(microseconds) {
  return moment(microseconds).slice(-12);
}
