"""Decodes a document's own examples with its generated types, encodes them again and compares."""
import json
import re
import subprocess
from datetime import datetime, timezone
from decimal import Decimal
from pathlib import Path

from schemas import Schemas

HERE = Path(__file__).resolve().parent
# The number of random values of each component.
INSTANCES = 3


def normal(value):
    """Returns a value that compares equal to its equivalents: numbers by value, date-times by moment."""
    if isinstance(value, dict):
        return {key: normal(member) for key, member in value.items()}
    if isinstance(value, list):
        return [normal(element) for element in value]
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, (int, float, Decimal)):
        return ("number", float(value))
    return moment(value) or value.lower() if re.fullmatch(r"[0-9A-Fa-f-]{36}", value) else moment(value) or value


def moment(text):
    match = re.fullmatch(r"(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(\.\d+)?(Z|z|[+-]\d\d:\d\d)", text)
    if not match:
        return None
    zone = "+00:00" if match[4] in "Zz" else match[4]
    try:
        when = datetime.fromisoformat(f"{match[1]}T{match[2]}{zone}").astimezone(timezone.utc)
    except ValueError:
        return None
    return ("moment", when.timestamp(), round(float(match[3] or 0), 3))


def difference(left, right, path=""):
    """Returns the first difference of two values; None if they are equal."""
    if isinstance(left, dict) and isinstance(right, dict):
        for key in left:
            if key not in right:
                return f"{path}/{key} is gone"
            if found := difference(left[key], right[key], f"{path}/{key}"):
                return found
        extra = [key for key in right if key not in left]
        return f"{path}/{extra[0]} is new" if extra else None
    if isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        for place, (one, other) in enumerate(zip(left, right)):
            if found := difference(one, other, f"{path}/{place}"):
                return found
        return None
    return None if left == right else f"{path}: {left!r} became {right!r}"[:300]


class Examples:
    def __init__(self, tools, program, runtime, entry, row):
        self.tools, self.program, self.runtime, self.entry, self.row = tools, program, runtime, entry, row
        self.folder = tools.folder / entry["id"]

    def check(self):
        samples = self.folder / "samples"
        outcome = subprocess.run(
            [str(self.tools.samples), str(self.entry["file"]), str(samples), "Output"], capture_output=True, text=True)
        lines = (samples / "examples.jsonl").read_text().splitlines() if outcome.returncode == 0 else []
        examples = [json.loads(line, parse_float=Decimal) for line in lines]
        texts = [line for line in lines]
        text = (samples / "components.jsonl").read_text() if outcome.returncode == 0 else ""
        components = [json.loads(line) for line in text.splitlines()]
        self.row |= {"examples": 0, "examplesEqual": 0, "broken": 0, "refused": 0, "instances": 0, "instancesEqual": 0}
        if not (examples or components) or not self.build(samples):
            return
        schemas = Schemas(self.entry["file"])
        kept = []
        for example, text in zip(examples, texts):
            plain = json.loads(text)["value"]
            validator = schemas.validator(example["key"])
            if validator is None or validator.is_valid(plain):
                kept.append((example, plain, validator))
        if kept:
            self.compare(kept)
            self.break_them(kept)
        if components:
            self.compare_instances(components)

    def build(self, samples):
        main = self.folder / "main.swift"
        main.write_text((HERE / "roundtrip.swift.in").read_text())
        log = self.folder / "link.log"
        build = self.folder / "build"
        objects = [build / "Output.o", *self.runtime]
        result = self.tools.link([main, samples / "Examples.swift"], [build], self.folder / "roundtrip", log, objects)
        if result.code != 0:
            self.row |= {"compiles": False, "reason": "the examples: " + " | ".join(self.tools.errors(log))}
        return result.code == 0

    def answers(self, tasks):
        """Returns the program's response to each task."""
        text = "".join(f"{number}\t{json.dumps(value, default=float)}\n" for number, value in tasks)
        result = subprocess.run([str(self.folder / "roundtrip")], input=text, capture_output=True, text=True, timeout=300)
        if result.returncode != 0:
            self.row |= {"crashed": True, "reason": result.stderr[-300:]}
        answers = [line.split("\t", 1) for line in result.stdout.splitlines()]
        # The last line counts the unions.
        self.unions = [int(number) for number in answers.pop()[1].split("\t")] if result.returncode == 0 else [0, 0]
        return answers + [["error", "no answer"]] * (len(tasks) - len(answers))

    def compare(self, examples):
        failures = []
        for (example, plain, _), answer in zip(examples, self.answers([(e["type"], plain) for e, plain, _ in examples])):
            problem = answer[1] if answer[0] != "ok" else difference(normal(plain), normal(json.loads(answer[1])))
            if problem:
                failures.append(f"{example['key']}: {problem}")
        (self.folder / "examples.log").write_text("\n".join(failures) + "\n")
        self.row |= {"examples": len(examples), "examplesEqual": len(examples) - len(failures),
                     "unions": self.unions[0], "rawUnions": self.unions[1]}

    def compare_instances(self, components):
        """Compares random values of the components' schemas, made by the test server's sampler."""
        seeds = [(component, seed) for component in components for seed in range(INSTANCES)]
        made = self.program.ask(self.entry["file"], self.entry["folder"],
                                [{"component": component["component"], "seed": seed} for component, seed in seeds])
        made = [(component, seed, answer["value"]) for (component, seed), answer in zip(seeds, made) if answer]
        failures = []
        answers = self.answers([(component["type"], value) for component, _, value in made])
        for (component, seed, value), answer in zip(made, answers):
            problem = answer[1] if answer[0] != "ok" else difference(normal(value), normal(json.loads(answer[1])))
            if problem:
                failures.append(f"{component['component']} {seed}: {problem} {json.dumps(value)[:300]}")
        (self.folder / "instances.log").write_text("\n".join(failures) + "\n")
        self.row |= {"instances": len(made), "instancesEqual": len(made) - len(failures)}

    def break_them(self, examples):
        tasks, names = [], []
        for example, plain, validator in examples:
            for broken, what in (Schemas.mutations(plain, validator) if validator else []):
                tasks.append((example["type"], broken))
                names.append(f"{example['key']}: {what}")
        accepted = [name for name, answer in zip(names, self.answers(tasks)) if answer[0] == "ok"] if tasks else []
        (self.folder / "broken.log").write_text("\n".join(accepted) + "\n")
        self.row |= {"broken": len(tasks), "refused": len(tasks) - len(accepted)}
