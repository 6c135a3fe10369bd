"""A copy of the package that is changed and built instead of the package itself."""
import json
import os
import pathlib
import re
import subprocess
import sys

from switch import applied, switch


class Tree:
    def __init__(self, root, folder):
        self.root, self.folder, self.build_folder = root, folder / 'tree', folder / 'build'
        self.log = folder / 'build.log'
        self.folder.mkdir(parents=True, exist_ok=True)

    def text(self, path):
        """Returns the unchanged source from the package."""
        return (self.root / path).read_text()

    def sources(self, target):
        return sorted(str(path.relative_to(self.root)) for path in (self.root / 'Sources' / target).rglob('*.swift'))

    def refresh(self, targets):
        """Updates the copy, with a manifest of only the targets that the tests need."""
        listed = subprocess.run(['git', 'ls-files', '-co', '--exclude-standard', '-z'], cwd=self.root, check=True,
                                capture_output=True, text=True).stdout.split('\0')
        kept = {path for path in listed if path and (self.root / path).is_file()}
        for path in kept - {'Package.swift'}:
            self.write(path, (self.root / path).read_bytes())
        for path in [path for path in self.folder.rglob('*') if path.is_file()]:
            if str(path.relative_to(self.folder)) not in kept and path.name != 'Package.resolved':
                path.unlink()
        manifest = (self.root / 'Package.swift').read_text()
        self.write('Package.swift', manifest.encode())
        needed = self.needed([f'{target}Tests' for target in targets])
        names = ', '.join(f'"{name}"' for name in sorted(needed))
        manifest = manifest.replace('.treatAllWarnings(as: .error)', '.treatAllWarnings(as: .warning)')
        manifest += f'\nlet needed: Set<String> = [{names}]\n'
        manifest += 'package.targets = package.targets.filter { needed.contains($0.name) }\npackage.products = []\n'
        self.write('Package.swift', manifest.encode())

    def write(self, path, data):
        """Writes a file if its bytes have changed; an unchanged file isn't touched, and so isn't compiled again."""
        place = self.folder / path
        if place.is_file() and place.read_bytes() == data:
            return
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
        place.chmod((self.root / path).stat().st_mode & 0o777 if (self.root / path).is_file() else 0o644)

    def needed(self, targets):
        """Returns the targets and all their dependencies."""
        dumped = subprocess.run(['swift', 'package', '--package-path', str(self.folder), '--scratch-path',
                                 str(self.build_folder), 'dump-package'], check=True, capture_output=True, text=True)
        found = {}
        for target in json.loads(dumped.stdout)['targets']:
            names = [next(iter(dependency.values()))[0] for dependency in target['dependencies']]
            names += [usage['plugin'][0] for usage in target.get('pluginUsages') or []]
            found[target['name']] = names
        needed, waiting = set(), list(targets)
        while waiting:
            name = waiting.pop()
            if name in found and name not in needed:
                needed.add(name)
                waiting += found[name]
        return needed

    def build(self, choices):
        """Builds the tests with all changes, and returns the program. Changes that don't compile are replaced by others."""
        for attempt in range(1, 16):
            for choice in choices:
                self.change(choice)
            print(f'building, attempt {attempt}', file=sys.stderr, flush=True)
            flags = ['--package-path', str(self.folder), '--scratch-path', str(self.build_folder), '--enable-all-traits']
            with self.log.open('w') as log:
                # With this variable, the compiler gets the traits in the same order in each attempt; otherwise each compiles everything.
                status = subprocess.run(['swift', 'build', '--build-tests', *flags], stdout=log, stderr=log,
                                        env=os.environ | {'SWIFT_DETERMINISTIC_HASHING': '1'}).returncode
            if status == 0:
                shown = subprocess.run(['swift', 'build', '--show-bin-path', *flags], check=True, capture_output=True,
                                       text=True)
                return pathlib.Path(shown.stdout.strip()) / 'swift-netPackageTests.xctest'
            errors = self.errors()
            if not any([choice.drop(errors) for choice in choices]):
                break
        sys.exit(f'mutants: the copy doesn\'t build; the whole log: {self.log}')

    def change(self, choice):
        for path, text in choice.files.items():
            self.write(path, applied(text, [change for change in choice.changes if change[1].path == path]).encode())
        self.write(f'Sources/{choice.target}/Mutants.swift', switch(choice.changes).encode())

    def errors(self):
        """Returns the places of the compiler's errors, as (path, line)."""
        prefix = re.escape(str(self.folder) + '/')
        found = re.findall(rf'^{prefix}([^:\n]+):(\d+):\d+: error:', self.log.read_text(errors='replace'), re.M)
        return {(path, int(line)) for path, line in found}
