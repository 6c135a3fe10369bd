"""The figures, their peers and their limits."""
import json
import statistics
from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Row:
    """A figure of the store beside that of a peer."""
    workload: str
    what: str
    unit: str
    ours: float
    peer: float = None
    peer_name: str = ""
    #: The maximum as a multiple of the peer's figure, or as a value.
    factor: float = None
    limit: float = None
    #: The median of the ratios of the rounds; without it, the ratio of the two figures.
    ratio: float = None

    @property
    def allowed(self):
        if self.limit is not None:
            return self.limit
        return None if self.factor is None else self.factor

    @property
    def is_kept(self):
        measured = self.ours if self.limit is not None else self.vs_peer
        return measured <= self.allowed

    @property
    def vs_peer(self):
        if self.ratio is not None:
            return self.ratio
        return self.ours / self.peer if self.peer else None


def number(value):
    if value is None:
        return "-"
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.1f}" if abs(value) >= 100 else f"{value:.2f}"


class Report:
    def __init__(self):
        self.rows = []

    def add(self, *words, **more):
        self.rows.append(Row(*words, **more))

    def compare(self, workload, what, unit, ours, peer, peer_name, factor=None):
        """Adds the rounds of the store and of a peer, which ran alternately; the peer may not have run."""
        if not peer:
            self.add(workload, what, unit, statistics.median(ours))
            return
        self.add(workload, what, unit, statistics.median(ours), peer=statistics.median(peer), peer_name=peer_name,
                 factor=factor, ratio=statistics.median(one / other for one, other in zip(ours, peer)))

    def show(self, workload):
        for row in self.rows:
            if row.workload != workload:
                continue
            peer = f"{number(row.peer):>9} {row.peer_name:<22} {number(row.vs_peer):>6}" if row.peer is not None else ""
            print(f"{row.workload:<8} {row.what:<44} {number(row.ours):>9} {row.unit:<12} {peer}".rstrip())
        for row in self.rows:
            if row.workload == workload and row.allowed is not None:
                bar = f"{number(row.limit)} {row.unit}" if row.limit is not None else f"{row.factor:g} × {row.peer_name}"
                measured = number(row.ours) if row.limit is not None else f"{number(row.vs_peer)} ×"
                print(f"  {'kept  ' if row.is_kept else 'MISSED'} {row.what}: {measured}; bar: at most {bar}")

    def write(self, path):
        entries = []
        for row in self.rows:
            entry = {key: value for key, value in asdict(row).items() if value not in (None, "")}
            entry |= {"vs_peer": row.vs_peer, "kept": row.is_kept if row.allowed is not None else None}
            entries.append({key: round(value, 4) if isinstance(value, float) else value for key, value in entry.items()})
        with open(path, "w") as file:
            json.dump(entries, file, indent=1)
            file.write("\n")
