"""The verdicts on Autobahn's cases, in Autobahn's words, and the report on them."""
import collections
import json
import re
from dataclasses import dataclass
from pathlib import Path

PASSING = {"OK", "INFORMATIONAL"}
NONE = "NO VERDICT"


@dataclass
class Verdict:
    """The verdict on one case."""
    id: str
    #: The verdict on the messages: OK, NON-STRICT, INFORMATIONAL, UNIMPLEMENTED, FAILED, ERROR or NO VERDICT.
    behavior: str = NONE
    #: The verdict on the closing handshake: OK, INFORMATIONAL, UNCLEAN, WRONG CODE, FAILED BY CLIENT or FAILED; empty if unknown.
    close: str = ""
    detail: str = ""
    milliseconds: int = 0

    @classmethod
    def of(cls, result):
        """Creates the verdict from a result of kosoku."""
        behavior, close = result.behavior.value, result.behavior_close.value
        detail = result.result if close in PASSING else f"{result.result} {result.result_close}"
        return cls(result.case_id, behavior, close, detail, result.duration)

    @property
    def closed_well(self):
        return not self.close or self.close in PASSING

    @property
    def passed(self):
        return self.behavior in PASSING and self.closed_well

    @property
    def may_be_listed(self):
        """True if an exception may cover the verdict: a deviation from a SHOULD, not from a MUST."""
        return self.behavior == "NON-STRICT" and self.closed_well

    def __str__(self):
        says_all = self.closed_well or self.behavior not in PASSING | {"NON-STRICT"}
        return self.behavior if says_all else f"{self.behavior}, closing handshake {self.close}"


def read_exceptions(page, role):
    """Returns the ids in the rows `| `6.4.3` | client | why |` of a document."""
    text = page.read_text() if page.is_file() else ""
    return set(re.findall(rf"^\| `([\d.]+)` \| {role} \|", text, re.M))


def report(verdicts, role, page, output):
    """Prints the cases that didn't pass and the counts, writes the JSON, and returns the exit code."""
    listed = read_exceptions(page, role)
    unexplained = []
    for verdict in verdicts:
        if not verdict.passed:
            print(f"{verdict} {verdict.id}: {verdict.detail[:300]}")
            if not (verdict.may_be_listed and verdict.id in listed):
                unexplained.append(verdict.id)
    counts = collections.Counter(str(verdict) for verdict in verdicts)
    print(", ".join(f"{text} {count}" for text, count in counts.most_common()))
    passed = sum(verdict.passed for verdict in verdicts)
    if output:
        cases = [{"id": verdict.id, "verdict": verdict.behavior, "close": verdict.close, "passed": verdict.passed,
                  "detail": verdict.detail, "milliseconds": verdict.milliseconds} for verdict in verdicts]
        document = {"role": role, "passed": passed, "total": len(cases), "cases": cases}
        Path(output).write_text(json.dumps(document, indent=1))
    if len(unexplained) > 12:
        print(f"{len(unexplained)} cases failed, or are NON-STRICT and not listed in docs/{page.name}")
    elif unexplained:
        print(f"failed, or NON-STRICT and not listed in docs/{page.name}: " + ", ".join(unexplained))
    print(f"passed {passed} of {len(verdicts)}")
    return 1 if unexplained or not passed else 0
