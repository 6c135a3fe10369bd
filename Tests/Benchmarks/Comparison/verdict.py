"""Pairs the figures of two trees, row by row, and decides which rows are worse than their noise."""
import math
import statistics
from dataclasses import dataclass, field

from figures import direction
from noise import limit_for

#: The working tree, and the commit that it is compared with.
OURS, AGAINST = SIDES = ("ours", "against")


def order(number):
    """The sides of a round: each goes first in every other round."""
    return SIDES if number % 2 == 0 else SIDES[::-1]


def quotient(one, other):
    """Divides figures of which none is negative; equal ones are 1 even if they are 0."""
    if one == other:
        return 1.0
    return one / other if other else math.inf


@dataclass
class Row:
    """The runs of one figure, by side and round."""
    name: str
    unit: str
    limit: object
    runs: dict = field(default_factory=lambda: {side: {} for side in SIDES})
    is_again: bool = False

    @property
    def pairs(self):
        ours, against = (self.runs[side] for side in SIDES)
        return [(ours[number], against[number]) for number in sorted(ours) if number in against]

    def median(self, side):
        runs = self.runs[side]
        return statistics.median(runs.values()) if runs else None

    @property
    def ratio(self):
        """The ratio of the medians, or the median of the ratios of the rounds, whichever is nearer to 1; None without a round of both.

        The first is wrong if the machine becomes slower meanwhile, the second if many single runs are disturbed.
        """
        pairs = [[max(value, self.limit.least, 0) for value in pair] for pair in self.pairs]
        if not pairs:
            return None
        of_medians = quotient(*(statistics.median(values) for values in zip(*pairs)))
        of_rounds = statistics.median(quotient(*pair) for pair in pairs)
        return min(of_medians, of_rounds, key=lambda ratio: max(ratio, quotient(1, ratio)))

    @property
    def verdict(self):
        """`worse`, `better` or `same` by its noise; `new` or `gone` if only the working tree or only the commit has the row."""
        if self.ratio is None:
            return "new" if self.runs[OURS] else "gone"
        # Above 1 is worse, in both directions.
        cost = self.ratio if direction(self.unit) < 0 else quotient(1, self.ratio)
        if cost > 1 + self.limit.noise:
            return "worse"
        return "better" if cost < 1 / (1 + self.limit.noise) else "same"


class Comparison:
    """The rows of a benchmark, in the order in which they were first measured."""

    def __init__(self, benchmark, limits):
        self.benchmark = benchmark
        self.limits = limits
        self.rows = {}

    def add(self, side, number, figures, only=None):
        """Adds the figures of a run; with `only`, those of these rows."""
        for figure in figures:
            if only is not None and figure.row not in only:
                continue
            if figure.row not in self.rows:
                limit = limit_for(self.limits, self.benchmark, figure.row)
                self.rows[figure.row] = Row(figure.row, figure.unit, limit)
            self.rows[figure.row].runs[side][number] = figure.value

    def of(self, *verdicts):
        return [row for row in self.rows.values() if row.verdict in verdicts]

    @property
    def compared(self):
        return self.of("worse", "same", "better")


def workload_of(row, workloads):
    """Returns the workload that a row belongs to: the longest name that the row begins with; None if there is none."""
    return max((name for name in workloads if row.startswith(name)), key=len, default=None)
