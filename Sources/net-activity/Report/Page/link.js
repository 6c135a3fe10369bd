// The state of the page as the fragment of its address: a link shows the same again.

class Link {
  static read() {
    const values = new URLSearchParams(location.hash.slice(1));
    const tab = Number(values.get("tab"));
    return {
      filter: values.get("filter") ?? "", call: values.get("call"), tab: tab >= 1 && tab <= 7 ? tab : 1, other: values.get("with"),
    };
  }

  /** Replaces the fragment, or adds it to the history: a call that was opened is left with the browser's way back. */
  static write({ filter, call, tab, other }, isStep) {
    const values = new URLSearchParams();
    if (filter) values.set("filter", filter);
    if (call) values.set("call", call);
    if (call && tab > 1) values.set("tab", String(tab));
    if (call && other) values.set("with", other);
    const hash = values.size > 0 ? `#${values}` : "#";
    if (hash === (location.hash || "#")) return;
    history[isStep ? "pushState" : "replaceState"](null, "", hash);
  }
}
