import NetCore
import NetSocketCore
import NetTesting

/// A decoder's result for some bytes.
struct Decoded: Equatable {
    var events: [WebSocketEvent] = []
    var violation: WebSocketViolation?
    var isMidMessage = false

    /// Feeds the chunks one after another, including those after a violation, which must change nothing. With `rests`,
    /// the decoder releases its block between two chunks.
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

    /// Creates the result for frames as they are, masked or not.
    init(raw frames: [WireFrame], role: WebSocketRole = .client) {
        self.init([frames.bytes[...]], role: role)
    }

    /// Returns true if this violation was the only result.
    func isOnly(_ code: WebSocketCloseCode) -> Bool { events.isEmpty && violation?.code == code }
}

extension WebSocketEvent {
    static func text(_ text: String) -> WebSocketEvent { .message(.text(text)) }
    static func binary(_ bytes: [UInt8]) -> WebSocketEvent { .message(.binary(Bytes(bytes))) }
    static func ping(_ text: String) -> WebSocketEvent { .ping(Bytes(text.utf8)) }
    static func pong(_ text: String) -> WebSocketEvent { .pong(Bytes(text.utf8)) }
}

/// Returns bytes without a short period.
func pattern(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
}

extension SeededRandom {
    /// Returns bytes that don't compress.
    func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }
}
