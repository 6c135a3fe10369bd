// The phases of calls as bars: one element for a row, whose background has a stripe for each phase.

/** The stripes of an entry: `[phase, from, to]` in microseconds since its beginning. */
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

/** A gradient of stripes on a scale from `from` to `to`; each is at least a little wide. */
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

/** The names of the phases beside their colours. */
function phaseLegend() {
  const items = [...phaseNames, "other"].map(phase =>
    make("li", {}, make("i", { className: `swatch ${phase}`, "aria-hidden": "true" }), phase));
  return make("ul", { className: "legend", "aria-label": "Phases" }, ...items);
}
