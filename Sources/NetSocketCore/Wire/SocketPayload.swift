public import NetCore

/// The payload of a command, a push or a channel: JSON text within a message, or bytes. It is decoded on demand.
///
/// A received payload is a slice of its message. It is only validated when it is decoded, so a push that isn't handled
/// costs little.
///
///     struct Theme: Codable { var name: String }
///     let payload = try SocketPayload(Theme(name: "dark"))
///     print(try payload.decoded(as: Theme.self).name)
public struct SocketPayload: Sendable, CustomStringConvertible {
    /// The text of a whole message and the range of the payload in it, or bytes.
    private enum Storage: Sendable {
        case text(String, Range<Int>)
        case bytes(Bytes)
    }

    private let storage: Storage

    /// Creates a payload of JSON text, which isn't validated.
    public init(json: String) { storage = .text(json, 0..<json.utf8.count) }

    /// Creates a payload of bytes, for wires that support them.
    public init(bytes: Bytes) { storage = .bytes(bytes) }

    /// Creates a payload from a part of a message's text.
    package init(_ message: String, _ range: Range<Int>) { storage = .text(message, range) }

    /// Encodes a value as JSON. Throws `.encoding`.
    public init(_ value: some Encodable, coding: JSONCoding = .standard) throws(NetError) {
        do {
            self.init(json: String(decoding: try coding.encode(value), as: UTF8.self))
        } catch {
            throw NetError(
                .encoding, phase: .preparing, message: "a payload of type \(type(of: value)) could not be encoded",
                underlying: error)
        }
    }

    /// The JSON text; nil for bytes.
    public var json: String? {
        guard case .text(let text, let range) = storage else { return nil }
        if range.count == text.utf8.count { return text }
        let start = text.utf8.index(text.utf8.startIndex, offsetBy: range.lowerBound)
        return String(text.utf8[start..<text.utf8.index(start, offsetBy: range.count)])
    }

    /// The bytes: those of the JSON text in UTF-8, or the payload itself.
    public var bytes: Bytes {
        switch storage {
        case .bytes(let bytes): return bytes
        case .text(let text, let range):
            var text = text
            return text.withUTF8 { Bytes(UnsafeBufferPointer(rebasing: $0[range])) }
        }
    }

    /// The size in bytes.
    public var count: Int {
        switch storage {
        case .text(_, let range): range.count
        case .bytes(let bytes): bytes.count
        }
    }

    /// True if the payload is bytes and not JSON.
    public var isBinary: Bool { if case .bytes = storage { true } else { false } }

    /// Decodes the payload from JSON. Throws `.decoding`; the error doesn't quote the payload.
    public func decoded<Value: Decodable>(
        as type: Value.Type = Value.self, coding: JSONCoding = .standard
    ) throws(NetError) -> Value {
        do {
            return try coding.decode(type, from: bytes)
        } catch {
            throw NetError(
                .decoding, phase: .decoding, message: "a payload of \(count) bytes can't be decoded as \(type)",
                underlying: error
            ).knowing(.received)
        }
    }

    /// The size only: a payload may contain secrets.
    public var description: String { "\(count) bytes of \(isBinary ? "data" : "JSON")" }
}

extension SocketPayload: Hashable {
    public static func == (left: SocketPayload, right: SocketPayload) -> Bool {
        left.isBinary == right.isBinary && left.bytes == right.bytes
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

extension SocketPayload: CustomReflectable {
    public var customMirror: Mirror { Mirror(self, children: ["count": count], displayStyle: .struct) }
}
