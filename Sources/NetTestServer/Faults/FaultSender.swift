#if Server
internal import HTTPTypes
internal import NetCore
internal import NetTesting

/// Sends the bytes of a fault, bypassing correct framing.
struct FaultSender: Sendable {
    let core: ServerCore
    let response: StubResponse
    let body: [UInt8]
    let writer: any ResponseWriter

    /// Indicates whether a fault needs bytes that a correct response can't contain.
    static func isNeeded(for fault: Fault) -> Bool {
        switch fault {
        case .drop(let drop): drop.point == .insideHead
        case .contentLength, .badChunk, .truncatedGzip, .headerBomb, .endlessInformational, .endlessTrailers, .slowDrip:
            true
        case .unknownHost, .refused, .tls, .halfOpen, .redirectLoop: false
        }
    }

    /// The reason why a fault can't be part of a response; nil if it can.
    static func objection(to fault: Fault, version: String) -> String? {
        if fault.isOfConnection {
            return "\"\(fault)\" happens before a request is read: see ClosedPort and TestServer.TLS(_:)"
        }
        if fault == .badChunk, version == "2" { return "HTTP/2 has no chunks, so none can be bad" }
        return nil
    }

    private var format: WireFormat { writer.format }

    /// Sends a fault. Endless faults end when the client has disconnected: a write throws, or the task is cancelled.
    func send(_ fault: Fault) async throws {
        switch fault {
        case .drop(let drop):
            let head = format.head(200, fields([("content-length", "\(body.count)")]))
            try await writer.writeRaw(Array(head.prefix(head.count / 2)))
            await writer.drop(drop.form)
        case .contentLength(let length): try await whole(lengths(length))
        case .badChunk:
            let half = Array(body.prefix(body.count / 2))
            try await writer.writeRaw(format.head(200, fields([("transfer-encoding", "chunked")])))
            try await writer.writeRaw(format.data(half, isChunked: true) + Array("zz\r\nmore\r\n".utf8))
        case .truncatedGzip:
            let half = Array(gzipStored(body).dropLast(body.count / 2))
            let head = format.head(200, fields([("content-encoding", "gzip"), ("content-length", "\(half.count)")]))
            try await writer.writeRaw(head + format.data(half, endsStream: true))
        case .headerBomb(let bytes):
            let value = String(repeating: "b", count: 1000)
            let bomb = (0..<max(1, bytes / 1010)).map { ("x-bomb-\($0)", value) }
            try await writer.writeRaw(format.head(200, fields(bomb + [("content-length", "0")]), endsStream: true))
        case .endlessInformational: try await endlessInformational()
        case .endlessTrailers: try await endlessTrailers()
        case .slowDrip(let pause): try await drip(pause)
        case .unknownHost, .refused, .tls, .halfOpen, .redirectLoop: break
        }
    }

    /// The stub's own header fields without the framing fields, followed by these.
    private func fields(_ more: [(String, String)]) -> [(String, String)] {
        let own = response.headers.filter { $0.name != .contentLength && $0.name != .transferEncoding }
        return own.map { ($0.name.canonicalName, $0.value) } + more
    }

    private func lengths(_ fault: Fault.Length) -> [(String, String)] {
        let values =
            switch fault {
            case .tooLong: ["\(body.count + 10)"]
            case .tooShort: ["\(body.count / 2)"]
            case .doubled: ["\(body.count)", "\(body.count + 1)"]
            case .malformed: ["many"]
            }
        return values.map { ("content-length", $0) }
    }

    private func whole(_ framing: [(String, String)]) async throws {
        try await writer.writeRaw(format.head(200, fields(framing)) + format.data(body, endsStream: true))
    }

    private func endlessInformational() async throws {
        let hints = (0..<20).flatMap { _ in format.head(103, [("link", "</style.css>; rel=preload")]) }
        while true {
            try Task.checkCancellation()
            try await writer.writeRaw(hints)
        }
    }

    private func endlessTrailers() async throws {
        let head = format.head(200, fields(format.isHTTP2 ? [] : [("transfer-encoding", "chunked")]))
        try await writer.writeRaw(head + format.data(body, isChunked: true))
        let more = (0..<10).map { ("x-more-\($0)", String(repeating: "t", count: 100)) }
        try await writer.writeRaw(format.startOfTrailers(more))
        while true {
            try Task.checkCancellation()
            try await writer.writeRaw(format.moreTrailers(more))
        }
    }

    /// On HTTP/1.1, sends each byte separately. On HTTP/2, whose frames can't be split while others share the
    /// connection, sends each byte of the body in a separate frame.
    private func drip(_ pause: Duration) async throws {
        let head = format.head(200, fields([("content-length", "\(body.count)")]))
        let pieces: [[UInt8]] =
            format.isHTTP2
            ? [head] + body.enumerated().map { format.data([$1], endsStream: $0 == body.count - 1) }
            : (head + body).map { [$0] }
        for piece in pieces {
            try await writer.writeRaw(piece)
            try await core.clock.sleep(for: pause)
        }
    }
}

/// A gzip stream of one stored block (RFC 1951 section 3.2.4), without its checksum, because the stream is cut before
/// that.
private func gzipStored(_ bytes: [UInt8]) -> [UInt8] {
    let block = bytes.prefix(65_535)
    let (low, high) = (UInt8(block.count & 255), UInt8(block.count >> 8))
    return [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1, low, high, ~low, ~high] + block
}
#endif
