// The state of the page in the fragment of its URL, so that a link restores it.

class Link {
  static read() {
    const values = new URLSearchParams(location.hash.slice(1));
    const tab = Number(values.get("tab"));
    return {
      filter: values.get("filter") ?? "", call: values.get("call"), tab: tab >= 1 && tab <= 7 ? tab : 1, other: values.get("with"),
    };
  }

  /** Replaces the fragment, or adds a history entry if `isStep`, so that Back in the browser closes an opened call. */
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
