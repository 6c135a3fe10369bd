import NetCore
import Testing

@testable import NetSocketCore

/// The payload of a close frame, written and read (RFC 6455 section 5.5.1).
struct CloseFrameTests {
    private func written(_ code: WebSocketCloseCode, _ reason: String) -> [UInt8] {
        var payload: [UInt8] = []
        CloseFrame.withPayload(code, reason: reason) { payload = Array($0) }
        return payload
    }

    private func read(_ payload: [UInt8]) throws -> (code: WebSocketCloseCode, reason: String) {
        var result = Result<(code: WebSocketCloseCode, reason: String), WebSocketViolation>.success(
            (.normalClosure, ""))
        payload.withUnsafeBytes { bytes in
            do throws(WebSocketViolation) { result = .success(try CloseFrame.read(bytes)) } catch {
                result = .failure(error)
            }
        }
        return try result.get()
    }

    @Test func closePayloadsRoundTrip() throws {
        for (code, reason) in [
            (WebSocketCloseCode.normalClosure, ""), (.goingAway, "bye"), (.init(rawValue: 3000), "größer"),
            (.init(rawValue: 4999), String(repeating: "x", count: 123)),
        ] {
            let payload = written(code, reason)
            #expect(payload.count == 2 + reason.utf8.count)
            #expect(payload.prefix(2) == [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)])
            let found = try read(payload)
            #expect(found.code == code)
            #expect(found.reason == reason)
        }
    }

    @Test(arguments: [("a", 123, 123), ("a", 124, 123), ("ä", 62, 122), ("€", 41, 123), ("€", 42, 123), ("😀", 31, 120)])
    func aReasonHas123BytesAtMost(character: String, count: Int, bytes: Int) throws {
        let payload = written(.normalClosure, String(repeating: character, count: count))
        #expect(payload.count == 2 + bytes)
        let reason = try read(payload).reason
        #expect(reason == String(repeating: character, count: bytes / character.utf8.count))
    }

    @Test func emptyPayloadMeansNoStatusReceived() throws {
        #expect(written(.noStatusReceived, "why") == [])
        let found = try read([])
        #expect(found.code == .noStatusReceived)
        #expect(found.reason == "")
    }

    @Test(
        arguments: [
            ([3], WebSocketCloseCode.protocolError), ([3, 0xED], .protocolError), ([0, 0], .protocolError),
            ([3, 0xE8, 0xFF], .invalidPayload),
        ] as [([UInt8], WebSocketCloseCode)])
    func invalidPayloadsAreRejected(payload: [UInt8], code: WebSocketCloseCode) {
        let error = #expect(throws: WebSocketViolation.self) { try read(payload) }
        #expect(error?.code == code)
    }
}
