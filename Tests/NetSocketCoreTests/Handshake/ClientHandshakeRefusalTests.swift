import HTTPTypes
import NetCore
import NetSocketCore
import Testing

/// Responses other than 101, whose body is awaited as long as that makes sense.
struct ClientHandshakeRefusalTests {
    private static let limit = 64 << 10

    private func handshake(_ path: String = "/", _ host: String = "h") -> ClientHandshake {
        ClientHandshake(host: host, path: path, key: "dGhlIHNhbXBsZSBub25jZQ==")
    }

    /// Returns the number of body bytes that were awaited and are shown; nil if more are needed.
    private func refused(_ head: String, body: Int) throws -> Int? {
        var handshake = handshake()
        #expect(!handshake.isRefused)
        let bytes = Array((head + "\r\n\r\n").utf8) + pattern(body)
        let outcome = try bytes.withUnsafeBytes { bytes throws(WebSocketViolation) in try handshake.receive(bytes) }
        guard case .refused(_, let body) = outcome else {
            #expect(handshake.isRefused)
            return nil
        }
        #expect(Array(body) == Array(pattern(body.count)))
        return body.count
    }

    @Test(
        arguments: [
            ("403 x\r\nContent-Length: 5", 4, nil), ("403 x\r\nContent-Length: 5", 5, 5),
            ("403 x\r\nContent-Length: 5", 6, 5),
            ("204 x", 3, 0), ("304 x", 3, 0), ("205 x", 3, nil), ("303 x", 3, nil), ("200 x", 0, nil),
            ("403 x\r\nContent-Length: 0", 3, 0), ("403 x\r\nContent-Length: -5", 3, nil),
            ("403 x\r\nContent-Length: many", 3, nil), ("403 x\r\nContent-Length: 65536", 65_535, nil),
            ("403 x\r\nContent-Length: 65537", 65_536, 65_536),
            ("403 x\r\nContent-Length: 99999999999", 65_536, 65_536),
            ("403 x", 65_535, nil), ("403 x", 65_536, 65_536), ("403 x", 70_000, 65_536),
            ("403 x\r\nContent-Length: 5, 5", 6, 5), ("403 x\r\nContent-Length: 5\r\nContent-Length: 6", 6, nil),
            ("403 x\r\nTransfer-Encoding: gzip\r\nContent-Length: 5", 6, nil),
        ] as [(String, Int, Int?)])
    func aBodyIsWaitedForUpToItsLength(head: String, arrived: Int, shown: Int?) throws {
        let found = try refused("HTTP/1.1 " + head, body: arrived)
        #expect(found == shown)
    }

    /// The bodies that servers send in chunks, and their data. A fault ends a body.
    @Test(
        arguments: [
            ("chunked", "5\r\nnot y\r\n2;x=1\r\nou\r\n0\r\n\r\n", "not you"), ("Chunked", "0\r\n\r\n", ""),
            ("gzip, chunked", "3\r\nnot\r\n0\r\nX-A: 1\r\n\r\n", "not"),
            ("chunked\r\nContent-Length: 3", "4\r\nnone\r\n0\r\n\r\n", "none"), ("chunked", "2\r\nnox", "no"),
            ("chunked", "nonsense", ""),
        ] as [(String, String, String)])
    func aChunkedBodyIsRead(codings: String, body: String, shown: String) throws {
        let bytes = Array("HTTP/1.1 403 x\r\nTransfer-Encoding: \(codings)\r\n\r\n\(body)".utf8)
        for piece in 1...bytes.count {
            var handshake = handshake()
            var found: Bytes?
            for start in stride(from: 0, to: bytes.count, by: piece) where found == nil {
                let outcome = try bytes[start..<min(bytes.count, start + piece)].withUnsafeBytes {
                    bytes throws(WebSocketViolation) in try handshake.receive(bytes)
                }
                if case .refused(_, let body) = outcome { found = body }
            }
            #expect(found == Bytes(shown.utf8), "in pieces of \(piece) bytes")
        }
    }

    @Test func aChunkedBodyIsCutAt64KiB() throws {
        var handshake = handshake()
        let head = "HTTP/1.1 403 x\r\nTransfer-Encoding: chunked\r\n\r\n"
        let bytes = Array(head.utf8) + Array("11170\r\n".utf8) + pattern(70_000)
        let outcome = try bytes.withUnsafeBytes { bytes throws(WebSocketViolation) in try handshake.receive(bytes) }
        guard case .refused(_, let body) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(Array(body) == Array(pattern(70_000).prefix(Self.limit)))
    }

    /// The connection ends within a chunk.
    @Test func theEndOfTheConnectionEndsAChunkedBody() throws {
        var handshake = handshake()
        let bytes = Array("HTTP/1.1 403 x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nno".utf8)
        let outcome = try bytes.withUnsafeBytes { bytes throws(WebSocketViolation) in try handshake.receive(bytes) }
        guard case .needsMore = outcome, case .refused(_, let body)? = handshake.end() else {
            Issue.record("\(outcome)")
            return
        }
        #expect(body == Bytes("no".utf8))
    }

    @Test func theEndOfTheConnectionIsTheEndOfTheBody() throws {
        var handshake = handshake()
        #expect(handshake.end() == nil)
        let bytes = Array("HTTP/1.1 403 Not For You\r\nContent-Length: 9\r\n\r\nno".utf8)
        for piece in [bytes[..<10], bytes[10...]] {
            let outcome = try piece.withUnsafeBytes { bytes throws(WebSocketViolation) in try handshake.receive(bytes) }
            guard case .needsMore = outcome else {
                Issue.record("\(outcome)")
                return
            }
        }
        guard case .refused(let head, let body)? = handshake.end() else {
            Issue.record("not refused")
            return
        }
        #expect(head.status.code == 403)
        #expect(head.status.reasonPhrase == "Not For You")
        #expect(body == Bytes("no".utf8))
    }

    @Test(arguments: [(100, false), (102, false), (199, false), (200, true), (302, true)])
    func interimResponsesAreNoRefusal(code: Int, isRefused: Bool) throws {
        var handshake = handshake()
        let bytes = Array("HTTP/1.1 \(code) x\r\n\r\n".utf8)
        _ = try bytes.withUnsafeBytes { bytes throws(WebSocketViolation) in try handshake.receive(bytes) }
        #expect(handshake.isRefused == isRefused)
    }

    @Test func onlyVisibleBytesGetIntoTheFirstLines() {
        let path = "/!\u{20}\u{1F}~\u{7F}ä\t"
        let text = String(decoding: handshake(path, "h o\u{7F}st!\n").requestBytes, as: UTF8.self)
        #expect(text.hasPrefix("GET /!~ä HTTP/1.1\r\nHost: host!\r\nUpgrade: websocket\r\n"))
        #expect(!text.contains("Sec-WebSocket-Protocol"))
        #expect(!text.contains("Sec-WebSocket-Extensions"))
    }

    @Test func compressionIsOfferedAndAgreedOn() throws {
        var settings = WebSocketCompression.withoutContext
        settings.fallsBack = false
        var handshake = ClientHandshake(
            compression: settings, host: "h", path: "/", key: "dGhlIHNhbXBsZSBub25jZQ==")
        let request = String(decoding: handshake.requestBytes, as: UTF8.self)
        let offer = CompressionNegotiation.offer(settings)
        #expect(request.contains("\r\nSec-WebSocket-Extensions: \(offer)\r\n"))
        let answer = """
            HTTP/1.1 101 x\r
            Upgrade: websocket\r
            Connection: Upgrade\r
            Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r
            Sec-WebSocket-Extensions: \(offer.replacing("; client_max_window_bits", with: ""))\r
            \r\n
            """
        let outcome = try Array(answer.utf8).withUnsafeBytes { bytes throws(WebSocketViolation) in
            try handshake.receive(bytes)
        }
        guard case .accepted(_, nil, let compression, _) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(compression == settings)
    }
}
