// The messages of a WebSocket, in order.

const messageKinds = ["", "text", "binary", "ping", "pong", "close"];
const messagesAtOnce = 100;

function messagesView(messages) {
  const element = make("div", { className: "messages" });
  const add = start => {
    for (const message of messages.slice(start, start + messagesAtOnce)) element.append(messageRow(message));
    const rest = messages.length - start - messagesAtOnce;
    if (rest <= 0) return;
    const more = make("button", { className: "link", type: "button" }, `${count(rest)} more`);
    more.addEventListener("click", () => {
      more.remove();
      add(start + messagesAtOnce);
    });
    element.append(more);
  };
  if (messages.length === 0) element.append(make("p", { className: "hint" }, "No messages were captured."));
  else add(0);
  return element;
}

function messageRow({ number, at, isSent, kind, size, body }) {
  const text = body === null || body.isBytes ? "" : body.text;
  const summary = make("summary", { className: isSent ? "sent" : "received" },
    make("span", { className: "hint" }, `${number} ${clock(at)} `),
    make("strong", {}, isSent ? "→ sent " : "← received "),
    kind === 1 ? null : `${messageKinds[kind]} `, make("span", { className: "hint" }, `${shortSize(size)} `),
    make("code", {}, line(text, 160)));
  const details = make("details", {}, summary);
  details.addEventListener("toggle", () => {
    if (body !== null && details.childElementCount === 1) details.append(new BodyView(body, null).element);
  });
  return details;
}
