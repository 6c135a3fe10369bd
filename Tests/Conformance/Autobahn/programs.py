"""The programs under test, and lines that show the progress of a run."""
import asyncio
import time


class Program:
    """A process whose output is read line by line; it ends with the `async with` block."""

    def __init__(self, *command):
        self.command = [str(argument) for argument in command]

    async def __aenter__(self):
        self.process = await asyncio.create_subprocess_exec(*self.command, stdout=asyncio.subprocess.PIPE)
        return self

    async def __aexit__(self, *_):
        # A program whose output has ended is about to end by itself; a signal now could change its exit code.
        if not self.process.stdout.at_eof() or await self.exit_code(5) is None:
            for stop in (self.process.terminate, self.process.kill):
                if not self.has_ended:
                    stop()
                    await self.exit_code(5)

    @property
    def has_ended(self):
        return self.process.returncode is not None

    async def exit_code(self, seconds):
        """Returns the exit code, or None if the program doesn't end within `seconds`."""
        try:
            return await asyncio.wait_for(self.process.wait(), seconds)
        except asyncio.TimeoutError:
            return None

    async def line(self, seconds):
        """Returns the next line, or None at the end of the output. Raises `asyncio.TimeoutError` after `seconds`."""
        line = await asyncio.wait_for(self.process.stdout.readline(), seconds)
        return line.decode(errors="replace").rstrip("\n") if line else None


class Progress:
    """Prints a line every ten seconds."""

    def __init__(self):
        self.start = self.shown = time.monotonic()

    def show(self, done, total, case):
        now = time.monotonic()
        if now - self.shown >= 10:
            self.shown = now
            print(f"{done} of {total} cases, last {case}, {now - self.start:.0f} s", flush=True)
