internal import HTTPTypes
internal import NetCore

/// Collects the head of an HTTP/1 response, however its bytes are split.
struct HandshakeHead: Sendable {
    /// The maximum total size of all heads in one handshake, in bytes, including interim responses.
    static let limit = 64 << 10

    private var bytes: [UInt8] = []
    /// The index at which the current line begins.
    private var lineStart = 0
    private var seen = 0

    /// Consumes bytes up to the end of the head. Returns their number; nil if all were consumed and the head isn't
    /// complete.
    mutating func take(_ source: UnsafeRawBufferPointer) throws(WebSocketViolation) -> Int? {
        for (index, byte) in source.enumerated() {
            guard seen < Self.limit else { throw Self.violation("the response has a head of more than 64 KiB") }
            seen += 1
            bytes.append(byte)
            // Rejects non-HTTP peers without waiting for a line break.
            if bytes.count <= Self.start.count, byte != Self.start[bytes.count - 1] {
                throw bytes.count == 1 && Self.beginsTLS(byte) ? Self.isTLS : Self.notHTTP
            }
            guard byte == 10 else { continue }
            let line = bytes[lineStart...].dropLast()
            if lineStart > 0, line.isEmpty || line.elementsEqual(CollectionOfOne(13)) { return index + 1 }
            if lineStart == 0 { _ = try statusLine() }
            lineStart = bytes.count
        }
        return nil
    }

    /// Returns the complete head and prepares for the next one.
    mutating func finish() throws(WebSocketViolation) -> ResponseHead {
        let (version, status) = try statusLine()
        let headers = bytes[..<lineStart].drop { $0 != 10 }.dropFirst()
        defer { (bytes, lineStart) = ([], 0) }
        return ResponseHead(status: status, version: version, block: HeaderBlock(Array(headers)))
    }

    /// Parses `HTTP/1.1 101 Switching Protocols`; the reason may be missing, and so may the space before it.
    private func statusLine() throws(WebSocketViolation) -> (version: String, status: HTTPResponse.Status) {
        var line = bytes.prefix { $0 != 10 }
        if line.last == 13 { line.removeLast() }
        let parts = line.split(separator: 32, maxSplits: 2, omittingEmptySubsequences: false)
        let version = parts[0].dropFirst(Self.start.count - 2)
        guard parts.count > 1, version.count == 3, version.last.map({ $0 == 48 || $0 == 49 }) == true,
            parts[1].count == 3, parts[1].allSatisfy({ $0 >= 48 && $0 <= 57 }), parts[1].first != 48
        else { throw Self.notHTTP }
        let code = parts[1].reduce(0) { $0 * 10 + Int($1 - 48) }
        let reason = parts.count > 2 ? String(decoding: parts[2], as: UTF8.self) : ""
        return (String(decoding: version, as: UTF8.self), HTTPResponse.Status(code: code, reasonPhrase: reason))
    }

    private static let start = Array("HTTP/1.".utf8)
    private static let notHTTP = violation("the response is not HTTP/1")
    private static let isTLS = violation("the server responds with TLS; is this a port for wss?")

    /// True for the content type of the records that a TLS server may send first: alert or handshake (RFC 8446
    /// section 5.1).
    private static func beginsTLS(_ byte: UInt8) -> Bool { byte == 21 || byte == 22 }

    private static func violation(_ message: String) -> WebSocketViolation {
        WebSocketViolation(.protocolError, message)
    }
}
