import Testing

@testable import NetTesting

struct GlobTests {
    @Test(arguments: [
        ("", "", true), ("", "a", false), ("*", "", true), ("*", "anything", true), ("a*", "abc", true),
        ("a*", "ba", false), ("*c", "abc", true), ("a?c", "abc", true), ("a?c", "ac", false),
        ("a*b*c", "a1b2b3c", true),
        ("a*b*c", "a1b2b3", false), (#"\*"#, "*", true), (#"\*"#, "x", false), (#"a\"#, #"a\"#, true), ("?", "é", true),
        ("**a", "ba", true), ("[a]", "[a]", true),
    ])
    func aTextIsOfTheShapeOrNot(_ pattern: String, _ text: String, _ isMatch: Bool) {
        #expect(Glob(pattern).matches(text) == isMatch)
    }

    /// Patterns that take a backtracking matcher longer than the age of the universe.
    @Test(.timeLimit(.minutes(1)))
    func noPatternTakesLong() {
        let pattern = String(repeating: "*a", count: 40) + "b"
        #expect(!Glob(pattern).matches(String(repeating: "a", count: 2000)))
    }

    @Test func itsExampleIsOfItsShape() {
        for pattern in ["a*b?c", #"\*x"#, "*", "???"] { #expect(Glob(pattern).matches(Glob(pattern).example)) }
    }
}
