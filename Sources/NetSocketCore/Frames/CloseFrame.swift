internal import NetCore

/// The payload of a close frame: empty, or a code and a reason (RFC 6455 section 5.5.1).
package enum CloseFrame {
    /// The maximum length of a reason after the code, in bytes.
    static let maximumReasonBytes = 123

    /// Parses a payload. Throws 1002 for a single byte and for a code that must not be sent, 1007 for a reason that
    /// isn't UTF-8.
    static func read(
        _ payload: UnsafeRawBufferPointer
    ) throws(WebSocketViolation) -> (code: WebSocketCloseCode, reason: String) {
        guard !payload.isEmpty else { return (.noStatusReceived, "") }
        guard payload.count > 1 else {
            throw WebSocketViolation(.protocolError, "a close frame has only one byte of a close code")
        }
        let code = WebSocketCloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
        guard code.isValidOnWire else {
            throw WebSocketViolation(.protocolError, "a close frame has the code \(code), which must not be sent")
        }
        guard let reason = String(validating: payload.dropFirst(2), as: UTF8.self) else {
            throw WebSocketViolation(.invalidPayload, "the reason of a close frame is not UTF-8")
        }
        return (code, reason)
    }

    /// Calls `body` with the payload for a code and a reason. A code that must not be sent, such as
    /// `.noStatusReceived`, produces an empty payload; a reason that is too long is truncated between two characters.
    package static func withPayload(
        _ code: WebSocketCloseCode, reason: String, _ body: (UnsafeRawBufferPointer) -> Void
    ) {
        guard code.isValidOnWire else { return body(UnsafeRawBufferPointer(start: nil, count: 0)) }
        var text = reason.utf8.prefix(maximumReasonBytes)
        if text.endIndex < reason.utf8.endIndex {
            // The byte after the cut continues a character: remove that character.
            var end = text.endIndex
            while end > reason.startIndex, reason.utf8[end] & 0xC0 == 0x80 { end = reason.utf8.index(before: end) }
            text = reason.utf8[..<end]
        }
        withUnsafeTemporaryAllocation(byteCount: 2 + maximumReasonBytes, alignment: 2) { payload in
            payload.storeBytes(of: code.rawValue.bigEndian, as: UInt16.self)
            let room = UnsafeMutableRawBufferPointer(rebasing: payload[2...])
            room.copyBytes(from: text)
            body(UnsafeRawBufferPointer(rebasing: payload[..<(2 + text.count)]))
        }
    }
}
