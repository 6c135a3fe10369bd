"""Runs a target's tests once for each change."""
import concurrent.futures
import os
import re
import signal
import subprocess
import sys
import threading
import time


class Runner:
    """Runs tests with one change after another. `tests` is the folder of the target's tests. The tests that mirror a source's folder
    run first, since they notice most changes; all tests run only for changes that these miss."""

    def __init__(self, program, target, tests, jobs):
        self.command = ['stdbuf', '-oL', str(program), '--testing-library', 'swift-testing', '--no-parallel', '--filter']
        self.target, self.tests, self.jobs = target, tests, jobs

    def nearest(self, source):
        """Returns the filter for the suites in the folder that mirrors a source's folder; None if there are none."""
        parts = source.split('/')
        folder = self.tests / parts[2] if len(parts) > 3 else None
        if folder is None or not folder.is_dir():
            return None
        suites = set()
        for file in folder.rglob('*.swift'):
            suites.update(re.findall(r'@Suite[^{]*?\b(?:struct|class|actor|enum) (\w+)', file.read_text()))
        return f'^{self.target}Tests\\.({"|".join(sorted(suites))})/' if suites else None

    def outcomes(self, changes):
        """Returns the test, crash or timeout that noticed each change; None if nothing did."""
        start = time.monotonic()
        whole = f'^{self.target}Tests\\.'
        first = self.run(0, whole, 1800)
        if first is not None:
            sys.exit(f'mutants: the tests fail without a change ({first})')
        # Parallel runs take longer than one run, and a change may slow the tests down without any other effect.
        limit = 3 * (time.monotonic() - start) + 20

        def outcome(change):
            number, site = change
            nearest = self.nearest(site.path)
            noticed = self.run(number, nearest, limit) if nearest else None
            if noticed is None:
                noticed = self.run(number, whole, limit)
            print(f'  {site.key}: {noticed or "survived"}', file=sys.stderr, flush=True)
            return noticed

        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            return list(pool.map(outcome, changes))

    def run(self, number, tests, limit):
        """Runs the tests with one change switched on, up to the first failure. Returns the test, crash or timeout that noticed it, or None."""
        process = subprocess.Popen([*self.command, tests], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   errors='replace', start_new_session=True, env=os.environ | {'NET_MUTANT': str(number)})
        late = threading.Event()

        def end():
            late.set()
            self.kill(process)

        timer = threading.Timer(limit, end)
        timer.start()
        noticed, ended = None, False
        for line in process.stdout:
            line = re.sub('\x1b\\[[0-9;]*m', '', line)
            match = re.match(r'✘ Test ("[^"]*"|\S+)', line)
            if match:
                noticed = match[1]
                break
            ended = ended or re.match(r'.*Test run with \d+', line) is not None
        self.kill(process)
        timer.cancel()
        status = process.wait()
        process.stdout.close()
        if noticed is None and late.is_set():
            return 'timeout'
        if noticed is None and not ended:
            return f'crash ({-status if status < 0 else status})'
        return noticed

    @staticmethod
    def kill(process):
        """Kills the tests and the processes that they started."""
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
