import NetCore
import Testing

@testable import NetStore

/// The values that are redacted in the lines of logs.
@Suite struct LogTextTests {
    private func shown(_ text: String) -> String { LogText(text, redaction: .safeDefault).text }

    @Test(
        arguments: [
            ("GET https://ann:s3cret@api.test/a?key=s3cret&page=2 failed", "page=2 failed"),
            ("sent to (https://api.test/?access_token=s3cret), again", "), again"),
            ("refused: /callback?code=1&client_secret=s3cret", "refused: /callback?"),
            (
                #"answer {"name":"Ada","password":"s3cret"} of the shop"#,
                #"{"name":"Ada","password":"<redacted>"} of the shop"#
            ),
            (#"[{"access_token":"s3cret"}, "rest"]"#, #""rest"]"#),
            (#"cut: {"token":"s3cr"#, "cut: {"),
            (#"{"url":"https://api.test/?api_key=s3cret"}"#, "https://api.test/"),
        ])
    func secretsInURLsAndJSONAreHidden(text: String, rest: String) {
        let shown = shown(text)
        #expect(!shown.contains("s3cr"), "\(shown)")
        #expect(shown.contains(rest), "\(shown)")
    }

    @Test(arguments: ["plain words", "a/b and c/d", "\"quoted\" words?", "1 + 1 = 2", "", "漢字/漢字"])
    func proseStaysAsItIs(text: String) {
        #expect(shown(text) == text)
    }
}
