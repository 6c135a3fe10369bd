"""A process that runs a shard: its output, its tests, its limits."""
import json
import os
import re
import signal
import subprocess
import time

# Seconds until a process is ended, in all and without output: no single test takes a third of the latter.
LIMIT = float(os.environ.get("NET_TEST_SECONDS") or 1200)
QUIET = float(os.environ.get("NET_TEST_QUIET_SECONDS") or 400)


class Process:
    """The runner of tests in a process group of its own. Every method is called by one thread."""

    def __init__(self, program, shard, folder):
        self.shard = shard
        self.output = os.path.join(folder, f"{shard.name}.log")
        self.events = os.path.join(folder, f"{shard.name}.events")
        self.started, self.changed, self.size = time.monotonic(), time.monotonic(), 0
        self.notes = []
        self.status, self.seconds, self.cpu = None, 0, 0
        command = [program, *shard.arguments, "--event-stream-output-path", self.events, "--event-stream-version", "6.3"]
        # The files with a sanitizer's reports are named after the target.
        variables = {name: value.replace("%TARGET%", shard.target) for name, value in os.environ.items()}
        with open(self.output, "wb") as file:
            # Line-buffered: output that is still in a buffer is lost when a process is killed.
            self.child = subprocess.Popen(["stdbuf", "-oL", *command], stdout=file, stderr=file, env=variables,
                                          start_new_session=True)

    def has_ended(self):
        """Looks at the process, and ends it if it takes too long."""
        if self.status is not None:
            return True
        pid, status, usage = os.wait4(self.child.pid, os.WNOHANG)
        if pid:
            self.child.returncode = self.status = os.waitstatus_to_exitcode(status)
            self.seconds, self.cpu = time.monotonic() - self.started, usage.ru_utime + usage.ru_stime
            self.kill()
            return True
        if self.notes:
            # It has been killed and isn't gone yet.
            return False
        now, size = time.monotonic(), os.path.getsize(self.output)
        if size != self.size:
            self.size, self.changed = size, now
        if now - self.started > LIMIT or now - self.changed > QUIET:
            what = f"{LIMIT:.0f} s are over" if now - self.started > LIMIT else f"no output for {QUIET:.0f} s"
            self.notes.append(f"{what}; the stacks of the threads:")
            self.notes += stacks(self.child.pid)
            self.kill()
        return False

    def kill(self):
        """Ends the process and everything that its tests started."""
        try:
            os.killpg(self.child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def log(self):
        with open(self.output, errors="replace") as file:
            return file.read()

    def results(self):
        """Returns the results of the tests in the events."""
        result = Result(self.shard, self.seconds, self.cpu)
        for record in read_events(self.events):
            if record.get("kind") == "event":
                result.add(record["payload"])
        return result


class Result:
    """The tests of a shard, by their events."""

    def __init__(self, shard, seconds, cpu):
        self.shard, self.seconds, self.cpu = shard, seconds, cpu
        self.starts, self.durations, self.failed, self.skipped = {}, {}, set(), []
        self.cases, self.has_ended = 0, False

    @property
    def ended(self):
        return list(self.durations)

    @property
    def unfinished(self):
        return sorted(set(self.starts) - set(self.durations))

    def add(self, event):
        kind, test = event["kind"], without_place(event.get("testID", ""))
        moment = event.get("instant", {}).get("absolute", 0)
        if kind == "runEnded":
            self.has_ended = True
        elif kind == "issueRecorded" and not event["issue"]["isKnown"]:
            self.failed.add(test)
        elif kind == "testCaseEnded":
            self.cases += 1
        # The other events of suites don't count.
        elif not test.endswith(")"):
            return
        elif kind == "testStarted":
            self.starts[test] = moment
        elif kind == "testEnded":
            self.durations[test] = moment - self.starts.get(test, moment)
        elif kind == "testSkipped":
            self.skipped.append(test)


def without_place(test):
    """Returns the identifier of a test without the file, line and column at its end."""
    return re.sub(r"/[^/]+\.swift:\d+:\d+$", "", test)


def read_events(path):
    try:
        with open(path, errors="replace") as file:
            for line in file:
                try:
                    yield json.loads(line)
                except ValueError:
                    # The last line of a process that was killed.
                    continue
    except FileNotFoundError:
        return


def stacks(group):
    """Returns the stack of each thread, so that a hang that nobody can debug at least shows what is waiting."""
    script = f"""for process in $(pgrep -g {group} -f 'PackageTests[.]xctest'); do
        timeout 60 eu-stack -p "$process" 2>/dev/null | swift demangle --simplified | cut -c1-98
    done"""
    return subprocess.run(["bash", "-c", script], capture_output=True, text=True).stdout.splitlines()
