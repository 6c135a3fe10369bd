import HTTPTypes
import NetTesting
import Testing

@testable import NetCore

struct RedactionMarkTests {
    private static func marking(_ seed: UInt64 = 1) -> RedactionPolicy {
        var policy = RedactionPolicy.safeDefault
        policy.markKey = RedactionPolicy.MarkKey(random: SeededRandom(seed: seed).netRandom)
        return policy
    }

    private static func exchange(_ secret: String) -> CapturedExchange.Request {
        let json = #"{"token":"\#(secret)","next":"https://h/?access_token=\#(secret)","n":1}"#
        return CapturedExchange.Request(
            method: .post, url: "https://h/reset?token=\(secret)&page=2",
            headers: [.authorization: "Bearer \(secret)", .contentType: "application/json"],
            body: CapturedBody(Bytes(json.utf8)))
    }

    /// Returns the marks in a text, in order.
    private static func marks(_ text: String) -> [String] {
        text.replacing("%3C", with: "<").replacing("%3A", with: ":").replacing("%3E", with: ">")
            .split(separator: "<redacted:", omittingEmptySubsequences: false).dropFirst().map {
                String($0.prefix { $0 != ">" })
            }
    }

    private static func text(_ request: CapturedExchange.Request) -> String {
        "\(request.url) \(request.headers[.authorization] ?? "") \(String(decoding: request.body.bytes, as: UTF8.self))"
    }

    @Test func equalSecretsHaveEqualMarksWhereverTheyStand() {
        let policy = Self.marking()
        let text = Self.text(policy.redact(Self.exchange("s%C3%A9cret".replacing("%C3%A9", with: "e"))))
        let marks = Self.marks(text)
        #expect(marks.count == 4, "\(text)")
        #expect(Set(marks).count == 1, "\(text)")
        #expect(marks.allSatisfy { $0.count == 8 })
        #expect(!text.contains("secret"))
        #expect(Self.marks(Self.text(policy.redact(Self.exchange("another")))) != marks)
    }

    @Test func encodingsDoNotMatter() {
        let policy = Self.marking()
        let url = policy.redact(url: "https://h/?token=a%2Fb+c")
        let form = policy.edits(in: Array("token=a/b%20c".utf8), contentType: "application/x-www-form-urlencoded")
        let json = policy.edits(in: Array(#"{"token":"a\/b c"}"#.utf8), contentType: nil)
        let xml = policy.edits(in: Array("<token>a/b c</token>".utf8), contentType: nil)
        let texts = [url] + [form, json, xml].map { String(decoding: $0[0].replacement, as: UTF8.self) }
        let marks = texts.map { Self.marks($0.replacing("&lt;", with: "<").replacing("&gt;", with: ">")) }
        #expect(marks.allSatisfy { $0.count == 1 }, "\(texts)")
        #expect(Set(marks).count == 1, "\(texts)")
    }

    @Test func anotherKeyMakesOtherMarks() {
        let url = "https://h/?token=secret"
        #expect(Self.marking(1).redact(url: url) != Self.marking(2).redact(url: url))
        let bytes = (0..<16).map(UInt8.init)
        #expect(RedactionPolicy.MarkKey(bytes) == RedactionPolicy.MarkKey(bytes))
        #expect(RedactionPolicy.MarkKey(bytes.dropLast()) == nil)
        #expect(RedactionPolicy.MarkKey.process == .process)
    }

    @Test func redactingAgainChangesNothing() {
        let policy = Self.marking()
        var request = Self.exchange("secret")
        request.url = "https://ada:secret@h/a;token=secret?token=secret#access_token=secret"
        let once = policy.redact(request)
        #expect(policy.redact(once) == once)
        let plain = RedactionPolicy.safeDefault.redact(request)
        #expect(policy.redact(plain) == plain)
    }

    @Test func withoutAKeyNothingIsMarked() {
        let text = Self.text(RedactionPolicy.safeDefault.redact(Self.exchange("secret")))
        #expect(!text.contains("<redacted:"))
        #expect(text.contains("<redacted>"))
        #expect(!text.contains("secret"))
    }

    @Test func theKeyIsNotPrinted() {
        let key = RedactionPolicy.MarkKey((0..<16).map { _ in UInt8(77) })
        var dumped = ""
        dump(key, to: &dumped)
        #expect(!dumped.contains("77"))
        #expect("\(String(describing: key))" == "Optional(MarkKey)")
    }

    @Test func anotherPlaceholderIsMarkedToo() {
        var policy = Self.marking()
        policy.placeholder = "hidden"
        let shown = policy.redact(url: "https://h/?token=secret")
        #expect(shown.hasPrefix("https://h/?token=hidden:"))
        #expect(policy.redact(url: shown) == shown)
    }
}
