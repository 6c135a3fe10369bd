import NetCore
import NetSocketCore
import NetTesting

/// What a decoder made of some bytes.
struct Decoded: Equatable {
    var events: [WebSocketEvent] = []
    var violation: WebSocketViolation?
    var isMidMessage = false

    /// Feeds the chunks one after another; those after a violation too, which must change nothing. With `rests`, the decoder
    /// gives its block back between two chunks.
    init(
        _ chunks: [ArraySlice<UInt8>], role: WebSocketRole = .client, limit: Int = 1 << 20, blockSize: Int = 64 << 10,
        compression: WebSocketCompression? = nil, rests: Bool = false
    ) {
        var decoder = MessageDecoder(role: role, maximumMessageBytes: limit, blocks: ReadBlock(size: blockSize))
        if let compression { decoder.startInflating(compression, pool: DeflatePool()) }
        for chunk in chunks {
            if rests { decoder.rest() }
            chunk.withUnsafeBytes { bytes in
                do throws(WebSocketViolation) {
                    try decoder.receive(bytes, into: &events)
                } catch {
                    violation = violation ?? error
                }
            }
        }
        isMidMessage = decoder.isMidMessage
    }

    init(_ frames: [WireFrame], role: WebSocketRole = .client, limit: Int = 1 << 20) {
        self.init([frames.sent(to: role).bytes[...]], role: role, limit: limit)
    }

    /// The frames as they are, masked or not.
    init(raw frames: [WireFrame], role: WebSocketRole = .client) {
        self.init([frames.bytes[...]], role: role)
    }

    /// The only thing that came of it was this violation.
    func isOnly(_ code: WebSocketCloseCode) -> Bool { events.isEmpty && violation?.code == code }
}

extension WebSocketEvent {
    static func text(_ text: String) -> WebSocketEvent { .message(.text(text)) }
    static func binary(_ bytes: [UInt8]) -> WebSocketEvent { .message(.binary(Bytes(bytes))) }
    static func ping(_ text: String) -> WebSocketEvent { .ping(Bytes(text.utf8)) }
    static func pong(_ text: String) -> WebSocketEvent { .pong(Bytes(text.utf8)) }
}

/// Bytes without a pattern of their own.
func pattern(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
}

extension SeededRandom {
    /// Bytes that don't compress.
    func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }
}
