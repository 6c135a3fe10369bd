"""Composes the calls that plant secrets: a request and a response for each place."""
import base64
import hashlib
import html
import json
from urllib.parse import quote, quote_plus
from xml.sax.saxutils import escape, quoteattr

ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789"
# Characters that are escaped in one form or another. They stand between two pieces of a planted value.
SPECIAL = "\"<&%\\+ '"
# The beginning of each planted piece and number, by which they are found in one pass.
MARK, DIGITS = "Qz7", "9173"
BODIES = ("json", "xml-element", "xml-attribute", "form", "multipart", "socket")
BOUNDARY = "made-up-boundary"
CONTROL = "ordinary"


def random_text(seed, count=18):
    """Returns letters and digits that depend only on the seed."""
    number = int.from_bytes(hashlib.sha512(seed.encode()).digest(), "big")
    text = ""
    while len(text) < count:
        number, index = divmod(number, len(ALPHABET))
        text += ALPHABET[index]
    return text


def random_digits(seed):
    """Returns the digits of a number that JSON can hold exactly."""
    return DIGITS + str(int.from_bytes(hashlib.sha256(seed.encode()).digest(), "big"))[:11]


class Planter:
    """Creates the values of names, each of which is planted only one time."""

    def __init__(self, seed, special):
        self.seed, self.special, self.pieces = seed, special, []

    def text(self):
        count = len(self.pieces)
        found = [MARK + random_text(f"{self.seed}/{count}/{half}", 15) for half in (0, 1)]
        self.pieces += found
        return (SPECIAL if self.special else "").join(found)

    def number(self):
        self.pieces.append(random_digits(f"{self.seed}/{len(self.pieces)}"))
        return int(self.pieces[-1])


class Fixed:
    """Plants the same value everywhere."""

    def __init__(self, value, found=()):
        self.value, self.pieces = value, list(found)

    def text(self):
        return self.value

    def number(self):
        return 7


def json_body(fields):
    content = {"user": "ann"}
    for name, planter in fields:
        content[name] = planter.text()
    content["items"] = [{"id": 1, name: [planter.text(), planter.number()]} for name, planter in fields]
    content["nested"] = {name: {"x": {"y": planter.text()}} for name, planter in fields}
    content["inner"] = json.dumps({name: planter.text() for name, planter in fields})
    return json.dumps(content)


def xml_body(fields):
    parts = ['<?xml version="1.0"?><a xmlns:n="urn:n"><user>ann</user>']
    for name, planter in fields:
        parts += [f"<{name}>{escape(planter.text())}</{name}><b><n:{name}>{escape(planter.text())}</n:{name}></b>"]
        parts += [f'<{name} x="1"><c>{escape(planter.text())}</c></{name}><{name}><![CDATA[{planter.text().replace("]]>", "]]]]><![CDATA[>")}]]></{name}>']
    return "".join(parts) + "</a>"


def xml_attributes(fields):
    elements = [f'<b user="ann" {name}={quoteattr(planter.text())} x="1">c</b><d n:{name}={quoteattr(planter.text())}/>'
                for name, planter in fields]
    return f'<?xml version="1.0"?><a xmlns:n="urn:n">{"".join(elements)}</a>'


def form_body(fields):
    items = ["user=ann"]
    for name, planter in fields:
        items += [f"{quote_plus(name)}={quote_plus(planter.text())}", f"user%5B{quote_plus(name)}%5D={quote(planter.text(), safe='')}"]
    return "&".join(items + ["x=1"])


def multipart_body(fields):
    lines = []
    for name, planter in fields:
        for disposition in (f'name="{name}"', f'name="{name}"; filename="a.txt"'):
            lines += [f"--{BOUNDARY}", f"Content-Disposition: form-data; {disposition}"]
            lines += ["Content-Type: text/plain", "", planter.text()]
    return "\r\n".join(lines + [f"--{BOUNDARY}--", ""])


def text_body(fields):
    return "".join(f"It is {planter.text()}, as requested.\n" for _, planter in fields)


def messages(fields):
    return [json.dumps({"event": "say", "payload": {"text": "ann", name: planter.text()}}) for name, planter in fields]


BODY = {
    "json": ("application/json", json_body), "xml-element": ("application/xml", xml_body),
    "xml-attribute": ("text/xml", xml_attributes), "form": ("application/x-www-form-urlencoded", form_body),
    "multipart": (f"multipart/form-data; boundary={BOUNDARY}", multipart_body),
    "text": ("text/plain; charset=utf-8", text_body),
}


# The ways in which a call ends.
REQUEST_ENDS = ["ok", "rejected", "lost"]
RESPONSE_ENDS = ["ok", "rejected", "undecodable"]


def empty_call(ends=REQUEST_ENDS):
    return {"ends": ends, "query": [], "headers": [], "contentType": None, "body": None, "credential": None, "sent": None, "received": None, "subprotocols": [],
            "reply": {"headers": [], "contentType": "application/json", "body": '{"user":"ann"}'}}


def compose(place, side, fields):
    """Returns a call with values under names in a place of its request or response."""
    call = empty_call(REQUEST_ENDS if side == "request" else RESPONSE_ENDS)
    reply = call["reply"]
    headers = (call if side == "request" else reply)["headers"]
    if place == "header":
        headers += [[name, planter.text()] for name, planter in fields]
    elif place == "query" and side == "request":
        call["query"] += [["user", "ann"]] + [[name, planter.text()] for name, planter in fields]
    elif place == "query":
        def link():
            return "/next?page=2" + "".join(f"&{quote(name, safe='')}={quote(planter.text(), safe='')}" for name, planter in fields)
        headers += [["Location", link()], ["Link", f"<{link()}>; rel=\"next\""]]
        reply["body"] = json.dumps({"next": "https://api.example.com" + link()})
    elif place == "cookie" and side == "request":
        headers.append(["Cookie", "; ".join(["theme=dark"] + [f"{name}={planter.text()}" for name, planter in fields])])
    elif place == "cookie":
        headers += [["Set-Cookie", f"{name}={planter.text()}; Path=/; HttpOnly"] for name, planter in fields]
    elif place == "socket":
        call["sent"], call["received"] = ['{"event":"begin"}'], ['{"event":"begun"}']
        call["sent" if side == "request" else "received"] += messages(fields)
    else:
        part = call if side == "request" else reply
        part["contentType"], compose_body = BODY[place]
        part["body"] = compose_body(fields)
    return call


# The ways in which a response repeats a credential.
QUOTES = {
    "quote-text": ("text/plain", lambda token: f"bad key {token} was refused"),
    "quote-json": ("application/json", lambda token: json.dumps({"message": f"bad key {token}"}).replace("/", "\\/")),
    "quote-percent": ("text/plain", lambda token: f"bad key {quote(token, safe='')} was refused"),
    "quote-html": ("text/html", lambda token: f"<html><body><p>bad key {html.escape(token)} was refused</p></body></html>"),
}


def credential_token(kind, seed):
    """Returns a token with characters that are escaped, as far as its place permits them, and its pieces."""
    found = [MARK + random_text(f"{seed}/{half}", 15) for half in (0, 1)]
    if kind == "subprotocol":
        between = "."
    elif kind in ("cookie", "jar"):
        between = "/+="
    elif kind in ("bearer", "aws"):
        between = "/+"
    else:
        between = "/+&<=%"
    return between.join(found), found


def credential_calls(place, grant):
    """Returns the calls with a credential for a place; none if the place doesn't apply to its kind."""
    kind, token = grant["kind"], grant["value"]
    on_socket = kind in ("header", "query", "cookie", "subprotocol", "bearer")
    if place == "credential":
        calls = [] if kind == "subprotocol" else [empty_call()]
        for subprotocols in [["chat"], []] if on_socket else []:
            calls.append(dict(empty_call(), sent=['{"event":"begin"}'], received=['{"event":"begun"}'], subprotocols=subprotocols))
        return calls
    # The server never receives the secret of the others.
    if kind in ("digest", "signature", "oauth", "proxy"):
        return []
    if place == "quote-socket":
        if not on_socket:
            return []
        quoting = [f"bad key {token}", json.dumps({"message": f"bad key {token}"})]
        return [dict(empty_call(), sent=["a", "b"], received=quoting, subprotocols=["chat"])]
    if kind == "subprotocol":
        return []
    if place == "quote-basic":
        if kind != "basic":
            return []
        pair = base64.b64encode(f"{grant['name']}:{token}".encode()).decode()
        texts = [("text/plain", f"bad key {pair} was refused"), ("application/json", json.dumps({"message": f"{grant['name']}:{token}"}))]
    else:
        content_type, quoted = QUOTES[place]
        texts = [(content_type, quoted(token))]
    calls = []
    for content_type, text in texts:
        call = empty_call(RESPONSE_ENDS)
        call["reply"].update(contentType=content_type, body=text)
        calls.append(call)
    return calls
