"""A commit and the folder with its files and its build products, which is kept for the next comparison with it."""
import contextlib
import fcntl
import shutil
import subprocess
from dataclasses import dataclass

import session

#: The number of commits whose folders are kept.
KEPT = 2


class Refused(Exception):
    """A reason why the trees can't be compared."""


@dataclass(frozen=True)
class Commit:
    hash: str
    short: str
    subject: str


def git(root, *words):
    result = subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True)
    return result.stdout.strip() if result.returncode == 0 else None


def commit_of(root, revision):
    """Returns the commit of a revision such as `HEAD~1`, a tag or a hash."""
    if git(root, "rev-parse", "--git-dir") is None:
        raise Refused("this folder isn't a git repository, so it has no commits to compare with")
    full = git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    if not full:
        raise Refused(f'there is no commit "{revision}" in this repository')
    return Commit(full, git(root, "rev-parse", "--short=10", full), git(root, "show", "-s", "--format=%s", full))


def working_tree(root):
    """Returns a description of the working tree: its commit, and whether files differ from it."""
    return (git(root, "rev-parse", "--short=10", "HEAD") or "?") + (" with changes" if git(root, "status", "--porcelain") else "")


@contextlib.contextmanager
def locked(home):
    """Takes the folder of all commits for one comparison."""
    home.mkdir(exist_ok=True)
    with open(home / "lock", "w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Refused(f"another comparison is running in {home}") from None
        yield


def remove(folder):
    """Removes a folder of a commit. If that is interrupted, the rest isn't mistaken for a complete one."""
    gone = folder.with_suffix(".old")
    folder.rename(gone)
    shutil.rmtree(gone, ignore_errors=True)


def folder_of(root, home, commit):
    """Returns the folder of a commit with its files in `swift-net`, and removes those that weren't used for the longest time."""
    for pattern in ("*.part", "*.old", "run-*"):
        for rest in home.glob(pattern):
            shutil.rmtree(rest, ignore_errors=True)
    folder = home / commit.short
    others = sorted((each for each in home.iterdir() if each.is_dir() and each != folder), key=last_use, reverse=True)
    for each in others[KEPT - 1:]:
        remove(each)
    if not folder.is_dir():
        part = folder.with_suffix(".part")
        tree = part / "swift-net"
        tree.mkdir(parents=True)
        script = 'set -o pipefail; git -C "$1" archive "$2" | tar -x -C "$3"'
        if session.run(["bash", "-c", script, "-", root, commit.hash, tree]) != 0:
            raise Refused(f"could not extract the files of {commit.short}")
        part.rename(folder)
    (folder / "used").touch()
    return folder


def last_use(folder):
    used = folder / "used"
    return used.stat().st_mtime if used.exists() else 0
