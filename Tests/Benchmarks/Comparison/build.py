"""Builds our programs of both trees, and puts those of each side into a folder for its runs of the driver."""
import hashlib
import json
import os
import shutil
import subprocess

import session
from commit import Refused
from verdict import AGAINST, OURS

#: `run_quietly` of scripts/lib.sh shows the progress, and restarts a build that is stuck.
SCRIPT = 'source "$1/scripts/lib.sh"; shift; run_quietly "$@"'


class Builder:
    def __init__(self, root, folder, commit):
        self.root, self.folder, self.commit = root, folder, commit
        self.tree = folder / "swift-net"

    def build(self, tree, base, program, name, log):
        log.parent.mkdir(parents=True, exist_ok=True)
        label = f"build {program.name} of {name}"
        command = ["bash", "-c", SCRIPT, "bench", self.root, label, log, "swift", *program.arguments(tree, base)]
        if session.run(command) != 0:
            raise Refused(f"{name} doesn't build, so there is nothing to compare")
        if not program.path(base).exists():
            raise Refused(f"{name} has no {program.name} after its build; the whole log: {log}")

    def build_ours(self, program):
        log = self.root / program.scratch / f"{program.name}.log"
        self.build(self.root, self.root, program, "the working tree", log)

    def build_against(self, program):
        """Builds a program of the commit, unless it was built with this compiler and these dependencies before."""
        if not (self.tree / program.package / "Sources" / program.name).is_dir():
            raise Refused(f"{self.commit.short} has no {program.name}: this benchmark is newer")
        built = self.folder / f"{program.name}.built"
        state = self.state(program)
        if built.is_file() and built.read_text() == state and program.path(self.folder).exists():
            return
        pins = self.root / program.package / "Package.resolved"
        if pins.is_file():
            # The same versions of the dependencies as in the working tree, as far as the commit's manifest allows them.
            shutil.copyfile(pins, self.tree / program.package / "Package.resolved")
        self.build(self.tree, self.folder, program, self.commit.short, self.folder / f"{program.name}.log")
        built.write_text(state)

    def state(self, program):
        """The compiler, the flags and the dependencies of a build, of which any change means another build."""
        version = subprocess.run(["swiftc", "--version"], capture_output=True, text=True).stdout
        pins = self.root / program.package / "Package.resolved"
        versions = json.loads(pins.read_text())["pins"] if pins.is_file() else []
        text = json.dumps([version, versions, program.arguments(self.tree, self.folder)])
        return hashlib.sha256(text.encode()).hexdigest()

    def prepare(self, benchmark, runs):
        """Builds what a benchmark needs, and fills the folders `ours` and `against` in the folder of this run."""
        for program in (*benchmark.programs, *benchmark.helpers):
            self.build_ours(program)
        for program in benchmark.programs:
            self.build_against(program)
        for side, base in ((OURS, self.root), (AGAINST, self.folder)):
            for program in benchmark.programs:
                link(program.path(base), runs / side / program.key)
            for program in benchmark.helpers:
                link(program.path(self.root), runs / side / program.key)


def link(file, place):
    place.parent.mkdir(parents=True, exist_ok=True)
    os.symlink(file, place)


def check_needs(benchmark):
    """Refuses if a command that the driver starts isn't installed."""
    for need in benchmark.needs:
        names = (need,) if isinstance(need, str) else need
        if not any(shutil.which(name) for name in names):
            raise Refused(f"there is no {' or '.join(names)}; run scripts/bootstrap --bench")
