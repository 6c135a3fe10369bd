import Foundation
import HTTPTypes
import NetCore

@testable import NetStore

/// A store with malicious texts from servers and programs, in every place that a report shows.
struct HostileStore {
    let path: String

    static let texts = [
        "</script><script>window.broken=1</script>", "<img src=x onerror=\"window.broken=1\">",
        "<svg onload=window.broken=1>", "\"><iframe srcdoc='<script>parent.broken=1</script>'>",
        "javascript:window.broken=1", "{{constructor.constructor('window.broken=1')()}}", "<!--<script>", "]]>",
        "\u{2028}window.broken=1\u{2029}", "\u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}[31mred", "\u{202e}txt.exe\u{202d}",
        "a\0b\u{8}\u{c}\u{7f}\u{85}", "\u{feff}\u{200b}\u{200d}zero", "$(touch /tmp/owned) `id` '; id; '",
        "\\u003cscript\\u003e",
        "ﷺ" + String(repeating: "\u{301}", count: 400), "__proto__", "constructor", "%3Cscript%3E",
    ]

    func write() async throws {
        let maker = try StoreMaker(path: path, seed: 3)
        for (number, text) in Self.texts.enumerated() {
            let line = text.replacing("\n", with: " ")
            var call = StoreMaker.Call(
                at: Double(number), url: "https://evil.example.com/\(text)?q=\(text)", operation: text, tags: [text])
            call.requestHeaders = "x-\(number): \(line)"
            call.requestBody = text
            call.responseHeaders = "content-type: text/html; \(line)\nlocation: \(line)"
            let quoted = String(decoding: try JSONEncoder().encode([text: [text]]), as: UTF8.self)
            call.responseBody = Bytes((number.isMultiple(of: 2) ? quoted : text).utf8)
            call.attempts = [
                .init(
                    status: nil, error: NetError(.connectionLost, phase: .receiving, message: text), retry: (5, text)),
                .init(status: 200, start: 100, url: "https://evil.example.com/\(text)"),
            ]
            if number.isMultiple(of: 3) {
                call.outcome = .failed(NetError(.connectionLost, phase: .receiving, message: text))
            }
            let id = maker.add(call)
            maker.log(text, at: Double(number) + 0.5, owner: id, detail: quoted)
        }
        maker.socket(
            at: 100, "wss://evil.example.com/\(Self.texts[0])", Self.texts.map { (false, $0) }, code: .normalClosure)
        let long = String(repeating: "x", count: 10 << 20)
        maker.log(long, at: 110)
        for (number, body) in [
            #"{"lone":"\ud800","pair":"\ud83d\ude00","other":"\udc00x"}"#, #"{"__proto__":{"broken":1},"a":1,"a":2}"#,
            String(repeating: "[", count: 100_000), "\"" + String(repeating: "y", count: 200_000) + "\"",
            String(repeating: "{\"a\":", count: 180) + "1" + String(repeating: "}", count: 180),
        ].enumerated() {
            var call = StoreMaker.Call(at: 120 + Double(number), url: "https://evil.example.com/body/\(number)")
            call.responseBody = Bytes(body.utf8)
            maker.add(call)
        }
        var endless = StoreMaker.Call(
            at: 130, url: "https://evil.example.com/" + String(repeating: "long", count: 250_000))
        endless.responseBody = Bytes([0xff, 0xfe, 0x3c, 0x73, 0x63, 0x72, 0x69, 0x70, 0x74, 0x3e, 0xc0, 0x80])
        maker.add(endless)
        try await maker.close()
        try makeLong(long)
    }

    /// Adds a line of ten megabytes as a body: more than a store of this library keeps, but another writer may have
    /// stored it.
    private func makeLong(_ text: String) throws {
        let connection = try SQLiteConnection(path: path, access: .readWrite, busyTimeout: .seconds(1))
        try connection.run(
            "UPDATE net_body SET data = CAST(? AS BLOB), size = ?, is_compressed = 0 WHERE id = (SELECT max(id) FROM net_body)",
            [.text(text), .integer(Int64(text.utf8.count))])
    }
}
