"""Reads a HAR file with other programs, and prints a line of JSON for each call and each program.

usage: read_har.py HAR CALLS SCHEMAS MITMDUMP

CALLS is a file with the calls that must be in the HAR, in their order: [{"name", "method", "url", "status"}]. SCHEMAS is the
folder of the HAR schemas, MITMDUMP the program; either may be empty. A missing program gets a line with "skipped".
"""
import json
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

warnings.simplefilter("ignore")
INSTALL = "install it with scripts/bootstrap --tests"


def tell(check, name, passed, detail=""):
    print(json.dumps({"check": check, "case": name, "passed": passed, "detail": detail}), flush=True)


def skip(check, reason):
    print(json.dumps({"check": check, "skipped": reason}), flush=True)


def validator(folder):
    import jsonschema
    store = {path.name: json.loads(path.read_text()) for path in Path(folder).glob("*.json")}
    store.update({schema["$id"]: schema for schema in list(store.values()) if "$id" in schema})
    return lambda name: jsonschema.Draft7Validator(
        store[name], resolver=jsonschema.RefResolver(name, store[name], store=store),
        # The formats distinguish IPv4 and IPv6 addresses: an address is exactly one of them.
        format_checker=jsonschema.FormatChecker(["ipv4", "ipv6"]))


def check_schema(har, calls, folder):
    if not (folder and (Path(folder) / "har.json").is_file()):
        return skip("schema", "the HAR schemas are absent (NET_DATA)")
    try:
        make = validator(folder)
    except ImportError:
        return skip("schema", f"python3-jsonschema is not installed; {INSTALL}")
    entry = make("entry.json")
    for call, found in zip(calls, har["log"]["entries"]):
        problems = [f"{list(p.absolute_path)} {p.message}" for p in entry.iter_errors(found)]
        tell("schema", call["name"], not problems, "; ".join(problems))
    log = dict(har["log"], entries=har["log"]["entries"][:1])
    problems = [p.message for p in make("har.json").iter_errors({"log": log})]
    # A validator that accepts anything proves nothing.
    broken = {key: value for key, value in har["log"]["entries"][0].items() if key != "timings"}
    if not list(entry.iter_errors(broken)):
        problems.append("the validator accepts anything")
    tell("schema", "the whole file", not problems, "; ".join(problems))


def compare(check, calls, found):
    """`found` is a list of (method, url, status)."""
    if len(found) != len(calls):
        return tell(check, "the whole file", False, f"{len(found)} calls, the file has {len(calls)}")
    tell(check, "the whole file", True)
    for call, (method, url, status) in zip(calls, found):
        wanted = (call["method"], call["url"], call["status"])
        got = (method, url, status)
        tell(check, call["name"], got == wanted, "" if got == wanted else f"{got}, not {wanted}")


def check_haralyzer(har, calls):
    try:
        from haralyzer import HarParser
    except ImportError:
        return skip("haralyzer", f"haralyzer is not installed; {INSTALL}")
    entries = HarParser(har).har_data["entries"]
    from haralyzer.assets import HarEntry
    found = []
    for entry in map(HarEntry, entries):
        found.append((entry.request.method, entry.request.url, entry.response.status))
        # The properties that haralyzer computes from an entry must not fail either.
        _ = (entry.startTime, entry.time, entry.request.headers, entry.response.headers, entry.response.mimeType)
    compare("haralyzer", calls, found)


ADDON = """
import json, os
def _tell(flow):
    with open(os.environ["NET_FLOWS"], "a") as file:
        status = flow.response.status_code if flow.response else 0
        file.write(json.dumps([flow.request.method, flow.request.pretty_url, status]) + "\\n")
response = _tell
error = _tell
"""


def check_mitmproxy(path, calls, program):
    if not (program and os.access(program, os.X_OK)):
        return skip("mitmproxy", f"mitmproxy is not installed; {INSTALL}")
    with tempfile.TemporaryDirectory() as folder:
        addon, flows = Path(folder) / "addon.py", Path(folder) / "flows"
        addon.write_text(ADDON)
        flows.touch()
        result = subprocess.run(
            [program, "-n", "-q", "-r", path, "-s", str(addon), "--set", f"confdir={folder}"],
            env=dict(os.environ, NET_FLOWS=str(flows)), capture_output=True, text=True, timeout=120)
        if result.returncode != 0:
            return tell("mitmproxy", "the whole file", False, (result.stdout + result.stderr)[-600:])
        compare("mitmproxy", calls, [tuple(json.loads(line)) for line in flows.read_text().splitlines()])


def main():
    path, calls, schemas, mitmdump = sys.argv[1:5]
    har, calls = json.loads(Path(path).read_text()), json.loads(Path(calls).read_text())
    check_schema(har, calls, schemas)
    check_haralyzer(har, calls)
    check_mitmproxy(path, calls, mitmdump)


if __name__ == "__main__":
    main()
