// The data of the page: gzip streams in base64, inflated when they are needed.

const printable = Uint8Array.from({ length: 128 });
Array.from({ length: 94 }, (_, index) => index + 0x21).filter(code => ![0x26, 0x3c, 0x3e].includes(code))
  .forEach((code, value) => { printable[code] = value; });

/** That many bytes of text that has 13 bits in two printable characters, the lowest first. */
function fromPrintable(text, count) {
  const bytes = new Uint8Array(count);
  let [bits, size, place] = [0, 0, 0];
  for (let index = 0; index + 1 < text.length; index += 2) {
    bits |= (printable[text.charCodeAt(index)] * 91 + printable[text.charCodeAt(index + 1)]) << size;
    for (size += 13; size >= 8 && place < count; size -= 8) {
      bytes[place] = bits;
      place += 1;
      bits >>>= 8;
    }
  }
  return bytes;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** What was captured of the entries of a part, by their numbers: a line of JSON, then the bytes of the bodies. */
function contentsOf(bytes) {
  const end = bytes.indexOf(10);
  const contents = JSON.parse(decoder.decode(bytes.subarray(0, end)));
  const data = bytes.subarray(end + 1);
  return number => (contents[number] ? new CapturedContent(contents[number], data) : null);
}

/** The report that stands in the file itself: a list, and parts with what was captured of the entries. */
class EmbeddedSource {
  constructor() {
    this.parts = new Map();
  }

  async inflated(id) {
    const element = document.getElementById(id);
    const bytes = fromPrintable(element.textContent, Number(element.dataset.size));
    element.remove();
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  async list() {
    const bytes = await this.inflated("list");
    await pause();
    return JSON.parse(decoder.decode(bytes));
  }

  /** What was captured of the entries of one part: a function of their number. Null for one without anything. */
  part(number) {
    let part = this.parts.get(number);
    if (!part) {
      part = this.inflated(`part-${number}`).then(contentsOf);
      this.parts.set(number, part);
    }
    return part;
  }
}
