"""What a session costs beside raw messages, in one process; each of its runs is a run of bench-socket-session."""
import json
import statistics
import subprocess

#: The messages of a run.
COUNTS = {"command": 30_000, "raw": 30_000, "coding": 30_000, "push": 200_000, "raw-push": 200_000,
          "encode": 500_000, "decode": 500_000, "command-socket": 10_000, "raw-socket": 10_000}
#: What Sockit says of its envelopes.
SOCKIT = {"encode": 46_000, "decode": 45_000}
#: Name, what it is compared with, and the microseconds that it may take beyond that; None for no bar.
COMPARED = [("command", ("raw", "coding"), 5), ("push", ("raw-push",), 1), ("command-socket", ("raw-socket",), None)]


def run(programs, workload):
    """Microseconds of CPU for a message, and messages a second."""
    text = subprocess.run([f"{programs}/bench-socket-session", workload, str(COUNTS[workload])],
                          capture_output=True, text=True, check=True, timeout=120).stdout
    result = json.loads(text)
    return result["cpuSeconds"] * 1e6 / result["messages"], result["messages"] / result["seconds"]


def measure(programs, rounds):
    """Lines for people, and objects of the JSON. The workloads take turns, so that a slow minute is nobody's alone."""
    runs = {name: [] for name in COUNTS}
    for _ in range(rounds):
        for name in COUNTS:
            runs[name].append(run(programs, name))
    cpu = {name: statistics.median(figures[0] for figures in runs[name]) for name in COUNTS}
    rate = {name: statistics.median(figures[1] for figures in runs[name]) for name in COUNTS}
    lines, entries = [], []
    for name, others, bar in COMPARED:
        floor = sum(cpu[other] for other in others)
        verdict = "" if bar is None else f", bar {bar}: {'kept' if cpu[name] <= floor + bar else 'MISSED'}"
        lines.append(f"session {name}: {cpu[name]:.2f} us of CPU, {' + '.join(others)} {floor:.2f}, "
                     f"beyond it {cpu[name] - floor:.2f}{verdict}")
        entries.append({"workload": f"session-{name}", "figure": "cpu", "unit": "us-cpu/message",
                        "ours": round(cpu[name], 4), "floor": round(floor, 4), "bar": bar})
    for name, other in SOCKIT.items():
        lines.append(f"session {name}: {rate[name]:.0f} envelopes/s, {rate[name] / other:.1f} times Sockit's {other}")
        entries.append({"workload": f"session-{name}", "figure": "rate", "unit": "messages/s",
                        "ours": round(rate[name]), "peer": other, "vs_peer": round(rate[name] / other, 4)})
    return lines, entries
