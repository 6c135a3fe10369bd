"""The common parts of the benchmarks: their arguments, the choice of workloads, and their exit."""
import argparse
import os
import signal
import sys


class Command:
    def __init__(self, name, seconds):
        self.name = name
        self.seconds = seconds
        self.is_listing = False

    def complain(self, message):
        print(f"{self.name}: {message}", file=sys.stderr)

    def die(self, message):
        self.complain(message)
        sys.exit(1)

    #: An argument of benchmarks that fill a large store or cache before they measure it.
    KEEP = ("--keep", "a folder in which what was filled is kept for later runs; default: it is removed")

    def read_arguments(self, *more):
        """Reads the arguments of every benchmark, and those of this one, given as (name, help)."""
        parser = argparse.ArgumentParser(prog=f"scripts/bench {self.name}")
        parser.add_argument("--programs", required=True, help="the folder of the built programs")
        parser.add_argument("--load", type=float, default=0, help="the load average before the build")
        parser.add_argument("--json", default="")
        parser.add_argument("--only", default="")
        parser.add_argument("--rounds", type=int, default=5)
        parser.add_argument("--seconds", type=float, default=self.seconds)
        parser.add_argument("--quick", action="store_true", help="one round of one second: shows an order, measures nothing")
        parser.add_argument("--ours", action="store_true", help="only our own programs, without floors and peers")
        parser.add_argument("--list", action="store_true", help="prints the names of the workloads, and measures nothing")
        for name, text in more:
            parser.add_argument(name, default="", help=text)
        arguments = parser.parse_args()
        if arguments.quick:
            arguments.rounds, arguments.seconds = 1, 1
        if arguments.rounds < 1 or arguments.seconds <= 0:
            self.die("--rounds and --seconds must be greater than 0")
        self.is_listing = arguments.list
        return arguments

    def choose(self, only, workloads):
        """Returns the named workloads; without names, all workloads that aren't extra."""
        names = [name for name in only.split(",") if name]
        known = [workload.name for workload in workloads]
        unknown = set(names) - set(known)
        if unknown:
            self.die(f"there is no workload {', '.join(sorted(unknown))}; there are {', '.join(known)}")
        chosen = [workload for workload in workloads
                  if (workload.name in names if names else not getattr(workload, "is_extra", False))]
        if self.is_listing:
            print("\n".join(workload.name for workload in chosen))
            sys.exit(0)
        return chosen

    def run(self, main, *failures):
        """Runs the benchmark; prints these failures as one line."""
        # A signal from another program exits normally, so that the servers are stopped, too.
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda received, _: sys.exit(128 + received))
        try:
            main()
        except KeyboardInterrupt:
            sys.exit(130)
        except failures as error:
            self.die(str(error))


class Progress:
    """Shows the current step on a terminal; elsewhere, nothing."""

    def __init__(self):
        self.is_shown = (sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
                         and not os.environ.get("NO_COLOR") and not os.environ.get("CI"))

    def show(self, text):
        if self.is_shown:
            print(f"\r{text[:98]:<98}", end="", flush=True)

    def clear(self):
        if self.is_shown:
            print(f"\r{'':<98}\r", end="", flush=True)
