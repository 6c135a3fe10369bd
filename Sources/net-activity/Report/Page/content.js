// The captured content of an entry: headers and bodies of its attempts, messages of a WebSocket.

class CapturedBody {
  /** `[kind, place, length, size, isCut]`; kind 1 means bytes that aren't text. */
  constructor([kind, place, length, size, isCut], data) {
    this.isBytes = kind === 1;
    this.bytes = data.subarray(place, place + length);
    this.size = size;
    this.isCut = isCut === 1;
  }

  get isEmpty() { return this.bytes.length === 0; }

  /** The text; for bytes, one character per byte. */
  get text() {
    if (!this.isBytes) return decoder.decode(this.bytes);
    let text = "";
    for (let start = 0; start < this.bytes.length; start += 8192) {
      text += String.fromCharCode(...this.bytes.subarray(start, start + 8192));
    }
    return text;
  }
}

class CapturedContent {
  constructor({ exchanges = [], messages = [] }, data) {
    const body = reference => (reference ? new CapturedBody(reference, data) : null);
    this.exchanges = exchanges.map(([number, status, sentFields, sent, receivedFields, received, trailers]) => ({
      number, status, sentFields: sentFields ?? "", sent: body(sent),
      receivedFields: receivedFields ?? "", received: body(received), trailers: trailers ?? "",
    }));
    this.messages = messages.map(([number, at, isSent, kind, size, reference]) => ({
      number, at, isSent: isSent === 1, kind, size, body: body(reference),
    }));
  }

  headers(side) {
    const blocks = this.exchanges.flatMap(one =>
      side === "request" ? [one.sentFields] : [one.receivedFields, one.trailers]);
    return blocks.filter(block => block !== "").join("\n");
  }

  bodies(side) {
    const bodies = this.exchanges.map(one => (side === "request" ? one.sent : one.received));
    const messages = this.messages.filter(message => message.isSent === (side === "request"));
    return [...bodies, ...messages.map(message => message.body)].filter(body => body !== null);
  }
}

/** Parses lines of the form `name: value`. */
function fieldsOf(lines) {
  return lines.split("\n").filter(line => line !== "").map(line => {
    const colon = line.indexOf(":");
    return colon < 0 ? [line, ""] : [line.slice(0, colon), line.slice(colon + 1).trimStart()];
  });
}

function fieldValue(lines, name) {
  return fieldsOf(lines).find(([other]) => other.toLowerCase() === name)?.[1] ?? null;
}
