// Two calls side by side: differences come first, marked with a sign.

async function comparison(entries, left, right, contentOf) {
  const [leftContent, rightContent] = [await contentOf(left), await contentOf(right)];
  const element = make("div", { className: "compare" });
  element.append(differenceTable("Call", factsOf(entries, left), factsOf(entries, right)));
  const side = content => content?.exchanges.at(-1);
  const parts = [
    ["Request headers", "sentFields"], ["Response headers", "receivedFields"],
  ];
  for (const [title, name] of parts) {
    const [one, two] = [fieldsOf(side(leftContent)?.[name] ?? ""), fieldsOf(side(rightContent)?.[name] ?? "")];
    if (one.length + two.length > 0) element.append(differenceTable(title, one, two));
  }
  for (const [title, name] of [["Request body", "sent"], ["Response body", "received"]]) {
    const [one, two] = [side(leftContent)?.[name], side(rightContent)?.[name]];
    if (one || two) element.append(make("h3", {}, title), lineDifference(readable(one), readable(two)));
  }
  return element;
}

function factsOf(entries, index) {
  const attempts = entries.attempts(index);
  const last = attempts.at(-1);
  const facts = [
    ["Method", entries.text("method", index)], ["URL", entries.text("url", index)],
    ["Operation", entries.text("operation", index)], ["Result", `${entries.ending(index)} ${entries.value("status", index) ?? ""}`],
    ["Error", entries.text("error", index)], ["Took", shortDuration(entries.value("duration", index))],
    ["Attempts", String(entries.value("attempts", index) ?? 0)], ["Cache", entries.text("cache", index)],
    ["Sent", shortSize(entries.value("requestBytes", index))], ["Received", shortSize(entries.value("responseBytes", index))],
    ["Version", entries.text("version", index)], ["Peer", entries.text("remote", index)],
  ];
  phaseNames.forEach((phase, number) => facts.push([phase, shortDuration(last?.phases[number])]));
  return facts.filter(([, value]) => value).map(([name, value]) => [name, String(value)]);
}

/** Returns a table of names with both values, differences first. Several values of one name are joined. */
function differenceTable(title, left, right) {
  const joined = fields => {
    const values = new Map();
    for (const [name, value] of fields) {
      const key = name.toLowerCase();
      values.set(key, { name, value: values.has(key) ? `${values.get(key).value}\n${value}` : value });
    }
    return values;
  };
  const [one, two] = [joined(left), joined(right)];
  const rows = [...new Set([...one.keys(), ...two.keys()])].map(key => {
    const [a, b] = [one.get(key)?.value ?? null, two.get(key)?.value ?? null];
    return { name: (one.get(key) ?? two.get(key)).name, a, b, differs: a !== b };
  });
  rows.sort((left, right) => Number(right.differs) - Number(left.differs));
  return make("table", { className: "difference" },
    make("caption", {}, title),
    make("tbody", {}, ...rows.map(({ name, a, b, differs }) => make("tr", { className: differs ? "differs" : "" },
      make("th", { scope: "row" }, `${differs ? "≠ " : "= "}${line(name, 100)}`),
      make("td", {}, a === null ? "–" : visible(a.slice(0, 2000))), make("td", {}, b === null ? "–" : visible(b.slice(0, 2000)))))));
}

function readable(body) {
  if (!body) return "";
  if (body.isBytes) return `(${shortSize(body.bytes.length)} of binary data)`;
  const tree = JSONText.tree(body.text);
  return tree ? JSONText.pretty(tree) : body.text;
}

/** Returns common lines, lines of only the left text (−) or the right one (+), by their longest common subsequence. */
function lineDifference(left, right) {
  if (left === right) return make("p", { className: "hint" }, "The same.");
  const limit = 1500;
  const [one, two] = [left.split("\n").slice(0, limit), right.split("\n").slice(0, limit)];
  const width = two.length + 1;
  const lengths = new Uint16Array((one.length + 1) * width);
  for (let i = one.length - 1; i >= 0; i -= 1) {
    for (let j = two.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = one[i] === two[j]
        ? lengths[(i + 1) * width + j + 1] + 1 : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
    }
  }
  const rows = [];
  let [i, j] = [0, 0];
  while (i < one.length || j < two.length) {
    if (i < one.length && j < two.length && one[i] === two[j]) {
      rows.push([" ", one[i++]]);
      j += 1;
    } else if (j >= two.length || (i < one.length && lengths[(i + 1) * width + j] >= lengths[i * width + j + 1])) rows.push(["−", one[i++]]);
    else rows.push(["+", two[j++]]);
  }
  // Shows only three common lines around each difference.
  const isNear = rows.map((_, place) => rows.slice(Math.max(0, place - 3), place + 4).some(([sign]) => sign !== " "));
  const pre = make("pre", { className: "lines", tabIndex: 0 });
  let isGap = false;
  rows.forEach(([sign, text], place) => {
    if (!isNear[place]) {
      if (!isGap) pre.append(make("span", { className: "hint" }, "  …\n"));
      isGap = true;
      return;
    }
    isGap = false;
    const className = sign === "+" ? "added" : sign === "−" ? "removed" : "same";
    pre.append(make("span", { className }, `${sign} ${line(text, 1000)}\n`));
  });
  return pre;
}
