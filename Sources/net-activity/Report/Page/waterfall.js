// The phases of calls as bars: one element per row, whose background has a stripe for each phase.

/** Returns the stripes of an entry: `[phase, from, to]` in microseconds since its start. */
function stripesOf(entries, index) {
  const duration = entries.value("duration", index) ?? 0;
  const stripes = [];
  for (const attempt of entries.attempts(index)) {
    let place = attempt.start ?? 0;
    const end = place + (attempt.duration ?? 0);
    let isMeasured = false;
    phaseNames.forEach((phase, number) => {
      const length = attempt.phases[number];
      if (!length) return;
      isMeasured = true;
      stripes.push([phase, place, place + length]);
      place += length;
    });
    if (!isMeasured && attempt.duration) stripes.push(["other", place, end]);
  }
  if (stripes.length === 0 && duration > 0) stripes.push(["other", 0, duration]);
  return stripes;
}

/** Returns a gradient of stripes on a scale from `from` to `to`; each stripe is at least 0.6 % wide. */
function gradient(stripes, from, to) {
  const scale = 100 / Math.max(1, to - from);
  const parts = [];
  let place = 0;
  for (const [phase, start, end] of stripes) {
    const left = Math.min(100, Math.max(place, (start - from) * scale));
    const right = Math.min(100, Math.max(left + 0.6, (end - from) * scale));
    if (left >= 100) break;
    if (left > place) parts.push(`transparent ${place.toFixed(2)}% ${left.toFixed(2)}%`);
    parts.push(`var(--${phase}) ${left.toFixed(2)}% ${right.toFixed(2)}%`);
    place = right;
  }
  parts.push(`transparent ${place.toFixed(2)}% 100%`);
  return `linear-gradient(to right, ${parts.join(", ")})`;
}

/** The names of the phases beside their colors. */
function phaseLegend() {
  const items = [...phaseNames, "other"].map(phase =>
    make("li", {}, make("i", { className: `swatch ${phase}`, "aria-hidden": "true" }), phase));
  return make("ul", { className: "legend", "aria-label": "Phases" }, ...items);
}
