// Runs a filter over the entries: at once where the list is enough, in slices where bodies have to be read.

class Search {
  constructor(source) {
    this.source = source;
    this.turn = 0;
  }

  /** Ends a search that still runs. */
  stop() { this.turn += 1; }

  /** Calls `found` with those of the numbers whose entries match; several times if it takes long. False if it was stopped. */
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
    // Awaited only once for each part: a promise for each entry would take longer than the entry.
    if (this.loaded?.number !== part) this.loaded = { number: part, contentOf: await this.source.part(part) };
    return this.loaded.contentOf(index);
  }
}
