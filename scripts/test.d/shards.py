"""The division of the tests into shards: parts of a target that run in a process of their own."""
import re
from dataclasses import dataclass, field

# The shares of the jobs of a hosted run. The job "rest" has every other target.
JOBS = {
    "http": ["NetHTTPTests", "NetClientTests"],
    "packages": ["PackageTests", "NetOpenAPITests"],
}
# A shard has about this many seconds of tests: few shards, because each process needs 0.6 seconds of CPU time to find its tests.
# slow.txt has the seconds of slow suites; a test of another suite takes this long.
SHARD_SECONDS, TEST_SECONDS = 40, 0.25


@dataclass
class Shard:
    """Suites of one target that run in one process, and single tests of other suites."""

    target: str
    number: int
    suites: list = field(default_factory=list)
    singles: list = field(default_factory=list)
    tests: set = field(default_factory=set)
    seconds: float = 0

    @property
    def name(self):
        return f"{self.target} {self.number}"

    @property
    def pattern(self):
        """A regular expression for the runner's --filter; an identifier ends with the location of its test."""
        suites = [re.escape(suite) + r"(/|\(|$)" for suite in self.suites]
        singles = [re.escape(test.split(".", 1)[1]) + "(/|$)" for test in self.singles]
        return rf"^{self.target}\.({'|'.join(suites + singles)})"

    @property
    def arguments(self):
        return ["--testing-library", "swift-testing", "--no-parallel", "--filter", self.pattern]


def target_of(test):
    return test.split(".", 1)[0]


def suite_of(test):
    """Returns the outermost type or the function of a test such as `NetCoreTests.PathTests/pathsAreJoined()`."""
    rest = test.split(".", 1)[1]
    if rest.startswith("`"):
        return rest[: rest.index("`", 1) + 1]
    return re.split(r"[/(]", rest, maxsplit=1)[0]


def listed(text):
    """Returns the tests in the output of the runner's listing."""
    return [line for line in map(str.strip, text.splitlines()) if re.match(r"^\w+\.\S.*\)$", line)]


def job_of(target):
    return next((job for job, targets in JOBS.items() if target in targets), "rest")


def slow_suites(text):
    """Returns the seconds of each suite in slow.txt."""
    rows = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    return {suite: float(seconds) for suite, seconds in rows}


def divide(tests, slow, listed=None):
    """Divides tests into shards, the slowest first. `listed` are all tests of the program, if some of them aren't to run."""
    targets, sizes = {}, {}
    for test in listed or tests:
        suite = (target_of(test), suite_of(test))
        sizes[suite] = sizes.get(suite, 0) + 1
    for test in tests:
        targets.setdefault(target_of(test), {}).setdefault(suite_of(test), []).append(test)
    shards = []
    for target, suites in targets.items():
        cost = {suite: slow.get(f"{target}.{suite}", TEST_SECONDS * len(each)) for suite, each in suites.items()}
        count = max(1, min(len(suites), round(sum(cost.values()) / SHARD_SECONDS)))
        parts = [Shard(target, number + 1) for number in range(count)]
        for suite in sorted(suites, key=lambda suite: (-cost[suite], suite)):
            part = min(parts, key=lambda part: part.seconds)
            if len(suites[suite]) == sizes[target, suite]:
                part.suites.append(suite)
            else:
                part.singles += suites[suite]
            part.tests.update(suites[suite])
            part.seconds += cost[suite]
        shards += parts
    return sorted(shards, key=lambda shard: (-shard.seconds, shard.name))


def differences(wanted, ran):
    """Yields a sentence for each test that didn't run exactly once. `ran` has a list of tests for each shard."""
    counts = {}
    for tests in ran:
        for test in tests:
            counts[test] = counts.get(test, 0) + 1
    yield from (f"{test} didn't run" for test in sorted(set(wanted) - set(counts)))
    yield from (f"{test} ran and isn't listed" for test in sorted(set(counts) - set(wanted)))
    yield from (f"{test} ran {count} times" for test, count in sorted(counts.items()) if count > 1)
