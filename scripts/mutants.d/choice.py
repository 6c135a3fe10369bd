"""Which changes are made in a target."""
import itertools
import random

from sites import sites


def equivalents(path):
    """The keys of the changes that alter nothing: lines `path | source line | change | why`."""
    lines = path.read_text().splitlines()
    return {line.rsplit(' | ', 1)[0] for line in lines if line.startswith('Sources/')}


class Choice:
    """The changes of one target, each with a number that no other has; one that doesn't compile makes room for the next."""
    last_number = 0

    def __init__(self, target, tree, count, seed, known):
        self.target, self.count = target, count
        self.files = {path: tree.text(path) for path in tree.sources(target)}
        kinds = {}
        for path, text in self.files.items():
            for site in sites(path, text):
                if site.key not in known:
                    kinds.setdefault(site.kind, []).append(site)
        chance = random.Random(f'{seed} {target}')
        for kind in sorted(kinds):
            chance.shuffle(kinds[kind])
        # Every kind in turn: constants would be most of it.
        turns = itertools.zip_longest(*(kinds[kind] for kind in sorted(kinds)))
        self.spare = [site for turn in turns for site in turn if site is not None]
        self.changes = []
        self.fill()

    def fill(self):
        """Takes changes until there are enough."""
        while self.spare and len(self.changes) < self.count:
            Choice.last_number += 1
            self.changes.append((Choice.last_number, self.spare.pop(0)))

    def drop(self, errors):
        """Drops the changes that the compiler's errors, as (path, line), are about. False if there is none."""
        broken = [change for change in self.changes if (change[1].path, change[1].line) in errors]
        if not broken:
            paths = {path for path, _ in errors}
            broken = [change for change in self.changes if change[1].path in paths]
        self.changes = [change for change in self.changes if change not in broken]
        self.fill()
        return bool(broken)
