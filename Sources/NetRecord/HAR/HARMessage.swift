package import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An element of `_webSocketMessages`, as Chromium writes it. Opcode 1 is text, opcode 2 is bytes in base64; control
/// frames have their own opcodes.
package struct HARMessage: Sendable, Hashable {
    /// True if the client sent the message.
    package var isSent: Bool
    /// The opcode (RFC 6455 section 11.8).
    package var opcode: Int
    /// The text, or the bytes in base64.
    package var text: String
    /// The bytes of a message that isn't text; nil for text.
    package var bytes: Bytes?
    /// Seconds since 1970; nil if they aren't known.
    package var time: Double?
    /// The size of the whole payload if it's longer than the recorded part; otherwise nil.
    package var size: Int64?
    /// True if only the beginning was recorded.
    package var isCut = false

    package init(isSent: Bool, opcode: Int, text: String, bytes: Bytes? = nil) {
        self.isSent = isSent
        self.opcode = opcode
        self.text = text
        self.bytes = bytes
    }

    /// The message; nil for a control frame.
    package var content: WebSocketMessage? {
        switch opcode {
        case 1: .text(text)
        case 2: .binary(bytes ?? Bytes())
        default: nil
        }
    }

    package var value: JSONValue {
        var value: [String: JSONValue] = [
            "type": isSent ? "send" : "receive", "opcode": .integer(Int64(opcode)),
            "data": .string(bytes.map { $0.data.base64EncodedString() } ?? text),
        ]
        if let time { value["time"] = .number(time) }
        if bytes != nil, opcode != 2 { value["_encoding"] = "base64" }
        if let size { value["_size"] = .integer(size) }
        if isCut { value["_isCut"] = true }
        return .object(value)
    }
}
