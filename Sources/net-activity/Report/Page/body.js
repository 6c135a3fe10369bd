// A readable view of a body: JSON as a tree, a form as fields, other text as it is, bytes in hexadecimal.

const shownText = 20000;
const shownBytes = 1024;

class BodyView {
  constructor(body, type) {
    this.body = body;
    const text = body.isBytes ? "" : body.text;
    const tree = body.isBytes ? null : JSONText.tree(text);
    const isForm = /x-www-form-urlencoded/i.test(type ?? "") && !body.isBytes;
    const bar = make("div", { className: "bar" }, make("span", { className: "hint" }, this.size(type)));
    this.element = make("div", { className: "body" }, bar);
    const views = [];
    if (tree) views.push(["Tree", () => new Tree(tree).element]);
    if (isForm) views.push(["Fields", () => fieldTable([...new URLSearchParams(text)])]);
    if (!body.isBytes) views.push(["Text", () => make("pre", { tabIndex: 0 }, longText(text, shownText))]);
    if (body.isBytes) views.push(["Bytes", () => this.hexadecimal()]);
    let shown = null;
    const buttons = views.map(([name, view]) => {
      const button = make("button", { type: "button", "aria-pressed": "false" }, name);
      button.addEventListener("click", () => {
        for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
        const next = view();
        if (shown) shown.replaceWith(next);
        else this.element.append(next);
        shown = next;
      });
      return button;
    });
    if (buttons.length > 1) bar.append(...buttons);
    if (!body.isBytes) bar.append(copyButton("Copy", () => text));
    buttons[0].click();
  }

  size(type) {
    const { body } = this;
    const whole = body.size ?? body.bytes.length;
    const parts = [type ? line(type, 100) : null, shortSize(whole)];
    if (body.isCut) parts.push(`cut: the first ${shortSize(body.bytes.length)} were kept`);
    return parts.filter(part => part).join(" · ");
  }

  hexadecimal() {
    const bytes = this.body.bytes;
    const lines = [];
    for (let start = 0; start < Math.min(bytes.length, shownBytes); start += 16) {
      const row = Array.from(bytes.slice(start, start + 16));
      const digits = row.map(byte => byte.toString(16).padStart(2, "0")).join(" ").padEnd(48);
      const text = row.map(byte => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·")).join("");
      lines.push(`${start.toString(16).padStart(6, "0")}  ${digits} ${text}`);
    }
    if (bytes.length > shownBytes) lines.push(`… ${count(bytes.length - shownBytes)} more bytes`);
    return make("pre", { tabIndex: 0 }, lines.join("\n"));
  }
}

/** Text whose remainder is shown on request, so that a line of megabytes costs no more than its visible part. */
function longText(text, limit) {
  const span = make("span", {}, visible(text.slice(0, limit)));
  if (text.length <= limit) return span;
  const more = make("button", { className: "link", type: "button" }, `… ${count(text.length - limit)} more characters`);
  more.addEventListener("click", () => span.replaceWith(longText(text, limit * 20)));
  span.append(more);
  return span;
}

/** A table of names and values. */
function fieldTable(fields) {
  const rows = fields.map(([name, value]) => {
    const isHidden = value.includes(hiddenText);
    return make("tr", {}, make("th", { scope: "row" }, line(name, 200)),
      make("td", { className: isHidden ? "hidden-value" : "" }, longText(value, 2000)));
  });
  return make("table", { className: "fields" }, make("tbody", {}, ...rows));
}

function copyButton(label, text) {
  const button = make("button", { type: "button" }, label);
  button.addEventListener("click", () => copyText(text()));
  return button;
}

/** Copies text to the clipboard, through a text area if the clipboard API isn't available, as in local files. */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = make("textarea", { value: text, className: "away" });
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  announce("Copied.");
}
