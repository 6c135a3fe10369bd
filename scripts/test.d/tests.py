"""Tests of the division into shards; run by scripts/check python."""
import unittest

from process import Result, without_place
from shards import Shard, differences, divide, job_of, listed, slow_suites, suite_of

LISTING = """
Building for debugging...
NetCoreTests.PathTests/pathsAreJoined()
NetCoreTests.PathTests/`A path, with (signs)`(path:)
NetCoreTests.`A suite`/Inner/works()
NetHTTPTests.free()
"""


class DivisionTests(unittest.TestCase):
    def test_lists_only_tests(self):
        self.assertEqual(len(listed(LISTING)), 4)

    def test_finds_the_outermost_suite_or_the_function(self):
        self.assertEqual([suite_of(test) for test in listed(LISTING)], ["PathTests", "PathTests", "`A suite`", "free"])

    def test_every_test_is_in_one_shard_that_its_pattern_selects(self):
        import re
        tests = [f"T.Suite{number}/test{index}()" for number in range(40) for index in range(20)] + ["T.free()", "U.X/a()"]
        shards = divide(tests, {"T.Suite1": 300, "U.X": 1})
        self.assertEqual(sorted(test for shard in shards for test in shard.tests), sorted(tests))
        for shard in shards:
            self.assertEqual({test for test in tests if re.search(shard.pattern, test)}, shard.tests)
        self.assertEqual([shard.seconds for shard in shards], sorted((shard.seconds for shard in shards), reverse=True))

    def test_a_suite_is_not_selected_by_the_name_of_a_longer_one(self):
        import re
        self.assertIsNone(re.search(Shard("T", 1, ["Path"]).pattern, "T.PathTests/a()"))
        self.assertIsNotNone(re.search(Shard("T", 1, ["`A (b)`"]).pattern, "T.`A (b)`/a()"))

    def test_a_suite_of_which_some_tests_are_chosen_runs_only_these(self):
        import re
        tests = ["T.A/a()", "T.A/ab()", "T.A/`b (c)`(x:)", "T.B/a()", "T.free()", "T.free(x:)"]
        for chosen in [["T.A/a()"], ["T.A/`b (c)`(x:)", "T.B/a()"], ["T.free(x:)"], tests]:
            shard, = divide(chosen, {}, tests)
            self.assertEqual([test for test in tests if re.search(shard.pattern, test)], sorted(chosen, key=tests.index))
            places = [test + "/File.swift:1:2" for test in tests]
            self.assertEqual(sum(bool(re.search(shard.pattern, each)) for each in places), len(chosen))

    def test_jobs_share_all_targets(self):
        targets = ["NetHTTPTests", "PackageTests", "NetCoreTests", "NewTests"]
        self.assertEqual([job_of(target) for target in targets], ["http", "packages", "rest", "rest"])

    def test_reads_the_seconds_of_slow_suites(self):
        self.assertEqual(slow_suites("# seconds\nT.A 12\n\nT.B 3\n"), {"T.A": 12, "T.B": 3})


class ComparisonTests(unittest.TestCase):
    def test_reports_tests_that_ran_never_twice_or_unlisted(self):
        self.assertEqual(list(differences(["a", "b", "c"], [["a", "b"], ["b", "d"]])),
                         ["c didn't run", "d ran and isn't listed", "b ran 2 times"])
        self.assertEqual(list(differences(["a"], [["a"]])), [])


class ResultTests(unittest.TestCase):
    def test_reads_events(self):
        result = Result(None, 0, 0)
        place = "/File.swift:3:2"
        for kind, test in [("testStarted", "T.S"), ("testStarted", "T.S/a()" + place), ("testCaseEnded", "T.S/a()" + place),
                           ("testEnded", "T.S/a()" + place), ("testStarted", "T.S/b()" + place), ("testSkipped", "T.S/c()" + place)]:
            result.add({"kind": kind, "testID": test, "instant": {"absolute": 1.5}})
        result.add({"kind": "issueRecorded", "testID": "T.S/b()" + place, "issue": {"isKnown": False}})
        result.add({"kind": "issueRecorded", "testID": "T.S/a()" + place, "issue": {"isKnown": True}})
        self.assertEqual((result.ended, result.unfinished, result.skipped, result.cases), (["T.S/a()"], ["T.S/b()"], ["T.S/c()"], 1))
        self.assertEqual((result.failed, result.has_ended), ({"T.S/b()"}, False))
        result.add({"kind": "runEnded"})
        self.assertTrue(result.has_ended)

    def test_places_are_cut_off(self):
        self.assertEqual(without_place("T.S/`a/b.swift`()/File.swift:3:2"), "T.S/`a/b.swift`()")


if __name__ == "__main__":
    unittest.main()
