#!/usr/bin/env python3
"""The cases of scripts/conformance transfers. Usage: check.py PROGRAM WORK [JSON]

PROGRAM is net-get, WORK an empty folder. Each file is loaded by net-get, curl, wget and aria2c from the same server; the table
shows who has the right bytes. Then only net-get: files that exist already, and runs that are killed.
"""
import gzip
import hashlib
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

PROGRAM, WORK = sys.argv[1], Path(sys.argv[2]).absolute()
OUTPUT = sys.argv[3] if len(sys.argv) > 3 else None
KILLS = 20
DATE = 1_700_000_000

random.seed(57)
verdicts = []
processes = []


def note(name, ok, detail=""):
    verdicts.append({"case": name, "passed": bool(ok), "detail": detail})
    if not ok:
        print(f"FAILED  {name}: {detail}", flush=True)


def digest(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest() if Path(path).is_file() else None


# Servers


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port):
    for _ in range(500):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return port
        time.sleep(0.02)
    sys.exit(f"transfers: nothing listens on port {port}")


def start(*command, **options):
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, **options)
    processes.append(process)
    return process


def apache(files):
    port, home = free_port(), WORK / "apache"
    home.mkdir()
    modules = "\n".join(f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so"
                        for name in ["mpm_event", "authz_core", "mime", "alias"])
    (home / "conf").write_text(f"""
ServerName localhost
Listen 127.0.0.1:{port}
DefaultRuntimeDir {home}
PidFile {home}/pid
ErrorLog {home}/log
User nobody
Group nogroup
{modules}
TypesConfig /dev/null
AddType text/html .html
AddType application/json .json
AddType application/x-tar .tar
AddEncoding x-gzip .gz .tgz
DocumentRoot {files}
<Directory "/">
Require all granted
</Directory>
Alias /untagged {files}
<Location /untagged>
FileETag None
</Location>
""")
    start("apache2", "-X", "-f", str(home / "conf"))
    return f"http://127.0.0.1:{wait_for(port)}"


def nginx(files):
    port, home = free_port(), WORK / "nginx"
    home.mkdir()
    (home / "conf").write_text(f"""
daemon off; pid {home}/pid; error_log {home}/log; events {{}}
http {{ access_log off; client_body_temp_path {home}/a; proxy_temp_path {home}/b; fastcgi_temp_path {home}/c;
uwsgi_temp_path {home}/d; scgi_temp_path {home}/e; types {{ text/html html; application/json json; }}
server {{ listen 127.0.0.1:{port}; root {files};
location /untagged/ {{ alias {files}/; etag off; }}
location ~ \\.gz$ {{ add_header Content-Encoding gzip; }} }} }}
""")
    start("nginx", "-p", str(home), "-c", str(home / "conf"), "-e", str(home / "log"))
    return f"http://127.0.0.1:{wait_for(port)}"


def python(files):
    port = free_port()
    start(sys.executable, "-m", "http.server", "-b", "127.0.0.1", "-d", str(files), str(port),
          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return f"http://127.0.0.1:{wait_for(port)}"


def hostile(files):
    process = start(sys.executable, str(Path(__file__).parent / "hostile.py"), str(files), stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL, text=True)
    return f"http://127.0.0.1:{wait_for(int(process.stdout.readline()))}"


# Clients


def run(*arguments, timeout=60, **options):
    return subprocess.run([str(argument) for argument in arguments], stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=timeout, **options)


def net_get(*arguments, timeout=60):
    return run(PROGRAM, *arguments, "--state", WORK / "state", timeout=timeout)


def load(client, url, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    match client:
        case "net-get":
            return net_get("-o", path, url)
        case "curl":
            return run("curl", "-sSfL", "--retry", "5", "--retry-all-errors", "--retry-delay", "0", "-C", "-", "-o", path, url)
        case "wget":
            return run("wget", "-q", "-c", "--waitretry=0", "-O", path, url)
        case "aria2c":
            return run("aria2c", "-q", "--allow-overwrite", "--retry-wait=0", "--file-allocation=none", "-d", path.parent, "-o",
                       path.name, url)


CLIENTS = ["net-get", "curl", "wget", "aria2c"]


def table(server, base, wanted):
    """Loads each file with each client. `wanted` has the right bytes for each path; None if nobody can get them, so that there must be
    no file."""
    for path, right in wanted.items():
        row = []
        for client in CLIENTS:
            target = WORK / "loaded" / client / server / path.replace("/", "-") / path.split("/")[-1]
            try:
                result = load(client, f"{base}/{path}", target)
                same = digest(target) == (hashlib.sha256(right).hexdigest() if right is not None else None)
                row.append(f"exit {result.returncode}" if result.returncode else "right" if same else "wrong")
                if client == "net-get":
                    note(f"{server} {path}", same and (result.returncode == 0) == (right is not None), result.stderr.decode()[-300:])
            except subprocess.TimeoutExpired:
                row.append("hangs")
                if client == "net-get":
                    note(f"{server} {path}", False, "it hangs")
        print(f"{server + ' ' + path:44}" + "".join(f"{cell:10}" for cell in row), flush=True)


# Files that exist already


def write(path, data, date):
    """Replaces a file on a server in one step."""
    new = path.with_name(path.name + ".new")
    new.write_bytes(data)
    os.utime(new, (date, date))
    new.rename(path)


def existing(server, base, files, form=""):
    """Each case: what happens between two runs with --existing ask, and whether the file is loaded again."""
    first, second = random.randbytes(3_000_000), random.randbytes(3_000_000)
    name = f"asked-{server}{form.strip('/')}.bin"
    url = f"{base}/{form}{name}"

    def rewrite(copy):
        date = copy.stat()
        with copy.open("r+b") as file:
            file.write(b"changed here")
        os.utime(copy, ns=(date.st_atime_ns, date.st_mtime_ns))

    cases = {
        "nothing changed": (lambda copy: None, first, False),
        "a newer version": (lambda copy: write(files / name, second, DATE + 86_400), second, True),
        "an older version": (lambda copy: write(files / name, second, DATE - 86_400), second, True),
        "changed here": (rewrite, first, True),
        "replaced here": (lambda copy: (copy.unlink(), copy.write_bytes(second)), first, True),
        "removed here": (lambda copy: copy.unlink(), first, True),
    }
    for dates in [[], ["--keep-date"]]:
        for title, (change, right, loads) in cases.items():
            folder = WORK / "asked" / f"{server}-{form.strip('/')}-{title}-{len(dates)}"
            copy = folder / name
            write(files / name, first, DATE)
            one = net_get("-o", copy, "--existing", "ask", *dates, url)
            change(copy)
            before = copy.stat().st_ino if copy.exists() else None
            two = net_get("-o", copy, "--existing", "ask", *dates, url)
            same = copy.exists() and copy.read_bytes() == right
            again = copy.exists() and copy.stat().st_ino != before
            note(f"ask {server} {form}{title} {' '.join(dates)}",
                 one.returncode == 0 and two.returncode == 0 and same and again == loads,
                 f"bytes right: {same}, loaded again: {again} instead of {loads}; {two.stderr.decode()[-200:]}")
            # A third run finds the version that the second one left.
            inode = copy.stat().st_ino if copy.exists() else None
            three = net_get("-o", copy, "--existing", "ask", *dates, url)
            note(f"ask {server} {form}{title} {' '.join(dates)} again",
                 three.returncode == 0 and copy.exists() and copy.stat().st_ino == inode, "it was loaded a third time")


# Kills


def killed(title, right, target, command, url, before=lambda: None):
    """Runs a command until it completes, and kills it again and again; the file must be right in the end."""
    kills = rounds = 0
    while kills < KILLS:
        rounds += 1
        before()
        while True:
            process = subprocess.Popen([PROGRAM, *command, "--state", str(WORK / "state"), "--limit-rate", "24M", url(kills)],
                                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            try:
                process.wait(random.uniform(0.05, 0.5) if kills < KILLS else 60)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
                kills += 1
                continue
            if process.returncode == 0 or rounds > KILLS:
                break
            if process.returncode != 1:
                break
        note(f"{title}, round {rounds}", digest(target) == hashlib.sha256(right).hexdigest(),
             process.stderr.read().decode()[-300:])
        if rounds > KILLS * 3:
            break
    note(f"{title}, {KILLS} kills", kills >= KILLS, f"only {kills} kills")


def main():
    files = WORK / "files"
    files.mkdir(mode=0o755)
    text = b"".join(b"%d a line of a page that repeats\n" % number for number in range(20_000))
    archive = gzip.compress(random.randbytes(12_000_000), compresslevel=1)
    film = random.randbytes(12_000_000)
    contents = {"archive.tar.gz": archive, "archive.tgz": archive, "film.mp4": film, "page.html": text,
                "data.json": b"[" + b"1234, " * 50_000 + b"1]", "empty.bin": b"", "archive.tar.bz2": film}
    for name, data in contents.items():
        write(files / name, data, DATE)
    print(f"{'':44}" + "".join(f"{client:10}" for client in CLIENTS))
    bases = {"apache": apache(files), "nginx": nginx(files), "python": python(files)}
    for server, base in bases.items():
        table(server, base, contents)
    base = hostile(files)
    table("hostile", base, {
        "labels/archive.tar.gz": archive, "labels-cut/archive.tar.gz": archive, "labels-bzip2/archive.tar.bz2": film,
        "labels-wrong/page.html": text, "labels-utf8/page.html": text, "packs/page.html": text,
        "packs/data.json": contents["data.json"], "cuts/film.mp4": film, "no-ranges/film.mp4": film,
        "other-part/film.mp4": None, "no-length/film.mp4": film, "moves/film.mp4": film, "weak/film.mp4": film,
        "busy/film.mp4": film, "plain/empty.bin": b"",
    })
    for name, value in [("right", hashlib.sha256(archive).hexdigest()), ("wrong", "ab" * 32)]:
        target = WORK / "checked" / name / "archive.tar.gz"
        result = net_get("-o", target, "--checksum", f"sha-256={value}", f"{bases['apache']}/archive.tar.gz")
        note(f"checksum {name}", (result.returncode == 0) == (name == "right") and target.exists() == (name == "right"),
             result.stderr.decode()[-200:])
    for server, base_url in bases.items():
        existing(server, base_url, files)
        if server != "python":
            existing(server, base_url, files, "untagged/")
    out = WORK / "killed"

    def fresh(name):
        return lambda: shutil.rmtree(out / name, ignore_errors=True)

    for server in ["apache", "nginx"]:
        target = out / server / "archive.tar.gz"
        killed(f"an archive of {server}, killed", archive, target, ["-o", str(target)],
               lambda _, server=server: f"{bases[server]}/archive.tar.gz", fresh(server))
        asked = out / f"asked-{server}" / "film.mp4"
        other = random.randbytes(12_000_000)

        def replaced(asked=asked, server=server):
            write(files / "film.mp4", film, DATE)
            net_get("-o", asked, "--existing", "ask", f"{bases[server]}/film.mp4")
            write(files / "film.mp4", other, DATE - 5)

        killed(f"an asked file of {server}, killed", other, asked, ["-o", str(asked), "--existing", "ask"],
               lambda _, server=server: f"{bases[server]}/film.mp4", replaced)
    write(files / "film.mp4", film, DATE)
    expiring = out / "expiring" / "film.mp4"
    count = iter(range(10_000))
    killed("links that expire, killed", film, expiring, ["-o", str(expiring)],
           lambda _: f"{base}/expires/{next(count)}/film.mp4", fresh("expiring"))


try:
    main()
finally:
    for process in processes:
        process.kill()
passed = sum(verdict["passed"] for verdict in verdicts)
if OUTPUT:
    Path(OUTPUT).write_text(json.dumps(verdicts, indent=1))
print(f"passed {passed} of {len(verdicts)}")
sys.exit(passed != len(verdicts))
