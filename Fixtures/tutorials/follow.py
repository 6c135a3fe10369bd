"""Follows the tutorials as a reader does: follow.py ROOT WORK JSON [NAME…]

A line such as **`Sources/App/main.swift`** above a fence is a file, a fence `sh` is a step in one shell, and a fence `text` right
after it is the step's output, shortened: the output must contain its lines, in any order, since programs print concurrently. `…`
matches any text. Times, dates and IDs may differ. `sh fails` is a step whose exit code isn't 0; `sh no-check` isn't run.

Each tutorial begins in a folder that is empty except for `.build`, which all tutorials share, so that dependencies are compiled once.
The dependency on swift-net becomes the one at ROOT, and the ports 8080 and 8081 become free ones.
"""
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import time

ORDER = ["first-call", "openapi-client", "tests-that-replay", "chat", "looking-at-what-happened", "downloads-that-survive"]
STEP_SECONDS = 1800
# A server in the background may print a moment later.
PRINT_SECONDS = 20


def parts(text):
    """Yields ("file", path, text), ("step", flag, commands) and ("printed", "", text)."""
    path, fence, lines = None, None, []
    for line in text.splitlines():
        if fence is None:
            if found := re.match(r"\*\*`([^`]+)`\*\*$", line):
                path = found[1]
            elif found := re.match(r"```(\w*) ?(.*)$", line):
                fence, lines = (found[1], found[2]), []
        elif line != "```":
            lines.append(line)
        else:
            body = "\n".join(lines) + "\n"
            if path:
                yield "file", path, body
            elif fence[0] == "sh" and fence[1] != "no-check":
                yield "step", fence[1], body
            else:
                yield ("printed" if fence[0] == "text" else "other"), "", body
            path, fence = None, None


def plain(line):
    """Returns a line without the parts that differ from run to run."""
    line = re.sub(r"\b[0-9a-f]{32}\b", "TOKEN", line)
    line = re.sub(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", "ID", line)
    line = re.sub(r"\b(?=[0-9a-f]*\d)[0-9a-f]{8}\b", "ID", line)
    line = re.sub(r"\d{4}-\d\d-\d\d", "DATE", line)
    line = re.sub(r"(?<!\d)\d{1,2}:\d\d(:\d\d(\.\d+)?)?(\s?[AP]M)?(?!\d)", "TIME", line)
    line = re.sub(r"\d+(\.\d+)? ?(ms|µs|s|seconds)\b", "DURATION", line)
    return re.sub(r"\s+", " ", line).strip()


def missing(printed, output):
    """Returns the first line that the output lacks; None if it has all. Each line of the output counts once."""
    found = [plain(line) for line in output.splitlines()]
    for line in printed.splitlines():
        wanted = plain(line)
        if wanted in ("", "…"):
            continue
        pattern = re.compile(".*".join(re.escape(part) for part in wanted.split("…")))
        match = next((each for each in found if pattern.fullmatch(each)), None)
        if match is None:
            return line
        found.remove(match)
    return None


def free_port():
    with socket.socket() as each:
        each.bind(("127.0.0.1", 0))
        return str(each.getsockname()[1])


class Reader:
    def __init__(self, root, work, name):
        self.root, self.name = root, name
        self.folder, self.log = work / "package", work / name
        ports = {"8080": free_port(), "8081": free_port()}
        text = (root / "docs/tutorials" / f"{name}.md").read_text()
        text = re.sub(r"\b808[01]\b", lambda found: ports[found[0]], text)
        url = "https://github.com/swift-net/swift-net"
        text = re.sub(rf'\.package\(url: "{url}", from: "[^"]*"', f'.package(name: "swift-net", path: "{root}"', text)
        self.parts = list(parts(text.replace(f"--package {url}", f"--package {root}")))

    def clean(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        for each in self.folder.iterdir():
            if each.name != ".build":
                shutil.rmtree(each) if each.is_dir() and not each.is_symlink() else each.unlink()
        # Otherwise SwiftPM doesn't notice which files have come and gone.
        (self.folder / ".build/debug.yaml").unlink(missing_ok=True)
        shutil.rmtree(self.log, ignore_errors=True)
        self.log.mkdir(parents=True)

    def follow(self):
        """Yields each step: its number, its first line, and what is wrong with it."""
        self.clean()
        environment = {**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1", "NO_COLOR": "1", "TERM": "dumb",
                       "XDG_STATE_HOME": str(self.log / "state")}
        environment.pop("NET_CASSETTES", None)
        environment.pop("CI", None)
        quiet = subprocess.DEVNULL
        # Line-buffered, so that a program's lines appear as soon as it prints them, as in a terminal.
        shell = subprocess.Popen(["stdbuf", "-oL", "bash"], cwd=self.folder, env=environment, stdin=subprocess.PIPE, stdout=quiet,
                                 stderr=quiet, text=True, start_new_session=True)
        try:
            number = 0
            for index, (kind, what, body) in enumerate(self.parts):
                if kind == "file":
                    file = self.folder / what
                    file.parent.mkdir(parents=True, exist_ok=True)
                    file.write_text(body)
                elif kind == "step":
                    number += 1
                    after = self.parts[index + 1] if index + 1 < len(self.parts) else ("other", "", "")
                    printed = after[2] if after[0] == "printed" else ""
                    problem = self.run(shell, number, body, what == "fails", printed)
                    yield number, body.splitlines()[0], problem
                    if problem:
                        return
        finally:
            os.killpg(shell.pid, signal.SIGKILL)
            shell.wait()

    def run(self, shell, number, commands, fails, printed):
        # All steps share one file, like a terminal: programs in the background continue to print.
        output, code = self.log / "terminal.out", self.log / f"{number}.code"
        start = output.stat().st_size if output.exists() else 0
        shell.stdin.write(f"{{\n{commands}}} >>{output} 2>&1 </dev/null\necho $? >{code}\n")
        shell.stdin.flush()
        end = time.monotonic() + STEP_SECONDS
        while not (code.exists() and code.read_text().strip()):
            if time.monotonic() > end or shell.poll() is not None:
                return f"it doesn't end; see {output}"
            time.sleep(0.1)
        if (code.read_text().strip() != "0") != fails:
            return f"exit code {code.read_text().strip()}; see {output}"
        end = time.monotonic() + PRINT_SECONDS
        while line := missing(printed, output.read_bytes()[start:].decode(errors="replace")):
            if time.monotonic() > end:
                return f'it doesn\'t print "{line}"; see {output}'
            time.sleep(0.2)
        return None


def main():
    root, work, report = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]
    passed, total, verdicts = 0, 0, []
    for name in sys.argv[4:] or ORDER:
        reader, start = Reader(root, work, name), time.monotonic()
        count, good = sum(kind == "step" for kind, _, _ in reader.parts), 0
        for number, line, problem in reader.follow():
            print(f"{'FAIL' if problem else 'ok  '} {name} {number}: {line}{': ' + problem if problem else ''}", flush=True)
            good += not problem
            verdicts.append({"name": f"{name} {number}", "passed": not problem})
        print(f"{name}: {good} of {count} steps, {time.monotonic() - start:.0f} s", flush=True)
        passed, total = passed + good, total + count
    if report:
        pathlib.Path(report).write_text(json.dumps({"passed": passed, "total": total, "cases": verdicts}) + "\n")
    print(f"passed {passed} of {total}")
    sys.exit(0 if passed == total and total > 0 else 1)


main()
