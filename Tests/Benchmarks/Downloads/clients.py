"""The programs that transfer files: their command lines, and the cost of a run."""
import os
import resource
import shutil
import subprocess
import time
from dataclasses import dataclass


class Failed(Exception):
    """A program that didn't do its work."""


@dataclass
class Cost:
    #: Seconds.
    wall: float
    #: Seconds of user and system time.
    cpu: float
    #: The maximum resident memory in bytes.
    peak: int


def cost(command, folder, expected=None):
    """Runs a command in an emptied folder and returns its cost. `expected` has the names and sizes of the files that it must write."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    # Flushes the files of earlier runs, so that they don't add to the cost of this one.
    os.sync()
    begin = time.monotonic()
    process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise Failed(f"{os.path.basename(command[0])} ended with {process.returncode}: {errors.decode()[-300:]}")
    for name, size in (expected or {}).items():
        path = f"{folder}/{name}"
        if not os.path.exists(path) or os.path.getsize(path) != size:
            raise Failed(f"{os.path.basename(command[0])} did not load {name}")
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


class Ours:
    name = "ours"

    def __init__(self, programs):
        self.program = f"{programs}/net-get"

    def one(self, url, server, *more):
        trust = ["--ca-file", server.certificate] if url.startswith("https") else []
        return [self.program, "--quiet", *trust, *more, url]

    def upload(self, path, url, server, *more):
        trust = ["--ca-file", server.certificate] if url.startswith("https") else []
        return [self.program, "--quiet", "--state", "state", "--upload", path, "--method", "PUT", *trust, *more, url]

    def many(self, urls, folder, *more):
        return [self.program, "--quiet", "--files", "16", "--input-file", listing(urls, folder), *more]


class Curl:
    name = "curl"

    def one(self, url, server, *more):
        trust = ["--cacert", server.certificate] if url.startswith("https") else []
        return ["curl", "--silent", "--show-error", "--fail", "--remote-name", *trust, *more, url]

    def upload(self, path, url, server, *more):
        trust = ["--cacert", server.certificate] if url.startswith("https") else []
        return ["curl", "--silent", "--show-error", "--fail", "--upload-file", path, *trust, *more, url]

    def many(self, urls, folder, *more):
        path = f"{folder}/curl.txt"
        with open(path, "w") as file:
            for url in urls:
                file.write(f'url = "{url}"\nremote-name\n')
        return ["curl", "--silent", "--show-error", "--fail", "--parallel", "--parallel-max", "16", *more, "--config", path]


class Aria2:
    name = "aria2"

    def one(self, url, server, *more):
        trust = [f"--ca-certificate={server.certificate}"] if url.startswith("https") else []
        return ["aria2c", "--quiet", "--no-conf", "--file-allocation=none", *trust, *more, url]

    def many(self, urls, folder, *more):
        return ["aria2c", "--quiet", "--no-conf", "--file-allocation=none", "-j16", "-i", listing(urls, folder), *more]


def listing(urls, folder):
    path = f"{folder}/urls.txt"
    with open(path, "w") as file:
        file.write("\n".join(urls) + "\n")
    return path


def openssl_digest(path):
    """The CPU seconds that openssl takes for the SHA-256 of a file, and the digest."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = subprocess.run(["openssl", "dgst", "-sha256", "-r", path], check=True, capture_output=True, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, text.split()[0]
