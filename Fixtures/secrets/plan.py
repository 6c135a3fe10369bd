"""Plans all calls: a run for each place, and the texts to search for in its outputs."""
from data import NAME_PLACES, VALUE_PLACES, folded, pieces
from places import BODIES, CONTROL, QUOTES, Fixed, Planter, compose, credential_calls, credential_token, random_text

CREDENTIAL_PLACES = ("credential", *QUOTES, "quote-basic", "quote-socket")
# A name that hides nothing.
NEUTRAL = {"header": "X-Note", "cookie": "note"}


class Secret:
    """The pieces of an entry that must not be found in any output of a place."""

    def __init__(self, place, name, kind, is_known=True):
        self.place, self.name, self.kind = place, name, kind
        # False for a credential that only the client can recognize.
        self.is_known = is_known
        # The pieces of requests and responses, and those of requests, which must have arrived at the server.
        self.pieces, self.sent = [], []

    @property
    def id(self):
        return f"{self.place}/{self.name}"


class Shown:
    """A text that must be found wherever an ordinary word in the same place is found."""

    def __init__(self, place, name, text, control):
        self.place, self.name, self.text, self.control = place, name, text, control


class Plan:
    """The runs for the program, and the texts to search for."""

    def __init__(self, data):
        self.secrets, self.shown, self.runs, self.controls = [], [], [], {}
        self.number = 0
        for place in VALUE_PLACES:
            self.plan_place(place, data)
        for place in CREDENTIAL_PLACES:
            self.plan_credentials(place, data)
        self.matches = [
            {"id": f"replay-{kind}-{name.strip('.')}",
             "recorded": {"kind": kind, "name": name, "value": random_text("recorded" + kind)},
             "replayed": {"kind": kind, "name": name, "value": random_text("replayed" + kind)}}
            for kind, name in [("header", "X-Whatever"), ("query", "api_key"), ("query", "whatever"), ("cookie", "whatever"),
                               ("bearer", "token"), ("basic", "ann"), ("subprotocol", "bearer.")]]

    def json(self):
        return {"runs": self.runs, "matches": self.matches}

    def numbered(self, call):
        self.number += 1
        return dict(call, number=self.number)

    def plan_place(self, place, data):
        names = [name for name in sorted(data.names) if place in data.names[name]] if place in NAME_PLACES else []
        calls = []
        # Several names in a call, whose values differ, as long as bodies stay small enough for logs.
        for start in range(0, len(names), 5):
            secrets = {name: Secret(place, name, "name") for name in names[start:start + 5]}
            for side in ("request", "response"):
                fields = [(name, Planter(f"{place}/{name}/{side}", place in BODIES or place == "query")) for name in secrets]
                calls.append(compose(place, side, fields))
                for name, planter in fields:
                    secrets[name].pieces += planter.pieces
                    if side == "request":
                        secrets[name].sent += planter.pieces
            self.secrets += secrets.values()
        neutral = NEUTRAL.get(place, "note")
        for kind, entry in data.values.items():
            if place in entry["as"]:
                secret = Secret(place, kind, "value")
                secret.pieces = secret.sent = entry["secret"]
                calls += [compose(place, side, [(neutral, Fixed(entry["value"]))]) for side in ("request", "response")]
                self.secrets.append(secret)
        calls += self.plan_shown(place, data, neutral)
        if calls:
            self.runs.append({"place": place, "calls": [self.numbered(call) for call in calls]})

    def plan_shown(self, place, data, neutral):
        """Returns calls with texts that must stay visible, beside an ordinary word on both sides."""
        control = CONTROL + random_text(place, 4).lower()
        self.controls[place] = control
        fields = [(neutral, control)]
        for kind, (text, places) in data.shown.items():
            if place in places:
                fields.append((neutral, text))
                self.shown.append(Shown(place, kind, text, control))
        for name, places in data.shown_names.items():
            if place in places:
                fields.append((name, CONTROL + random_text(place + name, 8).lower()))
                self.shown.append(Shown(place, name, fields[-1][1], control))
        return [compose(place, side, [(name, Fixed(text))]) for name, text in fields for side in ("request", "response")]

    def plan_credentials(self, place, data):
        calls = []
        names = {folded(name) for name in data.names}
        for grant in data.credentials:
            value, found = grant["value"], None
            if value is None:
                value, found = credential_token(grant["kind"], f"{place}/{grant['slug']}")
            # The same token in each way of quoting it would be hidden in one output because of another.
            made = credential_calls(place, dict(grant, value=value))
            if made:
                is_known = folded(grant["name"]) in names or grant["kind"] not in ("header", "query", "subprotocol")
                secret = Secret(place, grant["slug"], "credential", is_known)
                secret.pieces = found or pieces(value)
                if grant["kind"] not in ("digest", "signature"):
                    secret.sent = secret.pieces
                self.secrets.append(secret)
            sent = {"kind": grant["kind"], "name": grant["name"], "value": value}
            calls += [dict(call, credential=sent) for call in made]
        if calls:
            self.runs.append({"place": place, "calls": [self.numbered(call) for call in calls]})
