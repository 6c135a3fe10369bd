"""Tests of the reader of expectations; run by scripts/check python."""
import unittest

from expectations import expectations

SOURCE = '''
@Test func a() throws {
    #expect(a == 1 && b == 2, "a, \\(b && c)")
    #expect(a || b && c)
    #expect(list.allSatisfy { $0 > 1 && $0 < 3 })
    #expect(#"a" && "b"# == text) // #expect(a && b)
    if true { try #require(list.count == 2); #expect(list[1] == 3) }
    #expect(text.contains(/a && "/))
    let text = """
        #expect(a && b)
        """
    #expect(value / 2 == 4 && other)
}
'''


class ExpectationTests(unittest.TestCase):
    def test_counts_only_conditions_at_the_top_level(self):
        self.assertEqual([each.conjuncts for each in expectations(SOURCE)], [2, 1, 1, 1, 1, 1, 1, 2])

    def test_knows_names_lines_and_conditions(self):
        found = list(expectations(SOURCE))
        self.assertEqual([each.name for each in found], ["expect"] * 4 + ["require"] + ["expect"] * 3)
        self.assertEqual((found[0].line, found[0].condition), (3, "a == 1 && b == 2"))
        self.assertEqual(found[4].condition, "list.count == 2")

    def test_the_rest_ends_with_the_block(self):
        found = list(expectations(SOURCE))
        self.assertEqual(found[4].rest, "; #expect(list[1] == 3) }")
        self.assertEqual(found[4].block_end, found[5].block_end)


if __name__ == "__main__":
    unittest.main()
