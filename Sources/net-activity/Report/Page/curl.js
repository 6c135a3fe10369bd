// A call as a `curl` command for bash and zsh. Hidden values become variables such as `$AUTHORIZATION`.

const hiddenText = "<redacted>";

/** Quotes a shell word: in single quotes, or with escapes if it contains characters that could control a terminal. */
function shellWord(text) {
  if (text !== "" && /^[\w@%+=:,./-]+$/.test(text)) return text;
  if (!/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/.test(text)) {
    return `'${text.replace(/'/g, "'\\''")}'`;
  }
  const escaped = text.replace(/['\\]/g, "\\$&").replace(/\n/g, "\\n")
    .replace(/[\u0000-\u001f\u007f]/g, character => "\\x" + character.charCodeAt(0).toString(16).padStart(2, "0"))
    .replace(/[\u0080-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
      character => "\\u" + character.charCodeAt(0).toString(16).padStart(4, "0"));
  return `$'${escaped}'`;
}

function variableName(name) {
  return name.toUpperCase().replace(/[^A-Z0-9]+/g, "_").replace(/^_+|_+$/g, "").replace(/^(?=[0-9])/, "_") || "VALUE";
}

/** Returns a shell word in which each hidden value is a variable named after `name`. */
function wordWithVariables(text, name) {
  if (!text.includes(hiddenText)) return shellWord(text);
  const variable = variableName(name);
  // Double quotes suffice if no other character has a special meaning within them.
  if (!/[$`"\\!]|[^\x20-\x7e]/.test(text)) {
    return `"${text.split(hiddenText).reduce((left, right) => `${left}${/^\w/.test(right) ? `\${${variable}}` : `$${variable}`}${right}`)}"`;
  }
  return text.split(hiddenText).map(part => (part === "" ? "" : shellWord(part))).join(`"$${variable}"`);
}

function urlWithVariables(url) {
  // A hidden value in a URL may be percent-encoded; its variable is named after its parameter.
  const words = url.split(/(<redacted>|%3Credacted%3E)/i);
  return words.map((word, index) => {
    if (index % 2 === 0) return word === "" ? "" : shellWord(word);
    const name = /[?&;]([^=&;?]+)=$/.exec(words[index - 1])?.[1] ?? "SECRET";
    return `"$${variableName(name)}"`;
  }).join("");
}

/** The option that takes the body from a file to be named: without it, the shell ends the command before curl runs. */
const unknownBody =
  '--data-binary @"${BODY:?the file with the body of the request, such as body.bin for @body.bin}"';

/** Returns a note about a body that isn't known completely; null if it is, or if there is none. */
function missingBody(entries, index, exchange, method) {
  const body = exchange?.sent ?? null;
  if (body) {
    if (body.isCut) return body.isEmpty ? "the body wasn't captured: set BODY" : "the body is cut: set BODY";
    return body.isBytes ? "the body isn't text: set BODY" : null;
  }
  const fields = exchange?.sentFields ?? "";
  const isSafe = /^(GET|HEAD|OPTIONS|TRACE)$/.test(method);
  const counted = [entries.attempts(index)[0]?.sent, entries.value("requestBytes", index)].filter(size => size != null);
  const size = fieldValue(fields, "content-length")
    ?? (exchange ? (isSafe ? null : counted[0]) : counted.length > 0 ? Math.max(...counted) : null);
  if (size !== null && Number(size) > 0) return "the body wasn't captured: set BODY";
  if (!/^(POST|PUT|PATCH)$/.test(method)) return null;
  const status = entries.value("status", index) ?? 0;
  const isEmpty = exchange
    ? fieldValue(fields, "transfer-encoding") === null
    : Number(size ?? 1) === 0 && status >= 200 && status < 300;
  return isEmpty ? null : "the body wasn't captured: set BODY";
}

function curlCommand(entries, index, content) {
  const url = entries.text("url", index);
  if (url === null || entries.value("kind", index) !== Kind.call) return null;
  const exchange = content?.exchanges.find(one => one.number === 1) ?? content?.exchanges[0];
  const method = entries.text("method", index) ?? "GET";
  const parts = ["curl"];
  const notes = [];
  const body = exchange?.sent ?? null;
  const missing = missingBody(entries, index, exchange, method);
  const hasBody = missing !== null || (body !== null && !body.isEmpty);
  if (method === "HEAD" && !hasBody) parts.push("-I");
  else if (method !== "GET" || hasBody) parts.push("-X " + shellWord(method));
  for (const [name, value] of fieldsOf(exchange?.sentFields ?? "")) {
    if (/^(content-length|transfer-encoding|host)$/i.test(name)) continue;
    parts.push("-H " + (value === "" ? shellWord(`${name};`) : wordWithVariables(`${name}: ${value}`, name)));
  }
  if (fieldValue(exchange?.sentFields ?? "", "accept-encoding")) parts.push("--compressed");
  if (missing !== null) {
    parts.push(unknownBody);
    notes.push(missing);
  } else if (hasBody) {
    parts.push("--data-raw " + shellWord(body.text));
    if (body.text.includes(hiddenText)) notes.push(`fill in ${hiddenText} in the body`);
  }
  if (!exchange) notes.push("headers and body weren't captured");
  if (/[{}[\]]/.test(url)) parts.push("--globoff");
  parts.push(urlWithVariables(url));
  return parts.join(" \\\n  ") + (notes.length ? ` # ${notes.join(", ")}` : "");
}
