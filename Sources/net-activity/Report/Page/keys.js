// The keys of the page.

const keyHelp = [
  ["/", "go to the filter"], ["j k ↓ ↑", "next and previous entry"], ["Enter", "open the entry, or leave the filter for the list"],
  ["Esc", "close, or clear the filter"], ["1 – 7", "the tabs of an entry"], ["c", "copy the call as cURL"],
  ["x", "mark an entry; on another one: compare the two"], ["w", "waterfall by duration, or in time"],
  ["t", "light, dark or system theme"], ["?", "this help"],
];

function listenToKeys(page) {
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.target;
    if (target.id === "filter") {
      if (event.key === "Enter" || event.key === "ArrowDown") page.leaveFilter();
      else if (event.key === "Escape") page.escape();
      else return;
      event.preventDefault();
      return;
    }
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return;
    if (event.key === "Enter" && target.closest("button, summary, a")) return;
    const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -1e9, End: 1e9 }[event.key];
    const isInPanel = target.closest(".panel") && event.key.length > 1;
    if (step !== undefined && !isInPanel) page.move(step);
    else if (event.key === "Enter" && !isInPanel) page.openSelected();
    else if (event.key >= "1" && event.key <= "7" && event.key.length === 1) page.chooseTab(Number(event.key));
    else if (event.key === "Escape") page.escape();
    else if (event.key === "/") page.focusFilter();
    else if (event.key === "c") page.copyCurl();
    else if (event.key === "x") page.compare();
    else if (event.key === "w") page.toggleTime();
    else if (event.key === "t") page.nextTheme();
    else if (event.key === "?") page.toggleHelp();
    else return;
    event.preventDefault();
  });
}
