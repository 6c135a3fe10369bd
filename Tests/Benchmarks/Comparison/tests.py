#!/usr/bin/env python3
"""The tests of the comparison: pairs, verdicts, directions and noise. `scripts/check python` runs them."""
import os
import re
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
import report  # noqa: E402
import session  # noqa: E402
from benchmarks import BENCHMARKS  # noqa: E402
from commit import Refused  # noqa: E402
from driver import Failed  # noqa: E402
from figures import Figure, UnknownUnit, direction, figures  # noqa: E402
from measurement import Measurement  # noqa: E402
from noise import HEADER, MARK, BadTable, Limit, limit_for, limits_of  # noqa: E402
from verdict import AGAINST, OURS, Comparison, Row, order, workload_of  # noqa: E402

ROOT = HERE.parent.parent.parent


def row(ours, against, unit="ms", noise=0.1, least=0.0):
    result = Row("a row", unit, Limit("all", "*", noise, least))
    for side, values in ((OURS, ours), (AGAINST, against)):
        result.runs[side] = dict(enumerate(values))
    return result


class Verdicts(unittest.TestCase):
    def test_a_cost_is_worse_if_it_grows_by_more_than_its_noise(self):
        self.assertEqual(row([10.9], [10]).verdict, "same")
        self.assertEqual(row([11.1], [10]).verdict, "worse")
        self.assertEqual(row([9], [10]).verdict, "better")
        self.assertEqual(row([11.1], [10], noise=0.2).verdict, "same")

    def test_a_rate_is_worse_if_it_drops_by_more_than_its_noise(self):
        self.assertEqual(row([9.2], [10], "calls/s").verdict, "same")
        self.assertEqual(row([9], [10], "calls/s").verdict, "worse")
        self.assertEqual(row([11.1], [10], "calls/s").verdict, "better")

    def test_one_disturbed_round_of_five_decides_nothing(self):
        self.assertEqual(row([10, 10, 90, 10, 10], [10] * 5).verdict, "same")
        self.assertEqual(row([14, 14, 14, 14, 14], [10, 10, 10, 90, 10]).verdict, "worse")

    def test_the_ratio_is_that_of_the_medians_or_of_the_rounds_whichever_is_nearer_to_1(self):
        # Of the medians 22 and 20, and of the rounds 1.5, 1.1 and 1.
        self.assertAlmostEqual(row([15, 22, 30], [10, 20, 30]).ratio, 1.1)
        # Of the medians 12 and 10, and of the rounds 1, 1 and 1.2.
        self.assertAlmostEqual(row([10, 12, 50], [10, 10, 50]).ratio, 1)
        # Of the medians 10 and 10, and of the rounds 2, 1 and 1.5.
        self.assertAlmostEqual(row([10, 30, 10], [5, 20, 10]).ratio, 1)
        self.assertAlmostEqual(row([7, 7.7, 8], [10, 10, 10]).ratio, 0.77)

    def test_zero_divides_nothing(self):
        self.assertEqual(row([0], [0]).verdict, "same")
        self.assertEqual(row([5], [0]).verdict, "worse")
        self.assertEqual(row([0], [5]).verdict, "better")
        self.assertEqual(row([0], [0], "calls/s").verdict, "same")
        self.assertEqual(row([0], [5], "calls/s").verdict, "worse")
        self.assertEqual(row([5], [0], "calls/s").verdict, "better")

    def test_figures_below_the_least_one_count_as_that(self):
        self.assertEqual(row([0.19], [0.01], least=0.2).verdict, "same")
        self.assertEqual(row([0.1], [-0.1]).verdict, "worse")
        self.assertEqual(row([0.1], [-0.1], least=0.2).verdict, "same")
        self.assertEqual(row([0.3], [-0.1], least=0.2).verdict, "worse")

    def test_a_row_of_one_tree_is_listed(self):
        self.assertEqual((row([1], []).verdict, row([], [1]).verdict), ("new", "gone"))
        self.assertIsNone(row([1], []).ratio)

    def test_only_rounds_of_both_sides_count(self):
        half = row([10, 99], [10])
        self.assertEqual((half.pairs, half.verdict), ([(10, 10)], "same"))

    def test_each_side_goes_first_in_every_other_round(self):
        self.assertEqual([order(number)[0] for number in range(4)], [OURS, AGAINST, OURS, AGAINST])


class Units(unittest.TestCase):
    def test_each_unit_has_one_direction(self):
        self.assertEqual([direction(unit) for unit in ("µs/call", "calls/s", "µs-cpu/s", "ratio")], [-1, 1, -1, 0])
        self.assertEqual(direction("bytes of the broker for each channel"), -1)
        self.assertEqual(direction("MB/s"), 1)
        with self.assertRaisesRegex(UnknownUnit, '"furlongs"'):
            direction("furlongs")

    def test_the_figures_of_each_benchmark_are_read(self):
        def read(*entries):
            return [(each.row, each.unit, each.value) for each in figures(list(entries))]

        self.assertEqual(read({"workload": "write", "what": "the writer's CPU", "unit": "µs/call", "ours": 11.3, "peer": 9.6}),
                         [("write: the writer's CPU", "µs/call", 11.3)])
        self.assertEqual(read({"workload": "echo", "figure": "rate", "unit": "messages/s", "server": "ours-loop", "value": 5}),
                         [("echo rate ours-loop", "messages/s", 5)])
        self.assertEqual(read({"workload": "disk", "unit": "us-cpu/request", "ours": 2, "above_empty": 1, "p50_us": 3}),
                         [("disk", "us-cpu/request", 2), ("disk p50", "us", 3)])
        self.assertEqual(read({"workload": "session-push", "figure": "cpu", "unit": "us-cpu/message", "cores": 1, "ours": 2}),
                         [("session-push cpu, cores 1", "us-cpu/message", 2)])
        # A bar, and a figure that wasn't measured.
        self.assertEqual(read({"workload": "echo", "figure": "cpu", "server": "ours-loop", "ours": 1, "kept": True},
                              {"workload": "get", "figure": "cpu", "unit": "ms", "ours": None}), [])
        found = figures({"rounds": 1, "figures": [{"figure": "large-plain", "unit": "s-cpu", "ours": 0.8, "curl": 0.9}]})
        self.assertEqual([(each.row, each.value) for each in found], [("large-plain", 0.8)])

    def test_a_row_belongs_to_the_longest_workload_that_it_begins_with(self):
        self.assertEqual(workload_of("upload-memory-64m", ["memory", "upload", "upload-memory"]), "upload-memory")
        self.assertIsNone(workload_of("other", ["memory"]))


class Noise(unittest.TestCase):
    def page(self, *lines):
        return "\n".join(["text", MARK, f"| {' | '.join(HEADER)} |", "|---|---|---|---|---|", *lines, "", "| another | table |"])

    def test_a_later_line_is_an_exception(self):
        limits = limits_of(self.page("| all | `*` | 10 % | – | why |", "| store | `call: *` | 2.5 % | 0.2 µs | why |"))
        self.assertEqual(limit_for(limits, "store", "call: more"), Limit("store", "call: *", 0.025, 0.2))
        self.assertEqual(limit_for(limits, "store", "write: more").noise, 0.1)
        self.assertEqual(limit_for(limits, "engine", "call: more").noise, 0.1)

    def test_an_unreadable_table_is_an_error(self):
        for page in ("", "text", self.page("| all | `*` | ten | – | why |"), self.page("| all | `*` | 10 % | some | why |"),
                     self.page("| all | 10 % |")):
            with self.assertRaises(BadTable):
                limit_for(limits_of(page), "store", "a row")
        with self.assertRaisesRegex(BadTable, "no line for store, a row"):
            limit_for(limits_of(self.page("| engine | `*` | 10 % | – | why |")), "store", "a row")

    def test_the_table_of_the_documents_names_benchmarks(self):
        limits = limits_of((ROOT / "docs" / "performance.md").read_text())
        self.assertEqual({limit.benchmark for limit in limits} - {"all"} - set(BENCHMARKS), set())
        for name in BENCHMARKS:
            self.assertLess(limit_for(limits, name, "any row").noise, 1)

    def test_every_benchmark_is_known_and_its_programs_exist(self):
        self.assertEqual(set(BENCHMARKS), set(os.listdir(ROOT / "scripts" / "bench.d")))
        for name, benchmark in BENCHMARKS.items():
            self.assertTrue(benchmark.refusal or (HERE.parent / benchmark.driver / "run.py").is_file(), name)
            script = (ROOT / "scripts" / "bench.d" / name).read_text()
            for program in (*benchmark.programs, *benchmark.helpers):
                self.assertTrue((ROOT / program.package / "Sources" / program.name).is_dir(), program)
                # The build folder, whose products `scripts/bench NAME` and the comparison share.
                self.assertIn(program.scratch.split("/")[0], script)


class FakeDriver:
    """Runs that return given figures by side and workload; a function gets the number of the run."""

    def __init__(self, **values):
        self.values = values
        self.runs = []

    def measure(self, side, group):
        self.runs.append((side, list(group)))
        found = []
        for name in group:
            value = self.values[name](side, sum(each == (side, list(group)) for each in self.runs))
            if value is None:
                raise Failed(f"no mode {name}")
            found.append(Figure(name, "ms", value))
        return found


class Silent:
    def show(self, text):
        pass

    clear = lambda self: None  # noqa: E731


class Measurements(unittest.TestCase):
    def measured(self, is_together=False, rounds=3, **values):
        comparison = Comparison("store", [Limit("all", "*", 0.1)])
        driver = FakeDriver(**values)
        measurement = Measurement(driver, comparison, list(values), is_together, Silent())
        measurement.measure(rounds)
        measurement.measure_again(rounds)
        return measurement, comparison, driver

    def test_a_disturbance_is_measured_again(self):
        def disturbed(side, number):
            return 20 if side == OURS and number <= 2 else 10

        _, comparison, driver = self.measured(write=disturbed, ask=lambda side, number: 10)
        self.assertEqual([each.verdict for each in comparison.rows.values()], ["same", "same"])
        self.assertEqual([len(each.pairs) for each in comparison.rows.values()], [6, 3])
        self.assertEqual(report.summary(comparison), "no row is worse than its noise; 1 was measured again, in as many further runs")

    def test_a_slower_tree_remains_worse(self):
        _, comparison, _ = self.measured(write=lambda side, number: 14 if side == OURS else 10, ask=lambda side, number: 10)
        self.assertEqual(report.summary(comparison),
                         "1 of 2 rows is worse than its noise; 1 was measured again, in as many further runs")

    def test_rows_that_were_fine_are_not_judged_again(self):
        def late(side, number):
            return 20 if side == OURS and number > 3 else 10

        _, comparison, driver = self.measured(
            is_together=True, write=lambda side, number: 14 if side == OURS else 10, ask=late)
        self.assertEqual([row.verdict for row in comparison.rows.values()], ["worse", "same"])
        self.assertEqual(driver.runs[-1][1], ["write"])

    def test_a_workload_that_the_commit_does_not_know_is_listed(self):
        for is_together in (False, True):
            measurement, comparison, _ = self.measured(
                is_together, write=lambda side, number: 10, new=lambda side, number: 10 if side == OURS else None)
            self.assertEqual(measurement.failures, {"new": "no mode new"})
            self.assertEqual({name: row.verdict for name, row in comparison.rows.items()}, {"write": "same", "new": "new"})
            self.assertEqual(len(comparison.rows["write"].pairs), 3)

    def test_a_failure_of_the_working_tree_is_refused(self):
        with self.assertRaisesRegex(Refused, "the working tree fails in write"):
            self.measured(write=lambda side, number: None)

    def test_a_run_that_fails_once_is_repeated(self):
        measurement, comparison, _ = self.measured(write=lambda side, number: None if number == 1 else 10)
        self.assertEqual((measurement.failures, len(comparison.rows["write"].pairs)), ({}, 3))


class Reports(unittest.TestCase):
    def test_no_line_is_longer_than_98_columns(self):
        comparison = Comparison("store", [Limit("all", "*", 0.125)])
        name = "prune: p99 of flush() while half of a million calls is deleted"
        for side, value in ((OURS, 12_345_678.9), (AGAINST, 0)):
            comparison.add(side, 0, [Figure(name, "us-broker/delivery", value), Figure("b", "ms", 1), Figure("c", "ms", 0.012)])
        comparison.add(OURS, 0, [Figure("d", "ms", 1)])
        shown = list(report.lines(comparison, "0123456789"))
        self.assertLessEqual(max(map(len, shown)), 98)
        self.assertTrue(shown[1].startswith("! ") and shown[1].endswith("WORSE"), shown[1])
        self.assertRegex(shown[1], "∞")
        self.assertIn("new: only this tree has this row", shown)
        content = report.content(comparison, {}, benchmark="store")
        self.assertIsNone(content["rows"][0]["ratio"])
        self.assertEqual((content["worse"], content["compared"], content["rows"][0]["better"]), (1, 3, "lower"))


class Sessions(unittest.TestCase):
    SCRIPT = "sleep 60 & echo $!; "

    def is_running(self, number):
        try:
            return Path(f"/proc/{int(number)}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
        except FileNotFoundError:
            return False

    def test_nothing_that_a_program_started_remains(self):
        with tempfile.TemporaryFile() as output:
            self.assertEqual(session.run(["sh", "-c", self.SCRIPT + "exit 3"], stdout=output), 3)
            output.seek(0)
            self.assertFalse(self.is_running(output.read()))

    def test_an_interrupted_program_and_all_that_it_started_end(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            code = ("import signal, sys, session; signal.signal(signal.SIGTERM, lambda *_: sys.exit(3)); "
                    f"session.run(['sh', '-c', '{self.SCRIPT} wait'])")
            process = subprocess.Popen([sys.executable, "-c", code], cwd=HERE, text=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            started = process.stdout.readline()
            self.assertTrue(self.is_running(started))
            process.send_signal(number)
            process.wait(timeout=10)
            process.stdout.close()
            self.assertFalse(self.is_running(started))

    def test_the_command_explains_why_it_cannot_compare(self):
        for words, reason in ((["growth", "--against", "HEAD"], "growth isn't compared with a commit: "),
                              (["store", "--against", "no-such-commit"], "no commit"),
                              (["store", "--against", ""], "--against needs a commit"),
                              (["store", "--against", "HEAD", "--rounds", "0"], "must be greater than 0"),
                              (["store", "--against", "HEAD", "--svg", "/"], "use it without --against")):
            result = subprocess.run([ROOT / "scripts" / "bench", *words], capture_output=True, text=True)
            self.assertEqual(result.returncode, 2)
            self.assertRegex(result.stderr, re.escape(reason))


if __name__ == "__main__":
    unittest.main()
