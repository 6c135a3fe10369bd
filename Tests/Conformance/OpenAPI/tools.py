"""The generator and the compiler, with their time and memory."""
import glob
import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
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


def run(arguments, log):
    """Runs a program to its end. The memory in the result is that of its largest process."""
    start = time.monotonic()
    with open(log, "wb") as file:
        process = subprocess.Popen([str(argument) for argument in arguments], stdout=file, stderr=file)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    scale = 1024 * 1024 if sys.platform == "darwin" else 1024
    return Outcome(process.returncode, time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / scale)


class Tools:
    """The paths of the tools. NET_GENERATOR and NET_MODULES are paths of already built ones."""

    FEATURES = ["ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault", "InferIsolatedConformances",
                "NonisolatedNonsendingByDefault"]

    def __init__(self, root):
        self.root = root
        self.folder = root / ".build-conformance" / "openapi" / "documents"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.generator = os.environ.get("NET_GENERATOR", "")
        self.samples = Path(self.generator).parent / "openapi-samples" if self.generator else None
        self.modules = Path(os.environ["NET_MODULES"]) if os.environ.get("NET_MODULES") else None

    def build(self, with_modules):
        if not self.generator:
            scratch = self.root / ".build-conformance" / "openapi" / "generator"
            self.swift_build(scratch, ["-c", "release", "--product", "net-openapi-generate"])
            self.generator = scratch / "release" / "net-openapi-generate"
            self.swift_build(scratch, ["--product", "openapi-samples"])
            self.samples = scratch / "debug" / "openapi-samples"
        if with_modules and not self.modules:
            scratch = self.root / ".build-conformance" / "openapi" / "modules"
            self.swift_build(scratch, ["--target", "NetOpenAPIRuntime"])
            self.modules = scratch / "debug"

    def swift_build(self, scratch, arguments):
        log = self.folder.parent / "build.log"
        command = ["swift", "build", "--package-path", self.root, "--scratch-path", scratch, *arguments]
        if run(command, log).code != 0:
            print("\n".join(self.errors(log)), file=sys.stderr)
            die(f"the build failed; the whole log: {log}")

    def compile(self, sources, module, build, log):
        """Compiles a module that is isolated to the main actor, as a debug build with warnings as errors."""
        build.mkdir(parents=True, exist_ok=True)
        here = os.getcwd()
        os.chdir(build)
        try:
            features = [word for name in self.FEATURES for word in ("-enable-upcoming-feature", name)]
            return run(["swiftc", "-swift-version", "6", "-Onone", "-g", "-enable-batch-mode", "-j2", "-parse-as-library",
                        "-emit-object", "-emit-module", "-module-name", module, "-I", self.modules / "Modules",
                        "-default-isolation", "MainActor", "-warnings-as-errors", *features, *sources], log)
        finally:
            os.chdir(here)

    def link(self, sources, build, program, log):
        """Compiles a program against the built modules, and links it."""
        objects = glob.glob(str(build / "*.o"))
        for name in ["NetOpenAPIRuntime", "NetCore", "HTTPTypes", "Logging"]:
            found = glob.glob(str(self.modules / f"{name}.build" / "**" / "*.o"), recursive=True)
            # A renamed file leaves its old object behind.
            own = {path.name for path in (Path(self.root) / "Sources" / name).rglob("*.swift")}
            objects += [path for path in found if not own or Path(path).name[:-2] in own]
        return run(["swiftc", "-swift-version", "6", "-Onone", "-I", self.modules / "Modules", "-I", build, "-o", program,
                    *sources, *objects], log)

    @staticmethod
    def errors(log, count=4):
        lines = [line.strip() for line in open(log, errors="replace") if "error:" in line]
        return list(dict.fromkeys(lines))[:count]


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
        scratch, log = root / ".build-all", folder / "server.log"
        # The flags of scripts/lib.sh: others would compile everything again.
        command = ["env", "SWIFT_DETERMINISTIC_HASHING=1", "swift", "build", *os.environ["NET_BUILD_FLAGS"].splitlines(), "--product",
                   "openapi-server"]
        if run(command, log).code != 0:
            print("\n".join(Tools.errors(log)), file=sys.stderr)
            die(f"the server does not build; the whole log: {log}")
        self.path = str(scratch / "debug" / "openapi-server")

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
