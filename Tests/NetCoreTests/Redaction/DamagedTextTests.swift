import NetTesting
import Testing

@testable import NetCore

/// Texts that were cut, joined or damaged: redaction doesn't trap, and a second redaction changes nothing.
struct DamagedTextTests {
    private static let samples = [
        #"{"password":"hunter2","a":{"api_key":["hunter2"]},"url":"https://h/?token=hunter2"}"#,
        #"{"text":"{\"secret\":\"hunter2\"}","otp":12345,"x":"\u0041\n"}"#,
        #"<login token="hunter2"><password>hunter2</password><![CDATA[x]]><a b='c'/></login>"#,
        "<a>{\"token\":\"x<b password='hunter2'>z\"}</a>", "data: {\"token\":\"hunter2\"}\n\ndata: \"odd\n\n",
        "--b\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\nhunter2\r\n--b--\r\n",
        "user=ada&token=hunter2&next=%2Fx%3Ftoken%3Dhunter2",
    ]
    private static let signs = Array("\"'<>&=\\{}[]:,/ \u{0}".utf8)
    private static let types = [
        nil, "application/json", "application/xml", "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=b",
    ]

    @Test(arguments: [false, true]) func redactingThemAgainChangesNothing(isMarked: Bool) {
        let random = SeededRandom(seed: 11)
        var policy = RedactionPolicy.safeDefault
        if isMarked { policy.markKey = RedactionPolicy.MarkKey(random: random.netRandom) }
        func pick(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
        for _ in 0..<4000 {
            var text = Array(Self.samples[pick(Self.samples.count)].utf8)
            for _ in 0..<pick(4) {
                switch pick(3) {
                case 0: text.removeLast(pick(text.count + 1))
                case 1: if !text.isEmpty { text[pick(text.count)] = Self.signs[pick(Self.signs.count)] }
                default: text += Self.samples[pick(Self.samples.count)].utf8
                }
            }
            let type = Self.types[pick(Self.types.count)]
            let once = policy.edits(in: text, contentType: type).applied(to: text)
            let twice = policy.edits(in: once, contentType: type).applied(to: once)
            #expect(once == twice, "\(String(decoding: text, as: UTF8.self)) as \(type ?? "-")")
        }
    }

    @Test(arguments: ["<", "1 < 2, ", "<34>1 ", "<a> ", "<!-- x --> "]) func whereXMLBeginsJSONIsStillFound(
        _ start: String
    ) {
        let bytes = Array((start + #"{"token":"hunter2"}"#).utf8)
        let shown = RedactionPolicy.safeDefault.edits(in: bytes, contentType: nil).applied(to: bytes)
        #expect(!String(decoding: shown, as: UTF8.self).contains("hunter2"))
    }
}
