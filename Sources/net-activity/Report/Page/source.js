// The data of the page: gzip streams, encoded as printable characters and inflated when they are needed.

const printable = Uint8Array.from({ length: 128 });
Array.from({ length: 94 }, (_, index) => index + 0x21).filter(code => ![0x26, 0x3c, 0x3e].includes(code))
  .forEach((code, value) => { printable[code] = value; });

/** Decodes `count` bytes from text that has 13 bits in every two printable characters, the lowest bits first. */
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

/** Reads a part (a line of JSON, then the bytes of the bodies); returns a function from an entry's number to its content. */
function contentsOf(bytes) {
  const end = bytes.indexOf(10);
  const contents = JSON.parse(decoder.decode(bytes.subarray(0, end)));
  const data = bytes.subarray(end + 1);
  return number => (contents[number] ? new CapturedContent(contents[number], data) : null);
}

/** The data of a report, which is part of the page: a list, and parts with the captured content of the entries. */
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

  /** Returns a function from the number of an entry of a part to its captured content; null if there is none. */
  part(number) {
    let part = this.parts.get(number);
    if (!part) {
      part = this.inflated(`part-${number}`).then(contentsOf);
      this.parts.set(number, part);
    }
    return part;
  }
}
