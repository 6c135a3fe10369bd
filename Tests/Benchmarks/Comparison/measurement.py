"""The runs of both sides: workload by workload and round by round, in turns."""
from commit import Refused
from driver import Failed
from verdict import AGAINST, OURS, order, workload_of

TITLES = {OURS: "the working tree", AGAINST: "the commit"}


class Measurement:
    def __init__(self, driver, comparison, workloads, is_together, progress):
        self.driver = driver
        self.comparison = comparison
        self.workloads = workloads
        self.groups = [workloads] if is_together else [[name] for name in workloads]
        self.progress = progress
        #: The workloads that the commit can't run, with the messages of its program.
        self.failures = {}

    def measure(self, rounds):
        """Measures all workloads. The rounds are the outer loop: a disturbance then falls into few rounds of each workload."""
        for number in range(rounds):
            self.round(self.groups, number, f"round {number + 1} of {rounds}")

    def measure_again(self, rounds):
        """Measures rows that are worse than their noise again; the verdict on other rows remains."""
        rows = self.comparison.of("worse")
        for row in rows:
            row.is_again = True
        names = {row.name for row in rows}
        found = {workload_of(name, self.workloads) for name in names}
        groups = [group for group in self.narrowed(found) if group]
        for number in range(rounds if rows else 0):
            self.round(groups, rounds + number, f"again, round {number + 1} of {rounds}", names)

    def narrowed(self, workloads):
        """Returns the groups with only these workloads; all workloads of a group if a row belongs to none."""
        for group in self.groups:
            yield group if None in workloads else [name for name in group if name in workloads]

    def round(self, groups, number, title, only=None):
        waiting = list(groups)
        while waiting:
            group = waiting.pop(0)
            failed = self.pair(group, number, title, only)
            if failed and len(group) > 1:
                # One at a time, to compare the others.
                singles = [[name] for name in group]
                waiting = singles + waiting
                if group in self.groups:
                    self.groups = [each for each in self.groups if each != group] + singles
            elif failed:
                side, message = failed
                if side == OURS:
                    raise Refused(f"the working tree fails in {group[0]}: {message}")
                self.failures[group[0]] = message
                self.groups = [each for each in self.groups if each != group]
        self.progress.clear()

    def pair(self, group, number, title, only):
        """One run of each side. Returns the side that failed twice and its message, or None."""
        for side in order(number):
            self.progress.show(f"{title}: {', '.join(group)}, {TITLES[side]}")
            try:
                found = self.attempt(side, group)
            except Failed as error:
                return side, str(error)
            self.comparison.add(side, number, found, only)
        return None

    def attempt(self, side, group):
        try:
            return self.driver.measure(side, group)
        except Failed:
            # Such as a port that another program took.
            return self.driver.measure(side, group)
