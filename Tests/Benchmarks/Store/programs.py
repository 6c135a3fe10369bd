"""The programs of this benchmark, each of which prints a line of JSON."""
import json
import sqlite3
import subprocess
from pathlib import Path


class Failed(Exception):
    """A run without figures."""


class Programs:
    def __init__(self, folder):
        self.folder = Path(folder)

    def path(self, name):
        """The path of a program; that of GRDB belongs to a separate package."""
        return self.folder.parent / "grdb" / "release" / name if name.endswith("grdb") else self.folder / name

    def has(self, name):
        return self.path(name).is_file()

    def start(self, name, *words):
        command = [str(self.path(name)), *map(str, words)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def end(self, process, timeout=600):
        """Waits for the end of a program, and returns the figures that it prints."""
        try:
            output, errors = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired as error:
            process.kill()
            process.communicate()
            raise Failed(f"{process.args[0]} did not end within {timeout} seconds") from error
        if process.returncode != 0:
            text = (output.strip() or errors.strip())[-300:]
            raise Failed(f"{' '.join(process.args)}: {text or f'exit {process.returncode}'}")
        return json.loads(output) if output.strip() else {}

    def run(self, name, *words, timeout=600):
        return self.end(self.start(name, *words), timeout)

    def ours(self, *words):
        return self.run("bench-store-ours", *words)

    @staticmethod
    def sqlite_version():
        return sqlite3.sqlite_version
