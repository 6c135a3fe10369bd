import HTTPTypes
import NetCore
import Testing

@testable import NetSocketCore

/// The head of a response, line by line.
struct HandshakeHeadTests {
    private func taken(_ text: String) throws -> (size: Int?, head: HandshakeHead) {
        var head = HandshakeHead()
        let size = try Array(text.utf8).withUnsafeBytes { bytes throws(WebSocketViolation) in try head.take(bytes) }
        return (size, head)
    }

    @Test(arguments: [
        ("HTTP/1.1 101 Switching Protocols", 101, "1.1", "Switching Protocols"), ("HTTP/1.0 499", 499, "1.0", ""),
        ("HTTP/1.1 100 ", 100, "1.1", ""), ("HTTP/1.1 999 a  b ", 999, "1.1", "a  b "),
        ("HTTP/1.1 200 1 2 3", 200, "1.1", "1 2 3"),
        ("HTTP/1.1 345 ä", 345, "1.1", "ä"), ("HTTP/1.1 678 x", 678, "1.1", "x"),
    ])
    func aStatusLineHasAVersionACodeAndAReason(line: String, code: Int, version: String, reason: String) throws {
        for end in ["\r\n", "\n"] {
            let text = line + end + "Origin: y" + end + end
            var (size, head) = try taken(text + "rest")
            #expect(size == text.utf8.count)
            let answer = try head.finish()
            #expect(answer.status.code == code)
            #expect(answer.version == version)
            #expect(answer.status.reasonPhrase == reason)
            #expect(answer[.origin] == "y")
        }
    }

    @Test(arguments: [
        "HTTP/1.2 101 x", "HTTP/1.9 101 x", "HTTP/1./ 101 x", "HTTP/1.10 101 x", "HTTP/1. 101 x", "HTTP/1.11 101 x",
        "HTTP/1.1 1011 x", "HTTP/1.1 10 x", "HTTP/1.1 099 x", "HTTP/1.1 000 x", "HTTP/1.1", "HTTP/1.1 ",
        "HTTP/1.1  101 x",
        "HTTP/1.1 1/1 x", "HTTP/1.1 10: x", "HTTP/1.1 1O1 x", "HTTP/1.1 101\tx", "HTTP/1.1\t101 x", " HTTP/1.1 101 x",
    ])
    func malformedStatusLinesAreRejected(line: String) {
        #expect(throws: WebSocketViolation.self) { try taken(line + "\r\n") }
    }

    @Test(arguments: [(UInt8(21), true), (22, true), (20, false), (72, false)])
    func aRecordOfTLSIsNamed(_ type: UInt8, _ isNamed: Bool) throws {
        let error = #expect(throws: WebSocketViolation.self) {
            try taken(String(decoding: [type, 3, 1, 0], as: UTF8.self))
        }
        #expect(error?.message.contains("wss") == isNamed)
    }

    @Test(arguments: ["S", "HX", "HTTP/2", "HTTP/1x", "http", "\n", "\r", "HTTP/1\n", "HTTP/1.\n"])
    func anotherProtocolIsRefusedAtOnce(text: String) {
        #expect(throws: WebSocketViolation.self) { try taken(text) }
    }

    @Test(arguments: [
        "", "H", "HTTP/1.", "HTTP/1.9", "HTTP/1.1 101 x", "HTTP/1.1 101 x\r\nA: b\r\n", "HTTP/1.1 101\n\r",
    ])
    func aHeadThatIsNotCompleteIsWaitedFor(text: String) throws {
        let size = try taken(text).size
        #expect(size == nil)
    }

    @Test func theNextHeadBeginsAnew() throws {
        var head = HandshakeHead()
        for code in [100, 103, 200] {
            let text = "HTTP/1.1 \(code) x\r\n\r\n"
            let size = try Array(text.utf8).withUnsafeBytes { bytes throws(WebSocketViolation) in try head.take(bytes) }
            let answer = try head.finish()
            #expect(size == text.utf8.count)
            #expect(answer.status.code == code)
        }
    }

    /// The limit applies to all heads together.
    @Test func headsHave64KiBTogether() throws {
        let line = "HTTP/1.1 100 x\r\n"
        let rest = (64 << 10) - line.utf8.count - 2
        var head = HandshakeHead()
        let fits = Array((line + String(repeating: "x", count: rest - 2) + "\r\n\r\n").utf8)
        #expect(fits.count == 64 << 10)
        let size = try fits.withUnsafeBytes { bytes throws(WebSocketViolation) in try head.take(bytes) }
        #expect(size == 64 << 10)
        _ = try head.finish()
        #expect(throws: WebSocketViolation.self) {
            try [UInt8(ascii: "H")].withUnsafeBytes { bytes throws(WebSocketViolation) in try head.take(bytes) }
        }
    }
}
