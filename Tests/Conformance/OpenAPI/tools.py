"""The generator and the compiler, with their time and memory."""
import glob
import hashlib
import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path


def die(message):
    print(f"openapi: {message}", file=sys.stderr)
    sys.exit(1)


@dataclass
class Outcome:
    code: int
    wall: float
    cpu: float
    megabytes: float


def run(arguments, log, folder=None):
    """Runs a program to its end. The memory in the result is that of its largest process."""
    start = time.monotonic()
    with open(log, "wb") as file:
        process = subprocess.Popen([str(argument) for argument in arguments], stdout=file, stderr=file, cwd=folder)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    scale = 1024 * 1024 if sys.platform == "darwin" else 1024
    return Outcome(process.returncode, time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / scale)


def concurrently(function, items):
    """Yields the result for each item, in order; as many calls run concurrently as the machine has cores."""
    with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        yield from pool.map(function, items)


class Tools:
    """The paths of the tools. NET_GENERATOR and NET_MODULES are paths of already built ones.

    NET_MODULES is a folder of products. Without it, `.build-all` is used, and built if necessary.
    """

    FEATURES = ["ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault", "InferIsolatedConformances",
                "NonisolatedNonsendingByDefault"]
    STRICT = ["-warnings-as-errors", *(word for name in FEATURES for word in ("-enable-upcoming-feature", name))]
    # A module in one piece, without debug information: half the compiler's time.
    SWIFTC = ["swiftc", "-swift-version", "6", "-Onone", "-gnone", "-wmo", "-no-emit-module-separately-wmo"]

    def __init__(self, root):
        self.root = root
        self.folder = root / ".build-conformance" / "openapi" / "documents"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.generator = os.environ.get("NET_GENERATOR", "")
        self.samples = Path(self.generator).parent / "openapi-samples" if self.generator else None
        self.modules = Path(os.environ["NET_MODULES"]) if os.environ.get("NET_MODULES") else None

    def build(self, with_modules, configuration="release"):
        """Builds the programs whose paths aren't set. The generator is measured, so it's optimized by default."""
        if not self.generator:
            scratch = self.root / ".build-conformance" / "openapi" / "generator"
            self.swift_build(scratch, ["-c", configuration, "--product", "net-openapi-generate"])
            self.generator = scratch / configuration / "net-openapi-generate"
            self.swift_build(scratch, ["--product", "openapi-samples"])
            self.samples = scratch / "debug" / "openapi-samples"
        if not with_modules:
            return
        if not self.modules:
            for part in (["--product", "net-get"], ["--target", "NetOpenAPIRuntime"]):
                build_all(part, self.folder.parent / "build.log")
            self.modules = self.root / ".build-all" / "debug"
        # Everything that a compiled module depends on, apart from its sources and flags.
        version = subprocess.run(["swiftc", "--version"], capture_output=True).stdout
        self.basis = hashlib.sha256(version)
        for name in ["NetOpenAPIRuntime", "NetHTTP", "NetCore", "HTTPTypes"]:
            self.basis.update((self.modules / "Modules" / f"{name}.swiftmodule").read_bytes())

    def swift_build(self, scratch, arguments):
        log = self.folder.parent / "build.log"
        must_build(["swift", "build", "--package-path", self.root, "--scratch-path", scratch, *arguments], log)

    def compile(self, sources, module, build, log, flags, imported=()):
        """Compiles a module to an object. If nothing changed since the last time, returns the outcome of that time.

        `imported` are files of modules that it may import.
        """
        build.mkdir(parents=True, exist_ok=True)
        command = [*self.SWIFTC, "-parse-as-library", "-emit-object", "-emit-module", "-module-name", module,
                   *self.search_paths(), *(word for file in imported for word in ("-I", file.parent)), *flags, *sources]
        key = self.basis.copy()
        key.update("\n".join(map(str, command)).encode())
        for file in [*sources, *imported]:
            key.update(file.read_bytes())
        stamp = build / f"{module}.json"
        try:
            kept = json.loads(stamp.read_text())
            if kept["key"] == key.hexdigest():
                return Outcome(**kept["outcome"])
        except (OSError, ValueError, KeyError, TypeError):
            pass
        stamp.unlink(missing_ok=True)
        outcome = run(command, log, build)
        if outcome.code == 0:
            stamp.write_text(json.dumps({"key": key.hexdigest(), "outcome": asdict(outcome)}))
        return outcome

    def link(self, sources, folders, program, log, objects, flags=()):
        """Compiles a program against the built modules and those in some folders, and links it."""
        paths = [word for folder in folders for word in ("-I", folder)]
        return run([*self.SWIFTC, *self.search_paths(), *paths, *flags, "-o", program, *sources, *objects], log)

    def search_paths(self):
        # NetHTTP's module refers to those of system libraries.
        maps = [f"-fmodule-map-file={path}" for path in sorted((self.root / "Sources").glob("*/module.modulemap"))]
        return ["-I", self.modules / "Modules", *(word for each in maps for word in ("-Xcc", each))]

    def objects(self, *names):
        """Returns the objects of modules."""
        found = []
        for name in names:
            # A renamed file leaves its old object behind.
            own = {path.name for path in (Path(self.root) / "Sources" / name).rglob("*.swift")}
            found += [path for path in glob.glob(str(self.modules / f"{name}.build" / "**" / "*.o"), recursive=True)
                      if not own or Path(path).name[:-2] in own]
        return found

    def http_objects(self):
        """Returns the objects of NetHTTP and all that it needs with the traits of this build: what net-get is linked from."""
        files = (self.modules / "net-get.product" / "Objects.LinkFileList").read_text().splitlines()
        return [path.strip("'\"") for path in files if "/net_get.build/" not in path]

    def runtime_library(self):
        """Links what generated models need into a library, so that each program is linked in a fraction of the time."""
        library = self.folder / "libNetOpenAPIRuntime.so"
        objects = self.objects("NetOpenAPIRuntime", "NetCore", "HTTPTypes", "Logging")
        must_build(["swiftc", "-emit-library", "-o", library, *objects], self.folder / "library.log")
        return [library, "-Xlinker", "-rpath", "-Xlinker", self.folder]

    @staticmethod
    def errors(log, count=4):
        lines = [line.strip() for line in open(log, errors="replace") if "error:" in line]
        return list(dict.fromkeys(lines))[:count]


def must_build(command, log):
    if run(command, log).code != 0:
        print("\n".join(Tools.errors(log)), file=sys.stderr)
        die(f"the build failed; the whole log: {log}")


def build_all(part, log):
    """Builds a part of the package in `.build-all` with the flags of scripts/lib.sh: others would compile everything again."""
    flags = os.environ["NET_BUILD_FLAGS"].splitlines()
    must_build(["env", "SWIFT_DETERMINISTIC_HASHING=1", "swift", "build", *flags, *part], log)


def corpus(root, data):
    """Returns the documents as entries of a manifest with their files, the small ones first; NET_OPENAPI chooses some by id."""
    folder = Path(data) if data else root / "Fixtures" / "openapi"
    if (folder / "openapi-corpus").is_dir():
        folder = folder / "openapi-corpus"
    manifest = folder / "manifest.json"
    if manifest.is_file():
        entries = json.loads(manifest.read_text())
        for entry in entries:
            entry["folder"] = folder / entry["id"]
            entry["file"] = entry["folder"] / entry["root"]
    else:
        files = sorted(path for path in folder.iterdir() if path.suffix in (".yaml", ".yml", ".json"))
        entries = [{"id": path.stem, "file": path, "folder": folder, "bytes": path.stat().st_size} for path in files]
    wanted = [name for name in os.environ.get("NET_OPENAPI", "").split(",") if name]
    if unknown := set(wanted) - {entry["id"] for entry in entries}:
        die(f"there is no document {', '.join(sorted(unknown))}")
    return sorted((entry for entry in entries if not wanted or entry["id"] in wanted), key=lambda entry: entry["bytes"])


class ServerProgram:
    """The program that serves documents and checks values. NET_OPENAPI_SERVER is its path if it is already built."""

    def __init__(self, root, folder):
        self.path = os.environ.get("NET_OPENAPI_SERVER", "")
        if self.path:
            return
        build_all(["--product", "openapi-server"], folder / "server.log")
        self.path = str(root / ".build-all" / "debug" / "openapi-server")

    def ask(self, document, folder, tasks):
        """Returns the results of tasks on the schemas of a document, one for each."""
        return self.run(["check", document, folder], tasks) if tasks else []

    def run(self, arguments, tasks):
        """Returns the results of tasks, one for each; it is an error if the program ends before the last one."""
        text = "".join(json.dumps(task) + "\n" for task in tasks)
        result = subprocess.run([self.path, *arguments], input=text, capture_output=True, text=True)
        answers = [json.loads(line) for line in result.stdout.split("\n") if line]
        if result.returncode != 0 or len(answers) != len(tasks):
            die(f"{' '.join(map(str, arguments))}: {len(answers)} of {len(tasks)} tasks were answered: "
                f"{result.stderr.strip()[-300:]}")
        return answers
