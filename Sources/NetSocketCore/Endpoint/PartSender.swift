package import NetCore

/// Creates the frames of a message that is sent in parts. The parts of a text message must together be valid UTF-8.
package struct PartSender: Sendable {
    /// One frame.
    package struct Frame: Sendable {
        package var bytes: Bytes
        package var opcode: Opcode
        package var isFirst: Bool
        package var isFinal: Bool
        package var compression: MessageCompression
    }

    private let kind: WebSocketMessage.Kind
    private let compression: MessageCompression
    private var text = UTF8Check()
    /// True once the first frame was created: from then on, the message can't be withdrawn.
    package private(set) var hasBegun = false

    package init(_ kind: WebSocketMessage.Kind, _ compression: MessageCompression) {
        self.kind = kind
        self.compression = compression
    }

    /// Returns the frame of the next part. Throws `.encoding` for text that can't become valid UTF-8.
    package mutating func frame(_ part: Bytes) throws(NetError) -> Frame {
        if kind == .text, !part.withUnsafeBytes({ text.accepts($0) }) { throw NetError.textIsNotUTF8 }
        return frame(part, isFinal: false)
    }

    /// Returns the empty frame that ends the message.
    package mutating func lastFrame() throws(NetError) -> Frame {
        if kind == .text, !text.isComplete { throw NetError.textIsNotUTF8 }
        return frame(Bytes(), isFinal: true)
    }

    private mutating func frame(_ bytes: Bytes, isFinal: Bool) -> Frame {
        defer { hasBegun = true }
        return Frame(
            bytes: bytes, opcode: kind == .text ? .text : .binary, isFirst: !hasBegun, isFinal: isFinal,
            compression: compression)
    }
}
