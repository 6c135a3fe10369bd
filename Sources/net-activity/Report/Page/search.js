// Runs a filter over the entries: in one piece if the list is enough, in slices if bodies have to be read.

class Search {
  constructor(source) {
    this.source = source;
    this.turn = 0;
  }

  /** Stops a search that is still running. */
  stop() { this.turn += 1; }

  /** Calls `found` with the numbers of matching entries, several times if the search takes long. Returns false if stopped. */
  async run(entries, filter, numbers, found) {
    this.turn += 1;
    const turn = this.turn;
    const matches = filter.compile(entries);
    if (!filter.needsContent) {
      found(numbers.filter(index => matches(index, null)), 1);
      return true;
    }
    const part = entries.column("part");
    this.loaded = null;
    let indices = [];
    let since = performance.now();
    for (const [place, index] of numbers.entries()) {
      const content = part(index) === null ? null : await this.content(part(index), index);
      if (turn !== this.turn) return false;
      if (matches(index, content)) indices.push(index);
      if (performance.now() - since < 12) continue;
      found(indices, place / numbers.length);
      indices = [];
      await pause();
      if (turn !== this.turn) return false;
      since = performance.now();
    }
    found(indices, 1);
    return true;
  }

  async content(part, index) {
    // Awaits each part only once: a promise for each entry would take longer than searching the entry.
    if (this.loaded?.number !== part) this.loaded = { number: part, contentOf: await this.source.part(part) };
    return this.loaded.contentOf(index);
  }
}
