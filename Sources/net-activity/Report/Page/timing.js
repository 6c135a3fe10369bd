// The attempts of a call: their phases, the reason for each further attempt, and the decision of the cache before them.

function timingView(entries, index) {
  const attempts = entries.attempts(index);
  const duration = Math.max(1, entries.value("duration", index) ?? 1);
  const element = make("div", { className: "timing" });
  const start = entries.value("start", index);
  element.append(make("p", { className: "hint" }, `Began ${moment(start)} UTC, took ${shortDuration(entries.value("duration", index)) || "–"}.`));
  const cache = entries.text("cache", index);
  if (cache !== null) {
    element.append(make("p", {}, make("strong", {}, "Cache: "), `${cache} – ${line(entries.text("cacheReason", index) ?? "no reason was noted")}`));
  }
  if (attempts.length === 0) return element;
  element.append(phaseLegend());
  const rows = [];
  attempts.forEach((attempt, place) => {
    const result = attempt.error ?? (attempt.status === null ? "no response" : String(attempt.status));
    const bar = make("div", { className: "bar wide", role: "img", "aria-label": phaseText(attempt) });
    bar.style.background = gradient(stripesOfAttempt(attempt), 0, duration);
    const connection = [
      attempt.version ? `HTTP/${attempt.version}` : null,
      attempt.reused === null ? null : attempt.reused ? "open connection" : "new connection", attempt.remote,
    ];
    const previous = attempts[place - 1];
    if (previous) {
      rows.push(make("tr", { className: "reason" }, make("td", { colSpan: 4 }, `→ ${whyAnother(previous, attempt)}`)));
    }
    rows.push(make("tr", { className: "attempt" },
      make("th", { scope: "row" }, String(attempt.number)),
      make("td", {}, line(result, 60)),
      make("td", {}, `${shortDuration(attempt.start) || "–"} + ${shortDuration(attempt.duration) || "–"}`),
      make("td", {}, connection.filter(part => part).map(part => line(part, 80)).join(", "))));
    rows.push(make("tr", {}, make("td", { colSpan: 4 }, bar, phaseTable(attempt),
      attempt.url !== null && attempt.url !== entries.text("url", index)
        ? make("div", { className: "hint breaks" }, `${attempt.method ?? ""} ${line(attempt.url, 2000)}`) : null,
      attempt.message ? make("div", { className: "breaks" }, `${attempt.error} while ${attempt.phase}: ${visible(attempt.message)}`) : null,
      attempt.trace ? make("div", { className: "hint breaks" }, `traceparent ${attempt.trace}`) : null)));
  });
  element.append(make("table", { className: "attempts" },
    make("thead", {}, make("tr", {}, ...["#", "Result", "Start + duration", "Connection"].map(name => make("th", { scope: "col" }, name)))),
    make("tbody", {}, ...rows)));
  return element;
}

function stripesOfAttempt(attempt) {
  let place = attempt.start ?? 0;
  const stripes = [];
  attempt.phases.forEach((length, number) => {
    if (!length) return;
    stripes.push([phaseNames[number], place, place + length]);
    place += length;
  });
  return stripes.length > 0 ? stripes : [["other", place, place + (attempt.duration ?? 0)]];
}

function whyAnother(previous, attempt) {
  if (previous.retryReason !== null) {
    const pause = previous.retryDelay ? ` after ${shortDuration(previous.retryDelay)}` : "";
    return `Retried${pause}: ${line(previous.retryReason)}`;
  }
  if (previous.status >= 300 && previous.status < 400) return `Redirected (${previous.status}) to ${line(attempt.url ?? "another place", 2000)}`;
  if (previous.status === 401 || previous.status === 407) return `Sent again with new credentials (${previous.status})`;
  return "Another attempt; no reason was noted";
}

function phaseText(attempt) {
  return phaseNames.map((phase, number) => [phase, attempt.phases[number]]).filter(([, value]) => value !== null)
    .map(([phase, value]) => `${phase} ${shortDuration(value)}`).join(", ") || "phases weren't measured";
}

function phaseTable(attempt) {
  const cells = phaseNames.map((phase, number) => [phase, attempt.phases[number]]).filter(([, value]) => value !== null);
  if (cells.length === 0) return null;
  return make("dl", { className: "phases" }, ...cells.map(([phase, value]) =>
    make("div", {}, make("dt", {}, make("i", { className: `swatch ${phase}`, "aria-hidden": "true" }), phase), make("dd", {}, shortDuration(value)))));
}
