/// The type of a frame (RFC 6455 section 5.2). The other ten values are reserved.
package enum Opcode: UInt8, Sendable {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10

    /// True for control frames, which are short, never fragmented, and allowed between the fragments of a message
    /// (section 5.5).
    package var isControl: Bool { rawValue >= 8 }
}
