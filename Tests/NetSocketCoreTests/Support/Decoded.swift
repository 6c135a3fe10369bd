import NetCore
import NetSocketCore

/// What a decoder made of some bytes.
struct Decoded: Equatable {
    var events: [WebSocketEvent] = []
    var violation: WebSocketViolation?
    var isMidMessage = false

    /// Feeds the chunks one after another; those after a violation too, which must change nothing.
    init(
        _ chunks: [ArraySlice<UInt8>], role: WebSocketRole = .client, limit: Int = 1 << 20, blockSize: Int = 64 << 10
    ) {
        var decoder = MessageDecoder(role: role, maximumMessageBytes: limit, blockSize: blockSize)
        for chunk in chunks {
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
