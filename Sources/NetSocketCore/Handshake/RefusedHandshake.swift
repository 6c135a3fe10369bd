internal import HTTPTypes
internal import NetCore

/// A response to an opening handshake other than 101, whose body is arriving. Its length follows the rules for any
/// response (RFC 9112 section 6.3); at most 64 KiB are kept.
struct RefusedHandshake: Sendable {
    private enum Framing: Sendable {
        /// The number of bytes that are missing.
        case length(Int)
        case chunked(ChunkDecoder)
        case untilClosed
    }

    private static let limit = 64 << 10

    let head: ResponseHead
    /// The part of the body that has arrived, without its chunks.
    private(set) var body: [UInt8] = []
    private var framing: Framing

    init(_ head: ResponseHead) {
        self.head = head
        let codings = HandshakeFields.list(head[.transferEncoding])
        let lengths = Set(HandshakeFields.list(head[.contentLength]))
        let status = head.status.code
        framing =
            if status == 204 || status == 304 {
                .length(0)
            } else if let last = codings.last {
                // A body whose last coding isn't chunked ends with the connection, whatever its Content-Length.
                last.lowercased() == "chunked" ? .chunked(ChunkDecoder()) : .untilClosed
            } else if lengths.count == 1, let length = lengths.first.flatMap({ Int($0) }), length >= 0 {
                .length(length)
            } else {
                .untilClosed
            }
    }

    /// Takes bytes of the body. Returns true once no more are needed: it is complete, has more than 64 KiB, or isn't
    /// valid.
    mutating func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        switch framing {
        case .length(let missing):
            keep(bytes.prefix(missing))
            framing = .length(max(0, missing - bytes.count))
            return missing <= bytes.count || isFull
        case .untilClosed:
            keep(bytes[...])
            return isFull
        case .chunked(var chunks):
            defer { framing = .chunked(chunks) }
            var index = 0
            while !isFull {
                switch chunks.next(bytes, &index) {
                case .data(let range): keep(bytes[range])
                case .trailer: break
                case .over, .fault: return true
                case .more: return false
                }
            }
            return true
        }
    }

    private var isFull: Bool { body.count >= Self.limit }

    private mutating func keep(_ bytes: Slice<UnsafeRawBufferPointer>) {
        body += bytes.prefix(Self.limit - body.count)
    }
}
