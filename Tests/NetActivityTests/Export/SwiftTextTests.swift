#if Tools
import Testing

@testable import net_activity

struct SwiftTextTests {
    @Test(arguments: [
        ("plain", #""plain""#), ("", #""""#), ("tab\tline\n", #""tab\tline\n""#),
        (#"{"a":1}"#, ##"#"{"a":1}"#"##), (#"C:\x"#, ##"#"C:\x"#"##),
        // A raw literal would end, or begin an interpolation.
        (##"a"#b"##, ##""a\"#b""##), (##"\#("x")"##, ##""\\#(\"x\")""##),
        ("\"\u{1b}[0m", #""\"\u{1b}[0m""#), ("a\u{202e}b", #""a\u{202e}b""#), ("漢字 é", #""漢字 é""#),
        (#"\(danger)"#, ##"#"\(danger)"#"##),
    ])
    func aLiteralGivesBackTheText(_ text: String, _ literal: String) {
        #expect(SwiftText.literal(text) == literal)
    }

    @Test(arguments: [
        ("getBook", "getBook", "GetBook"), ("GET /v1/a-b", "getV1AB", "GETV1AB"), ("7 days", "call7Days", "Calls7Days"),
        ("漢字", "call", "Calls"), ("", "call", "Calls"),
    ])
    func aNameIsOne(_ text: String, _ function: String, _ type: String) {
        #expect(SwiftText.name(text, isType: false) == function)
        #expect(SwiftText.name(text, isType: true) == type)
    }

    @Test func aCommentStaysOnItsLine() {
        #expect(SwiftText.comment("a\nb\u{202e}") == "a·b·")
        #expect(SwiftText.comment(String(repeating: "x", count: 200)).count == 90)
    }
}
#endif
