"""Starts a daemon that nobody here wrote on a free port of 127.0.0.1, with its files in a temporary folder.

    python daemons.py NAME
    python daemons.py --list

Once the daemon accepts connections, it prints one line of JSON with its `url`, its `version` and an object `extra`; a peer that this
machine can't run prints {"skipped": REASON} instead. Then it reads commands, one per line: `stop` ends the daemon with SIGTERM and prints
{"stopped": true}, `start` starts it again on the same port and prints {"started": true} with the members of the first line. With the end
of its standard input, and with its own end, everything that it has started ends too.
"""
import ctypes
import json
import os
import signal
import sys
import tempfile
from pathlib import Path

from daemon_house import House, Skipped
from daemon_peers import PEERS

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36


def say(**members):
    print(json.dumps(members), flush=True)


def obey(house, peer):
    for line in sys.stdin:
        if line.strip() == "stop":
            house.stop()
            say(stopped=True)
        elif line.strip() == "start":
            house.programs[-1].start()
            say(started=True, **peer.facts())


def serve(name):
    with tempfile.TemporaryDirectory(prefix="peer-", ignore_cleanup_errors=True) as folder:
        house = House(Path(folder))
        try:
            try:
                peer = PEERS[name](house)
                say(**peer.facts())
                obey(house, peer)
            except Skipped as reason:
                say(skipped=str(reason))
            finally:
                # The end of the input and the signal can come at the same time; the later one must not disturb the end of the programs.
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
        finally:
            house.close()


def main():
    if sys.argv[1:] == ["--list"]:
        return print("\n".join(PEERS))
    if len(sys.argv) != 2 or sys.argv[1] not in PEERS:
        sys.exit(__doc__)
    # The parent process may block signals, and children inherit that.
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    # A process that gets SIGKILL can't clean up. Therefore the work is done by a child, which survives this process and notices its end.
    parent = os.getpid()
    child = os.fork()
    if child:
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    system = ctypes.CDLL(None)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    system.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    system.prctl(PR_SET_CHILD_SUBREAPER, 1)
    if os.getppid() == parent:
        serve(sys.argv[1])


if __name__ == "__main__":
    main()
