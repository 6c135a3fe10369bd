// A JSON document as a tree whose nodes are created when they are opened, so that a large document costs little.

const shownMembers = 100;
const shownCharacters = 2000;

class Tree {
  constructor(node) {
    // The first nodes are open, as long as all their rows fit into this number.
    this.openRows = 60;
    this.element = make("div", { className: "tree" }, this.row(null, node, true));
  }

  row(name, node, isOpen = false) {
    const label = name === null ? [] : [make("span", { className: "name" }, line(name, 200)), ": "];
    if (node.type === "string") return make("div", { className: "leaf" }, ...label, this.string(node.value));
    if (node.type === "literal") {
      return make("div", { className: "leaf" }, ...label, make("span", { className: "literal" }, node.value.slice(0, 400)));
    }
    const noun = node.type === "object" ? "member" : "item";
    const [open, close] = node.type === "object" ? ["{", "}"] : ["[", "]"];
    if (node.members.length === 0) return make("div", { className: "leaf" }, ...label, open + close);
    const summary = make("summary", {}, ...label, open, make("span", { className: "hint" }, ` ${counted(node.members.length, noun)} `), close);
    const details = make("details", {}, summary);
    const fill = () => {
      if (details.childElementCount === 1) details.append(this.members(node.members, 0));
    };
    details.addEventListener("toggle", fill);
    if (isOpen || node.members.length <= this.openRows) {
      this.openRows -= Math.min(node.members.length, shownMembers);
      details.open = true;
      fill();
    }
    return details;
  }

  members(members, start) {
    const rows = make("div", { className: "members" });
    members.slice(start, start + shownMembers).forEach(([name, member], index) => {
      rows.append(this.row(name === null ? String(start + index) : name, member));
    });
    const rest = members.length - start - shownMembers;
    if (rest > 0) {
      const more = make("button", { className: "link", type: "button" }, `${count(rest)} more`);
      more.addEventListener("click", () => more.replaceWith(this.members(members, start + shownMembers)));
      rows.append(more);
    }
    return rows;
  }

  string(value) {
    return make("span", { className: "string" }, '"', longText(value, shownCharacters), '"');
  }
}
