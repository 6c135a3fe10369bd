#if Tools
import NetCore
import Testing

@testable import net_activity

/// The wrapping of texts into lines.
struct OutputTests {
    @Test(
        arguments: [
            ("", [""]), ("a", ["a"]), ("abcde", ["abcde"]), ("abcdef", ["abcde", "f"]), ("ab cd", ["ab cd"]),
            ("abcde fg", ["abcde", "fg"]), ("ab cdef", ["ab", "cdef"]), ("ab cdefgh", ["ab", "cdefg", "h"]),
            ("  ab", ["  ab"]), ("  ab cd", ["  ab", "cd"]), ("    abcdef", ["    a", "bcdef"]),
            ("漢字漢字", ["漢字", "漢字"]), ("a漢字", ["a漢字"]), ("ab漢字", ["ab漢", "字"]), ("abcd 漢", ["abcd", "漢"]),
            ("abcde\u{301}f", ["abcde\u{301}", "f"]), ("ab  cd ef", ["ab ", "cd ef"]),
        ])
    func linesAreBrokenAtSpaces(text: String, lines: [String]) {
        #expect(Output.wrap(text, to: 5).map(String.init) == lines)
    }

    @Test func anExcerptSaysWhatIsMissing() {
        let text = (1...30).map(String.init).joined(separator: "\r\n")
        let some = Excerpt(text, width: 10, maximumLines: 20)
        #expect(some.lines.last == "20")
        #expect(some.rest == "… 10 more lines: --all shows them")
        let all = Excerpt(text, width: 10, maximumLines: nil)
        #expect(all.lines.count == 30)
        #expect(all.rest == nil)
        let long = Excerpt(String(repeating: "漢", count: 1 << 20), width: 10, maximumLines: 2)
        #expect(long.lines == ["漢漢漢漢漢", "漢漢漢漢漢"])
        #expect(long.rest == "… and more, 3.1 MB in total: --all shows it")
    }

    @Test(
        arguments: [
            ("plain", "plain", true), ("'~e ~d ", "~e ~d ", false), ("\\~d", "~d", true), ("\"a\\\"b\"", "a\"b", false),
            ("'it'\\''s'", "it's", false), ("$(id)", "$(id)", false), ("''", "", false), ("[::1]:80", "[::1]:80", true),
        ])
    func wordsLoseTheirQuotes(word: String, text: String, isPlain: Bool) {
        #expect(CommandLineWord(word).text == text)
        #expect(CommandLineWord.isPlain(text) == isPlain)
    }
}
#endif
