"""Plants secrets in calls and looks for them in every output. The last line is `passed N of M`.

usage: check.py DATA CONFORMANCE_SECRETS NET_ACTIVITY WORK [RESULTS]

DATA is the folder of the data, and WORK one for files. A case is a secret in a place and an output: `json/access_tokens/store`.
"""
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import outputs
from data import Data, stop
from plan import Plan

# The outputs that the calls of any place lead to; a missing one would prove nothing.
ALWAYS = {
    "activity", "captured", "request", "response", "test-server", "curl", "har", "store", "store-har", "store-slice", "store-proof",
    "otlp", "metrics", "cassette", "cassette-har", "cassette-again", "contract", "report", "report-har", "report-cassette",
    "list", "log-minimal", "log-standard", "log-verbose", "log-inner", "outbox",
}
# The outputs in which an ordinary word must be visible: those that show every place.
SHOWING = {"captured", "store", "cassette"}
IN_BODY = {"json", "xml-element", "xml-attribute", "form", "multipart", "text"}


def is_expected(secret, output):
    """True if documents say that the output has the secret in clear, or if it can't know the secret."""
    if output == "outbox":
        # It keeps what it has to send: bodies, and values in queries and headers whose names hide nothing.
        return secret.place in IN_BODY or secret.kind == "value"
    if secret.kind != "credential":
        return False
    # A server recognizes credentials only by their names. A message that is printed belongs to no handshake.
    is_server = output == "test-server" or output.startswith("server-")
    return is_server and not secret.is_known or secret.place == "quote-socket" and output in ("response", "test-server")


class Cases:
    """The verdicts."""

    def __init__(self):
        self.rows = []

    def add(self, name, problem):
        self.rows.append({"id": name, "passed": problem is None, "detail": problem or ""})
        if problem:
            print(f"FAIL {name}: {problem}", flush=True)

    def finish(self, file):
        passed = sum(row["passed"] for row in self.rows)
        if file:
            Path(file).write_text(json.dumps({"passed": passed, "total": len(self.rows), "cases": self.rows}, indent=1))
        print(f"passed {passed} of {len(self.rows)}")
        return 0 if self.rows and passed == len(self.rows) else 1


def check_secrets(cases, place, plan, found, wire):
    for secret in plan.secrets:
        if secret.place != place:
            continue
        if not all(wire.has(piece) for piece in secret.sent):
            cases.add(f"{secret.id}/wire", "wasn't sent, so that the case proves nothing")
        for name, output in found.items():
            if is_expected(secret, name):
                continue
            seen = next((piece for piece in secret.pieces if output.has(piece)), None)
            cases.add(f"{secret.id}/{name}", output.context(seen) if seen else None)


def check_shown(cases, place, plan, found):
    control = plan.controls.get(place)
    if control and place != "cookie":
        missing = sorted(name for name in SHOWING if not found[name].has(control))
        cases.add(f"shown/{place}/an ordinary word", f"hidden in {', '.join(missing)}" if missing else None)
    for shown in plan.shown:
        if shown.place == place:
            hidden = sorted(name for name, output in found.items() if output.has(shown.control) and not output.shows(shown.text))
            cases.add(f"shown/{place}/{shown.name}", f"hidden in {', '.join(hidden)}" if hidden else None)


def main():
    data, program, activity, work = (Path(argument) for argument in sys.argv[1:5])
    plan = Plan(Data(data))
    file = work / "plan.json"
    file.write_text(json.dumps(plan.json()))
    with open(work / "program.log", "wb") as log:
        if subprocess.run([program, file, work / "runs", work / "wire"], stdout=log, stderr=log).returncode:
            print((work / "program.log").read_text()[-2000:], file=sys.stderr)
            print("secrets: the program failed", file=sys.stderr)
            return 1
        folders = [work / "runs" / run["place"] for run in plan.runs]
        with ThreadPoolExecutor(2) as pool:
            problems = list(pool.map(lambda folder: outputs.write_reports(folder, activity, log), folders))
    cases = Cases()
    for folder, problem in zip(folders, problems):
        found = outputs.read(folder)
        missing = sorted(ALWAYS - set(found))
        if problem or missing:
            cases.add(f"{folder.name}/outputs", problem or f"nothing in {', '.join(missing)}")
        check_secrets(cases, folder.name, plan, found, outputs.Output(work / "wire" / folder.name))
        check_shown(cases, folder.name, plan, found)
    problems = json.loads((work / "runs/matches.json").read_text())
    for match in plan.matches:
        problem = problems.get(match["id"])
        cases.add(f"replay/{match['id'].removeprefix('replay-')}/match", problem and " ".join(problem.split())[:300])
    return cases.finish(sys.argv[5] if len(sys.argv) > 5 else "")


if len(sys.argv) < 5:
    stop("usage: check.py DATA CONFORMANCE_SECRETS NET_ACTIVITY WORK [RESULTS]")
sys.exit(main())
