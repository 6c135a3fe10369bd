import Foundation
import HTTPTypes
import Testing

@testable import NetCore

struct PlainMarksTests {
    private let policy = RedactionPolicy.safeDefault

    @Test(arguments: [
        ("<redacted:0a1b2c3d>", "<redacted>"),
        ("a <redacted:00000000> b <redacted:ffffffff>", "a <redacted> b <redacted>"),
        ("https://h/?t=%3Credacted:0a1b2c3d%3E&u=1", "https://h/?t=%3Credacted%3E&u=1"),
        ("%3Credacted%3A0a1b2c3d%3E", "%3Credacted%3E"), ("%3credacted:0a1b2c3d%3e", "%3credacted%3e"),
        ("<a>&lt;redacted:0a1b2c3d&gt;</a>", "<a>&lt;redacted&gt;</a>"),
        // Not marks.
        ("<redacted>", "<redacted>"), ("<redacted:0A1B2C3D>", "<redacted:0A1B2C3D>"),
        ("<redacted:123>", "<redacted:123>"),
        ("<redacted:0a1b2c3d", "<redacted:0a1b2c3d"), ("redacted:0a1b2c3d>", "redacted:0a1b2c3d>"), ("", ""),
        ("<redacted:<redacted:0a1b2c3d>", "<redacted:<redacted>"),
    ])
    func aMarkBecomesThePlaceholder(_ text: String, _ plain: String) {
        #expect(policy.plainMarks(text) == plain)
    }

    @Test func everyPartOfAnExchangeHasThePlaceholder() {
        let mark = "<redacted:0a1b2c3d>"
        var socket = RecordedSocket()
        socket.messages = [
            .init(.client, .text(mark), after: .zero), .init(.server, .binary(Bytes(mark.utf8)), after: .zero),
        ]
        socket.ending = .closed(.normalClosure, reason: mark, by: .server)
        let body = CapturedBody(pieces: [
            .init(Bytes("a\(mark)".utf8)), .init(Bytes("\(mark)b".utf8), after: .seconds(1)),
        ])
        let exchange = CapturedExchange(
            recordedAt: .init(timeIntervalSince1970: 0), duration: .zero,
            request: .init(method: .get, url: "https://h/\(mark)", headers: [.cookie: mark], body: body),
            outcome: .response(
                .init(status: .ok, headers: [.server: mark], body: body, trailers: [.date: mark], socket: socket)))
        let plain = policy.withPlainMarks(exchange)
        #expect(!"\(String(reflecting: plain))".contains("redacted:"))
        #expect(plain.request.url == "https://h/<redacted>")
        #expect(plain.request.headers[.cookie] == "<redacted>")
        #expect(
            plain.response?.body.pieces.map { String(decoding: $0.bytes, as: UTF8.self) } == [
                "a<redacted>", "<redacted>b",
            ])
        #expect(plain.response?.body.pieces.last?.delay == .seconds(1))
        #expect(
            plain.response?.socket?.messages.map(\.message) == [.text("<redacted>"), .binary(Bytes("<redacted>".utf8))])
        #expect(policy.withPlainMarks(plain) == plain)
    }
}
