"""The cost of a session beside raw messages, in one process; each run is a run of bench-socket-session.

Workloads with a bar run on one core: with several cores, the kernel wakes threads, which costs more than a session does."""
import json
import os
import statistics
import subprocess

#: The number of messages of a run.
COUNTS = {"command": 30_000, "raw": 30_000, "coding": 30_000, "push": 200_000, "raw-push": 200_000,
          "encode": 500_000, "decode": 500_000, "command-socket": 10_000, "raw-socket": 10_000}
#: The envelopes per second that Sockit claims.
SOCKIT = {"encode": 46_000, "decode": 45_000}
#: The name, the workloads to compare with, the microseconds allowed beyond their sum or None for no bar, and the number of cores.
COMPARED = [("command", ("raw", "coding"), 5, 1), ("push", ("raw-push",), 1, 1), ("command", ("raw", "coding"), None, 2),
            ("command-socket", ("raw-socket",), None, 2)]


def run(programs, workload, cores):
    """The microseconds of CPU per message, and the messages per second."""
    allowed = sorted(os.sched_getaffinity(0))[:cores]
    text = subprocess.run([f"{programs}/bench-socket-session", workload, str(COUNTS[workload])],
                          capture_output=True, text=True, check=True, timeout=120,
                          preexec_fn=lambda: os.sched_setaffinity(0, allowed)).stdout
    result = json.loads(text)
    return result["cpuSeconds"] * 1e6 / result["messages"], result["messages"] / result["seconds"]


def measure(programs, rounds):
    """Lines for people, and objects of the JSON. The workloads take turns, so that a slow minute affects all of them."""
    wanted = {(name, cores) for name, others, _, cores in COMPARED for name in (name, *others)}
    wanted |= {(name, 1) for name in SOCKIT}
    runs = {key: [] for key in sorted(wanted)}
    for _ in range(rounds):
        for key in runs:
            runs[key].append(run(programs, *key))
    cpu = {key: statistics.median(figures[0] for figures in runs[key]) for key in runs}
    rate = {key: statistics.median(figures[1] for figures in runs[key]) for key in runs}
    lines, entries = [], []
    for name, others, bar, cores in COMPARED:
        ours, floor = cpu[name, cores], sum(cpu[other, cores] for other in others)
        verdict = "" if bar is None else f", bar {bar}: {'kept' if ours <= floor + bar else 'MISSED'}"
        lines.append(f"session {name}, cores {cores}: {ours:.2f} us of CPU, {' + '.join(others)} {floor:.2f}, "
                     f"beyond it {ours - floor:.2f}{verdict}")
        entries.append({"workload": f"session-{name}", "figure": "cpu", "unit": "us-cpu/message", "cores": cores,
                        "ours": round(ours, 4), "floor": round(floor, 4), "bar": bar})
    for name, other in SOCKIT.items():
        ours = rate[name, 1]
        lines.append(f"session {name}: {ours:.0f} envelopes/s, {ours / other:.1f} times Sockit's {other}")
        entries.append({"workload": f"session-{name}", "figure": "rate", "unit": "messages/s",
                        "ours": round(ours), "peer": other, "vs_peer": round(ours / other, 4)})
    return lines, entries
