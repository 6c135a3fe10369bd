// Runs a filter over the entries: at once where the list is enough, in slices where bodies have to be read.

class Search {
  constructor(source) {
    this.source = source;
    this.turn = 0;
  }

  /** Ends a search that still runs. */
  stop() { this.turn += 1; }

  /** Calls `found` with numbers of entries, in order; several times if it takes long. False if it was stopped. */
  async run(entries, filter, found) {
    this.turn += 1;
    const turn = this.turn;
    const matches = filter.compile(entries);
    const hidden = entries.column("hidden");
    if (!filter.needsContent) {
      const indices = [];
      for (let index = 0; index < entries.count; index += 1) if (hidden(index) !== 1 && matches(index, null)) indices.push(index);
      found(indices, 1);
      return true;
    }
    const part = entries.column("part");
    let indices = [];
    let since = performance.now();
    for (let index = 0; index < entries.count; index += 1) {
      if (hidden(index) === 1) continue;
      const content = part(index) === null ? null : await this.content(part(index), index);
      if (turn !== this.turn) return false;
      if (matches(index, content)) indices.push(index);
      if (performance.now() - since < 12) continue;
      found(indices, index / entries.count);
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
