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
    def __init__(self, program, tests, jobs):
        self.command = ['stdbuf', '-oL', str(program), '--testing-library', 'swift-testing', '--no-parallel',
                        '--filter', tests]
        self.jobs = jobs

    def outcomes(self, changes):
        """What noticed each change: a test, a crash, a time-out; None if nothing did."""
        start = time.monotonic()
        first = self.run(0, 1800)
        if first is not None:
            sys.exit(f'mutants: the tests fail without a change ({first})')
        # Two at once take longer than one, and a change may slow the tests down without an effect.
        limit = 3 * (time.monotonic() - start) + 20
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            return list(pool.map(lambda change: self.run(change[0], limit), changes))

    def run(self, number, limit):
        """Runs the tests with one change on, up to the first that fails; returns what noticed it."""
        process = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   errors='replace', start_new_session=True, env=os.environ | {'NET_MUTANT': str(number)})
        late = threading.Event()

        def end():
            late.set()
            self.kill(process)

        timer = threading.Timer(limit, end)
        timer.start()
        noticed, ended = None, False
        for line in process.stdout:
            match = re.match(r'✘ Test ("[^"]*"|\S+)', line)
            if match and match[1] != 'run':
                noticed = match[1]
                break
            ended = ended or re.match(r'.*Test run with \d+', line) is not None
        self.kill(process)
        timer.cancel()
        status = process.wait()
        process.stdout.close()
        if noticed is None and late.is_set():
            return 'time-out'
        if noticed is None and not ended:
            return f'crash ({-status if status < 0 else status})'
        return noticed

    @staticmethod
    def kill(process):
        """Ends the tests and what they started."""
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
