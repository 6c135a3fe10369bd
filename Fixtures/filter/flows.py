"""Finds the calls of a HAR that match each expression with mitmproxy: flows.py HAR EXPRESSIONS RESULT.

EXPRESSIONS is a list of texts. RESULT becomes a list of lists of numbers from 1, with null for an expression that mitmproxy can't
read. mitmproxy reads every entry as one with a response; if there was none, the HAR has the reason in `response._error`, which
becomes the flow's error here. The header by which the recording distinguishes the calls is removed.
"""
import json
import sys

from mitmproxy import flow, flowfilter
from mitmproxy.io.har import request_to_flow

har, expressions, result = sys.argv[1:4]
flows = []
for entry in json.load(open(har))["log"]["entries"]:
    entry["request"]["headers"] = [field for field in entry["request"]["headers"] if field["name"].lower() != "x-number"]
    read = request_to_flow(entry)
    if "_error" in entry["response"]:
        read.error = flow.Error(entry["response"]["_error"])
    if entry["response"]["status"] == 0:
        read.response = None
    flows.append(read)

found = []
for text in json.load(open(expressions)):
    try:
        matches = flowfilter.parse(text)
    except ValueError as error:
        print(f"flows: {error}", file=sys.stderr)
        found.append(None)
        continue
    found.append([number for number, read in enumerate(flows, 1) if matches(read)])
json.dump(found, open(result, "w"))
