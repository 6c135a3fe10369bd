"""A program and all that it starts, in a session of their own, which ends as a whole."""
import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path

#: The seconds that an interrupted program has to stop its servers and to remove its folders.
GRACE = 15
#: The signals that end a comparison.
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def members(session):
    """Returns the processes of a session that haven't ended."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            # After the name: the state, the parent, the process group, and the session.
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] not in "ZX":
            found.append(int(folder.name))
    return found


def signal_all(session, number):
    for process in members(session):
        try:
            os.kill(process, number)
        except OSError:
            pass


def wait_for_end(session, seconds):
    end = time.monotonic() + seconds
    while members(session) and time.monotonic() < end:
        time.sleep(0.02)


@contextlib.contextmanager
def postponed():
    """Handles signals that arrive meanwhile at the end, when it's known what was started."""
    arrived = []
    handlers = {number: signal.signal(number, lambda received, _: arrived.append(received)) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    for number in arrived:
        signal.raise_signal(number)


def run(command, **options):
    """Runs a program; returns its exit code. When it ends, or when this function is interrupted, nothing that it started remains."""
    process = None
    try:
        with postponed():
            process = subprocess.Popen(
                [str(word) for word in command], stdin=subprocess.DEVNULL, start_new_session=True, **options)
        return process.wait()
    except BaseException:
        if process:
            # Only the program itself at first, which knows how to stop the others.
            process.terminate()
            with postponed(), contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=GRACE)
        raise
    finally:
        if process:
            with postponed():
                end(process)


def end(process):
    """Ends what remains of a session."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if members(process.pid):
            signal_all(process.pid, number)
            wait_for_end(process.pid, 2)
    process.wait()
