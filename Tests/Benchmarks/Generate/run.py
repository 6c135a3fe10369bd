#!/usr/bin/env python3
"""Measures the generator and its output beside those of the last commit, and the parsers beside libyaml and Foundation.

Called by scripts/bench.d/generate, which builds the programs. NET_DATA is the folder with the real documents; without
it, only the documents of the package are generated.
"""
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from command import Command  # noqa: E402

COMMAND = Command("generate", seconds=1)
ROOT = HERE.parent.parent.parent
TREES = ["ours", "committed"]
FEATURES = ["ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault", "InferIsolatedConformances",
            "NonisolatedNonsendingByDefault"]


class Failed(Exception):
    """A run without figures."""


class Document:
    """A document from which code is generated and compiled."""

    def __init__(self, name, path):
        self.name, self.path = name, path


class Parser:
    """A parser, and the one that it is compared with, if any."""

    def __init__(self, name, peer=None, file=None):
        self.name, self.peer, self.file = name, peer, file


def documents():
    found = [Document(name, ROOT / "Fixtures" / "openapi" / f"{name}.yaml") for name in ("harbour-books", "parcel-depot")]
    corpus = Path(os.environ.get("NET_DATA", "/nowhere")) / "openapi-corpus"
    for name in ("spotify", "openai-1.2.0", "stripe-2021"):
        files = sorted(corpus.glob(f"{name}/**/*.*"), key=lambda file: -file.stat().st_size)
        found += [Document(name, file) for file in files[:1] if file.suffix in (".json", ".yaml", ".yml")]
    return found


def run(command, folder=None):
    """Runs a program; returns the CPU seconds of it and its children."""
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen([str(part) for part in command], cwd=folder, stdout=log, stderr=log)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            log.seek(0)
            raise Failed(f"{Path(command[0]).name}: {log.read().decode(errors='replace').strip()[-300:]}")
    return usage.ru_utime + usage.ru_stime


def generate(programs, tree, document, output):
    shutil.rmtree(output, ignore_errors=True)
    return run([programs / tree / "release" / "net-openapi-generate", document.path, "--output", output])


def compile_output(programs, tree, output, build):
    shutil.rmtree(build, ignore_errors=True)
    build.mkdir(parents=True)
    features = [word for name in FEATURES for word in ("-enable-upcoming-feature", name)]
    modules = programs / f"{tree}-modules" / "debug" / "Modules"
    return run(["swiftc", "-swift-version", "6", "-Onone", "-g", "-enable-batch-mode", "-j2", "-parse-as-library",
                "-emit-object", "-emit-module", "-module-name", "Output", "-I", modules, *features,
                *sorted(output.glob("*.swift"))], build)


def speed(programs, parser, which, file, seconds):
    """The speed of a parser in megabytes per second."""
    if which == "libyaml":
        command = [programs / "parsers" / "release" / "bench-yaml-floor", file, seconds]
    else:
        command = [programs / "parsers" / "release" / "bench-parsers", which, file or "-", seconds]
    process = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=seconds + 120)
    if process.returncode != 0:
        raise Failed(f"{which}: {process.stderr.strip()[-200:] or f'exit {process.returncode}'}")
    return float(process.stdout) / 1e6


def measured(rounds, one, other=None):
    """The medians of both, and of their ratios; the order alternates from round to round. Without the other, one median."""
    if not other:
        return (statistics.median(one() for _ in range(rounds)),)
    pairs = []
    for number in range(rounds):
        pairs.append((one(), other()) if number % 2 == 0 else tuple(reversed((other(), one()))))
    ours, theirs = (statistics.median(values) for values in zip(*pairs))
    return ours, theirs, statistics.median(a / b for a, b in pairs)


def row(entries, name, unit, ours, other=None, ratio=None):
    shown = f"{other:>10.2f} {ratio:>7.3f}" if other is not None else f"{'-':>10} {'-':>7}"
    print(f"{name:<28} {unit:<10} {ours:>10.2f} {shown}", flush=True)
    entries.append({"workload": name, "unit": unit, "ours": round(ours, 3)}
                   | ({"other": round(other, 3), "ratio": round(ratio, 3)} if other is not None else {}))


def main():
    arguments = COMMAND.read_arguments()
    programs = Path(arguments.programs)
    parsers = [Parser("json", "json-foundation"), Parser("yaml", "libyaml"), Parser("sse"), Parser("multipart"),
               Parser("fields")]
    chosen = COMMAND.choose(arguments.only, documents() + parsers)
    print(f"Linux {os.uname().release}, {os.cpu_count()} cores, load average {arguments.load:.2f}; documents: CPU seconds "
          f"beside the last commit; parsers: MB/s beside Foundation's JSONSerialization and libyaml's events")
    if arguments.load > 0.5:
        print("WARNING: the machine is busy; do not trust or quote these figures")
    print(f"{'workload':<28} {'unit':<10} {'ours':>10} {'other':>10} {'ratio':>7}")
    entries = []
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        for each in chosen:
            if isinstance(each, Document):
                trees = TREES[:1] if arguments.ours else TREES
                outputs = {tree: scratch / tree / "code" for tree in trees}
                row(entries, f"{each.name} generate", "cpu-s", *measured(
                    arguments.rounds, *(lambda tree=tree: generate(programs, tree, each, outputs[tree]) for tree in trees)))
                row(entries, f"{each.name} compile", "cpu-s", *measured(
                    arguments.rounds,
                    *(lambda tree=tree: compile_output(programs, tree, outputs[tree], scratch / tree / "build")
                      for tree in trees)))
                continue
            file = scratch / f"document.{each.name}"
            if each.name in ("json", "yaml"):
                source = documents()[-1].path
                write_document(source, file, each.name)
            read = lambda which: speed(programs, each, which, file, arguments.seconds)  # noqa: E731
            names = [each.name] if arguments.ours or not each.peer else [each.name, each.peer]
            row(entries, each.name, "MB/s", *measured(arguments.rounds, *(lambda name=name: read(name) for name in names)))
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(entries, indent=1) + "\n")


def write_document(source, file, kind):
    """Writes the document for a parser: the largest YAML document, or the source if it is JSON, otherwise a list of objects."""
    if kind == "yaml":
        yaml = [document.path for document in documents() if document.path.suffix in (".yaml", ".yml")]
        shutil.copy(max(yaml, key=lambda path: path.stat().st_size), file)
    elif source.suffix == ".json":
        shutil.copy(source, file)
    else:
        value = [{"id": number, "name": f"name {number}", "tags": ["a", "b"], "price": number / 4} for number in range(20_000)]
        file.write_text(json.dumps(value))


COMMAND.run(main, Failed, OSError)
