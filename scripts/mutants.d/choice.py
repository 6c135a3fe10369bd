"""The choice of changes in a target."""
import itertools
import random

from sites import sites


def equivalents(path):
    """Returns the keys of the changes without an effect, from lines `path | source line | change | why`."""
    lines = path.read_text().splitlines()
    return {line.rsplit(' | ', 1)[0] for line in lines if line.startswith('Sources/')}


class Choice:
    """The changes of one target, each with a unique number.

    One in three or four doesn't compile, so there are more changes than requested until the compiler has seen them.
    """
    last_number = 0

    def __init__(self, target, tree, options, known):
        self.target, self.count = target, options.count
        self.files = {path: tree.text(path) for path in tree.sources(target)}
        kinds = {}
        for path, text in self.files.items():
            for site in sites(path, text):
                if site.key not in known and options.matching in site.key:
                    kinds.setdefault(site.kind, []).append(site)
        chance = random.Random(f'{options.seed} {target}')
        for kind in sorted(kinds):
            chance.shuffle(kinds[kind])
        # Takes the kinds in turn: otherwise most changes would be constants.
        turns = itertools.zip_longest(*(kinds[kind] for kind in sorted(kinds)))
        self.spare = [site for turn in turns for site in turn if site is not None]
        self.changes = []
        self.fill(self.count + self.count // 2 + 2)

    def fill(self, count):
        """Adds changes until there are `count` of them."""
        while self.spare and len(self.changes) < count:
            Choice.last_number += 1
            self.changes.append((Choice.last_number, self.spare.pop(0)))

    def drop(self, errors):
        """Drops the changes at the lines of the compiler's errors, given as (path, line), or else all changes in their files. False if there
        are none."""
        broken = [change for change in self.changes if (change[1].path, change[1].line) in errors]
        if not broken:
            paths = {path for path, _ in errors}
            broken = [change for change in self.changes if change[1].path in paths]
        self.changes = [change for change in self.changes if change not in broken]
        if len(self.changes) < self.count:
            self.fill(2 * self.count - len(self.changes) + 2)
        return bool(broken)

    def settle(self):
        """Keeps the requested number of changes, now that they compile."""
        self.changes = self.changes[:self.count]
